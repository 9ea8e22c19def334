"""Windows that overlap, of poolings and convolutions: slices with a step, one for each element, with neutral borders.

The size of a dimension may be known at run time only. What is cut then follows from it by one division, so that a graph
is one for all sizes that are not shorter than a window.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._builder import HALF_TYPES, compute_type
from fuser.torch._lowering import aten

# The elements of larger windows would be read too often.
MOST_ELEMENTS = 27


class Valid(NamedTuple):
    """Windows from the first one to the one before `stop`."""

    first: int
    stop: int | torch.SymInt


@dataclass(frozen=True)
class Window:
    """The windows of one dimension: window `o` has the elements `o * stride + i * dilation - padding`."""

    size: int | torch.SymInt
    kernel: int
    stride: int
    padding: int = 0
    dilation: int = 1
    ceil_mode: bool = False

    @property
    def _rest(self) -> int | torch.SymInt:
        """Where the last window may begin, from the beginning of the first one."""
        return self.size + 2 * self.padding - self.dilation * (self.kernel - 1) - 1

    @property
    def count(self) -> int | torch.SymInt:
        """PyTorch's number of windows: with `ceil_mode` the last one may leave the padding."""
        count = (self._rest + (self.stride - 1 if self.ceil_mode else 0)) // self.stride + 1
        if self.ceil_mode and (count - 1) * self.stride >= self.size + self.padding:
            count -= 1
        return count

    def valid(self, element: int) -> Valid:
        """The windows of which this element is in the tensor."""
        offset = self.padding - element * self.dilation
        first = max(0, -(-offset // self.stride))
        if not self.ceil_mode:
            # The last windows lack it where the padding is wider than what follows it in a window. Between two windows,
            # the remainder decides, which is a guard of the graph.
            missing = max(0, self.padding - self.dilation * (self.kernel - 1 - element))
            lacking, rest = divmod(missing, self.stride)
            stop = self.count - lacking - (1 if rest and self._rest % self.stride < rest else 0)
        else:
            stop = min(self.count - 1, (self.size - 1 + offset) // self.stride) + 1
        return Valid(first, first if stop < first else stop)

    def slice(self, x: torch.Tensor, dim: int, element: int) -> torch.Tensor:
        """This element of the windows that have it."""
        first, stop = self.valid(element)
        start = first * self.stride + element * self.dilation - self.padding
        end = start + (stop - first - 1) * self.stride + 1
        if start == 0 and self.stride == 1 and statically_known_true(end == self.size):
            return x
        return aten.slice.Tensor(x, dim, start, end, self.stride)

    def counts(self, include_pad: bool) -> list[int]:
        """How many elements each window has."""
        low, high = (-self.padding, self.size + self.padding) if include_pad else (0, self.size)
        starts = [place * self.stride - self.padding for place in range(self.count)]
        return [min(start + self.kernel, high) - max(start, low) for start in starts]

    def has_elements(self) -> bool:
        """Whether there are windows, and each has an element of the tensor."""
        if not isinstance(self.size, int):
            # Borders are at most half a window: shorter ones decide nothing.
            is_short = not self.ceil_mode and 2 * self.padding <= self.kernel and self.dilation == 1
            return is_short and bool(self.size >= self.kernel + self.padding)
        covered = set().union(*(range(*self.valid(element)) for element in range(self.kernel)))
        return self.count >= 1 and len(covered) == self.count


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
    return found if all(window.has_elements() for window in found) else None


def _slices(x: torch.Tensor, found: Sequence[Window]) -> dict[tuple[int, ...], torch.Tensor]:
    """The elements of the windows that have them, by their place in these."""
    slices = {}
    for place in itertools.product(*(range(window.kernel) for window in found)):
        if all(
            window.valid(element).first < window.valid(element).stop
            for window, element in zip(found, place, strict=True)
        ):
            slices[place] = x
            for dim, (window, element) in enumerate(zip(found, place, strict=True), x.dim() - len(found)):
                slices[place] = window.slice(slices[place], dim, element)
    return slices


def _padded(part: torch.Tensor, dim: int, window: Window, element: int, border: float) -> torch.Tensor:
    """An element of the windows that have it, and a border for the others."""
    first, stop = window.valid(element)
    widths = [first, window.count - stop]
    if all(statically_known_true(width == 0) for width in widths):
        return part
    return aten.constant_pad_nd.default(part, [0, 0] * (part.dim() - 1 - dim) + widths, border)


def elements(x: torch.Tensor, found: Sequence[Window], border: float) -> dict[tuple[int, ...], torch.Tensor]:
    """Each element of all windows, by its place in these: of windows that lack it, a border."""
    parts = _slices(x, found)
    for place in parts:
        for dim, (window, element) in enumerate(zip(found, place, strict=True), x.dim() - len(found)):
            parts[place] = _padded(parts[place], dim, window, element, border)
    return parts


def _shares_slices(window: Window) -> bool:
    """Whether two elements of the windows are one slice, between borders that differ."""
    steps = [
        window.valid(element).first * window.stride + element * window.dilation for element in range(window.kernel)
    ]
    return len(set(steps)) < len(steps)


def combine(
    x: torch.Tensor, found: Sequence[Window], border: float, function: Callable, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """The elements of windows combined along one dimension after the other: adjacent windows share the first steps.
    Where steps of one slice would be shared at different places, the elements are combined one by one: a value that is
    computed has one place in a kernel."""
    if any(_shares_slices(window) for window in found[1:]):
        parts = elements(x, found, border).values()
        return functools.reduce(function, (part if dtype is None else part.to(dtype) for part in parts))
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


def _number(count: int, is_half: bool) -> float:
    """What a sum is multiplied with, or divided by."""
    return 1 / count if is_half else float(count)


def _counts_at(window: Window, device: torch.device) -> torch.Tensor:
    """How many elements of a tensor of unknown size each window has."""
    start = torch.arange(window.count, device=device, dtype=torch.int32) * window.stride - window.padding
    return (start + window.kernel).clamp(max=window.size) - start.clamp(min=0)


def _divided(
    total: torch.Tensor, found: Sequence[Window], include_pad: bool, divisor: int | None, dtype: torch.dtype
) -> torch.Tensor:
    """Sums divided by the numbers of elements, or multiplied where rounding to a shorter type hides it."""
    is_half = dtype in HALF_TYPES
    factor: torch.Tensor | float = 1.0
    for place, window in enumerate(found):
        numbers: torch.Tensor | float
        if divisor is not None:
            numbers = _number(divisor if place == 0 else 1, is_half)
        elif include_pad and not window.ceil_mode:
            numbers = _number(window.kernel, is_half)
        elif isinstance(window.size, int):
            numbers = _numbers(window.counts(include_pad), lambda count: _number(count, is_half), total.device)
        else:
            counts = _counts_at(window, total.device).to(total.dtype)
            numbers = 1 / counts if is_half else counts
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
    """The gradient of `averages` of windows at each element: a sum of windows too. None for windows with gaps."""
    if any(window.dilation != 1 for window in found):
        return None
    around = [Window(window.count, window.kernel, 1, window.kernel - 1 - window.padding) for window in found]
    is_step = all(
        window.stride == 1 and other.padding >= 0 and window.size == other.count
        for window, other in zip(found, around, strict=True)
    )
    compute = compute_type(gradient.dtype)
    if is_step:
        parts = _divided(gradient.to(compute), found, include_pad, divisor, gradient.dtype)
        return combine(parts, around, 0.0, torch.add).to(gradient.dtype)
    # What windows are divided by is one number, or part of what is read of each.
    is_one = divisor is not None or (include_pad and not any(window.ceil_mode for window in found))
    parts = gradient if is_one else _divided(gradient.to(compute), found, include_pad, divisor, gradient.dtype)
    total = _sum_over_windows(parts, found, compute, lambda places, _: places >= 0)
    total = _divided(total, found, include_pad, divisor, gradient.dtype) if is_one else total
    return total.to(gradient.dtype)


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
    for place, part in elements(x, found, -math.inf).items():
        if greatest is None:
            greatest = torch.full_like(part, -math.inf)
        offset = sum(
            element * window.dilation * pitch for element, window, pitch in zip(place, found, pitches, strict=True)
        )
        is_taken = (part > greatest) | part.isnan()
        best = torch.where(is_taken, offset, best)
        greatest = torch.where(is_taken, part, greatest)
    return begin + best


def _column(vector: torch.Tensor, dim: int, rank: int) -> torch.Tensor:
    """A vector along one of so many dimensions."""
    return vector.reshape([-1] + [1] * (rank - 1 - dim))


def _numbers_in_windows(index: torch.Tensor, found: Sequence[Window]) -> torch.Tensor:
    """Which element of its window each index in the image is: a byte, which is what the gradient keeps of it."""
    number, pitch, rank = torch.zeros_like(index), 1, len(found)
    for dim in reversed(range(rank)):
        window = found[dim]
        begin = torch.arange(window.count, device=index.device) * window.stride - window.padding
        place = index % window.size if dim else index
        number = number + (place - _column(begin, dim, rank)) * pitch
        index, pitch = index // window.size, pitch * window.kernel
    return number.to(torch.int8)


def _windows_over(window: Window, pitch: int, device: torch.device) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Windows that have each element of a dimension, and which of their elements it is, times `pitch`. The latter is
    negative where there is no such window, so that a sum over up to three dimensions is negative and a byte."""
    element = torch.arange(window.size, device=device, dtype=torch.int32) + window.padding
    found = []
    for step in range(-(-window.kernel // window.stride)):
        number = element // window.stride - step
        place = element - number * window.stride
        has_window = (number >= 0) & (number < window.count) & (place < window.kernel)
        number = number.clamp(min=0, max=window.count - 1)
        found.append((number, torch.where(has_window, place * pitch, -1 - MOST_ELEMENTS).to(torch.int8)))
    return found


def _sum_over_windows(
    parts: torch.Tensor, found: Sequence[Window], dtype: torch.dtype, is_taken: Callable
) -> torch.Tensor:
    """At each element of an image, the sum of a part of each window that has it and is taken: a function of which of
    its elements it is, a negative number where there is no such window, and of where the window is."""
    rank, total = len(found), None
    pitches = [math.prod(window.kernel for window in found[dim + 1 :]) for dim in range(rank)]
    over = (_windows_over(window, pitch, parts.device) for window, pitch in zip(found, pitches, strict=True))
    for windows_at in itertools.product(*over):
        numbers = [_column(number, dim, rank) for dim, (number, _) in enumerate(windows_at)]
        places = [_column(place, dim, rank) for dim, (_, place) in enumerate(windows_at)]
        taken = is_taken(functools.reduce(torch.add, places), numbers)
        part = torch.where(taken, parts[..., *numbers].to(dtype), 0)
        total = part if total is None else total + part
    return total


def gradient_of_maxima(
    gradient: torch.Tensor, index: torch.Tensor, found: Sequence[Window], dtype: torch.dtype
) -> torch.Tensor | None:
    """The sum of the gradients of the windows whose greatest element is at an element of an image. None for windows
    with gaps."""
    if any(window.dilation != 1 for window in found):
        return None
    greatest = _numbers_in_windows(index, found)
    total = _sum_over_windows(
        gradient, found, compute_type(dtype), lambda places, numbers: greatest[..., *numbers] == places
    )
    return total.to(dtype)
