"""Norms, softmax, attention, routing, quantization and optimizers in further spellings: odd sizes, bytes, gradients."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F8, F32, add

F16 = torch.float16


def _moments_norm(x, w, b):
    n = x.size(-1)
    h = x.float()
    mean = h.sum(-1) / n
    var = torch.einsum("ij,ij->i", h, h) / n - mean * mean
    return ((h - mean.view(-1, 1)) / (var.view(-1, 1) + 1e-5) ** 0.5).to(x.dtype) * w + b


add(
    "layer norm by einsum and views, 30011x2003",
    _moments_norm,
    lambda m: (m(30011, 2003), m(2003), m(2003)),
)
add(
    "layer norm by einsum and views with gradient, 16384x2560",
    _moments_norm,
    lambda m: (m(16384, 2560, grad=True), m(2560, grad=True), m(2560, grad=True)),
)


def _group_norm_by_views(x, w, b):
    n, c, h, v = x.shape
    g = x.reshape(n, 32, c // 32, h, v).float()
    mean = g.mean((2, 3, 4), keepdim=True)
    var = g.square().mean((2, 3, 4), keepdim=True) - mean.square()
    y = ((g - mean) * torch.rsqrt(var + 1e-6)).reshape(n, c, h, v)
    return F.silu(y * w.view(1, -1, 1, 1) + b.view(1, -1, 1, 1)).to(x.dtype)


add(
    "group norm by views and mean of squares, SiLU, 16x256x61x61",
    _group_norm_by_views,
    lambda m: (m(16, 256, 61, 61), m(256), m(256)),
)


def _channels_last_norm(x, w, b):
    y = x.permute(0, 2, 3, 1)
    return F.layer_norm(y, (y.shape[-1],), w, b, 1e-6).permute(0, 3, 1, 2)


add(
    "layer norm between two permutations, channels last, 64x192x56x56",
    _channels_last_norm,
    lambda m: (m.image(64, 192, 56, 56), m(192), m(192)),
)
add(
    "layer norm between two permutations with gradient, 32x192x56x56",
    _channels_last_norm,
    lambda m: (m(32, 192, 56, 56, grad=True), m(192, grad=True), m(192, grad=True)),
)
add(
    "norm of matrices over three dimensions by a view, 512x3x5x131x257 f32",
    lambda x: x / x.flatten(1).norm(dim=1).clamp_min(1e-12).reshape(-1, 1, 1, 1, 1),
    lambda m: (m(512, 3, 5, 131, 257, dtype=F32),),
)


def _log_softmax_by_hand(x, t):
    z = x.float()
    z = z - z.amax(1, keepdim=True)
    logp = z - z.exp().sum(1, keepdim=True).log()
    n = x.size(1)
    loss = -(0.9 * logp.gather(1, t.clamp_min(0)[:, None])[:, 0] + 0.1 / n * logp.sum(1))
    return torch.where(t == -100, 0.0, loss).sum() / (t != -100).sum()


def _labels(m, limit, rows):
    t = m.rows(limit, rows)
    return torch.where(t % 5 == 0, -100, t)


add(
    "smoothed cross-entropy by hand with ignored rows and gradient, 8192x30011",
    _log_softmax_by_hand,
    lambda m: (m(8192, 30011, grad=True), _labels(m, 30011, 8192)),
)
add(
    "cross-entropy with weights of classes and ignored rows, 1000000x23 f32",
    lambda x, t, w: F.cross_entropy(x, t, w, ignore_index=-100, label_smoothing=0.1),
    lambda m: (m(1000000, 23, dtype=F32), _labels(m, 23, 1000000), m.uniform(23)),
)
add(
    "softmax of short rows by a product with a mask, 5000000x7 f32",
    lambda x, k: (lambda e: e / (e.sum(1, keepdim=True) + 1e-9))((x - x.max(1, keepdim=True).values).exp() * k),
    lambda m: (m(5000000, 7, dtype=F32), m.uniform(5000000, 7) > 0.3),
)
add(
    "softmax of pairs by columns, 100000000x2 f16",
    lambda x: (lambda a, b: torch.stack([torch.sigmoid(a - b), torch.sigmoid(b - a)], 1))(*x.unbind(1)),
    lambda m: (m(100000000, 2, dtype=F16),),
)
add(
    "log-softmax with gradient, channels last, 16x21x400x401",
    lambda x: x.log_softmax(1),
    lambda m: (m.image(16, 21, 400, 401, grad=True),),
)


# Attention


def _sliding(q, sink):
    n = q.size(-1)
    i = torch.arange(n, device=q.device)
    d = i.view(-1, 1) - i.view(1, -1)
    s = 30 * torch.tanh(q.float() * 0.088 / 30)
    s = s.masked_fill((d < 0) | (d >= 256), -torch.inf)
    most = torch.maximum(s.amax(-1, keepdim=True), sink.view(1, -1, 1, 1))
    e = (s - most).exp()
    return (e / (e.sum(-1, keepdim=True) + (sink.view(1, -1, 1, 1) - most).exp())).to(q.dtype)


add(
    "capped scores of a window with a sink by maximum and sum, 4x16x1537x1537",
    _sliding,
    lambda m: (m(4, 16, 1537, 1537), m(16, dtype=F32)),
)


def _packed_heads(x, a, b, cos, sin):
    q, k, _ = x.split([4096, 1024, 1024], -1)
    heads = []
    for part, w in ((q, a), (k, b)):
        h = part.unflatten(-1, (-1, 128)).transpose(1, 2)
        h = F.rms_norm(h.float(), (128,), w.float(), 1e-6)
        even, odd = h[..., ::2], h[..., 1::2]
        turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)
        heads.append(turned.to(x.dtype))
    return heads[0], heads[1].repeat_interleave(4, 1)


add(
    "norm of heads, rotation of pairs, keys repeated, of a packed tensor, 4x4096x6144",
    _packed_heads,
    lambda m: (m(4, 4096, 6144), m(128), m(128), m(4096 * m.scale, 64, dtype=F32), m(4096 * m.scale, 64, dtype=F32)),
)


def _merge_heads(o, gate):
    return torch.sigmoid(gate) * o.permute(0, 2, 1, 3).reshape(o.size(0), o.size(2), -1)


add(
    "heads back to tokens times a gate with gradient, 8x24x2048x96",
    _merge_heads,
    lambda m: (m(8, 24, 2048, 96, grad=True), m(8, 2048, 2304, grad=True)),
)


def _bands_of_positions(x, table):
    n = x.size(-1)
    i = torch.arange(n, device=x.device)
    return torch.softmax(x + table[:, (i[:, None] - i[None, :]).clamp(-128, 128) + 128], -1)


add(
    "softmax with clipped relative positions by a table, 32x12x513x513",
    _bands_of_positions,
    # The table has the positions of the function.
    lambda m: (m(32, 12, 513, 513), torch.randn(12, 257, device=m.device).to(BF16)),
)


# Experts


def _sigmoid_routing(x, bias):
    s = torch.sigmoid(x.float())
    chosen = (s + bias).topk(8, -1).indices
    w = s.gather(-1, chosen)
    return w / w.sum(-1, keepdim=True).add(1e-20) * 2.5, chosen


add("routing by sigmoids and biases, 131072x128", _sigmoid_routing, lambda m: (m(131072, 128), m.uniform(128)))


def _load(x, chosen):
    p = x.float().softmax(-1)
    share = F.one_hot(chosen, 60).sum(1).float().mean(0)
    return p.size(-1) * (share * p.mean(0)).sum() + 1e-3 * torch.logsumexp(x.float(), -1).square().mean()


add(
    "balance and z-loss of a router with gradient, 262144x60 of 4",
    _load,
    lambda m: (m(262144, 60, grad=True), m.ints(60, 262144, 4)),
)
add(
    "outputs of experts by einsum with weights, 16384x6x2051",
    lambda y, w: torch.einsum("tkd,tk->td", y.float(), w).to(y.dtype),
    lambda m: (m(16384, 6, 2051), m.uniform(16384, 6)),
)


# Quantization


def _groups_of_rows(w):
    k, n = w.shape
    g = w.float().reshape(k // 128, 128, n)
    most, least = g.amax(1, keepdim=True), g.amin(1, keepdim=True)
    scale = (most - least).clamp(min=1e-5) / 15
    zero = (-least / scale).round().clamp(0, 15)
    q = ((g / scale).round() + zero).clamp(0, 15).to(torch.uint8).reshape(k, n)
    return q[0::2] | (q[1::2] << 4), scale.squeeze(1).to(w.dtype), zero.squeeze(1).to(torch.uint8)


add("int4 with zeros in groups of 128 rows, packed by rows, 16384x6144", _groups_of_rows, lambda m: (m(16384, 6144),))


def _from_groups_of_rows(q, s, z):
    w = torch.stack([q & 15, q >> 4], 1).flatten(0, 1)
    w = w.view(s.size(0), -1, s.size(1)).to(torch.int8) - z.to(torch.int8)[:, None]
    return (w.to(s.dtype) * s[:, None]).view(-1, s.size(1))


add(
    "packed int4 with zeros in groups of 128 rows back to f16, 8192x12288 uint8",
    _from_groups_of_rows,
    lambda m: (
        m.ints(256, 8192, 12288, dtype=torch.uint8),
        m(128, 12288, dtype=F16),
        m.ints(16, 128, 12288, dtype=torch.uint8),
    ),
)


def _tiles(x):
    v = x.view(x.size(0) // 64, 64, -1, 128).float()
    scale = v.abs().amax((1, 3), keepdim=True).clamp_min(1e-4) / 448
    return (v / scale).to(F8).view(x.shape), scale.view(v.size(0), -1)


add("fp8 by tiles of 64x128 with scales, 16384x7168", _tiles, lambda m: (m(16384, 7168),))


def _fp8_step(q, s, r, w):
    h = (q.float() * s[:, None] + r.float()).to(r.dtype)
    y = F.rms_norm(h, (h.size(-1),), w, 1e-5).float()
    t = y.abs().amax(-1).clamp_min(1e-6) / 448
    return h, (y / t.unsqueeze(-1)).to(F8), t


add(
    "fp8 with scales plus residual, RMS norm and fp8 again, 32768x4096",
    _fp8_step,
    lambda m: (m(32768, 4096).to(F8), m.of_rows(32768), m(32768, 4096), m(4096)),
)


def _int8_matrix(acc, sx, sw, b):
    y = acc.to(F32) * sx.unsqueeze(1) * sw.unsqueeze(0) + b
    return (torch.clamp(torch.round(F.relu(y) * 8), max=127)).to(torch.int8)


add(
    "int32 products by scales of rows and columns, bias and ReLU to int8, 16384x5003",
    _int8_matrix,
    lambda m: (m.ints(20000, 16384, 5003, dtype=torch.int32), m.of_rows(16384), m.uniform(5003), m(5003, dtype=F32)),
)


# Optimizers


def _lion(p, g, a):
    g, w = g.float(), p.float()
    u = torch.sign(0.9 * a + 0.1 * g)
    return (w * (1 - 1e-3) - 1e-4 * u).to(p.dtype), torch.lerp(g, a, 0.99), (u == torch.sign(g)).float().mean()


add(
    "Lion with the share of equal signs, 100000007",
    _lion,
    lambda m: tuple(m(100000007 // m.scale, dtype=dtype) for dtype in (BF16, BF16, F32)),
)


def _muon(p, g, a):
    a = a * 0.95 + g
    u = g + 0.95 * a
    x = u.to(BF16)
    x = x / (torch.linalg.matrix_norm(x.float()) + 1e-7).to(BF16)
    return a, x.mT.contiguous(), p * (1 - 2e-3)


add(
    "momentum, look-ahead, matrix norm and transpose, 8192x4096 f32",
    _muon,
    lambda m: (m(8192, 4096, dtype=F32), m(8192, 4096, dtype=F32), m(8192, 4096, dtype=F32)),
)


def _factored(p, g, r, c):
    u = g.square() + 1e-30
    r = r.lerp(u.mean(-1), 0.01)
    c = c.lerp(u.mean(-2), 0.01)
    u = g * ((r / r.mean()).rsqrt()[:, None] * c.rsqrt()[None, :])
    u = u / (u.square().mean().sqrt() / 1.0).clamp(min=1.0)
    step = 1e-2 * p.square().mean().sqrt().clamp(min=1e-3)
    return p - step * u, r, c


add(
    "Adafactor with relative steps by lerp, 12288x4099 f32",
    _factored,
    lambda m: (m(12288, 4099, dtype=F32), m(12288, 4099, dtype=F32), m.of_rows(12288), m.uniform(4099)),
)


def _nesterov(p, g, a):
    g = g * torch.clamp(1.0 / (g.norm() + 1e-6), max=1.0) + 1e-4 * p
    a = a * 0.9 + g
    return p - 0.1 * (g + 0.9 * a), a


add(
    "clip by norm, decay and Nesterov momentum, 10007x9973 f32",
    _nesterov,
    lambda m: (m(10007, 9973, dtype=F32), m(10007, 9973, dtype=F32), m(10007, 9973, dtype=F32)),
)


# Gradients


def _gated(x, w):
    a, b = x.tensor_split(2, -1)
    h = a * torch.sigmoid(1.702 * a) * b
    return h / (h.float().square().mean(-1, keepdim=True) + 1e-6).sqrt().to(h.dtype) * w


add(
    "quick GELU of halves, then RMS norm by division, with gradient, 16384x10240",
    _gated,
    lambda m: (m(16384, 10240, grad=True), m(5120, grad=True)),
)
add(
    "masked mean squared error of patches with gradient, 128x196x1536",
    lambda x, y, k: (((x - y) ** 2).mean(-1) * k).sum() / k.sum(),
    lambda m: (m(128, 196, 1536, grad=True), m(128, 196, 1536), m.uniform(128, 196)),
)
add(
    "focal Tversky loss of three classes with gradient, 64x3x320x319 f32",
    lambda x, y: (
        lambda p: (
            1 - ((p * y).sum((0, 2, 3)) + 1) / ((p * y + 0.3 * p * (1 - y) + 0.7 * (1 - p) * y).sum((0, 2, 3)) + 1)
        )
        .pow(0.75)
        .mean()
    )(x.softmax(1)),
    lambda m: (m(64, 3, 320, 319, dtype=F32, grad=True), m.uniform(64, 3, 320, 319)),
)
add(
    "cosine of normalized pairs with gradient, 300000x96 f16",
    lambda a, b: (F.normalize(a.float(), dim=1) * F.normalize(b.float(), dim=1)).sum(1).mul(14).exp(),
    lambda m: (m(300000, 96, dtype=F16, grad=True), m(300000, 96, dtype=F16, grad=True)),
)
add(
    "mixing of three streams by softmax weights with gradient, 3x8x2048x2047",
    lambda x, w: torch.einsum("s...,s->...", x, w.softmax(0)),
    lambda m: (m(3 * m.scale, 8, 2048, 2047, grad=True), m(3, grad=True)),
)
