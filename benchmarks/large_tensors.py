#!/usr/bin/env python3
"""Proves results of tensors beyond 2^31 elements and 2^32 bytes, against PyTorch in float64.

Every case compiles one fusion, calls it on tensors that PyTorch made, and compares the whole result chunk by chunk:
what only moves elements must be equal, sums are measured against the sum of magnitudes, all else relative to the
result. One line per case: op, shape of the result, dtype, bytes of arguments and result, greatest error, tolerance,
time of one call (the second), GB/s, and whether it passed. Exits with 1 where one did not. Needs PyTorch; on a GPU
40 GB of memory.

usage: large_tensors.py [--device cuda|cpu] [--elements N] [--only OP]...
"""

import argparse
import gc
import math
import pathlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import fuser
import torch

# Half of the distance between floats of bf16 and f32, with a little for the computation in f32 before.
ROUNDING = {torch.bfloat16: 2**-8 * 1.01, torch.float32: 2**-20}
NAMES = {torch.bfloat16: "bf16", torch.float32: "f32", torch.int8: "i8"}
# Beyond 2^31 elements, 2^32 bytes and 5 GB.
ELEMENTS = {torch.bfloat16: 2_700_000_000, torch.float32: 2_200_000_000, torch.int8: 5_400_000_000}
CHUNK = 2**26


@dataclass
class Case:
    """`text` holds the fusion, with $T for the element type; `check` gives the greatest error of its result."""

    text: str
    arguments: list
    shape: tuple[int, ...]
    check: Callable[[torch.Tensor], float]
    tolerance: float


class Inputs:
    """Random tensors of one case: of `dtype`, with `elements` in `rows` and `columns`."""

    def __init__(self, device: str, dtype: torch.dtype, elements: int):
        self.device, self.dtype = device, dtype
        self.columns = 8192 if elements > 2**28 else 100
        self.rows = elements // self.columns + 1
        self.generator = torch.Generator(device).manual_seed(0)

    def matrix(self, rows: int | None = None, columns: int | None = None, positive: bool = False) -> torch.Tensor:
        tensor = torch.empty(rows or self.rows, columns or self.columns, dtype=self.dtype, device=self.device)
        for part in tensor.split(rows_per_chunk(tensor)):
            if self.dtype == torch.int8:
                part.random_(-128, 128, generator=self.generator)
            elif positive:
                part.uniform_(generator=self.generator)
            else:
                part.normal_(generator=self.generator)
        return tensor

    def row(self) -> torch.Tensor:
        return self.matrix(rows=1)[0]


