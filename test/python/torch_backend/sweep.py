"""Samples of PyTorch's op database (`op_db`) through the backend, against eager mode.

    python test/python/torch_backend/sweep.py                        # f32; prints the claimed ops at the end
    python test/python/torch_backend/sweep.py --dtypes=all --shard=3/16 --state=sweep.json    # resumes from the state
    python test/python/torch_backend/sweep.py --ops=softmax,nn.functional.gelu --backward

An op is *claimed* for a type if every sample equals eager mode, a kernel of ours computed at least one of them, and
PyTorch computed nothing in any of them (views cost nothing and do not count). Ops of which no sample has a kernel, such
as views, are not claimed. The counters of `fuser.torch` say what computed a sample.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import time
import warnings

import fuser.torch
import torch
from functorch.compile import aot_function, min_cut_rematerialization_partition
from fuser.torch._backend import compile_graph
from fuser.torch._decompositions import decompositions
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

TOLERANCES = {
    torch.float64: (1e-9, 1e-9),
    torch.float32: (3e-5, 3e-5),
    torch.float16: (3e-3, 3e-3),
    torch.bfloat16: (3e-2, 3e-2),
}
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16,
          torch.int8, torch.bool)  # fmt: skip
# Random results, results that are no function of the arguments, sizes that depend on data: nothing to compare.
SKIPPED = re.compile(
    r"(new_)?empty(_strided)?|empty_(like|permuted)|rand|randn|randint|(rand|randn|randint)_like|(?!native_dropout_backward).*dropout.*|"
    r"bernoulli|"
    r"multinomial|normal|uniform|exponential|geometric|log_normal|cauchy|.*fractional_max_pool.*|.*rrelu|poisson|unique.*|"
    r"nonzero.*|.*sparse.*|(svd|pca)_lowrank|linalg\.(?!vector_norm|cross|diagonal|norm$|vecdot).*|fft\.(?!i?fftshift).*|i?stft|"
    r".*attention.*|jiterator.*|lu.*|.*eigh?|eigv.*|qr|geqrf|ormqr|cholesky.*|histogram.*|tensorinv|logdet|pinverse|"
    r".*conv.*|.*grid_sample.*|svd|triangular_solve|matrix_exp|.*gumbel.*|normal\..*|bfloat16_.*"
)


CLAIMED = pathlib.Path(__file__).with_name("claimed.txt")


def claimed_ops() -> dict[str, list[str]]:
    """The claimed ops of each type, by the list next to this file."""
    found: dict[str, list[str]] = {}
    for line in CLAIMED.read_text().splitlines():
        name, dtype = line.split()
        found.setdefault(dtype, []).append(name)
    return found


def name_of(op) -> str:
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def candidates() -> list:
    return [op for op in op_db if not SKIPPED.fullmatch(op.name)]


def is_close(actual: object, expected: object) -> str:
    """Why results differ; empty if they do not."""
    made, wanted = pytree.tree_leaves(actual), pytree.tree_leaves(expected)
    if len(made) != len(wanted):
        return f"{len(made)} results, but {len(wanted)} in eager mode"
    for a, b in zip(made, wanted, strict=True):
        if not isinstance(b, torch.Tensor):
            if a != b and not (a != a and b != b):
                return f"{a} is not {b}"
            continue
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return f"{a.dtype} {tuple(a.shape)}, but {b.dtype} {tuple(b.shape)} in eager mode"
        if a.numel() > 1 and [s for n, s in zip(a.shape, a.stride(), strict=True) if n > 1] != [
            s for n, s in zip(b.shape, b.stride(), strict=True) if n > 1
        ]:
            return f"strides {a.stride()}, but {b.stride()} in eager mode"
        rtol, atol = TOLERANCES.get(b.dtype, (0, 0))
        try:
            torch.testing.assert_close(a, b, rtol=rtol, atol=atol, equal_nan=True)
        except AssertionError as error:
            return " ".join(str(error).split())[:200]
    return ""


def split(sample) -> tuple[list[torch.Tensor], object]:
    """The tensors of a sample, and a function that puts tensors back."""
    leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def join(tensors):
        items = list(leaves)
        for place, tensor in zip(places, tensors, strict=True):
            items[place] = tensor
        return pytree.tree_unflatten(items, spec)

    return [leaves[place] for place in places], join


def compiled(function):
    return aot_function(
        function, fw_compiler=compile_graph, bw_compiler=compile_graph, inference_compiler=compile_graph,
        decompositions=decompositions(), partition_fn=min_cut_rematerialization_partition,
        keep_inference_input_mutations=True,
    )  # fmt: skip


def run_sample(op, sample, backward: bool) -> tuple[str, str]:
    """("kernel" | "eager" | "nothing" | "wrong" | "error" | "skip", details)."""
    tensors, join = split(sample)

    def function(*items):
        first, args, kwargs = join(items)
        return op.op(first, *args, **kwargs)

    def fresh():
        return [tensor.detach().clone().requires_grad_(tensor.requires_grad and backward) for tensor in tensors]

    def evaluate(call):
        items = fresh()
        results = call(*items)
        if not backward:
            return results, ()
        wanted = [t for t in pytree.tree_leaves(results) if isinstance(t, torch.Tensor) and t.requires_grad]
        sources = [t for t in items if t.requires_grad]
        if not wanted or not sources:
            return results, ()
        seeds = [torch.ones_like(t) * 0.5 for t in wanted]
        return results, [g for g in torch.autograd.grad(wanted, sources, seeds, allow_unused=True) if g is not None]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = evaluate(function)
        except Exception:
            return "skip", "eager mode raises"
        fuser.torch.reset()
        try:
            actual = evaluate(compiled(function))
        except Exception as error:
            return "error", f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    if difference := is_close(actual, expected):
        return "wrong", difference
    counts, left = fuser.torch.counters(), fuser.torch.report()
    if left:
        return "eager", "; ".join(f"{item.op}: {item.reason}" for item in left)[:300]
    return ("kernel", "") if counts.kernel_calls > counts.eager_calls else ("nothing", "")


def run_op(op, dtype: torch.dtype, device: str, backward: bool, most: int | None = None) -> dict:
    """The outcome of all samples of an op."""
    outcome: dict = {"samples": 0, "kernel": 0, "nothing": 0}
    torch.manual_seed(0)
    torch._dynamo.reset()
    try:
        samples = list(op.sample_inputs(device, dtype, requires_grad=backward and dtype.is_floating_point))
    except Exception as error:
        return {**outcome, "state": "skip", "details": f"no samples: {type(error).__name__}"}
    for number, sample in enumerate(samples[:most]):
        state, details = run_sample(op, sample, backward)
        outcome["samples"] += 1
        if state in ("kernel", "nothing"):
            outcome[state] += 1
        elif state != "skip":
            return {**outcome, "state": state, "details": f"sample {number}: {details}"}
    return {**outcome, "state": "claimed" if outcome["kernel"] else "nothing", "details": ""}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dtypes", default="float32", help="names of types, or all")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--ops", default="", help="names of ops; by default all")
    parser.add_argument("--shard", default="0/1", help="which part of the ops: 3/16 is every 16th from the 4th on")
    parser.add_argument("--state", default="", help="a JSON file with outcomes, which is resumed from and written")
    parser.add_argument("--backward", action="store_true", help="gradients as well")
    parser.add_argument("--list", default="", help="a file that the names of the claimed ops are written to")
    parser.add_argument("--most", type=int, default=None, help="samples of each op")
    options = parser.parse_args()
    dtypes = DTYPES if options.dtypes == "all" else [getattr(torch, name) for name in options.dtypes.split(",")]
    part, parts = map(int, options.shard.split("/"))
    names = set(filter(None, options.ops.split(",")))
    state: dict = {}
    if options.state and os.path.exists(options.state):
        with open(options.state) as file:
            state = json.load(file)
    ops = [op for op in candidates() if not names or name_of(op) in names or op.name in names][part::parts]
    for op in ops:
        for dtype in dtypes:
            key = f"{name_of(op)} {str(dtype).removeprefix('torch.')}{' backward' if options.backward else ''}"
            if key in state or dtype not in op.supported_dtypes(options.device):
                continue
            begin = time.perf_counter()
            outcome = state[key] = run_op(op, dtype, options.device, options.backward, options.most)
            outcome["seconds"] = round(time.perf_counter() - begin, 2)
            print(f"{key}: {outcome['state']} {outcome['samples']} samples {outcome['seconds']} s {outcome['details']}",
                  flush=True)  # fmt: skip
            if options.state:
                with open(f"{options.state}.part", "w") as file:
                    json.dump(state, file, indent=1)
                os.replace(f"{options.state}.part", options.state)
    claimed = sorted(key for key, outcome in state.items() if outcome["state"] == "claimed")
    wrong = sorted(key for key, outcome in state.items() if outcome["state"] in ("wrong", "error"))
    if options.list:
        with open(options.list, "w") as file:
            file.write("".join(f"{key}\n" for key in claimed))
    print(f"claimed: {len(claimed)}", *claimed, sep="\n  ")
    print(f"wrong: {len(wrong)}", *wrong, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
