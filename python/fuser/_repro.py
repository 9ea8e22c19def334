"""A script that defines a program and runs it on arguments like given ones."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fuser._errors import ArgumentError
from fuser._program import is_tensor


def _spell_torch(tensor: object) -> str:
    shape, strides = tuple(tensor.shape), tuple(tensor.stride())
    count = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True)) if 0 not in shape else 0
    options = f"dtype={tensor.dtype}, device={str(tensor.device)!r}"
    if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
        # Elements of 8 bits have no random functions.
        values = f"torch.randn({count}, device={str(tensor.device)!r}).to({tensor.dtype})"
    else:
        values = f"torch.randint(0, 2, ({count},), {options})"
    return f"{values}.as_strided({shape}, {strides})"


def _spell_numpy(array: object) -> str:
    shape = tuple(array.shape)
    values = (
        f"np.random.standard_normal({shape})" if array.dtype.kind in "fc" else f"np.random.randint(0, 2, size={shape})"
    )
    return f"{values}.astype({array.dtype.name!r})"


def make_script(definition: str, inputs: Sequence[object]) -> str:
    """`definition` is the text of a FusionDefinition; tensors are of PyTorch or NumPy."""
    lines, modules = [], set()
    for position, value in enumerate(inputs):
        if not is_tensor(value):
            lines.append(f"    {value!r},")
            continue
        library = type(value).__module__.partition(".")[0]
        if library not in ("torch", "numpy"):
            raise ArgumentError(
                "ArgumentKind",
                f"argument {position}: expected a tensor of PyTorch or NumPy, but got {type(value).__name__}",
            )
        modules.add("import torch" if library == "torch" else "import numpy as np")
        lines.append(f"    {_spell_torch(value) if library == 'torch' else _spell_numpy(value)},")
    modules.add("from fuser import DataType, FusionDefinition")
    head = "\n".join(sorted(modules, key=lambda line: (line.startswith("from"), line)))
    body = "\n".join(lines)
    # A number may be one that Python has no literal for.
    names = sorted({name for line in lines if "(" not in line for name in re.findall(r"\b(nan|inf)\b", line)})
    if names:
        head = f"from math import {', '.join(names)}\n\n{head}"
    return f"{head}\n\n{definition}\ninputs = [\n{body}\n]\nfd.execute(inputs)\n"
