"""Linear upsampling by whole numbers: each phase of the result has constant weights of neighboring elements."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Sequence

import torch
from torch._prims_common import suggest_memory_format

from fuser.torch._builder import compute_type
from fuser.torch._lowering import aten
from fuser.torch._windows import by_dimension

# Phases of a dimension that one vector has.
_MOST_PHASES = 8
_SIGNATURE = inspect.signature(torch.nn.functional.interpolate)


def _factors(sizes: Sequence, out: Sequence | None, scales: Sequence[float] | None) -> list[int] | None:
    """By what the spatial dimensions grow; None where it is not a whole number of times."""
    if not all(isinstance(size, int) and size > 0 for size in sizes):
        return None
    if out is None:
        if scales is None or any(scale != int(scale) for scale in scales):
            return None
        found = [int(scale) for scale in scales]
    else:
        if not all(isinstance(size, int) and size % old == 0 for size, old in zip(out, sizes, strict=True)):
            return None
        found = [size // old for size, old in zip(out, sizes, strict=True)]
        if scales is not None and list(scales) != found:
            return None
    return found if all(1 <= factor <= _MOST_PHASES for factor in found) and max(found) > 1 else None


def _shifted(x: torch.Tensor, dim: int, distance: int) -> torch.Tensor:
    """The elements before (-1) or behind (1) each one: nothing at the end."""
    if distance == 0:
        return x
    size, rest = x.shape[dim], [0, 0] * (x.dim() - 1 - dim)
    part = aten.slice.Tensor(x, dim, max(distance, 0), size + min(distance, 0))
    return aten.constant_pad_nd.default(part, [*rest, max(-distance, 0), max(distance, 0)], 0.0)


def _interpolate(parts: dict[int, torch.Tensor], dim: int, size: int, factor: int) -> torch.Tensor:
    """A new dimension of phases behind `dim`, from the elements before and behind, which the ends repeat."""
    x, device = parts[0], parts[0].device
    shape = [size] + [1] * (x.dim() - 1 - dim)
    place = torch.arange(size, device=device, dtype=torch.int32).reshape(shape)
    before, after = (torch.where(place == end, x, parts[distance]) for end, distance in ((0, -1), (size - 1, 1)))
    x, before, after = (part.unsqueeze(dim + 1) for part in (x, before, after))
    phase = torch.arange(factor, device=device, dtype=torch.int32).reshape([factor] + [1] * (x.dim() - 2 - dim))
    weight = (phase.to(x.dtype) + 0.5) * (1 / factor) - 0.5
    is_before = phase < factor // 2
    low, high = torch.where(is_before, before, x), torch.where(is_before, x, after)
    weight = torch.where(is_before, weight + 1, weight)
    # As PyTorch adds them: an infinite neighbor is no rest of a difference.
    return low * (1 - weight) + high * weight


def _bilinear(x: torch.Tensor, factors: Sequence[int]) -> torch.Tensor:
    rows, columns = x.dim() - 2, x.dim() - 1
    near = (-1, 0, 1)
    # Neighbors are parts of the tensor itself, which the kernel loads.
    parts = {(r, c): _shifted(_shifted(x, rows, r), columns, c) for r in near for c in near}
    parts = {place: part.to(compute_type(x.dtype)) for place, part in parts.items()}
    lines = {c: _interpolate({r: parts[r, c] for r in near}, rows, x.shape[rows], factors[0]) for c in near}
    result = _interpolate(lines, columns + 1, x.shape[columns], factors[1])
    shape = [*x.shape[:-2], x.shape[rows] * factors[0], x.shape[columns] * factors[1]]
    return result.to(x.dtype).reshape(shape)


def _is_linear(x: object, mode: object, align_corners: object, antialias: object) -> bool:
    """Without gradients, which as sums over these parts would take longer than PyTorch's, and with pixels side by
    side: vectors of channels have one phase each, and would load the neighbors of all."""
    return (
        isinstance(x, torch.Tensor)
        and x.dim() == 4
        and x.dtype.is_floating_point
        and mode == "bilinear"
        and not (align_corners or antialias)
        and not (torch.is_grad_enabled() and x.requires_grad)
        and suggest_memory_format(x) == torch.contiguous_format
    )


@functools.wraps(torch.nn.functional.interpolate)
def interpolate(*arguments: object, **options: object) -> torch.Tensor:
    """PyTorch's function, or what is nearly equal to it and one kernel."""
    given = _SIGNATURE.bind(*arguments, **options)
    given.apply_defaults()
    x, size, scale, mode, align_corners, recompute, antialias = given.args
    factors = None
    if _is_linear(x, mode, align_corners, antialias) and not recompute and (size is None) != (scale is None):
        factors = _factors(x.shape[-2:], *(None if item is None else by_dimension(item, 2) for item in (size, scale)))
    if factors is None:
        return torch.nn.functional.interpolate(*arguments, **options)
    return _bilinear(x, factors).contiguous()
