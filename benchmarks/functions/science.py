"""Tables, stencils, points and pairs of points."""

import math

import torch
import torch.nn.functional as F

from functions.registry import F32, add

add(
    "columns scaled to their range, 1000000x64 f32",
    lambda x: (lambda a, b: (x - a) / (b - a + 1e-8))(x.amin(0), x.amax(0)),
    lambda m: (m(1000000, 64, dtype=F32),),
)
add(
    "columns standardized, 1000000x100 f32",
    lambda x: (x - x.mean(0)) / x.std(0),
    lambda m: (m(1000000, 100, dtype=F32),),
)
add(
    "means of the last 20 by sums of prefixes, 4096x10000 f32",
    lambda x: (lambda c: (c[:, 20:] - c[:, :-20]) / 20)(x.cumsum(1)),
    lambda m: (m(4096, 10000, dtype=F32),),
)
add(
    "growth by returns, 4096x10000 f32",
    lambda x: torch.cumprod(1 + x * 0.001, 1),
    lambda m: (m(4096, 10000, dtype=F32),),
)
add("variance over the middle, 64x1000x300 f32", lambda x: x.var(1), lambda m: (m(64, 1000, 300, dtype=F32),))
add("variance over the middle, 64x1000x301", lambda x: x.var(1), lambda m: (m(64, 1000, 301),))
add(
    "one-hot of classes, 1000000 of 64 to f32",
    lambda t: F.one_hot(t, 64).float(),
    lambda m: (m.rows(64, 1000000),),
)


def _black_scholes(s, k, t):
    d = (torch.log(s / k) + (0.02 + 0.045) * t) / (0.3 * torch.sqrt(t))
    e = d - 0.3 * torch.sqrt(t)
    n = lambda v: 0.5 * (1 + torch.erf(v / math.sqrt(2)))  # noqa: E731
    return s * n(d) - k * torch.exp(-0.02 * t) * n(e)


add("option prices, 4096x8192 f32", _black_scholes, lambda m: tuple(m.uniform(4096, 8192) + 0.5 for _ in range(3)))
add(
    "log-likelihoods of mixtures of 8 Gaussians of 16, 200000 f32",
    lambda x, a, s, w: torch.logsumexp(
        w - s.log().sum(-1) - 0.5 * (((x[:, None] - a) / s) ** 2).sum(-1), -1
    ),
    lambda m: (m(200000, 16, dtype=F32), torch.randn(8, 16, device=m.device), m.uniform(8 * m.scale, 16) + 0.5,
               m.uniform(8)),
)  # fmt: skip
add(
    "nearest of 64 centers of 3, 1000000 f32",
    lambda x, c: ((x[:, None] - c) ** 2).sum(-1).argmin(-1),
    lambda m: (m(1000000, 3, dtype=F32), torch.randn(64, 3, device=m.device)),
)
add(
    "distances of pairs, 4000x4000 of 32 f32",
    lambda x, y: (x[:, None] - y[None]).square().sum(-1).sqrt(),
    lambda m: (m(4000, 32, dtype=F32), torch.randn(4000, 32, device=m.device)),
)


def _lennard_jones(x):
    d = x[:, None] - x[None]
    r = (d * d).sum(-1) + torch.eye(x.shape[0], device=x.device)
    s = 1.0 / (r * r * r)
    return (4 * (s * s - s)).triu(1).sum()


add("Lennard-Jones energies of 3000 points", _lennard_jones, lambda m: (m(3000, 3, dtype=F32),))


def _reaction(u, v):
    def laplacian(x):
        return sum(torch.roll(x, s, d) for s in (1, -1) for d in (0, 1)) - 4 * x

    r = u * v * v
    return u + 0.16 * laplacian(u) - r + 0.06 * (1 - u), v + 0.08 * laplacian(v) + r - 0.12 * v


add(
    "reaction and diffusion with periodic borders, 4096x4096 f32",
    _reaction,
    lambda m: (m.uniform(4096, 4096), m.uniform(4096, 4096)),
)


