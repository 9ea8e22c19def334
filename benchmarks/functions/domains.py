"""Domains outside neural networks: motions, filters, wavelets, arrays of sensors, stencils, markets, sequences."""

import math

import torch
import torch.nn.functional as F

from functions.registry import F32, add

F64, C64 = torch.float64, torch.complex64


def _turned(q, v):
    q = q / q.norm(dim=-1, keepdim=True)
    w, u = q[..., :1], q[..., 1:]
    t = 2 * torch.linalg.cross(u.expand_as(v), v)
    return v + w * t + torch.linalg.cross(u.expand_as(v), t)


add(
    "vectors turned by quaternions with gradient, 3000001x3 f32",
    _turned,
    lambda m: (m(3000001, 4, dtype=F32, grad=True), m(3000001, 3, dtype=F32, grad=True)),
)


def _between(a, b, t):
    dot = (a * b).sum(-1, keepdim=True)
    b, dot = torch.where(dot < 0, -b, b), dot.abs().clamp(max=1)
    angle = torch.acos(dot)
    s = torch.sin(angle)
    near = s < 1e-4
    safe = torch.where(near, torch.ones_like(s), s)
    left = torch.where(near, 1 - t, torch.sin((1 - t) * angle) / safe)
    right = torch.where(near, t, torch.sin(t * angle) / safe)
    return left * a + right * b


add(
    "quaternions between others, 4000001x4 f32",
    lambda a, b, t: _between(F.normalize(a, dim=-1), F.normalize(b, dim=-1), t),
    lambda m: (m(4000001, 4, dtype=F32), m(4000001, 4, dtype=F32), m.uniform(4000001, 1)),
)


def _bones(angles):
    c, s = angles.cos(), angles.sin()
    zero, one = torch.zeros_like(c), torch.ones_like(c)
    turn = torch.stack((c, -s, one, s, c, zero, zero, zero, one), -1).unflatten(-1, (3, 3))
    pose = turn[:, 0]
    ends = [pose[:, :2, 2]]
    for joint in range(1, 6):
        pose = (pose[:, :, :, None] * turn[:, joint, None]).sum(-2)
        ends.append(pose[:, :2, 2])
    return torch.stack(ends, 1)


add("ends of an arm of six joints, 1000003x6 f32", _bones, lambda m: (m(1000003, 6, dtype=F32),))


def _kalman(x, p, z, seen):
    # A constant velocity is predicted, and a place is observed.
    place, speed = x.unbind(-1)
    a, b, c = p.unbind(-1)
    place, a, b, c = place + 0.1 * speed, a + 0.2 * b + 0.01 * c + 1e-4, b + 0.1 * c, c + 1e-3
    gain, drift = a / (a + 0.05), b / (a + 0.05)
    error = torch.where(seen, z - place, 0.0)
    gain, drift = torch.where(seen, gain, 0.0), torch.where(seen, drift, 0.0)
    state = torch.stack((place + gain * error, speed + drift * error), -1)
    return state, torch.stack(((1 - gain) * a, (1 - gain) * b, c - drift * b), -1)


add(
    "Kalman step of place and speed, 5000001 f32",
    lambda x, p, z, seen: _kalman(x, p, z[:, 0], seen[:, 0] > 0.2),
    lambda m: (
        m(5000001, 2, dtype=F32),
        m.uniform(5000001, 3),
        m(5000001, 1, dtype=F32),
        m.uniform(5000001, 1),
    ),
)


def _resampled(weights, particles, offset):
    w = (weights - weights.logsumexp(-1, keepdim=True)).exp()
    enough = 1 / w.square().sum(-1, keepdim=True) < 0.5 * w.shape[-1]
    places = (torch.arange(w.shape[-1], device=w.device) + offset) / w.shape[-1]
    index = torch.searchsorted(w.cumsum(-1), places).clamp_max(w.shape[-1] - 1)
    return torch.where(enough, particles.gather(-1, index), particles), enough


add(
    "systematic resampling of particles, 4096x4099 f32",
    _resampled,
    lambda m: (m(4096, 4099, dtype=F32) * 3, m(4096, 4099, dtype=F32), m.uniform(4096, 1)),
)


def _haar(x):
    a, b, c, d = x[..., ::2, ::2], x[..., ::2, 1::2], x[..., 1::2, ::2], x[..., 1::2, 1::2]
    low = (a + b + c + d) / 2
    bands = torch.stack(((a - b + c - d) / 2, (a + b - c - d) / 2, (a - b - c + d) / 2), 2)
    return low, F.softshrink(bands, 0.3)


