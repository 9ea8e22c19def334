"""Fused tensor programs: text in, a callable on arrays out.

    import fuser, numpy as np
    f = fuser.compile('''
      fuser.fusion @scale(%x: tensor<?x?xf32>, %s: f32) -> tensor<?x?xf32> {
        %0 = fuser.mul %x, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
        fuser.return %0 : tensor<?x?xf32>
      }''')
    y = f(np.ones((3, 5), np.float32), 2.0)

Arguments are scalars and whatever speaks DLPack: NumPy arrays, PyTorch tensors on the CPU or a GPU, and others. Results
are of the kind of the first tensor argument.
"""

from fuser._errors import (
    ArgumentError,
    BufferError,
    CompilationError,
    DeviceError,
    DTypeError,
    FuserError,
    KernelError,
    ProgramError,
    RankError,
    ShapeError,
)
from fuser._program import Program, Tensor, compile

__all__ = [
    "ArgumentError",
    "BufferError",
    "CompilationError",
    "DTypeError",
    "DeviceError",
    "FuserError",
    "KernelError",
    "Program",
    "ProgramError",
    "RankError",
    "ShapeError",
    "Tensor",
    "compile",
]
