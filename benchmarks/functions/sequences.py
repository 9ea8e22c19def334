"""Tokens, time series, returns of episodes, and graphs."""

import torch
import torch.nn.functional as F

from functions.registry import F32, add

F16 = torch.float16


def _returns(rewards, values, ends):
    """Discounted sums of what comes later, as differences of weighted suffixes."""
    powers = 0.99 ** torch.arange(rewards.shape[1], device=rewards.device)
    later = (rewards * powers * (1 - ends)).flip(1).cumsum(1).flip(1) / powers
    gain = later - values
    return later, (gain - gain.mean()) / (gain.std() + 1e-8)


add(
    "discounted returns and advantages, 4096x1024 f32",
    _returns,
    lambda m: (m(4096, 1024, dtype=F32), m(4096, 1024, dtype=F32), (m.uniform(4096, 1024) > 0.99).float()),
)
add(
    "positions of tokens from a mask, 8192x4096",
    lambda mask: (mask.long().cumsum(-1) - 1).masked_fill(mask == 0, 1),
    lambda m: (m.ints(2, 8192, 4096),),
)
add(
    "tokens shifted right with ids masked, 8192x8192 int64",
    lambda t: torch.cat([torch.zeros_like(t[:, :1]), t[:, :-1]], 1).masked_fill(t == -100, 0),
    lambda m: (m.ints(50000, 8192, 8192),),
)
add(
    "causal mask with lengths, 64x1x2048x2048",
    lambda n: (
        lambda i: ((i[None, :] <= i[:, None])[None] & (i[None, None] < n[:, None, None]))[:, None]
    )(torch.arange(2048, device=n.device)),
    lambda m: (m.ints(2048, 64),),
)  # fmt: skip
add(
    "places in experts by one-hot sums, 65536 to 64",
    lambda e: (lambda h: ((h.cumsum(0) - 1) * h).sum(-1))(F.one_hot(e, 64)),
    lambda m: (m.rows(64, 65536),),
)
add(
    "top weights of experts renormalized, 262144x8 f32",
    lambda w: w / w.sum(-1, keepdim=True).clamp(min=1e-9),
    lambda m: (m.uniform(262144, 8),),
)
add(
    "moving averages of 32 by unfolding, 512x20000 f32",
    lambda x: x.unfold(1, 32, 1).mean(-1),
    lambda m: (m(512, 20000, dtype=F32),),
)
add(
    "differences and z-scores of series, 8192x5000 f32",
    lambda x: (lambda d: (d - d.mean(1, keepdim=True)) / d.std(1, keepdim=True))(x[:, 1:] - x[:, :-1]),
    lambda m: (m(8192, 5000, dtype=F32),),
)
add(
    "quantile loss of 9 levels, 4096x1000x9 f32",
    lambda p, y, q: torch.maximum(q * (y[..., None] - p), (q - 1) * (y[..., None] - p)).mean(),
    lambda m: (m(4096, 1000, 9, dtype=F32), m(4096, 1000, dtype=F32), m.uniform(9)),
)
add(
    "scores of edges by two tables, 2000000 of 100000x64",
    lambda a, b, i, j: (a[i].float() * b[j].float()).sum(-1),
    lambda m: (
        *(m(100000, 64) for _ in range(2)),
        *(m.places(100000, 2000000) for _ in range(2)),
    ),
)
add(
    "sums of bags of 20 rows, 65536x20 of 1000000x64",
    lambda t, i: F.embedding(i, t).sum(1),
    lambda m: (m(1000000, 64), m.places(1000000, 65536, 20)),
)
add(
    "messages to nodes: scatter_add of 1000000x64 f32 to 50000",
    lambda x, i: torch.zeros(50000, 64, device=x.device).scatter_add(0, i[:, None].expand(-1, 64), x),
    lambda m: (m(1000000, 64, dtype=F32), m.rows(50000, 1000000)),
)
add(
    "degrees of nodes: counts of 8000000 edges",
    lambda i: torch.zeros(100000, device=i.device).index_add(0, i, torch.ones_like(i, dtype=torch.float32)),
    lambda m: (m.rows(100000, 8000000),),
)
add(
    "softmax over 16 neighbors and weighted sum, 100000x16x64",
    lambda s, v: (s.float().softmax(1)[..., None] * v.float()).sum(1).to(v.dtype),
    lambda m: (m(100000, 16), m(100000, 16, 64)),
)
add(
    "pairwise factors of tables: halves of squares, 65536x26x64",
    lambda v: 0.5 * (v.float().sum(1).square() - v.float().square().sum(1)).sum(-1),
    lambda m: (m(65536, 26, 64),),
)
add(
    "keys and values written at positions, 64x8x4096x128",
    lambda cache, new, at: cache.index_copy(2, at, new),
    lambda m: (m(64, 8, 4096, 128), m(64, 8, 16, 128), torch.arange(100, 116, device=m.device)),
)
add(
    "int8 keys by scales of tokens, 64x8x4096x128",
    lambda k, s: (k.float() * s[..., None]).to(torch.bfloat16),
    lambda m: (m.ints(255, 64, 8, 4096, 128, dtype=torch.int8), m.uniform(64, 8, 4096)),
)
add(
    "greedy tokens with penalties of counts, 512x50257 f32",
    lambda x, c: (x - 0.2 * c - 0.1 * (c > 0)).argmax(-1),
    lambda m: (m(512, 50257, dtype=F32), m.ints(3, 512, 50257, dtype=torch.int32)),
)
add(
    "softmax with min-p, renormalized, 512x50257",
    lambda x: (
        lambda p: (lambda k: k / k.sum(-1, keepdim=True))(torch.where(p >= 0.1 * p.amax(-1, keepdim=True), p, 0))
    )(x.float().softmax(-1)),
    lambda m: (m(512, 50257),),
)
add(
    "policy of discrete actions: log-probability and entropy, 262144x18 f32",
    lambda x, a: (lambda y: (y.gather(1, a[:, None])[:, 0], -(y.exp() * y).sum(-1)))(x.log_softmax(-1)),
    lambda m: (m(262144, 18, dtype=F32), m.rows(18, 262144)),
)
add(
    "log-densities of actions squashed by tanh, 1000000x6 f32",
    lambda mean, log, noise: (
        lambda u: (u.tanh(), (-0.5 * noise**2 - log - 0.919 - torch.log(1 - u.tanh() ** 2 + 1e-6)).sum(-1))
    )(mean + log.exp() * noise),
    lambda m: tuple(m(1000000, 6, dtype=F32) for _ in range(3)),
)
add(
    "distributional values: expectation of 51 atoms, 100000x6x51 f32",
    lambda x, z: (lambda q: (q, q.argmax(-1)))((x.softmax(-1) * z).sum(-1)),
    lambda m: (m(100000, 6, 51, dtype=F32), m.uniform(51)),
)
add(
    "connectionist scores: log-softmax of time first, 1000x64x500 f32",
    lambda x: x.transpose(0, 1).log_softmax(-1).transpose(0, 1).contiguous(),
    lambda m: (m(1000, 64, 500, dtype=F32),),
)
add(
    "average of states without padding, 256x512x1024 f16",
    lambda x, mask: (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1e-9),
    lambda m: (m(256, 512, 1024, dtype=F16), (m.uniform(256, 512) > 0.2).to(F16)),
)
add(
    "rotary in pairs, f16, 8x2048x16x64",
    lambda x, c, s: (
        lambda a, b: torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)
    )(x[..., ::2], x[..., 1::2]),
    lambda m: (m(8, 2048, 16, 64, dtype=F16), *(torch.rand(2048, 1, 32, device=m.device).to(F16) for _ in range(2))),
)  # fmt: skip
add(
    "relative positions by shifting, 16x16x1024x1024",
    lambda x: F.pad(x, (1, 0)).view(*x.shape[:2], 1025, 1024)[..., 1:, :].contiguous(),
    lambda m: (m(16, 16, 1024, 1024),),
)
