"""Lowerings of functions of elements.

Element types are those of PyTorch's tracing: operands are converted to the type that eager mode computes in. The ops
themselves compute half types in f32 and round once (PointwiseBase.td), as the kernels of eager mode do.
"""

from __future__ import annotations

import math

import torch

from fuser.torch._builder import HALF_TYPES, Builder, Scalar, Tensor, Unsupported
from fuser.torch._lowering import LOWERINGS, aten, lower, overload_of, prims, shape_of
from fuser.torch._narrow import promoted

# Functions of floats, which take integers as floats: the name in ATen, and the dialect's where that differs.
FLOAT_UNARY = {
    "acos": "", "acosh": "", "asin": "", "asinh": "", "atan": "", "atanh": "", "cos": "", "cosh": "", "digamma": "",
    "erf": "", "erfc": "", "erfinv": "", "exp": "", "exp2": "", "expm1": "", "lgamma": "", "log": "", "log10": "",
    "log1p": "", "log2": "", "reciprocal": "", "rsqrt": "", "sigmoid": "", "sin": "", "sinh": "", "sqrt": "", "tan": "",
    "tanh": "", "special_erfcx": "erfcx", "sinc": "", "silu": "", "mish": "", "hardswish": "", "hardsigmoid": "",
    "frac": "",
}  # fmt: skip
# Functions of real numbers that keep the type; of integers some are identities.
SAME_UNARY = {"abs": "", "neg": "", "relu": "", "sign": "", "sgn": "sign", "square": ""}
ROUNDING = {"ceil": "", "floor": "", "trunc": "", "round": ""}
TESTS = {"isfinite": "", "isinf": "", "isnan": "", "isposinf": "", "isneginf": "", "signbit": ""}
# Functions of two operands of the result's type.
BINARY = {
    "mul.Tensor": "mul", "mul.Scalar": "mul", "maximum": "maximum", "minimum": "minimum", "fmax": "fmax",
    "fmin": "fmin", "fmod.Tensor": "fmod", "fmod.Scalar": "fmod", "remainder.Tensor": "remainder",
    "remainder.Scalar": "remainder", "remainder.Scalar_Tensor": "remainder", "atan2": "atan2", "hypot": "hypot",
    "copysign.Tensor": "copysign", "copysign.Scalar": "copysign", "nextafter": "nextafter", "logaddexp": "logaddexp",
    "logaddexp2": "logaddexp2", "xlogy.Tensor": "xlogy", "xlogy.Scalar_Other": "xlogy", "xlogy.Scalar_Self": "xlogy",
    "special_xlog1py": "xlog1py", "special_xlog1py.other_scalar": "xlog1py", "special_xlog1py.self_scalar": "xlog1py",
    "gcd": "gcd", "lcm": "lcm", "floor_divide": "floor_div", "floor_divide.Scalar": "floor_div",
}  # fmt: skip
BITS = {"bitwise_and": "", "bitwise_or": "", "bitwise_xor": ""}
SHIFTS = {
    "bitwise_left_shift": "shift_left", "bitwise_right_shift": "shift_right", "__lshift__": "shift_left",
    "__rshift__": "shift_right",
}  # fmt: skip
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
LOGIC = {"logical_and": "", "logical_or": "", "logical_xor": ""}


def _register(name: str, function) -> None:
    if (overload := overload_of(name)) is not None:
        LOWERINGS[overload] = function


def cast_all(b: Builder, dtype: torch.dtype, *values: object) -> list:
    return [b.cast(value, dtype) if isinstance(value, Tensor) else value for value in values]


def _float_unary(op: str):
    def function(b: Builder, out, x: Tensor) -> Tensor:
        return b.pointwise(op, b.cast(x, out.dtype))

    return function


def _same_unary(op: str):
    def function(b: Builder, out, x: Tensor) -> Tensor:
        if x.dtype == torch.bool:
            if op in ("abs", "sign", "relu"):
                return b.copy(x)
            raise Unsupported(f"{op} of bools")
        return b.pointwise(op, x)

    return function


