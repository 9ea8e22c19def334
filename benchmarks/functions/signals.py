"""Images, sound, steps of diffusion and physics, and statistics in further spellings."""

import math

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

# Images and sound


def _random_crops(x, flip, gain, mean, std):
    x = x[:, 8:-8, 8:-8].permute(0, 3, 1, 2).float() / 255
    x = torch.where(flip.view(-1, 1, 1, 1), x.flip(3), x) * gain.view(-1, 1, 1, 1)
    return ((x.clamp(0, 1) - mean.view(3, 1, 1)) / std.view(3, 1, 1)).to(BF16)


add(
    "bytes cropped, flipped by image, scaled and standardized, 512x240x240x3",
    _random_crops,
    lambda m: (
        m.ints(256, 512, 240, 240, 3, dtype=torch.uint8),
        m.of_rows(512) > 0.5,
        m.of_rows(512),
        m.uniform(3),
        m.uniform(3) + 0.5,
    ),
)


def _gray_and_solarized(x, t):
    gray = (x * x.new_tensor([0.299, 0.587, 0.114]).view(3, 1, 1)).sum(1, keepdim=True)
    x = torch.where(x >= t, 1 - x, x)
    low, high = x.amin((-2, -1), keepdim=True), x.amax((-2, -1), keepdim=True)
    return (0.8 * (x - low) / (high - low).clamp_min(1e-6) + 0.2 * gray).clamp(0, 1)


add(
    "solarized images with stretched contrast and part of gray, 128x3x331x331 f32",
    _gray_and_solarized,
    lambda m: (m.uniform(128, 3, 331, 331), m.uniform(1)),
)


