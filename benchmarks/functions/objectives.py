"""Distributions, losses, rankings, recommendations, decisions and routing."""

import math

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

F16 = torch.float16


def _divergence(a, s, b, t):
    var, other = torch.exp(2 * s), torch.exp(2 * t)
    return (t - s + (var + (a - b) ** 2) / (2 * other) - 0.5).sum(-1)


add(
    "divergence of two Gaussians with gradient, 131072x256",
    _divergence,
    lambda m: (m(131072, 256, grad=True), m(131072, 256, grad=True), m(131072, 256), m(131072, 256)),
)


def _beta(a, b, x):
    a, b = F.softplus(a) + 1, F.softplus(b) + 1
    norm = torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b)
    return ((a - 1) * torch.log(x) + (b - 1) * torch.log1p(-x) - norm).sum(-1)


add(
    "log-densities of Beta distributions with gradient, 1000000x6 f32",
    _beta,
    lambda m: (
        m(1000000, 6, dtype=F32, grad=True),
        m(1000000, 6, dtype=F32, grad=True),
        m.uniform(1000000, 6).clamp(0.01, 0.99),
    ),
)


def _dirichlet(x):
    a = F.softplus(x) + 1e-3
    total = a.sum(-1)
    entropy = torch.lgamma(a).sum(-1) - torch.lgamma(total)
    entropy = entropy + (total - a.shape[-1]) * torch.digamma(total) - ((a - 1) * torch.digamma(a)).sum(-1)
    return entropy, a / total[:, None]


add("entropies and means of Dirichlet distributions, 262144x32 f32", _dirichlet, lambda m: (m(262144, 32, dtype=F32),))


def _zero_inflated(mean, theta, gate, x):
    mean, theta = F.softplus(mean) + 1e-6, theta.exp()
    log = torch.log(theta + mean + 1e-8)
    some = theta * (torch.log(theta + 1e-8) - log) + x * (torch.log(mean + 1e-8) - log)
    some = some + torch.lgamma(x + theta) - torch.lgamma(theta) - torch.lgamma(x + 1)
    zero = F.softplus(theta * (torch.log(theta + 1e-8) - log) - gate) - F.softplus(-gate)
    return -torch.where(x < 1e-8, zero, some - gate - F.softplus(-gate)).sum(-1)


add(
    "zero-inflated negative binomial loss of counts with gradient, 8192x2000 f32",
    _zero_inflated,
    lambda m: (
        m(8192, 2000, dtype=F32, grad=True),
        torch.randn(2000, device=m.device).requires_grad_(),
        m(8192, 2000, dtype=F32, grad=True),
        m.ints(9, 8192, 2000).float(),
    ),
)


def _logistics(x, w, a, s):
    s = s.clamp(min=-7)
    centered = x[:, None] - a
    up, down = torch.exp(-s) * (centered + 1 / 255), torch.exp(-s) * (centered - 1 / 255)
    middle = torch.exp(-s) * centered
    density = middle - s - 2 * F.softplus(middle)
    delta = torch.sigmoid(up) - torch.sigmoid(down)
    inner = torch.where(delta > 1e-5, torch.log(delta.clamp(min=1e-12)), density - math.log(127.5))
    inner = torch.where(x[:, None] > 0.999, -F.softplus(down), inner)
    log = torch.where(x[:, None] < -0.999, up - F.softplus(up), inner)
    return -torch.logsumexp(log + F.log_softmax(w, 1), 1).sum((1, 2))


add(
    "mixtures of 10 discretized logistics with gradient, 128x10x96x96 f32",
    _logistics,
    lambda m: (m.uniform(128, 96, 96) * 2 - 1, *(m(128, 10, 96, 96, dtype=F32, grad=True) for _ in range(3))),
)


