"""Runs a file of linalg by upstream's own loops and by fuser, on the same random inputs, and compares.

usage: against_upstream.py FILE WORKDIR SIZES...       SIZES: one 4x128 for each argument, all of f32

Compared are: the file by upstream (mlir-opt to LLVM, mlir-runner), the file by fuser-run on the host device, what
`fuser-convert-fuser-to-linalg` makes of the converted file by upstream, and that, converted again, by fuser-run.
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

LLVM = pathlib.Path("/usr/lib/llvm-22")
TOSA = "func.func(tosa-to-linalg-named,canonicalize,tosa-to-linalg),tosa-to-arith,tosa-to-tensor,canonicalize,"
LOWER = (
    "empty-tensor-to-alloc-tensor,"
    "one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops),"
    "math-expand-ops{ops=rsqrt,fpowi},expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-math-to-llvm,"
    "convert-math-to-libm,finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts"
)


def run(command: list, text: str | None = None) -> str:
    result = subprocess.run([str(part) for part in command], input=text, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr[-3000:]}")
    return result.stdout


def add_main(module: str, name: str, inputs: list[np.ndarray], arguments: list[str], result: str) -> str:
    """`module` with a function that calls @name with the inputs and prints the result."""
    lines = ["func.func private @printMemrefF32(tensor<*xf32>)", "func.func @fuser_test_main() {"]
    for index, (value, argument) in enumerate(zip(inputs, arguments, strict=True)):
        shape = "x".join([*map(str, value.shape), "f32"])
        literal = np.array2string(value, separator=",", threshold=sys.maxsize, formatter={"float": "{:.9e}".format})
        lines.append(f"%c{index} = arith.constant dense<{literal}> : tensor<{shape}>")
        lines.append(f"%a{index} = tensor.cast %c{index} : tensor<{shape}> to {argument}")
    operands = ", ".join(f"%a{index}" for index in range(len(inputs)))
    lines.append(f"%r = func.call @{name}({operands}) : ({', '.join(arguments)}) -> {result}")
    lines += [
        f"%u = tensor.cast %r : {result} to tensor<*xf32>",
        "func.call @printMemrefF32(%u) : (tensor<*xf32>) -> ()",
    ]
    main = "\n".join([*lines, "return", "}"])
    body, resources = re.fullmatch(r"(.*?)(\{-#.*)?", module, re.DOTALL).groups()
    end = body.rstrip()
    if re.match(r"(#.*\n)*module", end):
        end = end.removesuffix("}") + main + "\n}"
    else:
        end += "\n" + main
    return end + "\n" + (resources or "")


def parse_memref(text: str) -> np.ndarray:
    shape = [int(size) for size in re.search(r"sizes = \[([^\]]*)\]", text).group(1).replace(",", " ").split()]
    numbers = re.findall(r"-?(?:nan|inf|\d[\d.e+-]*)", text[text.index("data =") :])
    return np.array(numbers, np.float64).reshape(shape)


def run_upstream(module: str, inputs: list[np.ndarray], name: str | None = None) -> np.ndarray:
    pattern = r"func\.func (?:public )?@(" + (name or r"\w+") + r")\((.*?)\) -> (tensor<[^>]*>)"
    name, arguments, result = re.search(pattern, module).groups()
    text = add_main(module, name, inputs, re.findall(r"tensor<[^>]*>", arguments), result)
    passes = (TOSA if "tosa." in text else "") + LOWER
    if "tensor.concat" in text:
        library = pathlib.Path(__file__).with_name("decompose-concat.mlir")
        passes = f"transform-preload-library{{transform-library-paths={library}}},transform-interpreter,{passes}"
    lowered = run([LLVM / "bin/mlir-opt", f"--pass-pipeline=builtin.module({passes})"], text)
    libraries = [f"--shared-libs={LLVM}/lib/libmlir_{kind}_utils.so" for kind in ("runner", "c_runner")]
    command = [LLVM / "bin/mlir-runner", "-e", "fuser_test_main", "--entry-point-result=void", *libraries]
    return parse_memref(run(command, lowered))


def run_fuser(file: pathlib.Path, inputs: list[np.ndarray], work: pathlib.Path) -> np.ndarray:
    options = []
    for index, value in enumerate(inputs):
        np.save(work / f"in{index}.npy", value)
        options.append(f"--input={index}={work}/in{index}.npy")
    run(["fuser-run", file, "--device=host", f"--save-output={work}/out.npy", *options])
    return np.load(work / "out.npy").astype(np.float64)


def main(file: str, work_name: str, *sizes: str) -> None:
    work = pathlib.Path(work_name)
    work.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    inputs = [random.standard_normal(list(map(int, size.split("x"))), dtype=np.float32) for size in sizes]
    module = pathlib.Path(file).read_text()
    want = run_upstream(module, inputs)
    if want.size and want.std() == 0:
        sys.exit("expected a result that depends on its inputs")

    passes = (TOSA if "tosa." in module else "") + "fuser-convert-linalg-to-fuser{strict drop-asserts}"
    passes += ",fuser-convert-fuser-to-linalg{strict}"
    back = work / "back.mlir"
    back.write_text(run(["fuser-opt", f"--pass-pipeline=builtin.module({passes})", file]))
    results = {"fuser": run_fuser(pathlib.Path(file), inputs, work)}
    name = re.search(r"func\.func (?:public )?@(\w+)", module).group(1)
    results["back to linalg, upstream"] = run_upstream(back.read_text(), inputs, name)
    results["back to linalg, fuser"] = run_fuser(back, inputs, work)
    for name, have in results.items():
        # Upstream prints six digits, and sums in another order.
        np.testing.assert_allclose(have, want, rtol=2e-4, atol=2e-5, err_msg=name)
        print(f"{name}: agrees with upstream, {have.size} elements")
    np.testing.assert_array_equal(results["fuser"], results["back to linalg, fuser"])
    print("both by fuser: equal")


if __name__ == "__main__":
    main(*sys.argv[1:])
