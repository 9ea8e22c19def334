"""Images: resampling, windows, colors, patches."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

add(
    "total variation, 16x3x512x512 f32",
    lambda x: (x[..., 1:, :] - x[..., :-1, :]).abs().mean() + (x[..., 1:] - x[..., :-1]).abs().mean(),
    lambda m: (m(16, 3, 512, 512, dtype=F32),),
)


def _window_sums(x, y):
    def mean(v):
        return F.avg_pool2d(v, 7, 1)

    a, b = mean(x), mean(y)
    return a * b, mean(x * y) - a * b


add(
    "average pooling of 7x7 and covariances, 8x3x512x512 f32",
    _window_sums,
    lambda m: (m(8, 3, 512, 512, dtype=F32), m(8, 3, 512, 512, dtype=F32)),
)
add(
    "uint8 images normalized to f32, 64x3x512x512",
    lambda x, a, s: (x.float() / 255 - a[:, None, None]) / s[:, None, None],
    lambda m: (m.ints(255, 64, 3, 512, 512, dtype=torch.uint8), m.uniform(3), m.uniform(3) + 0.5),
)
add(
    "uint8 images, channels last, normalized to contiguous bf16, 64x512x512x3",
    lambda x, a, s: ((x.permute(0, 3, 1, 2).float() / 255 - a[:, None, None]) / s[:, None, None]).to(BF16).contiguous(),
    lambda m: (m.ints(255, 64, 512, 512, 3, dtype=torch.uint8), m.uniform(3), m.uniform(3) + 0.5),
)
add(
    "bilinear by 2, 16x64x128x128",
    lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False),
    lambda m: (m(16, 64, 128, 128),),
)
add(
    "nearest by 2 with gradient, 16x64x128x128",
    lambda x: F.interpolate(x, scale_factor=2, mode="nearest"),
    lambda m: (m(16, 64, 128, 128, grad=True),),
)
add(
    "max pooling of 3x3 by 2, 64x64x112x112",
    lambda x: F.max_pool2d(x, 3, 2, 1),
    lambda m: (m(64, 64, 112, 112),),
)
add(
    "batch norm, ReLU and max pooling of 3x3 by 2, 64x64x112x112",
    lambda x, a, v, w, b: F.max_pool2d(F.relu(F.batch_norm(x, a, v, w, b, False)), 3, 2, 1),
    lambda m: (m(64, 64, 112, 112), m(64), m.uniform(64).to(BF16), m(64), m(64)),
)
add("average pooling of 3x3, 32x64x112x112", lambda x: F.avg_pool2d(x, 3, 1, 1), lambda m: (m(32, 64, 112, 112),))
add(
    "global average and max pooling, 64x512x28x28",
    lambda x: torch.cat([F.adaptive_avg_pool2d(x, 1), F.adaptive_max_pool2d(x, 1)], 1),
    lambda m: (m(64, 512, 28, 28),),
)
add(
    "means and maxima of channels, 32x256x56x56",
    lambda x: torch.cat([x.mean(1, keepdim=True), x.amax(1, keepdim=True)], 1),
    lambda m: (m(32, 256, 56, 56),),
)
add(
    "squeeze: means, gate of channels, 64x256x56x56",
    lambda x, s: x * torch.sigmoid(s)[:, :, None, None] + x.mean((2, 3), keepdim=True),
    lambda m: (m(64, 256, 56, 56), m(64, 256)),
)
add(
    "gray, contrast and clamp, 64x3x256x256 f32",
    lambda x: (lambda g: ((x - g.mean((2, 3), keepdim=True)) * 1.3 + g.mean((2, 3), keepdim=True)).clamp(0, 1))(
        0.299 * x[:, :1] + 0.587 * x[:, 1:2] + 0.114 * x[:, 2:]
    ),
    lambda m: (m.uniform(64, 3, 256, 256),),
)


def _hsv(x):
    r, g, b = x.unbind(1)
    high, low = x.amax(1), x.amin(1)
    d = high - low
    hue = torch.where(high == r, ((g - b) / d) % 6, torch.where(high == g, (b - r) / d + 2, (r - g) / d + 4))
    return torch.stack([torch.where(d == 0, 0.0, hue / 6), torch.where(high == 0, 0.0, d / high), high], 1)


add("RGB to HSV, 64x3x512x512 f32", _hsv, lambda m: (m.uniform(64, 3, 512, 512),))


def _sobel(x):
    p = F.pad(x, (1, 1, 1, 1), mode="replicate")
    a, b, c = p[..., :-2, :], p[..., 1:-1, :], p[..., 2:, :]
    gx = (a[..., 2:] - a[..., :-2]) + 2 * (b[..., 2:] - b[..., :-2]) + (c[..., 2:] - c[..., :-2])
    s = a - c
    gy = s[..., :-2] + 2 * s[..., 1:-1] + s[..., 2:]
    return torch.sqrt(gx * gx + gy * gy + 1e-6)


add("Sobel edges with replicated borders, 64x1024x1024 f32", _sobel, lambda m: (m(64, 1024, 1024, dtype=F32),))
add(
    "patches of 16, 64x3x512x512",
    lambda x: x.view(-1, 3, 32, 16, 32, 16).permute(0, 2, 4, 3, 5, 1).reshape(x.shape[0], 1024, 768),
    lambda m: (m(64, 3, 512, 512),),
)
add(
    "patches of 2 back to images, 16x4096x64",
    lambda x: x.view(-1, 64, 64, 2, 2, 16).permute(0, 5, 1, 3, 2, 4).reshape(-1, 16, 128, 128),
    lambda m: (m(64, 4096, 64),),
)
add(
    "shifted windows, 32x56x56x192",
    lambda x: torch.roll(x, (-3, -3), (1, 2)).view(-1, 8, 7, 8, 7, 192).permute(0, 1, 3, 2, 4, 5).reshape(-1, 49, 192),
    lambda m: (m(32, 56, 56, 192),),
)
add(
    "windows back, shifted and added, 32x56x56x192",
    lambda w, x: x
    + torch.roll(w.view(-1, 8, 8, 7, 7, 192).permute(0, 1, 3, 2, 4, 5).reshape(-1, 56, 56, 192), (3, 3), (1, 2)),
    lambda m: (m(32, 64, 49, 192), m(32, 56, 56, 192)),
)
add(
    "channel shuffle, 64x232x28x28",
    lambda x: x.view(-1, 2, 116, 28, 28).transpose(1, 2).reshape(-1, 232, 28, 28),
    lambda m: (m(64, 232, 28, 28),),
)
add(
    "reflected padding, 32x64x128x128",
    lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect"),
    lambda m: (m(32, 64, 128, 128),),
)
add(
    "blur by 1 2 1 and every second, 32x64x128x128",
    lambda x: (lambda p: (lambda v: (v[..., :-2:2] + 2 * v[..., 1:-1:2] + v[..., 2::2]) / 16)(
        p[..., :-2:2, :] + 2 * p[..., 1:-1:2, :] + p[..., 2::2, :]
    ))(F.pad(x, (1, 1, 1, 1))),
    lambda m: (m(32, 64, 128, 128),),
)  # fmt: skip
add(
    "image between two by alpha to uint8, 16x4x1024x1024",
    lambda a, b: ((a[:, :3] * a[:, 3:] + b * (1 - a[:, 3:])) * 255).round().clamp(0, 255).to(torch.uint8),
    lambda m: (m.uniform(16, 4, 1024, 1024), m.uniform(16, 3, 1024, 1024)),
)
