"""Images sampled at grids, against eager mode."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
import torch.nn.functional as F  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh")


@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_places_inside_and_outside(dtype, mode, padding, align):
    x, grid = torch.randn(2, 3, 7, 9).to(dtype), (torch.rand(2, 5, 11, 2) * 4 - 2).to(dtype)
    # The corners, the middle, far outside.
    grid[0, 0, :5] = torch.tensor([[-1, -1], [1, 1], [0, 0], [-1, 1], [300, -500]], dtype=dtype)

    def sample(x, grid):
        return F.grid_sample(x, grid, mode=mode, padding_mode=padding, align_corners=align) * 2

    result = torch.compile(sample, backend="fuser")(x, grid)
    expected = sample(x.float(), grid.float()).to(dtype) if dtype == torch.bfloat16 else sample(x, grid)
    tolerance = 2e-2 if dtype == torch.bfloat16 else 2e-5
    torch.testing.assert_close(result, expected, rtol=tolerance, atol=tolerance)
    assert result.stride() == sample(x.float(), grid.float()).stride()
    assert backend.report() == []


def test_grids_with_gradients():
    x = torch.randn(2, 3, 8, 8, requires_grad=True)
    theta = torch.randn(2, 2, 3, requires_grad=True)

    def warp(x, theta):
        return F.grid_sample(x, F.affine_grid(theta, (2, 3, 6, 5), align_corners=False), align_corners=False)

    result, expected = torch.compile(warp, backend="fuser")(x, theta), warp(x, theta)
    torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-4)
    seed = torch.randn_like(expected)
    for a, b in zip(*(torch.autograd.grad(y, (x, theta), seed) for y in (result, expected)), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)


def test_cubic_samples_are_eager():
    x, grid = torch.randn(1, 2, 6, 6), torch.rand(1, 4, 4, 2) * 2 - 1

    def sample(x, grid):
        return F.grid_sample(x, grid, mode="bicubic", align_corners=False)

    torch.testing.assert_close(torch.compile(sample, backend="fuser")(x, grid), sample(x, grid))
    assert [fallback.op for fallback in backend.report()] == ["aten.grid_sampler_2d.default"]
