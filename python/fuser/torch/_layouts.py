"""Other strides for values of a graph than they were traced with.

Kernels of regions store a result in any order, so that most values take the order of what they are computed from.
Views that the new strides do not allow become reshapes. What depends on strides gets what it was traced with: results
of the graph, values that overwrite inputs, and functions of PyTorch's that are not known to keep an order.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterable, Sequence

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._lowering import LOWERINGS, VIEWS, aten
from fuser.torch._partition import is_mutation, is_tensor, tensors_of
from fuser.torch._tracing import after, evaluate, make
from fuser.torch._views import RESHAPES, dense_order

# Kernels of PyTorch's that store results in the order of their operand.
FOLLOWERS = frozenset(
    [
        aten.max_pool2d_with_indices.default,
        aten.max_pool2d_with_indices_backward.default,
        aten.avg_pool2d.default,
        aten.avg_pool2d_backward.default,
    ]
)
# Functions whose elements depend on strides, not only on places.
_OF_STRIDES = frozenset(
    getattr(aten, name) for name in ("as_strided", "as_strided_copy", "as_strided_scatter", "view_as_complex")
)
SIZES = frozenset([aten.sym_size.int, aten.sym_numel.default])


class CannotChange(Exception):
    """A graph whose values have to keep their strides."""


def is_stored_by_region(node: torch.fx.Node) -> bool:
    """Whether a kernel of a region stores the node, if anything does."""
    while node.target is operator.getitem:
        node = node.args[0]
    return node.target in LOWERINGS and node.target not in VIEWS


def _has_strides(value: torch.Tensor, strides: Iterable[object]) -> bool:
    """Whether the strides are known to be these, except for dimensions of one element."""
    return all(
        statically_known_true(size == 1) or statically_known_true(own == stride)
        for size, own, stride in zip(value.shape, value.stride(), strides, strict=True)
    )


def is_channels_last(value: torch.Tensor) -> bool:
    """Whether images are stored densely with the channels of a pixel next to each other."""
    if value.dim() != 4:
        return False
    _, channels, height, width = value.shape
    return _has_strides(value, (channels * height * width, 1, channels * width, channels))


def is_row_major(value: torch.Tensor) -> bool:
    strides, step = [], 1
    for size in reversed(value.shape):
        strides.append(step)
        step = step * size
    return _has_strides(value, reversed(strides))


def _is_same(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a is b or (a.dim() == b.dim() and _has_strides(a, b.stride()))


def has_equal_strides(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether all strides are known to be equal, those of dimensions of one element too."""
    return all(map(statically_known_true, map(operator.eq, a.stride(), b.stride())))


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, (tuple, list)) else [value]


