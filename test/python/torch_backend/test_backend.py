"""torch.compile(backend="fuser") on the host device: forward and backward of each family against eager mode in double
precision, and what the backend must keep: shapes, strides, aliases, mutations, reports."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from fuser.torch import _indexing  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh")


def compiled(function, **options):
    return torch.compile(function, backend="fuser", **options)


def check(function, *inputs, tolerance=1e-5, kernels=True, backward=True):
    """Compares results and gradients with those in double precision. With `kernels`, PyTorch computed nothing."""
    inputs = [x.requires_grad_() if backward and x.is_floating_point() else x for x in inputs]
    wide = [x.detach().double().requires_grad_(x.requires_grad) if x.is_floating_point() else x for x in inputs]
    results, expected = (run(*items) for run, items in ((compiled(function), inputs), (function, wide)))
    eager = function(*inputs)
    results, expected, eager = (r if isinstance(r, tuple) else (r,) for r in (results, expected, eager))
    for a, b, c in zip(results, expected, eager, strict=True):
        assert (a.dtype, a.shape, a.stride()) == (c.dtype, c.shape, c.stride())
        torch.testing.assert_close(a.double(), b.double(), rtol=tolerance, atol=tolerance)
    if backward:
        seeds = [torch.rand_like(b) for b in expected if b.requires_grad]
        sums = [
            sum((r * s.to(r.dtype)).sum() for r, s in zip([r for r in many if r.requires_grad], seeds, strict=True))
            for many in (results, expected)
        ]
        leaves = [[x for x in many if x.is_floating_point()] for many in (inputs, wide)]
        gradients = [torch.autograd.grad(s, x) for s, x in zip(sums, leaves, strict=True)]
        for a, b in zip(*gradients, strict=True):
            torch.testing.assert_close(a.double(), b, rtol=10 * tolerance, atol=10 * tolerance)
    counts = backend.counters()
    assert counts.kernel_calls > 0
    if kernels:
        assert counts.eager_calls == 0
        assert backend.report() == []


def rows(*shape, dtype=torch.float32):
    return torch.randn(*shape).to(dtype)


FAMILIES = {
    "gelu": (lambda x, b: F.gelu(x + b, approximate="tanh"), [(6, 24), (24,)]),
    "silu_mul": (lambda h: F.silu(h[..., :12]) * h[..., 12:], [(6, 24)]),
    "softmax": (lambda x: torch.softmax(x, -1), [(5, 33)]),
    "log_softmax_outer": (lambda x: torch.log_softmax(x, 0), [(5, 33)]),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (48,), w, b), [(8, 48), (48,), (48,)]),
    "rms_norm": (lambda x, w: F.rms_norm(x, (48,), w), [(8, 48), (48,)]),
    "group_norm": (lambda x, w, b: F.group_norm(x, 2, w, b), [(3, 4, 5, 5), (4,), (4,)]),
    "batch_norm": (lambda x, w, b: F.batch_norm(x, None, None, w, b, True), [(3, 4, 5, 5), (4,), (4,)]),
    "instance_norm": (lambda x, w, b: F.instance_norm(x, None, None, w, b), [(3, 4, 5, 5), (4,), (4,)]),
    "rope": (
        lambda x, c, s: x * c + torch.cat([-x[..., 8:], x[..., :8]], -1) * s,
        [(2, 3, 5, 16), (5, 16), (5, 16)],
    ),
    "variance": (lambda x: torch.std(x, (0, 2)) + x.mean((0, 2)), [(3, 4, 5)]),
    "activations": (
        lambda x: F.mish(x) + F.softplus(x) + F.elu(x) + F.leaky_relu(x) + F.hardswish(x) + F.logsigmoid(x),
        [(7, 9)],
    ),
    "pad_stack": (lambda x, y: F.pad(torch.stack([x, y], 1), (1, 2)) * 2, [(4, 5), (4, 5)]),
    "logsumexp": (lambda x: torch.logsumexp(x, 1) + x.amax(1), [(4, 17)]),
    "where": (lambda x, y: torch.where(x > 0, x * y, y / (x - 1)).masked_fill(y > 1, 0.5), [(4, 17), (4, 17)]),
    "cumsum": (lambda x: torch.cumsum(x, 1), [(4, 17)]),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_family(family):
    function, shapes = FAMILIES[family]
    check(function, *(rows(*shape) for shape in shapes), tolerance=2e-5)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_half_types_compute_in_f32(dtype):
    check(lambda x, w: F.rms_norm(x, (48,), w), rows(8, 48, dtype=dtype), rows(48, dtype=dtype), tolerance=2e-2)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy(reduction):
    target = torch.tensor([1, 0, -100, 4])
    check(lambda x: F.cross_entropy(x, target, reduction=reduction), rows(4, 7))


@pytest.mark.parametrize("count", [12, 3000])
@pytest.mark.parametrize("padding", [None, 4])
def test_gradients_of_embeddings(count, padding, monkeypatch):
    monkeypatch.setattr(_indexing, "_GREATEST_SCATTER", 10**5)
    table, index = rows(99, 6), torch.randint(99, (2, count // 2))
    check(lambda w: F.embedding(index, w, padding) * 2, table)


def test_gradients_of_embeddings_by_frequency_are_pytorchs():
    table, index = rows(99, 6), torch.randint(99, (3, 40))
    check(lambda w: F.embedding(index, w, scale_grad_by_freq=True) * 2, table, kernels=False)
    assert [item.op for item in backend.report()] == ["aten.embedding_dense_backward.default"]


def test_gathers_are_those_of_eager_mode():
    x, index = rows(5, 6), torch.tensor([[0, 5, 2], [1, 1, 4]])
    check(lambda x: (x.gather(1, index), x.index_select(0, index[0] % 5), x[index[1] - 2]), x, backward=False)


def test_heaviside_of_nan_is_that_of_eager_mode():
    x = torch.tensor([float("nan"), 1.0, -1.0, 0.0, -0.0, float("inf"), -float("inf")])
    values = torch.tensor([5.0, 5.0, 5.0, 5.0, 6.0, 5.0, float("nan")])
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        torch._dynamo.reset()
        given = x.to(dtype), values.to(dtype)
        torch.testing.assert_close(compiled(torch.heaviside)(*given), torch.heaviside(*given), rtol=0, atol=0)


def test_indices_of_several_dimensions_keep_symbolic_sizes():
    functions = [
        lambda table, index: F.embedding(index, table) * 2,
        lambda table, index: table[index].sin(),
        lambda table, index: table[:, index % table.shape[1]] + 1,
        lambda table, index: table[index, index % table.shape[1]] * 3,
    ]
    for function in functions:
        torch._dynamo.reset()
        backend.reset()
        compiled = torch.compile(function, backend="fuser", dynamic=True, fullgraph=True)
        for count, length, width in ((3, 4, 6), (5, 2, 9)):
            table, index = rows(11, width), torch.randint(11, (count, length))
            torch.testing.assert_close(compiled(table, index), function(table, index))
        assert backend.report() == []
        assert backend.counters().eager_calls == 0


@pytest.mark.parametrize("value", [torch.tensor([7, -7, 3, -8]), torch.tensor([7.5, -7.5, 0.0, -0.0])])
def test_division_rounds_as_in_eager_mode(value):
    def function(x):
        quotients = [torch.div(x, 2, rounding_mode=mode) for mode in ("floor", "trunc")]
        return (*quotients, x % 3, torch.fmod(x, 3), x / 2)

    for a, b in zip(compiled(function)(value), function(value), strict=True):
        assert a.dtype == b.dtype
        assert torch.equal(a, b)
        if a.is_floating_point():
            assert torch.equal(torch.signbit(a), torch.signbit(b))


def test_types_promote_as_in_eager_mode():
    dtypes = [torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int8, torch.bool]
    tensors = [torch.ones(3, dtype=dtype) for dtype in dtypes] + [torch.ones((), dtype=torch.float64)]

    def function(*tensors):
        return tuple(a + b * 2 for a in tensors for b in tensors) + tuple(a < b for a in tensors for b in tensors)

    for a, b in zip(compiled(function)(*tensors), function(*tensors), strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert torch.equal(a, b)


def test_nan_and_infinity_are_kept():
    x = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0])

    def function(x):
        return torch.relu(x), torch.maximum(x, x.flip(0)), x.clamp(-1, 1), torch.sign(x), x.amax(), x == x

    for a, b in zip(compiled(function)(x), function(x), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("shape", [(0, 4), (), (1, 1), (3, 0)])
def test_empty_and_single_elements(shape):
    x = torch.randn(shape)
    function = lambda x: (x * 2 + 1, x.sum(), x.exp().sum(-1, keepdim=True))  # noqa: E731
    for a, b in zip(compiled(function)(x), function(x), strict=True):
        torch.testing.assert_close(a, b)


LAYOUTS = {
    "channels_last": lambda: torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
    "transposed": lambda: torch.randn(3, 2, 5, 4).permute(1, 0, 3, 2),
    "every second": lambda: torch.randn(2, 3, 4, 10)[..., ::2],
    "expanded": lambda: torch.randn(2, 1, 4, 5).expand(2, 3, 4, 5),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_strides_are_those_of_eager_mode(layout):
    x = LAYOUTS[layout]()
    function = lambda x: (x * 2, x.mean((2, 3), keepdim=True) + x, x.contiguous() + 1)  # noqa: E731
    for a, b in zip(compiled(function)(x), function(x), strict=True):
        assert a.stride() == b.stride()
        torch.testing.assert_close(a, b)


def test_views_of_results_are_aliases():
    def function(x):
        y = x * 2
        return y, y.t(), x.view(-1)

    x = torch.randn(3, 4)
    y, turned, flat = compiled(function)(x)
    y[1, 2], flat[0] = 7.0, 5.0
    assert turned[2, 1] == 7
    assert x[0, 0] == 5


def test_mutated_arguments():
    def function(x, total):
        x.mul_(2).add_(1)
        total += x.sum(0)
        return x.relu()

    x, total = torch.randn(4, 5), torch.zeros(5)
    mine, own = (x.clone(), total.clone()), (x.clone(), total.clone())
    storage = mine[0].data_ptr()
    result, expected = compiled(function)(*mine), function(*own)
    torch.testing.assert_close((result, *mine), (expected, *own))
    assert mine[0].data_ptr() == storage
    assert backend.report() == []


def test_batch_norm_updates_its_statistics():
    norms = [torch.nn.BatchNorm2d(4) for _ in range(2)]
    x = torch.randn(3, 4, 5, 5)
    for run in (compiled(norms[0]), norms[1]):
        for _ in range(2):
            run(x).sum().backward()
    for a, b in zip(norms[0].state_dict().values(), norms[1].state_dict().values(), strict=True):
        torch.testing.assert_close(a, b)


def test_arguments_are_mutated_after_they_were_read():
    def function(x):
        before = torch.sort(x)[0]
        x.add_(1)
        return before * 2, x.t()

    x = torch.randn(4, 5)
    own = x.clone()
    for a, b in zip(compiled(function)(x), function(own), strict=True):
        torch.testing.assert_close(a, b)
    torch.testing.assert_close(x, own)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["sum", "prod", "mean", "amax", "amin"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int32])
def test_scatters_that_combine(dtype, reduce, include_self):
    """Rows without an index, with one and with several; elements that are no numbers."""

    def combine(x, index, source):
        return x.scatter_reduce(1, index, source, reduce, include_self=include_self)

    x, source = (3 * torch.randn(4, 6)).to(dtype), (3 * torch.randn(4, 5)).to(dtype)
    index = torch.tensor([[0, 0, 0, 5, 5], [1, 2, 3, 4, 5], [2, 2, 2, 2, 2], [5, 4, 3, 2, 1]])
    if dtype.is_floating_point:
        x[0, 0] = source[1, 2] = float("nan")
        x[2, 2] = float("inf")
    expected = combine(x, index, source)
    backend.reset()
    actual = torch.compile(combine, backend="fuser")(x, index, source)
    assert not backend.report()
    torch.testing.assert_close(actual, expected, equal_nan=True)


@pytest.mark.parametrize("dynamic", [False, True])
def test_scatters_of_one_element_per_row_have_any_size(dynamic, monkeypatch):
    """The gradient of a gathered column is a selection, where other scatters that multiply are left to PyTorch."""
    monkeypatch.setattr(_indexing, "_GREATEST_SCATTER", 0)
    x, index = rows(5, 37).requires_grad_(), torch.arange(5)[:, None] * 7
    run = compiled(lambda x, index: (x * x).gather(1, index).exp().sum(), dynamic=dynamic)
    (found,) = torch.autograd.grad(run(x, index), x)
    (wanted,) = torch.autograd.grad((x * x).gather(1, index).exp().sum(), x)
    torch.testing.assert_close(found, wanted)
    assert backend.report() == []
    compiled(lambda x, index: (x * 2).scatter_reduce(1, index, x, "prod"))(x.detach(), index.expand(5, 20))
    assert [item.op for item in backend.report()] == ["aten.scatter_reduce.two"]


@pytest.mark.parametrize("name", ["cummax", "cummin"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8, torch.bool])
def test_running_extremes_have_the_last_position_of_equal_ones(name, dtype):
    x = torch.tensor([[2, 1, 2, 0, 3, 3], [0, -1, -1, 5, 0, 5]], dtype=torch.float32)
    if dtype.is_floating_point:
        x[0, 3] = float("nan")
    x = x.to(dtype)
    for dim in (0, 1):
        results, expected = compiled(lambda x, d=dim: getattr(x, name)(d))(x), getattr(x, name)(dim)
        torch.testing.assert_close(results[0], expected[0], equal_nan=True)
        assert torch.equal(results[1], expected[1])
    assert backend.report() == []


@pytest.mark.parametrize("reduce", ["sum", "prod", "amax", "amin"])
def test_scatters_combine_bools(reduce):
    x, source = (torch.rand(5, 9) < 0.5 for _ in range(2))
    index = torch.randint(0, 5, (5, 9))
    run = compiled(lambda *operands: operands[0].scatter_reduce(0, operands[1], operands[2], reduce))
    assert torch.equal(run(x, index, source), x.scatter_reduce(0, index, source, reduce))
    assert backend.report() == []


@pytest.mark.parametrize("offset", [0, 2, -1])
@pytest.mark.parametrize("dims", [(0, 1), (2, 0), (-1, 1)])
def test_diagonals_are_replaced(offset, dims):
    x = torch.randn(4, 6, 3)
    source = torch.randn_like(torch.diagonal(x, offset, *dims))
    result = compiled(lambda x, source: torch.diagonal_scatter(x, source, offset, *dims))(x, source)
    assert torch.equal(result, torch.diagonal_scatter(x, source, offset, *dims))
    assert backend.report() == []


@pytest.mark.parametrize("sizes", [(300,), (300, 7), (2, 70000)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int32, torch.bool])
def test_unit_matrices_count_in_a_type_that_kernels_have(sizes, dtype):
    """Not in uint8 or uint16, which PyTorch's decomposition takes where they hold the sizes."""
    x = torch.ones(sizes[-1]).to(dtype)
    result = compiled(lambda x: torch.eye(*sizes, dtype=dtype) + x)(x)
    assert torch.equal(result, torch.eye(*sizes, dtype=dtype) + x)
    assert backend.report() == []


