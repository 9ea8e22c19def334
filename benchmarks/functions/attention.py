"""What surrounds matrix products in attention: softmax, rotations, heads, experts."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

add(
    "softmax in f32 next to a sink that is cut off, 4x64x1024x1024",
    lambda x, s: torch.softmax(
        torch.cat([x.float(), s.float().view(1, 64, 1, 1).expand(x.shape[0], 64, 1024, 1)], -1), -1
    )[..., :-1].to(x.dtype),
    lambda m: (m(4, 64, 1024, 1024), m(64)),
)
add(
    "softmax of capped scores, 8x16x1024x1024",
    lambda x: torch.softmax(50.0 * torch.tanh(x / 50.0), -1),
    lambda m: (m(8, 16, 1024, 1024),),
)


def _alibi(x, slopes):
    n = x.shape[-1]
    at = torch.arange(n, device=x.device)
    bias = slopes[:, None, None] * (at[None, :] - at[:, None]).float()
    scores = x.float() * 0.125 + bias
    return torch.softmax(scores.masked_fill(at[None, :] > at[:, None], float("-inf")), -1).to(x.dtype)


add("softmax with slopes and causal mask, 4x32x1024x1024", _alibi, lambda m: (m(4, 32, 1024, 1024), m(32, dtype=F32)))
add(
    "softmax with bias of positions, 64x12x197x197",
    lambda x, table, index: torch.softmax(x + table[index.view(-1)].view(197, 197, -1).permute(2, 0, 1)[None], -1),
    lambda m: (m(64, 12, 197, 197), torch.randn(729, 12, device=m.device).to(BF16),
               torch.randint(729, (197, 197), device=m.device)),
)  # fmt: skip
add(
    "softmax of windows with masks, 4096x6x49x49",
    lambda x, bias, mask: torch.softmax(
        ((x + bias).view(-1, len(mask), 6, 49, 49) + mask[None, :, None]).view(-1, 6, 49, 49), -1
    ),
    lambda m: (m(4096, 6, 49, 49), torch.randn(6, 49, 49, device=m.device).to(BF16),
               m(64, 49, 49)),
)  # fmt: skip
add(
    "masked softmax with gradient, 8x16x1024x1024",
    lambda x, mask: torch.softmax((x * 0.125).masked_fill(~mask, -1e4), -1),
    lambda m: (m(8, 16, 1024, 1024, grad=True), m.uniform(8, 1, 1024, 1024) > 0.5),
)


def _window(x):
    n = x.shape[-1]
    i = torch.arange(n, device=x.device)
    d = i[:, None] - i[None, :]
    return torch.softmax(torch.where((d >= 0) & (d < 256), x.float() * 0.1, float("-inf")), -1).to(x.dtype)


add("softmax of a sliding window, 64x2048x2048", _window, lambda m: (m(64, 2048, 2048),))


def _rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


add(
    "RoPE of a part of each head, 4x32x2048x128",
    lambda x, cos, sin: torch.cat([_rotate(x[..., :64], cos, sin), x[..., 64:]], -1),
    lambda m: (m(4, 32, 2048, 128), torch.randn(2048, 32, device=m.device).to(BF16),
               torch.randn(2048, 32, device=m.device).to(BF16)),
)  # fmt: skip
add(
    "RMS norm of heads and RoPE of chunks, 4x2048x32x128",
    lambda x, w, cos, sin: _rotate(F.rms_norm(x, (128,), w), cos[:, None], sin[:, None]),
    lambda m: (m(4, 2048, 32, 128), m(128), torch.randn(2048, 64, device=m.device).to(BF16),
               torch.randn(2048, 64, device=m.device).to(BF16)),
)  # fmt: skip


def _half(x):
    return torch.cat([-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], -1)


add(
    "RoPE of queries and keys of a packed tensor, 2x4096x6144",
    lambda x, cos, sin: tuple(
        (lambda h: h * cos + _half(h) * sin)(part.view(part.shape[0], 4096, -1, 128).transpose(1, 2))
        for part in x.split([4096, 1024, 1024], -1)[:2]
    ),
    lambda m: (m(2, 4096, 6144), torch.randn(4096, 128, device=m.device).to(BF16),
               torch.randn(4096, 128, device=m.device).to(BF16)),
)  # fmt: skip
add(
    "RoPE by sections of three positions, 4x16x2048x128",
    lambda x, cos, sin: x
    * torch.cat([c[i % 3] for i, c in enumerate(cos.split([16, 24, 24, 16, 24, 24], -1))], -1)[:, None]
    + _half(x) * torch.cat([s[i % 3] for i, s in enumerate(sin.split([16, 24, 24, 16, 24, 24], -1))], -1)[:, None],
    lambda m: (m(4, 16, 2048, 128), torch.randn(3, m.sizes((4, 1))[0], 2048, 128, device=m.device).to(BF16),
               torch.randn(3, m.sizes((4, 1))[0], 2048, 128, device=m.device).to(BF16)),
)  # fmt: skip
add(
    "states of parts of attention merged, 65536x32x128 of 4",
    lambda o, w: (torch.softmax(w, 0)[..., None] * o).sum(0),
    lambda m: (torch.randn(4, m.sizes((16384, 1))[0], 32, 128, device=m.device).to(BF16),
               torch.randn(4, m.sizes((16384, 1))[0], 32, device=m.device)),
)  # fmt: skip
add(
    "keys repeated for groups of heads, 8x8x2048x128 by 4",
    lambda k: k[:, :, None].expand(-1, -1, 4, -1, -1).reshape(k.shape[0], 32, 2048, 128),
    lambda m: (m(8, 8, 2048, 128),),
)
add(
    "features of linear attention, 8x16x4096x64",
    lambda q, k: (F.elu(q) + 1, (F.elu(k) + 1) / ((F.elu(k) + 1).sum(-1, keepdim=True) + 1e-6)),
    lambda m: (m(8, 16, 4096, 64), m(8, 16, 4096, 64)),
)
add(
    "token shift and mixtures, 8x4096x2048",
    lambda x, a, b: (lambda s: (x + (s - x) * a, x + (s - x) * b))(F.pad(x, (0, 0, 1, -1))),
    lambda m: (m(8, 4096, 2048), m(2048), m(2048)),
)
add(
    "outputs of experts summed by weights, 16384x8x2048",
    lambda y, w: (y * w[..., None]).sum(1),
    lambda m: (m(16384, 8, 2048), m(16384, 8)),
)
