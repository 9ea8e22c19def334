"""Elements of 8 bits: uint8 and 8-bit floats, whose results are those of eager mode, bit by bit, and no op of which is
left to PyTorch."""

import math

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser  # noqa: E402
import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from fuser.torch import _region  # noqa: E402

E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2

pytestmark = pytest.mark.usefixtures("fresh")


def bits_of(x):
    """What results are compared by; of the bits of NaN PyTorch's own kernels differ in the sign."""
    if x.dtype in (E4M3, E5M2):
        return x.view(torch.uint8).where(~x.float().isnan(), 0x7F)
    return x


def check(function, *inputs, dynamic=False, left=()):
    """Compares results, and what inputs are afterwards, with eager mode. Only the ops `left` may be PyTorch's."""
    own, theirs = ([x.clone() for x in inputs] for _ in range(2))
    results = torch.compile(function, backend="fuser", dynamic=dynamic)(*own)
    expected = function(*theirs)
    results, expected = (list(r) if isinstance(r, (tuple, list)) else [r] for r in (results, expected))
    for a, b in zip([*results, *own], [*expected, *theirs], strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert a.numel() == 0 or a.stride() == b.stride()
        torch.testing.assert_close(bits_of(a), bits_of(b), rtol=0, atol=0, equal_nan=True)
    assert {item.op for item in backend.report()} == set(left)
    counts = backend.counters()
    assert counts.kernel_calls > counts.eager_calls == 0


def bytes_of(*shape):
    return torch.randint(0, 256, shape, dtype=torch.uint8)


def every_byte():
    return torch.arange(256, dtype=torch.int32).to(torch.uint8)


def every_pair():
    return every_byte()[:, None].expand(256, 256), every_byte()[None, :].expand(256, 256)


# uint8

OF_NUMBERS = {
    "add": lambda x: x + 3,
    "add_more_than_fits": lambda x: x + 300,
    "rsub": lambda x: 255 - x,
    "mul": lambda x: x * 7,
    "mul_negative": lambda x: x * -1,
    "alpha": lambda x: torch.add(x, x, alpha=3),
    "neg": lambda x: -x,
    "not": lambda x: ~x,
    "floor_divide": lambda x: x // 2,
    "floor_divide_negative": lambda x: x // -1,
    "floor_divide_by_more_than_fits": lambda x: x // 300,
    "remainder": lambda x: x % 7,
    "remainder_negative": lambda x: x % -3,
    "fmod": lambda x: x.fmod(100),
    "div": lambda x: x / 2,
    "div_negative": lambda x: x / -1,
    "xor": lambda x: x ^ 0x80,
    "and": lambda x: x & 0xF0,
    "shift_left": lambda x: x << 1,
    "shift_right": lambda x: x >> 1,
    "shift_far": lambda x: (x << 9, x >> 9, x >> -1, x << 40),
    "power": lambda x: (x**2, x**3),
    "gt": lambda x: x > 100,
    "lt_float": lambda x: x < 99.5,
    "gt_negative": lambda x: (x > -1, x == -1),
    "gt_more_than_fits": lambda x: (x > 300, x <= 300),
    "gt_tensor_without_dimensions": lambda x: (x > torch.tensor(300), x // torch.tensor(300)),
    "clamp": lambda x: (x.clamp(10, 200), x.clamp(min=100), x.clamp(max=100)),
    "maximum": lambda x: (torch.maximum(x, x.flip(0)), torch.minimum(x, x.flip(0)), torch.relu(x)),
    "sign": lambda x: (x.sign(), x.abs(), x.signbit()),
    "test": lambda x: (x.logical_not(), x.bool(), x == 0),
    "promotion": lambda x: (x + x.to(torch.int8), x * x.int(), x + x.float(), x * 0.5, x + (x > 3)),
    "to": lambda x: [x.to(t) for t in (torch.int8, torch.int16, torch.int64, torch.float16, torch.bfloat16, E4M3)],
    "from": lambda x: [x.to(t).to(torch.uint8) for t in (torch.int8, torch.int64, torch.float16, torch.float64)],
    "from_wide": lambda x: ((x.int() * 7 - 1000).to(torch.uint8), (x.long() << 33).to(torch.uint8)),
    "drops_fraction": lambda x: ((x.float() + 0.9).to(torch.uint8), (x.double() + 0.5).to(torch.uint8)),
    "from_bool": lambda x: (x > 127).to(torch.uint8),
    "bits": lambda x: (x.view(torch.int8) + 1, (x + 1).view(torch.int8) // 2, x.view(torch.int8).view(torch.uint8) + 1),
}


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_every_byte(name):
    check(OF_NUMBERS[name], every_byte())


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: (x + y, x - y, x * y),
        lambda x, y: (x & y, x | y, x ^ y),
        lambda x, y: (x // (y | 1), x % (y | 1), x.fmod(y | 1), torch.div(x, y | 1, rounding_mode="trunc")),
        lambda x, y: (x << y, x >> y),
        lambda x, y: (x > y, x <= y, x == y, torch.logical_and(x, y)),
        lambda x, y: (torch.maximum(x, y), torch.minimum(x, y), torch.gcd(x, y)),
        lambda x, y: (torch.where(x > y, x, y), torch.addcmul(x, y, y, value=2)),
    ],
)
def test_every_pair_of_bytes(function):
    check(function, *every_pair())


REDUCTIONS = {
    "sum": lambda x: (x.sum(), x.sum(1), x.sum(0, keepdim=True)),
    "sum_in_uint8": lambda x: (x.sum(1, dtype=torch.uint8), x.cumsum(1, dtype=torch.uint8)),
    "sum_in_float": lambda x: (x.sum(1, dtype=torch.float32), x.double().mean(1)),
    "prod": lambda x: (x[:2].prod(0), x[:2].cumprod(0)),
    "extreme": lambda x: (x.amax(1), x.amin(0), x.max(), x.min()),
    "with_index": lambda x: (*x.max(1), *x.min(0), x.argmax(), x.argmin(1)),
    "tests": lambda x: (x.any(), x.all(), x.any(1), x.all(0)),
    "scans": lambda x: (x.cumsum(0), *x.cummax(1), *x.cummin(0)),
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_bytes(name, dynamic):
    check(REDUCTIONS[name], bytes_of(24, 40), dynamic=dynamic)


INDEX = torch.tensor([3, 0, 5, 5])
MOVES = {
    "where": lambda x, y: (torch.where(x > y, x, y), torch.where(x > 3, x, 200), torch.where(x > 3, x, -1)),
    "where_promoted": lambda x, y: (torch.where(x > y, x, y.int()), torch.where(x > y, x, y.float())),
    "masked_fill": lambda x, y: x.masked_fill(y > 9, 255),
    "cat": lambda x, y: (torch.cat([x, y]), torch.cat([x, y.int()], 1), torch.stack([x, y])),
    "pad": lambda x, y: (F.pad(x, (1, 2)), F.pad(y, (0, 3, 1, 0), value=200)),
    "select": lambda x, y: (x.index_select(0, INDEX), y[INDEX], x[:, INDEX] + 1, x[2] + y[0]),
    "gather": lambda x, y: x.gather(0, INDEX[:, None].expand(4, 10)),
    "scatter": lambda x, y: x.scatter(0, torch.tensor([[3], [0], [5]]).expand(3, 10), y),
    "index_put": lambda x, y: x.index_put((torch.tensor([1, 4]),), y[:2]),
    "flip": lambda x, y: (x.flip(0, 1), y.roll(1, 1), x.repeat(2, 3)),
    "layout": lambda x, y: (x.t().contiguous(), x[::2, 1:].clone(), x.unsqueeze(0).expand(3, 6, 10).contiguous()),
    "made": lambda x, y: (torch.full_like(x, 200) + y, torch.zeros_like(x) + 1, torch.arange(250, 260).byte() + x),
    "triangle": lambda x, y: (torch.tril(x), torch.triu(y)),
    "segment": lambda x, y: fuser.segment(x + 1) * y,
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", MOVES)
def test_moved_bytes(name, dynamic):
    check(MOVES[name], bytes_of(6, 10), bytes_of(6, 10), dynamic=dynamic)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (1, 1), (3, 0, 2), (5, 1, 7)])
def test_shapes_of_bytes(shape):
    check(lambda x: (x + 200, x.float() * 2, x.sum(), x > 128, x.clone()), bytes_of(*shape))


def test_strided_and_broadcast_bytes():
    x, y = bytes_of(8, 6, 10), bytes_of(10)
    inputs = x.permute(2, 0, 1)[::2], y[::2, None, None], x[:1, :, 0].expand(8, 6)
    check(lambda a, b, c: (a + b, (a * c).float(), a.contiguous(), a > c), *inputs)


@pytest.mark.parametrize("dynamic", [False, True])
def test_normalization_of_images(dynamic):
    mean, std = torch.rand(3), torch.rand(3) + 0.1

    def normalize(x, mean, std):
        return (x / 255 - mean[:, None, None]) / std[:, None, None]

    check(normalize, bytes_of(2, 3, 14, 17), mean, std, dynamic=dynamic)
    # Images of pixels to images of channels.
    check(lambda x, m, s: normalize(x.permute(0, 3, 1, 2), m, s).contiguous(), bytes_of(2, 14, 17, 3), mean, std)
    check(lambda x: (x.float() * 255).round().clamp(0, 255).to(torch.uint8), torch.rand(2, 3, 14, 17))
    assert backend.counters().regions == 3


def test_bytes_are_stored_in_inputs():
    def function(x, y):
        x.add_(y)
        y.copy_(x.float() / 2)
        return x > 100

    check(function, bytes_of(5, 7), bytes_of(5, 7))


def test_bytes_of_other_sizes_compile_nothing():
    run = torch.compile(lambda x, y: (x + y, x.float() - y), backend="fuser", dynamic=True)
    for rows in (4, 9, 30):
        x, y = bytes_of(rows, 12), bytes_of(rows, 12)
        for a, b in zip(run(x, y), (x + y, x.float() - y), strict=True):
            torch.testing.assert_close(a, b, rtol=0, atol=0)
    assert backend.counters() == backend.Counters(kernel_calls=3, eager_calls=0, compiled_graphs=1, regions=1)


def test_a_region_of_bytes_that_fails_is_computed_by_pytorch(monkeypatch):
    def fail(*_arguments):
        raise fuser.CompilationError("CompilationFailed", "expected to fail")

    _region._programs.clear()
    monkeypatch.setattr(_region, "_run_program", fail)
    x = bytes_of(4, 5)
    torch.testing.assert_close(torch.compile(lambda x: (x + 200) // 3, backend="fuser")(x), (x + 200) // 3)
    assert backend.counters().eager_calls == 1


@pytest.mark.parametrize(
    ("function", "op"),
    [
        (lambda x: x.pow(x), "aten.pow.Tensor_Tensor"),
        (lambda x: x.scatter_reduce(0, x.long() // 2, x, "mean"), "aten.scatter_reduce.two"),
        (lambda x: x.clamp(min=-5), "aten.clamp.default"),
        (lambda x: x.float().to(E4M3) == 0.3, "aten.eq.Scalar"),
    ],
)
def test_what_is_left_to_pytorch(function, op):
    x = every_byte()
    torch.testing.assert_close(torch.compile(function, backend="fuser")(x), function(x))
    assert op in {item.op for item in backend.report()}


@pytest.mark.parametrize("function", [lambda x: torch.full_like(x, 300), lambda x: x.clamp(-5, 300)])
def test_numbers_that_do_not_fit_are_errors_as_in_eager_mode(function):
    for run in (function, torch.compile(function, backend="fuser")):
        with pytest.raises(RuntimeError, match="overflow"):
            run(every_byte())


# 8-bit floats


def special_numbers(dtype):
    """Numbers of all magnitudes, at and next to the halves between neighbors, and what overflows."""
    every = every_byte().view(dtype).float()
    finite = every[every.isfinite()].sort().values
    halves = (finite[1:] + finite[:-1]) / 2
    near = [torch.nextafter(halves, torch.tensor(end)) for end in (-math.inf, math.inf)]
    more = torch.tensor([447.0, 448, 463.9, 464, 464.1, 479, 480, 1e4, 57344, 61439, 61440, 65536, 1e30, math.inf])
    tiny = torch.tensor([0.0, 1e-45, 1e-12, 2.0**-18, math.nan])
    return torch.cat([finite, halves, *near, more, -more, tiny, -tiny, torch.randn(999) * 100])


@pytest.mark.parametrize("source", [torch.float32, torch.float64, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("dtype", [E4M3, E5M2], ids=str)
def test_conversions_to_float8(dtype, source):
    check(lambda x: x.to(dtype), special_numbers(dtype).to(source))


@pytest.mark.parametrize("dtype", [E4M3, E5M2], ids=str)
def test_conversions_of_integers_to_float8(dtype):
    check(lambda x: (x.to(dtype), (x > 0).to(dtype), x.byte().to(dtype)), torch.arange(-999, 999))
    check(lambda x: x.to(dtype), torch.tensor([2**40, -(2**62), 65535, 5]))


@pytest.mark.parametrize("dtype", [E4M3, E5M2], ids=str)
def test_conversions_from_float8(dtype):
    kinds = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.bool, E4M3, E5M2)
    check(lambda x: [x.to(kind) for kind in kinds if kind != dtype], every_byte().view(dtype))
    check(lambda x: (x.int(), x.byte()), torch.linspace(0, 250, 77).to(dtype))


@pytest.mark.parametrize("dtype", [E4M3, E5M2], ids=str)
def test_bits_of_float8(dtype):
    check(lambda x: (x.view(torch.uint8) + 1, x.view(torch.int8) ^ 1), every_byte().view(dtype))
    check(lambda x: ((x ^ 0x80).view(dtype).float(), x.view(dtype).float()), every_byte())


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", [E4M3, E5M2], ids=str)
def test_moved_float8(dtype, dynamic):
    x, y = (torch.randn(6, 10).mul(9).to(dtype) for _ in range(2))

    def function(x, y):
        chosen = torch.where(x.float() > 0, x, y), torch.where(x.float() > 0, x, 0.3)
        joined = torch.cat([x, y], 1), torch.stack([x, y]), F.pad(x, (1, 2), value=2.0), x.repeat(2, 3)
        moved = x.t().contiguous(), x[::2, 1:].clone(), x[INDEX], x.index_select(1, INDEX), x.roll(1, 0)
        stored = x.index_put((torch.tensor([1, 4]),), y[:2]), torch.full_like(x, 3.3), torch.zeros_like(x)
        return *chosen, *joined, *moved, *stored, x == y, x != y, x.isnan(), x.abs()

    check(function, x, y, dynamic=dynamic)


def quantize(x, group, greatest, dtype):
    groups = x.reshape(*x.shape[:-1], -1, group).float()
    scale = groups.abs().amax(-1, keepdim=True).clamp(min=1e-12) / greatest
    return (groups / scale).clamp(-greatest, greatest).to(dtype).reshape(x.shape), scale.squeeze(-1)


def dequantize(q, scale):
    groups = q.reshape(*scale.shape, -1).float()
    return (groups * scale.unsqueeze(-1)).reshape(q.shape).bfloat16()


def check_quantized(made, expected):
    """Kernels divide by a reciprocal where the quotient is rounded to a type of few bits, and refine the quotient."""
    for a, b in zip(made, expected, strict=True):
        assert (a.dtype, a.stride()) == (b.dtype, b.stride())
        assert torch.equal(a.view(torch.uint8), b.view(torch.uint8))
    assert backend.report() == []
    assert backend.counters().eager_calls == 0


@pytest.mark.parametrize("group", [32, 128])
@pytest.mark.parametrize(("dtype", "greatest"), [(E4M3, 448.0), (E5M2, 57344.0)], ids=["e4m3", "e5m2"])
def test_quantization_of_blocks(dtype, greatest, group):
    x = torch.randn(12, 128).bfloat16()
    expected = quantize(x, group, greatest, dtype)
    check_quantized(torch.compile(quantize, backend="fuser")(x, group, greatest, dtype), expected)
    check(dequantize, *expected)
    assert backend.counters().regions == 2


def test_quantization_of_rows_of_any_number():
    run = torch.compile(lambda x: quantize(x, 96, 448.0, E4M3), backend="fuser", dynamic=True)
    for rows in (3, 8, 21):
        x = torch.randn(rows, 96)
        check_quantized(run(x), quantize(x, 96, 448.0, E4M3))


def test_gradients_pass_through_conversions_to_float8():
    def function(x):
        return (x.to(E4M3).float() * 3).sum()

    x, y = (torch.randn(5, 7).requires_grad_() for _ in range(2))
    y.data.copy_(x.data)
    torch.compile(function, backend="fuser")(x).backward()
    function(y).backward()
    torch.testing.assert_close(x.grad, y.grad, rtol=0, atol=0)
    assert backend.report() == []


def test_arithmetic_of_float8_is_an_error_as_in_eager_mode():
    x = torch.randn(8).to(E4M3)
    with pytest.raises(NotImplementedError):
        torch.compile(lambda x: x + x, backend="fuser")(x)
    assert {item.op for item in backend.report()} == {"aten.add.Tensor"}
