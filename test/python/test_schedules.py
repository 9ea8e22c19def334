"""fuser.compile(schedules=...): parameters of kernels from a file of fuser-tune."""

import os
import pathlib
import subprocess

import fuser
import numpy as np
import pytest

TEXT = """
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
"""
X = np.linspace(-1, 1, 8 * 64, dtype=np.float32).reshape(8, 64)
TUNE = pathlib.Path(__file__).parents[2] / "build" / "bin" / "fuser-tune"

pytestmark = pytest.mark.skipif(not TUNE.exists(), reason="no build tree with the tools")


@pytest.fixture
def schedules(tmp_path):
    """The path of a file with other parameters than the compiler's."""
    (tmp_path / "f.mlir").write_text(TEXT)
    path = tmp_path / "schedules.mlir"
    subprocess.run([TUNE, "f.mlir", "--device=host", "--sizes=8x64", "-o", path], cwd=tmp_path, check=True)
    text = path.read_text()
    assert "#fuser_sched.pointwise<vector = 4>" in text
    path.write_text(text.replace("pointwise<vector = 4>", "pointwise<threads = 32, vector = 2>"))
    return path


def get_launch(program, folder):
    """The launch of the program's kernel, as text."""
    program.save_artifact(folder / "f.artifact", X)
    command = [TUNE.with_name("fuser-translate"), "--fuser-artifact-to-text", folder / "f.artifact"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return next(line for line in text.splitlines() if "launch f_0" in line)


def test_are_those_of_the_kernels(schedules, tmp_path):
    assert "block [128, 1, 1]" in get_launch(fuser.compile(TEXT, device="host"), tmp_path)
    for given in (schedules, schedules.read_text()):
        program = fuser.compile(TEXT, device="host", schedules=given)
        assert "block [32, 1, 1]" in get_launch(program, tmp_path)
        np.testing.assert_array_equal(np.asarray(program(X)), np.asarray(fuser.compile(TEXT, device="host")(X)))
        assert "schedules='...'" in repr(program)


def test_have_entries_of_their_own_in_a_cache(schedules, tmp_path):
    def compile(given):
        return fuser.compile(TEXT, device="host", cache_directory=os.fspath(tmp_path / "cache"), schedules=given)

    compile(None)(X)
    assert not compile(None).would_compile(X)
    assert compile(schedules).would_compile(X)
    compile(schedules)(X)
    assert not compile(schedules).would_compile(X)


def test_wrong_ones_are_errors_of_the_compilation(schedules):
    text = schedules.read_text().replace("vector = 2", "vector = 3")
    with pytest.raises(fuser.CompilationError, match="expected 'vector' to be a power of two, but got 3"):
        fuser.compile(TEXT, device="host", schedules=text)(X)
    with pytest.raises(FileNotFoundError):
        fuser.compile(TEXT, device="host", schedules=pathlib.Path("missing.mlir"))
