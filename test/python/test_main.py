"""`python -m fuser`."""

import os
import subprocess
import sys

import fuser


def run(**environment):
    path = os.path.dirname(os.path.dirname(fuser.__file__))
    return subprocess.run(
        [sys.executable, "-m", "fuser"],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
    )


def test_what_is_installed():
    result = run()
    assert (result.returncode, result.stderr) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    assert lines["library"].partition(",")[0].endswith("libfuser_capi.so")
    assert "linux" in lines["host"]
    assert {"python", "package", "calls", "numpy", "torch", "cache"} <= lines.keys()
    assert "cuda" in lines or "cuda:0" in lines


def test_a_library_that_is_missing():
    result = run(FUSER_LIBRARY="/nowhere/libfuser_capi.so")
    assert result.returncode == 1
    assert "error:" in result.stderr
    assert "/nowhere/libfuser_capi.so" in result.stderr
