"""utils/check_docs.py: each missing text of an op, attribute, interface or pass is found."""

import pathlib

import check_docs
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLVM = check_docs.pinned_llvm(ROOT)

PROLOGUE = """
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Pass/PassBase.td"
def D : Dialect { let name = "d"; let cppNamespace = "d"; }
"""
FULL_OP = 'def A : Op<D, "a"> { let summary = "s"; let description = [{\n```mlir\nd.a\n```\n}]; }\n'


@pytest.fixture
def check(tmp_path):
    def run(text: str) -> tuple[int, list[str]]:
        (tmp_path / "fuser").mkdir()
        (tmp_path / "fuser" / "Ops.td").write_text(PROLOGUE + text)
        count, gaps = check_docs.check(tmp_path, LLVM, tmp_path)
        return count, [gap.split(": ", 1)[1] for gap in gaps]

    return run


def test_a_documented_op_has_no_gaps(check):
    assert check(FULL_OP) == (1, [])


def test_texts_may_come_from_a_base_class(check):
    base = 'class B<string m> : Op<D, m> { let summary = "s"; let description = "```mlir\\nd\\n```"; }\n'
    assert check(base + 'def A : B<"a">;\n') == (1, [])


def test_an_enum_attribute_needs_only_the_summary(check):
    enum = 'def E : I32EnumAttr<"E", "s", [I32EnumAttrCase<"a", 0>]> { let genSpecializedAttr = 0; }\n'
    assert check('include "mlir/IR/EnumAttr.td"\n' + enum + 'def A : EnumAttr<D, E, "e">;') == (1, [])


@pytest.mark.parametrize(
    ("text", "gaps"),
    [
        ('def A : Op<D, "a">;', ["A: no summary", "A: no description", "A: no example"]),
        ('def A : Op<D, "a"> { let summary = "s"; let description = "words"; }', ["A: no example"]),
        ('def A : AttrDef<D, "A"> { let mnemonic = "a"; let summary = "s"; }', ["A: no description"]),
        ('def A : TypeDef<D, "A"> { let mnemonic = "a"; }', ["A: no summary", "A: no description"]),
        ('def A : OpInterface<"A">;', ["A: no description"]),
        ('def A : Pass<"d-a"> { let description = "words"; }', ["A: no summary"]),
        ('def A : Pass<"d-a"> { let summary = "  "; let description = "words"; }', ["A: no summary"]),
    ],
)
def test_a_missing_text_is_found(check, text, gaps):
    assert check(text) == (1, gaps)


TRANSFORM_OP = """
class FuserTransform_Op<string m> : Op<D, m>;
def A : FuserTransform_Op<"a"> { let summary = "s"; let description = [{\n```mlir\nd.a %x at 1\n```\n}]; }
"""


def test_an_example_that_no_test_has_is_found(check, tmp_path):
    folder = tmp_path / "test" / "Dialect" / "TransformOps"
    folder.mkdir(parents=True)
    (folder / "not-run.mlir").write_text("d.a %x at 1\n")
    (folder / "a.mlir").write_text("// RUN: true\n  d.a %x at 2\n")
    assert check(TRANSFORM_OP) == (1, ["A: no test in test/Dialect/TransformOps has the line 'd.a %x at 1'"])
    (folder / "a.mlir").write_text("// RUN: true\n  d.a %x at 1\n")
    assert check_docs.check(tmp_path, LLVM, tmp_path) == (1, [])


def test_a_named_test_that_is_not_there_is_found(check):
    text = 'def A : Pass<"d-a"> { let summary = "s"; let description = "test/A/a.mlir"; }'
    assert check(text) == (1, ["A: no file test/A/a.mlir"])


def test_a_file_that_does_not_parse_is_an_error(check):
    with pytest.raises(RuntimeError, match="llvm-tblgen failed"):
        check("def A : Unknown;")


def test_a_link_to_nothing_is_found(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("[a](docs/a.md) [b](https://x.org/y.md)\n[c](docs/c.md#part) [d](#here)\n")
    (tmp_path / "docs" / "a.md").write_text("[r](../README.md)")
    assert check_docs.broken_links(tmp_path) == ["README.md:2: docs/c.md: no such file"]


def test_a_behavior_and_its_tests_are_matched(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "test").mkdir()
    first, second, third = (f"S{section}.1" for section in (2, 3, 4))
    (tmp_path / "docs" / "behaviors.md").write_text(f"| {first} | a |\n| {second} | b |\n")
    (tmp_path / "test" / "a.mlir").write_text(f"// {first} and {third}.\n")
    assert check_docs.unmatched_behaviors(tmp_path) == [
        f"docs/behaviors.md: {second}: no test carries it",
        f"test/a.mlir: {third}: not in docs/behaviors.md",
    ]
