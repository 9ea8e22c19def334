"""Element types of 8 bits that ops do not compute in: uint8, which the dialect lacks, and 8-bit floats.

A tensor of uint8 is one of `i8` with the same bits. Functions that only move elements take it as it is; the others are
lowered in i32, and their results wrap to uint8 (`Builder.cast`), so that no lowering knows of it. Of 8-bit floats
eager mode has few functions but conversions and those that move elements: these are computed in f32, which is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import torch

from fuser.torch._builder import FLOAT8_TYPES, Builder, Scalar, Tensor, Unsupported

# What elements of a type are computed in.
WIDE = {torch.uint8: torch.int32, **dict.fromkeys(FLOAT8_TYPES, torch.float32)}

# Functions that move, make and convert elements, whose lowerings convert by `Builder.cast`.
_MOVES = frozenset(
    [
        "_to_copy", "_unsafe_index", "_unsafe_index_put", "cat", "clone", "constant_pad_nd", "convert_element_type",
        "copy", "embedding", "empty", "empty_like", "empty_permuted", "empty_strided", "fill", "flip", "full",
        "full_like", "gather", "index", "index_put", "index_select", "lift_fresh_copy", "masked_fill", "new_empty",
        "new_empty_strided", "new_full", "new_ones", "new_zeros", "ones", "ones_like", "repeat", "scalar_tensor",
        "scatter", "segment", "select_scatter", "slice_scatter", "where", "zeros", "zeros_like",
    ]
)  # fmt: skip
_OF_FLOAT8 = frozenset(["abs", "eq", "isnan", "ne"])

_COMPARISONS = frozenset(["eq", "ne", "lt", "le", "gt", "ge"])
# Functions whose result depends on more than the low bits of operands: numbers next to uint8 become uint8 first.
_OF_NUMBERS = _COMPARISONS | frozenset(
    [
        "__lshift__", "__rshift__", "bitwise_left_shift", "bitwise_right_shift", "div", "floor_divide", "fmax", "fmin",
        "fmod", "gcd", "lcm", "maximum", "minimum", "remainder",
    ]
)  # fmt: skip
# Bounds that uint8 cannot hold are errors in some forms of eager mode, and wrap in others.
_OF_BOUNDS = frozenset(["clamp", "clamp_min", "clamp_max", "hardtanh", "threshold_backward"])


class _Widened(NamedTuple):
    """A traced result as a lowering sees it, of another element type."""

    dtype: torch.dtype
    shape: Sequence[object]

    def dim(self) -> int:
        return len(self.shape)


def promoted(*values: object) -> torch.dtype:
    """The type that PyTorch promotes operands to."""

    def like(value: object) -> object:
        if isinstance(value, Tensor):
            return torch.empty((1,) * value.ndim, dtype=value.dtype)
        if isinstance(value, Scalar):
            return {"i1": True, "i64": 1}.get(value.type, 1.0)
        return value

    first, *others = map(like, values)
    dtype = torch.result_type(first, others[0]) if others else first.dtype
    return dtype


def _name(target: torch._ops.OpOverload) -> str:
    return target._opname


def _narrow_types(values: Iterable[object], out: object) -> set[torch.dtype]:
    results = out if isinstance(out, (tuple, list)) else [out]
    kinds = {item.dtype for item in (*values, *results) if isinstance(item, (Tensor, torch.Tensor))}
    return kinds & WIDE.keys()


def _moves_only(target: torch._ops.OpOverload, arguments: Sequence[object]) -> bool:
    """Whether one of the functions that move elements adds or multiplies none, which `i8` is as good for as uint8."""
    is_added = _name(target) in ("index_put", "_unsafe_index_put") and any(item is True for item in arguments[3:])
    return not is_added and "reduce" not in target._overloadname


def _is_of_float8(target: torch._ops.OpOverload, values: Iterable[object]) -> bool:
    return (
        _name(target) in _OF_FLOAT8
        and target._overloadname != "Scalar"
        and len({item.dtype if isinstance(item, Tensor) else None for item in values}) == 1
    )


def needs_width(
    target: torch._ops.OpOverload, values: Iterable[object], out: object, arguments: Sequence[object]
) -> bool:
    """Whether a function computes with elements of 8 bits. Raises Unsupported for those that it does not take."""
    found = _narrow_types(values, out)
    floats = found & set(FLOAT8_TYPES)
    name = _name(target)
    moves = name in _MOVES
    if floats and not (_moves_only(target, arguments) if moves else _is_of_float8(target, values)):
        raise Unsupported(f"{name} of elements of {str(min(floats, key=str)).removeprefix('torch.')}")
    if name == "scatter_reduce" and "mean" in arguments and torch.uint8 in found:
        raise Unsupported("a mean of elements of uint8, whose sum wraps")
    return bool(found) and not moves


def _as_uint8(b: Builder, value: object) -> object:
    """An operand as one of uint8, of which numbers keep the low bits."""
    if isinstance(value, Tensor):
        return b.cast(value, torch.uint8)
    if isinstance(value, (Scalar, torch.SymInt)):
        scalar = b.scalar(value)
        if scalar.type != "i64":
            return scalar
        return Scalar(b.line(f"arith.andi {scalar.name}, {b.constant(255).name} : i64"), "i64")
    return int(value) & 255 if isinstance(value, int) else value


def _take_numbers(b: Builder, name: str, out: object, operands: list) -> list:
    """The operands of a function, with those next to uint8 converted to it where that is what eager mode computes
    in."""
    if name in _OF_NUMBERS:
        dtype = promoted(*operands[:2]) if name in _COMPARISONS else getattr(out, "dtype", None)
        if dtype == torch.uint8:
            return [*(_as_uint8(b, item) for item in operands[:2]), *operands[2:]]
    if name in _OF_BOUNDS and out.dtype == torch.uint8:
        if any(isinstance(item, (int, float)) and not 0 <= item <= 255 for item in operands):
            raise Unsupported("a bound that uint8 cannot hold")
        return [_as_uint8(b, item) for item in operands]
    return operands


def lower_widely(
    function: Callable, target: torch._ops.OpOverload, b: Builder, out: object, arguments: list, named: dict
) -> object:
    """The results of a lowering whose operands of 8 bits are widened, and whose results are narrowed."""

    def widen(item: object) -> object:
        if isinstance(item, Tensor):
            return b.cast(item, WIDE.get(item.dtype, item.dtype))
        return [widen(part) for part in item] if isinstance(item, list) else item

    def disguise(value: object) -> object:
        is_narrow = isinstance(value, torch.Tensor) and value.dtype in WIDE
        return _Widened(WIDE[value.dtype], value.shape) if is_narrow else value

    def narrow(result: object, value: object) -> object:
        if result is None or result.dtype != WIDE.get(value.dtype):
            return result
        return b.cast(result, value.dtype)

    arguments = [widen(item) for item in _take_numbers(b, _name(target), out, arguments)]
    named = {name: widen(item) for name, item in named.items()}
    if not isinstance(out, (tuple, list)):
        return narrow(function(b, disguise(out), *arguments, **named), out)
    results = function(b, [disguise(value) for value in out], *arguments, **named)
    return tuple(narrow(*pair) for pair in zip(results, out, strict=True))
