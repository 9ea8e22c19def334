"""Lowerings of functions that read and write at indices that are data."""

from __future__ import annotations

from typing import NamedTuple

import torch

from fuser.torch._builder import Builder, Extent, Tensor, Unsupported, product
from fuser.torch._lowering import aten, dim_of, lower
from fuser.torch._shapes import index_select

# A scatter reads all indices along its dimension for each element of the result: so many are read in the time of
# another kernel, by threads of which each reads at most so many. Few indices cost less than the element itself. Larger
# ones are computed from the source's side, in any order.
_GREATEST_SCATTER, _MOST_INDICES, _FEW_INDICES = 2**24, 256, 8


def _as_index(b: Builder, index: Tensor) -> Tensor:
    if index.dtype not in (torch.int64, torch.int32):
        raise Unsupported(f"indices of {str(index.dtype).removeprefix('torch.')}")
    return index


def wrapped(b: Builder, index: Tensor, size: Extent) -> Tensor:
    """An index in which negative numbers count from the end."""
    is_negative = b.pointwise("lt", index, 0, dtype=torch.bool)
    return b.where(is_negative, b.pointwise("add", index, size), index, index.dtype)


@lower(aten.embedding.default)
def _embedding(b: Builder, out, weight: Tensor, index: Tensor, padding=-1, scale=False, sparse=False) -> Tensor:
    return index_select(b, weight, 0, _as_index(b, index))


def _flatten(b: Builder, x: Tensor) -> Tensor:
    return b.reshape(x, [product(x.shape)]) if x.ndim else b.broadcast(x, [0])


@lower(aten.index_select.default)
def _index_select(b: Builder, out, x: Tensor, dim, index: Tensor) -> Tensor:
    index = _flatten(b, _as_index(b, index)) if index.ndim != 1 else _as_index(b, index)
    if x.ndim == 0:
        return b.squeeze(index_select(b, b.broadcast(x, [0]), 0, index), [0])
    return index_select(b, x, dim_of(dim, x.ndim), index)


@lower(aten.gather.default)
def _gather(b: Builder, out, x: Tensor, dim, index: Tensor, *, sparse_grad=False) -> Tensor:
    index = _as_index(b, index)
    if x.ndim == 0 or index.ndim == 0:
        one, place = (t if t.ndim else b.broadcast(t, [0]) for t in (x, index))
        result = _gather_at(b, one, 0, place)
        return result if out.dim() else b.squeeze(result, [0])
    return _gather_at(b, x, dim_of(dim, x.ndim), index)


def _gather_at(b: Builder, x: Tensor, dim: int, index: Tensor) -> Tensor:
    sizes = [*index.shape[:dim], x.shape[dim], *index.shape[dim + 1 :]]
    if sizes != list(x.shape):
        # Rows without an index are not read. Symbols of sizes may differ although no call has such rows.
        x = b.slice(x, [0] * x.ndim, sizes)
    text = f"fuser.take_along_axis {x.name}, {index.name} dim {dim} : {x.type}, {index.type} -> {{type}}"
    return b.define(text, x.dtype, index.shape)


# Combinations of a scatter as functions of two elements.
_ELEMENTS = {"add": "add", "mul": "mul", "max": "maximum", "min": "minimum"}
_OF_BOOLS = {"add": "max", "mul": "min", "max": "max", "min": "min"}


class _Merged(NamedTuple):
    """Neighboring dimensions that are indexed together, as one: the operand with them merged, the place of the merged
    dimension, and the indices into it in the common shape of the index tensors."""

    operand: Tensor
    dim: int
    index: Tensor


def _merge_indexed(b: Builder, x: Tensor, indices: list) -> _Merged:
    given = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    places = [dim for dim, _ in given]
    if any(index.dtype in (torch.bool, torch.uint8) for _, index in given):
        raise Unsupported("an index of bools, whose result has a size that depends on data")
    if places != list(range(places[0], places[0] + len(places))):
        raise Unsupported("indices of dimensions that are not neighbors")
    first, count = places[0], len(places)
    sizes = x.shape[first : first + count]
    rank = max(index.ndim for _, index in given)
    size_of_all = product(sizes)
    is_short = isinstance(size_of_all, int) and size_of_all < 2**31
    is_short &= all(index.dtype == torch.int32 for _, index in given)
    dtype = torch.int32 if is_short else torch.int64
    linear = None
    for size, (_, index) in zip(sizes, given, strict=True):
        index = b.align(wrapped(b, b.cast(_as_index(b, index), dtype), size), rank)
        linear = index if linear is None else b.pointwise("add", b.pointwise("mul", linear, size), index)
    merged = b.reshape(x, [*x.shape[:first], product(sizes), *x.shape[first + count :]]) if count > 1 else x
    return _Merged(merged, first, linear)


