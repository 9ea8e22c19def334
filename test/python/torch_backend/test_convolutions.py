"""Channels-last operands of convolutions: results, gradients and strides are those of eager mode."""

import copy
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from fuser.torch import _backend, _convolutions, _layouts  # noqa: E402
from torch import nn  # noqa: E402

aten = torch.ops.aten
pytestmark = pytest.mark.usefixtures("fresh")
LAST = {"channels_last": True}


@pytest.fixture
def graphs(monkeypatch):
    """The graphs of ATen ops after the rewrite, each with whether it was changed."""
    found, rewrite = [], _backend.use_channels_last

    def record(module, is_wanted=None):
        before = module.graph
        rewrite(module, is_wanted)
        found.append((module.graph, module.graph is not before))

    monkeypatch.setattr(_backend, "use_channels_last", record)
    return found


@pytest.fixture
def predicted(monkeypatch):
    """On the CPU, convolutions are predicted as on a GPU."""
    monkeypatch.setattr(_convolutions, "_is_converted", lambda value: True)


def _nodes(graph, target):
    return graph.find_nodes(op="call_function", target=target)


def _formats(graph):
    """Of each function of a convolution, whether its images are stored channels last."""
    nodes = _nodes(graph, aten.convolution.default) + _nodes(graph, aten.convolution_backward.default)
    return [all(_layouts.is_channels_last(arg.meta["val"]) for arg in node.all_input_nodes[:2]) for node in nodes]


def _compare(module, *shapes, options=LAST, dynamic=None, with_gradients=True):
    """Compares a module with eager mode: results, their strides, gradients, buffers."""
    expected = copy.deepcopy(module)
    run = torch.compile(module, backend="fuser", options=options, dynamic=dynamic)
    for shape in shapes:
        x = torch.randn(shape, requires_grad=with_gradients)
        y = x.detach().clone().requires_grad_(with_gradients)
        found, wanted = run(x), expected(y)
        found, wanted = ((item,) if isinstance(item, torch.Tensor) else item for item in (found, wanted))
        for a, b in zip(found, wanted, strict=True):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)
            assert a.stride() == b.stride()
        if with_gradients:
            for results in (found, wanted):
                sum(item.square().mean() for item in results if item.is_floating_point()).backward()
            leaves = zip((x, *module.parameters()), (y, *expected.parameters()), strict=True)
            for a, b in leaves:
                if b.grad is not None:
                    torch.testing.assert_close(a.grad, b.grad, rtol=1e-3, atol=1e-4)
                    assert a.grad.stride() == b.grad.stride()
        for a, b in zip(module.buffers(), expected.buffers(), strict=True):
            torch.testing.assert_close(a, b)


