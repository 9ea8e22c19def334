"""utils/check_layering.py: a clean tree passes, and each kind of planted violation is found at its line."""

import pathlib
import tomllib

import check_layering as layering
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = tomllib.loads((ROOT / "utils" / "rooms.toml").read_text())


@pytest.fixture
def tree(tmp_path):
    """Writes files given as {path: text} and returns the violations as (path, line, rule)."""

    def run(files: dict[str, str]) -> list[tuple[str, int, str]]:
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return [(v.path, v.line, v.rule) for v in layering.check(tmp_path, TABLE)]

    return run


OPS = 'def Fuser_AddOp : Op<Fuser_Dialect, "add">;\n  def Fuser_KernelOp : Op<Fuser_Dialect, "kernel">;\n'


def test_downward_includes_are_allowed(tree):
    assert (
        tree(
            {
                "include/fuser/Lowering/Loops.h": '#include "fuser/Analysis/Ids.h"\n#include "mlir/IR/Builders.h"\n',
                "lib/Lowering/Loops.cpp": '#include "Impl.h"\n#include <vector>\n#include <llvm/ADT/STLExtras.h>\n',
                "lib/Runtime/Host/Load.cpp": "#include <dlfcn.h>\n#include <elf.h>\n",
            }
        )
        == []
    )


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("lib/Analysis/A.cpp", '#include "fuser/Scheduling/Registry.h"'),  # upwards
        ("lib/Analysis/A.cpp", '#include "fuser/Reference/Evaluate.h"'),  # sideways: the same number
        ("lib/Scheduling/Schedulers/P.cpp", '#include "fuser/Segmentation/Graph.h"'),
        ("lib/Runtime/Launch.cpp", '#include "mlir/IR/Builders.h"'),
        ("lib/Runtime/Launch.cpp", '#include "llvm/ADT/SmallVector.h"'),
        ("lib/Runtime/Launch.cpp", '#include "fuser/Support/Config.h"'),
        ("include/fuser/Artifact/Kernel.h", "#include <llvm/ADT/StringRef.h>"),
        ("lib/Lowering/L.cpp", '#include "mlir/Target/LLVMIR/Export.h"'),
        ("lib/Lowering/L.cpp", '#include "llvm/MC/TargetRegistry.h"'),
        ("lib/Lowering/L.cpp", '#include "../Analysis/Private.h"'),
        ("lib/Lowering/L.cpp", '#include "fuser/InitAllDialects.h"'),
        ("lib/Basement/B.cpp", ""),  # no such room
    ],
)
def test_forbidden_include_is_found(tree, path, include):
    text = "// first line\n" + include + "\n"
    assert tree({path: text}) == [(path, 2 if include else 1, "include")]


def test_commented_include_is_no_include(tree):
    assert (
        tree({"lib/Artifact/A.cpp": '// #include "mlir/IR/Builders.h"\n/*\n#include "mlir/IR/Builders.h"\n*/\n'}) == []
    )


def test_a_tool_includes_only_what_is_made_for_tools(tree):
    text = '#include "fuser/InitAllPasses.h"\n#include "fuser/Driver/Driver.h"\n#include "fuser/Lowering/Lower.h"\n'
    assert tree({"tools/fuser-x/main.cpp": text}) == [("tools/fuser-x/main.cpp", 3, "tool")]


def test_forbidden_link_is_found(tree):
    found = tree(
        {
            "lib/Analysis/CMakeLists.txt": "fuser_add_room(FuserAnalysis SOURCES A.cpp LINK FuserScheduling)\n",
            "lib/Scheduling/CMakeLists.txt": "fuser_add_room(FuserScheduling\n  SOURCES S.cpp\n  LINK FuserAnalysis)\n",
        }
    )
    assert found == [("lib/Analysis/CMakeLists.txt", 1, "link")]


@pytest.mark.parametrize(
    "use", ["isa<AddOp>(op)", "fuser::AddOp add;", "::fuser::AddOp::create(b, loc);", "AddOpAdaptor a;"]
)
def test_op_class_is_found_where_only_interfaces_are_asked(tree, use):
    files = {"include/fuser/Dialect/IR/Pointwise.td": OPS, "lib/Analysis/A.cpp": f"// AddOp\n{use}\n"}
    assert tree(files) == [("lib/Analysis/A.cpp", 2, "op-class")]


@pytest.mark.parametrize(
    "use", ["isa<KernelOp>(op)", "arith::AddOp add;", 'auto s = "AddOp";', "MyAddOp x;", "AddOperand x;"]
)
def test_other_names_are_no_op_classes(tree, use):
    files = {"include/fuser/Dialect/IR/Pointwise.td": OPS, "lib/Analysis/L.cpp": f"{use}\n"}
    assert tree(files) == []


def test_op_classes_are_free_elsewhere(tree):
    assert tree({"include/fuser/Dialect/IR/P.td": OPS, "lib/Preseg/P.cpp": "isa<AddOp>(op);\n"}) == []


def test_kernel_ir_is_built_by_the_last_pass(tree):
    text = "// arith::AddIOp\nusing namespace mlir;\nauto x = mlir::scf::ForOp();\nauto y = scf::ForOp();\n"
    files = {"lib/Lowering/ExpandLoops.cpp": text, "lib/Lowering/PlanLaunch.cpp": text, "lib/Preseg/P.cpp": text}
    assert tree(files) == [("lib/Lowering/PlanLaunch.cpp", line, "kernel-ir") for line in (3, 4)]


def test_documented_table_must_agree(tree):
    rows = [f"| {room['number']} | `{room['name']}` | x |" for room in TABLE["room"]]
    assert tree({"docs/architecture.md": "\n".join(rows)}) == []
    assert tree({"docs/architecture.md": "\n".join([*rows[1:], "| 3 | `Cellar` | x |"])}) == [
        ("docs/architecture.md", 1, "table"),
        ("docs/architecture.md", 1, "table"),
    ]


def test_unknown_room_in_a_row_is_an_error():
    table = {**TABLE, "room": [{"name": "A", "number": 0, "rooms": ["B"], "headers": []}]}
    with pytest.raises(ValueError, match="expected a room's name or number, but got 'B'"):
        layering.House(table)
