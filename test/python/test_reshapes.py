"""Reshapes of arrays of any strides, and calls whose sizes do not multiply out."""

import fuser
import numpy as np
import pytest

HEADS = """
fuser.fusion @heads(%x: tensor<?x12xf32>) -> (tensor<?x3x4xf32>, tensor<?x3xf32>) {
  %0 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %1 = fuser.exp %0 : tensor<?x3x4xf32>
  %2 = fuser.sum %1 dims [2] : tensor<?x3x4xf32> -> tensor<?x3xf32>
  fuser.return %1, %2 : tensor<?x3x4xf32>, tensor<?x3xf32>
}
"""

FLAT = """
fuser.fusion @flat(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x4xf32>) {
  %0 = fuser.reshape %x : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.neg %0 : tensor<?xf32>
  %2 = fuser.reshape %1 : tensor<?xf32> -> tensor<?x4xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?x4xf32>
}
"""

# Nothing is computed: the result may be a view of the argument.
VIEW = """
fuser.fusion @view(%x: tensor<?x12xf32>) -> tensor<?x4xf32> {
  %0 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x4xf32>
  fuser.return %0 : tensor<?x4xf32>
}
"""

# Arrays of 5 x 12, by how they lie in memory.
ARRAYS = {
    "contiguous": lambda x: x[:5, :12].copy(),
    "pitch": lambda x: x[:5, :12],
    "every_second_row": lambda x: x[:10:2, :12],
    "every_second_column": lambda x: x[:5, :24:2],
    "both": lambda x: x[:10:2, 1:37:3],
    "column_major": lambda x: x[:12, :5].T,
    "column_major_contiguous": lambda x: x[:12, :5].copy().T,
    "one_row_five_times": lambda x: np.broadcast_to(x[:1, :12], (5, 12)),
    "one_column_twelve_times": lambda x: np.broadcast_to(x[:5, :1], (5, 12)),
    "one_row": lambda x: x[:1, :24:2],
    "no_row": lambda x: x[:0, :24:2],
}


@pytest.fixture(scope="module")
def programs() -> dict[str, fuser.Program]:
    return {text: fuser.compile(text, device="host") for text in (HEADS, FLAT, VIEW)}


@pytest.fixture
def memory() -> np.ndarray:
    return np.random.default_rng(0).standard_normal((12, 40), dtype=np.float32)


@pytest.mark.parametrize("kind", ARRAYS)
def test_split_and_reduced(programs, memory, kind):
    x = ARRAYS[kind](memory)
    exact = np.exp(x.astype(np.float64)).reshape(-1, 3, 4)
    values, sums = programs[HEADS](x)
    np.testing.assert_allclose(values, exact, rtol=1e-6)
    np.testing.assert_allclose(sums, exact.sum(axis=2), rtol=1e-6)


@pytest.mark.parametrize("kind", ARRAYS)
def test_merged_and_split(programs, memory, kind):
    x = ARRAYS[kind](memory)
    flat, columns = programs[FLAT](x)
    np.testing.assert_array_equal(flat, -x.reshape(-1))
    np.testing.assert_array_equal(columns, -x.reshape(-1, 4))


@pytest.mark.parametrize("kind", ARRAYS)
def test_alone(programs, memory, kind):
    x = ARRAYS[kind](memory)
    np.testing.assert_array_equal(programs[VIEW](x), x.reshape(-1, 4))


def test_sizes_that_do_not_multiply_out(programs):
    x = np.zeros((3, 7), np.float32)
    with pytest.raises(fuser.ShapeError, match=r"\(sizes of 'fuser.reshape'\), but got 21 and 24"):
        programs[FLAT](x)
    # The next call is as if there had been none.
    np.testing.assert_array_equal(programs[FLAT](x[:, :4])[0], np.zeros(12))


@pytest.mark.parametrize(
    ("types", "reason"),
    [
        ("tensor<6xf32> -> tensor<4xf32>", "expected a result of 6 elements like the operand, but got 4"),
        (
            "tensor<?xf32> -> tensor<?x?xf32>",
            "expected at most one dynamic result dimension in a group of dimensions that split and merge, but got 2",
        ),
        (
            "tensor<?xf32> -> tensor<4xf32>",
            "expected a dynamic result dimension for the operand's dynamic ones, but got none",
        ),
    ],
)
def test_types_that_say_too_little(types, reason):
    operand, result = types.split(" -> ")
    text = f"""
fuser.fusion @f(%x: {operand}) -> {result} {{
  %0 = fuser.reshape %x : {types}
  fuser.return %0 : {result}
}}
"""
    with pytest.raises(fuser.ProgramError, match=reason):
        fuser.compile(text, device="host")
