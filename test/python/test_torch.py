"""Definitions on tensors of PyTorch, in host memory and, where there is one, on a GPU."""

import fuser
import pytest
from fuser import BufferError, DataType, DTypeError, FusionDefinition
from fuser._dtypes import dtype_of
from fuser._op_table import POINTWISE

torch = pytest.importorskip("torch")
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def make(*shape, dtype=torch.float32, device="cpu"):
    return (torch.rand(shape, generator=torch.Generator().manual_seed(1)) * 4 - 2).to(device=device, dtype=dtype)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64], ids=str)
def test_layer_norm(dtype, device):
    x, w = make(37, 256, dtype=dtype, device=device), make(256, dtype=dtype, device=device)
    with FusionDefinition() as fd:
        a, b = fd.from_pytorch(x), fd.from_pytorch(w)
        t = fd.ops.cast(a, DataType.Double if dtype is torch.float64 else DataType.Float)
        var, mean = fd.ops.var_mean(t, [1], correction=0, keepdim=True)
        n = fd.ops.mul(fd.ops.sub(t, mean), fd.ops.rsqrt(fd.ops.add(var, 1e-5)))
        fd.add_output(fd.ops.cast(fd.ops.mul(n, b), a.dtype))
    (result,) = fd.validate([x, w])
    assert isinstance(result, torch.Tensor)
    assert (result.dtype, result.device) == (x.dtype, x.device)
    expected = torch.nn.functional.layer_norm(x.double(), (256,)) * w.double()
    torch.testing.assert_close(result.double(), expected, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("name", ["add", "mul", "sub", "eq", "maximum"])
def test_promotion_is_that_of_pytorch(name):
    dtypes = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.bool]
    dtypes += [torch.complex64] if name != "maximum" else []
    operands = [torch.ones(3, dtype=dtype) for dtype in dtypes]
    operands += [torch.ones((), dtype=dtype) for dtype in (torch.float64, torch.int64)] + [2, 2.5, True]
    function = getattr(torch, name)
    for a in operands[: len(dtypes)]:
        for b in operands:
            if name == "sub" and torch.bool in (a.dtype, getattr(b, "dtype", None), torch.bool if b is True else None):
                continue  # PyTorch refuses bools
            if name == "maximum" and not isinstance(b, torch.Tensor):
                continue
            with FusionDefinition() as fd:
                x = fd.from_pytorch(a)
                y = fd.from_pytorch(b) if isinstance(b, torch.Tensor) else b
                result = getattr(fd.ops, name)(x, y)
                fd.add_output(result)
            assert result.dtype is dtype_of(function(a, b), "expected"), (a.dtype, b)


@pytest.mark.parametrize("device", DEVICES)
def test_layouts_and_aliases(device):
    x = make(2, 8, 5, 6, device=device).to(memory_format=torch.channels_last)
    with FusionDefinition() as fd:
        t = fd.from_pytorch(x)
        u = fd.ops.relu(t)
        fd.add_output(u, alias_input=t)
        fd.add_output(fd.ops.neg(u), stride_order=[3, 0, 2, 1])
        fd.add_output(fd.ops.sum(u, [1]), stride_order=[2, 1, 0])
    assert "stride_order=[3, 0, 2, 1]" in repr(fd)
    expected = x.relu()
    negative, total = fd.execute([x])
    torch.testing.assert_close(x, expected)
    torch.testing.assert_close(negative, -expected)
    assert negative.stride() == expected.stride()
    torch.testing.assert_close(total, expected.sum(1))
    with pytest.raises(BufferError, match="argument 0"):
        fd.execute([expected.contiguous()])


