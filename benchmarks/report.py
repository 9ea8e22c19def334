#!/usr/bin/env python3
"""Prints results of benchmarks/run.py as a Markdown table with a summary, compares two of them, and draws one.

usage: benchmarks/report.py RESULT.json [--compare=OLD.json] [--picture=FILE.svg]

Exits with 1 if a row failed, or --compare finds one that is slower than in OLD.json.
"""

import argparse
import dataclasses
import pathlib
import statistics
import sys
from collections.abc import Iterable

from picture import draw
from result import Result, check_device, read_result, share_of_copy, write_text
from table import Peers, Problem, Row, Table, read_peers, read_table

# Times are printed with one digit after the point.
RESOLUTION_US = 0.1
# The least difference that is reported, in percent.
LEAST_PERCENT = 1.0


# ----------------------------------------------------------------------------------------------------------------------
# Table and summary
# ----------------------------------------------------------------------------------------------------------------------

HEADER = "| program | type | shape | kernels | us | spread % | % of a copy | best peer | us / peer | compile ms |"
# One more, of results that have it.
PREDICTED = " predicted us |"
# How far a prediction is off that the summary counts.
FAR = 1.25


def number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def cells_of(row: Row, found: dict, result: Result, peers: Peers | None) -> list[str]:
    us = found.get("us")
    best = peers.best(row.key) if peers else None
    share = share_of_copy(found, us, result.copy_gbs) if us is not None else None
    return [
        row.key,
        row.type,
        row.shape,
        str(found.get("kernels", "-")),
        number(us, 1),
        number(found.get("spread"), 1),
        number(share, 1),
        f"{best[0]} {best[1]:.1f}" if best else "-",
        number(us / best[1], 3) if best and us is not None else "-",
        number(found.get("compile_ms"), 1),
    ]


def make_markdown(result: Result, table: Table, peers: Peers | None) -> str:
    predicted = any("predicted_us" in found for found in result.rows.values())
    header = HEADER + (PREDICTED if predicted else "")
    lines = [header, "|" + "---|" * (header.count("|") - 1)]
    for row in table.rows:
        if row.key in result.rows:
            found = result.rows[row.key]
            cells = cells_of(row, found, result, peers) + [number(found.get("predicted_us"), 1)] * predicted
            lines.append("| " + " | ".join(cells) + " |")
    return "".join(line + "\n" for line in lines)


def geometric_mean(values: Iterable[float]) -> str:
    values = list(values)
    return f"{statistics.geometric_mean(values):.3f}" if values else "-"


def name_all(items: Iterable[str]) -> str:
    return ", ".join(items) or "none"


def summarize(result: Result, table: Table, peers: Peers | None) -> list[str]:
    rows = [(row, result.rows[row.key]) for row in table.rows if row.key in result.rows]
    timed = [(row, found) for row, found in rows if "us" in found]
    large = [(row, found) for row, found in timed if row.size in ("large", "wide")]
    shares = [share for _, found in large if (share := share_of_copy(found, found["us"], result.copy_gbs))]
    lines = [f"{len(timed)} of {len(rows)} rows timed on {result.device or 'no device'}, commit {result.commit}"]
    if shares:
        mean = statistics.geometric_mean(shares)
        lines.append(f"share of a copy of {result.copy_gbs:.0f} GB/s: {mean:.1f} % ({len(shares)} large and wide rows)")
    ratios = {row.key: found["us"] / best[1] for row, found in timed if peers and (best := peers.best(row.key))}
    if ratios:
        counts = [sum(limit(ratio) for ratio in ratios.values()) for limit in (lambda r: r > 1.03, lambda r: r < 0.9)]
        slow = sorted((key for key in ratios if ratios[key] > 1.03), key=lambda key: -ratios[key])
        lines.append(
            f"time / best peer: {geometric_mean(ratios.values())} ({len(ratios)} rows); "
            f"{counts[0]} more than 3 % slower, {counts[1]} more than 10 % faster"
        )
        lines.append("slower: " + name_all(f"{key} {ratios[key]:.2f}" for key in slow))
    errors = {row.key: found["us"] / found["predicted_us"] for row, found in timed if found.get("predicted_us")}
    if errors:
        far = [f"{key} {error:.2f}" for key, error in errors.items() if not 1 / FAR <= error <= FAR]
        lines.append(f"measured / predicted: {geometric_mean(errors.values())}; off by more than 25 %: {name_all(far)}")
    compiled = [found["compile_ms"] for _, found in rows if "compile_ms" in found]
    if compiled:
        lines.append(f"compile time: median {statistics.median(compiled):.0f} ms, most {max(compiled):.0f} ms")
    several = [f"{row.key} {found['kernels']}" for row, found in rows if found.get("kernels", 0) > 1]
    lines.append("more than one kernel: " + name_all(several))
    lines.append("fallbacks: " + name_all(row.key for row, found in rows if found.get("fallbacks")))
    lines.append("failed: " + name_all(row.key for row, found in rows if "error" in found))
    return lines


