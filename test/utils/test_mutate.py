"""utils/mutate.py: what it changes is code, the same for a seed, and files have their text after it."""

import argparse
import pathlib
import sys

import mutate
import pytest

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
        for mutant in mutate.find_mutants("lib/Room/A.cpp", lines)
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


def test_only_one_place_of_a_line_changes():
    lines = SOURCE.split("\n")
    for mutant in mutate.find_mutants("lib/Room/A.cpp", lines):
        changed = mutant.apply(lines)
        assert [i for i, (a, b) in enumerate(zip(lines, changed, strict=True), 1) if a != b] == [mutant.line]


def test_texts_of_literals_stay():
    lines = ["int f() {", '  if (g("a == b"))', "}"]
    (mutant,) = mutate.find_mutants("lib/Room/A.cpp", lines)
    assert mutant.apply(lines)[1] == '  if (!(g("a == b")))'


@pytest.mark.parametrize("text", ['"a // b" + 1', "'\"' + 1 // x + 2", "/* a + b */ c + 1", '"\\"+" + 1'])
def test_mask_keeps_columns(text):
    (masked,) = mutate.mask([text])
    assert len(masked) == len(text)
    assert masked.count("+") == 1


def test_a_seed_gives_the_same_mutants_of_all_rooms():
    def first(seed, rooms=(), count=40):
        return [mutant for mutant, _ in zip(mutate.draw(seed, list(rooms)), range(count), strict=False)]

    assert first(7) == first(7)
    assert first(7) != first(8)
    assert len({(mutant.path, mutant.line) for mutant in first(7)}) == 40
    # A room at a time: none comes twice before each came once.
    rooms = {mutant.room for mutant in mutate.draw(7, [])}
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


class FakeTester:
    """Says of each mutant in turn what became of it."""

    outcomes = (mutate.Killed("lit A.mlir"), mutate.Discarded("its code is the same"), None)

    def __init__(self, *_):
        self.left = list(self.outcomes)

    def test(self, _):
        if outcome := self.left.pop(0):
            raise outcome

    def make(self):
        pass


def test_summary(monkeypatch, capsys):
    monkeypatch.setattr(mutate, "Tester", FakeTester)
    options = argparse.Namespace(seed=3, count=2, build="build", jobs=1, timeout=1, rooms=["Ids"])
    assert mutate.test_mutants(options) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.rsplit(": ", 1)[1] for line in lines[:3]] == [
        "killed by lit A.mlir",
        "its code is the same",
        "SURVIVED",
    ]
    assert lines[3] == "2 mutants: 1 killed, 1 survived, 1 discarded; score 50 %"


def test_a_step_that_hangs_is_killed(tmp_path):
    tester = mutate.Tester.__new__(mutate.Tester)
    tester.timeout = 1
    with pytest.raises(mutate.Killed, match="lit: more than 1 s"):
        tester.run("lit", sys.executable, "-c", "import time; time.sleep(60)")
    assert pathlib.Path(mutate.ROOT, "lib").is_dir()