def _rounding(op: str):
    def function(b: Builder, out, x: Tensor) -> Tensor:
        return b.pointwise(op, x) if x.dtype.is_floating_point else b.copy(x)

    return function


def _test(op: str):
    def function(b: Builder, out, x: Tensor) -> Tensor:
        if x.dtype.is_floating_point:
            return b.pointwise(op, x, dtype=torch.bool)
        if op == "signbit":
            return (
                b.pointwise("lt", x, 0, dtype=torch.bool) if x.dtype != torch.bool else b.full(False, x.dtype, x.shape)
            )
        return b.full(op == "isfinite", torch.bool, x.shape)

    return function


def to_scalar(b: Builder, value: object, dtype: torch.dtype) -> object:
    """A number next to tensors of `dtype`: an integer wraps to the type as PyTorch converts it."""
    if isinstance(value, (Scalar, Tensor, torch.SymInt)):
        return value
    if dtype.is_floating_point:
        # Integers next to floats: a constant of f64 holds what f32 does.
        return float(value)
    return value


def _binary(op: str):
    def function(b: Builder, out, x, y) -> Tensor:
        if out.dtype == torch.bool:
            if op == "mul":
                return b.pointwise("logical_and", *cast_all(b, torch.bool, x, y), dtype=torch.bool)
            if op not in ("maximum", "minimum"):
                raise Unsupported(f"{op} of bools")
        x, y = (to_scalar(b, value, out.dtype) for value in cast_all(b, out.dtype, x, y))
        if op in ("fmax", "fmin") and not out.dtype.is_floating_point:
            return b.pointwise({"fmax": "maximum", "fmin": "minimum"}[op], x, y)
        if not isinstance(x, Tensor) and not isinstance(y, Tensor):
            raise Unsupported("two scalars")
        return b.pointwise(op, x, y, dtype=out.dtype)

    return function


def _bits(op: str):
    def function(b: Builder, out, x, y) -> Tensor:
        return b.pointwise(op, *cast_all(b, out.dtype, x, y), dtype=out.dtype)

    return function


def _shift(op: str):
    def function(b: Builder, out, x, y) -> Tensor:
        if out.dtype not in (torch.int8, torch.int16, torch.int32, torch.int64):
            raise Unsupported(f"shifts of {out.dtype}")
        return b.pointwise(op, *cast_all(b, out.dtype, x, y), dtype=out.dtype)

    return function


def _comparison(op: str):
    def function(b: Builder, out, x, y) -> Tensor:
        common = promoted(x, y)
        if common == torch.bool and op not in ("eq", "ne"):
            common = torch.int8
        x, y = cast_all(b, common, x, y)
        number = next((value for value in (x, y) if isinstance(value, (int, float))), None)
        if number is not None and not common.is_floating_point and common != torch.bool:
            info = torch.iinfo(common)
            if not info.min <= number <= info.max:
                raise Unsupported("a comparison with a number that the element type cannot hold")
        x, y = (int(value) if isinstance(value, bool) and common != torch.bool else value for value in (x, y))
        return b.pointwise(op, x, y, dtype=torch.bool)

    return function


def _logic(op: str):
    def function(b: Builder, out, x, y) -> Tensor:
        return b.pointwise(op, *cast_all(b, torch.bool, x, y), dtype=torch.bool)

    return function


for _table, _make, _forms in (
    (FLOAT_UNARY, _float_unary, ("",)),
    (SAME_UNARY, _same_unary, ("",)),
    (ROUNDING, _rounding, ("",)),
    (TESTS, _test, ("",)),
    (BINARY, _binary, ("",)),
    (BITS, _bits, (".Tensor", ".Scalar", ".Scalar_Tensor")),
    (SHIFTS, _shift, (".Tensor", ".Scalar", ".Tensor_Scalar", ".Scalar_Tensor")),
    (dict.fromkeys(COMPARISONS, ""), _comparison, (".Tensor", ".Scalar")),
    (LOGIC, _logic, ("",)),
):
    for _name, _op in _table.items():
        for _form in _forms:
            _register(_name + _form, _make(_op or _name))


