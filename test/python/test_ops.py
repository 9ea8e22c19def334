"""Every function of `fd.ops` that is an op of the dialect runs on the host device, and gives what the project's
reference computes in double precision and, where NumPy has the function, what NumPy computes in float64."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import op_cases
import pytest
from fuser import DataType, FusionDefinition
from fuser._op_table import POINTWISE

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = {
    np.dtype(t.__name__ if t is not bool else "bool"): d
    for t, d in (
        (np.float32, DataType.Float),
        (np.float64, DataType.Double),
        (np.float16, DataType.Half),
        (np.int64, DataType.Int),
        (np.int32, DataType.Int32),
        (np.int16, DataType.Int16),
        (np.int8, DataType.Int8),
        (np.complex64, DataType.ComplexFloat),
        (np.complex128, DataType.ComplexDouble),
        (bool, DataType.Bool),
    )
}

# NumPy's function, where it has another name; others are looked up by their own.
NUMPY = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "bitwise_left_shift": np.left_shift,
    "bitwise_right_shift": np.right_shift,
    "clamp": np.clip,
    "div": np.true_divide,
    "eq": np.equal,
    "ge": np.greater_equal,
    "gt": np.greater,
    "le": np.less_equal,
    "lt": np.less,
    "ne": np.not_equal,
    "neg": np.negative,
    "round": np.round,
    "sub": np.subtract,
    "mul": np.multiply,
    "add": np.add,
    "pow": np.power,
    "complex": lambda a, b: a + 1j * b,
    "trunc": np.trunc,
    "abs": np.abs,
    "relu": lambda a: np.maximum(a, 0),
    "rsqrt": lambda a: 1 / np.sqrt(a),
    "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "silu": lambda a: a / (1 + np.exp(-a)),
    "frac": lambda a: a - np.trunc(a),
    "trunc_div": lambda a, b: np.trunc(a / b),
    "floor_div": np.floor_divide,
    "ceil_div": lambda a, b: np.ceil(a / b),
    "lerp": lambda a, b, w: a + w * (b - a),
    "fma": lambda a, b, c: a * b + c,
    "addcmul": lambda a, b, c, v: a + v * b * c,
    "threshold": lambda a, t, v: np.where(a > t, a, v),
    "isposinf": np.isposinf,
    "isneginf": np.isneginf,
    "softplus": None,
    "angle": np.angle,
    "conj": np.conj,
    "real": np.real,
    "imag": np.imag,
    "remainder": np.remainder,
    "logical_right_shift": np.right_shift,
    "isreal": np.isreal,
    "logaddexp2": np.logaddexp2,
    "nextafter": None,
    "polar": lambda r, phi: r * np.exp(1j * phi),
    "tan": np.tan,
}


def define(arrays, build, static=False):
    """A definition over arguments like these arrays."""
    with FusionDefinition() as fd:
        arguments = [fd.from_pytorch(array, static_sizes=static) for array in arrays]
        results = build(fd.ops, *arguments)
        for result in results if isinstance(results, tuple) else (results,):
            fd.add_output(result)
    scope = {"FusionDefinition": FusionDefinition, "DataType": DataType}
    exec(repr(fd), scope)
    assert scope["fd"].fusion is fd.fusion
    return fd


def check(actual, expected):
    expected = np.asarray(expected)
    assert actual.shape == expected.shape
    if actual.dtype.kind in "iub":
        np.testing.assert_array_equal(actual.astype(np.int64), expected.astype(np.int64))
    else:
        np.testing.assert_allclose(actual, expected, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("name", sorted(POINTWISE))
def test_pointwise(name):
    arrays = op_cases.pointwise_inputs(name)
    fd = define(arrays, lambda ops, *arguments: getattr(ops, name)(*arguments))
    (result,) = fd.validate(arrays)
    function = NUMPY.get(name, getattr(np, name, None))
    if function is not None:
        exact = [
            a.astype(np.complex128 if a.dtype.kind == "c" else np.float64) if a.dtype.kind in "fc" else a
            for a in arrays
        ]
        check(result, function(*exact))


@pytest.mark.parametrize("name", ["lgamma", "digamma"])
def test_gamma_functions_of_f32_are_accurate(name):
    """f32 has a form of its own; that of f64 is exact next to it."""
    around = [center + 0.05 * np.linspace(-1, 1, 2001) for center in (0.7, 1, 1.4616321, 2, 3)]
    positive = np.concatenate([np.geomspace(1e-44, 3e38, 20000), np.linspace(0.01, 20, 20000), *around])
    x = np.concatenate([positive, -positive, [0, -0.0, np.inf, -np.inf, np.nan]]).astype(np.float32)

    def compute(values):
        return define([values], lambda ops, x: getattr(ops, name)(x)).execute([values])[0].astype(np.float64)

    actual, exact = compute(x), compute(x.astype(np.float64))
    with np.errstate(over="ignore"):
        rounded = exact.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(rounded))
    np.testing.assert_array_equal(actual[np.isinf(rounded)], rounded[np.isinf(rounded)])
    is_number = np.isfinite(rounded) & np.isfinite(actual)
    errors = np.abs(actual - exact)[is_number] / np.spacing(np.abs(rounded[is_number])).astype(np.float64)
    assert errors[x[is_number] > 0].max() < 5.2
    # Between the zeros, what cancels there is as large as the logarithm or the cotangent.
    is_negative = is_number & (x < 0)
    scale = np.abs(exact) + np.abs(x.astype(np.float64)) * np.log(2 + np.abs(x)) + 1
    assert (np.abs(actual - exact) / scale)[is_negative].max() < 1e-6


@pytest.mark.parametrize("name", sorted(op_cases.CASES))
def test_other_op(name):
    arrays, build, reference = op_cases.CASES[name]
    for static in (False, True):
        fd = define(arrays, build, static)
        results = fd.validate(arrays)
    if reference is not None:
        exact = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in arrays]
        expected = reference(*exact)
        for actual, wanted in zip(results, expected if isinstance(expected, tuple) else (expected,), strict=True):
            check(actual, wanted)


def test_every_op_of_the_dialect_has_a_case():
    rows = re.findall(r"^\| `fuser\.(\w+)` \| `(\w+)` \|", (ROOT / "docs/python-ops.md").read_text(), re.M)
    assert len(rows) == 173
    names = {name for _, name in rows}
    assert names == set(POINTWISE) | set(op_cases.CASES)
    with FusionDefinition() as fd:
        assert all(callable(getattr(fd.ops, name)) for name in names)
        fd.add_output(fd.ops.neg(fd.define_tensor([2])))


def test_generated_files_are_current():
    run = subprocess.run(
        [sys.executable, ROOT / "utils/python_ops.py", "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
