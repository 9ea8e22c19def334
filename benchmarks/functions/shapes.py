"""Common operations with unusual sizes, dimensions and layouts: prime rows, long columns, views around them."""

import torch
import torch.nn.functional as F

from functions.registry import BF16, F32, add

F16 = torch.float16

add(
    "softmax over the first of three, 1021x64x257",
    lambda x: x.softmax(0),
    lambda m: (torch.randn(1021, 64, 257, device=m.device).to(BF16),),
)
add("softmax over the middle, 300x333x100 f32", lambda x: x.softmax(1), lambda m: (m(300, 333, 100, dtype=F32),))
add("log-softmax over channels, 8x150x512x512", lambda x: x.log_softmax(1), lambda m: (m(8, 150, 512, 512),))
add("log-softmax of a transposed view, 20000x1000", lambda x: x.t().log_softmax(0), lambda m: (m(20000, 1000),))
add(
    "softmax with temperature of every second row, 40000x2000",
    lambda x: (x[::2] / 0.7).softmax(-1),
    lambda m: (m(40000, 2000),),
)
add("softmax in f32, kept as f32, 30011x1009", lambda x: torch.softmax(x, -1, dtype=F32), lambda m: (m(30011, 1009),))
add("softmax with gradient over rows of 77, 300000x77", lambda x: x.softmax(-1), lambda m: (m(300000, 77, grad=True),))
add(
    "log-softmax with gradient in f32, 4096x20011 f32",
    lambda x: x.log_softmax(-1),
    lambda m: (m(4096, 20011, dtype=F32, grad=True),),
)
add(
    "softmin of two joined dimensions, 20000x31x37",
    lambda x: F.softmin(x.flatten(1), -1).view_as(x),
    lambda m: (m(20000, 31, 37),),
)
add(
    "layer norm over two dimensions, 4096x31x67",
    lambda x, w: F.layer_norm(x, (31, 67), w),
    lambda m: (m(4096, 31, 67), torch.randn(31, 67, device=m.device).to(BF16)),
)
add(
    "layer norm of a transposed tensor, 64x768x1000",
    lambda x, w, b: F.layer_norm(x.transpose(1, 2), (768,), w, b),
    lambda m: (m(64, 768, 1000), m(768), m(768)),
)
add(
    "layer norm with gradient, f16, 50000x513",
    lambda x, w, b: F.layer_norm(x, (513,), w, b),
    lambda m: (m(50000, 513, dtype=F16, grad=True), m(513, dtype=F16, grad=True), m(513, dtype=F16, grad=True)),
)
add(
    "layer norm by mean and mean of squares, 16384x5000 f32",
    lambda x: (x - x.mean(-1, keepdim=True))
    * ((x * x).mean(-1, keepdim=True) - x.mean(-1, keepdim=True).square() + 1e-5).rsqrt(),
    lambda m: (m(16384, 5000, dtype=F32),),
)
add("RMS norm of 96 columns, 1000000x96", lambda x, w: F.rms_norm(x, (96,), w), lambda m: (m(1000000, 96), m(96)))
add(
    "RMS norm of one long row, 8x8388608",
    lambda x: x * (x.float().square().mean(-1, keepdim=True) + 1e-6).rsqrt().to(x.dtype),
    lambda m: (m(8, 8388608),),
)
add(
    "batch norm in training, channels last, 32x512x28x28",
    lambda x, w, b: F.batch_norm(x, None, None, w, b, True),
    lambda m: (m.image(32, 512, 28, 28), m(512, dtype=F32), m(512, dtype=F32)),
)
add(
    "batch norm in training and ReLU, 16x64x224x224",
    lambda x, w, b: F.relu(F.batch_norm(x, None, None, w, b, True)),
    lambda m: (m(16, 64, 224, 224), m(64, dtype=F32), m(64, dtype=F32)),
)
add(
    "batch norm, residual, ReLU and gradient, 32x128x28x28",
    lambda x, r, w, b: F.relu(F.batch_norm(x, None, None, w, b, True) + r),
    lambda m: (
        m(32, 128, 28, 28, grad=True),
        m(32, 128, 28, 28, grad=True),
        m(128, dtype=F32, grad=True),
        m(128, dtype=F32, grad=True),
    ),
)
add("instance norm, 16x100x111x113 f32", lambda x: F.instance_norm(x), lambda m: (m(16, 100, 111, 113, dtype=F32),))
add(
    "group norm of 6 groups, 20x96x33x65",
    lambda x, w, b: F.group_norm(x, 6, w, b),
    lambda m: (m(20, 96, 33, 65), m(96), m(96)),
)
add(
    "sums of rows, columns and all, 10007x5003 f32",
    lambda x: (x.sum(0), x.sum(1), x.sum()),
    lambda m: (m(10007, 5003, dtype=F32),),
)
add(
    "sum of squares of all, 100000007",
    lambda x: x.float().square().sum(),
    lambda m: (torch.randn(100000007, device=m.device).to(BF16),),
)
add(
    "sum over the first and last, 500x300x700",
    lambda x: x.float().sum((0, 2)),
    lambda m: (torch.randn(500, 300, 700, device=m.device).to(BF16),),
)
add("means over the first, 2000000x40 f32", lambda x: x.mean(0), lambda m: (m(2000000, 40, dtype=F32),))
add("greatest of rows of 10, 10000000x10", lambda x: x.amax(-1), lambda m: (m(10000000, 10),))
add("index of the least of columns, 30000x3001 f32", lambda x: x.argmin(0), lambda m: (m(30000, 3001, dtype=F32),))
add(
    "greatest and least of rows and their indices, 20000x4099",
    lambda x: (*x.max(-1), *x.min(-1)),
    lambda m: (m(20000, 4099),),
)
add("standard deviations of rows, 4099x20000", lambda x: x.float().std(-1), lambda m: (m(4099, 20000),))
add(
    "variances and means of columns, 100003x300 f32",
    lambda x: torch.var_mean(x, 0),
    lambda m: (m(100003, 300, dtype=F32),),
)
add(
    "norms of order 3 of rows, 16384x4000 f32",
    lambda x: torch.linalg.vector_norm(x, 3, -1),
    lambda m: (m(16384, 4000, dtype=F32),),
)
add("log-sum-exp over the middle, 64x500x1000", lambda x: x.float().logsumexp(1), lambda m: (m(64, 500, 1000),))
add(
    "counts of positives and whether any is infinite, 20000x4000",
    lambda x: ((x > 0).sum(-1), x.isinf().any(-1)),
    lambda m: (m(20000, 4000),),
)
add("products of rows of 20, 3000000x20 f32", lambda x: x.prod(-1), lambda m: (m(3000000, 20, dtype=F32),))
add("sums of prefixes of rows of 999, 65536x999", lambda x: x.float().cumsum(-1), lambda m: (m(65536, 999),))
add(
    "sums of prefixes over the first, 4096x8192 f32",
    lambda x: x.cumsum(0),
    lambda m: (torch.randn(4096, 8192, device=m.device),),
)
add("sums of suffixes, 8192x8192 f32", lambda x: x.flip(-1).cumsum(-1).flip(-1), lambda m: (m(8192, 8192, dtype=F32),))
add("greatest of prefixes, 16384x2048 f32", lambda x: x.cummax(-1).values, lambda m: (m(16384, 2048, dtype=F32),))
add("GELU of a transposed view, 10000x7000", lambda x: F.gelu(x.t(), approximate="tanh"), lambda m: (m(10000, 7000),))
add(
    "GELU to a contiguous transposed result, 9001x7003",
    lambda x: F.gelu(x).t().contiguous(),
    lambda m: (m(9001, 7003),),
)
add(
    "bias and ReLU of channels last, contiguous result, 64x96x56x56",
    lambda x, b: F.relu(x + b[:, None, None]).contiguous(),
    lambda m: (m.image(64, 96, 56, 56), m(96)),
)
add(
    "sum of a tensor and its transpose, 10000x10000 f32",
    lambda x: (x + x.t()) * 0.5,
    lambda m: (torch.randn(10000, 10000, device=m.device),),
)
add(
    "sum of a row and a column, 20000x9999",
    lambda a, b: a + b,
    lambda m: (torch.randn(20000, 1, device=m.device).to(BF16), torch.randn(9999, device=m.device).to(BF16)),
)
add(
    "product of f16 and f32, 33333x3333",
    lambda a, b: a * b,
    lambda m: (m(33333, 3333, dtype=F16), m(33333, 3333, dtype=F32)),
)
add(
    "int32 to bf16, scaled, 20000x5000",
    lambda x, s: x.to(BF16) * s,
    lambda m: (m.ints(1000, 20000, 5000, dtype=torch.int32), m(5000)),
)
add(
    "permutation 3 0 2 1 with a scale, 64x100x120x96",
    lambda x: (x * 2).permute(3, 0, 2, 1).contiguous(),
    lambda m: (torch.randn(64, 100, 120, 96, device=m.device).to(BF16),),
)
add(
    "swapped last dimensions, 2000x90x110",
    lambda x: (x + 1).transpose(1, 2).contiguous(),
    lambda m: (m(2000, 90, 110),),
)
add(
    "video from first to last channels, 8x64x16x112x112",
    lambda x: x.permute(0, 2, 3, 4, 1).contiguous(),
    lambda m: (m(8, 64, 16, 112, 112),),
)
add(
    "slices of columns joined in another order, 30000x3000",
    lambda x: torch.cat((x[:, 2000:], x[:, :1000], x[:, 1000:2000]), 1),
    lambda m: (m(30000, 3000),),
)
add(
    "stacked sines and cosines, 8192x4096 f32",
    lambda x: torch.stack((x.sin(), x.cos()), -1),
    lambda m: (m(8192, 4096, dtype=F32),),
)
add(
    "three tensors joined by columns of 100, 200 and 300, 100000",
    lambda a, b, c: torch.cat((a, b, c), 1),
    lambda m: (m(100000, 100), m(100000, 200), m(100000, 300)),
)
add(
    "padding of images by zeros, ReLU, 32x64x111x111",
    lambda x: F.pad(x.relu(), (1, 1, 1, 1)),
    lambda m: (m(32, 64, 111, 111),),
)
add(
    "circular padding, 16x64x128x128 f32",
    lambda x: F.pad(x, (2, 2, 2, 2), mode="circular"),
    lambda m: (m(16, 64, 128, 128, dtype=F32),),
)
add(
    "center crop and scale, 64x3x300x300 to 224 f32",
    lambda x: x[:, :, 38:262, 38:262] * 0.5 + 0.1,
    lambda m: (m(64, 3, 300, 300, dtype=F32),),
)
add("every second pixel, 32x64x225x225", lambda x: x[:, :, ::2, ::2].contiguous(), lambda m: (m(32, 64, 225, 225),))
add("flipped images, 64x3x512x512", lambda x: x.flip(-1), lambda m: (m(64, 3, 512, 512),))
add("rows repeated 3 times, 5000x4000", lambda x: x.repeat_interleave(3, 0), lambda m: (m(5000, 4000),))
add("tiled 2x3, 4000x5000", lambda x: x.repeat(2, 3) + 1, lambda m: (m(4000, 5000),))
add(
    "rolled by 100 and 200, 8192x8192",
    lambda x: x.roll((100, 200), (0, 1)),
    lambda m: (torch.randn(8192, 8192, device=m.device).to(BF16),),
)
add("differences of neighbors, 16384x8191 f32", lambda x: x.diff(dim=-1), lambda m: (m(16384, 8191, dtype=F32),))
add(
    "upper triangle with the rest at minus infinity, 128x1000x1000",
    lambda x: torch.where(torch.ones(1000, 1000, dtype=torch.bool, device=x.device).triu(1), float("-inf"), x),
    lambda m: (m(128, 1000, 1000),),
)
add(
    "rows by indices, scaled, 100000 of 50000x512",
    lambda x, i, s: x[i] * s[:, None],
    lambda m: (m(50000, 512), m.rows(max(50000 // m.scale, 1), 100000), m(100000)[: max(100000 // m.scale, 1)]),
)
add(
    "columns by indices, 20000x3000 to 1000",
    lambda x, i: x[:, i],
    lambda m: (m(20000, 3000), torch.randint(m.vary(3000), (1000,), device=m.device)),
)
add(
    "an element of each row, 2000000x40 f32",
    lambda x, i: x.gather(1, i[:, None]).squeeze(1),
    lambda m: (m(2000000, 40, dtype=F32), m.rows(40, 2000000)),
)
add(
    "rows added by indices, 200000x128 to 10000 f32",
    lambda x, i: torch.zeros(10000, 128, device=x.device).index_add(0, i, x),
    lambda m: (m(200000, 128, dtype=F32), m.rows(10000, 200000)),
)
add(
    "clamped, rounded, compared: share of equal, 16384x8192",
    lambda a, b: ((a.clamp(-1, 1) * 8).round() == (b.clamp(-1, 1) * 8).round()).float().mean(),
    lambda m: (m(16384, 8192), m(16384, 8192)),
)
add(
    "mean absolute percentage error, 100000000 f32",
    lambda a, b: ((a - b).abs() / b.abs().clamp_min(1e-3)).mean(),
    lambda m: (torch.randn(100000000, device=m.device), torch.randn(100000000, device=m.device)),
)
add(
    "polynomial of degree 7, 16384x8192 f32",
    lambda x: ((((((0.1 * x + 0.2) * x - 0.3) * x + 0.4) * x - 0.5) * x + 0.6) * x - 0.7) * x + 0.8,
    lambda m: (m(16384, 8192, dtype=F32),),
)
add(
    "powers, roots and atan2, 8192x8192 f32",
    lambda x, y: torch.atan2(y, x.abs().pow(1.5)) + y.abs().sqrt(),
    lambda m: (m(8192, 8192, dtype=F32), m(8192, 8192, dtype=F32)),
)
add(
    "floor division and remainder of int64, 8192x8192",
    lambda a: (a // 7, a % 7),
    lambda m: (m.ints(1000000, 8192, 8192),),
)
add(
    "bits counted by shifts, 16384x8192 int32",
    lambda x: ((x >> 3) & 0x55) + ((x << 2) ^ 0x33),
    lambda m: (m.ints(100000, 16384, 8192, dtype=torch.int32),),
)
