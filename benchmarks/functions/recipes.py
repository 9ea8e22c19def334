"""Parts of recent training and inference recipes: preferences, optimizers, formats of few bits, samplers, attention."""

import math

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

F16 = torch.float16


def _preference(chosen, rejected, chosen_ids, rejected_ids, chosen_reference, rejected_reference):
    def score(logits, ids):
        kept = ids[:, 1:] != 0
        picked = logits[:, :-1].float().log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
        return (picked * kept).sum(-1)

    gap = score(chosen, chosen_ids) - chosen_reference - (score(rejected, rejected_ids) - rejected_reference)
    return -F.logsigmoid(0.1 * gap)


add(
    "direct preference loss with gradient, 2x16x255x8009",
    _preference,
    lambda m: (
        m(16, 255, 8009, grad=True),
        m(16, 255, 8009, grad=True),
        m.ints(8009, 16, 255),
        m.ints(8009, 16, 255),
        m.of_rows(16),
        m.of_rows(16),
    ),
)


def _group_policy(logits, ids, old, reference, rewards, kept):
    rewards = rewards.unflatten(-1, (-1, 8))
    advantage = (rewards - rewards.mean(-1, keepdim=True)) / (rewards.std(-1, keepdim=True) + 1e-4)
    logp = logits.float().log_softmax(-1).gather(-1, ids[..., None]).squeeze(-1)
    ratio = torch.exp(logp - old)
    advantage = advantage.flatten(-2)[..., None]
    gain = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
    drift = torch.exp(reference - logp) - (reference - logp) - 1
    return ((gain - 0.04 * drift) * kept).sum(-1) / kept.sum(-1).clamp_min(1)


add(
    "group relative policy loss of tokens with gradient, 8x8x128x4001",
    _group_policy,
    lambda m: (
        m(8, 8, 128, 4001, grad=True),
        m.ints(4001, 8, 8, 128),
        m(8, 8, 128, dtype=F32) - 8,
        m(8, 8, 128, dtype=F32) - 8,
        m.uniform(8, 8),
        m.ints(2, 8, 8, 128),
    ),
)


def _utility(policy, reference, is_good):
    ratio = policy - reference
    drift = ratio.mean().clamp_min(0).detach()
    good, bad = torch.sigmoid(0.1 * (ratio - drift)), torch.sigmoid(0.1 * (drift - ratio))
    return torch.where(is_good, 1 - good, 1.3 * (1 - bad))


add(
    "utility loss of good and bad answers with gradient, 20000003 f32",
    lambda a, b, c: _utility(a, b, c > 0.5).mean(),
    lambda m: (m(20000003, 1, dtype=F32, grad=True), m(20000003, 1, dtype=F32), m.uniform(20000003, 1)),
)


def _lion(p, g, momentum):
    update = torch.sign(0.9 * momentum + 0.1 * g.float())
    p = p.float() * (1 - 1e-4 * 0.1) - 1e-4 * update
    return p.to(torch.bfloat16), 0.99 * momentum + 0.01 * g.float()


add(
    "Lion step with decay, 8191x8192",
    _lion,
    lambda m: (m(8191, 8192), m(8191, 8192), m(8191, 8192, dtype=F32)),
)


def _adafactor(p, g, row, column):
    square = g.float().square() + 1e-30
    row = 0.99 * row + 0.01 * square.mean(-1)
    column = 0.99 * column + 0.01 * square.mean(-2)
    update = g * torch.rsqrt(row / row.mean(-1, keepdim=True))[..., None] * torch.rsqrt(column)[..., None, :]
    update = update / (update.square().mean().sqrt() / 1.0).clamp_min(1.0)
    step = 1e-2 * p.square().mean().sqrt().clamp_min(1e-3)
    return p - step * update, row, column


add(
    "Adafactor step with clipped update, 6144x6151 f32",
    _adafactor,
    lambda m: (m(6144, 6151, dtype=F32), m(6144, 6151, dtype=F32), m.of_rows(6144), m.uniform(6151)),
)


def _cautious(p, g, first, second):
    first, second = torch.lerp(first, g, 0.1), torch.lerp(second, g * g, 0.001)
    update = first / (second.sqrt() + 1e-8)
    mask = (update * g > 0).to(g.dtype)
    return p - 1e-3 * update * (mask / mask.mean().clamp_min(1e-3)), first, second


