"""Filters, particles, graphs, points, sounds and prices: numerics of science and finance."""

import math

import torch
import torch.nn.functional as F

from functions.registry import F32, add

F64 = torch.float64


def _kalman(z, x, p):
    found = []
    for t in range(12):
        p = p + 0.01
        gain = p / (p + 0.5)
        x = x + gain * (z[:, t] - x)
        p = (1 - gain) * p
        found.append(x)
    return torch.stack(found, 1), p


add(
    "scalar Kalman filters over 12 observations, 1000000x12 f32",
    _kalman,
    lambda m: (m(1000000, 12, dtype=F32), m(1000000, 1, dtype=F32)[:, 0], m.uniform(1000000, 1)[:, 0]),
)


def _kalman_of_two(x, p, z, r):
    s = p + torch.diag_embed(r)
    a, b, c, d = s[:, 0, 0], s[:, 0, 1], s[:, 1, 0], s[:, 1, 1]
    inverse = torch.stack([torch.stack([d, -b], -1), torch.stack([-c, a], -1)], -2) / (a * d - b * c)[:, None, None]
    gain = (p[:, :, :, None] * inverse[:, None, :, :]).sum(2)
    x = x + (gain * (z - x)[:, None, :]).sum(-1)
    rest = torch.eye(2, device=x.device) - gain
    return x, (rest[:, :, :, None] * p[:, None, :, :]).sum(2)


add(
    "updates of states of two with covariances, 1000000x2x2 f32",
    _kalman_of_two,
    lambda m: (
        m(1000000, 2, dtype=F32),
        m.uniform(1000000, 2, 2) + 2 * torch.eye(2, device=m.device),
        m(1000000, 2, dtype=F32),
        m.uniform(1000000, 2) + 0.1,
    ),
)


def _particles(w, x, z):
    w = w - 0.5 * ((x - z[:, None]) ** 2).sum(-1)
    w = w - torch.logsumexp(w, 1, keepdim=True)
    p = w.exp()
    mean = (p[..., None] * x).sum(1)
    return p, 1 / (p * p).sum(1), mean, (p[..., None] * (x - mean[:, None]) ** 2).sum(1)


add(
    "weights, effective numbers, means and variances of particles, 4096x2048x3 f32",
    _particles,
    lambda m: (m(4096, 2048, dtype=F32), m(4096, 2048, 3, dtype=F32), m(4096, 3, dtype=F32)),
)


def _density(x, others):
    r = (x[:, None] - others[None]).square().sum(-1).sqrt() / 0.5
    w = torch.where(r < 1, 1 - 1.5 * r**2 + 0.75 * r**3, torch.where(r < 2, 0.25 * (2 - r) ** 3, 0.0))
    rho = w.sum(1)
    return rho, 2.0 * ((rho / 1000) ** 7 - 1)


add(
    "densities and pressures by a cubic spline of pairs, 6000x6000 f32",
    _density,
    lambda m: (m(6000, 3, dtype=F32), torch.randn(6000, 3, device=m.device)),
)


def _gravity(x, others, mass):
    d = others[None] - x[:, None]
    return (d * (mass / (d.square().sum(-1) + 1e-3) ** 1.5)[..., None]).sum(1)


add(
    "accelerations by gravity, 6000x6000 f32",
    _gravity,
    lambda m: (m(6000, 3, dtype=F32), torch.randn(6000, 3, device=m.device), m.uniform(6000)),
)


def _maxwell(ez, hx, hy):
    hx, hy, ez = hx.clone(), hy.clone(), ez.clone()
    hx[:, :-1] -= 0.5 * (ez[:, 1:] - ez[:, :-1])
    hy[:-1, :] += 0.5 * (ez[1:, :] - ez[:-1, :])
    ez[1:, 1:] += 0.5 * ((hy[1:, 1:] - hy[:-1, 1:]) - (hx[1:, 1:] - hx[1:, :-1]))
    return ez, hx, hy


add(
    "step of electric and magnetic fields by slices in place, 4096x4096 f32",
    _maxwell,
    lambda m: (m(4096, 4096, dtype=F32), m(4096, 4096, dtype=F32), m(4096, 4096, dtype=F32)),
)


def _heston(s, v, e, f):
    for t in range(8):
        root = v.clamp(min=0).mul(0.01).sqrt()
        s = s * torch.exp((0.02 - 0.5 * v.clamp(min=0)) * 0.01 + root * e[t])
        v = v + 1.5 * (0.04 - v) * 0.01 + 0.3 * root * (-0.7 * e[t] + math.sqrt(0.51) * f[t])
    return (s - 1).clamp(min=0), v


add(
    "8 steps of stochastic volatility, 8x4000000 f32",
    _heston,
    lambda m: (
        m.uniform(4000000),
        m.uniform(4000000),
        m.uniform(8 * m.scale, 4000000),
        m.uniform(8 * m.scale, 4000000),
    ),
)


