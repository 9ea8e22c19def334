"""At which depth the nodes of regions are computed.

A node may be computed at any depth from that of its sources to that of its first reader. What one depth computes and
another one reads is stored, and each depth that reads it loads it again. Nodes begin at their earliest depth. Then they
are visited from the last to the first: a node whose readers are deeper moves to the first of them, together with nodes
of its depth that only it needs, if fewer bytes are stored and loaded so. Of these the part moves that saves most: a sum
over steps is computed where it is read, from the terms that products read anyway. Where this saves nothing, such nodes
of all depths move, with the nodes that share sources with them.

A tie leaves a node where it is, unless it depends on inputs only: these are in memory, and what is computed from them
need not be. Such nodes move first. After that, a move may make what lives at once by an eighth larger than it ever is.

The bytes are those of tensors, with sizes of the call that was traced. A view costs nothing, and a part that is read
through views counts as what the views leave. Each node is visited once, and is part of few moves that fail, so that the
time is about linear in the size of the graph.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import torch

from fuser.torch._lowering import VIEWS, overload_of

if TYPE_CHECKING:
    from fuser.torch._partition import Partition

# What is assumed of a size that depends on data.
_UNKNOWN_SIZE = 4096
# A move takes so many nodes at most.
_MOST_MOVED = 256
# So many readers move along with a node at most.
_MOST_COMPANIONS = 64
# By which part of the most that is live at once more may be.
_MORE_LIVE = 8
# These load as many elements of their first operand as they return.
_SELECTIONS = frozenset(
    filter(None, map(overload_of, ("embedding", "gather", "index.Tensor", "index_select", "_unsafe_index.Tensor")))
)


def _bytes_of(node: torch.fx.Node) -> int:
    """The bytes of a tensor; 0 of another value."""
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return 0
    count = value.element_size()
    for size in value.shape:
        is_known = not isinstance(size, torch.SymInt) or size.node.has_hint()
        count *= _UNKNOWN_SIZE if not is_known else int(size.node.hint if isinstance(size, torch.SymInt) else size)
    return count


class _Value:
    """A tensor that regions read: `bytes`, the depth that computes it (-1: an input), and whether a region does.

    `reads` are the loads of each depth: how many readers have each part, and the bytes of all parts. `others` is the
    depth of the last reader that is not part of a region, -1 if there is none.
    """

    __slots__ = ("bytes", "depth", "is_made", "others", "reads")

    def __init__(self, size: int, depth: int, is_made: bool):
        self.bytes, self.depth, self.is_made = size, depth, is_made
        self.reads: dict[int, tuple[dict[torch.fx.Node, int], list[int]]] = {}
        self.others = -1

    def is_stored(self) -> bool:
        return not self.is_made or self.others >= 0 or len(self.reads) > (self.depth in self.reads)

    def cost_at(self, depth: int) -> int:
        """The bytes that regions of a depth load."""
        if depth not in self.reads or (self.is_made and depth == self.depth):
            return 0
        return min(self.bytes, self.reads[depth][1][0])

    def stored(self) -> int:
        return self.bytes if self.is_made and self.is_stored() else 0

    def add(self, depth: int, part: torch.fx.Node, size: int) -> None:
        counts, total = self.reads.setdefault(depth, ({}, [0]))
        if part not in counts:
            total[0] += size
        counts[part] = counts.get(part, 0) + 1

    def remove(self, depth: int, part: torch.fx.Node, size: int) -> None:
        counts, total = self.reads[depth]
        counts[part] -= 1
        if not counts[part]:
            del counts[part]
            total[0] -= size
        if not counts:
            del self.reads[depth]

    def range(self) -> tuple[int, int]:
        """The depths after which the value is live, from the first to before the last."""
        if not self.is_stored():
            return 0, 0
        return max(self.depth, 0), max(self.others, *self.reads) if self.reads else self.others


class Placement:
    """Moves the nodes of `partition`, which are at their earliest depths, and writes its `depths`.

    `is_free` tells of nodes that depend on inputs only; `fixed` are nodes that stay. Nodes with several results move
    with the nodes that are these results: `groups` maps a node to the one that computes it, `members` to all.
    """

    def __init__(self, partition: Partition, is_free: Callable[[torch.fx.Node], bool], fixed: set[torch.fx.Node]):
        from fuser.torch._partition import INLINE, INPUT, REGION, SIZE, is_known_size

        self.partition, self.depths, self._is_free = partition, partition.depths, is_free
        kinds = partition.kinds
        self._is_inline = lambda node: kinds[node] == INLINE
        self._is_region = lambda node: kinds[node] == REGION
        self._is_ignored = lambda node: kinds[node] == SIZE and is_known_size(node)
        self._nodes = [node for node in partition.graph.nodes if kinds[node] != INLINE and not self._is_ignored(node)]
        self._position = {node: position for position, node in enumerate(self._nodes)}
        self._members: dict[torch.fx.Node, list[torch.fx.Node]] = {}
        self._groups: dict[torch.fx.Node, torch.fx.Node] = {}
        for node in self._nodes:
            if self._is_region(node):
                is_item = node.target is operator.getitem and node.args[0] in self._groups
                self._groups[node] = self._groups[node.args[0]] if is_item else node
                self._members.setdefault(self._groups[node], []).append(node)
        self._fixed = {self._groups[node] for node in fixed if node in self._groups}
        self._values = {
            node: _Value(_bytes_of(node), -1 if kinds[node] == INPUT else self.depths[node], self._is_region(node))
            for node in self._nodes
        }
        # What a group loads, (source, part, bytes), and what reads it.
        self._loads: dict[torch.fx.Node, list[tuple[torch.fx.Node, torch.fx.Node, int]]] = {}
        self._readers: dict[torch.fx.Node, dict[torch.fx.Node, None]] = {group: {} for group in self._members}
        for node in self._nodes:
            self._add_loads(node)
        # The bytes that are live after each depth, and the most that are allowed.
        self._live = [0] * (max(self.depths.values(), default=0) + 1)
        self._most_live: int | None = None
        for value in self._values.values():
            self._count_live(value.range(), value.bytes)

    def _parts(self, node: torch.fx.Node) -> Iterable[tuple[torch.fx.Node, torch.fx.Node, int]]:
        """What a node loads: the source, the view of it that the node reads, and the bytes of this view."""
        for source in node.all_input_nodes:
            is_selected = node.target in _SELECTIONS and source is node.args[0]
            most = min(_bytes_of(source), _bytes_of(node)) if is_selected else _bytes_of(source)
            pending, seen = [(source, most)], set()
            while pending:
                base, size = pending.pop()
                if base in seen or self._is_ignored(base):
                    continue
                seen.add(base)
                if not self._is_inline(base):
                    yield base, source, min(size, _bytes_of(base))
                    continue
                # A factory reads sizes only.
                size = size if base.target in VIEWS else 0
                pending += [(item, min(size, _bytes_of(item))) for item in base.all_input_nodes]

    def _add_loads(self, node: torch.fx.Node) -> None:
        group = self._groups.get(node)
        for base, part, size in self._parts(node):
            value, maker = self._values[base], self._groups.get(base)
            if group is not None and group is maker:
                continue
            if group is None:
                value.others = max(value.others, self.depths[node])
            else:
                value.add(self.depths[node], part, size)
                self._loads.setdefault(group, []).append((base, part, size))
            if maker is not None:
                self._readers[maker][group or node] = None

    def _count_live(self, depths: tuple[int, int], size: int) -> None:
        for depth in range(*depths):
            self._live[depth] += size

    def _fits(self, before: dict[torch.fx.Node, tuple[int, int]]) -> bool:
        """Counts what is live after a move, given what was, unless it is more than allowed."""
        values = [(self._values[node], depths) for node, depths in before.items()]
        values = [(value.bytes, depths, value.range()) for value, depths in values if value.range() != depths]
        for size, old, new in values:
            self._count_live(old, -size)
            self._count_live(new, size)
        grown = (depth for _, _, new in values for depth in range(*new))
        if self._most_live is None or all(self._live[depth] <= self._most_live for depth in grown):
            return True
        for size, old, new in values:
            self._count_live(new, -size)
            self._count_live(old, size)
        return False

    # Moves

    def sink(self) -> None:
        """Moves what saves bytes. What depends on inputs only comes first: how much is live then is the limit."""
        for is_limited in (False, True):
            most = max(self._live)
            self._most_live, self._tried = most + most // _MORE_LIVE if is_limited else None, set()
            for group in reversed(self._members):
                target = self._first_reader(group)
                if group in self._fixed or target is None or target <= self.depths[group]:
                    continue
                if not is_limited and not self._is_free(group):
                    continue
                if not self._try(group, target, is_wide=False) and group not in self._tried:
                    self._try(group, target, is_wide=True)

    def _first_reader(self, group: torch.fx.Node) -> int | None:
        return min((self.depths[reader] for reader in self._readers[group]), default=None)

    def _move(self, group: torch.fx.Node, depth: int) -> int:
        """Moves a group; returns by how many more bytes are stored and loaded."""
        before, change = self.depths[group], 0
        for source, part, size in self._loads.get(group, ()):
            value = self._values[source]
            change -= value.cost_at(before) + value.cost_at(depth) + value.stored()
            value.remove(before, part, size)
            value.add(depth, part, size)
            change += value.cost_at(before) + value.cost_at(depth) + value.stored()
        for node in self._members[group]:
            value = self._values[node]
            change -= value.cost_at(before) + value.cost_at(depth) + value.stored()
            value.depth = self.depths[node] = depth
            change += value.cost_at(before) + value.cost_at(depth) + value.stored()
        return change

    def _try(self, root: torch.fx.Node, target: int, is_wide: bool) -> bool:
        """Moves a node and nodes of its depth that only it needs, as far as that saves bytes. With `is_wide`, those of
        other depths, and nodes that share sources with them, move along."""
        ranges: dict[torch.fx.Node, tuple[int, int]] = {}
        first: dict[torch.fx.Node, int] = {}
        saved, change, pending = [], 0, {root}
        while pending and len(first) < _MOST_MOVED:
            # Readers before what they read.
            group = max(pending, key=self._position.get)
            pending.discard(group)
            for node in (*self._members[group], *(source for source, _, _ in self._loads.get(group, ()))):
                ranges.setdefault(node, self._values[node].range())
            first[group] = self.depths[group]
            change += self._move(group, target)
            saved.append(change)
            for source, _, _ in self._loads.get(group, ()):
                maker = self._groups.get(source)
                if maker is None or maker in self._fixed or self.depths[maker] >= target:
                    continue
                if self._first_reader(maker) >= target:
                    if is_wide or self.depths[maker] == first[root]:
                        pending.add(maker)
                elif is_wide:
                    pending |= self._movable(maker, target)
        kept, change = self._prune(first, target, change)
        best = min(saved)
        if best < change:
            # A part from the readers on saves more.
            for group in kept:
                self._move(group, first[group])
            kept, change = list(first)[: saved.index(best) + 1], best
            for group in kept:
                self._move(group, target)
        is_better = change < 0 or (change == 0 and bool(kept) and self._is_free(root))
        if is_better and self._fits(ranges):
            return True
        for group in kept:
            self._move(group, first[group])
        if is_wide:
            self._tried.update(first)
        return False

    def _movable(self, group: torch.fx.Node, target: int) -> set[torch.fx.Node]:
        """The readers of a group that can move so that it can; none where one cannot."""
        pending, found = [group], set()
        while pending:
            for reader in self._readers[pending.pop()]:
                if self.depths[reader] >= target or reader in found:
                    continue
                if reader not in self._members or reader in self._fixed or len(found) == _MOST_COMPANIONS:
                    return set()
                found.add(reader)
                pending.append(reader)
        return found

    def _prune(self, first: dict[torch.fx.Node, int], target: int, change: int) -> tuple[list[torch.fx.Node], int]:
        """Moves nodes back, beginning with those that no other moved node is computed from, where that saves bytes."""
        kept = dict.fromkeys(first)
        for group in reversed(first):
            if any(self._groups.get(source) in kept for source, _, _ in self._loads.get(group, ())):
                continue
            back = self._move(group, first[group])
            if back < 0 or (back == 0 and not self._is_free(group)):
                change += back
                del kept[group]
            else:
                self._move(group, target)
        return list(kept), change
