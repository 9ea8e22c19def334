"""Products of matrices of which one is a vector, or a column times a row: sums of products."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_programs")

VECTORS = {
    "matrix_vector": (lambda x, y: torch.mm(x, y), (33, 47), (47, 1)),
    "vector_matrix": (lambda x, y: torch.mm(x, y), (1, 47), (47, 33)),
    "outer": (lambda x, y: torch.mm(x, y), (33, 1), (1, 47)),
    "numbers": (lambda x, y: torch.bmm(x, y), (5, 1, 33), (5, 33, 1)),
    "batches": (lambda x, y: torch.bmm(x, y), (5, 1, 33), (5, 33, 47)),
    "transposed": (lambda x, y: torch.bmm(x.mT, y), (5, 33, 1), (5, 33, 47)),
    "column": (lambda x, y: torch.bmm(x, y.transpose(1, 2)), (5, 33, 47), (5, 1, 47)),
    "added": (lambda x, y: torch.addmm(x[:, :1], x, y, beta=0.5, alpha=2), (33, 47), (47, 1)),
    "nothing_added": (lambda x, y: torch.addmm(x[:, :1] / 0, x, y, beta=0), (33, 47), (47, 1)),
    "batches_added": (lambda x, y: torch.baddbmm(y[:, :1], x, y), (5, 1, 33), (5, 33, 47)),
    "linear": (lambda x, y: F.linear(x, y, y[0, :1]).sigmoid(), (33, 47), (1, 47)),
    "mv": (lambda x, y: x.relu() @ y, (33, 47), (47,)),
    "dot": (lambda x, y: torch.dot(x, y) * 2, (47,), (47,)),
    "einsum": (lambda x, y: torch.einsum("tkd,tk->td", x, y), (9, 4, 33), (9, 4)),
    "diagonal": (lambda x, y: torch.einsum("ij,ij->i", x, y), (33, 47), (33, 47)),
    "no_depth": (lambda x, y: torch.mm(x, y), (5, 0), (0, 1)),
}


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_vectors(name, dtype):
    call, first, second = VECTORS[name]
    x, y = torch.randn(first).to(dtype), torch.randn(second).to(dtype)
    found, wanted = torch.compile(call, backend="fuser")(x, y), call(x, y)
    torch.testing.assert_close(found, wanted, rtol=2e-2 if dtype == torch.bfloat16 else 1e-5, atol=1e-2)
    assert found.is_contiguous()
    assert found.dtype == wanted.dtype
    assert backend.report() == []


def test_products_round_once():
    """Products of bf16 are not rounded before they are added."""
    x, y = torch.full((3, 64), 1.0078125, dtype=torch.bfloat16), torch.full((64, 1), 1.0078125, dtype=torch.bfloat16)
    wide = (x.double() @ y.double()).to(torch.bfloat16)
    assert torch.equal(torch.compile(torch.mm, backend="fuser")(x, y), wide)


def test_gradients():
    def function(x, w, b):
        return torch.addmm(b, x.tanh(), w).sigmoid()

    x, w, b = (torch.randn(shape, requires_grad=True) for shape in ((33, 47), (47, 1), (1,)))
    found = torch.autograd.grad(torch.compile(function, backend="fuser")(x, w, b).sum(), (x, w, b))
    for a, c in zip(found, torch.autograd.grad(function(x, w, b).sum(), (x, w, b)), strict=True):
        torch.testing.assert_close(a, c)
    assert backend.report() == []


def test_producers_and_consumers_share_a_region():
    def function(x):
        mean = x.sum(-1) / x.shape[-1]
        squares = torch.einsum("ij,ij->i", x, x) / x.shape[-1]
        return (x - mean[:, None]) / (squares - mean * mean + 1e-5).sqrt()[:, None]

    x = torch.randn(65, 96)
    torch.testing.assert_close(torch.compile(function, backend="fuser")(x), function(x))
    assert len(texts()) == 1


@pytest.mark.parametrize(
    ("call", "dtype"),
    [
        (lambda x, y: x @ y[:, :2], torch.float32),
        (lambda x, y: x[:, :2] @ y[:2], torch.float32),
        (lambda x, y: x @ y[:, :1], torch.int64),
        (lambda x, y: x @ y[:, :1], torch.complex64),
    ],
)
def test_others_are_library_calls(call, dtype):
    x, y = torch.ones(6, 8).to(dtype), torch.ones(8, 5).to(dtype)
    torch.testing.assert_close(torch.compile(call, backend="fuser")(x, y), call(x, y))
    assert "aten.mm.default" in {item.op for item in backend.report()}


def test_unknown_sizes():
    run = torch.compile(lambda x, y: torch.mm(x, y).relu(), backend="fuser", dynamic=True)
    for rows in (3, 8):
        x, y = torch.randn(rows, 40), torch.randn(40, 1)
        torch.testing.assert_close(run(x, y), torch.mm(x, y).relu())
    assert backend.report() == []
