"""Views that say where their elements lie in memory, as those that say which elements they are."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._builder import Extent, Unsupported, cut_shapes, extent_of, find_groups
from fuser.torch._lowering import LOWERINGS, VIEWS, aten
from fuser.torch._partition import order_of
from fuser.torch._tracing import make

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
    permutations and a reshape, which belong to regions, and each `aten.as_strided_scatter` to all of them, as the
    gradient of the former has it, likewise."""
    for node in list(graph.nodes):
        if node.target is aten.as_strided_scatter.default and not node.kwargs:
            _reshape_scatter(graph, node)
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


def _reshape_scatter(graph: torch.fx.Graph, node: torch.fx.Node) -> None:
    """Replaces a scatter to all elements of a dense tensor by a copy of its source in another shape."""
    base, source, sizes, strides, *offset = node.args
    numbers = [[_value_of(item) for item in items] for items in (sizes, strides)]
    value, place = base.meta["val"], aten.as_strided.default(base.meta["val"], *numbers, 0)
    order, back = dense_order(value), dense_order(place)
    is_whole = order is not None and back is not None and statically_known_true(value.numel() == place.numel())
    if not is_whole or offset not in ([], [None], [0]) or source.meta["val"].dtype != value.dtype:
        return
    made, shape = source, [value.shape[dim] for dim in order]
    if any(isinstance(size, torch.SymInt) for size in shape):
        return
    dense = {"memory_format": torch.contiguous_format}
    with graph.inserting_before(node):
        for function, arguments, named in (
            (aten.permute.default, [back], {}),
            (aten.reshape.default, [shape], {}),
            (aten.clone.default, [], dense),
            (aten.permute.default, [[order.index(dim) for dim in range(len(order))]], {}),
        ):
            result = function(made.meta["val"], *arguments, **named)
            made = graph.call_function(function, (made, *arguments), named)
            made.meta["val"] = result
    if all(statically_known_true(a == b) for a, b in zip(result.stride(), node.meta["val"].stride(), strict=True)):
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


# Functions along one dimension, which is an argument: sums that keep it, and scatters.
_ALONG = {aten.scatter.value: 1, aten.scatter.src: 1, aten.scatter_add.default: 1}
_FILLED = (aten.zeros_like.default, aten.ones_like.default, aten.full_like.default)


def _is_kept_sum(node: torch.fx.Node) -> bool:
    return node.target is aten.sum.dim_IntList and len(node.args) == 3 and bool(node.args[1]) and node.args[2] is True


def _can_reshape(operand: torch.fx.Node, shape: list[tuple[object, Extent]]) -> bool:
    """Whether the reshape of an operand is one that programs have, or a view that PyTorch makes."""
    return _is_given(operand) or is_expressible(_shape(operand), [size for _, size in shape])


class _Split:
    """A reshape that splits dimensions of unknown size, and what becomes of the operands of the functions before it."""

    def __init__(self, node: torch.fx.Node):
        self.node, self.sizes = node, list(node.args[1])
        self.old, self.new = _shape(node.args[0]), _shape(node)
        self.groups = cut_shapes(self.old, self.new)
        # Functions that become functions of reshapes, and the reshapes that are written.
        self.moved: set[torch.fx.Node] = set()
        self._known: dict[torch.fx.Node, bool] = {}
        self._written: dict[torch.fx.Node, torch.fx.Node] = {}

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
        return shape is not None and (
            self._merged(operand, shape) is not None or _can_reshape(operand, shape) or self._passes(operand)
        )

    def passes(self, function: torch.fx.Node) -> bool:
        """Whether the reshape of a function is the function of reshapes, and nothing else reads what becomes another
        function for it."""
        return self._passes(function) and all(
            user is self.node or user in self.moved for node in self.moved for user in node.users
        )

    def _merged(self, operand: torch.fx.Node, pairs: list[tuple[object, Extent]]) -> torch.fx.Node | None:
        """What the operand merges dimensions of, if it has the shape already."""
        source = operand.args[0] if operand.target in RESHAPES else None
        return source if source is not None and list(_shape(source)) == [size for _, size in pairs] else None

    def _dim(self, dim: int) -> int | None:
        """The place of a dimension that is not split."""
        dim, i, j = dim % len(self.old), 0, 0
        for count, new_count in self.groups:
            if i <= dim < i + count:
                return j if count == new_count == 1 else None
            i, j = i + count, j + new_count
        return None

    def _dims(self, function: torch.fx.Node) -> list[int | None]:
        """The dimensions along which a function computes, in the result."""
        if _is_kept_sum(function):
            return [self._dim(dim) for dim in function.args[1]]
        place = _ALONG.get(function.target)
        return [] if place is None else [self._dim(function.args[place])]

    def _passes(self, function: torch.fx.Node) -> bool:
        if function not in self._known:
            self._known[function] = self._becomes_function(function)
        if self._known[function]:
            self.moved.add(function)
        return self._known[function]

    def _becomes_function(self, function: torch.fx.Node) -> bool:
        is_along = _is_kept_sum(function) or function.target in _ALONG
        is_same = _is_pointwise(function) or function.target in _FILLED or function.target is aten.full.default
        if not is_same and not (is_along and len(_shape(function)) == len(self.old)):
            return False
        operands = [item for item in function.all_input_nodes if _is_tensor(item)]
        return None not in self._dims(function) and all(map(self.takes, operands))

    def write(self, graph: torch.fx.Graph, operand: torch.fx.Node) -> torch.fx.Node:
        """The reshape of an operand, which it takes."""
        if operand not in self._written:
            self._written[operand] = self._write(graph, operand)
        return self._written[operand]

    def _write(self, graph: torch.fx.Graph, operand: torch.fx.Node) -> torch.fx.Node:
        pairs = self.shape_of(operand)
        if (source := self._merged(operand, pairs)) is not None:
            return source
        sizes = [size for size, _ in pairs]
        if _can_reshape(operand, pairs):
            return self._call(graph, operand, aten.reshape.default, (operand, sizes), {})
        moved = {item: self.write(graph, item) for item in operand.all_input_nodes if _is_tensor(item)}
        arguments, options = torch.fx.node.map_arg((operand.args, operand.kwargs), lambda item: moved.get(item, item))
        if operand.target is aten.full.default:
            arguments = (sizes, *arguments[1:])
        elif _is_kept_sum(operand):
            arguments = (arguments[0], self._dims(operand), True)
        elif (place := _ALONG.get(operand.target)) is not None:
            arguments = (*arguments[:place], *self._dims(operand), *arguments[place + 1 :])
        return self._call(graph, operand, operand.target, arguments, options)

    def _call(
        self, graph: torch.fx.Graph, origin: torch.fx.Node, function: Callable, arguments: tuple, options: dict
    ) -> torch.fx.Node:
        return make(graph, origin, function, arguments, options)


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
        pending, gone = [source], set()
        while pending:
            dead = pending.pop()
            if dead in gone:
                continue
            if not dead.users and (dead in split.moved or _is_pointwise(dead)):
                pending += dead.all_input_nodes
                graph.erase_node(dead)
                gone.add(dead)
