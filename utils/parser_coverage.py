"""Lines of our parsers, printers and verifiers that the programs of the tests reach.

usage: utils/parser_coverage.py [--floor=95] [--show] PATH...
Builds preset `coverage`, reads every program below PATH... (default: test, examples and the fuzzer's regressions), and
counts lines of the functions of lib/Dialect/IR, lib/Dialect/Kernel and fuser_sched that reading programs enters, and of
all that parse, print or verify by name. `--show` lists lines that are not reached. Fails below the floor.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ("lib/Dialect/IR/", "lib/Dialect/Kernel/", "lib/Scheduling/ScheduleDialect.cpp")
# Names of functions that count even where nothing enters them.
READING = re.compile(r"parse|print|verif|readProperties|writeProperties|readVersion", re.IGNORECASE)
# Lines that never count: what C++ demands behind a switch that returns from each case, and the brace behind it.
UNCOUNTED = re.compile(r"llvm_unreachable|^[};]+$")


def run(*command: str, **options) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def line_counts(lcov: str) -> dict[str, dict[int, int]]:
    """Executions of each line of each file."""
    counts: dict[str, dict[int, int]] = collections.defaultdict(dict)
    file = ""
    for line in lcov.splitlines():
        if line.startswith("SF:"):
            file = line[3:]
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")[:2]
            counts[file][int(number)] = int(count)
    return counts


def reading_lines(functions: list[dict], files: dict[str, str]) -> dict[str, set[int]]:
    """Lines of the functions that count, by file."""
    lines: dict[str, set[int]] = collections.defaultdict(set)
    for function in functions:
        file = function["filenames"][0]
        if file not in files or not (function["count"] or READING.search(function["name"])):
            continue
        begin = min(region[0] for region in function["regions"])
        end = max(region[2] for region in function["regions"])
        lines[file].update(range(begin, end + 1))
    return lines


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, help="programs, or folders of them")
    parser.add_argument("--floor", type=float, default=95, help="least percentage of lines")
    parser.add_argument("--show", action="store_true", help="list lines that are not reached")
    options = parser.parse_args(arguments)
    paths = options.paths or [ROOT / "test", ROOT / "examples", ROOT / "unittests/Dialect/Fuzz/Corpus"]

    version = re.search(r"LLVM_VERSION=(\d+)", (ROOT / "utils/versions.env").read_text()).group(1)
    tools = pathlib.Path(f"/usr/lib/llvm-{version}/bin")
    build = ROOT / "build-coverage"
    if not (build / "build.ninja").exists():
        run("cmake", "--preset", "coverage", cwd=ROOT)
    run("ninja", "-C", str(build), "fuser-fuzz-corpus")
    program = build / "bin/fuser-fuzz-corpus"
    raw, profile = build / "reading.profraw", build / "reading.profdata"
    print(run(str(program), "replay", *map(str, paths), env={**os.environ, "LLVM_PROFILE_FILE": str(raw)}), end="")
    run(str(tools / "llvm-profdata"), "merge", "-o", str(profile), str(raw))

    def export(form: str) -> str:
        return run(str(tools / "llvm-cov"), "export", f"-format={form}", f"-instr-profile={profile}", str(program))

    counts = line_counts(export("lcov"))
    files = {str(ROOT / name): name for file in counts if (name := os.path.relpath(file, ROOT)).startswith(FILES)}
    lines = reading_lines(json.loads(export("text"))["data"][0]["functions"], files)

    total = reached = 0
    for file, name in sorted(files.items(), key=lambda item: item[1]):
        source = pathlib.Path(file).read_text().splitlines()
        counted = {
            number: count
            for number, count in counts[file].items()
            if number in lines[file] and not UNCOUNTED.search(source[number - 1].strip())
        }
        if not counted:
            continue
        missed = [number for number, count in sorted(counted.items()) if not count]
        total += len(counted)
        reached += len(counted) - len(missed)
        print(f"{name}: {len(counted) - len(missed)} of {len(counted)} lines")
        if options.show:
            for number in missed:
                print(f"  {number}: {source[number - 1]}")
    percentage = 100 * reached / total if total else 0
    print(f"parsers and verifiers: {reached} of {total} lines, {percentage:.1f} %")
    return 0 if percentage >= options.floor else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
