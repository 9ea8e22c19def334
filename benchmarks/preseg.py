"""Times the preseg passes on generated fusions of 100 to 10,000 ops.

usage: benchmarks/preseg.py [--opt build/bin/fuser-opt] [--runs 5] [--print OPS]

A fusion is a chain of motifs, each of which one pass rewrites (casts there and back, a broadcast that is squeezed,
slices that are joined, a pad of a pad, an outer product, a repeated row, a gather of a cast), and as many
ops that nothing applies to. Layouts have work too: an argument is column-major, so that every value gets a hint, one in
a hundred ops asks for an order of its own, and as many are outputs, with a required order or as views of an argument.
Times are those of --mlir-timing, the best of the runs for each pass, without parsing and printing. --print writes a
generated fusion instead.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

ROWS = "tensor<?x64xf32>"


def motif(kind: int, x: str, new) -> tuple[list[str], str]:
    """The ops of one motif on the value `x` (of type ROWS), and the value that it ends with."""
    ops = []

    def op(text: str) -> str:
        name = new()
        ops.append(f"  {name} = {text}")
        return name

    if kind == 0:
        a = op(f"fuser.cast {x} : {ROWS} to tensor<?x64xf64>")
        x = op(f"fuser.cast {a} : tensor<?x64xf64> to {ROWS}")
    elif kind == 1:
        a = op(f"fuser.broadcast {x} dims [1] : {ROWS} -> tensor<?x1x64xf32>")
        x = op(f"fuser.squeeze {a} dims [1] : tensor<?x1x64xf32> -> {ROWS}")
    elif kind == 2:
        a = op(f"fuser.slice {x} [0, 0] [%n, 24] : {ROWS} -> tensor<?x24xf32>")
        b = op(f"fuser.slice {x} [0, 24] [%n, 40] : {ROWS} -> tensor<?x40xf32>")
        c, d = op(f"fuser.exp {a} : tensor<?x24xf32>"), op(f"fuser.exp {b} : tensor<?x40xf32>")
        x = op(f"fuser.cat {c}, {d} dim 1 : (tensor<?x24xf32>, tensor<?x40xf32>) -> {ROWS}")
    elif kind == 3:
        a = op(f"fuser.pad {x} low [0, 1] high [0, 0] value %zero : {ROWS}, f32 -> tensor<?x65xf32>")
        b = op(f"fuser.relu {a} : tensor<?x65xf32>")
        x = op(f"fuser.pad {b} low [0, 0] high [0, -1] value %zero : tensor<?x65xf32>, f32 -> {ROWS}")
    elif kind == 4:
        a = op(f"fuser.matmul %column, %row : tensor<?x1xf32>, tensor<1x64xf32> -> {ROWS}")
        x = op(f"fuser.add {x}, {a} : {ROWS}")
    elif kind == 5:
        a = op("fuser.repeat %row [2, 1] : tensor<1x64xf32> -> tensor<2x64xf32>")
        b = op("fuser.exp " + a + " : tensor<2x64xf32>")
        c = op(f"fuser.max {b} dims [0] : tensor<2x64xf32> -> tensor<64xf32>")
        d = op(f"fuser.broadcast {c} dims [0] : tensor<64xf32> -> tensor<1x64xf32>")
        x = op(f"fuser.mul {x}, {d} : ({ROWS}, tensor<1x64xf32>) -> {ROWS}")
    else:
        a = op("fuser.cast %table : tensor<1000x64xbf16> to tensor<1000x64xf32>")
        b = op(f"fuser.index_select {a}, %ids dim 0 : tensor<1000x64xf32>, tensor<?xi64> -> {ROWS}")
        x = op(f"fuser.add {x}, {b} : {ROWS}")
    return ops, x


def generate(count: int) -> str:
    """The text of a fusion of about `count` ops on tensors."""
    names = (f"%v{i}" for i in range(10 * count))
    ops, x, kind, outputs = [], "%x", 0, []
    while len(ops) < count:
        if len(ops) >= 100 * (len(outputs) + 1) // 3:
            hinted, required, view = next(names), next(names), next(names)
            ops.append(f"  {hinted} = fuser.stride_order {x} [1, 0] : {ROWS}")
            ops.append(f"  {required} = fuser.stride_order {hinted} [0, 1] : {ROWS}")
            ops.append(f"  {view} = fuser.permute %x [1, 0] : {ROWS} -> tensor<64x?xf32>")
            outputs += [(hinted, ROWS), (required, ROWS), (view, "tensor<64x?xf32>")]
            x = hinted
        more, x = motif(kind % 7, x, lambda: next(names))
        ops += more
        kind += 1
        for function in ("tanh", "abs", "exp"):
            name = next(names)
            ops.append(f"  {name} = fuser.{function} {x} : {ROWS}")
            x = name
    outputs.append((x, ROWS))
    values, types = (", ".join(output[i] for output in outputs) for i in (0, 1))
    return "\n".join(
        [
            f"fuser.fusion @f(%x: {ROWS}, %column: tensor<?x1xf32>, %row: tensor<1x64xf32>,",
            "                %table: tensor<1000x64xbf16>, %ids: tensor<?xi64>)",
            f"    -> ({types}) attributes {{arg_layouts = [#fuser.layout<order = [1, 0]>, unit, unit, unit, unit]}} {{",
            "  %c0 = arith.constant 0 : index",
            "  %zero = arith.constant 0.0 : f32",
            f"  %n = tensor.dim %x, %c0 : {ROWS}",
            *ops,
            f"  fuser.return {values} : {types}",
            "}",
            "",
        ]
    )


def measure(opt: str, count: int, runs: int) -> dict[str, float]:
    """Milliseconds of each pass, the best of the runs for each, and their "total"."""
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fusion.mlir"
        path.write_text(generate(count))
        command = [opt, str(path), "--fuser-preseg", "--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null"]
        command += ["--mlir-disable-threading", "--verify-each=0"]
        for _ in range(runs):
            report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
            times: dict[str, float] = {}
            for seconds, name in re.findall(r"^\s*([0-9.]+) \(\s*[0-9.]+%\)\s+(Fuser\w+)", report, re.MULTILINE):
                times[name] = times.get(name, 0) + 1000 * float(seconds)
            best = {name: min(time, best.get(name, time)) for name, time in times.items()}
    return best | {"total": sum(best.values())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", default="build/bin/fuser-opt")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--print", type=int, metavar="OPS")
    options = parser.parse_args()
    if options.print:
        print(generate(options.print), end="")
        return
    counts = (100, 1000, 3000, 10000)
    results = [measure(options.opt, count, options.runs) for count in counts]
    print("| pass | " + " | ".join(f"{count:,} ops" for count in counts) + " |")
    print("|---" * (len(counts) + 1) + "|")
    for name in results[-1]:
        print(f"| {name} | " + " | ".join(f"{result.get(name, 0):.1f}" for result in results) + " |")


if __name__ == "__main__":
    main()
