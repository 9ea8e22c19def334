"""Functions that select elements at places that are known: rolls, flips, paddings and nearest upsampling."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from fuser.torch import _region  # noqa: E402
from fuser.torch._runs import Run, factor_of, runs_of  # noqa: E402


@pytest.fixture(autouse=True)
def _fresh():
    torch._dynamo.reset()
    backend.reset()
    torch.manual_seed(0)


@pytest.fixture
def texts(monkeypatch):
    """The programs of the regions, in order."""
    found, original = [], _region.Program
    monkeypatch.setattr(
        _region, "Program", lambda text, *rest, **options: found.append(text) or original(text, *rest, **options)
    )
    return found


def check(function, x, exact_gradient=True, kernels=True, strides=True, **options):
    """Results of a compiled function equal those of eager mode; gradients too, or nearly."""
    ours, theirs = (x.detach().requires_grad_() for _ in range(2))
    result, expected = torch.compile(function, backend="fuser", **options)(ours), function(theirs)
    assert torch.equal(result, expected)
    assert not strides or result.stride() == expected.stride()
    seed = torch.randn_like(expected)
    (gradient,), (wanted,) = (torch.autograd.grad(y, leaf, seed) for y, leaf in ((result, ours), (expected, theirs)))
    assert not strides or gradient.stride() == wanted.stride()
    if exact_gradient:
        assert torch.equal(gradient, wanted)
    else:
        torch.testing.assert_close(gradient, wanted)
    if kernels:
        assert backend.report() == []
        assert backend.counters().eager_calls == 0


LAYOUTS = {
    "roll": (lambda x: torch.roll(x, (2, -3), (2, 3)), (2, 3, 8, 10)),
    "roll_one": (lambda x: torch.roll(x, (1, 1), (2, 3)) * 2, (2, 3, 8, 10)),
    "roll_outer": (lambda x: torch.roll(x.relu(), -1, 0), (4, 3, 2, 5)),
    "roll_far": (lambda x: torch.roll(x, (17, -25), (2, 3)), (2, 3, 8, 10)),
    "roll_apart": (lambda x: torch.roll(x, (2, 3), (0, 3)) + 1, (4, 3, 2, 5)),
    "roll_flat": (lambda x: torch.roll(x, 7), (2, 3, 4, 5)),
    "roll_whole": (lambda x: torch.roll(x, (8, 0), (2, 3)), (2, 3, 8, 10)),
    "roll_single": (lambda x: torch.roll(x, (1, 1), (1, 2)), (2, 1, 1, 5)),
    "roll_back": (lambda x: torch.roll(torch.roll(x, 3, 2), -3, 2), (2, 3, 8, 10)),
    "flip": (lambda x: torch.flip(x, (2, 3)), (2, 3, 8, 10)),
    "flip_apart": (lambda x: torch.flip(x, (0, 3)) * 2, (2, 3, 8, 10)),
    "flip_part": (lambda x: torch.flip(x, (3,))[:, :, 2:5, 1::2], (2, 3, 8, 10)),
    "rotated": (lambda x: torch.rot90(x, 1, (2, 3)) * 3, (2, 3, 8, 10)),
    "rotated_twice": (lambda x: torch.rot90(x, 2, (2, 3)), (2, 3, 8, 10)),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_layouts(name, dtype, memory_format):
    function, shape = LAYOUTS[name]
    # PyTorch's decomposition of `roll` makes contiguous tensors, as its kernels for GPUs do.
    strides = memory_format == torch.contiguous_format or "roll" not in name
    check(function, torch.randn(shape, dtype=dtype).to(memory_format=memory_format), strides=strides)


SUMS = {
    "reflect": (lambda x: F.pad(x, (1, 2, 3, 4), mode="reflect"), (2, 3, 8, 10)),
    "reflect_one": (lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect") * 2, (2, 3, 8, 10)),
    "reflect_cropped": (lambda x: F.pad(x, (-1, 2, 3, -4), mode="reflect"), (2, 3, 8, 10)),
    "replicate": (lambda x: F.pad(x, (1, 2, 3, 4), mode="replicate"), (2, 3, 8, 10)),
    "replicate_one": (lambda x: F.pad(x, (1, 1, 1, 1), mode="replicate").relu(), (2, 3, 8, 10)),
    "replicate_single": (lambda x: F.pad(x, (2, 2, 0, 0), mode="replicate"), (2, 3, 8, 1)),
    "circular": (lambda x: F.pad(x, (1, 2, 3, 4), mode="circular"), (2, 3, 8, 10)),
    "nearest": (lambda x: F.interpolate(x, scale_factor=2), (2, 3, 4, 5)),
    "nearest_factors": (lambda x: F.interpolate(x * 2, size=(12, 5)) + 1, (2, 4, 4, 5)),
    "nearest_exact": (lambda x: F.interpolate(x, scale_factor=3, mode="nearest-exact"), (2, 3, 4, 5)),
    "nearest_smaller": (lambda x: F.interpolate(x, scale_factor=0.5), (2, 3, 4, 8)),
    "nearest_between": (lambda x: F.interpolate(x, size=(6, 7)), (2, 3, 4, 5)),
    "nearest_line": (lambda x: F.interpolate(x.flatten(2), scale_factor=4), (2, 3, 4, 5)),
    "nearest_volume": (lambda x: F.interpolate(x[:, None], scale_factor=2), (2, 4, 4, 4)),
}  # fmt: skip


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_gradients_that_are_sums(name, dtype, memory_format):
    function, shape = SUMS[name]
    check(function, torch.randn(shape, dtype=dtype).to(memory_format=memory_format), exact_gradient=False)


@pytest.mark.parametrize("name", ["roll", "flip", "reflect", "nearest"])
def test_symbolic_sizes(name):
    function, shape = {**LAYOUTS, **SUMS}[name]
    check(function, torch.randn(shape), exact_gradient=False, kernels=False, dynamic=True)


@pytest.mark.parametrize("name", ["roll", "flip", "nearest", "reflect"])
def test_a_symbolic_batch(name):
    function, shape = {**LAYOUTS, **SUMS}[name]
    x = torch.randn(5, *shape[1:])
    torch._dynamo.mark_dynamic(x, 0)
    assert torch.equal(torch.compile(function, backend="fuser")(x), function(x))


@pytest.mark.parametrize(
    ("name", "op"), [("roll", "fuser.cat"), ("replicate", "fuser.cat"), ("nearest", "fuser.expand")]
)
def test_no_gather_is_left(name, op, texts):
    function, shape = {**LAYOUTS, **SUMS}[name]
    torch.compile(function, backend="fuser")(torch.randn(shape))
    assert len(texts) == 1
    assert op in texts[0]
    assert "index_select" not in texts[0]


@pytest.mark.parametrize("name", ["flip", "reflect", "roll_one"])
def test_dimensions_share_a_gather(name, texts):
    function, shape = {**LAYOUTS, **SUMS}[name]
    torch.compile(function, backend="fuser")(torch.randn(shape))
    assert len(texts) == 1
    assert texts[0].count("index_select") == 1


@pytest.mark.parametrize(
    ("numbers", "runs"),
    [
        ([0], [Run(0, 1, 1)]),
        ([3, 4, 0, 1, 2], [Run(3, 1, 2), Run(0, 1, 3)]),
        ([4, 0, 1, 2, 3], [Run(4, 1, 1), Run(0, 1, 4)]),
        ([2, 1, 0, 1, 2, 3, 2], [Run(2, -1, 2), Run(0, 1, 4), Run(2, 1, 1)]),
        ([0, 0, 0, 1, 2, 2], [Run(0, 0, 2), Run(0, 1, 3), Run(2, 1, 1)]),
        ([0, 2, 4, 4], [Run(0, 2, 3), Run(4, 1, 1)]),
        ([5, 1, 5, 1], [Run(5, -4, 2), Run(5, -4, 2)]),
        ([0, 2, 3, 7, 7, 5, 9], None),
    ],
)
def test_runs(numbers, runs):
    assert runs_of(torch.tensor(numbers), 3) == runs


def test_factors():
    assert factor_of(torch.tensor([0, 0, 1, 1]), 2) == 2
    assert factor_of(torch.arange(3), 3) == 1
    assert [factor_of(torch.tensor(items), 2) for items in ([0, 1, 0, 1], [0, 1, 1], [0])] == [0, 0, 0]
