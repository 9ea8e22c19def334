"""FusionDefinition: what it defines, how it promotes, what it refuses, and how it prints itself."""

import math
import pickle
import subprocess
import sys
import types

import fuser
import numpy as np
import pytest
from fuser import (
    ArgumentError,
    BufferError,
    DataType,
    DefinitionError,
    DTypeError,
    FusionDefinition,
    RankError,
    ScalarError,
    ShapeError,
    UnknownIdError,
    ValidationError,
)

RANDOM = np.random.default_rng(7)


def rand(*shape, dtype=np.float32):
    return RANDOM.uniform(-2, 2, shape).astype(dtype)


def unary(build, array, **options):
    with FusionDefinition() as fd:
        fd.add_output(build(fd, fd.from_pytorch(array, **options)))
    return fd


def test_softmax_of_dynamic_sizes():
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1, -1], contiguity=True, dtype=DataType.Float)
        peak = fd.ops.max(x, dims=[1], keep_dim=True)
        e = fd.ops.exp(fd.ops.sub(x, peak))
        fd.add_output(fd.ops.div(e, fd.ops.sum(e, dims=[1], keep_dim=True)))
    for shape in ((3, 5), (7, 1), (1, 100)):
        a = rand(*shape)
        e = np.exp(a.astype(np.float64) - a.max(1, keepdims=True))
        (result,) = fd.execute([a])
        np.testing.assert_allclose(result, e / e.sum(1, keepdims=True), rtol=1e-5)


def test_sizes_and_scalars_compute():
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1, -1])
        s = fd.define_scalar(DataType.Double)
        n = fd.define_scalar(dtype=DataType.Int32)
        rows = x.size(0)
        t = fd.ops.mul(x, fd.ops.div(s, fd.ops.cast(rows, DataType.Double)))
        fd.add_output(fd.ops.add(t, fd.ops.mul(n, 2)))
        fd.add_output(fd.ops.broadcast_in_dim(fd.ops.sum(x, 1), [rows, 5], [0]))
        fd.add_output(fd.ops.reshape(x, [rows * x.size(1)]))
    a = rand(4, 6)
    scaled, repeated, flat = fd.validate([a, 3.0, 5])
    np.testing.assert_allclose(scaled, a.astype(np.float64) * 0.75 + 10, rtol=1e-6)
    np.testing.assert_allclose(repeated, np.repeat(a.astype(np.float64).sum(1)[:, None], 5, 1), rtol=1e-5)
    np.testing.assert_array_equal(flat, a.ravel())


def test_vectors_are_shapes():
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1, -1])
        n = fd.define_scalar(DataType.Int)
        shape = fd.define_vector([x.size(0), 3, n])
        assert len(shape) == 3
        t = fd.ops.broadcast_in_dim(fd.ops.sum(x, 1), shape, [0])
        fd.add_output(fd.ops.full(fd.ops.shape(x), 1.5, DataType.Half))
        fd.add_output(t)
    a = rand(4, 6)
    ones, wide = fd.validate([a, 2])
    assert ones.dtype == np.float16
    assert ones.shape == (4, 6)
    assert wide.shape == (4, 3, 2)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (np.float32, np.float64, DataType.Double),
        (np.int32, np.float16, DataType.Half),
        (np.int8, np.int64, DataType.Int),
        (bool, np.int32, DataType.Int32),
        (np.float64, np.complex64, DataType.ComplexDouble),
        (np.float32, 2, DataType.Float),
        (np.float32, 2.5, DataType.Float),
        (np.int32, 2.5, DataType.Float),
        (np.int32, True, DataType.Int32),
        (bool, 2, DataType.Int),
        (np.float32, 2j, DataType.ComplexFloat),
        (np.float64, 2j, DataType.ComplexDouble),
    ],
)
def test_promotion_is_that_of_pytorch(a, b, expected):
    x = np.ones(3, a)
    operands = [x] + ([np.ones(3, b)] if isinstance(b, type) else [])
    with FusionDefinition() as fd:
        values = [fd.from_pytorch(operand) for operand in operands]
        result = fd.ops.add(values[0], values[1] if isinstance(b, type) else b)
        assert result.dtype is expected
        fd.add_output(result)
    (result,) = fd.validate(operands)
    np.testing.assert_allclose(result, x.astype(complex) + (1 if isinstance(b, type) else b))


def test_tensors_without_dimensions_count_less():
    with FusionDefinition() as fd:
        x, s = fd.define_tensor([3], dtype=DataType.Float), fd.define_tensor([], dtype=DataType.Double)
        assert fd.ops.add(x, s).dtype is DataType.Float
        fd.add_output(fd.ops.mul(x, s))
    (result,) = fd.execute([np.ones(3, np.float32), np.array(2.5)])
    np.testing.assert_array_equal(result, np.full(3, 2.5, np.float32))