def _greeks(s, k, v):
    d = (torch.log(s / k) + 0.5 * v * v) / v
    n = torch.distributions.Normal(0.0, 1.0, validate_args=False)
    return s * n.cdf(d) - k * n.cdf(d - v)


add(
    "prices of options with sensitivities by gradient, 4096x4099 f32",
    _greeks,
    lambda m: ((m.uniform(4096, 4099) + 0.5).requires_grad_(), m.uniform(4096, 4099) + 0.5,
               (m.uniform(4096, 4099) + 0.1).requires_grad_()),
)  # fmt: skip


def _bands(x):
    w = x.unfold(1, 20, 1)
    mean, deviation = w.mean(-1), w.std(-1)
    return mean, mean + 2 * deviation, mean - 2 * deviation, (x[:, 19:] - mean) / (deviation + 1e-9)


add("bands of two deviations over 20 days, 4096x5000 f32", _bands, lambda m: (m(4096, 5000, dtype=F32),))


def _ratios(r, rate):
    e = r - rate
    down = e.clamp(max=0).square().mean(0).sqrt()
    return e.mean(0) / e.std(0) * math.sqrt(252), e.mean(0) / down * math.sqrt(252), (e > 0).float().mean(0)


add(
    "ratios of returns to deviations of columns, 1000000x50 f32",
    _ratios,
    lambda m: (m(1000000, 50, dtype=F32), m.uniform(1000000, 1)),
)


def _nelson_siegel(b, tau):
    t = tau / b[:, 3:].exp()
    a = (1 - torch.exp(-t)) / t
    return b[:, :1] + b[:, 1:2] * a + b[:, 2:3] * (a - torch.exp(-t))


add(
    "yield curves at 30 maturities with gradient, 500000x4 f32",
    _nelson_siegel,
    lambda m: (m(500000, 4, dtype=F32, grad=True), torch.linspace(0.25, 30, 30, device=m.device)),
)


def _haversine(a, b):
    a, b = torch.deg2rad(a)[:, None], torch.deg2rad(b)[None]
    d = torch.sin((a - b) / 2) ** 2
    h = d[..., 0] + torch.cos(a[..., 0]) * torch.cos(b[..., 0]) * d[..., 1]
    return 2 * 6371.0 * torch.asin(h.clamp(0, 1).sqrt())


add(
    "great-circle distances, 5000x5000 f32",
    _haversine,
    lambda m: (m(5000, 2, dtype=F32) * 40, torch.randn(5000, 2, device=m.device) * 40),
)


def _geodetic(x):
    lat, lon, h = x.unbind(-1)
    lat, lon = torch.deg2rad(lat), torch.deg2rad(lon)
    n = 6378137.0 / torch.sqrt(1 - 0.00669437999014 * torch.sin(lat) ** 2)
    return torch.stack(
        (
            (n + h) * torch.cos(lat) * torch.cos(lon),
            (n + h) * torch.cos(lat) * torch.sin(lon),
            (n * 0.99330562 + h) * torch.sin(lat),
        ),
        -1,
    )


add("latitudes to Cartesian coordinates, 4000000x3 f64", _geodetic, lambda m: (m(4000000, 3, dtype=F64) * 40,))


def _euler(angles):
    half = angles / 2
    c, s = half.cos(), half.sin()
    (cr, cp, cy), (sr, sp, sy) = c.unbind(-1), s.unbind(-1)
    q = torch.stack(
        (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ),
        -1,
    )
    w, x, y, z = torch.unbind(q, -1)
    m = (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w))
    m += (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w))
    m += (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y))
    return q, torch.stack(m, -1).reshape(-1, 3, 3)


add("angles to quaternions and matrices, 2000000x3 f32", _euler, lambda m: (m(2000000, 3, dtype=F32),))


def _slerp(a, b, t):
    a, b = F.normalize(a, dim=-1), F.normalize(b, dim=-1)
    dot = (a * b).sum(-1, keepdim=True)
    b, dot = torch.where(dot < 0, -b, b), dot.abs().clamp(max=1)
    angle = torch.acos(dot)
    turned = (torch.sin((1 - t) * angle) * a + torch.sin(t * angle) * b) / torch.sin(angle)
    return torch.where(dot > 0.9995, torch.lerp(a, b, t), turned)


add(
    "rotations between two quaternions, 3000000x4 f32",
    _slerp,
    lambda m: (m(3000000, 4, dtype=F32), m(3000000, 4, dtype=F32), m.uniform(3000000, 1)),
)


def _chamfer(a, b):
    d = (a[:, :, None] - b[:, None]).square().sum(-1)
    return d.min(2)[0].mean(1) + d.min(1)[0].mean(1), d.argmin(2)


