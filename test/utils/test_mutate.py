"""utils/mutate.py: what it changes is code, the same for a seed, and files have their text after it."""

import argparse
import functools
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

import check_docs
import mutants
import mutate
import pytest
import suites

# The compiler that the project is built with: a machine may have no other.
COMPILER = check_docs.pinned_llvm(mutants.ROOT) / "bin" / "clang++"

SOURCE = """#include "A.h"
using namespace mlir;
/// a == b
static int f(int a, int b) {
  // a < b
  assert(a < b && "a < b");
  if (a < b && !g("a == b"))
    return true;
  if (auto x = h(a); x > 0)
    continue;
  const int last = a + 1;
  count += last;
  op.emitOpError("expected ")
      << a + 1 << b == 2;
  std::pair<int, 4> values;
  return a / b % 3;
}
"""


def texts(source=SOURCE):
    lines = source.split("\n")
    return {
        (mutant.line, mutant.kind, lines[mutant.line - 1][mutant.begin : mutant.end].strip(), mutant.text)
        for mutant in mutants.find_mutants("lib/Room/A.cpp", lines)
    }


def test_changes_of_lines():
    assert texts() == {
        (7, "condition", 'a < b && !g("a == b")', '!(a < b && !g("a == b"))'),
        (7, "comparison", "<", "<="),
        (7, "logic", "&&", "||"),
        (8, "result", "true", "false"),
        (9, "comparison", ">", ">="),
        (9, "constant", "0", "1"),
        (10, "loop", "continue;", "break;"),
        (11, "arithmetic", "+", "-"),
        (11, "constant", "1", "2"),
        (12, "statement", "count += last;", ";"),
        (16, "arithmetic", "/", "*"),
        (16, "arithmetic", "%", "/"),
        (16, "constant", "3", "4"),
    }


def test_a_line_that_goes_on_with_a_statement_is_none():
    lines = [
        "void f() {",
        "  x =",
        "      g(a);",
        "  if (a)",
        "    g(b);",
        "  // Then",
        "  g(c);",
        "  else",
        "    g(d);",
        "}",
    ]
    found = [m.line for m in mutants.find_mutants("lib/Room/A.cpp", lines) if m.kind == "statement"]
    assert found == [5, 7, 9]


def test_only_one_place_of_a_line_changes():
    lines = SOURCE.split("\n")
    for mutant in mutants.find_mutants("lib/Room/A.cpp", lines):
        changed = mutant.apply(lines)
        assert [i for i, (a, b) in enumerate(zip(lines, changed, strict=True), 1) if a != b] == [mutant.line]


def test_texts_of_literals_stay():
    lines = ["int f() {", '  if (g("a == b"))', "}"]
    (mutant,) = mutants.find_mutants("lib/Room/A.cpp", lines)
    assert mutant.apply(lines)[1] == '  if (!(g("a == b")))'


@pytest.mark.parametrize("text", ['"a // b" + 1', "'\"' + 1 // x + 2", "/* a + b */ c + 1", '"\\"+" + 1'])
def test_mask_keeps_columns(text):
    (masked,) = mutants.mask([text])
    assert len(masked) == len(text)
    assert masked.count("+") == 1


def test_a_seed_gives_the_same_mutants_of_all_rooms():
    def first(seed, rooms=(), count=40):
        return [mutant for mutant, _ in zip(mutants.draw(seed, list(rooms)), range(count), strict=False)]

    assert first(7) == first(7)
    assert first(7) != first(8)
    assert len({(mutant.path, mutant.line) for mutant in first(7)}) == 40
    # A room at a time: none comes twice before each came once.
    rooms = {mutant.room for mutant in mutants.draw(7, [])}
    assert {mutant.room for mutant in first(7, count=len(rooms))} == rooms
    assert {mutant.room for mutant in first(7, ["Ids"])} == {"Ids"}
    with pytest.raises(SystemExit, match=r"expected rooms of lib/ .*, but got Nowhere"):
        first(7, ["Nowhere"])


