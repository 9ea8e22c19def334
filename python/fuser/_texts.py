"""Programs as text: phases, decisions, and the reference."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from fuser import _dlpack
from fuser._library import check, encode, library, take_text, take_text_interruptibly
from fuser._program import Tensor, is_tensor, read_arguments


def _on_host(value: object) -> object:
    """A tensor in host memory: itself, or a copy."""
    return value.cpu() if getattr(value, "is_cuda", False) else value


def _call(function, text: str, *options: str | None, values: Sequence[object] = (), types: Sequence[str | None] = ()):
    # Only sizes, strides and addresses count.
    arguments, _kept = read_arguments(values, types, None, None)
    encoded = text.encode()
    return take_text_interruptibly(function, encoded, len(encoded), *map(encode, options), arguments, len(arguments))


def transform(text: str, phase: str, target: str | None = None, values=(), types=()) -> str:
    """The module after the phases up to `phase`, specialized for the arguments `values` if there are any."""
    return _call(library().fuser_transform, text, phase, target, values=values, types=types)


def partition(text: str, target: str | None = None, values=(), types=()) -> list[dict]:
    """The segments of a fusion: ops by the names of their locations, and the scheduler that takes them."""
    import json

    return json.loads(_call(library().fuser_partition, text, target, values=values, types=types))


def explain(text: str, format: str = "text", target: str | None = None, values=(), types=()) -> str:
    """The decisions about a fusion and their reasons, as text, json, svg or html."""
    return _call(library().fuser_explain, text, format, target, values=values, types=types)


def evaluate(text: str, values: Sequence[object], types: Sequence[str | None], num_results: int) -> list[Tensor]:
    """The results of a program by the slow reference, in double precision, rounded once; in host memory."""
    values = [_on_host(value) if is_tensor(value) else value for value in values]
    arguments, _kept = read_arguments(values, types, "host", None)
    encoded, results = text.encode(), (ctypes.c_void_p * num_results)()
    check(library().fuser_evaluate(encoded, len(encoded), arguments, len(arguments), results, num_results))
    return [Tensor(result, []) for result in results]


def compare(actual: object, expected: object, type: str | None = None) -> str | None:
    """How two tensors differ by more than the tolerance of an element type, by default their own; None where they do
    not."""
    borrowed = [
        _dlpack.Borrowed(_on_host(tensor), None, f"argument {i}") for i, tensor in enumerate((actual, expected))
    ]
    return take_text(library().fuser_compare, *(tensor.address for tensor in borrowed), encode(type))


__all__ = ["compare", "evaluate", "explain", "partition", "transform"]
