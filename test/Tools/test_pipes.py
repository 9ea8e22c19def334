"""Programs from named pipes, which can be read once."""

import os
import pathlib
import subprocess
import threading

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BIN = ROOT / "build" / "bin"
PROGRAM = (ROOT / "examples" / "rms_norm.mlir").read_bytes()

pytestmark = pytest.mark.skipif(not (BIN / "fuser-run").exists(), reason="no build tree with the tools")


@pytest.mark.parametrize("command", [["fuser-run", "--device=host", "--check"], ["fuser-explain"]])
def test_a_named_pipe_is_read_once(tmp_path, command):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[PROGRAM], daemon=True)
    writer.start()
    name, *options = command
    done = subprocess.run([BIN / name, pipe, *options], capture_output=True, text=True, timeout=60)
    writer.join(timeout=60)
    assert done.returncode == 0, done.stderr
    assert "rms_norm" in done.stdout