@pytest.mark.parametrize(
    ("dtype", "expected"), [(np.int32, DataType.Int), (bool, DataType.Int), (np.float16, DataType.Half)]
)
def test_sums_of_integers_count(dtype, expected):
    x = np.ones((3, 400), dtype)
    with FusionDefinition() as fd:
        result = fd.ops.sum(fd.from_pytorch(x), [1])
        assert result.dtype is expected
        fd.add_output(result)
    np.testing.assert_array_equal(fd.execute([x])[0], np.full(3, 400))


def test_division():
    with FusionDefinition() as fd:
        a, b = fd.define_tensor([-1], dtype=DataType.Int), fd.define_tensor([-1], dtype=DataType.Int)
        for function in (fd.ops.div, fd.ops.truediv, fd.ops.mod, fd.ops.remainder, fd.ops.floor_div):
            fd.add_output(function(a, b))
    a, b = np.array([7, -7, 8]), np.array([2, 2, -3])
    div, true, mod, remainder, floor = fd.execute([a, b])
    np.testing.assert_array_equal(div, [3, -3, -2])
    np.testing.assert_allclose(true, a / b, rtol=1e-6)
    np.testing.assert_array_equal(mod, [1, -1, 2])
    np.testing.assert_array_equal(remainder, [1, 1, -1])
    np.testing.assert_array_equal(floor, [3, -4, -3])


def test_types_of_pytorch_and_names_of_dims():
    from fuser.pytorch_utils import python_scalar_to_nvfuser_dtype, torch_dtype_to_nvfuser_dtype

    assert torch_dtype_to_nvfuser_dtype("torch.bfloat16") is DataType.BFloat16
    assert torch_dtype_to_nvfuser_dtype(float) is python_scalar_to_nvfuser_dtype(2.5) is DataType.Double
    with pytest.raises(DTypeError, match=r"dtype: expected elements of float64, .*, but got quint8"):
        torch_dtype_to_nvfuser_dtype("torch.quint8")
    with pytest.raises(DTypeError, match="a: expected a bool, int, float or complex, but got '2'"):
        python_scalar_to_nvfuser_dtype("2")
    with FusionDefinition() as fd:
        x = fd.define_tensor([2, 3])
        assert fd.ops.sum(x, dim=1).sizes == fd.ops.max(x, 1).sizes == (2,)
        with pytest.raises(ArgumentError, match="dim: expected dim or dims, but got 0 and 1"):
            fd.ops.sum(x, 1, dim=0)
        fd.add_output(x)


def test_functions_of_floats_on_integers():
    a = np.array([-3, 0, 2, 7], np.int32)
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1], dtype=DataType.Int32)
        for result in (fd.ops.floor(x), fd.ops.real(x), fd.ops.fmax(x, 1), fd.ops.pow(x, 5), fd.ops.pow(x, 0)):
            assert result.dtype is DataType.Int32
            fd.add_output(result)
        fd.add_output(fd.ops.pow(x, 2.0))
        for exponent in (-1, 65, x):
            with pytest.raises(DTypeError, match="pow: expected a float operand, or a constant exponent from 0 to 64"):
                fd.ops.pow(x, exponent)
    for result, expected in zip(fd.validate([a]), (a, a, np.maximum(a, 1), a**5, a**0, a**2.0), strict=True):
        np.testing.assert_array_equal(result, expected)


