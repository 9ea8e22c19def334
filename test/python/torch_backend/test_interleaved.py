"""Stacks along the last dimension and every n-th element: rotary embeddings of pairs, complex numbers as pairs."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_programs")

B, F = torch.bfloat16, torch.float32


def rope(x, c, s):
    a, b = x.float()[..., ::2], x.float()[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2).type_as(x)


def rope_of_pairs(x, c, s):
    a, b = x.float().reshape(*x.shape[:-1], -1, 2).unbind(-1)
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2).type_as(x)


def rotate(x, c, s):
    turned = torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)
    return x * c.repeat_interleave(2, -1) + turned * s.repeat_interleave(2, -1)


def product(x, y):
    (a, b), (c, d) = x.unbind(-1), y.unbind(-1)
    return torch.stack([a * c - b * d, a * d + b * c], -1)


def rotations(x):
    c, s = 1 - x * x, 2 * x
    return torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)


def thirds(x):
    return torch.stack([x[..., 2::3], -x[..., ::3], x[..., 1::3]], -1).flatten(-2)


def check(function, *args, dynamic=None):
    """Results and gradients have the bits of eager mode."""
    run = torch.compile(function, backend="fuser", dynamic=dynamic)
    leaves = [arg for arg in args if arg.requires_grad]
    wanted, found = function(*args), run(*args)
    assert torch.equal(found, wanted)
    assert found.dtype == wanted.dtype
    seed = torch.randn_like(wanted)
    pairs = zip(torch.autograd.grad(found, leaves, seed), torch.autograd.grad(wanted, leaves, seed), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("shape", [(2, 3, 5, 64), (1, 1, 1, 2), (2, 7, 33, 6)])
@pytest.mark.parametrize("dtypes", [(B, F), (B, B), (F, F)], ids=str)
@pytest.mark.parametrize("function", [rope, rope_of_pairs])
def test_rotary_embeddings(function, dtypes, shape):
    x = torch.randn(shape, dtype=dtypes[0], requires_grad=True)
    c, s = (torch.randn(shape[-2], shape[-1] // 2, dtype=dtypes[1]) for _ in range(2))
    check(function, x, c, s)
    assert backend.report() == []
    assert backend.counters().eager_calls == 0


def test_gradients_look_up_no_elements():
    x = torch.randn(2, 3, 5, 64, requires_grad=True)
    check(rope, x, torch.randn(5, 32), torch.randn(5, 32))
    assert len(texts()) == 2
    assert "index_select" not in "".join(texts())


def test_heads_that_are_transposed():
    x = torch.randn(2, 5, 3, 64, dtype=B, requires_grad=True)
    check(lambda x, c, s: rope(x.transpose(1, 2), c, s), x, torch.randn(5, 32), torch.randn(5, 32))


def test_turned_pairs():
    x = torch.randn(2, 3, 5, 64, requires_grad=True)
    check(rotate, x, torch.randn(5, 32), torch.randn(5, 32))


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("count", [1, 2, 77, 1024])
def test_products_of_pairs(count, dynamic):
    x, y = (torch.randn(count, 2, requires_grad=True) for _ in range(2))
    check(product, x, y, dynamic=dynamic)


def test_matrices_and_thirds():
    check(rotations, torch.randn(101, requires_grad=True))
    check(thirds, torch.randn(7, 36, requires_grad=True))


@pytest.mark.parametrize("dtype", [torch.int32, torch.uint8, torch.bool, torch.float16, torch.float64], ids=str)
@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_stacks(count, dim, dtype):
    parts = [torch.randn(3, 17).mul(9).to(dtype) for _ in range(count)]
    run = torch.compile(
        lambda *parts: torch.stack(
            [parts[0] ^ parts[1] if dtype == torch.bool else parts[0] + parts[1], *parts[1:]], dim
        ),
        backend="fuser",
    )
    wanted = torch.stack([parts[0] ^ parts[1] if dtype == torch.bool else parts[0] + parts[1], *parts[1:]], dim)
    assert torch.equal(run(*parts), wanted)


def test_bits_of_special_values():
    x = torch.tensor([float("nan"), -0.0, 0.0, float("inf"), -float("inf"), 1e-45])
    y = -x
    wanted = torch.stack([x.neg(), y], -1)
    found = torch.compile(lambda x, y: torch.stack([x.neg(), y], -1), backend="fuser")(x, y)
    assert torch.equal(found.view(torch.int32), wanted.view(torch.int32))


@pytest.mark.parametrize("step", [2, 3, 4])
@pytest.mark.parametrize("dim", [0, 1])
def test_writing_every_nth_element(step, dim):
    def write(x, y):
        x = x.clone()
        x.movedim(dim, 0)[1::step] = y.movedim(dim, 0)
        return x

    shape = [12, 24]
    x = torch.randn(shape)
    shape[dim] //= step
    y = torch.randn(shape)
    assert torch.equal(torch.compile(write, backend="fuser")(x, y), write(x, y))
