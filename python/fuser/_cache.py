"""The cache of definitions: a trie of records.

Each node is a prefix of definitions; the edges from it are the records that follow. The end record leads to a leaf,
which
holds what was built of the definition: its MLIR, its lists of ids, and the programs compiled for it. A definition whose
records are all known builds nothing: it takes what the leaf has.
"""

from __future__ import annotations

import threading

from fuser._values import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fuser._fusion import Fusion


class Node:
    """A prefix of definitions."""

    __slots__ = ("children", "fusion", "types")

    def __init__(self, types: tuple[Type, ...] = ()):
        # The types of the results of the record that leads here.
        self.types = types
        self.children: dict[tuple, Node] = {}
        # Of an end.
        self.fusion: Fusion | None = None


class FusionCache:
    """All definitions of the process. `fusions_built` counts those that were not in the cache at their end."""

    def __init__(self):
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        """Forgets all definitions. Definitions that exist keep what they have."""
        with self._lock:
            self.root = Node()
            self.fusions_built = 0
            self.hits = 0

    def advance(self, node: Node, key: tuple, infer) -> Node:
        """The node after a record. `infer()` gives the types of its results where the record is new."""
        child = node.children.get(key)
        if child is None:
            made = Node(infer())
            with self._lock:
                child = node.children.setdefault(key, made)
        return child

    def finish(self, node: Node, build) -> Fusion:
        """What the leaf holds, built by `build()` the first time."""
        with self._lock:
            if node.fusion is None:
                node.fusion = build()
                self.fusions_built += 1
            else:
                self.hits += 1
            return node.fusion


CACHE = FusionCache()


def fusion_cache() -> FusionCache:
    """The cache of definitions of this process."""
    return CACHE