@lower(aten.round.decimals)
def _round_decimals(b: Builder, out, x: Tensor, *, decimals: int) -> Tensor:
    if not x.dtype.is_floating_point:
        raise Unsupported("round with decimals of integers")
    if decimals == 0:
        return b.pointwise("round", x)
    scale = float(10 ** abs(decimals))
    first, second = ("mul", "div") if decimals > 0 else ("div", "mul")

    def compute(value: Tensor) -> Tensor:
        return b.pointwise(second, b.pointwise("round", b.pointwise(first, value, scale)), scale)

    return b.in_compute_type(compute, x.dtype, x)


@lower(aten.logical_not.default)
def _logical_not(b: Builder, out, x: Tensor) -> Tensor:
    return b.pointwise("logical_not", x, dtype=torch.bool)


@lower(aten.bitwise_not.default)
def _bitwise_not(b: Builder, out, x: Tensor) -> Tensor:
    return b.pointwise("logical_not" if x.dtype == torch.bool else "bitwise_not", x, dtype=x.dtype)


# Sums with a factor, quotients, powers


def _scaled(b: Builder, op: str, x, y, alpha, dtype: torch.dtype) -> Tensor:
    """x op alpha * y."""
    x, y = (to_scalar(b, value, dtype) for value in cast_all(b, dtype, x, y))
    if alpha == 1:
        return b.pointwise(op, x, y, dtype=dtype)
    if not isinstance(y, Tensor):
        if isinstance(y, Scalar) or isinstance(alpha, Scalar):
            raise Unsupported("a factor of a scalar")
        return b.pointwise(op, x, y * alpha, dtype=dtype)

    def compute(x, y):
        return b.pointwise(op, x, b.pointwise("mul", y, to_scalar(b, alpha, dtype)))

    return b.in_compute_type(compute, dtype, x, y)


@lower(aten.add.Tensor, aten.add.Scalar)
def _add(b: Builder, out, x, y, alpha=1) -> Tensor:
    if out.dtype == torch.bool:
        if alpha is not True and alpha != 1:
            raise Unsupported("add of bools with a factor")
        return b.pointwise("logical_or", *cast_all(b, torch.bool, x, y), dtype=torch.bool)
    return _scaled(b, "add", x, y, alpha, out.dtype)


@lower(aten.sub.Tensor, aten.sub.Scalar)
def _sub(b: Builder, out, x, y, alpha=1) -> Tensor:
    return _scaled(b, "sub", x, y, alpha, out.dtype)


@lower(aten.rsub.Tensor, aten.rsub.Scalar)
def _rsub(b: Builder, out, x, y, alpha=1) -> Tensor:
    if alpha != 1:

        def compute(x, y):
            return b.pointwise("sub", y, b.pointwise("mul", x, to_scalar(b, alpha, out.dtype)))

        return b.in_compute_type(compute, out.dtype, *cast_all(b, out.dtype, x, y))
    return _scaled(b, "sub", y, x, 1, out.dtype)


@lower(aten.div.Tensor, aten.div.Scalar, aten.true_divide.Tensor, aten.true_divide.Scalar)
def _div(b: Builder, out, x, y) -> Tensor:
    x, y = (to_scalar(b, value, out.dtype) for value in cast_all(b, out.dtype, x, y))
    return b.pointwise("div", x, y, dtype=out.dtype)


@lower(aten.div.Tensor_mode, aten.div.Scalar_mode)
def _div_mode(b: Builder, out, x, y, *, rounding_mode=None) -> Tensor:
    if rounding_mode is None:
        return _div(b, out, x, y)
    if out.dtype == torch.bool:
        raise Unsupported("rounded quotients of bools")
    x, y = (to_scalar(b, value, out.dtype) for value in cast_all(b, out.dtype, x, y))
    # Eager mode rounds a quotient of half types before it truncates it, if the divisor is a tensor.
    if rounding_mode == "trunc" and out.dtype in HALF_TYPES and isinstance(y, Tensor):
        return b.pointwise("trunc", b.pointwise("div", x, y, dtype=out.dtype))
    return b.pointwise({"floor": "floor_div", "trunc": "trunc_div"}[rounding_mode], x, y, dtype=out.dtype)