@pytest.mark.parametrize("deterministic", [False, True])
@pytest.mark.parametrize(
    ("rows", "columns", "count"), [(4, 1000, 3), (600, 5000, 2), (2, 1000, 256), (2, 1000, 300), (2, 3000, 3000)]
)
def test_long_scatters_have_no_order(rows, columns, count, deterministic):
    """Each element of a result looks for its index: few elements, or few indices of many. Those of many are stored from
    the source's side, in any order, or by PyTorch, which is asked for an order where the kernel would take long."""
    x, source = torch.randn(rows, columns), torch.randn(rows, count)
    index = torch.rand(rows, columns).argsort(-1)[:, :count]
    before = len(texts())
    torch.use_deterministic_algorithms(deterministic)
    try:
        result = compiled(lambda x, source: x.scatter(1, index.clone(), source) * 2)(x, source)
    finally:
        torch.use_deterministic_algorithms(False)
    assert torch.equal(result, x.scatter(1, index, source) * 2)
    assert bool(backend.report()) == (deterministic and count > 1000)
    assert any("fuser.push" in text for text in texts()[before:]) == (not deterministic and count > 256)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["sum", "mean", "amax", "amin"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.uint8], ids=str)
def test_long_scatters_that_combine(dtype, reduce, include_self, monkeypatch):
    """Half types are rounded once. Elements that are no numbers, rows without an index and with many."""
    monkeypatch.setattr(_indexing, "_GREATEST_SCATTER", 0)
    x, source = (torch.randn(100, 6) * 3).to(dtype), (torch.randn(2000, 6) * 3).to(dtype)
    if dtype.is_floating_point:
        source[7, 2] = float("nan")
        source[8, 3] = float("inf")
    index = torch.randint(90, (2000, 6))

    def combine(x, source):
        return x.scatter_reduce(0, index.clone(), source, reduce, include_self=include_self)

    result = compiled(combine)(x, source)
    is_half = dtype in (torch.bfloat16, torch.float16)
    expected = combine(x.float(), source.float()).to(dtype) if is_half else combine(x, source)
    torch.testing.assert_close(result, expected, equal_nan=True, **({"rtol": 1e-2, "atol": 1e-2} if is_half else {}))
    if dtype != torch.uint8:
        assert backend.report() == []


