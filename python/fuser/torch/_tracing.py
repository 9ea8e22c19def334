"""Values of nodes that rewrites of graphs make or change, and what reads a value."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator

import torch

from fuser.torch._lowering import VIEWS


def _flat(values: object) -> Iterator[object]:
    for item in values:
        if isinstance(item, (tuple, list)):
            yield from _flat(item)
        elif isinstance(item, dict):
            yield from _flat(item.values())
        else:
            yield item


def evaluate(
    function: Callable,
    arguments: Iterable[object],
    options: dict[str, object],
    value_of: Callable = lambda node: node.meta["val"],
    like: object = None,
) -> object:
    """What a function makes of the traced values of its operands, whatever mode the caller is in. `like` is a value of
    the graph: factories have no operand that tells that nothing is computed."""
    arguments, options = torch.fx.node.map_arg((tuple(arguments), options), value_of)
    fake = next((item for item in _flat((arguments, options, (like,))) if hasattr(item, "fake_mode")), None)
    with getattr(fake, "fake_mode", None) or contextlib.nullcontext(), torch.no_grad(), torch._C._DisableAutocast():
        return function(*arguments, **options)


def make(
    graph: torch.fx.Graph, origin: torch.fx.Node, function: Callable, arguments: Iterable[object], options: dict
) -> torch.fx.Node:
    """A node that does a part of what `origin` does: with its metadata, but a value of its own."""
    made = graph.call_function(function, tuple(arguments), options)
    made.meta = {key: item for key, item in origin.meta.items() if key != "tensor_meta"}
    made.meta["val"] = evaluate(function, arguments, options, like=origin.meta.get("val"))
    return made


def walk(
    node: torch.fx.Node,
    neighbors: Callable[[torch.fx.Node], Iterable[torch.fx.Node]],
    is_passed: Callable[[torch.fx.Node], bool],
) -> Iterator[torch.fx.Node]:
    """The neighbors of a node, each once, with those that are passed replaced by their own neighbors."""
    pending, seen = list(neighbors(node)), set()
    while pending:
        item = pending.pop()
        if item in seen:
            continue
        seen.add(item)
        if is_passed(item):
            pending += neighbors(item)
        else:
            yield item


def inputs_of(node: torch.fx.Node) -> Iterable[torch.fx.Node]:
    return node.all_input_nodes


def users_of(node: torch.fx.Node) -> Iterable[torch.fx.Node]:
    return node.users


def readers(node: torch.fx.Node) -> Iterator[torch.fx.Node]:
    """The nodes that read a value, directly or as a view, but the views."""
    return walk(node, users_of, lambda user: user.target in VIEWS)


def after(node: torch.fx.Node) -> torch.fx.Node:
    """The first node that follows a value and the inputs of the graph: what is inserted before it, all readers find."""
    place = node.next
    while place.op in ("placeholder", "get_attr"):
        place = place.next
    return place
