"""Attention that is written as products and a softmax."""

import math

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import torch.nn.functional as F  # noqa: E402
from fuser.torch import _attention, _backend  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh")

Q, K, V = (2, 3, 6, 8), (2, 3, 10, 8), (2, 3, 10, 8)


@pytest.fixture
def forced(monkeypatch):
    """Rewrites all attention on the CPU; the list has the arguments of each call by name."""
    calls = []

    def rewrite(module):
        _attention.rewrite_attention(module, lambda attention: True)
        for node in module.graph.nodes:
            if node.target is F.scaled_dot_product_attention:
                calls.append(node.kwargs)

    monkeypatch.setattr(_backend, "rewrite_attention", rewrite)
    return calls


def check(function, *inputs, dtype=torch.float32, **tolerances):
    """Results and gradients are those of eager mode."""
    made = []
    for run in (function, torch.compile(function, backend="fuser")):
        given = [x.detach().to(dtype) if x.is_floating_point() else x for x in inputs]
        given = [x.requires_grad_() if x.is_floating_point() else x for x in given]
        result = run(*given)
        result.float().square().sum().backward()
        made.append((result, *(x.grad for x in given if x.is_floating_point())))
    tolerances = tolerances or {"rtol": 1e-4, "atol": 1e-4}
    for actual, expected in zip(made[1], made[0], strict=True):
        torch.testing.assert_close(actual, expected, equal_nan=True, **tolerances)
    assert made[0][0].stride() == made[1][0].stride()


def operands(*shapes):
    return [torch.randn(shape) for shape in shapes or (Q, K, V)]


def divided(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), -1) @ v


def multiplied(q, k, v):
    scores = torch.matmul(q * 0.5, k.mT).mul(0.7)
    return torch.matmul(F.dropout(F.softmax(scores, dim=-1, dtype=torch.float32).type_as(q), 0.1, training=False), v)


def in_place(q, k, v):
    scores = torch.matmul(q, k.transpose(2, 3))
    scores /= 3.0
    return scores.float().softmax(3).type_as(scores).matmul(v)


def batched(q, k, v):
    q, k, v = (x.flatten(0, 1) for x in (q, k, v))
    return torch.bmm(torch.bmm(q, k.transpose(1, 2)).softmax(2), v).view(2, 3, 6, 8)


def by_equations(q, k, v):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    shares = torch.einsum("bqhd,bkhd->bhqk", q, k).softmax(-1)
    return torch.einsum("bhqk,bkhd->bqhd", shares, v)


def turned_equations(q, k, v):
    shares = torch.einsum("bhkd,bhqd->bhqk", k, q).softmax(-1)
    return torch.einsum("bhqk,bhkd->hbdq", shares, v).contiguous()


@pytest.mark.parametrize("function", [divided, multiplied, in_place, batched, by_equations, turned_equations])
def test_spellings(forced, function):
    check(function, *operands())
    assert [call["attn_mask"] for call in forced] == [None]


def test_values_of_another_width(forced):
    check(divided, *operands(Q, K, (2, 3, 10, 5)))
    assert len(forced) == 1


def test_rounding_is_that_of_half_types(forced):
    check(divided, *operands(), dtype=torch.bfloat16, rtol=2e-2, atol=2e-2)
    assert len(forced) == 1


def padded(q, k, v, lengths):
    keep = torch.arange(k.shape[2]) < lengths[:, None]
    mask = (1.0 - keep[:, None, None].to(q.dtype)) * torch.finfo(q.dtype).min
    return torch.softmax(q @ k.transpose(-2, -1) / 2 + mask, -1) @ v


def added(q, k, v, bias):
    return torch.softmax(bias + q @ k.transpose(-2, -1), -1) @ v


def filled(number):
    def function(q, k, v, mask):
        return (q @ k.transpose(-2, -1)).masked_fill(mask[:, None, None, :], number).softmax(-1) @ v

    return function


def selected(q, k, v, mask):
    lowest = torch.full([], -1e9, dtype=q.dtype)
    return torch.where(mask[:, None], q @ k.transpose(-2, -1), lowest).softmax(-1) @ v


def filled_twice(q, k, v, first, second):
    scores = (q @ k.transpose(-2, -1)).masked_fill(first[:, None, None, :], -1e9)
    return scores.masked_fill(second[None, None], -1e9).softmax(-1) @ v


def both(q, k, v, bias, mask):
    scores = q @ k.transpose(-2, -1) * 0.3 + bias
    return scores.masked_fill(mask[:, None, None, :], -math.inf).softmax(-1) @ v


