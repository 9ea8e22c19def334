"""Lowerings of functions that rearrange elements, and that make tensors of nothing."""

from __future__ import annotations

import torch

from fuser.torch._builder import Builder, Extent, Scalar, Tensor, Unsupported, extent_of
from fuser.torch._elements import to_scalar
from fuser.torch._lowering import LOWERINGS, aten, dim_of, lower, overload_of, prims, shape_of

# Views


@lower(aten.view.default, aten._unsafe_view.default, aten.reshape.default)
def _view(b: Builder, out, x: Tensor, shape) -> Tensor:
    return b.reshape(x, shape_of(out))


@lower(aten.view.dtype)
def _view_bits(b: Builder, out, x: Tensor, dtype) -> Tensor:
    if x.dtype.itemsize != out.dtype.itemsize or (x.dtype == torch.bool) != (out.dtype == torch.bool):
        raise Unsupported("a view as elements of another size")
    return b.bitcast(x, out.dtype)


@lower(aten.permute.default)
def _permute(b: Builder, out, x: Tensor, dims) -> Tensor:
    return b.permute(x, [dim_of(dim, x.ndim) for dim in dims])


@lower(aten.t.default)
def _t(b: Builder, out, x: Tensor) -> Tensor:
    return b.permute(x, range(x.ndim)[::-1])


@lower(aten.transpose.int)
def _transpose(b: Builder, out, x: Tensor, first, second) -> Tensor:
    dims = list(range(x.ndim))
    if dims:
        first, second = dim_of(first, x.ndim), dim_of(second, x.ndim)
        dims[first], dims[second] = second, first
    return b.permute(x, dims)


@lower(aten.unsqueeze.default)
def _unsqueeze(b: Builder, out, x: Tensor, dim) -> Tensor:
    return b.broadcast(x, [dim % (x.ndim + 1)])


@lower(aten.squeeze.dim, aten.squeeze.dims, aten.squeeze.default)
def _squeeze(b: Builder, out, x: Tensor, dims=None) -> Tensor:
    items = range(x.ndim) if dims is None else dims if isinstance(dims, (list, tuple)) else [dims]
    return b.squeeze(x, [dim % x.ndim for dim in items if x.ndim and x.shape[dim % x.ndim] == 1])


@lower(aten.expand.default)
def _expand(b: Builder, out, x: Tensor, shape, *, implicit=False) -> Tensor:
    return b.expand(x, shape_of(out))


@lower(aten.alias.default, aten.detach.default, aten.lift_fresh_copy.default)
def _alias(b: Builder, out, x: Tensor) -> Tensor:
    return x


def _bound(value: object, size: Extent, default: Extent) -> Extent:
    """A bound of a slice as PyTorch clamps it; symbolic ones must be inside, which tracing has guarded."""
    if value is None:
        return default
    value = extent_of(value) if isinstance(value, torch.SymInt) else value
    if isinstance(value, Scalar):
        raise Unsupported("a bound that is known at run time only")
    if not isinstance(value, int):
        return value
    if isinstance(size, int):
        return min(max(value + size if value < 0 else value, 0), size)
    if value >= 2**62:
        return size
    return size + value if value < 0 else value


@lower(aten.slice.Tensor)
def _slice(b: Builder, out, x: Tensor, dim=0, start=None, end=None, step=1) -> Tensor:
    dim, sizes = dim_of(dim, x.ndim), list(shape_of(out))
    starts: list[Extent] = [0] * x.ndim
    starts[dim] = _bound(start, x.shape[dim], 0)
    return b.slice(x, starts, sizes, [step if other == dim else 1 for other in range(x.ndim)])


@lower(aten.select.int)
def _select(b: Builder, out, x: Tensor, dim, index) -> Tensor:
    dim = dim_of(dim, x.ndim)
    start = _bound(index, x.shape[dim], 0)
    starts, sizes = [0] * x.ndim, list(x.shape)
    starts[dim], sizes[dim] = start, 1
    return b.squeeze(b.slice(x, starts, sizes), [dim])


