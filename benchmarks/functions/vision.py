"""Rendering, detection, segmentation and restoration of images."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

F16 = torch.float16


def _composite(density, color, steps):
    """Colors along rays by volume rendering."""
    alpha = 1 - torch.exp(-F.relu(density) * steps)
    ones = torch.ones_like(alpha[:, :1])
    passed = torch.cumprod(torch.cat([ones, 1 - alpha + 1e-10], -1), -1)[:, :-1]
    weights = alpha * passed
    return (weights[..., None] * color).sum(1), weights.sum(-1)


add(
    "colors of rays from 128 samples, 65536x128 f32",
    _composite,
    lambda m: (m(65536, 128, dtype=F32), m.uniform(65536, 128, 3), m.uniform(65536, 128)),
)


def _positional(x):
    bands = 2.0 ** torch.arange(10, device=x.device)
    angles = (x[..., None, :] * bands[:, None]).flatten(-2)
    return torch.cat([x, angles.sin(), angles.cos()], -1)


add("sines of 10 octaves of points, 1000000x3 f32", _positional, lambda m: (m(1000000, 3, dtype=F32),))


def _overlaps(a, b):
    area = lambda box: (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])  # noqa: E731
    low, high = torch.max(a[:, None, :2], b[:, :2]), torch.min(a[:, None, 2:], b[:, 2:])
    size = (high - low).clamp(min=0)
    inner = size[..., 0] * size[..., 1]
    return inner / (area(a)[:, None] + area(b) - inner)


add(
    "overlaps of 8000 boxes and 2000 f32",
    _overlaps,
    lambda m: (m.uniform(8000, 4), torch.rand(2000, 4, device=m.device)),
)


def _generalized_overlap_loss(a, b):
    low, high = torch.max(a[:, :2], b[:, :2]), torch.min(a[:, 2:], b[:, 2:])
    hull = torch.max(a[:, 2:], b[:, 2:]) - torch.min(a[:, :2], b[:, :2])
    return (1 - (high - low).clamp(min=0).prod(-1) / (hull.prod(-1) + 1e-7)).mean()


add(
    "generalized overlap loss of pairs of boxes, 1000000x4 f32",
    _generalized_overlap_loss,
    lambda m: (m.uniform(1000000, 4), m.uniform(1000000, 4)),
)
add(
    "pixel shuffle by 2 and clamp, 8x256x128x128",
    lambda x: F.pixel_shuffle(x, 2).clamp(0, 1),
    lambda m: (m(8, 256, 128, 128),),
)
add("pixel unshuffle by 2, 8x64x256x256", lambda x: F.pixel_unshuffle(x, 2), lambda m: (m(8, 64, 256, 256),))
add(
    "nearest by 3 and sum with a skip, 8x64x64x64",
    lambda x, y: F.interpolate(x, scale_factor=3, mode="nearest") + y,
    lambda m: (m(8, 64, 64, 64), m(8, 64, 192, 192)),
)
add(
    "bilinear from 64 to 100 by corners, 16x64x64x64 f32",
    lambda x: F.interpolate(x, size=(100, 100), mode="bilinear", align_corners=True),
    lambda m: (m(16, 64, 64, 64, dtype=F32),),
)
add(
    "average pooling of 2x2 with gradient, 32x128x56x56",
    lambda x: F.avg_pool2d(x, 2),
    lambda m: (m(32, 128, 56, 56, grad=True),),
)
add(
    "max pooling of 2x2, channels last, 32x128x56x56",
    lambda x: F.max_pool2d(x, 2),
    lambda m: (m.image(32, 128, 56, 56),),
)
add(
    "adaptive average pooling to 7x7, 64x512x28x28",
    lambda x: F.adaptive_avg_pool2d(x, 7),
    lambda m: (m(64, 512, 28, 28),),
)
add(
    "global average of channels last, 128x1024x14x14",
    lambda x: x.mean((2, 3)),
    lambda m: (m.image(128, 1024, 14, 14),),
)
add(
    "batch norm in inference, SiLU and residual, channels last, 64x96x56x56",
    lambda x, r, mean, var, w, b: F.silu(F.batch_norm(x, mean, var, w, b)) + r,
    lambda m: (m.image(64, 96, 56, 56), m.image(64, 96, 56, 56), *(m.uniform(96) + 0.1 for _ in range(4))),
)
add(
    "Tversky loss of logits, 16x512x512 f32",
    lambda x, t: (
        lambda p, t: 1 - ((p * t).sum((1, 2)) + 1) / ((p * t + 0.3 * p * (1 - t) + 0.7 * (1 - p) * t).sum((1, 2)) + 1)
    )(x.sigmoid(), t.float()),
    lambda m: (m(16, 512, 512, dtype=F32), m.ints(2, 16, 512, 512)),
)
add(
    "structural similarity from moments, 32x3x512x512 f32",
    lambda a, b, aa, bb, ab: (
        (2 * a * b + 1e-4)
        * (2 * (ab - a * b) + 9e-4)
        / ((a * a + b * b + 1e-4) * (aa - a * a + bb - b * b + 9e-4))
    ).mean((1, 2, 3)),
    lambda m: tuple(m.uniform(32, 3, 512, 512) for _ in range(5)),
)  # fmt: skip
add(
    "Charbonnier loss with gradient, 16x3x512x512",
    lambda a, b: ((a - b).float().square() + 1e-6).sqrt().mean(),
    lambda m: (m(16, 3, 512, 512, grad=True), m(16, 3, 512, 512)),
)
add(
    "laplacian smoothness of depth by image gradients, 16x1x512x640 f32",
    lambda d, i: (
        (d[..., 1:] - d[..., :-1]).abs() * torch.exp(-(i[..., 1:] - i[..., :-1]).abs().mean(1, keepdim=True))
    ).mean()
    + (
        (d[..., 1:, :] - d[..., :-1, :]).abs()
        * torch.exp(-(i[..., 1:, :] - i[..., :-1, :]).abs().mean(1, keepdim=True))
    ).mean(),
    lambda m: (m.uniform(16, 1, 512, 640), m.uniform(16, 3, 512, 640)),
)
add(
    "YUV to RGB bytes, 16x720x1280x3 uint8",
    lambda x: (
        lambda y, u, v: torch.stack([y + 1.402 * v, y - 0.344 * u - 0.714 * v, y + 1.772 * u], -1)
        .clamp(0, 255)
        .to(torch.uint8)
    )(x[..., 0].float(), x[..., 1].float() - 128, x[..., 2].float() - 128),
    lambda m: (m.ints(256, 16, 720, 1280, 3, dtype=torch.uint8),),
)
add(
    "depth to points by a camera, 16x512x640 f32",
    lambda d: torch.stack(
        [
            (torch.arange(640, device=d.device) - 320.0) / 500 * d,
            (torch.arange(512, device=d.device)[:, None] - 256.0) / 500 * d,
            d,
        ],
        -1,
    ),
    lambda m: (m.uniform(16, 512, 640),),
)
add(
    "normals from neighbors of points, 8x512x640x3 f32",
    lambda p: F.normalize(
        torch.linalg.cross(p[:, :-1, 1:] - p[:, :-1, :-1], p[:, 1:, :-1] - p[:, :-1, :-1], dim=-1), dim=-1
    ),
    lambda m: (m(8, 512, 640, 3, dtype=F32),),
)
add(
    "cutmix by boxes, 256x3x224x224",
    lambda x, box: (
        lambda h, w: torch.where(
            (h >= box[:, 0, None, None, None])
            & (h < box[:, 1, None, None, None])
            & (w >= box[:, 2, None, None, None])
            & (w < box[:, 3, None, None, None]),
            x.flip(0),
            x,
        )
    )(torch.arange(224, device=x.device)[:, None], torch.arange(224, device=x.device)),
    lambda m: (m(256, 3, 224, 224), m.ints(224, 256, 4)),
)
add(
    "tokens of an image and its norm, channels to last, 32x384x28x28",
    lambda x, w, b: F.layer_norm(x.flatten(2).transpose(1, 2), (384,), w, b),
    lambda m: (m(32, 384, 28, 28), m(384), m(384)),
)
add(
    "spectral gate: halves of channels multiplied, f16, 32x512x32x32",
    lambda x: (lambda a, b: a * torch.sigmoid(b))(*x.chunk(2, 1)),
    lambda m: (m(32, 512, 32, 32, dtype=F16),),
)
add(
    "means over windows of 7x7 tokens, 64x56x56x96",
    lambda x: x.view(-1, 8, 7, 8, 7, 96).mean((2, 4)),
    lambda m: (m(64, 56, 56, 96),),
)
add(
    "histogram equalization table applied, 64x1024x1024 uint8",
    lambda x, t: t[x.long()],
    lambda m: (m.ints(256, 64, 1024, 1024, dtype=torch.uint8), m.uniform(256)),
)
add(
    "instance norm of volumes with leaky ReLU, 2x32x64x96x96 f16",
    lambda x, w, b: F.leaky_relu(F.instance_norm(x, weight=w, bias=b), 0.01),
    lambda m: (torch.randn(2, 32, 64, 96, 96, device=m.device).to(F16), m(32, dtype=F16), m(32, dtype=F16)),
)
add(
    "max over points with masks, 256x1024x256",
    lambda x, mask: x.masked_fill(~mask[..., None], float("-inf")).amax(1),
    lambda m: (m(256, 1024, 256), m.uniform(256, 1024) > 0.3),
)
add(
    "dropped channels and scale with gradient, 64x256x28x28",
    lambda x, keep: x * (keep[:, :, None, None] > 0.1).to(x.dtype) / 0.9,
    lambda m: (m(64, 256, 28, 28, grad=True), m.uniform(64, 256)),
)
add("channels last to first, clamped, 32x256x256x48", lambda x: x.permute(0, 3, 1, 2).clamp(-1, 1).contiguous(),
    lambda m: (m(32, 256, 256, 48, dtype=BF16),))  # fmt: skip
