"""Divisions of many f32 numbers by one (ADR 168), and of numbers that are often 0."""

import fuser
import numpy as np
import pytest

ROWS, COLUMNS = 512, 1024
BY_ROW = f"""
fuser.fusion @by_row(%x: tensor<{ROWS}x{COLUMNS}xf32>, %d: tensor<{ROWS}x1xf32>) -> tensor<{ROWS}x{COLUMNS}xf32> {{
  %0 = fuser.div %x, %d : (tensor<{ROWS}x{COLUMNS}xf32>, tensor<{ROWS}x1xf32>) -> tensor<{ROWS}x{COLUMNS}xf32>
  fuser.return %0 : tensor<{ROWS}x{COLUMNS}xf32>
}}
"""
LEAST_NORMAL = np.float32(2.0**-126)


@pytest.fixture(scope="module")
def by_row():
    program = fuser.compile(BY_ROW, device="host")
    return lambda x, d: np.asarray(program(x, d))


def quotients(x, d):
    with np.errstate(all="ignore"):
        return x / d


def steps_apart(a, b):
    """Units in the last place between numbers of equal sign, infinities included."""
    return np.abs(a.view(np.int32).astype(np.int64) - b.view(np.int32).astype(np.int64))


def bits(random, *shape):
    return random.integers(0, 2**32, shape, dtype=np.uint32).view(np.float32)


def check(result, x, d):
    expected = quotients(x, d)
    assert np.array_equal(np.isnan(result), np.isnan(expected))
    number = ~np.isnan(expected)
    assert np.array_equal(np.signbit(result)[number], np.signbit(expected)[number])
    apart = steps_apart(result, expected)[number]
    is_small = np.abs(expected)[number] < 2.0**-78
    # Of other quotients, one in a million may be next to the middle of two numbers.
    assert apart.max(initial=0) <= 2
    assert apart[~is_small].max(initial=0) <= 1
    assert np.count_nonzero(apart[~is_small]) <= 2 + apart.size / 2**18


def test_any_numbers(by_row):
    random = np.random.default_rng(0)
    x, d = bits(random, ROWS, COLUMNS), bits(random, ROWS, 1)
    check(by_row(x, d), x, d)


def test_numbers_of_equal_magnitude(by_row):
    random = np.random.default_rng(1)
    d = random.standard_normal((ROWS, 1), np.float32)
    x = random.standard_normal((ROWS, COLUMNS), np.float32)
    check(by_row(x, d), x, d)


def test_exact_quotients_stay_exact(by_row):
    random = np.random.default_rng(2)
    d = random.integers(1, 2**12, (ROWS, 1)).astype(np.float32) * np.float32(2.0**-7)
    quotient = random.integers(-(2**12), 2**12, (ROWS, COLUMNS)).astype(np.float32) / 8
    assert np.array_equal(by_row(quotient * d, d), quotient)


@pytest.mark.parametrize("divisor", [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -0.5, 3.0, 2.0**-149, 2.0**-127, 3e38])
def test_special_numbers(by_row, divisor):
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -3.0, 2.0**-149, -(2.0**-130), 2.0**-126, 3e38, -1e-38]
    x = np.resize(np.array(special, np.float32), (ROWS, COLUMNS))
    d = np.full((ROWS, 1), divisor, np.float32)
    check(by_row(x, d), x, d)


def test_a_peaked_softmax():
    text = f"""
fuser.fusion @softmax(%x: tensor<{ROWS}x{COLUMNS}xf32>) -> tensor<{ROWS}x{COLUMNS}xf32> {{
  %0 = fuser.max %x dims [1] : tensor<{ROWS}x{COLUMNS}xf32> -> tensor<{ROWS}xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<{ROWS}xf32> -> tensor<{ROWS}x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<{ROWS}x{COLUMNS}xf32>, tensor<{ROWS}x1xf32>) -> tensor<{ROWS}x{COLUMNS}xf32>
  %3 = fuser.exp %2 : tensor<{ROWS}x{COLUMNS}xf32>
  %4 = fuser.sum %3 dims [1] : tensor<{ROWS}x{COLUMNS}xf32> -> tensor<{ROWS}xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<{ROWS}xf32> -> tensor<{ROWS}x1xf32>
  %6 = fuser.div %3, %5 : (tensor<{ROWS}x{COLUMNS}xf32>, tensor<{ROWS}x1xf32>) -> tensor<{ROWS}x{COLUMNS}xf32>
  fuser.return %6 : tensor<{ROWS}x{COLUMNS}xf32>
}}
"""
    x = np.random.default_rng(3).standard_normal((ROWS, COLUMNS), np.float32) * 30
    result = np.asarray(fuser.compile(text, device="host")(x))
    wide = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    expected = wide / wide.sum(1, keepdims=True)
    assert np.abs(result - expected).max() <= 1e-6
    large = expected >= LEAST_NORMAL
    assert (np.abs(result - expected)[large] <= 1e-5 * expected[large]).all()


def test_dividends_that_are_often_zero():
    tensor = f"tensor<{ROWS}x{COLUMNS}xf32>"
    program = fuser.compile(
        f"""
fuser.fusion @rectified(%x: {tensor}, %d: {tensor}) -> {tensor} {{
  %0 = fuser.relu %x : {tensor}
  %1 = fuser.div %0, %d : {tensor}
  fuser.return %1 : {tensor}
}}
""",
        device="host",
    )
    special = [
        0.0,
        1.0,
        -1.0,
        7.0,
        np.inf,
        np.nan,
        2.0**-149,
        2.0**-127,
        2.0**-126,
        3e38,
        -3e38,
        -(2.0**-149),
        -np.inf,
        -0.0,
    ]
    pairs = np.stack(np.meshgrid(special[:-1], special), -1).reshape(-1, 2)
    random = np.random.default_rng(4)
    x, d = (np.resize(pairs[:, side], (ROWS, COLUMNS)).astype(np.float32) for side in (0, 1))
    x[ROWS // 2 :] = bits(random, ROWS // 2, COLUMNS)
    d[ROWS // 2 :] = bits(random, ROWS // 2, COLUMNS)
    expected = quotients(np.where(x < 0, np.float32(0), x), d)
    result = np.asarray(program(x, d))
    number = ~np.isnan(expected)
    assert np.array_equal(np.isnan(result), ~number)
    assert np.array_equal(result.view(np.int32)[number], expected.view(np.int32)[number])