def test_functions_of_several_ops():
    x, rows, values = rand(5, 6), np.array([1, 3, 1]), rand(3, 6)
    with FusionDefinition() as fd:
        t = fd.from_pytorch(x)
        fd.add_output(fd.ops.triu(t, 1))
        fd.add_output(fd.ops.select(t, 2, 1))
        fd.add_output(fd.ops.var(t, [1], correction=0))
        fd.add_output(fd.ops.index_put_accumulate(t, fd.from_pytorch(rows), fd.from_pytorch(values)))
        fd.add_output(
            fd.ops.matmul(fd.ops.slice(t, [0, 0], [1, 6], manual_normalization=True), fd.ops.permute(t, [1, 0]))
        )
        fd.add_output(2.0 - t / 3.0)
    upper, column, variance, accumulated, product, combined = fd.validate([x, rows, values])
    x = x.astype(np.float64)
    np.testing.assert_array_equal(upper, np.triu(x, 1))
    np.testing.assert_array_equal(column, x[:, 2])
    np.testing.assert_allclose(variance, x.var(1), rtol=1e-5)
    np.add.at(expected := x.copy(), rows, values)
    np.testing.assert_allclose(accumulated, expected, rtol=1e-5)
    np.testing.assert_allclose(product, x[:1] @ x.T, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(combined, 2 - x / 3, rtol=1e-5)


# Random numbers


def test_random_numbers_are_new_at_every_execution_and_follow_the_seed():
    x = rand(4, 500)
    fd = unary(lambda fd, t: fd.ops.rand_like(t), x)
    fuser.manual_seed(5)
    first, second = fd.execute([x])[0], fd.execute([x])[0]
    assert (first != second).any()
    assert 0 <= first.min() < 0.05
    assert 0.95 < first.max() < 1
    fuser.manual_seed(5)
    np.testing.assert_array_equal(fd.execute([x])[0], first)
    two = unary(lambda fd, t: fd.ops.sub(fd.ops.randn_like(t), fd.ops.randn_like(t)), x)
    assert abs(two.execute([x])[0].std() - math.sqrt(2)) < 0.1


def test_a_captured_call_needs_a_seed(monkeypatch):
    """Replays of a CUDA graph would repeat the numbers of the capture."""
    cuda = types.SimpleNamespace(is_initialized=lambda: True, is_current_stream_capturing=lambda: True)
    x = rand(4, 5)
    fd = unary(lambda fd, t: fd.ops.rand_like(t), x)
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(cuda=cuda))
    with pytest.raises(fuser.DeviceError, match="rng_seed: expected a seed for a call that a CUDA graph captures"):
        fd.execute([x])
    cuda.is_current_stream_capturing = lambda: False
    assert fd.execute([x])[0].shape == (4, 5)


# Layouts, aliases


def test_layouts_of_arguments_and_outputs():
    x = np.asfortranarray(rand(4, 6))
    with FusionDefinition() as fd:
        t = fd.from_pytorch(x)
        fd.add_output(fd.ops.neg(t), stride_order=[0, 1])
        fd.add_output(fd.ops.relu(t), stride_order=[1, 0])
    assert "stride_order=[0, 1]" in repr(fd)
    assert "#fuser.layout<order = [1, 0]>" in fd.mlir()
    column_major, row_major = fd.execute([x])
    assert column_major.strides == (4, 16)
    assert row_major.strides == (24, 4)
    np.testing.assert_array_equal(column_major, -x)
    with pytest.raises(BufferError, match="argument 0"):
        fd.execute([np.ascontiguousarray(x)])


def test_any_layout_fits_a_tensor_that_promises_none():
    with FusionDefinition() as fd:
        fd.add_output(fd.ops.neg(fd.define_tensor([-1, -1])))
    x = rand(8, 6)
    for view in (x, x.T, x[::2], x[:, ::3]):
        np.testing.assert_array_equal(fd.execute([view])[0], -view)


def test_aliases_are_stored_and_not_returned():
    with FusionDefinition() as fd:
        x, y = fd.define_tensor([-1]), fd.define_tensor([-1])
        fd.add_output(fd.ops.add(x, y), alias_input=x)
        fd.add_output(fd.ops.mul(x, y))
    a, b = rand(9), rand(9)
    before = a.copy()
    (product,) = fd.validate([a, b])
    np.testing.assert_array_equal(product, before * b)
    np.testing.assert_array_equal(a, before + b)


# repr


def everything():
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1, -1], contiguity=[True, True], dtype=DataType.BFloat16, stride_order=[0, 1])
        s = fd.define_scalar(DataType.Float)
        i = fd.define_tensor([-1], dtype=DataType.Int32)
        t = fd.ops.add(x, fd.define_scalar(float("inf")))
        t = fd.ops.where(fd.ops.gt(t, s), t, fd.ops.mul(x, -0.0))
        picked = fd.ops.index_select(t, i, -1)
        v, m = fd.ops.var_mean(fd.ops.cast(picked, DataType.Float), [-1], keepdim=True)
        r = fd.ops.uniform(0, s, fd.ops.shape(picked))
        c = fd.ops.complex(fd.ops.add(v, r), fd.ops.expand(m, [-1, picked.size(1)]))
        fd.add_output(fd.ops.mul(c, 2 - 3j))
        fd.add_output(fd.ops.cat([picked, picked], 0))
        fd.add_output(fd.ops.pad(t, [1, 1], float("nan")), stride_order=[1, 0])
        fd.add_output(t, alias_input=x)
        fd.add_output(fd.ops.gelu(m, approximate=True))
        fd.add_output(fd.ops.slice(fd.ops.full([5, 8], 3, DataType.Int), [1, 2], [4, 8], [1, 2]))
        fd.add_output(fd.ops.sdpa(*[fd.ops.full([2, 3, 4], 0.5, DataType.Half)] * 3, is_causal=True)[0])
    return fd


