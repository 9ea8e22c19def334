"""How ops of ATen are written by those that have a lowering."""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch
from torch._decomp import core_aten_decompositions, get_decompositions

from fuser.torch import _depthwise as depthwise
from fuser.torch._builder import HALF_TYPES, compute_type
from fuser.torch._lowering import LOWERINGS, aten
from fuser.torch._pooling import table as pooling_table
from fuser.torch._products import table as products_table
from fuser.torch._sampling import grid_sampler_2d

# Decompositions of PyTorch's beyond those of the core set: most are gradients.
_MORE = (
    "_log_softmax", "_log_softmax_backward_data", "_softmax", "_softmax_backward_data", "native_layer_norm",
    "native_layer_norm_backward", "native_group_norm_backward", "native_batch_norm",
    "native_batch_norm_backward", "_native_batch_norm_legit", "_native_batch_norm_legit_functional",
    "_native_batch_norm_legit_no_training", "cudnn_batch_norm", "cudnn_batch_norm_backward", "batch_norm_backward",
    "_batch_norm_with_update", "_batch_norm_with_update_functional", "_batch_norm_no_update", "miopen_batch_norm",
    "nll_loss_forward", "nll_loss_backward", "nll_loss2d_forward", "nll_loss2d_backward", "mse_loss",
    "mse_loss_backward", "smooth_l1_loss", "smooth_l1_loss_backward", "huber_loss", "huber_loss_backward",
    "binary_cross_entropy", "binary_cross_entropy_backward", "binary_cross_entropy_with_logits",
    "multi_margin_loss", "native_dropout", "native_dropout_backward", "dropout", "elu",
    "elu_backward", "celu", "selu", "glu", "glu_backward", "hardshrink", "hardtanh_backward", "softshrink",
    "log_sigmoid_forward", "log_sigmoid_backward", "rrelu_with_noise", "_prelu_kernel", "_prelu_kernel_backward",
    "prelu", "threshold", "logit_backward", "sigmoid_backward", "addcmul", "addcdiv", "logsumexp", "var", "std",
    "std_mean", "linalg_vector_norm", "norm", "dist", "aminmax", "logcumsumexp", "trace", "tril", "triu", "eye",
    "diag_embed", "diagonal_backward", "select_backward", "slice_backward", "unfold_backward", "stack", "unbind",
    "split", "split_with_sizes_copy", "unsafe_split", "unsafe_split_with_sizes", "narrow_copy", "roll", "rot90",
    "pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "reflection_pad1d", "reflection_pad2d", "reflection_pad3d",
    "replication_pad1d", "replication_pad2d", "replication_pad3d", "constant_pad_nd", "index_add", "index_copy",
    "index_fill", "masked_scatter", "take", "scatter_value", "linspace", "logspace", "arange", "zeros", "ones",
    "full", "full_like", "new_full", "new_zeros", "new_ones", "zeros_like", "ones_like", "empty_like", "fill",
    "rsub", "lerp", "nan_to_num", "special_entr", "special_log_ndtr", "special_ndtr", "special_xlog1py", "sinc",
    "special_i0e", "heaviside", "deg2rad", "rad2deg", "mvlgamma", "frexp", "isin", "bucketize", "clamp", "xlogy",
    "baddbmm", "upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "_unsafe_masked_index", "std_mean",
    "_fused_rms_norm", "_fused_rms_norm_backward", "im2col", "col2im", "renorm", "ger", "vdot",
    "addr", "repeat_interleave", "expand_copy", "view_copy", "t_copy", "permute_copy", "unsqueeze_copy",
    "squeeze_copy", "transpose_copy", "alias_copy", "slice_copy", "select_copy", "unbind_copy", "diagonal_copy",
    "hardswish", "hardswish_backward", "hardsigmoid", "hardsigmoid_backward", "mish", "mish_backward", "silu",
    "silu_backward", "leaky_relu", "leaky_relu_backward", "gelu", "gelu_backward", "softplus", "softplus_backward",
    "tanh_backward", "threshold_backward", "hardtanh", "relu6", "logaddexp", "logaddexp2", "tensor_split",
    "embedding_renorm", "uniform", "exponential", "bernoulli", "normal", "triu_indices", "tril_indices", "cumsum",
)  # fmt: skip
# Left whole: kernels of PyTorch's that beat what their decompositions become, or whose strides these do not have.
_WHOLE = ("addmm", "addmv", "baddbmm", "_scaled_dot_product_flash_attention_for_cpu", "bmm", "mm",
          "convolution_backward", "embedding_dense_backward", "upsample_bilinear2d",
          "max_unpool2d", "max_unpool3d")  # fmt: skip


