"""Norms of rows, channels, groups and weights."""

import torch
import torch.nn.functional as F

from functions.registry import F32, add


def _batch_norm_relu(x, w, b):
    return F.relu(F.batch_norm(x, None, None, w, b, True))


def _group_norm_silu(x, w, b):
    return F.silu(F.group_norm(x, 32, w, b))


add(
    "batch norm in training, 1024x512x7x7",
    lambda x, w, b: F.batch_norm(x, None, None, w, b, True),
    lambda m: (m(1024, 512, 7, 7), m(512), m(512)),
)
add(
    "batch norm in training, 64x2048x9x9",
    _batch_norm_relu,
    lambda m: (m(64, 2048, 9, 9), m(2048), m(2048)),
)
add(
    "batch norm in training, f32, 256x256x14x14",
    _batch_norm_relu,
    lambda m: (m(256, 256, 14, 14, dtype=F32), m(256, dtype=F32), m(256, dtype=F32)),
)
add(
    "batch norm in training of points, 500000x128",
    _batch_norm_relu,
    lambda m: (m(500000, 128), m(128), m(128)),
)
add(
    "batch norm with gradient, 64x256x28x28",
    _batch_norm_relu,
    lambda m: (m(64, 256, 28, 28, grad=True), m(256, grad=True), m(256, grad=True)),
)
add(
    "group norm, SiLU, 2x320x128x128",
    _group_norm_silu,
    lambda m: (m(2, 320, 128, 128), m(320), m(320)),
)
add(
    "group norm, SiLU, channels last, 16x1280x16x16",
    _group_norm_silu,
    lambda m: (m.image(16, 1280, 16, 16), m(1280), m(1280)),
)
add(
    "group norm of video, 2x256x16x64x64",
    _group_norm_silu,
    lambda m: (m(2, 256, 16, 64, 64), m(256), m(256)),
)
add(
    "group norm with gradient, 8x320x64x64",
    _group_norm_silu,
    lambda m: (m(8, 320, 64, 64, grad=True), m(320, grad=True), m(320, grad=True)),
)


def _channel_norm(x, w, b):
    mean = x.mean(1, keepdim=True)
    var = (x - mean).pow(2).mean(1, keepdim=True)
    return w[:, None, None] * ((x - mean) / torch.sqrt(var + 1e-6)) + b[:, None, None]


add("layer norm of channels, 32x96x56x56", _channel_norm, lambda m: (m(32, 96, 56, 56), m(96), m(96)))
add(
    "layer norm of channels, f32, 32x192x28x28",
    _channel_norm,
    lambda m: (m(32, 192, 28, 28, dtype=F32), m(192, dtype=F32), m(192, dtype=F32)),
)


def _response_norm(x, g, b):
    n = torch.norm(x, p=2, dim=(1, 2), keepdim=True)
    return g * (x * (n / (n.mean(-1, keepdim=True) + 1e-6))) + b + x


add("global response norm, 64x28x28x768", _response_norm, lambda m: (m(64, 28, 28, 768), m(768), m(768)))
add(
    "layer norm scaled and shifted by conditions, 8x4096x1152",
    lambda x, c: (lambda a, b: F.layer_norm(x, (1152,), eps=1e-6) * (1 + a[:, None]) + b[:, None])(*c.chunk(2, -1)),
    lambda m: (m(8, 4096, 1152), m(8, 2304)),
)
add(
    "conditioned layer norm with gate and gradient, 8x4096x1152",
    lambda x, y, c: (
        lambda a, b, g: y + g[:, None] * (F.layer_norm(x, (1152,), eps=1e-6) * (1 + a[:, None]) + b[:, None])
    )(*c.chunk(3, -1)),
    lambda m: (m(8, 4096, 1152, grad=True), m(8, 4096, 1152, grad=True), m(8, 3456, grad=True)),
)
add(
    "norm of pixels, 16x512x64x64",
    lambda x: x * torch.rsqrt((x.float() * x.float()).mean(1, keepdim=True) + 1e-8).to(x.dtype),
    lambda m: (m(16, 512, 64, 64),),
)


def _adain(x, s, b):
    mean, std = x.mean((2, 3), keepdim=True), x.std((2, 3), keepdim=True)
    return (x - mean) / (std + 1e-5) * s[:, :, None, None] + b[:, :, None, None]


add("adaptive instance norm, 16x256x128x128", _adain, lambda m: (m(16, 256, 128, 128), m(16, 256), m(16, 256)))
add(
    "weight norm, 8192x8192",
    lambda v, g: v * (g / v.norm(dim=1, keepdim=True)),
    lambda m: (m(8192, 8192), m(8192, 1)),
)
add(
    "demodulated weights, 16x512x512x3x3 f32",
    lambda w, s: (lambda v: v * torch.rsqrt(v.pow(2).sum((2, 3, 4), keepdim=True) + 1e-8))(
        w * s[:, None, :, None, None]
    ),
    lambda m: (m(1, 512, 512, 3, 3, dtype=F32), m(16, 512, dtype=F32)),
)
add(
    "gradient of an L2 normalization, 100000x512",
    lambda x: F.normalize(x, dim=-1),
    lambda m: (m(100000, 512, grad=True),),
)
add(
    "local response norm, 32x96x55x55 f32",
    lambda x: F.local_response_norm(x, 5),
    lambda m: (m(32, 96, 55, 55, dtype=F32),),
)
add(
    "RMS norm of heads of a packed tensor, 4x2048x3x16x128",
    lambda x, w: F.rms_norm(x[:, :, 0], (128,), w).transpose(1, 2),
    lambda m: (m(4, 2048, 3, 16, 128), m(128)),
)
add(
    "norm, residual and norm, 16384x4096",
    lambda x, r, w, v: (lambda h: (h, F.rms_norm(h, (4096,), v)))(r + F.rms_norm(x, (4096,), w)),
    lambda m: (m(16384, 4096), m(16384, 4096), m(4096), m(4096)),
)
add(
    "group RMS norm with gate, 8192x8192, 8 groups",
    lambda x, z, w: (lambda h: (F.rms_norm(h.view(-1, 8, 1024), (1024,)).view(-1, 8192) * w))(x * F.silu(z)),
    lambda m: (m(8192, 8192), m(8192, 8192), m(8192)),
)
