"""Convolutions of each channel by itself: sums of shifted slices, which regions fuse with what surrounds them.

The libraries' kernels for these read and write memory in one order and convert what has another one. Few elements of
the kernel make them limited by memory, and so are the sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing

from fuser.torch._builder import compute_type
from fuser.torch._layouts import has_equal_strides, is_channels_last, is_row_major
from fuser.torch._lowering import aten
from fuser.torch._windows import Window, elements, windows

# The elements of larger kernels would be read too often.
_MOST_ELEMENTS = 9


def _windows(
    x: torch.Tensor, weight: torch.Tensor, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
    transposed: bool, output_padding: Sequence[int], groups: int,
) -> list[Window] | None:  # fmt: skip
    """The windows of a convolution with one kernel per channel; None for others."""
    rank = weight.dim() - 2
    is_depthwise = x.dim() == weight.dim() and groups > 1 and groups == x.shape[1] == weight.shape[0]
    if not is_depthwise or transposed or not x.dtype.is_floating_point or x.dtype != weight.dtype:
        return None
    # Rows of kernels are read where they are if nothing is computed of them, one element of a sector at a time.
    if compute_type(x.dtype) == x.dtype and is_channels_last(x) and not is_row_major(x):
        return None
    if not all(isinstance(size, int) for size in (*weight.shape[2:], *stride, *padding, *dilation)):
        return None
    if math.prod(weight.shape[2:]) > _MOST_ELEMENTS or any(isinstance(size, int) and size < 1 for size in x.shape):
        return None
    return windows(x, rank, weight.shape[2:], stride, padding, dilation, False)


def _factor(weight: torch.Tensor, place: Sequence[int]) -> torch.Tensor:
    """An element of the kernels of all channels, of the rank of an image."""
    for dim, element in enumerate(place, 2):
        weight = aten.slice.Tensor(weight, dim, element, element + 1)
    return weight.reshape([-1] + [1] * len(place)).to(compute_type(weight.dtype))


def _weighted_sum(
    x: torch.Tensor, weight: torch.Tensor, found: Sequence[Window], is_reversed: bool = False
) -> torch.Tensor:
    """The sum of each window's elements times those of the kernel of its channel, the last one first if reversed."""
    total = None
    for place, part in elements(x, found, 0.0).items():
        if is_reversed:
            place = [window.kernel - 1 - element for window, element in zip(found, place, strict=True)]
        term = part.to(compute_type(x.dtype)) * _factor(weight, place)
        total = term if total is None else total + term
    return total.to(x.dtype)


def _format_of(made: torch.Tensor) -> torch.memory_format | None:
    """The memory format that eager mode gives a result; None for one that is not dense."""
    formats = (torch.contiguous_format, torch.channels_last) if made.dim() == 4 else (torch.contiguous_format,)
    return next((kind for kind in formats if has_equal_strides(made, torch.empty_like(made, memory_format=kind))), None)


def convolve(x: torch.Tensor, weight: torch.Tensor, *arguments: object) -> torch.Tensor:
    """A convolution without bias, stored as eager mode stores it; NotImplemented where a library computes it."""
    found = _windows(x, weight, *arguments)
    if found is None:
        return NotImplemented
    with disable_proxy_modes_tracing():
        kind = _format_of(aten.convolution.default(x, weight, None, *arguments))
    if kind is None:
        return NotImplemented
    return aten.clone.default(_weighted_sum(x, weight, found), memory_format=kind)


def _gradient_of_images(gradient: torch.Tensor, weight: torch.Tensor, found: Sequence[Window]) -> torch.Tensor | None:
    """A convolution with reversed kernels. None where windows have a step."""
    if any(window.stride != 1 for window in found):
        return None
    around = [
        Window(window.count, window.kernel, 1, (window.kernel - 1) * window.dilation - window.padding, window.dilation)
        for window in found
    ]
    if any(window.count != other.size for window, other in zip(around, found, strict=True)):
        return None
    return _weighted_sum(gradient, weight, around, is_reversed=True)


def _gradient_of_kernels(
    gradient: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, found: Sequence[Window]
) -> torch.Tensor | None:
    """For each element of a kernel the sum of the gradients times what the element is multiplied with. None
    where no window has an element."""
    compute = compute_type(x.dtype)
    parts, dims = elements(x, found, 0.0), [dim for dim in range(x.dim()) if dim != 1]
    if len(parts) != math.prod(weight.shape[2:]):
        return None
    sums = [(gradient.to(compute) * part.to(compute)).sum(dims) for part in parts.values()]
    return torch.stack(sums, 1).to(weight.dtype).reshape(weight.shape)


def gradients(
    gradient: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, mask: Sequence[bool], *arguments: object
) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    """The gradients of images and kernels of `convolve`, where `mask` asks for them; None for what a library
    computes."""
    found = _windows(x, weight, *arguments)
    if found is None:
        return None, None
    with disable_proxy_modes_tracing():
        made = aten.convolution_backward.default(gradient, x, weight, None, *arguments, [*mask, False])
        formats = [None if value is None else _format_of(value) for value in made[:2]]
    of_images = None if formats[0] is None else _gradient_of_images(gradient, weight, found)
    of_kernels = None if formats[1] is None else _gradient_of_kernels(gradient, x, weight, found)
    return tuple(
        None if value is None else aten.clone.default(value, memory_format=kind)
        for value, kind in zip((of_images, of_kernels), formats, strict=True)
    )
