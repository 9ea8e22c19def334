"""The registry of lowerings: how nodes of an ATen graph become ops of a region.

A lowering is a function of a Builder, the traced result (`out`) and the node's arguments, in which tensors are values
of the region. It returns a value, or a tuple for a node with several results, and raises Unsupported with a reason for
what it does not take. That is also how the partitioner asks: it lowers each node once into a builder of its own.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

import torch

from fuser.torch._builder import Builder, Scalar, Tensor, Unsupported, element_type, extent_of
from fuser.torch._narrow import lower_widely, needs_width

aten, prims = torch.ops.aten, torch.ops.prims

LOWERINGS: dict[torch._ops.OpOverload, Callable] = {}

# Ops whose result is memory of their operand: they cost nothing in eager mode, so that regions neither start nor end
# with them.
VIEWS = frozenset(
    [
        aten.view.default,
        aten._unsafe_view.default,
        aten.reshape.default,
        aten.permute.default,
        aten.t.default,
        aten.transpose.int,
        aten.unsqueeze.default,
        aten.squeeze.dim,
        aten.squeeze.dims,
        aten.squeeze.default,
        aten.expand.default,
        aten.slice.Tensor,
        aten.select.int,
        aten.alias.default,
        aten.detach.default,
        aten.as_strided.default,
        aten.diagonal.default,
        aten.unfold.default,
        aten.view_as_real.default,
        aten.view_as_complex.default,
        aten.view.dtype,
    ]
)


def lower(*overloads: torch._ops.OpOverload) -> Callable:
    """Registers a lowering."""

    def register(function: Callable) -> Callable:
        for overload in overloads:
            LOWERINGS[overload] = function
        return function

    return register


def overload_of(name: str) -> torch._ops.OpOverload | None:
    """ "add.Tensor" of ATen; None where this version of PyTorch lacks it."""
    packet, _, overload = name.partition(".")
    found = getattr(aten, packet, None)
    return getattr(found, overload or "default", None) if found is not None else None


def check_dense(out: object) -> None:
    """Raises Unsupported for results that are not stored densely, strided memory."""
    for value in out if isinstance(out, (tuple, list)) else [out]:
        if isinstance(value, torch.Tensor):
            element_type(value.dtype)
            if value.layout != torch.strided:
                raise Unsupported("a sparse tensor")


def shape_of(out: torch.Tensor) -> tuple:
    return tuple(map(extent_of, out.shape))


def dim_of(dim: int, rank: int) -> int:
    return dim % max(rank, 1)


def run_lowering(builder: Builder, node: torch.fx.Node, values: dict, out: object) -> object:
    """The values of a node whose operands are `values` by node, and which was traced as `out`."""

    def argument(item: object) -> object:
        if isinstance(item, torch.fx.Node):
            return values[item]
        if isinstance(item, (list, tuple)):
            return [argument(part) for part in item]
        return item

    function = LOWERINGS.get(node.target)
    if function is None:
        raise Unsupported("no lowering")
    check_dense(out)
    arguments = [argument(item) for item in node.args]
    named = {name: argument(item) for name, item in node.kwargs.items()}
    if node.target not in VIEWS and needs_width(node.target, values.values(), out, arguments):
        results = lower_widely(function, node.target, builder, out, arguments, named)
    else:
        results = function(builder, out, *arguments, **named)
    check_results(out, results)
    return results


def check_results(out: object, results: object) -> None:
    """That a lowering made what was traced: its mistake is a reason to leave the node, not a wrong result."""
    expected = out if isinstance(out, (tuple, list)) else [out]
    made = results if type(results) is tuple else [results]
    for value, result in zip(expected, made, strict=True):
        if result is None:
            continue
        same = len(result.shape) == value.dim() and all(
            not isinstance(a, int) or not isinstance(b, int) or a == b
            for a, b in zip(result.shape, shape_of(value), strict=True)
        )
        if result.dtype != value.dtype or not same:
            raise Unsupported(f"lowered to {result.type}, but traced as {value.dtype} {tuple(value.shape)}")


def load_lowerings() -> None:
    for module in ("elements", "reductions", "shapes", "indexing", "random", "segment"):
        importlib.import_module(f"fuser.torch._{module}")


__all__ = ["LOWERINGS", "VIEWS", "Builder", "Scalar", "Tensor", "Unsupported", "aten", "lower", "prims"]
