"""Attention that is written as products and a softmax becomes `scaled_dot_product_attention`.

PyTorch's kernels for attention do not store the scores. The rewrite is done in graphs of Dynamo, so that AOTAutograd
makes the gradients. It looks for

    product(softmax(scores), values)        scores = product(queries, keys), then scaled, then masked

with products by `matmul`, `bmm` or `einsum`, a scale that is a number, masks that are added or filled in, and
conversions of the scores or the shares. Each value in between has one reader.

Results differ from eager mode's by what eager mode rounds: it stores scores and shares as half types. So f32 and f64
stay. Kernels for attention may return zeros for a row without any key, where eager mode has NaN: such rows are filled
with NaN. Where a mask fills in or adds a number, which is far below all scores, a row without any key has equal shares:
it is filled with the mean of the values, so that queries and keys have no gradients from it. (Kernels for attention
restore shares from the logarithm of their sum, which such a number absorbs.)
"""

from __future__ import annotations

import dataclasses
import math
import numbers
import operator
from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch.fx.experimental.symbolic_shapes import statically_known_true

Node = torch.fx.Node

_PRODUCTS = ("matmul", "bmm")
_CONVERSIONS = ("float", "to", "type", "type_as", "half", "bfloat16")
_ADDITIONS = ("add", "iadd", "add_")
_MULTIPLICATIONS, _DIVISIONS = ("mul", "imul", "mul_"), ("div", "truediv", "itruediv", "div_", "true_divide")
_IN_PLACE = (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.iand, operator.ior)
_FILLS = ("masked_fill", "masked_fill_")
_HALF = (torch.float16, torch.bfloat16)
# Numbers filled in that are not below this may be in the range of scores.
_GREATEST_FILL = -1e4
# Fewer keys are left to products and regions.
_LEAST_KEYS = 128


def _name(node: object) -> str:
    """The name of the function or the method that a node calls."""
    if not isinstance(node, Node) or node.op not in ("call_function", "call_method"):
        return ""
    return node.target if node.op == "call_method" else getattr(node.target, "__name__", "")


def _value(node: object) -> torch.Tensor | None:
    value = node.meta.get("example_value") if isinstance(node, Node) else None
    return value if isinstance(value, torch.Tensor) else None


def _readers(node: Node) -> list[Node]:
    """The nodes that read more of a node than its type."""
    return [user for user in node.users if _name(user) != "type_as" or user.args[0] is node]


def _argument(node: Node, position: int, name: str, default: object = None) -> object:
    return node.args[position] if len(node.args) > position else node.kwargs.get(name, default)


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_same(a: Sequence, b: Sequence) -> bool:
    return len(a) == len(b) and all(statically_known_true(x == y) for x, y in zip(a, b, strict=True))


@dataclasses.dataclass
class _Product:
    """A product of (batch, rows, inner) and (batch, columns, inner), and the orders of dimensions that make operands
    so; `order` makes the result of (batch, rows, columns)."""

    left: Node
    right: Node
    left_order: list[int]
    right_order: list[int]
    order: list[int]


def _product(node: object, is_last: bool) -> _Product | None:
    """The product that a node is. The last one, of shares and values, may have results in any order."""
    if _name(node) in _PRODUCTS and len(node.args) == 2 and not node.kwargs:
        values = [_value(item) for item in node.args]
        if any(value is None or value.dim() not in (3, 4) for value in values) or values[0].dim() != values[1].dim():
            return None
        rank = values[0].dim()
        same, turned = list(range(rank)), [*range(rank - 2), rank - 1, rank - 2]
        return _Product(*node.args, same, turned, same)
    if _name(node) == "einsum" and len(node.args) == 3 and isinstance(node.args[0], str):
        return _einsum(*node.args, is_last)
    return None