def test_a_file_gets_its_text_back(tmp_path):
    file = tmp_path / "A.cpp"
    file.write_text("old")

    def interrupt():
        with mutate.replaced(file, "new"):
            assert file.read_text() == "new"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert file.read_text() == "old"


def test_object_files_of_a_build():
    commands = (
        '[{"directory": "/b", "command": "c++ -DX=\\"a b\\" -o lib/A.dir/A.cpp.o -c /s/A.cpp", "file": "/s/A.cpp"}]'
    )
    assert mutate.read_objects(commands) == {pathlib.Path("/s/A.cpp"): "lib/A.dir/A.cpp.o"}


SWITCHED = """// At the top.
int f(int a, int b) {
  int result = 0;
  for (int i = 0; i < a; ++i) {
    if (i == b && a != 3)
      continue;
    result += b +
              i * 2;
    result *= 2;
  }
  return result + (b > 1 ? a / 2 : 7);
}
int main(int, char **) {
  return (f(5, 3) * 7 + f(3, 9)) % 251;
}
"""


def compile_and_run(tmp_path, text, mutant=None):
    (tmp_path / "A.cpp").write_text(text)
    program = tmp_path / "A"
    subprocess.run([COMPILER, "-std=c++20", "-Wall", "-Werror", "-o", program, tmp_path / "A.cpp"], check=True)
    environment = {} if mutant is None else {"FUSER_MUTANT": str(mutant)}
    return subprocess.run([program], env=environment, timeout=60).returncode


@pytest.mark.parametrize(
    ("line", "kind", "expected"),
    [
        ("  if (a < b)", "condition", "if (isMutant(5) ? !(a < b) : static_cast<bool>(a < b))"),
        ("  if (a + 1 < b)", "arithmetic", "if ((isMutant(5) ? (a - 1 < b) : (a + 1 < b)))"),
        ("  return a + f(b, c);", "arithmetic", "return (isMutant(5) ? (a - f(b, c)) : (a + f(b, c)));"),
        ("  x = c ? a + 1 : A::b;", "arithmetic", "x = c ? (isMutant(5) ? (a - 1 ) : (a + 1 )): A::b;"),
        ("  x += a::b([&](int i) { return f(i); }) + c;", "arithmetic",
         "x += (isMutant(5) ? (a::b([&](int i) { return f(i); }) - c) : (a::b([&](int i) { return f(i); }) + c));"),
        ("  g(a, b == c);", "comparison", "g(a, (isMutant(5) ? (b != c) : (b == c)));"),
        ("  bool x = a <= b;", "comparison", "bool x = (isMutant(5) ? (a < b) : (a <= b));"),
        ("      return true;", "result", "return (isMutant(5) ? (false) : (true));"),
        ("    continue;", "loop", "{ if (isMutant(5)) break; continue; }"),
        ("    return;", "statement", "{ if (!isMutant(5)) return; }"),
        ("    f(a);", "statement", "{ if (!isMutant(5)) f(a); }"),
    ],
)  # fmt: skip
def test_a_switch_around_the_smallest_expression(line, kind, expected):
    lines = ["void f() {", line, "}"]
    mutant = next(m for m in mutants.find_mutants("lib/Room/A.cpp", lines) if m.kind == kind)
    text, held = mutants.combine(lines, {5: mutant})
    assert text.split("\n")[2].strip() == expected
    assert held == {5}


def test_switched_sources_compute_what_the_mutants_do(tmp_path):
    lines = SWITCHED.split("\n")
    found = list(mutants.find_mutants("lib/Room/A.cpp", lines))
    assert len({mutant.kind for mutant in found}) >= 6
    text, held = mutants.combine(lines, dict(enumerate(found)))
    # Those of one expression exclude each other.
    assert 0 < len(held) < len(found)
    expected = compile_and_run(tmp_path, SWITCHED)
    assert compile_and_run(tmp_path, text) == expected
    outcomes = set()
    for number in sorted(held):
        outcome = compile_and_run(tmp_path, "\n".join(found[number].apply(lines)))
        assert compile_and_run(tmp_path, text, number) == outcome, found[number]
        outcomes.add(outcome)
    assert len(outcomes | {expected}) > 5


