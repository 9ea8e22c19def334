"""Functions of scalars only: their types and their ops in MLIR."""

from __future__ import annotations

from fuser._dtypes import DataType, join
from fuser._emit import Emitter
from fuser._errors import DefinitionError
from fuser._values import Scalar, ScalarType, Value

_INTEGER = {
    "add": "addi",
    "sub": "subi",
    "mul": "muli",
    "div": "divsi",
    "trunc_div": "divsi",
    "floor_div": "floordivsi",
    "ceil_div": "ceildivsi",
    "fmod": "remsi",
    "minimum": "minsi",
    "maximum": "maxsi",
    "bitwise_and": "andi",
    "bitwise_or": "ori",
    "bitwise_xor": "xori",
}
_FLOAT = {
    "add": "arith.addf",
    "sub": "arith.subf",
    "mul": "arith.mulf",
    "div": "arith.divf",
    "minimum": "arith.minimumf",
    "maximum": "arith.maximumf",
    "pow": "math.powf",
}
_UNARY = {"abs": "math.absf", "sqrt": "math.sqrt", "rsqrt": "math.rsqrt", "exp": "math.exp", "log": "math.log"}
_COMPARE = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
_LOGIC = {"logical_and": "andi", "logical_or": "ori"}
_FOLDERS = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
    "neg": int.__neg__,
    "minimum": min,
    "maximum": max,
    "floor_div": lambda a, b: a // b if b else 2**63,
    "ceil_div": lambda a, b: -(-a // b) if b else 2**63,
    "div": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else 2**63,
}
SCALAR_OPS = {*_INTEGER, *_FLOAT, *_UNARY, *_COMPARE, *_LOGIC, "neg", "cast"}


def convert_scalar(fd, value: Scalar, dtype: DataType) -> Scalar:
    return value if value.dtype is dtype else fd._record("cast", arg=value, dtype=dtype)


def call(fd, name: str, operands: list[Scalar]) -> Scalar:
    """The record of a function of scalars, after promotion."""
    dtype = operands[0].dtype
    for operand in operands[1:]:
        dtype = join(dtype, operand.dtype)
    if name in _UNARY and name != "abs" and dtype.category < 2:
        dtype = DataType.Double
    if name in _LOGIC:
        dtype = DataType.Bool
    is_known = name in SCALAR_OPS and not dtype.is_complex
    if is_known and dtype.category < 2:
        is_known = name in _INTEGER or name in _COMPARE or name in _LOGIC or name == "neg"
    if is_known and dtype.is_float:
        is_known = name in _FLOAT or name in _UNARY or name in _COMPARE or name == "neg"
    if not is_known:
        raise DefinitionError(
            "ArgumentKind", f"{name}: expected a tensor among the operands, but got scalars of {dtype!r}"
        )
    if dtype is DataType.Bool and name not in _LOGIC and name not in _COMPARE and not name.startswith("bitwise"):
        dtype = DataType.Int
    operands = [convert_scalar(fd, operand, dtype) for operand in operands]
    names = ("x",) if len(operands) == 1 else ("lhs", "rhs")
    return fd._record(name, **dict(zip(names, operands, strict=True)))


def infer(name: str, arguments: dict) -> tuple[ScalarType]:
    if name == "cast":
        return (ScalarType(arguments["dtype"]),)
    operands = [value for value in arguments.values() if isinstance(value, Scalar)]
    dtype = operands[0].dtype
    if name in _COMPARE or name in _LOGIC:
        return (ScalarType(DataType.Bool),)
    return (
        ScalarType(dtype, _fold(name, [operand.type.extent for operand in operands]) if dtype.is_integer else None),
    )


def _fold(name: str, extents: list) -> int | None:
    """The number that a function of known sizes gives; None where one is not known."""
    if name not in _FOLDERS or not all(isinstance(extent, int) for extent in extents):
        return None
    number = _FOLDERS[name](*extents)
    return number if -(2**63) <= number < 2**63 else None


def emit(name: str, emitter: Emitter, arguments: dict, results: tuple[Value, ...]) -> None:
    operands = [value for value in arguments.values() if isinstance(value, Scalar)]
    dtype = operands[0].dtype
    names = [emitter.name(operand) for operand in operands]
    if name == "cast":
        text = _emit_cast(emitter, names[0], dtype, arguments["dtype"])
    elif name == "neg" and dtype.is_float:
        text = f"arith.negf {names[0]} : {dtype.value}"
    elif name == "neg":
        zero = emitter.temporary(f"arith.constant 0 : {dtype.value}")
        text = f"arith.subi {zero}, {names[0]} : {dtype.value}"
    elif name in _COMPARE:
        predicate = _COMPARE[name] if dtype.is_float else _COMPARE[name][1:]
        if not dtype.is_float and name not in ("eq", "ne"):
            predicate = ("s" if dtype.is_integer else "u") + predicate
        text = f"arith.{'cmpf' if dtype.is_float else 'cmpi'} {predicate}, {', '.join(names)} : {dtype.value}"
    else:
        op = _LOGIC.get(name) or (_FLOAT.get(name) or _UNARY[name] if dtype.is_float else _INTEGER[name])
        text = f"{op if '.' in op else 'arith.' + op} {', '.join(names)} : {dtype.value}"
    emitter.define(results, text)


def _emit_cast(emitter: Emitter, name: str, old: DataType, new: DataType) -> str:
    types = f"{old.value} to {new.value}"
    if new is DataType.Bool:
        zero = emitter.temporary(
            f"arith.constant 0 : {old.value}" if old.is_integer else f"arith.constant 0.0 : {old.value}"
        )
        compare = "cmpi ne" if old.is_integer else "cmpf une"
        return f"arith.{compare}, {name}, {zero} : {old.value}"
    if old is DataType.Bool:
        return f"arith.{'uitofp' if new.is_float else 'extui'} {name} : {types}"
    widths = {dtype: int(dtype.value.lstrip("bif").partition("E")[0] or 8) for dtype in (old, new)}
    if old.is_float and new.is_float and widths[old] == widths[new]:
        wide = emitter.temporary(f"arith.extf {name} : {old.value} to f32")
        return f"arith.truncf {wide} : f32 to {new.value}"
    if old.is_float and new.is_float:
        return f"arith.{'extf' if widths[new] > widths[old] else 'truncf'} {name} : {types}"
    if old.is_float or new.is_float:
        return f"arith.{'fptosi' if old.is_float else 'sitofp'} {name} : {types}"
    return f"arith.{'extsi' if widths[new] > widths[old] else 'trunci'} {name} : {types}"


def check_cast(old: DataType, new: DataType) -> None:
    if old.is_complex or new.is_complex:
        raise DefinitionError("ArgumentKind", f"cast: expected a real scalar, but got {old!r} to {new!r}")