def _einsum(equation: str, left: Node, right: Node, is_last: bool) -> _Product | None:
    operands, arrow, result = equation.replace(" ", "").partition("->")
    labels = operands.split(",")
    if not arrow or len(labels) != 2 or "." in equation:
        return None
    if any(len(set(item)) != len(item) for item in (*labels, result)):
        return None
    pairs = [(labels[0], labels[1], left, right)]
    if not is_last:
        pairs.append((labels[1], labels[0], right, left))
    for a, b, first, second in pairs:
        batch = [label for label in (a if is_last else result) if label in a and label in b and label in result]
        rows, columns = ([x for x in item if x in result and x not in other] for item, other in ((a, b), (b, a)))
        inner = [label for label in a if label in b and label not in result]
        if len(rows) != 1 or len(columns) != 1 or len(inner) != 1 or len(batch) not in (1, 2):
            continue
        if len(a) != len(batch) + 2 or len(b) != len(batch) + 2 or len(result) != len(batch) + 2:
            continue
        made = [*batch, *rows, *columns]
        if (list(a) != [*batch, *rows, *inner]) if is_last else (list(result) != made):
            continue
        left_order = [a.index(label) for label in (*batch, *rows, *inner)]
        right_order = [b.index(label) for label in (*batch, *columns, *inner)]
        return _Product(first, second, left_order, right_order, [made.index(label) for label in result])
    return None


@dataclasses.dataclass
class _Scores:
    """A product, the number that it is scaled by, tensors that are added, and (mask, number, is_kept): numbers that are
    filled in where the mask is true; with `is_kept`, where it is false. `nodes` compute them, the product first."""

    product: _Product
    value: torch.Tensor
    nodes: list[Node]
    scale: float = 1.0
    added: list[Node] = dataclasses.field(default_factory=list)
    filled: list[tuple[Node, float, bool]] = dataclasses.field(default_factory=list)

    @property
    def masks(self) -> list[Node]:
        return [*self.added, *(mask for mask, _, _ in self.filled)]

    @property
    def fills_infinity(self) -> bool:
        """Whether the numbers filled in are negative infinity; all are, or none."""
        return any(number == -math.inf for _, number, _ in self.filled)


def _fill_value(value: object) -> float | None:
    """A number that is filled in, also as a tensor of one element."""
    while _name(value) in ("to",):
        value = value.args[0]
    if _name(value) == "full" and len(value.args) == 2 and len(value.args[0]) == 0:
        value = value.args[1]
    return float(value) if _is_number(value) else None


def _scores(node: object) -> _Scores | None:
    """What a node is, from a product on."""
    value = _value(node)
    if value is None or not value.is_floating_point() or len(_readers(node)) != 1:
        return None
    product = _product(node, is_last=False)
    if product is not None:
        return _Scores(product, value, [node])
    found = _step(node, _name(node), value)
    if found is None or not _is_same(value.shape, found.value.shape):
        return None
    found.nodes.append(node)
    return found


def _step(node: Node, name: str, value: torch.Tensor) -> _Scores | None:
    """The scores that a node computes from others."""
    if name in _CONVERSIONS or name == "contiguous":
        source = _value(node.args[0])
        is_exact = source is not None and value.dtype in (source.dtype, torch.float32) and source.dtype != torch.float64
        return _scores(node.args[0]) if is_exact else None
    if name in _FILLS and len(node.args) == 3:
        return _filled(_scores(node.args[0]), node.args[1], node.args[2], is_kept=False)
    if name == "where" and len(node.args) == 3:
        return _filled(_scores(node.args[1]), node.args[0], node.args[2], is_kept=True)
    if len(node.args) != 2 or node.kwargs:
        return None
    a, b = node.args
    if name in _ADDITIONS:
        for item, mask in ((a, b), (b, a)):
            found = _scores(item) if _value(mask) is not None else None
            if found is not None and (not found.filled or found.fills_infinity):
                found.added.append(mask)
                return found
    if name in _MULTIPLICATIONS and _is_number(a):
        a, b = b, a
    if name in (*_MULTIPLICATIONS, *_DIVISIONS) and _is_number(b) and b != 0:
        found = _scores(a)
        if found is not None and not found.masks:
            found.scale *= b if name in _MULTIPLICATIONS else 1 / b
            return found
    return None


