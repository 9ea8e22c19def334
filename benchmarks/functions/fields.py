"""Images, sound, physics, finance, boxes, graphs and samplers of diffusion, as people write them."""

import math

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add


def _ciou(p, t):
    px, py, pw, ph = p.unbind(-1)
    x1, y1, x2, y2 = t.split(1, -1)
    tw, th, tx, ty = (v.squeeze(-1) for v in (x2 - x1, y2 - y1, (x1 + x2) / 2, (y1 + y2) / 2))
    pw, ph = pw.exp(), ph.exp()
    w = (torch.min(px + pw / 2, tx + tw / 2) - torch.max(px - pw / 2, tx - tw / 2)).clamp(0)
    h = (torch.min(py + ph / 2, ty + th / 2) - torch.max(py - ph / 2, ty - th / 2)).clamp(0)
    iou = w * h / (pw * ph + tw * th - w * h + 1e-7)
    cw = torch.max(px + pw / 2, tx + tw / 2) - torch.min(px - pw / 2, tx - tw / 2)
    ch = torch.max(py + ph / 2, ty + th / 2) - torch.min(py - ph / 2, ty - th / 2)
    v = (4 / math.pi**2) * (torch.atan(tw / (th + 1e-7)) - torch.atan(pw / ph)).pow(2)
    alpha = (v / (v - iou + 1 + 1e-7)).detach()
    return (1 - iou + ((px - tx) ** 2 + (py - ty) ** 2) / (cw**2 + ch**2 + 1e-7) + alpha * v).mean()


add(
    "complete overlap loss of boxes with gradient, 1000000x4 f32",
    _ciou,
    lambda m: (
        m(1000000, 4, dtype=F32, grad=True),
        m.uniform(1000000, 4) + torch.tensor([0.0, 0, 1, 1], device=m.device),
    ),
)


def _yolo(x, anchors):
    x = x.view(x.shape[0], 3, 85, 80, 80).permute(0, 1, 3, 4, 2).sigmoid()
    y, i = torch.meshgrid(torch.arange(80, device=x.device), torch.arange(80, device=x.device), indexing="ij")
    grid = torch.stack((i, y), -1).float()
    xy = (x[..., :2] * 2 - 0.5 + grid) * 8
    wh = (x[..., 2:4] * 2) ** 2 * anchors[:, None, None]
    return torch.cat((xy, wh, x[..., 4:]), -1).view(x.shape[0], -1, 85)


add(
    "boxes of a detector from its maps, 64x255x80x80 f32",
    _yolo,
    lambda m: (m(64, 255, 80, 80, dtype=F32), m.uniform(3 * m.scale, 2)),
)
add(
    "centerness of sides, 64x40000x4 f32",
    lambda s: (
        lambda h, v: torch.sqrt((h.amin(-1) / h.amax(-1).clamp(min=1e-6)) * (v.amin(-1) / v.amax(-1).clamp(min=1e-6)))
    )(s[..., [0, 2]], s[..., [1, 3]]),
    lambda m: (m.uniform(64, 40000, 4),),
)


def _lab(x):
    x = torch.where(x > 0.04045, ((x + 0.055) / 1.055) ** 2.4, x / 12.92)
    r, g, b = x[:, 0], x[:, 1], x[:, 2]
    xyz = torch.stack(
        [
            (0.4125 * r + 0.3576 * g + 0.1804 * b) / 0.95047,
            0.2127 * r + 0.7152 * g + 0.0722 * b,
            (0.0193 * r + 0.1192 * g + 0.9503 * b) / 1.08883,
        ],
        1,
    )
    f = torch.where(xyz > 0.008856, xyz.clamp(min=1e-6).pow(1 / 3), 7.787 * xyz + 4.0 / 29)
    return torch.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], 1)


add("sRGB to Lab, 64x3x480x640 f32", _lab, lambda m: (m.uniform(64, 3, 480, 640),))


def _per_image(x):
    x = x.flip(-1).permute(0, 3, 1, 2).float().div(255)
    std, mean = torch.std_mean(x, dim=(2, 3), keepdim=True)
    return ((x - mean) / (std + 1e-6)).to(BF16).contiguous()


add(
    "BGR bytes, channels last, standardized by image, 128x224x224x3",
    _per_image,
    lambda m: (m.ints(255, 128, 224, 224, 3, dtype=torch.uint8),),
)


