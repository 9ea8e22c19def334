"""Functions of elements: `fd.ops.add`, `fd.ops.exp`, ...

Operands are tensors of one rank (others get dimensions of size 1 in front), scalars of the definition and Python
numbers.
Element types promote as in PyTorch: tensors with dimensions before those without, and these before scalars, which
count by their category (bool, integer, float, complex). Functions of floats take integers as Float.
"""

from __future__ import annotations

from fuser import _scalars
from fuser._dtypes import DataType, check_dtype, join, widen
from fuser._emit import Emitter
from fuser._errors import DTypeError, ShapeError
from fuser._op_table import POINTWISE
from fuser._records import check_tensor, register, tensor_like
from fuser._values import Extent, Scalar, ScalarType, TensorType, TensorView, Value


def join_extents(operands: list[TensorView], op: str) -> tuple[Extent, ...]:
    """The sizes of the result: of each dimension a static one, else a dynamic one, else 1."""
    joined: list[Extent] = []
    for dim, sizes in enumerate(zip(*(operand.type.extents for operand in operands), strict=True)):
        others = [size for size in sizes if size != 1]
        static = {size for size in others if isinstance(size, int)}
        if len(static) > 1:
            raise ShapeError(
                "SizeMismatch", f"{op}: expected equal sizes or 1 in dimension {dim}, but got {sorted(static)}"
            )
        joined.append(next(iter(static)) if static else others[0] if others else 1)
    return tuple(joined)


def align_ranks(fd, operands: list[Value]) -> list[Value]:
    """Tensors of lower rank get dimensions of size 1 in front."""
    rank = max((operand.ndim for operand in operands if isinstance(operand, TensorView)), default=0)
    return [
        fd.ops.broadcast(operand, [dim < rank - operand.ndim for dim in range(rank)])
        if isinstance(operand, TensorView) and operand.ndim < rank
        else operand
        for operand in operands
    ]


def promote(operands: list[Value]) -> DataType:
    """The element type that PyTorch promotes these operands to."""
    tensors = [operand for operand in operands if isinstance(operand, TensorView)]
    groups = [
        [operand.dtype for operand in tensors if operand.ndim > 0],
        [operand.dtype for operand in tensors if operand.ndim == 0],
        [operand.dtype for operand in operands if isinstance(operand, Scalar)],
    ]
    result = None
    for position, group in enumerate(groups):
        for dtype in group:
            if result is None:
                result, owner = dtype, position
            elif owner == position:
                result = join(result, dtype)
            elif dtype.category > result.category:
                result = widen(result, dtype) if position == 2 else join(result, dtype)
                owner = position
    return result


def _check_class(op: str, dtype: DataType, elements: str) -> DataType:
    """The type that an op of this class computes operands of `dtype` in."""
    if dtype.is_complex:
        allowed = "Complex" in elements and elements != "ComplexPart"
    elif elements == "Complex":
        allowed = False
    elif elements in ("Float", "FloatOrComplex"):
        return dtype if dtype.is_float else DataType.Float
    elif elements == "ComplexPart":
        dtype = dtype if dtype.is_float else DataType.Float
        allowed = dtype in (DataType.Float, DataType.Double)
    elif elements == "Integer":
        allowed = dtype.category < 2
    else:
        allowed = "Bool" in elements or dtype is not DataType.Bool
    if not allowed:
        wanted = {"Integer": "integers or bools", "ComplexPart": "Float or Double", "Complex": "complex numbers"}
        kinds = wanted.get(elements, "real numbers" if dtype.is_complex else "numbers other than bools")
        raise DTypeError("DTypeMismatch", f"{op}: expected operands of {kinds}, but got {dtype!r}")
    return dtype


def _result_type(dtype: DataType, kind: str) -> DataType:
    if kind == "bool":
        return DataType.Bool
    if kind == "part":
        return dtype.part
    if kind == "complex":
        return DataType.ComplexDouble if dtype is DataType.Double else DataType.ComplexFloat
    return dtype


def _operands(arguments: dict) -> list[Value]:
    return [value for value in arguments.values() if isinstance(value, Value)]


