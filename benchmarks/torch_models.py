#!/usr/bin/env python3
"""Times training steps of whole models under eager mode, inductor and torch.compile(backend="fuser").

    benchmarks/torch_models.py                                  # on a GPU; milliseconds of forward and backward passes
    benchmarks/torch_models.py --match='GPT|ViT' --json=out.json --jobs=8
    benchmarks/torch_models.py --backends=eager,fuser --trace   # the kernels that take longest, of each backend
    benchmarks/torch_models.py --device=cpu --small             # small sizes, to test the models: times mean nothing

`step` is the median time of a step of a loop that does not wait for the device, in ms; `kernels` is the sum of the
times of its kernels, in ms, and `launches` is their number: medians of three steps. Products, convolutions and
attention are the framework's with each backend; `products` is their part of `kernels`. `left` lists what else PyTorch
computes itself. The loss and the gradients are compared with eager mode in f64, relative to the error of eager mode in
the types of the model. Exit status 1: a result is wrong, or a model fails.
"""

import argparse
import re
import statistics
import sys
import time

import models
import torch
from torch_timing import median_and_spread, save, time_in_processes, turn

# Names of kernels of libraries for products, convolutions and attention.
_LIBRARY = re.compile(
    r"gemm|cutlass|cudnn|nvjet|sgemm|wgrad|dgrad|fprop|conv|flash|fmha|sdpa|cublas|xmma|splitK|winograd|gemv|magma"
    r"|attention|implicit",
    re.IGNORECASE,
)


class Step:
    """A forward and a backward pass of `model` by `backend`."""

    def __init__(self, name: str, backend: str, device: str, small: bool, dtype: torch.dtype | None = None):
        torch.manual_seed(0)
        torch._dynamo.reset()
        self.model = models.MODELS[name]
        with torch.device(device):
            module, inputs = self.model.make(models.Sizes(device, small))
        wide = dtype is not None
        dtype = dtype or self.model.dtype
        self.module = module.to(device).to(dtype).train()
        self.inputs = [
            x.to(dtype) if x.is_floating_point() and (wide or x.dtype != torch.float32) else x for x in inputs
        ]
        self.autocast = self.model.autocast and not wide
        self.device = device
        self.call = self.module if backend == "eager" else torch.compile(self.module, backend=backend)

    def __call__(self) -> torch.Tensor:
        self.module.zero_grad()
        with torch.autocast(self.device, torch.bfloat16, enabled=self.autocast):
            loss = self.call(*self.inputs)
        loss.backward()
        return loss

    def results(self) -> list[torch.Tensor]:
        """The loss and the gradients."""
        loss = self()
        gradients = [p.grad for p in self.module.parameters() if p.grad is not None]
        return [x.detach().double().cpu() for x in (loss, *gradients)]


def error_of(results, expected) -> float:
    """The greater of the relative difference of losses and that of the norm of all gradients."""
    loss = abs(float(results[0] - expected[0])) / max(abs(float(expected[0])), 1e-30)
    difference = sum(float((a - b).square().sum()) for a, b in zip(results[1:], expected[1:], strict=True))
    whole = sum(float(b.square().sum()) for b in expected[1:])
    error = (difference / max(whole, 1e-60)) ** 0.5
    return max(loss, error) if error == error and loss == loss else float("inf")


