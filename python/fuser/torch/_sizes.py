"""Sizes as nodes of a graph."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable

import sympy
import torch
from torch.utils._sympy.functions import FloorDiv

from fuser.torch._builder import Unsupported


class SizeWriter:
    """Writes nodes that compute sizes from those of the graph's inputs, where nodes are inserted. `made` gets them."""

    def __init__(self, graph: torch.fx.Graph, made: list[torch.fx.Node] | None = None):
        self.graph, self.made = graph, [] if made is None else made

    def number(self, value: int | torch.SymInt) -> object:
        """A number as an argument of a node: what is computed from sizes becomes nodes. Raises Unsupported for a size
        that is no sum, product or quotient of sizes of inputs."""
        return self._of(value.node.expr) if isinstance(value, torch.SymInt) else value

    def _of(self, expression: sympy.Expr) -> object:
        if expression.is_number:
            return int(expression)
        if expression.is_Symbol:
            return self._size(expression)
        function = operator.add if expression.is_Add else operator.mul if expression.is_Mul else None
        if isinstance(expression, FloorDiv):
            function = operator.floordiv
        if function is None:
            raise Unsupported("a size that is no quotient of sums")
        parts = expression.args if function is operator.floordiv else sorted(expression.args, key=str)
        return functools.reduce(functools.partial(self._compute, function), map(self._of, parts))

    def _size(self, symbol: sympy.Symbol) -> torch.fx.Node:
        """The node of a size, which is one of the graph's inputs."""
        for node in self.graph.find_nodes(op="placeholder"):
            value = node.meta.get("val")
            if isinstance(value, torch.SymInt) and value.node.expr == symbol:
                return node
        raise Unsupported("a size that no input is")

    def _compute(self, function: Callable, *items: object) -> torch.fx.Node:
        made = self.graph.call_function(function, items)
        made.meta["val"] = function(*torch.fx.node.map_arg(items, lambda item: item.meta["val"]))
        self.made.append(made)
        return made
