"""Whole graphs: dynamic sizes, random numbers, optimizers, boundaries of segments, and what is left to PyTorch."""

import logging

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser  # noqa: E402
import fuser.torch as backend  # noqa: E402
import sympy  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from functorch.compile import aot_function  # noqa: E402
from fuser.torch import _backend, _builder, _lowering, _region, _rng  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_programs")


@pytest.fixture
def slow_calls(monkeypatch):
    """Calls that the C function leaves, because kernels have to be compiled."""
    calls, original = [], _region.Region._run
    monkeypatch.setattr(_region.Region, "_run", lambda *arguments: calls.append(1) or original(*arguments))
    return calls


def test_second_size_compiles_nothing(slow_calls):
    def function(x, w):
        return F.rms_norm(x, (48,), w), torch.softmax(x, -1)

    run = torch.compile(function, backend="fuser", dynamic=True)
    w = torch.randn(48)
    for rows in (8, 24, 31):
        x = torch.randn(rows, 48)
        for a, b in zip(run(x, w), function(x, w), strict=True):
            torch.testing.assert_close(a, b)
    assert len(texts()) == 1
    assert "?x" in texts()[0]
    assert len(slow_calls) == 1
    assert backend.counters() == backend.Counters(kernel_calls=3, eager_calls=0, compiled_graphs=1, regions=1)


def test_parts_of_unknown_size_are_one_program():
    def chunks(x, c, s):
        a, b = x.chunk(2, -1)
        return torch.cat([a * c - b * s, a * s + b * c], -1)

    def halves(x, c, s):
        half = x.shape[-1] // 2
        return x + torch.cat([-x[..., half:], x[..., :half]], -1) * torch.cat([c, s], -1)

    for function in (chunks, halves):
        before = len(texts())
        run = torch.compile(function, backend="fuser", dynamic=True)
        for length in (64, 128, 22):
            x, c, s = torch.randn(3, 5, length), torch.randn(5, length // 2), torch.randn(5, length // 2)
            torch.testing.assert_close(run(x, c, s), function(x, c, s))
        assert len(texts()) == before + 1
        assert "tensor<?x?x?xf32>" in texts()[-1]


def test_equal_boxes_of_unknown_size_are_one_program():
    def function(x):
        return F.adaptive_avg_pool2d(x * 2, (7, 5)) + 1

    before, run = len(texts()), torch.compile(function, backend="fuser", dynamic=True)
    for shape in ((2, 3, 14, 20), (3, 4, 21, 25), (2, 3, 28, 55)):
        x, y = (torch.randn(shape, generator=torch.Generator().manual_seed(0)).requires_grad_() for _ in range(2))
        torch.testing.assert_close(run(x), function(y))
        for result in (run(x), function(y)):
            result.square().sum().backward()
        torch.testing.assert_close(x.grad, y.grad)
    assert len(texts()) == before + 2
    assert "tensor<?x?x7x?x5x?xf32>" in texts()[before]
    # Boxes that differ are left to PyTorch, where their sizes are unknown.
    x = torch.randn(2, 3, 15, 17)
    torch.testing.assert_close(run(x), function(x))
    assert "aten._adaptive_avg_pool2d.default" in {item.op for item in backend.report()}


def test_symbols_state_which_sizes_are_equal():
    """The gradient of a gathered element is a selection of all rows only if the indices have as many rows."""

    def function(x, index):
        return (torch.logsumexp(x, -1) - x.gather(-1, index[:, None])[:, 0]).sum()

    run = torch.compile(function, backend="fuser")
    for rows in (5, 9, 6):
        x, index = torch.randn(rows, 37, requires_grad=True), torch.randint(37, (rows,))
        gradients = [torch.autograd.grad(each(x, index), x)[0] for each in (run, function)]
        torch.testing.assert_close(*gradients)
    dynamic = [text for text in texts() if "?x37" in text and "scatter" in text]
    assert len(dynamic) == 1
    assert "#fuser.fact<equal 2[0], 1[0]>" in dynamic[0]


def _run_with_rows(function, sizes):
    run = torch.compile(function, backend="fuser")
    for rows, count in sizes:
        x, index = torch.randn(rows, 37), torch.randint(37, (count,))
        torch._dynamo.maybe_mark_dynamic(x, 0)
        torch._dynamo.maybe_mark_dynamic(index, 0)
        torch.testing.assert_close(run(x, index), function(x, index))


def test_gathers_read_rows_that_have_an_index():
    """No symbol states that there are as many rows as indices. A call with as many makes it a guard, and a call with
    more rows compiles another graph, which reads the first ones."""

    def function(x, index):
        return torch.log_softmax(x, -1).gather(-1, index[:, None])[:, 0]

    _run_with_rows(function, ((5, 5), (9, 9), (8, 8)))
    assert ["fuser.slice" in text for text in texts()] == [False]
    _run_with_rows(function, ((7, 6), (9, 9), (12, 11)))
    assert all("take_along_axis" in text and "fuser.gather" not in text for text in texts())
    assert sum("fuser.slice" in text for text in texts()) == 1
    assert backend.counters().eager_calls == 0


def test_scatters_have_as_many_sources_as_indices():
    """Also where symbols differ: neither a part of the sources nor of the rows is needed."""

    def function(x, index):
        rows = index.sort()[0] % x.shape[0]
        chosen = x.index_select(0, rows.abs())
        return torch.zeros_like(x).scatter_reduce(0, index[:, None].expand(-1, 37) % 3, chosen, "amax")

    _run_with_rows(function, ((5, 5), (9, 9), (8, 8)))
    assert any("fuser.push" in text or "fuser.scatter" in text for text in texts())
    assert all("fuser.slice" not in text for text in texts())


def test_groups_of_an_unknown_number_of_rows_have_a_known_size():
    """A view as groups of 64 rows has sizes that are quotients of the number of rows, which guards state to be numbers
    and sizes of other inputs."""

    def function(x, scales):
        return (x.view(-1, 64, 12) * scales[:, None]).view(x.shape[0], -1)

    run = torch.compile(function, backend="fuser")
    for groups in (3, 5, 4):
        x, scales = torch.randn(groups * 64, 12), torch.randn(groups, 12)
        torch.testing.assert_close(run(x, scales), function(x, scales))
    assert any("tensor<?x64x12xf32>" in text for text in texts())
    assert backend.counters().regions == 2
    assert backend.counters().eager_calls == 0


def test_numbers_of_sizes_do_not_divide_regions():
    """The gradient of a batch norm divides by the number of rows, which is known at the beginning of a call."""

    def function(x, w, b):
        return F.batch_norm(x, None, None, w, b, True)

    run = torch.compile(function, backend="fuser", dynamic=True)
    for rows in (4, 6, 9):
        x, w, b = torch.randn(rows, 8, 5, 5), torch.randn(8), torch.randn(8)
        leaves = [leaf.requires_grad_() for leaf in (x, w, b)]
        seed = torch.randn(rows, 8, 5, 5)
        gradients = [torch.autograd.grad(each(*leaves), leaves, seed) for each in (run, function)]
        for found, wanted in zip(*gradients, strict=True):
            torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)
    assert backend.counters().regions == 2
    assert backend.counters().eager_calls == 0


