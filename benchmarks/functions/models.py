"""Blocks of models in the words of their published code, with sizes of their own."""

import math

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add


def _rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def _heads_with_rope(q, k, cos, sin):
    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
    return q * cos + _rotate_half(q) * sin, k * cos + _rotate_half(k) * sin


add(
    "RoPE of projected heads, groups of 4, 2x3000x4096",
    lambda q, k, cos, sin: _heads_with_rope(
        q.view(2, -1, 32, 128).transpose(1, 2), k.view(2, -1, 8, 128).transpose(1, 2), cos, sin
    ),
    lambda m: [torch.randn(2, 3000, size, device=m.device).to(BF16) for size in (4096, 1024, 128, 128)],
)


def _rope_by_frequencies(x, positions):
    rate = 1.0 / (10000 ** (torch.arange(0, 96, 2, device=x.device).float() / 96))
    angles = positions[:, None].float() * rate[None]
    angles = torch.cat((angles, angles), dim=-1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return x * cos + _rotate_half(x) * sin


add(
    "RoPE with frequencies in place, 8x24x2000x96",
    _rope_by_frequencies,
    lambda m: (m(8, 24, 2000, 96), torch.arange(2000, device=m.device)),
)
add(
    "RoPE by complex numbers, 4x2048x24x128",
    lambda x, f: torch.view_as_real(torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2)) * f[:, None])
    .flatten(3)
    .type_as(x),
    lambda m: (m(4, 2048, 24, 128), torch.exp(1j * torch.rand(2048, 64, device=m.device))),
)


def _gemma_norm(x, weight):
    wide = x.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6) * (1.0 + weight.float())).type_as(x)


add("RMS norm with one plus the weight, 20000x3072", _gemma_norm, lambda m: (m(20000, 3072), m(3072)))
add(
    "norm after the block, residual and norm before the next, 12000x3584",
    lambda x, h, a, b: (lambda y: (y, _gemma_norm(y, b)))(h + _gemma_norm(x, a)),
    lambda m: (m(12000, 3584), m(12000, 3584), m(3584), m(3584)),
)
add(
    "RMS norm of a part of a row, and the rest, 16384x576",
    lambda x, w: (F.rms_norm(x[:, :512], (512,), w), x[:, 512:].contiguous()),
    lambda m: (m(16384, 576), m(512)),
)


def _routing(logits):
    scores = logits.float().sigmoid()
    weights, chosen = torch.topk(scores, 8, dim=-1)
    return weights / (weights.sum(-1, keepdim=True) + 1e-20) * 2.5, chosen


add("routing by eight of 256 experts, 16384x256", _routing, lambda m: (m(16384, 256),))
add(
    "softmax of a router, its mean, and log-sum-exp squared, 32768x64",
    lambda x: (x.float().softmax(-1), x.float().softmax(-1).mean(0), torch.logsumexp(x.float(), -1).pow(2).mean()),
    lambda m: (m(32768, 64),),
)
add(
    "experts' outputs back by weights, 8192x2x4096",
    lambda x, w: (x * w.unsqueeze(-1)).sum(dim=1),
    lambda m: (m(8192, 2, 4096), m(8192, 2)),
)


def _discretized(delta, a, b, u):
    decay = torch.exp(delta.unsqueeze(-1) * a)
    drive = delta.unsqueeze(-1) * b.unsqueeze(2) * u.unsqueeze(-1)
    return decay, drive


add(
    "discretized states, 4x1000x1536x16 f32",
    lambda delta, a, b, u: _discretized(F.softplus(delta), -torch.exp(a), b, u),
    lambda m: (m(4, 1000, 1536, dtype=F32), torch.randn(1536, 16, device=m.device), m(4, 1000, 16, dtype=F32),
               m(4, 1000, 1536, dtype=F32)),
)  # fmt: skip
add(
    "norm of a gated state, 8192x5120",
    lambda x, z, w: F.rms_norm((x.float() * F.silu(z.float())), (5120,), w.float(), 1e-5).to(x.dtype),
    lambda m: (m(8192, 5120), m(8192, 5120), m(5120)),
)
add(
    "depthwise causal convolution of 4 with SiLU, 8x4096x2048",
    lambda x, w: F.silu(sum(F.pad(x, (0, 0, 3, 0))[:, i : i + x.shape[1]] * w[i] for i in range(4))),
    lambda m: (m(8, 4096, 2048), torch.randn(4, 2048, device=m.device).to(BF16)),
)
add(
    "decays of chunks, 64x32x256 f32",
    lambda a: (lambda s: torch.exp(s[..., :, None] - s[..., None, :]).tril())(torch.cumsum(a, -1)),
    lambda m: (-m(64, 32, 256, dtype=F32).abs(),),
)