def test_repr_is_python_that_defines_the_same():
    fd = everything()
    scope = {"FusionDefinition": FusionDefinition, "DataType": DataType}
    exec(repr(fd), scope)
    assert repr(scope["fd"]) == repr(fd)
    assert scope["fd"].mlir() == fd.mlir()
    assert scope["fd"].fusion is fd.fusion


def test_mlir_is_a_program():
    x = rand(3, 4)
    fd = unary(lambda fd, t: fd.ops.sum(fd.ops.exp(t), 1), x)
    np.testing.assert_array_equal(fuser.compile(fd.mlir(), device="host")(x), fd.execute([x])[0])


def test_explain_and_lowered():
    x = rand(64, 32)
    fd = unary(lambda fd, t: fd.ops.sum(fd.ops.exp(t), 1), x)
    assert "fused       1 kernel" in fd.explain([x])
    assert fd.explain([x], format="json").startswith("{")
    assert "fuser.kernel @fusion_0" in fd.lowered("segmentation")
    assert "schedule = #fuser_sched." in fd.lowered("choose", [x])
    assert "gpu.func" in fd.lowered("lowering", [x])
    twice = unary(lambda fd, t: fd.ops.add(t, t), x)
    assert "stage accessed index_bits" in twice.lowered("accessed", [x])
    with pytest.raises(fuser.FuserError, match="expected text, json, svg or html, but got 'toml'"):
        fd.explain(format="toml")
    with pytest.raises(fuser.FuserError, match=r"phase: expected one of preseg, .*, but got 'codegen'"):
        fd.lowered("codegen")
    with pytest.raises(fuser.FuserError, match="toaster"):
        fd.explain(target="toaster")


# Refusals


def test_definitions_that_are_used_too_early_or_too_late():
    fd = FusionDefinition()
    with pytest.raises(DefinitionError, match=r"define_tensor: expected a call inside of the `with` block"):
        fd.define_tensor([2])
    with pytest.raises(DefinitionError, match="after its end, but it is before its start"):
        fd.execute([])
    with fd:
        x = fd.define_tensor([2])
        with pytest.raises(DefinitionError, match="after its end, but it is open"):
            fd.execute([rand(2)])
        fd.add_output(fd.ops.neg(x))
    with pytest.raises(DefinitionError, match="neg: expected a call inside"):
        fd.ops.neg(x)
    with pytest.raises(DefinitionError, match="expected a new definition, but got one after its end"), fd:
        pass


def test_a_definition_without_an_output():
    with pytest.raises(DefinitionError, match="expected add_output before the end"), FusionDefinition() as fd:
        fd.define_tensor([2])
    with pytest.raises(DefinitionError, match="that failed"):
        fd.execute([rand(2)])


def test_an_error_inside_of_a_definition_is_passed_on():
    fd = FusionDefinition()

    def define():
        with fd:
            fd.add_output(fd.ops.neg(fd.define_tensor([2])))
            _ = 1 / 0

    with pytest.raises(ZeroDivisionError):
        define()
    with pytest.raises(DefinitionError, match="that failed"):
        fd.mlir()


