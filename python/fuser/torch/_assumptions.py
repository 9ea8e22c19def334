"""Equalities of unknown sizes that are guards of a graph: of those that ops only require to be large enough."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._lowering import aten

# Functions of a tensor, a dimension, indices and what is stored there.
_SCATTERS = (
    aten.scatter.src,
    aten.scatter.reduce,
    aten.scatter_add.default,
    aten.scatter_reduce.two,
)
_GATHERS = (aten.gather.default, aten.scatter.value, aten.scatter.value_reduce, *_SCATTERS)

Size = int | torch.SymInt


def _pairs(node: torch.fx.Node) -> Iterator[tuple[Size, Size]]:
    """Sizes of which an op reads or writes so many elements of the first as the second has."""
    x, dim, index = (
        argument.meta["val"] if isinstance(argument, torch.fx.Node) else argument for argument in node.args[:3]
    )
    if x.dim() == 0 or index.dim() == 0:
        return
    dim %= x.dim()
    for other in range(x.dim()):
        if other != dim:
            yield x.shape[other], index.shape[other]
    if node.target in _SCATTERS:
        yield from zip(node.args[3].meta["val"].shape, index.shape, strict=True)


def _assume_equal(a: Size, b: Size) -> None:
    """Makes the equality of two sizes a guard of the graph if they are equal in the traced call."""
    condition = a == b
    if isinstance(condition, bool) or statically_known_true(condition):
        return
    node = condition.node
    if not node.shape_env.frozen and node.has_hint() and node.hint:
        bool(condition)


def assume_sizes(graph: torch.fx.Graph) -> None:
    """Guards that there are as many indices as rows, where that holds for the traced call.

    PyTorch guards that there are no more, and gives each its own symbol. Rows without an index are rare, and a kernel
    that has to leave them out has other loops than what computes the rows."""
    for node in graph.nodes:
        if node.op == "call_function" and node.target in _GATHERS:
            for a, b in _pairs(node):
                _assume_equal(a, b)
