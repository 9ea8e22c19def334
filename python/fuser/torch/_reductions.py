"""Lowerings of reductions and scans."""

from __future__ import annotations

import torch

from fuser.torch._builder import Builder, Tensor, Unsupported, compute_type, element_type, product
from fuser.torch._lowering import aten, dim_of, lower, shape_of

# Scans of at most so many elements are computed part by part.
_FEW_ELEMENTS = 4


def dims_of(dims: object, rank: int) -> list[int]:
    """The dimensions that are reduced: all where none are given."""
    if dims is None or (isinstance(dims, (list, tuple)) and not dims):
        return list(range(rank))
    items = dims if isinstance(dims, (list, tuple)) else [dims]
    return sorted(dim_of(dim, rank) for dim in items)


def reduce(b: Builder, op: str, x: Tensor, dims: object, keepdim: bool, dtype: torch.dtype, more: str = "") -> Tensor:
    """One result, of element type `dtype`. A tensor without dimensions is one of one element."""
    if x.ndim == 0:
        x = b.broadcast(x, [0])
        return reduce(b, op, x, [0], False, dtype, more)
    reduced = dims_of(dims, x.ndim)
    shape = [size for dim, size in enumerate(x.shape) if dim not in reduced]
    result = b.define(f"fuser.{op} {x.name} dims {reduced}{more} : {x.type} -> {{type}}", dtype, shape)
    return b.broadcast(result, reduced) if keepdim else result


def _additive(b: Builder, op: str, out, x: Tensor, dims: object, keepdim: bool) -> Tensor:
    # The sum of bools and integers is one of the result's type.
    return reduce(b, op, b.cast(x, out.dtype), dims, keepdim, out.dtype)


@lower(aten.sum.dim_IntList, aten.sum.default)
def _sum(b: Builder, out, x: Tensor, dims=None, keepdim=False, *, dtype=None) -> Tensor:
    return _additive(b, "sum", out, x, dims, keepdim)


@lower(aten.prod.default)
def _prod(b: Builder, out, x: Tensor, *, dtype=None) -> Tensor:
    return _additive(b, "prod", out, x, None, False)


@lower(aten.prod.dim_int)
def _prod_dim(b: Builder, out, x: Tensor, dim, keepdim=False, *, dtype=None) -> Tensor:
    return _additive(b, "prod", out, x, dim, keepdim)


@lower(aten.mean.dim, aten.mean.default)
def _mean(b: Builder, out, x: Tensor, dims=None, keepdim=False, *, dtype=None) -> Tensor:
    return _additive(b, "mean", out, x, dims, keepdim)


def _extreme(b: Builder, op: str, out, x: Tensor, dims: object, keepdim: bool) -> Tensor:
    if x.dtype == torch.bool:
        return reduce(b, "any" if op == "max" else "all", x, dims, keepdim, torch.bool)
    return reduce(b, op, x, dims, keepdim, out.dtype)


@lower(aten.amax.default)
def _amax(b: Builder, out, x: Tensor, dims=(), keepdim=False) -> Tensor:
    return _extreme(b, "max", out, x, dims, keepdim)


@lower(aten.amin.default)
def _amin(b: Builder, out, x: Tensor, dims=(), keepdim=False) -> Tensor:
    return _extreme(b, "min", out, x, dims, keepdim)


@lower(aten.max.default)
def _max(b: Builder, out, x: Tensor) -> Tensor:
    return _extreme(b, "max", out, x, None, False)


@lower(aten.min.default)
def _min(b: Builder, out, x: Tensor) -> Tensor:
    return _extreme(b, "min", out, x, None, False)


def _test(op: str):
    def function(b: Builder, out, x: Tensor, dims=None, keepdim=False) -> Tensor:
        if isinstance(dims, (list, tuple)) and not dims:
            raise Unsupported(f"{op} over no dimensions")
        result = reduce(b, op, x, dims, keepdim, torch.bool)
        return b.cast(result, out.dtype)

    return function


for _name in ("any", "all"):
    _packet = getattr(aten, _name)
    lower(_packet.default, _packet.dim, _packet.dims)(_test(_name))


def _var_mean(b: Builder, x: Tensor, dims: object, correction: object, keepdim: bool) -> tuple[Tensor, Tensor]:
    if x.ndim == 0:
        x, dims, keepdim = b.broadcast(x, [0]), [0], False
    reduced, given = dims_of(dims, x.ndim), 1 if correction is None else correction
    # The dialect's is an integer; others scale the variance of all elements.
    number = int(given) if given == int(given) >= 0 else 0
    shape = [size for dim, size in enumerate(x.shape) if dim not in reduced]
    text = f"fuser.var_mean {x.name} dims {reduced} correction {number} : {x.type}"
    variance, mean = b.define_two(text, (x.dtype, tuple(shape)), (x.dtype, tuple(shape)))
    if number != given:
        count = product([x.shape[dim] for dim in reduced])
        if not isinstance(count, int):
            raise Unsupported("a correction that is no integer from 0, of sizes that are known at run time only")
        factor = count / max(count - given, 0) if count > given else float("inf")
        variance = b.pointwise("mul", variance, factor)
    results = (variance, mean)
    return tuple(b.broadcast(result, reduced) if keepdim else result for result in results)


@lower(aten.var_mean.correction)
def _lower_var_mean(b: Builder, out, x: Tensor, dims=None, *, correction=None, keepdim=False):
    return _var_mean(b, x, dims, correction, keepdim)


@lower(aten.var.correction)
def _var(b: Builder, out, x: Tensor, dims=None, *, correction=None, keepdim=False) -> Tensor:
    return _var_mean(b, x, dims, correction, keepdim)[0]