@lower(aten.slice_scatter.default)
def _slice_scatter(b: Builder, out, x: Tensor, source: Tensor, dim=0, start=None, end=None, step=1) -> Tensor:
    dim = dim_of(dim, x.ndim)
    start = _bound(start, x.shape[dim], 0)
    end = _bound(end, x.shape[dim], x.shape[dim])
    if step != 1:
        return _insert_strided(b, x, b.cast(source, x.dtype), dim, start, end, step)
    sizes = list(x.shape)
    sizes[dim] = max(end - start, 0) if isinstance(start, int) and isinstance(end, int) else end - start
    return _insert(b, x, b.expand(b.cast(source, x.dtype), sizes), dim, start)


@lower(aten.select_scatter.default)
def _select_scatter(b: Builder, out, x: Tensor, source: Tensor, dim, index) -> Tensor:
    dim = dim_of(dim, x.ndim)
    part = b.broadcast(b.cast(source, x.dtype), [dim])
    return _insert(b, x, part, dim, _bound(index, x.shape[dim], 0))


def _insert_strided(b: Builder, x: Tensor, source: Tensor, dim: int, start: Extent, end: Extent, step: int) -> Tensor:
    size = x.shape[dim]
    if not all(isinstance(bound, int) for bound in (size, start, end)):
        raise Unsupported("slice_scatter with a step, of sizes that are known at run time only")
    count = max(-(-(end - start) // step), 0)
    if count == 0:
        return b.copy(x)
    source = b.expand(source, [count if other == dim else extent for other, extent in enumerate(x.shape)])
    if size == count * step and start < step:
        return _insert_column(b, x, source, dim, start, step)
    place = b.iota(size)
    offset = b.pointwise("sub", place, start)
    index = b.pointwise("floor_div", offset, step)
    tests = [b.pointwise("ge", offset, 0, dtype=torch.bool), b.pointwise("lt", index, count, dtype=torch.bool)]
    tests.append(b.pointwise("eq", b.pointwise("remainder", offset, step), 0, dtype=torch.bool))
    is_taken = b.pointwise("logical_and", b.pointwise("logical_and", *tests[:2], dtype=torch.bool), tests[2])
    is_taken = b.broadcast(is_taken, [other for other in range(x.ndim) if other != dim])
    return b.where(is_taken, index_select(b, source, dim, index), x, x.dtype)


def _insert_column(b: Builder, x: Tensor, source: Tensor, dim: int, start: int, step: int) -> Tensor:
    """Every `step`-th element, of all of them: a column of rows of `step`, so that no element is looked up."""
    rows = b.reshape(x, [*x.shape[:dim], source.shape[dim], step, *x.shape[dim + 1 :]])
    is_taken = b.pointwise("eq", b.iota(step), start, dtype=torch.bool)
    is_taken = b.broadcast(is_taken, [other for other in range(rows.ndim) if other != dim + 1])
    return b.reshape(b.where(is_taken, b.broadcast(source, [dim + 1]), rows, x.dtype), x.shape)


def _insert(b: Builder, x: Tensor, part: Tensor, dim: int, start: Extent) -> Tensor:
    offsets = b.list_of([start if other == dim else 0 for other in range(x.ndim)])
    return b.define(
        f"fuser.insert_slice {part.name} into {x.name} {offsets} : {part.type} into {{type}}", x.dtype, x.shape
    )


# Joined and repeated


@lower(aten.cat.default)
def _cat(b: Builder, out, tensors, dim=0) -> Tensor:
    # Empty tensors of one dimension have no effect, whatever the rank of the others.
    tensors = [tensor for tensor in tensors if tensor.shape != (0,) or out.dim() == 1]
    tensors = [b.cast(tensor, out.dtype) for tensor in tensors]
    return b.cat(tensors, dim_of(dim, out.dim()), shape_of(out))


@lower(aten.constant_pad_nd.default)
def _pad(b: Builder, out, x: Tensor, pad, value=0) -> Tensor:
    low, high = [0] * x.ndim, [0] * x.ndim
    for place in range(len(pad) // 2):
        before, after = (extent_of(width) for width in pad[2 * place : 2 * place + 2])
        low[x.ndim - 1 - place], high[x.ndim - 1 - place] = before, after
    if isinstance(value, (Scalar, Tensor)):
        raise Unsupported("a border that is known at run time only")
    number = b.constant(b._fit(value, x.dtype))
    text = f"fuser.pad {x.name} low {b.list_of(low)} high {b.list_of(high)} value {number.name}"
    return b.define(f"{text} : {x.type}, {number.type} -> {{type}}", x.dtype, shape_of(out))


@lower(aten.repeat.default)
def _repeat(b: Builder, out, x: Tensor, repeats) -> Tensor:
    x = b.align(x, len(repeats))
    if not all(isinstance(count, int) and count > 0 for count in repeats):
        raise Unsupported("repeats that are known at run time only, or 0")
    if all(count == 1 for count in repeats):
        return b.copy(x)
    return b.define(f"fuser.repeat {x.name} {list(repeats)} : {x.type} -> {{type}}", x.dtype, shape_of(out))


@lower(aten.flip.default)
def _flip(b: Builder, out, x: Tensor, dims) -> Tensor:
    for dim in dims:
        dim = dim_of(dim, x.ndim)
        size = x.shape[dim] if x.ndim else 1
        if size not in (0, 1):
            x = index_select(b, x, dim, b.iota(size, start=b.scalar(size - 1), step=-1))
    return b.copy(x)


def index_select(b: Builder, x: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices of a dimension at the items of `index`, whose dimensions take its place."""
    shape = [*x.shape[:dim], *index.shape, *x.shape[dim + 1 :]]
    text = f"fuser.index_select {x.name}, {index.name} dim {dim} : {x.type}, {index.type} -> {{type}}"
    return b.define(text, x.dtype, shape)


# Made of nothing


def _number(value: object) -> object:
    if isinstance(value, (Tensor, complex)):
        raise Unsupported("a value that is no real number")
    return value


@lower(aten.full.default)
def _full(b: Builder, out, shape, value, **_options) -> Tensor:
    return b.full(_number(value), out.dtype, shape_of(out))


@lower(aten.full_like.default)
def _full_like(b: Builder, out, x: Tensor, value, **_options) -> Tensor:
    return b.full(_number(value), out.dtype, shape_of(out))


@lower(aten.new_full.default)
def _new_full(b: Builder, out, x: Tensor, shape, value, **_options) -> Tensor:
    return b.full(_number(value), out.dtype, shape_of(out))


@lower(aten.scalar_tensor.default)
def _scalar_tensor(b: Builder, out, value, **_options) -> Tensor:
    return b.full(_number(value), out.dtype, ())


def _filled(number: float):
    def function(b: Builder, out, *_arguments, **_options) -> Tensor:
        return b.full(number, out.dtype, shape_of(out))

    return function


for _name, _value in (("zeros", 0), ("ones", 1)):
    for _form in (f"{_name}.default", f"{_name}_like.default", f"new_{_name}.default"):
        if (_overload := overload_of(_form)) is not None:
            LOWERINGS[_overload] = _filled(_value)


# Memory without values: a region fills what it reads of it.
for _form in ("empty.memory_format", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"):
    if (_overload := overload_of(_form)) is not None:
        LOWERINGS[_overload] = _filled(0)


@lower(prims.iota.default)
def _iota(b: Builder, out, length, *, start, step, dtype, device, requires_grad) -> Tensor:
    return b.iota(shape_of(out)[0], out.dtype, start, step)


@lower(aten.arange.start_step)
def _arange(b: Builder, out, start, end, step=1, **_options) -> Tensor:
    start, step = (to_scalar(b, value, out.dtype) for value in (start, step))
    return b.iota(shape_of(out)[0], out.dtype, start, step)


@lower(aten.fill.Scalar, aten.fill.Tensor)
def _fill(b: Builder, out, x: Tensor, value) -> Tensor:
    if isinstance(value, Tensor):
        return b.expand(b.cast(value, out.dtype), shape_of(out))
    return b.full(value, out.dtype, shape_of(out))