@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_group_norms_are_one_region(memory_format):
    """Statistics of groups and scaled channels, whatever the order of the image in memory is."""

    def function(x, w, b):
        return F.silu(F.group_norm(x, 4, w, b))

    x = torch.randn(2, 20, 5, 7).to(memory_format=memory_format)
    w, b = torch.randn(20), torch.randn(20)
    result = torch.compile(function, backend="fuser")(x, w, b)
    torch.testing.assert_close(result, function(x, w, b))
    assert result.stride() == function(x, w, b).stride()
    assert backend.counters().regions == 1


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.as_strided((6, 20), (20, 1)),
        lambda x: x.as_strided((5, 4, 6), (1, 5, 20)),
        lambda x: x.as_strided((1, 24, 5), (7, 5, 1)),
        lambda x: x.permute(2, 0, 1).as_strided((4, 30), (30, 1)),
        lambda x: x.as_strided((3, 5), (20, 1)),
        lambda x: x.as_strided((6, 4), (10, 5), 3),
        lambda x: x.as_strided((6, 20), (0, 1)),
        lambda x: x[:, :2].as_strided((4, 5), (5, 1)),
    ],
)
def test_strided_views(view):
    """Reshapes and permutations of all elements are lowered; parts, overlaps and windows are left to PyTorch."""

    def function(x):
        y = x + 1
        return view(y) * 2, view(y)

    x = torch.randn(6, 4, 5)
    for result, expected in zip(torch.compile(function, backend="fuser")(x), function(x), strict=True):
        torch.testing.assert_close(result, expected)
        assert result.stride() == expected.stride()


@pytest.mark.parametrize(
    ("sizes", "strides", "offset", "is_lowered"),
    [
        ((6, 20), (20, 1), 0, True),
        ((5, 4, 6), (1, 5, 20), 0, True),
        ((1, 24, 5), (7, 5, 1), 0, True),
        ((3, 20), (20, 1), 0, False),
        ((6, 4), (10, 5), 3, False),
    ],
)
def test_strided_scatters(sizes, strides, offset, is_lowered):
    """Scatters to all elements are copies of another shape; others are left to PyTorch."""

    def function(x, y):
        return torch.as_strided_scatter(x + 1, y * 2, sizes, strides, offset) * 3

    inputs = torch.randn(6, 4, 5), torch.randn(sizes)
    torch.testing.assert_close(torch.compile(function, backend="fuser")(*inputs), function(*inputs))
    assert ("aten.as_strided_scatter.default" not in {item.op for item in backend.report()}) == is_lowered


