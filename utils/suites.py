"""The tests of a build tree: which there are, which of them reach a mutant, and which of them fail.

utils/mutate.py runs them.
"""

import concurrent.futures
import contextlib
import dataclasses
import functools
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence

from mutants import ROOT

# What a process may map and how long it may compute: a mutant may ask for memory without end, and loop.
MOST_BYTES = 12 << 30
MOST_SECONDS = 120
# A process of a quick test of lit: a mutant may make many of them loop, and each takes this long.
MOST_QUICK_SECONDS = 30
# How many tests share a command, and what chooses those of a process.
LIT_TESTS = 100
UNIT_TESTS = 25
FILTER = "--gtest_filter="
# What a quick test of lit takes at most.
QUICK_SECONDS = 2


class TooLong(Exception):
    """A command that takes longer than it may, and what it printed before."""

    def __init__(self, text: str, output: str = ""):
        super().__init__(text)
        self.output = output


class NotBuilt(Exception):
    """A test whose program is not in the build tree."""


@dataclasses.dataclass(frozen=True, order=True)
class Test:
    """A test of a suite: "lit Ids/dump.mlir", "ctest FuserIdsTests.IdModel.Joins", "pytest test/utils/test_new.py"."""

    suite: str  # "lit", "ctest", "pytest" or "check"
    name: str

    def __str__(self) -> str:
        return f"{self.suite} {self.name}"


# Tests that failed, and what is printed for each.
Failures = dict[Test, str]


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no output"


def prepare_process(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 10))
    # Tests interrupt programs; a shell's background jobs ignore that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Runner:
    """Runs the commands of a build tree."""

    def __init__(self, build: pathlib.Path, jobs: int, timeout: int):
        self.build, self.jobs, self.timeout = build, jobs, timeout
        # FUSER_MUTANT and FUSER_MUTANT_LOG: what the switches do.
        self.environment: dict[str, str] = {}

    @contextlib.contextmanager
    def with_environment(self, **environment: str) -> Iterator[None]:
        self.environment = environment
        try:
            yield
        finally:
            self.environment = {}

    def run(
        self,
        what: str,
        *command: str,
        folder: pathlib.Path = ROOT,
        timeout: int | None = None,
        seconds: int = MOST_SECONDS,
    ) -> subprocess.CompletedProcess:
        """Runs a command in a group of its own, which ends with it. Each process may compute for so many seconds."""
        with subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"PYTHONUNBUFFERED": "1"} | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=functools.partial(prepare_process, seconds),
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout or self.timeout)
            except BaseException as error:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                if isinstance(error, subprocess.TimeoutExpired):
                    printed = (error.output or b"").decode(errors="replace")
                    raise TooLong(f"{what}: more than {timeout or self.timeout} s", printed) from None
                raise
        return subprocess.CompletedProcess(command, process.returncode, output)

    def make(self, *targets: str, keep_going: bool = False) -> subprocess.CompletedProcess:
        options = ["-C", str(self.build), f"-j{self.jobs}"] + ["-k0"] * keep_going
        return self.run("build", "ninja", *options, *targets, timeout=3600)


def read_ctests(shown: str) -> dict[str, dict]:
    """The tests by name, of what ctest shows: those of a program that is not built have no command."""
    tests = {test["name"]: test for test in json.loads(shown)["tests"]}
    if missing := sorted(name for name, test in tests.items() if "command" not in test):
        raise NotBuilt(f"expected a build tree that is up to date, but {', '.join(missing)} has no program")
    return tests


