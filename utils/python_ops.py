"""Writes what the Python package knows about the ops of the dialect, from their ODS records.

python/fuser/_op_table.py  one row for each pointwise op: parameters, element types, result
python/fuser/_pointwise.pyi  the signatures of these ops, for type checkers
docs/python-ops.md  each op of the dialect with its name in `fd.ops`, and whether nvFuser has that name

With --check nothing is written; a file that differs is an error.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
FAMILIES = (
    "Pointwise",
    "SpecialFunction",
    "Activation",
    "Reduction",
    "Scan",
    "Shape",
    "Indexing",
    "Contraction",
    "Random",
    "Structure",
)

# Names of nvFuser's Python API for ops that the dialect calls differently.
NVFUSER_NAMES = {
    "shift_left": "bitwise_left_shift",
    "shift_right": "bitwise_right_shift",
    "logical_shift_right": "logical_right_shift",
    "random_uniform": "uniform",
    "random_normal": "normal",
    "sdpa": "sdpfa_fwd",
}
# Names of nvFuser's Python API for ops that the dialect calls the same.
SAME_NAMES = set(
    [
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "ceil",
        "cos",
        "cosh",
        "exp",
        "exp2",
        "expm1",
        "erf",
        "erfc",
        "erfinv",
        "erfcinv",
        "floor",
        "frac",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "neg",
        "logical_not",
        "bitwise_not",
        "relu",
        "reciprocal",
        "round",
        "rsqrt",
        "set",
        "segment_set",
        "sign",
        "sigmoid",
        "signbit",
        "silu",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "trunc",
        "isfinite",
        "isinf",
        "isnan",
        "isneginf",
        "isposinf",
        "isreal",
        "real",
        "imag",
        "add",
        "atan2",
        "div",
        "fmod",
        "mul",
        "nextafter",
        "pow",
        "remainder",
        "sub",
        "minimum",
        "maximum",
        "eq",
        "ge",
        "gt",
        "le",
        "lt",
        "ne",
        "logical_and",
        "logical_or",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "gcd",
        "lerp",
        "where",
        "clamp",
        "threshold",
        "addcmul",
        "max",
        "min",
        "prod",
        "sum",
        "var_mean",
        "cast",
        "matmul",
        "linear",
        "reshape",
        "permute",
        "expand",
        "squeeze",
        "broadcast",
        "slice",
        "index_select",
        "gather",
        "take_along_axis",
        "scatter",
        "cumsum",
        "cat",
        "pad",
        "full",
        "iota",
        "stride_order",
    ]
)
# Ops that compute no tensor, and the operand of a routine that a runtime must register.
NO_PYTHON = {"fusion", "kernel", "host", "return", "call", "library"}

# Parameters that Python cannot call as the dialect does, and default values (those of PyTorch's functions).
RENAMED = {"lambda": "lambd", "low": "min", "high": "max"}
DEFAULTS = {
    "celu": {"alpha": 1.0},
    "elu": {"alpha": 1.0},
    "leaky_relu": {"slope": 0.01},
    "hardshrink": {"lambd": 0.5},
    "softshrink": {"lambd": 0.5},
    "softplus": {"beta": 1.0, "threshold": 20.0},
    "addcmul": {"value": 1},
    "addcdiv": {"value": 1},
    "clamp": {"min": None, "max": None},
}
RESULTS = {"verifyTestOp": "bool", "verifyPartOp": "part", "verifyMakeComplexOp": "complex"}
# Pointwise ops whose arguments are no plain list of operands: python/fuser/_pointwise.py spells them out.
SPELLED_OUT = {"cast", "bitcast", "where"}
SPELLED_OUT_SIGNATURES = {
    "cast": ["arg: Operand", "dtype: DataType"],
    "where": ["condition: Operand", "x: Operand", "y: Operand"],
    "truediv": ["lhs: Operand", "rhs: Operand"],
    "mod": ["lhs: Operand", "rhs: Operand"],
}
# Functions that python/fuser/_scalars.py has for scalars alone.
SCALAR_FUNCTIONS = set(
    [
        "add",
        "sub",
        "mul",
        "div",
        "trunc_div",
        "floor_div",
        "ceil_div",
        "fmod",
        "minimum",
        "maximum",
        "pow",
        "abs",
        "sqrt",
        "rsqrt",
        "exp",
        "log",
        "neg",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "logical_and",
        "logical_or",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
    ]
)


def read_records(tblgen: str, llvm_include: str) -> dict[str, dict]:
    """The ODS record of each op, by mnemonic."""
    source = 'include "fuser/Dialect/IR/FuserDialect.td"\n'
    source += "".join(f'include "fuser/Dialect/IR/{family}Ops.td"\n' for family in FAMILIES)
    command = [tblgen, "--dump-json", f"-I{ROOT / 'include'}", f"-I{llvm_include}", "-"]
    dump = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    records = (record for record in json.loads(dump).values() if isinstance(record, dict))
    ops = (record for record in records if "Fuser_Op" in record.get("!superclasses", ()))
    return {record["opName"]: record for record in ops}


def is_pointwise(record: dict) -> bool:
    return "Fuser_PointwiseOp" in record["!superclasses"]


def row_of(record: dict) -> tuple:
    """(parameters, flags, class of elements, result, summary) of a pointwise op. A parameter is its name, whether it
    must be a tensor, and its default, if any."""
    name = record["opName"]
    parameters, flags = [], []
    for argument, original in record["arguments"]["args"]:
        parameter = RENAMED.get(original, original)
        kind = argument.get("def") if isinstance(argument, dict) else argument
        if kind == "UnitAttr":
            flags.append(parameter)
        elif kind in ("Fuser_Tensor", "Fuser_TensorOrScalar"):
            entry = (parameter, kind == "Fuser_Tensor")
            defaults = DEFAULTS.get(name, {})
            parameters.append((*entry, defaults[parameter]) if parameter in defaults else entry)
    result = next((kind for check, kind in RESULTS.items() if check in record["verifyDefinition"]), "same")
    return tuple(parameters), tuple(flags), record["elementClass"].rpartition("::")[2], result, record["summary"]


def table_text(ops: dict[str, dict]) -> str:
    lines = [
        '"""The pointwise ops of the dialect. Written by utils/python_ops.py; do not edit.',
        "",
        "Each row: name in the dialect, parameters (name, whether it must be a tensor, default), flags, class of",
        "element types, result, summary.",
        '"""',
        "",
        "# fmt: off",
        "# ruff: noqa: E501",
        "POINTWISE = {",
    ]
    for name in sorted(ops):
        if is_pointwise(ops[name]) and name not in SPELLED_OUT:
            lines.append(f"    {json.dumps(NVFUSER_NAMES.get(name, name))}: {(name, *row_of(ops[name]))!r},")
    return "\n".join([*lines, "}", "# fmt: on", ""])


