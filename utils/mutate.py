"""Changes random lines of lib/ one at a time, and says which tests notice.

usage: utils/mutate.py [--seed=1] [--count=20] [--list | --diff] [--build=build] [--jobs=N] [--timeout=900] [ROOM...]
Each mutant is one small change: a condition, a comparison, an operator, a constant, a statement. Its object file is
compiled first: mutants that do not compile, or whose code is the same, are replaced by others. Then the tests of the
room run, then all others, until one fails. docs/mutation.md says how to read the table. `--list` prints the mutants
and `--diff` their changes; neither builds anything. Exits with 1 where a mutant survives.
"""

import argparse
import contextlib
import dataclasses
import difflib
import functools
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What looks like code but is none, or changes no behavior: directives, declarations, assertions.
NO_CODE = re.compile(
    r"^\s*(#|using\b|namespace\b|template\b|typedef\b|static_assert\b|assert\(|friend\b|(public|private|protected):|struct\b"
    r"|class\b|enum\b|extern\b|llvm_unreachable\b)"
)
# Texts of diagnostics: tests compare some of them word for word, which says little about the code.
DIAGNOSTIC = re.compile(r"emitOpError|emitError|emitRemark|emitWarning|attachNote|makeError|<<")
# Comments and literals; a quote behind a digit separates digits.
NO_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])*'", re.DOTALL)
STATEMENT = re.compile(r"^\s+[A-Za-z_(*+-][^;{}]*;$")
DECLARATION = re.compile(
    r"^\s+(const\b|auto\b|static\b|constexpr\b|return\b|break\b|continue\b|using\b|goto\b|delete\b|case\b|default\b"
    r"|[A-Za-z_][\w:<>,* ]*[ *&>]+[A-Za-z_]\w*( *[=({;].*)?$)"
)
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/"}
RETURNS = {"true": "false", "false": "true", "success()": "failure()", "failure()": "success()", "std::nullopt": None}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One change of one line: columns `begin` to `end` become `text`."""

    path: str  # from the root
    line: int  # from 1
    begin: int
    end: int
    text: str
    kind: str

    def apply(self, lines: list[str]) -> list[str]:
        old = lines[self.line - 1]
        changed = list(lines)
        changed[self.line - 1] = old[: self.begin] + self.text + old[self.end :]
        return changed

    @property
    def room(self) -> str:
        return str(pathlib.PurePath(self.path).parent.relative_to("lib"))


def mask(lines: list[str]) -> list[str]:
    """The lines with comments and the contents of literals as spaces."""

    def blank(match: re.Match) -> str:
        text = match.group()
        quote = text[0] if text[0] in "\"'" else ""
        inner = re.sub(r"[^\n]", " ", text[1:-1] if quote else text)
        return quote + inner + quote

    return NO_TEXT.sub(blank, "\n".join(lines)).split("\n")


def find_condition(line: str) -> tuple[int, int] | None:
    """Where the condition of an `if` or `while` is that ends on its line and declares nothing."""
    match = re.search(r"\b(if|while) \(", line)
    if not match:
        return None
    depth, begin = 1, match.end()
    for position in range(begin, len(line)):
        depth += {"(": 1, ")": -1}.get(line[position], 0)
        if depth == 0:
            condition = line[begin:position]
            declares = re.match(r"(const )?[\w:<>]+ [*&]?\w+ = |auto\b|.*; ", condition)
            return None if declares else (begin, position)
    return None


def find_mutants(path: str, lines: list[str]) -> Iterator[Mutant]:
    """All mutants of a file, in order."""
    in_diagnostic = False
    for number, line in enumerate(mask(lines), start=1):
        # A diagnostic goes on until its statement ends.
        skip = in_diagnostic or bool(DIAGNOSTIC.search(line))
        in_diagnostic = skip and not line.rstrip().endswith((";", "{", "}"))
        if skip or not line.startswith("  ") or NO_CODE.match(line):
            continue
        yield from find_in_line(path, number, line, lines[number - 1])


def find_in_line(path: str, number: int, line: str, original: str) -> Iterator[Mutant]:
    """The mutants of a line, of which `line` has no comments and literals."""

    def make(begin: int, end: int, text: str, kind: str) -> Mutant:
        return Mutant(path, number, begin, end, text, kind)

    if condition := find_condition(line):
        begin, end = condition
        yield make(begin, end, f"!({original[begin:end]})", "condition")
    for match in re.finditer(r" (<=?|>=?|==|!=) ", line):
        yield make(match.start(1), match.end(1), COMPARISONS[match.group(1)], "comparison")
    for match in re.finditer(r" (&&|\|\|) ", line):
        yield make(match.start(1), match.end(1), "||" if match.group(1) == "&&" else "&&", "logic")
    for match in re.finditer(r"(?<=[\w)\]]) ([-+*/%]) (?=[\w(])", line):
        yield make(match.start(1), match.end(1), ARITHMETIC[match.group(1)], "arithmetic")
    for match in re.finditer(r"(?<![\w.<])(\d{1,4})(?![\w.>])", line):
        yield make(match.start(1), match.end(1), str(int(match.group(1)) + 1), "constant")
    if match := re.search(r"\breturn (true|false|success\(\)|failure\(\));", line):
        yield make(match.start(1), match.end(1), RETURNS[match.group(1)], "result")
    if match := re.search(r"\bcontinue;", line):
        yield make(match.start(), match.end(), "break;", "loop")
    if match := re.search(r"^\s+(return;)", line):
        yield make(match.start(1), match.end(1), ";", "statement")
    if STATEMENT.match(line) and not DECLARATION.match(line) and line.count("(") == line.count(")"):
        begin = len(line) - len(line.lstrip())
        yield make(begin, len(line), ";", "statement")


def read_lines(path: str) -> list[str]:
    return (ROOT / path).read_text().split("\n")


@functools.cache
def find_all() -> dict[str, tuple[Mutant, ...]]:
    """The mutants of each room."""
    by_room: dict[str, list[Mutant]] = {}
    for file in sorted((ROOT / "lib").rglob("*.cpp")):
        path = str(file.relative_to(ROOT))
        for mutant in find_mutants(path, read_lines(path)):
            by_room.setdefault(mutant.room, []).append(mutant)
    return {room: tuple(mutants) for room, mutants in by_room.items()}


def draw(seed: int, rooms: list[str]) -> Iterator[Mutant]:
    """Mutants in random order, a room at a time, so that small rooms get as many as large ones. A line has one."""
    source = random.Random(seed)
    by_room = {room: list(mutants) for room, mutants in find_all().items()}
    unknown = [room for room in rooms if room not in by_room]
    if unknown:
        sys.exit(f"mutate: expected rooms of lib/ ({', '.join(sorted(by_room))}), but got {', '.join(unknown)}")
    for mutants in by_room.values():
        source.shuffle(mutants)
    seen = set()
    names = sorted(rooms or by_room)
    while any(by_room[name] for name in names):
        source.shuffle(names)
        for name in names:
            while by_room[name]:
                mutant = by_room[name].pop()
                if (mutant.path, mutant.line) not in seen:
                    seen.add((mutant.path, mutant.line))
                    yield mutant
                    break


class Killed(Exception):
    """A test that fails with the mutant."""


class Discarded(Exception):
    """A mutant that changes nothing, or is no C++."""


def read_objects(commands: str) -> dict[pathlib.Path, str]:
    """The object file of each source, as a target of the build."""
    objects = {}
    for entry in json.loads(commands):
        words = shlex.split(entry["command"])
        objects[pathlib.Path(entry["file"]).resolve()] = words[words.index("-o") + 1]
    return objects


class Tester:
    """Builds and runs tests in a build tree that is up to date."""

    def __init__(self, build: pathlib.Path, jobs: int, timeout: int):
        self.build, self.jobs, self.timeout = build, jobs, timeout
        self.objects = read_objects((build / "compile_commands.json").read_text())
        version = re.search(r"LLVM_VERSION=(\d+)", (ROOT / "utils/versions.env").read_text()).group(1)
        self.lit = f"/usr/lib/llvm-{version}/bin/lit"

    def run(self, what: str, *command: str) -> subprocess.CompletedProcess:
        """Runs a command in a group of its own, which ends with it. A mutant that takes too long is killed."""
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        ) as process:
            try:
                output, _ = process.communicate(timeout=self.timeout)
            except BaseException as error:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                if isinstance(error, subprocess.TimeoutExpired):
                    raise Killed(f"{what}: more than {self.timeout} s") from None
                raise
        return subprocess.CompletedProcess(command, process.returncode, output)

    def make(self, *targets: str) -> subprocess.CompletedProcess:
        return self.run("build", "ninja", "-C", str(self.build), f"-j{self.jobs}", *targets)

    def must_make(self, *targets: str) -> None:
        result = self.make(*targets)
        if result.returncode != 0:
            raise Killed("build: " + last_line(result.stdout))

    def run_lit(self, what: str, *options: str) -> None:
        always = ("-s", f"-j{self.jobs}", "--max-failures=1", str(self.build / "test"))
        result = self.run(what, self.lit, *always, *options)
        # 2: no test has such a name.
        if result.returncode == 1:
            failure = re.search(r"^(?:FAIL|TIMEOUT|UNRESOLVED): fuser :: (\S+)", result.stdout, re.MULTILINE)
            raise Killed(f"lit {failure.group(1) if failure else last_line(result.stdout)}")

    def run_ctest(self, what: str, *options: str) -> None:
        result = self.run(what, "ctest", "--test-dir", str(self.build), f"-j{self.jobs}", "--stop-on-failure", *options)
        if result.returncode != 0:
            failure = re.search(r"(\S+) \.*\s*\*\*\*", result.stdout)
            raise Killed(f"ctest {failure.group(1) if failure else last_line(result.stdout)}")

    def test(self, mutant: Mutant) -> None:
        """Raises Killed or Discarded, or returns where no test notices."""
        target = self.objects[(ROOT / mutant.path).resolve()]
        object_file = self.build / target
        self.must_make(target)
        original = object_file.read_bytes()
        lines = read_lines(mutant.path)
        with replaced(ROOT / mutant.path, "\n".join(mutant.apply(lines))):
            if self.make(target).returncode != 0:
                raise Discarded("it does not compile")
            if object_file.read_bytes() == original:
                raise Discarded("its code is the same")
            self.run_tests(mutant.room)

    def run_tests(self, room: str) -> None:
        units = ROOT / "unittests" / room / "CMakeLists.txt"
        names = re.findall(r"fuser_add_unittest\((\w+)", units.read_text()) if units.exists() else []
        if (ROOT / "test" / room).is_dir():
            self.must_make("fuser-opt", "fuser-run", "fuser-explain", "fuser-translate", "fuser-count-kernel")
            self.run_lit("tests of the room", f"--filter=^{re.escape(room)}/|:: {re.escape(room)}/")
        if names:
            self.must_make(*names)
            self.run_ctest("unit tests of the room", "-R", f"^({'|'.join(names)})\\.")
        self.must_make()
        self.run_lit("lit")
        self.run_ctest("unit tests")
        result = self.run("pytest", sys.executable, "-m", "pytest", "-q", "-x")
        if result.returncode != 0:
            failure = re.search(r"^FAILED (\S+)", result.stdout, re.MULTILINE)
            raise Killed(f"pytest {failure.group(1) if failure else last_line(result.stdout)}")


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no output"


@contextlib.contextmanager
def replaced(file: pathlib.Path, text: str) -> Iterator[None]:
    """The file has another text inside, and its own after, whatever happens."""
    original = file.read_text()
    file.write_text(text)
    try:
        yield
    finally:
        file.write_text(original)


def show(mutant: Mutant) -> str:
    line = read_lines(mutant.path)[mutant.line - 1]
    return f"{mutant.path}:{mutant.line} {mutant.kind}: {line[mutant.begin : mutant.end].strip()} -> {mutant.text}"


def diff(mutant: Mutant) -> str:
    lines = read_lines(mutant.path)
    return "\n".join(difflib.unified_diff(lines, mutant.apply(lines), mutant.path, mutant.path, n=1, lineterm=""))


def judge(tester: Tester, mutant: Mutant) -> str:
    try:
        tester.test(mutant)
    except Killed as killed:
        return f"killed by {killed}"
    except Discarded as discarded:
        return f"discarded: {discarded}"
    return "SURVIVED"


def test_mutants(options: argparse.Namespace) -> int:
    tester = Tester((ROOT / options.build).resolve(), options.jobs, options.timeout)
    counts = {"killed": 0, "SURVIVED": 0, "discarded:": 0}
    for index, mutant in enumerate(draw(options.seed, options.rooms)):
        if counts["killed"] + counts["SURVIVED"] == options.count:
            break
        outcome = judge(tester, mutant)
        counts[outcome.split()[0]] += 1
        print(f"{options.seed}/{index} {show(mutant)}: {outcome}", flush=True)
    tester.make()
    tested = counts["killed"] + counts["SURVIVED"]
    score = 100 * counts["killed"] / tested if tested else 0
    print(
        f"{tested} mutants: {counts['killed']} killed, {counts['SURVIVED']} survived, "
        f"{counts['discarded:']} discarded; score {score:.0f} %"
    )
    return 1 if counts["SURVIVED"] else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--diff", action="store_true")
    parser.add_argument("--build", default="build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=900, help="seconds that a step of a mutant may take")
    parser.add_argument("rooms", nargs="*", metavar="ROOM")
    options = parser.parse_args()
    # As Ctrl-C: files get their text back.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not (options.list or options.diff):
        return test_mutants(options)
    for index, mutant in zip(range(options.count), draw(options.seed, options.rooms), strict=False):
        print(diff(mutant) if options.diff else f"{options.seed}/{index} {show(mutant)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
