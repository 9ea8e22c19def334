"""Adds up the results of utils/check.sh and prints one line: "N passed, N failed".

A suite is named as REPORT:STATUS, a JUnit file and the exit status of the tool that wrote it. A report that is
missing, unreadable or empty, and a tool that failed without a failed test in its report, count as one failure each.
Exits with 1 when anything failed.
"""

import argparse
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def outcome(case: ElementTree.Element) -> str:
    """'passed', 'failed' or 'skipped' for one <testcase> of lit, ctest or pytest."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    skipped = case.find("skipped")
    if skipped is None:
        return "failed" if case.get("status") == "fail" else "passed"
    # ctest also reports a test whose program is missing as skipped.
    if case.get("status") == "notrun" and "SKIP_" not in skipped.get("message", ""):
        return "failed"
    return "skipped"


def count_report(path: pathlib.Path, status: int) -> tuple[int, int]:
    """Returns (passed, failed) of one suite."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        print(f"{path}: no readable report: {error}")
        return 0, 1
    outcomes = [outcome(case) for case in root.iter("testcase")]
    passed, failed = outcomes.count("passed"), outcomes.count("failed")
    if not outcomes:
        print(f"{path}: expected at least one test, but got none")
        return 0, 1
    if status != 0 and failed == 0:
        print(f"{path}: the tool exited with {status}, but its report has no failed test")
        failed = 1
    return passed, failed


def count_checks(path: pathlib.Path) -> tuple[int, int]:
    """Returns (passed, failed) of the script checks, one "passed NAME" or "failed NAME" per line."""
    words = [line.split(" ", 1)[0] for line in path.read_text().splitlines()]
    return words.count("passed"), len(words) - words.count("passed")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checks", type=pathlib.Path, help="file with one line per script check")
    parser.add_argument("suites", nargs="*", metavar="REPORT:STATUS")
    options = parser.parse_args(arguments)
    counts = [count_checks(options.checks)] if options.checks else []
    for suite in options.suites:
        report, status = suite.rsplit(":", 1)
        counts.append(count_report(pathlib.Path(report), int(status)))
    passed, failed = (sum(column) for column in zip(*counts, strict=True))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