def _evidential(x, y):
    gamma, nu, alpha, beta = x.float().chunk(4, -1)
    nu, alpha, beta = F.softplus(nu), F.softplus(alpha) + 1, F.softplus(beta)
    omega = 2 * beta * (1 + nu)
    nll = 0.5 * torch.log(math.pi / nu) - alpha * torch.log(omega)
    nll = (
        nll + (alpha + 0.5) * torch.log(nu * (y - gamma) ** 2 + omega) + torch.lgamma(alpha) - torch.lgamma(alpha + 0.5)
    )
    return (nll + 0.01 * (y - gamma).abs() * (2 * nu + alpha)).mean()


add(
    "evidential regression with gradient, 2000000x4",
    _evidential,
    lambda m: (m(2000000, 4, grad=True), m(2000000, 1, dtype=F32)),
)
add(
    "Student's log-likelihood with degrees of columns, 16384x2048 f32",
    lambda x, d, s: (
        torch.lgamma((d + 1) / 2) - torch.lgamma(d / 2) - 0.5 * torch.log(d * math.pi) - s.log()
        - (d + 1) / 2 * torch.log1p((x / s) ** 2 / d)
    ).mean(0),
    lambda m: (m(16384, 2048, dtype=F32), m.uniform(2048) + 2, m.uniform(2048) + 0.5),
)  # fmt: skip
add(
    "Poisson loss with Stirling's terms and gradient, 16384x2000 f32",
    lambda x, y: F.poisson_nll_loss(x, y, full=True),
    lambda m: (m(16384, 2000, dtype=F32, grad=True), m.ints(9, 16384, 2000).float()),
)


def _queue_contrast(near, far):
    x = torch.cat([near.unsqueeze(1), far], 1) / 0.07
    return F.cross_entropy(x, torch.zeros(x.shape[0], dtype=torch.long, device=x.device))


add(
    "contrast with a queue of negatives and gradient, 4096x16384",
    _queue_contrast,
    lambda m: (m(4096, 1)[:, 0].requires_grad_(), m(4096, 16384, grad=True)),
)


def _sigmoid_pairs(x, scale, bias):
    x = x * scale.exp() + bias
    own = 2 * torch.eye(*x.shape, device=x.device) - 1
    return -F.logsigmoid(own * x).sum() / x.shape[0]


add(
    "sigmoid loss of pairs of images and texts with gradient, 8192x8192 f32",
    _sigmoid_pairs,
    lambda m: (m(8192, 8192, dtype=F32, grad=True), torch.ones(1, device=m.device).requires_grad_(),
               torch.ones(1, device=m.device).requires_grad_()),
)  # fmt: skip


def _approximate_gain(s, y):
    rank = 0.5 + torch.sigmoid((s[:, None, :] - s[:, :, None]) / 0.1).sum(-1)
    gain = (2.0 ** y.float() - 1) / torch.log2(rank + 1)
    return -(gain.sum(-1) / (2.0 ** y.float() - 1).sum(-1).clamp(min=1e-6)).mean()


add(
    "smooth discounted gain of lists of 100 with gradient, 8192x100 f32",
    _approximate_gain,
    lambda m: (m(8192, 100, dtype=F32, grad=True), m.ints(5, 8192, 100)),
)


def _bayesian_ranking(u, i, j):
    x = (u * i).sum(-1) - (u * j).sum(-1)
    return -F.logsigmoid(x).mean() + 1e-4 * (u.square().sum() + i.square().sum() + j.square().sum()) / u.shape[0]


add(
    "ranking of items against sampled ones with gradient, 262144x64 f32",
    _bayesian_ranking,
    lambda m: tuple(m(262144, 64, dtype=F32, grad=True) for _ in range(3)),
)


def _interactions(z, x):
    i, j = torch.tril_indices(27, 27, offset=-1, device=z.device)
    return torch.cat([x, z[:, i, j]], 1)


add(
    "lower triangle of products of 27 features next to dense ones, 65536x27x27",
    _interactions,
    lambda m: (m(65536, 27, 27), m(65536, 128)),
)


def _crossed(x0, a, b):
    x = x0
    for k in range(3):
        x = x0 * (x * a[k]).sum(-1, keepdim=True) + b[k] + x
    return x