def rows_per_chunk(tensor: torch.Tensor) -> int:
    return max(1, CHUNK // max(1, math.prod(tensor.shape[1:])))


def chunks(tensor: torch.Tensor) -> Iterator[slice]:
    """Slices of rows, of about CHUNK elements each."""
    step = rows_per_chunk(tensor)
    for start in range(0, tensor.shape[0], step):
        yield slice(start, min(start + step, tensor.shape[0]))


def greatest(errors: Iterator[torch.Tensor]) -> float:
    """The greatest of tensors of errors; NaN where one is, so that no tolerance holds."""
    return torch.stack([error.double().max() for error in errors]).max().item()


def compare_rows(expected: Callable[[slice], torch.Tensor], floor: float = 0.0) -> Callable[[torch.Tensor], float]:
    """Errors relative to the elements that `expected` computes for some rows (to `floor`, where they are smaller)."""

    def errors(result: torch.Tensor) -> Iterator[torch.Tensor]:
        for rows in chunks(result):
            want = expected(rows).double()
            magnitude = want.abs().clamp_min(floor) if floor else want.abs()
            yield (result[rows].double() - want).abs() / magnitude

    return lambda result: greatest(errors(result))


def equal_rows(expected: Callable[[slice], torch.Tensor]) -> Callable[[torch.Tensor], float]:
    """The greatest difference from elements that were only moved."""

    def errors(result: torch.Tensor) -> Iterator[torch.Tensor]:
        for rows in chunks(result):
            yield (result[rows].double() - expected(rows).double()).abs()

    return lambda result: greatest(errors(result))


# ----------------------------------------------------------------------------------------------------------------------
# Elements of rows and columns
# ----------------------------------------------------------------------------------------------------------------------


def scale_bias_relu(inputs: Inputs) -> Case:
    x, scale, bias = inputs.matrix(), inputs.row(), inputs.row()
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>, %scale: tensor<?x$T>, %bias: tensor<?x$T>) -> tensor<?x?x$T> {
  %xf = fuser.cast %x : tensor<?x?x$T> to tensor<?x?xf32>
  %sf = fuser.cast %scale : tensor<?x$T> to tensor<?xf32>
  %bf = fuser.cast %bias : tensor<?x$T> to tensor<?xf32>
  %s = fuser.broadcast %sf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %b = fuser.broadcast %bf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %scaled = fuser.mul %xf, %s : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %shifted = fuser.add %scaled, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %relu = fuser.relu %shifted : tensor<?x?xf32>
  %0 = fuser.cast %relu : tensor<?x?xf32> to tensor<?x?x$T>
  fuser.return %0 : tensor<?x?x$T>
}"""
    # The sum may cancel: what is near 0 is measured against 1.
    check = compare_rows(lambda rows: (x[rows].double() * scale.double() + bias.double()).relu(), floor=1.0)
    return Case(text, [x, scale, bias], tuple(x.shape), check, ROUNDING[inputs.dtype])


def softmax(inputs: Inputs) -> Case:
    x = inputs.matrix()
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>) -> tensor<?x?x$T> {
  %xf = fuser.cast %x : tensor<?x?x$T> to tensor<?x?xf32>
  %max = fuser.max %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m = fuser.broadcast %max dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %shifted = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %exp = fuser.exp %shifted : tensor<?x?xf32>
  %sum = fuser.sum %exp dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %s = fuser.broadcast %sum dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %quotient = fuser.div %exp, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %0 = fuser.cast %quotient : tensor<?x?xf32> to tensor<?x?x$T>
  fuser.return %0 : tensor<?x?x$T>
}"""
    # The difference from the maximum, up to 12, is rounded in f32, and its exponential with it.
    tolerance = ROUNDING[inputs.dtype] * 4 if inputs.dtype == torch.float32 else ROUNDING[inputs.dtype]
    check = compare_rows(lambda rows: x[rows].double().softmax(1))
    return Case(text, [x], tuple(x.shape), check, tolerance)


def layer_norm(inputs: Inputs) -> Case:
    x, weight, bias = inputs.matrix(), inputs.row(), inputs.row()
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>, %w: tensor<?x$T>, %b: tensor<?x$T>, %eps: f32) -> tensor<?x?x$T> {
  %xf = fuser.cast %x : tensor<?x?x$T> to tensor<?x?xf32>
  %wf = fuser.cast %w : tensor<?x$T> to tensor<?xf32>
  %bf = fuser.cast %b : tensor<?x$T> to tensor<?xf32>
  %var, %mean = fuser.var_mean %xf dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %shifted = fuser.add %var, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %rstd = fuser.rsqrt %shifted : tensor<?xf32>
  %m = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %r = fuser.broadcast %rstd dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %bb = fuser.broadcast %bf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %centered = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %normal = fuser.mul %centered, %r : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %scaled = fuser.mul %normal, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %biased = fuser.add %scaled, %bb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %0 = fuser.cast %biased : tensor<?x?xf32> to tensor<?x?x$T>
  fuser.return %0 : tensor<?x?x$T>
}"""

    def expected(rows: slice) -> torch.Tensor:
        part = x[rows].double()
        return torch.nn.functional.layer_norm(part, part.shape[1:], weight.double(), bias.double(), 1e-5)

    tolerance = ROUNDING[inputs.dtype] * 4 if inputs.dtype == torch.float32 else ROUNDING[inputs.dtype]
    check = compare_rows(expected, floor=1.0)
    return Case(text, [x, weight, bias, 1e-5], tuple(x.shape), check, tolerance)


# ----------------------------------------------------------------------------------------------------------------------
# Sums: errors are relative to the sum of magnitudes
# ----------------------------------------------------------------------------------------------------------------------


def row_sum(inputs: Inputs) -> Case:
    x = inputs.matrix()
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>) -> tensor<?xf32> {
  %xf = fuser.cast %x : tensor<?x?x$T> to tensor<?x?xf32>
  %0 = fuser.sum %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}"""

    def errors(result: torch.Tensor) -> Iterator[torch.Tensor]:
        for rows in chunks(x):
            part = x[rows].double()
            yield (result[rows].double() - part.sum(1)).abs() / part.abs().sum(1)

    return Case(text, [x], (x.shape[0],), lambda result: greatest(errors(result)), 2e-6)


