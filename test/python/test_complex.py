"""Complex numbers from NumPy and back on the host device: memory orders, and what functions give at the edges."""

import cmath
import itertools

import fuser
import numpy as np
import pytest

MIX = """
fuser.fusion @mix(%z: tensor<?x?xcomplex<f{bits}>>, %s: complex<f{bits}>)
    -> (tensor<?x?xcomplex<f{bits}>>, tensor<?x?xf{bits}>) {{
  %0 = fuser.mul %z, %s : (tensor<?x?xcomplex<f{bits}>>, complex<f{bits}>) -> tensor<?x?xcomplex<f{bits}>>
  %1 = fuser.conj %0 : tensor<?x?xcomplex<f{bits}>>
  %2 = fuser.abs %1 : (tensor<?x?xcomplex<f{bits}>>) -> tensor<?x?xf{bits}>
  fuser.return %1, %2 : tensor<?x?xcomplex<f{bits}>>, tensor<?x?xf{bits}>
}}
"""

UNARY = """
fuser.fusion @unary(%z: tensor<?xcomplex<f32>>) -> tensor<?x{result}> {{
  %0 = fuser.{op} %z : (tensor<?xcomplex<f32>>) -> tensor<?x{result}>
  fuser.return %0 : tensor<?x{result}>
}}
"""

BINARY = """
fuser.fusion @binary(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {{
  %0 = fuser.{op} %x, %y : tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}}
"""

INF = float("inf")
NAN = float("nan")


def random(*shape: int, bits: int) -> np.ndarray:
    generator = np.random.default_rng(0)
    z = generator.standard_normal(shape) + 1j * generator.standard_normal(shape)
    return z.astype(np.complex64 if bits == 32 else np.complex128)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize(
    "view", [lambda z: z, lambda z: z.T, lambda z: z[1::2, ::3], lambda z: np.broadcast_to(z[:1], z.shape)]
)
def test_memory_orders(bits, view):
    program = fuser.compile(MIX.format(bits=bits), device="host")
    z = view(random(33, 40, bits=bits))
    scalar = 0.5 - 2j
    conjugate, magnitude = program(z, scalar)
    want = np.conj(z.astype(np.complex128) * scalar)
    assert conjugate.dtype == z.dtype
    tolerance = 1e-6 if bits == 32 else 1e-14
    np.testing.assert_allclose(conjugate, want, rtol=tolerance)
    np.testing.assert_allclose(magnitude, np.abs(want), rtol=tolerance)


def unary(op: str, values: list[complex], result: str = "complex<f32>") -> np.ndarray:
    return fuser.compile(UNARY.format(op=op, result=result), device="host")(np.array(values, np.complex64))


def binary(op: str, x: list[complex], y: list[complex]) -> np.ndarray:
    return fuser.compile(BINARY.format(op=op), device="host")(np.array(x, np.complex64), np.array(y, np.complex64))


def test_sides_of_cuts():
    """The sign of a zero imaginary part chooses the side."""
    cut = [complex(-4, 0.0), complex(-4, -0.0)]
    np.testing.assert_allclose(unary("sqrt", cut), [2j, -2j])
    np.testing.assert_allclose(unary("log", cut).imag, [np.pi, -np.pi], rtol=1e-6)
    np.testing.assert_allclose(unary("angle", cut, "f32"), [np.pi, -np.pi], rtol=1e-6)
    roots = unary("sqrt", [complex(4, 0.0), complex(4, -0.0), 0j])
    np.testing.assert_array_equal(roots, [2, 2, 0])
    np.testing.assert_array_equal(np.signbit(roots.imag), [False, True, False])


def test_no_overflow_before_the_result():
    large = 2e38
    np.testing.assert_allclose(unary("abs", [complex(large, large)], "f32"), [large * np.sqrt(2)], rtol=1e-6)
    for op in ("sqrt", "log", "rsqrt"):
        values = [complex(large, large), complex(1e-40, 1e-40), complex(-3e38, 1e-3)]
        want = {"sqrt": np.sqrt, "log": np.log, "rsqrt": lambda z: 1 / np.sqrt(z)}[op]
        # A denormal input has a few digits of its own.
        given = np.array(values, np.complex64).astype(np.complex128)
        np.testing.assert_allclose(unary(op, values), want(given), rtol=1e-5)
    near = complex(89, 1.57)
    for op in ("exp", "sinh", "cosh"):
        got = unary(op, [near, -near])
        want = getattr(np, op)(np.array([near, -near], np.complex64).astype(np.complex128))
        # The greater part is beyond f32.
        np.testing.assert_allclose(got.real, want.real, rtol=1e-4, atol=1e-40)
    np.testing.assert_allclose(binary("div", [complex(1e30, 1e30)], [complex(1e30, 1e30)]), [1], rtol=1e-6)
    np.testing.assert_allclose(unary("tanh", [100 + 1j, -100 + 1j]), [1, -1])
    np.testing.assert_allclose(unary("sigmoid", [-100 + 1j, 100 + 1j]), [0, 1], atol=1e-30)


