"""Runs of fuser-run: several processes at a time, of which none outlives its owner, and what they print."""

import dataclasses
import json
import pathlib
import re
import subprocess
import threading
from collections.abc import Sequence

from table import ROOT

DEVICE = re.compile(r"^device +(.+)$", re.M)
KERNEL = re.compile(r"^(?:kernels +| +)\S+: grid ", re.M)
COMPILE = re.compile(r"^compile +.*; total ([\d.]+) ms$", re.M)
FALLBACK = re.compile(r"^fallback +(.+)$", re.M)
TIME = re.compile(r"^time +([\d.]+) us \(median of \d+, spread ([\d.]+) %\).*\(([\d.]+) GB/s\)$", re.M)
ERROR = re.compile(r"error: |^fuser-run: (?!compiling)")


@dataclasses.dataclass
class Outcome:
    """How a process ended. `reason`: why it was not started, or was killed; empty: neither."""

    code: int | None
    output: str
    errors: str
    reason: str = ""
    is_late: bool = False  # killed because of the time that it took

    def failure(self) -> str:
        """What failed, in one line; empty: nothing."""
        if not self.reason and self.code == 0:
            return ""
        ended = self.reason or (f"exit {self.code}" if self.code > 0 else f"signal {-self.code}")
        lines = [line.strip() for line in self.errors.splitlines() if line.strip()]
        said = next((line for line in lines if ERROR.search(line)), lines[-1] if lines else "")
        return f"{ended}: {said}"[:300] if said else ended


class Processes:
    """Starts processes in the folder of the project, from any thread; the end of a `with` kills them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running: set[subprocess.Popen] = set()
        self.closed = False

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_) -> None:
        with self.lock:
            self.closed = True
            for process in self.running:
                process.kill()

    def run(self, command: Sequence[str | pathlib.Path], seconds: float, given: str = "") -> Outcome:
        with self.lock:
            if self.closed:
                return Outcome(None, "", "", "not started")
            try:
                process = self.start(command)
            except OSError as error:
                return Outcome(None, "", "", f"not started: {error.strerror}")
            self.running.add(process)
        reason = ""
        try:
            output, errors = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            reason = f"took longer than {seconds:.0f} s"
        finally:
            with self.lock:
                self.running.discard(process)
        return Outcome(process.returncode, output, errors, reason, is_late=bool(reason))

    @staticmethod
    def start(command: Sequence[str | pathlib.Path]) -> subprocess.Popen:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            process_group=0,  # Ctrl-C of a terminal is for the owner, which ends them
        )


class Memory:
    """Bytes that processes may take together. One that needs more than there are runs alone."""

    def __init__(self, most: int):
        self.most, self.used = most, 0
        self.changed = threading.Condition()

    def take(self, count: int) -> None:
        with self.changed:
            self.changed.wait_for(lambda: self.used == 0 or self.used + count <= self.most)
            self.used += count

    def give_back(self, count: int) -> None:
        with self.changed:
            self.used -= count
            self.changed.notify_all()


def available_memory() -> int:
    """Bytes that Linux can give to processes; a guess elsewhere."""
    try:
        text = pathlib.Path("/proc/meminfo").read_text()
    except OSError:
        text = ""
    match = re.search(r"^MemAvailable: +(\d+) kB", text, re.M)
    return int(match.group(1)) << 10 if match else 16 << 30


@dataclasses.dataclass
class Printed:
    """What a timed run printed: a row of a result, the device, and the rate of a copy that it measured.

    `waited`: it took too long before it got the device, which another process may have held.
    """

    row: dict
    device: str
    copy_gbs: float | None
    waited: bool = False


def parse_run(outcome: Outcome) -> Printed:
    text = outcome.output
    row: dict = {}
    time, compiled, device = TIME.search(text), COMPILE.search(text), DEVICE.search(text)
    failure = outcome.failure()
    if time and not failure:
        row |= {"us": float(time.group(1)), "spread": float(time.group(2))}
    if compiled:
        row |= {"kernels": len(KERNEL.findall(text)), "compile_ms": float(compiled.group(1))}
    if fallbacks := FALLBACK.findall(text):
        row["fallbacks"] = fallbacks
    if "us" not in row:
        row["error"] = failure or "printed no time"
    rate = float(time.group(3)) if time else None
    return Printed(row, device.group(1) if device else "", rate, waited=outcome.is_late and not device)


def parse_explanation(outcome: Outcome) -> float | None:
    """The predicted time of a call in microseconds, of `fuser-explain --format=json`; None where it failed."""
    try:
        return float(json.loads(outcome.output)["fused"]["microseconds"])
    except (ValueError, KeyError, TypeError):
        return None


def parse_batch(output: str) -> list[tuple[bool, list[str]]]:
    """For each line of `fuser-run --batch` that ran: whether it passed, and what it printed otherwise."""
    found: list[tuple[bool, list[str]]] = []
    for line in output.splitlines():
        if line.startswith(("ok ", "FAIL ")):
            found.append((line.startswith("ok "), []))
        elif line.startswith("  ") and found:
            found[-1][1].append(line.strip())
    return found
