"""Measures how long each step of a compilation takes, for programs of growing size.

usage: benchmarks/compile_times.py [--device=host|cuda] [--sizes=100,1000] [--limit=120] [--only=KIND,...] [FUSER_RUN]

The programs of benchmarks/segmentation.py, and: sums of many arguments, rows that are reduced again and again, and many
outputs of one argument. Prints a Markdown table: ops, kernels, and milliseconds of each step that `fuser-run` reports
(one run; the small sizes of a call that nobody waits for). A program over the limit is cut off and says so.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import segmentation
from segmentation import MATRIX, VECTOR

STEPS = ("parse", "preseg", "segmentation", "choose", "apply", "lowering", "code")
CODE = ("object", "ptx", "export", "load")  # beyond kernel IR


def make_sum(count: int) -> Iterator[str]:
    arguments = ", ".join(f"%x{i}: {VECTOR}" for i in range(count + 1))
    yield f"fuser.fusion @f({arguments}) -> {VECTOR} {{"
    for i in range(count):
        yield f"%v{i} = fuser.add {f'%v{i - 1}' if i else '%x0'}, %x{i + 1} : {VECTOR}"
    yield f"fuser.return %v{count - 1} : {VECTOR}\n}}"


def make_rows(count: int) -> Iterator[str]:
    yield f"fuser.fusion @f(%x: {MATRIX}) -> {MATRIX} {{"
    current = "%x"
    for k in range(count // 3):
        yield f"%s{k} = fuser.max {current} dims [1] : {MATRIX} -> {VECTOR}"
        yield f"%b{k} = fuser.broadcast %s{k} dims [1] : {VECTOR} -> tensor<?x1xf32>"
        yield f"%d{k} = fuser.sub {current}, %b{k} : ({MATRIX}, tensor<?x1xf32>) -> {MATRIX}"
        current = f"%d{k}"
    yield f"fuser.return {current} : {MATRIX}\n}}"


def make_outputs(count: int) -> Iterator[str]:
    yield f"fuser.fusion @f(%x: {VECTOR}) -> ({', '.join([VECTOR] * count)}) {{"
    for i in range(count):
        yield f"%v{i} = fuser.{'exp' if i % 2 else 'neg'} {f'%v{i - 1}' if i else '%x'} : {VECTOR}"
    yield f"fuser.return {', '.join(f'%v{i}' for i in range(count))} : {', '.join([VECTOR] * count)}\n}}"


KINDS = segmentation.KINDS | {"sum": make_sum, "rows": make_rows, "outputs": make_outputs}


def measure(options: argparse.Namespace, text: str) -> list[str]:
    """Kernels and the milliseconds of each step, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.mlir"
        file.write_text(text)
        command = [options.fuser_run, str(file), f"--device={options.device}", "--default-size=8", "--repeat=1"]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=False)
        except subprocess.TimeoutExpired:
            return [f"over {options.limit} s"]
    if result.returncode != 0:
        return [(result.stderr.strip().splitlines() or ["fails"])[-1][:120]]
    line = re.search(r"^compile +(.*); total ([\d.]+) ms", result.stdout, re.MULTILINE)
    times = {name: float(value) for name, value in re.findall(r"(\w+) ([\d.]+)", line.group(1))}
    times["code"] = sum(times.pop(name, 0) for name in CODE)
    kernels = result.stdout.count(": grid ")
    return [str(kernels), *(f"{times.get(step, 0):.0f}" for step in STEPS), line.group(2)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="host", choices=["host", "cuda"])
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--limit", type=int, default=120, help="seconds that a program may take")
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("fuser_run", nargs="?", default="build/bin/fuser-run")
    options = parser.parse_args()
    print(f"| program | ops | kernels | {' | '.join(STEPS)} | total ms |\n|{'---|' * (len(STEPS) + 4)}")
    for kind in options.only.split(","):
        for size in map(int, options.sizes.split(",")):
            cells = measure(options, "\n".join(KINDS[kind](size)))
            print(f"| {kind} | {size} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
