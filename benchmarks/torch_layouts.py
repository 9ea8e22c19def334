"""Layouts in memory of the tensors that scripts call functions of PyTorch with."""

from collections.abc import Callable, Iterable

import torch


def _store(tensor: torch.Tensor, order: list[int]) -> torch.Tensor:
    """A tensor whose dimensions in memory are in `order`, from the slowest to the fastest."""
    back = [order.index(dim) for dim in range(len(order))]
    return tensor.permute(order).contiguous().permute(back)


def _transposed(tensor: torch.Tensor) -> torch.Tensor:
    dims = list(range(tensor.dim()))
    return _store(tensor, [*dims[:-2], *reversed(dims[-2:])])


def _reversed(tensor: torch.Tensor) -> torch.Tensor:
    return _store(tensor, list(reversed(range(tensor.dim()))))


def _channels_last(tensor: torch.Tensor) -> torch.Tensor:
    dims = list(range(tensor.dim()))
    return _store(tensor, [0, *dims[2:], 1]) if len(dims) in (4, 5) else tensor


def _part(tensor: torch.Tensor, size: int, places: slice) -> torch.Tensor:
    """A tensor that has `places` of rows of `size` elements. The other elements, which no function may read, are large
    numbers or, in 8-bit floats, NaN."""
    if tensor.dim() == 0:
        return tensor
    shape = (*tensor.shape[:-1], size)
    if tensor.dtype == torch.bool:
        rows = torch.ones(shape, dtype=torch.bool, device=tensor.device)
    else:
        bytes_of_rows = (*shape[:-1], size * tensor.element_size())
        rows = torch.full(bytes_of_rows, 127, dtype=torch.uint8, device=tensor.device).view(tensor.dtype)
    rows[..., places] = tensor
    return rows[..., places]


def _sliced(tensor: torch.Tensor) -> torch.Tensor:
    return _part(tensor, tensor.size(-1) + 3 if tensor.dim() else 0, slice(1, -2))


def _padded(tensor: torch.Tensor) -> torch.Tensor:
    size = tensor.size(-1) if tensor.dim() else 0
    return _part(tensor, (size // 16 + 2) * 16, slice(size))


def _stepped(tensor: torch.Tensor) -> torch.Tensor:
    return _part(tensor, 2 * tensor.size(-1) if tensor.dim() else 0, slice(None, None, 2))


# What makes a tensor of the same elements with other strides, by the name of a layout.
LAYOUTS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "listed": lambda tensor: tensor,
    "transposed": _transposed,
    "reversed": _reversed,
    "channels_last": _channels_last,
    "sliced": _sliced,
    "padded": _padded,
    "stepped": _stepped,
}


def with_layout(tensors: Iterable[torch.Tensor], layout: str) -> tuple[torch.Tensor, ...]:
    """Leaves of the same elements in another layout. One tensor at several places stays one."""
    made: dict[int, torch.Tensor] = {}
    tensors = tuple(tensors)
    for tensor in tensors:
        if layout != "listed" and id(tensor) not in made:
            made[id(tensor)] = LAYOUTS[layout](tensor.detach()).requires_grad_(tensor.requires_grad)
    return tuple(made.get(id(tensor), tensor) for tensor in tensors)
