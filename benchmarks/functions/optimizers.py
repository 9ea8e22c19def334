"""Steps of optimizers."""

import torch

from functions.registry import F32, add


def _adamw(p, g, a, v):
    p = p * (1 - 1e-3 * 0.1)
    a = a * 0.9 + g * 0.1
    v = v * 0.99 + g * g * 0.01
    return p - 1e-3 * (a / 0.9) / ((v / 0.99).sqrt() + 1e-8), a, v


add("AdamW, 8192x8192 f32", _adamw, lambda m: tuple(m.uniform(8192, 8192) for _ in range(4)))
add(
    "Lion of bf16 weights, 8192x8192",
    lambda p, g, a: (p * 0.999 - 1e-4 * torch.sign(a * 0.9 + g * 0.1), a * 0.99 + g * 0.01),
    lambda m: (m(8192, 8192), m(8192, 8192), m(8192, 8192)),
)


def _lamb(p, g, a, v):
    a = a * 0.9 + g * 0.1
    v = v * 0.99 + g * g * 0.01
    u = a / (v.sqrt() + 1e-6) + 0.01 * p
    return p - 1e-3 * (p.norm() / u.norm().clamp(min=1e-9)) * u, a, v


add("LAMB, 8192x8192 f32", _lamb, lambda m: tuple(m.uniform(8192, 8192) for _ in range(4)))


def _adafactor(p, g, r, c):
    s = g * g + 1e-30
    r = r * 0.99 + s.mean(-1) * 0.01
    c = c * 0.99 + s.mean(-2) * 0.01
    u = g * (r / r.mean()).rsqrt()[:, None] * c.rsqrt()[None]
    return p - 1e-3 * u / (u.square().mean().sqrt()).clamp(min=1.0), r, c


add(
    "Adafactor, 8192x8192 f32",
    _adafactor,
    lambda m: (m(8192, 8192, dtype=F32), m(8192, 8192, dtype=F32), m.uniform(8192, 1)[:, 0], m.uniform(8192)),
)
add(
    "gradients clipped by their norm, 8192x16384 f32",
    lambda g: g * (1.0 / (g.norm() + 1e-6)).clamp(max=1.0),
    lambda m: (m(8192, 16384, dtype=F32),),
)
add(
    "averages of weights, 8192x16384 f32",
    lambda a, p: torch.lerp(a, p, 0.001),
    lambda m: (m.uniform(8192, 16384), m.uniform(8192, 16384)),
)


def _blockwise(p, g, q, s):
    a = q.float().view(-1, 256) / 127 * s[:, None]
    a = a * 0.9 + g.float().view(-1, 256) * 0.1
    s = a.abs().amax(-1)
    return p - 1e-3 * a.view(p.shape).to(p.dtype), torch.round(a / s[:, None] * 127).to(torch.int8).view(p.shape), s


add(
    "momentum of 8 bits by blocks of 256, 8192x8192",
    _blockwise,
    lambda m: (m(8192, 8192), m(8192, 8192), m.ints(127, 8192, 8192, dtype=torch.int8), m.uniform(8192 * 32, 1)[:, 0]),
)
