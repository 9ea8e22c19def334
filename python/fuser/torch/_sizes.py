"""Sizes as nodes of a graph."""

from __future__ import annotations

import operator
from collections.abc import Callable

import torch

from fuser.torch._builder import Unsupported


class SizeWriter:
    """Writes nodes that compute sizes from those of the graph's inputs, where nodes are inserted. `made` gets them."""

    def __init__(self, graph: torch.fx.Graph, made: list[torch.fx.Node] | None = None):
        self.graph, self.made = graph, [] if made is None else made

    def number(self, value: int | torch.SymInt) -> object:
        """A number as an argument of a node: sums and multiples of sizes become nodes."""
        if not isinstance(value, torch.SymInt):
            return value
        total: object = 0
        terms = value.node.expr.as_coefficients_dict()
        for term, factor in sorted(terms.items(), key=str):
            part = int(factor)
            if not term.is_number:
                size = self._size(term)
                part = size if factor == 1 else self._compute(operator.mul, size, part)
            total = part if isinstance(total, int) and total == 0 else self._compute(operator.add, total, part)
        return total

    def _size(self, symbol: object) -> torch.fx.Node:
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
