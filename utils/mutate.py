#!/usr/bin/env python3
"""Changes random lines of lib/, one change per run of the tests, and says which tests notice.

usage: utils/mutate.py [--seed=1 ...] [--count=20] [--skip=0] [--without=PATH:LINE ...] [--list | --diff]
  [--build=build] [--jobs=N] [--timeout=300] [ROOM]
Each mutant is one small change: a condition, a comparison, an operator, a constant, a statement. All of them are built
at once, behind a switch (utils/mutant.h). The tests run once to see which of them reach which mutant. Then those of its
room run for each mutant, until one fails; and all that reach one of the mutants that are left, with all of these on:
a test that fails runs for each alone. What a switch cannot hold, as a constant expression, is built by itself and gets
all tests. Mutants that do not compile, or whose code is the same, are replaced by others.
docs/mutation.md says how to read the table. `--list` prints the mutants and `--diff` their changes; neither builds
anything. Exits with 1 where a mutant survives.
"""

import argparse
import contextlib
import difflib
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator

from mutants import ROOT, Mutant, combine, draw, read_lines
from suites import Failures, NotBuilt, Runner, Suites, Test, last_line

# How many mutants run together, and how many tests of other rooms run for each alone before.
GROUP = 32
SAMPLE = 40


# The tests that fail, of some, with some mutants.
Run = Callable[[Iterable[int], set[Test]], Failures]


class Killed(Exception):
    """A build that fails with the mutant."""


def read_objects(commands: str) -> dict[pathlib.Path, str]:
    """The object file of each source, as a target of the build."""
    objects = {}
    for entry in json.loads(commands):
        words = shlex.split(entry["command"])
        objects[pathlib.Path(entry["file"]).resolve()] = words[words.index("-o") + 1]
    return objects


