"""Runs every function that a RUN line of a file names by upstream's own loops and by fuser-run, on the same inputs.

usage: programs_against_upstream.py FILE WORKDIR

Sizes and ranges of arguments are those of the RUN lines (`--program`, `--size`, `--range`, `--scalar`); other integers
are of their whole range. Floats of functions that a line `// NAN: NAMES` names hold NaN. A line `// NUMPY: NAME =
EXPRESSION` gives the result of a function that upstream has no passes for, as an expression of its arguments.
"""

import itertools
import pathlib
import re
import shlex
import sys

import numpy as np
from against_upstream import LLVM, run

TOSA = (
    "func.func(tosa-to-linalg-named,canonicalize,tosa-to-linalg),tosa-to-arith{include-apply-rescale=true},"
    "tosa-to-tensor,canonicalize,"
)
LOWER = (
    "func.func(convert-elementwise-to-linalg),empty-tensor-to-alloc-tensor,"
    "one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops),"
    "convert-math-to-funcs{convert-ctlz=1},math-expand-ops{ops=rsqrt,fpowi},arith-expand{include-bf16=true},"
    "expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-math-to-llvm,convert-math-to-libm,"
    "finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
    "reconcile-unrealized-casts"
)
TYPES = {
    "f32": "f4",
    "f64": "f8",
    "f16": "f2",
    "i64": "i8",
    "i32": "i4",
    "i16": "i2",
    "i8": "i1",
    "i1": "?",
    "ui8": "u1",
    "index": "i8",
    "bf16": "f4",
}
# What a printing function takes: the type, and the op that converts an element of another one to it.
PRINTED = {
    "f32": "f32",
    "f64": "f64",
    "bf16": "f32",
    "f16": "f32",
    "i64": "i64",
    "i32": "i32",
    "i16": "i32",
    "i8": "i32",
    "i1": "i32",
}
CONVERTED = {"bf16": "arith.extf", "f16": "arith.extf", "i16": "arith.extsi", "i8": "arith.extsi", "i1": "arith.extui"}


def split_type(text: str) -> tuple[list[str], str]:
    """The sizes and the element type of `tensor<4x?xf32>`; no sizes of a scalar."""
    match = re.fullmatch(r"tensor<((?:[\d?]+x)*)(\w+)>", text)
    return (match.group(1).split("x")[:-1], match.group(2)) if match else ([], text)


def parse_functions(module: str) -> dict:
    functions = {}
    for name, arguments, results in re.findall(r"func\.func @(\w+)\((.*?)\) -> (.*?) \{\n", module):
        names = re.findall(r"%(\w+): ([^,]+(?:<[^>]*>)?)", arguments)
        functions[name] = (names, re.findall(r"tensor<[^>]*>", results))
    return functions


def parse_runs(text: str) -> dict:
    """The options of the first positive RUN line of each program."""
    runs = {}
    for line in re.findall(r"// RUN: fuser-run (.*?)(?:2>&1)? \|", text):
        words, options = shlex.split(line), {"size": {}, "range": {}, "scalar": {}}
        name = next((word[10:] for word in words if word.startswith("--program=")), None)
        for word, value in itertools.pairwise(words):
            if word[2:] in options:
                argument, _, setting = value.partition("=")
                options[word[2:]][argument] = setting
        if name and not (name in runs or any(re.search(r"(^|x)0(x|$)", size) for size in options["size"].values())):
            runs[name] = options
    return runs