def test_gradient_of_a_mean_of_channels_last():
    def function(x):
        return F.adaptive_avg_pool2d(torch.relu(x), 1).flatten(1)

    x, y = (torch.linspace(-1, 1, 480).view(2, 8, 5, 6).to(memory_format=torch.channels_last) for _ in range(2))
    for run, given in ((torch.compile(function, backend="fuser"), x), (function, y)):
        run(given.requires_grad_()).square().sum().backward()
    torch.testing.assert_close(x.grad, y.grad)
    assert not backend.report()


def test_sizes_are_operands():
    def function(x):
        rows, columns = x.shape
        index = torch.arange(columns) + rows
        return x * rows + index, F.pad(x, (0, 2)), torch.cat([x, x[:, 1:]], 1), x.sum() / columns

    run = torch.compile(function, backend="fuser", dynamic=True)
    for shape in ((3, 5), (4, 9), (7, 6)):
        x = torch.randn(shape)
        for a, b in zip(run(x), function(x), strict=True):
            assert (a.dtype, a.stride()) == (b.dtype, b.stride())
            torch.testing.assert_close(a, b)
    assert backend.report() == []
    assert backend.counters().eager_calls == 0


def test_reshapes_of_dynamic_sizes_are_views():
    def function(x, y):
        rows, columns, _ = x.shape
        z = (x @ y).view(rows * columns, -1).relu() + 1
        return z.view(rows, columns, 4, -1).transpose(1, 2) * 2

    run = torch.compile(function, backend="fuser", dynamic=True)
    for rows, columns in ((2, 5), (3, 7)):
        x, y = torch.randn(rows, columns, 8), torch.randn(8, 16)
        result, expected = run(x, y), function(x, y)
        assert result.stride() == expected.stride()
        torch.testing.assert_close(result, expected)
    assert [item.op for item in backend.report()] == ["aten.mm.default"]
    assert len(texts()) == 1


def test_random_numbers_depend_on_the_seed():
    function = torch.compile(lambda x: F.dropout(x, 0.25), backend="fuser")
    x = torch.ones(64, 128, requires_grad=True)
    torch.manual_seed(3)
    first, second = function(x), function(x)
    torch.manual_seed(3)
    again = function(x)
    assert torch.equal(first, again)
    assert not torch.equal(first, second)
    assert abs((first == 0).float().mean().item() - 0.25) < 0.03
    (gradient,) = torch.autograd.grad(first, x, torch.ones_like(x))
    assert torch.equal(gradient, first.detach())
    assert backend.report() == []


