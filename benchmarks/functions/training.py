"""Updates of weights, penalties, and gradients of common blocks."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

F16 = torch.float16


def _rmsprop(p, g, v, buf):
    v = 0.99 * v + 0.01 * g * g
    buf = 0.9 * buf + g / (v.sqrt() + 1e-8)
    return p - 0.01 * buf, v, buf


add("RMSprop with momentum, 8192x8192 f32", _rmsprop, lambda m: tuple(m.uniform(8192, 8192) for _ in range(4)))


def _amsgrad(p, g, a, v, most, step):
    a = torch.lerp(a, g, 0.1)
    v = torch.addcmul(0.999 * v, g, g, value=0.001)
    most = torch.maximum(most, v)
    return p - 0.001 / (1 - 0.9**step) * a / ((most / (1 - 0.999**step)).sqrt() + 1e-8), a, v, most


add(
    "AMSGrad with a step tensor, 4096x8192 f32",
    _amsgrad,
    lambda m: (*(m.uniform(4096, 8192) for _ in range(5)), torch.tensor(7.0, device=m.device)),
)
add(
    "SGD with Nesterov momentum of bf16 weights, 8192x8192",
    lambda p, g, b: (lambda d: (lambda n: (p - 0.1 * (d + 0.9 * n), n))(0.9 * b + d))(g + 0.0001 * p),
    lambda m: tuple(m(8192, 8192) for _ in range(3)),
)
add(
    "master weights to bf16 after a step, 8192x8192 f32",
    lambda p, g: (lambda n: (n, n.to(BF16)))(p - 0.01 * g.float()),
    lambda m: (m(8192, 8192, dtype=F32), m(8192, 8192)),
)
add(
    "norms of rows of gradients clipped, 32768x1024 f32",
    lambda g: g * (1.0 / (g.norm(dim=-1, keepdim=True) + 1e-6)).clamp(max=1.0),
    lambda m: (m(32768, 1024, dtype=F32),),
)
add(
    "sum of squares of five tensors f32",
    lambda *g: sum(x.float().square().sum() for x in g).sqrt(),
    lambda m: (m(4096, 4096), m(4096, 11008), m(32000, 1024), m(4096), m(1000, 333)),
)
add(
    "centered and scaled by the norm of columns, 4096x4096 f32",
    lambda w: (lambda c: c / c.norm(dim=0, keepdim=True))(w - w.mean(0)),
    lambda m: (m(4096, 4096, dtype=F32),),
)
add(
    "L1 and L2 penalties of weights with gradient, 8192x8192 f32",
    lambda w: 0.1 * w.abs().sum() + 0.2 * w.square().sum(),
    lambda m: (m(8192, 8192, dtype=F32, grad=True),),
)
add(
    "weights pruned below the mean of magnitudes, 8192x8192",
    lambda w: torch.where(w.abs() > w.abs().float().mean(1, keepdim=True), w, 0),
    lambda m: (m(8192, 8192),),
)
add(
    "ternary weights by means of magnitudes, 4096x11008",
    lambda w: (lambda s: (w / s).round().clamp(-1, 1) * s)(w.float().abs().mean().clamp(min=1e-5)),
    lambda m: (m(4096, 11008),),
)
add(
    "stochastic signs with gradient: straight-through, 8192x8192",
    lambda x: x + (torch.sign(x) - x).detach(),
    lambda m: (m(8192, 8192, grad=True),),
)
add(
    "hard swish with gradient, f16, 64x128x56x56",
    lambda x: F.hardswish(x),
    lambda m: (m(64, 128, 56, 56, dtype=F16, grad=True),),
)
add(
    "ELU, bias of channels and gradient, 64x64x112x112",
    lambda x, b: F.elu(x + b[:, None, None]),
    lambda m: (m(64, 64, 112, 112, grad=True), m(64, grad=True)),
)
add(
    "bias of rows, GELU, residual and gradients, 16384x4096",
    lambda x, b, r: F.gelu(x + b, approximate="tanh") + r,
    lambda m: (m(16384, 4096, grad=True), m(4096, grad=True), m(16384, 4096, grad=True)),
)
add(
    "gated sum of two branches with gradient, 32768x2048",
    lambda a, b, g: torch.sigmoid(g) * a + (1 - torch.sigmoid(g)) * b,
    lambda m: tuple(m(32768, 2048, grad=True) for _ in range(3)),
)
add(
    "layer norm with gradient, f32, 100000x256",
    lambda x, w, b: F.layer_norm(x, (256,), w, b),
    lambda m: (m(100000, 256, dtype=F32, grad=True), m(256, dtype=F32, grad=True), m(256, dtype=F32, grad=True)),
)
add(
    "group norm with gradient, channels last, 8x256x64x64",
    lambda x, w, b: F.group_norm(x, 32, w, b),
    lambda m: (m.image(8, 256, 64, 64, grad=True), m(256, grad=True), m(256, grad=True)),
)
add(
    "instance norm with gradient, 16x64x128x128",
    lambda x: F.instance_norm(x),
    lambda m: (m(16, 64, 128, 128, grad=True),),
)
add(
    "batch norm of features with ReLU and gradient, 65536x512",
    lambda x, w, b: F.relu(F.batch_norm(x, None, None, w, b, training=True)),
    lambda m: (m(65536, 512, grad=True), m(512, grad=True), m(512, grad=True)),
)
add(
    "softmax with temperature and gradient, f16, 16384x4096",
    lambda x: (x / 0.5).softmax(-1),
    lambda m: (m(16384, 4096, dtype=F16, grad=True),),
)
add(
    "binary cross-entropy of logits with weights and gradient, 65536x1000 f32",
    lambda x, t, w: F.binary_cross_entropy_with_logits(x, t, pos_weight=w),
    lambda m: (m(65536, 1000, dtype=F32, grad=True), m.uniform(65536, 1000), m.uniform(1000)),
)
add(
    "Huber loss with masks and gradient, 8192x8192",
    lambda a, b, k: (F.huber_loss(a, b, reduction="none") * k).sum() / k.sum(),
    lambda m: (m(8192, 8192, grad=True), m(8192, 8192), (m.uniform(8192, 8192) > 0.5).to(BF16)),
)
add(
    "cosine embedding loss with gradient, 131072x256 f32",
    lambda a, b: (1 - F.cosine_similarity(a, b, dim=-1)).mean(),
    lambda m: (m(131072, 256, dtype=F32, grad=True), m(131072, 256, dtype=F32, grad=True)),
)
add(
    "variance and covariance penalties of embeddings, 32768x512 f32",
    lambda x: (F.relu(1 - (x.var(0) + 1e-4).sqrt()).mean(), (x - x.mean(0)).square().mean()),
    lambda m: (m(32768, 512, dtype=F32),),
)
add(
    "masked autoencoder: norm of patches and loss of masked, 256x196x768",
    lambda p, t, k: (
        ((p - (t - t.mean(-1, keepdim=True)) / (t.var(-1, keepdim=True) + 1e-6).sqrt()).square().mean(-1) * k).sum()
        / k.sum()
    ),
    lambda m: (m(256, 196, 768, dtype=F32), m(256, 196, 768, dtype=F32), (m.uniform(256, 196) > 0.25).float()),
)
add(
    "unit columns of a sine activation with gradient, 32768x2048 f32",
    lambda x: torch.sin(30 * x),
    lambda m: (m.uniform(32768, 2048, grad=True),),
)
