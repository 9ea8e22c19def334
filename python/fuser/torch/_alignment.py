"""Operands of matrix products with rows of as many bytes as PyTorch's fast kernels load at a time.

Kernels of cuBLAS for tensor cores take addresses and sizes in multiples of 16 bytes; other sizes get kernels that are
3 to 6 times slower (see `_RATES`). Here operands are padded by zeros and results are slices: regions that compute an
operand store it padded, and those that read a result skip its padding, so that neither is a pass of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch

from fuser.torch._builder import Unsupported
from fuser.torch._lowering import LOWERINGS, VIEWS, aten
from fuser.torch._partition import hint_of
from fuser.torch._tracing import after, evaluate, readers

# The places of the operands, after which that of what is added.
_PRODUCTS = {
    aten.mm.default: (0, 1),
    aten.bmm.default: (0, 1),
    aten.addmm.default: (1, 2, 0),
    aten.baddbmm.default: (1, 2, 0),
}
_ALIGNED = 16
# Operations and bytes in a second by the bytes that sizes are multiples of, measured on one H200 (f16 and bf16; TF32).
_RATES = {2: (120e12, 0.7e12), 4: (210e12, 1e12), 8: (210e12, 1e12), 16: (720e12, 2.7e12)}
_TF32_RATES = {4: (125e12, 1e12), 8: (125e12, 1e12), 16: (380e12, 2.7e12)}
# Bytes in a second of what copies, and seconds of its launch.
_BANDWIDTH, _LAUNCH = 4e12, 3e-6


class _Sizes(NamedTuple):
    """The rows, the depth and the columns of a product, or their padding."""

    m: int
    k: int
    n: int


def _value(node: torch.fx.Node) -> torch.Tensor:
    return node.meta["val"]


def _bytes(value: torch.Tensor) -> int:
    return math.prod(map(hint_of, value.shape)) * value.dtype.itemsize


def _rates(dtype: torch.dtype) -> dict[int, tuple[float, float]]:
    """Empty for types whose kernels take any sizes."""
    if dtype in (torch.float16, torch.bfloat16):
        return _RATES
    if dtype == torch.float32 and torch.get_float32_matmul_precision() != "highest":
        return _TF32_RATES
    return {}


def _is_last_contiguous(value: torch.Tensor) -> bool:
    """Whether rows are contiguous and not columns."""
    return hint_of(value.stride(-1)) == 1 or hint_of(value.stride(-2)) != 1


def _call(graph: torch.fx.Graph, function: Callable, *arguments: object, **options: object) -> torch.fx.Node:
    made = graph.call_function(function, arguments, options)
    _retrace(made)
    return made


def _retrace(node: torch.fx.Node) -> None:
    node.meta["val"] = evaluate(node.target, node.args, node.kwargs)


class _Product:
    """A product, and the padding of its sizes."""

    def __init__(self, node: torch.fx.Node):
        self.node, self.places = node, _PRODUCTS[node.target]
        self.a, self.b = (node.args[place] for place in self.places[:2])
        a, b = _value(self.a), _value(self.b)
        self.sizes = _Sizes(a.shape[-2], a.shape[-1], b.shape[-1])
        rates = _rates(a.dtype)
        self.padding = _Sizes(0, 0, 0)
        if not rates or a.dtype != b.dtype:
            return
        step = _ALIGNED // a.dtype.itemsize
        # The sizes that are contiguous in an operand or in the result.
        along = {"n", "k" if _is_last_contiguous(a) else "m", "n" if _is_last_contiguous(b) else "k"}
        sizes = {name: getattr(self.sizes, name) for name in along}
        sizes = {name: size for name, size in sizes.items() if isinstance(size, int) and size > 0}
        worst = min((math.gcd(size * a.dtype.itemsize, _ALIGNED) for size in sizes.values()), default=_ALIGNED)
        if worst == _ALIGNED:
            return
        self.padding = self.padding._replace(**{name: -size % step for name, size in sizes.items()})
        batch = hint_of(a.shape[0]) if a.dim() == 3 else 1
        operations = 2 * batch * math.prod(map(hint_of, self.sizes))
        moved = sum(_bytes(_value(operand)) for operand in (self.a, self.b, node))
        seconds = {of: max(operations / rates[of][0], moved / rates[of][1]) for of in (worst, _ALIGNED)}
        self.gain = seconds[worst] - seconds[_ALIGNED]

    def operands(self) -> list[tuple[int, tuple[int, int]]]:
        """The places of the operands that change, with the padding of their last two dimensions."""
        m, k, n = self.padding
        found = [(m, k), (k, n)]
        if len(self.places) == 3:
            shape = [1, 1, *_value(self.node.args[self.places[2]]).shape]
            found.append(tuple(pad if size != 1 else 0 for size, pad in zip(shape[-2:], (m, n), strict=True)))
        return [(place, pads) for place, pads in zip(self.places, found, strict=True) if any(pads)]


class _Padder:
    """Pads operands of products, each once for all that read it."""

    def __init__(self, graph: torch.fx.Graph):
        self.graph = graph
        self._padded: dict[tuple, torch.fx.Node] = {}

    @staticmethod
    def source(node: torch.fx.Node, pads: tuple[int, int]) -> tuple[torch.fx.Node, tuple[int, ...], tuple[int, ...]]:
        """What an operand permutes, how, and the padding of its dimensions."""
        rank = _value(node).dim()
        padding, order = [0] * (rank - len(pads)) + list(pads)[-rank:], list(range(rank))
        while True:
            if node.target is aten.permute.default:
                step = [dim % rank for dim in node.args[1]]
            elif node.target is aten.t.default and rank == 2:
                step = [1, 0]
            elif node.target is aten.transpose.int:
                step = list(range(rank))
                first, second = (dim % rank for dim in node.args[1:])
                step[first], step[second] = second, first
            else:
                return node, tuple(order), tuple(padding)
            node, order = node.args[0], [step[dim] for dim in order]
            padding = [padding[step.index(dim)] for dim in range(rank)]

    def seconds(self, node: torch.fx.Node, pads: tuple[int, int]) -> float:
        """What the padding of an operand costs: nothing where a region stores it for products alone."""
        source, _, padding = self.source(node, pads)
        if (source, padding) in self._padded:
            return 0.0
        size = _bytes(_value(source))
        while source.target in VIEWS:
            source = source.args[0]
        if source.target not in LOWERINGS:
            return 2 * size / _BANDWIDTH + _LAUNCH
        return 0.0 if _is_read_by_products(source) else size / _BANDWIDTH

    def pad(self, node: torch.fx.Node, pads: tuple[int, int], before: torch.fx.Node) -> torch.fx.Node:
        source, order, padding = self.source(node, pads)
        key = (source, padding)
        if key not in self._padded:
            widths = [width for pad in reversed(padding) for width in (0, pad)]
            with self.graph.inserting_before(after(source)):
                self._padded[key] = _call(self.graph, aten.constant_pad_nd.default, source, widths, 0.0)
        made = self._padded[key]
        if list(order) == sorted(order):
            return made
        with self.graph.inserting_before(before):
            return _call(self.graph, aten.permute.default, made, list(order))


def _is_read_by_products(node: torch.fx.Node) -> bool:
    """Whether nothing else reads a value, directly or as a view."""
    return all(user.target in _PRODUCTS or user.target is aten.constant_pad_nd.default for user in readers(node))


def _ends(node: torch.fx.Node) -> set[torch.fx.Node]:
    """The users of a value that need it as eager mode stores it: what PyTorch computes, but products of matrices, and
    what is returned, directly or as a view."""
    found = set()
    for user in node.users:
        is_region = user.target in LOWERINGS and user.target not in VIEWS
        if is_region or user.target in _PRODUCTS:
            continue
        if user.target not in VIEWS or _ends(user):
            found.add(user)
    return found


def _retrace_views(node: torch.fx.Node) -> None:
    """Computes strides of views of a value anew. Those that memory no longer has are reshapes."""
    for user in node.users:
        if user.target not in VIEWS:
            continue
        try:
            _retrace(user)
        except RuntimeError:
            user.target = aten.reshape.default
            _retrace(user)
        _retrace_views(user)


def _apply(graph: torch.fx.Graph, product: _Product, padder: _Padder) -> None:
    node, value = product.node, _value(product.node)
    arguments = list(node.args)
    # By place: both operands may be one value.
    for place, pads in product.operands():
        arguments[place] = padder.pad(node.args[place], pads, node)
    with graph.inserting_before(node):
        made = _call(graph, node.target, *arguments, **node.kwargs)
        for dim, pad in ((-2, product.padding.m), (-1, product.padding.n)):
            if pad:
                made = _call(graph, aten.slice.Tensor, made, value.dim() + dim, 0, value.shape[dim])
        ends = _ends(node)
        if ends and _value(made).stride() != value.stride():
            dense = _call(graph, aten.clone.default, made, memory_format=torch.contiguous_format)
            node.replace_all_uses_with(dense, delete_user_cb=lambda user: user in ends)
    node.replace_all_uses_with(made)
    graph.erase_node(node)
    _retrace_views(made)


def _align(graph: torch.fx.Graph, node: torch.fx.Node, padder: _Padder) -> bool:
    """Pads the operands of a product where it gains more than copies cost."""
    try:
        product = _Product(node)
        if not any(product.padding):
            return False
        cost = sum(padder.seconds(node.args[place], pads) for place, pads in product.operands())
        if product.padding.n and _ends(node):
            cost += 2 * _bytes(_value(node)) / _BANDWIDTH + _LAUNCH
    except Unsupported:  # a size without a hint
        return False
    if cost >= product.gain:
        return False
    _apply(graph, product, padder)
    return True


def align_products(graph: torch.fx.Graph, device: str = "cuda") -> None:
    """Pads operands of products on devices of a type where the product gains more than copies cost. Sizes that are
    known at run time only stay as they are."""
    padder = _Padder(graph)
    left = [node for node in graph.nodes if node.target in _PRODUCTS and _value(node).device.type == device]
    # What one product has padded costs the others nothing.
    while True:
        stay = [node for node in left if not _align(graph, node, padder)]
        if len(stay) == len(left):
            break
        left = stay
