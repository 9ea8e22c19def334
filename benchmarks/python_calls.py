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
    # What Python and the conversions cost before fuser._calls.
    measure("fuser.Program, general path", lambda: program._run([x, y]), calls)


if __name__ == "__main__":
    main()
