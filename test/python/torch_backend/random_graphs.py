"""Random PyTorch functions with their inputs, for tests: pointwise ops, reductions, norms, scans, losses, views, joins,
indexing, images, sizes as numbers, and stores in slices of copies, over several types, ranks 0 to 4 and sizes that
include 0 and 1.

A function is a list of lines such as `t3 = torch.softmax(t1, -1)`, which run while they are written: what PyTorch
refuses is left out, and shapes are known.
"""

import random
import string
from collections.abc import Callable, Iterable

import torch
import torch.nn.functional as F

FLOATS = (torch.float32, torch.float32, torch.float64, torch.bfloat16, torch.float16)
OTHERS = (torch.int64, torch.int32, torch.int8, torch.bool)
SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33)
MOST_ELEMENTS = 4000
MODES = ("nearest", "nearest-exact", "linear", "bilinear", "bilinear", "bicubic", "trilinear", "area")

# Lines by kind, each with how often it is drawn. $x: an operand; $y: one that broadcasts with it; $s: one of its
# shape; $w: a vector as long as its last dimension; $d, $e: its dimensions; $D: some of them; $n: the size of $d;
# $i: an index into $d; $a <= $b: a range of it; $p: an order of all dimensions; $f * $g: $n; $k: keepdim; $r: a
# reduction of losses; $v: an operand as images; $m: how they are interpolated; $q: how they are padded.
TEMPLATES = {
    "unary": (4, """
        torch.relu($x)|torch.tanh($x)|torch.sigmoid($x)|torch.abs($x)|torch.neg($x)|torch.exp($x.clamp(max=3))
        torch.square($x)|torch.sin($x)|torch.cos($x)|torch.floor($x)|torch.ceil($x)|torch.round($x)|torch.trunc($x)
        torch.sign($x)|torch.erf($x)|torch.log1p($x.abs())|torch.expm1($x.clamp(max=3))|torch.rsqrt($x.abs() + 0.5)
        torch.sqrt($x.abs() + 0.5)|torch.reciprocal($x.abs() + 0.5)|torch.isnan($x)|torch.logical_not($x)
        torch.frac($x)|torch.isinf($x)|torch.signbit($x)|torch.atan($x)|torch.exp2($x.clamp(max=3))|torch.sinc($x)
        $x.bitwise_not()|torch.deg2rad($x)|torch.logit($x.sigmoid())|$x.log().nan_to_num()"""),
    "activation": (2, """
        F.gelu($x)|F.gelu($x, approximate='tanh')|F.silu($x)|F.elu($x)|F.leaky_relu($x, 0.1)|F.softplus($x)
        F.hardswish($x)|F.mish($x)|F.relu6($x)|F.logsigmoid($x)|F.hardtanh($x)|F.glu($x, -1)|F.softsign($x)
        F.threshold($x, 0.5, -1.0)|F.celu($x)|F.selu($x)|F.softmin($x, $d)|F.dropout($x, 0.0)"""),
    "binary": (6, """
        $x + $y|$y - $x|$x * $y|torch.maximum($x, $y)|torch.minimum($y, $x)|$x / ($y.abs() + 1)|$x == $y|$x < $y
        $x >= $y
        $x != $y|torch.logical_and($x, $y)|torch.logical_xor($x, $y)|torch.atan2($x, $y)|torch.fmod($x, $y.abs() + 1)
        torch.remainder($x, $y.abs() + 1)|torch.floor_divide($x, $y.abs() + 1)|$x & $y|torch.bitwise_or($x, $y)
        torch.copysign($x, $y)
        torch.hypot($x, $y)|torch.fmax($x, $y)|torch.logaddexp($x, $y)|torch.lerp($x, $y, 0.3)|torch.heaviside($x, $y)
        torch.addcmul($x, $y, $x)|torch.addcdiv($x, $x, $y.abs() + 1)|torch.isclose($x, $y)|torch.clip($x, -2, $y)
        torch.special.xlog1py($x, $y.abs())|torch.ldexp($x, $y.clamp(-3, 3).round())|($x > 0) & ($y > 0)"""),
    "scalar": (3, """
        $x + 2|$x - 0.5|3 - $x|$x * 1.25|$x * True|$x / 7|$x > 0.5|$x <= -3|2 == $x|torch.pow($x, 2)|torch.pow($x, 3)
        $x.clamp(-1, 1)|$x.clamp(min=0.25)|$x.clamp(max=2)|torch.nan_to_num($x)|$x.masked_fill($y > 0, -float('inf'))
        torch.where($x > 0, $x, $y)|$x.masked_fill($y > 0, 2.5)|torch.where($x > 0, $x, 0)"""),
    "cast": (2, """
        $x.to(torch.float32)|$x.to(torch.float64)|$x.to(torch.bfloat16)|$x.to(torch.float16)|$x.to(torch.bool)
        $x.nan_to_num().clamp(-4, 4).to(torch.int32)|$x.nan_to_num().clamp(-4, 4).to(torch.int64)"""),
    "reduction": (5, """
        $x.sum()|$x.sum($D, keepdim=$k)|$x.mean($D, keepdim=$k)|$x.amax($D, keepdim=$k)|$x.amin($D, keepdim=$k)
        $x.var($D, keepdim=$k)|$x.var($D, correction=0, keepdim=$k)|$x.std($D, keepdim=$k)|$x.prod($d, keepdim=$k)
        $x.any($d, keepdim=$k)|$x.all($d, keepdim=$k)|$x.argmax($d, keepdim=$k)|$x.argmin($d, keepdim=$k)
        $x.logsumexp($D, keepdim=$k)|$x.max($d, keepdim=$k)[0]|$x.max($d, keepdim=$k)[1]|$x.min($d, keepdim=$k)[1]
        torch.linalg.vector_norm($x, 1, dim=$D, keepdim=$k)|torch.linalg.vector_norm($x, dim=$D, keepdim=$k)
        torch.count_nonzero($x, dim=$D)|torch.var_mean($x, $D, keepdim=$k)[0]|torch.var_mean($x, $D, keepdim=$k)[1]
        torch.nansum($x, $d)|torch.aminmax($x, dim=$d)[0]|torch.einsum('...i,...i->...', $x, $x)|($x > 0).sum($d)"""),
    "rows": (4, """
        torch.softmax($x, $d)|torch.log_softmax($x, $d)|F.layer_norm($x, $x.shape[-1:])|F.rms_norm($x, $x.shape[-1:])
        F.layer_norm($x, $x.shape[-1:], $w, $w)|F.rms_norm($x, $x.shape[-1:], $w)|F.group_norm($x, 1)
        F.normalize($x, dim=$d)|$x - $x.mean($d, keepdim=True)|F.batch_norm($x, None, None, training=True)
        F.instance_norm($x)|$x.cumsum($d)|torch.cumsum($x, $d, dtype=torch.float64)|$x.clamp(-1.2, 1.2).cumprod($d)
        $x.cummax($d)[0]|$x.cummax($d)[1]|$x.cummin($d)[1]|torch.diff($x, dim=$d)
        ($x > 0).to(torch.int32).cumsum($d)|torch.logcumsumexp($x, $d)|$x.flip($d).cumsum($d).flip($d)
        $x.cumsum($d) - $x|torch.cumulative_trapezoid($x, dim=$d)|torch.trapezoid($x, dim=$d)"""),
    "loss": (1, """
        F.mse_loss($x, $s, reduction=$r)|F.l1_loss($x, $s, reduction=$r)|F.smooth_l1_loss($x, $s, reduction=$r)
        F.huber_loss($x, $s, reduction=$r, delta=0.7)|F.kl_div($x, $s, reduction=$r, log_target=True)
        F.binary_cross_entropy_with_logits($x, torch.sigmoid($s), reduction=$r)|F.pairwise_distance($x, $s)
        F.cosine_similarity($x, $s, dim=$d)|F.cross_entropy($x, torch.softmax($s, 1), reduction=$r)|torch.dist($x, $s)
        F.cross_entropy($x, $s.argmax(1), reduction=$r)|F.cross_entropy($x, $s.argmax(1), label_smoothing=0.1)
        F.nll_loss(F.log_softmax($x, 1), $s.argmax(1), reduction=$r)|F.one_hot($x.argmax($d), $n)"""),
    "view": (7, """
        $x.flatten()|$x.reshape(-1)|$x.unsqueeze($d)|$x.squeeze($d)|$x.squeeze()|$x.flip($d)|$x.transpose($d, $e)
        $x.permute($p)|$x.mT|$x.movedim($d, $e)|$x.contiguous()|$x.roll(1, $d)|$x.roll(-2, $d)|$x.flatten(0, 1)
        $x.flatten(-2, -1)|$x.unflatten($d, ($f, $g))|$x.unflatten($d, ($f, $g))|$x.reshape($f, -1)|$x.expand(3)
        $x.roll((1, -1), ($d, $e))|$x.roll($i, $d)|$x.roll(3)|$x.fliplr()|$x.swapaxes($d, $e)
        $x.broadcast_to(2, *$x.shape)
        $x[None, None]|$x.diagonal()|$x.rot90()|$x.view(-1, $x.shape[-1])|$x.reshape($x.shape[0], -1)"""),
    "cut": (5, """
        $x.narrow($d, $a, $b - $a)|$x[$a:]|$x[..., $a:]|$x[..., ::2]|$x[1:-1]|$x.chunk(2, $d)[0]|$x.chunk(2, $d)[-1]
        $x.tril()|$x.triu(1)|$x[..., 1::3]|$x.select($d, $i)|$x.index_select($d, torch.tensor([$i, 0, $i]))
        $x.split($b, $d)[0]|$x[..., : $x.shape[-1] // 2]|$x[..., $x.shape[-1] // 2 :]|$x.unfold($d, 2, 1)
        $x.unfold($d, 3, 2)|$x.tensor_split(3, $d)[1]|$x.tril(-1)|torch.diag_embed($x)|torch.vander($x)
        $x[..., [0, -1]]|$x[:, None, $a:$b]"""),
    "join": (4, """
        torch.cat([$x, $s], $d)|torch.cat([$x, $s, $x], $d)|torch.stack([$x, $s], $d)|F.pad($x, (1, 2))
        F.pad($x, (-1, 3))|F.pad($x, (1, 0), value=1.5)|F.pad($x, (2, -1, -1, 3), value=-1)
        F.pad($x, (0, 0, 0, 0, 1, 2))
        torch.dstack([$x, $s])|torch.cat([$x, $x.flip($d), $s], $d)|$x.repeat(2, *[1] * $x.dim())
        torch.cat([$s, $y], $d)
        torch.stack([$x, $s, $x - $s, $x * 2], $d)|F.pad($x, (1, 1, 0, 2))|$x.repeat_interleave(2, $d)|$x.tile(2)
        torch.hstack([$x, $s])|torch.column_stack([$x, $s])|$x.unsqueeze(0).expand(2, *$x.shape)|torch.kron($x, $y)
        torch.outer($x.flatten(), $y.flatten())|torch.block_diag($x, $x)"""),
    "indexing": (3, """
        $x.gather($d, $x.argmax($d, keepdim=True))|$x.index_select($d, $x.flatten().argsort()[:3] % $n)|$x[$x.argmax(0)]
        $x.index_add($d, torch.tensor([0, $i]), torch.cat([$x, $x], $d).narrow($d, 0, 2))
        $x.index_fill($d, torch.tensor([$i]), 2)
        $x.scatter($d, $x.argmin($d, keepdim=True), $s)|$x.scatter_add($d, $x.argmin($d, keepdim=True), $s)
        $x.scatter_reduce($d, $x.argmin($d, keepdim=True), $s, 'amax')
        torch.bucketize($x, torch.tensor([-1.0, 0.0, 1.5]))
        F.embedding($x.argmax(-1), torch.stack([$x.flatten()] * 40))
        torch.take_along_dim($x, $x.argmax($d, keepdim=True), $d)
        $x.index_add($d, torch.arange($n) % $f, $s)|$x.index_add($d, torch.arange($n).flip(0), $s, alpha=2)
        $x.new_zeros($n, *$x.shape[1:]).index_add(0, torch.arange($x.shape[0]) * $i % $n, $x)
        $x.index_copy($d, torch.arange($n).flip(0), $s)|$x.index_reduce($d, torch.arange($n) // 2, $s, 'amax')
        $x.scatter_add($d, (torch.arange($x.numel()) % $n).view($x.shape), $s)
        $x.scatter_add($d, torch.zeros_like($x, dtype=torch.int64), $s)|$x.scatter($d, $x.argmax($d, keepdim=True), 1.5)
        $x.scatter_reduce($d, (torch.arange($x.numel()) * $f % $n).view($x.shape), $s, 'sum')
        $x.scatter_reduce($d, (torch.arange($x.numel()) * $f % $n).view($x.shape), $s, 'mean', include_self=False)
        $x.scatter_reduce($d, ($x > 0).long() * $i, $s, 'amin', include_self=False)
        $x.scatter_reduce($d, ($x > 0).long() * $i, $s.clamp(-1.2, 1.2), 'prod')
        $x.index_put((torch.tensor([0, $i, 0]),), $x[:1] * 2, accumulate=True)
        $x.index_put((torch.arange($x.shape[0]) // 2, torch.tensor(0)), $x.new_ones(()), accumulate=True)
        $x.index_put((torch.arange($x.shape[0]).flip(0),), $s)|$x.index_put(($x > 0,), $x.new_ones(()))
        $x[torch.arange($x.shape[0])[:, None], torch.arange($x.shape[1]).flip(0)]|$x[:, torch.tensor([0, 0, -1])]
        $x.gather($d, (torch.arange($x.numel()) * $f % $n).view($x.shape))|$x.take(torch.arange(7) % $x.numel())
        $x.gather($d, $s.abs().nan_to_num().clamp(max=1000).long() % $n)|F.embedding(torch.arange($n) % 3, $x)
        torch.searchsorted(torch.arange(5.0), $x.float())|F.one_hot($x.abs().nan_to_num().long() % 5, 5).sum(0)
        torch.where($x > 0, $x.roll(1, $d), $x.gather($d, $x.argmin($d, keepdim=True)))"""),
    "image": (4, """
        F.interpolate($x, scale_factor=2)|F.interpolate($x, size=5)|F.pixel_shuffle($x, 2)|F.adaptive_avg_pool2d($x, 1)
        F.interpolate($v, scale_factor=2, mode=$m)|F.interpolate($v, scale_factor=1.7, mode=$m)
        F.interpolate($v, 4, mode=$m)
        F.interpolate($v, 5, mode=$m, align_corners=True)|F.interpolate($v, scale_factor=0.6, mode=$m)
        F.interpolate($v, scale_factor=0.5, mode=$m, antialias=True)|F.interpolate($v, 7, mode=$m, antialias=True)
        F.interpolate($v, scale_factor=2, mode=$m, align_corners=True)|F.interpolate($v, scale_factor=3, mode=$m)
        F.pad($x, (1, 1), mode='reflect')|F.pad($x, (1, 1), mode='replicate')|F.pad($x, (1, 1), mode='circular')
        F.pad($v, (2, 1), mode=$q)|F.pad($v, (0, 2, 1, 0), mode=$q)|F.pad($v, (1, 1, 2, 1), mode=$q)
        F.pad($v, (1, 0, 0, 1, 1, 1), mode=$q)|F.channel_shuffle($x, 2)|F.pixel_unshuffle($v, 2)
        F.unfold($x, 2)|F.unfold($v, (2, 1), padding=1)|F.unfold($v, 3, dilation=1, padding=1, stride=2)
        F.fold(F.unfold($v, 2), $v.shape[-2:], 2)
        F.fold(F.unfold($v, 3, padding=1, stride=2), $v.shape[-2:], 3, 1, 1, 2)
        F.adaptive_avg_pool1d($v, 3)|F.adaptive_avg_pool2d($v, (2, 3))|F.adaptive_avg_pool2d($v, (None, 2))
        F.adaptive_avg_pool3d($v, 2)|F.adaptive_max_pool1d($v, 2)|F.adaptive_max_pool2d($v, (3, 2))
        F.adaptive_max_pool3d($v, 1)
        F.max_pool1d($v, 2)|F.max_pool2d($v, 2)|F.max_pool2d($v, 3, 2, 1)|F.max_pool2d($v, 2, 1, ceil_mode=True)
        F.max_pool3d($v, 2)
        F.max_pool2d($v, 2, return_indices=True)[1]|F.max_pool1d($v, 3, 1, 1, 2)|F.avg_pool1d($v, 2)
        F.avg_pool2d($v, 3, 2, 1)
        F.avg_pool2d($v, 2, 1, 1, count_include_pad=False)|F.avg_pool2d($v, 2, ceil_mode=True)|F.avg_pool3d($v, 2)
        F.lp_pool1d($v, 2, 2)|F.lp_pool2d($v, 2, 2)|F.local_response_norm($v, 2)
        F.grid_sample($v, torch.tanh($v[:, :1, :, :, None].expand(-1, -1, -1, -1, 2))[:, 0], align_corners=False)"""),
    "size": (2, """
        $x * $x.shape[$d]|torch.full(($x.shape[$d], 2), 1.5)|torch.arange($x.shape[$d])|$x.sum() / $x.shape[$d]
        $x.new_ones($x.shape[$d], $x.shape[$e] + 1)
        torch.arange($x.shape[$d] * 2, dtype=torch.float32) / ($x.shape[$e] + 1)
        $x.numel() - $x|torch.linspace(0, 1, $x.shape[$d])|torch.eye($x.shape[$d], $x.shape[$e])|torch.zeros_like($x)
        torch.full_like($x, 2)|$x.new_zeros($x.shape) + $x"""),
    "store": (3, """
        .add_($y)|.mul_(2)|.relu_()|.copy_($y)|.narrow($d, $a, $n - $a).mul_(3)|[..., 1:] = 2|[..., :1].zero_()
        .select($d, $i).fill_(1)|.diagonal().mul_(2)|[1:].copy_($x[:-1])|[::2] = $x[::2] + 1|[$x > 0] = 0"""),
}  # fmt: skip
KINDS = {kind: [line.strip() for row in rows.split("\n") for line in row.split("|") if line.strip()]
         for kind, (_, rows) in TEMPLATES.items()}  # fmt: skip