def _wave(a, b):
    c = b[1:-1, 1:-1, 1:-1]
    near = (
        b[2:, 1:-1, 1:-1]
        + b[:-2, 1:-1, 1:-1]
        + b[1:-1, 2:, 1:-1]
        + b[1:-1, :-2, 1:-1]
        + b[1:-1, 1:-1, 2:]
        + b[1:-1, 1:-1, :-2]
        - 6 * c
    )
    return F.pad(2 * c - a[1:-1, 1:-1, 1:-1] + 0.1 * near, (1,) * 6)


add("step of a wave equation, 256^3 f32", _wave, lambda m: (m(256, 256, 256, dtype=F32), m(256, 256, 256, dtype=F32)))


def _life(x):
    n = sum(torch.roll(x, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1)) - x
    return ((n == 3) | ((n == 2) & (x == 1))).to(torch.uint8)


add("game of life, 8192x8192 uint8", _life, lambda m: (m.ints(2, 8192, 8192, dtype=torch.uint8),))


def _quaternions(a, b):
    w, x, y, z = a.unbind(-1)
    s, t, u, v = b.unbind(-1)
    return torch.stack([w * s - x * t - y * u - z * v, w * t + x * s + y * v - z * u,
                        w * u - x * v + y * s + z * t, w * v + x * u - y * t + z * s], -1)  # fmt: skip


add(
    "products of quaternions, 4000000x4 f32",
    _quaternions,
    lambda m: (m(4000000, 4, dtype=F32), m(4000000, 4, dtype=F32)),
)
add(
    "cross products, 4000000x3 f32",
    lambda a, b: torch.linalg.cross(a, b),
    lambda m: (m(4000000, 3, dtype=F32), m(4000000, 3, dtype=F32)),
)


def _rotations(x):
    a, b = x[..., :3], x[..., 3:]
    u = F.normalize(a, dim=-1)
    v = F.normalize(b - (u * b).sum(-1, keepdim=True) * u, dim=-1)
    return torch.stack([u, v, torch.linalg.cross(u, v)], -2)


add("rotations of six numbers, 1000000x6 f32", _rotations, lambda m: (m(1000000, 6, dtype=F32),))
add(
    "points by 3x4 matrices, 64x100000x3 f32",
    lambda x, a: (x[..., None, :] * a[:, None, :, :3]).sum(-1) + a[:, None, :, 3],
    lambda m: (m(64, 100000, 3, dtype=F32), m(64, 3, 4, dtype=F32)),
)


def _edges(x, s, d):
    v = x[s] - x[d]
    r = v.norm(dim=-1, keepdim=True)
    return v / (r + 1e-6), torch.exp(-10 * (r - torch.linspace(0, 5, 16, device=x.device)) ** 2)


add(
    "directions and radial functions of edges, 1000000 of 50000 points f32",
    _edges,
    lambda m: (torch.randn(50000, 3, device=m.device), m.rows(50000, 1000000), m.rows(50000, 1000000)),
)
add(
    "interleaved rows, 2x8192x4096",
    lambda a, b: torch.stack([a, b], 1).view(-1, 4096),
    lambda m: (m(8192, 4096), m(8192, 4096)),
)
add(
    "mixtures of images, 256x3x224x224",
    lambda x, a: x * a[:, None, None, None] + x.flip(0) * (1 - a[:, None, None, None]),
    lambda m: (m(256, 3, 224, 224), m(256, 1)[:, 0]),
)
add(
    "sines of time steps, 4096x1280",
    lambda t, f: (lambda a: torch.cat([a.cos(), a.sin()], -1))(t[:, None].float() * f[None]),
    lambda m: (m.uniform(16384, 1)[:, 0] * 1000, m.uniform(640)),
)
add(
    "columns joined with one-hot of classes, 200000x120 and 8",
    lambda x, t: torch.cat([x, F.one_hot(t, 8).to(x.dtype)], 1),
    lambda m: (m(200000, 120), m.rows(8, 200000)),
)
add(
    "lower triangle of products, 64x1024x1024",
    lambda x, d: torch.tril(x) * torch.exp(d[:, :, None] - d[:, None, :]).tril(),
    lambda m: (m(64, 1024, 1024), m(64, 1024, dtype=F32)),
)
