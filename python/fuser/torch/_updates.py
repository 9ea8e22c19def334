"""Inputs that a graph overwrites: copies of results into them, and views of them that are returned."""

from __future__ import annotations

import torch
from torch._functorch._aot_autograd.schemas import OutputType
from torch._guards import TracingContext
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._lowering import VIEWS, aten
from fuser.torch._partition import COPY
from fuser.torch._views import RESHAPES


def base_of(node: torch.fx.Node) -> torch.fx.Node:
    """What a node is a view of."""
    while node.target in VIEWS:
        node = node.args[0]
    return node


def is_place(node: torch.fx.Node) -> bool:
    """Whether a copy into the node can be a result that is stored there: an input, or all of one in another shape."""
    while node.target in RESHAPES:
        node = node.args[0]
    return node.op == "placeholder"


def _have_equal_sizes(a: torch.Tensor, b: torch.Tensor) -> bool:
    pairs = zip(a.shape, b.shape, strict=False)
    return a.dtype == b.dtype and a.dim() == b.dim() and all(statically_known_true(x == y) for x, y in pairs)


def _are_equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    pairs = zip(a.stride(), b.stride(), strict=False)
    return _have_equal_sizes(a, b) and all(statically_known_true(x == y) for x, y in pairs)


def _reshapes_of(node: torch.fx.Node) -> list[torch.fx.Node]:
    found = [user for user in node.users if user.target in RESHAPES and user.args[0] is node]
    return found + [other for user in found for other in _reshapes_of(user)]


def _is_memory_of(view: torch.fx.Node, target: torch.fx.Node) -> bool:
    """Whether a reshape of an input shares its memory: of one with gaps, a reshape can be a copy."""
    while view is not target:
        if view.target is not aten.view.default and not target.meta["val"].is_contiguous():
            return False
        view = view.args[0]
    return True


def copy_into_views(graph: torch.fx.Graph) -> None:
    """Copies a result, not its view in the shape of an input, into the view of the input that has the result's shape:
    elements of a cache are replaced in pages and stored in its shape."""
    for node in graph.find_nodes(op="call_function", target=COPY):
        target, value = node.args[:2]
        if target.op != "placeholder" or not isinstance(value, torch.fx.Node) or value.target not in RESHAPES:
            continue
        result = value
        while result.target in RESHAPES:
            result = result.args[0]
        if result.op != "call_function":
            continue
        views = {
            view
            for view in _reshapes_of(target)
            if _have_equal_sizes(view.meta["val"], result.meta["val"]) and _is_memory_of(view, target)
        }
        first, *others = [view for view in graph.nodes if view in views] or [None]
        if first is None:
            continue
        # A region reads and overwrites one of them.
        for view in others:
            view.replace_all_uses_with(first)
        node.args = (first, result, *node.args[2:])


def return_views_of_inputs(graph: torch.fx.Graph) -> None:
    """Makes what is returned as an overwritten input, or as a view of one, the input, or a view of it: the caller gets
    the input, or a view of the same sizes and strides, and the result that overwrites it need not exist."""
    metadata = getattr(TracingContext.try_get(), "fw_metadata", None)
    output = next(node for node in graph.nodes if node.op == "output")
    for node in graph.find_nodes(op="call_function", target=COPY):
        # The copy is the input itself.
        if node.args[0].op == "placeholder":
            output.replace_input_with(node, node.args[0])
    results = output.args[0] if isinstance(output.args[0], (list, tuple)) else [output.args[0]]
    if metadata is None or len(results) != len(metadata.mutated_inp_runtime_indices) + len(metadata.output_info):
        return
    copies = {node.args[1]: node for node in graph.find_nodes(op="call_function", target=COPY)}
    returned = list(results)
    for i, info in enumerate(metadata.output_info, len(metadata.mutated_inp_runtime_indices)):
        value = returned[i]
        if info.output_type != OutputType.alias_of_input or not isinstance(value, torch.fx.Node):
            continue
        copy = copies.get(base_of(value))
        if copy is None or copy.args[0].op != "placeholder":
            continue
        if _are_equal(copy.args[0].meta["val"], copy.args[1].meta["val"]):
            returned[i] = _view_again(graph, output, value, copy)
    output.args = (tuple(returned),)


def _view_again(graph: torch.fx.Graph, output: torch.fx.Node, value: torch.fx.Node, copy: torch.fx.Node):
    """The view `value` of what is copied, of the place where it is copied to."""
    if value is copy.args[1]:
        return copy.args[0]
    source = _view_again(graph, output, value.args[0], copy)
    with graph.inserting_before(output):
        view = graph.call_function(value.target, (source, *value.args[1:]), value.kwargs)
    view.meta["val"] = value.meta["val"]
    return view


def _is_returned(node: torch.fx.Node) -> bool:
    """Whether the node is returned, or a view of it."""
    return any(user.op == "output" or (user.target in VIEWS and _is_returned(user)) for user in node.users)


def write_copies_back(graph: torch.fx.Graph) -> None:
    """Gives each copy into an input a node of its own, which the program of a region can store there: views, inputs,
    results that are returned or copied elsewhere as well, and values of another type or shape become `aten.copy`. What
    else reads a result reads the input."""
    for node in graph.find_nodes(op="call_function", target=COPY):
        target, value = node.args[:2]
        if not is_place(target) or not isinstance(value, torch.fx.Node):
            continue
        into, what = target.meta["val"], value.meta["val"]
        same = (into.dtype, into.shape, into.stride()) == (what.dtype, what.shape, what.stride())
        is_own = sum(user.target is COPY for user in value.users) == 1 and not _is_returned(value)
        if same and value.op == "call_function" and value.target not in VIEWS and is_own:
            continue
        with graph.inserting_before(node):
            copy = graph.call_function(aten.copy.default, (target, value))
        copy.meta["val"] = into
        node.replace_input_with(value, copy)
