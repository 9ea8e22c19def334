"""Bilinear upsampling by whole numbers, without a gather."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_programs")

WHOLE = {
    "by_2": lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False),
    "by_3_and_4": lambda x: F.interpolate(x * 2, scale_factor=(3, 4), mode="bilinear").relu(),
    "to_size": lambda x: F.interpolate(x, size=(14, 9), mode="bilinear"),
    "of_a_module": torch.nn.Upsample(scale_factor=2, mode="bilinear"),
    "one_column": lambda x: F.interpolate(x[..., :1], scale_factor=2, mode="bilinear"),
}
OTHERS = {
    "align_corners": lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=True),
    "smaller": lambda x: F.interpolate(x, scale_factor=0.5, mode="bilinear"),
    "between": lambda x: F.interpolate(x, size=(10, 13), mode="bilinear"),
    "other_scale": lambda x: F.interpolate(x, scale_factor=2.1, mode="bilinear"),
    "nearest": lambda x: F.interpolate(x, scale_factor=2),
    "cubic": lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"),
    "line": lambda x: F.interpolate(x.flatten(2), scale_factor=2, mode="linear"),
}


def check(function, dtype, memory_format):
    x = torch.randn(2, 3, 7, 9, dtype=dtype).to(memory_format=memory_format)
    found, wanted = torch.compile(function, backend="fuser")(x), function(x.float())
    assert found.dtype == dtype
    assert function(x).stride() == found.stride()
    torch.testing.assert_close(
        found.float(), wanted, **({} if dtype == torch.float32 else {"rtol": 2e-2, "atol": 2e-2})
    )
    assert backend.report() == []


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_whole_factors(name, dtype, memory_format):
    check(WHOLE[name], dtype, memory_format)
    # Vectors of channels have one phase each: they gather.
    is_by_phases = memory_format == torch.contiguous_format or name == "one_column"
    assert is_by_phases == all("index_select" not in text for text in texts())


@pytest.mark.parametrize("name", OTHERS)
def test_others(name):
    check(OTHERS[name], torch.float32, torch.contiguous_format)


def test_gradients_are_those_of_pytorch():
    x = torch.randn(2, 3, 7, 9, requires_grad=True)
    results = []
    for function in (WHOLE["by_2"], torch.compile(WHOLE["by_2"], backend="fuser")):
        (gradient,) = torch.autograd.grad(function(x).square().sum(), x)
        results.append(gradient)
    torch.testing.assert_close(*results)


def test_infinite_neighbors_stay_apart():
    """The elements at the ends are not interpolated with a border."""
    x = torch.full((1, 1, 4, 4), float("inf"))
    x[..., 1:3, 1:3] = 1
    function = WHOLE["by_2"]
    found, wanted = torch.compile(function, backend="fuser")(x), function(x)
    torch.testing.assert_close(found.isnan() | found.isinf(), wanted.isnan() | wanted.isinf())


def test_gathers_share_their_table():
    x = torch.randn(2, 3, 7, 9, dtype=torch.bfloat16)
    function = OTHERS["align_corners"]
    found = torch.compile(function, backend="fuser")(x)
    torch.testing.assert_close(found.float(), function(x.float()), rtol=2e-2, atol=2e-2)
    (text,) = texts()
    assert text.count("fuser.index_select") == 4
    tables = [line.split("fuser.reshape ")[1] for line in text.splitlines() if "-> tensor<2x3x63x" in line]
    assert 0 < len(tables) == len(set(tables)) < 4
