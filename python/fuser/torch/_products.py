"""Products of matrices of which one has a single row, column or depth: they read each element once, so that they are
sums of products, which kernels of ours fuse with what is around them."""

from __future__ import annotations

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from fuser.torch._builder import compute_type
from fuser.torch._lowering import aten


def _product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor | None:
    """The product in the type that elements are computed in; None for products that reuse elements, and for those of
    other types than floats."""
    if a.dtype != b.dtype or a.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        return None
    is_vector = [statically_known_true(size == 1) for size in (a.shape[-2], a.shape[-1], b.shape[-1])]
    if not any(is_vector):
        return None
    a, b = (value.to(compute_type(value.dtype)) for value in (a, b))
    if is_vector[1]:
        return a * b
    if is_vector[2]:
        return (a * b.transpose(-1, -2)).sum(-1, keepdim=True)
    return (a.transpose(-1, -2) * b).sum(-2, keepdim=True)


def _plain(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """mm, bmm."""
    product = _product(a, b)
    return NotImplemented if product is None else product.to(a.dtype).contiguous()


def _with_addend(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor, *, beta: float = 1, alpha: float = 1):
    """addmm, baddbmm: rounded once. Nothing of `x` is read for a `beta` of 0."""
    product = None if x.dtype != a.dtype else _product(a, b)
    if product is None:
        return NotImplemented
    if alpha != 1:
        product = product * alpha
    if beta != 0:
        x = x.to(product.dtype)
        product = product + (x if beta == 1 else x * beta)
    return product.to(a.dtype).contiguous()


def _by_vector(a: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    product = _product(a, v.unsqueeze(-1))
    return NotImplemented if product is None else product.squeeze(-1).to(a.dtype)


def _of_vectors(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    product = _product(x.unsqueeze(0), y.unsqueeze(-1))
    return NotImplemented if product is None else product.reshape([]).to(x.dtype)


def table() -> dict:
    """Decompositions by op. Those that return NotImplemented leave the op whole."""
    return {
        aten.mm.default: _plain,
        aten.bmm.default: _plain,
        aten.addmm.default: _with_addend,
        aten.baddbmm.default: _with_addend,
        aten.mv.default: _by_vector,
        aten.dot.default: _of_vectors,
    }