add(
    "three layers of crossed features with gradient, 65536x429 f32",
    _crossed,
    lambda m: (m(65536, 429, dtype=F32, grad=True), torch.randn(3, 429, device=m.device) * 0.05,
               torch.randn(3, 429, device=m.device)),
)  # fmt: skip


def _target_attention(q, k, n):
    q = q.unsqueeze(1).expand_as(k)
    mask = torch.arange(k.shape[1], device=k.device)[None] < n[:, None]
    return torch.cat([q, k, q - k, q * k], -1), mask


add(
    "features of a target and a history of 50 items, 8192x50x64",
    _target_attention,
    lambda m: (m(8192, 64), m(8192, 50, 64), m.rows(50, 8192)),
)


def _padded_bags(table, ids, weights):
    keep = (ids != 0).to(table.dtype)
    w = keep * weights
    x = F.embedding(ids, table, padding_idx=0)
    return (x * w.unsqueeze(-1)).sum(1) / w.sum(1, keepdim=True).clamp(min=1e-6)


add(
    "weighted means of bags of 30 without padding, 65536x30 of 500000x32 f32",
    _padded_bags,
    lambda m: (m(500000, 32, dtype=F32), m.ints(500000 // m.scale, 65536, 30), m.uniform(65536, 30)),
)
add(
    "embeddings by quotients and remainders, 2000000 of 1000x64 and 1000x64",
    lambda a, b, ids: a[torch.div(ids, 1000, rounding_mode="floor")] * b[ids % 1000],
    lambda m: (
        torch.randn(1000, 64, device=m.device),
        torch.randn(1000, 64, device=m.device),
        m.rows(1000000, 2000000),
    ),
)


def _several_tokens(x, t):
    loss = 0.0
    for k in range(3):
        a, b = x[:, : x.shape[1] - k - 1, k], t[:, k + 1 :]
        loss = loss + F.cross_entropy(a.reshape(-1, a.shape[-1]).float(), b.reshape(-1), ignore_index=-100) * 0.5**k
    return loss


add(
    "losses of the next three tokens, 8x256x3x32000",
    _several_tokens,
    lambda m: (m(8, 256, 3, 32000), m.ints(32000, 8, 256)),
)


def _group_policy(logp, old, base, reward, mask):
    g = reward.view(-1, 8)
    adv = ((g - g.mean(1, keepdim=True)) / (g.std(1, keepdim=True) + 1e-4)).view(-1, 1)
    ratio = torch.exp(logp - old)
    loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.28) * adv)
    d = base - logp
    loss = loss + 0.04 * (d.exp() - d - 1)
    return ((loss * mask).sum(1) / mask.sum(1).clamp(min=1)).mean()


add(
    "clipped policy loss with advantages in groups of 8 and gradient, 8192x1024 f32",
    _group_policy,
    lambda m: (m(8192, 1024, dtype=F32, grad=True), m(8192, 1024, dtype=F32), m(8192, 1024, dtype=F32),
               m(8192, 1, dtype=F32)[:, 0], m.uniform(8192, 1024).round()),
)  # fmt: skip


def _quantile_values(x, y, reward, done):
    target = reward[:, None] + 0.99 * (1 - done[:, None]) * y
    d = target[:, None, :] - x[:, :, None]
    tau = (torch.arange(x.shape[1], device=x.device) + 0.5) / x.shape[1]
    huber = torch.where(d.abs() < 1, 0.5 * d * d, d.abs() - 0.5)
    return ((tau[None, :, None] - (d.detach() < 0).float()).abs() * huber).mean(2).sum(1).mean()


add(
    "quantile loss of pairs of 51 values with gradient, 32768x51 f32",
    _quantile_values,
    lambda m: (m(32768, 51, dtype=F32, grad=True), m(32768, 51, dtype=F32), m(32768, 1, dtype=F32)[:, 0],
               m.uniform(32768, 1)[:, 0].round()),
)  # fmt: skip


