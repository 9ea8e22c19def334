"""Complex numbers from NumPy and back on the host device: memory orders, and what functions give at the edges."""

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


def test_digits_near_one():
    """log(1 + tiny) is tiny, which sqrt(x^2 + y^2) would round away."""
    values = [complex(1 + 1e-6, 1e-6), complex(1, 1e-4)]
    given = np.array(values, np.complex64).astype(np.complex128)
    np.testing.assert_allclose(unary("log", values).real, np.log(given).real, rtol=1e-5)


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