def _filled(found: _Scores | None, mask: object, number: object, is_kept: bool) -> _Scores | None:
    number, value = _fill_value(number), _value(mask)
    if found is None or number is None or value is None or value.dtype != torch.bool or number > _GREATEST_FILL:
        return None
    # The shares of a row without any key depend on which number is where.
    is_alike = all(number == other for _, other, _ in found.filled)
    if not is_alike or (number != -math.inf and found.added):
        return None
    found.filled.append((mask, number, is_kept))
    return found


# Causal masks


def _base(node: object) -> object:
    """What a mask is made of, without conversions and dimensions of one element."""
    while True:
        is_same = _name(node) in ("to", "bool", "unsqueeze", "view", "reshape", "contiguous")
        if _name(node) == "getitem" and isinstance(node.args[1], tuple):
            is_same = all(item is None or item == slice(None) for item in node.args[1])
        if not is_same:
            return node
        node = node.args[0]


def _diagonal(node: Node) -> object:
    return _argument(node, 1, "diagonal", 0)


def _is_strict_upper(mask: Node, is_kept: bool) -> bool:
    """Whether a mask is true exactly above the diagonal; with `is_kept`, false there."""
    node = _base(mask)
    while _name(node) in ("invert", "logical_not", "bitwise_not") or (_name(node) == "eq" and node.args[1] == 0):
        node, is_kept = _base(node.args[0]), not is_kept
    if _name(node) not in ("tril", "triu") or _name(_base(node.args[0])) != "ones":
        return False
    is_square = _is_same(_value(node).shape, _value(mask).shape[-2:])
    return is_square and (_name(node), _diagonal(node)) == (("tril", 0) if is_kept else ("triu", 1))


def _is_added_upper(mask: Node) -> bool:
    """Whether a mask is negative infinity above the diagonal, and 0 elsewhere."""
    node = _base(mask)
    if _name(node) != "triu" or _diagonal(node) != 1 or not _is_same(_value(node).shape, _value(mask).shape[-2:]):
        return False
    full = _base(node.args[0])
    return _name(full) == "full" and len(full.args) == 2 and _fill_value(full.args[1]) == -math.inf


def _is_causal(scores: _Scores) -> bool:
    masks = scores.masks
    if len(masks) != 1:
        return False
    shape, (rows, columns) = _value(masks[0]).shape, scores.value.shape[-2:]
    if not _is_same(shape[-2:], (rows, columns)) or not _is_same((rows,), (columns,)):
        return False
    if any(not _is_same((size,), (1,)) for size in shape[:-2]):
        return False
    return _is_added_upper(masks[0]) if scores.added else _is_strict_upper(masks[0], scores.filled[0][2])


# The rewrite


@dataclasses.dataclass
class Attention:
    """Scores, the last product and its node."""

    scores: _Scores
    product: _Product
    node: Node

    @property
    def dtype(self) -> torch.dtype:
        return self.scores.value.dtype


def is_worthwhile(attention: Attention) -> bool:
    """Whether kernels of PyTorch take it, and are faster and as exact."""
    value, keys = attention.scores.value, attention.scores.value.shape[-1]
    if value.device.type != "cuda" or value.dtype not in _HALF or torch.are_deterministic_algorithms_enabled():
        return False
    if torch.cuda.get_device_capability(value.device) < (8, 0) or not torch.backends.cuda.mem_efficient_sdp_enabled():
        return False
    # Only the slowest of the kernels computes a gradient of what is added.
    if any(_value(mask).requires_grad for mask in attention.scores.added):
        return False
    hint = keys.node.hint if isinstance(keys, torch.SymInt) and keys.node.has_hint() else keys
    if isinstance(hint, torch.SymInt) or hint < _LEAST_KEYS:
        return False
    queries, values = attention.scores.product, attention.product
    sizes = (
        _value(queries.left).shape[queries.left_order[-1]],
        _value(values.right).shape[values.right_order[-2]],
    )
    return all(isinstance(size, int) and size % 8 == 0 and size <= 256 for size in sizes)


