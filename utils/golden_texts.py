"""What utils/golden.py keeps of texts: one digest per file of the repository and kind of text.

choose    segments and schedules, of each case (golden_cases.py)
kernels   kernel IR, of each case; a diagnostic where a case does not compile
nvvm      the kernels in the llvm and nvvm dialects
host      the kernels as modules for the host device
commands  what the commands of the file's RUN lines print, with diagnostics and exit codes
"""

import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator

from golden_cases import FOLDERS, run_lines

KINDS = ("choose", "kernels", "nvvm", "host", "commands")
TARGETS = {"nvvm": "--fuser-lower-to-nvvm=chip=sm_90a", "host": "--fuser-lower-to-host"}
TOOLS = {"fuser-opt", "fuser-explain", "fuser-translate"}
# Options that hide what a command prints.
DROPPED = re.compile(r"-?-verify-diagnostics(=.*)?")
PIECE = re.compile(r"(\.\d+)?/[^/]*$")
SECONDS = 60

Digests = dict[tuple[str, str], str]  # (file without its suffix, kind) -> digest


def words_of(command: str, source: pathlib.Path, root: pathlib.Path) -> list[str] | None:
    """One of our tools and its arguments; None for what is no such command, or needs other files."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if words and words[0] == "not":
        words = words[1:]
    if not words or words[0] not in TOOLS:
        return None
    end = next((number for number, word in enumerate(words) if word in ("<", ">", "2>&1", "2>")), len(words))
    if "<" in words[end:]:
        return None
    words = [word for word in words[:end] if not DROPPED.fullmatch(word)]
    places = {"%examples": root / "examples", "%s": source, "%S": source.parent}
    for name, place in places.items():
        words = [re.sub(rf"{name}(?!\w)", str(place.relative_to(root)), word) for word in words]
    return None if any("%" in word for word in words) or any(word in ("-o", "&&", ";") for word in words) else words


def commands_of(source: pathlib.Path, root: pathlib.Path) -> Iterator[str]:
    """The commands of a test, as lines of bash that run in `root`: pipes of our tools, up to one that checks."""
    for line in run_lines(source.read_text()):
        pipe = []
        for part in line.split("|"):
            words = words_of(part.strip(), source, root)
            if words is None:
                break
            pipe.append(shlex.join(words))
            if ">" in shlex.split(part):
                break
        if pipe:
            yield " | ".join(pipe)


def print_commands(out: pathlib.Path, root: pathlib.Path, tools: pathlib.Path, jobs: int) -> None:
    """Writes commands/FILE/N.txt: what command N of a file prints."""
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "CUDA_VISIBLE_DEVICES": ""}

    def run(command: str, file: pathlib.Path) -> None:
        try:
            process = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command],
                cwd=root,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=SECONDS,
            )
            text = f"{process.stdout}{process.stderr}exit code {process.returncode}\n"
        except subprocess.TimeoutExpired:
            text = f"takes longer than {SECONDS} s\n"
        file.write_text(f"{command}\n{text}")

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = []
        for folder in FOLDERS:
            sources = [path for path in sorted((root / folder).rglob("*")) if path.suffix in (".mlir", ".test")]
            for source in sources:
                place = out / "commands" / source.relative_to(root)
                for number, command in enumerate(dict.fromkeys(commands_of(source, root)), 1):
                    place.mkdir(parents=True, exist_ok=True)
                    running.append(pool.submit(run, command, place / f"{number}.txt"))
        for each in running:
            each.result()


def lower_kernels(out: pathlib.Path, kind: str, tools: pathlib.Path, jobs: int) -> None:
    """Writes KIND/FILE.mlir: the kernels of a file's cases, each once, for a target."""
    texts: dict[str, dict[str, None]] = collections.defaultdict(dict)
    for path in sorted((out / "kernels").rglob("*.mlir")):
        text = path.read_text()
        if "gpu.func @" in text:
            texts[file_of(path.relative_to(out / "kernels"))][text] = None

    def run(file: str, kernels: Iterable[str]) -> None:
        process = subprocess.run(
            [tools / "fuser-opt", "-", "--split-input-file", TARGETS[kind]],
            input="// -----\n".join(kernels),
            capture_output=True,
            text=True,
            timeout=10 * SECONDS,
        )
        path = out / kind / f"{file}.mlir"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(process.stdout + process.stderr)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda each: run(*each), texts.items()))


def file_of(path: pathlib.Path) -> str:
    """The file of the repository, without its suffix, that a case (FILE.PIECE/CASE.mlir) is of."""
    return PIECE.sub("", str(path))


def digest_texts(out: pathlib.Path, kinds: Iterable[str]) -> Digests:
    """Of what `print_commands`, `lower_kernels` and the phases left in a folder."""
    hashes: dict[tuple[str, str], hashlib._Hash] = collections.defaultdict(hashlib.sha256)
    for kind in kinds:
        for path in sorted((out / kind).rglob("*")):
            if path.is_dir():
                continue
            name = path.relative_to(out / kind)
            file = str(name.with_suffix("")) if kind in TARGETS else file_of(name)
            file = file.removesuffix(".mlir").removesuffix(".test") if kind == "commands" else file
            hashes[file, kind].update(f"{name}\n{path.read_text()}".encode())
    return {key: each.hexdigest()[:12] for key, each in hashes.items()}


# ----------------------------------------------------------------------------------------------------------------------
# Digests that are kept
# ----------------------------------------------------------------------------------------------------------------------

HEAD = """# Digests of what the compiler prints for every file (utils/golden.py): FILE KIND=DIGEST ...
# utils/golden.py texts OUT writes the texts; diff -r of those of two builds shows what changed. To rewrite: update
"""


def print_digests(digests: Digests) -> str:
    lines: dict[str, str] = {}
    for file, kind in sorted(digests, key=lambda key: (key[0], KINDS.index(key[1]))):
        lines[file] = lines.get(file, file) + f" {kind}={digests[file, kind]}"
    return HEAD + "".join(line + "\n" for line in lines.values())


def parse_digests(text: str) -> Digests:
    digests = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            file, *fields = line.split(" ")
            digests |= {(file, kind): digest for kind, digest in (field.split("=") for field in fields)}
    return digests


def only(digests: Digests, kind: str) -> Digests:
    return {key: digest for key, digest in digests.items() if key[1] == kind}


def compare_digests(kept: Digests, made: Digests) -> list[str]:
    lines = []
    for file, kind in sorted(kept.keys() | made.keys()):
        before, after = kept.get((file, kind)), made.get((file, kind))
        if before != after:
            change = "is new" if before is None else "is not made any more" if after is None else "differs"
            lines.append(f"{file}: text of {kind} {change}")
    return lines