def test_a_list_chooses_several_mutants(tmp_path):
    lines = ["int main() {", "  int a = 0;", "  a += 1;", "  a += 10;", "  a += 20;", "  return a;", "}"]
    chosen = {17: 3, 4: 4, 170: 5}  # by number, the line that it drops
    found = {m.line: m for m in mutants.find_mutants("lib/Room/A.cpp", lines) if m.kind == "statement"}
    text, _ = mutants.combine(lines, {number: found[line] for number, line in chosen.items()})
    for numbers, expected in ((None, 31), ("17", 30), ("4,17", 20), ("17,170", 10), ("1", 31), ("4,17,170", 0)):
        assert compile_and_run(tmp_path, text, numbers) == expected


def test_warnings_drop_no_mutant(tmp_path):
    lines = ["int main(int a, char **) {", "  return a == 7 || a == 8 || a == 9 || a == 1;", "}"]
    found = [m for m in mutants.find_mutants("lib/Room/A.cpp", lines) if m.kind == "logic"]
    assert len(found) == 3
    for mutant in found:
        text, held = mutants.combine(lines, {3: mutant})
        assert held == {3}
        assert compile_and_run(tmp_path, text) == 1
        assert compile_and_run(tmp_path, text, 3) == (0 if mutant is found[2] else 1)


def test_what_a_process_reaches_is_logged(tmp_path):
    lines = SWITCHED.split("\n")
    found = [m for m in mutants.find_mutants("lib/Room/A.cpp", lines) if m.line in (6, 9)]
    text, held = mutants.combine(lines, dict(enumerate(found)))
    (tmp_path / "A.cpp").write_text(text)
    program, log = tmp_path / "A", tmp_path / "log"
    log.mkdir()
    subprocess.run([COMPILER, "-std=c++20", "-o", program, tmp_path / "A.cpp"], check=True)
    environment = {"FUSER_MUTANT": "log", "FUSER_MUTANT_LOG": str(log), "PYTEST_CURRENT_TEST": "a.py::b (call)"}
    subprocess.run(["sh", "-c", f"{program} first; true"], env=environment, check=True)
    logged = [line.split("\t") for line in next(log.iterdir()).read_text().splitlines()]
    assert {int(number) for number, *_ in logged} == held
    assert {words[1] for words in logged} == {"a.py::b (call)"}
    assert {words[2] for words in logged} == {f"{program}\x1ffirst\x1f"}
    assert all("-c\x1f" in words[3] for words in logged)


def test_a_log_names_the_tests():
    tests = suites.Suites.__new__(suites.Suites)
    tests.ctests = {f"T.{name}": {"command": ["/b/T", f"--gtest_filter={name}"]} for name in ("A.B", "A.C", "A.D")}
    tests.checks = {"utils/abuse.py": ()}
    log = "\n".join(
        [
            "3\t\tfuser-opt\x1f-\x1f\tbash\x1f/b/test/Ids/Output/a.mlir.script\x1f\tlit\x1f",
            "3\t\t/b/T\x1f--gtest_filter=A.B\x1f\tctest\x1f",
            "4\ttest/python/test_a.py::test_b[1] (call)\tpython\x1f",
            "4\t\tfuser-run\x1f\tpython\x1futils/abuse.py\x1f--jobs=2\x1f",
            "6\t\t/b/T\x1f--gtest_brief=0\x1f--gtest_filter=A.C:A.D\x1f",
            "5\t\tfuser-run\x1f\tbash\x1f",
        ]
    )
    names = {number: sorted(map(str, reaching)) for number, reaching in tests.read_log(log).items()}
    assert names == {
        3: ["ctest T.A.B", "lit Ids/a.mlir"],
        5: [],
        6: ["ctest T.A.C", "ctest T.A.D"],
        4: ["check utils/abuse.py", "pytest test/python/test_a.py"],
    }


def test_lines_are_left_out():
    options = argparse.Namespace(seed=[3, 4], rooms=["Ids"], without=[])
    drawn = list(itertools.islice(mutate.draw_all(options), 6))
    without = [f"{mutant.path}:{mutant.line}" for _, mutant in drawn[1:3]]
    left = mutate.draw_all(argparse.Namespace(seed=[3, 4], rooms=["Ids"], without=without))
    assert list(itertools.islice(left, 4)) == [drawn[0], *drawn[3:]]


