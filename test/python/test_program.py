"""Programs as Python objects: numbers as arguments, keywords, copies, and errors."""

import copy
import fractions
import inspect
import math
import pickle

import fuser
import numpy as np
import pytest
from fuser import ArgumentError, BufferError, DTypeError, ScalarError

SCALARS = """
fuser.fusion @f(%x: tensor<?xf64>, %i: i64, %b: i1, %h: f32, %d: f64) -> tensor<?xf64> {
  %0 = fuser.add %x, %i : (tensor<?xf64>, i64) -> tensor<?xf64>
  %1 = fuser.where %b, %0, %x : (i1, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %2 = fuser.add %1, %h : (tensor<?xf64>, f32) -> tensor<?xf64>
  %3 = fuser.add %2, %d : (tensor<?xf64>, f64) -> tensor<?xf64>
  fuser.return %3 : tensor<?xf64>
}
"""
INTEGER = """
fuser.fusion @f(%x: tensor<?xi64>, %s: i64) -> tensor<?xi64> {
  %0 = fuser.add %x, %s : (tensor<?xi64>, i64) -> tensor<?xi64>
  fuser.return %0 : tensor<?xi64>
}
"""
COMPLEX = """
fuser.fusion @f(%x: tensor<?xcomplex<f32>>, %s: complex<f32>) -> tensor<?xcomplex<f32>> {
  %0 = fuser.mul %x, %s : (tensor<?xcomplex<f32>>, complex<f32>) -> tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}
"""
HALF = """
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xbf16> {
  %0 = fuser.cast %x : tensor<?xf32> to tensor<?xbf16>
  fuser.return %0 : tensor<?xbf16>
}
"""


class Indexable:
    def __index__(self):
        return 7


class Convertible:
    def __float__(self):
        return 2.5


class Planar:
    def __complex__(self):
        return 2 - 1j


@pytest.fixture(scope="module")
def scalars():
    return fuser.compile(SCALARS, device="host")


def add(program, i=0, b=True, h=0.0, d=0.0):
    return program(np.zeros(1), i, b, h, d)[0]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("i", 3, 3),
        ("i", 3.0, 3),
        ("i", True, 1),
        ("i", -(2**53), -(2**53)),
        ("i", np.int8(-4), -4),
        ("i", np.uint64(5), 5),
        ("i", np.float32(6), 6),
        ("i", np.bool_(True), 1),
        ("i", np.array(8), 8),
        ("i", Indexable(), 7),
        ("i", 2 + 0j, 2),
        ("h", 1, 1),
        ("h", np.float16(1.5), 1.5),
        ("h", fractions.Fraction(1, 4), 0.25),
        ("h", math.inf, math.inf),
        ("d", Convertible(), 2.5),
        ("d", Indexable(), 7),
        ("d", np.complex64(3), 3),
        ("d", 10**300, 1e300),
    ],
)
def test_numbers_of_any_library_are_taken(scalars, name, value, expected):
    assert add(scalars, **{name: value}) == expected


@pytest.mark.parametrize(("value", "expected"), [(True, 1), (0, 0), (1.0, 1), (np.False_, 0), (np.int64(1), 1)])
def test_bools(scalars, value, expected):
    assert add(scalars, i=1, b=value) == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("i", 2.5),
        ("i", 2**63),
        ("i", -(2**63) - 1),
        ("i", 2**64 + 5),
        ("i", math.nan),
        ("i", math.inf),
        ("i", 1e30),
        ("i", 2 + 1j),
        ("i", np.float64(0.5)),
        ("i", np.uint64(2**63)),
        ("b", 0.5),
        ("b", 2),
        ("b", math.nan),
        ("h", 2 + 3j),
        ("h", 1e39),
        ("h", np.complex128(1j)),
        ("d", 10**400),
    ],
)
def test_numbers_that_do_not_fit_are_refused(scalars, name, value):
    position = {"i": 1, "b": 2, "h": 3, "d": 4}[name]
    with pytest.raises(ScalarError, match=f"argument {position}: expected a value of "):
        add(scalars, **{name: value})
    assert add(scalars, i=4) == 4


@pytest.mark.parametrize("value", ["3", None, [1], np.zeros(2), object()])
def test_what_is_no_number_is_refused(scalars, value):
    with pytest.raises(ArgumentError, match="argument 1: expected"):
        add(scalars, i=value)


def test_greatest_integers():
    f = fuser.compile(INTEGER, device="host")
    zero = np.zeros(1, np.int64)
    for value in (2**63 - 1, -(2**63), np.int64(2**63 - 1)):
        assert f(zero, value)[0] == value


def test_complex_numbers():
    f = fuser.compile(COMPLEX, device="host")
    one = np.ones(1, np.complex64)
    for value, expected in ((2 + 3j, 2 + 3j), (4, 4), (np.complex64(1j), 1j), (Planar(), 2 - 1j), (Convertible(), 2.5)):
        assert f(one, value)[0] == expected
    with pytest.raises(ScalarError, match="argument 1: expected a value of f32"):
        f(one, complex(1e39, 0))


def test_keywords(scalars):
    assert scalars.argument_names == ["x", "i", "b", "h", "d"]
    assert scalars(np.zeros(1), 3, d=1.5, h=0.25, b=True)[0] == 4.75
    with pytest.raises(ArgumentError, match="argument z: expected b, h, d, but got 'z'"):
        scalars(np.zeros(1), 3, z=1)
    with pytest.raises(ArgumentError, match="argument i: expected b, h, d"):
        scalars(np.zeros(1), 3, i=1)
    with pytest.raises(ArgumentError, match="expected the arguments h, d in addition"):
        scalars(np.zeros(1), 3, b=True)


