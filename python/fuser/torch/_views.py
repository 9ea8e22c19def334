"""Views that say where their elements lie in memory, as those that say which elements they are."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Sequence

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._builder import Extent, Unsupported, cut_shapes, extent_of, find_groups
from fuser.torch._lowering import LOWERINGS, VIEWS, aten
from fuser.torch._partition import order_of

RESHAPES = frozenset([aten.view.default, aten._unsafe_view.default, aten.reshape.default])


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


def is_expressible(old: Sequence[Extent], new: Sequence[Extent]) -> bool:
    """Whether programs have a reshape of these shapes."""
    return all(isinstance(size, int) for size in (*old, *new)) or find_groups(old, new) is not None


def _shape(node: torch.fx.Node) -> tuple[Extent, ...]:
    return tuple(map(extent_of, node.meta["val"].shape))


def _is_tensor(item: object) -> bool:
    return isinstance(item, torch.fx.Node) and isinstance(item.meta.get("val"), torch.Tensor)


def _is_pointwise(node: torch.fx.Node) -> bool:
    """Whether each element is a function of the elements at the same place: a function that regions compute."""
    is_cast = node.target is aten._to_copy.default and set(node.kwargs) == {"dtype"}
    tags = getattr(node.target, "tags", ())
    return node.target in LOWERINGS and (is_cast or torch.Tag.pointwise in tags) and _is_tensor(node)


def _is_given(node: torch.fx.Node) -> bool:
    """Whether PyTorch can make views of a value: of an input, or of a result of its own."""
    while node.target in VIEWS or node.target is operator.getitem:
        node = node.args[0]
    return node.op == "placeholder" or (node.op == "call_function" and node.target not in LOWERINGS)


def _can_reshape(operand: torch.fx.Node, shape: list[tuple[object, Extent]]) -> bool:
    """Whether the reshape of an operand is one that programs have, or a view that PyTorch makes."""
    return _is_given(operand) or is_expressible(_shape(operand), [size for _, size in shape])


class _Split:
    """A reshape that splits dimensions of unknown size, and what becomes of the operands of the functions before it."""

    def __init__(self, node: torch.fx.Node):
        self.node, self.sizes = node, list(node.args[1])
        self.old, self.new = _shape(node.args[0]), _shape(node)
        self.groups = cut_shapes(self.old, self.new)

    def shape_of(self, operand: torch.fx.Node) -> list[tuple[object, Extent]] | None:
        """The sizes of an operand, as arguments and as they were traced: those of the reshape, or 1 where the operand
        is repeated. None for one that is repeated along a part of the dimensions that are split."""
        shape = _shape(operand)
        shape, result, i, j = (1,) * (len(self.old) - len(shape)) + shape, [], 0, 0
        for count, new_count in self.groups:
            own = shape[i : i + count]
            if own == self.old[i : i + count]:
                result += zip(self.sizes[j : j + new_count], self.new[j : j + new_count], strict=True)
            elif all(size == 1 for size in own):
                result += [(1, 1)] * new_count
            else:
                return None
            i, j = i + count, j + new_count
        return result

    def takes(self, operand: torch.fx.Node) -> bool:
        """Whether the reshape of an operand is there, or that of what it is computed from."""
        shape = self.shape_of(operand)
        return shape is not None and (_can_reshape(operand, shape) or self.passes(operand))

    def passes(self, function: torch.fx.Node) -> bool:
        """Whether the reshape of a function is the function of reshapes."""
        operands = [item for item in function.all_input_nodes if _is_tensor(item)]
        return _is_pointwise(function) and len(function.users) == 1 and all(map(self.takes, operands))

    def write(self, graph: torch.fx.Graph, operand: torch.fx.Node) -> torch.fx.Node:
        """The reshape of an operand, which it takes."""
        pairs = self.shape_of(operand)
        if _can_reshape(operand, pairs):
            return self._call(graph, operand, aten.reshape.default, (operand, [size for size, _ in pairs]), {})
        moved = {item: self.write(graph, item) for item in operand.all_input_nodes if _is_tensor(item)}
        arguments, options = torch.fx.node.map_arg((operand.args, operand.kwargs), lambda item: moved.get(item, item))
        return self._call(graph, operand, operand.target, arguments, options)

    def _call(
        self, graph: torch.fx.Graph, origin: torch.fx.Node, function: Callable, arguments: tuple, options: dict
    ) -> torch.fx.Node:
        made = graph.call_function(function, arguments, options)
        made.meta = {key: item for key, item in origin.meta.items() if key != "tensor_meta"}
        values = torch.fx.node.map_arg((arguments, options), _value_of)
        with getattr(self.node.meta["val"], "fake_mode", None) or contextlib.nullcontext():
            made.meta["val"] = function(*values[0], **values[1])
        return made


def hoist_reshapes(graph: torch.fx.Graph) -> None:
    """Moves reshapes that programs do not have, of a dimension of unknown size to several, from what is computed by
    element to its operands: views of inputs are PyTorch's, so that one program computes all of it."""
    for node in list(graph.nodes):
        if node.target not in RESHAPES or is_expressible(_shape(node.args[0]), _shape(node)):
            continue
        # What merges the dimensions again reads the operand.
        for user in list(node.users):
            if user.target in RESHAPES and is_expressible(_shape(node.args[0]), _shape(user)):
                user.update_arg(0, node.args[0])
        if not node.users:
            graph.erase_node(node)
            continue
        split = _Split(node)
        if not split.passes(node.args[0]):
            continue
        with graph.inserting_before(node):
            made = split.write(graph, node.args[0])
        source, made.meta["val"] = node.args[0], node.meta["val"]
        node.replace_all_uses_with(made)
        graph.erase_node(node)
        pending = [source]
        while pending:
            dead = pending.pop()
            if not dead.users and _is_pointwise(dead):
                pending += dead.all_input_nodes
                graph.erase_node(dead)
