"""Pooling without overlaps as a reduction of a reshape, and the gradients of paddings as sums of slices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch._prims_common import suggest_memory_format

from fuser.torch import _windows
from fuser.torch._builder import compute_type
from fuser.torch._lowering import aten

# The most elements of boxes that differ in size, which are looked for one by one.
_MOST_UNEVEN = 36
# Longer borders of a replicated tensor are added up by a reduction.
_WIDEST_BORDER = 4


def _is_static(x: torch.Tensor, rank: int) -> bool:
    """True for floating-point numbers in spatial dimensions of known sizes."""
    return x.dtype.is_floating_point and all(isinstance(size, int) and size > 0 for size in x.shape[-rank:])


def _is_counted(x: torch.Tensor, rank: int) -> bool:
    """The same of sizes that may be known at run time only."""
    return x.dtype.is_floating_point and all(not isinstance(size, int) or size > 0 for size in x.shape[-rank:])


def _format(x: torch.Tensor, rank: int) -> torch.memory_format:
    """How eager mode stores what it pools from a tensor with so many spatial dimensions."""
    return suggest_memory_format(x) if rank == 2 and x.dim() == 4 else torch.contiguous_format


def _average(x: torch.Tensor, kernel: Sequence[int], divisor: int) -> torch.Tensor:
    """The sums of boxes of the last dimensions, divided. Elements past the last whole box do not count."""
    shape, dims = list(x.shape[: -len(kernel)]), []
    for dim, size in enumerate(kernel, -len(kernel)):
        whole = x.shape[dim] // size
        if x.shape[dim] != whole * size:
            x = aten.slice.Tensor(x, dim % x.dim(), 0, whole * size)
        shape.append(whole)
        if size > 1:
            dims.append(len(shape))
            shape.append(size)
    total = x.reshape(shape).to(compute_type(x.dtype))
    total = total.sum(dims) if dims else total
    return (total / divisor).to(x.dtype).contiguous(memory_format=_format(x, len(kernel)))


def _repeat(part: torch.Tensor, counts: Sequence[int], kernel: Sequence[int]) -> torch.Tensor:
    """The elements of boxes from one of each, in the last dimensions, of which there are `counts`."""
    rank = len(kernel)
    lead = list(part.shape[:-rank])
    # From the last dimension on, so that places stay.
    for dim in range(part.dim() - 1, part.dim() - rank - 1, -1):
        part = part.unsqueeze(dim + 1)
    pairs = [size for pair in zip(counts, kernel, strict=True) for size in pair]
    sizes = [count * size for count, size in zip(counts, kernel, strict=True)]
    return part.expand(lead + pairs).reshape(lead + sizes)


def _spread(gradient: torch.Tensor, x: torch.Tensor, kernel: Sequence[int], divisor: int) -> torch.Tensor:
    """The gradient of `_average`: that of each box, divided, for all its elements."""
    part = (gradient.to(compute_type(gradient.dtype)) / divisor).to(gradient.dtype)
    rank = len(kernel)
    part = _repeat(part, gradient.shape[-rank:], kernel)
    missing = [size - covered for size, covered in zip(x.shape[-rank:], part.shape[-rank:], strict=True)]
    if any(missing):
        part = aten.constant_pad_nd.default(part, [width for more in reversed(missing) for width in (0, more)])
    return part.contiguous(memory_format=_format(x, rank))


def _options(options: Sequence[object]) -> tuple:
    """The kernel, the stride, the padding, and the further options of an average pooling."""
    return (*options, *(None, [], 0, False, True, None)[len(options) :])


def _boxes(x: torch.Tensor, rank: int, *options: object) -> tuple[list[int], int] | None:
    """The kernel of an average pooling and its divisor; None where boxes overlap, have gaps or leave the tensor."""
    kernel, stride, padding, ceil_mode, _, divisor = _options(options)
    kernel, stride, padding = (_windows.by_dimension(item, rank) for item in (kernel, stride, padding))
    if (stride and stride != kernel) or any(padding) or not _is_static(x, rank):
        return None
    sizes = list(zip(x.shape[-rank:], kernel, strict=True))
    if any(size < box or (ceil_mode and size % box) for size, box in sizes):
        return None
    return kernel, divisor or math.prod(kernel)


def _pool(rank: int) -> Callable:
    def function(x: torch.Tensor, *options: object, **named: object) -> torch.Tensor:
        if named or not _is_counted(x, rank):
            return NotImplemented
        boxes = _boxes(x, rank, *options)
        if boxes is not None:
            return _average(x, *boxes)
        kernel, stride, padding, ceil_mode, include_pad, divisor = _options(options)
        found = _windows.windows(x, rank, kernel, stride, padding, 1, ceil_mode)
        if found is None:
            return NotImplemented
        return _windows.averages(x, found, include_pad, divisor).contiguous(memory_format=_format(x, rank))

    return function


def _max_pool(rank: int) -> Callable:
    def function(
        x: torch.Tensor,
        kernel: Sequence[int],
        stride: Sequence[int] = (),
        padding: Sequence[int] = (0,),
        dilation: Sequence[int] = (1,),
        ceil_mode: bool = False,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        if not _is_counted(x, rank):
            return NotImplemented
        found = _windows.windows(x, rank, kernel, stride, padding, dilation, ceil_mode)
        if found is None:
            return NotImplemented
        results = _windows.maxima(x, found), _windows.indices_of_maxima(x, found)
        return tuple(result.contiguous(memory_format=_format(x, rank)) for result in results)

    return function


def _max_pool_backward(rank: int) -> Callable:
    def function(
        gradient: torch.Tensor,
        x: torch.Tensor,
        kernel: Sequence[int],
        stride: Sequence[int],
        padding: Sequence[int],
        dilation: Sequence[int],
        ceil_mode: bool,
        index: torch.Tensor,
    ) -> torch.Tensor:
        if not _is_counted(x, rank):
            return NotImplemented
        found = _windows.windows(x, rank, kernel, stride, padding, dilation, ceil_mode)
        result = None if found is None else _windows.gradient_of_maxima(gradient, index, found, x.dtype)
        return NotImplemented if result is None else result.contiguous(memory_format=_format(x, rank))

    return function


def _pool_backward(rank: int) -> Callable:
    def function(gradient: torch.Tensor, x: torch.Tensor, *options: object, **named: object) -> torch.Tensor:
        if named or not _is_counted(x, rank):
            return NotImplemented
        boxes = _boxes(x, rank, *options)
        if boxes is not None:
            return _spread(gradient, x, *boxes)
        kernel, stride, padding, ceil_mode, include_pad, divisor = _options(options)
        found = _windows.windows(x, rank, kernel, stride, padding, 1, ceil_mode)
        result = None if found is None else _windows.spread(gradient, found, include_pad, divisor)
        return NotImplemented if result is None else result.contiguous(memory_format=_format(x, rank))

    return function


def _adaptive_kernel(x: torch.Tensor, counts: Sequence[int]) -> list[int] | None:
    """The size of the boxes of which there are so many; None where they differ. That they do not is a guard of
    sizes that are known at run time only."""
    rank = len(counts)
    if not _is_counted(x, rank) or not all(isinstance(count, int) and count > 0 for count in counts):
        return None
    sizes = list(zip(x.shape[-rank:], counts, strict=True))
    return None if any(size % count for size, count in sizes) else [size // count for size, count in sizes]


def _uneven_places(x: torch.Tensor, size: int, count: int) -> tuple[list[torch.Tensor], list, torch.Tensor]:
    """Of so many boxes of a dimension: the places of their first elements, second ones, and so on, which of these they
    have (None: all of them), and how many they have."""
    numbers = torch.arange(count, device=x.device, dtype=torch.int32)
    first, end = numbers * size // count, ((numbers + 1) * size + count - 1) // count
    lengths = [-(-(number + 1) * size // count) - number * size // count for number in range(count)]
    places = [(first + step).clamp(max=size - 1) for step in range(max(lengths))]
    has = [None if step < min(lengths) else first + step < end for step in range(max(lengths))]
    return places, has, (end - first).to(compute_type(x.dtype))


def _average_uneven(x: torch.Tensor, counts: Sequence[int]) -> torch.Tensor:
    """The means of boxes that differ in size, of which neighbors may share elements."""
    (rows, has_rows, heights), (columns, has_columns, widths) = (
        _uneven_places(x, size, count) for size, count in zip(x.shape[-2:], counts, strict=True)
    )
    if len(rows) * len(columns) > _MOST_UNEVEN:
        return NotImplemented
    total = None
    for row, has_row in zip(rows, has_rows, strict=True):
        for column, has_column in zip(columns, has_columns, strict=True):
            part = x[..., row[:, None], column].to(compute_type(x.dtype))
            if has_row is not None:
                part = torch.where(has_row[:, None], part, 0)
            if has_column is not None:
                part = torch.where(has_column, part, 0)
            total = part if total is None else total + part
    mean = total / heights[:, None] / widths
    return mean.to(x.dtype).contiguous(memory_format=_format(x, 2))


def _average_equal(x: torch.Tensor, counts: Sequence[int], kernel: Sequence[int]) -> torch.Tensor:
    """The means of boxes of equal size. Their numbers are known where the sizes are not."""
    rank = len(counts)
    pairs = [size for pair in zip(counts, kernel, strict=True) for size in pair]
    boxes = x.reshape([*x.shape[:-rank], *pairs]).to(compute_type(x.dtype))
    mean = boxes.sum(list(range(-2 * rank + 1, 0, 2))) / math.prod(kernel)
    return mean.to(x.dtype).contiguous(memory_format=_format(x, rank))


def _adaptive(x: torch.Tensor, counts: Sequence[int]) -> torch.Tensor:
    kernel = _adaptive_kernel(x, counts)
    if kernel is not None:
        is_known = _is_static(x, len(counts))
        return _average(x, kernel, math.prod(kernel)) if is_known else _average_equal(x, counts, kernel)
    is_known = _is_static(x, len(counts)) and all(isinstance(count, int) and count > 0 for count in counts)
    return _average_uneven(x, counts) if is_known and len(counts) == 2 else NotImplemented


def _adaptive_max(rank: int) -> Callable:
    """The maxima of equal boxes, and where in the image they are: the first one, or the last NaN."""

    def function(x: torch.Tensor, counts: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
        kernel = _adaptive_kernel(x, counts)
        if kernel is None or x.dim() < rank or len(counts) != rank:
            return NotImplemented
        pairs = [size for pair in zip(counts, kernel, strict=True) for size in pair]
        dims = list(range(-2 * rank + 1, 0, 2))
        boxes = x.reshape([*x.shape[:-rank], *pairs])
        value = boxes.amax(dims)
        greatest = boxes.amax(dims, keepdim=True)
        count = math.prod(x.shape[-rank:])
        places = torch.arange(count, device=x.device).reshape(pairs)
        first = torch.where(boxes == greatest, places, count).amin(dims)
        last = torch.where(boxes.isnan(), places, -1).amax(dims)
        index = torch.where(last >= 0, last, first)
        return tuple(result.contiguous(memory_format=_format(x, rank)) for result in (value, index))

    return function


def _adaptive_max_backward(rank: int) -> Callable:
    """The gradient of each box at its greatest element, whose place in the image is known."""

    def function(gradient: torch.Tensor, x: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
        counts = gradient.shape[-rank:]
        kernel = _adaptive_kernel(x, counts)
        if kernel is None:
            return NotImplemented
        places = torch.arange(math.prod(x.shape[-rank:]), device=x.device).reshape(x.shape[-rank:])
        is_greatest = _repeat(index, counts, kernel) == places
        result = torch.where(is_greatest, _repeat(gradient, counts, kernel), 0)
        return result.contiguous(memory_format=_format(x, rank))

    return function


def _adaptive_backward(rank: int) -> Callable:
    def function(gradient: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        kernel = _adaptive_kernel(x, gradient.shape[-rank:])
        return NotImplemented if kernel is None else _spread(gradient, x, kernel, math.prod(kernel))

    return function


# Paddings


def _reflected(gradient: torch.Tensor, dim: int, size: int, low: int, high: int) -> list[torch.Tensor]:
    """The borders of a dimension that reflects: where they are in the tensor."""
    length, parts = gradient.shape[dim], []
    for width, first, before in ((low, 0, 1), (high, length - high, size - 1 - high)):
        if width > 0:
            border = aten.slice.Tensor(gradient, dim, first, first + width)
            border = border if width == 1 else aten.flip.default(border, [dim])
            parts.append(_placed(border, dim, before, size))
    return parts


def _replicated(gradient: torch.Tensor, dim: int, size: int, low: int, high: int) -> list[torch.Tensor]:
    """The borders of a dimension whose first and last element are replicated: their sums, or what has to be added."""
    length, parts = gradient.shape[dim], []
    for width, first, place in ((low, 0, 0), (high, length - high, size - 1)):
        if width > _WIDEST_BORDER:
            border = aten.slice.Tensor(gradient, dim, first, first + width)
            parts.append(_placed(border.sum(dim, keepdim=True), dim, place, size))
        else:
            for at in range(first, first + width):
                parts.append(_placed(aten.slice.Tensor(gradient, dim, at, at + 1), dim, place, size))
    return parts


def _placed(part: torch.Tensor, dim: int, before: int, size: int) -> torch.Tensor:
    """Zeros around a part of a dimension."""
    widths = [0, 0] * (part.dim() - 1 - dim) + [before, size - before - part.shape[dim]]
    return aten.constant_pad_nd.default(part, widths)


def _pad_backward(borders: Callable) -> Callable:
    """The gradient of a padding, one dimension after the other."""

    def function(gradient: torch.Tensor, x: torch.Tensor, padding: Sequence[int]) -> torch.Tensor:
        rank = len(padding) // 2
        if not _is_static(x, rank) or not all(isinstance(width, int) for width in padding):
            return NotImplemented
        compute = compute_type(gradient.dtype)
        for place in range(rank):
            dim, (low, high) = x.dim() - 1 - place, padding[2 * place : 2 * place + 2]
            parts = borders(gradient, dim, x.shape[dim], low, high)
            total = aten.constant_pad_nd.default(gradient, [0, 0] * place + [-low, -high])
            if parts:
                total = sum((part.to(compute) for part in parts), total.to(compute)).to(gradient.dtype)
            gradient = total
        return gradient.contiguous(memory_format=_format(x, rank))

    return function


def table() -> dict:
    """Decompositions, which leave to PyTorch what they return NotImplemented for."""
    found = {aten._adaptive_avg_pool2d.default: _adaptive, aten._adaptive_avg_pool3d.default: _adaptive}
    for rank in (2, 3):
        found[getattr(aten, f"avg_pool{rank}d").default] = _pool(rank)
        found[getattr(aten, f"avg_pool{rank}d_backward").default] = _pool_backward(rank)
        found[getattr(aten, f"_adaptive_avg_pool{rank}d_backward").default] = _adaptive_backward(rank)
        found[getattr(aten, f"max_pool{rank}d_with_indices").default] = _max_pool(rank)
        found[getattr(aten, f"max_pool{rank}d_with_indices_backward").default] = _max_pool_backward(rank)
        found[getattr(aten, f"adaptive_max_pool{rank}d").default] = _adaptive_max(rank)
        found[getattr(aten, f"adaptive_max_pool{rank}d_backward").default] = _adaptive_max_backward(rank)
    for rank in (1, 2, 3):
        found[getattr(aten, f"reflection_pad{rank}d_backward").default] = _pad_backward(_reflected)
        found[getattr(aten, f"replication_pad{rank}d_backward").default] = _pad_backward(_replicated)
    return found
