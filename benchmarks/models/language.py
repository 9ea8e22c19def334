"""Models of language, sound and sequences."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from models.registry import BF16, Sizes, add


def _rotated(x, cos, sin):
    low, high = x.float().chunk(2, -1)
    return (torch.cat((low, high), -1) * cos + torch.cat((-high, low), -1) * sin).to(x.dtype)


class _LlamaBlock(nn.Module):
    """RMS norm, rotary positions, groups of queries, SwiGLU."""

    def __init__(self, width: int, heads: int, groups: int):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.norms = nn.ModuleList(nn.RMSNorm(width, eps=1e-5) for _ in range(2))
        self.q = nn.Linear(width, width, bias=False)
        self.kv = nn.Linear(width, 2 * groups * self.size, bias=False)
        self.o = nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, 8 * width // 3 // 16 * 16, bias=False) for _ in range(2))
        self.down = nn.Linear(8 * width // 3 // 16 * 16, width, bias=False)

    def forward(self, x, cos, sin):
        batch, length, width = x.shape
        y = self.norms[0](x)
        q = self.q(y).view(batch, length, self.heads, self.size).transpose(1, 2)
        k, v = self.kv(y).view(batch, length, 2, self.groups, self.size).permute(2, 0, 3, 1, 4)
        q, k = _rotated(q, cos, sin), _rotated(k, cos, sin)
        k, v = (t.repeat_interleave(self.heads // self.groups, 1) for t in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(batch, length, width))
        y = self.norms[1](x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class _Llama(nn.Module):
    def __init__(self, s: Sizes):
        super().__init__()
        width, heads, tokens = s(2048, 64), s(16, 4), s(32000, 101)
        self.size = width // heads
        self.tokens = nn.Embedding(tokens, width)
        self.blocks = nn.ModuleList(_LlamaBlock(width, heads, heads // 4) for _ in range(s(4, 2)))
        self.norm, self.head = nn.RMSNorm(width, eps=1e-5), nn.Linear(width, tokens, bias=False)

    def forward(self, ids, targets):
        x = self.tokens(ids)
        frequencies = 10000.0 ** (-torch.arange(0, self.size, 2, device=ids.device) / self.size)
        angles = torch.arange(ids.shape[1], device=ids.device)[:, None] * frequencies
        angles = torch.cat((angles, angles), -1)
        cos, sin = angles.cos(), angles.sin()
        for block in self.blocks:
            x = block(x, cos, sin)
        return F.cross_entropy(self.head(self.norm(x)).float().flatten(0, 1), targets.flatten())


def _tokens(s: Sizes, batch: int, length: int, limit: int):
    return s.ints(limit, batch, length), s.ints(limit, batch, length)


add("Llama: 4 blocks of 2048", lambda s: (_Llama(s), _tokens(s, s(4, 2), s(1024, 16), s(32000, 101))), dtype=BF16)


class _GPTBlock(nn.Module):
    def __init__(self, width: int, heads: int, dropout: float):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.qkv(self.first(x)).split(width, 2)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + F.dropout(self.project(y.transpose(1, 2).contiguous().view(x.shape)), self.dropout)
        return x + F.dropout(self.down(F.gelu(self.up(self.second(x)), approximate="tanh")), self.dropout)


class _GPT(nn.Module):
    def __init__(self, s: Sizes, dropout: float):
        super().__init__()
        width, tokens = s(768, 48), s(50257, 97)
        self.tokens, self.places = nn.Embedding(tokens, width), nn.Embedding(s(1024, 16), width)
        self.blocks = nn.Sequential(*(_GPTBlock(width, s(12, 4), dropout) for _ in range(s(6, 2))))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, tokens, bias=False)
        self.head.weight = self.tokens.weight
        self.dropout = dropout

    def forward(self, ids, targets):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        x = self.norm(self.blocks(F.dropout(x, self.dropout)))
        logits = self.head(x)
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)


for _name, _rate in (("", 0.0), (" with dropout", 0.1)):
    add(
        f"GPT: 6 blocks of 768 under autocast{_name}",
        lambda s, rate=_rate: (_GPT(s, rate), _tokens(s, s(8, 2), s(1024, 16), s(50257, 97))),
        autocast=True,
        exact=not _rate,
    )


class _BertBlock(nn.Module):
    """Norms after residuals, GELU by erf, and attention by products and a softmax with a mask of padding."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.project = (nn.Linear(width, width) for _ in range(4))
        self.first, self.second = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask):
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)).permute(0, 2, 1, 3) for f in (self.q, self.k, self.v))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + mask
        y = (F.softmax(scores, -1) @ v).permute(0, 2, 1, 3).flatten(2)
        x = self.first(x + self.project(y))
        return self.second(x + self.down(F.gelu(self.up(x))))