WEIGHTS = [weight for weight, _ in TEMPLATES.values()]


class Graph:
    """One random function: `text` defines `function`, whose arguments are `inputs`."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.sizes = [self.pick(SIZES) for _ in range(3)]
        if self.random.random() < 0.05:
            self.sizes[0] = 0
        self.values: dict[str, torch.Tensor] = {}
        self.inputs: list[torch.Tensor] = []
        self.lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            rank = self.pick((0, 1, 2, 2, 2, 3, 3, 4))
            self.add_input([self.pick((*self.sizes, 1)) for _ in range(rank)])
        for _ in range(self.random.randint(2, 14)):
            self.add_line()
        made = [name for name in self.values if name.startswith("t")]
        others = self.random.sample(made, min(len(made), self.random.randint(0, 3)))
        results = ", ".join([*made[-1:], *others])
        names = ", ".join(name for name in self.values if name.startswith("a"))
        body = "\n    ".join([*self.lines, f"return ({results},)"])
        self.text = f"def function({names}):\n    {body}\n" if made else ""

    def make_function(self) -> Callable:
        scope = {"torch": torch, "F": F}
        exec(self.text, scope)
        return scope["function"]

    @property
    def eps(self) -> float:
        """The machine epsilon of the coarsest type."""
        return max((torch.finfo(v.dtype).eps for v in self.values.values() if v.is_floating_point()), default=0.0)

    def pick(self, items: Iterable):
        return self.random.choice(list(items))

    def add_input(self, shape: list[int], dtype: torch.dtype | None = None) -> str:
        dtype = dtype or self.pick(FLOATS if self.random.random() < 0.8 else OTHERS)
        value = torch.randn(shape, generator=self.generator, dtype=torch.float64) * 2
        value = value > 0 if dtype == torch.bool else value.to(dtype)
        layout = self.random.random()
        if layout < 0.15 and value.dim() >= 2:
            value = value.mT.contiguous().mT
        elif layout < 0.25 and value.dim() >= 1 and value.shape[-1] > 0:
            value = torch.stack([value, value], -1).flatten(-2)[..., ::2]
        elif layout < 0.3 and value.dim() == 4:
            value = value.contiguous(memory_format=torch.channels_last)
        name = f"a{len(self.inputs)}"
        self.inputs.append(value)
        self.values[name] = value
        return name

    def find(self, accepts: Callable) -> str | None:
        """A value, more often a late one."""
        names = [name for name in [*self.values, *list(self.values)[-6:]] if accepts(self.values[name])]
        return self.pick(names) if names else None

    def find_mate(self, value: torch.Tensor) -> str:
        def broadcasts(other: torch.Tensor) -> bool:
            pairs = zip(reversed(value.shape), reversed(other.shape), strict=False)
            return all(a == b or 1 in (a, b) for a, b in pairs)

        found = self.find(broadcasts) if self.random.random() < 0.7 else None
        shape = [size if self.random.random() < 0.7 else 1 for size in value.shape]
        return found or self.add_input(shape[self.random.randint(0, len(shape)) :])

    def fill(self, template: str, name: str) -> str:
        value = self.values[name]
        rank = max(value.dim(), 1)
        dim, other = (self.random.randrange(rank) for _ in range(2))
        size = value.shape[dim] if value.dim() else 1
        first = self.random.randint(0, size)
        factor = self.pick([f for f in range(1, size + 1) if size % f == 0] or [1])
        needed = set(string.Template(template).get_identifiers())
        given = {
            "x": name, "d": dim if self.random.random() < 0.6 else dim - rank, "e": other, "n": size,
            "D": sorted(self.random.sample(range(rank), self.random.randint(1, rank))),
            "p": self.random.sample(range(rank), rank), "i": self.random.randrange(max(size, 1)),
            "a": first, "b": self.random.randint(first, size), "f": factor, "g": size // factor,
            "k": self.pick((True, False)), "r": self.pick(("'mean'", "'sum'", "'none'")),
            "v": name + self.pick(("", "", "[None]", "[None, None]", f"[None].expand(2, *[-1] * {value.dim()})")),
            "m": repr(self.pick(MODES)), "q": repr(self.pick(("reflect", "replicate", "circular"))),
        }  # fmt: skip
        if "y" in needed:
            given["y"] = self.find_mate(value)
        if "s" in needed:
            given["s"] = self.find(lambda v: v.shape == value.shape and v.dtype == value.dtype)
        if "w" in needed:
            given["w"] = self.add_input(list(value.shape[-1:]), value.dtype)
        return string.Template(template).substitute(given)

    def add_line(self) -> None:
        kind = self.random.choices(list(KINDS), WEIGHTS)[0]
        name = self.find(lambda value: True)
        result = f"t{sum(value.startswith('t') for value in self.values)}"
        text = self.fill(self.pick(KINDS[kind]), name)
        lines = [f"{result} = {name}.clone()", result + text] if kind == "store" else [f"{result} = {text}"]
        scope = {"torch": torch, "F": F, **self.values}
        try:
            exec("\n".join(lines), scope)
        except Exception:
            return
        made = scope[result]
        if isinstance(made, torch.Tensor) and made.numel() <= MOST_ELEMENTS:
            self.lines += lines
            self.values[result] = made


def describe_difference(result: torch.Tensor, expected: torch.Tensor, eps: float, floor: float = 0.0) -> str | None:
    """How a result differs from that of eager mode: 128 times `eps` of a value and of the greatest one, or of `floor`,
    are allowed. Strides are not compared, because decompositions of PyTorch's have other ones."""
    if (result.dtype, result.shape) != (expected.dtype, expected.shape):
        return f"{result.dtype} {tuple(result.shape)} instead of {expected.dtype} {tuple(expected.shape)}"
    if not expected.dtype.is_floating_point:
        return None if torch.equal(result, expected) else "other values"
    x, y = result.double(), expected.double()
    greatest = max([floor, *y[y.isfinite()].abs().flatten().tolist()])
    is_same = (x == y) | (x.isnan() & y.isnan()) | ((x - y).abs() <= 128 * eps * (y.abs() + greatest))
    return (
        None if is_same.all() else f"{int((~is_same).sum())} other values, at most {(x - y).abs().nan_to_num().max()}"
    )
