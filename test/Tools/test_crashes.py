"""A tool that crashes ends, even if printing its stack trace never does: a crash may hold the lock of the allocator."""

import pathlib
import platform
import re
import signal
import subprocess
import time

import pytest

BIN = pathlib.Path(__file__).parents[2] / "build" / "bin"
TOOLS = {
    "fuser-count-kernel": [],
    "fuser-explain": ["-"],
    "fuser-opt": ["-"],
    "fuser-run": ["-"],
    "fuser-translate": ["-", "--fuser-to-artifact-text"],
    "fuser-tune": ["-"],
}
# The number of the system's function.
READ = {"x86_64": "0", "aarch64": "63"}[platform.machine()]

pytestmark = pytest.mark.skipif(not (BIN / "fuser-run").exists(), reason="no build tree with the tools")


def wait_until_reading(process):
    """Until the tool waits for its standard input, with all handlers of signals installed."""
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        call = pathlib.Path(f"/proc/{process.pid}/syscall").read_text().split()
        if call[:2] == [READ, "0x0"]:
            return
        time.sleep(0.01)
    pytest.fail(f"{process.args[0]} does not read its standard input")


def crash(tmp_path, symbolizer):
    """How the tools end after a crash, with what they print."""
    program = tmp_path / "symbolizer"
    program.write_text(f"#!/bin/sh\n{symbolizer}\n")
    program.chmod(0o755)
    processes = {
        tool: subprocess.Popen(
            [BIN / tool, *arguments],
            env={"LLVM_SYMBOLIZER_PATH": str(program), "PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=(tmp_path / tool).open("w"),
        )
        for tool, arguments in TOOLS.items()
    }
    try:
        for process in processes.values():
            wait_until_reading(process)
            process.send_signal(signal.SIGSEGV)
        codes = {tool: process.wait(60) for tool, process in processes.items()}
    finally:
        for process in processes.values():
            process.kill()
    return codes, {tool: (tmp_path / tool).read_text() for tool in TOOLS}


def test_stack_traces_are_printed(tmp_path):
    codes, errors = crash(tmp_path, "exit 1")
    assert codes == dict.fromkeys(TOOLS, -signal.SIGSEGV)
    for tool, text in errors.items():
        assert re.search(rf"^\s*#?\d+ .*{tool}", text, re.MULTILINE), text


def test_crashes_that_hang_end(tmp_path):
    codes, _ = crash(tmp_path, "sleep 300")
    assert codes == dict.fromkeys(TOOLS, -signal.SIGALRM)
