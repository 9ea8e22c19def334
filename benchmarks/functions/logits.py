"""Rows of logits, and embeddings."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

add(
    "repetition penalty, 256x50257",
    lambda x, t: x.scatter(1, t, (lambda s: torch.where(s < 0, s * 1.2, s / 1.2))(x.gather(1, t))),
    lambda m: (m(256, 50257, dtype=F32), m.ints(50257, 256, 512)),
)
add(
    "probabilities above a share of the greatest, 512x128256",
    lambda x: (lambda p: torch.where(p < 0.05 * p.amax(-1, keepdim=True), float("-inf"), x))(
        torch.softmax(x.float() / 0.8, -1)
    ),
    lambda m: (m(512, 128256),),
)
add(
    "greatest and its probability, 512x128256",
    lambda x: (lambda p: (p.argmax(-1), p.amax(-1)))(torch.softmax(x.float(), -1)),
    lambda m: (m(512, 128256),),
)
add(
    "sorted logits cut where sums pass 0.9, 512x50257 f32",
    lambda x: (lambda c: x.masked_fill(c > 0.9, float("-inf")))(torch.softmax(x, -1).cumsum(-1)),
    lambda m: (m(512, 50257, dtype=F32).sort(-1, descending=True)[0],),
)
add(
    "logits by noise of Gumbel, 1024x50257 f32",
    lambda x, u: torch.argmax(x - torch.log(-torch.log(u + 1e-20) + 1e-20), -1),
    lambda m: (m(1024, 50257, dtype=F32), m.uniform(1024, 50257)),
)
add(
    "rows of an embedding with positions, 32x2048x1024",
    lambda i, w, p: F.embedding(i, w) * 32.0 + p[None, : i.shape[1]],
    lambda m: (
        m.ints(50000, 32, 2048),
        torch.randn(50000, 1024, device=m.device).to(BF16),
        torch.randn(2048, 1024, device=m.device).to(BF16),
    ),
)
add(
    "gradient of an embedding, 16384 of 32000x1024",
    lambda i, w: F.embedding(i, w),
    lambda m: (m.rows(32000, 16384), torch.randn(32000, 1024, device=m.device).to(BF16).requires_grad_()),
)
