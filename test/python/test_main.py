"""`python -m fuser`."""

import os
import subprocess
import sys

import fuser


def run(*options, **environment):
    path = os.path.dirname(os.path.dirname(fuser.__file__))
    return subprocess.run(
        [sys.executable, "-m", "fuser", *options],
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


def test_prunes_the_cache(tmp_path):
    blob = tmp_path / "ab" / ("0" * 30)
    blob.parent.mkdir()
    blob.write_bytes(b"x" * 3000)
    result = run("--prune-cache=3K", FUSER_CACHE_DIRECTORY=str(tmp_path))
    assert (result.returncode, result.stdout) == (0, f"removed 0 bytes from {tmp_path}\n")
    result = run("--prune-cache=2999", FUSER_CACHE_DIRECTORY=str(tmp_path))
    assert (result.returncode, result.stdout) == (0, f"removed 3000 bytes from {tmp_path}\n")
    result = run("--prune-cache=2X", FUSER_CACHE_DIRECTORY=str(tmp_path))
    assert result.returncode == 2
    assert "expected a size such as 500M or 2G, but got '2X'" in result.stderr
    result = run("--prune-cache=1", FUSER_CACHE_DIRECTORY="")
    assert result.returncode == 1
    assert "FUSER_CACHE_DIRECTORY is not set" in result.stderr