def _infer(name: str, kind: str, arguments: dict) -> tuple:
    tensors = [value for value in _operands(arguments) if isinstance(value, TensorView)]
    if not tensors:
        return _scalars.infer(name, arguments)
    return (TensorType(_result_type(tensors[0].dtype, kind), join_extents(tensors, name)),)


def _emit(name: str, mnemonic: str, flags: tuple, emitter: Emitter, arguments: dict, results: tuple) -> None:
    operands = _operands(arguments)
    if all(isinstance(operand, Scalar) for operand in operands):
        return _scalars.emit(name, emitter, arguments, results)
    names = ", ".join([emitter.name(operand) for operand in operands])
    types = ", ".join([emitter.type(operand) for operand in operands])
    set_flags = ", ".join(flag for flag in flags if arguments[flag])
    emitter.define(
        results,
        f"fuser.{mnemonic} {names}{' {' + set_flags + '}' if set_flags else ''} : ({types}) -> {results[0].type}",
    )


def _make(name: str, row: tuple):
    """The function of `fd.ops` for a row of the table."""
    mnemonic, parameters, flags, elements, kind, summary = row
    names = [parameter[0] for parameter in parameters] + list(flags)
    defaults = {parameter[0]: parameter[2] for parameter in parameters if len(parameter) > 2}
    defaults.update(dict.fromkeys(flags, False))

    def function(self, *values, **named):
        given = bind(name, names, defaults, values, named)
        if name == "clamp":
            _default_bounds(self._fd, given)
        operands = [self._fd._operand(given[parameter[0]], name, parameter[0]) for parameter in parameters]
        return apply(self._fd, name, operands, {flag: bool(given[flag]) for flag in flags})

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _document(names, defaults, elements, kind, summary)
    register(
        name,
        lambda arguments: _infer(name, kind, arguments),
        lambda emitter, arguments, results: _emit(name, mnemonic, flags, emitter, arguments, results),
    )
    return function


_ELEMENTS = {
    "Float": "floats (integers and bools become Float)",
    "FloatOrComplex": "floats (integers and bools become Float) or complex numbers",
    "Integer": "integers or bools",
    "Number": "integers or floats",
    "NumberOrComplex": "integers, floats or complex numbers",
    "NumberOrBool": "integers, floats or bools",
    "NumberOrBoolOrComplex": "any type",
    "Complex": "complex numbers",
    "ComplexPart": "Float or Double",
}
_RESULT_TEXT = {"bool": "Bool", "part": "the type of the parts of complex numbers, else the promoted type"}


def _document(names: list[str], defaults: dict, elements: str, kind: str, summary: str) -> str:
    arguments = ", ".join(f"{name}={defaults[name]!r}" if name in defaults else name for name in names)
    result = _RESULT_TEXT.get(kind, "complex numbers" if kind == "complex" else "the promoted type")
    return (
        f"{summary}\n\nArguments ({arguments}) are tensors, scalars or numbers of {_ELEMENTS[elements]}.\n"
        f"The result has the common shape of the tensors, and elements of {result}.\n"
        "Raises DTypeError for other element types and ShapeError for static sizes that differ."
    )


def bind(name: str, names: list[str], defaults: dict, values: tuple, named: dict) -> dict:
    """Arguments by parameter, as Python binds them."""
    given = dict(zip(names, values, strict=False))
    unknown = sorted(named.keys() - set(names)) + sorted(named.keys() & given.keys())
    if len(values) > len(names) or unknown:
        raise TypeError(f"{name}() takes {', '.join(names)}, but got {len(values)} values and {', '.join(named)}")
    given.update(named)
    missing = [parameter for parameter in names if parameter not in given and parameter not in defaults]
    if missing:
        raise TypeError(f"{name}() misses {', '.join(missing)}")
    return {parameter: given.get(parameter, defaults.get(parameter)) for parameter in names}


