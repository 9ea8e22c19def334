#!/usr/bin/env python3
"""Compares the kernels that two versions of the compiler make of the same programs.

  dump OUT          writes kernel IR, its counts (fuser-count-kernel) and, with --outputs, hashes of the outputs on the
                    host device: of every .mlir file of the repository that compiles, and of seeds of both fuzzers
  compare A B       compares two dumps
  texts OUT         writes what the compiler prints for the repository's files: segments and schedules, kernels, kernels
                    of both targets, and what the commands of tests print (golden_texts.py)
  check             compares counts with test/Golden/counts.txt, and digests of these texts with test/Golden/texts.txt
  update            rewrites both files

A case is a program with options of fuser-run. The cases of a file are the RUN lines that run it, and its programs that
no RUN line runs, at a default size. What does not compile is a case with a diagnostic instead of kernel IR.
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import os
import pathlib
import queue
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

import golden_texts
from golden_cases import Case, collect, read_cases, write_cases
from golden_compare import Dump, Kept, compare_kept, differences, keep, parse_kept, print_kept, report_totals

ROOT = pathlib.Path(__file__).resolve().parents[1]
COUNTS = ROOT / "test" / "Golden" / "counts.txt"
TEXTS = COUNTS.with_name("texts.txt")
FUZZERS = ("fuser-fuzz-fusions", "fuser-fuzz-schedules")

# Lines of the report that precede an error. Some of them name the machine.
REPORT = re.compile(r"  (program|arguments|device|kernels|compile) | {14}\w+: |\d+ passed, ")


class Batch:
    """What became of the lines of `fuser-run --batch`: None, or what a line that failed printed."""

    def __init__(self):
        self.outcomes: list[str | None] = []

    def read(self, line: str) -> None:
        if line.startswith("ok "):
            self.outcomes.append(None)
        elif line.startswith("FAIL "):
            self.outcomes.append("")
        elif self.outcomes and self.outcomes[-1] is not None and not REPORT.match(line):
            self.outcomes[-1] += line.removeprefix("  ")


def run_once(fuser_run: pathlib.Path, lines: list[str], folder: pathlib.Path, patience: float, batch: Batch) -> str:
    """Runs lines in one process until one crashes or takes too long; returns which of the two, if any."""
    with tempfile.TemporaryFile("w+") as given:
        given.write("".join(line + "\n" for line in lines))
        given.seek(0)
        process = subprocess.Popen(
            [fuser_run, "--batch", "-"],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=folder,
        )
    printed: queue.SimpleQueue[str] = queue.SimpleQueue()
    reader = threading.Thread(target=lambda: [printed.put(line) for line in itertools.chain(process.stdout, [""])])
    reader.start()
    end = ""
    try:
        while line := printed.get(timeout=patience):
            batch.read(line)
    except queue.Empty:
        process.kill()
        end = f"takes longer than {patience:.0f} s\n"
    reader.join()
    code = process.wait()
    return end or ("" if code in (0, 1) else f"crash: exit code {code}\n")


def run_batch(fuser_run: pathlib.Path, lines: list[str], folder: pathlib.Path, patience: float) -> list[str | None]:
    """What became of each command line of fuser-run. A line may take `patience` seconds."""
    batch = Batch()
    while len(batch.outcomes) < len(lines):
        end = run_once(fuser_run, lines[len(batch.outcomes) :], folder, patience, batch)
        if len(batch.outcomes) < len(lines):
            batch.outcomes.append(end or "no outcome\n")
    return batch.outcomes


def run_all(
    fuser_run: pathlib.Path, lines: list[str], folder: pathlib.Path, jobs: int, patience: float
) -> list[str | None]:
    size = max(1, min(32, len(lines) // (4 * jobs)))
    chunks = [lines[i : i + size] for i in range(0, len(lines), size)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(itertools.chain(*pool.map(lambda chunk: run_batch(fuser_run, chunk, folder, patience), chunks)))


def command_of(case: Case, *more: str) -> str:
    return shlex.join([f"programs/{case.program}", *case.options, "--device=host", *more])


def write_phase(
    out: pathlib.Path, kind: str, phase: str, cases: list[Case], tools: pathlib.Path, jobs: int
) -> list[Case]:
    """Writes KIND/CASE.mlir after a phase, or KIND/CASE.err with the diagnostic; returns the cases that compile."""
    for folder in {(out / kind / case.name).parent for case in cases}:
        folder.mkdir(parents=True, exist_ok=True)
    files = [f"{kind}/{case.name}.mlir" for case in cases]
    lines = [
        command_of(case, "--no-run", f"--dump-after={phase}", f"--dump-to={file}")
        for case, file in zip(cases, files, strict=True)
    ]
    compiled = []
    outcomes = run_all(tools / "fuser-run", lines, out, jobs, patience=60)
    for case, file, failure in zip(cases, files, outcomes, strict=True):
        if failure is None and (out / file).exists():
            compiled.append(case)
            continue
        (out / file).unlink(missing_ok=True)
        (out / file).with_suffix(".err").write_text(failure or "nothing\n")
    return compiled


def count_kernels(out: pathlib.Path, cases: list[Case], tools: pathlib.Path) -> dict[str, dict[str, str]]:
    """Lines of fuser-count-kernel by case and kernel."""
    files = {f"kernels/{case.name}.mlir": case.name for case in cases}
    files = {file: name for file, name in files.items() if "gpu.func @" in (out / file).read_text()}
    lines: dict[str, dict[str, str]] = {}
    if not files:
        return lines
    # With one file alone, lines do not name it.
    command = [tools / "fuser-count-kernel", "--format=lines", *files, *([] if len(files) > 1 else files)]
    process = subprocess.run(command, capture_output=True, text=True, cwd=out)
    if process.returncode != 0:
        raise RuntimeError(f"fuser-count-kernel failed:\n{process.stderr}")
    for line in process.stdout.splitlines():
        file, _, rest = line.partition(".mlir:")
        kernel, _, counts = rest.partition(" ")
        lines.setdefault(files[file + ".mlir"], {})[kernel] = counts
    return lines


def reason_of(failure: str) -> str:
    lines = failure.splitlines() or ["?"]
    return next((line for line in lines if re.search(r"error: |^fuser-run: |WRONG", line)), lines[0])


def hash_outputs(out: pathlib.Path, cases: list[Case], tools: pathlib.Path, jobs: int) -> None:
    """Writes outputs.txt: for each case the hash of each output, or what failed."""
    with tempfile.TemporaryDirectory(dir=out) as scratch:
        lines = []
        for number, case in enumerate(cases):
            more = [f"--save-output={pathlib.Path(scratch).name}/{number}.npy"]
            # Random arguments may violate a precondition of the program; then its outputs are undefined.
            if not any(option.startswith(("--size", "--scalar", "--range")) for option in case.options):
                more.append("--check")
            lines.append(command_of(case, *more))
        failures = run_all(tools / "fuser-run", lines, out, jobs, patience=60)
        # CASE.npy, or CASE.0.npy, CASE.1.npy, ...
        saved: dict[str, list[pathlib.Path]] = {}
        for path in sorted(pathlib.Path(scratch).iterdir(), key=lambda path: (len(path.name), path.name)):
            saved.setdefault(path.name.split(".")[0], []).append(path)
        with (out / "outputs.txt").open("w") as file:
            for number, (case, failure) in enumerate(zip(cases, failures, strict=True)):
                if failure is not None:
                    # The path of the file differs between dumps.
                    reason = reason_of(failure).replace(f"{pathlib.Path(scratch).name}/{number}.", "output.")
                    print(case.name, "failed:", reason, file=file)
                    continue
                hashes = [hashlib.sha256(path.read_bytes()).hexdigest()[:32] for path in saved.get(str(number), [])]
                print(case.name, *hashes, file=file)


def write_fuzz_cases(out: pathlib.Path, tools: pathlib.Path, first: int, last: int, jobs: int) -> list[Case]:
    cases = []
    for fuzzer in FUZZERS:
        folder = fuzzer.removeprefix("fuser-")
        subprocess.run(
            [
                tools / fuzzer,
                f"--seed={first}",
                f"--count={last - first + 1}",
                f"--jobs={jobs}",
                f"--write-cases={out / 'programs' / folder}",
            ],
            check=True,
        )
        for seed in range(first, last + 1):
            program = f"{folder}/{seed}.mlir"
            text = (out / "programs" / program).read_text()
            options = re.search(r"^// (--sizes=.*)$", text, re.MULTILINE).group(1)
            cases.append(Case(f"{folder}/{seed}", program, tuple(shlex.split(options))))
    return cases


# ----------------------------------------------------------------------------------------------------------------------
# Commands
# ----------------------------------------------------------------------------------------------------------------------


def prepare(out: pathlib.Path) -> None:
    """Makes the folder, and removes an earlier dump from it."""
    if out.exists() and any(out.iterdir()) and not (out / "cases.txt").exists():
        raise SystemExit(f"golden: {out} is neither empty nor a dump")
    for folder in ("programs", "kernels"):
        shutil.rmtree(out / folder, ignore_errors=True)
        (out / folder).mkdir(parents=True)
    for file in ("cases.txt", "counts.txt", "outputs.txt"):
        (out / file).unlink(missing_ok=True)


def write_programs(out: pathlib.Path, programs: dict[str, str]) -> None:
    for path, text in programs.items():
        file = out / "programs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def dump(options: argparse.Namespace) -> int:
    start = time.monotonic()
    out, tools = options.out.resolve(), tools_of(options)
    if options.cases and options.cases.resolve() == out:
        raise SystemExit("golden: --cases is the folder to write")
    prepare(out)
    if options.cases:
        cases = read_cases(options.cases)
        shutil.copytree(options.cases / "programs", out / "programs", dirs_exist_ok=True)
    else:
        cases, programs = collect(ROOT)
        write_programs(out, programs)
        if options.seeds:
            first, last = (int(seed) for seed in options.seeds.split("-"))
            cases += write_fuzz_cases(out, tools, first, last, options.jobs)
    write_cases(out, cases)
    compiled = write_phase(out, "kernels", "lowering", cases, tools, options.jobs)
    counts = count_kernels(out, compiled, tools)
    with (out / "counts.txt").open("w") as file:
        for case in compiled:
            for kernel, line in counts.get(case.name, {}).items():
                print(case.name, kernel, line, file=file)
    kernels = sum(len(each) for each in counts.values())
    seconds = time.monotonic() - start
    print(
        f"golden: {len(compiled)} of {len(cases)} cases compile to {kernels} kernels; {seconds:.0f} s",
        flush=True,
    )
    if options.outputs:
        hash_outputs(out, compiled, tools, options.jobs)
        failed = sum(1 for line in (out / "outputs.txt").read_text().splitlines() if " failed: " in line)
        seconds = time.monotonic() - start - seconds
        print(f"golden: outputs of {len(compiled) - failed} cases, {failed} failed; {seconds:.0f} s")
    return 0


def compare(options: argparse.Namespace) -> int:
    a, b = Dump(options.a), Dump(options.b)
    both = [case for case in a.cases if case in b.cases]
    programs = [case for case in both if a.program(case) != b.program(case)]
    failed = False
    for level in ["G0", "G1", "G2"] if options.level is None else [options.level]:
        found = {case: found for case in both if (found := list(differences(a, b, case, level)))}
        only_a, only_b = len(a.cases) - len(both), len(b.cases) - len(both)
        print(
            f"{level}: {len(both) - len(found)} cases equal, {len(found)} differ, "
            f"{only_a} only in A, {only_b} only in B, {len(programs)} with another program"
        )
        if options.level is None and level != "G2":
            continue
        lines = [f"{case}: {line}" for case, lines in found.items() for line in lines]
        for line in lines[: options.show]:
            print(f"  {line}")
        if len(lines) > options.show:
            print(f"  ... {len(lines) - options.show} more (--show=N)")
        failed = bool(found) or only_a > 0
    if options.level != "G0":
        report_totals(a, b, both)
        if a.outputs is None or b.outputs is None:
            print("outputs: expected them in both dumps (dump --outputs)")
            failed |= not options.no_outputs
    return 1 if failed else 0


def make_texts(out: pathlib.Path, options: argparse.Namespace) -> Iterator[str]:
    """Writes texts to a folder; yields each kind when it is complete, those that cost least first."""
    tools, jobs = tools_of(options), options.jobs
    cases, programs = collect(ROOT)
    write_programs(out, programs)
    write_phase(out, "choose", "choose", cases, tools, jobs)
    yield "choose"
    write_cases(out, write_phase(out, "kernels", "lowering", cases, tools, jobs))
    yield "kernels"
    golden_texts.print_commands(out, ROOT, tools, jobs)
    yield "commands"
    for kind in golden_texts.TARGETS:
        golden_texts.lower_kernels(out, kind, tools, jobs)
        yield kind


def count_kept(out: pathlib.Path, options: argparse.Namespace) -> Kept:
    return keep(count_kernels(out, read_cases(out), tools_of(options)))


def texts(options: argparse.Namespace) -> int:
    out = options.out.resolve()
    if out.exists() and any(out.iterdir()):
        raise SystemExit(f"golden: {out} is not empty")
    for kind in make_texts(out, options):
        print(f"golden: {out}/{kind}", flush=True)
    return 0


def check(options: argparse.Namespace) -> int:
    kept = golden_texts.parse_digests(read_if_there(options.texts))
    lines, digests, kernels = [], {}, 0
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        for kind in make_texts(out, options):
            made = golden_texts.digest_texts(out, [kind])
            lines += golden_texts.compare_digests(golden_texts.only(kept, kind), made)
            digests |= made
            if kind == "kernels":
                counts = count_kept(out, options)
                kernels = len(counts)
                lines += compare_kept(parse_kept(read_if_there(options.counts)), counts)
            if lines and options.first:
                break
    for line in lines[: options.show]:
        print(line)
    if len(lines) > options.show:
        print(f"... {len(lines) - options.show} more (--show=N)")
    advice = " (utils/golden.py update)" if lines else ""
    print(f"golden: {kernels} kernels, {len(digests)} texts, {len(lines)} differences{advice}")
    return 1 if lines else 0


def read_if_there(file: pathlib.Path) -> str:
    return file.read_text() if file.exists() else ""


def update(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        kinds = list(make_texts(out, options))
        counts, digests = count_kept(out, options), golden_texts.digest_texts(out, kinds)
    for file, text in ((options.counts, print_kept(counts)), (options.texts, golden_texts.print_digests(digests))):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    print(f"golden: {len(counts)} kernels, {len(digests)} texts")
    return 0


# ----------------------------------------------------------------------------------------------------------------------


def tools_of(options: argparse.Namespace) -> pathlib.Path:
    """The folder of the tools: BUILD/bin, or BUILD where they were copied to."""
    build = options.build.resolve()
    for folder in (build / "bin", build):
        if (folder / "fuser-count-kernel").exists():
            return folder
    raise SystemExit(f"golden: expected fuser-count-kernel in {build}/bin or {build}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def command(name: str, function, text: str, *, builds: bool) -> argparse.ArgumentParser:
        result = commands.add_parser(name, help=text, description=text)
        result.set_defaults(function=function)
        if builds:
            result.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build tree, or its bin")
            result.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
        return result

    each = command("dump", dump, "write the kernels of all programs to a folder", builds=True)
    each.add_argument("out", type=pathlib.Path)
    each.add_argument("--seeds", default="1-500", help="first and last seed of the fuzzers; empty: none")
    each.add_argument("--cases", type=pathlib.Path, help="a dump whose programs to take, instead of making them")
    each.add_argument("--outputs", action="store_true", help="run the programs as well")
    each = command("texts", texts, "write what the compiler prints for all files to a folder", builds=True)
    each.add_argument("out", type=pathlib.Path)
    each = command("compare", compare, "compare two dumps; fails where B is not as A", builds=False)
    each.add_argument("a", type=pathlib.Path)
    each.add_argument("b", type=pathlib.Path)
    each.add_argument(
        "--level",
        choices=["G0", "G1", "G2"],
        help="G0: kernel IR and diagnostics are the same text. G1: outputs, facts, launch and counts are equal, except "
        "for registers and the number of ops. G2: as G1, and counts may be less. Default: all, with details of G2",
    )
    each.add_argument("--no-outputs", action="store_true", help="dumps may lack outputs")
    each.add_argument("--show", type=int, default=20, metavar="N", help="differences to print")
    for name, function, text in (
        ("check", check, "compare counts and texts with those that are kept"),
        ("update", update, "rewrite the counts and digests that are kept"),
    ):
        each = command(name, function, text, builds=True)
        each.add_argument("--counts", type=pathlib.Path, default=COUNTS)
        each.add_argument("--texts", type=pathlib.Path, default=TEXTS)
        if function is check:
            each.add_argument("--show", type=int, default=40, metavar="N", help="differences to print")
            each.add_argument("--first", action="store_true", help="end at the first kind of text that differs")
    options = parser.parse_args(arguments)
    return options.function(options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