add(
    "Haar wavelets in 2-d with soft thresholds, 37x3x1022x1026 f32", _haar, lambda m: (m(37, 3, 1022, 1026, dtype=F32),)
)


def _lifting(x):
    even, odd = x[:, ::2], x[:, 1::2]
    odd = odd - (even + torch.roll(even, -1, -1)) / 2
    even = even + (odd + torch.roll(odd, 1, -1)) / 4
    return even * math.sqrt(2), odd / math.sqrt(2)


add("lifting steps of 5/3 wavelets, 2047x32768 f32", _lifting, lambda m: (m(2047, 32768, dtype=F32),))


def _beams(samples, delays):
    frequency = torch.arange(samples.shape[-1], device=samples.device) * (2 * math.pi / 1024)
    steering = torch.polar(torch.ones_like(delays[..., None] * frequency), delays[..., None] * frequency)
    beam = (samples * steering.conj()).mean(1)
    return beam, beam.abs().square().mean(-1)


add(
    "delayed and summed spectra of 16 microphones, 2000x16x513 complex64",
    _beams,
    lambda m: (m(2000, 16, 513, dtype=C64), m.uniform(2000, 16)),
)


def _mask_of_speech(noisy, real, imaginary):
    mask = torch.complex(torch.tanh(real), torch.tanh(imaginary))
    clean = noisy * mask
    size = clean.abs().clamp_min(1e-8)
    return torch.view_as_real(clean * (size.pow(0.3) / size))


add(
    "complex masks of spectra and compression, 256x257x500 complex64",
    _mask_of_speech,
    lambda m: (m(256, 257, 500, dtype=C64), m(256, 257, 500, dtype=F32), m(256, 257, 500, dtype=F32)),
)


def _scale_invariant(estimate, target):
    estimate, target = estimate - estimate.mean(-1, keepdim=True), target - target.mean(-1, keepdim=True)
    scale = (estimate * target).sum(-1, keepdim=True) / (target.square().sum(-1, keepdim=True) + 1e-8)
    noise = estimate - scale * target
    return 10 * torch.log10((scale * target).square().sum(-1) / (noise.square().sum(-1) + 1e-8) + 1e-8)


add(
    "scale-invariant ratio of signal to distortion with gradient, 513x64001 f32",
    _scale_invariant,
    lambda m: (m(513, 64001, dtype=F32, grad=True), m(513, 64001, dtype=F32)),
)


def _luma(rgb):
    r, g, b = rgb.float().div(255).unbind(-1)
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    cb, cr = (b - y) / 1.8556, (r - y) / 1.5748
    planes = torch.stack((cb, cr), 1)
    small = F.avg_pool2d(planes, 2)
    return (16 + 219 * y).round().to(torch.uint8), (128 + 224 * small).round().clamp(16, 240).to(torch.uint8)


add(
    "interleaved bytes to luma and halved chroma, 31x1080x1920x3 uint8",
    _luma,
    lambda m: (m.ints(256, 31, 1080, 1920, 3, dtype=torch.uint8),),
)


def _perceptual(rgb):
    linear = torch.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    r, g, b = linear.unbind(1)
    cones = (
        0.4122 * r + 0.5363 * g + 0.0514 * b,
        0.2119 * r + 0.6807 * g + 0.1074 * b,
        0.0883 * r + 0.2817 * g + 0.6300 * b,
    )
    x, y, z = (cone.clamp_min(1e-6).pow(1 / 3) for cone in cones)
    light, a, c = 0.2105 * x + 0.7936 * y - 0.0041 * z, 1.978 * x - 2.4286 * y + 0.4506 * z, 0.0259 * x + 0.7828 * y
    return torch.stack((light, torch.hypot(a, c - 0.8087 * z), torch.atan2(c - 0.8087 * z, a)), 1)


add("colors to lightness, chroma and hue, 23x3x719x1279 f32", _perceptual, lambda m: (m.uniform(23, 3, 719, 1279),))


def _fluid(f):
    # D2Q9: one collision and streaming step.
    velocities = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
    weights = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
    parts = f.unbind(0)
    density = f.sum(0)
    u = sum(p * x for p, (x, _) in zip(parts, velocities, strict=True)) / density
    v = sum(p * y for p, (_, y) in zip(parts, velocities, strict=True)) / density
    square, made = 1.5 * (u * u + v * v), []
    for p, (x, y), w in zip(parts, velocities, weights, strict=True):
        along = 3 * (x * u + y * v)
        made.append(torch.roll(p + 0.6 * (w * density * (1 + along + along * along / 2 - square) - p), (x, y), (0, 1)))
    return torch.stack(made)


