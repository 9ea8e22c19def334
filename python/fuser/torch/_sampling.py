"""Images that are sampled at a grid of coordinates, by reads of neighbors that all channels share."""

from __future__ import annotations

import torch

from fuser.torch._builder import compute_type

_BILINEAR, _NEAREST = 0, 1
_ZEROS, _BORDER = 0, 1


def _place(coordinate: torch.Tensor, size: int, padding: int, align_corners: bool) -> torch.Tensor:
    """The place of a coordinate from -1 to 1 among `size` pixels, rounded after each step as in eager mode."""
    place = (coordinate + 1) / 2 * (size - 1) if align_corners else ((coordinate + 1) * size - 1) / 2
    if padding == _ZEROS:
        return place
    if padding != _BORDER:
        low, span = (0.0, size - 1) if align_corners else (-0.5, size)
        if span == 0:
            return torch.zeros_like(place)
        distance = (place - low).abs()
        rest, is_odd = torch.fmod(distance, span), torch.floor(distance / span) % 2 == 1
        place = torch.where(is_odd, span - rest, rest) + low
    return place.clamp(0, size - 1)


def grid_sampler_2d(
    x: torch.Tensor, grid: torch.Tensor, mode: int = 0, padding: int = 0, align_corners: bool = False
) -> torch.Tensor:
    """Bilinear or nearest; others stay whole."""
    if mode not in (_BILINEAR, _NEAREST):
        return NotImplemented
    batch, channels, height, width = x.shape
    rows, columns = grid.shape[1:3]
    grid = grid.to(compute_type(grid.dtype))
    u, v = (
        _place(grid.select(-1, i), size, padding, align_corners).reshape(batch, 1, rows * columns)
        for i, size in enumerate((width, height))
    )
    flat = x.reshape(batch, channels, height * width)

    def read(u: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The elements of all channels, and whether there are any."""
        is_inside = (u >= 0) & (u < width) & (v >= 0) & (v < height)
        at = torch.where(is_inside, v.to(torch.int32) * width + u.to(torch.int32), 0).to(torch.int64)
        return torch.gather(flat, 2, at.expand(batch, channels, rows * columns)), is_inside

    if mode == _NEAREST:
        elements, is_inside = read(u.round(), v.round())
        result = torch.where(is_inside, elements, 0)
    else:
        left, top = u.floor(), v.floor()
        du, dv = u - left, v - top
        result = None
        for column, row, weight in (
            (left, top, (1 - du) * (1 - dv)),
            (left + 1, top, du * (1 - dv)),
            (left, top + 1, (1 - du) * dv),
            (left + 1, top + 1, du * dv),
        ):
            elements, is_inside = read(column, row)
            term = elements.to(weight.dtype) * torch.where(is_inside, weight, 0)
            result = term if result is None else result + term
    return result.reshape(batch, channels, rows, columns).to(x.dtype)
