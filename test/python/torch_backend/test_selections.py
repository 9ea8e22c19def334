"""Functions that select elements at places that are known: rolls, flips, paddings and nearest upsampling."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from fuser.torch._constants import Constants  # noqa: E402
from fuser.torch._runs import Run, factor_of, runs_of  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_programs")


def strides_of(x):
    return [stride for stride, size in zip(x.stride(), x.shape, strict=True) if size > 1]


def gradients(function, leaf, seed):
    """The results and gradients of a function."""
    leaf = leaf.detach().requires_grad_()
    result = function(leaf)
    return result.detach(), torch.autograd.grad(result, leaf, seed.to(result.dtype))[0]


def check(function, x, tolerance=0.0, kernels=True, strides=True, **options):
    """Results and gradients of a compiled function equal those of eager mode, or those in double precision nearly."""
    seed = torch.randn_like(function(x))
    found = gradients(torch.compile(function, backend="fuser", **options), x, seed)
    eager = gradients(function, x, seed)
    wanted = gradients(function, x.double(), seed) if tolerance else eager
    for a, b, c in zip(found, wanted, eager, strict=True):
        assert a.dtype == c.dtype
        assert not strides or strides_of(a) == strides_of(c)
        torch.testing.assert_close(a.to(b.dtype), b, rtol=tolerance, atol=tolerance)
    if kernels:
        assert backend.report() == []
        assert backend.counters().eager_calls == 0


LAYOUTS = {
    "roll": (lambda x: torch.roll(x, (2, -3), (2, 3)), (2, 3, 8, 10)),
    "roll_one": (lambda x: torch.roll(x, (1, 1), (2, 3)) * 2, (2, 3, 8, 10)),
    "roll_outer": (lambda x: torch.roll(x.relu(), -1, 0), (4, 3, 2, 5)),
    "roll_far": (lambda x: torch.roll(x, (17, -25), (2, 3)), (2, 3, 8, 10)),
    "roll_apart": (lambda x: torch.roll(x, (2, 3), (0, 3)) + 1, (4, 3, 2, 5)),
    "roll_flat": (lambda x: torch.roll(x, 7), (2, 3, 4, 5)),
    "roll_whole": (lambda x: torch.roll(x, (8, 0), (2, 3)), (2, 3, 8, 10)),
    "roll_single": (lambda x: torch.roll(x, (1, 1), (1, 2)), (2, 1, 1, 5)),
    "roll_back": (lambda x: torch.roll(torch.roll(x, 3, 2), -3, 2), (2, 3, 8, 10)),
    "flip": (lambda x: torch.flip(x, (2, 3)), (2, 3, 8, 10)),
    "flip_apart": (lambda x: torch.flip(x, (0, 3)) * 2, (2, 3, 8, 10)),
    "flip_part": (lambda x: torch.flip(x, (3,))[:, :, 2:5, 1::2], (2, 3, 8, 10)),
    "rotated": (lambda x: torch.rot90(x, 1, (2, 3)) * 3, (2, 3, 8, 10)),
    "rotated_twice": (lambda x: torch.rot90(x, 2, (2, 3)), (2, 3, 8, 10)),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_layouts(name, dtype, memory_format):
    function, shape = LAYOUTS[name]
    # PyTorch's decomposition of `roll` makes contiguous tensors, as its kernels for GPUs do.
    strides = memory_format == torch.contiguous_format or "roll" not in name
    check(function, torch.randn(shape, dtype=dtype).to(memory_format=memory_format), strides=strides)


SUMS = {
    "reflect": (lambda x: F.pad(x, (1, 2, 3, 4), mode="reflect"), (2, 3, 8, 10)),
    "reflect_one": (lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect") * 2, (2, 3, 8, 10)),
    "reflect_cropped": (lambda x: F.pad(x, (-1, 2, 3, -4), mode="reflect"), (2, 3, 8, 10)),
    "replicate": (lambda x: F.pad(x, (1, 2, 3, 4), mode="replicate"), (2, 3, 8, 10)),
    "replicate_wide": (lambda x: F.pad(x, (2, 2, 6, 4), mode="replicate"), (2, 3, 8, 10)),
    "replicate_one": (lambda x: F.pad(x, (1, 1, 1, 1), mode="replicate").relu(), (2, 3, 8, 10)),
    "replicate_single": (lambda x: F.pad(x, (2, 2, 0, 0), mode="replicate"), (2, 3, 8, 1)),
    "circular": (lambda x: F.pad(x, (1, 2, 3, 4), mode="circular"), (2, 3, 8, 10)),
    "nearest": (lambda x: F.interpolate(x, scale_factor=2), (2, 3, 4, 5)),
    "nearest_factors": (lambda x: F.interpolate(x * 2, size=(12, 5)) + 1, (2, 4, 4, 5)),
    "nearest_exact": (lambda x: F.interpolate(x, scale_factor=3, mode="nearest-exact"), (2, 3, 4, 5)),
    "nearest_smaller": (lambda x: F.interpolate(x, scale_factor=0.5), (2, 3, 4, 8)),
    "nearest_between": (lambda x: F.interpolate(x, size=(6, 7)), (2, 3, 4, 5)),
    "nearest_line": (lambda x: F.interpolate(x.flatten(2), scale_factor=4), (2, 3, 4, 5)),
    "nearest_volume": (lambda x: F.interpolate(x[:, None], size=(3, 4, 10)), (2, 3, 4, 5)),
    "average": (lambda x: F.avg_pool2d(x, 2), (2, 3, 8, 10)),
    "average_box": (lambda x: F.avg_pool2d(x * 2, (2, 5), divisor_override=3).relu(), (2, 3, 8, 10)),
    "average_rest": (lambda x: F.avg_pool2d(x, 3), (2, 3, 8, 10)),
    "average_all": (lambda x: F.avg_pool2d(x, (8, 10)), (2, 3, 8, 10)),
    "average_line": (lambda x: F.avg_pool1d(x.flatten(2), 4), (2, 3, 8, 10)),
    "average_volume": (lambda x: F.avg_pool3d(x, (1, 2, 5)), (2, 3, 8, 10)),
    "average_ceil": (lambda x: F.avg_pool2d(x, 2, ceil_mode=True), (2, 3, 8, 10)),
    "adaptive": (lambda x: F.adaptive_avg_pool2d(x, (4, 2)), (2, 3, 8, 10)),
    "adaptive_one": (lambda x: F.adaptive_avg_pool2d(x, 1), (2, 3, 8, 10)),
    "adaptive_line": (lambda x: F.adaptive_avg_pool1d(x.flatten(2), 10), (2, 3, 8, 10)),
}  # fmt: skip


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_gradients_that_are_sums(name, dtype, memory_format):
    if name == "average_volume" and dtype == torch.bfloat16:
        pytest.skip("a function that PyTorch has no kernel for")
    function, shape = SUMS[name]
    x = torch.randn(shape, dtype=dtype).to(memory_format=memory_format)
    # PyTorch's decompositions of upsampling have a contiguous gradient.
    is_contiguous = memory_format == torch.contiguous_format
    strides = is_contiguous or "nearest" not in name
    tolerance = 1e-5 if dtype == torch.float32 else 2e-2
    check(function, x, tolerance, kernels=is_contiguous or name != "adaptive_one", strides=strides)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("name", [name for name in SUMS if name[0] != "a"])
def test_results_that_are_exact(name, dtype):
    function, shape = SUMS[name]
    x = torch.randn(shape, dtype=dtype)
    assert torch.equal(torch.compile(function, backend="fuser")(x), function(x))


@pytest.mark.parametrize("name", ["roll", "flip", "reflect", "replicate", "circular", "nearest", "average", "adaptive"])
def test_symbolic_sizes(name):
    function, shape = {**LAYOUTS, **SUMS}[name]
    check(function, torch.randn(shape), 1e-5, kernels=False, dynamic=True)


@pytest.mark.parametrize("name", ["roll", "flip", "reflect", "replicate", "circular", "nearest", "average", "adaptive"])
def test_a_symbolic_batch(name):
    function, shape = {**LAYOUTS, **SUMS}[name]
    run = torch.compile(function, backend="fuser")
    for batch in (5, 7):
        x = torch.randn(batch, *shape[1:])
        torch._dynamo.mark_dynamic(x, 0)
        torch.testing.assert_close(run(x), function(x))
    assert backend.report() == []
    assert backend.counters().compiled_graphs == 1


def test_other_pools_are_left():
    for function in (
        lambda x: F.avg_pool2d(x, 6, stride=2),
        lambda x: F.max_pool2d(x, 6, stride=2),
        lambda x: F.adaptive_avg_pool2d(x, 3),
        lambda x: F.adaptive_max_pool2d(x, 3),
    ):
        x = torch.randn(2, 3, 8, 10)
        torch.testing.assert_close(torch.compile(function, backend="fuser")(x), function(x))
    assert {entry.reason for entry in backend.report()} == {"no lowering"}


def test_parts_that_are_replaced_may_have_other_sources():
    def function(x, y):
        z = x.clone()
        z[:, 2:4] = y[:, 1:3]
        z[:, 0] = torch.flip(x, (0,))[:, 5]
        return z

    x, y = torch.randn(2, 4, 6).unbind()
    assert torch.equal(torch.compile(function, backend="fuser")(x, y), function(x, y))


def test_selections_with_several_readers():
    def function(x):
        y = torch.roll(x, 2, 1)
        z = torch.flip(y, (0, 1))
        return y, z, z[:, 1:3] + y[:, 2:4], F.interpolate(z[None], scale_factor=2)[..., ::2]

    x = torch.randn(4, 6)
    for a, b in zip(torch.compile(function, backend="fuser")(x), function(x), strict=True):
        assert torch.equal(a, b)
        assert a.stride() == b.stride()


@pytest.mark.parametrize(
    ("name", "op"), [("roll", "fuser.cat"), ("replicate_wide", "fuser.cat"), ("nearest", "fuser.expand")]
)
def test_no_gather_is_left(name, op):
    function, shape = {**LAYOUTS, **SUMS}[name]
    torch.compile(function, backend="fuser")(torch.randn(shape))
    (text,) = texts()
    assert op in text
    assert "index_select" not in text


@pytest.mark.parametrize("name", ["flip", "reflect", "roll_one"])
def test_dimensions_share_a_gather(name):
    function, shape = {**LAYOUTS, **SUMS}[name]
    torch.compile(function, backend="fuser")(torch.randn(shape))
    (text,) = texts()
    assert text.count("index_select") == 1


@pytest.mark.parametrize(
    ("numbers", "runs"),
    [
        ([0], [Run(0, 1, 1)]),
        ([3, 4, 0, 1, 2], [Run(3, 1, 2), Run(0, 1, 3)]),
        ([4, 0, 1, 2, 3], [Run(4, 1, 1), Run(0, 1, 4)]),
        ([2, 1, 0, 1, 2, 3, 2], [Run(2, -1, 2), Run(0, 1, 4), Run(2, 1, 1)]),
        ([0, 0, 0, 1, 2, 2], [Run(0, 0, 2), Run(0, 1, 3), Run(2, 1, 1)]),
        ([0, 2, 4, 4], [Run(0, 2, 3), Run(4, 1, 1)]),
        ([5, 1, 5, 1], [Run(5, -4, 2), Run(5, -4, 2)]),
        ([0, 2, 3, 7, 7, 5, 9], None),
    ],
)
def test_runs(numbers, runs):
    assert runs_of(torch.tensor(numbers), 3) == runs


def test_factors():
    assert factor_of(torch.tensor([0, 0, 1, 1]), 2) == 2
    assert factor_of(torch.arange(3), 3) == 1
    assert [factor_of(torch.tensor(items), 2) for items in ([0, 1, 0, 1], [0, 1, 1], [0])] == [0, 0, 0]
    assert factor_of(torch.arange(0), 0) == 0


def test_half_types_are_gathered_before_they_are_widened():
    function, shape = SUMS["reflect"]
    torch.compile(function, backend="fuser")(torch.randn(shape, dtype=torch.bfloat16))
    (text,) = texts()
    assert text.index("index_select") < text.index("fuser.cast")


def test_channels_last_is_gathered_in_the_order_of_memory():
    function, shape = LAYOUTS["flip"]
    torch.compile(function, backend="fuser")(torch.randn(shape).to(memory_format=torch.channels_last))
    (text,) = texts()
    assert "fuser.permute %a0 [0, 2, 3, 1]" in text


def sobel(x, mode):
    p = F.pad(x, (1, 1, 1, 1), mode=mode)
    a, b, c = p[..., :-2, :], p[..., 1:-1, :], p[..., 2:, :]
    across = (a[..., 2:] - a[..., :-2]) + 2 * (b[..., 2:] - b[..., :-2]) + (c[..., 2:] - c[..., :-2])
    down = a - c
    return across, down[..., :-2] + 2 * down[..., 1:-1] + down[..., 2:]


def wide(x, mode):
    p = F.pad(x, (2, 2, 1, 3), mode=mode)
    return p[:, :, :-4, :-4] + p[:, :, 2:-2, 1:-3] * 2 + p[:, :, 4:, 4:]


def line(x, mode):
    p = F.pad(x[..., 0, :], (2, 1), mode=mode)
    return p[..., :-3] - p[..., 3:], p[..., 1:-2] * p[..., 2:-1]


def volume(x, mode):
    p = F.pad(x[:, None], (1,) * 6, mode=mode)
    return p[..., :-2, 1:-1, 1:-1] + p[..., 2:, :-2, 1:-1] - 6 * p[..., 1:-1, 1:-1, 2:]


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
@pytest.mark.parametrize("function", [sobel, wide, line, volume])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_windows_of_what_is_padded(function, mode, dtype):
    x = torch.randn(2, 3, 8, 16, dtype=dtype)
    run = torch.compile(lambda x: function(x, mode), backend="fuser")
    torch.testing.assert_close(run(x), function(x, mode), rtol=0, atol=0)
    (text,) = texts()
    assert "index_select" not in text
    assert "fuser.where" in text
    assert backend.report() == []


def test_gradients_of_windows_of_what_is_padded():
    for mode in ("reflect", "replicate"):
        check(lambda x, mode=mode: sum(sobel(x, mode)), torch.randn(2, 3, 8, 16), 1e-5)


def near(x):
    return sum(torch.roll(x, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1)) - x


@pytest.mark.parametrize("dynamic", [False, True])
def test_rolls_of_one_input_are_shifts(dynamic):
    for dtype in (torch.float32, torch.uint8, torch.int64):
        x = torch.randint(0, 100, (20, 32)).to(dtype)
        assert torch.equal(torch.compile(near, backend="fuser", dynamic=dynamic)(x), near(x))
    assert all("index_select" not in text and "fuser.cat" not in text for text in texts())
    assert backend.report() == []


def reaching(x):
    y = torch.roll(x, (2, -3), (-2, -1))
    padded = [F.pad(x, (2, 1, 3, 1), mode=mode) for mode in ("reflect", "replicate")]
    return y * 2, *padded, *(sobel(x, mode)[1] for mode in ("reflect", "replicate"))


def test_sizes_that_are_not_known():
    """One program for all sizes that borders fit; smaller ones have programs of their own."""
    run = torch.compile(reaching, backend="fuser", dynamic=True)
    for sizes in ((8, 10), (9, 12), (20, 16), (4, 4)):
        x = torch.randn(2, 3, *sizes)
        for found, wanted in zip(run(x), reaching(x), strict=True):
            assert torch.equal(found, wanted)
    assert backend.counters().compiled_graphs == 1
    (text,) = texts()
    assert "index_select" not in text
    x = torch.randn(2, 3, 4, 3)
    for found, wanted in zip(run(x), reaching(x), strict=True):
        assert torch.equal(found, wanted)
    x = torch.randn(2, 3, 2, 3)
    assert torch.equal(torch.compile(lambda x: torch.roll(x, (2, -3), (2, 3)), backend="fuser", dynamic=True)(x), x)
    assert backend.report() == []


def test_parts_of_any_length_are_shifts():
    """Long parts between others, single places among them, and no long part at all."""

    def function(x):
        first, second, third = (
            x.index_select(1, torch.cat([torch.arange(*run) for run in runs]))
            for runs in (
                ((8, 12), (0, 3), (7, 8), (2, 9)),
                ((5, 6), (3, 6), (9, 10), (0, 3), (8, 9)),
                ((4, 5), (1, 2), (9, 10)),
            )
        )
        return first[:, 1:] - first[:, :-1], second[:, 2:] * second[:, :-2], third[:, 1:] + third[:, :-1]

    x = torch.randn(4, 12)
    run = torch.compile(function, backend="fuser")
    for found, wanted in zip(run(x), function(x), strict=True):
        torch.testing.assert_close(found, wanted, rtol=0, atol=0)
    assert any("fuser.where" in text for text in texts())


def test_what_is_padded_and_stored_is_gathered():
    x = torch.randn(2, 3, 8, 16)
    run = torch.compile(lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect"), backend="fuser")
    assert torch.equal(run(x), F.pad(x, (1, 1, 1, 1), mode="reflect"))
    (text,) = texts()
    assert "index_select" in text


CROSS_PRODUCTS = {
    "rows": (lambda x: torch.linalg.cross(x, x.flip(0)), (5, 7, 3)),
    "middle": (lambda x: torch.cross(x, x * x + 1, dim=1), (5, 3, 7)),
    "broadcast": (lambda x: torch.linalg.cross(x, x[:1] + 1), (5, 7, 3)),
    "normals": (lambda x: F.normalize(torch.linalg.cross(x[1:] - x[:-1], x[1:] + 1), dim=-1), (5, 7, 3)),
}


@pytest.mark.parametrize("name", CROSS_PRODUCTS)
def test_cross_products(name):
    function, shape = CROSS_PRODUCTS[name]
    check(function, torch.randn(shape), tolerance=1e-5)


def test_cross_products_have_no_index():
    torch.compile(CROSS_PRODUCTS["normals"][0], backend="fuser")(torch.randn(5, 7, 3))
    (text,) = texts()
    assert "fuser.index_select" not in text
    assert "fuser.iota" not in text


LISTS = {
    "slice": (lambda x: x[..., [0, 2]] * 2, (3, 5, 4)),
    "slice_rows": (lambda x: x[[3, 4, 5]] + 1, (7, 5)),
    "swap": (lambda x: x[..., [1, 0, 3, 2]].neg(), (3, 5, 4)),
    "channels": (lambda x: x[:, [2, 1, 0]] * 0.5, (2, 3, 8, 8)),
    "some": (lambda x: x[:, [0, 5, 7]] * 2, (4, 9, 3)),
    "repeated": (lambda x: x[:, [-1, 4, 4, 0, 2, 2, 2, 7, 3, 5]] * 2, (4, 9, 3)),
    "keypoints": (lambda x: x[:, [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15]].flip(-1), (2, 17, 6)),
    "high": (lambda x: x[:, [129, 3, 200, 254, 0, 7, 31, 128, 2, 254, 90, 77, 1, 4, 6, 5, 255]], (2, 256)),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_places(name):
    function, shape = LISTS[name]
    check(function, torch.randn(shape), tolerance=1e-6 if name in ("repeated", "high") else 0.0)


def test_graphs_with_many_paths_are_searched_once():
    graph = torch.fx.Graph()
    node = graph.placeholder("x")
    for _ in range(2000):
        node = graph.call_function(torch.ops.aten.add.Tensor, (graph.call_function(torch.neg, (node,)), node))
    assert not Constants().is_listed(node)
    lifted = graph.call_function(torch.ops.aten.lift_fresh_copy.default, (graph.get_attr("list"),))
    assert Constants().is_listed(graph.call_function(torch.ops.aten.add.Tensor, (node, lifted)))


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_no_operands(name):
    """On a GPU they would be copied by each call: no region has a vector of integers as argument."""
    function, shape = LISTS[name]
    leaf = torch.randn(shape, requires_grad=True)
    torch.compile(function, backend="fuser")(leaf).sum().backward()
    assert all("xi64>" not in text[: text.index("->")] for text in texts())


def test_few_places_of_the_last_dimension_are_no_gather():
    for function in (lambda x: x[..., [2, 1, 0]] * 2, lambda x: x.flip(-1) * 2):
        torch.compile(function, backend="fuser")(torch.randn(4, 5, 3))
    assert len(texts()) == 1  # both have the same
    assert "index_select" not in texts()[0]
    torch.compile(lambda x: x.flip(-1) * 2, backend="fuser")(torch.randn(4, 5, 30))
    assert "index_select" in texts()[-1]


def test_what_is_scattered_is_no_selection():
    """The places of a scatter are written, so that a selection of its result does not select of its operand."""

    def function(x):
        return x.index_put((torch.arange(x.shape[0]),), x * 2, accumulate=True).roll(1, 1) + 1

    torch.testing.assert_close(torch.compile(function, backend="fuser")(x := torch.randn(4, 5)), function(x))


def test_circular_borders_of_sizes_that_are_not_known():
    """One gather for all sizes that borders fit."""
    function = lambda x: F.pad(x, (1, 3, 2, 0), mode="circular") * 2  # noqa: E731
    run = torch.compile(function, backend="fuser", dynamic=True)
    for sizes in ((8, 10), (3, 5), (31, 37), (64, 48)):
        x = torch.randn(2, 3, *sizes)
        assert torch.equal(run(x), function(x))
    assert backend.counters().compiled_graphs == 1
    (text,) = texts()
    assert text.count("fuser.index_select") == 1
    assert "fuser.insert_slice" not in text
    x = torch.randn(2, 3, 2, 3)
    assert torch.equal(run(x), function(x))
    assert backend.report() == []
    check(function, torch.randn(2, 3, 8, 10), kernels=False, strides=False, dynamic=True)