@pytest.mark.parametrize(
    ("build", "kind", "message"),
    [
        (lambda fd, x, i: fd.ops.add(x, "1"), DTypeError, "add: rhs: expected a tensor, scalar or number, but got '1'"),
        (lambda fd, x, i: fd.ops.bitwise_and(x, i), DTypeError, "bitwise_and: expected operands of integers or bools"),
        (
            lambda fd, x, i: fd.ops.sub(fd.ops.gt(x, 0), True),
            DTypeError,
            "sub: expected operands of numbers other than bools",
        ),
        (lambda fd, x, i: fd.ops.imag(x), DTypeError, "imag: expected operands of complex numbers"),
        (
            lambda fd, x, i: fd.ops.add(x, fd.define_tensor([3, 7])),
            ShapeError,
            r"add: .* dimension 1, but got \[5, 7\]",
        ),
        (lambda fd, x, i: fd.ops.sum(x, [2]), RankError, "sum: dims: expected a dimension of 2, but got 2"),
        (lambda fd, x, i: fd.ops.sum(x, [0, -2]), RankError, "sum: dims: expected each dimension once"),
        (lambda fd, x, i: fd.ops.sum(3.0), DTypeError, "sum: arg: expected a tensor"),
        (lambda fd, x, i: fd.ops.cast(x, "f32"), DTypeError, "cast: dtype: expected a DataType, but got 'f32'"),
        (lambda fd, x, i: fd.ops.cast(x, DataType.Null), DTypeError, "cast: dtype: expected a DataType"),
        (lambda fd, x, i: fd.ops.bitcast(x, DataType.Half), DTypeError, "bitcast: dtype: expected the width"),
        (lambda fd, x, i: fd.ops.permute(x, [0]), RankError, "permute: dims: expected 2 items, but got 1"),
        (lambda fd, x, i: fd.ops.permute(x, [0, 0]), RankError, "permute: dims: expected each dimension once"),
        (lambda fd, x, i: fd.ops.reshape(x, [4, 4]), ShapeError, "reshape: new_shape: expected 15 elements"),
        (lambda fd, x, i: fd.ops.reshape(x, [-1, 4]), ShapeError, "reshape: new_shape: expected 15 elements"),
        (lambda fd, x, i: fd.ops.reshape(x, [-1, -1]), ShapeError, "at most one -1"),
        (
            lambda fd, x, i: fd.ops.squeeze(x, [0]),
            ShapeError,
            "squeeze: dims: expected size 1 in dimension 0, but got 3",
        ),
        (lambda fd, x, i: fd.ops.expand(x, [3, 6]), ShapeError, "expand: shape: expected 5 in dimension 1, but got 6"),
        (lambda fd, x, i: fd.ops.slice(x, [2, 0], [1, 5]), ShapeError, "slice: end_indices: expected at least 2"),
        (
            lambda fd, x, i: fd.ops.slice(x, [0, 0], [1, 5], [0, 1]),
            ArgumentError,
            "slice: strides: expected at least 1",
        ),
        (lambda fd, x, i: fd.ops.pad(x, [1, 1], 1j), DTypeError, "pad: value: expected a scalar for DataType.Float"),
        (lambda fd, x, i: fd.ops.pad(x, [0, -9]), ShapeError, "pad: pad_widths: expected a size of at least 0"),
        (lambda fd, x, i: fd.ops.cat([]), ArgumentError, "cat: tensors: expected at least one tensor"),
        (
            lambda fd, x, i: fd.ops.cat([x, fd.define_tensor([4, 4])], 0),
            ShapeError,
            "cat: expected equal sizes in dimension 1",
        ),
        (lambda fd, x, i: fd.ops.gather(x, x, 0), DTypeError, "gather: index: expected Int or Int32"),
        (lambda fd, x, i: fd.ops.scatter(x, i, x, 0, "xor"), ArgumentError, "scatter: reduce: expected add"),
        (lambda fd, x, i: fd.ops.matmul(x, x), ShapeError, "matmul: arg2: expected 5 rows, but got 3"),
        (lambda fd, x, i: fd.ops.linear(x, i), DTypeError, "linear: arg2: expected DataType.Float as arg1"),
        (lambda fd, x, i: fd.ops.full([x], 1, DataType.Int), fuser.FuserError, r"full: shape\[0\]"),
        (lambda fd, x, i: fd.ops.full([-2], 1, DataType.Int), ShapeError, r"full: shape\[0\]: expected at least 0"),
        (lambda fd, x, i: fd.ops.full([2], 1.5, DataType.Int), DTypeError, "full: fill_value: expected a scalar for"),
        (lambda fd, x, i: fd.ops.uniform(0, 1, [2], dtype=DataType.Int), DTypeError, "dtype: expected a float type"),
        (
            lambda fd, x, i: fd.ops.exp(fd.define_scalar(1j)),
            DefinitionError,
            "exp: expected a tensor among the operands",
        ),
        (lambda fd, x, i: fd.ops.sdpfa_fwd(x, x, x, 0.5), ArgumentError, "sdpfa_fwd: dropout_p: expected 0"),
        (lambda fd, x, i: fd.ops.var_mean(x, [1], -1), ArgumentError, "var_mean: correction: expected at least 0"),
        (lambda fd, x, i: fd.define_tensor([-2]), ShapeError, r"define_tensor: shape\[0\]: expected at least -1"),
        (lambda fd, x, i: fd.define_tensor([2.5]), ScalarError, r"define_tensor: shape\[0\]: expected a value of i64"),
        (lambda fd, x, i: fd.define_tensor([2], is_cpu=True), RankError, "is_cpu: expected no dimensions, but got 1"),
        (
            lambda fd, x, i: fd.define_tensor([2, 2], stride_order=[0, 0]),
            RankError,
            "stride_order: expected each place",
        ),
        (lambda fd, x, i: fd.define_tensor([2, 2], contiguity=[True]), RankError, "contiguity: expected 2 items"),
        (lambda fd, x, i: fd.define_tensor([2], dtype=DataType.Null), DTypeError, "define_tensor: dtype"),
        (lambda fd, x, i: fd.define_scalar(2.5, DataType.Int), ScalarError, "expected a value of i64, but got 2.5"),
        (lambda fd, x, i: fd.define_scalar(2**63), ScalarError, "expected a value of i64"),
        (lambda fd, x, i: fd.from_pytorch(np.zeros(2, "U3")), DTypeError, "from_pytorch: tensor: expected elements of"),
        (lambda fd, x, i: fd.add_output(3.0), DTypeError, "add_output: output: expected a tensor"),
        (lambda fd, x, i: fd.add_output(x, fd.ops.neg(x)), DefinitionError, "alias_input: expected a tensor argument"),
        (lambda fd, x, i: fd.add_output(fd.ops.neg(x), i), DTypeError, "alias_input: expected DataType.Float"),
        (lambda fd, x, i: fd.add_output(x, fd.define_tensor([3])), RankError, "alias_input: expected rank 2"),
        (lambda fd, x, i: fd.add_output(x, fd.define_tensor([3, 4])), ShapeError, "alias_input: expected size 5"),
        (lambda fd, x, i: fd.add_output(x, stride_order=[1]), RankError, "add_output: stride_order: expected 2 items"),
        (lambda fd, x, i: fd.value(99), UnknownIdError, "expected an id from 0 to 1, but got 99"),
    ],
)
def test_refusals_name_argument_expected_and_actual(build, kind, message):
    with FusionDefinition() as fd:
        x, i = fd.define_tensor([3, 5]), fd.define_tensor([3, 5], dtype=DataType.Int)
        with pytest.raises(kind, match=message):
            build(fd, x, i)
        fd.add_output(fd.ops.add(x, i))
    # The definition goes on as if nothing had been called.
    (result,) = fd.execute(
        [np.ones((3, 5), np.float32), np.ones((3, 5), np.int64)] + [rand(*v.sizes) for v in fd.fusion.input_values[2:]]
    )
    np.testing.assert_array_equal(result, np.full((3, 5), 2))