add(
    "cautious Adam step, 5000x7001 f32",
    _cautious,
    lambda m: (
        m(5000, 7001, dtype=F32),
        m(5000, 7001, dtype=F32),
        m(5000, 7001, dtype=F32),
        m.uniform(5000, 7001),
    ),
)
add(
    "orthogonal update: momentum, Nesterov and norm of matrices, 24x2048x2047",
    lambda g, b: (
        (u := g.float().lerp(b.lerp(g.float(), 0.05), 0.95)) / (u.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    ).to(BF16),
    lambda m: (m(24, 2048, 2047), m(24, 2048, 2047, dtype=F32)),
)


def _four_bit(x, levels):
    blocks = x.float().unflatten(-1, (-1, 64))
    most = blocks.abs().amax(-1, keepdim=True)
    scaled = blocks / most.clamp_min(1e-12)
    borders = (levels[1:] + levels[:-1]) * 0.5
    codes = (scaled[..., None] > borders).sum(-1).to(torch.uint8).flatten(-2)
    return codes[..., ::2] << 4 | codes[..., 1::2], most.squeeze(-1)


add(
    "quantiles of a normal distribution in 4 bits, by comparisons, 8192x8192",
    _four_bit,
    lambda m: (m(8192, 8192), torch.linspace(-1, 1, 16, device=m.device)),
)


def _four_bit_back(codes, most, levels):
    codes = torch.stack((codes >> 4, codes & 15), -1).flatten(-2)
    return (levels[codes.long()].unflatten(-1, (-1, 64)) * most[..., None]).flatten(-2).to(torch.bfloat16)


add(
    "4-bit codes to numbers by a table, 16384x4096 bytes",
    _four_bit_back,
    lambda m: (
        m.ints(256, 16384, 4096, dtype=torch.uint8),
        m.uniform(16384, 128),
        torch.linspace(-1, 1, 16, device=m.device),
    ),
)


def _three_bits(x):
    groups = x.float().unflatten(-1, (-1, 128))
    low, high = groups.aminmax(dim=-1, keepdim=True)
    scale = ((high - low) / 7).clamp_min(1e-6)
    q = ((groups - low) / scale).round().clamp(0, 7).to(torch.int32).flatten(-2).unflatten(-1, (-1, 8))
    words = (q << (3 * torch.arange(8, device=x.device, dtype=torch.int32))).sum(-1, dtype=torch.int32)
    packed = torch.stack((words & 255, words >> 8 & 255, words >> 16 & 255), -1).to(torch.uint8)
    return packed.flatten(-2), scale.squeeze(-1), low.squeeze(-1)


add("3-bit codes, eight in three bytes, 6000x8192 f16", _three_bits, lambda m: (m(6000, 8192, dtype=F16),))


def _shared_exponents(x):
    blocks = x.float().unflatten(-1, (-1, 32))
    exponent = torch.floor(torch.log2(blocks.abs().amax(-1, keepdim=True).clamp_min(2.0**-126))) - 2
    scaled = blocks * torch.exp2(-exponent)
    size = scaled.abs().clamp(max=6.0)
    step = torch.where(size < 2, 0.5, torch.where(size < 4, 1.0, 2.0))
    rounded = torch.sign(scaled) * (size / step).round() * step
    return (rounded * torch.exp2(exponent)).flatten(-2).to(x.dtype), (exponent + 127).to(torch.uint8).squeeze(-1)


add("rounding to 4-bit floats with shared exponents, 9999x8192", _shared_exponents, lambda m: (m(9999, 8192),))


def _stochastic(x, noise):
    bits = x.view(torch.int32) + (noise & 0xFFFF)
    return (bits & -65536).view(torch.float32).to(torch.bfloat16)


add(
    "stochastic rounding to bf16 by bits, 8191x8193 f32",
    _stochastic,
    lambda m: (m(8191, 8193, dtype=F32), m.ints(2**31 - 1, 8191, 8193, dtype=torch.int32)),
)


def _least_probability(logits, noise):
    p = (logits.float() / 0.7).softmax(-1)
    kept = p >= 0.05 * p.amax(-1, keepdim=True)
    q = torch.where(kept, p, 0.0)
    q = q / q.sum(-1, keepdim=True)
    return q, (q / -torch.log(noise)).argmax(-1)


add(
    "sampling above a part of the greatest probability, 499x50257",
    _least_probability,
    lambda m: (m(499, 50257), m.uniform(499, 50257).clamp(1e-6, 1 - 1e-6)),
)


def _squared_cut(logits):
    p = logits.float().softmax(-1)
    limit = (0.3 * p.amax(-1, keepdim=True).square()).clamp_max(0.1)
    entropy = -torch.special.xlogy(p, p).sum(-1, keepdim=True)
    dynamic = torch.minimum(limit, torch.exp(-entropy) * 0.5)
    return logits.masked_fill(p < dynamic, -torch.inf)


add("cut by squared and by entropic probabilities, 777x32000", _squared_cut, lambda m: (m(777, 32000),))


def _repetition(logits, counts):
    seen = counts > 0
    logits = torch.where(seen, torch.where(logits > 0, logits / 1.2, logits * 1.2), logits)
    return (logits - 0.3 * counts - 0.2 * seen).log_softmax(-1)


add(
    "penalties of repeated tokens and log-softmax, 512x50257 f32",
    _repetition,
    lambda m: (m(512, 50257, dtype=F32), m.ints(4, 512, 50257)),
)


def _soft_cap(scores, first):
    i = torch.arange(scores.shape[-1], device=scores.device)
    gap = i[:, None] - i
    seen = (gap >= 0) & (gap < 128) | (i[None] < 4) & (gap >= 0)
    capped = 50.0 * torch.tanh(scores.float() * (0.088 / 50.0))
    return capped.masked_fill(~seen, -1e30).softmax(-1).to(scores.dtype) * first


add(
    "softmax of capped scores in a window with sinks with gradient, 8x12x777x777",
    _soft_cap,
    lambda m: (m(8, 12, 777, 777, grad=True), m.uniform(1, 12, 1, 1)),
)


def _differential(a, b, weight, q, k):
    strength = torch.exp((q * k).sum()) - torch.exp((q * k).mean()) + 0.8
    h = a.float().softmax(-1) - strength * b.float().softmax(-1)
    h = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + 1e-5) * weight
    return (h * 0.2).to(a.dtype)


