"""Models of images."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from models.registry import BF16, Sizes, add


class _ViT(nn.Module):
    """Patches of 16, a class token, norms before, and pooling by the class token."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, self.heads = s(768, 48), s(12, 4)
        self.patches = nn.Conv2d(3, width, 16, 16)
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.places = nn.Parameter(0.02 * torch.randn(1, s(197, 5), width))
        self.blocks = nn.ModuleList(
            nn.ModuleList(
                (nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width), nn.LayerNorm(width),
                 nn.Linear(width, 4 * width), nn.Linear(4 * width, width))
            )
            for _ in range(s(6, 2))
        )  # fmt: skip
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, s(1000, 10))

    def forward(self, images, labels):
        x = self.patches(images).flatten(2).transpose(1, 2)
        x = torch.cat((self.token.expand(x.shape[0], -1, -1), x), 1) + self.places
        for first, qkv, project, second, up, down in self.blocks:
            q, k, v = qkv(first(x)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)
            x = x + project(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
            x = x + down(F.gelu(up(second(x))))
        return F.cross_entropy(self.head(self.norm(x)[:, 0]), labels, label_smoothing=0.1)


def images(s: Sizes, batch: int, size: int, dtype):
    """Random images, and a class of each."""
    return s.randn(s(batch, 2), 3, s(size, 32), s(size, 32), dtype=dtype), s.ints(s(1000, 10), s(batch, 2))


add("ViT: 6 blocks of 768", lambda s: (_ViT(s), images(s, 64, 224, BF16)), dtype=BF16)


class _Bottleneck(nn.Module):
    def __init__(self, inner: int, width: int, outer: int, stride: int):
        super().__init__()
        self.convs = nn.ModuleList(
            (nn.Conv2d(inner, width, 1, bias=False), nn.Conv2d(width, width, 3, stride, 1, bias=False),
             nn.Conv2d(width, outer, 1, bias=False))
        )  # fmt: skip
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for channels in (width, width, outer))
        self.skip = None
        if stride != 1 or inner != outer:
            self.skip = nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer))

    def forward(self, x):
        y = F.relu(self.norms[0](self.convs[0](x)))
        y = F.relu(self.norms[1](self.convs[1](y)))
        return F.relu(self.norms[2](self.convs[2](y)) + (self.skip(x) if self.skip else x))


class _ResNet(nn.Module):
    def __init__(self, s: Sizes, channels_last: bool):
        super().__init__()
        base, self.channels_last = s(64, 8), channels_last
        self.stem, self.norm = nn.Conv2d(3, base, 7, 2, 3, bias=False), nn.BatchNorm2d(base)
        inner, stages = base, []
        for stage in range(s(4, 2)):
            outer = 4 * base << stage
            for block in range(s(2, 1)):
                stages.append(_Bottleneck(inner, base << stage, outer, 2 if stage and not block else 1))
                inner = outer
        self.stages, self.head = nn.Sequential(*stages), nn.Linear(inner, s(1000, 10))
        if channels_last:
            self.to(memory_format=torch.channels_last)

    def forward(self, images, labels):
        if self.channels_last:
            images = images.contiguous(memory_format=torch.channels_last)
        x = F.max_pool2d(F.relu(self.norm(self.stem(images))), 3, 2, 1)
        return F.cross_entropy(self.head(F.adaptive_avg_pool2d(self.stages(x), 1).flatten(1)).float(), labels)


def _resnet(channels_last: bool):
    return lambda s: (_ResNet(s, channels_last), images(s, 64, 224, torch.float32))


add("ResNet: 8 bottlenecks under autocast, channels last", _resnet(True), autocast=True)
add("ResNet: 8 bottlenecks", _resnet(False))