def _default_bounds(fd, given: dict) -> None:
    """Bounds of `clamp` that are None are those of the type."""
    value = fd._operand(given["input"], "clamp", "input")
    bits = int(value.dtype.value[1:]) if value.dtype.is_integer else 0
    least, greatest = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if bits else (float("-inf"), float("inf"))
    given["min"] = least if given["min"] is None else given["min"]
    given["max"] = greatest if given["max"] is None else given["max"]


# Functions of floats that PyTorch has for integers as well: identities, and those that another function computes.
_IDENTITIES = {"ceil", "floor", "round", "trunc", "real", "conj"}
_INTEGER_FORMS = {"fmax": "maximum", "fmin": "minimum"}
_GREATEST_POWER = 64


def _integer_power(fd, base: Value, exponent: Value) -> Value:
    """An integer to a constant power, by repeated squaring; integers wrap."""
    power = fd._constant_of(exponent) if isinstance(exponent, Scalar) else None
    if not isinstance(base, TensorView) or not isinstance(power, int) or not 0 <= power <= _GREATEST_POWER:
        raise DTypeError(
            "DTypeMismatch",
            f"pow: expected a float operand, or a constant exponent from 0 to {_GREATEST_POWER} of integers, "
            f"but got {base!r} of {base.dtype!r} to {exponent!r}",
        )
    if base.dtype is DataType.Bool:
        base = fd.ops.cast(base, DataType.Int)
    result = None
    while power:
        if power & 1:
            result = base if result is None else fd.ops.mul(result, base)
        power >>= 1
        base = fd.ops.mul(base, base) if power else base
    return fd.ops.full(fd.ops.shape(base), 1, base.dtype) if result is None else result


def apply(fd, name: str, operands: list[Value], flags: dict | None = None) -> Value:
    """The record of a pointwise function, after promotion."""
    _, parameters, _, elements, _, _ = POINTWISE[name]
    if name == "div" and promote(operands).category < 2:
        name = "trunc_div" if any(isinstance(operand, TensorView) for operand in operands) else "div"
        _, parameters, _, elements, _, _ = POINTWISE[name]
        if name == "div":
            return _scalars.call(fd, name, operands)
    if not any(isinstance(operand, TensorView) for operand in operands):
        return _scalars.call(fd, name, operands)
    if promote(operands).category < 2:
        if name in _IDENTITIES:
            return fd.ops.set(operands[0])
        if name in _INTEGER_FORMS:
            return getattr(fd.ops, _INTEGER_FORMS[name])(*operands)
        if name == "pow":
            return _integer_power(fd, *operands)
    elif name in ("real", "conj") and not promote(operands).is_complex:
        return fd.ops.set(operands[0])
    dtype = _check_class(name, promote(operands), elements)
    operands = align_ranks(fd, operands)
    converted = [_convert(fd, operand, dtype) for operand in operands]
    arguments = {parameter[0]: operand for parameter, operand in zip(parameters, converted, strict=True)}
    return fd._record(name, **arguments, **(flags or {}))


def _convert(fd, operand: Value, dtype: DataType) -> Value:
    """An operand as the dialect takes it next to tensors of `dtype`: a scalar is converted by the op itself."""
    if isinstance(operand, TensorView):
        return operand if operand.dtype is dtype else fd._record("cast", arg=operand, dtype=dtype)
    return operand