def _match(softmax: Node) -> Attention | None:
    value = _value(softmax)
    scores = _scores(softmax.args[0]) if softmax.args and value is not None else None
    if scores is None or value.dtype not in (scores.value.dtype, torch.float32):
        return None
    if _argument(softmax, 1, "dim") not in (-1, value.dim() - 1):
        return None
    node = softmax
    while len(_readers(node)) == 1:
        reader = _readers(node)[0]
        name, result = _name(reader), _value(reader)
        if result is None:
            return None
        is_dropout = name == "dropout" and (
            _argument(reader, 1, "p", 0.5) == 0 or _argument(reader, 2, "training", True) is False
        )
        is_conversion = name in _CONVERSIONS and result.dtype in (scores.value.dtype, torch.float32)
        if reader.args[0] is node and (is_dropout or is_conversion or name == "contiguous"):
            node = reader
            continue
        product = _product(reader, is_last=True)
        if product is None or product.left is not node or result.dtype != scores.value.dtype:
            return None
        return Attention(scores, product, reader)
    return None


def _is_valid(attention: Attention) -> bool:
    """Whether operands have the sizes and types that attention takes, and are not changed in place."""
    scores, product = attention.scores, attention.product
    values = [
        [_value(node).shape[dim] for dim in order]
        for node, order in (
            (scores.product.left, scores.product.left_order),
            (scores.product.right, scores.product.right_order),
            (product.right, product.right_order),
        )
    ]
    queries, keys, outs = values
    if not _is_same(queries[:-2], keys[:-2]) or not _is_same(queries[:-2], outs[:-2]):
        return False
    if any(_value(mask).dtype != attention.dtype for mask in scores.added):
        return False
    if any(not _is_same(_value(mask).shape[-1:], scores.value.shape[-1:]) for mask in scores.masks):
        return False
    # Operands are read later than before.
    node = scores.nodes[0]
    while node is not attention.node:
        if _is_in_place(node) and node not in scores.nodes:
            return False
        node = node.next
    return True


def _is_in_place(node: Node) -> bool:
    name = _name(node)
    is_method = name.endswith("_") and not name.endswith("__")
    return is_method or name in ("setitem", "__setitem__") or (node.target in _IN_PLACE and node.op == "call_function")


