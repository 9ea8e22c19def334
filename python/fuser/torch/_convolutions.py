"""Channels-last operands for convolutions where that saves conversions.

Fast kernels of convolutions read and write the channels of a pixel next to each other. Given other operands, the
library converts them and the result around each kernel. Here the region that computes an operand stores it in that
order, and what is computed of the result takes its order, so that conversions are left where the graph begins and ends.
"""

from __future__ import annotations

import copy
import logging
import math
import operator
from collections.abc import Iterator

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._builder import Unsupported
from fuser.torch._layouts import (
    FOLLOWERS,
    SIZES,
    CannotChange,
    Layouts,
    is_channels_last,
    is_row_major,
    is_stored_by_region,
)
from fuser.torch._lowering import LOWERINGS, VIEWS, aten
from fuser.torch._partition import hint_of, tensors_of
from fuser.torch._tracing import evaluate, readers

_log = logging.getLogger("fuser.torch")

# The places of operands that images and weights are at. What else they take, both have in the same order.
_OPERANDS = {aten.convolution.default: (0, 1), aten.convolution_backward.default: (0, 1, 2)}
# Libraries pad fewer channels than this in any order: their conversion is not saved.
_FEWEST_CHANNELS = 4
# cuDNN has no fast channels-last kernels for fewer channels of a result: for 3 of f32, 3562 us instead of 160 on one
# H200.
_FEWEST_RESULTS = 4
# A region that reads images in one order and stores others in the other one reads or stores several elements of a
# transaction apart: it takes about as long as these passes over memory more.
_TRANSPOSITION = 2
# Tiles are transposed between two orders. Of three, one is read or stored an element at a time.
_THREE_ORDERS = 6
_TYPES = (torch.float16, torch.bfloat16)


def _groups(node: torch.fx.Node) -> int:
    return node.args[8] if node.target is aten.convolution.default else node.args[9]


def _weight(node: torch.fx.Node) -> torch.fx.Node:
    return node.args[_OPERANDS[node.target][-1]]


def _results(node: torch.fx.Node) -> Iterator[torch.fx.Node]:
    """The nodes that are images or weights which a convolution makes."""
    if node.target is aten.convolution.default:
        yield node
        return
    for user in node.users:
        if user.target is operator.getitem and user.args[1] < 2:
            yield user


def _is_converted(value: torch.Tensor) -> bool:
    """Whether the library converts such images: its kernels for tensor cores need it, those of other types do not."""
    return value.device.type == "cuda" and (
        value.dtype in _TYPES or (value.dtype == torch.float32 and torch.backends.cudnn.conv.fp32_precision == "tf32")
    )


def _has_kernels(node: torch.fx.Node) -> bool:
    """Whether the result is stored channels last, given such operands."""
    operands = {node.args[place]: node.args[place].meta["val"] for place in _OPERANDS[node.target]}

    def argument(item: torch.fx.Node) -> torch.Tensor:
        value = item.meta["val"]
        return torch.empty_like(value, memory_format=torch.channels_last) if item in operands else value

    values = evaluate(node.target, node.args, node.kwargs, argument)
    values = [values] if isinstance(values, torch.Tensor) else values[:2]
    return all(value is None or is_channels_last(value) for value in values)


def _is_candidate(node: torch.fx.Node, is_forced: bool) -> bool:
    if node.target not in _OPERANDS or node.kwargs or _groups(node) != 1:
        return False
    values = [node.args[place].meta["val"] for place in _OPERANDS[node.target]]
    # The order of one channel cannot be told from the other one.
    if any(value.dim() != 4 for value in values) or any(
        statically_known_true(value.shape[1] == 1) for value in values[-2:]
    ):
        return False
    if not is_forced and not all(map(_is_converted, values)):
        return False
    result = node.meta["val"] if node.target is aten.convolution.default else values[0]
    try:
        if not is_forced and hint_of(result.shape[1]) < _FEWEST_RESULTS:
            return False
        return all(hint_of(size) for value in values for size in value.shape) and _has_kernels(node)
    except Exception as error:
        _log.debug("%s is left in the order of its operands: %s", node, error)
        return False


def _bytes(value: torch.Tensor) -> int:
    """Of a tensor whose elements move when channels become last."""
    channels, *sizes = map(hint_of, value.shape[1:])
    if channels == 1 or math.prod(sizes) == 1:
        return 0
    return hint_of(value.shape[0]) * channels * math.prod(sizes) * value.dtype.itemsize


def _saved(value: torch.Tensor) -> int:
    return _bytes(value) if hint_of(value.shape[1]) >= _FEWEST_CHANNELS else 0


def _takes_any_order(node: torch.fx.Node) -> bool:
    return node.target in LOWERINGS or node.target in FOLLOWERS or node.target in SIZES


def _base(node: torch.fx.Node) -> torch.fx.Node:
    while node.target in VIEWS or node.target is operator.getitem:
        node = node.args[0]
    return node


def _count(node: torch.fx.Node) -> int:
    """The elements of a node, or of its greatest result."""
    return max((math.prod(map(hint_of, value.shape)) for value in tensors_of(node)), default=0)


def _is_image(node: torch.fx.Node, least: int) -> bool:
    """Whether a node is of rank 4, not channels last already, and has at least so many elements."""
    value = node.meta.get("val")
    is_other = isinstance(value, torch.Tensor) and value.dim() == 4 and not is_channels_last(value)
    return is_other and _count(node) >= least


def _holds_pixels(node: torch.fx.Node, least: int) -> bool:
    """Whether a node may be an image with dimensions divided, as a pixel shuffle has it between two images."""
    value = node.meta.get("val")
    return _is_image(node, least) or (isinstance(value, torch.Tensor) and value.dim() > 4 and _count(node) >= least)


