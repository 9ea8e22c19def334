"""The host time of a warm call from Python, next to PyTorch's, for kernels that take less time than their launch.

usage: python benchmarks/python_calls.py [--calls=2000]     with PyTorch and a GPU; FUSER_LIBRARY names libfuser_capi.so
Prints the median of five runs in microseconds, and their range.
"""

import argparse
import time

import fuser
import torch

PROGRAM = """
fuser.fusion @silu_mul(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.silu %x : tensor<?x?xbf16>
  %1 = fuser.mul %0, %y : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
"""


def make_list(count):
    """The text of p - 0.1 * g for `count` pairs of tensors, stored in p."""
    arguments = ", ".join(f"%p{i}: tensor<?xf32>, %g{i}: tensor<?xf32>" for i in range(count))
    types = ", ".join(["tensor<?xf32>"] * count)
    aliases = ", ".join(f"#fuser.alias<output {i}, input {2 * i}>" for i in range(count))
    lines = [f"fuser.fusion @sgd({arguments}) -> ({types}) attributes {{aliases = [{aliases}]}} {{"]
    lines.append("%c = arith.constant 0.1 : f32")
    for i in range(count):
        lines.append(f"%a{i} = fuser.mul %g{i}, %c : (tensor<?xf32>, f32) -> tensor<?xf32>")
        lines.append(f"%b{i} = fuser.sub %p{i}, %a{i} : tensor<?xf32>")
    return "\n".join([*lines, f"fuser.return {', '.join(f'%b{i}' for i in range(count))} : {types}", "}"])


def measure(name, function, calls):
    for _ in range(50):
        function()
    times = []
    for _ in range(5):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(calls):
            function()
        times.append((time.perf_counter() - start) / calls * 1e6)
    torch.cuda.synchronize()
    times.sort()
    print(f"{name:40s} {times[2]:7.2f}   {times[0]:.2f} to {times[-1]:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=2000)
    calls = parser.parse_args().calls
    x, y, out = (torch.randn(4, 256, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    program = fuser.compile(PROGRAM, device="cuda")
    with fuser.FusionDefinition() as definition:
        a, b = (definition.from_pytorch(tensor) for tensor in (x, y))
        definition.add_output(definition.ops.mul(definition.ops.silu(a), b))
    compiled = torch.compile(lambda x, y: torch.nn.functional.silu(x) * y)
    arguments = [x, y]
    measure("fuser.Program", lambda: program(x, y), calls)
    measure("fuser.Program, out given", lambda: program(x, y, out=out), calls)
    measure("fuser.FusionDefinition.execute", lambda: definition.execute(arguments), calls)
    measure("PyTorch, eager (2 kernels)", lambda: torch.nn.functional.silu(x) * y, calls)
    measure("PyTorch, eager, one kernel (relu)", lambda: torch.relu(x), calls)
    measure("torch.compile (inductor)", lambda: compiled(x, y), calls)
    # A list of tensors, updated in place: one launch.
    parameters, gradients = ([torch.randn(4096, device="cuda") for _ in range(96)] for _ in range(2))
    update = fuser.compile(make_list(96), device="cuda")
    tensors = [tensor for pair in zip(parameters, gradients, strict=True) for tensor in pair]
    measure("fuser.Program, 192 tensors, out given", lambda: update(*tensors, out=parameters), calls // 10)
    measure("fuser.Program, 192 tensors, in place", lambda: update(*tensors), calls // 10)
    measure("PyTorch, _foreach_add_", lambda: torch._foreach_add_(parameters, gradients, alpha=-0.1), calls // 10)
    # What Python and the conversions cost before fuser._calls.
    measure("fuser.Program, general path", lambda: program._run([x, y]), calls)


if __name__ == "__main__":
    main()
