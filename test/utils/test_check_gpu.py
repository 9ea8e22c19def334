"""What utils/check_gpu.py makes of a fuser-run that passes, fails, crashes, hangs, or meets a sanitizer."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent.parent

# Stands for `fuser-run --batch FILE`: what a line does is its first word.
FAKE = f"""#!{sys.executable}
import os, signal, sys, time
print("========= COMPUTE-SANITIZER", flush=True)
for line in open(sys.argv[2]).read().splitlines():
    what = line.split()[0].rpartition("/")[2]
    if what == "crash":
        print("a stack", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "hang":
        time.sleep(60)
    if what == "race":
        print("========= Error: Race reported", flush=True)
    good = what != "wrong" and "2>" not in line
    print("ok" if good else "FAIL", line, flush=True)
    if what == "wrong":
        print("  check: output 0: WRONG", flush=True)
print("========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)", flush=True)
sys.exit(0)
"""


@pytest.fixture
def check(tmp_path):
    fake = tmp_path / "fuser-run"
    fake.write_text(FAKE)
    fake.chmod(0o755)
    tests = tmp_path / "test"
    tests.mkdir()

    def run(suite: list[str], *options: str) -> tuple[int, list[str]]:
        (tests / "a.mlir").write_text("".join(f"// RUN: fuser-run {line}\n" for line in suite))
        command = [
            sys.executable,
            ROOT / "utils/check_gpu.py",
            f"--test={tests}",
            "--limit=2",
            "--jobs=2",
            *options,
            fake,
        ]
        result = subprocess.run(command, capture_output=True, text=True)
        return result.returncode, result.stdout.splitlines()

    return run


def test_lines_of_the_suite_run_on_the_gpu(check):
    """Only checks of the host device count, without what lit does with their output."""
    suite = [
        "wrong %s --device=host --check | FileCheck %s",
        "good --device=host --check 2>&1 | FileCheck %s --check-prefix=A",
        "wrong --device=host",
        "wrong --device=reference --check",
        "wrong --device=host --check --save-output=%t",
    ]
    status, lines = check(suite)
    assert status == 1
    assert lines[0].startswith("FAIL fuser-run wrong ")
    assert lines[0].endswith("a.mlir --device=cuda --check")
    assert lines[1:] == ["  check: output 0: WRONG", "1 passed, 1 failed"]


def test_folders_of_programs_are_replaced(check):
    status, lines = check([f"wrong %{folder}/a.mlir --device=host --check" for folder in ("examples", "benchmarks")])
    assert status == 1
    assert "FAIL fuser-run wrong examples/a.mlir --device=cuda --check" in lines
    assert "FAIL fuser-run wrong benchmarks/a.mlir --device=cuda --check" in lines


def test_a_crash_and_a_hang_fail_one_line_each(check):
    suite = [f"{what} {n} --device=host --check" for n, what in enumerate(["good", "crash", "good", "hang", "good"])]
    status, lines = check(suite)
    assert status == 1
    assert "FAIL fuser-run crash 1 --device=cuda --check" in lines
    assert "  fuser-run: ended with -11" in lines
    assert "FAIL fuser-run hang 3 --device=cuda --check" in lines
    assert "  fuser-run: ended with -9" in lines
    assert lines[-1] == "3 passed, 2 failed"


def test_what_a_sanitizer_finds_fails_the_line_that_it_stands_before(check):
    status, lines = check([f"{what} --device=host --check" for what in ("good", "race", "good")])
    assert status == 1
    assert lines == [
        "FAIL fuser-run race --device=cuda --check",
        "  ========= Error: Race reported",
        "2 passed, 1 failed",
    ]


def test_every_op_alone(check, tmp_path):
    ops, outcomes = tmp_path / "ops.list", tmp_path / "outcomes"
    ops.write_text("good add_f32.mlir\nwrong add_f16.mlir\ncrash add_i8.mlir\n")
    status, lines = check([], f"--ops={ops}", f"--outcomes={outcomes}")
    assert status == 1
    assert lines[-1] == "1 passed, 2 failed"
    assert outcomes.read_text().splitlines() == [
        "FAIL fuser-run crash add_i8.mlir",
        "FAIL fuser-run wrong add_f16.mlir",
        "ok fuser-run good add_f32.mlir",
    ]


def test_all_good(check):
    assert check(["good --device=host --check"]) == (0, ["1 passed, 0 failed"])
