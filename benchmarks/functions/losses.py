"""Losses, with and without gradients."""

import torch
import torch.nn.functional as F

from functions.registry import F32, add


def _capped_loss(x, t):
    return F.cross_entropy(30.0 * torch.tanh(x.float() / 30.0), t)


add(
    "cross-entropy of capped logits, 4000x32000",
    _capped_loss,
    lambda m: (m(4000, 32000), m.rows(32000, 4000)),
)
add(
    "cross-entropy of capped logits with gradient, 4000x32000",
    _capped_loss,
    lambda m: (m(4000, 32000, grad=True), m.rows(32000, 4000)),
)


def _dice(x, y):
    p = x.softmax(1)
    return 1 - ((2 * (p * y).sum((2, 3)) + 1) / (p.sum((2, 3)) + y.sum((2, 3)) + 1)).mean()


add(
    "Dice loss of a softmax of channels, 32x4x256x256",
    _dice,
    lambda m: (m(32, 4, 256, 256, dtype=F32), m.uniform(32, 4, 256, 256)),
)


def _focal(x, y):
    ce = F.binary_cross_entropy_with_logits(x, y, reduction="none")
    p = torch.sigmoid(x)
    pt = p * y + (1 - p) * (1 - y)
    return ((0.25 * y + 0.75 * (1 - y)) * ce * (1 - pt) ** 2).sum()


add("focal loss, 200000x80 f32", _focal, lambda m: (m(200000, 80, dtype=F32), m.uniform(200000, 80).round()))
add(
    "focal loss with gradient, 200000x80 f32",
    _focal,
    lambda m: (m(200000, 80, dtype=F32, grad=True), m.uniform(200000, 80).round()),
)


def _balance(x):
    p = x.float().softmax(-1)
    chosen = F.one_hot(p.argmax(-1), 64).float()
    return 64 * (p.mean(0) * chosen.mean(0)).sum()


add("balance loss of experts, 65536x64", _balance, lambda m: (m(65536, 64),))
add(
    "Kullback-Leibler divergence of two rows of logits, 8192x32000",
    lambda x, y: F.kl_div(
        F.log_softmax(x.float(), -1), F.log_softmax(y.float(), -1), log_target=True, reduction="batchmean"
    ),
    lambda m: (m(8192, 32000), m(8192, 32000)),
)


def _distill(x, y):
    return F.kl_div(F.log_softmax(x / 2, -1), F.softmax(y / 2, -1), reduction="batchmean") * 4


add(
    "distillation with gradient, 8192x10000",
    _distill,
    lambda m: (m(8192, 10000, grad=True), m(8192, 10000)),
)
add(
    "cross-entropy with label smoothing and gradient, 8192x32000",
    lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1),
    lambda m: (m(8192, 32000, grad=True), m.rows(32000, 8192)),
)


def _z_loss(x, t):
    x = x.float()
    z = torch.logsumexp(x, -1)
    return (z - x.gather(-1, t[:, None])[:, 0]).mean() + 1e-4 * (z * z).mean()


add(
    "cross-entropy with z-loss and gradient, 8192x50304",
    _z_loss,
    lambda m: (m(8192, 50304, grad=True), m.rows(50304, 8192)),
)
add(
    "cross-entropy of pixels, 16x19x512x512",
    lambda x, t: F.cross_entropy(x, t, ignore_index=255),
    lambda m: (m(16, 19, 512, 512), m.ints(19, 16, 512, 512)),
)
add(
    "cross-entropy of pixels with gradient, 16x19x512x512",
    lambda x, t: F.cross_entropy(x, t, ignore_index=255),
    lambda m: (m(16, 19, 512, 512, grad=True), m.ints(19, 16, 512, 512)),
)


def _contrastive(x):
    x, t = x[:, : x.shape[0]], torch.arange(x.shape[0], device=x.device)
    return (F.cross_entropy(x, t) + F.cross_entropy(x.t(), t)) / 2


add("contrastive loss of rows and columns, 8192x8192", _contrastive, lambda m: (m(8192, 8192),))
add(
    "smooth L1 loss, 64x1000x1000 f32",
    lambda x, y: F.smooth_l1_loss(x, y, beta=0.1),
    lambda m: (m(64, 1000, 1000, dtype=F32), m(64, 1000, 1000, dtype=F32)),
)
add(
    "triplet loss, 200000x256",
    lambda a, p, n: F.triplet_margin_loss(a, p, n),
    lambda m: (m(200000, 256), m(200000, 256), m(200000, 256)),
)
add(
    "cosine similarity of rows, 200000x300",
    lambda a, b: F.cosine_similarity(a, b, dim=-1),
    lambda m: (m(200000, 300), m(200000, 300)),
)
add(
    "negative log-likelihood of Gaussians, 32x1000x2000 f32",
    lambda mean, x, var: F.gaussian_nll_loss(mean, x, var.exp()),
    lambda m: (m(32, 1000, 2000, dtype=F32), m(32, 1000, 2000, dtype=F32), m(32, 1000, 2000, dtype=F32)),
)


def _policy(logp, old, adv, mask):
    ratio = torch.exp(logp - old)
    loss = -torch.min(ratio * adv[:, None], ratio.clamp(0.8, 1.2) * adv[:, None])
    return ((loss * mask).sum(-1) / mask.sum(-1).clamp(min=1)).mean()


add(
    "clipped policy loss with gradient, 4096x8192 f32",
    _policy,
    lambda m: (m(4096, 8192, dtype=F32, grad=True), m(4096, 8192, dtype=F32), m.uniform(4096, 1)[:, 0],
               m.uniform(4096, 8192).round()),
)  # fmt: skip
add(
    "entropy of logits, 8192x32000",
    lambda x: (lambda p: -(p.exp() * p).sum(-1))(F.log_softmax(x.float(), -1)),
    lambda m: (m(8192, 32000),),
)
add(
    "log-probabilities of tokens, 4x2048x32000",
    lambda x, t: F.log_softmax(x.float(), -1).gather(-1, t[..., None])[..., 0],
    lambda m: (m(4, 2048, 32000), m.ints(32000, 4, 2048)),
)