@pytest.mark.parametrize("device", DEVICES)
def test_a_result_that_is_stored_in_an_argument_is_the_argument(device):
    program = fuser.compile(
        """
        fuser.fusion @accumulate(%acc: tensor<?x?xf32>, %x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
            attributes {aliases = [#fuser.alias<output 0, input 0>]} {
          %0 = fuser.add %acc, %x : tensor<?x?xf32>
          %1 = fuser.neg %x : tensor<?x?xf32>
          fuser.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
        }
        """,
        device="host" if device == "cpu" else device,
    )
    acc, x = make(5, 7, device=device), make(5, 7, device=device)
    expected = acc.clone()
    # By Python, by C functions, and without elements.
    for _ in range(3):
        result, negated = program(acc, x)
        expected += x
        assert result is acc
        torch.testing.assert_close(acc, expected)
        torch.testing.assert_close(negated, -x, rtol=0, atol=0)
    empty = make(0, 7, device=device)
    for _ in range(2):
        assert program(empty, empty[:])[0].shape == (0, 7)


@pytest.mark.parametrize("device", DEVICES)
def test_scalar_tensors_stay_in_host_memory(device):
    x, s = make(4, 5, device=device), torch.tensor(2.5)
    with FusionDefinition() as fd:
        t, u = fd.from_pytorch(x), fd.from_pytorch(s)
        assert "is_cpu=True" in repr(fd)
        fd.add_output(fd.ops.mul(t, u))
    torch.testing.assert_close(fd.execute([x, s])[0], x * 2.5)


@pytest.mark.parametrize("device", DEVICES)
def test_segments(device):
    x = make(64, 32, dtype=torch.bfloat16, device=device)
    with FusionDefinition() as fd:
        t = fd.from_pytorch(x)
        rows = fd.ops.segment_set(fd.ops.sum(t, [1], keep_dim=True))
        fd.add_output(fd.ops.mul(fd.ops.broadcast_in_dim(rows, t.shape(), [0, 1]), t))
    (expected,) = fd.execute([x])
    assert fd.segment([x]) == 2
    (result,) = fd.execute_segments([x])
    torch.testing.assert_close(result, expected)
    assert result.device == x.device


def test_numpy_names_and_expanded_tensors():
    x = make(5, 1).expand(5, 7)
    with FusionDefinition() as fd:
        fd.add_output(fd.ops.exp(fd.from_pytorch(x)))
    torch.testing.assert_close(fd.execute([x])[0], x.exp())


# Functions that differ on purpose, and why.
OTHER_TYPES = {
    "clamp": "PyTorch refuses a call without bounds",
    "div": "nvFuser's quotient of integers is an integer; truediv is PyTorch's div",
    "heaviside": "integers become Float",
    "pow": "exponents that are tensors of integers are refused",
}


@pytest.mark.parametrize("name", sorted(POINTWISE))
def test_types_of_results_are_those_of_pytorch(name):
    found = [getattr(module, name, None) for module in (torch, torch.special, torch.nn.functional)]
    function = next(filter(None, found), None)
    required = [parameter for parameter in POINTWISE[name][1] if len(parameter) < 3]
    if function is None or len(required) > 2 or name in OTHER_TYPES:
        pytest.skip(OTHER_TYPES.get(name, "PyTorch has no such function"))
    dtypes = [torch.int8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64]
    dtypes += [torch.bool, torch.complex64]
    compared = 0
    for first in dtypes:
        for second in dtypes if len(required) == 2 else [None]:
            arguments = [torch.ones(3, dtype=dtype) for dtype in (first, second) if dtype]
            try:
                expected = function(*arguments)
                with FusionDefinition() as fd:
                    result = getattr(fd.ops, name)(*map(fd.from_pytorch, arguments))
                    fd.add_output(result)
            except (RuntimeError, TypeError, DTypeError):
                continue  # One of both refuses the types.
            if isinstance(expected, torch.Tensor) and expected.dtype is not torch.complex32:
                assert result.dtype is dtype_of(expected, "expected"), (first, second)
                compared += 1
    assert compared >= (1 if name in ("real", "imag", "conj", "complex", "polar", "gcd", "lcm") else 3)
