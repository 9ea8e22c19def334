"""fuser.compile: results against NumPy in double precision, and what a wrong call is told."""

import gc
import pathlib
import re

import fuser
import numpy as np
import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
SAMPLES = TESTS / "Conversion" / "samples"

SOFTMAX = """
fuser.fusion @softmax(%x: tensor<?x?xf32>, %scale: f32) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.mul %x, %scale : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %m = fuser.max %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.sub %0, %mb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = fuser.exp %1 : tensor<?x?xf32>
  %s = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %sb = fuser.broadcast %s dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %e, %sb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %y, %m : tensor<?x?xf32>, tensor<?xf32>
}
"""

ACCUMULATE = """
fuser.fusion @accumulate(%acc: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.add %acc, %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
"""


SCHEDULED = """
fuser.fusion @scale(%x: tensor<?x?xf32>, %scale: f32) -> tensor<?x?xf32> {
  %0 = fuser.mul %x, %scale : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @scale_0 in %module : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %y at 1 by FACTOR : !transform.any_op
    transform.fuser.parallelize %y at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 2 as thread_x : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.fuser.inline_most %kernel : !transform.any_op
    transform.yield
  }
}
"""


@pytest.fixture(scope="module")
def softmax() -> fuser.Program:
    return fuser.compile(SOFTMAX, device="host")