def test_long_sums_at_indices(monkeypatch):
    """Of several index tensors, of negative ones, in place of an argument, of sizes that change."""
    monkeypatch.setattr(_indexing, "_GREATEST_SCATTER", 0)
    functions = [
        lambda x, i, j, t: x.index_put((i, j), t[:, 0], accumulate=True),
        lambda x, i, j, t: x.index_put((i - x.shape[0],), t, accumulate=True) + 1,
        lambda x, i, j, t: x.t().index_add(0, j, t[:, :1].expand(-1, x.shape[0])),
        lambda x, i, j, t: x.index_add_(0, i, t).sum(1),
        lambda x, i, j, t: torch.zeros(x.shape[0], dtype=torch.int64).scatter_add(0, i, torch.ones_like(i)),
    ]
    for function in functions:
        torch._dynamo.reset()
        # Several index tensors share a reshape, which has no sizes that change.
        run = compiled(function, dynamic=function is not functions[0])
        for count, length, width in ((300, 40, 12), (500, 70, 9))[: 1 if function is functions[0] else 2]:
            x, t = rows(length, width), rows(count, width)
            i, j = torch.randint(length, (count,)), torch.randint(width, (count,))
            own = x.clone()
            torch.testing.assert_close(run(x, i, j, t), function(own, i, j, t), rtol=1e-4, atol=1e-4)
            torch.testing.assert_close(x, own, rtol=1e-4, atol=1e-4)
    assert backend.report() == []