class Layouts:
    """A graph in which `functions` (convolutions) get operands of rank 4 that are stored channels last, at the places
    of their arguments that they are mapped to.

    A copy of an operand that a region computes replaces all its uses: the region stores the copy alone."""

    def __init__(self, graph: torch.fx.Graph, functions: dict[torch.fx.Node, tuple[int, ...]]):
        self.graph, self.functions = graph, functions
        # Values as they were traced; of copies, what they are copies of.
        self.traced: dict[torch.fx.Node, object] = {}
        self._calls: dict[torch.fx.Node, tuple[Callable, tuple, dict]] = {}
        self._sources: dict[torch.fx.Node, torch.fx.Node] = {}
        self._copies: dict[torch.fx.Node, torch.fx.Node] = {}
        self._restored: dict[torch.fx.Node, torch.fx.Node] = {}
        self._operands = {node.args[place] for node, places in functions.items() for place in places}

    def run(self) -> None:
        for node in list(self.graph.nodes):
            self.traced[node] = node.meta.get("val")
            self._calls[node] = (node.target, node.args, node.kwargs)
            if node.op == "output":
                self._restore_operands(node)
            elif node.op == "call_function":
                self._change(node)

    # One node after the other

    def _change(self, node: torch.fx.Node) -> None:
        if node in self.functions:
            for place in self.functions[node]:
                node.update_arg(place, self._channels_last(node.args[place]))
        if not any(self._is_changed(source) for source in node.all_input_nodes) or node.target in SIZES:
            pass
        elif node in self.functions or self._follows(node):
            self._propagate(node)
        else:
            self._restore_operands(node)
            self._trace_again(node)
        if node in self._operands and is_stored_by_region(node) and not is_channels_last(node.meta["val"]):
            copy = self._channels_last(node)
            node.replace_all_uses_with(copy, delete_user_cb=lambda user: user is not copy)

    def _is_changed(self, node: torch.fx.Node) -> bool:
        value, traced = node.meta.get("val"), self.traced[node]
        if value is traced:
            return False
        pairs = zip(_items(value), _items(traced), strict=True)
        return any(isinstance(a, torch.Tensor) and not has_equal_strides(a, b) for a, b in pairs)

    def _follows(self, node: torch.fx.Node) -> bool:
        if node.target is operator.getitem:
            return True
        is_known = node.target in LOWERINGS or node.target in VIEWS or node.target in FOLLOWERS
        is_random = torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ())
        return is_known and not is_random and getattr(node.target, "overloadpacket", None) not in _OF_STRIDES

    def _propagate(self, node: torch.fx.Node) -> None:
        try:
            self._trace(node)
        except Exception as error:
            if node.target not in RESHAPES:
                raise CannotChange(f"{node.target}: {error}") from error
            # Regions read the elements where they are; PyTorch reads a copy.
            node.target = aten.reshape.default
            self._trace(node)

    def _trace_again(self, node: torch.fx.Node) -> None:
        """Gives a function of PyTorch's its value where operands differ from the traced ones in strides of dimensions
        of one element, by which libraries choose orders."""
        is_plain = not is_mutation(node) and not node.meta.get("unbacked_bindings") and node.target not in LOWERINGS
        if is_plain and tensors_of(node) and any(map(self._is_changed, node.all_input_nodes)):
            with contextlib.suppress(Exception):
                self._trace(node)

    def _trace(self, node: torch.fx.Node) -> None:
        """Gives a node the value that its function makes of its operands."""
        if node.target is operator.getitem:
            made = node.args[0].meta["val"][node.args[1]]
        else:
            made = evaluate(node.target, node.args, node.kwargs)
        for a, b in zip(_items(made), _items(node.meta["val"]), strict=True):
            if isinstance(b, torch.Tensor) and (a.dtype != b.dtype or tuple(a.shape) != tuple(b.shape)):
                raise CannotChange(f"{node.target} was traced as {b}, and is {a}")
        node.meta["val"] = made
        node.meta.pop("tensor_meta", None)

    # Copies

    def _make(self, origin: torch.fx.Node, target: Callable, *arguments: object, **options: object) -> torch.fx.Node:
        made = make(self.graph, origin, target, arguments, options)
        self.traced[made] = made.meta["val"]
        return made

    def _copy(self, node: torch.fx.Node, memory_format: torch.memory_format) -> torch.fx.Node:
        # Inputs are no operations, whose metadata a copy could have.
        origin = node if node.op == "call_function" else next(iter(node.users))
        copy = self._make(origin, aten.clone.default, node, memory_format=memory_format)
        self.traced[copy], self._sources[copy] = self.traced[node], node
        return copy

    def _channels_last(self, node: torch.fx.Node) -> torch.fx.Node:
        if is_channels_last(node.meta["val"]):
            return node
        if node not in self._copies:
            with self.graph.inserting_before(after(node)):
                self._copies[node] = self._copy(node, torch.channels_last)
        return self._copies[node]

    def _restore_operands(self, node: torch.fx.Node) -> None:
        with self.graph.inserting_before(node):
            arguments = (node.args, node.kwargs)
            node.args, node.kwargs = torch.fx.node.map_arg(arguments, lambda item: self._restore(item, node))

    def _restore(self, node: torch.fx.Node, reader: torch.fx.Node) -> torch.fx.Node:
        """The node, or one of the same elements with the strides that it was traced with."""
        traced = self.traced[node]
        if not is_tensor(node) or self._is_restored(node, reader):
            return node
        source = self._sources.get(node)
        if source is not None and _is_same(source.meta["val"], traced):
            return source
        source = source or node
        if source not in self._restored:
            self._restored[source] = self._restore_from(source, traced, reader)
        return self._restored[source]

    def _is_restored(self, node: torch.fx.Node, reader: torch.fx.Node) -> bool:
        value, traced = node.meta["val"], self.traced[node]
        if not _is_same(value, traced):
            return False
        while node.target in VIEWS:
            node = node.args[0]
        # A caller sees the strides of dimensions of one element. Regions store them as in row-major order.
        return reader.op != "output" or is_stored_by_region(node) or has_equal_strides(value, traced)

    def _restore_from(self, node: torch.fx.Node, traced: torch.Tensor, reader: torch.fx.Node) -> torch.fx.Node:
        target, arguments, options = self._calls[node]
        if target in VIEWS:
            # Of one copy, so that views that share memory still do.
            made = self._make(node, target, self._restore(arguments[0], reader), *arguments[1:], **options)
        else:
            order = dense_order(traced)
            if order is None:
                raise CannotChange(f"{node.target} has gaps in memory")
            made = node if order == sorted(order) else self._make(node, aten.permute.default, node, order)
            made = self._make(made, aten.clone.default, made, memory_format=torch.contiguous_format)
            if order != sorted(order):
                back = [order.index(dim) for dim in range(len(order))]
                made = self._make(node, aten.permute.default, made, back)
        if not _is_same(made.meta["val"], traced):
            raise CannotChange(f"{node.target} is {made.meta['val'].stride()}, not {traced.stride()}")
        return made
