#!/usr/bin/env python3
"""Times the programs of benchmarks/table.toml on a GPU, or checks them at small sizes.

usage: benchmarks/run.py [FUSER_RUN] [options]      (default build/bin/fuser-run; docs/benchmarks.md has examples)

Several fuser-run prepare inputs at the same time, and use the device one by one (fuser-run --timing-lock). Prints a
line per row as it ends, then what benchmarks/report.py prints. The output file is complete after each row, so that a
run that is cut short leaves what it has. Exits with 1 if a row fails or --compare finds a slower one, and with 2 for a
wrong argument.
"""

import argparse
import concurrent.futures
import contextlib
import datetime
import os
import pathlib
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence

from processes import Memory, Printed, Processes, available_memory, parse_batch, parse_explanation, parse_run
from report import report
from result import Result, check_device, read_result, share_of_copy, write_text
from table import ROOT, Check, Problem, Row, Table, read_peers, read_table, short_name

# Seconds that a row may take after the deadline, if it started before.
GRACE = 30
# Lines that a process checks: enough to hide the time in which it makes a context.
BATCH = 40
INTERRUPTED = 128 + signal.SIGINT


def git(*arguments: str) -> str | None:
    """What git prints; None where it fails, or is not there."""
    with contextlib.suppress(OSError):
        process = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
        return process.stdout.strip() if process.returncode == 0 else None
    return None


def find_commit() -> str:
    commit = git("rev-parse", "--short=8", "HEAD")
    changed = git("status", "--porcelain", "--untracked-files=no")
    return "unknown" if commit is None else commit + (" with changes" if changed else "")


# ----------------------------------------------------------------------------------------------------------------------
# Times
# ----------------------------------------------------------------------------------------------------------------------