@lower(aten.pow.Tensor_Scalar, aten.pow.Tensor_Tensor, aten.pow.Scalar)
def _pow(b: Builder, out, x, y) -> Tensor:
    x, y = (to_scalar(b, value, out.dtype) for value in cast_all(b, out.dtype, x, y))
    if not out.dtype.is_floating_point:
        return _integer_power(b, out, x, y)
    # The special cases of eager mode.
    if isinstance(y, float) and isinstance(x, Tensor):
        if y == 1.0:
            return b.copy(x)
        if y in (2.0, 3.0):

            def power(value: Tensor) -> Tensor:
                square = b.pointwise("mul", value, value)
                return square if y == 2.0 else b.pointwise("mul", square, value)

            return b.in_compute_type(power, out.dtype, x)
        if y in (0.5, -0.5, -1.0):
            return b.pointwise({0.5: "sqrt", -0.5: "rsqrt", -1.0: "reciprocal"}[y], x)
    return b.pointwise("pow", x, y, dtype=out.dtype)


def _integer_power(b: Builder, out, base, exponent) -> Tensor:
    """By repeated squaring; integers wrap."""
    if isinstance(base, int) and isinstance(exponent, Tensor) and out.dtype != torch.bool:
        return _power_of_constant(b, out, base, exponent)
    if not isinstance(exponent, int) or not isinstance(base, Tensor) or not 0 <= exponent <= 64:
        raise Unsupported("an integer to a power that is not a constant from 0 to 64")
    if out.dtype == torch.bool:
        raise Unsupported("powers of bools")
    result = None
    while exponent:
        if exponent & 1:
            result = base if result is None else b.pointwise("mul", result, base)
        exponent >>= 1
        base = b.pointwise("mul", base, base) if exponent else base
    return b.full(1, out.dtype, base.shape) if result is None else b.copy(result)


def _power_of_constant(b: Builder, out, base: int, exponent: Tensor) -> Tensor:
    """Powers of -1, 0 and 1, and of powers of two, which are shifts. Negative exponents make fractions, which are 0."""
    one = b.full(1, out.dtype, exponent.shape)
    if base == 1:
        return one
    if base == -1:
        is_odd = b.pointwise("bitwise_and", exponent, 1)
        return b.pointwise("sub", one, b.pointwise("mul", is_odd, 2), dtype=out.dtype)
    if base < 0 or base & (base - 1):
        raise Unsupported("powers of an integer that is no power of two")
    is_zero = b.pointwise("eq", exponent, 0, dtype=torch.bool)
    if base == 0:
        return b.cast(is_zero, out.dtype)
    log = base.bit_length() - 1
    greatest = (torch.iinfo(out.dtype).bits - 1) // log
    tests = [b.pointwise("ge", exponent, 0, dtype=torch.bool), b.pointwise("le", exponent, greatest, dtype=torch.bool)]
    shifted = b.pointwise("shift_left", one, b.pointwise("mul", exponent, log) if log > 1 else exponent)
    zero = b.full(0, out.dtype, exponent.shape)
    return b.where(b.pointwise("logical_and", *tests, dtype=torch.bool), shifted, zero, out.dtype)


# Chosen elements


@lower(aten.where.self)
def _where(b: Builder, out, condition: Tensor, x, y) -> Tensor:
    condition = b.cast(condition, torch.bool)
    x, y = (to_scalar(b, value, out.dtype) for value in cast_all(b, out.dtype, x, y))
    return b.where(condition, x, y, out.dtype)


for _name in ("where.ScalarOther", "where.ScalarSelf", "where.Scalar"):
    _register(_name, _where)


@lower(aten.masked_fill.Scalar, aten.masked_fill.Tensor)
def _masked_fill(b: Builder, out, x: Tensor, mask: Tensor, value) -> Tensor:
    if isinstance(value, Tensor):
        value = b.cast(value, x.dtype)
    elif not isinstance(value, Scalar):
        value = b._fit(value, x.dtype)
    return b.where(mask, value, x, x.dtype)