class FakeTester:
    """Says of each mutant in turn what became of it."""

    outcomes = ("killed by lit A.mlir", "discarded: its code is the same", "SURVIVED: no test reaches it")

    def __init__(self, *_):
        self.left = list(self.outcomes)
        self.runner = self

    def test(self, mutants):
        for number in mutants:
            yield number, self.left.pop(0)

    def make(self):
        pass


def test_summary(monkeypatch, capsys):
    monkeypatch.setattr(mutate, "Tester", FakeTester)
    options = argparse.Namespace(
        seed=[3, 4], count=2, skip=5, build="build", jobs=1, timeout=1, rooms=["Ids"], without=[]
    )
    assert mutate.test_mutants(options) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [re.match(r"[34]/\d+ lib/Ids/", line) is not None for line in lines] == [True] * 3 + [False]
    for line, outcome in zip(lines, FakeTester.outcomes, strict=False):
        assert line.endswith(f": {outcome}")
    assert lines[3] == "2 mutants: 1 killed, 1 survived, 1 discarded; score 50 %; go on with --skip=8"


@pytest.mark.parametrize(("writable", "mounts", "count"), [(False, True, 0), (True, True, 1), (True, False, 0)])
def test_devices_cannot_be_replaced(monkeypatch, capsys, writable, mounts, count):
    """As root the script begins again, where /dev cannot be written."""
    begun = []
    monkeypatch.setattr(os, "execvp", lambda *command: begun.append(command))
    monkeypatch.setattr(os, "access", lambda path, mode: writable)
    monkeypatch.setattr(mutate.shutil, "which", lambda name: name)
    monkeypatch.setattr(
        mutate.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 0 if mounts else 1)
    )
    monkeypatch.setattr(sys, "argv", ["mutate.py", "--seed=3"])
    mutate.protect_devices()
    assert len(begun) == count
    for program, words in begun:
        assert program == words[0] == "unshare"
        assert words[-2:] == sys.argv
    assert ("may replace a device" in capsys.readouterr().err) == (writable and not mounts)


def test_devices_are_read_only():
    run = functools.partial(subprocess.run, capture_output=True, text=True)
    if os.geteuid() != 0 or run([*mutate.READ_ONLY_DEVICES, "true"]).returncode != 0:
        pytest.skip("nothing can be mounted here")
    show = "import os; print(os.access('/dev', os.W_OK), open('/dev/null', 'w').write('x'), os.path.isdir('/dev/shm'))"
    assert run([*mutate.READ_ONLY_DEVICES, sys.executable, "-c", show]).stdout == "False 1 True\n"


def test_a_command_that_hangs_is_killed(tmp_path):
    runner = suites.Runner(tmp_path, jobs=1, timeout=1)
    with pytest.raises(suites.TooLong, match="lit: more than 1 s"):
        runner.run("lit", sys.executable, "-c", "import time; time.sleep(60)")


TESTS = [suites.Test("lit", f"{name}.mlir") for name in "abcdefgh"]


LIT = """#!/bin/sh
for option in "$@"; do
  case $option in
  *f.mlir) echo "$(ulimit -St) s"; exec sleep 60;;
  *c.mlir) failed=1; echo "FAIL: fuser :: c.mlir (1 of 8)";;
  *.mlir) echo "PASS: fuser :: $(basename $option) (1 of 8)";;
  esac
done
exit ${failed:-0}
"""


@pytest.mark.parametrize("stop", [False, True])
def test_a_test_of_lit_that_hangs_is_named(tmp_path, stop):
    tool = tmp_path / "lit"
    tool.write_text(LIT)
    tool.chmod(0o755)
    (tmp_path / ".lit_test_times.txt").write_text("3.0 h.mlir\n")
    lit = suites.Suites.__new__(suites.Suites)
    lit.runner, lit.lit_tool, lit.lit_folder = suites.Runner(tmp_path, jobs=1, timeout=1), str(tool), tmp_path
    lit.tests, lit.ctests = set(TESTS), {}
    failed = lit.run_lit(TESTS[3:], stop)
    assert failed == {TESTS[5]: "lit f.mlir: lit: more than 1 s"}
    assert lit.run_lit([TESTS[0], TESTS[5], TESTS[7]], stop) == failed
    assert lit.run_lit(TESTS, stop) == failed | {TESTS[2]: "lit c.mlir"}