@pytest.mark.parametrize(
    ("function", "dtype"),
    [(torch.linspace, torch.int64), (torch.logspace, torch.int64), (torch.logspace, torch.bfloat16)],
)
def test_sequences_are_rounded_as_in_eager_mode(function, dtype):
    def run(x):
        return x + function(-2, 5, 50, dtype=dtype)

    x = torch.zeros(50, dtype=dtype)
    assert torch.equal(torch.compile(run, backend="fuser")(x), run(x))
    assert [item.op for item in backend.report()] == [f"aten.{function.__name__}.default"]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_a_loss_overflows_as_in_eager_mode(reduction):
    x = torch.tensor([-3.0, 14.0], dtype=torch.float16, requires_grad=True)
    target = torch.tensor([1.0, -1.0], dtype=torch.float16)
    run = lambda x, y: F.soft_margin_loss(x, y, reduction=reduction)  # noqa: E731
    result, expected = torch.compile(run, backend="fuser")(x, target), run(x, target)
    assert torch.isinf(result).any()
    torch.testing.assert_close(result, expected)
    gradients = [torch.autograd.grad(each.sum(), x)[0] for each in (result, expected)]
    assert gradients[0].isnan().tolist() == [False, True]
    torch.testing.assert_close(*gradients, equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_quotients_are_rounded_before_they_are_truncated(dtype):
    x, y = (torch.randn(4096) * 8).to(dtype), torch.randn(4096).to(dtype)
    run = lambda x, y: torch.div(x, y, rounding_mode="trunc")  # noqa: E731
    torch.testing.assert_close(torch.compile(run, backend="fuser")(x, y), run(x, y), rtol=0, atol=0)


def test_constants_of_a_graph_outlive_a_call():
    def function(x):
        return torch.mm(torch.where(x > 0, x, torch.tensor(2.0)), x)

    run = aot_function(
        function, fw_compiler=_backend.compile_graph, inference_compiler=_backend.compile_graph, decompositions={}
    )
    x = torch.randn(4, 4)
    for _ in range(2):
        torch.testing.assert_close(run(x), function(x))


def test_elements_of_rank_0_are_gathered():
    x, index = torch.tensor(3.0), torch.tensor(0)
    run = torch.compile(lambda x, index: torch.gather(x * 2, 0, index), backend="fuser")
    assert run(x, index) == 6
    assert backend.report() == []


def test_bounds_of_integers_are_truncated():
    x = torch.arange(-5, 6)
    for run in (lambda x: F.hardtanh(x), lambda x: F.hardtanh(x, -2.5, 3.9)):
        assert torch.equal(torch.compile(run, backend="fuser")(x), run(x))
    assert backend.report() == []


@pytest.mark.parametrize("dynamic", [False, True])
def test_numbers_of_a_seed_in_memory_are_those_of_the_number(monkeypatch, dynamic):
    """As during the capture of a CUDA graph."""

    def function(x):
        return F.dropout(x, 0.25) + torch.randn_like(x), torch.rand(x.shape[0])

    state = torch.tensor(0)
    seeds = iter([7, state, state, 8])
    monkeypatch.setattr(_rng, "draw", lambda device, count: (next(seeds), 0))
    run = torch.compile(function, backend="fuser", dynamic=dynamic)
    x = torch.ones(64, 100, requires_grad=True)
    number = run(x)
    state.fill_(7)
    memory = run(x)
    assert all(map(torch.equal, number, memory))
    gradients = [torch.autograd.grad(result.sum(), x)[0] for result, _ in (number, memory)]
    assert torch.equal(*gradients)
    # The same program draws other numbers after the memory has changed.
    state.fill_(8)
    changed, number = run(x), run(x)
    assert all(map(torch.equal, changed, number))
    assert not torch.equal(changed[0], memory[0])
    assert backend.report() == []
    assert len([text for text in texts() if "fuser.random_uniform %a" in text and "tensor<i64> ->" in text]) == 1


def test_exact_random_numbers_are_those_of_eager_mode():
    function = lambda x: F.dropout(x * 2, 0.25) + torch.rand(4)  # noqa: E731
    x = torch.ones(8, 4)
    torch.manual_seed(3)
    result = torch.compile(function, backend="fuser", options={"exact_random": True})(x)
    torch.manual_seed(3)
    assert torch.equal(result, function(x))


@pytest.mark.parametrize("optimizer", [torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD], ids=str)
def test_optimizers(optimizer):
    shapes = [(4, 6), (5,), (3, 2, 2)]
    initial = [torch.randn(shape) for shape in shapes]
    many = [[torch.nn.Parameter(tensor.clone()) for tensor in initial] for _ in range(2)]
    options = {"momentum": 0.9} if optimizer is torch.optim.SGD else {}
    optimizers = [optimizer(parameters, lr=0.01, foreach=True, **options) for parameters in many]
    step = torch.compile(optimizers[0].step, backend="fuser")
    for _ in range(3):
        for a, b in zip(*many, strict=True):
            a.grad = torch.randn_like(a)
            b.grad = a.grad.clone()
        step()
        optimizers[1].step()
    for a, b in zip(*many, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
        for name, value in optimizers[1].state[b].items():
            torch.testing.assert_close(optimizers[0].state[a][name], value)
    # Parameters and moments are stored by the program.
    assert backend.report() == []
    assert any("#fuser.alias" in text for text in texts())


def test_marks_are_boundaries_of_segments():
    def function(x):
        return fuser.segment(x.relu() * 2).exp() + 1

    x = torch.randn(8, 16, requires_grad=True)
    torch.testing.assert_close(torch.compile(function, backend="fuser")(x), function(x))
    (text,) = texts()
    assert text.count("fuser.segment_set") == 1
    result = torch.compile(function, backend="fuser")(x.detach())
    torch.testing.assert_close(result, function(x.detach()))
    # Two kernels: the segmenter has kept the boundary.
    plain = fuser._texts.transform(texts()[-1], "segmentation", None, (), ())
    assert plain.count("fuser.kernel @") == 2


def test_modules_are_marked_by_name():
    model = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.LayerNorm(16), torch.nn.GELU())
    backend.mark_module(model, "1")
    x = torch.randn(8, 16)
    torch.testing.assert_close(torch.compile(model, backend="fuser")(x), model(x))
    (text,) = texts()
    assert text.count("fuser.segment_set") == 2
    with pytest.raises(AttributeError):
        backend.mark_module(model, "norm")


def test_what_pytorch_computes_is_reported_once(caplog):
    def function(x, w):
        return torch.sort((x.exp() @ w).relu() + 1)[0] * 2

    x, w = torch.randn(4, 5), torch.randn(5, 5)
    with caplog.at_level(logging.INFO, logger="fuser.torch"):
        run = torch.compile(function, backend="fuser")
        for _ in range(3):
            torch.testing.assert_close(run(x, w), function(x, w))
    assert {item.op for item in backend.report()} == {"aten.mm.default", "aten.sort.default"}
    levels = {record.getMessage().split()[0]: record.levelname for record in caplog.records}
    assert levels == {"aten.mm.default": "INFO", "aten.sort.default": "WARNING"}
    assert len(caplog.records) == 2
    # exp; relu and +1; *2
    assert backend.counters().regions == 3


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.view_as_complex(x.view(4, 4, 2)) * 2j,
        lambda x: x.to(torch.uint16).int() + 1,
        lambda x: x[x > 0],
        lambda x: torch.nonzero(x).sum(),
        lambda x: torch.linalg.inv(x[:, :4] + 10 * torch.eye(4)),
        lambda x: x.to(torch.float8_e4m3fnuz).float() + 1,
        lambda x: x.to_sparse().to_dense() + 1,
    ],
    ids=["complex", "uint16", "mask", "nonzero", "library", "f8", "sparse"],
)
def test_what_has_no_lowering_is_left_to_pytorch(function):
    x = torch.rand(4, 8)
    torch.testing.assert_close(torch.compile(function, backend="fuser")(x), function(x))


