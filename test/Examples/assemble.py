"""Compiles every example for every architecture and reports what ptxas and the PTX say of its kernels.

usage: assemble.py PTXAS EXAMPLES SCRATCH

One line per kernel, "NAME LENGTH CHIP: R registers, N 16-byte loads", and one "fault: ..." line for each kernel that
spills, uses a stack, leaves room for fewer blocks on a multiprocessor than it should (of 65536 registers, handed out
to warps by 8 per thread: two on the architecture that it was scheduled for, else one), or loads fewer bytes at once
than its sizes allow. Exits with 1 where there is a fault.
"""

import pathlib
import re
import subprocess
import sys

CHIPS = ["sm_80", "sm_90", "sm_90a", "sm_100a", "sm_120"]
SCHEDULED = "sm_90a"
REGISTERS = 65536

# Sizes of the arguments of each example, of a scalar none.
ARGUMENTS = {
    "channel_sum": "16384,{n}",
    "dropout": "16384,{n};;;",
    "layer_norm": "16384,{n};{n};{n};",
    "mul": "16384,{n};16384,{n}",
    "rms_norm": "16384,{n};{n};",
    "row_sum": "16384,{n}",
    "scale_bias_relu": "16384,{n};{n};{n}",
    "softmax": "16384,{n}",
}
# Lengths of rows. Those of 5002 bf16 are aligned to 4 bytes, but whole tensors of them to 16.
LENGTHS = [16384, 5002]


def get_load_bytes(example: str, length: int) -> int:
    return 4 if length % 8 and example not in ("mul", "dropout", "scale_bias_relu") else 16


def run(*command: object) -> str:
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"fault: {' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout + result.stderr


def find_number(pattern: str, text: str) -> int:
    match = re.search(pattern, text)
    return int(match.group(1)) if match else 0


def count_loads(ptx: str, size: int) -> int:
    """Loads from global memory of `size` bytes by one thread."""
    shapes = re.findall(r"ld\.global[\w.:]*?(?:\.v(\d))?\.[bfus](\d+)", ptx)
    return sum(int(count or 1) * int(bits) == 8 * size for count, bits in shapes)


def check(ptx: str, report: str, load_bytes: int, blocks: int) -> list[str]:
    faults = []
    for what in ("stack frame", "spill stores", "spill loads"):
        if size := find_number(rf"(\d+) bytes {what}", report):
            faults.append(f"{size} bytes {what}")
    threads = 1
    for extent in re.search(r"\.maxntid (.*)", ptx).group(1).split(","):
        threads *= int(extent)
    registers = find_number(r"Used (\d+) registers", report)
    if not registers:
        faults.append("no report of registers")
    if blocks * threads * (-(-registers // 8) * 8) > REGISTERS:
        faults.append(f"{registers} registers for {threads} threads")
    if not count_loads(ptx, load_bytes):
        faults.append(f"no {load_bytes}-byte loads")
    return faults


def main() -> int:
    ptxas, examples, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    faulty = kernels = 0
    for example in sorted(examples.glob("*.mlir")):
        if example.stem not in ARGUMENTS:
            sys.exit(f"fault: expected sizes of {example.name} in {__file__}")
        for length in LENGTHS:
            sizes = ARGUMENTS[example.stem].format(n=length)
            lowered = scratch / "kernel.mlir"
            run("fuser-opt", example, f"--fuser-to-kernel-ir=sizes={sizes} target=h200", "-o", lowered)
            for chip in CHIPS:
                ptx_file = scratch / "kernel.ptx"
                run("fuser-opt", lowered, f"--fuser-emit-ptx=chip={chip} output={ptx_file}", "-o", "/dev/null")
                report = run(ptxas, "-v", f"-arch={chip}", ptx_file, "-o", scratch / "kernel.cubin")
                ptx = ptx_file.read_text()
                registers = find_number(r"Used (\d+) registers", report)
                name = f"{example.stem} {length} {chip}"
                print(f"{name}: {registers} registers, {count_loads(ptx, 16)} 16-byte loads")
                for fault in check(ptx, report, get_load_bytes(example.stem, length), 2 if chip == SCHEDULED else 1):
                    print(f"fault: {name}: {fault}")
                    faulty += 1
                kernels += 1
    print(f"{kernels} kernels assembled, {faulty} faults")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
