"""The example and the benchmark run at tiny sizes."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Of utils/sanitize.sh: another library than that of build/, and a sanitizer with its options.
KEPT = ("FUSER_LIBRARY", "LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")


def run(script, *arguments):
    environment = {"PYTHONPATH": str(ROOT / "python"), "PATH": "/usr/bin:/bin", "HOME": "/tmp", "OMP_NUM_THREADS": "1"}
    environment |= {name: value for name, value in os.environ.items() if name in KEPT}
    command = [sys.executable, ROOT / script, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=400)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_a_transformer_trains_as_in_eager_mode():
    sizes = {"steps": 4, "width": 16, "layers": 1, "length": 16, "batch": 2, "heads": 2}
    output = run("examples/torch/train_transformer.py", *(f"--{name}={value}" for name, value in sizes.items()))
    assert "fuser: losses differ from eager's by up to" in output
    assert "eager_calls=0" in output


def test_the_benchmark_checks_its_families():
    output = run("benchmarks/torch_families.py", "--device=cpu", "--scale=256", "--repeats=1",
                 "--families=rms_norm,adam", "--dtypes=float32")  # fmt: skip
    assert len([line for line in output.splitlines() if " fuser " in line]) == 2
    assert "WRONG" not in output


def test_the_benchmark_checks_its_functions():
    output = run("benchmarks/torch_functions.py", "--device=cpu", "--scale=256", "--repeats=1",
                 "--match=^GEGLU|gradient, 64x64x112|^one-hot", "--jobs=2")  # fmt: skip
    assert "WRONG" not in output
    assert "FAILED" not in output


def test_the_benchmark_trains_its_models():
    output = run("benchmarks/torch_models.py", "--device=cpu", "--small", "--repeats=1", "--steps=1",
                 "--match=graph|policy|^ViT|channels last|16 experts", "--jobs=2")  # fmt: skip
    assert "WRONG" not in output
    assert "FAILED" not in output
    assert output.count("of eager mode") == 5
