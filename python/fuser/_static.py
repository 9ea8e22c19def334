"""Definitions with the sizes of one call.

The dialect expresses most programs with sizes that are known at run time only. What it does not express is defined
again
with the sizes of the arguments as constants: a reshape whose dimensions do not correspond without them, and a slice
whose bounds may lie beyond the tensor.
"""

from __future__ import annotations

from collections.abc import Sequence

from fuser import _texts
from fuser._errors import CompilationError, ProgramError
from fuser._records import Record
from fuser._values import Scalar, Size, TensorView, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fuser._definition import FusionDefinition
    from fuser._fusion import Fusion


def _dynamic_sizes(value: Value) -> list[Size]:
    return [size for size in value.type.extents if isinstance(size, Size)]


def _corresponds(record: Record) -> bool:
    """Whether the dialect, which knows no sizes of a reshape but static ones, takes it for what it is: one dynamic
    dimension takes what is left, and several ones are those of the operand in order, but for one that takes the
    rest."""
    (result,) = record.results
    old, new = _dynamic_sizes(record.arguments["arg"]), _dynamic_sizes(result)
    if len(new) < 2:
        return True
    others = [(a, b) for a, b in zip(old, new, strict=False) if b.value != result.index]
    return len(old) == len(new) and len(new) - len(others) <= 1 and all(a == b for a, b in others)


def needs_static_sizes(fusion: Fusion) -> bool:
    """Whether the dialect refuses the program with dynamic sizes, or would take it for another one."""
    reshapes = [record for record in fusion.records if record.op == "reshape"]
    if not any(_dynamic_sizes(record.arguments["arg"]) or _dynamic_sizes(record.results[0]) for record in reshapes):
        return False
    if not all(map(_corresponds, reshapes)):
        return True
    try:
        _texts.transform(fusion.text, "preseg")
    except (ProgramError, CompilationError):
        return True
    return False


class Replay:
    """Calls the functions of records on another definition."""

    def __init__(self, definition: FusionDefinition):
        self.fd = definition
        # Values of the definition by the ids of those that the records have.
        self.values: dict[int, Value] = {}

    def call(self, record: Record) -> object:
        target = self.fd if hasattr(type(self.fd), record.op) else self.fd.ops
        return getattr(target, record.op)(**{name: self.map(value) for name, value in record.arguments.items()})

    def map(self, argument: object) -> object:
        """An argument with the values of the definition."""
        if isinstance(argument, tuple):
            return tuple(map(self.map, argument))
        return self.values[argument.index] if isinstance(argument, Value) else argument

    def remember(self, record: Record, results: object) -> None:
        made = results if isinstance(results, tuple) else (results,)
        for old, new in zip(record.results, made, strict=True):
            self.values[old.index] = new


def define_static(
    fusion: Fusion, values: Sequence[object], definition: FusionDefinition
) -> tuple[FusionDefinition, list[int], dict[int, int]]:
    """Defines the program for the sizes of these arguments. Returns the definition, the positions of the arguments that
    it still has, and the ids of the fusion by the definition's."""
    by_id = dict(zip(fusion.inputs, values, strict=True))
    constants = {fusion.inputs[position] for position in fusion.size_arguments()}
    replay = Replay(definition)
    with definition:
        for record in fusion.records:
            result = record.results[0] if record.results else None
            if record.op == "define_tensor":
                shape = [int(size) for size in by_id[result.index].shape]
                made = definition.define_tensor(**{**record.arguments, "shape": shape})
            elif result is not None and result.index in constants:
                made = definition.define_scalar(by_id[result.index], result.dtype)
            else:
                made = replay.call(record)
            if record.results:
                replay.remember(record, made)
    kept = [position for position, index in enumerate(fusion.inputs) if index not in constants]
    ids = {new.index: old for old, new in replay.values.items()}
    for own, (tensor, dim) in zip(definition.fusion.extents, definition.fusion.bindings, strict=True):
        ids[own] = -1 - fusion.bindings.index((ids[tensor], dim))
    return definition, kept, ids


def key_of(fusion: Fusion, values: Sequence[object]) -> tuple:
    """What the definition for some arguments depends on."""
    sizes = set(fusion.size_arguments())
    return tuple(
        tuple(value.shape) if isinstance(argument, TensorView) else int(value)
        for position, (value, argument) in enumerate(zip(values, fusion.input_values, strict=True))
        if isinstance(argument, TensorView) or position in sizes
    )


def size_scalars(fusion: Fusion) -> set[int]:
    """The ids of scalar arguments that sizes, or bounds of slices, are computed from."""
    producers = {value.index: record for record in fusion.records for value in record.results}
    types = (value.type for value in fusion.values if isinstance(value, TensorView))
    pending = {size.value for type in types for size in type.extents if isinstance(size, Size) and size.dim < 0}
    for record in fusion.records:
        if record.op == "slice":
            bounds = (*record.arguments["start_indices"], *record.arguments["end_indices"])
            pending |= {bound.index for bound in bounds if isinstance(bound, Scalar)}
    found: set[int] = set()
    while pending:
        index = pending.pop()
        if index in fusion.inputs:
            found.add(index)
        else:
            pending |= {value.index for value in producers[index].operands() if isinstance(value, Scalar)}
    return found