def test_quick_tests_of_lit_have_less_time(tmp_path):
    lit = suites.Suites.__new__(suites.Suites)
    lit.runner, lit.lit_tool, lit.lit_folder = suites.Runner(tmp_path, jobs=1, timeout=9), "/bin/sh", tmp_path
    (tmp_path / ".lit_test_times.txt").write_text("2.5 b.mlir\n")
    lit.tests, lit.ctests = set(TESTS), {}
    seen = []
    lit.run_lit_part = lambda tests, _, seconds: seen.append((tests, seconds)) or {}
    assert lit.run_lit(TESTS[:3], stop=False) == {}
    assert seen == [([TESTS[0], TESTS[2]], suites.MOST_QUICK_SECONDS), ([TESTS[1]], suites.MOST_SECONDS)]
    used = lit.runner.run("sh", "sh", "-c", "ulimit -St", seconds=17)
    assert used.stdout == "17\n"


UNIT_TESTS = """#!/bin/sh
case $* in *fail_fast*) fast=1;; esac
for test in $(echo "$*" | sed 's/.*gtest_filter=//' | tr : ' '); do
  echo "[ RUN      ] $test"
  case $test in
  A.Crashes*) kill -SEGV $$;;
  A.Hangs*) exec sleep 60;;
  A.Fails*) echo "[  FAILED  ] $test (1 ms)"; failed=1; [ -z "$fast" ] || exit 1;;
  A.Skips*) echo "[  SKIPPED ] $test (0 ms)";;
  *) echo "[       OK ] $test (1 ms)";;
  esac
done
exit ${failed:-0}
"""


def make_suites(tmp_path, names):
    """A program with the unit tests of these names."""
    program = tmp_path / "T"
    program.write_text(UNIT_TESTS)
    program.chmod(0o755)
    tests = suites.Suites.__new__(suites.Suites)
    tests.runner = suites.Runner(tmp_path, jobs=1, timeout=60)
    folder = [{"name": "WORKING_DIRECTORY", "value": str(tmp_path)}]
    tests.ctests = {
        f"T.{name}": {"command": [str(program), f"--gtest_filter={name}"], "properties": folder} for name in names
    }
    return tests


def test_a_test_that_is_not_built_is_named():
    built, missing = {"name": "A.B", "command": ["A"]}, {"name": "FuserCTests_NOT_BUILT"}
    assert suites.read_ctests(json.dumps({"tests": [built]})) == {"A.B": built}
    with pytest.raises(suites.NotBuilt, match=r"expected a build tree .*, but FuserCTests_NOT_BUILT has no program"):
        suites.read_ctests(json.dumps({"tests": [built, missing]}))


def test_a_crash_hides_no_other_unit_test(tmp_path):
    names = ["A.Passes", "A.Fails/0", "A.Crashes", "A.Skips", "A.FailsToo", "A.CrashesToo"]
    unit = make_suites(tmp_path, names)
    tests = {suites.Test("ctest", name) for name in unit.ctests}
    failed = unit.run(tests, stop=False)
    assert sorted(failed.values()) == [f"ctest T.A.{n}" for n in ("Crashes", "CrashesToo", "Fails/0", "FailsToo")]
    assert len(unit.run(tests, stop=True)) == 1
    assert unit.run({suites.Test("ctest", "T.A.Skips"), suites.Test("ctest", "T.A.Passes")}, stop=False) == {}


def test_a_unit_test_that_hangs_hides_no_other(tmp_path):
    unit = make_suites(tmp_path, ["A.Passes", "A.Hangs", "A.Fails", "A.HangsToo"])
    unit.runner.timeout = 1
    tests = {suites.Test("ctest", name) for name in unit.ctests}
    failed = unit.run(tests, stop=False)
    assert sorted(failed.values()) == [f"ctest T.A.{n}" for n in ("Fails", "Hangs", "HangsToo")]


