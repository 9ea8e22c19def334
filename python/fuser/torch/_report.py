"""What the backend left to PyTorch, with reasons, and how often its own kernels ran."""

from __future__ import annotations

import collections
import logging
from typing import NamedTuple

_LOGGER = logging.getLogger("fuser.torch")


class Fallback(NamedTuple):
    """An op that PyTorch computes: its name, the reason, and in how many places of compiled graphs."""

    op: str
    reason: str
    count: int


_fallbacks: collections.Counter[tuple[str, str]] = collections.Counter()
# Of each op, by its name, how many of its nodes were in a region that ran.
_claims: collections.Counter[str] = collections.Counter()
_regions: list[Region] = []  # noqa: F821


class Counters(NamedTuple):
    """Since the last `reset_counters`: calls of regions that kernels computed, and calls that PyTorch computed."""

    kernel_calls: int
    eager_calls: int
    compiled_graphs: int
    regions: int


class _Totals:
    graphs = 0


def note_fallback(op: str, reason: str, expected: bool = False) -> None:
    """Counts a fallback, and logs it when it is new. `expected`: an op that is left to PyTorch by design."""
    key = (op, reason)
    _fallbacks[key] += 1
    if _fallbacks[key] == 1:
        _LOGGER.log(logging.INFO if expected else logging.WARNING, "%s is computed by PyTorch: %s", op, reason)


def note_graph(regions: list) -> None:
    _Totals.graphs += 1
    _regions.extend(regions)


def report() -> list[Fallback]:
    """What PyTorch computes in graphs that were compiled so far, the most frequent first."""
    return [Fallback(op, reason, count) for (op, reason), count in _fallbacks.most_common()]


def counters() -> Counters:
    """How often regions ran since the last reset."""
    return Counters(
        sum(region.calls for region in _regions), sum(region.eager_calls for region in _regions), _Totals.graphs,
        len(_regions),
    )  # fmt: skip


def computed_ops() -> set[str]:
    """The ATen ops that kernels computed since the last reset."""
    return {name for region in _regions if region.calls > region.eager_calls for name in region.op_names}


def reset() -> None:
    """Forgets fallbacks and counts."""
    _fallbacks.clear()
    _regions.clear()
    _Totals.graphs = 0