class Suites:
    """All tests of a build tree that is up to date."""

    def __init__(self, runner: Runner):
        self.runner = runner
        version = re.search(r"LLVM_VERSION=(\d+)", (ROOT / "utils/versions.env").read_text()).group(1)
        self.lit_tool = f"/usr/lib/llvm-{version}/bin/lit"
        self.lit_folder = runner.build / "test"
        self.ctests = self.find_ctests()
        self.checks = {
            "utils/golden.py": ("check", "--first", f"--jobs={runner.jobs}"),
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
        return read_ctests(self.runner.run("ctest", *command).stdout)

    def find_lit_tests(self) -> list[str]:
        shown = self.runner.run("lit", self.lit_tool, "--show-tests", str(self.lit_folder)).stdout
        return re.findall(r"^  fuser :: (\S+)$", shown, re.MULTILINE)

    def get_room_tests(self, room: str) -> set[Test]:
        """The lit tests and the unit tests of a room."""
        units = ROOT / "unittests" / room / "CMakeLists.txt"
        names = re.findall(r"fuser_add_unittest\((\w+)", units.read_text()) if units.exists() else []
        prefixes = (f"lit {room}/", *(f"ctest {name}." for name in names))
        return {test for test in self.tests if str(test).startswith(prefixes)}

    def find_quick_tests(self) -> set[Test]:
        """Unit tests, and those of lit that took little time when they ran last."""
        times = self.lit_folder / ".lit_test_times.txt"
        entries = [line.split(maxsplit=1) for line in times.read_text().splitlines()] if times.exists() else []
        slow = {name for seconds, name in entries if float(seconds) > QUICK_SECONDS}
        return {
            test for test in self.tests if self.is_unit_test(test) or (test.suite == "lit" and test.name not in slow)
        }

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

    def run(self, tests: Iterable[Test], stop: bool) -> Failures:
        """The tests that fail; with `stop`, one of them."""
        failed: Failures = {}
        for run in (self.run_lit, self.run_unit_tests, self.run_others):
            failed |= run(sorted(tests), stop)
            if failed and stop:
                break
        return failed

    def find_failure(self, tests: Iterable[Test]) -> str | None:
        """A test that fails twice: one that depends on the load of the machine says nothing."""
        left = set(tests)
        while once := self.run(left, stop=True):
            if twice := self.run(once, stop=True):
                return next(iter(twice.values()))
            left -= once.keys()
        return None

    def run_lit(self, tests: Sequence[Test], stop: bool) -> Failures:
        """The quick ones first."""
        chosen = [test for test in tests if test.suite == "lit"]
        quick = self.find_quick_tests() if chosen else set()
        failed: Failures = {}
        for some, seconds in (
            ([test for test in chosen if test in quick], MOST_QUICK_SECONDS),
            ([test for test in chosen if test not in quick], MOST_SECONDS),
        ):
            for first in range(0, len(some), LIT_TESTS):
                failed |= self.run_lit_part(some[first : first + LIT_TESTS], stop, seconds)
                if failed and stop:
                    return failed
        return failed

    def run_lit_part(self, tests: Sequence[Test], stop: bool, seconds: int) -> Failures:
        """Tests in one command. lit begins them in the order of their names: if it takes too long, the first that did
        not end do, and the others run by themselves."""
        paths = [str(self.lit_folder / test.name) for test in tests]
        options = [f"-j{self.runner.jobs}", "--order=lexical"] + ["--max-failures=1"] * stop
        late: Failures = {}
        left: list[Test] = []
        try:
            result = self.runner.run("lit", self.lit_tool, *options, *paths, seconds=seconds)
            if result.returncode == 0:
                return {}
            output = result.stdout
        except TooLong as error:
            output = error.output
            ended = set(re.findall(r"^[A-Z]+: fuser :: (\S+)", output, re.MULTILINE))
            left = sorted(test for test in tests if test.name not in ended)
            late = {test: f"{test}: {error}" for test in left[: self.runner.jobs]}
        names = re.findall(r"^(?:FAIL|TIMEOUT|UNRESOLVED|XPASS): fuser :: (\S+)", output, re.MULTILINE)
        failed = {Test("lit", name): f"lit {name}" for name in names} | late
        if not failed:
            return {tests[0]: f"lit {last_line(output)}"}
        left = left[len(late) :]
        return failed if stop or not left else failed | self.run_lit_part(left, stop, seconds)

    def run_unit_tests(self, tests: Sequence[Test], stop: bool) -> Failures:
        """Those of GoogleTest, many in a process."""
        by_program: dict[str, list[Test]] = {}
        for test in tests:
            if self.is_unit_test(test):
                by_program.setdefault(self.get_command(test)[0], []).append(test)
        parts = [
            chosen[i : i + UNIT_TESTS] for chosen in by_program.values() for i in range(0, len(chosen), UNIT_TESTS)
        ]
        failed: Failures = {}
        with concurrent.futures.ThreadPoolExecutor(self.runner.jobs) as pool:
            futures = [pool.submit(self.run_unit_part, part, stop) for part in parts]
            try:
                for future in concurrent.futures.as_completed(futures):
                    failed |= future.result()
                    if failed and stop:
                        break
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        return failed

    def run_unit_part(self, tests: Sequence[Test], stop: bool) -> Failures:
        """Unit tests of one program. Those that a crash or a test that never ends leaves out run in another process."""
        program = self.get_command(tests[0])[0]
        properties = {each["name"]: each["value"] for each in self.ctests[tests[0].name]["properties"]}
        folder = pathlib.Path(properties["WORKING_DIRECTORY"])
        left = {self.get_filter(test): test for test in tests}
        failed: Failures = {}
        while left and not (failed and stop):
            command = (program, "--gtest_brief=0", *["--gtest_fail_fast"] * stop, FILTER + ":".join(left))
            try:
                result = self.runner.run(f"ctest {pathlib.Path(program).name}", *command, folder=folder)
                if result.returncode == 0:
                    break
                output = result.stdout
            except TooLong as error:
                output = error.output
            begun = [name for name in re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE) if name in left]
            ended = re.findall(r"^\[ +(?:OK|SKIPPED) +\] ([^\s,]+)", output, re.MULTILINE)
            wrong = [name for name in begun if name not in ended] or list(left)[:1]
            failed |= {left[name]: str(left[name]) for name in wrong}
            left = {name: test for name, test in left.items() if name not in begun and name not in wrong}
        return failed

    def run_others(self, tests: Sequence[Test], stop: bool) -> Failures:
        failed: Failures = {}
        for test in tests:
            if test.suite == "lit" or self.is_unit_test(test):
                continue
            failed |= self.run_other(test, stop)
            if failed and stop:
                break
        return failed

    def run_other(self, test: Test, stop: bool) -> Failures:
        """A test that has a process of its own."""
        if test.suite == "ctest":
            command = ("ctest", "--test-dir", str(self.runner.build), "-R", f"^{re.escape(test.name)}$")
        elif test.suite == "pytest":
            command = (sys.executable, "-m", "pytest", "-q", *["-x"] * stop, test.name)
        else:
            command = (sys.executable, test.name, *self.checks[test.name])
        try:
            result = self.runner.run(str(test), *command, timeout=max(900, self.runner.timeout))
        except TooLong as error:
            return {test: str(error)}
        if result.returncode == 0:
            return {}
        failure = re.search(r"^(?:FAILED|ERROR) (\S+)", result.stdout, re.MULTILINE) if test.suite == "pytest" else None
        return {test: f"pytest {failure.group(1)}" if failure else str(test)}

    def get_command(self, test: Test) -> list[str]:
        return self.ctests[test.name]["command"]

    def get_filter(self, test: Test) -> str:
        return next(word.removeprefix(FILTER) for word in self.get_command(test) if word.startswith(FILTER))

    def is_unit_test(self, test: Test) -> bool:
        return test.suite == "ctest" and any(word.startswith(FILTER) for word in self.get_command(test))
