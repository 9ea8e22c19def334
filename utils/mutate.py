"""Changes random lines of lib/, one change per run of the tests, and says which tests notice.

usage: utils/mutate.py [--seed=1 ...] [--count=20] [--list | --diff] [--build=build] [--jobs=N] [--timeout=300] [ROOM]
Each mutant is one small change: a condition, a comparison, an operator, a constant, a statement. All of them are built
at once, behind a switch (utils/mutant.h). The tests run once to see which of them reach which mutant; then, for each
mutant, those that reach it run until one fails. What a switch cannot hold, as a constant expression, is built by
itself and gets all tests. Mutants that do not compile, or whose code is the same, are replaced by others.
docs/mutation.md says how to read the table. `--list` prints the mutants and `--diff` their changes; neither builds
anything. Exits with 1 where a mutant survives.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import difflib
import itertools
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence

from mutants import ROOT, Mutant, combine, draw, read_lines

# What a process may map: a mutant may ask for memory without end.
MOST_BYTES = 12 << 30
# How many unit tests share a process, and what chooses them.
UNIT_TESTS = 25
FILTER = "--gtest_filter="


class Killed(Exception):
    """A test that fails with the mutant."""


class Discarded(Exception):
    """A mutant that changes nothing, or is no C++."""


@dataclasses.dataclass(frozen=True, order=True)
class Test:
    """A test of a suite: "lit Ids/dump.mlir", "ctest FuserIdsTests.IdModel.Joins", "pytest test/utils/test_new.py"."""

    suite: str  # "lit", "ctest", "pytest" or "check"
    name: str

    def __str__(self) -> str:
        return f"{self.suite} {self.name}"


def read_objects(commands: str) -> dict[pathlib.Path, str]:
    """The object file of each source, as a target of the build."""
    objects = {}
    for entry in json.loads(commands):
        words = shlex.split(entry["command"])
        objects[pathlib.Path(entry["file"]).resolve()] = words[words.index("-o") + 1]
    return objects


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no output"


def prepare_process() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    # Tests interrupt programs; a shell's background jobs ignore that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Runner:
    """Runs the commands of a build tree. One that takes too long is a test that fails."""

    def __init__(self, build: pathlib.Path, jobs: int, timeout: int):
        self.build, self.jobs, self.timeout = build, jobs, timeout
        # FUSER_MUTANT and FUSER_MUTANT_LOG: what the switches do.
        self.environment: dict[str, str] = {}

    def run(
        self, what: str, *command: str, folder: pathlib.Path = ROOT, timeout: int | None = None
    ) -> subprocess.CompletedProcess:
        """Runs a command in a group of its own, which ends with it."""
        with subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=prepare_process,
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout or self.timeout)
            except BaseException as error:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                if isinstance(error, subprocess.TimeoutExpired):
                    raise Killed(f"{what}: more than {timeout or self.timeout} s") from None
                raise
        return subprocess.CompletedProcess(command, process.returncode, output)

    def make(self, *targets: str, keep_going: bool = False) -> subprocess.CompletedProcess:
        options = ["-C", str(self.build), f"-j{self.jobs}"] + ["-k0"] * keep_going
        return self.run("build", "ninja", *options, *targets, timeout=3600)

    def must_make(self, *targets: str) -> None:
        result = self.make(*targets)
        if result.returncode != 0:
            raise Killed("build: " + last_line(result.stdout))


class Suites:
    """All tests of a build tree that is up to date."""

    def __init__(self, runner: Runner):
        self.runner = runner
        version = re.search(r"LLVM_VERSION=(\d+)", (ROOT / "utils/versions.env").read_text()).group(1)
        self.lit_tool = f"/usr/lib/llvm-{version}/bin/lit"
        self.lit_folder = runner.build / "test"
        self.ctests = self.find_ctests()
        self.checks = {
            "utils/golden.py": ("check", f"--jobs={runner.jobs}"),
            "utils/abuse.py": (f"--jobs={runner.jobs}",),
        }
        self.tests = {
            *(Test("ctest", name) for name in self.ctests),
            *(Test("lit", name) for name in self.find_lit_tests()),
            *(Test("pytest", str(path.relative_to(ROOT))) for path in (ROOT / "test").rglob("test_*.py")),
            *(Test("check", name) for name in self.checks),
        }

    def find_ctests(self) -> dict[str, dict]:
        command = ("ctest", "--test-dir", str(self.runner.build), "--show-only=json-v1")
        return {test["name"]: test for test in json.loads(self.runner.run("ctest", *command).stdout)["tests"]}

    def find_lit_tests(self) -> list[str]:
        shown = self.runner.run("lit", self.lit_tool, "--show-tests", str(self.lit_folder)).stdout
        return re.findall(r"^  fuser :: (\S+)$", shown, re.MULTILINE)

    def get_room_tests(self, room: str) -> set[Test]:
        """The lit tests and the unit tests of a room."""
        units = ROOT / "unittests" / room / "CMakeLists.txt"
        names = re.findall(r"fuser_add_unittest\((\w+)", units.read_text()) if units.exists() else []
        prefixes = (f"lit {room}/", *(f"ctest {name}." for name in names))
        return {test for test in self.tests if str(test).startswith(prefixes)}

    def find_owners(self, words: Sequence[str]) -> set[Test]:
        """The tests whose process has this command line: one, or unit tests that share it."""
        for word in words:
            if match := re.search(r"test/(?:(.*)/)?Output/([^/]*)\.script$", word):
                return {Test("lit", f"{match.group(1)}/{match.group(2)}" if match.group(1) else match.group(2))}
            if word.startswith(FILTER):
                return {self.by_filter[name] for name in word.removeprefix(FILTER).split(":") if name in self.by_filter}
        for name in self.checks:
            if any(word.endswith(name) for word in words[:3]):
                return {Test("check", name)}
        owner = self.by_command.get(tuple(words))
        return {owner} if owner else set()

    def read_log(self, log: str) -> dict[int, set[Test]]:
        """Which tests reach which mutants, from what utils/mutant.h writes."""
        self.by_command = {tuple(test["command"]): Test("ctest", name) for name, test in self.ctests.items()}
        self.by_filter = {
            word.removeprefix(FILTER): Test("ctest", name)
            for name, test in self.ctests.items()
            for word in test["command"]
            if word.startswith(FILTER)
        }
        reached: dict[int, set[Test]] = {}
        for line in log.splitlines():
            if line.count("\t") < 2:  # cut off
                continue
            number, pytest, *processes = line.split("\t")
            owners = {Test("pytest", pytest.split("::")[0])} if pytest else set()
            for process in processes:
                owners = owners or self.find_owners(process.rstrip("\x1f").split("\x1f"))
            reached.setdefault(int(number), set()).update(owners)
        return reached

    def run(self, tests: set[Test], stop: bool = True) -> None:
        """Raises Killed for the first test that fails; without `stop`, after all have run."""
        failures = []
        for run in (self.run_lit, self.run_unit_tests, self.run_other_ctests, self.run_pytest, self.run_checks):
            try:
                run(tests, stop)
            except Killed as killed:
                if stop:
                    raise
                failures.append(str(killed))
        if failures:
            raise Killed("; ".join(failures))

    def run_lit(self, tests: set[Test], stop: bool) -> None:
        paths = [str(self.lit_folder / test.name) for test in sorted(tests) if test.suite == "lit"]
        if not paths:
            return
        options = ["-s", f"-j{self.runner.jobs}"] + ["--max-failures=1"] * stop
        result = self.runner.run("lit", self.lit_tool, *options, *paths, timeout=None if stop else 3600)
        if result.returncode != 0:
            failure = re.search(r"^(?:FAIL|TIMEOUT|UNRESOLVED): fuser :: (\S+)", result.stdout, re.MULTILINE)
            raise Killed(f"lit {failure.group(1) if failure else last_line(result.stdout)}")

    def run_unit_tests(self, tests: set[Test], stop: bool) -> None:
        """Those of GoogleTest, many in a process."""
        by_program: dict[tuple[str, str], list[str]] = {}
        for test in sorted(tests):
            if test.suite != "ctest":
                continue
            program, *arguments = self.ctests[test.name]["command"]
            filters = [word.removeprefix(FILTER) for word in arguments if word.startswith(FILTER)]
            folder = next(p["value"] for p in self.ctests[test.name]["properties"] if p["name"] == "WORKING_DIRECTORY")
            by_program.setdefault((program, folder), []).extend(filters)
        parts = [
            (program, folder, filters[first : first + UNIT_TESTS])
            for (program, folder), filters in by_program.items()
            for first in range(0, len(filters), UNIT_TESTS)
        ]
        with concurrent.futures.ThreadPoolExecutor(self.runner.jobs) as pool:
            futures = [pool.submit(self.run_part, *part) for part in parts]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def run_part(self, program: str, folder: str, filters: list[str]) -> None:
        command = (program, "--gtest_brief=0", "--gtest_fail_fast", FILTER + ":".join(filters))
        name = pathlib.Path(program).name
        result = self.runner.run(f"ctest {name}", *command, folder=pathlib.Path(folder))
        if result.returncode != 0:
            failed = re.findall(r"^\[  FAILED  \] ([\w./]+)", result.stdout, re.MULTILINE)
            begun = re.findall(r"^\[ RUN      \] ([\w./]+)", result.stdout, re.MULTILINE)
            raise Killed(f"ctest {name}.{(failed or begun[-1:] or ['start'])[0]}")

    def run_other_ctests(self, tests: set[Test], stop: bool) -> None:
        for test in sorted(tests):
            if test.suite == "ctest" and not any(FILTER in word for word in self.get_command(test)):
                command = ("--test-dir", str(self.runner.build), "-R", f"^{re.escape(test.name)}$")
                if self.runner.run(str(test), "ctest", *command, timeout=900).returncode != 0:
                    raise Killed(str(test))

    def get_command(self, test: Test) -> list[str]:
        return self.ctests[test.name]["command"]

    def run_pytest(self, tests: set[Test], stop: bool) -> None:
        files = [test.name for test in sorted(tests) if test.suite == "pytest"]
        if not files:
            return
        result = self.runner.run("pytest", sys.executable, "-m", "pytest", "-q", *["-x"] * stop, *files)
        if result.returncode != 0:
            failure = re.search(r"^FAILED (\S+)", result.stdout, re.MULTILINE)
            raise Killed(f"pytest {failure.group(1) if failure else last_line(result.stdout)}")

    def run_checks(self, tests: set[Test], stop: bool) -> None:
        for test in sorted(tests):
            if test.suite == "check":
                command = (sys.executable, test.name, *self.checks[test.name])
                if self.runner.run(str(test), *command, timeout=900).returncode != 0:
                    raise Killed(str(test))


class Tester:
    """Builds mutants and runs tests on them, in a build tree that is up to date."""

    def __init__(self, build: pathlib.Path, jobs: int, timeout: int):
        self.runner = Runner(build, jobs, timeout)
        self.runner.must_make()
        self.suites = Suites(self.runner)
        self.objects = read_objects((build / "compile_commands.json").read_text())

    def test(self, mutants: dict[int, Mutant]) -> Iterator[tuple[int, str]]:
        """The outcome of each mutant, by its number, as it is known."""
        switched = self.build_switches(mutants)
        reached = self.find_reached() if switched else {}
        survivors = {}
        for number in switched:
            try:
                self.test_switched(number, mutants[number], reached.get(number, set()))
                survivors[number] = reached.get(number, set())
            except Killed as killed:
                yield number, f"killed by {killed}"
        for number in sorted(mutants.keys() - set(switched)):
            yield number, self.judge_alone(mutants[number])
        for number, tests in survivors.items():
            seen = f"{len(tests)} tests reach it" if tests else "no test reaches it"
            reason = self.find_reason_to_discard(mutants[number])
            yield number, f"discarded: {reason}" if reason else f"SURVIVED: {seen}"

    def build_switches(self, mutants: dict[int, Mutant]) -> list[int]:
        """Builds sources with all mutants that can be chosen at run time, and gives those. Tests that read sources find
        the original ones."""
        by_path: dict[str, dict[int, Mutant]] = {}
        for number, mutant in mutants.items():
            by_path.setdefault(mutant.path, {})[number] = mutant
        switched = []
        with contextlib.ExitStack() as files:
            originals = {path: read_lines(path) for path in by_path}
            held = {}
            for path, of_file in by_path.items():
                text, held[path] = combine(originals[path], of_file)
                files.enter_context(replaced(ROOT / path, text))
            self.runner.make(*map(self.get_object, by_path), keep_going=True)
            for path in by_path:
                if self.runner.make(self.get_object(path)).returncode == 0:
                    switched += held[path]
                else:
                    files.enter_context(replaced(ROOT / path, "\n".join(originals[path])))
            self.runner.must_make()
        return switched

    def get_object(self, path: str) -> str:
        return self.objects[(ROOT / path).resolve()]

    def find_reached(self) -> dict[int, set[Test]]:
        with tempfile.TemporaryDirectory() as folder:
            self.runner.environment = {"FUSER_MUTANT": "log", "FUSER_MUTANT_LOG": folder}
            try:
                self.suites.run(self.suites.tests, stop=False)
            except Killed as failed:
                sys.exit(f"mutate: tests fail without a mutant: {failed}")
            finally:
                self.runner.environment = {}
            logs = [file.read_text(errors="replace") for file in sorted(pathlib.Path(folder).iterdir())]
            return self.suites.read_log("\n".join(logs))

    def test_switched(self, number: int, mutant: Mutant, tests: set[Test]) -> None:
        self.runner.environment = {"FUSER_MUTANT": str(number)}
        try:
            self.run_tests(mutant, tests)
        finally:
            self.runner.environment = {}

    def run_tests(self, mutant: Mutant, tests: set[Test]) -> None:
        first = tests & self.suites.get_room_tests(mutant.room)
        self.suites.run(first)
        self.suites.run(tests - first)

    def find_reason_to_discard(self, mutant: Mutant) -> str | None:
        """Why a mutant that is compiled in does not count."""
        target = self.get_object(mutant.path)
        self.runner.must_make(target)
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
                self.runner.must_make()
                self.run_tests(mutant, self.suites.tests)
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
    """The mutants of the seeds in turn, with the names that the table gives them. A line has one."""
    seen = set()
    draws = [[(f"{seed}/{i}", m) for i, m in enumerate(draw(seed, options.rooms))] for seed in options.seed]
    for name, mutant in itertools.chain.from_iterable(zip(*draws, strict=True)):
        if (mutant.path, mutant.line) not in seen:
            seen.add((mutant.path, mutant.line))
            yield name, mutant


def test_mutants(options: argparse.Namespace) -> int:
    tester = Tester((ROOT / options.build).resolve(), options.jobs, options.timeout)
    counts = {"killed": 0, "SURVIVED": 0, "discarded": 0}
    drawn, first = draw_all(options), 0
    while wanted := options.count - counts["killed"] - counts["SURVIVED"]:
        named = dict(enumerate(itertools.islice(drawn, wanted), start=first))
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
        f"{counts['discarded']} discarded; score {score:.0f} %"
    )
    return 1 if counts["SURVIVED"] else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, action="append", help="may be given several times; 1 without")
    parser.add_argument("--count", type=int, default=20, help="of all seeds together")
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
        return test_mutants(options)
    for name, mutant in itertools.islice(draw_all(options), options.count):
        print(diff(mutant) if options.diff else f"{name} {show(mutant)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