def test_a_region_that_fails_is_computed_by_pytorch(monkeypatch):
    def fail(*_arguments):
        raise fuser.CompilationError("CompilationFailed", "expected to fail")

    monkeypatch.setattr(_region, "_run_program", fail)
    x, total = torch.randn(4, 5), torch.zeros(5)

    def function(x, total):
        total += x.exp().sum(0)
        return x[:, 1:] * 2

    x_own, total_own = x.clone(), total.clone()
    result, expected = torch.compile(function, backend="fuser")(x, total), function(x_own, total_own)
    torch.testing.assert_close((result, total), (expected, total_own))
    assert all("expected to fail" in item.reason for item in backend.report())
    assert backend.counters().eager_calls == 1


def test_unknown_options_are_refused():
    with pytest.raises(Exception, match="options: expected exact_random"):
        torch.compile(lambda x: x + 1, backend="fuser", options={"speed": 11})(torch.ones(3))


def test_parameters_take_the_fast_path(slow_calls):
    weight = torch.nn.Parameter(torch.randn(16))
    run = torch.compile(lambda x: x * weight, backend="fuser")
    x = torch.randn(8, 16, requires_grad=True)
    for _ in range(3):
        assert run(x).requires_grad
    assert len(slow_calls) == 1


def test_factories_take_the_fast_path(slow_calls):
    run = torch.compile(lambda: torch.arange(5) * 2, backend="fuser")
    for _ in range(3):
        assert torch.equal(run(), torch.arange(5) * 2)
    assert len(slow_calls) == 1


def test_a_lowering_that_fails_leaves_its_op_to_pytorch(monkeypatch):
    def fail(*_arguments, **_named):
        raise KeyError("unexpected")

    monkeypatch.setitem(_lowering.LOWERINGS, torch.ops.aten.exp.default, fail)
    x = torch.randn(4, 5)
    torch.testing.assert_close(torch.compile(lambda x: (x + 1).exp() * 2, backend="fuser")(x), (x + 1).exp() * 2)
    (item,) = backend.report()
    assert (item.op, item.count) == ("aten.exp.default", 1)
    assert "KeyError" in item.reason


def test_views_are_made_before_arguments_are_read():
    def function(x, y):
        is_half = x == 0.5
        return y.reshape(1, -1).argmin(0, keepdim=True), is_half

    x, y = torch.randn(3, 1), torch.randn(33, 5)
    results = torch.compile(function, backend="fuser", dynamic=True)(x, y)
    for result, expected in zip(results, function(x, y), strict=True):
        assert torch.equal(result, expected)


def test_a_node_that_the_compiler_refuses_leaves_its_region_alone(monkeypatch):
    def write_unknown_op(b, out, x):
        return b.define(f"fuser.no_such_op {x.name} : {x.type}", x.dtype, x.shape)

    def function(x):
        return (x.sin() * 2).sum(0), (x.exp() + 1).softmax(-1)

    monkeypatch.setitem(_lowering.LOWERINGS, torch.ops.aten.sin.default, write_unknown_op)
    x = torch.randn(4, 5, 7)
    results = torch.compile(function, backend="fuser", dynamic=True)(x)
    for result, expected in zip(results, function(x), strict=True):
        torch.testing.assert_close(result, expected)
    (item,) = backend.report()
    assert item.op == "aten.sin.default"
    assert "its program was refused" in item.reason
    assert backend.counters().kernel_calls > 0