@lower(aten.index.Tensor, aten._unsafe_index.Tensor)
def _index(b: Builder, out, x: Tensor, indices) -> Tensor:
    merged, first, index = _merge_indexed(b, x, indices)
    return index_select(b, merged, first, index)


def _scatter(b: Builder, x: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str = "") -> Tensor:
    index = _as_index(b, index)
    if reduce and x.dtype == torch.bool:
        # The sum of bools is their greatest value, the product the least.
        numbers, more = b.cast(x, torch.int32), b.cast(source, torch.int32)
        return b.cast(_scatter(b, numbers, dim, index, more, _OF_BOOLS[reduce]), torch.bool)
    if x.ndim == 0 and index.ndim == 0 and source.ndim == 0:
        combined = b.pointwise(_ELEMENTS[reduce], x, source, dtype=x.dtype) if reduce else source
        return b.where(b.pointwise("eq", index, 0, dtype=torch.bool), combined, x, x.dtype)
    if x.ndim == 0 or index.ndim == 0:
        x_one, i_one, s_one = (t if t.ndim else b.broadcast(t, [0]) for t in (x, index, source))
        result = _scatter(b, x_one, 0, i_one, s_one, reduce)
        return result if x.ndim else b.squeeze(result, [0])
    dim = dim_of(dim, x.ndim)
    if source.shape != index.shape:
        # The elements at the start of each dimension count.
        source = b.slice(source, [0] * source.ndim, index.shape)
    work, count = product(x.shape) * index.shape[dim], index.shape[dim]
    # Unknown rows are many, unknown indices few where nothing is combined.
    is_short = work <= _GREATEST_SCATTER if isinstance(work, int) else not isinstance(count, int) and not reduce
    is_large = not is_short and not (isinstance(count, int) and count <= _FEW_INDICES)
    is_ordered = torch.are_deterministic_algorithms_enabled()
    is_atomic = not reduce or (reduce != "mul" and not x.dtype.is_complex)
    if is_large and not is_atomic:
        raise Unsupported("a scatter of many elements that no atomic access combines")
    if is_large and is_ordered:
        raise Unsupported("a scatter of many elements in a fixed order")
    is_long = isinstance(count, int) and count > _MOST_INDICES
    is_pushed = is_large or (is_long and is_atomic and not is_ordered)
    option = f" reduce {reduce}" if reduce else ""
    name = "push" if is_pushed else "scatter"
    if is_ordered and not reduce and count != 1:
        # The last of several elements for one place, which a place in an argument would not wait for.
        x = b.define(f"fuser.segment_set {x.name} : {{type}}", x.dtype, x.shape)
    text = f"fuser.{name} {source.name} at {index.name} into {x.name} dim {dim}{option}"
    return b.define(f"{text} : {source.type}, {index.type}, {{type}}", x.dtype, x.shape)


@lower(aten.scatter.src)
def _scatter_src(b: Builder, out, x: Tensor, dim, index: Tensor, source: Tensor) -> Tensor:
    return _scatter(b, x, dim, index, source)


@lower(aten.scatter.value)
def _scatter_value(b: Builder, out, x: Tensor, dim, index: Tensor, value) -> Tensor:
    return _scatter(b, x, dim, index, b.full(value, x.dtype, index.shape))


_COMBINATIONS = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min", "add": "add", "multiply": "mul"}


@lower(aten.scatter_add.default)
def _scatter_add(b: Builder, out, x: Tensor, dim, index: Tensor, source: Tensor) -> Tensor:
    return _scatter(b, x, dim, index, source, "add")


