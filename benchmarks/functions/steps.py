"""Steps of language models and of their training: routing, sampling, positions, packed weights, updates in place."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F8, F32, add

F16 = torch.float16


def _gpt_oss(x):
    gate, linear = x[..., ::2], x[..., 1::2]
    gate, linear = gate.clamp(max=7.0), linear.clamp(min=-7.0, max=7.0)
    return gate * torch.sigmoid(1.702 * gate) * (linear + 1)


add("SwiGLU of interleaved columns, clamped, 16384x5760", _gpt_oss, lambda m: (m(16384, 5760),))
add(
    "SwiGLU of interleaved columns, clamped, with gradient, 16384x5760",
    _gpt_oss,
    lambda m: (m(16384, 5760, grad=True),),
)
add(
    "GEGLU of a base and a low-rank part, 16384x11010",
    lambda x, y: (lambda a, b: a * F.gelu(b))(*torch.chunk(x + 0.25 * y, 2, dim=-1)),
    lambda m: (m(16384, 11010), m(16384, 11010)),
)


def _group_routing(x, bias):
    s = x.float().sigmoid()
    biased = (s + bias).view(s.shape[0], 8, 32)
    groups = biased.amax(-1)
    keep = groups >= groups.mean(-1, keepdim=True)
    w = s * keep.unsqueeze(-1).expand(-1, 8, 32).reshape(s.shape)
    return w / (w.sum(-1, keepdim=True) + 1e-20) * 2.5


add("routing by groups of experts above the mean, 65536x256", _group_routing, lambda m: (m(65536, 256), m.uniform(256)))


def _capacity(x):
    p = x.float().softmax(-1)
    gate, e = p.max(-1)
    hot = F.one_hot(e, 32)
    place = torch.cumsum(hot, 0) * hot
    keep = (place <= 2500) & (place > 0)
    return gate * keep.any(-1), e, (p.mean(0) * hot.float().mean(0)).sum() * 32


add("switch routing with capacities and balance loss, 65536x32", _capacity, lambda m: (m(65536, 32),))


def _nucleus(x, values, order):
    p = values.softmax(-1)
    cut = (p.cumsum(-1) - p) > 0.9
    mask = torch.zeros_like(cut).scatter(1, order, cut)
    return x.masked_fill(mask, float("-inf"))


def _sorted_logits(m):
    x = m(256, 32000, dtype=F32)
    return (x, *x.sort(-1, descending=True))


add("nucleus of sorted logits back in order, 256x32000 f32", _nucleus, _sorted_logits)


def _speculative(p, q, t, u):
    p, q = p.softmax(-1), q.softmax(-1)
    a, b = (v.gather(-1, t[..., None])[..., 0] for v in (p, q))
    left = (p - q).clamp(min=0)
    return u < (a / b).clamp(max=1), left / left.sum(-1, keepdim=True)


add(
    "accepted tokens of a draft and what is left of distributions, 64x5x32000 f32",
    _speculative,
    lambda m: (m(64, 5, 32000, dtype=F32), m(64, 5, 32000, dtype=F32), m.ints(32000, 64, 5), m.uniform(64, 5)),
)


def _beams(x, score):
    s = F.log_softmax(x.float(), -1) + score[:, :, None]
    best, at = s.view(s.shape[0], -1).max(-1)
    return best, torch.div(at, 32001, rounding_mode="floor"), at % 32001


add("best of 5 beams, 128x5x32001", _beams, lambda m: (m(128, 5, 32001), m.uniform(128, 5)))
add(
    "penalties of frequency and presence by scattered counts, 256x50257 f32",
    lambda x, t: (lambda c: x - 0.3 * c - 0.2 * (c > 0).float())(
        torch.zeros_like(x).scatter_add_(1, t, torch.ones_like(t, dtype=x.dtype))
    ),
    lambda m: (m(256, 50257, dtype=F32), m.ints(50257, 256, 2000)),
)


def _axial(x, c, s):
    def turn(v, c, s):
        a, b = v.unflatten(-1, (-1, 2)).unbind(-1)
        return torch.stack((a * c - b * s, a * s + b * c), -1).flatten(-2)

    rows, columns = x.float().split(32, dim=-1)
    return torch.cat([turn(rows, c[0], s[0]), turn(columns, c[1], s[1])], -1).to(x.dtype)


add(
    "RoPE of rows and columns of images, 64x16x1024x64",
    _axial,
    lambda m: (m(64, 16, 1024, 64), *(torch.rand(2, 1024, 16, device=m.device) for _ in range(2))),
)


def _gathered_rope(q, cos, sin, ids):
    cos, sin = cos[ids].unsqueeze(1), sin[ids].unsqueeze(1)
    half = torch.cat((-q[..., 48:], q[..., :48]), dim=-1)
    return (q * cos) + (half * sin)


add(
    "RoPE at ids of positions with gradient, f16, 64x12x500x96",
    _gathered_rope,
    lambda m: (
        m(64, 12, 500, 96, dtype=F16, grad=True),
        *(torch.rand(4096, 96, device=m.device).to(F16) for _ in range(2)),
        m.ints(4096, 64, 500),
    ),
)


def _additive_mask(mask):
    n, low = mask.shape[-1], torch.finfo(BF16).min
    causal = torch.full((n, n), low, dtype=BF16, device=mask.device).triu(1)
    padding = (1.0 - mask[:, None, None, :].to(BF16)) * low
    return causal[None, None].expand(mask.shape[0], 1, n, n).masked_fill(padding.bool(), low)


add("additive mask of causality and padding, 64x1024", _additive_mask, lambda m: (m.ints(2, 64, 1024),))


def _segment_sums(a):
    x = a.unsqueeze(-1).expand(-1, -1, -1, 64)
    i = torch.ones(64, 64, dtype=torch.bool, device=a.device)
    x = x.masked_fill(~i.tril(-1), 0).cumsum(-2)
    return x.masked_fill(~i.tril(0), float("-inf")).exp()


add("decays between steps of chunks, 256x64x64 f32", _segment_sums, lambda m: (-m.uniform(256, 64, 64),))


def _mamba_gate(x, y, z, d, w):
    y = (y.float() + x.float() * d) * F.silu(z.float())
    g = y.unflatten(-1, (8, 640))
    return (g * torch.rsqrt(g.square().mean(-1, keepdim=True) + 1e-5)).flatten(-2).to(x.dtype) * w


add(
    "skip, gate and norm of groups of a state, 16384x5120",
    _mamba_gate,
    lambda m: (m(16384, 5120), m(16384, 5120), m(16384, 5120), m.uniform(5120), m(5120)),
)


def _awq(q, zeros, scales):
    shifts = torch.tensor([0, 16, 4, 20, 8, 24, 12, 28], dtype=torch.int32, device=q.device)
    w = ((q[:, :, None] >> shifts) & 15).view(q.shape[0], -1)
    z = ((zeros[:, :, None] >> shifts) & 15).view(zeros.shape[0], -1)
    w = w.view(-1, 64, w.shape[-1]) - z[:, None]
    return (w * scales[:, None]).to(F16).view(q.shape[0], -1)


add(
    "int4 of eight in an int32 with zeros and scales to f16, 8192x512",
    _awq,
    lambda m: (
        m.ints(2**31 - 1, 8192, 512, dtype=torch.int32),
        m.ints(2**31 - 1, 128, 512, dtype=torch.int32),
        m.uniform(128, 4096),
    ),
)


def _two_bits(w):
    w = w.float()
    q = ((w / w.abs().mean().clamp(min=1e-5)).round().clamp(-1, 1) + 1).to(torch.uint8)
    a, b, c, d = q.chunk(4, 1)
    return a | (b << 2) | (c << 4) | (d << 6)


add("ternary weights in two bits, 8192x8192", _two_bits, lambda m: (m(8192, 8192),))


def _nearest_codes(w, table):
    v = w.float().view(w.shape[0], -1, 64)
    most = v.abs().amax(-1, keepdim=True)
    codes = ((v / most).unsqueeze(-1) - table).abs().argmin(-1).to(torch.uint8).view(w.shape[0], -1, 2)
    return (codes[..., 0] << 4) | codes[..., 1], most.squeeze(-1)


add(
    "nearest of 16 codes, packed, with scales of 64, 4096x4096",
    _nearest_codes,
    lambda m: (m(4096, 4096), torch.linspace(-1, 1, 16, device=m.device)),
)


def _rows_and_columns(x):
    v = x.float()
    row = v.abs().amax(1, keepdim=True).clamp(min=1e-12) / 448
    column = v.abs().amax(0, keepdim=True).clamp(min=1e-12) / 448
    return (v / row).to(F8), row, (v / column).t().contiguous().to(F8), column


add("fp8 by rows, and by columns transposed, 8192x8192", _rows_and_columns, lambda m: (m(8192, 8192),))


def _learned_step(x, s):
    v = (x / s).clamp(-8, 7)
    return ((v.round() - v).detach() + v) * s


add(
    "4 bits with learned steps of rows and gradient, 8192x8192 f32",
    _learned_step,
    lambda m: (m(8192, 8192, dtype=F32, grad=True), (m.uniform(8192, 1) + 0.1).requires_grad_()),
)


def _adamw_in_place(p, g, a, v):
    g = g.float()
    p, a, v = p.clone(), a.clone(), v.clone()
    p.mul_(1 - 1e-5)
    a.lerp_(g, 0.1)
    v.mul_(0.999).addcmul_(g, g, value=0.001)
    p.addcdiv_(a, (v.sqrt() / 0.3).add_(1e-8), value=-1e-3)
    return p, a, v, p.to(BF16)


add(
    "AdamW by updates in place with gradients and copies in bf16, 8192x8191 f32",
    _adamw_in_place,
    lambda m: (m.uniform(8192, 8191), m(8192, 8191), m.uniform(8192, 8191), m.uniform(8192, 8191)),
)


def _orthogonal_input(g, b):
    b = b * 0.95 + g * 0.05
    u = torch.lerp(g, b, 0.95).bfloat16()
    return b, (u / (u.norm(dim=(-2, -1), keepdim=True) + 1e-7)).mT.contiguous()


add(
    "momentum, norm of matrices and transpose before orthogonalization, 64x2048x1024 f32",
    _orthogonal_input,
    lambda m: (m(64, 2048, 1024, dtype=F32), m(64, 2048, 1024, dtype=F32)),
)


def _clip_all(*grads):
    total = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g.float()) for g in grads]))
    share = torch.clamp(1.0 / (total + 1e-6), max=1.0)
    return total, *(g * share.to(g.dtype) for g in grads)


add(
    "six gradients clipped by their norm",
    _clip_all,
    lambda m: (m(4096, 4096), m(4096, 11008), m(11008, 4096), m(32000, 1000), m(4096), m(777, 333)),
)


def _unscale(scale, *grads):
    scaled = [g.float() * (1.0 / scale) for g in grads]
    return torch.stack([~torch.isfinite(g).all() for g in scaled]).any(), *scaled


add(
    "gradients of f16 unscaled, and whether one is infinite",
    _unscale,
    lambda m: (m.uniform(1) + 1024, *(m(*s, dtype=F16) for s in ((4096, 4096), (8192, 4096), (4097, 333), (4096,)))),
)


def _advantages(r, v, done):
    last, found = torch.zeros_like(r[:, 0]), []
    for t in reversed(range(16)):
        delta = r[:, t] + 0.99 * v[:, t + 1] * (1 - done[:, t]) - v[:, t]
        last = delta + 0.99 * 0.95 * (1 - done[:, t]) * last
        found.insert(0, last)
    a = torch.stack(found, 1)
    return a, a + v[:, :-1]


add(
    "generalized advantages of 16 steps, 1000000x16 f32",
    _advantages,
    lambda m: (m(1000000, 16, dtype=F32), m(1000000, 17, dtype=F32), m.uniform(1000000, 16).round()),
)


def _double_q(q, online, target, action, reward):
    best = online.argmax(1, keepdim=True)
    y = reward + 0.99 * target.gather(1, best).squeeze(1)
    return F.smooth_l1_loss(q.gather(1, action[:, None]).squeeze(1), y.detach())


add(
    "loss of double Q-learning with gradient, 524288x18 f32",
    _double_q,
    lambda m: (
        m(524288, 18, dtype=F32, grad=True),
        m(524288, 18, dtype=F32),
        m(524288, 18, dtype=F32),
        m.rows(18, 524288),
        m(524288, 1, dtype=F32)[:, 0],
    ),
)


def _nearest_entries(products, x, c):
    d = x.square().sum(1, keepdim=True) - 2 * products + c.square().sum(1)
    at = d.argmin(1)
    found = c[at]
    return at, x + (found - x).detach(), (found - x).square().mean()


add(
    "nearest entries of a codebook by products, and its loss, 65536x1024 of 64 f32",
    _nearest_entries,
    lambda m: (m(65536, 1024, dtype=F32), m(65536, 64, dtype=F32), torch.randn(1024, 64, device=m.device)),
)


def _left_padded(ids):
    mask = ids != 0
    place = (mask.int().cumsum(1) - 1).clamp(min=0)
    return place, mask.sum(1), mask.all(1), mask.int().argmax(1)


add(
    "positions, lengths and begins of left-padded ids, 8192x2047 int64",
    _left_padded,
    lambda m: (m.ints(9, 8192, 2047),),
)