def _rolled_patches(x):
    x = torch.roll(x, (-3, -3), (1, 2))
    n, h, w, c = x.shape
    x = F.layer_norm(x, (c,))
    return x.view(n, h // 7, 7, w // 7, 7, c).transpose(2, 3).reshape(-1, 49, c)


add("rolled, normed and cut to windows of 7x7, 64x56x56x128", _rolled_patches, lambda m: (m(64, 56, 56, 128),))
add(
    "means of 3x3 by unfold of padded maps, 64x32x129x131 f32",
    lambda x: F.pad(x, (1, 1, 1, 1), mode="replicate").unfold(2, 3, 1).unfold(3, 3, 1).mean((-2, -1)),
    lambda m: (m(64, 32, 129, 131, dtype=F32),),
)


def _mel_decibels(p):
    db = 10 / math.log(10) * p.clamp(min=1e-10).log()
    most = db.flatten(1).max(1)[0]
    db = torch.where(db < most[:, None, None] - 80, most[:, None, None] - 80, db)
    return (db - db.mean(-1, keepdim=True)) / (db.std(-1, keepdim=True) + 1e-5)


add("decibels by image and bands standardized, 256x128x997 f32", _mel_decibels, lambda m: (m.uniform(256, 128, 997),))


def _mu_law_of_emphasis(x):
    y = torch.cat([x[:, :1], x[:, 1:] - 0.97 * x[:, :-1]], 1)
    y = y / y.abs().amax(1, keepdim=True).clamp_min(1e-8)
    return ((y.sign() * torch.log1p(255 * y.abs()) / math.log(256) + 1) / 2 * 255 + 0.5).to(torch.uint8)


add("emphasis, peak and mu-law bytes, 256x441001 f32", _mu_law_of_emphasis, lambda m: (m(256, 441001, dtype=F32),))


# Steps of diffusion and physics


def _solver(x, cond, free, old, a, s):
    a, s = a.view(-1, 1, 1, 1), s.view(-1, 1, 1, 1)
    noise = free.lerp(cond, 4.5)
    clean = (x - s * noise) / a
    bound = clean.abs().amax((1, 2, 3), keepdim=True).clamp(min=1.0)
    clean = clean.clamp(-bound, bound) / bound
    return a * (1.5 * clean - 0.5 * old) + s * noise, clean


add(
    "guidance, bound of clean images and a step of two orders, 256x4x128x128",
    _solver,
    lambda m: (
        *(m(256, 4, 128, 128) for _ in range(4)),
        m.of_rows(256) + 0.1,
        m.of_rows(256),
    ),
)


def _cahn_hilliard(c):
    def laplacian(u):
        return sum(torch.roll(u, k, d) for k in (1, -1) for d in (-1, -2)) - 4 * u

    return c + 0.01 * laplacian(c**3 - c - 0.5 * laplacian(c))


add("phase separation with periodic borders, 8192x8192 f32", _cahn_hilliard, lambda m: (m(8192, 8192, dtype=F32),))


def _shallow_water(h, u, v):
    def dx(f):
        return 0.5 * (f.roll(-1, 1) - f.roll(1, 1))

    def dy(f):
        return 0.5 * (f.roll(-1, 0) - f.roll(1, 0))

    return h - 0.1 * (dx(h * u) + dy(h * v)), u - 0.1 * (u * dx(u) + v * dy(u) + 9.8 * dx(h))


add(
    "shallow water with periodic borders, 4099x4099 f32",
    _shallow_water,
    lambda m: tuple(m.uniform(4099, 4099) for _ in range(3)),
)
add(
    "divergence and curl by differences padded by circles, 3x192x192x193 f32",
    lambda v: (
        lambda p: (
            (p[:, 2:, 1:-1, 1:-1] - p[:, :-2, 1:-1, 1:-1])[0]
            + (p[:, 1:-1, 2:, 1:-1] - p[:, 1:-1, :-2, 1:-1])[1]
            + (p[:, 1:-1, 1:-1, 2:] - p[:, 1:-1, 1:-1, :-2])[2]
        )
    )(F.pad(v, (1, 1, 1, 1, 1, 1), mode="circular")),
    lambda m: (m(3 * m.scale, 192, 192, 193, dtype=F32),),
)


# Statistics


def _correlation(x, y):
    a, b = x - x.mean(0), y - y.mean(0)
    return (a * b).sum(0) / ((a * a).sum(0) * (b * b).sum(0)).sqrt()


add(
    "correlations of columns, 1000003x64 f32",
    _correlation,
    lambda m: (m(1000003, 64, dtype=F32), m(1000003, 64, dtype=F32)),
)


def _skewness(x):
    z = (x - x.mean(1, keepdim=True)) / x.std(1, correction=0, keepdim=True)
    return z.pow(3).mean(1), z.pow(4).mean(1) - 3


add("skewness and excess of rows, 65536x1009 f32", _skewness, lambda m: (m(65536, 1009, dtype=F32),))
add(
    "entropy of counts by rows, 500000x100 int32",
    lambda c: (lambda p: -torch.special.xlogy(p, p).sum(-1))(c / c.sum(-1, keepdim=True).clamp(min=1)),
    lambda m: (m.ints(1000, 500000, 100, dtype=torch.int32),),
)
add(
    "z-scores that a mask selects, 64x300x2000",
    lambda x, k: (
        lambda n, s, q: torch.where(k, (x - s / n) * torch.rsqrt((q / n - (s / n) ** 2).clamp_min(0) + 1e-6), 0)
    )(k.sum(-1, keepdim=True), (x * k).sum(-1, keepdim=True), (x * x * k).sum(-1, keepdim=True)),
    lambda m: (m(64, 300, 2000, dtype=F32), m.uniform(64, 300, 2000) > 0.2),
)
add(
    "diagonals of covariances of chunks, 8192x64x129 f32",
    lambda x: (lambda c: torch.einsum("bij,bij->bj", c, c) / (x.size(1) - 1))(x - x.mean(1, keepdim=True)),
    lambda m: (m(8192, 64, 129, dtype=F32),),
)
