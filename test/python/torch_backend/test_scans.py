"""Scans from the end, and of what precedes each element, in the ways that programs state them."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser  # noqa: E402
import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_programs")


def _returns(rewards):
    powers = 0.99 ** torch.arange(rewards.shape[1])
    return (rewards * powers).flip(1).cumsum(1).flip(1) / powers


def _advantages(x):
    following = torch.cat([x[:, 1:], torch.zeros_like(x[:, :1])], 1)
    return _returns(1 - x + 0.99 * following)


ONE_KERNEL = {
    "sums": lambda x: x.flip(1).cumsum(1).flip(1),
    "sums_of_columns": lambda x: x.flip(0).cumsum(0).flip(0),
    "products": lambda x: x.flip(1).cumprod(1).flip(1),
    "maxima": lambda x: x.flip(1).cummax(1)[0].flip(1),
    "logarithms": lambda x: x.flip(1).logcumsumexp(1).flip(1),
    "flipped": lambda x: x.cumsum(1).flip(1),
    "returns": _returns,
    "advantages": _advantages,
    "padded": lambda x: F.pad(x.cumsum(1)[:, :-1], (1, 0)),
    "padded_with_number": lambda x: F.pad(x.cumprod(1)[:, :-1], (1, 0), value=0.25),
    "joined": lambda x: torch.cat([torch.ones_like(x[:, :1]), x.cumprod(1)[:, :-1]], 1),
    "prefix": lambda x: torch.cat([torch.ones_like(x[:, :1]), x], 1).cumprod(1)[:, :-1],
    "of_shifted": lambda x: F.pad(x[:, :-1], (1, 0)).cumsum(1),
    "following": lambda x: F.pad(x.flip(1).cumsum(1).flip(1)[:, 1:], (0, 1)),
    "offsets": lambda x: F.pad(x.cumsum(1), (1, 0)),
    "differences": lambda x: (F.pad(x[:, 1:], (0, 1)) - x).cumsum(1),
    "part": lambda x: x.cumsum(1)[:, 4:],
    "both": lambda x: x.cumsum(1) * x.flip(1).cumsum(1).flip(1),
}


@pytest.mark.parametrize("name", ONE_KERNEL)
@pytest.mark.parametrize("sizes", [(9, 64), (5, 37), (1, 300), (40, 1)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_one_kernel(name, sizes, dtype):
    x = (torch.rand(sizes) + 0.2).to(dtype)
    if name == "part" and sizes[1] < 5:
        pytest.skip("it would be empty")
    tolerance = {"rtol": 1e-4, "atol": 1e-4} if dtype is torch.float32 else {"rtol": 0.02, "atol": 0.02}
    found = torch.compile(ONE_KERNEL[name], backend="fuser")(x)
    wanted = ONE_KERNEL[name](x.double() if dtype is torch.float32 else x)
    torch.testing.assert_close(found, wanted, check_dtype=False, **tolerance)
    assert backend.report() == []
    (text,) = texts()
    if min(sizes) > 1:
        segments = fuser._texts.transform(text, "segmentation", None, (), ())
        assert segments.count("fuser.kernel @") == 1


@pytest.mark.parametrize("name", ["sums", "products", "logarithms", "advantages", "joined", "following", "offsets"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_gradients(name, dynamic):
    x = (torch.rand(6, 33, dtype=torch.float64) + 0.2).requires_grad_()
    found, wanted = torch.compile(ONE_KERNEL[name], backend="fuser", dynamic=dynamic)(x), ONE_KERNEL[name](x)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)
    weights = torch.rand_like(wanted)
    grads = [torch.autograd.grad(y, x, weights)[0] for y in (found, wanted)]
    torch.testing.assert_close(*grads, rtol=1e-4, atol=1e-4)
    assert backend.report() == []


def test_colors_of_rays():
    x, color = torch.rand(7, 40), torch.rand(7, 40, 3)

    def function(x, color):
        ones = torch.ones_like(x[:, :1])
        weights = x * torch.cumprod(torch.cat([ones, 1 - x + 1e-10], -1), -1)[:, :-1]
        return (weights[..., None] * color).sum(1), weights.sum(-1)

    found, wanted = torch.compile(function, backend="fuser")(x, color), function(x, color)
    torch.testing.assert_close(found, wanted)
    segments = fuser._texts.transform(texts()[0], "segmentation", None, (), ())
    assert segments.count("fuser.kernel @") == 1


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
@pytest.mark.parametrize(("count", "is_short"), [(1, True), (4, True), (5, False)])
@pytest.mark.parametrize("function", [torch.cumsum, torch.cumprod])
def test_few_elements_are_no_scan(function, count, is_short, dtype):
    x = torch.randint(1, 5, (6, count, 7)).to(dtype)
    found = torch.compile(lambda x: function(x + 1, 1), backend="fuser", dynamic=False)(x)
    torch.testing.assert_close(found, function(x + 1, 1))
    assert ("fuser.cum" not in texts()[-1]) == is_short
    assert backend.report() == []


def test_gradient_of_a_product_of_few_elements_has_no_scan():
    x = torch.rand(50, 2).sub(0.3).relu().requires_grad_()
    found, wanted = torch.compile(lambda x: x.prod(-1), backend="fuser", dynamic=False)(x), x.prod(-1)
    grads = [torch.autograd.grad(y.sin().sum(), x)[0] for y in (found, wanted)]
    torch.testing.assert_close(*grads)
    assert "fuser.cumprod" not in texts()[-1]
    assert backend.report() == []
