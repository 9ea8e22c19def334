"""Bits and bytes, element types, unusual layouts, updates in place, views, optimizers, augmentation of images."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F8, F32, add

F16, F64, I32, U8 = torch.float16, torch.float64, torch.int32, torch.uint8


def _mxfp4(x):
    v = x.float().unflatten(-1, (-1, 32))
    e = torch.floor(torch.log2(v.abs().amax(-1, keepdim=True).clamp(min=2.0**-126))) - 2
    v = v * torch.exp2(-e)
    a, code = v.abs(), torch.zeros_like(v, dtype=U8)
    for t in (0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0):
        code = code + (a > t).to(U8)
    code = (code | ((v < 0).to(U8) << 3)).flatten(-2)
    return code[..., ::2] | (code[..., 1::2] << 4), (e.squeeze(-1) + 127).to(U8)


add("blocks of 32 to packed 4-bit floats and exponents, 8192x8192", _mxfp4, lambda m: (m(8192, 8192),))


def _from_mxfp4(q, e, table):
    low, high = table[(q & 15).int()], table[(q >> 4).int()]
    v = torch.stack([low, high], -1).flatten(-2).unflatten(-1, (-1, 32))
    return torch.ldexp(v, e.int().unsqueeze(-1) - 127).flatten(-2).to(BF16)


add(
    "packed 4-bit floats and exponents to bf16, 8192x4096 uint8",
    _from_mxfp4,
    lambda m: (m.ints(256, 8192, 4096, dtype=U8), m.ints(20, 8192, 256, dtype=U8) + 117,
               torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6], device=m.device)),
)  # fmt: skip


def _signed_int4(q, scales):
    low, high = (q << 4) >> 4, q >> 4
    w = torch.stack([low, high], -1).view(q.shape[0], -1, 128)
    return (w.to(BF16) * scales[:, :, None]).view(q.shape[0], -1)


add(
    "signed 4 bits by shifts with scales of 128, 8192x4096 int8",
    _signed_int4,
    lambda m: ((m.ints(256, 8192, 4096) - 128).to(torch.int8), m(8192, 64)),
)


def _sign_bits(x):
    powers = 2 ** torch.arange(8, device=x.device)
    return ((x > 0).view(x.shape[0], -1, 8) * powers).sum(-1).to(U8)


add("signs packed in bytes, 8192x16384", _sign_bits, lambda m: (m(8192, 16384),))
add(
    "bits of bytes to signs with scales of rows, 16384x1024 uint8",
    lambda q, s: ((((q.unsqueeze(-1) >> torch.arange(8, dtype=U8, device=q.device)) & 1).to(BF16) * 2 - 1)
                  .flatten(-2) * s),
    lambda m: (m.ints(256, 16384, 1024, dtype=U8), m(16384, 1)),
)  # fmt: skip


def _hamming(a, b):
    v = a[:, None] ^ b[None]
    v = v - ((v >> 1) & 0x5555555555555555)
    v = (v & 0x3333333333333333) + ((v >> 2) & 0x3333333333333333)
    v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((v * 0x0101010101010101) >> 56).sum(-1)


add(
    "Hamming distances of codes of 256 bits, 4096x4096 int64",
    _hamming,
    lambda m: (m.ints(2**62, 4096, 4), torch.randint(2**62, (4096, 4), device=m.device)),
)


def _stochastic_rounding(x, noise):
    bits = x.view(I32) + (noise & 0xFFFF)
    return (bits & -65536).view(F32).to(BF16)


add(
    "stochastic rounding to bf16 by bits, 8192x8192 f32",
    _stochastic_rounding,
    lambda m: (m(8192, 8192, dtype=F32), m.ints(2**31 - 1, 8192, 8192, dtype=I32)),
)


def _inverse_root(x):
    y = (0x5F3759DF - (x.view(I32) >> 1)).view(F32)
    for _ in range(2):
        y = y * (1.5 - 0.5 * x * y * y)
    exponent = ((x.view(I32) >> 23) & 255) - 127
    return y, exponent.to(torch.int8)


add("inverse roots and exponents by bits, 8192x8192 f32", _inverse_root, lambda m: (m.uniform(8192, 8192) + 0.01,))


def _spread(v):
    for s, k in ((16, 0x30000FF), (8, 0x300F00F), (4, 0x30C30C3), (2, 0x9249249)):
        v = (v | (v << s)) & k
    return v


def _morton(x):
    v = ((x - x.amin(0)) / (x.amax(0) - x.amin(0) + 1e-9) * 1023).int()
    x, y, z = v.unbind(-1)
    return _spread(x) | (_spread(y) << 1) | (_spread(z) << 2)


add("Morton codes of points in their box, 4000000x3 f32", _morton, lambda m: (m(4000000, 3, dtype=F32),))


def _random_bits(x):
    for _ in range(3):
        x = x ^ (x << 13)
        x = x ^ ((x >> 17) & 0x7FFF)
        x = x ^ (x << 5)
    return (x & 0xFFFFFF).float() * 2.0**-24, x


add("three steps of a shift register to uniform numbers, 8192x8191 int32", _random_bits,
    lambda m: (m.ints(2**31 - 1, 8192, 8191, dtype=I32),))  # fmt: skip
add(
    "rounded averages of bytes by 16 bits, 64x1080x1920 uint8",
    lambda a, b: ((a.to(torch.int16) + b + 1) >> 1).to(U8),
    lambda m: (m.ints(256, 64, 1080, 1920, dtype=U8), m.ints(256, 64, 1080, 1920, dtype=U8)),
)
add(
    "exclusive or of masks and what rows and images contain, 256x1000x1001 bool",
    lambda a, b: (lambda d: (d, d.any(-1), d.all(1), d.sum((1, 2)), (a & ~b).float().mean((1, 2))))(a ^ b),
    lambda m: (m.ints(2, 256, 1000, 1001).bool(), m.ints(2, 256, 1000, 1001).bool()),
)
add(
    "moments of columns in f64, 2000000x32 f32",
    lambda x: (lambda v, a: (a, ((v - a) ** 2).mean(0), ((v - a) ** 3).mean(0) / ((v - a) ** 2).mean(0) ** 1.5))(
        x.double(), x.double().mean(0)
    ),
    lambda m: (m(2000000, 32, dtype=F32),),
)
add(
    "sums of f16, int64 and bool with a number, 8192x8191",
    lambda a, b, c: a * 0.5 + b + c * 3 - (b % 7),
    lambda m: (m(8192, 8191, dtype=F16), m.ints(99, 8192, 8191), m.ints(2, 8192, 8191).bool()),
)
add(
    "softmax of every third column of every second row, 20000x6007 f32",
    lambda x: x.softmax(-1),
    lambda m: (m(20000, 6007, dtype=F32)[::2, 1::3],),
)
add(
    "softmax of heads last with a mask of expanded rows, 32x512x12x128",
    lambda x, k: x.masked_fill(k, -1e4).float().softmax(2).to(x.dtype),
    lambda m: (m(32, 512, 128, 12).permute(0, 3, 1, 2), m.ints(2, 32, 1, 512, 1).bool().expand(-1, 12, -1, 128)),
)
add(
    "rows of an expanded tensor plus a transposed one, 4001x2003",
    lambda a, b, c: (a * b.t() + c, (a + c).sum(0)),
    lambda m: (
        m(4001, 1).expand(-1, 2003),
        torch.randn(2003, max(4001 // m.scale, 1), device=m.device).to(BF16),
        m(1, 2003),
    ),
)
add(
    "norm of rows with dimensions of one, 10007x1x331x1",
    lambda x, w: F.layer_norm(x.squeeze(1).squeeze(-1), (331,), w).unsqueeze(1).unsqueeze(3).transpose(0, 1),
    lambda m: (m(10007, 1, 331, 1), m(331)),
)


def _views(x, y):
    z = x + y
    return z.transpose(0, 1), z[:, ::2], z.view(z.shape[0], -1, 7), z[0], x, x[:, 3:5], z.sum()


add("views of a sum and of an argument, 8191x4095", _views, lambda m: (m(8191, 4095), m(8191, 4095)))


def _parts(x, w):
    q, k, v = (x * w).split((2048, 512, 512), -1)
    q = q.unflatten(-1, (16, 128)).transpose(1, 2)
    return q, k.contiguous(), v, (k * k).mean(-1), q.amax((1, 3))


add("parts of a scaled projection in several ranks, 16x1024x3072", _parts, lambda m: (m(16, 1024, 3072), m(3072)))


def _cache_rows(cache, new, at):
    return cache.index_copy(1, at, new), (new * new).sum(-1)


add(
    "rows of a cache replaced at positions, 64x4096x8x64",
    _cache_rows,
    lambda m: (m(64, 4096, 8, 64), m(64, 16, 8, 64), torch.randperm(m.vary(4096), device=m.device)[:16]),
)


def _cache_in_place(cache, new, scale):
    cache[:, :, 1000:1032] = new * scale
    return cache[:, :, :1032].float().square().mean(-1)


add(
    "part of a cache overwritten and read, 16x8x4096x128",
    _cache_in_place,
    lambda m: (m(16, 8, 4096, 128), m(16, 8, 32, 128), m.uniform(128, dtype=BF16)),
)
add(
    "part of a cache by slice_scatter, 16x8x2048x128",
    lambda cache, new: torch.slice_scatter(cache, new.to(cache.dtype), 2, 77, 141),
    lambda m: (m(16, 8, 2048, 128), m(16, 8, 64, 128, dtype=F32)),
)


def _ring(cache, new, t):
    at = (t + torch.arange(new.shape[1], device=new.device)) % cache.shape[1]
    cache[:, at] = new
    age = (t - torch.arange(cache.shape[1], device=new.device)) % cache.shape[1]
    return cache * (age < 512)[None, :, None]


add(
    "ring of the last 1024 states, 128x1024x512",
    _ring,
    lambda m: (m(128, 1024, 512), m(128, 8, 512), torch.tensor(1021, device=m.device)),
)


def _paged(cache, slots, k):
    flat = cache.view(-1, *cache.shape[2:])
    flat[slots] = k
    return k.abs().amax((-2, -1))


add(
    "keys to slots of a paged cache, 4096x16x8x128",
    _paged,
    lambda m: (
        m(4096, 16, 8, 128),
        torch.randperm(max(m.vary(4096) // m.scale, 1) * 16, device=m.device)[: max(m.vary(2048) // m.scale, 1)],
        m(2048, 8, 128),
    ),
)


def _sophia(p, g, a, h):
    p, a = p * (1 - 1e-4), a.lerp(g, 0.04)
    ratio = (a.abs() / (0.04 * h.clamp(min=1e-15))).clamp(max=1)
    return p - 3e-4 * a.sign() * ratio, a, (ratio < 1).float().mean()


add(
    "Sophia with the share of unclipped steps, 8192x8192 f32",
    _sophia,
    lambda m: tuple(m.uniform(8192, 8192) - 0.5 for _ in range(4)),
)


def _adan(p, g, old, a, d, v, step):
    diff = g - old
    a = torch.lerp(a, g, 0.02)
    d = torch.lerp(d, diff, 0.08)
    u = g + 0.92 * diff
    v = v * 0.99 + u * u * 0.01
    denom = v.sqrt() / (1 - 0.99**step).sqrt() + 1e-8
    update = a / (1 - 0.98**step) / denom + 0.92 * d / (1 - 0.92**step) / denom
    return (p - 1e-3 * update) / (1 + 2e-5), a, d, v


add(
    "Adan with bias corrections by a step, 4096x8192 f32",
    _adan,
    lambda m: (*(m.uniform(4096, 8192) for _ in range(6)), torch.tensor(7.0, device=m.device)),
)


def _ademamix(p, g, fast, slow, v):
    fast, slow = fast.mul(0.9).add(g, alpha=0.1), slow.mul(0.9999).add(g, alpha=1e-4)
    v = v.mul(0.999).addcmul(g, g, value=0.001)
    update = (fast.div(0.1) + 5.0 * slow) / (v.sqrt().div(0.0316).add(1e-8))
    return p.add(update.add(p, alpha=0.1), alpha=-1e-3), fast, slow, v


add(
    "AdEMAMix step and moments, 8192x8192 f32",
    _ademamix,
    lambda m: tuple(m.uniform(8192, 8192) for _ in range(5)),
)


def _newton_schulz(x, a, b):
    x = x.to(BF16)
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    return x, -4.7750 * a + 2.0315 * b, 3.4445 * x + a


add(
    "pieces of an orthogonalization, 32x2048x2048 f32",
    _newton_schulz,
    lambda m: (m(32, 2048, 2048, dtype=F32), m(32, 2048, 2048), m(32, 2048, 2048)),
)


def _rank_one(g, r, c):
    sq = g.float().square() + 1e-30
    r, c = r.lerp(sq.mean(-1), 0.2), c.lerp(sq.mean(-2), 0.2)
    update = g * torch.rsqrt(r / r.mean(-1, keepdim=True)).unsqueeze(-1) * torch.rsqrt(c).unsqueeze(-2)
    return update / (update.square().mean((-2, -1), keepdim=True).sqrt()).clamp(min=1.0), r, c


add(
    "factored second moments of experts with clipped updates, 64x1024x2048",
    _rank_one,
    lambda m: (m(64, 1024, 2048), m.uniform(64, 1024), m.uniform(64, 2048)),
)


def _trust(p, g, b):
    norm, of_g = p.norm(), g.norm()
    ratio = torch.where((norm > 0) & (of_g > 0), 0.001 * norm / (of_g + 1e-4 * norm + 1e-8), 1.0)
    b = 0.9 * b + ratio * (g + 1e-4 * p)
    return p - b, b


add(
    "LARS: momentum by the ratio of norms, 8192x8193 f32",
    _trust,
    lambda m: tuple(m(8192, 8193, dtype=F32) for _ in range(3)),
)


def _schedule_free(y, z, g, v):
    g = g.float()
    v = v * 0.99 + g * g * 0.01
    step = g / (v.sqrt() + 1e-8) + 0.01 * y
    return torch.lerp(y, z, 0.1) + step * (1e-3 * (0.9 * 0.9 - 1)), z - 1e-3 * step, v


add(
    "schedule-free AdamW of bf16 gradients, 8192x8192 f32",
    _schedule_free,
    lambda m: (m.uniform(8192, 8192), m.uniform(8192, 8192), m(8192, 8192), m.uniform(8192, 8192)),
)


def _jitter(x, b, c, s):
    b, c, s = (v.view(-1, 1, 1, 1) for v in (b, c, s))
    weights = torch.tensor([0.299, 0.587, 0.114], device=x.device).view(1, 3, 1, 1)
    x = (x * b).clamp(0, 1)
    x = torch.lerp((x * weights).sum(1, keepdim=True).mean((2, 3), keepdim=True), x, c).clamp(0, 1)
    return torch.lerp((x * weights).sum(1, keepdim=True), x, s).clamp(0, 1)


add(
    "brightness, contrast and saturation of images, 256x3x224x224 f32",
    _jitter,
    lambda m: (m.uniform(256, 3, 224, 224), *(m.uniform(256, 1)[:, 0] + 0.5 for _ in range(3))),
)


def _affine(theta):
    x = torch.linspace(-1, 1, 224, device=theta.device)
    base = torch.stack([x.expand(224, 224), x[:, None].expand(224, 224), torch.ones(224, 224, device=theta.device)], -1)
    return (base[None, :, :, None, :] * theta[:, None, None]).sum(-1)


add("grids of affine maps, 512x2x3 to 224x224 f32", _affine, lambda m: (m(512, 2, 3, dtype=F32),))


def _sampled(x, grid):
    h, w = x.shape[-2:]
    u, v = ((grid[..., 0] + 1) * w - 1) / 2, ((grid[..., 1] + 1) * h - 1) / 2
    u, v = u.clamp(0, w - 1), v.clamp(0, h - 1)
    a, b = u.floor(), v.floor()
    du, dv = (u - a).unsqueeze(1), (v - b).unsqueeze(1)
    a, b = a.long(), b.long()
    flat = x.flatten(2)

    def at(i, j):
        index = (j.clamp(max=h - 1) * w + i.clamp(max=w - 1)).flatten(1).unsqueeze(1).expand(-1, x.shape[1], -1)
        return flat.gather(2, index).view(x.shape[0], x.shape[1], *grid.shape[1:3])

    top = at(a, b) * (1 - du) + at(a + 1, b) * du
    return top * (1 - dv) + (at(a, b + 1) * (1 - du) + at(a + 1, b + 1) * du) * dv


add(
    "bilinear samples at a grid by gathers, 64x16x128x128 f32",
    _sampled,
    lambda m: (m(64, 16, 128, 128, dtype=F32), m.uniform(64, 128, 128, 2) * 2 - 1),
)
add(
    "images sampled at a grid, 64x16x128x128 f32",
    lambda x, g: F.grid_sample(x, g, align_corners=False),
    lambda m: (m(64, 16, 128, 128, dtype=F32), m.uniform(64, 128, 128, 2) * 2 - 1),
)


def _posterized(x, bits, threshold):
    x = x & (255 << (8 - bits)).to(U8)[:, None, None, None]
    return torch.where(x < threshold, x, 255 - x)


add(
    "bytes posterized and inverted above a threshold, 256x3x224x224 uint8",
    _posterized,
    lambda m: (
        m.ints(256, 256, 3, 224, 224, dtype=U8),
        m.rows(5, 256).int() + 3,
        torch.tensor(128, dtype=U8, device=m.device),
    ),
)


def _blocks_of_eight(x, table):
    n, h, w = x.shape
    b = (x * 255 - 128).view(n, h // 8, 8, w // 8, 8).permute(0, 1, 3, 2, 4)
    q = torch.round(b / table) * table
    return ((q.permute(0, 1, 3, 2, 4).reshape(n, h, w) + 128) / 255).clamp(0, 1), (q == 0).float().mean((3, 4))


add(
    "blocks of 8x8 quantized by a table, 128x512x512 f32",
    _blocks_of_eight,
    lambda m: (m.uniform(128, 512, 512), torch.rand(8, 8, device=m.device) * 40 + 1),
)


def _mosaic(x):
    r, g, h, b = x[:, ::2, ::2], x[:, ::2, 1::2], x[:, 1::2, ::2], x[:, 1::2, 1::2]
    rgb = torch.stack([r * 1.9, (g + h) / 2, b * 1.6], 1).clamp(0, 1)
    return torch.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * rgb.clamp(min=0.0031308).pow(1 / 2.4) - 0.055)


add("sensor mosaics to half-size colors, 32x2048x2048 f32", _mosaic, lambda m: (m.uniform(32, 2048, 2048),))


def _filmic(x):
    x = x * 0.6
    y = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)
    return (y.clamp(0, 1) ** (1 / 2.2) * 255 + 0.5).to(U8).permute(0, 2, 3, 1).contiguous()


add("tone mapping to bytes, channels last, 32x3x720x1280 f32", _filmic, lambda m: (m.uniform(32, 3, 720, 1280) * 4,))


def _temporal_shift(x):
    n, t, c, h, w = x.shape
    out = torch.zeros_like(x)
    out[:, :-1, : c // 8] = x[:, 1:, : c // 8]
    out[:, 1:, c // 8 : c // 4] = x[:, :-1, c // 8 : c // 4]
    out[:, :, c // 4 :] = x[:, :, c // 4 :]
    return out.view(n * t, c, h, w)


add("channels shifted between frames, 16x8x64x56x56", _temporal_shift, lambda m: (m(16, 8, 64, 56, 56),))
add(
    "tubelets of video to tokens, 16x3x16x224x224 f16",
    lambda x: x.unfold(2, 2, 2)
    .unfold(3, 16, 16)
    .unfold(4, 16, 16)
    .permute(0, 2, 3, 4, 1, 5, 6, 7)
    .flatten(4)
    .flatten(1, 3),
    lambda m: (m(16, 3, 16, 224, 224, dtype=F16),),
)


def _noise_ratio(x, y):
    mse = (x.float() - y.float()).div(255).square().mean((1, 2, 3))
    return 10 * torch.log10(1 / mse.clamp(min=1e-10)), (x.int() - y.int()).abs().amax((1, 2, 3))


add(
    "ratios of signal and noise of bytes, 128x3x512x512 uint8",
    _noise_ratio,
    lambda m: (m.ints(256, 128, 3, 512, 512, dtype=U8), m.ints(256, 128, 3, 512, 512, dtype=U8)),
)


def _erased(x, top, left, size, noise):
    i = torch.arange(x.shape[2], device=x.device)[None, :, None]
    j = torch.arange(x.shape[3], device=x.device)[None, None, :]
    top, left, size = (v[:, None, None] for v in (top, left, size))
    inside = (i >= top) & (i < top + size) & (j >= left) & (j < left + size)
    return torch.where(inside[:, None], noise, x)


add(
    "boxes of images erased by noise, 256x3x224x224",
    _erased,
    lambda m: (m.image(256, 3, 224, 224), *(m.rows(200, 256) for _ in range(3)), m(256, 3, 224, 224)),
)
add(
    "rows of fp8 with scales to bf16, added to a residual, 16384x8192",
    lambda q, s, r: q.to(BF16) * s + r,
    lambda m: (m(16384, 8192, dtype=F8), m.uniform(16384, 1, dtype=BF16), m(16384, 8192)),
)
add(
    "complex products of spectra by filters as reals with gradient, 128x64x2049x2 f32",
    lambda a, b: torch.stack(
        (a[..., 0] * b[..., 0] - a[..., 1] * b[..., 1], a[..., 0] * b[..., 1] + a[..., 1] * b[..., 0]), -1
    ),
    lambda m: (m(128, 64, 2049, 2, dtype=F32, grad=True), torch.randn(64, 2049, 2, device=m.device).requires_grad_()),
)