class PointwiseOps:
    """Functions of elements."""

    def cast(self, arg, dtype):
        """Converts elements (or a scalar) to another type.

        Floats round to nearest even; to integers they lose their fraction and saturate, and NaN gives 0."""
        dtype = check_dtype(dtype, "cast: dtype")
        value = self._fd._operand(arg, "cast", "arg")
        if isinstance(value, Scalar):
            _scalars.check_cast(value.dtype, dtype)
        return value if value.dtype is dtype else self._fd._record("cast", arg=value, dtype=dtype)

    def bitcast(self, arg, dtype):
        """The same bits as elements of another type of the same width. Raises DTypeError for another width."""
        dtype = check_dtype(dtype, "bitcast: dtype")
        value = check_tensor(self._fd._operand(arg, "bitcast", "arg"), "bitcast", "arg")
        widths = [8 if "E" in t.value else int(t.value.lstrip("bif")) for t in (value.dtype, dtype) if not t.is_complex]
        if len(set(widths)) != 1 or len(widths) != 2:
            raise DTypeError(
                "DTypeMismatch", f"bitcast: dtype: expected the width of {value.dtype!r}, but got {dtype!r}"
            )
        return self._fd._record("bitcast", arg=value, dtype=dtype)

    def where(self, condition, x, y):
        """Elements of `x` where `condition` holds, else of `y`. Conditions that are no bools hold where they are not
        0."""
        fd = self._fd
        operands = [fd._operand(value, "where", name) for value, name in ((condition, "condition"), (x, "x"), (y, "y"))]
        dtype = promote(operands[1:])
        condition, *values = align_ranks(fd, operands)
        if condition.dtype is not DataType.Bool:
            condition = self.cast(condition, DataType.Bool)
        if not any(isinstance(value, TensorView) for value in values):
            if not isinstance(condition, TensorView):
                values = [_scalars.convert_scalar(fd, value, dtype) for value in values]
                return fd._record("where", condition=condition, x=values[0], y=values[1])
            # The dialect takes the element type from a tensor.
            dtype = {DataType.Double: DataType.Float, DataType.ComplexDouble: DataType.ComplexFloat}.get(dtype, dtype)
            values[0] = fd.ops.full([1] * condition.ndim, values[0], dtype)
        values = [_convert(fd, value, dtype) for value in values]
        return fd._record("where", condition=condition, x=values[0], y=values[1])

    def truediv(self, lhs, rhs):
        """lhs / rhs of floats; integers become Float."""
        fd = self._fd
        operands = [fd._operand(lhs, "truediv", "lhs"), fd._operand(rhs, "truediv", "rhs")]
        if promote(operands).category < 2:
            index = next((i for i, value in enumerate(operands) if isinstance(value, TensorView)), None)
            if index is None:
                operands = [_scalars.convert_scalar(fd, value, DataType.Double) for value in operands]
            else:
                operands[index] = self.cast(operands[index], DataType.Float)
        return apply(fd, "div", operands)

    def mod(self, lhs, rhs):
        """The remainder of C++'s division, which has the sign of `lhs`."""
        return self.fmod(lhs, rhs)


def _infer_cast(arguments: dict) -> tuple:
    if isinstance(arguments["arg"], Scalar):
        return _scalars.infer("cast", arguments)
    return (tensor_like(arguments["arg"].type, arguments["dtype"]),)


def _emit_cast(mnemonic: str):
    def emit(emitter: Emitter, arguments: dict, results: tuple) -> None:
        operand = arguments["arg"]
        if isinstance(operand, Scalar):
            return _scalars.emit("cast", emitter, arguments, results)
        emitter.define(results, f"fuser.{mnemonic} {emitter.name(operand)} : {operand.type} to {results[0].type}")

    return emit


def _infer_where(arguments: dict) -> tuple:
    tensors = [value for value in arguments.values() if isinstance(value, TensorView)]
    values = [arguments["x"], arguments["y"]]
    typed = next((value for value in values if isinstance(value, TensorView)), values[0])
    if not tensors:
        return (ScalarType(typed.dtype),)
    return (TensorType(typed.dtype, join_extents(tensors, "where")),)


def _emit_where(emitter: Emitter, arguments: dict, results: tuple) -> None:
    operands = _operands(arguments)
    names = ", ".join([emitter.name(operand) for operand in operands])
    if isinstance(results[0], Scalar):
        return emitter.define(results, f"arith.select {names} : {results[0].dtype.value}")
    types = ", ".join([emitter.type(operand) for operand in operands])
    emitter.define(results, f"fuser.where {names} : ({types}) -> {results[0].type}")


register("cast", _infer_cast, _emit_cast("cast"))
register("bitcast", _infer_cast, _emit_cast("bitcast"))
register("where", _infer_where, _emit_where)
for _name, _row in POINTWISE.items():
    setattr(PointwiseOps, _name, _make(_name, _row))