def test_a_test_that_fails_once_kills_nothing():
    results = [{TESTS[0]: "lit a.mlir"}, {}, {TESTS[1]: "lit b.mlir"}, {TESTS[1]: "lit b.mlir"}]
    ran = []

    class Unstable(suites.Suites):
        def __init__(self):
            pass

        def run(self, tests, stop):
            ran.append(set(tests))
            return results.pop(0)

    assert Unstable().find_failure(TESTS[:3]) == "lit b.mlir"
    assert ran == [set(TESTS[:3]), {TESTS[0]}, set(TESTS[1:3]), {TESTS[1]}]


class FakeRun:
    """Runs tests with some mutants, as find_killed() wants it, from what each mutant and what some together break."""

    def __init__(self, alone, together=()):
        self.alone, self.together, self.runs = alone, together, []

    def __call__(self, numbers, tests):
        numbers = set(numbers)
        self.runs.append((numbers, set(tests)))
        broken = {test for number in numbers for test in self.alone.get(number, ())}
        for some, breaks, hides in self.together:
            if numbers >= some:
                broken = broken - hides | breaks
        return {test: str(test) for test in broken & set(tests)}


A, B, C, D, *_ = TESTS


def test_a_group_is_tested_together():
    run = FakeRun({1: {A, B}, 3: {C}})
    reached = {1: {A, B, C}, 2: {A, C}, 3: {B, C, D}, 4: set()}
    assert dict(mutate.find_killed(reached, run)) == {1: "lit a.mlir", 3: "lit c.mlir"}
    # Mutants that a test does not reach are not tried with it, nor killed ones again.
    assert ({3}, {A}) not in run.runs
    assert ({1}, {C}) not in run.runs
    # All that are left pass together at the end.
    assert run.runs[-1] == ({2, 4}, {A, C})


def test_a_group_without_failures_survives_in_one_run():
    run = FakeRun({})
    assert list(mutate.find_killed({1: {A}, 2: {B}}, run)) == []
    assert run.runs == [({1, 2}, {A, B})]


def test_what_a_killed_mutant_hid_is_found_in_the_next_round():
    # With 1, test C passes whatever 2 does.
    run = FakeRun({1: {A}, 2: {C}}, [({1, 2}, set(), {C})])
    assert dict(mutate.find_killed({1: {A, C}, 2: {B, C}}, run)) == {1: "lit a.mlir", 2: "lit c.mlir"}


def test_what_only_several_mutants_break_kills_none(capsys):
    # 1 and 3 break A together, and hide that 4 breaks D.
    run = FakeRun({4: {D}}, [({1, 3}, {A}, {D})])
    reached = {1: {A}, 2: {B}, 3: {A}, 4: {D}}
    assert dict(mutate.find_killed(reached, run)) == {4: "lit d.mlir"}
    assert "only some of 4 mutants together break lit a.mlir" in capsys.readouterr().err


def test_a_test_that_fails_by_chance_kills_none(capsys):
    results = [{A: "lit a.mlir"}, {}]
    assert list(mutate.find_killed({1: {A}}, lambda *_: results.pop(0))) == []
    assert results == []


@pytest.mark.parametrize(("files", "groups"), [(100, 4), (5, 20)])
def test_groups_have_one_mutant_of_a_file(files, groups):
    of_files = {n: mutants.Mutant(f"lib/A/{n % files}.cpp", n, 0, 1, "", "condition") for n in range(100)}
    divided = mutate.divide(of_files)
    assert sorted(number for group in divided for number in group) == list(range(100))
    for group in divided:
        assert len({of_files[number].path for number in group}) == len(group) <= mutate.GROUP
    assert len(divided) == groups