@lower(aten.std.correction)
def _std(b: Builder, out, x: Tensor, dims=None, *, correction=None, keepdim=False) -> Tensor:
    def compute(value: Tensor) -> Tensor:
        return b.pointwise("sqrt", _var_mean(b, value, dims, correction, keepdim)[0])

    return b.in_compute_type(compute, x.dtype, x)


def _positions(b: Builder, x: Tensor, dim: int) -> Tensor:
    """The index of each element of `x` along a dimension."""
    positions = b.broadcast(b.iota(x.shape[dim]), [other for other in range(x.ndim) if other != dim])
    return b.expand(positions, x.shape)


def _indexed(b: Builder, op: str, x: Tensor, dim: object, keepdim: bool) -> tuple[Tensor, Tensor]:
    """The extreme element and its position along a dimension, or in the whole tensor."""
    original = x.ndim
    if dim is None or x.ndim == 0:
        size = 1
        for extent in x.shape:
            size = size * extent
        x, dim = b.reshape(x, [size]) if x.ndim else b.broadcast(x, [0]), 0
        kept = list(range(original)) if keepdim else []
    else:
        dim = dim_of(dim, x.ndim)
        kept = [dim] if keepdim else []
    if x.dtype == torch.bool:
        x = b.cast(x, torch.int32)
    positions = _positions(b, x, dim)
    shape = tuple(size for other, size in enumerate(x.shape) if other != dim)
    text = f"fuser.{op}_with_index {x.name}, {positions.name} dims [{dim}] : {x.type}, {positions.type}"
    results = b.define_two(text, (x.dtype, shape), (torch.int64, shape))
    return tuple(b.broadcast(result, kept) for result in results)


@lower(aten.max.dim)
def _max_dim(b: Builder, out, x: Tensor, dim, keepdim=False):
    value, position = _indexed(b, "max", x, dim, keepdim)
    return b.cast(value, out[0].dtype), position


@lower(aten.min.dim)
def _min_dim(b: Builder, out, x: Tensor, dim, keepdim=False):
    value, position = _indexed(b, "min", x, dim, keepdim)
    return b.cast(value, out[0].dtype), position


@lower(aten.argmax.default)
def _argmax(b: Builder, out, x: Tensor, dim=None, keepdim=False) -> Tensor:
    return _indexed(b, "max", x, dim, keepdim)[1]


@lower(aten.argmin.default)
def _argmin(b: Builder, out, x: Tensor, dim=None, keepdim=False) -> Tensor:
    return _indexed(b, "min", x, dim, keepdim)[1]


def _scan(b: Builder, op: str, out, x: Tensor, dim: int) -> Tensor:
    element_type(out.dtype)
    x = b.cast(x, out.dtype)
    if x.ndim == 0:
        return b.copy(x)
    return b.define(f"fuser.{op} {x.name} dim {dim_of(dim, x.ndim)} : {x.type} -> {{type}}", out.dtype, shape_of(out))


def _accumulate(b: Builder, op: str, function: str, out, x: Tensor, dim: int) -> Tensor:
    """A scan, or, of few elements, the join of the steps: kernels compute these in place, where a scan is a kernel of
    its own. Gradients of products of few elements have such scans."""
    is_short = x.ndim > 0 and isinstance(x.shape[dim], int) and 0 < x.shape[dim] <= _FEW_ELEMENTS
    if not is_short or not (out.dtype.is_floating_point or out.dtype == torch.int64):
        return _scan(b, op, out, x, dim)
    dim, dtype = dim_of(dim, x.ndim), compute_type(out.dtype)
    x = b.cast(b.cast(x, out.dtype), dtype)
    sizes, steps = [1 if at == dim else size for at, size in enumerate(x.shape)], []
    for place in range(x.shape[dim]):
        part = b.slice(x, [place if at == dim else 0 for at in range(x.ndim)], sizes)
        steps.append(b.pointwise(function, steps[-1], part) if steps else part)
    return b.cat([b.cast(step, out.dtype) for step in steps], dim, x.shape)


@lower(aten.cumsum.default)
def _cumsum(b: Builder, out, x: Tensor, dim, *, dtype=None) -> Tensor:
    return _accumulate(b, "cumsum", "add", out, x, dim)


@lower(aten.cumprod.default)
def _cumprod(b: Builder, out, x: Tensor, dim, *, dtype=None) -> Tensor:
    return _accumulate(b, "cumprod", "mul", out, x, dim)


@lower(aten.logcumsumexp.default)
def _logcumsumexp(b: Builder, out, x: Tensor, dim) -> Tensor:
    if out.dtype.is_complex:
        raise Unsupported("logarithms of complex sums")
    return _scan(b, "logcumsumexp", out, x, dim)


def _running(b: Builder, op: str, out, x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """The extreme element so far, and the last position that has it: a NaN is the extreme, and stays it."""
    values = b.cast(_scan(b, op, out[0], x, dim), x.dtype)
    if x.ndim == 0:
        return values, b.full(0, out[1].dtype, ())
    is_extreme = b.pointwise("eq", x, values, dtype=torch.bool)
    if x.dtype.is_floating_point:
        is_extreme = b.pointwise("logical_or", is_extreme, b.pointwise("isnan", x, dtype=torch.bool), dtype=torch.bool)
    positions = b.where(is_extreme, _positions(b, x, dim_of(dim, x.ndim)), 0, out[1].dtype)
    return values, _scan(b, "cummax", out[1], positions, dim)


@lower(aten.cummax.default)
def _cummax(b: Builder, out, x: Tensor, dim) -> tuple[Tensor, Tensor]:
    return _running(b, "cummax", out, x, dim)


@lower(aten.cummin.default)
def _cummin(b: Builder, out, x: Tensor, dim) -> tuple[Tensor, Tensor]:
    return _running(b, "cummin", out, x, dim)
