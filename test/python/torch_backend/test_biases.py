"""Convolutions, whose biases belong to regions."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from fuser.torch import _backend  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh")

aten = torch.ops.aten
CASES = {
    "1d": (F.conv1d, (3, 4, 20), (6, 4, 3), {"stride": 2, "padding": 1}),
    "2d": (F.conv2d, (3, 4, 9, 11), (6, 4, 3, 3), {"padding": 1}),
    "grouped": (F.conv2d, (3, 4, 9, 11), (8, 1, 3, 3), {"groups": 4}),
    "3d": (F.conv3d, (2, 3, 5, 6, 7), (4, 3, 2, 2, 2), {}),
    "transposed": (F.conv_transpose2d, (3, 4, 7, 8), (4, 6, 3, 3), {"stride": 2, "output_padding": 1}),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_biases_are_added_and_summed_by_regions(case, dtype, monkeypatch):
    graphs, compile_graph = [], _backend.compile_graph

    def recorded(module, inputs, options=None):
        graphs.append(module.graph)
        return compile_graph(module, inputs, options)

    monkeypatch.setattr(_backend, "compile_graph", recorded)
    function, shape, weights, options = CASES[case]
    channels = weights[1] if case == "transposed" else weights[0]
    made = [torch.randn(size).to(dtype) for size in (shape, weights, (channels,))]

    def step(call):
        arguments = [value.clone().requires_grad_() for value in made]
        result = call(*arguments)
        return [result, *torch.autograd.grad(result, arguments, torch.full_like(result, 0.5))]

    def call(x, w, b):
        return torch.tanh(function(F.silu(x), w, b, **options))

    tolerance = {"rtol": 1e-4, "atol": 1e-4} if dtype == torch.float32 else {"rtol": 3e-2, "atol": 6e-2}
    for a, b in zip(step(torch.compile(call, backend="fuser")), step(call), strict=True):
        assert a.stride() == b.stride()
        torch.testing.assert_close(a, b, **tolerance)
    nodes = [node for graph in graphs for node in graph.nodes]
    forward = [node for node in nodes if node.target is aten.convolution.default]
    backward = [node for node in nodes if node.target is aten.convolution_backward.default]
    assert [node.args[2] for node in forward] == [None]
    assert [node.args[-1][2] for node in backward] == [False]
    left = {item.op for item in fuser.torch.report()}
    assert left == {"aten.convolution.default", "aten.convolution_backward.default"}