def column_sum(inputs: Inputs) -> Case:
    x = inputs.matrix()
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>) -> tensor<?xf32> {
  %xf = fuser.cast %x : tensor<?x?x$T> to tensor<?x?xf32>
  %0 = fuser.sum %xf dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}"""

    def check(result: torch.Tensor) -> float:
        total = magnitude = torch.zeros(x.shape[1], dtype=torch.float64, device=x.device)
        for rows in chunks(x):
            part = x[rows].double()
            total, magnitude = total + part.sum(0), magnitude + part.abs().sum(0)
        return greatest(iter([(result.double() - total).abs() / magnitude]))

    return Case(text, [x], (x.shape[1],), check, 2e-6)


def full_sum(inputs: Inputs) -> Case:
    """Of positive floats, so that a part that is left out shows; of integers exact."""
    exact = inputs.dtype == torch.int8
    x = inputs.matrix(positive=True)
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>) -> tensor<$R> {
  %0 = fuser.sum %x dims [0, 1] : tensor<?x?x$T> -> tensor<$R>
  fuser.return %0 : tensor<$R>
}""".replace("$R", "i64" if exact else "f32")

    def check(result: torch.Tensor) -> float:
        total = sum(x[rows].sum(dtype=torch.int64 if exact else torch.float64).item() for rows in chunks(x))
        return abs(result.item() - total) / (1 if exact else abs(total))

    return Case(text, [x], (), check, 0 if exact else 1e-5)


# ----------------------------------------------------------------------------------------------------------------------
# Elements that move
# ----------------------------------------------------------------------------------------------------------------------


def transpose(inputs: Inputs) -> Case:
    x = inputs.matrix()
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>) -> tensor<?x?x$T> attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?x$T> -> tensor<?x?x$T>
  fuser.return %0 : tensor<?x?x$T>
}"""
    return Case(text, [x], (x.shape[1], x.shape[0]), equal_rows(lambda rows: x[:, rows].T), 0)


def cat_columns(inputs: Inputs) -> Case:
    first = inputs.columns * 5 // 8
    x, y = inputs.matrix(columns=first), inputs.matrix(columns=inputs.columns - first)
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>, %y: tensor<?x?x$T>) -> tensor<?x?x$T> {
  %0 = fuser.cat %x, %y dim 1 : (tensor<?x?x$T>, tensor<?x?x$T>) -> tensor<?x?x$T>
  fuser.return %0 : tensor<?x?x$T>
}"""
    check = equal_rows(lambda rows: torch.cat([x[rows], y[rows]], 1))
    return Case(text, [x, y], (inputs.rows, inputs.columns), check, 0)


def cat_rows(inputs: Inputs) -> Case:
    first = inputs.rows * 7 // 8
    x, y = inputs.matrix(rows=first), inputs.matrix(rows=inputs.rows - first)
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>, %y: tensor<?x?x$T>) -> tensor<?x?x$T> {
  %0 = fuser.cat %x, %y dim 0 : (tensor<?x?x$T>, tensor<?x?x$T>) -> tensor<?x?x$T>
  fuser.return %0 : tensor<?x?x$T>
}"""

    def expected(rows: slice) -> torch.Tensor:
        return torch.cat([x[rows], y[max(rows.start - first, 0) : max(rows.stop - first, 0)]], 0)

    return Case(text, [x, y], (inputs.rows, inputs.columns), equal_rows(expected), 0)


def pad(inputs: Inputs) -> Case:
    x = inputs.matrix()
    text = """
