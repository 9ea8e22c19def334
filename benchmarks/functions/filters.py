"""Convolutions of each channel by itself with what models do around them."""

import torch
import torch.nn.functional as F

from functions.registry import F32, add


def _causal(x, w, b):
    """Four taps over time, as state space models compute them of projections."""
    taps = w.shape[-1] - 1
    return F.silu(F.conv1d(F.pad(x.transpose(1, 2), (taps, 0)), w, b, groups=w.shape[0])).transpose(1, 2)


add(
    "causal filters of 4 taps of channels with SiLU, 4x2048x4352",
    _causal,
    lambda m: (m(4, 2048, 4352), m(4352, 1, 4), m(4352)),
)
add(
    "causal filters of 4 taps of channels with SiLU and gradient, 4x2048x4352",
    _causal,
    lambda m: (m(4, 2048, 4352, grad=True), m(4352, 1, 4, grad=True), m(4352, grad=True)),
)
add(
    "causal filters of 3 taps of channels in rows, f32 with gradient, 8x512x8191",
    lambda x, w: F.conv1d(x, w, None, 1, 2, groups=512)[..., :8191],
    lambda m: (m(8, 512, 8191, dtype=F32, grad=True), m(512, 1, 3, dtype=F32, grad=True)),
)


def _gated(x, w, norm, shift):
    a, b = x.chunk(2, 1)
    y = F.conv1d(a * b.sigmoid(), w, None, 1, w.shape[-1] // 2, groups=w.shape[0])
    return F.silu(y * norm[:, None] + shift[:, None])


add(
    "gated channels by 31 taps, scaled, with SiLU, 16x1024x2000",
    _gated,
    lambda m: (m(16, 1024, 2000), m(512, 1, 31), m(512), m(512)),
)
add(
    "gated channels by 31 taps, scaled, with SiLU and gradient, 16x1024x2000",
    _gated,
    lambda m: (m(16, 1024, 2000, grad=True), m(512, 1, 31, grad=True), m(512, grad=True), m(512, grad=True)),
)


def _filtered(stride):
    def function(x, w, scale, shift):
        y = F.conv2d(x, w, None, stride, w.shape[-1] // 2, groups=w.shape[0])
        return F.relu6(y * scale[:, None, None] + shift[:, None, None])

    return function


add(
    "filters of 3x3 pixels of channels, scaled, with ReLU6, channels last, 64x192x56x56",
    _filtered(1),
    lambda m: (m.image(64, 192, 56, 56), m.image(192, 1, 3, 3), m(192), m(192)),
)
add(
    "filters of 3x3 pixels of channels, scaled, with ReLU6 and gradient, channels last, 64x192x56x56",
    _filtered(1),
    lambda m: (
        m.image(64, 192, 56, 56, grad=True),
        m.image(192, 1, 3, 3, grad=True),
        m(192, grad=True),
        m(192, grad=True),
    ),
)
add(
    "filters of 3x3 pixels of channels with ReLU6 and gradient, f32, 32x144x56x56",
    _filtered(1),
    lambda m: (
        m(32, 144, 56, 56, dtype=F32, grad=True),
        m(144, 1, 3, 3, dtype=F32, grad=True),
        m(144, dtype=F32),
        m(144, dtype=F32),
    ),
)
add(
    "filters of 3x3 pixels of channels by steps of 2, channels last, 64x96x112x112",
    _filtered(2),
    lambda m: (m.image(64, 96, 112, 112), m.image(96, 1, 3, 3), m(96), m(96)),
)
add(
    "filters of 7x7 pixels of channels and a norm of channels, channels last, 64x96x56x56",
    lambda x, w, b, g, s: F.layer_norm(F.conv2d(x, w, b, padding=3, groups=96).permute(0, 2, 3, 1), (96,), g, s),
    lambda m: (m.image(64, 96, 56, 56), m.image(96, 1, 7, 7), m(96), m(96), m(96)),
)
add(
    "Gaussian blur of 5x5 pixels, f32, 32x3x512x512",
    lambda x, w: F.conv2d(F.pad(x, (2, 2, 2, 2), mode="reflect"), w.expand(3, 1, 5, 5), groups=3),
    lambda m: (m(32, 3, 512, 512, dtype=F32), torch.softmax(m(1, 1, 25, dtype=F32), -1).view(1, 1, 5, 5)),
)
