"""Stops programs between any two passes, does something that must not matter, goes on, and compares.

usage: check_stages.py strip|clean SCRATCH FILE...

A file is one module of fusions. Its way is every pass of fuser-to-kernel-ir, one by one. Before each pass,
  strip  fuser-strip-hints runs: results and required strides stay, because a hint is advice (S0.3);
  clean  --canonicalize --cse --symbol-dce --remove-dead-values run: results stay, and the kernels with their parameters
         and domains do too.
A way that ends in the text of the undisturbed one is the same; otherwise every program runs on the host device.
Prints one line per fault, then how often it went on and how often the end was another text. Exits with 1 where there is
a fault.
"""

import array
import math
import pathlib
import re
import subprocess
import sys

DISTURBANCES = {
    "strip": ["fuser-strip-hints"],
    "clean": ["canonicalize", "cse", "symbol-dce", "remove-dead-values"],
}


def run(*command: object, **options) -> subprocess.CompletedProcess:
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode:
        sys.exit(f"fault: {' '.join(map(str, command))}\n{result.stderr}")
    return result


def optimize(text: str, passes: list[str]) -> str:
    return run("fuser-opt", "-", f"--pass-pipeline=builtin.module({','.join(passes)})", input=text).stdout


def split_pipeline(text: str) -> list[str]:
    """The elements of a textual pipeline at its top level."""
    elements, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and depth == 0:
            elements.append(text[start:position])
            start = position + 1
    return [*elements, text[start:]]


def get_passes() -> list[str]:
    """Every pass of fuser-to-kernel-ir, as an element of a pipeline of modules."""
    report = run("fuser-opt", "-", "--fuser-to-kernel-ir", "--dump-pass-pipeline", input="").stderr
    pipeline = re.sub(r"\s*\n\s*", "", report)
    passes = []
    for element in split_pipeline(re.search(r"builtin\.module\((.*)\)$", pipeline)[1]):
        nested = re.fullmatch(r"(fuser\.\w+)\((.*)\)", element)
        passes += [f"{nested[1]}({inner})" for inner in split_pipeline(nested[2])] if nested else [element]
    return passes


def get_requirements(text: str, name: str) -> list[int]:
    """The outputs of a host function that have a required order."""
    found = re.search(rf"fuser\.host @{name}\(.*?output_orders = \[(.*?)\]", text)
    orders = re.findall(r"array<[^>]*>|unit", found[1]) if found else []
    return [output for output, order in enumerate(orders) if order != "unit"]


def evaluate(text: str, name: str, scratch: pathlib.Path) -> tuple[list[bytes], list[str]]:
    """The files of the outputs and their strides."""
    for old in scratch.glob("output*"):
        old.unlink()
    file = scratch / "kernel-ir.mlir"
    file.write_text(text)
    save = f"--save-output={scratch / 'output.npy'}"
    report = run("fuser-run", file, "--start-from=lowering", "--device=host", f"--program={name}", save).stdout
    strides = re.findall(r" \d+: \S+, strides \[([^\]]*)\]", report)
    return [path.read_bytes() for path in sorted(scratch.glob("output*"))], strides


def is_close(actual: bytes, expected: bytes) -> bool:
    """Equal files, or files of f32 whose elements differ by rounding: another order may sum in another order."""
    if actual == expected:
        return True
    size = expected.index(b"\n") + 1
    if b"<f4" not in expected[:size] or actual[:size] != expected[:size]:
        return False
    pairs = zip(array.array("f", actual[size:]), array.array("f", expected[size:]), strict=True)
    return all(math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-5) for a, b in pairs)


def get_kernels(text: str) -> list[str]:
    """The kernels; their constants, which upstream's passes unite and reorder, come last."""
    kernels = re.findall(r"^  fuser\.kernel .*?^  }$", optimize(text, ["cse"]), re.MULTILINE | re.DOTALL)
    return ["\n".join(sorted(kernel.split("\n"), key=get_constant)) for kernel in kernels]


def get_constant(line: str) -> str:
    return line if " = arith.constant " in line else ""


def find_faults(text: str, undisturbed: str, name: str, scratch: pathlib.Path) -> list[str]:
    expected, wanted = evaluate(undisturbed, name, scratch)
    actual, strides = evaluate(text, name, scratch)
    faults = [
        f"output {output} has other elements"
        for output, (have, want) in enumerate(zip(actual, expected, strict=True))
        if not is_close(have, want)
    ]
    return faults + [
        f"output {output} has strides [{strides[output]}], but is required to have [{wanted[output]}]"
        for output in get_requirements(undisturbed, name)
        if strides[output] != wanted[output]
    ]


def main() -> int:
    mode, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    passes = get_passes()
    applied = next(i for i, element in enumerate(passes) if element.startswith("fuser-apply-schedules")) + 1
    faults = resumed = different = 0
    for file in map(pathlib.Path, sys.argv[3:]):
        states = [run("fuser-opt", file).stdout]
        for element in passes:
            states.append(optimize(states[-1], [element]))
        for position, state in enumerate(states[:-1]):
            disturbed = optimize(state, DISTURBANCES[mode])
            resumed += 1
            if disturbed == state:
                continue
            found = []
            if position < applied:
                disturbed = optimize(disturbed, passes[position:applied])
                if mode == "clean" and get_kernels(disturbed) != get_kernels(states[applied]):
                    found.append(f"{file.name}: other schedules")
            end = optimize(disturbed, passes[max(position, applied) :])
            if end != states[-1]:
                different += 1
                for name in re.findall(r"fuser\.host @(\w+)", states[-1]):
                    found += [f"{file.name} @{name}: {fault}" for fault in find_faults(end, states[-1], name, scratch)]
            for fault in found:
                print(f"fault: before {passes[position]}: {fault}")
            faults += len(found)
    print(f"{resumed} times resumed, {different} times to another end, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
