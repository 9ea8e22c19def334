"""Histograms and sums of rows by group: many elements that meet at few places."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add


def _sums(x, group, count):
    return torch.zeros(count, x.shape[1], dtype=x.dtype, device=x.device).index_add_(0, group, x)


def _counts(group, count, dtype=torch.int64):
    return torch.zeros(count, dtype=dtype, device=group.device).scatter_add_(
        0, group, torch.ones_like(group, dtype=dtype)
    )


add(
    "sums of rows by 64 groups, 200000x128 f32",
    lambda x, g: _sums(x, g, 64),
    lambda m: (m(200000, 128, dtype=F32), m.rows(64, 200000)),
)
add(
    "means of rows by 1000 groups, 1000000x16 f32",
    lambda x, g: _sums(x, g, 1000) / _counts(g, 1000, F32)[:, None].clamp(min=1),
    lambda m: (m(1000000, 16, dtype=F32), m.rows(1000, 1000000)),
)
add(
    "counts of 1000 classes, 8000000 int64",
    lambda g: _counts(g, 1000),
    lambda m: (m.ints(1000, 8000000),),
)
add(
    "counts of 16 classes, 8000000 int64",
    lambda g: _counts(g, 16),
    lambda m: (m.ints(16, 8000000),),
)
add(
    "confusion matrix of 100 classes, 4000000 int64",
    lambda p, t: _counts(p * 100 + t, 10000).view(100, 100),
    lambda m: (m.ints(100, 4000000), m.ints(100, 4000000)),
)
add(
    "joint histogram of two images with 64 levels each, 16x1048576 f32",
    lambda a, b: torch.zeros(a.shape[0], 4096, dtype=a.dtype, device=a.device).scatter_add_(
        1, (a * 63.99).long() * 64 + (b * 63.99).long(), torch.ones_like(a)
    ),
    lambda m: (m.uniform(16, 1048576), m.uniform(16, 1048576)),
)
add(
    "soft histogram of 256 levels by linear weights, 4000000 f32",
    lambda x: (
        lambda p, low: torch.zeros(257, dtype=x.dtype, device=x.device)
        .index_add_(0, low.long(), 1 - (p - low))
        .index_add_(0, low.long() + 1, p - low)
    )(x * 255, (x * 255).floor()),
    lambda m: (m.uniform(4000000),),
)
add(
    "greatest value of each of 500 groups, 4000000 f32",
    lambda x, g: torch.full((500,), float("-inf"), dtype=x.dtype, device=x.device).scatter_reduce_(0, g, x, "amax"),
    lambda m: (m(4000000, dtype=F32), m.ints(500, 4000000)),
)
add(
    "gradient of an embedding of token types, 65536 of 16x1024",
    lambda w, ids: F.embedding(ids, w),
    lambda m: (m(16 * m.scale, 1024, dtype=BF16, grad=True), m.ints(16, 64, 1024)),
)
add(
    "loads and probabilities of 64 experts, 65536 tokens of 2",
    lambda p, ids: (
        _counts(ids.flatten(), 64),
        torch.zeros(64, dtype=p.dtype, device=p.device).index_add_(0, ids.flatten(), p.flatten()),
    ),
    lambda m: (m.uniform(65536, 2), m.ints(64, 65536, 2)),
)
