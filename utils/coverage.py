#!/usr/bin/env python3
"""Lines of a room that its tests, tests of whole programs and the fuzzers reach.

usage: utils/coverage.py [--floor=90] [--show] [--cases=500] [--keep] ROOM [TEST...]
Builds preset `coverage` as far as needed, runs lit tests (default: those of the room, and all that use fuser-run), the
unit tests of the room and --cases cases of each fuzzer, and counts lines of lib/ROOM and include/fuser/ROOM. `--show`
lists lines that are not reached, `--keep` counts what earlier runs reached as well. Fails below the floor.
"""

import argparse
import collections
import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-coverage"
# Lines that never count: what C++ demands behind a switch that returns from each case, and the brace behind it.
UNCOUNTED = re.compile(r"llvm_unreachable|^[};]+$")
FUZZERS = ("fuser-fuzz-schedules", "fuser-fuzz-fusions")


def run(*command: str, **options) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


@functools.cache
def llvm_tools() -> pathlib.Path:
    version = re.search(r"LLVM_VERSION=(\d+)", (ROOT / "utils/versions.env").read_text()).group(1)
    return pathlib.Path(f"/usr/lib/llvm-{version}/bin")


def build(rooms: list[str], targets: list[str]) -> None:
    """Builds targets in which lines of some rooms are counted."""
    counted = f"FUSER_COVERAGE:STRING={';'.join(rooms)}"
    cache = BUILD / "CMakeCache.txt"
    if not (BUILD / "build.ninja").exists() or counted not in cache.read_text().splitlines():
        run("cmake", "--preset", "coverage", f"-D{counted}", cwd=ROOT)
    subprocess.run(["ninja", "-C", str(BUILD), "--quiet", *targets], check=True)


class Profile:
    """What runs of some programs reached; processes that crash or do not exit write theirs as well."""

    def __init__(self, name: str, programs: list[pathlib.Path], keep: bool = False):
        self.folder = BUILD / "profiles" / name
        self.programs = programs
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.iterdir():
            if not keep:
                old.unlink()

    def environment(self) -> dict[str, str]:
        return {**os.environ, "LLVM_PROFILE_FILE": f"{self.folder}/%m%c.profraw"}

    def export(self, form: str) -> str:
        merged = self.folder / "all.profdata"
        raw = [str(path) for path in self.folder.glob("*.profraw")]
        run(str(llvm_tools() / "llvm-profdata"), "merge", "-o", str(merged), *raw)
        objects = [f"-object={program}" for program in self.programs[1:]]
        command = ["export", f"-format={form}", f"-instr-profile={merged}", str(self.programs[0]), *objects]
        return run(str(llvm_tools() / "llvm-cov"), *command)


@dataclasses.dataclass
class Lines:
    """Counted lines of one file: how many, and those that were not reached."""

    total: int
    missed: list[int]


def line_counts(lcov: str) -> dict[str, dict[int, int]]:
    """Executions of each line of each file, by its path from the root of the repository."""
    counts: dict[str, dict[int, int]] = collections.defaultdict(dict)
    file = ""
    for line in lcov.splitlines():
        if line.startswith("SF:"):
            file = os.path.relpath(line[3:], ROOT)
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")[:2]
            counts[file][int(number)] = int(count)
    return counts


def count_lines(file: str, counts: dict[int, int]) -> Lines:
    source = (ROOT / file).read_text().splitlines()
    counted = {number: count for number, count in counts.items() if not UNCOUNTED.search(source[number - 1].strip())}
    return Lines(len(counted), [number for number, count in sorted(counted.items()) if not count])


def report(what: str, files: dict[str, Lines], show: bool) -> float:
    """Prints lines of each file and their sum; the percentage that was reached."""
    total = reached = 0
    for file, lines in sorted(files.items()):
        if not lines.total:
            continue
        total += lines.total
        reached += lines.total - len(lines.missed)
        print(f"{file}: {lines.total - len(lines.missed)} of {lines.total} lines")
        if show:
            source = (ROOT / file).read_text().splitlines()
            for number in lines.missed:
                print(f"  {number}: {source[number - 1]}")
    percentage = 100 * reached / total if total else 0
    print(f"{what}: {reached} of {total} lines, {percentage:.1f} %")
    return percentage


def choose_tests(room: str) -> list[str]:
    """Tests of the room and of whole programs, as far as they need no other tool than those built here."""
    tests = []
    for path in sorted((ROOT / "test").rglob("*.mlir")):
        commands = "\n".join(line for line in path.read_text().splitlines() if "RUN:" in line)
        is_wanted = path.is_relative_to(ROOT / "test" / room) or "fuser-run" in commands
        tools = set(re.findall(r"\bfuser-(?:opt|run|explain|translate|reduce|lsp-server)\b", commands))
        if is_wanted and tools and tools <= {"fuser-opt", "fuser-run"} and "%plugin" not in commands:
            tests.append(str(BUILD / path.relative_to(ROOT)))
    return tests


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", help="the folder in lib/, as in Lowering or Dialect/Kernel")
    parser.add_argument("tests", nargs="*", help="lit tests to run, from the root of the repository")
    parser.add_argument("--floor", type=float, default=90, help="least percentage of lines")
    parser.add_argument("--show", action="store_true", help="list lines that are not reached")
    parser.add_argument("--cases", type=int, default=500, help="cases of each fuzzer")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first case")
    parser.add_argument("--keep", action="store_true", help="count what earlier runs reached, too")
    options = parser.parse_intermixed_args(arguments)

    unit_tests = f"Fuser{options.room.replace('/', '')}Tests"
    has_unit_tests = (ROOT / "unittests" / options.room).is_dir()
    programs = ["fuser-opt", "fuser-run", *FUZZERS, *([unit_tests] if has_unit_tests else [])]
    build([options.room], programs)
    paths = {name: next(path for path in BUILD.rglob(name) if path.is_file()) for name in programs}
    profile = Profile(options.room.replace("/", "-"), list(paths.values()), options.keep)
    environment = profile.environment()

    tests = [str(BUILD / test) for test in options.tests] or choose_tests(options.room)
    # What fails here is a matter of the suite; its lines were reached all the same.
    subprocess.run([str(llvm_tools() / "lit"), "-q", *tests], env=environment)
    if has_unit_tests:
        run(str(paths[unit_tests]), env=environment)
    for fuzzer in FUZZERS if options.cases else ():
        command = [str(paths[fuzzer]), f"--count={options.cases}", f"--seed={options.seed}", "--timeout=100"]
        subprocess.run([*command, "--reduce=0", "--quotas=0", f"--output={BUILD}"], env=environment)

    counts = line_counts(profile.export("lcov"))
    folders = (f"lib/{options.room}/", f"include/fuser/{options.room}/")
    files = {file: count_lines(file, lines) for file, lines in counts.items() if file.startswith(folders)}
    return 0 if report(f"lib/{options.room}", files, options.show) >= options.floor else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