def _projected(p, reward, done):
    z = torch.linspace(-10, 10, 51, device=p.device)
    b = ((reward[:, None] + 0.99 * (1 - done[:, None]) * z).clamp(-10, 10) + 10) / 0.4
    low = b.floor().long().clamp(0, 50)
    high = b.ceil().long().clamp(0, 50)
    m = torch.zeros_like(p)
    m.scatter_add_(1, low, p * (high.float() + (low == high).float() - b))
    return m.scatter_add_(1, high, p * (b - low.float()))


add(
    "distributions of values projected to 51 atoms, 131072x51 f32",
    _projected,
    lambda m: (m.uniform(131072, 51), m(131072, 1, dtype=F32)[:, 0], m.uniform(131072, 1)[:, 0].round()),
)


def _centered_teacher(s, t, center):
    p = F.softmax((t - center) / 0.04, -1)
    return -(p * F.log_softmax(s / 0.1, -1)).sum(-1).mean(), 0.9 * center + 0.1 * t.mean(0)


add(
    "loss of a student and a centered teacher, and the center, with gradient, 2048x32768 f32",
    _centered_teacher,
    lambda m: (m(2048, 32768, dtype=F32, grad=True), m(2048, 32768, dtype=F32), m.uniform(32768)),
)


def _angular_margin(x, t):
    hot = F.one_hot(t, x.shape[1]).bool()
    c = x.float().clamp(-1 + 1e-7, 1 - 1e-7)
    s = torch.sqrt(1 - c * c)
    turned = torch.where(c > -0.877, c * 0.8776 - s * 0.4794, c - 0.2397)
    return F.cross_entropy(64 * torch.where(hot, turned, c), t)


add(
    "cross-entropy with an angular margin and gradient, 8192x10575 f16",
    _angular_margin,
    lambda m: ((m.uniform(8192, 10575, dtype=F16) * 2 - 1).requires_grad_(), m.rows(10575, 8192)),
)


def _poly(x, t):
    log = F.log_softmax(x.float(), -1)
    picked = log.gather(1, t[:, None])[:, 0]
    p = picked.exp()
    return (-((1 - p) ** 2) * picked + 1.0 * (1 - p) ** 3).mean()


add(
    "polynomial focal loss with gradient, 65536x1001", _poly, lambda m: (m(65536, 1001, grad=True), m.rows(1001, 65536))
)


def _skeleton(x):
    x = torch.sigmoid(x)
    thin = -F.max_pool2d(-x, 3, 1, 1)
    opened = F.max_pool2d(thin, 3, 1, 1)
    return F.relu(x - opened)


add("soft skeleton of a mask by pooling, 32x1x512x512 f32", _skeleton, lambda m: (m(32, 1, 512, 512, dtype=F32),))


def _field_step(alpha, emit, trans, mask):
    found = torch.logsumexp(alpha[:, :, None] + trans[None] + emit[:, None, :], 1)
    return torch.where(mask[:, None], found, alpha)


add(
    "step of a conditional random field with 48 labels, 65536x48 f32",
    _field_step,
    lambda m: (m(65536, 48, dtype=F32), m(65536, 48, dtype=F32), torch.randn(48, 48, device=m.device),
               m.rows(2, 65536).bool()),
)  # fmt: skip


def _viterbi(score, emit, trans):
    best, at = (score.unsqueeze(2) + trans).max(1)
    return best + emit, at


add(
    "step of Viterbi decoding with 31 labels, 65536x31",
    _viterbi,
    lambda m: (m(65536, 31), m(65536, 31), torch.randn(31, 31, device=m.device).to(BF16)),
)


def _document_mask(ids):
    i = torch.arange(ids.shape[1], device=ids.device)
    near = (i[:, None] - i[None] < 512) | (i[None] < 4)
    same = ids[:, :, None] == ids[:, None, :]
    return (same & near & (i[:, None] >= i[None])).unsqueeze(1)


add("mask of documents, a window and sinks, 32x2048x2048", _document_mask, lambda m: (m.ints(4, 32, 2048),))
add(
    "softmax over tokens and over slots, 64x1024x512",
    lambda x: (x.softmax(1), x.softmax(2)),
    lambda m: (m(64, 1024, 512),),
)


