"""Programs from named pipes, which are opened once: to open one again may be to wait for a second writer."""

import ctypes
import os
import pathlib
import struct
import subprocess
import threading

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BIN = ROOT / "build" / "bin"
PROGRAM = (ROOT / "examples" / "rms_norm.mlir").read_bytes()
# Events of inotify: a file is opened, and one that was read is closed.
OPEN, CLOSE = 0x20, 0x10

pytestmark = pytest.mark.skipif(not (BIN / "fuser-run").exists(), reason="no build tree with the tools")


@pytest.mark.parametrize("command", [["fuser-run", "--device=host", "--check"], ["fuser-explain"]])
def test_a_named_pipe_is_opened_once(tmp_path, command):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    libc = ctypes.CDLL(None)
    watch = libc.inotify_init()
    assert libc.inotify_add_watch(watch, os.fsencode(pipe), OPEN | CLOSE) >= 0
    writer = threading.Thread(target=pipe.write_bytes, args=[PROGRAM], daemon=True)
    writer.start()
    name, *options = command
    done = subprocess.run([BIN / name, pipe, *options], capture_output=True, text=True, timeout=60)
    writer.join(timeout=60)
    # Events in a row that are the same count once, so that the writer and the reader open it together.
    events = [mask for _, mask, _, _ in struct.iter_unpack("iIII", os.read(watch, 4096))]
    os.close(watch)
    assert events == [OPEN, CLOSE]
    assert done.returncode == 0, done.stderr
    assert "rms_norm" in done.stdout
