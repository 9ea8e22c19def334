#!/usr/bin/env python3
"""Times families of memory-bound functions under eager mode, inductor and torch.compile(backend="fuser").

    benchmarks/torch_families.py                                    # on a GPU; a table of microseconds
    benchmarks/torch_families.py --families=softmax,layer_norm --dtypes=bfloat16 --json=out.json
    benchmarks/torch_families.py --device=cpu --scale=64            # tiny sizes, to test the script: times mean nothing

Each family is run forward and, where it has gradients, backward. Results and gradients are compared with eager mode in
double precision, relative to the error of eager mode in the same type. GPU times are medians between CUDA events, after
a buffer larger than the L2 cache has been written, with launches queued behind a kernel that takes longer than the
host. `host` is the time of a warm call on the host. `left` is how many ops PyTorch computes. Exit status 1: a result is
wrong.
"""

import argparse
import json
import statistics
import sys

import torch
import torch.nn.functional as F
from torch_timing import Timer, leaves


def randn(*shape, dtype, device):
    return torch.randn(*shape, device=device, dtype=torch.float32).to(dtype)


class Family:
    """A function of tensors; `shapes` maps the number of rows and columns to the shapes of its float arguments."""

    def __init__(self, function, shapes, extra=None, backward=True, exact=True):
        self.function, self.shapes, self.extra, self.backward, self.exact = function, shapes, extra, backward, exact

    def inputs(self, rows, columns, dtype, device):
        made = [randn(*shape, dtype=dtype, device=device) for shape in self.shapes(rows, columns)]
        return made, self.extra(rows, columns, device) if self.extra else []