fuser.fusion @f(%x: tensor<?x?x$T>, %v: i64) -> tensor<?x?x$T> {
  %0 = fuser.pad %x low [3, 5] high [7, 2] value %v : tensor<?x?x$T>, i64 -> tensor<?x?x$T>
  fuser.return %0 : tensor<?x?x$T>
}"""
    low, high, value = (3, 5), (7, 2), -2
    shape = (x.shape[0] + low[0] + high[0], x.shape[1] + low[1] + high[1])

    def expected(rows: slice) -> torch.Tensor:
        part = torch.full((rows.stop - rows.start, shape[1]), value, dtype=x.dtype, device=x.device)
        start, stop = max(rows.start - low[0], 0), min(rows.stop - low[0], x.shape[0])
        if start < stop:
            part[start + low[0] - rows.start : stop + low[0] - rows.start, low[1] : shape[1] - high[1]] = x[start:stop]
        return part

    return Case(text, [x, value], shape, equal_rows(expected), 0)


BF16, F32, I8 = torch.bfloat16, torch.float32, torch.int8
CASES = [
    (scale_bias_relu, BF16),
    (scale_bias_relu, F32),
    (row_sum, BF16),
    (row_sum, F32),
    (column_sum, BF16),
    (column_sum, F32),
    (full_sum, F32),
    (full_sum, I8),
    (softmax, BF16),
    (softmax, F32),
    (layer_norm, BF16),
    (layer_norm, F32),
    (transpose, BF16),
    (transpose, I8),
    (cat_columns, BF16),
    (cat_columns, I8),
    (cat_rows, BF16),
    (cat_rows, I8),
    (pad, BF16),
    (pad, I8),
    (pad, F32),
]


# ----------------------------------------------------------------------------------------------------------------------
# Runs
# ----------------------------------------------------------------------------------------------------------------------


def time_call(program: fuser.Program, arguments: list, device: str) -> tuple[torch.Tensor, float]:
    """The result and the seconds that the call took, on the device where that is a GPU."""
    if device == "cpu":
        start = time.perf_counter()
        return program(*arguments), time.perf_counter() - start
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    result = program(*arguments)
    stop.record()
    stop.synchronize()
    return result, start.elapsed_time(stop) / 1000


def run(make: Callable[[Inputs], Case], dtype: torch.dtype, device: str, elements: int) -> bool:
    case = make(Inputs(device, dtype, elements))
    program = fuser.compile(case.text.replace("$T", NAMES[dtype]), device="host" if device == "cpu" else device)
    program(*case.arguments)  # compiles
    result, seconds = time_call(program, case.arguments, device)
    tensors = [value for value in [*case.arguments, result] if isinstance(value, torch.Tensor)]
    size = sum(tensor.numel() * tensor.element_size() for tensor in tensors)
    problem = ""
    if tuple(result.shape) != case.shape:
        problem = f"expected shape {case.shape}"
    elif not result.is_contiguous():
        problem = f"expected contiguous rows, but got strides {result.stride()}"
    error = math.nan if problem else case.check(result)
    passed = error <= case.tolerance
    shape = "x".join(map(str, result.shape)) or "scalar"
    print(
        f"{make.__name__:16} {shape:16} {NAMES[dtype]:5} {size:14} bytes  error {error:9.3g}  tolerance "
        f"{case.tolerance:9.3g} {seconds * 1e3:9.3f} ms {size / seconds / 1e9:8.1f} GB/s  "
        + ("passed" if passed else f"FAILED {problem}"),
        flush=True,
    )
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--elements", type=int, help="of the greatest tensor; by default beyond 2^31, and 5 GB")
    parser.add_argument("--only", action="append", choices=sorted({make.__name__ for make, _ in CASES}))
    options = parser.parse_args()
    failed, peak = 0, 0
    for make, dtype in CASES:
        if options.only and make.__name__ not in options.only:
            continue
        failed += not run(make, dtype, options.device, options.elements or ELEMENTS[dtype])
        gc.collect()
        if options.device == "cuda":
            # What the caching allocator holds now is the most that the case needed, but for results of fuser.
            free, total = torch.cuda.mem_get_info()
            peak = max(peak, total - free)
            torch.cuda.empty_cache()
    if options.device == "cuda":
        print(f"memory held after a case, at most: {peak / 1e9:.1f} GB")
    print(f"{failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