def test_stores_in_slices_have_gradients():
    def function(x):
        y = x * 2
        y[:, 1:] = y[:, :-1].clone()
        y.diagonal().mul_(3)
        return y.square().sum()

    gradients = []
    for run in (function, torch.compile(function, backend="fuser")):
        x = torch.arange(12.0).view(3, 4).requires_grad_()
        run(x).backward()
        gradients.append(x.grad)
    assert torch.equal(*gradients)
    assert backend.report() == []
    assert backend.counters().eager_calls == 0


def test_indices_of_symbolic_sizes():
    def function(x, index):
        return x[index], x[-index - 1] * 2, x[:, index].flip(0, -1), x.index_fill(1, index, 2.0)

    run = torch.compile(function, backend="fuser", dynamic=True)
    index = torch.tensor([0, 2, 3])
    for shape in ((4, 5, 3), (7, 6, 2), (4, 9, 3)):
        x = torch.randn(shape)
        for result, expected in zip(run(x, index), function(x, index), strict=True):
            torch.testing.assert_close(result, expected)
    assert backend.report() == []
    assert backend.counters().eager_calls == 0


def test_sizes_are_squared():
    def function(x):
        return x * (x.shape[0] ** 2), torch.true_divide(x, x.shape[0] ** 3)

    run = torch.compile(function, backend="fuser", dynamic=True)
    for rows in (3, 5):
        x = torch.randn(rows, 4)
        for result, expected in zip(run(x), function(x), strict=True):
            torch.testing.assert_close(result, expected)
    assert backend.report() == []


def test_sizes_that_no_tensor_has():
    # The size is an integer argument of the region, and kernels are compiled for its value.
    def function(x):
        places = torch.arange(x.shape[1])
        distance = (places[None] - places[:, None]).abs()
        far = 8 + (torch.log(distance.float() / 8 + 1e-6) * 2).long()
        return torch.where(distance < 8, distance, torch.minimum(far, torch.full_like(far, 15)))

    run = torch.compile(function, backend="fuser", dynamic=True)
    for columns in (9, 16, 7, 32):
        x = torch.randn(2, columns)
        assert torch.equal(run(x), function(x))
    assert backend.report() == []
    assert backend.counters().eager_calls == 0


def _saved_by(function, *args, dynamic=False):
    """The result of a compiled function, and what is stored for its gradient."""
    saved = []

    def pack(value):
        saved.append(value)
        return value

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda value: value):
        result = torch.compile(function, backend="fuser", dynamic=dynamic)(*args)
    return result, [(tuple(value.shape), value.dtype) for value in saved]


@pytest.mark.parametrize("dynamic", [False, True])
def test_what_is_normalized_is_not_stored(dynamic):
    """Also where sizes are computed: the number of elements of a channel."""

    def function(x):
        return F.batch_norm(x, None, None, training=True).relu()

    x = torch.randn(6, 5, 7, requires_grad=True)
    result, saved = _saved_by(function, x, dynamic=dynamic)
    assert [shape for shape, _ in saved].count((6, 5, 7)) == 1
    expected = torch.autograd.grad(function(x).sin().sum(), x)
    torch.testing.assert_close(torch.autograd.grad(result.sin().sum(), x), expected)


def test_rows_that_two_views_merge_are_equal():
    """Logits and targets of unknown rows and columns have as many rows, as a guard states."""

    def function(x, target):
        return F.cross_entropy(x.view(-1, x.shape[-1]).float(), target.view(-1))

    run = torch.compile(function, backend="fuser")
    for rows, columns in ((3, 7), (4, 5), (2, 9)):
        x, target = torch.randn(rows, columns, 33).bfloat16().requires_grad_(), torch.randint(33, (rows, columns))
        result, expected = run(x, target), function(x, target)
        torch.testing.assert_close(result, expected)
        torch.testing.assert_close(torch.autograd.grad(result, x), torch.autograd.grad(expected, x))
    forward = texts()[2]
    assert "tensor<?x?x33xbf16>" in forward
    # No rows are without a target.
    assert "fuser.slice" not in forward
    assert backend.report() == []


@pytest.mark.parametrize("dynamic", [False, True])
def test_what_is_cropped_is_not_stored(dynamic):
    """The size of a part, which a view reads, follows from that of the argument."""

    def function(x, target):
        return F.cross_entropy(x[:, :-1].reshape(-1, 33).float(), target[:, 1:].reshape(-1))

    x, target = torch.randn(3, 7, 33).bfloat16().requires_grad_(), torch.randint(33, (3, 7))
    result, saved = _saved_by(function, x, target, dynamic=dynamic)
    assert [shape for shape, dtype in saved if dtype == torch.bfloat16] == [(3, 7, 33)]
    torch.testing.assert_close(torch.autograd.grad(result, x), torch.autograd.grad(function(x, target), x))