TWO = """
fuser.fusion @f(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}
"""


def test_out(scalars):
    x = np.arange(4.0)
    out = np.full(4, np.nan)
    assert scalars(x, 1, True, 0.5, 0.25, out=out) is out
    assert (out == x + 1.75).all()

    f = fuser.compile(TWO, device="host")
    x = np.random.default_rng(1).standard_normal((5, 3)).astype(np.float32)
    outs = [np.empty((5, 3), np.float32), np.empty(5, np.float32)]
    assert f(x, out=outs) is outs
    np.testing.assert_allclose(outs[0], np.exp(x), rtol=1e-6)
    np.testing.assert_allclose(outs[1], x.sum(1), rtol=1e-5, atol=1e-6)
    # A result of another call is memory like any other.
    first, second = f.run([x], convert=False)
    f(2 * x, out=(first, second))
    np.testing.assert_allclose(np.from_dlpack(first), np.exp(2 * x), rtol=1e-6)


def test_out_that_does_not_fit():
    f = fuser.compile(TWO, device="host")
    x = np.ones((5, 3), np.float32)
    good, rows = np.zeros((5, 3), np.float32), np.zeros(5, np.float32)
    for outs, kind, message in (
        (good, ArgumentError, "expected 2 outputs, but got 1"),
        (7, ArgumentError, "expected 2 outputs, but got int"),
        ([good, 7], ArgumentError, "output 1: expected a tensor, but got int"),
        ([good.T, rows], fuser.ShapeError, "output 0"),
        ([good, rows.astype(np.float64)], DTypeError, "output 1"),
        ([good, np.zeros((5, 1), np.float32)], fuser.RankError, "output 1"),
        ([good, np.zeros(10, np.float32)[::2]], fuser.FuserError, "output 1"),
        ([good, good[:, 0]], fuser.FuserError, "output"),
        ([x, rows], BufferError, "output 0"),
    ):
        with pytest.raises(kind, match=message):
            f(x, out=outs)
        assert not good.any()
        assert not rows.any()
    fixed = np.zeros(5, np.float32)
    fixed.flags.writeable = False
    with pytest.raises(BufferError, match=r"output 1: expected (memory that|an array that)"):
        f(x, out=[good, fixed])


def test_signature(scalars):
    assert str(inspect.signature(scalars)) == "(x, i, b, h, d, *, out=None)"
    assert list(inspect.signature(fuser.compile("module {" + TWO + "}", device="host")).parameters) == ["x", "out"]
    assert "scheduler" in inspect.signature(fuser.Program).parameters


def test_repr(scalars):
    assert repr(scalars) == "<fuser.Program (tensor, i64, i1, f32, f64) -> 1 result, device='host'>"
    other = fuser.compile(INTEGER, device="host", scheduler="pointwise")
    assert repr(other) == "<fuser.Program (tensor, i64) -> 1 result, device='host', scheduler='pointwise'>"


def test_copies_share_what_is_compiled_and_outlive_each_other():
    f = fuser.compile(INTEGER, device="host")
    x = np.arange(4)
    g, h = copy.copy(f), copy.deepcopy(f)
    np.testing.assert_array_equal(g(x, 1), x + 1)
    assert not f.would_compile(x, 2)
    del g
    np.testing.assert_array_equal(f(x, 2), x + 2)
    del f
    np.testing.assert_array_equal(h(x, 3), x + 3)


def test_programs_are_pickled_as_text():
    f = fuser.compile(INTEGER, device="host", target="h200")
    g = pickle.loads(pickle.dumps(f))
    assert repr(g) == repr(f)
    np.testing.assert_array_equal(g(np.arange(4), 1), np.arange(4) + 1)


def test_errors_are_pickled():
    with pytest.raises(fuser.FuserError) as caught:
        fuser.compile("fuser.fusion", device="host")
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is type(caught.value) is fuser.ProgramError
    assert (error.kind, str(error)) == (caught.value.kind, str(caught.value))


def test_a_result_that_numpy_lacks():
    with pytest.raises(DTypeError, match="expected results of types that numpy has, but got bfloat16"):
        fuser.compile(HALF, device="host")(np.zeros(2, np.float32))


def test_negative_strides_are_refused():
    f = fuser.compile(INTEGER, device="host")
    with pytest.raises(BufferError, match="argument 0: expected a stride of at least 0 in dimension 0, but got -1"):
        f(np.arange(6)[::-1], 1)


def test_schedules_of_programs():
    x = np.arange(64)
    f = fuser.compile(INTEGER, device="host", scheduler="pointwise")
    np.testing.assert_array_equal(f(x, 1), x + 1)
    with pytest.raises(fuser.CompilationError, match="'reduction' accepts, but it refuses"):
        fuser.compile(INTEGER, device="host", scheduler="reduction")(x, 1)
    with pytest.raises(fuser.CompilationError, match=r"to be one of .*'pointwise'"):
        fuser.compile(INTEGER, device="host", scheduler="psychic")(x, 1)
    with pytest.raises(fuser.ProgramError, match="schedule: "):
        fuser.compile(INTEGER, device="host", schedule="#fuser_sched.psychic<>")