def _noisy_gates(x, spread, noise):
    x = x + noise * (F.softplus(spread) + 1e-2)
    first, i = x.max(-1, keepdim=True)
    rest = x.scatter(-1, i, float("-inf"))
    second, j = rest.max(-1, keepdim=True)
    w = torch.softmax(torch.cat([first, second], -1), -1)
    return torch.zeros_like(x).scatter(-1, torch.cat([i, j], -1), w), torch.cat([i, j], -1)


add(
    "noisy gates of the first two of 16 experts, 262144x16 f32",
    _noisy_gates,
    lambda m: (m(262144, 16, dtype=F32), m(262144, 16, dtype=F32), m(262144, 16, dtype=F32)),
)


def _greedy_acceptance(x, draft):
    best = x.argmax(-1)
    match = (best[:, :, :-1] == draft[:, :, 1:]).int().cumprod(-1).sum(-1)
    length, which = match.max(1)
    bonus = best.gather(1, which[:, None, None].expand(-1, 1, best.shape[2])).squeeze(1)
    return length, which, bonus.gather(1, length[:, None]).squeeze(1)


add(
    "longest accepted of 4 drafts of 6 tokens, 64x4x6x32000",
    _greedy_acceptance,
    lambda m: (m(64, 4, 6, 32000), m.ints(32000, 64, 4, 6)),
)


def _typical(x):
    log = F.log_softmax(x.float(), -1)
    p = log.exp()
    entropy = -(log * p).nansum(-1, keepdim=True)
    low = torch.minimum(torch.tensor(3e-4, device=x.device), 0.02 * torch.exp(-entropy))
    return ((-log) - entropy).abs(), x.masked_fill((p < low) & (x < x.max(-1, keepdim=True)[0]), float("-inf"))


add("distances to typical logits, and a cut by entropy, 512x50257", _typical, lambda m: (m(512, 50257),))


def _rescaled_guidance(a, b):
    x = b + 7.5 * (a - b)
    std, own = a.std((1, 2, 3), keepdim=True), x.std((1, 2, 3), keepdim=True)
    return 0.7 * (x * (std / own)) + 0.3 * x


add(
    "guidance rescaled to deviations, 64x16x128x128",
    _rescaled_guidance,
    lambda m: (m(64, 16, 128, 128), m(64, 16, 128, 128)),
)


def _solver_step(x, new, old, s, t):
    a, b = (v.view(-1, 1, 1, 1) for v in (s, t))
    h, last = torch.log(a / b), torch.log(b)
    r = last / h
    d = (1 + 1 / (2 * r)) * new - 1 / (2 * r) * old
    return (b / a) * x - torch.expm1(-h) * d


add(
    "step of a second-order diffusion solver, 64x4x256x256 f16",
    _solver_step,
    lambda m: (
        *(m(64, 4, 256, 256, dtype=F16) for _ in range(3)),
        m.uniform(64, 1)[:, 0] + 2,
        m.uniform(64, 1)[:, 0] + 1.1,
    ),
)


def _preconditioned(f, x, noise, sigma):
    s = sigma[:, None, None, None]
    weight = (s**2 + 0.25) / (s * 0.5) ** 2
    skip, out = 0.25 / (s**2 + 0.25), s * 0.5 / (s**2 + 0.25).sqrt()
    d = skip * (x + noise * s) + out * f.float()
    return (weight * (d - x) ** 2).mean((1, 2, 3))


add(
    "preconditioned loss of a denoiser with gradient, 256x3x64x64",
    _preconditioned,
    lambda m: (m(256, 3, 64, 64, grad=True), m(256, 3, 64, 64, dtype=F32), m(256, 3, 64, 64, dtype=F32),
               m.uniform(256, 1)[:, 0] + 0.1),
)  # fmt: skip
add(
    "pseudo-Huber distance of samples with gradient, 512x3x64x64 f32",
    lambda x, y: (((x - y).square().sum((1, 2, 3)) + 0.03**2).sqrt() - 0.03).mean(),
    lambda m: (m(512, 3, 64, 64, dtype=F32, grad=True), m(512, 3, 64, 64, dtype=F32)),
)
