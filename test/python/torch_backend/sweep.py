"""Samples of PyTorch's op database (`op_db`) through the backend, against eager mode.

    python test/python/torch_backend/sweep.py                        # f32; prints the claimed ops at the end
    python test/python/torch_backend/sweep.py --dtypes=all --device=cuda --claimed --jobs=16 --state=sweep.json
    python test/python/torch_backend/sweep.py --dtypes=all --shard=3/16 --state=part3.json    # one shard of 16
    python test/python/torch_backend/sweep.py --ops=softmax,nn.functional.gelu --backward

With --state, a sweep that ended, or was ended, goes on where it was. --jobs runs as many shards at the same time, each
in a process that is started again where an op ends it; an op that does so twice is a "crash".

An op is *claimed* for a type if every sample equals eager mode, a kernel of ours computed at least one of them, and
PyTorch computed nothing in any of them (views cost nothing and do not count). Ops of which no sample has a kernel, such
as views, are not claimed. The counters of `fuser.torch` say what computed a sample.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
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
          torch.int8, torch.uint8, torch.bool)  # fmt: skip
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


# The exit status of a process whose GPU answers nothing but errors after an op.
_DEVICE_LOST = 3


def key_of(op, dtype: torch.dtype, backward: bool) -> str:
    return f"{name_of(op)} {str(dtype).removeprefix('torch.')}{' backward' if backward else ''}"


def read_state(path: str) -> dict:
    """The outcomes in a file; none where there is no file."""
    if not path or not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def write_state(path: str, state: dict) -> None:
    """Whole or not at all."""
    with open(f"{path}.part", "w") as file:
        json.dump(state, file, indent=1, sort_keys=True)
    os.replace(f"{path}.part", path)


def is_device_lost(device: str) -> bool:
    if device == "cpu":
        return False
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        return True
    return False


def run_ops(work: list, state: dict, options) -> int:
    """Runs what the state lacks. An op that a process ends in stays "running" there; after the second time it is a
    "crash"."""
    deadline = time.monotonic() + options.seconds if options.seconds else math.inf
    for op, dtype in work:
        key = key_of(op, dtype, options.backward)
        tries = state[key].get("tries", 1) if state.get(key, {}).get("state") == "running" else 0
        if tries > 1:
            state[key] = {"samples": 0, "kernel": 0, "nothing": 0, "state": "crash", "details": "the process ended"}
        if (key in state and tries != 1) or time.monotonic() > deadline:
            continue
        if options.state:
            write_state(options.state, {**state, key: {"state": "running", "tries": tries + 1}})
        begin = time.perf_counter()
        outcome = state[key] = run_op(op, dtype, options.device, options.backward, options.most)
        outcome["seconds"] = round(time.perf_counter() - begin, 2)
        print(f"{key}: {outcome['state']} {outcome['samples']} samples {outcome['seconds']} s {outcome['details']}",
              flush=True)  # fmt: skip
        if options.state:
            write_state(options.state, state)
        if is_device_lost(options.device):
            return _DEVICE_LOST
    if options.state:
        write_state(options.state, state)
    return 0


def run_jobs(state: dict, options) -> None:
    """Runs shards in processes, each with a state of its own next to `options.state`, which gets all of them."""
    part, parts = map(int, options.shard.split("/"))
    paths = [f"{options.state}.{job}" for job in range(options.jobs)]
    for path in paths:
        state.update(read_state(path))
    deadline = time.monotonic() + options.seconds if options.seconds else math.inf

    def start(job: int) -> subprocess.Popen:
        write_state(paths[job], {**state, **read_state(paths[job])})
        left = [f"--seconds={max(1, int(deadline - time.monotonic()))}"] if options.seconds else []
        command = [sys.executable, __file__, *sys.argv[1:], "--jobs=1", f"--state={paths[job]}", "--list=", *left,
                   f"--shard={part + job * parts}/{parts * options.jobs}", "--quiet"]  # fmt: skip
        return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})

    running = {job: start(job) for job in range(options.jobs)}
    while running:
        time.sleep(0.2)
        for job, process in list(running.items()):
            status = process.poll()
            if status is None:
                continue
            del running[job]
            found = read_state(paths[job])
            has_moved = any(state.get(key) != outcome for key, outcome in found.items())
            state.update(found)
            # Started again if it has come further, as otherwise it would end in the same way.
            if status != 0 and has_moved and time.monotonic() < deadline:
                running[job] = start(job)
    for path in paths:
        os.remove(path)
    write_state(options.state, state)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dtypes", default="float32", help="names of types, or all")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--ops", default="", help="names of ops; by default all")
    parser.add_argument("--claimed", action="store_true", help="only ops that claimed.txt has")
    parser.add_argument("--shard", default="0/1", help="which part of the ops: 3/16 is every 16th from the 4th on")
    parser.add_argument("--jobs", type=int, default=1, help="shards of the shard that run at the same time")
    parser.add_argument("--state", default="", help="a JSON file with outcomes, which is resumed from and written")
    parser.add_argument("--seconds", type=int, default=0, help="no op begins later than this; 0: whenever")
    parser.add_argument("--backward", action="store_true", help="gradients as well")
    parser.add_argument("--list", default="", help="a file that the names of the claimed ops are written to")
    parser.add_argument("--most", type=int, default=None, help="samples of each op")
    parser.add_argument("--quiet", action="store_true", help="no summary at the end")
    options = parser.parse_args()
    if options.jobs > 1 and not options.state:
        parser.error("--jobs: expected --state with it, where the outcomes of processes are gathered")
    dtypes = DTYPES if options.dtypes == "all" else [getattr(torch, name) for name in options.dtypes.split(",")]
    part, parts = map(int, options.shard.split("/"))
    names = set(filter(None, options.ops.split(",")))
    if options.claimed:
        names |= {name for listed in claimed_ops().values() for name in listed}
    state = read_state(options.state)
    # Samples of one op take alike long in all types, so that shards have some of each.
    work = [
        (op, dtype)
        for op in candidates()
        if not names or name_of(op) in names or (op.name in names and not options.claimed)
        for dtype in dtypes
        if dtype in op.supported_dtypes(options.device)
    ][part::parts]
    status = 0
    if options.jobs > 1:
        run_jobs(state, options)
    else:
        status = run_ops(work, state, options)
    claimed = sorted(key for key, outcome in state.items() if outcome["state"] == "claimed")
    wrong = sorted(key for key, outcome in state.items() if outcome["state"] in ("wrong", "error", "crash"))
    left = sum(state.get(key_of(*item, options.backward), {}).get("state", "running") == "running" for item in work)
    if options.list:
        with open(options.list, "w") as file:
            file.write("".join(f"{key}\n" for key in claimed))
    if not options.quiet:
        print(f"claimed: {len(claimed)}", *claimed, sep="\n  ")
        print(f"wrong: {len(wrong)}", *wrong, sep="\n  ")
        print(f"left: {left}")
    return status


if __name__ == "__main__":
    sys.exit(main())