def on_the_unit_circle(count: int) -> np.ndarray:
    """Of all directions, as near to the circle as complex64 gets."""
    angle = np.random.default_rng(0).uniform(-np.pi, np.pi, count)
    return np.exp(1j * angle).astype(np.complex64)


def test_digits_near_one():
    """log|z| is tiny where |z| is 1 but for rounding: what is left has its digits, whatever cancels on the way."""
    axis = np.array([complex(1 + 1e-6, 1e-6), complex(1, 1e-4), complex(1e-4, -1)], np.complex64)
    given = np.concatenate([axis, on_the_unit_circle(1000)])
    wide = given.astype(np.complex128)
    # The squares of 24 digits are exact in 53, and so is their sum where it cancels.
    want = 0.5 * np.log1p((np.abs(wide.real) - 1) * (np.abs(wide.real) + 1) + wide.imag**2)
    got = unary("log", given)
    np.testing.assert_allclose(got.real, want, rtol=1e-5)
    np.testing.assert_allclose(got.imag, np.angle(wide), rtol=1e-6)
    # The same circle around -1.
    moved = given - np.float32(1)
    wide = moved.astype(np.complex128)
    want = 0.5 * np.log1p(wide.real * (wide.real + 2) + wide.imag**2)
    np.testing.assert_allclose(unary("log1p", moved).real, want, rtol=1e-5, atol=2**-50)


def test_digits_near_zero():
    """Functions that are z but for little keep the digits of z, which a 1 on the way would take."""
    values = np.array([complex(1e-6, 2e-6), complex(-3e-20, 1e-25), 1e-30, 1e-30j], np.complex64)
    for op in ("expm1", "log1p", "asin", "atan", "asinh", "atanh", "tanh", "sinh", "sin", "tan"):
        got = unary(op, values)
        np.testing.assert_allclose(got.real, values.real, rtol=3e-6, atol=1e-45, err_msg=op)
        np.testing.assert_allclose(got.imag, values.imag, rtol=3e-6, atol=1e-45, err_msg=op)


def test_quotients_by_zero():
    """Both parts are divided by +0, whatever the signs of the zeros are."""
    zeros = [complex(0.0, 0.0), complex(0.0, -0.0), complex(-0.0, 0.0), complex(-0.0, -0.0)]
    for numerator in (1 + 1j, 1 - 1j, -1 + 1j, complex(-2, -INF)):
        quotient = binary("div", [numerator] * 4, zeros)
        np.testing.assert_array_equal(quotient.real, np.copysign(INF, numerator.real))
        np.testing.assert_array_equal(quotient.imag, np.copysign(INF, numerator.imag))
        np.testing.assert_array_equal(np.isnan(binary("div", [0j] * 4, zeros)), True)
    # A part that is 0 gives NaN, and the other its infinity.
    quotient = binary("div", [complex(-1, 0), complex(0, 1)], [complex(-0.0, 0.0)] * 2)
    np.testing.assert_array_equal(quotient.real, [-INF, NAN])
    np.testing.assert_array_equal(quotient.imag, [NAN, INF])
    reciprocal = unary("reciprocal", zeros)
    np.testing.assert_array_equal(reciprocal.real, INF)
    np.testing.assert_array_equal(np.isnan(reciprocal.imag), True)


INVERSES = {
    "asin": cmath.asin,
    "acos": cmath.acos,
    "atan": cmath.atan,
    "asinh": cmath.asinh,
    "acosh": cmath.acosh,
    "atanh": cmath.atanh,
}


def part_is(got: float, want: float, signed: bool) -> bool:
    if np.isnan(want):
        return bool(np.isnan(got))
    if not signed:
        got, want = abs(got), abs(want)
    return bool(np.isclose(got, want, rtol=2e-6, atol=0)) and np.signbit(got) == np.signbit(want)