@lower(aten.clamp.default, aten.clamp.Tensor)
def _clamp(b: Builder, out, x: Tensor, low=None, high=None) -> Tensor:
    x, low, high = (
        to_scalar(b, value, out.dtype) if value is not None else None
        for value in (*cast_all(b, out.dtype, x), *cast_all(b, out.dtype, low, high))
    )
    # In this order: the upper bound wins where they cross.
    for op, bound in (("maximum", low), ("minimum", high)):
        if bound is not None:
            x = b.pointwise(op, x, bound)
    return x


@lower(aten.clamp_min.default, aten.clamp_min.Tensor)
def _clamp_min(b: Builder, out, x: Tensor, low) -> Tensor:
    return _clamp(b, out, x, low)


@lower(aten.clamp_max.default, aten.clamp_max.Tensor)
def _clamp_max(b: Builder, out, x: Tensor, high) -> Tensor:
    return _clamp(b, out, x, None, high)


@lower(aten.hardtanh.default)
def _hardtanh(b: Builder, out, x: Tensor, low=-1, high=1) -> Tensor:
    # Eager mode truncates the bounds of integers.
    low, high = (int(bound) if not out.dtype.is_floating_point else bound for bound in (low, high))
    return _clamp(b, out, x, low, high)


@lower(aten.nan_to_num.default)
def _nan_to_num(b: Builder, out, x: Tensor, nan=None, posinf=None, neginf=None) -> Tensor:
    if not x.dtype.is_floating_point:
        return b.copy(x)
    info = torch.finfo(x.dtype)
    posinf, neginf = info.max if posinf is None else posinf, info.min if neginf is None else neginf
    result = b.where(b.pointwise("isnan", x, dtype=torch.bool), 0.0 if nan is None else float(nan), x, x.dtype)
    result = b.where(b.pointwise("eq", x, math.inf, dtype=torch.bool), float(posinf), result, x.dtype)
    return b.where(b.pointwise("eq", x, -math.inf, dtype=torch.bool), float(neginf), result, x.dtype)


# Conversions


@lower(prims.convert_element_type.default)
def _convert(b: Builder, out, x: Tensor, dtype: torch.dtype) -> Tensor:
    return b.cast(x, out.dtype) if x.dtype != out.dtype else b.copy(x)


@lower(aten._to_copy.default)
def _to_copy(b: Builder, out, x: Tensor, *, dtype=None, device=None, memory_format=None, **_options) -> Tensor:
    return _convert(b, out, x, out.dtype)


@lower(aten.clone.default)
def _clone(b: Builder, out, x: Tensor, *, memory_format=None) -> Tensor:
    return b.copy(x)


@lower(aten.copy.default)
def _copy(b: Builder, out, x: Tensor, source: Tensor, non_blocking=False) -> Tensor:
    return b.expand(_convert(b, out, source, out.dtype), shape_of(out))


# Activations and their gradients


@lower(aten.gelu.default)
def _gelu(b: Builder, out, x: Tensor, *, approximate="none") -> Tensor:
    return b.pointwise("gelu", x, flags="approximate" if approximate == "tanh" else "")


@lower(aten.gelu_backward.default)
def _gelu_backward(b: Builder, out, gradient: Tensor, x: Tensor, *, approximate="none") -> Tensor:
    flags = "approximate" if approximate == "tanh" else ""
    return b.pointwise("gelu_backward", *cast_all(b, out.dtype, gradient, x), flags=flags)


@lower(aten.leaky_relu.default)
def _leaky_relu(b: Builder, out, x: Tensor, slope=0.01) -> Tensor:
    return b.pointwise("leaky_relu", x, float(slope))


@lower(aten.softplus.default)
def _softplus(b: Builder, out, x: Tensor, beta=1, threshold=20) -> Tensor:
    return b.pointwise("softplus", x, float(beta), float(threshold))


