"""Measures how long segmentation takes, on fusions of growing size.

usage: benchmarks/segmentation.py [FUSER_OPT]   (default build/bin/fuser-opt)

Five kinds of fusions: independent adds (one kernel each), a chain that one kernel takes, a chain that ends in a
mean and a sum over different dimensions (taken apart and merged again), blocks of softmax over alternating
dimensions with residuals, and updates of tensors of two ranks as an optimizer does them (one kernel each).
Prints a Markdown table: ops, kernels, and milliseconds of fuser-segment-fusions (the least of three runs).
"""

import re
import subprocess
import sys
from collections.abc import Iterator

MATRIX, VECTOR = "tensor<?x?xf32>", "tensor<?xf32>"


def make_adds(count: int) -> Iterator[str]:
    arguments = ", ".join(f"%x{i}: {VECTOR}" for i in range(count))
    types = ", ".join([VECTOR] * count)
    yield f"fuser.fusion @f({arguments}) -> ({types}) {{"
    for i in range(count):
        yield f"%v{i} = fuser.add %x{i}, %x{i} : {VECTOR}"
    yield f"fuser.return {', '.join(f'%v{i}' for i in range(count))} : {types}\n}}"


def make_links(count: int) -> Iterator[str]:
    yield f"%v0 = fuser.relu %x : {MATRIX}"
    for i in range(1, count):
        yield f"%v{i} = fuser.{'exp' if i % 2 else 'neg'} %v{i - 1} : {MATRIX}"


def make_chain(count: int) -> Iterator[str]:
    yield f"fuser.fusion @f(%x: {MATRIX}) -> {MATRIX} {{"
    yield from make_links(count)
    yield f"fuser.return %v{count - 1} : {MATRIX}\n}}"


def make_refused(count: int) -> Iterator[str]:
    yield f"fuser.fusion @f(%x: {MATRIX}) -> ({VECTOR}, {VECTOR}) {{"
    yield from make_links(count - 2)
    for dim, name in enumerate("ab"):
        op = "mean" if dim == 0 else "sum"
        yield f"%{name} = fuser.{op} %v{count - 3} dims [{dim}] : {MATRIX} -> {VECTOR}"
    yield f"fuser.return %a, %b : {VECTOR}, {VECTOR}\n}}"


def make_blocks(count: int) -> Iterator[str]:
    yield f"fuser.fusion @f(%x: {MATRIX}, %w: {MATRIX}) -> {MATRIX} {{"
    current = "%x"
    for k in range(count // 10):
        dim = k % 2
        wide = "tensor<?x1xf32>" if dim else "tensor<1x?xf32>"
        yield f"%m{k} = fuser.max {current} dims [{dim}] : {MATRIX} -> {VECTOR}"
        yield f"%n{k} = fuser.broadcast %m{k} dims [{dim}] : {VECTOR} -> {wide}"
        yield f"%d{k} = fuser.sub {current}, %n{k} : ({MATRIX}, {wide}) -> {MATRIX}"
        yield f"%e{k} = fuser.exp %d{k} : {MATRIX}"
        yield f"%s{k} = fuser.sum %e{k} dims [{dim}] : {MATRIX} -> {VECTOR}"
        yield f"%t{k} = fuser.broadcast %s{k} dims [{dim}] : {VECTOR} -> {wide}"
        yield f"%y{k} = fuser.div %e{k}, %t{k} : ({MATRIX}, {wide}) -> {MATRIX}"
        yield f"%z{k} = fuser.add %y{k}, %w : {MATRIX}"
        yield f"%q{k} = fuser.relu %z{k} : {MATRIX}"
        yield f"%o{k} = fuser.mul %q{k}, {current} : {MATRIX}"
        current = f"%o{k}"
    yield f"fuser.return {current} : {MATRIX}\n}}"


def make_lists(count: int) -> Iterator[str]:
    parts = range(count // 10)
    types = ["tensor<?xf32>" if i % 2 else "tensor<?x?xf32>" for i in parts]
    arguments = ", ".join(f"%{name}{i}: {types[i]}" for i in parts for name in "pgmv")
    results = ", ".join(types[i] for i in parts for _ in range(3))
    yield f"fuser.fusion @f({arguments}, %lr: f32, %b: f32, %c: f32) -> ({results}) {{"
    for i in parts:
        t = types[i]
        yield f"%a{i} = fuser.mul %m{i}, %b : ({t}, f32) -> {t}"
        yield f"%d{i} = fuser.mul %g{i}, %c : ({t}, f32) -> {t}"
        yield f"%x{i} = fuser.add %a{i}, %d{i} : {t}"
        yield f"%e{i} = fuser.mul %g{i}, %g{i} : {t}"
        yield f"%h{i} = fuser.mul %v{i}, %b : ({t}, f32) -> {t}"
        yield f"%y{i} = fuser.add %h{i}, %e{i} : {t}"
        yield f"%s{i} = fuser.sqrt %y{i} : {t}"
        yield f"%q{i} = fuser.div %x{i}, %s{i} : {t}"
        yield f"%r{i} = fuser.mul %q{i}, %lr : ({t}, f32) -> {t}"
        yield f"%z{i} = fuser.sub %p{i}, %r{i} : {t}"
    yield f"fuser.return {', '.join(f'%{name}{i}' for i in parts for name in 'zxy')} : {results}\n}}"


KINDS = {"adds": make_adds, "chain": make_chain, "refused": make_refused, "blocks": make_blocks, "lists": make_lists}


def measure(fuser_opt: str, text: str) -> tuple[int, float]:
    """Kernels and milliseconds."""
    best = float("inf")
    for _ in range(3):
        command = [fuser_opt, "-", "--fuser-segment-fusions", "--mlir-timing"]
        result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        seconds = re.search(r"([\d.]+) \([^)]*\)\s+FuserSegmentFusions", result.stderr)
        best = min(best, 1000 * float(seconds.group(1)))
    return result.stdout.count("fuser.kernel @"), best


def main() -> None:
    fuser_opt = sys.argv[1] if len(sys.argv) > 1 else "build/bin/fuser-opt"
    print("| fusion | ops | kernels | ms |\n|---|---|---|---|")
    for kind, make in KINDS.items():
        for count in (100, 1000, 10000):
            kernels, milliseconds = measure(fuser_opt, "\n".join(make(count)))
            print(f"| {kind} | {count} | {kernels} | {milliseconds:.1f} |")


if __name__ == "__main__":
    main()
