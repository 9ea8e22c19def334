"""Norms, softmax and losses in other spellings: casts early or late, kept dimensions, masks, views, gradients."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

F16 = torch.float16


def _norm_of_heads(x, w, b):
    v = x.unflatten(-1, (16, 80))
    var, mean = torch.var_mean(v, -1, correction=0, keepdim=True)
    return ((v - mean) * torch.rsqrt(var + 1e-5)).flatten(-2) * w + b


add(
    "layer norm of heads by variance and mean, f16, 64x1024x1280",
    _norm_of_heads,
    lambda m: (m(64, 1024, 1280, dtype=F16), m(1280, dtype=F16), m(1280, dtype=F16)),
)
add(
    "norm by mean and standard deviation of rows, 20000x1537",
    lambda x, a, b: a * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + b,
    lambda m: (m(20000, 1537), m(1537), m(1537)),
)


def _rms_int8(x, r, w):
    r = r + x
    h = r.float()
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6) * w.float()
    scale = h.abs().max(dim=-1, keepdim=True).values / 127.0
    return torch.clamp(torch.round(h / scale), -128, 127).to(torch.int8), scale, r


add(
    "residual, RMS norm and int8 rows with scales, 16384x5120",
    _rms_int8,
    lambda m: (m(16384, 5120), m(16384, 5120), m(5120)),
)
add(
    "RMS norm by Euclidean norm, cast before the weight, 16384x5120",
    lambda x, w: w * (x.float() / (x.float().norm(2, dim=-1, keepdim=True) * 5120**-0.5 + 1e-6)).type_as(x),
    lambda m: (m(16384, 5120), m(5120)),
)


def _rows_of_masks(x, mask):
    x = x.masked_fill(~mask, float("-inf"))
    most = x.max(dim=-1, keepdim=True)[0]
    e = torch.exp(x - torch.where(torch.isinf(most), torch.zeros_like(most), most))
    return e / e.sum(dim=-1, keepdim=True).clamp_min(1e-9)


add(
    "softmax of rows that masks may empty, 64x12x500x500 f32",
    _rows_of_masks,
    lambda m: (m(64, 12, 500, 500, dtype=F32), m.uniform(64, 1, 500, 500) > 0.5),
)
add(
    "softmax over two dimensions by log-sum-exp, 128x48x47x61",
    lambda x: (x.float() - torch.logsumexp(x.float(), (2, 3), keepdim=True)).exp().to(x.dtype),
    lambda m: (m(128, 48, 47, 61),),
)


def _alibi(x, slopes):
    i = torch.arange(x.shape[-1], device=x.device)
    bias = -(i[:, None] - i[None, :]).abs() * slopes[:, None, None]
    mask = torch.ones(x.shape[-2:], dtype=torch.bool, device=x.device).tril()
    return (x * 0.125 + bias).masked_fill(mask.logical_not(), torch.finfo(x.dtype).min).float().softmax(-1).to(x.dtype)


add(
    "softmax of scores with distances from positions and a triangle of ones, 64x16x500x500",
    _alibi,
    lambda m: (m(64, 16, 500, 500), m.uniform(16)),
)


def _swin(x, table, index):
    bias = table[index.view(-1)].view(49, 49, -1).permute(2, 0, 1).contiguous()
    return (x + bias.unsqueeze(0)).softmax(-1)


add(
    "softmax with a bias by a table of positions, 4096x6x49x49",
    _swin,
    lambda m: (
        m(4096, 6, 49, 49),
        m(169 * m.scale, 6),
        torch.randint(m.vary(169 * m.scale) // m.scale, (49, 49), device=m.device),
    ),
)
add(
    "softmax of a part of a row and of its square, 16384x3063",
    lambda x: (lambda v: torch.stack([v.softmax(-1), v.square().softmax(-1)], 1))(x.unflatten(-1, (3, 1021))[:, 1]),
    lambda m: (m(16384, 3063),),
)


def _sinkhorn(x):
    for _ in range(2):
        x = x - x.logsumexp(-1, keepdim=True)
        x = x - x.logsumexp(-2, keepdim=True)
    return x.exp()


add("Sinkhorn: two rounds over rows and columns, 512x128x128 f32", _sinkhorn, lambda m: (m(512, 128, 128, dtype=F32),))


def _manual_cross_entropy(x, t):
    x = x.float()
    valid = t != -100
    picked = x.gather(-1, t.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return ((torch.logsumexp(x, -1) - picked) * valid).sum() / valid.sum()


add(
    "cross-entropy by log-sum-exp and gather, 8192x32003",
    _manual_cross_entropy,
    lambda m: (m(8192, 32003), m.rows(32003, 8192)),
)


def _mixup_loss(x, t):
    soft = F.one_hot(t, 1000) * 0.7 + F.one_hot(t.flip(0), 1000) * 0.3
    return torch.sum(-soft * F.log_softmax(x.float(), dim=-1), dim=-1).mean()


add(
    "cross-entropy of mixed one-hot targets with gradient, 32768x1000",
    _mixup_loss,
    lambda m: (m(32768, 1000, grad=True), m.rows(1000, 32768)),
)
add(
    "binary cross-entropy by clamp and log1p with gradient, 65536x313 f32",
    lambda x, y: (x.clamp(min=0) - x * y + torch.log1p(torch.exp(-x.abs()))).sum(1).mean(),
    lambda m: (m(65536, 313, dtype=F32, grad=True), m.uniform(65536, 313).round()),
)


def _asymmetric_loss(x, y):
    p = torch.sigmoid(x.float())
    q = (1 - p + 0.05).clamp(max=1)
    loss = y * torch.log(p.clamp(min=1e-8)) + (1 - y) * torch.log(q.clamp(min=1e-8))
    return -(loss * torch.pow(1 - p * y - q * (1 - y), y + 4 * (1 - y))).sum()


add(
    "asymmetric loss of many labels with gradient, f16, 8192x9605",
    _asymmetric_loss,
    lambda m: (m(8192, 9605, dtype=F16, grad=True), m.uniform(8192, 9605).round()),
)


def _supervised_contrast(x, t):
    own = torch.eye(x.shape[1], dtype=torch.bool, device=x.device)[: x.shape[0]]
    same = (t[: x.shape[0], None] == t[None, :]) & ~own
    x = x / 0.1
    x = x - x.max(1, keepdim=True)[0].detach()
    log = x - torch.log((x.exp() * ~own).sum(1, keepdim=True))
    return -((same * log).sum(1) / same.sum(1).clamp(min=1)).mean()


add(
    "supervised contrastive loss, 8192x8192 f32",
    _supervised_contrast,
    lambda m: (m(8192, 8192, dtype=F32), torch.randint(100, (8192,), device=m.device)),
)


def _off_diagonal(c):
    n = c.shape[0]
    off = c.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()
    return (torch.diagonal(c) - 1).pow(2).sum() + 0.005 * off.pow(2).sum()


add(
    "redundancy loss: diagonal and off-diagonal of 6000x6000 f32",
    _off_diagonal,
    lambda m: (torch.randn(6000 // m.scale, 6000 // m.scale, device=m.device),),
)
add(
    "sample and divergence of a Gaussian with gradient, 131072x512",
    lambda a, s, e: (
        a + torch.exp(0.5 * s) * e,
        -0.5 * torch.sum(1 + s.float() - a.float() ** 2 - s.float().exp(), 1).mean(),
    ),
    lambda m: (m(131072, 512, grad=True), m(131072, 512, grad=True), m(131072, 512)),
)
add(
    "gradient penalty: norms of images, 1024x3x128x128 f32",
    lambda g: ((g.reshape(g.shape[0], -1).norm(2, dim=1) - 1) ** 2).mean(),
    lambda m: (m(1024, 3, 128, 128, dtype=F32),),
)


def _rank_net(s, y):
    d = s.unsqueeze(2) - s.unsqueeze(1)
    better = (y.unsqueeze(2) > y.unsqueeze(1)).to(s.dtype)
    return (F.softplus(-d) * better).sum((1, 2)) / better.sum((1, 2)).clamp(min=1.0)


add(
    "ranking loss of pairs in lists of 120 with gradient, 4096x120 f32",
    _rank_net,
    lambda m: (m(4096, 120, dtype=F32, grad=True), m.ints(5, 4096, 120)),
)


def _gumbel_hard(x, u):
    soft = ((x - torch.log(-torch.log(u.clamp(1e-6, 1 - 1e-6)))) / 0.5).softmax(-1)
    hard = torch.zeros_like(soft).scatter_(-1, soft.max(-1, keepdim=True)[1], 1.0)
    return hard - soft.detach() + soft


add(
    "one-hot samples by Gumbel noise with gradient, 262144x64 f32",
    _gumbel_hard,
    lambda m: (m(262144, 64, dtype=F32, grad=True), m.uniform(262144, 64)),
)
add(
    "squashed capsules with gradient, 65536x32x8",
    lambda v: (lambda n: v * (n / (1 + n) / torch.sqrt(n + 1e-8)))((v * v).sum(-1, keepdim=True)),
    lambda m: (m(65536, 32, 8, grad=True),),
)
add(
    "generalized mean pooling with gradient, 256x2048x7x7",
    lambda x, p: x.float().clamp(min=1e-6).pow(p).mean((-2, -1)).pow(1.0 / p).to(x.dtype),
    lambda m: (m(256, 2048, 7, 7, grad=True), m.uniform(1) + 2.5),
)


def _standardized(w):
    var, mean = torch.var_mean(w, dim=[1, 2, 3], keepdim=True, unbiased=False)
    return (w - mean) / torch.sqrt(var + 1e-5)


add(
    "standardized weights of convolutions with gradient, 4096x512x3x3 f32",
    _standardized,
    lambda m: (m(4096, 512, 3, 3, dtype=F32, grad=True),),
)
add(
    "gates of channels with gradient, 128x256x28x28",
    lambda x, s: x * F.hardsigmoid(s).view(s.shape[0], 256, 1, 1).expand_as(x),
    lambda m: (m(128, 256, 28, 28, grad=True), m(128, 256, grad=True)),
)
add(
    "log-likelihood of survival by sums of exponentials of prefixes, 8192x1025 f32",
    lambda h, e: -((h - torch.logcumsumexp(h, 1)) * e).sum(1) / e.sum(1).clamp(min=1),
    lambda m: (m(8192, 1025, dtype=F32), m.uniform(8192, 1025).round()),
)


def _adaln(x, c):
    shift, scale, gate, *_ = c.unsqueeze(1).chunk(6, dim=-1)
    return x + gate * (F.layer_norm(x, (1152,), eps=1e-6) * (1 + scale) + shift)


add(
    "layer norm by three of six chunks of conditions, with gradient, 64x256x1152",
    _adaln,
    lambda m: (m(64, 256, 1152, grad=True), m(64, 6912, grad=True)),
)


def _qk_norm(x, a, b):
    q, k, v = x.movedim(2, 0).unbind(0)
    q, k = (F.normalize(y.float(), dim=-1).to(BF16) * g for y, g in ((q, a), (k, b)))
    return tuple(y.transpose(1, 2).contiguous() for y in (q, k, v))


add(
    "normalized queries and keys of a packed tensor, heads first, 64x1024x3x12x64",
    _qk_norm,
    lambda m: (m(64, 1024, 3, 12, 64), m(64), m(64)),
)
