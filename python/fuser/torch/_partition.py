"""Which nodes of an ATen graph are computed together.

Each node has a depth: how many nodes of PyTorch's lie on the longest path to it. The nodes of one depth that can be
lowered form regions, which are convex, since a path through a node of PyTorch's leads to a greater depth. All regions
of a depth run before the nodes of PyTorch's of that depth. So there are as few regions as the graph allows. A node may
move to a greater depth, up to that of its first reader, which keeps regions convex; `Placement` decides so by the bytes
that are stored. What depends on inputs only moves unless that costs more, so that a backward graph recomputes next to
its use. What is stored in an input, and what reads an input that changes, stays: mutations come last.

Views, and tensors that are made of nothing, belong to no region: each consumer computes them anew, a region as part of
its program and PyTorch as views. They are never results of a region: aliases and strides are those of eager mode.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence

import sympy
import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.utils._sympy.printers import PythonPrinter

from fuser.torch._builder import ELEMENT_TYPES, Builder, Unsupported
from fuser.torch._lowering import LOWERINGS, VIEWS, aten, overload_of, prims, run_lowering
from fuser.torch._placement import Placement
from fuser.torch._tracing import inputs_of, users_of, walk

# Inputs, sizes, views and factories, nodes of regions, nodes of PyTorch's.
INPUT, SIZE, INLINE, REGION, EAGER = range(5)

_FACTORIES = frozenset(
    filter(
        None,
        (
            prims.iota.default,
            *map(
                overload_of, ("full", "scalar_tensor", "zeros", "ones", "arange.start_step", "full_like", "zeros_like")
            ),
            overload_of("ones_like"),
        ),
    )
)
# Left to PyTorch by design: its libraries are faster than kernels of ours.
_CONTRACTIONS = frozenset(
    [
        "mm",
        "bmm",
        "addmm",
        "baddbmm",
        "addbmm",
        "addmv",
        "mv",
        "dot",
        "vdot",
        "linear",
        "linear_backward",
        "_addmm_activation",
    ]
)
_LIBRARIES = ("convolution", "attention", "_linear_cross_entropy")
_BY_DESIGN = "kernels of PyTorch's libraries are faster"
# Regions with more arguments and results, or more nodes, are divided where they consist of parts.
_MOST_VALUES, _MOST_NODES = 384, 256


def is_tensor(node: torch.fx.Node) -> bool:
    value = node.meta.get("val")
    return isinstance(value, torch.Tensor)


def tensors_of(node: torch.fx.Node) -> list[torch.Tensor]:
    value = node.meta.get("val")
    values = value if isinstance(value, (tuple, list)) else [value]
    return [item for item in values if isinstance(item, torch.Tensor)]


def op_name(node: torch.fx.Node) -> str:
    return str(node.target).removeprefix("torch.ops.")


def is_by_design(node: torch.fx.Node) -> bool:
    """Contractions and attention."""
    packet = getattr(node.target, "_opname", "")
    return packet in _CONTRACTIONS or any(name in packet for name in _LIBRARIES)


def graph_device(graph: torch.fx.Graph) -> torch.device:
    """The device that most results are on; a GPU if there is one."""
    counts: dict[torch.device, int] = {}
    for node in graph.nodes:
        for tensor in tensors_of(node):
            counts[tensor.device] = counts.get(tensor.device, 0) + 1
    gpus = {device: count for device, count in counts.items() if device.type == "cuda"}
    return max(gpus or counts, key=(gpus or counts).get, default=torch.device("cpu"))


def order_of(tensor: torch.Tensor, is_returned: bool = True) -> list[int] | None:
    """The dimensions from slowest to fastest of a result as eager mode stores it. Raises Unsupported where a result
    that is returned has gaps or overlaps; others are stored without them."""
    sizes, strides = list(tensor.shape), list(tensor.stride())
    hints = [hint_of(stride) for stride in strides]
    extents = [hint_of(size) for size in sizes]
    # Dimensions of size 1 go where they are in row-major order.
    order = sorted(range(len(sizes)), key=lambda dim: -hints[dim])
    moving = [dim for dim in order if extents[dim] != 1]
    if 0 in extents or moving == sorted(moving):
        order = list(range(len(sizes)))
        moving = [dim for dim in order if extents[dim] != 1]
    expected = 1
    for dim in reversed(moving):
        if is_returned and 0 not in extents and not _same(strides[dim], expected):
            raise Unsupported("a result with gaps or overlaps in memory")
        expected = expected * sizes[dim]
    return None if order == sorted(order) else order


def hint_of(size: object) -> int:
    """A size in the call that was traced."""
    if not isinstance(size, torch.SymInt):
        return int(size)
    hint = size.node.hint if size.node.has_hint() else None
    if hint is None:
        raise Unsupported("a size that depends on data")
    return int(hint)


def _same(a: int | torch.SymInt, b: int | torch.SymInt) -> bool:
    # What is not known becomes a guard of the graph, as it holds for the sizes of tracing or does not.
    return statically_known_true(a == b) or bool(a == b)


def _find_returned(graph: torch.fx.Graph) -> set[torch.fx.Node]:
    """The nodes that are returned, directly or as a view, or read by a function that changes an operand. What is copied
    into an input is stored there, or as a region likes."""
    ends = [node for node in graph.nodes if node.op == "output" or (is_mutation(node) and node.target is not COPY)]
    pending, returned = [source for node in ends for source in node.all_input_nodes], set()
    while pending:
        node = pending.pop()
        if node in returned:
            continue
        returned.add(node)
        if node.target in VIEWS or node.target is operator.getitem:
            pending += node.all_input_nodes
    return returned


class Partition:
    """`kinds` and `depths` of nodes, and `reasons` of those that PyTorch computes: `refused` are known before."""

    def __init__(
        self,
        graph: torch.fx.Graph,
        device: torch.device,
        exact_random: bool = False,
        refused: dict[torch.fx.Node, str] | None = None,
    ):
        self.graph, self.device, self.exact_random = graph, device, exact_random
        self.kinds: dict[torch.fx.Node, int] = {}
        self.reasons: dict[torch.fx.Node, str] = dict(refused or {})
        self.depths: dict[torch.fx.Node, int] = {}
        self.returned = _find_returned(graph)
        for node in graph.nodes:
            self.kinds[node] = self._classify(node)
        self._assign_depths()
        self._sink()

    # Kinds

    def _classify(self, node: torch.fx.Node) -> int:
        if node.op in ("placeholder", "get_attr"):
            return INPUT
        if node.op == "output":
            return EAGER
        if node.target is operator.getitem:
            return self.kinds[node.args[0]]
        if not tensors_of(node):
            return SIZE
        if node in self.reasons:
            return EAGER
        try:
            self._check(node)
        except Unsupported as reason:
            self.reasons[node] = str(reason)
            return EAGER
        except Exception as error:
            # Arguments of a form that a lowering does not expect.
            self.reasons[node] = f"its lowering failed: {type(error).__name__}: {error}"
            return EAGER
        is_view = node.target in VIEWS
        is_factory = node.target in _FACTORIES and not any(user.op == "output" for user in node.users)
        return INLINE if is_view or is_factory else REGION

    def _check(self, node: torch.fx.Node) -> None:
        """Lowers a node alone, to learn whether it can be."""
        if node.target not in LOWERINGS:
            raise Unsupported(_BY_DESIGN if is_by_design(node) else "no lowering")
        if self.exact_random and torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()):
            raise Unsupported("random numbers are drawn by PyTorch, as asked for")
        for tensor in tensors_of(node):
            if tensor.device != self.device:
                raise Unsupported(f"a result on {tensor.device}")
            if node.target not in VIEWS:
                order_of(tensor, node in self.returned)
        builder = Builder()
        values = {source: self.argument(builder, source) for source in node.all_input_nodes}
        run_lowering(builder, node, values, node.meta["val"])

    def argument(self, builder: Builder, node: torch.fx.Node, shape: Sequence[object] | None = None) -> object:
        """An argument of a region, of the traced shape if none is given."""
        value = node.meta.get("val")
        if isinstance(value, torch.SymInt):
            return value
        if isinstance(value, (torch.SymFloat, torch.SymBool)):
            return builder.scalar_argument(node, "f64" if isinstance(value, torch.SymFloat) else "i1")
        if not isinstance(value, torch.Tensor):
            raise Unsupported("an operand that is no tensor")
        if value.dtype not in ELEMENT_TYPES:
            raise Unsupported(f"elements of {str(value.dtype).removeprefix('torch.')}")
        if value.layout != torch.strided or type(value) not in _PLAIN:
            raise Unsupported("an operand that is no strided tensor")
        if value.device != self.device:
            if value.device.type == "cpu" and value.dim() == 0:
                kind = "i1" if value.dtype == torch.bool else "f64" if value.dtype.is_floating_point else "i64"
                return builder.scalar_argument(("item", node), kind)
            raise Unsupported(f"an operand on {value.device}")
        return builder.tensor_argument(node, value.dtype, value.shape if shape is None else shape)

    # Depths

    def sources(self, node: torch.fx.Node) -> Iterable[torch.fx.Node]:
        """The nodes that a node reads, with views and factories replaced by what they read."""
        return self._walk(node, inputs_of)

    def readers(self, node: torch.fx.Node) -> Iterable[torch.fx.Node]:
        """The nodes that read a node, directly or as a view, and not only for a size that inputs show."""
        return self._walk(node, users_of)

    def _walk(self, node: torch.fx.Node, neighbors: Callable) -> Iterable[torch.fx.Node]:
        for item in walk(node, neighbors, lambda item: self.kinds[item] == INLINE):
            if not (self.kinds[item] == SIZE and is_known_size(item)):
                yield item

    def _assign_depths(self) -> None:
        last_impure = None
        self._from_inputs: set[torch.fx.Node] = set()
        for node in self.graph.nodes:
            kind = self.kinds[node]
            if kind in (INPUT, INLINE):
                self.depths[node] = 0
                continue
            sources = list(self.sources(node))
            if kind == REGION:
                self.depths[node] = max(
                    (self.depths[s] + (self.kinds[s] not in (REGION, INPUT)) for s in sources), default=0
                )
                if node.target is operator.getitem:
                    self.depths[node] = self.depths[node.args[0]]
                if all(self.kinds[s] == INPUT or s in self._from_inputs for s in sources):
                    self._from_inputs.add(node)
                continue
            self.depths[node] = max((self.depths[s] for s in sources), default=0)
            # Random functions keep their order, and mutations come after all reads.
            if kind == EAGER and node.op != "output" and is_impure(node):
                if last_impure is not None:
                    self.depths[node] = max(self.depths[node], self.depths[last_impure])
                last_impure = node
        deepest = max(self.depths.values(), default=0)
        for node in self.graph.nodes:
            if node.op == "output" or (self.kinds[node] == EAGER and is_mutation(node)):
                self.depths[node] = deepest

    def _sink(self) -> None:
        # What is stored in an input stays, and so does what reads an input that changes later.
        mutations = [node for node in self.graph.nodes if self.kinds[node] == EAGER and is_mutation(node)]
        fixed = {source for node in mutations for source in self.sources(node)}
        fixed |= {reader for source in fixed for reader in self.readers(source) if self.kinds[source] == INPUT}
        Placement(self, self._from_inputs.__contains__, fixed).sink()

    # Regions

    def regions(self) -> list[tuple[int, list[torch.fx.Node]]]:
        """Depth and nodes of each region, in the order of depths."""
        by_depth: dict[int, list[torch.fx.Node]] = {}
        for node in self.graph.nodes:
            if self.kinds[node] == REGION:
                by_depth.setdefault(self.depths[node], []).append(node)
        found = []
        for depth, nodes in sorted(by_depth.items()):
            found += [(depth, part) for part in self._divide(nodes)]
        return found

    def _divide(self, nodes: list[torch.fx.Node]) -> list[list[torch.fx.Node]]:
        """Packs the connected parts of a depth into regions of bounded size."""
        parent = {node: node for node in nodes}

        def find(node: torch.fx.Node) -> torch.fx.Node:
            while parent[node] is not node:
                parent[node] = parent[parent[node]]
                node = parent[node]
            return node

        for node in nodes:
            for source in self.sources(node):
                if source in parent:
                    parent[find(node)] = find(source)
        parts: dict[torch.fx.Node, list[torch.fx.Node]] = {}
        for node in nodes:
            parts.setdefault(find(node), []).append(node)
        regions: list[list[torch.fx.Node]] = []
        values, current = set(), []
        for part in parts.values():
            outside = {source for node in part for source in self.sources(node) if source not in parent}
            outside |= {node for node in part if any(reader not in parent for reader in self.readers(node))}
            if current and (len(values | outside) > _MOST_VALUES or len(current) + len(part) > _MOST_NODES):
                regions.append(current)
                values, current = set(), []
            values |= outside
            current = current + part
        position = {node: i for i, node in enumerate(nodes)}
        return [sorted(region, key=position.get) for region in (*regions, current) if region]


def is_known_size(node: torch.fx.Node) -> bool:
    """A size that follows from the shapes of inputs, or a number computed from such sizes."""
    value = node.meta.get("val")
    if isinstance(value, int):
        return True
    if not isinstance(value, (torch.SymInt, torch.SymFloat)):
        return False
    expression = value.node.expr
    is_known = all(str(symbol).startswith("s") for symbol in expression.free_symbols)
    return is_known and (isinstance(value, torch.SymInt) or _is_printable(expression))


def _is_printable(expression: sympy.Expr) -> bool:
    """Whether a number can be computed where it is used: Python has its functions."""
    try:
        PythonPrinter().doprint(expression)
    except NotImplementedError:
        return False
    return True


def is_impure(node: torch.fx.Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    tags = getattr(node.target, "tags", ())
    return schema is None or schema.is_mutable or torch.Tag.nondeterministic_seeded in tags


def is_mutation(node: torch.fx.Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    return node.op == "call_function" and schema is not None and schema.is_mutable


def _plain_types() -> tuple[type, ...]:
    from torch._subclasses.fake_tensor import FakeTensor

    return (torch.Tensor, torch.nn.Parameter, FakeTensor)


_PLAIN = _plain_types()
COPY = aten.copy_.default