def test_values_of_another_definition():
    with FusionDefinition() as other:
        y = other.define_tensor([2])
        other.add_output(y)
    with FusionDefinition() as fd:
        x = fd.define_tensor([2])
        with pytest.raises(
            DefinitionError, match="add: rhs: expected a value of this definition, but got T0 of another one"
        ):
            fd.ops.add(x, y)
        with pytest.raises(DefinitionError, match="of another one"):
            fd.add_output(y)
        fd.add_output(x)


def test_wrong_arguments_of_execute():
    with FusionDefinition() as fd:
        x, s = fd.define_tensor([-1, 4]), fd.define_scalar(DataType.Int32)
        fd.add_output(fd.ops.mul(x, s))
    good = rand(3, 4)
    for arguments, kind, message in (
        ([good], ArgumentError, "inputs: expected 2 arguments, but got 1"),
        (good, ArgumentError, "inputs: expected a list, but got ndarray"),
        ([2, 2], ArgumentError, "argument 0: expected a tensor, but got int"),
        ([good, good], ArgumentError, "argument 1|expected a number"),
        ([good.astype(np.float64), 2], DTypeError, "argument 0"),
        ([good[0], 2], RankError, "argument 0"),
        ([rand(3, 5), 2], ShapeError, "4"),
        ([good, 2.5], ScalarError, "argument 1: expected a value of i32, but got 2.5"),
        ([good, 2**31], ScalarError, "argument 1: expected a value of i32"),
    ):
        with pytest.raises(kind, match=message):
            fd.execute(arguments)
    np.testing.assert_array_equal(fd.execute([good, 2])[0], 2 * good)
    with pytest.raises(ArgumentError, match="auto_schedule"):
        fd.execute([good, 2], auto_schedule=False)


def test_slices_beyond_a_tensor_are_cut_off():
    with FusionDefinition() as fd:
        x, n, m = fd.define_tensor([-1]), fd.define_scalar(DataType.Int), fd.define_scalar(DataType.Int)
        fd.add_output(fd.ops.neg(fd.ops.slice(x, [2], [100])))
        fd.add_output(fd.ops.neg(fd.ops.slice(x, [n], [fd.ops.mul(m, 2)])))
    for length, start, middle in ((200, 0, 7), (5, 3, 3), (200, 150, 90), (2, 1, 1), (200, 1, 4)):
        a = rand(length)
        fixed, dynamic = fd.validate([a, start, middle])
        np.testing.assert_array_equal(fixed, -a[2:100])
        np.testing.assert_array_equal(dynamic, -a[start : 2 * middle])
    with pytest.raises(ShapeError, match="slice: end_indices: expected at least 5 in dimension 0, but got 4"):
        fd.execute([rand(9), 5, 2])


