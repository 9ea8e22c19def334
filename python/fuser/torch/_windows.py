"""Pooling by windows that overlap: slices with a step, one for each element of a window, with neutral borders."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from fuser.torch._builder import HALF_TYPES, compute_type
from fuser.torch._lowering import aten

# The elements of larger windows would be read too often.
MOST_ELEMENTS = 27


@dataclass(frozen=True)
class Window:
    """The windows of one dimension: window `o` has the elements `o * stride + i * dilation - padding`."""

    size: int
    kernel: int
    stride: int
    padding: int = 0
    dilation: int = 1
    ceil_mode: bool = False

    @property
    def count(self) -> int:
        """PyTorch's number of windows: with `ceil_mode` the last one may leave the padding."""
        rest = self.size + 2 * self.padding - self.dilation * (self.kernel - 1) - 1
        count = (rest + (self.stride - 1 if self.ceil_mode else 0)) // self.stride + 1
        if self.ceil_mode and (count - 1) * self.stride >= self.size + self.padding:
            count -= 1
        return count

    def valid(self, element: int) -> range:
        """The windows of which this element is in the tensor."""
        offset = self.padding - element * self.dilation
        first, last = max(0, -(-offset // self.stride)), (self.size - 1 + offset) // self.stride
        return range(first, max(first, min(self.count - 1, last) + 1))

    def slice(self, x: torch.Tensor, dim: int, element: int) -> torch.Tensor:
        """This element of the windows that have it."""
        valid = self.valid(element)
        start = valid.start * self.stride + element * self.dilation - self.padding
        end = start + (len(valid) - 1) * self.stride + 1
        if start == 0 and end == self.size and self.stride == 1:
            return x
        return aten.slice.Tensor(x, dim, start, end, self.stride)

    def counts(self, include_pad: bool) -> list[int]:
        """How many elements each window has."""
        low, high = (-self.padding, self.size + self.padding) if include_pad else (0, self.size)
        starts = [place * self.stride - self.padding for place in range(self.count)]
        return [min(start + self.kernel, high) - max(start, low) for start in starts]


def by_dimension(item: object, rank: int) -> list:
    """An option for each of so many dimensions, which may be given once for all."""
    item = list(item) if isinstance(item, (list, tuple)) else [item]
    return item * (rank if len(item) == 1 else 1)


def windows(x: torch.Tensor, rank: int, kernel: object, stride: object, padding: object, dilation: object,
            ceil_mode: bool) -> list[Window] | None:  # fmt: skip
    """The windows of the last dimensions; None where there are too many elements, or windows without any."""

    kernel = by_dimension(kernel, rank)
    found = [
        Window(*item, ceil_mode)
        for item in zip(
            x.shape[-rank:],
            kernel,
            *(by_dimension(item, rank) for item in (stride or kernel, padding, dilation)),
            strict=True,
        )
    ]
    if math.prod(kernel) > MOST_ELEMENTS:
        return None
    for window in found:
        covered = set().union(*(window.valid(element) for element in range(window.kernel)))
        if window.count < 1 or len(covered) != window.count:
            return None
    return found


def _slices(x: torch.Tensor, found: Sequence[Window]) -> dict[tuple[int, ...], torch.Tensor]:
    """The elements of the windows that have them, by their place in these."""
    slices = {}
    for place in itertools.product(*(range(window.kernel) for window in found)):
        if all(window.valid(element) for window, element in zip(found, place, strict=True)):
            slices[place] = x
            for dim, (window, element) in enumerate(zip(found, place, strict=True), x.dim() - len(found)):
                slices[place] = window.slice(slices[place], dim, element)
    return slices


def _padded(part: torch.Tensor, dim: int, window: Window, element: int, border: float) -> torch.Tensor:
    """An element of the windows that have it, and a border for the others."""
    valid = window.valid(element)
    widths = [valid.start, window.count - valid.stop]
    return aten.constant_pad_nd.default(part, [0, 0] * (part.dim() - 1 - dim) + widths, border) if any(widths) else part


def combine(
    x: torch.Tensor, found: Sequence[Window], border: float, function: Callable, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """The elements of windows combined along one dimension after the other: adjacent windows share the first steps."""
    parts = _slices(x, found)
    for dim, window in enumerate(found, x.dim() - len(found)):
        rest: dict[tuple[int, ...], torch.Tensor] = {}
        for (element, *others), part in parts.items():
            padded, place = _padded(part, dim, window, element, border), tuple(others)
            padded = padded if dtype is None else padded.to(dtype)
            rest[place] = function(rest[place], padded) if place in rest else padded
        parts = rest
    return parts[()]


def _numbers(counts: Sequence[int], function: Callable, device: torch.device) -> torch.Tensor | float:
    """A function of each count, of which those at the borders differ."""
    usual = max(set(counts), key=counts.count)
    result: torch.Tensor | float = function(usual)
    place = None
    for number, count in enumerate(counts):
        if count != usual:
            place = torch.arange(len(counts), device=device, dtype=torch.int32) if place is None else place
            result = torch.where(place == number, function(count), result)
    return result


def _divided(
    total: torch.Tensor, found: Sequence[Window], include_pad: bool, divisor: int | None, dtype: torch.dtype
) -> torch.Tensor:
    """Sums divided by the numbers of elements, or multiplied where rounding to a shorter type hides it."""
    is_half = dtype in HALF_TYPES
    factor: torch.Tensor | float = 1.0
    for place, window in enumerate(found):
        counts = window.counts(include_pad) if divisor is None else [divisor if place == 0 else 1] * window.count
        numbers = _numbers(counts, lambda count: 1 / count if is_half else float(count), total.device)
        if isinstance(numbers, torch.Tensor):
            numbers = numbers.reshape([-1] + [1] * (len(found) - 1 - place))
        factor = numbers * factor
    return total * factor if is_half else total / factor


def averages(x: torch.Tensor, found: Sequence[Window], include_pad: bool, divisor: int | None) -> torch.Tensor:
    total = combine(x, found, 0.0, torch.add, compute_type(x.dtype))
    return _divided(total, found, include_pad, divisor, x.dtype).to(x.dtype)


def spread(
    gradient: torch.Tensor, found: Sequence[Window], include_pad: bool, divisor: int | None
) -> torch.Tensor | None:
    """The gradient of `averages` of windows at each element: a sum of windows too. None for others."""
    if any(window.stride != 1 or window.dilation != 1 for window in found):
        return None
    around = [Window(window.count, window.kernel, 1, window.kernel - 1 - window.padding) for window in found]
    if any(window.count != other.size for window, other in zip(around, found, strict=True)):
        return None
    parts = _divided(gradient.to(compute_type(gradient.dtype)), found, include_pad, divisor, gradient.dtype)
    return combine(parts, around, 0.0, torch.add).to(gradient.dtype)


def maxima(x: torch.Tensor, found: Sequence[Window]) -> torch.Tensor:
    return combine(x, found, -math.inf, torch.maximum)


def _places(found: Sequence[Window], device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Where the windows begin in an image, and the distance from there to their first element in it."""
    begin, skipped = None, None
    pitch, shape = 1, [-1]
    for window in reversed(found):
        start = torch.arange(window.count, device=device) * window.stride - window.padding
        missing = (window.dilation - 1 - start).clamp(min=0) // window.dilation * window.dilation
        start, missing = ((item * pitch).reshape(shape) for item in (start, missing))
        begin, skipped = (start, missing) if begin is None else (begin + start, skipped + missing)
        pitch, shape = pitch * window.size, [*shape, 1]
    return begin, skipped


def indices_of_maxima(x: torch.Tensor, found: Sequence[Window]) -> torch.Tensor:
    """The index in the image of the first maximum of each window, or of its last NaN."""
    pitches = [math.prod(window.size for window in found[dim + 1 :]) for dim in range(len(found))]
    begin, best = _places(found, x.device)
    greatest = None
    for place, part in _slices(x, found).items():
        for dim, (window, element) in enumerate(zip(found, place, strict=True), x.dim() - len(found)):
            part = _padded(part, dim, window, element, -math.inf)
        if greatest is None:
            greatest = torch.full_like(part, -math.inf)
        offset = sum(
            element * window.dilation * pitch for element, window, pitch in zip(place, found, pitches, strict=True)
        )
        is_taken = (part > greatest) | part.isnan()
        best = torch.where(is_taken, offset, best)
        greatest = torch.where(is_taken, part, greatest)
    return begin + best
