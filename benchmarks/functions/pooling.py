"""Poolings with windows that overlap or leave the image, and their gradients."""

import torch.nn.functional as F

from functions.registry import F32, add


def _max(*options):
    return lambda x: F.max_pool2d(x, *options)


def _average(*options):
    return lambda x: F.avg_pool2d(x, *options)


add(
    "max pooling of 3x3 by 2 with gradient, 64x64x112x112",
    _max(3, 2, 1),
    lambda m: (m(64, 64, 112, 112, grad=True),),
)
add(
    "max pooling of 3x3 by 2 with gradient, channels last, 64x64x112x112",
    _max(3, 2, 1),
    lambda m: (m.image(64, 64, 112, 112, grad=True),),
)
add("max pooling of 3x3 by 2, 64x64x113x113", _max(3, 2, 1), lambda m: (m(64, 64, 113, 113),))
add(
    "max pooling of 3x3 by 2 with gradient, f32, 32x64x113x113",
    _max(3, 2, 1),
    lambda m: (m(32, 64, 113, 113, dtype=F32, grad=True),),
)
add("max pooling of 2x2 with gradient, 32x128x56x56", _max(2), lambda m: (m(32, 128, 56, 56, grad=True),))
add(
    "max pooling of 2x2 with gradient, channels last, 32x128x57x57",
    _max(2),
    lambda m: (m.image(32, 128, 57, 57, grad=True),),
)
add("max pooling of 3x3 by 1 with gradient, 64x192x28x28", _max(3, 1, 1), lambda m: (m(64, 192, 28, 28, grad=True),))
add("max pooling of 5x5 by 1, channels last, 32x256x20x20", _max(5, 1, 2), lambda m: (m.image(32, 256, 20, 20),))
add(
    "average pooling of 3x3 by 1 with gradient, 64x192x35x35",
    _average(3, 1, 1),
    lambda m: (m(64, 192, 35, 35, grad=True),),
)
# On a GPU, eager mode of torch 2.11 has wrong gradients of channels-last images with a border: without one.
add(
    "average pooling of 3x3 by 2 with gradient, channels last, 64x64x113x113",
    _average(3, 2),
    lambda m: (m.image(64, 64, 113, 113, grad=True),),
)
add("average pooling of 3x3 by 2, 64x64x113x113", _average(3, 2, 1), lambda m: (m(64, 64, 113, 113),))
add(
    "average pooling of 3x3 by 2 with gradient, 64x64x112x112",
    _average(3, 2, 1),
    lambda m: (m(64, 64, 112, 112, grad=True),),
)
add(
    "max pooling of 4 by 4 over time with gradient, 64x256x4000",
    lambda x: F.max_pool1d(x, 4),
    lambda m: (m(64, 256, 4000, grad=True),),
)
add(
    "max pooling of 3x3x3 by 2 with gradient, 4x32x32x64x64",
    lambda x: F.max_pool3d(x, 3, 2, 1),
    lambda m: (m(4, 32, 32, 64, 64, grad=True),),
)
add(
    "adaptive max pooling to 7x7 with gradient, 64x512x28x28",
    lambda x: F.adaptive_max_pool2d(x, 7),
    lambda m: (m(64, 512, 28, 28, grad=True),),
)
