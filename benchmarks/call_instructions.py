"""Instructions of a warm call from Python with tensors of PyTorch, on a machine without a GPU.

    PYTHONPATH=python python benchmarks/call_instructions.py      # needs valgrind (Debian's package), takes a minute

`silu(x) * y` of 8 bf16 elements on the host device. What that device does instead of a GPU's driver is counted apart:
it runs the kernel, checks what it accesses, and takes its memory from malloc. Counts do not depend on the machine's
load; they differ between versions of Python and PyTorch.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = """
fuser.fusion @silu_mul(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.silu %x : tensor<?x?xbf16>
  %1 = fuser.mul %0, %y : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
"""
CALLS = 500
KINDS = ("program(x, y)", "program(x, y, out=out)", "torch.relu(x)")
# Functions whose instructions, those of what they call included, are added up.
FUNCTIONS = {
    "host": r"HostDevice::(launch|allocate|free)\(|Execution::bindRanges",
    "call": r"^fuser_program_call",
    "delete": r"deleteExport|deleteResult",
    "exchange": r"^TorchDLPackExchangeAPI::|^THPVariable_get_requires_grad",
    "deallocate": r"^THPVariable_dealloc",
    "function": r"::(callObject|vectorCall)\(",
}


def work() -> None:
    """Runs below valgrind: profiles of CALLS and of 2 * CALLS calls of each of KINDS."""
    import fuser
    import torch

    x, y, out = (torch.randn(1, 8, dtype=torch.bfloat16) for _ in range(3))
    program = fuser.compile(PROGRAM, device="host")
    kinds = lambda: program(x, y), lambda: program(x, y, out=out), lambda: torch.relu(x)

    def control(*arguments: str) -> None:
        subprocess.run(["callgrind_control", *arguments, str(os.getpid())], check=True, stdout=subprocess.DEVNULL)

    for function in kinds:
        for count in (CALLS, 2 * CALLS):
            for _ in range(CALLS):
                function()
            control("--instr=on")
            control("--zero")
            for _ in range(count):
                function()
            control("--dump")
            control("--instr=off")


def read_profile(path: str) -> dict[str, int]:
    """The instructions of FUNCTIONS, and of all together."""
    with open(path) as file:
        lines = file.read().splitlines()
    counts, names = dict.fromkeys(FUNCTIONS, 0), {}
    callee, is_cost = None, False
    for line in lines:
        key, _, text = line.partition("=")
        if line.startswith("totals:"):
            counts["all"] = int(line.split()[1])
        elif key in ("fn", "cfn"):
            number, _, name = text.partition(" ")
            name = names.setdefault(number, name)
            callee = next((part for part, pattern in FUNCTIONS.items() if re.search(pattern, name)), None)
        elif is_cost and callee:
            counts[callee] += int(line.split()[1])
        is_cost = key == "calls"
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().work:
        return work()
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile")
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={profile}"]
        subprocess.run([*command, sys.executable, __file__, "--work"], check=True, stderr=subprocess.DEVNULL)
        profiles = [read_profile(f"{profile}.{number + 1}") for number in range(2 * len(KINDS))]
    print(f"{'':24} {'all':>8} {'host device':>12} {'PyTorch':>8} {'C interface':>12} {'_calls':>8} {'others':>8}")
    for kind, few, many in zip(KINDS, profiles[::2], profiles[1::2], strict=True):
        count = {part: round((many[part] - few[part]) / CALLS) for part in few}
        parts = (
            count["all"],
            count["host"],
            count["exchange"] + count["deallocate"] - count["delete"],
            count["call"] + count["delete"] - count["host"],
            count["function"] - count["call"] - count["exchange"],
            count["all"] - count["function"] - count["deallocate"],
        )
        print(f"{kind:24} {parts[0]:8} {parts[1]:12} {parts[2]:8} {parts[3]:12} {parts[4]:8} {parts[5]:8}")


if __name__ == "__main__":
    main()
