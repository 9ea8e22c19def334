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
) -> object:
    """What a function makes of the traced values of its operands, whatever mode the caller is in."""
    arguments, options = torch.fx.node.map_arg((tuple(arguments), options), value_of)
    fake = next((item for item in _flat((arguments, options)) if hasattr(item, "fake_mode")), None)
    with getattr(fake, "fake_mode", None) or contextlib.nullcontext(), torch.no_grad(), torch._C._DisableAutocast():
        return function(*arguments, **options)


def readers(node: torch.fx.Node) -> Iterator[torch.fx.Node]:
    """The nodes that read a value, directly or as a view, but the views."""
    pending, seen = list(node.users), set()
    while pending:
        user = pending.pop()
        if user in seen:
            continue
        seen.add(user)
        if user.target in VIEWS:
            pending += user.users
        else:
            yield user


def after(node: torch.fx.Node) -> torch.fx.Node:
    """The first node that follows a value and the inputs of the graph: what is inserted before it, all readers find."""
    place = node.next
    while place.op in ("placeholder", "get_attr"):
        place = place.next
    return place