def _conv(inner=8, outer=8, size=3, **options):
    return nn.Conv2d(inner, outer, size, **{"padding": size // 2, "bias": False, **options})


class _Between(nn.Module):
    """A function between two convolutions of 8 channels."""

    def __init__(self, function, inner=8):
        super().__init__()
        self.first, self.second, self.function = _conv(), _conv(inner), function

    def forward(self, x):
        return self.second(self.function(self.first(x).relu())) + 1


class _After(nn.Module):
    """A function of what a convolution makes."""

    def __init__(self, function):
        super().__init__()
        self.conv, self.function = _conv(), function

    def forward(self, x):
        return self.function(self.conv(x).relu())


def test_chain_has_copies_at_its_ends(graphs):
    chain = nn.Sequential(_conv(8, 16), nn.BatchNorm2d(16), nn.ReLU(), _conv(16, 16))
    _compare(chain, (2, 8, 10, 12))
    graph, is_changed = graphs[0]
    assert is_changed
    assert _formats(graph) == [True] * 4
    copies = _nodes(graph, aten.clone.default)
    first = {node.args[0] for node in copies if node.args[0].op == "placeholder"}
    # The image, two weights and the gradient of the result; the result and the gradients of image and weights.
    assert len(first) == 4
    assert len(copies) == 8
    output = next(node for node in graph.nodes if node.op == "output")
    assert all(node in first or set(node.users) == {output} for node in copies if node.args[0] not in first)


def test_inference(graphs):
    chain = nn.Sequential(_conv(8, 16), nn.BatchNorm2d(16), nn.ReLU(), _conv(16, 16)).eval()
    with torch.no_grad():
        _compare(chain, (2, 8, 10, 12), with_gradients=False)
    ((graph, is_changed),) = graphs
    assert is_changed
    assert _formats(graph) == [True] * 2
    assert len(_nodes(graph, aten.clone.default)) == 4


BETWEEN = {
    "pool": (lambda x: F.max_pool2d(x, 3, 2, 1), 8),
    "average": (lambda x: F.avg_pool2d(x, 3, 2, 1), 8),
    "cat": (lambda x: torch.cat((x.sin(), x), 1), 16),
    "chunk": (lambda x: torch.mul(*x.chunk(2, 1)), 4),
    "slice": (lambda x: x[:, 2:6], 4),
    "nearest": (lambda x: F.interpolate(x, scale_factor=2, mode="nearest"), 8),
    "bilinear": (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), 8),
    "shuffle": (lambda x: F.pixel_shuffle(x, 2), 2),
    "pad": (lambda x: F.pad(x, (1, 2, 0, 1)), 8),
    "reflection": (lambda x: F.pad(x, (1, 2, 0, 1), mode="reflect"), 8),
    "groups": (lambda x: F.group_norm(x, 2), 8),
    "instances": (F.instance_norm, 8),
    "layer": (lambda x: F.layer_norm(x, x.shape[1:]), 8),
    "channels": (lambda x: F.layer_norm(x.permute(0, 2, 3, 1), (8,)).permute(0, 3, 1, 2), 8),
    "rows": (lambda x: (x.flatten(1) * torch.arange(x[0].numel())).unflatten(1, x.shape[1:]), 8),
    "scores": (lambda x: (torch.softmax(x.flatten(2) @ x.flatten(2).mT, 1) @ x.flatten(2)).view_as(x), 8),
    "sorted": (lambda x: x.sort(-1)[0], 8),
    "strided": (lambda x: x.as_strided(x.shape, (x[0].numel(), 1, 80, 8)), 8),
    "moved": (lambda x: x.transpose(1, 2).contiguous().view(x.shape), 8),
    "gated": (lambda x: x * x.mean((2, 3), keepdim=True).sigmoid(), 8),
}


@pytest.mark.parametrize("name", BETWEEN)
def test_between(name, graphs):
    function, inner = BETWEEN[name]
    _compare(_Between(function, inner), (2, 8, 8, 10))
    assert graphs[0][1]
    assert _formats(graphs[0][0]) == [True] * 4


AFTER = {
    "views": lambda x: (x.flatten(1), x.permute(0, 2, 3, 1), x[:, 1:4]),
    "itself": lambda x: (x, x * 2, x.sum(1)),
    "linear": lambda x: x.mean((2, 3)) @ torch.ones(8, 3),
    "depthwise": lambda x: F.conv2d(x, torch.ones(8, 1, 3, 3), groups=8),
    "transposed": lambda x: F.conv_transpose2d(x, torch.ones(8, 5, 3, 3), stride=2),
    "one_row": lambda x: F.conv1d(x[:, :, 0], torch.ones(4, 8, 3)),
    "volume": lambda x: F.conv3d(x[:, :, None], torch.ones(4, 8, 1, 3, 3)),
    "one_pixel": lambda x: F.conv2d(x.mean((2, 3), keepdim=True), torch.ones(4, 8, 3, 3), padding=1),
}


@pytest.mark.parametrize("name", AFTER)
def test_after(name):
    _compare(_After(AFTER[name]), (2, 8, 8, 10), (2, 8, 8, 10))


def test_biases_and_one_image(graphs):
    _compare(nn.Sequential(_conv(3, 16, bias=True), nn.SiLU(), _conv(16, 5, 1, bias=True)), (1, 3, 9, 9))
    assert _formats(graphs[0][0]) == [True] * 4


def test_overwritten_input():
    """What is stored in an input has the strides of the input."""

    class Accumulate(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = _conv()
            self.register_buffer("total", torch.zeros(2, 8, 8, 10))

        def forward(self, x):
            y = self.conv(x).relu()
            self.total.add_(y.detach())
            return y.mean(1)

    _compare(Accumulate(), (2, 8, 8, 10), (2, 8, 8, 10))


def test_random_numbers_of_eager_mode():
    """They depend on the strides of the operand that they are drawn for."""
    module = _Between(lambda x: F.dropout(x, 0.5))
    run = torch.compile(module, backend="fuser", options={"channels_last": True, "exact_random": True})
    x = torch.randn(2, 8, 8, 10)
    torch.manual_seed(1)
    found = run(x)
    torch.manual_seed(1)
    torch.testing.assert_close(found, module(x))


def test_unknown_sizes(graphs):
    chain = nn.Sequential(_conv(), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1), nn.GroupNorm(4, 8), _conv())
    _compare(chain, (2, 8, 10, 12), (3, 8, 14, 20), dynamic=True)
    assert all(_formats(graph) == [True] * 4 for graph, _ in graphs)
    assert backend.counters().compiled_graphs == 2


def test_cpu_is_left():
    chain = nn.Sequential(_conv(), nn.ReLU(), _conv())
    module = torch.fx.symbolic_trace(chain)
    graph = module.graph
    _convolutions.use_channels_last(module)
    assert module.graph is graph


@pytest.mark.usefixtures("predicted")
class TestPrediction:
    def formats(self, graphs, module, *shape, options=None):
        _compare(module, shape, options=options)
        return _formats(graphs[0][0])

    def test_chains_are_taken(self, graphs):
        assert self.formats(graphs, nn.Sequential(_conv(), nn.ReLU(), _conv(), nn.ReLU()), 2, 8, 16, 16) == [True] * 4

    def test_few_channels_of_images(self, graphs):
        module = nn.Sequential(_conv(3, 16), nn.ReLU(), _conv(16, 16), nn.ReLU())
        assert self.formats(graphs, module, 2, 3, 16, 16) == [True] * 4

    def test_few_channels_of_results(self, graphs):
        module = nn.Sequential(_conv(8, 8), nn.ReLU(), _conv(8, 8), nn.ReLU(), _conv(8, 3), nn.ReLU())
        assert self.formats(graphs, module, 2, 8, 16, 16).count(False) == 2

    def test_alone_it_is_left(self, graphs):
        """Copies of operands and result cost what the library's conversions do."""
        with torch.no_grad():
            _compare(_conv(), (2, 8, 16, 16), options=None, with_gradients=False)
        assert _formats(graphs[0][0]) == [False]

    def test_order_of_other_functions_is_left(self, graphs):
        """Regions would transpose what products of matrices make and read, for a convolution of one pixel."""

        class Mixer(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv, self.basis = _conv(size=1), nn.Parameter(torch.randn(16, 16))

            def mix(self, x):
                return torch.einsum("nchw,hi,wj->ncij", x, self.basis, self.basis)

            def forward(self, x):
                x = self.mix(x).tanh()
                return self.mix(F.gelu(self.mix(x) + self.conv(x)) + x).sum()

        assert self.formats(graphs, Mixer(), 2, 8, 16, 16) == [False] * 2

    @pytest.mark.parametrize(("channels", "is_taken"), [(3, False), (8, True)])
    def test_order_is_seen_through_pixel_shuffles(self, graphs, channels, is_taken):
        """A region would transpose what it shuffles for a convolution that keeps the order of its operands."""
        shuffled = (nn.PixelShuffle(2), nn.InstanceNorm2d(8), nn.SiLU())
        module = nn.Sequential(_conv(8, 32), *shuffled, _conv(8, channels), nn.Tanh())
        assert self.formats(graphs, module, 2, 8, 16, 16) == [is_taken] * 4

    def test_one_that_a_small_value_ends(self, graphs):
        module = nn.Sequential(_conv(3, 16), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        assert self.formats(graphs, module, 2, 3, 16, 16) == [True] * 2

    def test_groups_are_left(self, graphs):
        module = nn.Sequential(_conv(), nn.ReLU(), _conv(groups=2), nn.ReLU())
        assert self.formats(graphs, module, 2, 8, 16, 16)[1] is False

    def test_refused(self, graphs):
        module = nn.Sequential(_conv(), nn.ReLU(), _conv(), nn.ReLU())
        assert self.formats(graphs, module, 2, 8, 16, 16, options={"channels_last": False}) == [False] * 4

    def test_layout_of_the_user(self, graphs):
        """Gradients are stored as the library takes them, and nothing else is copied."""
        module = nn.Sequential(_conv(), nn.ReLU(), _conv()).to(memory_format=torch.channels_last)
        run = torch.compile(module, backend="fuser")
        x = torch.randn(2, 8, 16, 16).contiguous(memory_format=torch.channels_last)
        result = run(x)
        assert result.stride() == module(x).stride()
        result.mean((1, 2, 3)).sum().backward()
        assert _formats(graphs[0][0]) == [True] * 4
        assert not _nodes(graphs[0][0], aten.clone.default)


def test_graphs_that_cannot_change_are_left(graphs, monkeypatch):
    def refuse(*_arguments):
        raise _layouts.CannotChange("for a test")

    monkeypatch.setattr(_layouts.Layouts, "_restore", refuse)
    _compare(nn.Sequential(_conv(), nn.ReLU(), _conv()), (2, 8, 10, 12))
    assert not any(is_changed for _, is_changed in graphs)


def test_errors_of_the_rewrite_are_reported(graphs, monkeypatch, caplog):
    def fail(*_arguments):
        raise KeyError("for a test")

    monkeypatch.setattr(_layouts.Layouts, "_restore", fail)
    _compare(nn.Sequential(_conv(), nn.ReLU(), _conv()), (2, 8, 10, 12))
    assert not any(is_changed for _, is_changed in graphs)
    assert "for a test" in caplog.text


@pytest.mark.parametrize("name", ["ResNet: 8 bottlenecks", "autoencoder of images of 128"])
def test_models(name, graphs, monkeypatch, caplog):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "benchmarks"))
    import torch_models

    step = torch_models.Step(name, "fuser", "cpu", 1)
    step.call = torch.compile(step.module, backend="fuser", options=LAST)
    found = step.results()
    expected = torch_models.Step(name, "eager", "cpu", 1, torch.float64).results()
    eager = torch_models.Step(name, "eager", "cpu", 1).results()
    assert torch_models.error_of(found, expected) <= 3 * torch_models.error_of(eager, expected) + 1e-5
    assert all(_formats(graphs[0][0]))
    assert "keep the order" not in caplog.text
    sys.modules.pop("torch_models")
