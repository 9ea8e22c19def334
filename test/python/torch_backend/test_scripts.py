"""The example and the benchmark run at tiny sizes."""

import os
import pathlib
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
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


@pytest.mark.parametrize("layout", ["transposed", "reversed", "channels_last", "sliced", "padded", "stepped"])
def test_the_benchmark_changes_layouts(layout):
    """Functions that eager mode does not take in a layout are skipped."""
    match = "^GEGLU of a packed|PReLU with gradient|^one-hot|^RMS norm of heads"
    output = run("benchmarks/torch_functions.py", "--device=cpu", "--scale=256", "--repeats=1", "--sizes=odd",
                 f"--layouts={layout}", f"--match={match}")  # fmt: skip
    assert "WRONG" not in output
    assert "FAILED" not in output


def test_layouts_are_of_the_same_elements(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from torch_layouts import with_layout

    image, row = torch.randn(2, 3, 4, 5).bfloat16().requires_grad_(True), torch.arange(7)
    flag = torch.ones(3, 3, dtype=torch.bool)
    expected = {
        "listed": ((60, 20, 5, 1), (1,), (3, 1), 0),
        "transposed": ((60, 20, 1, 4), (1,), (1, 3), 0),
        "reversed": ((1, 2, 6, 24), (1,), (1, 3), 0),
        "channels_last": ((60, 1, 15, 3), (1,), (3, 1), 0),
        "sliced": ((96, 32, 8, 1), (1,), (6, 1), 1),
        "padded": ((384, 128, 32, 1), (1,), (32, 1), 0),
        "stepped": ((120, 40, 10, 2), (2,), (6, 2), 0),
    }
    for layout, (*strides, offset) in expected.items():
        made = with_layout((image, row, image, flag), layout)
        assert made[0] is made[2]
        assert made[0].is_leaf
        assert [tensor.requires_grad for tensor in made] == [True, False, True, False]
        for tensor, stride, given in zip((made[0], made[1], made[3]), strides, (image, row, flag), strict=True):
            assert torch.equal(tensor, given)
            assert (tensor.stride(), tensor.storage_offset()) == (stride, offset), layout


def test_the_benchmark_trains_its_models():
    output = run("benchmarks/torch_models.py", "--device=cpu", "--small", "--repeats=1", "--steps=1",
                 "--match=graph|policy|^ViT|channels last|16 experts", "--jobs=2")  # fmt: skip
    assert "WRONG" not in output
    assert "FAILED" not in output
    assert output.count("of eager mode") == 5
