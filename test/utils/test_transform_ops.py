"""Every public function with which schedulers make a schedule can be reached from a script of the transform dialect."""

import pathlib
import re

import check_docs

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLVM = check_docs.pinned_llvm(ROOT)

# Headers whose free functions change a kernel, and those among them that only answer questions.
HEADERS = sorted((ROOT / "include" / "fuser" / "Dialect" / "Transforms").glob("*.h"))
QUESTIONS = {"canRFactor", "hasSoftmaxSum", "isDecomposableMean", "isVariance"}
# Of Scheduling: what chooses and applies; the other functions are parts of schedulers.
SCHEDULING = {"addFacts", "applySchedule", "chooseSchedule"}


def functions_of(header: str) -> set[str]:
    """The free functions that a header declares: a name and "(" behind a type, on the same line or the one before."""
    code = re.sub(r"//[^\n]*", "", header)
    code = re.sub(r"^(?:class|struct) .*?^\};", "", code, flags=re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^(?:[\w:<>,* ]+[ *>\n])(\w+)\(", code, flags=re.MULTILINE))


def reached() -> set[str]:
    include = ROOT / "include"
    path = include / "fuser" / "Dialect" / "TransformOps" / "TransformOps.td"
    records = check_docs.records_of(path, [include, LLVM / "include"], str(LLVM / "bin" / "llvm-tblgen"))
    ops = records["!instanceof"]["FuserTransform_Op"]
    return {primitive for op in ops for primitive in records[op]["primitives"]}


def test_functions_are_found_in_headers():
    header = """
#define GUARD_H
/// Not a call( in a comment.
mlir::LogicalResult splitLoop(Op op,
                              bool inner = true);
llvm::FailureOr<mlir::Operation *>
cacheLoad(KernelOp kernel);
mlir::Operation *cacheValue(mlir::Value value);
class Kept {
  void member(int);
};
void last();
"""
    assert functions_of(header) == {"splitLoop", "cacheLoad", "cacheValue", "last"}


def test_every_primitive_has_an_op():
    declared = set().union(*(functions_of(header.read_text()) for header in HEADERS))
    assert {"splitLoop", "cacheLoad", "cacheValue", "inlineMost", "propagateTransforms", "rfactor"} <= declared
    assert declared >= QUESTIONS
    assert sorted((declared - QUESTIONS | SCHEDULING) - reached()) == []


def test_every_op_names_functions_that_exist():
    headers = HEADERS + sorted((ROOT / "include" / "fuser" / "Scheduling").glob("*.h"))
    declared = set().union(*(functions_of(header.read_text()) for header in headers))
    assert sorted(reached() - declared) == []
