"""What the backend left to PyTorch, with reasons, and how often its own kernels ran."""

from __future__ import annotations

import collections
import logging
from collections.abc import Iterable
from typing import NamedTuple

_LOGGER = logging.getLogger("fuser.torch")


class Fallback(NamedTuple):
    """An op that PyTorch computes: its name, the reason, and in how many places of compiled graphs."""

    op: str
    reason: str
    count: int


_fallbacks: collections.Counter[tuple[str, str]] = collections.Counter()


class _Record(NamedTuple):
    """What is kept of a region: [calls, calls that PyTorch computed], and the names of its ops."""

    counts: list[int]
    op_names: frozenset[str]


_regions: list[_Record] = []


class Counters(NamedTuple):
    """Since the last `reset`: calls of regions, how many of these PyTorch computed, graphs, regions."""

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


def note_graph(regions: Iterable[tuple[list[int], Iterable[str]]]) -> None:
    """Counts a graph; of each region the list of its counts and the names of its ops."""
    _Totals.graphs += 1
    _regions.extend(_Record(counts, frozenset(names)) for counts, names in regions)


def report() -> list[Fallback]:
    """What PyTorch computes in graphs that were compiled so far, the most frequent first."""
    return [Fallback(op, reason, count) for (op, reason), count in _fallbacks.most_common()]


def counters() -> Counters:
    """How often regions ran since the last reset."""
    calls, eager_calls = (sum(region.counts[i] for region in _regions) for i in range(2))
    return Counters(calls, eager_calls, _Totals.graphs, len(_regions))


def computed_ops() -> set[str]:
    """The ATen ops that kernels computed since the last reset."""
    return {name for region in _regions if region.counts[0] > region.counts[1] for name in region.op_names}


def reset() -> None:
    """Forgets fallbacks and counts."""
    _fallbacks.clear()
    _regions.clear()
    _Totals.graphs = 0