def _buckets(length, device):
    at = torch.arange(length, device=device)
    distance = at[None, :] - at[:, None]
    side = (distance > 0).long() * 16
    distance = distance.abs()
    far = 8 + (torch.log(distance.float() / 8) / math.log(16) * 8).long()
    return side + torch.where(distance < 8, distance, far.clamp_max(15))


add(
    "bias of logarithmic buckets, 1x16x1500x1500",
    lambda x, table: x + table[_buckets(1500, x.device)].permute(2, 0, 1).unsqueeze(0),
    lambda m: (torch.randn(1, 16, 1500, 1500, device=m.device).to(BF16), torch.randn(32, 16, device=m.device).to(BF16)),
)


def _timestep_embedding(t):
    rate = torch.exp(-math.log(10000) * torch.arange(160, device=t.device, dtype=t.dtype) / 160)
    angles = t[:, None] * rate[None]
    return torch.cat([torch.cos(angles), torch.sin(angles)], dim=-1)


add(
    "embedding of 50000 time steps, 320 f32",
    _timestep_embedding,
    lambda m: (torch.rand(50000, device=m.device) * 1000,),
)
add(
    "residual block: norm of groups, scale and shift by time, SiLU, 8x640x48x48",
    lambda x, w, b, s, t: F.silu(F.group_norm(x, 32, w, b) * (1 + s[:, :, None, None]) + t[:, :, None, None]),
    lambda m: (m(8, 640, 48, 48), m(640), m(640), m(8, 640), m(8, 640)),
)
add(
    "guided noise and a step of the sampler, 16x4x128x128",
    lambda x, e, a, b: (lambda n: ((x - (1 - a).sqrt() * n) / a.sqrt() * b.sqrt() + (1 - b).sqrt() * n).to(x.dtype))(
        e.chunk(2)[0] + 7.5 * (e.chunk(2)[1] - e.chunk(2)[0])
    ),
    lambda m: (
        *(torch.randn(size, 4, 128, 128, device=m.device).to(BF16) for size in (16, 32)),
        *torch.rand(2, device=m.device).unbind(),
    ),
)
add(
    "velocities to noise by step, v-prediction, 64x4x96x96 f32",
    lambda x, v, a, t: (a[t].sqrt()[:, None, None, None] * v + (1 - a[t]).sqrt()[:, None, None, None] * x),
    lambda m: (
        m(64, 4, 96, 96, dtype=F32),
        m(64, 4, 96, 96, dtype=F32),
        torch.rand(1000, device=m.device),
        m.rows(1000, 64),
    ),
)
add(
    "patches of 14 to tokens, with positions and a class token, 32x256x1024",
    lambda x, c, p: torch.cat([c.expand(x.shape[0], -1, -1), x.flatten(2).transpose(1, 2)], 1) + p,
    lambda m: (m(32, 1024, 16, 16), torch.randn(1, 1, 1024, device=m.device).to(BF16),
               torch.randn(1, 257, 1024, device=m.device).to(BF16)),
)  # fmt: skip
add(
    "layer scale, dropped paths and residual, 64x577x1024",
    lambda x, y, g, keep: x + (y * g) * (keep / 0.9)[:, None, None],
    lambda m: (m(64, 577, 1024), m(64, 577, 1024), m(1024), (m.uniform(64, 1) < 0.9)[:, 0].to(BF16)),
)
add(
    "block of ConvNeXt: norm of channels, last to first, 32x192x40x40",
    lambda x, y, w, b, g: x + (F.layer_norm(y.permute(0, 2, 3, 1), (192,), w, b, 1e-6) * g).permute(0, 3, 1, 2),
    lambda m: (m(32, 192, 40, 40), m(32, 192, 40, 40), m(192), m(192), m(192)),
)
add(
    "merging of 2x2 patches and norm, 32x56x56x96",
    lambda x, w, b: F.layer_norm(
        torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1), (384,), w, b
    ),
    lambda m: (m(32, 56, 56, 96), m(384), m(384)),
)
add(
    "squeeze and excitation with hard sigmoid and swish, 64x120x28x28",
    lambda x, s: F.hardswish(x * F.hardsigmoid(s)[:, :, None, None]),
    lambda m: (m(64, 120, 28, 28), m(64, 120)),
)
add(
    "inverted residual: batch norm in inference and ReLU6, channels last, 64x144x56x56",
    lambda x, mean, var, w, b: F.relu6(F.batch_norm(x, mean, var + 0.1, w, b, False, 0.1, 1e-3)),
    lambda m: (m.image(64, 144, 56, 56), *torch.rand(4, 144, device=m.device).unbind()),
)
add(
    "attention pooling: softmax of 49 scores and weighted sum, 2048x49x512",
    lambda x, s: (x * s.softmax(-1).unsqueeze(-1)).sum(1),
    lambda m: (m(2048, 49, 512), m(2048, 49)),
)
add(
    "boxes from anchors and deltas, 32x50000x4 f32",
    lambda d, a: (
        lambda size, center, grown: torch.stack(
            (
                center[..., 0] + d[..., 0] * size[..., 0] - 0.5 * grown[..., 0],
                center[..., 1] + d[..., 1] * size[..., 1] - 0.5 * grown[..., 1],
                center[..., 0] + d[..., 0] * size[..., 0] + 0.5 * grown[..., 0],
                center[..., 1] + d[..., 1] * size[..., 1] + 0.5 * grown[..., 1],
            ),
            -1,
        )
    )(a[:, 2:] - a[:, :2], 0.5 * (a[:, 2:] + a[:, :2]), (a[:, 2:] - a[:, :2]) * d[..., 2:].clamp(max=4.135).exp()),
    lambda m: (m(32, 50000, 4, dtype=F32), torch.rand(50000, 4, device=m.device).sort(-1).values),
)
add(
    "keypoints as expectations of heat maps, 64x17x64x48 f32",
    lambda x: (
        lambda p: torch.stack(
            (
                (p * torch.arange(48, device=x.device, dtype=x.dtype)).sum((2, 3)),
                (p * torch.arange(64, device=x.device, dtype=x.dtype)[:, None]).sum((2, 3)),
            ),
            -1,
        )
    )(x.flatten(2).softmax(-1).view_as(x)),
    lambda m: (m(64, 17, 64, 48, dtype=F32),),
)
add(
    "LSTM cell, 16384x4x1024",
    lambda gates, c: (
        lambda i, f, g, o: (lambda new: (o.sigmoid() * new.tanh(), new))(f.sigmoid() * c + i.sigmoid() * g.tanh())
    )(*gates.chunk(4, 1)),
    lambda m: (m(16384, 4096), m(16384, 1024)),
)
add(
    "GRU cell with gradient, 8192x3x1024",
    lambda a, b, h: (lambda r, z: (lambda n: (1 - z) * n + z * h)((a[:, 2048:] + r * b[:, 2048:]).tanh()))(
        (a[:, :1024] + b[:, :1024]).sigmoid(), (a[:, 1024:2048] + b[:, 1024:2048]).sigmoid()
    ),
    lambda m: (m(8192, 3072, grad=True), m(8192, 3072, grad=True), m(8192, 1024, grad=True)),
)
add(
    "layer norm, dropout mask, residual, with gradient, 12288x2560",
    lambda x, r, keep, w, b: F.layer_norm(r + x * keep * (1 / 0.9), (2560,), w, b),
    lambda m: (
        *(m(12288, 2560, grad=True) for _ in range(2)),
        m.uniform(12288, 2560) < 0.9,
        *(m(2560, grad=True) for _ in range(2)),
    ),
)
add(
    "RMS norm with gradient, 10000x7168",
    lambda x, w: x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(x.dtype) * w,
    lambda m: (m(10000, 7168, grad=True), m(7168, grad=True)),
)
add(
    "SwiGLU of two tensors with gradient, clamped, 8192x8192",
    lambda a, b: F.silu(a.clamp(max=7.0)) * (b.clamp(-7.0, 7.0) + 1),
    lambda m: (m(8192, 8192, grad=True), m(8192, 8192, grad=True)),
)
add(
    "logits of the last positions, scaled, with bans, and log-softmax, 256x100000",
    lambda x, t, ban: torch.log_softmax(x.float() / t[:, None], -1).masked_fill(ban, float("-inf")),
    lambda m: (m(256, 100000), m.uniform(256, 1)[:, 0] + 0.5, m.uniform(256, 100000) < 0.01),
)


def _chosen(logits, tokens):
    return torch.gather(logits.float().log_softmax(-1), 2, tokens[..., None])[..., 0]


add(
    "log-probabilities of two policies and the loss of preferences, 8x512x32000",
    lambda a, b, t: -F.logsigmoid(0.1 * (_chosen(a, t) - _chosen(b, t)).sum(-1)),
    lambda m: (m(8, 512, 32000), m(8, 512, 32000), m.ints(32000, 8, 512)),
)
add(
    "masked mean of tokens and normalized, 512x512x768",
    lambda x, mask: F.normalize((x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1e-9), p=2.0, dim=1),
    lambda m: (m(512, 512, 768), (m.uniform(512, 512) < 0.7).to(BF16)),
)


def _padded_and_causal(scores, keep):
    causal = torch.ones(800, 800, dtype=torch.bool, device=scores.device).tril()
    masked = scores.masked_fill(~(keep[:, None, None, :] & causal), -65504.0)
    return F.softmax(masked, -1, dtype=torch.float32).to(scores.dtype)


add(
    "scores with key padding and causal mask, 16x12x800x800 f16",
    _padded_and_causal,
    lambda m: (m(16, 12, 800, 800, dtype=torch.float16), m.uniform(16, 800) < 0.9),
)
