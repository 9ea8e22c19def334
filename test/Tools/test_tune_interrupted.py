"""Ctrl-C ends fuser-tune within a second: it writes what is known by then, or nothing."""

import pathlib
import signal
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).parents[2]
TUNE = ROOT / "build" / "bin" / "fuser-tune"
# 128 and the number of SIGINT.
INTERRUPTED = 130

pytestmark = pytest.mark.skipif(not TUNE.exists(), reason="no build tree with the tools")


def interrupt(output, sizes, until, kernels=1):
    """Interrupts a run after `until`; returns the exit code, what it printed and the seconds that it took to end."""
    program = output.with_name("program.mlir")
    body = "".join(
        f"  %{i + 1} = fuser.exp %{i} : tensor<?x?xf32>\n" if i else "  %1 = fuser.exp %x : tensor<?x?xf32>\n"
        for i in range(kernels)
    )
    program.write_text(
        f"fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {{\n{body}"
        f"  fuser.return %{kernels} : tensor<?x?xf32>\n}}\n"
    )
    command = [TUNE, program, "--device=host", f"--sizes={sizes}", "--top=1024", "-o", output]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        until(process)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        printed = process.communicate(timeout=30)[0]
        return process.returncode, printed, time.monotonic() - start


def test_writes_what_is_known(tmp_path):
    output = tmp_path / "schedules.mlir"

    def until_target(process):
        for line in process.stdout:
            if line.startswith("target"):
                return

    code, printed, seconds = interrupt(output, "64x64", until_target, kernels=8)
    if code == 0:
        pytest.skip("the machine was done before the signal")
    assert code == INTERRUPTED, printed
    assert seconds < 5
    assert "schedule = #fuser_sched.pointwise" in output.read_text()
    assert not [path for path in tmp_path.iterdir() if path.name not in ("schedules.mlir", "program.mlir")]


def test_ends_while_a_kernel_runs(tmp_path):
    output = tmp_path / "schedules.mlir"
    # The host device takes about a second for one call, which nothing interrupts.
    code, printed, seconds = interrupt(output, "8192x8192", lambda _: time.sleep(3))
    assert code == INTERRUPTED, printed
    assert seconds < 5
    assert not [path for path in tmp_path.iterdir() if path.name not in ("schedules.mlir", "program.mlir")]
