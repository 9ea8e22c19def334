"""Prints what fuser-explain says of programs, all of it: for whole-reports.test.

usage: whole_reports.py TESTS, the folder test/; after a justified change: "whole_reports.py .. > whole-reports.txt"
"""

import json
import pathlib
import subprocess
import sys

CASES = (
    ("text svg", "../examples/softmax.mlir", "--target=h200", "--sizes=16384x16384"),
    (
        "text svg remarks json",
        "Explain/boundaries.mlir",
        "--program=mixed",
        "--target=h200",
        "--sizes=4096x4096,4096x4096,4096x4096",
    ),
    ("text svg remarks", "Explain/boundaries.mlir", "--program=marked"),
    ("text svg", "Explain/boundaries.mlir", "--program=circle"),
    ("text svg json", "Explain/batches.mlir", "--target=h200"),
    ("text json", "Explain/candidates.mlir", "--program=transposed", "--target=h200", "--sizes=4096x4096,4096x4096"),
    ("text svg", "Explain/candidates.mlir", "--program=cut", "--target=h200", "--sizes=1024x1024,1024x1024,1024x1024"),
    ("text svg", "Explain/layouts.mlir"),
    ("text svg", "Explain/views.mlir", "--program=heads"),
    ("text", "Explain/views.mlir", "--program=beside"),
    ("text svg json", "Segmentation/Programs/joins_of_kernels.mlir", "--program=pad_softmax"),
    ("text", "Segmentation/Programs/joins_of_several.mlir", "--program=cat_sums"),
    ("text svg", "Segmentation/Programs/joins_of_kernels.mlir", "--program=crop"),
    ("text", "Segmentation/Programs/fills_with_two_inserts.mlir", "--program=columns"),
    ("text svg json", "Segmentation/Programs/streams_of_chains.mlir", "--program=chains", "--sizes=64x64,64x64"),
    ("text svg json", "Segmentation/outline-copies.mlir", "--program=transposed"),
    ("text", "Segmentation/outline-copies.mlir", "--program=into", "--target=a100"),
    ("text svg", "Explain/Inputs/chain.mlir", "--target=h200"),
)


def print_json(text):
    """One line for each member, and for each element of a list; numbers to six digits. Of the texts of kernels
    the number of their lines."""
    report = json.loads(text, parse_float=lambda number: float(f"{float(number):.6g}"))
    for kernel in report.pop("kernels"):
        for stage in kernel.pop("stages"):
            count, sources = stage["text"].count("\n"), stage["lines"]
            if stage["stage"] == "ptx":
                sources = len(sources)
            print(f"{kernel['name']} {stage['stage']}: {count} lines, sources {json.dumps(sources)}")
        print(f"kernel: {json.dumps(kernel)}")
    for name, value in report.items():
        for each in value if isinstance(value, list) else [value]:
            print(f"{name}: {json.dumps(each)}")


def main():
    tests = pathlib.Path(sys.argv[1])
    for formats, file, *options in CASES:
        for form in formats.split():
            how = "--remarks" if form == "remarks" else f"--format={form}"
            print("====", file, *options, how, flush=True)
            command = ["fuser-explain", pathlib.PurePath(file).name, *options, how]
            done = subprocess.run(command, cwd=(tests / file).parent, capture_output=True, text=True)
            if form == "json" and not done.returncode:
                print_json(done.stdout)
            else:
                print(done.stdout + done.stderr)


if __name__ == "__main__":
    main()