def _unsharp(x):
    taps = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)
    h, w = x.shape[-2:]
    v = sum(t * x.narrow(-1, i, w - 4) for i, t in enumerate(taps))
    v = sum(t * v.narrow(-2, i, h - 4) for i, t in enumerate(taps))
    c = x[..., 2:-2, 2:-2]
    return (c + 0.7 * (c - v)).clamp(0, 1)


add(
    "unsharp mask by five taps of rows and columns, 64x3x512x510 f32", _unsharp, lambda m: (m.uniform(64, 3, 512, 510),)
)


def _pyramid(x):
    small = (x[..., ::2, ::2] + x[..., 1::2, ::2] + x[..., ::2, 1::2] + x[..., 1::2, 1::2]) / 4
    return x - small.repeat_interleave(2, -1).repeat_interleave(2, -2), small


add("level of a pyramid: means of 2x2 and differences, 64x3x512x512", _pyramid, lambda m: (m(64, 3, 512, 512),))


def _oriented(x):
    gx = x[:, 1:-1, 2:] - x[:, 1:-1, :-2]
    gy = x[:, 2:, 1:-1] - x[:, :-2, 1:-1]
    size = torch.sqrt(gx * gx + gy * gy)
    way = (torch.remainder(torch.atan2(gy, gx), math.pi) / math.pi * 9).long().clamp(0, 8)
    cells = (F.one_hot(way, 9) * size.unsqueeze(-1)).view(x.shape[0], 64, 8, 64, 8, 9).sum((2, 4))
    return cells / (cells.norm(dim=-1, keepdim=True) + 1e-5)


add("histograms of orientations in cells of 8x8, 64x514x514 f32", _oriented, lambda m: (m.uniform(64, 514, 514),))
add(
    "histograms of 256 levels of images, 64x1000000 uint8",
    lambda x: torch.zeros(x.shape[0], 256, dtype=torch.int32, device=x.device).scatter_add_(
        1, x.long(), torch.ones_like(x, dtype=torch.int32)
    ),
    lambda m: (m.ints(256, 64, 1000000, dtype=torch.uint8),),
)


def _augmented(x, t, f):
    times, bands = torch.arange(1501, device=x.device), torch.arange(80, device=x.device)
    cut = (times >= t[:, :1]) & (times < t[:, 1:])
    hit = (bands >= f[:, :1]) & (bands < f[:, 1:])
    x = (x - x.mean(2, keepdim=True)) / (x.var(2, keepdim=True) + 1e-5).sqrt()
    return torch.where(cut[:, None, :] | hit[:, :, None], 0.0, x)


add(
    "spectra standardized over time, with times and bands cut, 256x80x1501 f32",
    _augmented,
    lambda m: (m(256, 80, 1501, dtype=F32), m.ints(1501, 256, 2), m.ints(80, 256, 2)),
)


def _log_spectra(x):
    power = x[..., 0] ** 2 + x[..., 1] ** 2
    log = torch.clamp(power[..., :-1], min=1e-10).log10()
    log = torch.maximum(log, log.flatten(1).max(dim=1)[0][:, None, None] - 8.0)
    return (log + 4.0) / 4.0


add("logarithms of powers of spectra, 64x201x3001x2 f32", _log_spectra, lambda m: (m(64, 201, 3001, 2, dtype=F32),))
add(
    "differences of spectra by two neighbors, 256x80x1501 f32",
    lambda x: (2 * (x[..., 4:] - x[..., :-4]) + (x[..., 3:-1] - x[..., 1:-3])) / 10,
    lambda m: (m(256, 80, 1501, dtype=F32),),
)


def _expanded(x):
    y = x.float() / 127.5 - 1.0
    y = torch.sign(y) * (torch.exp(y.abs() * math.log(256.0)) - 1.0) / 255.0
    left, right = y.unbind(-1)
    return torch.stack([(left + right) * 0.5, (left - right) * 0.5], 1)


add(
    "mu-law bytes of stereo to middle and side, 64x500000x2 uint8",
    _expanded,
    lambda m: (m.ints(256, 64, 500000, 2, dtype=torch.uint8),),
)
add(
    "frames added with half overlap, 64x2001x512 f32",
    lambda x, w: (lambda y: (y[:, 1:, :256] + y[:, :-1, 256:]).reshape(x.shape[0], -1))(x * w),
    lambda m: (m(64, 2001, 512, dtype=F32), m.uniform(512)),
)


def _burgers(u):
    right, left = torch.roll(u, -1, -1), torch.roll(u, 1, -1)
    slope = torch.where(u > 0, u - left, right - u)
    return u - 0.1 * u * slope + 0.01 * (right - 2 * u + left)


