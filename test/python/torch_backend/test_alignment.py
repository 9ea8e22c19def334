"""Operands of matrix products with sizes that PyTorch's fast kernels do not take."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from fuser.torch import _alignment, _backend  # noqa: E402
from fuser.torch._alignment import align_products  # noqa: E402
from fuser.torch._decompositions import decompositions  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh")

aten, BF16 = torch.ops.aten, torch.bfloat16
PRODUCTS = (aten.mm.default, aten.bmm.default, aten.addmm.default, aten.baddbmm.default)


def randn(*shape, dtype=BF16):
    return torch.randn(shape).to(dtype)


def aligned(function, *arguments, mode="fake"):
    """The graph of a function with aligned products, which is checked against the function."""
    module = make_fx(function, decompositions(), tracing_mode=mode)(*arguments)
    align_products(module.graph, "cpu")
    module.graph.lint()
    module.recompile()
    expected, results = function(*arguments), module(*arguments)
    assert results.stride() == expected.stride()
    torch.testing.assert_close(results, expected, rtol=2e-2, atol=2e-2, equal_nan=True)
    return module.graph


def shapes_of(graph):
    """Shapes of the operands and the result of each product."""
    return [
        [tuple(item.meta["val"].shape) for item in (*node.all_input_nodes, node)]
        for node in graph.nodes
        if node.target in PRODUCTS
    ]


def count(graph, target):
    return sum(node.target is target for node in graph.nodes)


def test_rows_of_a_weight_are_padded_and_the_result_is_a_slice():
    graph = aligned(lambda x, w: torch.softmax(x @ w.t(), -1), randn(4096, 64), randn(5001, 64))
    assert shapes_of(graph) == [[(4096, 64), (64, 5008), (4096, 5008)]]
    assert count(graph, aten.constant_pad_nd.default) == 1
    assert count(graph, aten.slice.Tensor) == 1
    assert count(graph, aten.clone.default) == 0


def test_the_depth_is_padded_in_both_operands():
    graph = aligned(lambda x, w: (x.sigmoid() @ w).sigmoid(), randn(2048, 1003), randn(1003, 512))
    assert shapes_of(graph) == [[(2048, 1008), (1008, 512), (2048, 512)]]


def test_columns_of_a_transposed_operand_are_rows_of_the_result():
    graph = aligned(lambda g, x: g.t() @ x, randn(2048, 1003), randn(2048, 512))
    assert shapes_of(graph) == [[(1008, 2048), (2048, 512), (1008, 512)]]
    # Its rows are where eager mode has them.
    assert count(graph, aten.clone.default) == 0


def test_a_bias_is_padded_with_the_columns():
    graph = aligned(lambda x, w, b: F.linear(x, w, b).relu(), randn(4096, 64), randn(5001, 64), randn(5001))
    assert shapes_of(graph) == [[(5008,), (4096, 64), (64, 5008), (4096, 5008)]]


def test_a_bias_of_one_column_is_repeated():
    graph = aligned(lambda x, w, b: torch.addmm(b, x, w).relu(), randn(4096, 64), randn(64, 5001), randn(4096, 1))
    assert shapes_of(graph) == [[(4096, 1), (4096, 64), (64, 5008), (4096, 5008)]]


def test_products_of_a_batch():
    def attention(q, k, v):
        return torch.softmax(q @ k.transpose(-1, -2), -1) @ v

    graph = aligned(attention, *(randn(16, 4, 197, 64) for _ in range(3)))
    assert shapes_of(graph) == [
        [(64, 197, 64), (64, 64, 200), (64, 197, 200)],
        [(64, 197, 200), (64, 200, 64), (64, 197, 64)],
    ]


def test_what_is_padded_for_two_products_is_padded_once():
    def both(x, w):
        y = torch.softmax(x @ w.t(), -1)
        return y @ w

    graph = aligned(both, randn(4096, 512), randn(1001, 512))
    assert [shapes[-1] for shapes in shapes_of(graph)] == [(4096, 1008), (4096, 512)]
    assert count(graph, aten.constant_pad_nd.default) == 2


def test_a_matrix_times_itself():
    graph = aligned(lambda x: (x @ x).relu(), randn(2049, 2049))
    assert shapes_of(graph) == [[(2049, 2056), (2056, 2056), (2049, 2056)]]


def test_results_that_are_returned_are_stored_as_in_eager_mode():
    graph = aligned(lambda x, w: x @ w.t(), randn(8192, 512), randn(1001, 512))
    assert shapes_of(graph) == [[(8192, 512), (512, 1008), (8192, 1008)]]
    assert count(graph, aten.clone.default) == 1


def test_views_of_results_have_their_strides():
    def heads(x, w):
        y = (x @ w.t()).view(32, 128, 11, 91)
        return y.transpose(1, 2) * 2, y.sum()

    graph = aligned(lambda *arguments: heads(*arguments)[0].contiguous(), randn(4096, 512), randn(1001, 512))
    view = next(node for node in graph.nodes if node.target in (aten.view.default, aten.reshape.default))
    assert view.meta["val"].stride() == (128 * 1008, 1008, 91, 1)


def test_infinite_rows_do_not_reach_others():
    x, w = randn(2048, 1003), randn(1001, 1003)
    x[3, 5], w[7, 0] = torch.inf, torch.nan
    aligned(lambda x, w: (x @ w.t()).relu(), x, w)


@pytest.mark.parametrize(
    ("why", "shapes", "dtype"),
    [
        ("aligned sizes", ((4096, 64), (5008, 64)), BF16),
        ("little to gain", ((16, 64), (33, 64)), BF16),
        ("f32 without TF32", ((4096, 64), (5001, 64)), torch.float32),
        ("integers", ((512, 64), (501, 64)), torch.int32),
        ("nothing", ((0, 64), (501, 64)), BF16),
        ("no columns", ((512, 64), (0, 64)), BF16),
    ],
)
def test_other_products_stay(why, shapes, dtype):
    graph = aligned(lambda x, w: x @ w.t(), *(randn(*shape, dtype=dtype) for shape in shapes))
    assert count(graph, aten.constant_pad_nd.default) == 0, why


def test_f32_with_tf32_is_aligned():
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        arguments = [randn(4096, 512, dtype=torch.float32), randn(1001, 512, dtype=torch.float32)]
        graph = aligned(lambda x, w: (x @ w.t()).relu(), *arguments)
    finally:
        torch.set_float32_matmul_precision(before)
    assert shapes_of(graph) == [[(4096, 512), (512, 1004), (4096, 1004)]]


def test_sizes_that_are_not_known_stay():
    graph = aligned(lambda x, w: (x @ w.t()).relu(), randn(4096, 512), randn(1001, 512), mode="symbolic")
    assert count(graph, aten.constant_pad_nd.default) == 0


def test_other_devices_stay():
    module = make_fx(lambda x, w: x @ w.t(), tracing_mode="fake")(randn(4096, 64), randn(5001, 64))
    align_products(module.graph)
    assert count(module.graph, aten.constant_pad_nd.default) == 0


def test_a_training_step_pads_each_product(monkeypatch):
    graphs = []

    def on_cpu(graph):
        align_products(graph, "cpu")
        graphs.append(graph)

    monkeypatch.setattr(_backend, "align_products", on_cpu)

    def loss(x, w, bias, labels):
        return F.cross_entropy(F.linear(x, w, bias), labels, label_smoothing=0.1)

    def step(function):
        arguments = [value.detach().requires_grad_() for value in (x, w, bias)]
        result = function(*arguments, labels)
        return [result, *torch.autograd.grad(result, arguments)]

    x, w, bias, labels = randn(4096, 264), randn(1001, 264), randn(1001), torch.randint(1001, (4096,))
    results, expected = step(torch.compile(loss, backend="fuser")), step(loss)
    for a, b in zip(results, expected, strict=True):
        assert a.stride() == b.stride()
        torch.testing.assert_close(a, b, rtol=5e-2, atol=1e-3)
    # The joint graph, which the others are parts of.
    assert [shapes[-1] for shapes in shapes_of(graphs[0])] == [(4096, 1008), (4096, 264), (1008, 264)]
    assert fuser.torch.counters().eager_calls == 0


def test_rates_grow_with_alignment():
    for rates in (_alignment._RATES, _alignment._TF32_RATES):
        operations = [rates[of][0] for of in sorted(rates)]
        assert operations == sorted(operations)