def make_input(random, name: str, kind: str, options: dict, has_nan: bool) -> np.ndarray:
    sizes, element = split_type(kind)
    if name in options["scalar"]:
        return np.array(float(options["scalar"][name]), TYPES[element])
    if name in options["size"]:
        sizes = options["size"][name].split("x") if options["size"][name] else []
    sizes = list(map(int, sizes))
    low, high = map(int, options["range"].get(name, "0:0").split(":"))
    if element == "i1":
        return random.integers(0, 2, sizes).astype(bool)
    if element.startswith(("i", "ui")):
        info = np.iinfo(TYPES[element])
        return (
            random.integers(low, high, sizes, TYPES[element])
            if high
            else random.integers(info.min, info.max, sizes, TYPES[element])
        )
    value = random.uniform(low, high, sizes) if high else random.standard_normal(sizes)
    if has_nan:
        value[random.random(sizes) < 0.05] = np.nan
    value = value.astype(TYPES[element])
    if element == "bf16":  # rounded down
        value = (value.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    return value


def write_literal(value: np.ndarray, element: str) -> str:
    def write(number) -> str:
        if element == "i1":
            return "true" if number else "false"
        if element.startswith("i"):
            return str(number)
        if np.isnan(number):
            return {"f32": "0x7FC00000", "f64": "0x7FF8000000000000", "bf16": "0x7FC0"}[element]
        return f"{number:.17e}"

    def write_all(part: np.ndarray) -> str:
        return write(part[()]) if part.ndim == 0 else "[" + ", ".join(map(write_all, part)) + "]"

    return write_all(value)


def call(name: str, inputs: list, kinds: list[str], results: list[str]) -> list[str]:
    """Code that calls a function with constants and prints its results."""
    lines = []
    for index, (value, kind) in enumerate(zip(inputs, kinds, strict=True)):
        element = split_type(kind)[1]
        if not kind.startswith("tensor"):
            number = int(value) if element.startswith("i") else float(value)
            lines.append(f"%{name}_a{index} = arith.constant {number} : {kind}")
            continue
        shape = "x".join([*map(str, value.shape), element])
        lines.append(f"%{name}_c{index} = arith.constant dense<{write_literal(value, element)}> : tensor<{shape}>")
        lines.append(f"%{name}_a{index} = tensor.cast %{name}_c{index} : tensor<{shape}> to {kind}")
    operands = ", ".join(f"%{name}_a{index}" for index in range(len(inputs)))
    lines.append(
        f"%{name}_r:{len(results)} = func.call @{name}({operands}) : ({', '.join(kinds)}) -> ({', '.join(results)})"
    )
    for index, kind in enumerate(results):
        element, value = split_type(kind)[1], f"%{name}_r#{index}"
        printed = PRINTED[element]
        if element in CONVERTED:
            wide = kind.replace(element + ">", printed + ">")
            lines.append(f"%{name}_w{index} = {CONVERTED[element]} {value} : {kind} to {wide}")
            value, kind = f"%{name}_w{index}", wide
        lines.append(f"%{name}_u{index} = tensor.cast {value} : {kind} to tensor<*x{printed}>")
        lines.append(f"func.call @printMemref{printed.upper()}(%{name}_u{index}) : (tensor<*x{printed}>) -> ()")
    return lines


def run_upstream(module: str, calls: list[str]) -> list[np.ndarray]:
    prints = [
        f"func.func private @printMemref{kind.upper()}(tensor<*x{kind}>)" for kind in sorted(set(PRINTED.values()))
    ]
    text = "\n".join([module, *prints, "func.func @fuser_test_main() {", *calls, "return", "}"])
    passes = TOSA + LOWER if "tosa." in module else LOWER
    lowered = run([LLVM / "bin/mlir-opt", f"--pass-pipeline=builtin.module({passes})"], text)
    libraries = [f"--shared-libs={LLVM}/lib/libmlir_{kind}_utils.so" for kind in ("runner", "c_runner")]
    printed = run([LLVM / "bin/mlir-runner", "-e", "fuser_test_main", "--entry-point-result=void", *libraries], lowered)
    values = []
    for part in printed.split("Unranked Memref")[1:]:
        shape = [int(size) for size in re.search(r"sizes = \[([^\]]*)\]", part).group(1).replace(",", " ").split()]
        numbers = re.findall(r"-?(?:nan|inf|\d[\d.e+-]*)", part[part.index("data =") :])
        is_integer = all(re.fullmatch(r"-?\d+", number) for number in numbers)
        values.append(
            np.array(
                [int(n) if is_integer else float(n) for n in numbers], np.int64 if is_integer else np.float64
            ).reshape(shape)
        )
    return values


def run_fuser(
    file: str, name: str, names: list[str], inputs: list, kinds: list[str], count: int, work: pathlib.Path
) -> list:
    command = ["fuser-run", file, f"--program={name}", "--device=host", f"--save-output={work}/out.npy"]
    for argument, value, kind in zip(names, inputs, kinds, strict=True):
        if not kind.startswith("tensor"):
            command.append(f"--scalar={argument}={value if kind.startswith(('f', 'bf')) else int(value)}")
            continue
        path = work / f"{argument}.npy"
        if split_type(kind)[1] == "bf16":
            np.save(path, (value.view(np.uint32) >> np.uint32(16)).astype(np.uint16))
            command.append("--uint16-is-bf16")
        else:
            np.save(path, value)
        command.append(f"--input={argument}={path}")
    run(list(dict.fromkeys(command)))
    outputs = []
    for index in range(count):
        value = np.load(work / (f"out.{index}.npy" if count > 1 else "out.npy"))
        if value.dtype.str == "|V2":
            value = (value.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32).reshape(value.shape)
        outputs.append(value)
    return outputs


def main(file: str, work_name: str) -> None:
    work = pathlib.Path(work_name)
    work.mkdir(parents=True, exist_ok=True)
    text = pathlib.Path(file).read_text()
    functions, random = parse_functions(text), np.random.default_rng(1)
    with_nan = set(" ".join(re.findall(r"// NAN: (.*)", text)).split())
    numpy = dict(re.findall(r"// NUMPY: (\w+) = (.*)", text))
    module, cases, calls = text, [], []
    for name in numpy:
        module = re.sub(rf"(?ms)^func\.func @{name}\(.*?^\}}\n", "", module)
    for name, options in parse_runs(text).items():
        arguments, results = functions[name]
        names, kinds = [argument for argument, _ in arguments], [kind for _, kind in arguments]
        inputs = [make_input(random, argument, kind, options, name in with_nan) for argument, kind in arguments]
        cases.append((name, names, inputs, kinds, results))
        if name not in numpy:
            calls += call(name, inputs, kinds, results)
    upstream = iter(run_upstream(module, calls)) if calls else iter([])
    for name, names, inputs, kinds, results in cases:
        expected = (
            [eval(numpy[name], {"np": np}, dict(zip(names, inputs, strict=True)))]
            if name in numpy
            else [next(upstream) for _ in results]
        )
        actual = run_fuser(file, name, names, inputs, kinds, len(results), work)
        for have, want, kind in zip(actual, expected, results, strict=True):
            element = split_type(kind)[1]
            if element.startswith("i"):
                np.testing.assert_array_equal(have.astype(np.int64), np.asarray(want).astype(np.int64), err_msg=name)
            else:
                tolerance = 1e-2 if element in ("bf16", "f16") else 2e-4
                np.testing.assert_allclose(have, want, rtol=tolerance, atol=tolerance / 10, err_msg=name)
        print(f"{name}: agrees")
    print(f"{len(cases)} functions agree with {'numpy' if not calls else 'upstream'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
