"""Models that mix positions without attention, or with little of it: windows, filters, recurrences and derivatives."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from models.registry import BF16, Sizes, add
from models.vision import images


class _Mixer(nn.Module):
    """Perceptrons over patches and over channels, as MLP-Mixer."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, count, blocks = s(512, 24), s(196, 4), s(6, 2)
        self.patches = nn.Conv2d(3, width, 16, 16)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * blocks + 1))
        self.places = nn.ModuleList(
            nn.Sequential(nn.Linear(count, s(256, 8)), nn.GELU(), nn.Linear(s(256, 8), count)) for _ in range(blocks)
        )
        self.channels = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)) for _ in range(blocks)
        )
        self.head = nn.Linear(width, s(1000, 10))

    def forward(self, images, labels):
        x = self.patches(images).flatten(2).transpose(1, 2)
        for step, (places, channels) in enumerate(zip(self.places, self.channels, strict=True)):
            x = x + places(self.norms[2 * step](x).transpose(1, 2)).transpose(1, 2)
            x = x + channels(self.norms[2 * step + 1](x))
        return F.cross_entropy(self.head(self.norms[-1](x).mean(1)), labels)


add("mixer of patches: 6 blocks of 512", lambda s: (_Mixer(s), images(s, 64, 224, BF16)), dtype=BF16)