# ----------------------------------------------------------------------------------------------------------------------
# Comparison
# ----------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Comparison:
    """Rows of two results by what became of them; changes are in percent of the old time."""

    slower: dict[str, float] = dataclasses.field(default_factory=dict)
    faster: dict[str, float] = dataclasses.field(default_factory=dict)
    same: int = 0
    failed: list[str] = dataclasses.field(default_factory=list)
    only_old: list[str] = dataclasses.field(default_factory=list)
    only_new: list[str] = dataclasses.field(default_factory=list)

    def is_bad(self) -> bool:
        return bool(self.slower or self.failed)


def tolerance(old: dict, new: dict) -> float:
    """What two times of the same code differ by, in percent: the larger spread, and at least what can be seen."""
    return max(old.get("spread", 0), new.get("spread", 0), LEAST_PERCENT, 100 * RESOLUTION_US / old["us"])


def compare(old: Result, new: Result, argument: str = "--compare") -> Comparison:
    check_device(old, new, argument)
    found = Comparison()
    for key, row in old.rows.items():
        if not row.get("us"):
            continue
        after = new.rows.get(key)
        if after is None:
            found.only_old.append(key)
        elif "us" not in after:
            found.failed.append(key)
        else:
            change = 100 * (after["us"] / row["us"] - 1)
            if abs(change) <= tolerance(row, after) + 1e-9:
                found.same += 1
            else:
                (found.slower if change > 0 else found.faster)[key] = change
    found.only_new = [key for key, row in new.rows.items() if "us" in row and not old.rows.get(key, {}).get("us")]
    return found


def print_comparison(found: Comparison, old: Result, new: Result) -> list[str]:
    lines = [f"compared with {old.commit} of {old.date}: {found.same} rows differ by no more than the spread"]
    for title, changes in (("slower", found.slower), ("faster", found.faster)):
        lines.append(f"{title}: {len(changes)}")
        for key, change in sorted(changes.items(), key=lambda item: -abs(item[1])):
            before, after = old.rows[key], new.rows[key]
            times = f"{before['us']:.1f} to {after['us']:.1f} us"
            lines.append(f"  {key}: {times}, {change:+.1f} % (spread {tolerance(before, after):.1f} %)")
    for title, keys in (("fail now", found.failed), ("only before", found.only_old), ("only now", found.only_new)):
        if keys:
            lines.append(f"{title}: {', '.join(keys)}")
    return lines


# ----------------------------------------------------------------------------------------------------------------------


def report(result: Result, table: Table, picture: pathlib.Path | None, old: Result | None) -> int:
    """Prints the table, the summary and the comparison, and draws the picture; the exit code."""
    peers = read_peers(result.device)
    print(make_markdown(result, table, peers))
    print("\n".join(summarize(result, table, peers)))
    if picture:
        write_text(picture, draw(result, table, peers), "--picture")
    status = 1 if any("error" in row for row in result.rows.values()) else 0
    if old:
        found = compare(old, result)
        print("\n".join(["", *print_comparison(found, old, result)]))
        status = max(status, int(found.is_bad()))
    return status


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--compare", type=pathlib.Path, metavar="OLD.json", help="says which rows became slower")
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE.svg", help="draws the share of the copy rate")
    options = parser.parse_args(arguments)
    try:
        result = read_result(options.result, "")
        old = read_result(options.compare, "--compare") if options.compare else None
        return report(result, read_table(), options.picture, old)
    except Problem as problem:
        print(f"report.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
