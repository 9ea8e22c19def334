"""utils/new.py: what it writes is in the right places and documented; what does not fit writes nothing."""

import json
import pathlib
import re
import shutil
import subprocess

import check_docs
import check_layering
import new
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLVM = check_docs.pinned_llvm(ROOT)
COPIED = ("include", "lib", "test", "unittests/Driver", "utils")


def copy_tree(target: pathlib.Path) -> pathlib.Path:
    for folder in COPIED:
        shutil.copytree(ROOT / folder, target / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("CHANGELOG.md", ".clang-format"):
        shutil.copy(ROOT / file, target)
    return target


@pytest.fixture
def tree(tmp_path):
    return copy_tree(tmp_path)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    """One tree for all commands that write nothing."""
    return copy_tree(tmp_path_factory.mktemp("tree"))


def changed(tree: pathlib.Path) -> dict[str, str]:
    """The lines that were added, by file. None may be gone but for those of lists that are longer now."""
    added = {}
    for path in sorted(tree.rglob("*")):
        name = str(path.relative_to(tree))
        if not path.is_file() or "__pycache__" in name:
            continue
        old = (ROOT / name).read_text(errors="replace").splitlines() if (ROOT / name).exists() else []
        lines = path.read_text(errors="replace").splitlines()
        if lines != old:
            added[name] = "\n".join(line for line in lines if line not in old)
            assert name.endswith("OpPrograms.cpp") or set(old) <= set(lines)
    return added


def records(tree: pathlib.Path, name: str) -> dict:
    include = tree / "include"
    command = [LLVM / "bin/llvm-tblgen", "--dump-json", f"-I{include}", f"-I{LLVM / 'include'}", include / name]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def run(tree: pathlib.Path, *arguments: str) -> int:
    return new.main(["--root", str(tree), *arguments])


def test_an_op_like_another(tree, capsys):
    assert run(tree, "op", "sinpi", "--like", "erf") == 0
    added = changed(tree)
    assert sorted(added) == [
        "CHANGELOG.md",
        "include/fuser/Dialect/IR/PointwiseOps.td",
        "lib/Reference/Pointwise.cpp",
        "test/Dialect/IR/pointwise.mlir",
        "unittests/Driver/OpPrograms.cpp",
    ]
    record = records(tree, "fuser/Dialect/IR/PointwiseOps.td")["Fuser_SinpiOp"]
    assert record["opName"] == "sinpi"
    assert "fuser.sinpi %x" in record["description"]
    assert "b.unary<::mlir::math::ErfOp>" in record["extraClassDefinition"]
    assert 'addFloat<1>(table, "fuser.sinpi", ' in added["lib/Reference/Pointwise.cpp"]
    assert "// CHECK: fuser.sinpi %" in added["test/Dialect/IR/pointwise.mlir"]
    assert "%sinpi = fuser.sinpi %" in added["test/Dialect/IR/pointwise.mlir"]
    assert '"sinpi"' in added["unittests/Driver/OpPrograms.cpp"]
    assert added["CHANGELOG.md"] == "- `fuser.sinpi`."
    assert "PointwiseOps.td:" in capsys.readouterr().out
    assert check_docs.check(tree / "include", LLVM, tree)[1] == []


def test_an_op_with_a_formula_gets_one(tree):
    assert run(tree, "op", "tanhshrink", "--like", "mish") == 0
    added = changed(tree)
    formula = added["lib/Dialect/IR/ActivationElements.cpp"]
    assert formula.count("TanhshrinkOp::buildElement") == 1
    assert '"fuser.tanhshrink"' in added["lib/Reference/Activations.cpp"]
    assert records(tree, "fuser/Dialect/IR/ActivationOps.td")["Fuser_TanhshrinkOp"]["opName"] == "tanhshrink"


def test_an_op_of_complex_numbers_has_both_forms(tree):
    assert run(tree, "op", "half", "--like", "reciprocal") == 0
    added = changed(tree)
    assert added["lib/Dialect/IR/PointwiseElements.cpp"].count("HalfOp::buildRealElement") == 1
    assert added["lib/Dialect/IR/ComplexElements.cpp"].count("HalfOp::buildComplexElement") == 1
    assert added["lib/Reference/Pointwise.cpp"].count('"fuser.half"') == 1
    assert added["lib/Reference/Complex.cpp"].count('"fuser.half"') == 1
    assert added["unittests/Driver/OpPrograms.cpp"].count('"half"') == 2


def test_a_pass(tree):
    assert run(tree, "pass", "fold-zeros", "--room", "Preseg", "--summary", "Fold what is zero.") == 0
    added = changed(tree)
    assert sorted(added) == [
        "CHANGELOG.md",
        "include/fuser/Preseg/Passes.td",
        "include/fuser/Preseg/Rewrites.h",
        "lib/Preseg/CMakeLists.txt",
        "lib/Preseg/FoldZeros.cpp",
        "test/Preseg/fold-zeros.mlir",
    ]
    record = records(tree, "fuser/Preseg/Passes.td")["FuserFoldZeros"]
    assert (record["argument"], record["summary"]) == ("fuser-fold-zeros", "Fold what is zero")
    assert "unsigned foldZeros(FusionOp fusion);" in added["include/fuser/Preseg/Rewrites.h"]
    assert "#define GEN_PASS_DEF_FUSERFOLDZEROS" in added["lib/Preseg/FoldZeros.cpp"]
    assert added["CHANGELOG.md"] == "- `fuser-fold-zeros`: fold what is zero."
    listed = re.findall(r"^    (\w+\.cpp)$", (tree / "lib/Preseg/CMakeLists.txt").read_text(), re.MULTILINE)
    assert "FoldZeros.cpp" in listed
    assert listed == sorted(listed)
    assert check_docs.check(tree / "include", LLVM, tree)[1] == []
    assert check_layering.main(["--root", str(tree)]) == 0


def test_a_pass_on_kernels_behind_all_others(tree):
    assert run(tree, "pass", "zip-vectors", "--room", "Segmentation", "--summary", "Zip", "--on", "kernel") == 0
    assert "unsigned fuser::zipVectors(KernelOp kernel)" in (tree / "lib/Segmentation/ZipVectors.cpp").read_text()
    listed = re.findall(r"^    (\w+\.cpp)$", (tree / "lib/Segmentation/CMakeLists.txt").read_text(), re.MULTILINE)
    assert listed[-1] == "ZipVectors.cpp"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["op", "atan", "--like", "tan"], "expected a new op, but there is a 'fuser.atan'"),
        (["op", "Sinc", "--like", "tan"], "expected a mnemonic of lower-case letters"),
        (["op", "sinpi", "--like", "nothing"], "expected the mnemonic of an op with a record of its own"),
        (["pass", "fold-casts", "--room", "Preseg", "--summary", "s"], "expected a new pass"),
        (["pass", "fold", "--room", "Preseg", "--summary", "s"], "expected a name of a verb and an object"),
        (["pass", "fold-zeros", "--room", "Session", "--summary", "s"], "expected a room with passes"),
        (["pass", "fold-zeros", "--room", "Preseg", "--summary", " . "], "expected a summary"),
    ],
)
def test_what_does_not_fit_writes_nothing(untouched, capsys, arguments, reason):
    assert run(untouched, *arguments) == 1
    assert reason in capsys.readouterr().err
    assert changed(untouched) == {}
