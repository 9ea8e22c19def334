"""Activations and gates."""

import torch
import torch.nn.functional as F

from functions.registry import F32, add

add(
    "GEGLU of a packed tensor, 16384x11008",
    lambda x: (lambda a, b: a * F.gelu(b))(*x.chunk(2, -1)),
    lambda m: (m(16384, 22016),),
)
add("Mish with gradient, 16384x8192", lambda x: F.mish(x), lambda m: (m(16384, 8192, grad=True),))
add("GELU by erf with gradient, 16384x8192", lambda x: F.gelu(x), lambda m: (m(16384, 8192, grad=True),))
add("squared ReLU with gradient, 16384x8192", lambda x: F.relu(x).square(), lambda m: (m(16384, 8192, grad=True),))
add(
    "PReLU with gradient, 64x64x112x112",
    lambda x, w: F.prelu(x, w),
    lambda m: (m(64, 64, 112, 112, grad=True), m(64, grad=True)),
)
add(
    "snake of channels, 16x512x16384 f32",
    lambda x, a: x + (1.0 / (a + 1e-9)) * torch.sin(x * a).pow(2),
    lambda m: (m(16, 512, 16384, dtype=F32), m.uniform(1, 512, 1)),
)
add("GLU of channels, 32x512x4096", lambda x: F.glu(x, 1), lambda m: (m(32, 512, 4096),))
add("GLU of channels with gradient, 32x512x4096", lambda x: F.glu(x, 1), lambda m: (m(32, 512, 4096, grad=True),))
add("maxout of 4, 16384x8192", lambda x: x.view(-1, 2048, 4).amax(-1), lambda m: (m(16384, 8192),))
add("log-sigmoid, 16384x8192 f32", lambda x: F.logsigmoid(x), lambda m: (m(16384, 8192, dtype=F32),))
add("softplus with gradient, 8192x8192 f32", lambda x: F.softplus(x), lambda m: (m(8192, 8192, dtype=F32, grad=True),))
add(
    "SwiGLU of a packed tensor with gradient, 8192x14336",
    lambda x: (lambda a, b: F.silu(a) * b)(*x.chunk(2, -1)),
    lambda m: (m(8192, 28672, grad=True),),
)
add(
    "bias, GELU and dropout mask with gradient, 8192x16384",
    lambda x, b, keep: F.gelu(x + b, approximate="tanh") * keep * 1.1,
    lambda m: (m(8192, 16384, grad=True), m(16384, grad=True), m.uniform(8192, 16384) > 0.1),
)