NINJA = """[1/3] Building CXX object a.o
FAILED: [code=1] a.o
clang++ -o a.o -c lib/A/a.cpp
lib/A/a.cpp:3:4: error: not a constant
    3 | int a[(isMutant(2) ? (1) : (2))];
lib/A/a.cpp:5:4: note: isMutant(77) is not one of its file
[2/3] Building CXX object b.o
FAILED: [code=1] b.o
lib/A/b.cpp:3:4: error: as it is in a macro
[3/3] Building CXX object c.o
lib/A/c.cpp:3:4: warning: isMutant(6)
ninja: build stopped: cannot make progress due to previous errors.
"""


def test_mutants_that_do_not_compile_leave_the_others_of_their_file():
    tester = mutate.Tester.__new__(mutate.Tester)
    tester.objects = {(mutants.ROOT / f"lib/A/{name}.cpp").resolve(): f"{name}.o" for name in "abc"}
    by_path = {"lib/A/a.cpp": {1: None, 2: None}, "lib/A/b.cpp": {3: None, 4: None}, "lib/A/c.cpp": {6: None}}
    assert tester.drop_broken(by_path, NINJA) == {"lib/A/a.cpp", "lib/A/b.cpp"}
    assert by_path == {"lib/A/a.cpp": {1: None}, "lib/A/b.cpp": {}, "lib/A/c.cpp": {6: None}}


def test_a_test_that_fails_without_a_mutant_is_left_out(tmp_path, capsys):
    class FakeSuites:
        tests = frozenset((A, B, C))
        results = ({A: "lit a.mlir", B: "lit b.mlir"}, {A: "lit a.mlir"})

        def run(self, tests, stop):
            self.results, (failed, *_) = self.results[1:], self.results
            return failed

        def read_log(self, log):
            return {1: {A, B}, 2: {A}}

    tester = mutate.Tester.__new__(mutate.Tester)
    tester.runner = suites.Runner(tmp_path, jobs=1, timeout=1)
    tester.suites = FakeSuites()
    assert tester.find_reached() == {1: {B}, 2: set()}
    assert capsys.readouterr().err == "mutate: left out, since they fail without a mutant: lit a.mlir\n"


def test_the_first_tests_are_quick(tmp_path):
    tester = mutate.Tester.__new__(mutate.Tester)
    tests = tester.suites = make_suites(tmp_path, ["A.B"])
    tests.lit_folder = tmp_path
    (tmp_path / ".lit_test_times.txt").write_text("1.5e+01 Ids/slow.mlir\n2.5e-01 Ids/quick.mlir\n")
    lit = [suites.Test("lit", f"{folder}/{n}.mlir") for folder in ("Ids", "Preseg") for n in ("slow", "quick", "new")]
    many = [suites.Test("lit", f"Lowering/{n}.mlir") for n in range(1000)]
    tests.tests = {*lit, *many, suites.Test("ctest", "T.A.B"), A, suites.Test("check", "utils/golden.py")}
    tests.ctests["fuzzer"] = {"command": ["fuzzer"], "properties": []}
    assert suites.Test("ctest", "T.A.B") in tests.find_quick_tests()
    assert suites.Test("ctest", "fuzzer") not in tests.find_quick_tests()
    mutant = mutants.Mutant("lib/Ids/A.cpp", 1, 0, 1, "", "condition")
    first = tester.choose_first(mutant, tests.tests)
    assert {test for test in first if test.name.startswith("Ids")} == set(lit[1:3])
    assert mutate.SAMPLE <= len(first) <= 2 * mutate.SAMPLE
    assert tester.choose_first(mutant, {lit[0], lit[1]}) == {lit[1]}


def test_slow_tests_run_for_what_quick_ones_leave():
    class FakeSuites:
        tests = frozenset((A, B, C))

        def find_quick_tests(self):
            return {A, B}

    tester = mutate.Tester.__new__(mutate.Tester)
    tester.suites = FakeSuites()
    tester.run_switched = FakeRun({1: {A, C}, 2: {C}})
    assert dict(tester.test_group({1: {A, C}, 2: {B, C}, 3: {C}})) == {1: "lit a.mlir", 2: "lit c.mlir"}
    assert [tests for _, tests in tester.run_switched.runs if C in tests] == [{C}, {C}, {C}, {C}]
    assert all(1 not in numbers for numbers, tests in tester.run_switched.runs if C in tests)