@lower(aten.scatter.reduce)
def _scatter_with(b: Builder, out, x: Tensor, dim, index: Tensor, source: Tensor, *, reduce) -> Tensor:
    return _scatter(b, x, dim, index, source, _COMBINATIONS[reduce])


@lower(aten.scatter.value_reduce)
def _scatter_value_with(b: Builder, out, x: Tensor, dim, index: Tensor, value, *, reduce) -> Tensor:
    return _scatter(b, x, dim, index, b.full(value, x.dtype, index.shape), _COMBINATIONS[reduce])


def _identity(reduce: str, dtype: torch.dtype) -> object:
    """The number that a combination does not change others by."""
    if reduce in ("add", "mul"):
        return 0 if reduce == "add" else 1
    if dtype == torch.bool:
        return reduce == "min"
    if dtype.is_floating_point:
        return float("-inf" if reduce == "max" else "inf")
    return torch.iinfo(dtype).min if reduce == "max" else torch.iinfo(dtype).max


def _scatter_mean(b: Builder, x: Tensor, total: Tensor, dim, index: Tensor, include_self: bool) -> Tensor:
    """Sums divided by the numbers of their terms, which are rounded down for integers."""
    compute = torch.float64 if x.dtype == torch.float64 else torch.float32 if x.dtype.is_floating_point else torch.int64
    terms = b.full(1, compute, x.shape)
    if not include_self:
        terms = _scatter(b, terms, dim, index, b.full(0, compute, index.shape))
    terms = _scatter(b, terms, dim, index, b.full(1, compute, index.shape), "add")
    divide = "div" if compute.is_floating_point else "floor_div"
    return b.cast(b.pointwise(divide, b.cast(total, compute), terms), x.dtype)


@lower(aten.scatter_reduce.two)
def _scatter_reduce(b: Builder, out, x: Tensor, dim, index: Tensor, source: Tensor, reduce, *, include_self=True):
    combination = "add" if reduce == "mean" else _COMBINATIONS[reduce]
    start = x
    if not include_self:
        # Elements that get others count for nothing.
        start = _scatter(b, x, dim, index, b.full(_identity(combination, x.dtype), x.dtype, index.shape))
    result = _scatter(b, start, dim, index, source, combination)
    return _scatter_mean(b, x, result, dim, index, include_self) if reduce == "mean" else result


@lower(aten.index_put.default, aten._unsafe_index_put.default)
def _index_put(b: Builder, out, x: Tensor, indices, values: Tensor, accumulate=False) -> Tensor:
    (mask, *others) = [index for index in indices if index is not None]
    if mask.dtype == torch.bool and indices[0] is mask and not others and values.ndim == 0 and not accumulate:
        mask = b.broadcast(mask, range(mask.ndim, x.ndim))
        return b.where(mask, b.cast(values, x.dtype), x, x.dtype)
    merged, dim, index = _merge_indexed(b, x, indices)
    shape = merged.shape
    values = b.expand(b.cast(values, x.dtype), [*shape[:dim], *index.shape, *shape[dim + 1 :]])
    count = product(index.shape)
    shape = [*shape[:dim], count, *shape[dim + 1 :]]
    values = b.reshape(values, shape) if index.ndim else b.broadcast(values, [dim])
    index = _flatten(b, index) if index.ndim != 1 else index
    index = b.expand(b.broadcast(index, [other for other in range(merged.ndim) if other != dim]), shape)
    return b.reshape(_scatter(b, merged, dim, index, values, "add" if accumulate else ""), x.shape)


@lower(aten.embedding_dense_backward.default)
def _embedding_backward(b: Builder, out, gradient: Tensor, index: Tensor, rows, padding, scale) -> Tensor:
    if scale:
        raise Unsupported("gradients that are divided by the numbers of their terms")
    width, count = gradient.shape[-1], product(index.shape)
    index = _flatten(b, _as_index(b, index))
    # An index outside writes nothing.
    if padding >= 0:
        index = b.where(b.pointwise("eq", index, padding, dtype=torch.bool), -1, index, index.dtype)
    index = b.expand(b.broadcast(index, [1]), [count, width])
    zeros = b.full(0, gradient.dtype, [rows, width])
    return _scatter(b, zeros, 0, index, b.reshape(gradient, [count, width]), "add")
