"""Prints what segmentation makes of the fusions that benchmarks/padding.sh times, as a Markdown table.

Sizes are those of that script.

usage: benchmarks/explain.py [FUSER_EXPLAIN]   (default build/bin/fuser-explain); no GPU is needed
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"^(\w+) +\|[^|]*\| (--sizes=\S+)", re.M)


def main() -> None:
    fuser_explain = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/bin/fuser-explain")
    print("| fusion | ops | kernels | questions | GB | predicted us | unfused kernels | unfused GB | unfused us |")
    print("|---|---|---|---|---|---|---|---|---|")
    for fusion, sizes in ROW.findall((ROOT / "benchmarks/padding.sh").read_text()):
        file = str(ROOT / f"test/Segmentation/Programs/{fusion}.mlir")
        command = [fuser_explain, file, "--target=h200", "--format=json", sizes]
        report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        cells = [fusion, len(report["ops"]), report["fused"]["kernels"], report["counts"]["queries"]]
        for key in ("fused", "unfused"):
            totals = report[key]
            gigabytes = (totals["bytes_read"] + totals["bytes_written"]) / 1e9
            cells += [totals["kernels"]] if key == "unfused" else []
            cells += [f"{gigabytes:.2f}", f"{totals['microseconds']:.0f}"]
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


if __name__ == "__main__":
    main()
