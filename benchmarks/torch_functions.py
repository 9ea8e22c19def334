#!/usr/bin/env python3
"""Times the functions of benchmarks/functions.py under inductor and torch.compile(backend="fuser").

    benchmarks/torch_functions.py                                 # on a GPU; a table of microseconds, slowest first
    benchmarks/torch_functions.py --match='norm|softmax' --json=out.json --jobs=8
    benchmarks/torch_functions.py --backends=fuser --peers=out.json    # next to times of an earlier run
    benchmarks/torch_functions.py --backends=fuser,dynamic        # the same with first sizes that are not known
    benchmarks/torch_functions.py --sizes=odd                     # sizes that no vector divides
    benchmarks/torch_functions.py --layouts=transposed            # the same elements with other strides of arguments
    benchmarks/torch_functions.py --device=cpu --scale=64         # small sizes, to test the lists: times mean nothing

GPU times are medians between CUDA events, after a buffer larger than the L2 cache has been written; a function whose
arguments require gradients is timed forward and backward. Results and gradients are compared with eager mode in double
precision, relative to the error of eager mode in the types of the function. `kernels` is how many kernels a call
launches. `--jobs` processes trace and compile at a time; one at a time times its kernels. `--seconds` ends the run
early. Exit status 1: a result is wrong, or a function fails.
"""

import argparse
import json
import re
import statistics
import sys
import time

import functions
import torch
from torch_layouts import LAYOUTS, with_layout
from torch_timing import Timer, leaves, median_and_spread, save, time_in_processes, turn


def with_gradients(call, arguments):
    """What is timed: results, and the gradients of what requires them."""
    wanted = [tensor for tensor in arguments if tensor.requires_grad]
    if not wanted:
        return lambda: leaves(call(*arguments))

    def both():
        results = leaves(call(*arguments))
        roots = [result for result in results if result.requires_grad]
        seeds = [torch.full_like(root, 0.5) for root in roots]
        return results + list(torch.autograd.grad(roots, wanted, seeds))

    return both


def error_of(results, expected) -> float:
    """The greatest difference of floats, relative to the greatest element of each tensor."""
    worst = 0.0
    for a, b in zip(results, expected, strict=True):
        if not a.is_floating_point() or a.numel() == 0:
            continue
        a, b = a.detach().double(), b.detach().double()
        same = (a == b) | (a.isnan() & b.isnan())
        greatest = b[b.isfinite()].abs().max().clamp_min(1e-30) if b.isfinite().any() else 1.0
        worst = max(worst, float(torch.where(same, 0.0, (a - b).abs()).max() / greatest))
    return worst


def eager_errors(call, arguments, results) -> tuple[float, float]:
    """The errors of `results` and of eager mode against eager mode in double precision."""
    wide = [
        tensor.detach().double().requires_grad_(tensor.requires_grad)
        if tensor.dtype in (torch.bfloat16, torch.float16, torch.float32)
        else tensor
        for tensor in arguments
    ]
    eager = with_gradients(call, arguments)()
    try:
        expected = with_gradients(call, wide)()
    except RuntimeError:  # the function names a type that double precision does not follow
        expected = eager
    return error_of(results, expected), error_of(eager, expected)


def count_kernels(call) -> int:
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        call()
        torch.cuda.synchronize()
    kernels = [event for event in profile.events() if event.device_type == torch.autograd.DeviceType.CUDA]
    return sum(not event.name.startswith(("Memcpy", "Memset")) for event in kernels)


def make_arguments(name: str, options, scale: int) -> tuple:
    maker = functions.Maker(options.device, scale, options.sizes == "odd")
    return with_layout(functions.FUNCTIONS[name][1](maker), options.layouts)


