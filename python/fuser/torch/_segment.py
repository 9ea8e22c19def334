"""Boundaries of segments from PyTorch code: an op of PyTorch's that is lowered to `fuser.segment_set`."""

from __future__ import annotations

import torch

from fuser.torch._builder import Builder, Tensor
from fuser.torch._lowering import lower

_LIBRARY = torch.library.Library("fuser", "DEF")
_LIBRARY.define("segment(Tensor x) -> Tensor")
_LIBRARY.impl("segment", lambda x: x.clone(), "CompositeExplicitAutograd")
torch.library.register_fake("fuser::segment", torch.clone, lib=_LIBRARY)


def _backward(_context, gradient: torch.Tensor) -> torch.Tensor:
    # The boundary is one of the gradients as well.
    return torch.ops.fuser.segment(gradient)


torch.library.register_autograd("fuser::segment", _backward, lib=_LIBRARY)


def segment(x: torch.Tensor) -> torch.Tensor:
    """The tensor itself. In compiled code a boundary: no kernel computes ops before and after it, nor those of its
    gradient."""
    return torch.ops.fuser.segment(x) if torch.compiler.is_compiling() else x


def _mark(value: object) -> object:
    if isinstance(value, torch.Tensor):
        return segment(value)
    if type(value) in (list, tuple):
        return type(value)(_mark(item) for item in value)
    return value


def mark_module(module: torch.nn.Module, name: str = "") -> None:
    """Makes a module, or its submodule `name` ("layers.1"), segments of its own: its arguments and results are
    boundaries. Raises AttributeError for a name that the module lacks."""
    target = module.get_submodule(name)
    target.register_forward_pre_hook(lambda _module, arguments: _mark(arguments))
    target.register_forward_hook(lambda _module, _arguments, results: _mark(results))


@lower(torch.ops.fuser.segment.default)
def _lower_segment(b: Builder, out, x: Tensor) -> Tensor:
    return b.define(f"fuser.segment_set {x.name} : {x.type}", x.dtype, x.shape)