@pytest.mark.parametrize("op", INVERSES)
def test_edges_of_inverses(op):
    """Infinities, NaN, signs of zeros and both sides of the cuts, as C's Annex G has them."""
    parts = [-INF, -3e38, -2.0, -1.0, -1e-30, -0.0, 0.0, 1e-30, 0.5, 1.0, 1e20, INF, NAN]
    values = [complex(x, y) for x, y in itertools.product(parts, parts)]
    given = np.array(values, np.complex64)
    for z, got in zip(given.astype(np.complex128), unary(op, given), strict=True):
        if z in {"atan": (1j, -1j), "atanh": (1, -1)}.get(op, ()):
            continue  # a pole, which cmath refuses
        if op == "acosh" and z.real == 0 and np.isnan(z.imag):
            continue  # NaN and pi / 2 since C17, which cmath does not follow
        want = INVERSES[op](complex(z))
        # Where a part is NaN, Annex G leaves the sign of the other open.
        signed = not np.isnan([z.real, z.imag]).any()
        assert part_is(got.real, want.real, signed), f"{op}({z}) is {want}, but got {got}"
        assert part_is(got.imag, want.imag, signed), f"{op}({z}) is {want}, but got {got}"


def test_poles():
    np.testing.assert_array_equal(unary("atanh", [1, -1]), [INF, -INF])
    pole = unary("atan", [1j, -1j])
    np.testing.assert_array_equal(pole.imag, [INF, -INF])
    np.testing.assert_array_equal(pole.real, 0)


def test_sums_of_exponentials():
    given = [1000 + 1j, -1000, complex(-INF, 2), complex(INF, 1), complex(NAN, 1)]
    other = [999 + 2j, -1000, complex(-INF, 3), complex(INF, 2), 1]
    got = binary("logaddexp", given, other)
    want = 1000 + 1j + np.log(1 + np.exp(-1 + 1j))
    np.testing.assert_allclose(got[:2], [want, -1000 + np.log(2)], rtol=1e-6)
    np.testing.assert_array_equal(got[2:4], [complex(-INF, 3), complex(INF, 2)])
    np.testing.assert_array_equal([np.isnan(got[4].real), np.isnan(got[4].imag)], True)


def test_weights_beyond_one_half():
    """lerp starts from the nearer end: a weight of 1 gives it exactly."""
    program = fuser.compile(
        """
fuser.fusion @lerp(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>, %w: tensor<?xcomplex<f32>>)
    -> tensor<?xcomplex<f32>> {
  %0 = fuser.lerp %x, %y, %w : tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}
""",
        device="host",
    )
    start, end, weight = (
        np.array(z, np.complex64) for z in ([1e8 + 1j, 1j, 2], [1 + 1e8j, 3, 4j], [1, 0.5j, 0.1 + 0.2j])
    )
    got = program(start, end, weight)
    assert got[0] == end[0]
    np.testing.assert_allclose(got[1:], (start + weight * (end - start))[1:], rtol=1e-6)


def test_infinities_and_nan():
    np.testing.assert_array_equal(unary("abs", [complex(INF, NAN), complex(NAN, -INF)], "f32"), [INF, INF])
    assert np.isnan(unary("abs", [complex(1, NAN)], "f32"))[0]
    np.testing.assert_array_equal(unary("exp", [complex(-INF, NAN), complex(-INF, 1), complex(INF, 0)]), [0, 0, INF])
    np.testing.assert_array_equal(unary("log", [0j]).real, [-INF])
    quotient = binary("div", [1 + 1j, 1 - 1j, 0j, 1], [0j, 0j, 0j, complex(INF, 1)])
    np.testing.assert_array_equal(quotient.real[:2], [INF, INF])
    np.testing.assert_array_equal(quotient.imag[:2], [INF, -INF])
    assert np.isnan(quotient[2])
    assert quotient[3] == 0
    power = binary("pow", [0j, 0j, complex(NAN, 0), 2j], [0j, 2 + 1j, 0j, 2])
    np.testing.assert_allclose(power, [1, 0, 1, -4], atol=1e-6)
    tests = {"isnan": [1, 0, 0], "isinf": [1, 1, 0], "isfinite": [0, 0, 1], "isreal": [0, 0, 1]}
    for op, want in tests.items():
        got = unary(op, [complex(INF, NAN), complex(1, INF), complex(1, -0.0)], "i1")
        np.testing.assert_array_equal(got, np.array(want, bool))


def test_wrong_dtype_is_named():
    program = fuser.compile(MIX.format(bits=32), device="host")
    with pytest.raises(fuser.ArgumentError, match="complex64"):
        program(random(3, 3, bits=64), 1.0)
