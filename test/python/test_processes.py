"""Signals and forks while kernels are compiled."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import fuser
import numpy as np
import pytest


def name_op(i: int) -> str:
    """Without a period, so that no two of the kernels are equal and compiled once."""
    return "sin" if i * i % 1021 % 3 else "neg"


def long_program(ops: int) -> str:
    lines = [f"%{i + 1} = fuser.{name_op(i)} %{i} : tensor<?x64xf32>" for i in range(ops)]
    body = "\n  ".join(["%0 = fuser.neg %x : tensor<?x64xf32>", *lines])
    return (
        "fuser.fusion @long(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {\n"
        f"  {body}\n  fuser.return %{ops} : tensor<?x64xf32>\n}}"
    )


X = np.linspace(-3, 3, 128, dtype=np.float32).reshape(2, 64)


@pytest.fixture(autouse=True)
def _interrupts():
    """A shell's background jobs ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def interrupted_after(seconds: float):
    """Expects what runs in it to end with KeyboardInterrupt. No signal is sent after it has ended otherwise."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        timer.cancel()


@pytest.mark.parametrize("seconds", [0.05, 0.2, 0.4])
def test_interrupt_ends_a_compilation(seconds):
    """The 16,000 ops take most of a second. The program works as before afterwards."""
    program = fuser.compile(long_program(16000), device="host")
    begin = time.monotonic()
    with interrupted_after(seconds):
        program(X)
    assert time.monotonic() - begin < seconds + 1
    assert program.would_compile(X)


def test_interrupt_ends_a_phase():
    with interrupted_after(0.1):
        fuser._texts.transform(long_program(20000), "lowering")


def test_program_works_after_an_interrupt():
    program = fuser.compile(long_program(4000), device="host")
    with interrupted_after(0.05):
        program(X)
    expected = -X.astype(np.float64)
    for i in range(4000):
        expected = np.sin(expected) if name_op(i) == "sin" else -expected
    np.testing.assert_allclose(program(X), expected, rtol=1e-4, atol=1e-6)


def test_handlers_of_other_signals_run_while_compiling():
    """A handler that returns does not end the work."""
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        begin = time.monotonic()
        result = fuser.compile(long_program(1000), device="host")(X)
        end = time.monotonic()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert result.shape == X.shape
    assert begin < seen[0] < end


def test_progress_is_reported():
    """Every compilation takes longer than a millisecond."""
    reports = []
    program = fuser.compile(
        long_program(20), device="host", threads=2, progress=lambda *state: reports.append(state), progress_delay=0.001
    )
    program(X)
    steps = {step for step, _done, _total, _seconds in reports}
    assert steps & {"object", "load"}
    assert all(done <= total and seconds > 0 for _step, done, total, seconds in reports)
    count = len(reports)
    program(X)
    assert len(reports) == count


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_progress_that_raises_ends_nothing():
    def fail(*_state):
        raise ValueError("nobody sees this")

    program = fuser.compile(long_program(20), device="host", progress=fail, progress_delay=0.001)
    assert program(X).shape == X.shape


@pytest.mark.parametrize("threads", [0, -1, 2.5, True, "2"])
def test_wrong_numbers_of_threads_are_refused(threads):
    with pytest.raises(fuser.ArgumentError, match="threads: expected a positive number of threads, but got"):
        fuser.compile(long_program(1), device="host", threads=threads)


def test_progress_must_be_a_function():
    with pytest.raises(fuser.ArgumentError, match="progress: expected a function, but got int"):
        fuser.compile(long_program(1), device="host", progress=3)


def test_compiles_in_other_threads():
    results = []
    program = fuser.compile(long_program(20), device="host")
    threads = [threading.Thread(target=lambda: results.append(program(X))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all((result == results[0]).all() for result in results)


def in_child(function) -> str:
    """What `function` returns in a child of fork."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = function()
        except BaseException as error:
            text = f"{type(error).__name__} {getattr(error, 'kind', '')}: {error}"
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text


def test_child_uses_programs_of_its_parent():
    program = fuser.compile(long_program(3), device="host")
    expected = str(program(X).sum())
    assert in_child(lambda: str(program(X).sum())) == expected
    assert in_child(lambda: str(fuser.compile(long_program(3), device="host")(X).sum())) == expected


def test_child_of_a_fork_while_another_thread_compiles():
    script = textwrap.dedent("""
        import threading, time
        from test_processes import X, fuser, in_child, long_program
        idle, busy = (fuser.compile(long_program(ops), device="host") for ops in (2, 8000))
        idle(X)
        worker = threading.Thread(target=lambda: busy(X), daemon=True)
        worker.start()
        time.sleep(0.2)
        print(in_child(lambda: str(idle(X).shape)))
        print(in_child(lambda: str(fuser.compile(long_program(2), device="host")(X).shape)))
        print(in_child(lambda: fuser._texts.transform(long_program(2), "preseg")))
        print(idle(X).shape, flush=True)
        import os; os._exit(0)
    """)
    here = os.path.dirname(__file__)
    path = os.pathsep.join([here, os.path.join(os.path.dirname(os.path.dirname(here)), "python")])
    output = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    lines = output.stdout.splitlines()
    assert len(lines) == 4, output
    for line in lines[:3]:
        assert line.startswith("DeviceError ProcessForked: "), line
    assert lines[3] == "(2, 64)"
