"""Sound: frames, spectra, companding."""

import math

import torch

from functions.registry import F32, add


def _mu_law(x):
    y = torch.sign(x) * torch.log1p(255 * x.abs()) / math.log1p(255)
    return ((y + 1) / 2 * 255 + 0.5).to(torch.uint8)


add("mu-law to uint8, 64x960000 f32", _mu_law, lambda m: (m.uniform(64, 960000),))
add(
    "frames of 400 with a window, 64x160000 f32",
    lambda x, w: x.unfold(-1, 400, 160) * w,
    lambda m: (m(64, 160000, dtype=F32), m.uniform(400)),
)
add(
    "emphasis of high frequencies, 64x960000 f32",
    lambda x: torch.cat([x[:, :1], x[:, 1:] - 0.97 * x[:, :-1]], 1),
    lambda m: (m(64, 960000, dtype=F32),),
)
add(
    "decibels with a floor below the greatest, 64x80x3000 f32",
    lambda x: (lambda d: torch.maximum(d, d.amax((1, 2), keepdim=True) - 80))(10 * torch.log10(x.clamp(min=1e-10))),
    lambda m: (m.uniform(256, 80, 3000),),
)
add(
    "normalization over time with lengths, 64x3000x80 f32",
    lambda x, mask: (
        lambda n: (lambda a: (x - a) * mask / (((x - a).square() * mask).sum(1, keepdim=True) / n + 1e-5).sqrt())(
            (x * mask).sum(1, keepdim=True) / n
        )
    )(mask.sum(1, keepdim=True)),
    lambda m: (m(256, 3000, 80, dtype=F32), (m.uniform(256, 3000, 1) > 0.2).float()),
)
add(
    "loudness of frames, 64x960000 f32",
    lambda x: x.unfold(-1, 512, 512).square().mean(-1).sqrt(),
    lambda m: (m(64, 960000, dtype=F32),),
)