def _rope(x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def _adam(p, g, m, v):
    m = torch.lerp(m, g, 0.1)
    v = v * 0.999 + 0.001 * g * g
    return p - 0.001 * m / (v.sqrt() + 1e-8), m, v


def _row(rows, columns):
    return [(rows, columns)]


def _with_vector(rows, columns):
    return [(rows, columns), (columns,)]


FAMILIES = {
    "gelu_bias": Family(lambda x, b: F.gelu(x + b, approximate="tanh"), _with_vector),
    "swiglu": Family(lambda x, y: F.silu(x) * y, lambda m, n: [(m, n), (m, n)]),
    "softmax": Family(lambda x: torch.softmax(x, -1), _row),
    "log_softmax": Family(lambda x: torch.log_softmax(x, -1), _row),
    "layer_norm": Family(
        lambda x, w, b: F.layer_norm(x, w.shape, w, b), lambda m, n: [(m, n), (n,), (n,)]
    ),
    "rms_norm": Family(lambda x, w: F.rms_norm(x, w.shape, w), _with_vector),
    "add_rms_norm": Family(
        lambda x, y, w: F.rms_norm(x + y, w.shape, w), lambda m, n: [(m, n), (m, n), (n,)]
    ),
    "dropout_add_norm": Family(
        lambda x, y, w: F.layer_norm(F.dropout(x, 0.1) + y, w.shape, w), lambda m, n: [(m, n), (m, n), (n,)],
        exact=False,
    ),
    "cross_entropy": Family(
        lambda x, target: F.cross_entropy(x, target), _row, lambda m, n, d: [torch.randint(n, (m,), device=d)]
    ),
    "rope": Family(_rope, lambda m, n: [(2, 4, m // 8, 64), (m // 8, 64), (m // 8, 64)]),
    "batch_norm": Family(
        lambda x, w, b: F.relu(F.batch_norm(x, None, None, w, b, True)),
        lambda m, n: [(8, 64, max(m // 64, 2), max(n // 64, 2)), (64,), (64,)],
    ),
    "group_norm": Family(
        lambda x, w, b: F.silu(F.group_norm(x, 32, w, b)),
        lambda m, n: [(8, 64, max(m // 64, 2), max(n // 64, 2)), (64,), (64,)],
    ),
    "embedding": Family(
        lambda w, index: F.embedding(index, w), lambda m, n: [(1000, n)],
        lambda m, n, d: [torch.randint(1000, (m,), device=d)],
    ),
    "sum_outer": Family(lambda x: x.sum(0), _row),
    "variance": Family(lambda x: torch.var_mean(x, -1), _row),
    "cumsum": Family(lambda x: torch.cumsum(x, -1), _row),
    "cat_slice": Family(lambda x, y: torch.cat([x[:, 1:], y * 2], 1), lambda m, n: [(m, n), (m, n)]),
    "adam": Family(_adam, lambda m, n: [(m, n)] * 4, backward=False),
}  # fmt: skip


def error_of(results, expected) -> float:
    """The greatest difference, relative to the greatest element of each tensor."""
    worst = 0.0
    for a, b in zip(leaves(results), leaves(expected), strict=True):
        if a is None or b is None or not a.is_floating_point():
            continue
        if b.numel():
            worst = max(worst, ((a.double() - b.double()).abs().max() / b.double().abs().max().clamp_min(1e-30)).item())
    return worst


def run(name: str, family: Family, backend: str, dtype, options) -> dict:
    """The row of one family under one backend."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    rows, columns = max(options.rows // options.scale, 16), max(options.columns // options.scale, 32)
    floats, extra = family.inputs(rows, columns, dtype, options.device)
    for tensor in floats:
        tensor.requires_grad_(family.backward)
    function = family.function if backend == "eager" else torch.compile(family.function, backend=backend)
    results = leaves(function(*floats, *extra))
    seeds = [torch.rand_like(result) for result in results]

    def backward(results=results, floats=floats, seeds=seeds):
        differentiable = [(r, s) for r, s in zip(results, seeds, strict=True) if r.requires_grad]
        return torch.autograd.grad(
            [r for r, _ in differentiable], floats, [s.to(r.dtype) for r, s in differentiable], retain_graph=True
        )

    row = {"family": name, "backend": backend, "dtype": str(dtype).removeprefix("torch.")}
    gradients = backward() if family.backward else ()
    if family.exact:
        wide = [tensor.detach().double().requires_grad_(family.backward) for tensor in floats]
        expected = leaves(family.function(*wide, *extra))
        row["error"] = error_of(results, expected)
        if family.backward:
            row["error"] = max(row["error"], error_of(gradients, backward(expected, wide, seeds)))
    timer = Timer(options.device, options.repeats, warm_calls=3, cycles=2_000_000)
    with torch.no_grad():
        inputs = [tensor.detach() for tensor in floats]
        row["forward_us"], row["host_us"] = map(statistics.median, timer(lambda: function(*inputs, *extra)))
    if family.backward:
        row["backward_us"] = statistics.median(timer(backward)[0])
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", default="", help="names; by default all")
    parser.add_argument("--backends", default="", help="by default eager,inductor,fuser; on the CPU eager,fuser")
    parser.add_argument("--dtypes", default="float32,bfloat16")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--rows", type=int, default=8192)
    parser.add_argument("--columns", type=int, default=4096)
    parser.add_argument("--scale", type=int, default=1, help="divides rows and columns")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--json", default="", help="a file for the rows")
    options = parser.parse_args()
    import fuser.torch

    names = options.families.split(",") if options.families else list(FAMILIES)
    unknown = sorted(set(names) - FAMILIES.keys())
    if unknown:
        parser.error(f"--families: expected {', '.join(FAMILIES)}, but got {', '.join(unknown)}")
    backends = (options.backends or ("eager,inductor,fuser" if options.device == "cuda" else "eager,fuser")).split(",")
    table, is_wrong = [], False
    print(
        f"{'family':18} {'type':9} {'backend':9} {'forward us':>11}"
        f" {'backward us':>12} {'host us':>9} {'error':>9} left"
    )
    for name in names:
        for dtype in (getattr(torch, dtype) for dtype in options.dtypes.split(",")):
            errors = {}
            for backend in backends:
                fuser.torch.reset()
                row = run(name, FAMILIES[name], backend, dtype, options)
                row["left"] = {item.op: item.reason for item in fuser.torch.report()} if backend == "fuser" else {}
                table.append(row)
                errors[backend] = row.get("error", 0.0)
                # Twice the error of eager mode, and what one rounding of the type makes.
                limit = 2 * errors.get("eager", 0.0) + 8 * torch.finfo(dtype).eps
                wrong = backend == "fuser" and not errors[backend] <= limit
                is_wrong |= wrong
                print(
                    f"{name:18} {row['dtype']:9} {backend:9} {row['forward_us']:11.1f}"
                    f" {row.get('backward_us', 0):12.1f} {row['host_us']:9.1f} {errors[backend]:9.1e}"
                    f" {len(row['left'])}{' WRONG' if wrong else ''}",
                    flush=True,
                )
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": options.device, "torch": torch.__version__, "rows": table}, file, indent=1)
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
