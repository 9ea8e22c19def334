"""Models of recommendation, graphs, points, control and physics."""

import itertools
import math

import torch
import torch.nn.functional as F
from torch import nn

from models.registry import Sizes, add


def _perceptron(*widths):
    layers = []
    for inner, outer in itertools.pairwise(widths):
        layers += [nn.Linear(inner, outer), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class _Recommender(nn.Module):
    """Tables of features, a lower triangle of their products, and a binary loss, as DLRM."""

    def __init__(self, s: Sizes):
        super().__init__()
        self.tables = nn.Parameter(0.1 * torch.randn(26, s(20000, 30), s(64, 8)))
        self.bottom = _perceptron(13, s(512, 16), s(64, 8))
        self.top = _perceptron(s(64, 8) + 27 * 26 // 2, s(512, 16), 1)
        places = torch.tril_indices(27, 27, -1)
        self.register_buffer("pairs", places[0] * 27 + places[1])

    def forward(self, dense, ids, clicks):
        dense = self.bottom(torch.log1p(dense.abs()))
        rows = self.tables[torch.arange(26, device=ids.device), ids]
        all_rows = torch.cat((dense.unsqueeze(1), rows), 1)
        products = torch.bmm(all_rows, all_rows.transpose(1, 2)).flatten(1).index_select(1, self.pairs)
        return F.binary_cross_entropy_with_logits(self.top(torch.cat((dense, products), 1)).squeeze(1), clicks)


def _recommender(s: Sizes):
    batch = s(16384, 5)
    return _Recommender(s), (s.randn(batch, 13), s.ints(s(20000, 30), batch, 26), (s.ints(2, batch)).float())


add("recommendation: 26 tables and products of pairs", _recommender)


class _Graph(nn.Module):
    """Two layers: attention over edges, and means of neighbors."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, self.heads = s(128, 16), 4
        self.first, self.left, self.right = nn.Linear(width, width), nn.Linear(width, 4), nn.Linear(width, 4)
        self.own, self.neighbors, self.head = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, 40)

    def forward(self, x, source, target, labels):
        nodes = x.shape[0]
        h = self.first(x)
        scores = F.leaky_relu(self.left(h)[source] + self.right(h)[target], 0.2)
        greatest = scores.new_full((nodes, self.heads), -torch.inf)
        greatest = greatest.scatter_reduce(0, target[:, None].expand_as(scores), scores, "amax")
        weights = torch.exp(scores - greatest.detach()[target])
        sums = torch.zeros_like(greatest).index_add(0, target, weights)
        weights = weights / (sums[target] + 1e-16)
        messages = h.view(nodes, self.heads, -1)[source] * weights[..., None]
        h = F.elu(torch.zeros_like(h).index_add(0, target, messages.flatten(1)))
        degrees = torch.zeros(nodes, device=x.device, dtype=x.dtype).index_add(
            0, target, torch.ones_like(target, dtype=x.dtype)
        )
        means = torch.zeros_like(h).index_add(0, target, h[source]) / degrees.clamp_min(1)[:, None]
        h = F.normalize(self.own(h) + self.neighbors(means), dim=-1)
        return F.cross_entropy(self.head(h), labels)


def _graph(s: Sizes):
    nodes, edges = s(50000, 20), s(400000, 70)
    return _Graph(s), (s.randn(nodes, s(128, 16)), s.ints(nodes, edges), s.ints(nodes, edges), s.ints(40, nodes))


add("graph: attention and means over 400000 edges", _graph)


class _Radiance(nn.Module):
    """Colors of rays by a network of positions and directions, as NeRF."""

    def __init__(self, s: Sizes):
        super().__init__()
        width = s(256, 16)
        self.first, self.density = _perceptron(63, width, width, width), nn.Linear(width, 1)
        self.color = _perceptron(width + 27, width // 2, 3)

    @staticmethod
    def encoded(x, octaves):
        angles = x[..., None] * 2.0 ** torch.arange(octaves, device=x.device)
        return torch.cat((x, angles.sin().flatten(-2), angles.cos().flatten(-2)), -1)

    def forward(self, origins, directions, depths, targets):
        points = origins[:, None] + directions[:, None] * depths[..., None]
        h = F.relu(self.first(self.encoded(points, 10)))
        density = F.softplus(self.density(h).squeeze(-1) - 1)
        view = self.encoded(F.normalize(directions, dim=-1), 4)[:, None].expand(-1, depths.shape[1], -1)
        colors = torch.sigmoid(self.color(torch.cat((h, view), -1)))
        gaps = torch.cat((depths[:, 1:] - depths[:, :-1], torch.full_like(depths[:, :1], 1e10)), 1)
        alpha = 1 - torch.exp(-density * gaps)
        passed = torch.cumprod(torch.cat((torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10), 1), 1)[:, :-1]
        return F.mse_loss(((alpha * passed)[..., None] * colors).sum(1), targets)


def _radiance(s: Sizes):
    rays, samples = s(4096, 6), s(64, 8)
    depths = torch.linspace(2.0, 6.0, samples, device=s.device).expand(rays, samples).contiguous()
    return _Radiance(s), (s.randn(rays, 3), s.randn(rays, 3), depths, torch.sigmoid(s.randn(rays, 3)))


add("radiance field: 4096 rays of 64 samples", _radiance)


class _Policy(nn.Module):
    """A clipped policy loss with values and entropies."""

    def __init__(self, s: Sizes):
        super().__init__()
        self.body = _perceptron(64, s(256, 16), s(256, 16))
        self.actions, self.value = nn.Linear(s(256, 16), 18), nn.Linear(s(256, 16), 1)

    def forward(self, states, actions, old, advantages, returns):
        h = torch.tanh(self.body(states))
        distribution = torch.distributions.Categorical(logits=self.actions(h), validate_args=False)
        ratio = torch.exp(distribution.log_prob(actions) - old)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
        loss = F.smooth_l1_loss(self.value(h).squeeze(-1), returns)
        return 0.5 * loss - gain - 0.01 * distribution.entropy().mean()


def _policy(s: Sizes):
    batch = s(131072, 9)
    return _Policy(s), (s.randn(batch, 64), s.ints(18, batch), s.randn(batch) - 3, s.randn(batch), s.randn(batch))


add("policy and values of 18 actions", _policy)


class _Points(nn.Module):
    """Shared perceptrons, maxima over neighbors and over points, as PointNet."""

    def __init__(self, s: Sizes):
        super().__init__()
        widths = (6, 64, 128) if not s.small else (6, 8, 12)
        self.convs = nn.ModuleList(nn.Conv2d(a, b, 1) for a, b in itertools.pairwise(widths))
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for width in widths[1:])
        self.last, self.last_norm = nn.Conv1d(widths[-1], s(512, 16), 1), nn.BatchNorm1d(s(512, 16))
        self.head = nn.Linear(s(512, 16), 40)

    def forward(self, points, neighbors, labels):
        n, count, k = neighbors.shape
        near = points.gather(1, neighbors.reshape(n, -1, 1).expand(-1, -1, 3)).view(n, count, k, 3)
        x = torch.cat((near - points[:, :, None], points[:, :, None].expand_as(near)), -1).permute(0, 3, 1, 2)
        for conv, norm in zip(self.convs, self.norms, strict=True):
            x = F.leaky_relu(norm(conv(x)), 0.2)
        x = F.leaky_relu(self.last_norm(self.last(x.amax(-1))), 0.2)
        return F.cross_entropy(self.head(x.amax(-1)), labels)


def _points(s: Sizes):
    n, count = s(16, 2), s(1024, 12)
    return _Points(s), (s.randn(n, count, 3), s.ints(count, n, count, s(20, 3)), s.ints(40, n))


add("points: 20 neighbors of 16x1024", _points)


class _Operator(nn.Module):
    """A neural operator of grids: spectral layers are real matrices here, with GELU and relative losses."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, size = s(32, 4), s(64, 8)
        self.lift, self.lower = nn.Linear(3, width), nn.Linear(width, 1)
        self.mixers = nn.ModuleList(nn.Conv2d(width, width, 1) for _ in range(4))
        place, frequency = torch.arange(size)[:, None], torch.arange(size // 2)[None]
        self.register_buffer("basis", torch.cos(math.pi * (place + 0.5) * frequency / size))
        self.filters = nn.Parameter(torch.randn(4, width, size // 2, size // 2) / size)

    def forward(self, field, target):
        n, height, _ = field.shape
        grid = torch.linspace(0, 1, height, device=field.device)
        where = torch.stack(torch.meshgrid(grid, grid, indexing="ij"), -1).expand(n, -1, -1, -1)
        x = self.lift(torch.cat((field[..., None], where), -1)).permute(0, 3, 1, 2)
        for mixer, filters in zip(self.mixers, self.filters, strict=True):
            low = torch.einsum("nchw,hi,wj->ncij", x, self.basis, self.basis) * filters
            x = F.gelu(torch.einsum("ncij,hi,wj->nchw", low, self.basis, self.basis) + mixer(x)) + x
        y = self.lower(x.permute(0, 2, 3, 1)).squeeze(-1)
        return ((y - target).flatten(1).norm(dim=1) / target.flatten(1).norm(dim=1)).mean()


def _operator(s: Sizes):
    fields = [s.randn(s(64, 2), s(64, 8), s(64, 8)) for _ in range(2)]
    return _Operator(s), tuple(fields)


add("operator of fields, 64x64x64", _operator)


class _Forecast(nn.Module):
    """Reversible normalization, trends by moving means, patches and a mixer, of many series."""

    def __init__(self, s: Sizes):
        super().__init__()
        length, width = s(512, 32), s(128, 16)
        self.trend, self.embed = nn.Linear(length, s(96, 8)), nn.Linear(16, width)
        self.places = nn.Parameter(0.02 * torch.randn(length // 8 - 1, width))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(4))
        self.mixes = nn.ModuleList(nn.Linear(length // 8 - 1, length // 8 - 1) for _ in range(2))
        self.channels = nn.ModuleList(_perceptron(width, 2 * width, width) for _ in range(2))
        self.head = nn.Linear((length // 8 - 1) * width, s(96, 8))

    def forward(self, series, future):
        mean, deviation = series.mean(-1, keepdim=True), series.std(-1, keepdim=True, unbiased=False) + 1e-5
        x = (series - mean) / deviation
        trend = F.avg_pool1d(F.pad(x, (12, 12), mode="replicate"), 25, 1)
        y = self.embed((x - trend).unfold(-1, 16, 8)) + self.places
        for step in range(2):
            y = y + self.mixes[step](self.norms[2 * step](y).transpose(-1, -2)).transpose(-1, -2)
            y = y + self.channels[step](self.norms[2 * step + 1](y))
        out = (self.head(y.flatten(-2)) + self.trend(trend)) * deviation + mean
        return F.huber_loss(out, future)


def _forecast(s: Sizes):
    count = s(64, 2), s(64, 3)
    return _Forecast(s), (s.randn(*count, s(512, 32)), s.randn(*count, s(96, 8)))


add("forecasts of 64x64 series of 512", _forecast)