class _Writer:
    """Writes nodes before `node`."""

    def __init__(self, graph: torch.fx.Graph, dtype: torch.dtype):
        self.graph, self.dtype = graph, dtype

    def call(self, function: Callable, *args: object, **kwargs: object) -> Node:
        return self.graph.call_function(function, args, kwargs)

    def operand(self, node: Node, order: list[int], is_last: bool = False) -> Node:
        """An operand in the order (batch, rows, inner), of four dimensions, with the last one contiguous."""
        value, order = _value(node), list(order)
        if is_last:  # values are products' (batch, columns, inner), attention's (batch, inner, columns)
            order[-2:] = order[:-3:-1]
        if value.dtype != self.dtype:
            node = self.call(torch.Tensor.to, node, self.dtype)
        if order != sorted(order):
            node = self.call(torch.permute, node, order)
        if not statically_known_true(value.stride(order[-1]) == 1):
            node = self.call(torch.Tensor.contiguous, node)
        return self.call(torch.unsqueeze, node, 0) if len(order) == 3 else node

    def mask(self, scores: _Scores) -> Node | None:
        """What is added to scores, of four dimensions with the last one contiguous, which the kernels ask for; a mask
        of bools if only negative infinity is filled in."""
        mask, values = self._mask(scores), [_value(item) for item in scores.masks]
        if any(not statically_known_true(value.stride(-1) == 1) for value in values):
            mask = self.call(torch.Tensor.contiguous, mask)
        rank = max((value.dim() for value in values), default=4)
        return mask if rank == 4 else self.call(operator.getitem, mask, (None,) * (4 - rank))

    def _mask(self, scores: _Scores) -> Node | None:
        mask = kept = None
        for item in scores.added:
            mask = item if mask is None else self.call(operator.add, mask, item)
        for item, _, is_kept in scores.filled:
            item = item if is_kept else self.call(torch.logical_not, item)
            kept = item if kept is None else self.call(torch.logical_and, kept, item)
        if kept is None or (mask is None and scores.fills_infinity):
            return mask if kept is None else kept
        lowest = -math.inf if scores.fills_infinity else torch.finfo(self.dtype).min
        mask = self.call(torch.zeros_like, kept, dtype=self.dtype) if mask is None else mask
        return self.call(torch.where, kept, mask, lowest)

    def filled_rows(self, result: Node, scores: _Scores, mask: Node, values: Node) -> Node:
        """Replaces rows without any key."""
        is_filled = bool(scores.filled) and not scores.added
        if is_filled and scores.fills_infinity:
            return self._fill(result, self.call(torch.logical_not, mask))
        if is_filled:
            rows = self._all(self.call(operator.ne, mask, 0))
        else:
            # A row of one great negative number absorbs the scores.
            lowest, greatest = (self.call(f, mask, dim=-1, keepdim=True) for f in (torch.amin, torch.amax))
            is_great = self.call(operator.le, greatest, torch.finfo(self.dtype).min / 2)
            rows = self.call(torch.logical_and, is_great, self.call(operator.eq, lowest, greatest))
        result = self.call(torch.where, rows, self.call(torch.mean, values, -2, keepdim=True), result)
        return result if is_filled else self._fill(result, self.call(operator.eq, mask, -math.inf))

    def _all(self, mask: Node) -> Node:
        return self.call(torch.all, mask, dim=-1, keepdim=True)

    def _fill(self, result: Node, absent: Node) -> Node:
        return self.call(torch.masked_fill, result, self._all(absent), math.nan)


def _is_free_of_strides(node: Node, is_permuted: bool) -> bool:
    """Whether all readers copy a value, as far as they need to."""
    copies = ("reshape", "flatten", "contiguous")
    if is_permuted:
        return all(_name(user) in copies for user in node.users)
    turns = ("permute", "transpose", "swapaxes")
    return all(_name(user) in turns and _is_free_of_strides(user, True) for user in node.users)


def _rewrite(graph: torch.fx.Graph, attention: Attention) -> None:
    scores, product, node = attention.scores, attention.product, attention.node
    writer = _Writer(graph, attention.dtype)
    with graph.inserting_before(node):
        queries = writer.operand(scores.product.left, scores.product.left_order)
        keys = writer.operand(scores.product.right, scores.product.right_order)
        values = writer.operand(product.right, product.right_order, is_last=True)
        is_causal = _is_causal(scores)
        mask = None if is_causal else writer.mask(scores)
        result = writer.call(
            F.scaled_dot_product_attention,
            queries,
            keys,
            values,
            attn_mask=mask,
            is_causal=is_causal,
            scale=scores.scale,
        )
        if mask is not None:
            result = writer.filled_rows(result, scores, mask, values)
        if scores.value.dim() == 3:
            result = writer.call(torch.squeeze, result, 0)
        is_permuted = product.order != sorted(product.order)
        if not _is_free_of_strides(node, is_permuted):
            result = writer.call(torch.Tensor.contiguous, result)
        if is_permuted:
            result = writer.call(torch.permute, result, product.order)
    result.meta = dict(node.meta)
    node.replace_all_uses_with(result)
    graph.erase_node(node)


def rewrite_attention(module: torch.fx.GraphModule, takes: Callable[[Attention], bool] = is_worthwhile) -> None:
    """Rewrites all attention in a graph of Dynamo that `takes` accepts. What is no longer read stays, as calls may
    change their arguments; AOTAutograd removes it."""
    is_changed = False
    for softmax in list(module.graph.nodes):
        attention = _match(softmax) if _name(softmax) == "softmax" else None
        if attention is not None and _is_valid(attention) and takes(attention):
            _rewrite(module.graph, attention)
            is_changed = True
    if is_changed:
        module.recompile()
