"""utils/golden.py: which cases there are, what is a difference, and that the kept counts notice one."""

import pathlib

import golden
import golden_cases
import golden_compare
import pytest

FUSION = "fuser.fusion @{0}(%x: tensor<?xf32>) -> tensor<?xf32> {{}}\n"
LINE = 'block="32x1x1" grid="s0, 1, 1" index_bits="32" load.global.4={loads} load.register.4=3 op.all=9'
IR = "// gpu.func @k {text}\nfacts = [#fuser.fact<divisible 0[0], {divisor}>]\n"


@pytest.fixture
def root(tmp_path):
    """A repository of files by path."""

    def write(files: dict[str, str]) -> pathlib.Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    return write


def names(root: pathlib.Path) -> list[str]:
    return [case.name for case in golden_cases.collect(root)[0]]


def test_run_lines_are_cases(root):
    run = "// RUN: fuser-run %s --device=host --check --sizes=3 --scalar s=1 2>&1 | FileCheck %s\n"
    assert names(root({"test/a.mlir": run + FUSION.format("f")})) == ["test/a/sizes=3,scalar=s=1"]


def test_run_lines_of_other_files_are_cases(root):
    files = {
        "examples/f.mlir": FUSION.format("f"),
        "test/x/g.mlir": FUSION.format("g"),
        "test/x/all.test": "RUN: fuser-run %examples/f.mlir --sizes=1\nRUN: fuser-run \\\nRUN: %S/g.mlir --sizes=2\n",
    }
    assert names(root(files)) == ["examples/f/sizes=1", "test/x/g/sizes=2"]


@pytest.mark.parametrize(
    "line", ["not fuser-run %s", "fuser-run --batch %s", "fuser-run %t.mlir", "fuser-run %s --input x=%t.npy", "true"]
)
def test_other_run_lines_are_none(root, line):
    assert names(root({"test/a.mlir": f"// RUN: {line}\n" + FUSION.format("f")})) == ["test/a/default"]


def test_programs_that_no_line_runs_are_cases(root):
    text = "// RUN: fuser-run %s --program=f\n" + FUSION.format("f") + FUSION.format("g")
    assert names(root({"test/a.mlir": text})) == ["test/a/program=f", "test/a/program=g"]


def test_pieces_are_programs(root):
    files = {"test/a.mlir": FUSION.format("f") + "// -----\n" + FUSION.format("g").replace("?x", "?x?x?x")}
    assert names(root(files)) == ["test/a.1/default", "test/a.2/default-size=16"]


def test_a_batch_that_crashes_and_hangs(tmp_path):
    tool = tmp_path / "fuser-run"
    tool.write_text(
        """#!/bin/bash
        while read -r line; do
          case $line in
            ok) echo ok $line ;;
            bad) printf 'FAIL %s\\n  program     @f\\n  error: x\\n  error: y\\n' $line ;;
            crash) kill -SEGV $$ ;;
            hang) exec sleep 100 ;;
          esac
        done"""
    )
    tool.chmod(0o755)
    lines = ["ok", "bad", "crash", "hang", "ok"]
    outcomes = golden.run_batch(tool, lines, tmp_path, patience=1)
    assert outcomes == [None, "error: x\nerror: y\n", "crash: exit code -11\n", "takes longer than 1 s\n", None]


@pytest.fixture
def dump(tmp_path):
    """A dump of one case with one kernel."""

    def write(name: str, *, loads: int = 1, text: str = "", divisor: int = 4, outputs: str | None = "1234", **more):
        folder = tmp_path / name
        (folder / "kernels" / "a").mkdir(parents=True)
        (folder / "programs").mkdir()
        (folder / "programs" / "a.mlir").write_text("")
        golden_cases.write_cases(folder, [golden_cases.Case("a/default", "a.mlir", ())])
        line = LINE.format(loads=loads)
        for old, new in more.items():
            line = line.replace(old.replace("__", "."), new)
        (folder / "counts.txt").write_text(f"a/default k {line}\n")
        (folder / "kernels" / "a" / "default.mlir").write_text(IR.format(text=text, divisor=divisor))
        if outputs:
            (folder / "outputs.txt").write_text(f"a/default {outputs}\n")
        return str(folder)

    return write


@pytest.mark.parametrize(
    ("change", "fails"),
    [
        ({}, ""),
        ({"text": "x"}, "G0"),
        ({"load__register__4=3": "load.register.4=5"}, "G2"),
        ({"op__all=9": "op.all=8"}, ""),
        ({"loads": 0}, "G1"),
        ({"loads": 2}, "G1 G2"),
        ({"divisor": 8}, "G0 G1 G2"),
        ({"outputs": "5678"}, "G1 G2"),
        ({"outputs": None}, "G1 G2"),
        ({"32x1x1": "64x1x1"}, "G1 G2"),
    ],
)
def test_levels(dump, change, fails):
    a, b = dump("a"), dump("b", **change)
    assert [
        level for level in ("G0", "G1", "G2") if golden.main(["compare", a, b, f"--level={level}"])
    ] == fails.split()


def test_a_case_that_does_not_compile_any_more_differs(dump, capsys):
    a, b = dump("a"), dump("b")
    (pathlib.Path(b) / "kernels" / "a" / "default.mlir").unlink()
    (pathlib.Path(b) / "kernels" / "a" / "default.err").write_text("error: x\n")
    assert golden.main(["compare", a, b]) == 1
    assert "a/default: compiles only in A" in capsys.readouterr().out


def lines_of(loads: int, other: int) -> dict[str, dict[str, str]]:
    return {"a/sizes=1": {"k": LINE.format(loads=loads)}, "a/sizes=2": {"k": LINE.format(loads=other)}}


@pytest.mark.parametrize("other", [1, 7])
def test_counts_are_kept(other):
    kept = golden_compare.keep(lines_of(1, other))
    read = golden_compare.parse_kept(golden_compare.print_kept(kept))
    assert golden_compare.compare_kept(read, kept) == []
    changed = golden_compare.compare_kept(read, golden_compare.keep(lines_of(2, other)))
    assert changed == ["a.mlir: kernel k (sizes=1): load.global.4 1 -> 2"]


def test_new_kernels_and_lost_ones_differ():
    kept = golden_compare.keep({"a/default": {"k": LINE}})
    made = golden_compare.keep({"a/default": {"l": LINE}})
    assert golden_compare.compare_kept(kept, made) == [
        "a.mlir: kernel k: is not made any more",
        "a.mlir: kernel l: is new",
    ]
