#!/usr/bin/env python3
"""Runs on the GPU every check that the tests run on the host device; then every op alone, where there is a list.

The checks are the "RUN: fuser-run ... --device=host ... --check" lines of test/, with the other device. Some processes
take lines from one list and run them one after the other (`fuser-run --batch`). Prints each line that fails, with what
says why, and "N passed, N failed"; exits with 1 where one fails.

usage: utils/check_gpu.py [--sanitizer=TOOL] [--jobs=N] [--gpus=N] [--ops=LIST [--outcomes=FILE]] [FUSER_RUN]
LIST is the output of `build/bin/fuser-op-programs FOLDER`; FILE gets a line per line of LIST, behind "ok" or "FAIL"
(`utils/ops_table.py --record`).
"""

import argparse
import collections
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN_LINE = re.compile(r"^(?://|#) RUN: fuser-run (?P<command>.*)")
SANITIZER_LINE = re.compile(r"^========= (?!COMPUTE-SANITIZER)(?!\w+ SUMMARY: 0 )")
# What a check on the GPU adds to a line of LIST.
OP_OPTIONS = " --device=cuda --check --repeat=0"


def suite_lines(folder: pathlib.Path) -> list[str]:
    """Command lines of the tests that check what the host device computes, for the GPU; sorted."""
    lines = []
    for path in sorted([*folder.rglob("*.mlir"), *folder.rglob("*.test")]):
        for line in path.read_text().splitlines():
            match = RUN_LINE.match(line)
            if not match or "--device=host" not in line or "--check" not in line:
                continue
            command = re.split(r"\||2>&1", match["command"])[0].strip().replace("--device=host", "--device=cuda")
            places = {"%examples": "examples", "%benchmarks": "benchmarks", "%s": str(path), "%S": str(path.parent)}
            for name, value in places.items():
                command = command.replace(name, value)
            if "%" not in command:  # else it needs something else of lit
                lines.append(command)
    return lines


@dataclasses.dataclass
class Outcome:
    line: str
    passed: bool
    said: list[str]

    def __str__(self) -> str:
        shown = [text for text in self.said if re.search(r"fuser-run:|error:|check|WRONG|output|=====", text)]
        return "\n".join([f"{'ok' if self.passed else 'FAIL'} fuser-run {self.line}", *(shown or self.said)[:8]])


class Batch:
    """Runs some lines in one process. What a crash or the time limit leaves over is in `left` afterwards."""

    def __init__(self, command: list[str], environment: dict[str, str], limit: float):
        self.command, self.environment, self.limit = command, environment, limit
        self.outcomes: list[Outcome] = []
        self.left: collections.deque[str] = collections.deque()

    def run(self, lines: list[str]) -> None:
        self.left = collections.deque(lines)
        with tempfile.NamedTemporaryFile("w", suffix=".lines") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            process = subprocess.Popen(
                [*self.command, "--batch", file.name],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                cwd=ROOT,
            )
            said = self.read(process)
            status = process.wait()
        end = [*said[-7:], f"  fuser-run: ended with {status}"]
        if self.left:
            self.outcomes.append(Outcome(self.left.popleft(), False, end))
        elif status and all(outcome.passed for outcome in self.outcomes):
            self.outcomes.append(Outcome(f"--batch of {len(lines)} lines", False, end))

    def read(self, process: subprocess.Popen) -> list[str]:
        """Takes outcomes from what the process prints; returns what it printed behind the last one."""
        said: list[str] = []
        watch = self.watch(process)
        for text in process.stdout:
            text = text.rstrip("\n")
            if self.left and text in (f"ok {self.left[0]}", f"FAIL {self.left[0]}"):
                found = ["  " + line for line in said if SANITIZER_LINE.match(line)]
                self.outcomes.append(Outcome(self.left.popleft(), text.startswith("ok") and not found, found))
                said = []
                watch.cancel()
                watch = self.watch(process)
            elif text.startswith("  ") and not said and self.outcomes and not self.outcomes[-1].passed:
                self.outcomes[-1].said.append(text)
            else:
                said.append(text)
        watch.cancel()
        return said

    def watch(self, process: subprocess.Popen) -> threading.Timer:
        timer = threading.Timer(self.limit, process.kill)
        timer.start()
        return timer


def check_all(lines: list[str], options: argparse.Namespace) -> list[Outcome]:
    """Runs lines by --jobs processes at a time; the outcomes, in the order of the lines."""
    command = [str(options.fuser_run)]
    if options.sanitizer:
        command = [
            "compute-sanitizer",
            "--tool",
            options.sanitizer,
            "--error-exitcode",
            "9",
            "--print-limit",
            "3",
            *command,
        ]
    # Small enough for an even load; large enough that a process makes its CUDA context for many lines.
    size = max(1, min(100, -(-len(lines) // (2 * options.jobs))))
    pieces = collections.deque(lines[at : at + size] for at in range(0, len(lines), size))
    outcomes: list[Outcome] = []
    lock = threading.Lock()

    def work(number: int) -> None:
        environment = dict(os.environ)
        if options.gpus > 1:
            environment["CUDA_VISIBLE_DEVICES"] = str(number % options.gpus)
        while True:
            with lock:
                if not pieces:
                    return
                piece = pieces.popleft()
            batch = Batch(command, environment, options.limit)
            batch.run(piece)
            with lock:
                if batch.left:
                    pieces.append(list(batch.left))
                outcomes.extend(batch.outcomes)
                for outcome in batch.outcomes:
                    if not outcome.passed:
                        print(outcome, flush=True)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(options.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    order = {line: position for position, line in enumerate(lines)}
    return sorted(outcomes, key=lambda outcome: order.get(outcome.line, len(lines)))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sanitizer", choices=["memcheck", "racecheck", "initcheck", "synccheck"])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--gpus", type=int, default=1, help="GPUs that the processes share")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one line")
    parser.add_argument("--test", type=pathlib.Path, default=pathlib.Path("test"), help="where the checks are")
    parser.add_argument("--ops", type=pathlib.Path, help="what fuser-op-programs printed")
    parser.add_argument("--outcomes", type=pathlib.Path, help="where to write what became of each line of --ops")
    parser.add_argument("fuser_run", nargs="?", type=pathlib.Path, default=ROOT / "build/bin/fuser-run")
    options = parser.parse_args(arguments)
    options.fuser_run = options.fuser_run.resolve()
    os.chdir(ROOT)
    suite = suite_lines(options.test)
    if options.sanitizer:  # which makes each call slow: none only to be timed
        suite = [line if "--repeat" in line else line + " --repeat=0" for line in suite]
    ops = options.ops.read_text().splitlines() if options.ops else []
    outcomes = check_all(suite + [line + OP_OPTIONS for line in ops], options)
    if options.outcomes:
        ran = [str(outcome).splitlines()[0] for outcome in outcomes if outcome.line.endswith(OP_OPTIONS)]
        options.outcomes.write_text("".join(line.removesuffix(OP_OPTIONS) + "\n" for line in sorted(ran)))
    passed = sum(outcome.passed for outcome in outcomes)
    print(f"{passed} passed, {len(outcomes) - passed} failed")
    return 0 if passed == len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