class _Bert(nn.Module):
    def __init__(self, s: Sizes):
        super().__init__()
        width, tokens = s(768, 48), s(30522, 97)
        self.tokens, self.places, self.types = (nn.Embedding(n, width) for n in (tokens, s(512, 16), 2))
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.blocks = nn.ModuleList(_BertBlock(width, s(12, 4)) for _ in range(s(6, 2)))
        self.transform, self.transform_norm = nn.Linear(width, width), nn.LayerNorm(width, eps=1e-12)
        self.bias = nn.Parameter(torch.zeros(tokens))

    def forward(self, ids, types, lengths, targets):
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.tokens(ids) + self.places(places) + self.types(types))
        keep = (places < lengths[:, None])[:, None, None, :]
        mask = (1.0 - keep.to(x.dtype)) * torch.finfo(x.dtype).min
        for block in self.blocks:
            x = block(x, mask)
        x = self.transform_norm(F.gelu(self.transform(x)))
        logits = F.linear(x, self.tokens.weight, self.bias)
        return F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), ignore_index=-100)


def _bert(s: Sizes):
    batch, length, tokens = s(16, 2), s(512, 16), s(30522, 97)
    targets = torch.where(s.ints(7, batch, length) == 0, s.ints(tokens, batch, length), -100)
    lengths = s.ints(length // 2, batch) + length // 2
    return _Bert(s), (s.ints(tokens, batch, length), s.ints(2, batch, length), lengths, targets)


add("BERT: 6 blocks of 768 with padding", _bert, dtype=BF16)


class _T5Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.Parameter(torch.ones(width)), nn.Parameter(torch.ones(width))
        self.qkv, self.project = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, 5 * width // 2, bias=False) for _ in range(2))
        self.down = nn.Linear(5 * width // 2, width, bias=False)

    @staticmethod
    def norm(x, weight):
        variance = x.to(torch.float32).pow(2).mean(-1, keepdim=True)
        return weight * (x * torch.rsqrt(variance + 1e-6)).to(weight.dtype)

    def forward(self, x, bias):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm(x, self.first)).view(batch, length, 3, self.heads, -1).unbind(2)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) + bias
        shares = F.softmax(scores.float(), dim=-1).type_as(scores)
        x = x + self.project(torch.einsum("bhqk,bkhd->bqhd", shares, v).reshape(batch, length, width))
        y = self.norm(x, self.second)
        return x + self.down(F.gelu(self.gate(y), approximate="tanh") * self.up(y))


