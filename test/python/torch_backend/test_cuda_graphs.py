"""Calls that a CUDA graph captures: their memory is the graph's, and each replay draws new random numbers."""

import gc

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser  # noqa: E402
import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from fuser._ahead import QUEUE  # noqa: E402

pytestmark = [
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"),
    pytest.mark.usefixtures("fresh"),
]


def compiled(function, **options):
    return torch.compile(function, backend="fuser", options=options)


def capture(function):
    """A graph, and what the function returned while it was captured."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = function()
    return graph, result


def replays(graph, result, count=2):
    found = []
    for _ in range(count):
        graph.replay()
        found.append(result.clone())
    return found


def test_a_graph_owns_the_memory_of_its_calls():
    run = compiled(lambda x, w: torch.softmax(F.gelu(x) @ w, -1) * 2)
    x, w = torch.randn(256, 256, device="cuda"), torch.randn(256, 256, device="cuda")
    run(x, w)
    first, result = capture(lambda: run(run(x, w), w))
    first.replay()
    expected = result.clone()
    # Memory that the first graph writes is neither given to another graph nor to calls on the same stream.
    second, other = capture(lambda: run(run(x + 1, w), w))
    second.replay()
    kept = other.clone()
    with torch.cuda.stream(torch.cuda.graph.default_capture_stream):
        eager = [run(x + i, w) for i in range(8)]
        copies = [tensor.clone() for tensor in eager]
    torch.cuda.synchronize()
    first.replay()
    torch.cuda.synchronize()
    assert torch.equal(other, kept)
    assert all(map(torch.equal, eager, copies))
    second.replay()
    assert torch.equal(result, expected)
    assert torch.equal(other, kept)


def test_memory_of_graphs_that_are_gone_is_used_again():
    run = compiled(lambda x: F.relu(x) * 2)
    x = torch.randn(4096, 4096, device="cuda")
    run(x)
    # Compilations that other tests began load code.
    QUEUE.stop()
    free = []
    for _ in range(6):
        graph, result = capture(lambda: run(x))
        graph.replay()
        del graph, result
        # What the capture has in reference cycles.
        gc.collect()
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        free.append(torch.cuda.mem_get_info()[0])
    # Each graph has memory for its result. The driver takes less for itself, at any time.
    assert free[1] - free[-1] < x.nbytes


def test_a_first_call_may_be_captured():
    run = compiled(lambda x: F.silu(x) + 1)
    x = torch.randn(64, 100, device="cuda")
    # TorchDynamo traces before, with other sizes: it reads states of generators, which it cannot during a capture.
    run(torch.randn(3, 5, device="cuda"))
    run(torch.randn(7, 9, device="cuda"))
    graph, result = capture(lambda: run(x))
    x.copy_(torch.randn(64, 100, device="cuda"))
    graph.replay()
    torch.testing.assert_close(result, F.silu(x) + 1)


@pytest.mark.parametrize("exact", [False, True])
def test_each_replay_draws_new_numbers(exact):
    run = compiled(lambda x: F.dropout(x, 0.5) + torch.rand_like(x), exact_random=exact)
    x = torch.ones(512, 300, device="cuda")
    run(x)
    graph, result = capture(lambda: run(x))
    a, b = replays(graph, result)
    assert not torch.equal(a, b)
    for each in (a, b):
        assert abs((each >= 2).float().mean().item() - 0.5) < 0.01
    torch.manual_seed(11)
    again = replays(graph, result)
    torch.manual_seed(11)
    assert all(map(torch.equal, again, replays(graph, result)))
    assert not torch.equal(*again)
    # Numbers outside of the graph go on after those of its replays.
    torch.manual_seed(11)
    first = run(x)
    replays(graph, result)
    assert not torch.equal(first, run(x))
    assert exact or backend.report() == []


def test_a_region_with_two_calls_draws_different_numbers():
    run = compiled(lambda x: F.dropout(x, 0.5))
    x = torch.ones(512, 300, device="cuda")
    run(x)
    graph, (a, b) = capture(lambda: (run(x), run(x)))
    graph.replay()
    assert not torch.equal(a, b)


def test_numbers_of_exact_random_are_those_of_eager_mode_in_a_graph():
    function = lambda x: F.dropout(x * 2, 0.25)  # noqa: E731
    run = compiled(function, exact_random=True)
    x = torch.ones(64, 100, device="cuda")
    run(x)
    graph, result = capture(lambda: run(x))
    eager, wanted = capture(lambda: function(x))
    torch.manual_seed(3)
    found = replays(graph, result)
    torch.manual_seed(3)
    assert all(map(torch.equal, found, replays(eager, wanted)))


def test_backward_has_the_mask_of_its_replay():
    run = compiled(lambda x, w: F.dropout(x * w, 0.5).sum(-1))
    x = torch.ones(128, 100, device="cuda", requires_grad=True)
    w = torch.full((100,), 2.0, device="cuda")

    def step():
        rows = run(x, w)
        (gradient,) = torch.autograd.grad(rows.sum(), x)
        return rows.detach(), gradient.sum(-1)

    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        step()
    torch.cuda.current_stream().wait_stream(stream)
    graph, (rows, gradients) = capture(step)
    seen = []
    for _ in range(2):
        graph.replay()
        # Of ones, both are the sum of w where elements were kept.
        torch.testing.assert_close(rows, gradients)
        seen.append(rows.clone())
    assert not torch.equal(*seen)


def test_definitions_need_a_seed():
    with fuser.FusionDefinition() as fd:
        x = fd.define_tensor([-1, -1])
        fd.add_output(fd.ops.rand_like(x))
    data = torch.ones(4, 5, device="cuda")
    fd.execute([data])
    with pytest.raises(fuser.DeviceError, match="a CUDA graph captures"):
        capture(lambda: fd.execute([data]))
    fd.execute([data])