def test_reshapes_of_any_size():
    with FusionDefinition() as fd:
        x, n = fd.define_tensor([-1, -1]), fd.define_scalar(DataType.Int)
        fd.add_output(fd.ops.neg(fd.ops.reshape(x, [n])))
        fd.add_output(fd.ops.neg(fd.ops.reshape(x, [x.size(0), -1])))
    assert not fd.fusion.needs_static_sizes()
    for shape in ((3, 5), (4, 2)):
        a = rand(*shape)
        flat, same = fd.validate([a, a.size])
        np.testing.assert_array_equal(flat, -a.ravel())
        np.testing.assert_array_equal(same, -a)
    with pytest.raises(ShapeError, match="reshape: new_shape: expected 8 elements"):
        fd.execute([a, 9])


def test_reshapes_that_need_the_sizes_of_a_call():
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1, -1])
        n = fd.define_scalar(DataType.Int)
        columns = fd.ops.floor_div(fd.ops.mul(x.size(0), x.size(1)), n)
        y = fd.ops.reshape(fd.ops.exp(x), [n, columns])
        fd.add_output(y)
        fd.add_output(fd.ops.sum(fd.ops.reshape(y, [2, -1, 3]), [1]))
    for shape, count in (((4, 6), 3), ((4, 6), 8), ((2, 9), 6)):
        a = rand(*shape)
        wide, total = fd.validate([a, count])
        e = np.exp(a.astype(np.float64))
        np.testing.assert_allclose(wide, e.reshape(count, -1), rtol=1e-5)
        np.testing.assert_allclose(total, e.reshape(2, -1, 3).sum(1), rtol=1e-5)
        assert not fd.would_compile([a, count])
    with pytest.raises(ShapeError, match=r"reshape: new_shape: expected 24 elements, but got \[5, 4\]"):
        fd.execute([rand(4, 6), 5])


def test_validate_finds_a_difference():
    x = rand(3, 4)
    fd = unary(lambda fd, t: fd.ops.exp(t), x)
    np.testing.assert_allclose(fd.validate([x], [np.exp(x)])[0], np.exp(x), rtol=1e-5)
    wrong = np.exp(x)
    wrong[1, 2] += 1
    with pytest.raises(
        ValidationError, match=r"output T1: 1 of 12 elements differ; expected .* at row-major position 6"
    ):
        fd.validate([x], [wrong])
    with pytest.raises(ValidationError, match="3x5"):
        fd.validate([x], [rand(3, 5)])
    with pytest.raises(ArgumentError, match="reference_outputs: expected 1 tensors, but got 0"):
        fd.validate([x], [])


def test_operators_and_keywords_of_functions():
    with FusionDefinition() as fd:
        x = fd.define_tensor([4])
        fd.add_output(fd.ops.clamp(x, max=1.0))
        with pytest.raises(TypeError, match="exp\\(\\) misses input"):
            fd.ops.exp()
        with pytest.raises(TypeError, match="add\\(\\) takes lhs, rhs"):
            fd.ops.add(x, x, x)
        with pytest.raises(TypeError, match="takes input, min, max"):
            fd.ops.clamp(x, low=2)
    np.testing.assert_array_equal(fd.execute([np.float32([0, 1, 2, -9])])[0], [0, 1, 1, -9])


# The package


def test_docstrings_and_errors_are_complete():
    for name in dir(fuser.FusionDefinition.ops if hasattr(fuser.FusionDefinition, "ops") else FusionDefinition().ops):
        if not name.startswith("_"):
            assert getattr(FusionDefinition().ops, name).__doc__, name
    for error in (
        DTypeError("DTypeMismatch", "x"),
        DefinitionError("NoOutput", "y"),
        ScalarError("ScalarMismatch", "z"),
    ):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.kind, str(copy)) == (type(error), error.kind, str(error))


def test_importing_is_fast_and_imports_no_array_library(tmp_path):
    program = (
        "import sys, time; start = time.process_time(); import fuser; fuser.FusionDefinition; "
        "print(time.process_time() - start, [m for m in ('numpy', 'torch', 'json', 'inspect') if m in sys.modules])"
    )
    environment = {"PYTHONPATH": ":".join(sys.path), "PYTHONPYCACHEPREFIX": str(tmp_path), "PATH": ""}
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(4)
    ]
    seconds = min(float(run.split()[0]) for run in runs[1:])
    assert runs[-1].split(maxsplit=1)[1].strip() == "[]"
    assert seconds < 0.05