def test_masks(forced):
    check(padded, *operands(), torch.tensor([4, 10]))
    check(added, *operands(), torch.randn(3, 6, 10))
    mask = torch.rand(2, 10) < 0.5
    mask[:, 0] = False
    for number in (-1e9, -math.inf, torch.finfo(torch.float32).min):
        check(filled(number), *operands(), mask)
    check(added, *operands(), torch.randn(6, 10, 3).permute(2, 0, 1))
    check(selected, *operands(), torch.rand(2, 6, 10) < 0.5)
    check(both, *operands(), torch.randn(1, 3, 6, 10), mask)
    check(filled_twice, *operands(), mask, torch.rand(6, 10) < 0.5)
    assert len(forced) == 9


def test_gradients_of_rows_without_keys(forced):
    check(filled(-1e9), *operands(), torch.tensor([[True] * 10, [False] * 10]))
    # Where a number is added, shares of such rows still have gradients in eager mode; those of values are the same.
    q, k, v = (x.requires_grad_() for x in operands())
    made = []
    for run in (padded, torch.compile(padded, backend="fuser")):
        run(q, k, v, torch.tensor([0, 7])).square().sum().backward()
        made.append((v.grad, q.grad[1], k.grad[1]))
        q.grad = k.grad = v.grad = None
    for actual, expected in zip(made[1], made[0], strict=True):
        torch.testing.assert_close(actual, expected, rtol=1e-4, atol=1e-4)
    assert len(forced) == 2


@pytest.mark.parametrize("function", [padded, filled(-1e9), filled(-torch.inf)])
def test_rows_without_keys_are_those_of_eager_mode(forced, function):
    last = torch.tensor([0, 7]) if function is padded else torch.tensor([[True] * 10, [False] * 10])
    q, k, v = (x.requires_grad_(False) for x in operands())
    expected, actual = function(q, k, v, last), torch.compile(function, backend="fuser")(q, k, v, last)
    torch.testing.assert_close(actual, expected, equal_nan=True)
    assert len(forced) == 1


def lower(q, k, v):
    ones = torch.ones(6, 6).tril()
    return (q @ k.transpose(-2, -1)).masked_fill(ones[None, None] == 0, -math.inf).softmax(-1) @ v


def upper(q, k, v):
    mask = torch.triu(torch.full((6, 6), -math.inf), diagonal=1)
    return (q @ k.transpose(-2, -1) + mask).softmax(-1) @ v


def kept(q, k, v):
    mask = torch.tril(torch.ones(6, 6, dtype=torch.bool)).view(1, 1, 6, 6)
    return torch.where(mask, q @ k.transpose(-2, -1), -1e30).softmax(-1) @ v


def shifted(q, k, v):
    return (q @ k.transpose(-2, -1)).masked_fill(torch.ones(6, 6).tril(1) == 0, -math.inf).softmax(-1) @ v


def flipped(q, k, v):
    return (q @ k.transpose(-2, -1)).masked_fill(torch.ones(6, 6).tril() != 0, -1e9).softmax(-1) @ v


@pytest.mark.parametrize(
    ("function", "is_causal"), [(lower, True), (upper, True), (kept, True), (shifted, False), (flipped, False)]
)
def test_causal_masks(forced, function, is_causal):
    check(function, *operands(Q, Q, Q))
    assert [call["is_causal"] for call in forced] == [is_causal]


def also_read(q, k, v):
    scores = q @ k.transpose(-2, -1)
    return scores.softmax(-1) @ v + scores.sum(-1, keepdim=True)


def with_dropout(q, k, v):
    return F.dropout((q @ k.transpose(-2, -1)).softmax(-1), 0.5, training=True).mul(0.0) @ v


def along_queries(q, k, v):
    return (q @ k.transpose(-2, -1)).softmax(2) @ v


def scaled_after_the_mask(q, k, v):
    return ((q @ k.transpose(-2, -1) + torch.ones(10)) * 0.5).softmax(-1) @ v


def filled_with_little(q, k, v):
    return (q @ k.transpose(-2, -1)).masked_fill(torch.ones(10).bool(), -5.0).softmax(-1) @ v


def changed_between(q, k, v):
    q = q * 2
    scores = q @ k.transpose(-2, -1)
    q.zero_()
    return scores.detach().softmax(-1) @ v + q.sum() + 0 * k.sum()


