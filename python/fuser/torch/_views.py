"""Views that say where their elements lie in memory, as those that say which elements they are."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._builder import Unsupported
from fuser.torch._lowering import aten
from fuser.torch._partition import order_of


def dense_order(tensor: torch.Tensor) -> list[int] | None:
    """The dimensions from slowest to fastest; None where there are gaps or overlaps in memory."""
    try:
        order = order_of(tensor)
    except Unsupported:
        return None
    return list(range(tensor.dim())) if order is None else order


def _is_same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two traced tensors of one storage are the same elements of it."""
    places = ((*value.shape, *value.stride(), value.storage_offset()) for value in (a, b))
    return a.dim() == b.dim() and all(statically_known_true(x == y) for x, y in zip(*places, strict=True))


def _steps(node: torch.fx.Node) -> list[tuple[Callable, object]]:
    """The functions and their last arguments that, one after the other, are an `as_strided` of all elements of a dense
    tensor: a permutation to the order of memory, a reshape, and a permutation back. Empty where there are none."""
    base, out = node.args[0].meta["val"], node.meta["val"]
    order, back = dense_order(base), dense_order(out)
    if order is None or back is None or not statically_known_true(base.numel() == out.numel()):
        return []
    steps: list[tuple[Callable, object]] = [(aten.view.default, [node.args[1][dim] for dim in back])]
    if order != sorted(order):
        steps.insert(0, (aten.permute.default, order))
    if back != sorted(back):
        steps.append((aten.permute.default, [back.index(dim) for dim in range(len(back))]))
    return steps


def _value_of(argument: object) -> object:
    return argument.meta["val"] if isinstance(argument, torch.fx.Node) else argument


def reshape_strided(graph: torch.fx.Graph) -> None:
    """Replaces each `aten.as_strided` of all elements of a dense tensor, as PyTorch's decompositions have them, by
    permutations and a reshape, which belong to regions."""
    for node in list(graph.nodes):
        if node.target is not aten.as_strided.default or node.kwargs:
            continue
        steps = _steps(node)
        values = [node.args[0].meta["val"]]
        for function, argument in steps:
            values.append(function(values[-1], [_value_of(item) for item in argument]))
        if not steps or not _is_same(values[-1], node.meta["val"]):
            continue
        made = node.args[0]
        with graph.inserting_before(node):
            for (function, argument), value in zip(steps, values[1:], strict=True):
                made = graph.call_function(function, (made, argument))
                made.meta["val"] = value
        node.replace_all_uses_with(made)
        graph.erase_node(node)