add(
    "step of a lattice fluid of nine velocities, 9x2001x2001 f32",
    _fluid,
    lambda m: (m.uniform(2001, 2001, 9).add(0.5).permute(2, 0, 1).contiguous(),),
)


def _reaction(u, v):
    def spread(x):
        return F.pad(
            x[:, 1:-1, :-2] + x[:, 1:-1, 2:] + x[:, :-2, 1:-1] + x[:, 2:, 1:-1] - 4 * x[:, 1:-1, 1:-1], (1,) * 4
        )

    rate = u * v * v
    return u + 0.16 * spread(u) - rate + 0.035 * (1 - u), v + 0.08 * spread(v) + rate - 0.1 * v


add(
    "reaction and diffusion of two substances, 7x3001x3001 f32",
    _reaction,
    lambda m: (m.uniform(7, 3001, 3001), m.uniform(7, 3001, 3001)),
)


def _shallow(h, hu, hv):
    u, v = hu / h, hv / h

    def flux(x, axis):
        left, right = torch.roll(x[0], 1, axis), x[0]
        return 0.5 * (torch.roll(x[1], 1, axis) + x[1]) - 0.5 * x[2] * (right - left)

    speed = (u.abs() + (9.81 * h).sqrt()).amax(), (v.abs() + (9.81 * h).sqrt()).amax()
    made = []
    for x, along, across in ((h, hu, hv), (hu, hu * u + 4.905 * h * h, hu * v), (hv, hv * u, hv * v + 4.905 * h * h)):
        a, b = flux((x, along, speed[0]), 1), flux((x, across, speed[1]), 0)
        made.append(x - 0.01 * (torch.roll(a, -1, 1) - a + torch.roll(b, -1, 0) - b))
    return made


add(
    "step of shallow water with fluxes, 3x3001x2999 f64",
    _shallow,
    lambda m: tuple(m.uniform(3001, 2999, dtype=F64) + 1 for _ in range(3)),
)


def _forces(x, neighbors, box=80.0):
    d = x[neighbors] - x[:, None]
    d = d - box * torch.round(d / box)
    r2 = d.square().sum(-1).clamp_min(0.64)
    inverse = 1 / r2
    s6 = torch.where(r2 < 6.25, inverse**3, 0.0)
    return (24 * inverse * s6 * (1 - 2 * s6))[..., None].mul(d).sum(1), 2 * (s6 * s6 - s6).sum(1)


