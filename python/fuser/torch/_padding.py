"""Circular padding of dimensions whose size is known at run time only: a gather of places."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import torch

_SIGNATURE = inspect.signature(torch.nn.functional.pad)


def _wraps(x: object, widths: Sequence, mode: object) -> bool:
    """Whether borders of such dimensions repeat what is on the other side, each of it at most once."""
    if mode != "circular" or not isinstance(x, torch.Tensor) or x.requires_grad:
        return False
    if len(widths) % 2 or len(widths) // 2 != x.dim() - 2 or not all(isinstance(width, int) for width in widths):
        return False
    sizes = x.shape[2:]
    if all(isinstance(size, int) for size in sizes):
        return False
    # Conditions on sizes are guards of the graph.
    pairs = zip(reversed(sizes), widths[::2], widths[1::2], strict=True)
    return all(0 <= low <= size and 0 <= high <= size and size > 0 for size, low, high in pairs)


def pad(*arguments: object, **options: object) -> torch.Tensor:
    """`torch.nn.functional.pad`. PyTorch's decomposition stores one border after the other in the result."""
    bound = _SIGNATURE.bind(*arguments, **options)
    bound.apply_defaults()
    x, widths, mode, _ = bound.args
    if not _wraps(x, widths, mode):
        return torch.nn.functional.pad(*arguments, **options)
    for place, (low, high) in enumerate(zip(widths[::2], widths[1::2], strict=True)):
        dim = x.dim() - 1 - place
        size = x.shape[dim]
        if low or high:
            x = x.index_select(dim, torch.arange(-low, size + high, device=x.device).remainder(size))
    return x
