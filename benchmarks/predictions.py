"""Sets the times that fuser-explain predicts beside those that were measured on one NVIDIA H200.

usage: benchmarks/predictions.py [FUSER_EXPLAIN]   (default build/bin/fuser-explain)

Reads the first table of benchmarks/results/fusions-h200.md (fusion, shape, microseconds) and prints a Markdown table.
The prediction is of the kernels alone: what was measured are single calls, each after an idle device.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| (\w+) \| (\d+)x(\d+) \| ([\d.]+) \|", re.M)


def sizes_of(fusion: str, rows: str, columns: str) -> str:
    matrix = f"{rows}x{columns}"
    vectors = {"scale_bias_relu": 2, "layer_norm": 2, "rms_norm": 1}.get(fusion, 0)
    return ",".join([matrix] * (2 if fusion == "mul" else 1) + [columns] * vectors)


def main() -> None:
    fuser_explain = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/bin/fuser-explain")
    measured = (ROOT / "benchmarks/results/fusions-h200.md").read_text().split("Text to loaded kernel")[0]
    print(
        "| fusion | shape | measured us | predicted us | error % | unfused, predicted us |\n|---|---|---|---|---|---|"
    )
    for fusion, rows, columns, microseconds in ROW.findall(measured):
        command = [fuser_explain, str(ROOT / f"examples/{fusion}.mlir"), "--target=h200", "--format=json"]
        command.append(f"--sizes={sizes_of(fusion, rows, columns)}")
        report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        predicted = sum(segment["microseconds"] for segment in report["segments"])
        error = 100 * (predicted / float(microseconds) - 1)
        unfused = report["unfused"]["microseconds"]
        print(f"| {fusion} | {rows}x{columns} | {microseconds} | {predicted:.1f} | {error:+.0f} | {unfused:.0f} |")


if __name__ == "__main__":
    main()
