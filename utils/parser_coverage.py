#!/usr/bin/env python3
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
import sys

from coverage import BUILD, ROOT, Profile, build, count_lines, line_counts, report, run

FILES = ("lib/Dialect/IR/", "lib/Dialect/Kernel/", "lib/Scheduling/ScheduleDialect.cpp")
# Names of functions that count even where nothing enters them.
READING = re.compile(r"parse|print|verif|readProperties|writeProperties|readVersion", re.IGNORECASE)


def reading_lines(functions: list[dict]) -> dict[str, set[int]]:
    """Lines of the functions that count, by file."""
    lines: dict[str, set[int]] = collections.defaultdict(set)
    for function in functions:
        file = os.path.relpath(function["filenames"][0], ROOT)
        if not file.startswith(FILES) or not (function["count"] or READING.search(function["name"])):
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

    build(["Dialect/IR", "Dialect/Kernel", "Scheduling"], ["fuser-fuzz-corpus"])
    program = BUILD / "bin/fuser-fuzz-corpus"
    profile = Profile("reading", [program])
    print(run(str(program), "replay", *map(str, paths), env=profile.environment()), end="")
    counts = line_counts(profile.export("lcov"))
    lines = reading_lines(json.loads(profile.export("text"))["data"][0]["functions"])
    files = {
        file: count_lines(file, {number: count for number, count in counts[file].items() if number in reading})
        for file, reading in lines.items()
    }
    return 0 if report("parsers and verifiers", files, options.show) >= options.floor else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