add(
    "upwind step of Burgers' equation with periodic borders, 8192x8191 f32",
    _burgers,
    lambda m: (m(8192, 8191, dtype=F32),),
)


def _conductivity(t, k):
    c, kc = t[:, 1:-1, 1:-1], k[:, 1:-1, 1:-1]
    flow = 0
    for a, b in (
        (slice(2, None), slice(1, -1)),
        (slice(0, -2), slice(1, -1)),
        (slice(1, -1), slice(2, None)),
        (slice(1, -1), slice(0, -2)),
    ):
        flow = flow + 2 * kc * k[:, a, b] / (kc + k[:, a, b]) * (t[:, a, b] - c)
    return c + 0.05 * flow


add(
    "heat with varying conductivity, 64x1025x1027 f32",
    _conductivity,
    lambda m: (m(64, 1025, 1027, dtype=F32), m.uniform(64, 1025, 1027) + 0.1),
)


def _lattice(f, c, w):
    rho = f.sum(1)
    u = (f.unsqueeze(2) * c[None, :, :, None, None]).sum(1) / rho.unsqueeze(1)
    cu = (c[None, :, :, None, None] * u.unsqueeze(1)).sum(2)
    equal = (
        rho.unsqueeze(1) * w[None, :, None, None] * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * u.square().sum(1, keepdim=True))
    )
    return f - (f - equal) / 0.6


add(
    "collisions of a lattice Boltzmann method of 9 speeds, 64x9x512x512 f32",
    _lattice,
    lambda m: (
        m.uniform(64, 9, 512, 512) + 1,
        torch.tensor(
            [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]], device=m.device
        ).float(),
        torch.tensor([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, device=m.device),
    ),
)
add(
    "payoffs of options on averages of paths, 131072x253 f32",
    lambda z: (torch.exp(torch.cumsum(0.0001 + 0.0126 * z, 1)).mean(1) * 100 - 100).clamp(min=0) * math.exp(-0.02),
    lambda m: (m(131072, 253, dtype=F32),),
)


def _implied(price, k, t):
    s = torch.full_like(price, 0.3)
    for _ in range(3):
        root = s * t.sqrt()
        d = (-k.log() + 0.5 * s * s * t) / root
        n = lambda v: 0.5 * torch.erfc(-v * math.sqrt(0.5))  # noqa: E731
        vega = t.sqrt() * torch.exp(-0.5 * d * d) / math.sqrt(2 * math.pi)
        s = (s - (n(d) - k * n(d - root) - price) / vega.clamp(min=1e-4)).clamp(0.01, 3)
    return s


add(
    "implied volatilities by three steps of Newton, 4096x4001 f32",
    _implied,
    lambda m: tuple(m.uniform(4096, 4001) * a + b for a, b in ((0.2, 0.05), (0.4, 0.8), (1, 0.2))),
)
add(
    "greatest losses from maxima of prefixes, 16384x2500 f32",
    lambda x: (lambda p: (p / p.cummax(1)[0] - 1).amin(1))(x.cumsum(1).mul(0.01).exp()),
    lambda m: (m(16384, 2500, dtype=F32),),
)


def _strength(x):
    d = x[:, 1:] - x[:, :-1]
    up, down = (v.unfold(1, 14, 1).mean(-1) for v in (d.clamp(min=0), (-d).clamp(min=0)))
    return 100 - 100 / (1 + up / (down + 1e-9))


add("relative strengths over 14 steps, 8192x2521 f32", _strength, lambda m: (m(8192, 2521, dtype=F32),))


def _columns_with_gaps(x):
    known = ~torch.isnan(x)
    n = known.sum(0).clamp(min=1)
    y = torch.nan_to_num(x, nan=0.0)
    mean = y.sum(0) / n
    d = torch.where(known, x - mean, 0.0)
    return (d / ((d * d).sum(0) / n + 1e-6).sqrt()).clamp(-3, 3)


add(
    "columns with gaps standardized and clamped, 1000000x50 f32",
    _columns_with_gaps,
    lambda m: (m(1000000, 50, dtype=F32).masked_fill(m.uniform(1000000, 50) > 0.9, float("nan")),),
)


def _dates(t):
    day, second = torch.div(t, 86400, rounding_mode="floor"), torch.remainder(t, 86400)
    week, hour = (day + 4) % 7, second / 3600
    a = hour * (2 * math.pi / 24)
    return torch.stack([a.sin(), a.cos(), hour, week.float(), (week >= 5).float()], -1)