def kernels_of(step) -> list[tuple[str, float]]:
    """Names and microseconds of the kernels of a step."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        step()
        torch.cuda.synchronize()
    cuda = torch.autograd.DeviceType.CUDA
    return [(e.name, e.device_time_total) for e in profile.events() if e.device_type == cuda]


def measure(step, options, row: dict) -> None:
    times = []
    for _ in range(options.repeats):
        begin = time.perf_counter()
        for _ in range(options.steps):
            step()
        if options.device == "cuda":
            torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - begin) / options.steps)
    row["step"], row["spread"] = (round(value, 3) for value in median_and_spread(times))
    if options.device == "cuda":
        traces = sorted((kernels_of(step) for _ in range(3)), key=lambda kernels: sum(us for _, us in kernels))
        kernels = traces[1]
        row["kernels"] = round(sum(us for _, us in kernels) / 1e3, 3)
        row["products"] = round(sum(us for name, us in kernels if _LIBRARY.search(name)) / 1e3, 3)
        row["launches"] = len(kernels)
        if options.trace:
            sums = {}
            for name, us in kernels:
                count, whole = sums.get(name, (0, 0.0))
                sums[name] = (count + 1, whole + us)
            longest = sorted(sums.items(), key=lambda item: -item[1][1])[: options.trace]
            row["longest"] = [(name[:120], count, round(us, 1)) for name, (count, us) in longest]


def time_model(name: str, backend: str, options) -> dict:
    """The row of one model."""
    step = Step(name, backend, options.device, options.small)
    begin = time.perf_counter()
    results = step.results()
    row = {"seconds": round(time.perf_counter() - begin, 2)}
    if backend == "fuser":
        import fuser.torch

        others = [item for item in fuser.torch.report() if "are faster" not in item.reason]
        row["left"] = [f"{item.op}: {item.reason} ({item.count})" for item in others]
    with turn(options.lock):
        if backend == "fuser":
            eager = Step(name, "eager", options.device, options.small).results()
            expected = Step(name, "eager", options.device, options.small, torch.float64).results()
            if not step.model.exact:  # gradients depend on what is drawn
                results, eager, expected = results[:1], eager[:1], expected[:1]
            row["error"], row["eager_error"] = error_of(results, expected), error_of(eager, expected)
            bound = 3 * row["eager_error"] + (1e-5 if step.model.exact else 0.05)
            row["wrong"] = not row["error"] <= bound
            del eager, expected
        step()
        measure(step, options, row)
    return row


def time_models(names, options) -> dict:
    if "fuser" in options.backends:
        import fuser.torch
    table = {}
    for name in names:
        table[name] = {}
        for backend in options.backends:
            if "fuser" in options.backends:
                fuser.torch.reset()
            try:
                table[name][backend] = time_model(name, backend, options)
            except Exception as error:  # one model must not end the run
                table[name][backend] = {"failure": f"{type(error).__name__}: {error}"[:2000]}
        if options.device == "cuda":
            torch.cuda.empty_cache()
        save(table, options.json, options.device)
    return table


def report(table, backends) -> None:
    columns = ("step", "kernels", "products", "launches")
    for name, rows in table.items():
        print(name)
        for backend in backends:
            row = rows.get(backend, {})
            print(f"  {backend:9}", " ".join(f"{column} {row.get(column, '-')!s:>9}" for column in columns), end="")
            print(f" spread {row.get('spread', '-')} compile {row.get('seconds', '-')} s", end="")
            print(f" error {row['error']:.1e} of eager mode {row['eager_error']:.1e}" if "error" in row else "")
            for text in row.get("left", []):
                print("     left:", text)
            for kernel, count, us in row.get("longest", []):
                print(f"     {us:9.1f} us {count:4} {kernel}")
    for column in ("step", "kernels"):
        both = [rows for rows in table.values() if all(column in rows.get(b, {}) for b in ("fuser", "inductor"))]
        if both:
            mean = statistics.geometric_mean(rows["fuser"][column] / rows["inductor"][column] for rows in both)
            print(f"{column}: {len(both)} models, geometric mean of fuser / inductor {mean:.3f}")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--match", default="", help="a regular expression that names contain; by default all")
    parser.add_argument("--only", default="", help="names, separated by |")
    parser.add_argument("--backends", default="", help="by default eager,inductor,fuser; on the CPU fuser")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--small", type=int, nargs="?", const=1, default=0, help="small sizes")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--steps", type=int, default=5, help="of each repetition")
    parser.add_argument("--trace", type=int, nargs="?", const=12, default=0, help="so many kernels are listed")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--lock", default="", help="a file that a process locks while it times")
    parser.add_argument("--json", default="", help="a file for the rows")
    options = parser.parse_args()
    options.backends = (options.backends or ("eager,inductor,fuser" if options.device == "cuda" else "fuser")).split(
        ","
    )
    return options


def main() -> int:
    options, failed = parse(), False
    only = set(options.only.split("|")) if options.only else models.MODELS.keys()
    names = [name for name in models.MODELS if name in only and re.search(options.match, name)]
    if options.jobs == 1:
        table = time_models(names, options)
    else:
        table = time_in_processes(__file__, ["repeats", "steps", "trace", "small"], names, options)
    save(table, options.json, options.device)
    for name, rows in table.items():
        for backend, row in rows.items():
            if row.get("wrong") or "failure" in row:
                failed = True
                print(f"{'WRONG' if row.get('wrong') else 'FAILED'}: {name}, {backend}: {row.get('failure', '')}")
    report(table, options.backends)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