@pytest.mark.parametrize(
    ("shape", "dim", "index", "alpha"),
    [
        ((5, 7), 0, [4, 0, 4, 2], 1),
        ((5, 7), -1, [6, 6, 6], -2),
        ((3, 4, 2), 1, 3, 0.5),
        ((), 0, [0], 3),
        ((0, 4), 1, [1, 1], 1),
    ],
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
def test_rows_are_added_by_indices(shape, dim, index, alpha, dtype):
    alpha = alpha if dtype.is_floating_point else int(alpha) or 1
    index = torch.tensor(index)
    x = (torch.randn(shape) * 4).to(dtype)
    source = (torch.randn([*shape[:dim], index.numel(), *shape[dim:][1:]] if shape else ()) * 4).to(dtype)
    if dim == -1:
        source = (torch.randn(shape[0], index.numel()) * 4).to(dtype)
    result = compiled(lambda x, source: x.index_add(dim, index.clone(), source, alpha=alpha))(x, source)
    expected = x.double().index_add(dim, index, source.double(), alpha=alpha).to(dtype)
    torch.testing.assert_close(result, expected, rtol=2e-2 if dtype == torch.bfloat16 else 1e-5, atol=1e-2)
    assert backend.report() == []


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize(
    "call",
    [
        torch.nn.functional.silu,
        torch.tanh,
        lambda x: x / (1 + torch.exp(x)),
        lambda x: x.float() / torch.tensor([[3.0]] * len(x)).to(x.device),
    ],
)
def test_quotients_and_functions_of_zeros_keep_their_sign(call, dtype):
    x = torch.tensor([0.0, -0.0, 1.0, -1.0]).repeat(64, 16).to(dtype)
    result = compiled(lambda x: call(x).to(dtype))(x)
    assert torch.equal(result.signbit(), call(x).to(dtype).signbit())


def test_bucketize_takes_one_number():
    bounds = torch.tensor([-1.0, 0.0, 1.5])
    assert compiled(torch.bucketize)(torch.tensor(0.25), bounds) == 2


def floats_of_any_bits(*shape):
    low, high = torch.iinfo(torch.int32).min, torch.iinfo(torch.int32).max
    return torch.randint(low, high, shape, dtype=torch.int32).view(torch.float32)


LIMITS = [0.0, -0.0, float("inf"), float("nan"), 3e-39, 2.0**-101, -(2.0**-100), 2.0**20, 2.0**127, 1.0]


@pytest.mark.parametrize("dim", [0, 1])
def test_quotients_by_numbers_of_rows_and_columns(dim):
    """Rounded correctly but for one of a million next to the middle of two numbers, and for small ones (ADR 168)."""
    x, divisors = floats_of_any_bits(8192, 64), floats_of_any_bits(64 if dim == 0 else 8192)
    x[:, : len(LIMITS)] = torch.tensor(LIMITS)
    x[: len(LIMITS), -1] = torch.tensor(LIMITS)
    divisors[::2] = torch.randn_like(divisors[::2])
    divisors[: len(LIMITS)] = torch.tensor(LIMITS)

    def divide(x, d):
        # What depends on a column's sum divides its rows in a loop.
        return x / d[:, None] if dim == 1 else x / (d + 0 * x.sum(0))

    if dim == 0:
        x = x.clamp(-1e30, 1e30).nan_to_num()
    result, expected = torch.compile(divide, backend="fuser")(x, divisors), divide(x, divisors)
    assert torch.equal(result.isnan(), expected.isnan())
    known = ~expected.isnan()
    assert torch.equal(result.signbit()[known], expected.signbit()[known])
    apart = (result.view(torch.int32).long() - expected.view(torch.int32).long()).abs()[known]
    is_small = expected.abs()[known] < 2.0**-78
    assert apart.max() <= 2
    assert apart[~is_small].max() <= 1
    assert apart[~is_small].count_nonzero() <= 2 + apart.numel() / 2**18


@pytest.mark.parametrize("base", [-1, 0, 1, 2, 16, 256])
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8])
def test_powers_of_integers(base, dtype):
    """Exponents beyond the width of the type, and negative ones."""
    if base > torch.iinfo(dtype).max:
        pytest.skip("a number that the type does not hold")
    exponents = torch.arange(0 if dtype == torch.uint8 else -3, 70).to(dtype)
    result = compiled(lambda e: base**e)(exponents)
    torch.testing.assert_close(result, base**exponents)
    assert backend.report() == []