add(
    "difference of two softmaxes, normed, with gradient, 8x8x640x641",
    _differential,
    lambda m: (
        m(8, 8, 640, 641, grad=True),
        m(8, 8, 640, 641, grad=True),
        m.uniform(641),
        m.uniform(64),
        m.uniform(64),
    ),
)


def _sink_softmax(scores, sinks):
    most = torch.maximum(scores.float().amax(-1, keepdim=True), sinks[:, None, None])
    e = torch.exp(scores.float() - most)
    return (e / (e.sum(-1, keepdim=True) + torch.exp(sinks[:, None, None] - most))).to(scores.dtype)


add(
    "softmax with a learned sink of each head with gradient, 8x16x600x600 f16",
    _sink_softmax,
    lambda m: (m(8, 16, 600, 600, dtype=F16, grad=True), torch.randn(16, device=m.device).requires_grad_()),
)


def _soft_experts(logits):
    dispatch = logits.float().softmax(1)
    combine = logits.float().softmax(-1)
    entropy = -(combine * combine.clamp_min(1e-9).log()).sum(-1).mean()
    largest = torch.logsumexp(logits.float(), -1).square().mean()
    return dispatch.to(logits.dtype), combine.to(logits.dtype), entropy, largest


add(
    "soft dispatch and combination of slots, 63x1025x512",
    _soft_experts,
    lambda m: (m(63, 1025, 512),),
)


def _expert_choice(logits):
    p = logits.float().softmax(-1).transpose(0, 1)
    weight, index = p.topk(256, dim=-1)
    load = torch.zeros(logits.shape[0], device=logits.device).scatter_add(0, index.flatten(), weight.flatten())
    return weight / weight.sum(-1, keepdim=True), index, load


add("experts that choose 256 tokens each, 65536x64", _expert_choice, lambda m: (m(65536, 64),))


