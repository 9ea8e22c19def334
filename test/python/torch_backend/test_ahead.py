"""Compilations before the first call of a region: what they are for, what calls they leave, and forks meanwhile."""

import os
import threading

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
from fuser import _ahead, _program  # noqa: E402
from fuser.torch import _region  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_programs")


@pytest.fixture
def compilations(monkeypatch):
    """What calls compile themselves."""
    calls, original = [], _program.run_interruptibly
    monkeypatch.setattr(_program, "run_interruptibly", lambda *given: calls.append(1) or original(*given))
    return calls


@pytest.fixture
def held(monkeypatch):
    """Lets compilations in threads begin; none does before it is set."""
    event, original = threading.Event(), _ahead._compile
    monkeypatch.setattr(_ahead, "_compile", lambda *given: event.wait() and original(*given))
    yield event
    event.set()


@pytest.fixture
def ahead(monkeypatch):
    """The compilations of regions; all of them begin in a thread of their own."""
    added, queue = [], _ahead.Queue(64)
    original = queue.add
    monkeypatch.setattr(queue, "add", lambda *given: added.append(original(*given)) or added[-1])
    monkeypatch.setattr("fuser.torch._region.QUEUE", queue)
    return added


def two_layers(x, w, b):
    x = torch.softmax(x * b, -1) @ w
    return torch.tanh(x.transpose(-1, -2)) @ w


def test_calls_find_what_was_compiled(compilations, ahead):
    x, w, b = torch.randn(16, 16, requires_grad=True), torch.randn(16, 16), torch.randn(16)
    run = torch.compile(lambda *given: two_layers(*given).sum(), backend="fuser")
    loss = run(x, w, b)
    loss.backward()
    gradient, x.grad = x.grad, None
    two_layers(x, w, b).sum().backward()
    torch.testing.assert_close(gradient, x.grad)
    assert len(ahead) >= 3
    assert all(compilation.over.is_set() for compilation in ahead)
    assert not compilations


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.randn(65)[1:].view(8, 8),
        lambda: torch.randn(8, 8, 2)[..., 1],
        lambda: torch.randn(2, 8, 8).transpose(0, 2),
        lambda: torch.randn(8, 1, 8).expand(8, 4, 8),
        lambda: torch.randn(7, 8).bfloat16()[2:],
        lambda: torch.randint(0, 200, (8, 8), dtype=torch.uint8),
        lambda: torch.randn(8, 8) > 0,
        lambda: torch.randn(0, 8),
    ],
    ids=["misaligned", "strided", "permuted", "broadcast", "rows", "bytes", "booleans", "empty"],
)
def test_expected_layouts_are_those_of_calls(compilations, ahead, make):
    x = make()
    run = torch.compile(lambda x: torch.where(x > 0, x, x + 1), backend="fuser")
    torch.testing.assert_close(run(x), torch.where(x > 0, x, x + 1))
    assert len(ahead) == 1
    assert not compilations


def test_expects_the_sizes_of_the_call_that_was_traced(compilations, ahead):
    run = torch.compile(lambda x: torch.softmax(x, -1), backend="fuser", dynamic=True)
    for rows in (8, 24):
        x = torch.randn(rows, 48)
        torch.testing.assert_close(run(x), torch.softmax(x, -1))
    assert len(ahead) == 1
    assert not compilations


def test_does_not_compile_ahead_for_numbers_of_calls(compilations, ahead):
    run = torch.compile(lambda x, n: x * n, backend="fuser", dynamic=True)
    torch.testing.assert_close(run(torch.ones(8), 3), torch.full((8,), 3.0))
    assert backend.counters().regions == 1
    assert not ahead
    assert len(compilations) == 1


def test_equal_regions_share_a_compilation(ahead):
    def blocks(x, w):
        for _ in range(3):
            x = torch.softmax(x, -1) @ w
        return x

    x, w = torch.randn(8, 8), torch.randn(8, 8)
    torch.testing.assert_close(torch.compile(blocks, backend="fuser")(x, w), blocks(x, w))
    assert len(ahead) == 1


def test_call_takes_over_what_has_not_begun(compilations, monkeypatch):
    monkeypatch.setattr("fuser.torch._region.QUEUE", _ahead.Queue(0))
    x, w, b = torch.randn(16, 16), torch.randn(16, 16), torch.randn(16)
    torch.testing.assert_close(torch.compile(two_layers, backend="fuser")(x, w, b), two_layers(x, w, b))
    assert len(compilations) == 2


def test_call_compiles_where_no_thread_begins(compilations, monkeypatch):
    def refuse(_thread):
        raise RuntimeError("can't start new thread")

    queue, start = _ahead.Queue(2), threading.Thread.start
    monkeypatch.setattr("fuser.torch._region.QUEUE", queue)
    monkeypatch.setattr(
        threading.Thread, "start", lambda thread: (refuse if thread._target == queue._work else start)(thread)
    )
    x = torch.randn(8, 16)
    torch.testing.assert_close(torch.compile(torch.tanh, backend="fuser")(x), torch.tanh(x))
    assert len(compilations) == 1
    assert queue._threads == 0


def test_call_waits_for_what_has_begun(compilations, held, ahead):
    threading.Timer(0.2, held.set).start()
    x = torch.randn(8, 16)
    torch.testing.assert_close(torch.compile(torch.tanh, backend="fuser")(x), torch.tanh(x))
    assert held.is_set()
    assert not compilations


def test_failures_are_those_of_the_call(compilations, monkeypatch, ahead):
    monkeypatch.setattr(_region, "hint_of", lambda size: int(size) + 1)
    x = torch.randn(8, 16)
    torch.testing.assert_close(torch.compile(torch.tanh, backend="fuser")(x), torch.tanh(x))
    assert len(ahead) == len(compilations) == 1


def test_forked_child_compiles(monkeypatch):
    """A fork drops what waits; parent and child compile what they call."""
    queue = _ahead.Queue(0)
    monkeypatch.setattr(_ahead, "QUEUE", queue)
    monkeypatch.setattr("fuser.torch._region.QUEUE", queue)
    x, forked, original = torch.randn(8, 16), [], _region.Region.slow

    def fork_first(*given):
        forked.append(os.fork())
        return original(*given)

    monkeypatch.setattr(_region.Region, "slow", fork_first)
    result = torch.compile(torch.tanh, backend="fuser")(x)
    if not forked[0]:
        os._exit(0 if torch.allclose(result, torch.tanh(x)) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(forked[0], 0)[1]) == 0
    assert not queue._waiting
    torch.testing.assert_close(result, torch.tanh(x))


def test_stop_ends_what_runs_and_drops_what_waits(monkeypatch):
    begun, flags = threading.Event(), []

    def compile_until_stopped(_program, _values, flag):
        begun.set()
        while not flag.value:
            pass
        flags.append(flag.value)

    monkeypatch.setattr(_ahead, "_compile", compile_until_stopped)
    queue = _ahead.Queue(1)
    first, second = queue.add(None, []), queue.add(None, [])
    begun.wait()
    queue.stop()
    assert flags == [1]
    assert first.over.is_set()
    assert second.over.is_set()
    assert not queue._waiting