add(
    "Chamfer distances of 2048 points, 64x2048x3 f32",
    _chamfer,
    lambda m: (m(64, 2048, 3, dtype=F32), m(64, 2048, 3, dtype=F32)),
)


def _farthest(x, far, last):
    point = x[torch.arange(x.shape[0], device=x.device), last]
    far = torch.minimum(far, ((x - point[:, None]) ** 2).sum(-1))
    return far, far.argmax(-1)


add(
    "step of farthest-point sampling, 128x50000x3 f32",
    _farthest,
    lambda m: (m(128, 50000, 3, dtype=F32), m.uniform(128, 50000) * 9, m.rows(50000, 128)),
)


def _three_neighbors(f, at, d):
    w = 1 / (d + 1e-8)
    w = w / w.sum(-1, keepdim=True)
    rows = torch.arange(f.shape[0], device=f.device)[:, None, None]
    return (f[rows, at] * w[..., None]).sum(2)


add(
    "features by three neighbors, 32x4096x3 of 1024x128 f32",
    _three_neighbors,
    lambda m: (m(32, 1024, 128, dtype=F32), m.ints(1024, 32, 4096, 3), m.uniform(32, 4096, 3)),
)


def _harmonics(v):
    x, y, z = F.normalize(v, dim=-1).unbind(-1)
    xx, yy, zz = x * x, y * y, z * z
    rows = [0.28209479 * torch.ones_like(x), 0.48860251 * y, 0.48860251 * z, 0.48860251 * x]
    rows += [1.09254843 * x * y, 1.09254843 * y * z, 0.31539157 * (3 * zz - 1), 1.09254843 * x * z]
    rows += [0.54627422 * (xx - yy), 0.59004359 * y * (3 * xx - yy), 2.89061144 * x * y * z]
    rows += [0.45704580 * y * (5 * zz - 1), 0.37317633 * z * (5 * zz - 3), 0.45704580 * x * (5 * zz - 1)]
    rows += [1.44530572 * z * (xx - yy), 0.59004359 * x * (xx - 3 * yy)]
    return torch.stack(rows, -1)


add("spherical harmonics of degree 3, 2000000x3 f32", _harmonics, lambda m: (m(2000000, 3, dtype=F32),))


def _chebyshev(x):
    a, b = torch.ones_like(x), x
    rows = [a, b]
    for _ in range(7):
        a, b = b, 2 * x * b - a
        rows.append(b)
    return torch.stack(rows, -1)


add(
    "Chebyshev polynomials to order 8 with gradient, 32768x256 f32",
    _chebyshev,
    lambda m: (m(32768, 256, dtype=F32, grad=True),),
)


def _rational(x):
    p = q = torch.zeros_like(x)
    for a, b in ((1.2, 0.3), (-0.7, 0.9), (0.25, -0.4), (0.6, 0.2), (-1.1, 1.0)):
        p, q = p * x + a, q * x.abs() + b
    return p / (1 + q.abs())


add("rational function of degree 4, 4096x4096 f64", _rational, lambda m: (m(4096, 4096, dtype=F64),))


def _escape(cr, ci):
    zr, zi = torch.zeros_like(cr), torch.zeros_like(ci)
    count = torch.zeros_like(ci, dtype=torch.int32)
    for _ in range(12):
        zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
        count += (zr * zr + zi * zi <= 4).int()
    return count


add("12 iterations of a complex square, 8192x8192 f32", _escape, lambda m: (m.uniform(8192, 1), m.uniform(8192, 8192)))


def _frames(x):
    x = torch.cat([x[:, :1], x[:, 1:] - 0.97 * x[:, :-1]], 1)
    f = x.unfold(1, 400, 160)
    f = f - f.mean(-1, keepdim=True)
    return f * torch.hann_window(400, periodic=False, device=x.device), f.square().sum(-1).clamp(min=1e-10).log()


add("emphasized frames of 400 by 160 with a window, 64x160240 f32", _frames, lambda m: (m(64, 160240, dtype=F32),))


def _folded(x):
    a, b, c, d = x.unflatten(-1, (4, 256)).unbind(-2)
    return torch.cat([-c.flip(-1) - d, a - b.flip(-1)], -1)


add(
    "folded halves of frames before a cosine transform, 64x800x1024 f32",
    _folded,
    lambda m: (m(64, 800, 1024, dtype=F32),),
)


def _decibels(x):
    x = 10 * torch.log10(x.clamp(min=1e-10))
    x = x - 10 * torch.log10(torch.tensor(1.5, device=x.device))
    return torch.maximum(x, x.amax((-2, -1), keepdim=True) - 80.0)


add("decibels within 80 of the loudest, 256x128x1001 f32", _decibels, lambda m: (m.uniform(256, 128, 1001),))