def _batch_renorm(x, mean, variance, weight, bias):
    own, spread = x.mean((0, 2, 3)), x.var((0, 2, 3), correction=0).add(1e-5).sqrt()
    kept = (variance + 1e-5).sqrt()
    r, d = (spread / kept).clamp(1 / 3, 3).detach(), ((own - mean) / kept).clamp(-5, 5).detach()
    shape = (-1, 1, 1)
    y = (x - own.view(shape)) / spread.view(shape) * r.view(shape) + d.view(shape)
    return F.silu(y * weight.view(shape) + bias.view(shape))


add(
    "batch renormalization with gradient, 33x96x75x75 f32",
    _batch_renorm,
    lambda m: (m(33, 96, 75, 75, dtype=F32, grad=True), m.uniform(96), m.uniform(96), m.uniform(96), m.uniform(96)),
)


def _weight_norm(v, g):
    return g * v / v.flatten(1).norm(dim=1)[:, None, None]


add(
    "weight norm of 1-d kernels with gradient, 4097x2049x5 f32",
    _weight_norm,
    lambda m: (m(4097, 2049, 5, dtype=F32, grad=True), m.uniform(4097, 1, 1)),
)
add(
    "weights scaled by spectral norms, 16x2048x2048",
    lambda w, u, v: w / (u * (w * v[:, None]).sum(-1, dtype=torch.float32)).sum(-1)[:, None, None].to(w.dtype),
    lambda m: (m(16, 2048, 2048), m.uniform(16, 2048), m(16, 2048)),
)


def _overlap(logits, target):
    p = logits.float().softmax(1)
    hot = F.one_hot(target, 5).permute(0, 3, 1, 2)
    both = (p * hot).sum((0, 2, 3))
    missed, false = (hot * (1 - p)).sum((0, 2, 3)), (p * (1 - hot)).sum((0, 2, 3))
    tversky = (both + 1) / (both + 0.7 * missed + 0.3 * false + 1)
    return (1 - tversky).pow(0.75).mean() + F.cross_entropy(logits.float(), target)


add(
    "overlap and cross-entropy of 5 classes with gradient, 24x5x511x513",
    _overlap,
    lambda m: (m(24, 5, 511, 513, grad=True), m.ints(5, 24, 511, 513)),
)


def _hinge_order(logits, labels):
    signs = 2.0 * labels - 1
    errors, order = torch.sort(1 - logits * signs, dim=-1, descending=True)
    truth = labels.gather(-1, order)
    total = truth.sum(-1, keepdim=True)
    overlap = 1 - (total - truth.cumsum(-1)) / (total + (1 - truth).cumsum(-1))
    slope = torch.cat((overlap[:, :1], overlap[:, 1:] - overlap[:, :-1]), -1)
    return (errors.relu() * slope).sum(-1)


add(
    "Lovasz hinge of sorted errors with gradient, 128x65537 f32",
    _hinge_order,
    lambda m: (m(128, 65537, dtype=F32, grad=True), m.ints(2, 128, 65537).float()),
)


def _pairs_of_views(scores):
    scores = scores.float() / 0.07
    rows, columns = scores.log_softmax(-1), scores.log_softmax(-2)
    return -(rows.diagonal(dim1=-2, dim2=-1) + columns.diagonal(dim1=-2, dim2=-1)).mean() / 2


add("contrastive loss of chunks with gradient, 9x2047x2047", _pairs_of_views, lambda m: (m(9, 2047, 2047, grad=True),))


def _covariances(z):
    z = z - z.mean(0)
    hinge = F.relu(1 - (z.var(0) + 1e-4).sqrt()).mean()
    return hinge + (z[1:] - z[:-1]).square().mean()


add("variance hinge of embeddings with gradient, 32768x2049", _covariances, lambda m: (m(32768, 2049, grad=True),))


def _rope_halves(q, k, positions, rates):
    long = torch.where(rates * 8192 < 2 * math.pi, rates / 8, rates)
    angles = positions[..., None, None] * long
    cos, sin = angles.cos(), angles.sin()

    def turned(x):
        a, b = x.float().chunk(2, -1)
        return torch.cat((a * cos - b * sin, b * cos + a * sin), -1).to(x.dtype)

    return turned(F.normalize(q, dim=-1)), turned(F.normalize(k, dim=-1))


add(
    "normed queries and keys turned by scaled rates, 32x1023x24x128",
    _rope_halves,
    lambda m: (m(32, 1023, 24, 128), m(32, 1023, 8, 128), m.ints(9000, 32, 1023), m.uniform(64)),
)