def test_powers_of_other_integers_are_eager():
    torch.testing.assert_close(compiled(lambda e: 3**e)(torch.arange(9)), 3 ** torch.arange(9))
    assert [fallback.op for fallback in backend.report()] == ["aten.pow.Scalar"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("offset", [1, 2, 3])
def test_parts_of_unaligned_arguments(offset, dtype):
    """Views in the program begin at multiples of a vector after an argument that does not."""
    rows = torch.randn(9, 131).to(dtype)[:, offset : offset + 128]

    def lift(x):
        even, odd = x[:, ::2], x[:, 1::2]
        return odd - (even + torch.roll(even, -1, -1)) / 2 + torch.softmax(x[:, 8:72], -1)

    torch.testing.assert_close(compiled(lift)(rows), lift(rows))
    assert backend.report() == []
    assert backend.counters().eager_calls == 0


def test_rows_at_other_strides():
    """Kernels with vectors are compiled for strides that these divide; others get kernels of their own."""
    run = compiled(lambda x, y: torch.exp(x + y) * 2)
    for columns, offset in [(2048, 0), (2051, 0), (2048, 4), (2051, 1), (2052, 0), (2050, 2), (1024, 0), (2048, 8)]:
        x, y = torch.randn(9, columns)[:, offset : offset + 1000], torch.randn(9, 1000)
        torch.testing.assert_close(run(x, y), torch.exp(x + y) * 2)
    assert backend.report() == []
    assert backend.counters().eager_calls == 0