class _Windows(nn.Module):
    """Attention in shifted windows with biases of relative places, and merged patches, as Swin."""

    def __init__(self, s: Sizes):
        super().__init__()
        self.size, self.heads = s(7, 2), s(4, 2)
        widths = (s(128, 8), s(256, 16))
        self.stem = nn.Conv2d(3, widths[0], 4, 4)
        self.blocks, self.biases = nn.ModuleList(), nn.ParameterList()
        for width in (widths[0], widths[0], widths[1], widths[1]):
            self.blocks.append(
                nn.ModuleList(
                    (nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width), nn.LayerNorm(width),
                     nn.Linear(width, 4 * width), nn.Linear(4 * width, width))
                )
            )  # fmt: skip
            self.biases.append(nn.Parameter(0.02 * torch.randn((2 * self.size - 1) ** 2, self.heads)))
        self.merged, self.merge = nn.LayerNorm(4 * widths[0]), nn.Linear(4 * widths[0], widths[1], bias=False)
        self.head = nn.Linear(widths[1], s(1000, 10))
        place = torch.stack(torch.meshgrid(*[torch.arange(self.size)] * 2, indexing="ij")).flatten(1)
        gaps = place[:, :, None] - place[:, None] + self.size - 1
        self.register_buffer("gaps", gaps[0] * (2 * self.size - 1) + gaps[1])

    def attended(self, x, qkv, project, bias, shift):
        n, height, width, channels = x.shape
        size, count = self.size, self.size**2
        x = torch.roll(x, (-shift, -shift), (1, 2))
        x = x.view(n, height // size, size, width // size, size, channels).transpose(2, 3).reshape(-1, count, channels)
        q, k, v = qkv(x).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 + bias[self.gaps].permute(2, 0, 1)
        if shift:
            row = torch.arange(height, device=x.device)
            part = (row < height - size).long() + (row < height - shift).long()
            part = (part[:, None] * 3 + part).view(height // size, size, width // size, size)
            part = part.transpose(1, 2).reshape(-1, count)
            apart = part[:, None] != part[:, :, None]
            scores = scores.unflatten(0, (n, -1)).masked_fill(apart[None, :, None], -100.0).flatten(0, 1)
        x = project((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        x = x.view(n, height // size, width // size, size, size, channels).transpose(2, 3)
        return torch.roll(x.reshape(n, height, width, channels), (shift, shift), (1, 2))

    def forward(self, images, labels):
        x = self.stem(images).permute(0, 2, 3, 1)
        for step, (block, bias) in enumerate(zip(self.blocks, self.biases, strict=True)):
            first, qkv, project, second, up, down = block
            x = x + self.attended(first(x), qkv, project, bias, step % 2 * (self.size // 2))
            x = x + down(F.gelu(up(second(x))))
            if step == 1:
                x = torch.cat((x[:, ::2, ::2], x[:, 1::2, ::2], x[:, ::2, 1::2], x[:, 1::2, 1::2]), -1)
                x = self.merge(self.merged(x))
        return F.cross_entropy(self.head(x.mean((1, 2))), labels)


def _windows(s: Sizes):
    size = s(224, 16)
    return _Windows(s), (s.randn(s(32, 2), 3, size, size, dtype=BF16), s.ints(s(1000, 10), s(32, 2)))


add("shifted windows: 4 blocks of 128 and 256", _windows, dtype=BF16)


class _Wave(nn.Module):
    """Gated causal convolutions of growing dilation over samples, as WaveNet."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, count = s(64, 6), s(10, 3)
        self.start, self.skips = nn.Embedding(256, width), nn.ModuleList()
        self.gates, self.outs = nn.ModuleList(), nn.ModuleList()
        for step in range(count):
            self.gates.append(nn.Conv1d(width, 2 * width, 2, dilation=2**step))
            self.outs.append(nn.Conv1d(width, width, 1))
            self.skips.append(nn.Conv1d(width, s(128, 8), 1))
        self.last, self.head = nn.Conv1d(s(128, 8), s(128, 8), 1), nn.Conv1d(s(128, 8), 256, 1)

    def forward(self, samples):
        x, total = self.start(samples[:, :-1]).transpose(1, 2), 0
        for step, (gate, out, skip) in enumerate(zip(self.gates, self.outs, self.skips, strict=True)):
            a, b = gate(F.pad(x, (2**step, 0))).chunk(2, 1)
            y = torch.tanh(a) * torch.sigmoid(b)
            total = total + skip(y)
            x = (x + out(y)) * math.sqrt(0.5)
        return F.cross_entropy(self.head(F.relu(self.last(F.relu(total)))), samples[:, 1:])


add("dilated convolutions of 8x16000 samples", lambda s: (_Wave(s), (s.ints(256, s(8, 2), s(16001, 41)),)))


class _Recurrence(nn.Module):
    """Decayed sums of keys and values in chunks, with shifted tokens, gates and squared ReLU, as RWKV."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, blocks, self.chunk = s(768, 16), s(3, 2), s(64, 4)
        self.table, self.head = nn.Embedding(s(32000, 53), width), nn.Linear(width, s(32000, 53), bias=False)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * blocks + 1))
        self.mixes = nn.ParameterList(torch.rand(5, width) for _ in range(blocks))
        self.decays = nn.ParameterList(torch.randn(width) for _ in range(blocks))
        self.layers = nn.ModuleList(
            nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(4)) for _ in range(blocks)
        )
        self.ups = nn.ModuleList(nn.Linear(width, 3 * width, bias=False) for _ in range(blocks))
        self.downs = nn.ModuleList(nn.Linear(3 * width, width, bias=False) for _ in range(blocks))

    def recurrent(self, k, v, decay):
        rate = -F.softplus(decay.float()) / 16
        step = torch.arange(1, self.chunk + 1, device=k.device)[:, None] * rate
        k = torch.exp(k.float().clamp_max(8)).unflatten(1, (-1, self.chunk))
        kv = k * v.float().unflatten(1, (-1, self.chunk))
        inside = [(x * torch.exp(-step)).cumsum(2) * torch.exp(step) for x in (kv, k)]
        ends, made = [x[:, :, -1] for x in inside], []
        for x, end in zip(inside, ends, strict=True):
            count = end.shape[1]
            gap = torch.arange(count, device=k.device)[:, None] - torch.arange(count, device=k.device) - 1
            weight = torch.exp(gap.clamp_min(0)[..., None] * rate * self.chunk) * (gap >= 0)[..., None]
            before = (weight * end[:, None]).sum(2)
            made.append((x + torch.exp(step) * before[:, :, None]).flatten(1, 2))
        return made[0] / (made[1] + 1e-6)

    def forward(self, ids):
        x = self.table(ids[:, :-1])
        for block, (layers, mix, decay) in enumerate(zip(self.layers, self.mixes, self.decays, strict=True)):
            h = self.norms[2 * block](x)
            old = F.pad(h, (0, 0, 1, -1))
            key, value, gate = (layer(old + (h - old) * mix[i]) for i, layer in enumerate(layers[:3]))
            x = x + layers[3]((torch.sigmoid(gate.float()) * self.recurrent(key, value, decay)).to(x.dtype))
            h = self.norms[2 * block + 1](x)
            old = F.pad(h, (0, 0, 1, -1))
            x = x + self.downs[block](F.relu(self.ups[block](old + (h - old) * mix[3])).square())
        return F.cross_entropy(self.head(self.norms[-1](x)).flatten(0, 1), ids[:, 1:].flatten())


def _recurrence(s: Sizes):
    return _Recurrence(s), (s.ints(s(32000, 53), s(4, 2), s(1024, 12) + 1),)


add("decayed sums in chunks: 3 blocks of 768", _recurrence, dtype=BF16)


class _Codebook(nn.Module):
    """Images through the nearest of 512 codes, passed straight through, as a VQ-VAE."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, code = s(128, 8), s(64, 4)
        self.down = nn.Sequential(
            nn.Conv2d(3, width, 4, 2, 1),
            nn.ReLU(),
            nn.Conv2d(width, width, 4, 2, 1),
            nn.ReLU(),
            nn.Conv2d(width, code, 1),
        )
        self.codes = nn.Parameter(torch.randn(s(512, 12), code))
        self.up = nn.Sequential(
            nn.ConvTranspose2d(code, width, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(width, 3, 4, 2, 1)
        )

    def forward(self, images):
        z = self.down(images).permute(0, 2, 3, 1)
        flat = z.flatten(0, 2)
        gaps = flat.square().sum(-1, keepdim=True) - 2 * flat @ self.codes.t() + self.codes.square().sum(-1)
        index = gaps.argmin(-1)
        code = self.codes[index].view(z.shape)
        used = F.one_hot(index, self.codes.shape[0]).float().mean(0)
        loss = F.mse_loss(code, z.detach()) + 0.25 * F.mse_loss(z, code.detach())
        made = self.up((z + (code - z).detach()).permute(0, 3, 1, 2))
        return F.mse_loss(made, images) + loss + 0 * (used * (used + 1e-10).log()).sum()


add("codes of images of 128", lambda s: (_Codebook(s), (s.randn(s(64, 2), 3, s(128, 8), s(128, 8)),)))


class _Residuals(nn.Module):
    """The viscous Burgers equation at random places: derivatives of a tanh network by forward rules."""

    def __init__(self, s: Sizes):
        super().__init__()
        width = s(128, 8)
        self.first = nn.Linear(2, width)
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(4))
        self.last = nn.Linear(width, 1)

    def forward(self, places, starts):
        # The value, its derivatives by place and time, and the second one by place.
        h = self.first(places)
        x, t = self.first.weight[:, 0].expand_as(h), self.first.weight[:, 1].expand_as(h)
        xx = torch.zeros_like(h)
        for layer in (*self.layers, self.last):
            h = torch.tanh(h)
            slope = 1 - h * h
            xx, x, t = slope * (xx - 2 * h * x * x), slope * x, slope * t
            h, x, t, xx = layer(h), F.linear(x, layer.weight), F.linear(t, layer.weight), F.linear(xx, layer.weight)
        inside = t + h * x - (0.01 / math.pi) * xx
        return inside.square().mean() + F.mse_loss(h[: starts.shape[0], 0], starts)


def _residuals(s: Sizes):
    return _Residuals(s), (s.randn(s(262144, 9), 2), s.randn(s(65536, 3)))


add("residuals of an equation at 262144 places", _residuals)


class _Detector(nn.Module):
    """Queries that read a map, with given pairs of queries and boxes, as DETR and Perceiver."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, self.heads, self.classes = s(256, 16), 4, s(91, 7)
        self.inputs, self.queries = nn.Linear(s(512, 12), width), nn.Parameter(torch.randn(s(300, 9), width))
        self.rows, self.columns = (nn.Parameter(torch.randn(s(40, 4), width // 2)) for _ in range(2))
        self.blocks = nn.ModuleList(
            nn.ModuleList(
                (nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width), nn.LayerNorm(width),
                 nn.Linear(width, width), nn.Linear(width, 2 * width), nn.Linear(width, width), nn.LayerNorm(width),
                 nn.Linear(width, 4 * width), nn.Linear(4 * width, width))
            )
            for _ in range(s(3, 2))
        )  # fmt: skip
        self.kinds, self.boxes = nn.Linear(width, self.classes + 1), nn.Linear(width, 4)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def losses(self, x, index, kinds, boxes):
        logits, made = self.kinds(x).float(), torch.sigmoid(self.boxes(x).float())
        none = torch.full(logits.shape[:2], self.classes, device=x.device)
        weight = torch.cat((logits.new_ones(self.classes), logits.new_full((1,), 0.1)))
        kind = F.cross_entropy(logits.flatten(0, 1), none.scatter(1, index, kinds).flatten(), weight)
        made, boxes = made.gather(1, index[..., None].expand(-1, -1, 4)), boxes.float()
        a, b = (torch.cat((c[..., :2] - c[..., 2:] / 2, c[..., :2] + c[..., 2:] / 2), -1) for c in (made, boxes))
        both = (torch.minimum(a[..., 2:], b[..., 2:]) - torch.maximum(a[..., :2], b[..., :2])).clamp_min(0).prod(-1)
        union = made[..., 2:].prod(-1) + boxes[..., 2:].prod(-1) - both
        hull = (torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])).prod(-1)
        overlap = both / (union + 1e-6) - (hull - union) / (hull + 1e-6)
        return kind + 5 * F.l1_loss(made, boxes) + 2 * (1 - overlap).mean()

    def forward(self, features, index, kinds, boxes):
        n, _, height, width = features.shape
        rows, columns = self.rows[:height, None].expand(-1, width, -1), self.columns[:width].expand(height, -1, -1)
        memory = self.inputs(features.flatten(2).transpose(1, 2)) + torch.cat((rows, columns), -1).flatten(0, 1)
        x, loss = self.queries.expand(n, -1, -1), 0
        for first, qkv, own, second, query, keys, out, third, up, down in self.blocks:
            q, k, v = map(self.split, qkv(first(x)).chunk(3, -1))
            x = x + own(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
            k, v = map(self.split, keys(memory).chunk(2, -1))
            q = self.split(query(second(x)))
            x = x + out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
            x = x + down(F.relu(up(third(x))))
            loss = loss + self.losses(x, index, kinds, boxes)
        return loss


def _detector(s: Sizes):
    n, side, found = s(16, 2), s(40, 4), s(20, 3)
    index = torch.stack([torch.randperm(s(300, 9), device=s.device)[:found] for _ in range(n)])
    boxes = torch.sigmoid(s.randn(n, found, 4)).to(BF16)
    features = s.randn(n, s(512, 12), side, side, dtype=BF16)
    return _Detector(s), (features, index, s.ints(s(91, 7), n, found), boxes)


add("300 queries of a map of 40x40: 3 blocks of 256", _detector, dtype=BF16)