class _T5(nn.Module):
    """An encoder with biases of logarithmic buckets of distances."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, heads, tokens = s(1024, 48), s(16, 4), s(32128, 97)
        self.tokens, self.bias = nn.Embedding(tokens, width), nn.Embedding(32, heads)
        self.blocks = nn.ModuleList(_T5Block(width, heads) for _ in range(s(4, 2)))
        self.weight, self.head = nn.Parameter(torch.ones(width)), nn.Linear(width, tokens, bias=False)

    def forward(self, ids, targets):
        length = ids.shape[1]
        places = torch.arange(length, device=ids.device)
        distance = places[None, :] - places[:, None]
        bucket = (distance > 0).long() * 16
        distance = distance.abs()
        far = 8 + (torch.log(distance.float().clamp_min(1) / 8) / math.log(16) * 8).long()
        bucket = bucket + torch.where(distance < 8, distance, far.clamp_max(15))
        bias = self.bias(bucket).permute(2, 0, 1)[None]
        x = self.tokens(ids)
        for block in self.blocks:
            x = block(x, bias)
        logits = self.head(_T5Block.norm(x, self.weight) * x.shape[-1] ** -0.5)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=0.1)


add("T5: 4 blocks of 1024", lambda s: (_T5(s), _tokens(s, s(8, 2), s(512, 16), s(32128, 97))), dtype=BF16)


class _StateSpaceBlock(nn.Module):
    """A selective state space with a scalar decay per head, computed by chunks, as Mamba 2."""

    def __init__(self, width: int, heads: int, states: int, chunk: int):
        super().__init__()
        self.inner, self.heads, self.states, self.chunk = 2 * width, heads, states, chunk
        self.norm, self.out_norm = nn.RMSNorm(width), nn.RMSNorm(self.inner)
        self.project = nn.Linear(width, 2 * self.inner + 2 * states + heads, bias=False)
        self.conv = nn.Conv1d(self.inner + 2 * states, self.inner + 2 * states, 4, groups=self.inner + 2 * states)
        self.dt_bias, self.log_a = nn.Parameter(torch.zeros(heads)), nn.Parameter(torch.zeros(heads))
        self.skip, self.out = nn.Parameter(torch.ones(heads)), nn.Linear(self.inner, width, bias=False)

    def forward(self, x):
        batch, length, _ = x.shape
        z, xbc, dt = self.project(self.norm(x)).split((self.inner, self.inner + 2 * self.states, self.heads), -1)
        xbc = F.silu(self.conv(F.pad(xbc.transpose(1, 2), (3, 0)))).transpose(1, 2)
        u, b, c = xbc.split((self.inner, self.states, self.states), -1)
        dt = F.softplus(dt.float() + self.dt_bias)
        u = u.unflatten(-1, (self.heads, -1))
        y = self.scan(u * dt[..., None].to(u.dtype), dt * -self.log_a.float().exp(), b, c)
        y = (y + u * self.skip[:, None]).reshape(batch, length, self.inner)
        return x + self.out(self.out_norm(y * F.silu(z)))

    def scan(self, u, decay, b, c):
        u, decay, b, c = (t.unflatten(1, (-1, self.chunk)) for t in (u, decay, b, c))
        sums = decay.permute(0, 3, 1, 2).cumsum(-1)  # batch, heads, chunks, places
        ones = torch.ones(self.chunk, self.chunk, dtype=torch.bool, device=u.device).tril()
        within = (sums[..., :, None] - sums[..., None, :]).masked_fill(~ones, -torch.inf).exp()
        scores = torch.einsum("bqin,bqjn->bqij", c, b)
        y = torch.einsum("bhqij,bqjhd->bqihd", (within * scores[:, None]).to(u.dtype), u)
        left = (sums[..., -1:] - sums).exp().to(u.dtype)
        states = torch.einsum("bqjn,bhqj,bqjhd->bqhdn", b, left, u)
        ends = F.pad(sums[..., -1], (1, 0)).cumsum(-1)
        ones = torch.ones(ends.shape[-1], ends.shape[-1], dtype=torch.bool, device=u.device).tril()
        between = (ends[..., :, None] - ends[..., None, :]).masked_fill(~ones, -torch.inf).exp().to(u.dtype)
        states = torch.cat((torch.zeros_like(states[:, :1]), states), 1)
        states = torch.einsum("bhqp,bphdn->bqhdn", between, states)[:, :-1]
        y = y + torch.einsum("bqin,bqhdn,bhqi->bqihd", c, states, sums.exp().to(u.dtype))
        return y.flatten(1, 2)


class _StateSpace(nn.Module):
    def __init__(self, s: Sizes):
        super().__init__()
        width, tokens = s(1024, 32), s(32000, 97)
        self.tokens = nn.Embedding(tokens, width)
        self.blocks = nn.Sequential(*(_StateSpaceBlock(width, s(32, 4), s(64, 8), s(64, 8)) for _ in range(s(4, 2))))
        self.norm, self.head = nn.RMSNorm(width), nn.Linear(width, tokens, bias=False)

    def forward(self, ids, targets):
        return F.cross_entropy(self.head(self.norm(self.blocks(self.tokens(ids)))).flatten(0, 1), targets.flatten())


add(
    "state spaces: 4 blocks of 1024",
    lambda s: (_StateSpace(s), _tokens(s, s(4, 2), s(1024, 16), s(32000, 97))),
    dtype=BF16,
)


class _Experts(nn.Module):
    """Two of `count` experts for each token, with capacities, and a loss that balances them."""

    def __init__(self, width: int, count: int):
        super().__init__()
        self.norm, self.router = nn.LayerNorm(width), nn.Linear(width, count, bias=False)
        self.up = nn.Parameter(torch.randn(count, width, 2 * width) / width**0.5)
        self.down = nn.Parameter(torch.randn(count, 2 * width, width) / (2 * width) ** 0.5)
        self.count = count

    def forward(self, x):
        y = self.norm(x).flatten(0, 1)
        shares = F.softmax(self.router(y).float(), -1)
        weights, chosen = shares.topk(2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        capacity = 2 * y.shape[0] // self.count
        hot = F.one_hot(chosen.flatten(), self.count)
        place = (hot.cumsum(0) - 1).gather(1, chosen.flatten()[:, None])[:, 0]
        kept = place < capacity
        slot = torch.where(kept, chosen.flatten() * capacity + place, self.count * capacity)
        rows = y.repeat_interleave(2, 0)
        sent = y.new_zeros(self.count * capacity + 1, y.shape[1]).index_add(0, slot, rows)[:-1]
        sent = F.gelu(sent.view(self.count, capacity, -1) @ self.up) @ self.down
        sent = torch.cat((sent.flatten(0, 1), sent.new_zeros(1, y.shape[1])))
        mixed = (sent[slot].view(-1, 2, y.shape[1]) * weights[..., None].to(y.dtype)).sum(1)
        balance = self.count * (hot.float().mean(0) * shares.mean(0)).sum()
        return x + mixed.view_as(x), balance


class _Mixture(nn.Module):
    def __init__(self, s: Sizes):
        super().__init__()
        width, tokens = s(1024, 32), s(32000, 97)
        self.tokens, self.layers = nn.Embedding(tokens, width), s(3, 2)
        self.attention = nn.ModuleList(_GPTBlock(width, s(16, 4), 0.0) for _ in range(self.layers))
        self.experts = nn.ModuleList(_Experts(width, s(16, 4)) for _ in range(self.layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, tokens, bias=False)

    def forward(self, ids, targets):
        x, balance = self.tokens(ids), 0.0
        for attention, experts in zip(self.attention, self.experts, strict=True):
            x, more = experts(attention(x))
            balance = balance + more
        return F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), targets.flatten()) + 0.01 * balance


add("mixture of 16 experts: 3 blocks of 1024", lambda s: (_Mixture(s), _tokens(s, s(8, 2), s(1024, 16), s(32000, 97))),
    dtype=BF16)  # fmt: skip


class _ConformerBlock(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(5))
        self.ups = nn.ModuleList(nn.Linear(width, 4 * width) for _ in range(2))
        self.downs = nn.ModuleList(nn.Linear(4 * width, width) for _ in range(2))
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.gated, self.pointwise = nn.Conv1d(width, 2 * width, 1), nn.Conv1d(width, width, 1)
        self.depthwise, self.batch_norm = nn.Conv1d(width, width, 31, padding=15, groups=width), nn.BatchNorm1d(width)

    def forward(self, x):
        x = x + 0.5 * self.downs[0](F.silu(self.ups[0](self.norms[0](x))))
        q, k, v = self.qkv(self.norms[1](x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        x = x + self.project(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        y = F.glu(self.gated(self.norms[2](x).transpose(1, 2)), 1)
        x = x + self.pointwise(F.silu(self.batch_norm(self.depthwise(y)))).transpose(1, 2)
        x = x + 0.5 * self.downs[1](F.silu(self.ups[1](self.norms[3](x))))
        return self.norms[4](x)


class _Conformer(nn.Module):
    def __init__(self, s: Sizes):
        super().__init__()
        width = s(512, 32)
        self.input = nn.Linear(80, width)
        self.blocks = nn.Sequential(*(_ConformerBlock(width, s(8, 4)) for _ in range(s(4, 2))))
        self.head = nn.Linear(width, s(1000, 31))

    def forward(self, x, targets):
        x = torch.log(x.abs() + 1e-6)
        x = (x - x.mean(1, keepdim=True)) / (x.std(1, keepdim=True) + 1e-5)
        return F.nll_loss(F.log_softmax(self.head(self.blocks(self.input(x))).flatten(0, 1), -1), targets.flatten())


add(
    "conformer: 4 blocks of 512 under autocast",
    lambda s: (_Conformer(s), (s.randn(s(16, 2), s(800, 20), 80), s.ints(s(1000, 31), s(16, 2), s(800, 20)))),
    autocast=True,
)


class _LSTM(nn.Module):
    """One layer whose cells are written out, over so many steps, and a head for each of them."""

    def __init__(self, s: Sizes):
        super().__init__()
        width = s(1024, 24)
        self.input, self.state = nn.Linear(width, 4 * width), nn.Linear(width, 4 * width, bias=False)
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, s(512, 11))

    def forward(self, x, targets):
        parts = self.input(x)
        h = c = x.new_zeros(x.shape[0], x.shape[2])
        states = []
        for step in range(x.shape[1]):
            i, f, g, o = (parts[:, step] + self.state(h)).chunk(4, -1)
            c = torch.sigmoid(f + 1) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            states.append(h)
        y = self.head(self.norm(torch.stack(states, 1)))
        return F.cross_entropy(y.flatten(0, 1), targets.flatten())


def _lstm(s: Sizes):
    batch, steps = s(2048, 3), s(24, 4)
    return _LSTM(s), (s.randn(batch, steps, s(1024, 24), dtype=BF16), s.ints(s(512, 11), batch, steps))


add("LSTM of 1024 over 24 steps", _lstm, dtype=BF16)
