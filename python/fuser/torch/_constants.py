"""Tensors of a graph that depend on nothing, such as the indices that PyTorch's decompositions compute."""

from __future__ import annotations

import operator

import torch
from torch.utils._python_dispatch import _disable_current_modes

# Functions of integers, and of floats those that are rounded in one way everywhere.
_FACTORIES = frozenset(["arange", "iota", "full", "zeros", "ones", "scalar_tensor"])
_FUNCTIONS = _FACTORIES | frozenset(
    ["_to_copy", "abs", "add", "alias", "bitwise_and", "bitwise_not", "bitwise_or", "cat", "ceil", "clamp",
     "clamp_max", "clamp_min", "clone", "convert_element_type", "eq", "expand", "flip", "floor", "fmod", "ge", "gt",
     "index_select", "le", "logical_and", "logical_not", "logical_or", "lt", "maximum", "minimum", "mul", "ne", "neg",
     "permute", "remainder", "reshape", "rsub", "select", "slice", "squeeze", "sub", "trunc", "unsqueeze", "view",
     "where"]
)  # fmt: skip
# Fresh copies of tensors of a module, which traces make of lists of numbers.
_LIFTS = frozenset(["lift_fresh", "lift_fresh_copy"])
MOST_ELEMENTS = 2**20


class Constants:
    """Evaluates nodes of one graph, each once. They are read from the graph as it is at that time."""

    def __init__(self) -> None:
        self._known: dict[torch.fx.Node, torch.Tensor | None] = {}

    def value(self, node: object) -> torch.Tensor | None:
        """The tensor, on the CPU; None for a node that is not constant, or too large."""
        if not isinstance(node, torch.fx.Node):
            return None
        if node not in self._known:
            self._known[node] = self._evaluate(node)
        return self._known[node]

    @staticmethod
    def is_listed(node: object) -> bool:
        """Whether a tensor depends on a list of numbers, which is read from memory if it is no constant."""
        pending, seen = [node], set()
        while pending:
            item = pending.pop()
            if not isinstance(item, torch.fx.Node) or item in seen:
                continue
            if getattr(item.target, "_opname", "") in _LIFTS:
                return True
            seen.add(item)
            pending += item.all_input_nodes
        return False

    def _evaluate(self, node: torch.fx.Node) -> torch.Tensor | None:
        name = getattr(node.target, "_opname", None)
        if name in _LIFTS:
            return self._attribute(node.args[0])
        out = node.meta.get("val")
        if name not in _FUNCTIONS or not isinstance(out, torch.Tensor):
            return None
        if not all(isinstance(size, int) for size in out.shape) or out.numel() > MOST_ELEMENTS:
            return None
        if bool(node.all_input_nodes) == (name in _FACTORIES):
            return None
        values = {source: self.value(source) for source in node.all_input_nodes}
        if any(value is None for value in values.values()):
            return None
        arguments, options = torch.fx.node.map_arg((node.args, dict(node.kwargs)), values.get)
        if "device" in options:
            options = {**options, "device": torch.device("cpu")}
        with _disable_current_modes(), torch.no_grad():
            return node.target(*arguments, **options)

    @staticmethod
    def _attribute(node: object) -> torch.Tensor | None:
        """The tensor of a module that no op of a graph writes: that of a list of numbers."""
        if not isinstance(node, torch.fx.Node) or node.op != "get_attr" or node.graph.owning_module is None:
            return None
        tensor = operator.attrgetter(node.target)(node.graph.owning_module)
        if type(tensor) is not torch.Tensor or tensor.is_meta or tensor.numel() > MOST_ELEMENTS:
            return None
        # A trace of CUDA tensors has the list on their device.
        with _disable_current_modes(), torch.no_grad():
            return tensor.cpu()
