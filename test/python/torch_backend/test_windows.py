"""Pooling by windows that overlap, are dilated or leave the image."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser  # noqa: E402
import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_programs")

MAXIMA = {
    "image": lambda x: F.max_pool2d(x, 3, 2, 1),
    "boxes": lambda x: F.max_pool2d(x, 2),
    "indices": lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True),
    "dilated": lambda x: F.max_pool2d(x, (3, 2), (2, 1), (1, 0), (2, 3), ceil_mode=True, return_indices=True),
    "line": lambda x: F.max_pool1d(x.flatten(1, 2), 3, 2, 1),
    "line_indices": lambda x: F.max_pool1d(x.flatten(1, 2), 3, 2, 1, return_indices=True),
    "volume": lambda x: F.max_pool3d(x[:, None], (2, 3, 2), (2, 1, 2), 1, return_indices=True),
    "adaptive": lambda x: F.adaptive_max_pool2d(x[..., :12, :16], (3, 4), return_indices=True),
    "adaptive_one": lambda x: F.adaptive_max_pool2d(x, 1, return_indices=True),
    "adaptive_line": lambda x: F.adaptive_max_pool1d(x.flatten(1, 2)[..., :16], 4),
    "adaptive_volume": lambda x: F.adaptive_max_pool3d(x[:, None], (3, 1, 17), return_indices=True),
}


def same(found, wanted, **tolerance):
    for a, b in zip(*((x,) if isinstance(x, torch.Tensor) else x for x in (found, wanted)), strict=True):
        torch.testing.assert_close(a, b, equal_nan=True, **tolerance)
        sizes = zip(a.shape, a.stride(), b.stride(), strict=True)
        assert all(size == 1 or stride == other for size, stride, other in sizes)


@pytest.mark.parametrize("name", MAXIMA)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_maxima(name, dtype, memory_format):
    """With NaN, and with windows in which nothing is greater than the border."""
    x = torch.randn(2, 6, 13, 17, dtype=dtype)
    x[0, 0, 3, 4] = x[0, 0, 3, 5] = x[0, 1, 0, 0] = float("nan")
    x[1, 2] = -float("inf")
    x = x.to(memory_format=memory_format)
    same(torch.compile(MAXIMA[name], backend="fuser")(x), MAXIMA[name](x), rtol=0, atol=0)
    assert backend.report() == []


AVERAGES = {
    "image": lambda x: F.avg_pool2d(x, 3, 1, 1),
    "apart": lambda x: F.avg_pool2d(x, 2, (3, 1)),
    "counted": lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False),
    "ceil": lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True),
    "divisor": lambda x: F.avg_pool2d(x, (3, 4), (2, 3), 1, divisor_override=5),
    "line": lambda x: F.avg_pool1d(x.flatten(1, 2), 3, 2, 1),
    "volume": lambda x: F.avg_pool3d(x[:, None], 3, 2, 1, count_include_pad=False),
    "power": lambda x: F.lp_pool2d(x.abs() + 1, 2, 3, 2),
    "response": lambda x: F.local_response_norm(x, 5),
}


@pytest.mark.parametrize("name", AVERAGES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_averages(name, dtype, memory_format):
    if name in ("volume", "response") and dtype == torch.bfloat16:
        pytest.skip("a function that PyTorch has no kernel for")
    x = torch.randn(2, 6, 13, 17, dtype=dtype).to(memory_format=memory_format)
    same(torch.compile(AVERAGES[name], backend="fuser")(x), AVERAGES[name](x))
    assert backend.report() == []


GRADIENTS = {
    "image": lambda x: F.avg_pool2d(x, 3, 1, 1),
    "counted": lambda x: F.avg_pool2d(x, (3, 2), 1, (1, 0), count_include_pad=False),
    "divisor": lambda x: F.avg_pool2d(x, 3, 1, 0, divisor_override=4),
    "volume": lambda x: F.avg_pool3d(x[:, None], 3, 1, 1),
    "by_two": AVERAGES["line"],
    "by_two_images": lambda x: F.avg_pool2d(x, 3, 2, 1),
    "by_two_counted": AVERAGES["counted"],
    "by_two_ceil": AVERAGES["ceil"],
    "by_two_volumes": AVERAGES["volume"],
    "gaps": lambda x: F.avg_pool2d(x, 2, (3, 1)),
    "uneven": AVERAGES["divisor"],
    "wide_border": lambda x: F.avg_pool2d(x, (4, 5), (3, 1), (2, 2)),
    "power": AVERAGES["power"],
}


@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_gradients(name, dtype, memory_format):
    if "volume" in name and dtype == torch.bfloat16:
        pytest.skip("a function that PyTorch has no kernel for")
    results = []
    for function in (GRADIENTS[name], torch.compile(GRADIENTS[name], backend="fuser")):
        torch.manual_seed(0)
        x = torch.randn(2, 6, 13, 17, dtype=dtype).to(memory_format=memory_format).requires_grad_()
        # Eager mode adds gradients of halves as halves.
        wide = x if function is not GRADIENTS[name] else x.float()
        result = function(wide)
        result.backward(torch.randn(result.shape).to(result.dtype).as_strided(result.shape, result.stride()))
        results.append((result.detach().to(dtype), x.grad))
    same(results[1], results[0], **({} if dtype == torch.float32 else {"rtol": 0.02, "atol": 0.02}))
    assert backend.report() == []


GRADIENTS_OF_MAXIMA = {
    "image": MAXIMA["image"],
    "boxes": MAXIMA["boxes"],
    "apart": lambda x: F.max_pool2d(x, 2, 3),
    "every_place": lambda x: F.max_pool2d(x, 3, 1, 1),
    "uneven": lambda x: F.max_pool2d(x, (3, 2), (2, 1), (1, 0), ceil_mode=True),
    "line": MAXIMA["line"],
    "volume": lambda x: F.max_pool3d(x[:, None], (2, 3, 2), (2, 1, 2), 1),
    "adaptive": lambda x: F.adaptive_max_pool2d(x[..., :12, :16], (3, 4)),
    "adaptive_line": MAXIMA["adaptive_line"],
    "adaptive_volume": lambda x: F.adaptive_max_pool3d(x[:, None], (3, 1, 17)),
}


@pytest.mark.parametrize("name", GRADIENTS_OF_MAXIMA)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_gradients_of_maxima(name, dtype, memory_format):
    """The index says which of equal elements has the gradient, or that NaN has it."""
    results = []
    for function in (GRADIENTS_OF_MAXIMA[name], torch.compile(GRADIENTS_OF_MAXIMA[name], backend="fuser")):
        torch.manual_seed(0)
        x = torch.randn(2, 6, 13, 17).round().to(dtype)
        x[0, 0, 3, 4] = x[0, 1, 0, 0] = float("nan")
        x[1, 2] = -float("inf")
        x = x.to(memory_format=memory_format).requires_grad_()
        # Of small integers, sums are exact in any order.
        result = function(x)
        result.backward(torch.randint(-4, 5, result.shape).to(dtype))
        results.append(x.grad)
    same(results[1], results[0], rtol=0, atol=0)
    assert backend.report() == []


def test_gradients_of_maxima_keep_a_byte_of_each_window():
    run = torch.compile(MAXIMA["image"], backend="fuser")
    x = torch.randn(2, 6, 13, 17, requires_grad=True)
    run(x).sum().backward()
    forward, gradient = texts()
    assert "tensor<2x6x7x9xi8>" in forward.split("attributes")[0]
    assert "tensor<2x6x7x9xi8>" in gradient.split("->")[0]
    assert "i64" not in gradient.split("->")[0]


def test_dilated_windows_reach_the_gradient_of_eager_mode():
    results = []
    for function in (lambda x: F.max_pool2d(x, 2, dilation=2),) * 2:
        function = torch.compile(function, backend="fuser") if results else function
        torch.manual_seed(0)
        x = torch.randn(2, 6, 13, 17, requires_grad=True)
        result = function(x)
        result.backward(torch.randn_like(result))
        results.append(x.grad)
    same(results[1], results[0], rtol=0, atol=0)
    assert [entry.op for entry in backend.report()] == ["aten.max_pool2d_with_indices_backward.default"]


def test_gradients_of_maxima_of_unknown_sizes():
    run = torch.compile(MAXIMA["image"], backend="fuser", dynamic=True)
    for shape in ((2, 6, 13, 17), (3, 5, 15, 21)):
        results = []
        for function in (run, MAXIMA["image"]):
            torch.manual_seed(0)
            x = torch.randn(shape, requires_grad=True)
            function(x).square().sum().backward()
            results.append(x.grad)
        same(*results)
    assert len(texts()) == 2
    assert backend.report() == []


def test_a_symbolic_batch():
    for function in (MAXIMA["image"], AVERAGES["image"]):
        run = torch.compile(function, backend="fuser")
        for batch in (5, 7):
            x = torch.randn(batch, 3, 13, 17)
            torch._dynamo.mark_dynamic(x, 0)
            same(run(x), function(x))
    assert backend.report() == []


def blurred(x):
    weights = (1, 2, 1)
    x = F.pad(x, (1, 1, 1, 1))
    rows = sum(w * x[:, :, k : x.shape[2] - 2 + k : 2] for k, w in enumerate(weights))
    return sum(w * rows[..., k : x.shape[3] - 2 + k : 2] for k, w in enumerate(weights)) / 16


def wave(x):
    inner = x[:, 1:-1, 1:-1]
    rows, columns = x[:, 2:, 1:-1] + x[:, :-2, 1:-1], x[:, 1:-1, 2:] + x[:, 1:-1, :-2]
    return F.pad(rows + columns - 4 * inner, (1, 1, 1, 1))


WINDOWS = {
    "maxima": MAXIMA["image"],
    "normalized": lambda x: F.max_pool2d(F.relu(((x - 0.5) * 1.5 + 0.25) * x - x), 3, 2, 1),
    "means": AVERAGES["image"],
    "response": AVERAGES["response"],
    "blur": blurred,
    "planes": lambda x: wave(x[:, 0]),
    "volume": lambda x: x[2:, 1:-1, 1:-1] + x[:-2, 1:-1, 1:-1] - x[1:-1, 2:, 1:-1] * x[1:-1, :-2, 2:],
}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_symbolic_batch_is_one_kernel(name):
    run = torch.compile(WINDOWS[name], backend="fuser")
    for batch in (5, 7):
        x = torch.randn(batch, 6, 12, 16)
        torch._dynamo.mark_dynamic(x, 0)
        same(run(x), WINDOWS[name](x))
    assert backend.report() == []
    (text,) = texts()
    assert "tensor<?x" in text
    kernels = fuser._texts.transform(text, "segmentation", None, (), ())
    assert kernels.count("fuser.kernel @") == 1
    assert "fuser.view" not in kernels


def test_values_alone_need_no_indices():
    torch.compile(MAXIMA["image"], backend="fuser")(torch.randn(2, 6, 13, 17))
    (text,) = texts()
    assert text.count("fuser.maximum") == 8
    assert "iota" not in text


@pytest.mark.parametrize("function", [lambda x: F.max_pool2d(x, 3, 2, 1), lambda x: F.avg_pool2d(x, 3, 2, 1)])
def test_borders_on_both_sides_are_one_kernel(function):
    """Of odd sizes, the first and the last elements of windows by two are one slice, between other borders."""
    torch.compile(function, backend="fuser")(torch.randn(2, 6, 13, 17))
    (text,) = texts()
    assert fuser._texts.transform(text, "segmentation", None, (), ()).count("fuser.kernel @") == 1


UNKNOWN = {
    "maxima_of_boxes": (lambda x: F.max_pool2d(x, 2), 1),
    "maxima_with_indices": (lambda x: F.max_pool2d(x, 2, return_indices=True), 1),
    "averages_of_boxes": (lambda x: F.avg_pool2d(x, 2), 1),
    "averages": (lambda x: F.avg_pool2d(x, 3, 1, 1), 1),
    "averages_inside": (lambda x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=False), 1),
    "averages_of_halves": (lambda x: F.avg_pool2d(x.bfloat16(), 3, 1, 1, count_include_pad=False), 1),
    # Whether the last window leaves the image depends on whether its sizes are even.
    "maxima": (lambda x: F.max_pool2d(x, 3, 2, 1), 4),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_sizes_that_are_not_known(name):
    function, graphs = UNKNOWN[name]
    run = torch.compile(function, backend="fuser", dynamic=True)
    for sizes in ((8, 10), (7, 13), (11, 6), (31, 37), (4, 5), (64, 48)):
        x = torch.randn(2, 3, *sizes)
        tolerance = 1e-2 if name == "averages_of_halves" else 1e-5
        same(run(x), function(x), rtol=tolerance, atol=tolerance)
    assert backend.counters().compiled_graphs == len(texts()) <= graphs
    assert backend.report() == []
    kernels = fuser._texts.transform(texts()[0], "segmentation", None, (), ())
    assert kernels.count("fuser.kernel @") == 1


UNKNOWN_GRADIENTS = {
    "boxes": (lambda x: F.avg_pool2d(x, 2), 2),
    "every_place": (lambda x: F.avg_pool2d(x, 3, 1, 1), 2),
    "every_place_inside": (lambda x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=False), 2),
    # Whether the last window leaves the image depends on whether its sizes are even.
    "by_two": (lambda x: F.avg_pool2d(x, 3, 2, 1), 8),
}


@pytest.mark.parametrize("name", UNKNOWN_GRADIENTS)
def test_gradients_of_sizes_that_are_not_known(name):
    function, graphs = UNKNOWN_GRADIENTS[name]
    run = torch.compile(function, backend="fuser", dynamic=True)
    for sizes in ((8, 10), (7, 13), (11, 6), (31, 37), (64, 48)):
        results = []
        for each in (run, function):
            torch.manual_seed(0)
            x = torch.randn(2, 3, *sizes, requires_grad=True)
            result = each(x)
            result.backward(torch.randn(result.shape))
            results.append(x.grad)
        same(results[0], results[1])
    assert backend.counters().compiled_graphs <= graphs
    assert backend.report() == []
