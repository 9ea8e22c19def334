"""At which depths nodes are computed, and what is stored between them."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

from fuser.torch import _backend  # noqa: E402, F401 - registers lowerings
from fuser.torch._partition import REGION, Partition, is_tensor  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh")


def partition_of(function, *inputs, mode="fake"):
    graph = make_fx(function, tracing_mode=mode)(*inputs).graph
    return Partition(graph, torch.device("cpu"))


def stored(partition):
    """What regions compute and other depths read: the name of the function, the own depth, those of readers."""
    found = []
    for node in partition.graph.nodes:
        if partition.kinds[node] == REGION and is_tensor(node):
            depths = {partition.depths[r] for r in partition.readers(node) if partition.kinds[r] == REGION}
            if depths - {partition.depths[node]}:
                found.append((node.target._opname, partition.depths[node], sorted(depths)))
    return found


def depths(partition, name):
    return [partition.depths[node] for node in partition.graph.find_nodes(op="call_function", target=name)]


def test_sums_over_steps_are_computed_once():
    def function(x, w):
        h, whole = x[:, 0], torch.zeros_like(x)
        for step in range(8):
            h = torch.tanh(h @ w + x[:, step])
            part = torch.select_scatter(torch.zeros_like(x), h, 1, step)
            whole = whole + part
        return whole @ w

    partition = partition_of(function, torch.randn(6, 16, 8), torch.randn(8, 8))
    # The states are stored for products; sums of what is 16 times as large are not.
    assert {name for name, _, _ in stored(partition)} == {"tanh"}
    assert len(set(depths(partition, torch.ops.aten.select_scatter.default))) == 1


@pytest.mark.parametrize("mode", ["fake", "symbolic"])
def test_small_results_of_large_sources_stay(mode):
    def function(x, w, v):
        y = x @ w
        small = y.sum(1, keepdim=True)
        return (torch.exp(y) @ v) * small, torch.exp(y) @ v

    partition = partition_of(function, torch.randn(6, 7), torch.randn(7, 64), torch.randn(64, 3), mode=mode)
    assert stored(partition) == [("sum", 1, [2])]


@pytest.mark.parametrize("mode", ["fake", "symbolic"])
def test_what_reads_less_than_it_makes_moves(mode):
    def function(x, w, v):
        row = x @ w
        outer = row[:, :, None] * row[:, None, :]
        return (row @ v)[:, :1, None] + outer

    partition = partition_of(function, torch.randn(6, 7), torch.randn(7, 64), torch.randn(64, 64), mode=mode)
    assert stored(partition) == []


def test_as_many_bytes_are_no_reason_to_move():
    def function(a, b, w):
        a, b = a @ w, b @ w
        return a * b + (torch.relu(a) + b) @ w

    partition = partition_of(function, *(torch.randn(8, 8) for _ in range(3)))
    assert stored(partition) == [("mul", 1, [2])]


def test_values_that_share_a_source_move_together():
    def function(x, g, w):
        moved = x.permute(1, 0).clone(memory_format=torch.contiguous_format)
        a, b = moved - 1, moved * 3
        y = g @ w
        return a * y, b + y

    partition = partition_of(function, torch.randn(8, 6), torch.randn(6, 4), torch.randn(4, 8))
    assert stored(partition) == []
    assert depths(partition, torch.ops.aten.clone.default) == [1]


def test_a_reduction_of_an_input_that_is_read_early_is_stored():
    def function(x, w):
        small = x.sum(1, keepdim=True)
        return (torch.exp(x) @ w) * small

    partition = partition_of(function, torch.randn(6, 64), torch.randn(64, 6))
    assert stored(partition) == [("sum", 0, [1])]


def test_moves_need_little_more_memory():
    def function(h, w):
        whole = 0
        for _ in range(4):
            h = torch.tanh(h @ w)
            whole = whole + (h @ h.T) * (h.neg() @ h.T)
        return whole * ((h @ w) @ h.T)

    def with_more(h, w, large):
        return function(h, w), torch.relu(torch.exp(large) @ large).sum()

    inputs = torch.randn(64, 2), torch.randn(2, 2)
    # Products would be read late instead of their sum, so that all of them live.
    assert "add" in {name for name, _, _ in stored(partition_of(function, *inputs))}
    # Another part of the graph needs more.
    found = stored(partition_of(with_more, *inputs, torch.randn(256, 256)))
    assert "add" not in {name for name, _, _ in found}


def test_several_results_of_one_node_move_together():
    def function(x, w):
        variance, mean = torch.var_mean(x, 1, keepdim=True)
        return (w @ w) * variance, (w @ w) + mean

    partition = partition_of(function, torch.randn(6, 3), torch.randn(6, 6))
    assert stored(partition) == []
    places = {partition.depths[node] for node in partition.graph.nodes if partition.kinds[node] == REGION}
    assert places == {1}


def test_readers_of_inputs_that_change_stay():
    def function(x, w):
        double = x * 2
        y = w @ w
        x.copy_(y)
        return double + w @ y

    partition = partition_of(function, torch.randn(6, 6), torch.randn(6, 6))
    assert depths(partition, torch.ops.aten.mul.Tensor) == [0]