class Timer:
    """Times rows of the table, some of them at the same time."""

    def __init__(self, options: argparse.Namespace, lock: pathlib.Path):
        self.options, self.lock = options, lock
        self.processes = Processes()
        self.begin = time.monotonic()
        self.memory = Memory(7 * available_memory() // 10)

    def command(self, row: Row) -> list[str | pathlib.Path]:
        return [self.options.fuser_run, *row.command.words(*fixed_options(self.options), f"--timing-lock={self.lock}")]

    def seconds_left(self) -> float:
        return self.options.deadline - (time.monotonic() - self.begin)

    def time_row(self, row: Row) -> Printed:
        bytes_needed = row.host_bytes()
        self.memory.take(bytes_needed)
        try:
            left = self.seconds_left()
            if left <= 0:
                return Printed({"error": "not started: the deadline has passed"}, "", None)
            printed = parse_run(self.processes.run(self.command(row), min(self.options.limit, left + GRACE)))
        finally:
            self.memory.give_back(bytes_needed)
        predicted = self.predict(row, printed.device) if self.options.explain and printed.device else None
        if predicted is not None:
            printed.row["predicted_us"] = round(predicted, 1)
        return printed

    def predict(self, row: Row, device: str) -> float | None:
        # Ranges and scalars do not matter for a schedule.
        words = [word for word in row.command.words() if not word.startswith(("--range=", "--scalar="))]
        target = short_name(device).partition("-")[0]
        command = [self.options.explain, *words, f"--target={target}", "--format=json"]
        return parse_explanation(self.processes.run(command, self.options.limit))

    def time_rows(self, rows: Sequence[Row]) -> Iterator[tuple[Row, Printed]]:
        """Rows in the order in which they end.

        Where a row never ends on the device, those that waited for it take too long as well: they run again.
        """
        # An interrupt ends the processes first, then the threads that wait for them.
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool, self.processes:
            futures = {pool.submit(self.time_row, row): row for row in rows}
            waited: list[tuple[Row, Printed]] = []
            for future in concurrent.futures.as_completed(futures):
                if future.result().waited:
                    waited.append((futures[future], future.result()))
                else:
                    yield futures[future], future.result()
            for row, printed in waited:
                yield row, self.time_row(row) if self.seconds_left() > 0 else printed


def fixed_options(options: argparse.Namespace) -> list[str]:
    """Options of fuser-run that all rows have."""
    return [f"--device={options.device}", f"--repeat={options.repeat}", *options.fuser_run_option]


def describe(row: Row, found: dict) -> str:
    if "error" in found:
        return f"{row.key:32} failed: {found['error']}"
    share = f", {found['share']:.1f} % of a copy" if "share" in found else ""
    notes = "".join(f", fallback: {text}" for text in found.get("fallbacks", []))
    return f"{row.key:32} {found['us']:9.1f} us, spread {found['spread']:.1f} %{share}{notes}"


def add(result: Result, row: Row, printed: Printed, rates: list[float], table: Table) -> None:
    """Adds a row to a result, in the order of the table."""
    if printed.device and not result.device:
        result.device = printed.device
        peers = read_peers(result.device)
        result.copy_gbs = peers.copy_gbs if peers else None
        result.is_rate_measured = peers is None
    if printed.copy_gbs is not None:
        rates.append(printed.copy_gbs)
    if result.is_rate_measured and rates:
        result.copy_gbs = statistics.median(rates)
    result.rows[row.key] = {**printed.row, "bytes": row.bytes}
    result.rows = {row.key: result.rows[row.key] for row in table.rows if row.key in result.rows}
    for found in result.rows.values():
        share = share_of_copy(found, found["us"], result.copy_gbs) if "us" in found else None
        if share is not None:
            found["share"] = round(share, 1)


def save(result: Result, path: pathlib.Path | None) -> None:
    if path:
        write_text(path, result.to_json(), "--output")


def time_table(table: Table, options: argparse.Namespace) -> int:
    old = read_result(options.compare, "--compare") if options.compare else None
    result = Result(
        device="",
        commit=options.commit or find_commit(),
        date=datetime.date.today().isoformat(),
        options=fixed_options(options),
        copy_gbs=None,
        is_rate_measured=True,
        rows={},
    )
    save(result, options.output)
    rates: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        timer = Timer(options, pathlib.Path(folder) / "lock")
        with contextlib.closing(timer.time_rows(table.rows)) as timed:
            for row, printed in timed:
                add(result, row, printed, rates, table)
                save(result, options.output)
                print(describe(row, result.rows[row.key]), flush=True)
                if old and result.device:
                    check_device(old, result, "--compare")
        seconds = time.monotonic() - timer.begin
    print(f"{len(result.rows)} rows in {seconds:.0f} s\n")
    return report(result, table, options.picture, old)


# ----------------------------------------------------------------------------------------------------------------------
# Checks
# ----------------------------------------------------------------------------------------------------------------------


def check_batch(lines: Sequence[str], options: argparse.Namespace, processes: Processes) -> list[tuple[str, list[str]]]:
    """Runs command lines in one process, and after a crash the rest in another one.

    Returns those that failed, and what they printed.
    """
    failed, rest = [], list(lines)
    while rest:
        given = "".join(f"{line}\n" for line in rest)
        outcome = processes.run([options.fuser_run, "--batch", "-"], options.limit, given)
        found = parse_batch(outcome.output)[: len(rest)]
        failed += [(line, said) for line, (passed, said) in zip(rest, found, strict=False) if not passed]
        rest = rest[len(found) :]
        if rest:
            failed.append((rest.pop(0), [outcome.failure() or "printed no outcome"]))
    return failed


def check_table(checks: Sequence[Check], options: argparse.Namespace) -> int:
    more = (f"--device={options.device}", "--repeat=0", "--check", *options.fuser_run_option)
    lines = [shlex.join(check.command.words(*more)) for check in checks]
    size = max(1, min(BATCH, -(-len(lines) // options.jobs)))
    batches = [lines[at : at + size] for at in range(0, len(lines), size)]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, Processes() as processes:
        futures = [pool.submit(check_batch, batch, options, processes) for batch in batches]
        for future in concurrent.futures.as_completed(futures):
            for line, said in future.result():
                failures += 1
                print("\n  ".join([f"FAIL fuser-run {line}", *said]), flush=True)
    print(f"{len(lines) - failures} passed, {failures} failed")
    return 1 if failures else 0


# ----------------------------------------------------------------------------------------------------------------------
# Command line
# ----------------------------------------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """Errors are one line."""

    def error(self, message: str):
        raise Problem(message.removeprefix("argument "))


def positive(text: str) -> float:
    number = float(text) if text.replace(".", "", 1).isdigit() else 0
    if number <= 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, but got {text}")
    return number


def count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, but got {text}")
    return int(text)


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    processors = len(os.sched_getaffinity(0))
    parser.add_argument("fuser_run", nargs="?", type=pathlib.Path, default=ROOT / "build/bin/fuser-run")
    parser.add_argument("--device", choices=["cuda", "host"], default="cuda", help="host: only with --check")
    parser.add_argument(
        "--only", default="", metavar="PATTERNS", help="groups, families, rows: softmax*,mul.large,views"
    )
    parser.add_argument("--jobs", type=count, default=max(1, min(8, processors // 2)), help="processes at a time")
    parser.add_argument("--repeat", type=count, default=20, help="timed calls of each row")
    parser.add_argument("--limit", type=positive, default=180, help="seconds of a process, in which it also waits")
    parser.add_argument("--deadline", type=positive, default=1e9, help="seconds after which no row starts")
    parser.add_argument("--fuser-run-option", action="append", default=[], metavar="OPTION", help="for all rows")
    parser.add_argument("--explain", type=pathlib.Path, metavar="FUSER_EXPLAIN", help="adds the times that it predicts")
    parser.add_argument("--commit", default="", help="what was measured (default: what git says)")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE.json")
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE.svg")
    parser.add_argument("--compare", type=pathlib.Path, metavar="OLD.json", help="says which rows became slower")
    parser.add_argument("--check", action="store_true", help="small sizes against the reference instead of times")
    options = parser.parse_args(arguments)
    options.fuser_run = options.fuser_run.resolve()
    options.explain = options.explain.resolve() if options.explain else None
    return options


def check_options(options: argparse.Namespace) -> None:
    for name, path in (("FUSER_RUN", options.fuser_run), ("--explain", options.explain)):
        if path and not path.is_file():
            raise Problem(f"{name}: expected a program, but there is no file {path}")
    if options.device == "host" and not options.check:
        raise Problem("--device: expected cuda for times, but got host: it has none (--check)")
    for name in ("output", "picture", "compare"):
        path = getattr(options, name)
        if path and options.check:
            raise Problem(f"--{name}: expected a run that takes times, but got --check")
        if path and path.is_dir():
            raise Problem(f"--{name}: {path}: expected a file, but got a folder")
        if path and not path.parent.is_dir():
            raise Problem(f"--{name}: {path}: expected a file in a folder that exists")


def run(arguments: list[str]) -> int:
    options = parse(arguments)
    check_options(options)
    patterns = [pattern for pattern in options.only.split(",") if pattern]
    table, unknown = read_table().select(patterns)
    if unknown:
        raise Problem(f"--only: expected groups, families or rows of the table, but got {', '.join(unknown)}")
    return check_table(table.checks, options) if options.check else time_table(table, options)


def interrupt(*_) -> None:
    raise KeyboardInterrupt


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, interrupt)
    try:
        return run(arguments)
    except Problem as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("run.py: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