@pytest.mark.parametrize("shape", [[-1], [-1, -1], [2, 3], [], [-1, 1, 3]])
def test_embedding(shape):
    with FusionDefinition() as fd:
        index, weight = fd.define_tensor(shape, dtype=DataType.Int), fd.define_tensor([-1, -1])
        fd.add_output(fd.ops.embedding_fwd(index, weight, 1, None, 2.0, True, False))
    items = np.random.default_rng(0).integers(0, 7, [3 if size == -1 else size for size in shape])
    rows = np.random.default_rng(1).random((7, 5), np.float32)
    assert not fd.is_compiled([items, rows])
    np.testing.assert_array_equal(fd.execute([items, rows])[0], rows[items])
    assert fd.is_compiled([items, rows])


@pytest.mark.parametrize("shape", [(3, 2), (), (2, 1, 2), (0, 4)])
def test_index_select_takes_indices_of_any_rank(shape):
    with FusionDefinition() as fd:
        x, index = fd.define_tensor([-1, -1, -1]), fd.define_tensor([-1] * len(shape), dtype=DataType.Int32)
        picked = fd.ops.index_select(x, index, 1)
        assert picked.ndim == 2 + len(shape)
        fd.add_output(fd.ops.neg(picked))
    values = np.random.default_rng(0).random((4, 5, 3), np.float32)
    items = np.random.default_rng(1).integers(0, 5, shape, np.int32)
    np.testing.assert_array_equal(fd.execute([values, items])[0], -values[:, items])


def test_embedding_that_changes_its_weight_is_refused():
    with FusionDefinition() as fd:
        index, weight = fd.define_tensor([-1], dtype=DataType.Int), fd.define_tensor([-1, -1])
        with pytest.raises(fuser.ArgumentError, match="embedding_fwd: max_norm: expected None"):
            fd.ops.embedding_fwd(index, weight, None, 1.0)
        with pytest.raises(fuser.RankError, match="embedding_fwd: weight_tv: expected rank 2, but got rank 1"):
            fd.ops.embedding_fwd(index, index)
        fd.add_output(fd.ops.embedding_fwd(index, weight))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("argsort", "'argsort', which needs a sort$"),
        ("welford", "'welford', whose results var_mean gives$"),
        ("sigmod", r"'sigmod' \(sigmoid"),
        ("zzzzzz", "'zzzzzz'$"),
    ],
)
def test_functions_that_are_not_there(name, message):
    ops = FusionDefinition().ops
    with pytest.raises(
        fuser.UnknownFunctionError, match=f"fd.ops: expected a function that fuser has, but got {message}"
    ):
        getattr(ops, name)
    assert not hasattr(ops, name)


def test_options_of_another_compiler_are_refused():
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1])
        fd.add_output(fd.ops.neg(x))
    array = np.ones(3, np.float32)
    np.testing.assert_array_equal(fd.execute([array], _enable_options=[], _disable_options=[])[0], -array)
    for name in ("_enable_options", "_disable_options"):
        with pytest.raises(
            fuser.ArgumentError, match=rf"{name}: expected no options of nvFuser's compiler, but got \['id'\]"
        ):
            fd.execute([array], **{name: ["id"]})


def test_script_that_reproduces_a_call():
    with FusionDefinition() as fd:
        x, y = fd.define_tensor([-1, -1]), fd.define_tensor([-1], dtype=DataType.Int)
        scale = fd.define_scalar(DataType.Double)
        fd.add_output(fd.ops.add(fd.ops.mul(x, scale), y))
    script = fd.repro_script_for([np.ones((4, 3), np.float32), np.arange(3), float("inf")])
    names = {}
    exec(script, names)
    assert repr(names["fd"]) == repr(fd)
    assert [getattr(value, "shape", None) for value in names["inputs"]] == [(4, 3), (3,), None]
    assert [value.dtype for value in names["inputs"][:2]] == [np.float32, np.int64]
    with pytest.raises(fuser.ArgumentError, match="inputs: expected 3 arguments, but got 1"):
        fd.repro_script_for([np.ones((4, 3), np.float32)])


def test_script_with_strides_of_pytorch():
    torch = pytest.importorskip("torch")
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1, -1], dtype=DataType.BFloat16)
        fd.add_output(fd.ops.neg(x))
    names = {}
    exec(fd.repro_script_for([torch.ones(6, 8, dtype=torch.bfloat16).t()[::2]]), names)
    (value,) = names["inputs"]
    assert (value.shape, value.stride(), value.dtype) == ((4, 6), (2, 8), torch.bfloat16)