def _is_copied(node: torch.fx.Node) -> bool:
    """Whether a view of a value is stored in the order of the view."""
    pending, least = list(node.users), _count(node) // 2
    while pending:
        user = pending.pop()
        if user.target is aten.clone.default and _count(user) >= least:
            return True
        if user.target in VIEWS:
            pending += user.users
    return False


class _Chooser:
    """Which convolutions get channels-last operands.

    A forward convolution and its gradients are decided together. At first all are taken, and then those are dropped,
    until none is left, for which copies cost more bytes than the library's conversions."""

    def __init__(self, graph: torch.fx.Graph, is_forced: bool):
        self.units: dict[torch.fx.Node, list[torch.fx.Node]] = {}
        for node in graph.nodes:
            if _is_candidate(node, is_forced):
                self.units.setdefault(_weight(node), []).append(node)
        self.taken = {node for unit in self.units.values() for node in unit}
        self.is_forced = is_forced

    def choose(self) -> set[torch.fx.Node]:
        is_done = self.is_forced
        while not is_done:
            costs = {key: self._cost(unit) for key, unit in self.units.items()}
            dropped = [key for key, cost in costs.items() if cost >= 0 and not self._is_given(self.units[key])]
            for key in dropped:
                self.taken -= set(self.units.pop(key))
            is_done = not dropped
        return self.taken

    @staticmethod
    def _is_given(unit: list[torch.fx.Node]) -> bool:
        """Whether the library takes channels-last kernels for what the user gave it."""
        values = [result.meta["val"] for node in unit for result in _results(node)]
        return any(is_channels_last(value) and not is_row_major(value) for value in values)

    def _cost(self, unit: list[torch.fx.Node]) -> int:
        cost, copied = 0, set()
        for node in unit:
            for place in _OPERANDS[node.target]:
                operand = node.args[place]
                # The library converts an operand for each function that reads it.
                cost += (operand not in copied and self._cost_of_operand(operand)) - _saved(operand.meta["val"])
                copied.add(operand)
            for result in _results(node):
                cost += self._cost_of_result(result) - _saved(result.meta["val"])
        return cost

    def _cost_of_operand(self, operand: torch.fx.Node) -> int:
        """The bytes of a copy. A region that computes the operand stores the copy, and the operand only for others."""
        node, size = _base(operand), _bytes(operand.meta["val"])
        if is_channels_last(operand.meta["val"]) or node in self.taken:
            return 0
        if is_stored_by_region(node):
            # Without reading it again.
            also = size // 2 if self._is_read_as_traced(operand) else 0
            if not self._reads_others(node):
                return also
            return also + (_THREE_ORDERS if _is_copied(node) else _TRANSPOSITION) * size
        return size

    def _cost_of_result(self, result: torch.fx.Node) -> int:
        size = _bytes(result.meta["val"])
        if self._is_read_as_traced(result):
            return size
        return _TRANSPOSITION * size if self._is_stored_for_others(result) else 0

    def _reads_others(self, node: torch.fx.Node) -> bool:
        """Whether the region of a node reads images of its size in another order."""
        pending, seen, least = [node], set(), _count(node) // 2
        while pending:
            for source in pending.pop().all_input_nodes:
                base = _base(source)
                if source in seen or not _holds_pixels(source, least) or base in self.taken:
                    continue
                seen.add(source)
                if not _takes_any_order(base) and _count(base) >= least:
                    return True
                if _holds_pixels(base, least):
                    pending.append(base)
        return False

    def _is_stored_for_others(self, node: torch.fx.Node) -> bool:
        """Whether the region that reads a node stores images of its size in another order."""
        pending, seen, least = [node], set(), _count(node) // 2
        while pending:
            for user in pending.pop().users:
                if user in seen or user in self.taken:
                    continue
                seen.add(user)
                if user.target in VIEWS or (_takes_any_order(user) and _holds_pixels(user, least)):
                    pending.append(user)
                if _is_image(user, least) and user.target not in VIEWS and self._is_read_as_traced(user):
                    return True
        return False

    def _is_read_as_traced(self, node: torch.fx.Node) -> bool:
        """Whether the graph returns a value, or a function reads it that needs the traced strides."""
        return any(not _takes_any_order(user) and user not in self.taken for user in readers(node))


def use_channels_last(module: torch.fx.GraphModule, is_wanted: bool | None = None) -> None:
    """Gives convolutions channels-last operands: on a GPU where that is predicted to save time, or, if `is_wanted` is a
    bool, all or none of them. The graph stays as it is where a value could not keep its strides."""
    if is_wanted is False or not any(node.target in _OPERANDS for node in module.graph.nodes):
        return
    # Nothing of a rewrite that fails is left.
    graph = copy.deepcopy(module.graph)
    try:
        chosen = _Chooser(graph, is_wanted is True).choose()
        if not chosen:
            return
        Layouts(graph, {node: _OPERANDS[node.target] for node in graph.nodes if node in chosen}).run()
    except (CannotChange, Unsupported, RuntimeError) as reason:
        # PyTorch raises RuntimeError, or a class of it, for strides and for sizes of data that a function cannot have.
        _log.debug("convolutions keep the order of their operands: %s: %s", type(reason).__name__, reason)
        return
    except Exception:
        # A defect of the rewrite is reported with its place, and costs no more than what the rewrite would have saved.
        _log.warning("convolutions keep the order of their operands", exc_info=True)
        return
    module.graph = graph
    module.recompile()
