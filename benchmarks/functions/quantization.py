"""Quantization to 8 and 4 bits, and back."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F8, F32, add


def _int8_columns(x):
    scale = x.abs().amax(0, keepdim=True).float() / 127
    return torch.round(x.float() / scale).clamp(-128, 127).to(torch.int8), scale


def _fp8_blocks(x, block):
    v = x.float().view(x.shape[0], -1, block)
    scale = (v.abs().amax(-1, keepdim=True) / 448).clamp(min=1e-12)
    return (v / scale).to(F8).view(x.shape), scale[..., 0]


def _mx(x):
    v = x.float().view(x.shape[0], -1, 32)
    exponent = torch.floor(torch.log2(v.abs().amax(-1, keepdim=True).clamp(min=1e-30))) - 8
    return (v * torch.exp2(-exponent)).clamp(-448, 448).to(F8).view(x.shape), (exponent + 127).to(torch.uint8)[..., 0]


add("quantization to int8 by columns, 16384x4096", _int8_columns, lambda m: (m(16384, 4096),))
add("quantization of blocks of 128 to fp8, 8192x8192", lambda x: _fp8_blocks(x, 128), lambda m: (m(8192, 8192),))
add("quantization of blocks of 32 to fp8 by powers of two, 8192x8192", _mx, lambda m: (m(8192, 8192),))
add(
    "SwiGLU and quantization of rows to fp8, 8192x14336",
    lambda a, b: (lambda h: (lambda s: ((h / s).to(F8), s))(h.abs().amax(-1, keepdim=True).clamp(min=1e-6) / 448))(
        (F.silu(a) * b).float()
    ),
    lambda m: (m(8192, 14336), m(8192, 14336)),
)
add(
    "SwiGLU and quantization of blocks of 128 to fp8, 8192x14336",
    lambda a, b: _fp8_blocks(F.silu(a) * b, 128),
    lambda m: (m(8192, 14336), m(8192, 14336)),
)
add(
    "RMS norm and quantization of blocks of 128 to fp8, 16384x4096",
    lambda x, w: _fp8_blocks(F.rms_norm(x, (4096,), w), 128),
    lambda m: (m(16384, 4096), m(4096)),
)


def _tensor_fp8(x):
    scale = x.abs().amax().float() / 448
    return (x.float() / scale).to(F8), scale


add("quantization of a tensor to fp8, 8192x16384", _tensor_fp8, lambda m: (m(8192, 16384),))
add(
    "quantization to fp8 with a given scale, and transposed, 8192x8192",
    lambda x, s: (lambda q: (q, q.t().contiguous()))((x.float() * s).clamp(-448, 448).to(F8)),
    lambda m: (m(8192, 8192), m.uniform(1)),
)


def _asymmetric(x):
    v = x.float().view(x.shape[0], -1, 64)
    low, high = v.amin(-1, keepdim=True), v.amax(-1, keepdim=True)
    scale = ((high - low) / 15).clamp(min=1e-6)
    q = torch.round((v - low) / scale).clamp(0, 15).to(torch.uint8).view(x.shape)
    return q[:, ::2] | (q[:, 1::2] << 4), scale[..., 0], low[..., 0]


add("quantization of groups of 64 to packed int4, 8192x8192", _asymmetric, lambda m: (m(8192, 8192),))
add(
    "int8 by scales of columns to bf16, 16384x8192",
    lambda q, s: (q.float() * s).to(BF16),
    lambda m: (m.ints(127, 16384, 8192, dtype=torch.int8), m.uniform(8192)),
)
add(
    "fp8 by scales of blocks of 128x128 to bf16, 8192x8192",
    lambda q, s: (q.view(len(s), -1, 64, 128).float() * s[:, None, :, None]).to(BF16).view(-1, 8192),
    lambda m: (m(8192, 8192).to(F8), m.uniform(64, 64)),
)
add(
    "codes of 4 bits by a table and scales, 4096x8192",
    lambda p, table, s: (
        torch.stack([table[(p & 15).int()], table[(p >> 4).int()]], -1).view(p.shape[0], -1, 64) * s[..., None]
    )
    .to(BF16)
    .view(p.shape[0], -1),
    lambda m: (m.ints(255, 4096, 4096, dtype=torch.uint8), m.uniform(16), m.uniform(4096, 128)),
)
add(
    "rounded as int8 and back, with gradient, 8192x8192",
    lambda x, s: x + (torch.round(x / s).clamp(-128, 127) * s - x).detach(),
    lambda m: (m(8192, 8192, dtype=F32, grad=True), m.uniform(1)),
)