def filled_and_added(q, k, v):
    mask = torch.arange(10) < 3
    return ((q @ k.transpose(-2, -1)).masked_fill(mask, -1e9) + mask.float()).softmax(-1) @ v


def filled_with_two_numbers(q, k, v):
    scores = (q @ k.transpose(-2, -1)).masked_fill(torch.arange(10) < 3, -1e9)
    return scores.masked_fill(torch.arange(10) > 7, -1e4).softmax(-1) @ v


def shared_heads(q, k, v):
    return (q @ k[:, :1].transpose(-2, -1)).softmax(-1) @ v


STAY = [also_read, with_dropout, along_queries, scaled_after_the_mask, filled_with_little, changed_between]


@pytest.mark.parametrize("function", [*STAY, filled_and_added, filled_with_two_numbers, shared_heads])
def test_what_stays(forced, function):
    check(function, *operands())
    assert not forced


def test_groups_of_heads(forced):
    def function(q, k, v):
        k, v = (x.repeat_interleave(3, 1) for x in (k, v))
        return divided(q, k, v).transpose(1, 2).flatten(2)

    check(function, *operands(Q, (2, 1, 10, 8), (2, 1, 10, 8)))
    assert len(forced) == 1


def test_unknown_sizes(forced):
    run = torch.compile(divided, backend="fuser")
    for length in (6, 9):
        q, k, v = torch.randn(2, 3, length, 8), torch.randn(2, 3, length + 2, 8), torch.randn(2, 3, length + 2, 8)
        for x in (q, k, v):
            torch._dynamo.mark_dynamic(x, 2)
        torch.testing.assert_close(run(q, k, v), divided(q, k, v))
    assert len(forced) == 1


def fake_attention(device, dtype, keys, width):
    """The attention in a graph of fake tensors."""
    graph = torch.fx.Graph()
    with FakeTensorMode():
        metas = [torch.empty(2, 3, size, width, dtype=dtype, device="meta") for size in (256, keys, keys)]
        q, k, v = (graph.placeholder(name) for name in "qkv")

        def call(function, node, *others, **named):
            made = graph.call_function(function, (node, *others), named)
            made.meta["example_value"] = function(
                *(x.meta["example_value"] if isinstance(x, torch.fx.Node) else x for x in (node, *others)), **named
            )
            return made

        for node, value in zip((q, k, v), metas, strict=True):
            node.meta["example_value"] = value
        shares = call(torch.softmax, call(torch.matmul, q, call(torch.transpose, k, 2, 3)), dim=-1)
        graph.output(call(torch.matmul, shares, v))
    for node in graph.nodes:
        if "example_value" in node.meta:
            value = node.meta["example_value"]
            node.meta["example_value"] = FakeTensor(FakeTensorMode(), value.to("meta"), torch.device(device))
    return _attention._match(shares)


@pytest.mark.parametrize(
    ("device", "dtype", "keys", "width", "expected"),
    [
        ("cuda:0", torch.bfloat16, 128, 64, True),
        ("cuda:0", torch.float16, 4096, 256, True),
        ("cpu", torch.bfloat16, 128, 64, False),
        ("cuda:0", torch.float32, 128, 64, False),
        ("cuda:0", torch.bfloat16, 127, 64, False),
        ("cuda:0", torch.bfloat16, 128, 60, False),
        ("cuda:0", torch.bfloat16, 128, 264, False),
    ],
)
def test_what_kernels_take(monkeypatch, device, dtype, keys, width, expected):
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (9, 0))
    attention = fake_attention(device, dtype, keys, width)
    assert _attention.is_worthwhile(attention) is expected
    monkeypatch.setattr(torch, "are_deterministic_algorithms_enabled", lambda: True)
    assert not _attention.is_worthwhile(attention)


def test_rewrites_ask_what_kernels_take(monkeypatch):
    seen = []
    original = _attention.is_worthwhile
    monkeypatch.setattr(_attention.rewrite_attention, "__defaults__", (lambda a: seen.append(original(a)) or seen[-1],))
    torch.compile(divided, backend="fuser")(*operands())
    assert seen == [False]


def test_masks_with_gradients_stay(monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (9, 0))
    attention = fake_attention("cuda:0", torch.bfloat16, 128, 64)
    mask = torch.fx.Graph().placeholder("mask")
    attention.scores.added.append(mask)
    for needs_gradient in (False, True):
        mask.meta["example_value"] = torch.empty(256, 128, dtype=torch.bfloat16, requires_grad=needs_gradient)
        assert _attention.is_worthwhile(attention) is not needs_gradient