add(
    "forces between 24 neighbors in a periodic box, 400003 f32",
    _forces,
    lambda m: (m.uniform(400003, 3) * 80, m.ints(400003 // m.scale, 400003, 24)),
)


def _barrier(noise):
    logs = (0.05 - 0.02) / 252 + 0.2 * 252**-0.5 * noise
    paths = 100 * logs.cumsum(-1).exp()
    alive = (paths > 80).all(-1) & (paths < 140).all(-1)
    payoff = torch.where(alive, F.relu(paths.mean(-1) - 100), 0.0)
    return payoff.mean(), payoff.std(), alive.float().mean()


add(
    "prices of options with barriers and means of paths, 200003x252 f32",
    _barrier,
    lambda m: (m(200003, 252, dtype=F32),),
)


def _greeks(spot, strike, time, rate, volatility):
    root = volatility * time.sqrt()
    first = (torch.log(spot / strike) + (rate + 0.5 * volatility**2) * time) / root
    second = first - root
    density = torch.exp(-0.5 * first**2) / math.sqrt(2 * math.pi)
    discount = torch.exp(-rate * time)
    price = spot * torch.special.ndtr(first) - strike * discount * torch.special.ndtr(second)
    decay = -spot * density * volatility / (2 * time.sqrt()) - rate * strike * discount * torch.special.ndtr(second)
    return price, torch.special.ndtr(first), density / (spot * root), spot * density * time.sqrt(), decay


add(
    "prices and sensitivities of options, 8000009 f64",
    _greeks,
    lambda m: tuple(m.uniform(8000009, 1, dtype=F64) + 0.5 for _ in range(5)),
)


def _drawdown(prices):
    peak = prices.cummax(-1).values
    fall = 1 - prices / peak
    returns = prices[:, 1:] / prices[:, :-1] - 1
    bad = returns.clamp_max(0).square().mean(-1).sqrt()
    return fall.amax(-1), fall.argmax(-1), returns.mean(-1) / (bad + 1e-9)


add("greatest falls and ratios of returns, 20011x2520 f32", _drawdown, lambda m: (m.uniform(20011, 2520) + 0.5,))


def _bases(codes):
    hot = F.one_hot(codes.long(), 4).to(torch.float16)
    back = F.one_hot(3 - codes.flip(-1).long(), 4).to(torch.float16)
    gc = ((codes == 1) | (codes == 2)).float().mean(-1)
    return hot.transpose(-1, -2).contiguous(), back.transpose(-1, -2).contiguous(), gc


add("bases one-hot in both directions, 8191x2003 uint8", _bases, lambda m: (m.ints(4, 8191, 2003, dtype=torch.uint8),))


def _words(codes):
    k = 6
    windows = codes.long().unfold(-1, k, 1)
    index = (windows << (2 * torch.arange(k - 1, -1, -1, device=codes.device))).sum(-1)
    counts = torch.zeros(codes.shape[0], 4**k, device=codes.device)
    counts = counts.scatter_add(1, index, torch.ones_like(index, dtype=torch.float32))
    return torch.log1p(counts) - torch.log1p(counts).mean(-1, keepdim=True)


add(
    "logarithms of counts of words of six bases, 4099x5000 uint8",
    _words,
    lambda m: (m.ints(4, 4099, 5000, dtype=torch.uint8),),
)


def _expression(counts, genes):
    depth = counts.sum(-1, keepdim=True)
    x = torch.log1p(counts * (1e4 / depth.clamp_min(1)))
    mean, var = x.mean(0), x.var(0)
    z = ((x - mean) / (var + 1e-6).sqrt()).clamp(-10, 10)
    return z * genes, (counts > 0).float().mean(-1), var / (mean + 1e-9)


add(
    "normalized counts of genes with dispersions, 16381x4001 f32",
    _expression,
    lambda m: (m.ints(7, 16381, 4001).float(), m.ints(2, 1, 4001).bool()),
)


def _blocks(scores, kept):
    mask = kept[:, :, None, :, None].expand(-1, -1, 64, -1, 64)
    x = scores.unflatten(-1, (-1, 64)).unflatten(1, (-1, 64)).masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(x.flatten(3).flatten(1, 2).softmax(-1), 0.0)


add(
    "softmax of blocks of 64x64 that a mask keeps, 24x1984x1984",
    _blocks,
    lambda m: (m(24, 1984, 1984), m.ints(2, 24, 31, 31).bool()),
)


def _rewired(x, source, target, drop):
    kept = drop > 0.2
    degree = torch.zeros(x.shape[0], device=x.device).index_add(0, target, kept.float())
    scale = torch.rsqrt(degree.clamp_min(1))
    weight = torch.where(kept & (source != target), scale[source] * scale[target], 0.0)
    return torch.zeros_like(x).index_add(0, target, x[source] * weight[:, None]) + x * (scale * scale)[:, None]


add(
    "messages over dropped and normalized edges, 100003x96 and 1500007 edges f32",
    _rewired,
    lambda m: (
        m(100003, 96, dtype=F32),
        m.places(100003, 1500007),
        m.places(100003, 1500007),
        m.of_rows(1500007),
    ),
)


def _boxes(a, b):
    low, high = torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])
    both = (high - low).clamp_min(0).prod(-1)
    sizes = [(x[..., 2:] - x[..., :2]).clamp_min(1e-6) for x in (a, b)]
    union = sizes[0].prod(-1) + sizes[1].prod(-1) - both
    hull = torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])
    gap = ((a[..., :2] + a[..., 2:] - b[..., :2] - b[..., 2:]) / 2).square().sum(-1) / hull.square().sum(-1).add(1e-7)
    angles = [torch.atan(size[..., 0] / size[..., 1]) for size in sizes]
    shape = (4 / math.pi**2) * (angles[0] - angles[1]).square()
    overlap = both / union
    return 1 - overlap + gap + shape * (shape / (1 - overlap + shape + 1e-7)).detach()


add(
    "complete overlap loss of boxes with gradient, 3000003x4 f32",
    _boxes,
    lambda m: (m.uniform(3000003, 4, grad=True), m.uniform(3000003, 4)),
)
