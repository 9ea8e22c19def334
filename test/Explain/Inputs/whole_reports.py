"""Prints what fuser-explain says of programs, all of it: for whole-reports.test.

usage: whole_reports.py TESTS, the folder test/; after a justified change: "whole_reports.py .. > whole-reports.txt"
"""

import pathlib
import subprocess
import sys

CASES = (
    ("text svg", "../examples/softmax.mlir", "--target=h200", "--sizes=16384x16384"),
    (
        "text svg remarks",
        "Explain/boundaries.mlir",
        "--program=mixed",
        "--target=h200",
        "--sizes=4096x4096,4096x4096,4096x4096",
    ),
    ("text svg remarks", "Explain/boundaries.mlir", "--program=marked"),
    ("text svg", "Explain/boundaries.mlir", "--program=circle"),
    ("text svg", "Explain/batches.mlir", "--target=h200"),
    ("text", "Explain/candidates.mlir", "--program=transposed", "--target=h200", "--sizes=4096x4096,4096x4096"),
    ("text svg", "Explain/candidates.mlir", "--program=cut", "--target=h200", "--sizes=1024x1024,1024x1024,1024x1024"),
    ("text svg", "Explain/layouts.mlir"),
    ("text svg", "Explain/views.mlir", "--program=heads"),
    ("text", "Explain/views.mlir", "--program=beside"),
    ("text svg", "Segmentation/Programs/joins_of_kernels.mlir", "--program=pad_softmax"),
    ("text", "Segmentation/Programs/joins_of_several.mlir", "--program=cat_sums"),
    ("text svg", "Segmentation/Programs/joins_of_kernels.mlir", "--program=crop"),
    ("text", "Segmentation/Programs/fills_with_two_inserts.mlir", "--program=columns"),
    ("text svg", "Segmentation/Programs/streams_of_chains.mlir", "--program=chains", "--sizes=64x64,64x64"),
    ("text svg", "Segmentation/outline-copies.mlir", "--program=transposed"),
    ("text", "Segmentation/outline-copies.mlir", "--program=into", "--target=a100"),
    ("text svg", "Explain/Inputs/chain.mlir", "--target=h200"),
)


def main():
    tests = pathlib.Path(sys.argv[1])
    for formats, file, *options in CASES:
        for form in formats.split():
            how = "--remarks" if form == "remarks" else f"--format={form}"
            print("====", file, *options, how, flush=True)
            command = ["fuser-explain", pathlib.PurePath(file).name, *options, how]
            done = subprocess.run(command, cwd=(tests / file).parent, capture_output=True, text=True)
            print(done.stdout + done.stderr)


if __name__ == "__main__":
    main()