def _phase_transform(a, b):
    r = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1]
    i = a[..., 1] * b[..., 0] - a[..., 0] * b[..., 1]
    n = torch.rsqrt(r * r + i * i + 1e-12)
    return torch.stack([r * n, i * n], -1)


add(
    "cross-spectra with magnitudes removed, 64x500x257x2 f32",
    _phase_transform,
    lambda m: (m(64, 500, 257, 2, dtype=F32), m(64, 500, 257, 2, dtype=F32)),
)


def _zero_crossings(x):
    f = x.unflatten(-1, (-1, 512))
    s = torch.sign(f)
    crossings = (s[..., 1:] * s[..., :-1] < 0).float().mean(-1)
    teager = (f[..., 1:-1].square() - f[..., :-2] * f[..., 2:]).mean(-1)
    return crossings, teager, f.abs().amax(-1) / (f.square().mean(-1).sqrt() + 1e-9)


add(
    "crossings of zero, energies and crests of frames, 64x524288 f32",
    _zero_crossings,
    lambda m: (m(64, 524288, dtype=F32),),
)


def _lorenz(v):
    def slope(v):
        x, y, z = v[:, 0], v[:, 1], v[:, 2]
        return torch.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], 1)

    h = 0.01
    a = slope(v)
    b = slope(v + h / 2 * a)
    c = slope(v + h / 2 * b)
    d = slope(v + h * c)
    return v + h / 6 * (a + 2 * b + 2 * c + d)


add("Runge-Kutta step of three equations, 4000000x3 f32", _lorenz, lambda m: (m(4000000, 3, dtype=F32),))


def _ewald(x, q, others, charge):
    d = x[:, None] - others
    d = d - 10.0 * torch.round(d / 10.0)
    r = d.square().sum(-1).clamp(min=1e-6).sqrt()
    e = charge * torch.special.erfc(0.4 * r) / r
    return q * (e * ((r < 4.5) & (r > 1e-2))).sum(-1)


add(
    "screened charges of nearest images, 5000x5000 f32",
    _ewald,
    lambda m: (m(5000, 3, dtype=F32) * 3, m(5000, 1, dtype=F32)[:, 0], torch.randn(5000, 3, device=m.device) * 3,
               torch.randn(5000, device=m.device)),
)  # fmt: skip


def _dense_attention(a, b, adjacent, x):
    e = F.leaky_relu(a[:, :, None] + b[:, None, :], 0.2)
    e = torch.where(adjacent > 0, e, torch.full_like(e, -9e15))
    return F.softmax(e, 2) * x[:, None, :]


add(
    "attention over neighbors of an adjacency with gradient, 128x700x700 f32",
    _dense_attention,
    lambda m: (
        m(128, 700, dtype=F32, grad=True),
        m(128, 700, dtype=F32, grad=True),
        m.ints(2, 128, 700, 700, dtype=torch.uint8),
        m(128, 700, dtype=F32),
    ),
)


def _aggregators(x, degree):
    mean, var = x.mean(1), x.var(1, unbiased=False)
    h = torch.cat([mean, x.amax(1), x.amin(1), torch.sqrt(var.relu() + 1e-5)], -1)
    s = torch.log(degree.float() + 1)[:, None]
    return torch.cat([h, h * s / 2.5, h * 2.5 / s], -1)


add(
    "four aggregators of 16 neighbors with three scales, 100000x16x64",
    _aggregators,
    lambda m: (m(100000, 16, 64), m.rows(15, 100000) + 1),
)


def _edge_features(x, source, target):
    return torch.cat([x[target], x[source] - x[target]], -1)


add(
    "features of edges by nodes and differences with gradient, 500000 of 50000x64",
    _edge_features,
    lambda m: (m(50000, 64, grad=True), m.rows(50000 // m.scale, 500000), m.rows(50000 // m.scale, 500000)),
)


def _normalized_adjacency(a):
    a = a + torch.eye(a.shape[-1], device=a.device)
    d = a.sum(-1).clamp(min=1e-6).pow(-0.5)
    return d[..., :, None] * a * d[..., None, :]


add(
    "adjacencies normalized by degrees, 64x1000x1000 f32", _normalized_adjacency, lambda m: (m.uniform(64, 1000, 1000),)
)


def _greatest_message(x, source, target, n):
    start = torch.full((n, x.shape[1]), float("-inf"), device=x.device)
    at = target[:, None].expand(-1, x.shape[1])
    found = start.scatter_reduce(0, at, x[source], "amax")
    return torch.where(torch.isinf(found), torch.zeros_like(found), found)


add(
    "greatest messages of neighbors, 1000000 of 100000x32 f32",
    lambda x, s, t: _greatest_message(x, s, t, x.shape[0]),
    lambda m: (m(100000, 32, dtype=F32), m.rows(100000 // m.scale, 1000000), m.rows(100000 // m.scale, 1000000)),
)