@pytest.mark.parametrize("dynamic", [False, True])
def test_gates_are_computed_again(dynamic):
    """Columns of any number of rows: slices of all rows are none."""

    def function(x, y, state):
        r, z, n = ((x[:, i : i + 4], y[:, i : i + 4]) for i in (0, 4, 8))
        z = torch.sigmoid(z[0] + z[1])
        return (1 - z) * torch.tanh(n[0] + torch.sigmoid(r[0] + r[1]) * n[1]) + z * state

    args = [torch.randn(7, size, requires_grad=True) for size in (12, 12, 4)]
    result, saved = _saved_by(function, *args, dynamic=dynamic)
    assert [shape for shape, _ in saved] == [(7, 12), (7, 12), (7, 4)]
    expected = torch.autograd.grad(function(*args).sin().sum(), args)
    torch.testing.assert_close(torch.autograd.grad(result.sin().sum(), args), expected)
    assert "scatter" not in texts()[-1]


def test_what_kernels_compute_again_is_not_stored():
    target = torch.randint(33, (6,))

    def function(x):
        return torch.nn.functional.cross_entropy(x.float(), target)

    x = torch.randn(6, 33).bfloat16().requires_grad_()
    result, saved = _saved_by(function, x)
    assert ((6, 33), torch.bfloat16) in saved
    assert ((6, 33), torch.float32) not in saved
    expected = torch.autograd.grad(function(x), x)
    torch.testing.assert_close(torch.autograd.grad(result, x), expected)


def test_what_libraries_read_is_stored():
    def function(x, a, b):
        return torch.tanh(torch.nn.functional.gelu(x @ a)) @ b

    x, a, b = torch.randn(6, 5), torch.randn(5, 33, requires_grad=True), torch.randn(33, 7, requires_grad=True)
    result, saved = _saved_by(function, x, a, b)
    # What gelu reads, and what the second product does.
    assert len([shape for shape, _ in saved if sorted(shape) == [6, 33]]) == 2
    expected = torch.autograd.grad(function(x, a, b).sum(), (a, b))
    torch.testing.assert_close(torch.autograd.grad(result.sum(), (a, b)), expected)


