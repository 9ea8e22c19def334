"""Random functions (random_graphs.py) next to eager mode: with numbers for sizes, with symbols, and their gradients."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch  # noqa: E402
from torch_backend.random_graphs import Graph, describe_difference  # noqa: E402


@pytest.fixture(autouse=True)
def _fresh():
    torch._dynamo.reset()
    fuser.torch.reset()


def check(results, expected, eps, floor=0.0):
    assert len(results) == len(expected)
    differences = [describe_difference(*pair, eps, floor) for pair in zip(results, expected, strict=True)]
    assert not any(differences), differences


def skip_if_refused(graph, run):
    """Skips what PyTorch itself cannot compile."""
    torch._dynamo.reset()
    try:
        run(torch.compile(graph.make_function(), backend="aot_eager", fullgraph=True))
    except Exception as error:
        pytest.skip(f"refused by PyTorch: {error}")


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("dynamic", [False, True], ids=("static", "dynamic"))
def test_results(seed, dynamic):
    graph = Graph(seed + 1000 * dynamic)
    if not graph.text:
        pytest.skip("no line was accepted")
    expected = graph.make_function()(*graph.inputs)
    try:
        results = torch.compile(graph.make_function(), backend="fuser", dynamic=dynamic, fullgraph=True)(*graph.inputs)
    except Exception:
        skip_if_refused(graph, lambda function: function(*graph.inputs))
        raise
    check(results, expected, graph.eps)


@pytest.mark.parametrize("seed", range(2000, 2060))
def test_gradients(seed):
    graph = Graph(seed)
    leaves = [number for number, value in enumerate(graph.inputs) if value.is_floating_point()]
    if not graph.text or not leaves:
        pytest.skip("nothing to differentiate")

    def run(function):
        given = list(graph.inputs)
        for number in leaves:
            value = given[number]
            given[number] = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype).copy_(value)
            given[number].requires_grad_()
        results = function(*given)
        losses = [(r.double() * (r.double() + 1)).sum() for r in results if r.requires_grad]
        if losses:
            sum(losses).backward()
        gradients = [given[number].grad for number in leaves]
        return [*(r.detach() for r in results), *(g for g in gradients if g is not None)]

    try:
        expected = run(graph.make_function())
    except Exception as error:
        pytest.skip(f"refused by PyTorch: {error}")
    try:
        results = run(torch.compile(graph.make_function(), backend="fuser", fullgraph=True))
    except Exception:
        skip_if_refused(graph, run)
        raise
    check(results, expected, 8 * graph.eps, floor=1.0)