def divide(mutants: dict[int, Mutant]) -> list[list[int]]:
    """Groups to be on together: no two mutants of one file, which might hide each other."""
    groups: list[list[int]] = []
    for number, mutant in mutants.items():
        for group in groups:
            if len(group) < GROUP and all(mutants[other].path != mutant.path for other in group):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def find_killed(reached: dict[int, set[Test]], run: Run) -> Iterator[tuple[int, str]]:
    """The mutants that a test kills alone, and that test, of a group that is on together. Those that are left when all
    tests pass survive."""
    left = dict(reached)
    while left:
        failed = run(left, set().union(*left.values()))
        if not failed:
            return
        size = len(left)
        yield from find_killers(left, set(failed), run)
        if len(left) == size:
            names = ", ".join(map(str, sorted(failed)))
            print(f"mutate: only some of {size} mutants together break {names}", file=sys.stderr, flush=True)
            for half in (list(left)[: size // 2], list(left)[size // 2 :]):
                if len(half) < size:
                    yield from find_killed({number: left[number] for number in half}, run)
            return


def find_killers(left: dict[int, set[Test]], failed: set[Test], run: Run) -> Iterator[tuple[int, str]]:
    """Runs tests that failed for each mutant alone that they reach, and takes those out that they kill."""
    while failed and left:
        numbers = {test: [number for number, tests in left.items() if test in tests] for test in failed}
        test = min(failed, key=lambda each: (each.suite not in ("lit", "ctest"), len(numbers[each]), each))
        failed.remove(test)
        alone = {number: run([number], {test}) for number in numbers[test]}
        killed = {number: texts[test] for number, texts in alone.items() if texts}
        for number, text in killed.items():
            del left[number]
            yield number, text
        if killed and left:
            failed = set(run(left, failed & set().union(*left.values())))


class Tester:
    """Builds mutants and runs tests on them, in a build tree that is up to date."""

    def __init__(self, build: pathlib.Path, jobs: int, timeout: int):
        self.runner = Runner(build, jobs, timeout)
        self.must_make()
        self.suites = Suites(self.runner)
        self.objects = read_objects((build / "compile_commands.json").read_text())

    def must_make(self, *targets: str) -> None:
        result = self.runner.make(*targets)
        if result.returncode != 0:
            raise Killed("build: " + last_line(result.stdout))

    def test(self, mutants: dict[int, Mutant]) -> Iterator[tuple[int, str]]:
        """The outcome of each mutant, by its number, as it is known."""
        switched = self.build_switches(mutants)
        reached = self.find_reached() if switched else {}
        if unreached := [str(number) for number in switched if not reached.get(number)]:
            print(f"mutate: no test reaches {', '.join(unreached)}", file=sys.stderr, flush=True)
        left = {}
        for number in switched:
            tests = reached.get(number, set())
            first = self.choose_first(mutants[number], tests)
            with self.runner.with_environment(FUSER_MUTANT=str(number)):
                failure = self.suites.find_failure(first)
            if failure:
                yield number, f"killed by {failure}"
            else:
                left[number] = tests - first
        print(f"mutate: {len(left)} are left for all tests that reach them", file=sys.stderr, flush=True)
        for group in divide({number: mutants[number] for number in left}):
            for number, text in self.test_group({number: left[number] for number in group}):
                del left[number]
                yield number, f"killed by {text}"
        for number in sorted(mutants.keys() - set(switched)):
            yield number, self.judge_alone(mutants[number])
        for number in left:
            tests = reached.get(number)
            seen = f"{len(tests)} tests reach it" if tests else "no test reaches it"
            reason = self.find_reason_to_discard(mutants[number])
            yield number, f"discarded: {reason}" if reason else f"SURVIVED: {seen}"

    def test_group(self, tests: dict[int, set[Test]]) -> Iterator[tuple[int, str]]:
        """Quick tests until no mutant is killed, then the others, so that these run for fewer rounds."""
        left = dict(tests)
        quick = self.suites.find_quick_tests()
        for some in (quick, self.suites.tests - quick):
            for number, text in find_killed({number: left[number] & some for number in left}, self.run_switched):
                del left[number]
                yield number, text

    def build_switches(self, mutants: dict[int, Mutant]) -> list[int]:
        """Builds sources with all mutants that can be chosen at run time, and gives those. Tests that read sources find
        the original ones."""
        by_path: dict[str, dict[int, Mutant]] = {}
        for number, mutant in mutants.items():
            by_path.setdefault(mutant.path, {})[number] = mutant
        originals = {path: read_lines(path) for path in by_path}
        with contextlib.ExitStack() as files:
            for path, lines in originals.items():
                files.enter_context(replaced(ROOT / path, "\n".join(lines)))
            changed = set(by_path)
            while changed:
                for path in changed:
                    text, held = combine(originals[path], by_path[path])
                    by_path[path] = {number: by_path[path][number] for number in held}
                    (ROOT / path).write_text(text if held else "\n".join(originals[path]))
                result = self.runner.make(*map(self.get_object, by_path), keep_going=True)
                changed = self.drop_broken(by_path, result.stdout)
            self.must_make()
        return sorted(itertools.chain.from_iterable(by_path.values()))

    def drop_broken(self, by_path: dict[str, dict[int, Mutant]], output: str) -> set[str]:
        """Of files that do not compile drops the mutants that the compiler names, or all; gives these files."""
        # "FAILED: [code=1] OBJECT" and what the compiler says; the next command begins with "[".
        parts = re.split(r"^(?=\[\d+/\d+\] |FAILED: )", output, flags=re.MULTILINE)
        failed = {}
        for part in parts:
            if part.startswith("FAILED: "):
                failed.update(dict.fromkeys(part.splitlines()[0].split(), part))
        broken = {path: failed[self.get_object(path)] for path in by_path if self.get_object(path) in failed}
        for path, said in broken.items():
            named = by_path[path].keys() & set(map(int, re.findall(r"isMutant\((\d+)\)", said)))
            for number in named or set(by_path[path]):
                del by_path[path][number]
        return broken.keys()

    def get_object(self, path: str) -> str:
        return self.objects[(ROOT / path).resolve()]

    def find_reached(self) -> dict[int, set[Test]]:
        with tempfile.TemporaryDirectory() as folder:
            with self.runner.with_environment(FUSER_MUTANT="log", FUSER_MUTANT_LOG=folder):
                failed = self.suites.run(self.suites.tests, stop=False)
                failed = self.suites.run(failed, stop=False)
            if failed:
                texts = "; ".join(failed.values())
                print(f"mutate: left out, since they fail without a mutant: {texts}", file=sys.stderr, flush=True)
            logs = [file.read_text(errors="replace") for file in sorted(pathlib.Path(folder).iterdir())]
            reached = self.suites.read_log("\n".join(logs))
            return {number: tests - failed.keys() for number, tests in reached.items()}

    def run_switched(self, numbers: Iterable[int], tests: Iterable[Test]) -> Failures:
        with self.runner.with_environment(FUSER_MUTANT=",".join(map(str, numbers))):
            return self.suites.run(tests, stop=False)

    def choose_first(self, mutant: Mutant, tests: set[Test]) -> set[Test]:
        """Those of the tests that kill most mutants in little time: those of the room, and some others."""
        quick = tests & self.suites.find_quick_tests()
        room = self.suites.get_room_tests(mutant.room)
        others = sorted(quick - room)
        return (quick & room) | set(others[:: max(1, len(others) // SAMPLE)])

    def find_reason_to_discard(self, mutant: Mutant) -> str | None:
        """Why a mutant that is compiled in does not count."""
        target = self.get_object(mutant.path)
        self.must_make(target)
        original = (self.runner.build / target).read_bytes()
        with replaced(ROOT / mutant.path, "\n".join(mutant.apply(read_lines(mutant.path)))):
            if self.runner.make(target).returncode != 0:
                return "it does not compile"
            return "its code is the same" if (self.runner.build / target).read_bytes() == original else None

    def judge_alone(self, mutant: Mutant) -> str:
        """Of a mutant that is compiled in."""
        try:
            if reason := self.find_reason_to_discard(mutant):
                return f"discarded: {reason}"
            with replaced(ROOT / mutant.path, "\n".join(mutant.apply(read_lines(mutant.path)))):
                self.must_make()
                first = self.choose_first(mutant, self.suites.tests)
                for tests in (first, self.suites.tests - first):
                    if failure := self.suites.find_failure(tests):
                        return f"killed by {failure}"
        except Killed as killed:
            return f"killed by {killed}"
        return f"SURVIVED: {len(self.suites.tests)} tests ran"


@contextlib.contextmanager
def replaced(file: pathlib.Path, text: str) -> Iterator[None]:
    """The file has another text inside, and its own after, whatever happens."""
    original = file.read_text()
    file.write_text(text)
    try:
        yield
    finally:
        file.write_text(original)


def show(mutant: Mutant) -> str:
    line = read_lines(mutant.path)[mutant.line - 1]
    return f"{mutant.path}:{mutant.line} {mutant.kind}: {line[mutant.begin : mutant.end].strip()} -> {mutant.text}"


def diff(mutant: Mutant) -> str:
    lines = read_lines(mutant.path)
    return "\n".join(difflib.unified_diff(lines, mutant.apply(lines), mutant.path, mutant.path, n=1, lineterm=""))


def draw_all(options: argparse.Namespace) -> Iterator[tuple[str, Mutant]]:
    """The mutants of the seeds in turn, with the names that the table gives them. A line has one, and those that are to
    be left out have none."""
    seen = {(path, int(line)) for path, line in (place.rsplit(":", 1) for place in options.without)}
    draws = [[(f"{seed}/{i}", m) for i, m in enumerate(draw(seed, options.rooms))] for seed in options.seed]
    for name, mutant in itertools.chain.from_iterable(zip(*draws, strict=True)):
        if (mutant.path, mutant.line) not in seen:
            seen.add((mutant.path, mutant.line))
            yield name, mutant


def test_mutants(options: argparse.Namespace) -> int:
    tester = Tester((ROOT / options.build).resolve(), options.jobs, options.timeout)
    counts = {"killed": 0, "SURVIVED": 0, "discarded": 0}
    drawn, first = itertools.islice(draw_all(options), options.skip, None), options.skip
    while (wanted := options.count - counts["killed"] - counts["SURVIVED"]) > 0:
        # Some are discarded, and a round for the last ones costs a run of all tests.
        named = dict(enumerate(itertools.islice(drawn, wanted + wanted // 10), start=first))
        if not named:
            break
        first += len(named)
        shown = {number: f"{name} {show(mutant)}" for number, (name, mutant) in named.items()}
        for number, outcome in tester.test({number: mutant for number, (_, mutant) in named.items()}):
            counts[re.match(r"\w+", outcome).group()] += 1
            print(f"{shown[number]}: {outcome}", flush=True)
    tester.runner.make()
    tested = counts["killed"] + counts["SURVIVED"]
    score = 100 * counts["killed"] / tested if tested else 0
    print(
        f"{tested} mutants: {counts['killed']} killed, {counts['SURVIVED']} survived, "
        f"{counts['discarded']} discarded; score {score:.0f} %; go on with --skip={first}"
    )
    return 1 if counts["SURVIVED"] else 0


# Runs what follows where /dev cannot be written.
READ_ONLY_DEVICES = (
    "unshare", "-m", "sh", "-c", 'mount --rbind /dev /dev && mount -o remount,bind,ro /dev && exec "$@"', "sh"
)  # fmt: skip


def protect_devices() -> None:
    """Runs this script again where /dev cannot be written: for root a mutant of what writes files would replace the
    machine's devices. Goes on, and says so, where nothing can be mounted."""
    if not os.access("/dev", os.W_OK):
        return
    if not shutil.which("unshare") or subprocess.run([*READ_ONLY_DEVICES, "true"], capture_output=True).returncode:
        print("mutate.py: /dev can be written here, so that a mutant may replace a device", file=sys.stderr)
        return
    os.execvp("unshare", [*READ_ONLY_DEVICES, sys.executable, *sys.argv])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, action="append", help="may be given several times; 1 without")
    parser.add_argument("--count", type=int, default=20, help="of all seeds together, at least")
    parser.add_argument("--skip", type=int, default=0, help="how many of them to leave out")
    parser.add_argument("--without", action="append", default=[], metavar="PATH:LINE", help="a line to leave out")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--diff", action="store_true")
    parser.add_argument("--build", default="build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=300, help="seconds that a command of the tests may take")
    parser.add_argument("rooms", nargs="*", metavar="ROOM")
    options = parser.parse_args()
    options.seed = options.seed or [1]
    # As Ctrl-C: files get their text back.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not (options.list or options.diff):
        protect_devices()
        return test_mutants(options)
    for name, mutant in itertools.islice(draw_all(options), options.skip, options.skip + options.count):
        print(diff(mutant) if options.diff else f"{name} {show(mutant)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except NotBuilt as error:
        print(f"mutate.py: {error}", file=sys.stderr)
        sys.exit(2)