def test_reshapes_of_dynamic_sizes_state_their_groups():
    """Images of any size with any number of channels are one region."""

    def function(x, w, b):
        merged = (x * 2).flatten(1, 2).view(x.shape[0], -1, 4, x.shape[3] // 4)
        return F.silu(F.group_norm(x, 4, w, b)), merged.relu()

    run = torch.compile(function, backend="fuser", dynamic=True)
    for shape in ((2, 12, 5, 8), (3, 20, 7, 12)):
        x, w, b = torch.randn(shape), torch.randn(shape[1]), torch.randn(shape[1])
        for result, expected in zip(run(x, w, b), function(x, w, b), strict=True):
            assert result.stride() == expected.stride()
            torch.testing.assert_close(result, expected)
    assert [text.count(" groups [") for text in texts()] == [5]
    assert backend.report() == []


def test_rows_and_columns_of_images_get_ranges(slow_calls):
    """The first size is exact; the second one shows that sizes differ, and its kernel serves others."""

    def function(x, w, b):
        return F.silu(F.group_norm(x, 4, w, b))

    run, w, b = torch.compile(function, backend="fuser"), torch.randn(40), torch.randn(40)
    for rows, columns in ((16, 40), (8, 24), (8, 32), (48, 32), (16, 8), (24, 48), (16, 40)):
        x = torch.randn(2, 40, rows, columns)
        for dim in (0, 2, 3):
            torch._dynamo.maybe_mark_dynamic(x, dim)
        torch.testing.assert_close(run(x, w, b), function(x, w, b))
    assert len(slow_calls) == 2
    assert backend.report() == []


def masked_windows(x, bias, mask):
    scores = (x * 0.5 + bias).view(-1, len(mask), 3, 5, 5) + mask[None, :, None]
    return torch.softmax(scores.view(-1, 3, 5, 5), -1)


@pytest.mark.parametrize("is_transposed", [False, True])
def test_dimensions_of_unknown_size_split_before_computing(is_transposed):
    """Windows with an unknown number of masks are one region, and the gradient stores only what it reads."""
    run = torch.compile(masked_windows, backend="fuser")
    for windows, masks in ((8, 4), (15, 3)):
        x = torch.randn(3, 5, 5, windows).movedim(-1, 0) if is_transposed else torch.randn(windows, 3, 5, 5)
        x, bias, mask = x.requires_grad_(), torch.randn(3, 5, 5, requires_grad=True), torch.randn(masks, 5, 5)
        for tensor in (x, mask):
            torch._dynamo.mark_dynamic(tensor, 0)
        found, wanted = run(x, bias, mask), masked_windows(x, bias, mask)
        torch.testing.assert_close(found, wanted)
        seed = torch.randn_like(wanted)
        results = [torch.autograd.grad(result, (x, bias), seed) for result in (found, wanted)]
        torch.testing.assert_close(*results)
    forward, _ = texts()
    assert "tensor<?x?x3x5x5xf32>" in forward.split("\n")[0]
    assert forward.split("return ")[1].count("tensor") == 1
    assert backend.report() == []


def test_sizes_that_are_replaced_by_others():
    """The first size of `weights` equals a multiple of that of `ids` by a guard of their product."""

    def function(ids, weights):
        counts = torch.zeros(7, dtype=torch.int64).scatter_add_(0, ids.flatten(), torch.ones_like(ids.flatten()))
        return counts, torch.zeros(7).index_add_(0, ids.flatten(), weights.flatten())

    run = torch.compile(function, backend="fuser")
    for first in (5, 6):
        ids, weights = torch.randint(7, (first, 30, 2)), torch.rand(first * 30, 2)
        for tensor in (ids, weights):
            torch._dynamo.mark_dynamic(tensor, 0)
        torch.testing.assert_close(run(ids, weights), function(ids, weights))
    assert backend.report() == []


def test_gradients_of_rows_that_a_view_merges_are_computed_in_their_dimensions():
    """The gradient of shifted logits of unknown sizes is one region: sums and scatters along the classes, too."""

    def function(x, target):
        x, target = x[:, :-1].float(), target[:, 1:]
        return F.cross_entropy(x.reshape(-1, x.shape[-1]), target.reshape(-1))

    run = torch.compile(function, backend="fuser", dynamic=True)
    for sizes in ((4, 9, 33), (3, 17, 101), (2, 5, 64)):
        x, target = torch.randn(sizes).bfloat16().requires_grad_(), torch.randint(sizes[-1], sizes[:2])
        found, wanted = run(x, target), function(x, target)
        torch.testing.assert_close(found, wanted)
        torch.testing.assert_close(torch.autograd.grad(found, x), torch.autograd.grad(wanted, x))
    _, backward = texts()
    assert "fuser.scatter" in backward
    assert "fuser.insert_slice" in backward
    kernels = fuser._texts.transform(backward, "segmentation", None, (), ())
    assert kernels.count("fuser.kernel @") == 1
    assert backend.report() == []


def test_what_is_read_elsewhere_is_not_split_before_computing():
    def function(x, mask):
        y = x.exp()
        return y, y.view(-1, len(mask), 6) + mask

    run = torch.compile(function, backend="fuser", dynamic=True)
    for rows, masks in ((8, 4), (15, 3)):
        x, mask = torch.randn(rows, 6), torch.randn(masks, 6)
        torch.testing.assert_close(run(x, mask), function(x, mask))
    assert len([text for text in texts() if "fuser.exp" in text]) == 1


def test_groups_of_a_reshape():
    a, b, c = sympy.symbols("a b c", positive=True, integer=True)
    assert _builder.find_groups((a, b, c), (a, b * c)) == [(1, 1), (2, 1)]
    assert _builder.find_groups((a, b, 5, c), (a, 4, b // 4, 5 * c)) == [(1, 1), (1, 2), (2, 1)]
    assert _builder.find_groups((a, 1, b), (1, a, b)) is not None
    # Two sizes of the result are unknown, and one group has both.
    assert _builder.find_groups((a * b,), (a, b)) is None
    assert _builder.find_groups((a, b), (b, a)) is None


@pytest.mark.parametrize("activation", [torch.sigmoid, torch.tanh])
def test_results_that_gradients_read_are_computed_again(activation):
    def function(x, gate):
        return x * activation(gate)

    x, gate = (torch.randn(6, 33).bfloat16().requires_grad_() for _ in range(2))
    result, saved = _saved_by(function, x, gate)
    assert len(saved) == 2
    gradient = torch.randn_like(result)
    results = torch.autograd.grad(result, (x, gate), gradient)
    for found, expected in zip(results, torch.autograd.grad(function(x, gate), (x, gate), gradient), strict=True):
        assert torch.equal(found, expected)
    # The forward graph returns the product alone.
    assert texts()[0].count("fuser.return") == 1
    assert len(texts()[0].split("fuser.return")[1].split(":")[0].split(",")) == 1