add(
    "features of times, 10000000 int64",
    _dates,
    lambda m: (torch.randint(2000000000, (10000000 // m.scale,), device=m.device),),
)


def _hashed(x):
    x = x ^ (x >> 16)
    x = (x * 0x45D9F3B) & 0xFFFFFFFF
    x = x ^ (x >> 13)
    return x % 1000003


add("hashes of ids, 1000000x26 int64", _hashed, lambda m: (m.ints(2**31 - 1, 1000000, 26),))


def _edge_softmax(score, value, to):
    n = 50000
    most = torch.full((n, 4), float("-inf"), device=score.device).scatter_reduce(
        0, to[:, None].expand(-1, 4), score, "amax"
    )
    e = torch.exp(score - most[to])
    total = torch.zeros(n, 4, device=score.device).index_add(0, to, e)
    return torch.zeros(n, 4, 16, device=score.device).index_add(0, to, (e / total[to])[..., None] * value)


add(
    "attention over edges to 50000 nodes, 1000000x4x16 f32",
    _edge_softmax,
    lambda m: (m(1000000, 4, dtype=F32), m(1000000, 4, 16, dtype=F32), m.rows(50000, 1000000)),
)


def _convolved(x, w, s, d):
    degree = torch.zeros(x.shape[0], device=x.device).index_add_(0, d, w)
    norm = degree.clamp(min=1e-6).rsqrt()
    return F.relu(torch.zeros_like(x).index_add(0, d, x[s] * (norm[s] * w * norm[d]).unsqueeze(-1)))


add(
    "graph convolution of 1000000 edges, 100000x64 f32",
    _convolved,
    lambda m: (
        torch.randn(100000, 64, device=m.device),
        m.uniform(1000000, 1)[:, 0],
        m.rows(100000, 1000000),
        m.rows(100000, 1000000),
    ),
)


def _ddim(x, noise, alphas, t):
    a, b = (alphas[i].view(-1, 1, 1, 1) for i in (t, (t - 20).clamp(min=0)))
    start = ((x - (1 - a).sqrt() * noise) / a.sqrt()).clamp(-1, 1)
    return b.sqrt() * start + (1 - b).sqrt() * (x - a.sqrt() * start) / (1 - a).sqrt()


add(
    "step of a sampler with clamped starts, 256x4x96x96",
    _ddim,
    lambda m: (
        m(256, 4, 96, 96),
        m(256, 4, 96, 96),
        torch.linspace(0.999, 0.01, 1000, device=m.device),
        m.rows(1000, 256),
    ),
)


def _flow_loss(v, x, e, t):
    return ((v.float() - (e - x).float()).square().mean((1, 2, 3)) / (t * (1 - t) + 1e-2)).mean()


add(
    "flow matching: loss by times with gradient, 256x16x64x64",
    _flow_loss,
    lambda m: (m(256, 16, 64, 64, grad=True), m(256, 16, 64, 64), m(256, 16, 64, 64), m.uniform(256, 1)[:, 0]),
)


def _rodrigues(v):
    angle = torch.sqrt((v * v).sum(-1, keepdim=True) + 1e-12)
    x, y, z = (v / angle).unbind(-1)
    c, s = torch.cos(angle)[:, 0], torch.sin(angle)[:, 0]
    t = 1 - c
    rows = [t * x * x + c, t * x * y - s * z, t * x * z + s * y, t * x * y + s * z, t * y * y + c, t * y * z - s * x,
            t * x * z - s * y, t * y * z + s * x, t * z * z + c]  # fmt: skip
    return torch.stack(rows, -1).view(-1, 3, 3)


add("rotation vectors to matrices, 2000000x3 f32", _rodrigues, lambda m: (m(2000000, 3, dtype=F32),))


def _dilated(x, w):
    n = x.shape[-1]
    y = sum(w[:, i, None] * x[..., 4 * i : n - 8 + 4 * i] for i in range(3))
    return x[..., 8:] + F.silu(y)


add(
    "dilated taps of channels, SiLU and residual, 64x256x4099",
    _dilated,
    lambda m: (m(64, 256, 4099), m(256 * m.scale, 3)),
)


def _similarities(d, a, b, s):
    return d / (a.norm(dim=-1)[:, None] * b.norm(dim=-1)[None, :]).clamp(min=1e-8) * s.exp()


add(
    "products of rows to scaled cosines, 8192x8192 of 512 f32",
    _similarities,
    lambda m: (
        m(8192, 8192, dtype=F32),
        m(8192, 512, dtype=F32),
        torch.randn(8192, 512, device=m.device),
        m.uniform(1),
    ),
)
