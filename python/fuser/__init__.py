"""Fused tensor programs: text in, a callable on arrays out.

    import fuser, numpy as np
    f = fuser.compile('''
      fuser.fusion @scale(%x: tensor<?x?xf32>, %s: f32) -> tensor<?x?xf32> {
        %0 = fuser.mul %x, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
        fuser.return %0 : tensor<?x?xf32>
      }''')
    y = f(np.ones((3, 5), np.float32), 2.0)

Arguments are scalars and whatever speaks DLPack: NumPy arrays, PyTorch tensors on the CPU or a GPU, and others. Results
are of the kind of the first tensor argument. `FusionDefinition` defines programs by calls (docs/python.md).
"""

from fuser._artifacts import prune_cache
from fuser._cache import FusionCache, fusion_cache
from fuser._definition import FusionDefinition
from fuser._dtypes import DataType
from fuser._errors import (
    ArgumentError,
    ArtifactError,
    BufferError,
    CompilationError,
    DefinitionError,
    DeviceError,
    DTypeError,
    FuserError,
    KernelError,
    NotCompiledError,
    ProgramError,
    RankError,
    ScalarError,
    ShapeError,
    UnknownFunctionError,
    UnknownIdError,
    ValidationError,
)
from fuser._program import Program, Tensor, compile, load_artifact
from fuser._random import manual_seed
from fuser._segments import Segment
from fuser._values import Scalar, TensorView, Vector


def __getattr__(name: str) -> object:
    """`fuser.segment`, which needs PyTorch."""
    if name != "segment":
        raise AttributeError(f"module 'fuser' has no attribute {name!r}")
    from fuser.torch import segment

    return segment


__all__ = [
    "ArgumentError",
    "ArtifactError",
    "BufferError",
    "CompilationError",
    "DTypeError",
    "DataType",
    "DefinitionError",
    "DeviceError",
    "FuserError",
    "FusionCache",
    "FusionDefinition",
    "KernelError",
    "NotCompiledError",
    "Program",
    "ProgramError",
    "RankError",
    "Scalar",
    "ScalarError",
    "Segment",
    "ShapeError",
    "Tensor",
    "TensorView",
    "UnknownFunctionError",
    "UnknownIdError",
    "ValidationError",
    "Vector",
    "compile",
    "fusion_cache",
    "load_artifact",
    "manual_seed",
    "prune_cache",
]
