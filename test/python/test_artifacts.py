"""Artifact files, the cache of artifacts, and programs that compile nothing."""

import os
import pathlib
import pickle
import subprocess
import sys
import time

import fuser
import numpy as np
import pytest
from fuser import ArgumentError, ArtifactError, DataType, DeviceError, FusionDefinition, NotCompiledError, ProgramError

SCALE = """
fuser.fusion @scale(%x: tensor<?x?xf32>, %a: f32) -> tensor<?x?xf32> {
  %0 = fuser.mul %x, %a : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
"""
IN_PLACE = """
fuser.fusion @add_to(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.add %x, %y : tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}
"""
X, ODD = np.arange(64, dtype=np.float32).reshape(4, 16), np.arange(21, dtype=np.float32).reshape(3, 7)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "scale.artifact"
    fuser.compile(SCALE, device="host").save_artifact(path, X, 2.0)
    return path


def test_artifact_runs_without_its_text(saved):
    program = fuser.load_artifact(saved)
    assert program.device == "host"
    np.testing.assert_array_equal(program(X, 2.5), X * 2.5)
    np.testing.assert_array_equal(program(a=-1, x=X[:2]), -X[:2])
    assert not program.would_compile(ODD, 1.0)
    out = np.zeros_like(X)
    assert program(X, 3.0, out=out) is out
    np.testing.assert_array_equal(out, X * 3)
    again = pickle.loads(pickle.dumps(program))
    np.testing.assert_array_equal(again(X, 2.5), X * 2.5)


def test_calls_that_do_not_fit(saved, tmp_path):
    program = fuser.load_artifact(saved)
    with pytest.raises(NotCompiledError, match=r"there are none: expected x.size\[1\] mod 4 == 0"):
        program(ODD, 2.0)
    with pytest.raises(ArgumentError, match="expected 2 arguments, but got 1"):
        program(X)
    with pytest.raises(ArgumentError):
        program(X.astype(np.float64), 2.0)
    np.testing.assert_array_equal(program(X, 2.0), X * 2)
    # Another specialization makes it fit.
    odd = tmp_path / "odd.artifact"
    fuser.compile(SCALE, device="host").save_artifact(odd, ODD, 1.0)
    both = fuser.load_artifact(saved, odd)
    for values in (X, ODD, X):
        np.testing.assert_array_equal(both(values, 2.0), values * 2)


def test_argument_that_a_result_is_stored_in(tmp_path):
    fuser.compile(IN_PLACE, device="host").save_artifact(tmp_path / "a", np.ones((2, 8), np.float32), X[:2, :8].copy())
    program = fuser.load_artifact(tmp_path / "a")
    x, y = np.ones((3, 8), np.float32), np.full((3, 8), 2, np.float32)
    program(x, y)
    np.testing.assert_array_equal(x, np.full((3, 8), 3))
    x.flags.writeable = False
    with pytest.raises(fuser.BufferError):
        program(x, y)


def test_files_that_are_no_artifacts(saved, tmp_path):
    with pytest.raises(ArtifactError, match=r"nowhere.*No such file"):
        fuser.load_artifact(tmp_path / "nowhere")
    whole = saved.read_bytes()
    for damaged in (b"", b"text", whole[:-1], whole[:100], whole[:200] + b"x" + whole[201:]):
        path = tmp_path / "damaged"
        path.write_bytes(damaged)
        with pytest.raises(ArtifactError, match="damaged': expected"):
            fuser.load_artifact(path)
    with pytest.raises(ArtifactError, match="expected to create a file"):
        fuser.compile(SCALE, device="host").save_artifact(tmp_path / "no" / "folder", X, 1.0)
    with pytest.raises(ArgumentError):
        fuser.load_artifact()
    with pytest.raises(ArgumentError, match="expected the path of an artifact file, but got NoneType"):
        fuser.load_artifact(None)
    fuser.compile(IN_PLACE, device="host").save_artifact(tmp_path / "b", X[:, :8].copy(), X[:, :8].copy())
    with pytest.raises(ProgramError, match="expected an artifact with the 2 arguments"):
        fuser.load_artifact(saved, tmp_path / "b")
    with pytest.raises(ArtifactError, match="at most 268435456 bytes of a pipe or a device"):
        fuser.load_artifact("/dev/zero")


def test_device_of_another_kind(saved):
    with pytest.raises(DeviceError):
        fuser.load_artifact(saved, device="cuda")