@lower(aten.softplus_backward.default)
def _softplus_backward(b: Builder, out, gradient: Tensor, x: Tensor, beta, threshold) -> Tensor:
    return b.pointwise("softplus_backward", gradient, x, float(beta), float(threshold))


@lower(aten.threshold_backward.default)
def _threshold_backward(b: Builder, out, gradient: Tensor, x: Tensor, threshold) -> Tensor:
    gradient, x = cast_all(b, out.dtype, gradient, x)
    if out.dtype.is_floating_point:
        return b.pointwise("threshold_backward", gradient, x, float(threshold))
    return b.where(b.pointwise("le", x, threshold, dtype=torch.bool), 0, gradient, out.dtype)


def _gradient(name: str, op: str):
    def function(b: Builder, out, gradient: Tensor, x: Tensor) -> Tensor:
        return b.pointwise(op, *cast_all(b, out.dtype, gradient, x))

    _register(name, function)


for _name in ("sigmoid_backward", "tanh_backward", "silu_backward", "hardsigmoid_backward", "hardswish_backward",
              "mish_backward"):  # fmt: skip
    _gradient(_name, _name)


@lower(aten.leaky_relu_backward.default)
def _leaky_relu_backward(b: Builder, out, gradient: Tensor, x: Tensor, slope, is_result) -> Tensor:
    return b.pointwise("leaky_relu_backward", gradient, x, float(slope))


@lower(aten.logit.default)
def _logit(b: Builder, out, x: Tensor, eps=None) -> Tensor:
    x = b.cast(x, out.dtype)
    if eps is not None:

        def compute(value: Tensor) -> Tensor:
            bounded = b.pointwise("minimum", b.pointwise("maximum", value, float(eps)), 1.0 - float(eps))
            return b.pointwise("logit", bounded)

        return b.in_compute_type(compute, out.dtype, x)
    return b.pointwise("logit", x)


@lower(aten.heaviside.default)
def _heaviside(b: Builder, out, x: Tensor, values: Tensor) -> Tensor:
    if not out.dtype.is_floating_point:
        raise Unsupported("heaviside of integers")
    return b.pointwise("heaviside", x, values)


@lower(aten.lerp.Scalar, aten.lerp.Tensor)
def _lerp(b: Builder, out, start: Tensor, end: Tensor, weight) -> Tensor:
    weight = weight if isinstance(weight, (Tensor, Scalar)) else float(weight)
    return b.pointwise("lerp", start, end, weight)


@lower(aten.addcmul.default)
def _addcmul(b: Builder, out, x: Tensor, first: Tensor, second: Tensor, *, value=1) -> Tensor:
    operands = cast_all(b, out.dtype, x, first, second)
    return b.pointwise("addcmul", *operands, to_scalar(b, value, out.dtype), dtype=out.dtype)


@lower(aten.addcdiv.default)
def _addcdiv(b: Builder, out, x: Tensor, first: Tensor, second: Tensor, *, value=1) -> Tensor:
    operands = cast_all(b, out.dtype, x, first, second)
    return b.pointwise("addcdiv", *operands, to_scalar(b, value, out.dtype), dtype=out.dtype)


@lower(aten.angle.default)
def _angle(b: Builder, out, x: Tensor) -> Tensor:
    x = b.cast(x, out.dtype)
    result = b.where(b.pointwise("lt", x, 0.0, dtype=torch.bool), math.pi, 0.0, x.dtype)
    return b.where(b.pointwise("isnan", x, dtype=torch.bool), x, result, x.dtype)


@lower(aten.ldexp.Tensor)
def _ldexp(b: Builder, out, x: Tensor, exponent: Tensor) -> Tensor:
    def compute(x: Tensor, exponent: Tensor) -> Tensor:
        return b.pointwise("mul", x, b.pointwise("exp2", exponent))

    return b.in_compute_type(compute, out.dtype, *cast_all(b, out.dtype, x, exponent))


@lower(prims.fma.default) if hasattr(prims, "fma") else (lambda function: function)
def _fma(b: Builder, out, x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    return b.pointwise("fma", x, y, z)