def _split_with_sizes(x: torch.Tensor, sizes: list, dim: int = 0) -> list[torch.Tensor]:
    parts, start = [], 0
    for size in sizes:
        parts.append(aten.slice.Tensor(x, dim, start, start + size))
        start = start + size
    return parts


def _split(x: torch.Tensor, size: int, dim: int = 0) -> list[torch.Tensor]:
    length = x.shape[dim]
    if length == 0 or size == 0:
        return [x.alias()] if hasattr(x, "alias") else [aten.alias.default(x)]
    # The number of parts is known, as their list has a length. Sizes are not: a range would make numbers of them.
    count = int((length + size - 1) // size)
    ends = [size * (number + 1) for number in range(count - 1)] + [length]
    return [aten.slice.Tensor(x, dim, size * number, end) for number, end in enumerate(ends)]


def _unbind(x: torch.Tensor, dim: int = 0) -> list[torch.Tensor]:
    return [aten.select.int(x, dim, i) for i in range(x.shape[dim])]


def _diagonal_scatter(
    x: torch.Tensor, source: torch.Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> torch.Tensor:
    """The source as rows, from the row where the diagonal starts, and the elements of `x` off the diagonal."""
    dim1, dim2 = dim1 % x.dim(), dim2 % x.dim()
    first = max(-offset, 0)
    rows = aten.constant_pad_nd.default(source, [first, x.shape[dim1] - first - source.shape[-1]])
    rows = torch.movedim(rows.unsqueeze(-1), (-2, -1), (dim1, dim2))
    row, column = (torch.arange(x.shape[dim], device=x.device) for dim in (dim1, dim2))
    is_on = (row + offset)[:, None] == column
    if dim1 > dim2:
        is_on = is_on.t()
    shape = [size if dim in (dim1, dim2) else 1 for dim, size in enumerate(x.shape)]
    return aten.copy.default(x, torch.where(is_on.reshape(shape), rows, x))


def _bucketize(x: torch.Tensor, boundaries: torch.Tensor, **options: bool) -> torch.Tensor:
    """PyTorch's decomposition, which reads the value of a tensor of rank 0."""
    function = get_decompositions([aten.bucketize])[aten.bucketize.Tensor]
    return function(x, boundaries, **options) if x.dim() else function(x[None], boundaries, **options)[0]


def _native_group_norm(
    x: torch.Tensor,
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    batch: int,
    channels: int,
    inner: int,
    groups: int,
    epsilon: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Channels are scaled and shifted by numbers that groups decide, as kernels of eager mode do: the elements are read
    in their own shape."""
    values = x.to(compute_type(x.dtype))
    grouped = values.reshape(batch, groups, channels // groups, inner)
    variance, mean = torch.var_mean(grouped, dim=(2, 3), correction=0, keepdim=True)
    factor = torch.rsqrt(variance + epsilon)
    statistics = tuple(value.to(x.dtype).reshape(batch, groups) for value in (mean, factor))
    if weight is None and bias is None:
        return ((grouped - mean) * factor).reshape(x.shape).to(x.dtype), *statistics

    def of_channels(value: torch.Tensor) -> torch.Tensor:
        return value.reshape(1, groups, channels // groups, 1)

    scale = factor if weight is None else factor * of_channels(weight)
    shift = -mean * scale
    if bias is not None:
        shift = shift + of_channels(bias)
    ones = [1] * (x.dim() - 2)
    scale, shift = (
        value.expand(batch, groups, channels // groups, 1).reshape(batch, channels, *ones) for value in (scale, shift)
    )
    return (values * scale + shift).to(x.dtype), *statistics


def _foreach(name: str, form: str) -> Callable | None:
    """`_foreach_name.form` as a list of calls of `name`."""
    packet = getattr(aten, name.removeprefix("_foreach_"), None)
    if packet is None:
        return None

    def function(*arguments: object, **options: object) -> list[torch.Tensor]:
        count = len(next(item for item in arguments if isinstance(item, (list, tuple))))

        def pick(value: object, i: int) -> object:
            return value[i] if isinstance(value, (list, tuple)) else value

        scalars = options.pop("scalars", None)
        value = options.pop("value", None)
        results = []
        for i in range(count):
            named = {key: pick(item, i) for key, item in options.items()}
            if scalars is not None:
                named["value"] = scalars[i]
            if value is not None:
                named["value"] = value
            results.append(packet(*(pick(item, i) for item in arguments), **named))
        return results

    return function


def _foreach_with_scalars(name: str) -> Callable:
    """addcmul and addcdiv, whose last argument is a factor."""
    packet = getattr(aten, name)

    def function(inputs: list, first: list, second: list, values: object = 1) -> list[torch.Tensor]:
        results = []
        for i, operands in enumerate(zip(inputs, first, second, strict=True)):
            value = values[i] if isinstance(values, (list, tuple, torch.Tensor)) else values
            if isinstance(value, torch.Tensor):
                x, a, b = operands
                product = a / b if name == "addcdiv" else a * b
                results.append(x + value * product)
            else:
                results.append(packet(*operands, value=value))
        return results

    return function


def _foreach_table() -> dict:
    table = {}
    unary = ("abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor", "frac",
             "lgamma", "log", "log10", "log1p", "log2", "neg", "reciprocal", "round", "rsqrt", "sigmoid",
             "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc")  # fmt: skip
    binary = ("add", "sub", "mul", "div", "maximum", "minimum", "clamp_max", "clamp_min", "pow", "lerp")
    for name in (*unary, *binary):
        packet = getattr(aten, f"_foreach_{name}", None)
        for form in packet.overloads() if packet is not None else ():
            if "out" not in form and (function := _foreach(f"_foreach_{name}", form)) is not None:
                table[getattr(packet, form)] = function
    for name in ("addcmul", "addcdiv"):
        packet = getattr(aten, f"_foreach_{name}")
        for form in packet.overloads():
            if "out" not in form:
                table[getattr(packet, form)] = _foreach_with_scalars(name)
    return table


def _soft_margin_loss(x: torch.Tensor, target: torch.Tensor, reduction: int = 1) -> torch.Tensor:
    """Rounded after each step, as in eager mode, where the exponential of a half type overflows."""
    loss = (-x * target).exp().log1p()
    return loss.mean() if reduction == 1 else loss.sum() if reduction == 2 else loss


def _soft_margin_loss_backward(
    gradient: torch.Tensor, x: torch.Tensor, target: torch.Tensor, reduction: int = 1
) -> torch.Tensor:
    z = (-target * x).exp()
    product = target * z / -x.numel() if reduction == 1 else -target * z
    return product / (z + 1) * gradient


def _without(function: Callable, is_left: Callable[[torch.dtype], bool]) -> Callable:
    """A decomposition of a function that makes a tensor of `dtype`, of types that are not left to PyTorch."""

    def decompose(*arguments: object, dtype: torch.dtype | None = None, **options: object) -> object:
        if is_left(dtype or torch.get_default_dtype()):
            return NotImplemented
        return function(*arguments, dtype=dtype, **options)

    return decompose


def _eye(
    rows: int, columns: int | None = None, *, device: object = None, dtype: object = None, **_: object
) -> torch.Tensor:
    """PyTorch's decomposition counts in the shortest type, of which few have kernels."""
    row, column = (torch.arange(size, device=device) for size in (rows, rows if columns is None else columns))
    return (row[:, None] == column).to(dtype or torch.get_default_dtype())


def _linalg_cross(x: torch.Tensor, y: torch.Tensor, *, dim: int = -1) -> torch.Tensor:
    """By elements: PyTorch's selects columns by a tensor of indices."""
    x, y = torch.broadcast_tensors(x, y)
    a, b, c = (aten.slice.Tensor(x, dim, place, place + 1) for place in range(3))
    d, e, f = (aten.slice.Tensor(y, dim, place, place + 1) for place in range(3))
    return aten.cat.default([b * f - c * e, c * d - a * f, a * e - b * d], dim)


def _convolution(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, *arguments: object) -> torch.Tensor:
    """Eager mode's kernels add the bias in a pass of its own, which regions fuse with what reads the result."""
    made = depthwise.convolve(x, weight, *arguments)
    if bias is None:
        return made
    if made is NotImplemented:
        made = aten.convolution.default(x, weight, None, *arguments)
    return made + bias.reshape(-1, *[1] * (weight.dim() - 2))


def _convolution_backward(
    gradient: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, sizes: list | None, *arguments: object
) -> tuple[torch.Tensor | None, ...]:
    """The gradient of the bias is a sum, which regions fuse with what computes `gradient`."""
    *arguments, mask = arguments
    found = list(depthwise.gradients(gradient, x, weight, mask[:2], *arguments))
    left = [is_wanted and part is None for is_wanted, part in zip(mask, found, strict=False)]
    if left == mask[:2] and not mask[2]:
        return NotImplemented
    if any(left):
        parts = aten.convolution_backward.default(gradient, x, weight, None, *arguments, [*left, False])
        found = [part if is_left else value for part, value, is_left in zip(parts, found, left, strict=False)]
    return *found, gradient.sum([dim for dim in range(gradient.dim()) if dim != 1]) if mask[2] else None


def _with_rows(index_add: Callable) -> Callable:
    """PyTorch's decomposition fails for an index without dimensions, which eager mode takes as one row."""

    def decompose(
        x: torch.Tensor, dim: int, index: torch.Tensor, source: torch.Tensor, *, alpha: complex = 1
    ) -> torch.Tensor:
        return index_add(x, dim, index.reshape(-1), source, alpha=alpha)

    return decompose


@functools.cache
def decompositions(exact_random: bool = False) -> dict:
    """The table for AOTAutograd. With `exact_random`, random functions stay whole: numbers are eager mode's."""
    table = dict(core_aten_decompositions())
    packets = [getattr(aten, name) for name in _MORE if hasattr(aten, name)]
    table.update(get_decompositions(packets))
    table.update(_foreach_table())
    table.update(pooling_table())
    table[aten.split_with_sizes.default] = _split_with_sizes
    table[aten.split.Tensor] = _split
    table[aten.unbind.int] = _unbind
    table[aten.diagonal_scatter.default] = _diagonal_scatter
    table[aten.bucketize.Tensor] = _bucketize
    table[aten.native_group_norm.default] = _native_group_norm
    table[aten.grid_sampler_2d.default] = grid_sampler_2d
    table[aten.linalg_cross.default] = _linalg_cross
    table[aten.eye.default] = table[aten.eye.m] = _eye
    table[aten.index_add.default] = _with_rows(table[aten.index_add.default])
    table[aten.soft_margin_loss.default] = _soft_margin_loss
    table[aten.soft_margin_loss_backward.default] = _soft_margin_loss_backward
    # Eager mode computes integers in f32, and powers in the type of the result. Decompositions compute in f64.
    for packet, is_left in (
        (aten.linspace, lambda dtype: not dtype.is_floating_point),
        (aten.logspace, lambda dtype: not dtype.is_floating_point or dtype in HALF_TYPES),
    ):
        for op in [op for op in table if getattr(op, "overloadpacket", None) is packet]:
            table[op] = _without(table[op], is_left)
    whole = {getattr(aten, name) for name in _WHOLE if hasattr(aten, name)}
    chosen = {
        op: function
        for op, function in table.items()
        if op not in LOWERINGS
        and getattr(op, "overloadpacket", None) not in whole
        and not (exact_random and torch.Tag.nondeterministic_seeded in getattr(op, "tags", ()))
    }
    convolutions = {
        aten.convolution.default: _convolution,
        aten.convolution_backward.default: _convolution_backward,
    }
    return chosen | products_table() | convolutions
