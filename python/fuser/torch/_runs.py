"""Vectors of indices as runs with a constant step. Starts and lengths may be sizes that are known at run time only."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true


class Run(NamedTuple):
    """`length` places from `start` on, one `step` apart: 0 for one place several times."""

    start: int | torch.SymInt
    step: int
    length: int | torch.SymInt

    @property
    def last(self) -> int | torch.SymInt:
        return self.start + self.step * (self.length - 1)


def runs_of(vector: torch.Tensor, most: int) -> list[Run] | None:
    """The runs that a vector falls into; None if there are more than `most`."""
    changes = (vector.diff().diff() != 0).nonzero().flatten()
    # A run ends with at most two changes of the difference.
    if changes.numel() > 2 * most:
        return None
    final = vector.numel() - 1
    ends = [int(change) + 1 for change in changes] + [final]
    runs, first = [], 0
    for end in ends:
        # The difference between runs is none of a run.
        if end < first or (end == first and end != final):
            continue
        length = end - first + 1
        step = int(vector[first + 1] - vector[first]) if length > 1 else 1
        runs.append(Run(int(vector[first]), step, length))
        first = end + 1
    return _extended(runs) if len(runs) <= most else None


def _extended(runs: list[Run]) -> list[Run]:
    """Runs of step 1 get the places next to them that continue them."""
    runs = list(runs)
    for i in range(len(runs) - 1):
        run, after = runs[i], runs[i + 1]
        if run.step != 1 and run.length > 1 and after.step == 1 and after.length > 1 and run.last + 1 == after.start:
            runs[i : i + 2] = [_of(run.start, run.step, run.length - 1), Run(run.last, 1, after.length + 1)]
    return runs


def _of(start: int, step: int, length: int) -> Run:
    return single(Run(start, step, length))


def plain(size: int | torch.SymInt) -> int | torch.SymInt:
    """A size that is a number, whatever sizes it was computed of, as a number."""
    return int(size) if isinstance(size, torch.SymInt) and size.node.expr.is_number else size


def single(run: Run) -> Run:
    """A run with numbers where it has them, of step 1 if it is one place."""
    length = plain(run.length)
    return Run(plain(run.start), 1 if isinstance(length, int) and length == 1 else run.step, length)


def factor_of(vector: torch.Tensor | list[Run], size: int | torch.SymInt) -> int:
    """How many times each of `size` places is in the vector, one after the other; 0 for other vectors."""
    if isinstance(vector, list):
        run = vector[0]
        is_whole = run.step == 1 and statically_known_true(run.start == 0) and statically_known_true(run.length == size)
        return int(len(vector) == 1 and is_whole)
    if isinstance(size, int) and size == 0:
        return 0
    factor, rest = divmod(vector.numel(), size)
    if rest or not factor or not torch.equal(vector, torch.arange(size).repeat_interleave(factor)):
        return 0
    return factor