def reference(x: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    scaled = x.astype(np.float64) * scale
    greatest = scaled.max(axis=1)
    e = np.exp(scaled - greatest[:, None])
    return e / e.sum(axis=1, keepdims=True), greatest


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


@pytest.mark.parametrize("shape", [(3, 5), (1, 1), (17, 129), (2, 1000)])
def test_agrees_with_numpy(softmax, shape):
    x = random(*shape)
    y, greatest = softmax(x, 0.5)
    assert isinstance(y, np.ndarray)
    want, want_greatest = reference(x, 0.5)
    np.testing.assert_allclose(y, want, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(greatest, want_greatest, rtol=1e-6)


def test_takes_strided_and_read_only_arrays(softmax):
    x = random(6, 8)
    transposed = x.T
    np.testing.assert_allclose(softmax(transposed, 1.0)[0], reference(transposed, 1.0)[0], rtol=1e-5)
    every_second = x[::2, ::2]
    np.testing.assert_allclose(softmax(every_second, 1.0)[0], reference(every_second, 1.0)[0], rtol=1e-5)
    x.flags.writeable = False
    np.testing.assert_allclose(softmax(x, 1.0)[0], reference(x, 1.0)[0], rtol=1e-5)


def test_results_outlive_everything(softmax):
    x = random(40, 50)
    y, _ = fuser.compile(SOFTMAX, device="host")(x, 1.0)
    gc.collect()
    np.testing.assert_allclose(y, reference(x, 1.0)[0], rtol=1e-5)


def test_compiles_once_for_sizes_that_fit():
    program = fuser.compile(SOFTMAX, device="host")
    x = random(12, 64)
    assert program.would_compile(x, 1.0)
    program(x, 1.0)
    assert not program.would_compile(x, 1.0)


@pytest.mark.parametrize(
    "lengths",
    [range(256, 2049, 256), range(2048, 255, -256), (512, 96, 1000, 2048, 600, 128, 1504, 800)],
    ids=["growing", "shrinking", "in no order"],
)
def test_eight_row_lengths_compile_at_most_three_times(lengths):
    program, compilations = fuser.compile(SOFTMAX, device="host"), 0
    for length in lengths:
        x = random(5, length)
        compilations += program.would_compile(x, 1.0)
        assert bool(program.reason_to_compile(x, 1.0)) == program.would_compile(x, 1.0)
        for got, expected in zip(program(x, 1.0), reference(x, 1.0), strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
    assert compilations <= 3
    assert not any(program.would_compile(random(9, length), 1.0) for length in lengths)


def test_the_reason_to_compile_names_the_guard():
    program = fuser.compile(SOFTMAX, device="host")
    assert program.reason_to_compile(random(3, 64), 1.0) == "expected kernels, but none are compiled yet"
    program(random(3, 64), 1.0)
    assert program.reason_to_compile(random(3, 64), 1.0) == ""
    assert re.fullmatch(
        r"expected x.size\[1\] <= 64 \(schedule of kernel 'softmax_0'\), but got 128 and 64",
        program.reason_to_compile(random(3, 128), 1.0),
    )


def test_stores_into_an_argument():
    program = fuser.compile(ACCUMULATE, device="host")
    acc, x = random(100), random(100, seed=1)
    want = acc.astype(np.float64) + x
    result = program(acc, x)
    np.testing.assert_allclose(acc, want, rtol=1e-6)
    assert result is acc
    del acc, x
    gc.collect()
    np.testing.assert_allclose(result, want, rtol=1e-6)


def test_refuses_read_only_memory_to_write():
    acc, x = random(10), random(10)
    acc.flags.writeable = False
    with pytest.raises(fuser.BufferError, match="argument 0: expected memory that a result may be stored in"):
        fuser.compile(ACCUMULATE, device="host")(acc, x)


def test_runs_the_schedule_that_the_text_brings():
    scale = fuser.compile(SCHEDULED.replace("FACTOR", "32"), device="host")
    x = random(5, 70)
    np.testing.assert_array_equal(scale(x, 2.0), x * np.float32(2))
    with pytest.raises(fuser.FuserError, match="expected a split factor of at least 1, but got 0"):
        fuser.compile(SCHEDULED.replace("FACTOR", "0"), device="host")(x, 2.0)


def test_takes_a_linalg_file_with_constants():
    program = fuser.compile(SAMPLES / "rmsnorm.linalg.mlir", device="host")
    x = random(2, 16, 64)
    exact = x.astype(np.float64)
    want = exact / np.sqrt((exact**2).mean(axis=-1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(program(x), want, rtol=1e-5, atol=1e-6)


def test_takes_weights_from_the_text():
    # A 3x3 convolution whose weights are in the file.
    program = fuser.compile(SAMPLES / "resblock_pad.linalg.mlir", device="host")
    x = random(1, 4, 16, 16)
    y = program(x)
    assert y.shape == (1, 4, 16, 16)
    assert (y >= 0).all()
    assert (y > 0).any()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((), fuser.ArgumentError, "expected 2 arguments, but got 0"),
        ((1.0, 1.0), fuser.ArgumentError, "argument 0: expected a tensor, but got float"),
        ((random(2, 2), random(2)), fuser.ArgumentError, "argument 1: expected a scalar, but got ndarray"),
        ((random(2, 2), "x"), fuser.ArgumentError, "argument 1: expected a number, but got str"),
        ((random(4), 1.0), fuser.RankError, r"argument 0 \(x\): expected rank 2, but got rank 1"),
        ((random(2, 2).astype(np.float64), 1.0), fuser.DTypeError, "expected element type f32, but got f64"),
        ((np.array([["a"]]), 1.0), fuser.BufferError, "argument 0: expected an array that DLPack can share"),
    ],
)
def test_wrong_arguments(softmax, arguments, error, message):
    with pytest.raises(error, match=message):
        softmax(*arguments)


def test_refuses_a_buffer_that_was_given_away(softmax):
    capsule = random(2, 2).__dlpack__()
    np.from_dlpack(
        type("Taken", (), {"__dlpack__": lambda self, **_: capsule, "__dlpack_device__": lambda self: (1, 0)})()
    )
    with pytest.raises(
        fuser.BufferError, match="argument 0: expected a tensor, but got one that was given away before"
    ):
        softmax(capsule, 1.0)


def test_refuses_data_on_another_device(softmax):
    class OnGpu:
        shape = (2, 2)

        def __dlpack_device__(self):
            return (2, 1)

        def __dlpack__(self, **_):
            raise AssertionError("not asked for")

    with pytest.raises(fuser.DeviceError, match="argument 0: expected data on host, but got cuda:1"):
        softmax(OnGpu(), 1.0)


def test_wrong_programs():
    with pytest.raises(fuser.ProgramError, match=r"1:\d+.*expected"):
        fuser.compile("fuser.fusion @f(", device="host")
    with pytest.raises(fuser.ProgramError, match="unregistered"):
        fuser.compile('"foreign.op"() : () -> ()', device="host")
    with pytest.raises(fuser.ProgramError, match="expected one fusion"):
        fuser.compile("module {}", device="host")
    with pytest.raises(fuser.ProgramError, match="expected a function of ops that convert to fuser"):
        fuser.compile(
            """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
              %0 = func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
              return %0 : tensor<4xf32>
            }
            func.func private @g(tensor<4xf32>) -> tensor<4xf32>""",
            device="host",
        )


def test_wrong_devices():
    with pytest.raises(fuser.DeviceError, match="expected a device 'cuda' or 'host', but got 'toaster'"):
        fuser.compile(SOFTMAX, device="toaster")
    with pytest.raises(fuser.FuserError, match="toaster"):
        fuser.compile(SOFTMAX, device="host", target="toaster")


def test_unfinished_results_are_freed(softmax):
    softmax(random(3, 3), 1.0)
    tensor = fuser._program.Tensor  # a result that nobody takes
    program = fuser.compile(SOFTMAX, device="host")

    class Foreign:
        """An array of a library that fuser does not know."""

        def __init__(self, array):
            self.array, self.shape = array, array.shape

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    y, greatest = program(Foreign(random(3, 5)), 1.0)
    assert isinstance(y, tensor)
    assert y.shape == (3, 5)
    assert np.from_dlpack(y).shape == (3, 5)
    with pytest.raises(fuser.BufferError, match="given away before"):
        np.from_dlpack(y)
    del greatest


def test_kernels_that_are_split():
    text = (TESTS / "Driver" / "fallback.mlir").read_text()
    program = fuser.compile(text, device="host")
    assert program.fallbacks == []
    x = random(1, 512)
    mean, _ = program(x)
    np.testing.assert_allclose(mean, x.mean(), rtol=1e-5)
    (fallback,) = program.fallbacks
    assert fallback.startswith("a kernel of 2 ops is split, because no schedule of it can be lowered: ")
    program(x)
    assert len(program.fallbacks) == 1