class _ConvNeXt(nn.Module):
    """Norms of channels between permutations, layer scale, and paths that are dropped by random masks of the input."""

    def __init__(self, s: Sizes):
        super().__init__()
        widths = (96, 192, 384) if not s.small else (8, 16)
        self.stem, self.stem_norm = nn.Conv2d(3, widths[0], 4, 4), nn.LayerNorm(widths[0])
        self.downs, self.down_norms, self.blocks = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        for index, width in enumerate(widths):
            if index:
                self.down_norms.append(nn.LayerNorm(widths[index - 1]))
                self.downs.append(nn.Conv2d(widths[index - 1], width, 2, 2))
            for _ in range(2):
                block = nn.Module()
                block.conv, block.norm = nn.Conv2d(width, width, 7, padding=3, groups=width), nn.LayerNorm(width)
                block.up, block.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
                block.gamma = nn.Parameter(0.1 * torch.ones(width))
                self.blocks.append(block)
        self.norm, self.head = nn.LayerNorm(widths[-1]), nn.Linear(widths[-1], s(1000, 10))

    @staticmethod
    def normed(norm, x):
        return norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)

    def forward(self, images, labels, keep):
        x = self.normed(self.stem_norm, self.stem(images))
        for index, block in enumerate(self.blocks):
            if index and index % 2 == 0:
                x = self.downs[index // 2 - 1](self.normed(self.down_norms[index // 2 - 1], x))
            y = block.norm(block.conv(x).permute(0, 2, 3, 1))
            y = block.gamma * block.down(F.gelu(block.up(y)))
            x = x + y.permute(0, 3, 1, 2) * (keep[index].view(-1, 1, 1, 1) / 0.9).to(x.dtype)
        return F.cross_entropy(self.head(self.norm(x.mean((-2, -1)))), labels)


add("ConvNeXt: 6 blocks", lambda s: (_ConvNeXt(s), (*images(s, 64, 224, BF16), s.ints(10, s(6, 4), s(64, 2)) > 0)),
    dtype=BF16)  # fmt: skip


class _TimeBlock(nn.Module):
    """Norms of groups, SiLU, convolutions and an embedding of time."""

    def __init__(self, inner: int, outer: int, times: int):
        super().__init__()
        self.first, self.second = nn.GroupNorm(8, inner), nn.GroupNorm(8, outer)
        self.conv1, self.conv2 = nn.Conv2d(inner, outer, 3, padding=1), nn.Conv2d(outer, outer, 3, padding=1)
        self.time, self.skip = nn.Linear(times, 2 * outer), nn.Conv2d(inner, outer, 1)

    def forward(self, x, time):
        y = self.conv1(F.silu(self.first(x)))
        scale, shift = self.time(F.silu(time))[:, :, None, None].chunk(2, 1)
        y = self.conv2(F.silu(self.second(y) * (1 + scale) + shift))
        return (self.skip(x) + y) / math.sqrt(2)


class _UNet(nn.Module):
    """Predicts the noise of images at steps of diffusion."""

    def __init__(self, s: Sizes):
        super().__init__()
        base = s(128, 16)
        self.base, times = base, 4 * base
        self.time = nn.Sequential(nn.Linear(base, times), nn.SiLU(), nn.Linear(times, times))
        self.input = nn.Conv2d(4, base, 3, padding=1)
        self.down1, self.down2 = _TimeBlock(base, base, times), _TimeBlock(base, 2 * base, times)
        self.shrink1, self.shrink2 = nn.Conv2d(base, base, 3, 2, 1), nn.Conv2d(2 * base, 2 * base, 3, 2, 1)
        self.middle, self.qkv = _TimeBlock(2 * base, 2 * base, times), nn.Conv2d(2 * base, 6 * base, 1)
        self.norm, self.project = nn.GroupNorm(8, 2 * base), nn.Conv2d(2 * base, 2 * base, 1)
        self.up2, self.up1 = _TimeBlock(4 * base, base, times), _TimeBlock(2 * base, base, times)
        self.out_norm, self.output = nn.GroupNorm(8, base), nn.Conv2d(base, 4, 3, padding=1)

    def forward(self, clean, noise, steps):
        share = torch.cos(0.5 * math.pi * steps / 1000).view(-1, 1, 1, 1)
        x = (clean.float() * share + noise.float() * (1 - share * share).sqrt()).to(clean.dtype)
        angles = steps[:, None] * torch.exp(
            -math.log(10000) * torch.arange(self.base // 2, device=x.device) / (self.base // 2)
        )
        time = self.time(torch.cat((angles.sin(), angles.cos()), -1).to(x.dtype))
        a = self.down1(self.input(x), time)
        b = self.down2(self.shrink1(a), time)
        c = self.middle(self.shrink2(b), time)
        q, k, v = self.qkv(self.norm(c)).flatten(2).transpose(1, 2).unsqueeze(1).chunk(3, -1)
        mixed = F.scaled_dot_product_attention(q, k, v)[:, 0].transpose(1, 2).unflatten(2, c.shape[2:])
        c = c + self.project(mixed)
        x = self.up2(torch.cat((F.interpolate(c, scale_factor=2, mode="nearest"), b), 1), time)
        x = self.up1(torch.cat((F.interpolate(x, scale_factor=2, mode="nearest"), a), 1), time)
        return F.mse_loss(self.output(F.silu(self.out_norm(x))).float(), noise.float())


def _unet(s: Sizes):
    images = [s.randn(s(16, 2), 4, s(64, 8), s(64, 8), dtype=BF16) for _ in range(2)]
    return _UNet(s), (*images, s.ints(1000, s(16, 2)).float())


add("U-Net of diffusion with base 128", _unet, dtype=BF16)


class _DiT(nn.Module):
    """Transformer blocks whose norms and residuals are modulated by conditions."""

    def __init__(self, s: Sizes):
        super().__init__()
        width, self.heads, self.size = s(1024, 48), s(16, 4), s(32, 8)
        self.input, self.classes = nn.Linear(16, width), nn.Embedding(1000, width)
        self.register_buffer("places", 0.1 * torch.randn(1, (self.size // 2) ** 2, width))
        self.blocks = nn.ModuleList(
            nn.ModuleList(
                (nn.Linear(width, 6 * width), nn.Linear(width, 3 * width), nn.Linear(width, width),
                 nn.Linear(width, 4 * width), nn.Linear(4 * width, width))
            )
            for _ in range(s(4, 2))
        )  # fmt: skip
        self.last, self.output = nn.Linear(width, 2 * width), nn.Linear(width, 16)

    @staticmethod
    def modulated(x, shift, scale):
        return F.layer_norm(x, (x.shape[-1],), eps=1e-6) * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)

    def forward(self, images, classes, target):
        n, c, half = images.shape[0], 4, self.size // 2
        x = images.view(n, c, half, 2, half, 2).permute(0, 2, 4, 3, 5, 1).reshape(n, half * half, 4 * c)
        x = self.input(x) + self.places
        condition = F.silu(self.classes(classes))
        for modulation, qkv, project, up, down in self.blocks:
            shift1, scale1, gate1, shift2, scale2, gate2 = modulation(condition).chunk(6, 1)
            q, k, v = qkv(self.modulated(x, shift1, scale1)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
            y = F.scaled_dot_product_attention(F.normalize(q, dim=-1), F.normalize(k, dim=-1), v, scale=8.0)
            x = x + gate1.unsqueeze(1) * project(y.transpose(1, 2).flatten(2))
            x = x + gate2.unsqueeze(1) * down(F.gelu(up(self.modulated(x, shift2, scale2)), approximate="tanh"))
        shift, scale = self.last(condition).chunk(2, 1)
        x = self.output(self.modulated(x, shift, scale))
        x = x.view(n, half, half, 2, 2, c).permute(0, 5, 1, 3, 2, 4).reshape(n, c, 2 * half, 2 * half)
        return (x.float() - target.float()).square().mean()


def _dit(s: Sizes):
    batch, size = s(32, 2), s(32, 8)
    images = [s.randn(batch, 4, size, size, dtype=BF16) for _ in range(2)]
    return _DiT(s), (images[0], s.ints(1000, batch), images[1])


add("DiT: 4 blocks of 1024", _dit, dtype=BF16)


class _Autoencoder(nn.Module):
    """A variational autoencoder of images with a divergence and an L1 loss."""

    def __init__(self, s: Sizes):
        super().__init__()
        base = s(64, 8)
        self.down = nn.Sequential(
            nn.Conv2d(3, base, 3, 2, 1), nn.GroupNorm(8, base), nn.LeakyReLU(0.2),
            nn.Conv2d(base, 2 * base, 3, 2, 1), nn.GroupNorm(8, 2 * base), nn.LeakyReLU(0.2),
            nn.Conv2d(2 * base, 16, 3, padding=1),
        )  # fmt: skip
        self.up = nn.Sequential(
            nn.Conv2d(8, 4 * base, 3, padding=1), nn.PixelShuffle(2), nn.BatchNorm2d(base), nn.ELU(),
            nn.Conv2d(base, 4 * base, 3, padding=1), nn.PixelShuffle(2), nn.InstanceNorm2d(base, affine=True),
            nn.SiLU(), nn.Conv2d(base, 3, 3, padding=1), nn.Tanh(),
        )  # fmt: skip

    def forward(self, images, noise):
        mean, log_variance = self.down(images).chunk(2, 1)
        log_variance = log_variance.clamp(-30, 20)
        made = self.up(mean + noise * torch.exp(0.5 * log_variance))
        divergence = -0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp()).sum((1, 2, 3)).mean()
        return F.l1_loss(made, images) + 1e-4 * divergence


def _autoencoder(s: Sizes):
    batch, size = s(64, 2), s(128, 16)
    return _Autoencoder(s), (s.randn(batch, 3, size, size), s.randn(batch, 8, size // 4, size // 4))


add("autoencoder of images of 128", _autoencoder)