def stub_text(ops: dict[str, dict]) -> str:
    lines = [
        "# Written by utils/python_ops.py; do not edit.",
        "from typing import overload",
        "",
        "from fuser._dtypes import DataType",
        "from fuser._values import Number, Operand, Scalar, TensorView",
        "",
        "class PointwiseOps:",
        "    def bitcast(self, arg: TensorView, dtype: DataType) -> TensorView: ...",
    ]
    for name, parameters in SPELLED_OUT_SIGNATURES.items():
        lines += overloads(name, parameters)
    rows = {NVFUSER_NAMES.get(name, name): row_of(record) for name, record in ops.items() if is_pointwise(record)}
    for name in sorted(rows.keys() - SPELLED_OUT):
        parameters, flags, _, _, _ = rows[name]
        arguments = []
        for parameter, _is_tensor, *default in parameters:
            kind = "Operand"
            if default:
                kind += f"{' | None' if default[0] is None else ''} = {default[0]!r}"
            arguments.append(f"{parameter}: {kind}")
        arguments += [f"{flag}: bool = False" for flag in flags]
        if name in SCALAR_FUNCTIONS:
            lines += overloads(name, arguments)
        else:
            lines.append(f"    def {name}(self, {', '.join(arguments)}) -> TensorView: ...")
    return "\n".join([*lines, ""])


def overloads(name: str, arguments: list[str]) -> list[str]:
    """The signatures of a function of tensors and scalars, which gives a scalar where no argument is a tensor."""
    variants = [([argument.replace("Operand", "Scalar | Number") for argument in arguments], "Scalar")]
    for place, argument in enumerate(arguments):
        if "Operand" in argument:
            tensor = argument.replace("Operand", "TensorView")
            variants.append(([*arguments[:place], tensor, *arguments[place + 1 :]], "TensorView"))
    return [
        line
        for spelled, result in variants
        for line in ("    @overload", f"    def {name}(self, {', '.join(spelled)}) -> {result}: ...")
    ]


PAGE = """# Ops of the Python API

Written by `utils/python_ops.py` from the ODS records. Every op of the dialect that computes tensors is a function of
`fd.ops`. *nvFuser* says whether nvFuser's Python API has the function under that name, with the same arguments; the
others are extensions under the dialect's names. [python.md](python.md) has the functions that are built of several ops.

"""


def page_text(ops: dict[str, dict]) -> str:
    lines = ["| op | function of `fd.ops` | nvFuser | computes |", "|---|---|---|---|"]
    own = 0
    for name in sorted(ops.keys() - NO_PYTHON):
        known = name in NVFUSER_NAMES or name in SAME_NAMES
        own += not known
        summary = ops[name]["summary"].replace("|", "\\|")
        lines.append(f"| `fuser.{name}` | `{NVFUSER_NAMES.get(name, name)}` | {'yes' if known else 'no'} | {summary} |")
    count = len(ops.keys() - NO_PYTHON)
    tail = (
        f"{count} ops, {count - own} of them under nvFuser's names. `fuser.library` needs a routine that is registered "
    )
    tail += "with the runtime and has no function."
    return PAGE + "\n".join(lines) + "\n" + textwrap.fill(tail, 119, initial_indent="\n") + "\n"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    version = dict(line.split("=", 1) for line in (ROOT / "utils/versions.env").read_text().splitlines() if "=" in line)
    prefix = f"/usr/lib/llvm-{version['LLVM_VERSION'].strip()}"
    parser.add_argument("--tblgen", default=f"{prefix}/bin/llvm-tblgen")
    parser.add_argument("--llvm-include", default=f"{prefix}/include")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file differs")
    options = parser.parse_args(arguments)
    ops = read_records(options.tblgen, options.llvm_include)
    outputs = {
        "python/fuser/_op_table.py": table_text(ops),
        "python/fuser/_pointwise.pyi": stub_text(ops),
        "docs/python-ops.md": page_text(ops),
    }
    stale = 0
    for name, text in outputs.items():
        path = ROOT / name
        if not options.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{name}: expected what utils/python_ops.py writes; run it", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
