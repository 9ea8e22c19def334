"""Vectors of indices whose length is known at run time only, as runs of a constant step.

PyTorch's decompositions compute the indices of `roll` and of paddings from the size of a dimension: sums, remainders,
absolute values and bounds of an `arange`. Each of these cuts runs where it changes their direction. Where that is
depends on the size; a condition that sizes decide becomes a guard of the graph.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.utils._python_dispatch import _disable_current_modes

from fuser.torch._builder import Unsupported
from fuser.torch._runs import Run, single

_INDEX_TYPES = (torch.int64, torch.int32)


def decide(condition: bool | torch.SymBool) -> bool:
    """Whether a condition on sizes holds, as a guard if it has to be one. Raises Unsupported where guards come too
    late, as for graphs of gradients, or where data decides."""
    if isinstance(condition, bool):
        return condition
    if statically_known_true(condition):
        return True
    if condition.node.shape_env.frozen or not condition.node.has_hint():
        raise Unsupported("a condition that sizes decide")
    return bool(condition)


def _number(item: object) -> int | torch.SymInt:
    """An argument that is a number or a size, with remainders of sizes as differences."""
    value = item.meta.get("val") if isinstance(item, torch.fx.Node) else item
    if isinstance(item, torch.fx.Node) and item.target is operator.mod:
        size, by = map(_number, item.args)
        if decide(size >= 0) and decide(size < by):
            return size
        if decide(size >= by) and decide(size < by + by):
            return size - by
    if isinstance(value, bool) or not isinstance(value, (int, torch.SymInt)):
        raise Unsupported("a number that is no size")
    return value


def _first(run: Run, count: int | torch.SymInt) -> Run:
    return single(Run(run.start, run.step, count))


def _after(run: Run, count: int | torch.SymInt) -> Run:
    return single(Run(run.start + run.step * count, run.step, run.length - count))


def _cut(run: Run, bound: int | torch.SymInt) -> list[Run]:
    """A run as those whose places are all less than a bound, or all not."""
    if run.step == 0:
        return [run]
    if run.step not in (1, -1):
        raise Unsupported("a step that is not 1")
    count = bound - run.start if run.step == 1 else run.start - bound + 1
    if decide(count <= 0) or decide(count >= run.length):
        return [run]
    return [_first(run, count), _after(run, count)]


def _select(runs: list[Run], bound: int | torch.SymInt, less: Callable, others: Callable) -> list[Run]:
    """Runs as functions of those less than a bound, and of the others."""
    parts = [part for run in runs for part in _cut(run, bound)]
    return [less(part) if decide(part.start < bound) else others(part) for part in parts]


def _keep(run: Run) -> Run:
    return run


def _scaled(runs: list[Run], factor: int | torch.SymInt, by: int | torch.SymInt = 0) -> list[Run]:
    if not isinstance(factor, int) or abs(factor) != 1:
        raise Unsupported("a step that is not 1")
    return [single(Run(run.start * factor + by, run.step * factor, run.length)) for run in runs]


def _remainder(runs: list[Run], by: int | torch.SymInt, wraps: bool) -> list[Run]:
    """Places less than twice `by`, which are not negative, modulo `by`. Negative ones wrap around once."""
    if wraps and decide(by > 0) and all(decide(end >= -by) for run in runs for end in (run.start, run.last)):
        runs = _select(runs, 0, lambda run: single(run._replace(start=run.start + by)), _keep)
    ends = [end for run in runs for end in (run.start, run.last)]
    if not decide(by > 0) or not all(decide(end >= 0) and decide(end < by + by) for end in ends):
        raise Unsupported("a remainder of more")
    return _select(runs, by, _keep, lambda run: single(run._replace(start=run.start - by)))


def _clamp(runs: list[Run], low: object = None, high: object = None) -> list[Run]:
    if low is not None:
        low = _number(low)
        runs = _select(runs, low, lambda run: single(Run(low, 0, run.length)), _keep)
    if high is not None:
        high = _number(high)
        runs = _select(runs, high + 1, _keep, lambda run: single(Run(high, 0, run.length)))
    return runs


class Places:
    """Evaluates nodes of one graph, each once."""

    def __init__(self) -> None:
        self._known: dict[torch.fx.Node, list[Run] | None] = {}

    def value(self, node: object) -> list[Run] | None:
        """The runs of a vector that sizes decide; None for other nodes."""
        if not isinstance(node, torch.fx.Node):
            return None
        if node not in self._known:
            try:
                with _disable_current_modes():
                    self._known[node] = self._evaluate(node)
            except Unsupported:
                self._known[node] = None
        return self._known[node]

    def _evaluate(self, node: torch.fx.Node) -> list[Run] | None:
        name, value = getattr(node.target, "_opname", None), node.meta.get("val")
        if not isinstance(value, torch.Tensor) or value.dim() != 1 or value.dtype not in _INDEX_TYPES:
            return None
        if name == "arange" and len(node.args) >= 2:
            return self._arange(*node.args[:3], length=value.shape[0])
        tensors = [item for item in node.args if isinstance(item, torch.fx.Node) and "val" in item.meta]
        tensors = [item for item in tensors if isinstance(item.meta["val"], torch.Tensor)]
        if len(tensors) != 1 or "alpha" in node.kwargs:
            return None
        runs = self.value(tensors[0])
        return None if runs is None else self._apply(name, runs, node)

    def _arange(self, first: object, _end: object, step: object = 1, *, length: int | torch.SymInt) -> list[Run] | None:
        step = _number(step)
        is_line = isinstance(step, int) and abs(step) == 1 and decide(length > 0)
        return [single(Run(_number(first), step, length))] if is_line else None

    def _apply(self, name: str | None, runs: list[Run], node: torch.fx.Node) -> list[Run] | None:
        x, *rest = node.args
        is_first = isinstance(x, torch.fx.Node) and isinstance(x.meta["val"], torch.Tensor)
        if name in ("add", "mul", "sub") and len(rest) == 1:
            by = _number(rest[0] if is_first else x)
            if name == "mul":
                return _scaled(runs, by)
            if name == "add":
                return _scaled(runs, 1, by)
            return _scaled(runs, 1, -by) if is_first else _scaled(runs, -1, by)
        if not is_first:
            return None
        if name in ("clone", "alias", "_to_copy"):
            return runs
        if name == "rsub" and len(rest) == 1:
            return _scaled(runs, -1, _number(rest[0]))
        if name == "neg":
            return _scaled(runs, -1)
        if name == "abs":
            return _select(runs, 0, lambda run: single(Run(-run.start, -run.step, run.length)), _keep)
        if name in ("fmod", "remainder"):
            return _remainder(runs, _number(rest[0]), wraps=name == "remainder")
        if name in ("clamp", "clamp_min"):
            return _clamp(runs, *rest)
        return _clamp(runs, None, rest[0]) if name == "clamp_max" else None


def lie_within(runs: list[Run], size: int | torch.SymInt) -> bool:
    """Whether all places are those of a dimension of `size`."""
    try:
        return all(decide(end >= 0) and decide(end < size) for run in runs for end in (run.start, run.last))
    except Unsupported:
        return False
