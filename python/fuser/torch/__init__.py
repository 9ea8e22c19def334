"""A backend of torch.compile: `torch.compile(model, backend="fuser")` (docs/torch.md).

    import fuser.torch                      # or by its name alone, where the package is installed
    step = torch.compile(step, backend="fuser")
    ...
    print(*fuser.torch.report(), sep="\\n")   # what PyTorch computes, and why

PyTorch 2.11 to 2.14. Nothing else of the package imports PyTorch.
"""

from torch._dynamo import register_backend as _register_backend

from fuser.torch._backend import backend, compile_graph
from fuser.torch._report import Counters, Fallback, computed_ops, counters, report, reset
from fuser.torch._segment import mark_module, segment

_register_backend(backend, name="fuser")

__all__ = [
    "Counters",
    "Fallback",
    "backend",
    "compile_graph",
    "computed_ops",
    "counters",
    "mark_module",
    "report",
    "reset",
    "segment",
]
