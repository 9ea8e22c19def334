"""Numbers of Python and of other libraries as scalars of one type. A number that the type cannot hold is an error."""

import math

from fuser._errors import ArgumentError, ScalarError

_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
_GREATEST = {
    "f32": 3.4028234663852886e38,
    "f16": 65504.0,
    "bf16": 3.3895313892515355e38,
    "f8E4M3FN": 448.0,
    "f8E5M2": 57344.0,
    "f64": math.inf,
}


def convert_number(value: object, type: str, argument: str) -> bool | int | float | complex:
    """`value` as a scalar of an MLIR type ("i1", "i64", "f32", "complex<f64>" ...). `argument` names it in errors.

    Takes everything with __index__, __float__ or __complex__. Raises ArgumentError for anything else, and ScalarError
    for
    a number that is no value of the type: a fraction, NaN or infinity for an integer, an integer beyond its width, an
    imaginary part for a real type, a finite number beyond the greatest of a float type, other numbers than 0 and 1
    for i1.
    """
    number = _read(value, type, argument)
    if type.startswith("complex"):
        part = type[len("complex<") : -1]
        number = complex(number) if not isinstance(number, int) else complex(_to_float(number, value, type, argument))
        return complex(*(_to_float(x, value, part, argument) for x in (number.real, number.imag)))
    if isinstance(number, complex):
        if number.imag != 0:
            raise _misfit(value, type, argument)
        number = number.real
    if type in _GREATEST:
        return _to_float(number, value, type, argument)
    if isinstance(number, float):
        if not number.is_integer():
            raise _misfit(value, type, argument)
        number = int(number)
    if type == "i1":
        if number not in (0, 1):
            raise _misfit(value, type, argument)
        return bool(number)
    half = 1 << (_BITS[type] - 1)
    if not -half <= number < half:
        raise _misfit(value, type, argument)
    return number


def _misfit(value: object, type: str, argument: str) -> ScalarError:
    return ScalarError("ScalarMismatch", f"{argument}: expected a value of {type}, but got {value!r}")


def _read(value: object, type: str, argument: str) -> int | float | complex:
    if isinstance(value, (int, float, complex)):
        return value
    kind = value.__class__
    try:
        if hasattr(kind, "__index__"):
            try:
                return value.__index__()
            except TypeError:  # an array of floats
                pass
        # Of arrays and numbers of NumPy and PyTorch, the type says whether they are complex.
        is_complex = "complex" in str(getattr(value, "dtype", "")) or not hasattr(kind, "__float__")
        if is_complex and hasattr(kind, "__complex__"):
            return value.__complex__()
        if hasattr(kind, "__float__"):
            return value.__float__()
    except (TypeError, ValueError, RuntimeError) as error:
        raise ArgumentError("ArgumentKind", f"{argument}: expected a number for {type}, but got {error}") from error
    raise ArgumentError("ArgumentKind", f"{argument}: expected a number, but got {kind.__name__}")


def _to_float(number: int | float, value: object, type: str, argument: str) -> float:
    try:
        real = float(number)
    except OverflowError:
        raise _misfit(value, type, argument) from None
    if math.isfinite(real) and abs(real) > _GREATEST.get(type, math.inf):
        raise _misfit(value, type, argument)
    return real
