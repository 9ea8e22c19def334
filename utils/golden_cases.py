"""The cases of utils/golden.py: programs with options of fuser-run.

The cases of a file are the RUN lines that run it, and its programs that no RUN line runs, at a default size.
"""

import collections
import dataclasses
import itertools
import os
import pathlib
import re
import shlex
from collections.abc import Iterable, Iterator

FOLDERS = ("benchmarks", "examples", "test")

# Options of RUN lines that say nothing about the kernels.
DROPPED = {"--atol", "--check", "--check-accesses", "--device", "--dump-after", "--repeat", "--rtol", "--save-output"}
# Options whose value may be the next word.
VALUED = {"--input", "--program", "--range", "--scalar", "--size", "--sizes", "--start-from", "--target"}

PIECES = re.compile(r"^// -----.*\n", re.MULTILINE)
PROGRAM = re.compile(r"^\s*(?:fuser\.fusion|fuser\.host|func\.func)\s+(?:public\s+)?@([\w.$-]+)", re.MULTILINE)
DYNAMIC = re.compile(r"tensor<((?:\?x|\d+x)*\?x(?:\?x|\d+x)*)")


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    program: str  # the file, below programs/
    options: tuple[str, ...]


def run_lines(text: str) -> Iterator[str]:
    """The commands of a lit test, continued lines joined."""
    pending = ""
    for match in re.finditer(r"RUN:\s*(.*)$", text, re.MULTILINE):
        line = pending + match.group(1).rstrip()
        pending = line[:-1] if line.endswith("\\") else ""
        if not pending:
            yield line


def parse_run(command: str, source: pathlib.Path, root: pathlib.Path) -> tuple[pathlib.Path, tuple[str, ...]] | None:
    """The file and the options of `fuser-run FILE ...`; None for what is no such command, or needs other files."""
    try:
        words = collections.deque(shlex.split(command))
    except ValueError:
        return None
    if not words or words.popleft() != "fuser-run":
        return None
    path, options = None, []
    while words and ">" not in words[0] and "<" not in words[0]:
        word = words.popleft()
        if word in VALUED and words:
            word += "=" + words.popleft()
        if not word.startswith("-"):
            for name, place in (("%examples", root / "examples"), ("%s", source), ("%S", source.parent)):
                word = word.replace(name, str(place))
            path = pathlib.Path(word)
        elif word.split("=")[0] == "--batch":
            return None
        elif word.split("=")[0] not in DROPPED:
            options.append(word)
    if path is None or path.suffix != ".mlir" or any("%" in word for word in [str(path), *options]):
        return None
    path = pathlib.Path(os.path.normpath(path))
    return (path, tuple(options)) if path.is_relative_to(root) and path.exists() else None


def default_options(text: str, covered: set[str]) -> Iterator[tuple[str, ...]]:
    """Options for the programs of a text, except those in `covered`."""
    names = [name for name in dict.fromkeys(PROGRAM.findall(text)) if name not in covered]
    ranks = [match.group(1).count("x") for match in DYNAMIC.finditer(text)]
    size = () if max(ranks, default=0) <= 2 else ("--default-size=16",)
    alone = len(PROGRAM.findall(text)) == 1
    for name in names:
        yield (*(() if alone else (f"--program={name}",)), *size)


def name_of(stem: str, options: tuple[str, ...]) -> str:
    key = ",".join(option.lstrip("-") for option in options) or "default"
    return f"{stem}/" + re.sub(r"[^\w.,=+:-]", "_", key)


def collect(root: pathlib.Path) -> tuple[list[Case], dict[str, str]]:
    """The cases of the repository's files, and the text of each program."""
    sources = {path: path.read_text() for folder in FOLDERS for path in sorted((root / folder).rglob("*.mlir"))}
    tests = {path: path.read_text() for folder in FOLDERS for path in sorted((root / folder).rglob("*.test"))}
    run: dict[pathlib.Path, dict[tuple[str, ...], None]] = collections.defaultdict(dict)
    for source, text in (sources | tests).items():
        for line in run_lines(text):
            for command in re.split(r"\||;|&&", line):
                if parsed := parse_run(command, source, root):
                    run[parsed[0]][parsed[1]] = None
    cases: dict[str, Case] = {}
    programs: dict[str, str] = {}

    def add(stem: str, text: str, options: Iterable[tuple[str, ...]]) -> None:
        for each in options:
            programs[f"{stem}.mlir"] = text
            name = name_of(stem, each)
            cases.setdefault(name, Case(name, f"{stem}.mlir", each))

    for path, text in sources.items():
        stem = str(path.relative_to(root).with_suffix(""))
        add(stem, text, run[path])
        pieces = PIECES.split(text)
        named = {option.removeprefix("--program=") for option in itertools.chain(*run[path])}
        if len(pieces) > 1:
            for number, piece in enumerate(pieces, 1):
                add(f"{stem}.{number}", piece, default_options(piece, set()))
        elif all(any(option.startswith("--program=") for option in options) for options in run[path]):
            add(stem, text, default_options(text, named))
    return sorted(cases.values(), key=lambda case: case.name), programs


def write_cases(out: pathlib.Path, cases: list[Case]) -> None:
    lines = ["\t".join([case.name, case.program, shlex.join(case.options)]) for case in cases]
    (out / "cases.txt").write_text("".join(line + "\n" for line in lines))


def read_cases(folder: pathlib.Path) -> list[Case]:
    cases = []
    for line in (folder / "cases.txt").read_text().splitlines():
        name, program, options = line.split("\t")
        cases.append(Case(name, program, tuple(shlex.split(options))))
    return cases
