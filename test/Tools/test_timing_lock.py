"""fuser-run --timing-lock waits before it uses the device, and ends on Ctrl-C while it waits."""

import fcntl
import pathlib
import signal
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).parents[2]
RUN = ROOT / "build" / "bin" / "fuser-run"

pytestmark = pytest.mark.skipif(not RUN.exists(), reason="no build tree with the tools")


@pytest.fixture
def waiting(tmp_path):
    """A lock that is held, and a process that waits for it and has printed its arguments to a file."""
    path, output = tmp_path / "lock", tmp_path / "output"
    program = ROOT / "examples" / "softmax.mlir"
    command = [RUN, program, "--device=host", "--sizes=5x7", f"--timing-lock={path}"]
    with path.open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        with output.open("wb") as file, subprocess.Popen(command, stdout=file) as process:
            yield lock, process, output
            process.kill()


def is_asleep(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return fields[0] == "S"


def wait_until_asleep(process):
    """Until the process has slept for a while: it computes while it prepares its inputs."""
    asleep = 0
    for _ in range(1000):
        asleep = asleep + 1 if is_asleep(process) else 0
        if asleep == 10:
            return
        time.sleep(0.02)
    raise AssertionError("expected a process that waits")


def test_waits_for_the_lock_and_releases_it(waiting):
    lock, process, output = waiting
    wait_until_asleep(process)
    assert process.poll() is None
    assert b"device" not in output.read_bytes()
    fcntl.lockf(lock, fcntl.LOCK_UN)
    assert process.wait(timeout=30) == 0
    assert b"outputs" in output.read_bytes()
    fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_an_interrupt_ends_the_wait(waiting):
    _, process, _ = waiting
    wait_until_asleep(process)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == -signal.SIGINT
    assert time.monotonic() - start < 1


def test_the_device_is_printed_when_the_wait_ends(tmp_path):
    output = tmp_path / "output"
    # What is printed after that stays in a buffer until the end.
    command = [RUN, ROOT / "examples" / "softmax.mlir", "--device=host", "--sizes=4096x8192"]
    with (
        output.open("wb") as file,
        subprocess.Popen([*command, f"--timing-lock={tmp_path}/lock"], stdout=file) as process,
    ):
        while b"device" not in (text := output.read_bytes()) and process.poll() is None:
            time.sleep(0.01)
        process.kill()
    assert b"device" in text
    assert b"kernels" not in text
