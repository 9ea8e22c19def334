"""utils/count_results.py: what counts as passed and as failed in the reports of lit, ctest and pytest."""

import pathlib
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "utils" / "count_results.py"
PASSED = '<testcase name="a"/>'
FAILED = '<testcase name="a"><failure message="x"/></testcase>'
ERROR = '<testcase name="a"><error message="x"/></testcase>'
SKIPPED = '<testcase name="a"><skipped message="x"/></testcase>'
CTEST_FAILED = '<testcase name="a" status="fail"/>'
CTEST_NOT_BUILT = '<testcase name="a" status="notrun"><skipped message="Unable to find executable"/></testcase>'
CTEST_SKIPPED = '<testcase name="a" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>'


@pytest.fixture
def count(tmp_path):
    def run(cases: str | None, status: int = 0, checks: str = "") -> tuple[str, int]:
        report = tmp_path / "report.xml"
        if cases is not None:
            report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
        (tmp_path / "checks.txt").write_text(checks)
        command = [sys.executable, SCRIPT, "--checks", tmp_path / "checks.txt", f"{report}:{status}"]
        result = subprocess.run(command, capture_output=True, text=True)
        return result.stdout.splitlines()[-1], result.returncode

    return run


@pytest.mark.parametrize(
    ("cases", "status", "line"),
    [
        (PASSED * 3, 0, "3 passed, 0 failed"),
        (PASSED + FAILED + ERROR, 1, "1 passed, 2 failed"),
        (PASSED + SKIPPED, 0, "1 passed, 0 failed"),
        (PASSED + CTEST_FAILED, 8, "1 passed, 1 failed"),
        (PASSED + CTEST_NOT_BUILT, 8, "1 passed, 1 failed"),
        (PASSED + CTEST_SKIPPED, 0, "1 passed, 0 failed"),
        (PASSED, 139, "1 passed, 1 failed"),  # the tool crashed after its report
        ("", 0, "0 passed, 1 failed"),  # no test at all
        ("<testcase", 0, "0 passed, 1 failed"),  # a damaged report
        (None, 0, "0 passed, 1 failed"),  # no report
    ],
)
def test_one_suite(count, cases, status, line):
    assert count(cases, status) == (line, 0 if line.endswith(" 0 failed") else 1)


def test_script_checks_are_added(count):
    assert count(PASSED, checks="passed layering\nfailed ruff check\n") == ("2 passed, 1 failed", 1)