def time_function(name: str, backend: str, options, timer: Timer) -> dict:
    """The row of one function: us, spread in us, kernels, and error next to that of eager mode."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    call, _ = functions.FUNCTIONS[name]
    arguments = make_arguments(name, options, options.scale)
    if options.sizes != "listed" or options.layouts != "listed" or backend == "dynamic":
        try:
            with_gradients(call, arguments)()
            if backend == "dynamic":
                with_gradients(call, make_arguments(name, options, 2 * options.scale))()
        except (RuntimeError, ValueError, IndexError) as error:
            return {"skipped": f"eager mode: {error}"[:200]}
    begin = time.perf_counter()
    function = torch.compile(call, backend="fuser" if backend == "dynamic" else backend)
    if backend == "dynamic":
        # The second call, whose first sizes are others, makes them symbols.
        with_gradients(function, make_arguments(name, options, 2 * options.scale))()
    compiled = with_gradients(function, arguments)
    results = compiled()
    row = {"seconds": round(time.perf_counter() - begin, 2)}
    with turn(options.lock):
        if backend in ("fuser", "dynamic"):
            row["error"], row["eager_error"] = eager_errors(call, arguments, results)
            widest = max((torch.finfo(r.dtype).eps for r in results if r.is_floating_point()), default=0.0)
            row["wrong"] = not row["error"] <= 3 * row["eager_error"] + 16 * widest
        row["us"], row["spread"] = (round(value, 2) for value in median_and_spread(timer(compiled)[0]))
        if options.device == "cuda":
            row["kernels"] = count_kernels(compiled)
    return row


def time_functions(names, options) -> dict:
    """The rows of each function by backend. Writes them to `options.json` as each ends."""
    if {"fuser", "dynamic"} & set(options.backends):
        import fuser.torch  # noqa: F401 - registers the backend
    begin, table = time.perf_counter(), {}
    timer = Timer(options.device, options.repeats, warm_calls=1, cycles=1_500_000)
    for name in names:
        if time.perf_counter() - begin > options.seconds:
            break
        table[name] = {}
        for backend in options.backends:
            try:
                table[name][backend] = time_function(name, backend, options, timer)
            except Exception as error:  # one function must not end the run
                table[name][backend] = {"failure": f"{type(error).__name__}: {error}"[:2000]}
        torch.cuda.empty_cache()
        save(table, options.json, options.device)
    return table


def report(table, ours_name: str, theirs_name: str, file=sys.stdout) -> None:
    """The functions that both backends computed, slowest first next to the other."""

    def ratio(row):
        return row[ours_name]["us"] / row[theirs_name]["us"]

    both = {name: row for name, row in table.items() if all("us" in row.get(b, {}) for b in (ours_name, theirs_name))}
    print(f"{'ratio':>6} {ours_name + ' us':>9} {'spread':>7} {theirs_name:>9} kernels", file=file)
    for name in sorted(both, key=lambda name: -ratio(both[name])):
        ours, theirs = both[name][ours_name], both[name][theirs_name]
        kernels = f"{ours.get('kernels', '')}/{theirs.get('kernels', '')}"
        print(
            f"{ratio(both[name]):6.3f} {ours['us']:9.1f} {ours['spread']:7.1f} {theirs['us']:9.1f} {kernels:7} {name}",
            file=file,
        )
    if both:
        mean = statistics.geometric_mean(ratio(row) for row in both.values())
        above = sum(ratio(row) > 1.03 for row in both.values())
        print(f"{len(both)} functions, geometric mean {mean:.3f}, above 1.03: {above}", file=file)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--match", default="", help="a regular expression that names contain; by default all")
    parser.add_argument("--only", default="", help="names, separated by |")
    parser.add_argument("--backends", default="", help="by default inductor,fuser; on the CPU fuser")
    parser.add_argument("--peers", default="", help="a file of --json whose times of other backends are shown")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--scale", type=int, default=1, help="divides the first sizes")
    parser.add_argument(
        "--sizes",
        choices=["listed", "odd"],
        default="listed",
        help="odd: odd numbers next to 7/8 of those in the lists, where eager mode takes them",
    )
    parser.add_argument(
        "--layouts",
        choices=list(LAYOUTS),
        default="listed",
        help="of arguments, where eager mode takes them. transposed: the last two dimensions exchanged in memory; "
        "reversed: all dimensions; channels_last: of images and volumes; sliced: parts of longer rows, at places that "
        "no vector has; padded: parts of longer rows, which vectors divide; stepped: every second element of a row",
    )
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--lock", default="", help="a file that a process locks while it times")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="the run ends after so many")
    parser.add_argument("--json", default="", help="a file for the rows")
    options = parser.parse_args()
    options.backends = (options.backends or ("inductor,fuser" if options.device == "cuda" else "fuser")).split(",")
    return options


def main() -> int:
    options, failed = parse(), False
    only = set(options.only.split("|")) if options.only else functions.FUNCTIONS.keys()
    names = [name for name in functions.FUNCTIONS if name in only and re.search(options.match, name)]
    peers = {}
    if options.peers:
        with open(options.peers) as file:
            peers = json.load(file)["rows"]
    table = (
        time_functions(names, options)
        if options.jobs == 1
        else time_in_processes(__file__, ["repeats", "seconds", "scale", "sizes", "layouts"], names, options)
    )
    if len(table) < len(names):
        print(f"{len(names) - len(table)} of {len(names)} functions were not timed")
    skipped = [name for name, rows in table.items() if any("skipped" in row for row in rows.values())]
    if skipped:
        print(f"{len(skipped)} functions skipped: eager mode does not take the arguments")
    for name, rows in table.items():
        for backend, row in rows.items():
            if row.get("wrong") or ("failure" in row and backend != "inductor"):
                failed = True
                print(f"{'WRONG' if row.get('wrong') else 'FAILED'}: {name}: {row}")
        table[name] = {backend: row for backend, row in peers.get(name, {}).items() if backend not in rows} | rows
    save(table, options.json, options.device)
    report(table, "fuser", "inductor")
    if "dynamic" in options.backends:
        report(table, "dynamic", "fuser")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
