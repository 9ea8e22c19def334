"""Convolutions of each channel by itself, which regions compute."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh")

LAST = torch.channels_last
# Function, image, kernels, options, memory format.
CASES = {
    "line": (F.conv1d, (2, 6, 40), (4,), {}, None),
    "line padded": (F.conv1d, (2, 6, 41), (3,), {"padding": 1}, None),
    "line of even kernels by steps": (F.conv1d, (2, 6, 41), (4,), {"stride": 2, "padding": 3}, None),
    "line dilated": (F.conv1d, (2, 6, 40), (3,), {"padding": 4, "dilation": 2}, None),
    "line padded beyond its kernels": (F.conv1d, (2, 6, 9), (2,), {"padding": 1}, None),
    "image": (F.conv2d, (2, 5, 17, 19), (3, 3), {"padding": 1}, None),
    "image channels last": (F.conv2d, (2, 8, 17, 19), (3, 3), {"padding": 1}, LAST),
    "image by steps": (F.conv2d, (2, 5, 17, 20), (3, 3), {"stride": 2, "padding": 1}, None),
    "image by steps channels last": (F.conv2d, (2, 8, 17, 20), (3, 3), {"stride": 2, "padding": 1}, LAST),
    "image of other kernels": (
        F.conv2d, (2, 5, 17, 20), (3, 2), {"stride": (1, 2), "padding": (2, 1), "dilation": (2, 1)}, LAST,
    ),
    "image without borders": (F.conv2d, (1, 8, 9, 9), (3, 3), {}, LAST),
    "volume": (F.conv3d, (1, 3, 4, 5, 6), (2, 2, 2), {"padding": 1}, None),
}  # fmt: skip


def step(call, values):
    """The result, and the gradients for a fixed one of the result."""
    arguments = [value.detach().clone().requires_grad_() for value in values]
    result = call(*arguments)
    seed = torch.linspace(-1, 1, result.numel(), dtype=torch.float64).reshape(result.shape).to(result.dtype)
    return [result, *torch.autograd.grad(result, arguments, seed)]


def strides(value):
    """Those of dimensions of several elements."""
    return [stride for size, stride in zip(value.shape, value.stride(), strict=True) if size > 1]


def distance(found, wanted):
    return ((found.double() - wanted).abs().max() / wanted.abs().max()).item()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_results_and_gradients(case, dtype):
    """They are as near to those in f64 as eager mode's, with its strides."""
    function, shape, kernel, options, memory_format = CASES[case]
    torch.manual_seed(0)
    values = [torch.randn(size, dtype=dtype) for size in (shape, (shape[1], 1, *kernel), (shape[1],))]
    if memory_format:
        values[:2] = [value.to(memory_format=memory_format) for value in values[:2]]

    def call(x, w, b):
        return F.silu(function(x, w, b, groups=shape[1], **options))

    found, eager = step(torch.compile(call, backend="fuser", dynamic=False), values), step(call, values)
    exact = step(call, [value.double() for value in values])
    for a, b, c in zip(found, eager, exact, strict=True):
        assert (a.dtype, strides(a)) == (b.dtype, strides(b))
        assert distance(a, c) <= 2 * distance(b, c) + 1e-6
    left = {item.op for item in fuser.torch.report()}
    # The gradient of an image whose windows have a step is PyTorch's, and so are channels-last images of f32.
    forward, backward = "aten.convolution.default", "aten.convolution_backward.default"
    if memory_format == LAST and dtype == torch.float32:
        assert left == {forward, backward}
    else:
        assert left == ({backward} if "stride" in options else set())


def test_rows_of_channels():
    """Filters over time of values whose channels are adjacent, and what is computed of them in that order."""
    values = [torch.randn(2, 40, 6), torch.randn(6, 1, 4), torch.randn(6)]

    def call(x, w, b):
        y = F.silu(F.conv1d(F.pad(x.transpose(1, 2), (3, 0)), w, b, groups=6)).transpose(1, 2)
        return y * x.sigmoid()

    found, wanted = step(torch.compile(call, backend="fuser"), values), step(call, values)
    assert found[0].stride() == wanted[0].stride()
    for a, b in zip(found, wanted, strict=True):
        torch.testing.assert_close(a, b)
    assert fuser.torch.report() == []


def test_unknown_sizes():
    module = torch.nn.Conv1d(6, 6, 3, padding=1, groups=6)
    call = torch.compile(module, backend="fuser", dynamic=True)
    for batch, length in ((2, 40), (3, 41), (5, 7)):
        x = torch.randn(batch, 6, length)
        torch.testing.assert_close(call(x), module(x))
    assert fuser.torch.report() == []


def test_kernels_of_unknown_sizes_are_left():
    call = torch.compile(lambda x, w: F.conv1d(x, w, padding=1, groups=6), backend="fuser", dynamic=True)
    for length in (3, 5):
        x, w = torch.randn(2, 6, 40), torch.randn(6, 1, length)
        torch.testing.assert_close(call(x, w), F.conv1d(x, w, padding=1, groups=6))


def test_windows_are_not_kept_for_the_backward_graph():
    """The forward graph returns the result and hands on the image, not each of its shifted slices."""
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(lambda value: kept.append(value.shape) or value, lambda value: value):
        x, w = torch.randn(2, 6, 40, requires_grad=True), torch.randn(6, 1, 3, requires_grad=True)
        torch.compile(lambda x, w: F.conv1d(x, w, padding=1, groups=6).relu(), backend="fuser")(x, w)
    assert len([shape for shape in kept if shape.numel() == x.numel()]) <= 2


LEFT = {
    "many taps": lambda x, w: F.conv1d(x, w.repeat(1, 1, 8), groups=6),
    "several kernels per channel": lambda x, w: F.conv1d(x, w.repeat(2, 1, 1), groups=6),
    "groups of channels": lambda x, w: F.conv1d(x, w.repeat(1, 2, 1), groups=3),
    "one channel": lambda x, w: F.conv1d(x[:, :1], w[:1]),
    "transposed": lambda x, w: F.conv_transpose1d(x, w, groups=6),
    "no images": lambda x, w: F.conv1d(x[:0], w, groups=6),
}


@pytest.mark.parametrize("case", LEFT)
def test_other_convolutions_are_left(case):
    values = [torch.randn(2, 6, 40), torch.randn(6, 1, 3)]
    torch.testing.assert_close(torch.compile(LEFT[case], backend="fuser")(*values), LEFT[case](*values))
    assert {item.op for item in fuser.torch.report()} == {"aten.convolution.default"}