def test_strict_programs_compile_nothing(tmp_path):
    strict = fuser.compile(SCALE, device="host", cache_directory=tmp_path, strict=True)
    with pytest.raises(NotCompiledError):
        strict(X, 1.0)
    assert not strict.would_compile(X, 1.0)
    fuser.compile(SCALE, device="host", cache_directory=tmp_path)(X, 1.0)
    np.testing.assert_array_equal(strict(X, 2.0), X * 2)
    with pytest.raises(NotCompiledError):
        strict(ODD, 1.0)


def test_forced_schedulers_have_entries_of_their_own(tmp_path):
    fuser.compile(SCALE, device="host", cache_directory=tmp_path)(X, 1.0)
    forced = fuser.compile(SCALE, device="host", cache_directory=tmp_path, scheduler="pointwise")
    assert forced.would_compile(X, 1.0)
    forced(X, 1.0)
    assert not fuser.compile(SCALE, device="host", cache_directory=tmp_path, scheduler="pointwise").would_compile(
        X, 1.0
    )


def test_damaged_entries_are_compiled_again(tmp_path):
    fuser.compile(SCALE, device="host", cache_directory=tmp_path)(X, 1.0)
    (entry,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    whole = entry.read_bytes()
    for damaged in (b"", whole[:50], whole[:-1], whole[:80] + b"?" + whole[81:]):
        entry.write_bytes(damaged)
        program = fuser.compile(SCALE, device="host", cache_directory=tmp_path)
        assert program.would_compile(X, 1.0)
        np.testing.assert_array_equal(program(X, 2.0), X * 2)
        assert entry.read_bytes() == whole


def test_definitions_are_cached(tmp_path, monkeypatch):
    monkeypatch.setenv("FUSER_CACHE_DIRECTORY", str(tmp_path))

    def define():
        fuser.fusion_cache().reset()
        with FusionDefinition() as fd:
            x = fd.define_tensor([-1, -1], contiguity=True, dtype=DataType.Float)
            fd.add_output(fd.ops.sum(fd.ops.exp(x), [1]))
        return fd

    assert define().would_compile([X])
    (first,) = define().execute([X])
    monkeypatch.setenv("FUSER_STRICT", "1")
    definition = define()
    assert not definition.would_compile([X])
    np.testing.assert_array_equal(definition.execute([X])[0], first)
    with pytest.raises(NotCompiledError):
        definition.execute([np.ones((3, 5), np.float32)])
    monkeypatch.setenv("FUSER_CACHE_DIRECTORY", "")
    with pytest.raises(NotCompiledError):
        define().execute([X])
    fuser.fusion_cache().reset()


PROCESS = """
import sys, fuser, numpy as np
x = np.arange(64, dtype=np.float32).reshape(4, 16)
program = fuser.compile(sys.argv[1], device="host")
print(program.would_compile(x, 1.0))
assert (program(x, 2.0) == x * 2).all()
"""


def test_processes_find_each_others_artifacts(tmp_path):
    package = str(pathlib.Path(fuser.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": package, "FUSER_CACHE_DIRECTORY": str(tmp_path / "cache")}
    answers = []
    for _ in range(2):
        command = [sys.executable, "-c", PROCESS, SCALE]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        answers.append(result.stdout.strip())
    assert answers == ["True", "False"]


def test_pruning_removes_what_was_not_used_for_longest(tmp_path):
    def make():
        return fuser.compile(SCALE, device="host", cache_directory=tmp_path)

    program = make()
    for width in (8, 7, 6):
        program(np.ones((3, width), np.float32), 2.0)
    other = tmp_path / "notes.txt"
    other.write_text("not of the cache")
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file() and path != other)
    assert len(files) >= 2
    half_written = files[0].with_name(files[0].name + ".a1B2c3")
    half_written.write_bytes(b"1")
    # The second one was used last.
    now = time.time()
    for path in files:
        os.utime(path, (now - 5000, now - 5000))
    os.utime(files[1], (now - 100, now - 5000))
    assert fuser.prune_cache(1 << 40, tmp_path) == 0
    removed = fuser.prune_cache(files[1].stat().st_size, tmp_path)
    assert removed > 0
    assert [path for path in files if path.exists()] == [files[1]]
    assert other.exists()
    assert half_written.exists()
    os.utime(half_written, (now - 5000, now - 5000))
    assert fuser.prune_cache(1 << 40, tmp_path) == 1  # left over
    assert fuser.prune_cache(0, str(tmp_path)) > 0
    assert make().would_compile(np.ones((3, 8), np.float32), 2.0)
    assert fuser.prune_cache(0, tmp_path / "nowhere") == 0
    with pytest.raises(fuser.ArgumentError, match="max_bytes: expected an integer of at least 0, but got -1"):
        fuser.prune_cache(-1, tmp_path)
