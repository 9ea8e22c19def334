"""Segments of a definition, coordinated by the front end.

`segment` asks the compiler which ops of a definition run together for some inputs. Each segment can be built as a
definition of its own, scheduled on its own, and run; the original definition manages the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fuser import _texts
from fuser._dtypes import DataType
from fuser._errors import DefinitionError, UnknownIdError
from fuser._program import Tensor, convert_result, is_tensor
from fuser._records import Record
from fuser._static import Replay
from fuser._values import Scalar, ScalarType, Size, TensorView, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fuser._definition import FusionDefinition
    from fuser._fusion import Fusion


class Segment:
    """Ops of a definition that run together.

    `scheduler` takes them (empty: no scheduler does), in about `microseconds`. `ops` are the ids of their first
    results.
    `inputs` are ids of the original definition: tensors and scalars, and extents of tensor arguments that the segment
    lacks. `outputs` are ids of tensors that other segments read or that the definition returns.
    """

    def __init__(self, index: int, scheduler: str, microseconds: float, records: list[Record]):
        self.index, self.scheduler, self.microseconds, self.records = index, scheduler, microseconds, records
        self.inputs: list[int] = []
        self.outputs: list[int] = []
        # Tensors of other segments of which only sizes are needed.
        self.measured: set[int] = set()

    @property
    def ops(self) -> list[int]:
        return [record.results[0].index for record in self.records]

    def __repr__(self) -> str:
        return f"<fuser.Segment {self.index} ({self.scheduler}): {self.inputs} -> {self.ops} -> {self.outputs}>"


class _Planner:
    """Finds out what a segment needs."""

    def __init__(self, fusion: Fusion):
        self.fusion = fusion
        self.producers = {value.index: record for record in fusion.records for value in record.results}
        self.extents = {Size(*binding): -1 - i for i, binding in enumerate(fusion.bindings)}
        self.arguments = set(fusion.inputs)

    def plan(self, segment: Segment) -> None:
        own = {value.index for record in segment.records for value in record.results}
        operands = [value for record in segment.records for value in record.operands()]
        tensors = dict.fromkeys(v.index for v in operands if isinstance(v, TensorView) and v.index not in own)
        needed = dict.fromkeys(tensors)
        sizes = {size for i in tensors for size in self.fusion.values[i].type.extents if isinstance(size, Size)}
        # Sizes that only a tensor of the segment has.
        sizes |= {size for i in own for size in self._sizes_of(i) if size.value == i}
        for operand in operands:
            if isinstance(operand, Scalar):
                self._need(operand, sizes, needed, segment)
        segment.inputs = sorted(i for i in needed if i >= 0) + sorted((i for i in needed if i < 0), reverse=True)

    def _sizes_of(self, index: int) -> list[Size]:
        extents = getattr(self.fusion.values[index].type, "extents", ())
        return [size for size in extents if isinstance(size, Size)]

    def _need(self, scalar: Scalar, sizes: set[Size], needed: dict[int, None], segment: Segment) -> None:
        """Adds what `scalar` is computed from. Scalars do not cross segments: each computes its own."""
        record = self.producers[scalar.index]
        if scalar.index in self.arguments:
            needed[scalar.index] = None
        elif record.op == "size":
            extent = scalar.type.extent
            if isinstance(extent, int) or extent in sizes:
                return
            if extent in self.extents:
                needed[self.extents[extent]] = None
            else:
                needed[scalar.index] = None
                segment.measured.add(extent.value)
        else:
            for operand in record.operands():
                self._need(operand, sizes, needed, segment)


def make_segments(fusion: Fusion, partition: list[dict]) -> list[Segment]:
    """The segments of a partition, with what they read and write."""
    records = {repr(record.results[0]): record for record in fusion.records if record.results}
    segments = []
    for index, group in enumerate(partition):
        own = [records[name] for name in group["ops"]]
        segments.append(Segment(index, group["scheduler"], group["microseconds"], own))
    planner = _Planner(fusion)
    for segment in segments:
        planner.plan(segment)
    read = {index for segment in segments for index in segment.inputs} | set(fusion.outputs)
    for segment, group in zip(segments, partition, strict=True):
        again = set(group["recomputed"])
        for record in segment.records:
            if repr(record.results[0]) not in again:
                segment.outputs += [value.index for value in record.results if value.index in read]
    produced = {index for segment in segments for index in segment.outputs}
    for segment in segments:
        # A tensor that is only measured has to be written by its segment.
        for index in sorted(segment.measured - produced - set(fusion.inputs)):
            owner = next(s for s in segments for r in s.records if index in [value.index for value in r.results])
            owner.outputs.append(index)
    return segments


def order_segments(segments: Sequence[Segment], available: Iterable[int]) -> list[int]:
    """The order in which segments run: repeatedly the first one whose inputs are all available, which are at first the
    arguments, extents and scalars of the definition, then also what segments produced. Raises DefinitionError that
    names the segments that never get their inputs."""
    have, waiting, order = set(available), list(segments), []
    produced = {index for segment in segments for index in segment.outputs}
    while waiting:
        ready = next((s for s in waiting if not ((set(s.inputs) | s.measured) & produced) - have), None)
        if ready is None:
            first = waiting[0]
            missing = sorted((set(first.inputs) | first.measured) & produced - have)
            raise DefinitionError(
                "StuckSegments",
                f"expected segments whose inputs become available, but segment {first.index} waits for "
                f"{', '.join(f'T{index}' for index in missing)} (segments left: {[s.index for s in waiting]})",
            )
        waiting.remove(ready)
        order.append(ready.index)
        have.update(ready.outputs)
    return order


def stored(fusion: Fusion, segment: Segment) -> list[tuple[int, tuple[int, ...] | None]]:
    """What a segment returns: each of its outputs in each stride order in which the definition returns it."""
    found: dict[tuple, None] = {}
    for index in segment.outputs:
        orders = [output.stride_order for output in fusion.output_list if output.value.index == index]
        found.update(dict.fromkeys((index, order) for order in orders or [None]))
    return list(found)


class _SegmentReplay(Replay):
    """Builds the definition of a segment from the records of the original."""

    def __init__(self, fusion: Fusion, segment: Segment, definition: FusionDefinition):
        super().__init__(definition)
        self.fusion, self.segment = fusion, segment
        self.planner = _Planner(fusion)
        # Ids of the original by those of the segment.
        self.ids: dict[int, int] = {}

    def run(self) -> None:
        for index in self.segment.inputs:
            self._remember(index, self._define(index))
        for record in self.segment.records:
            results = self.call(record)
            for old, new in zip(record.results, results if isinstance(results, tuple) else (results,), strict=True):
                self._remember(old.index, new)
        for index, order in stored(self.fusion, self.segment):
            self.fd.add_output(self.values[index], stride_order=order)

    def _remember(self, old: int, new: Value) -> None:
        self.values[old] = new
        value = self.fusion.values[old] if old >= 0 else None
        extent = self.planner.extents.get(value.type.extent) if isinstance(value, Scalar) else None
        self.ids[new.index] = old if extent is None else extent

    def _define(self, index: int) -> Value:
        if index < 0:
            return self.fd.define_scalar(dtype=DataType.Int)
        value = self.fusion.values[index]
        if isinstance(value.type, ScalarType):
            return self.fd.define_scalar(dtype=value.dtype)
        record = self.planner.producers[index]
        if record.op == "define_tensor":
            return self.fd.define_tensor(**record.arguments)
        return self.fd.define_tensor(value.sizes, dtype=value.dtype)

    def map(self, argument: object) -> object:
        if isinstance(argument, Value) and argument.index not in self.values:
            self._remember(argument.index, self._scalar(argument))
        return super().map(argument)

    def _scalar(self, scalar: Scalar) -> Scalar:
        """A scalar that is no input of the segment."""
        record = self.planner.producers[scalar.index]
        if record.op != "size":
            return self.call(record)
        extent = scalar.type.extent
        if isinstance(extent, int):
            return self.fd.define_scalar(extent)
        missing = self.planner.extents.get(extent)
        if missing in self.values:
            return self.values[missing]
        for index in self.segment.inputs:
            extents = self.fusion.values[index].type.extents if isinstance(self.values[index], TensorView) else ()
            if index >= 0 and extent in extents:
                return self.fd.ops.size(self.values[index], extents.index(extent))
        if extent.value in self.values:
            return self.fd.ops.size(self.values[extent.value], extent.dim)
        raise AssertionError(f"the planner found where {scalar!r} comes from")


def build_definition(
    fusion: Fusion, segment: Segment, definition: FusionDefinition
) -> tuple[FusionDefinition, dict[int, int]]:
    """The definition of a segment, in the new `definition`, and the original's ids by its own."""
    replay = _SegmentReplay(fusion, segment, definition)
    with definition:
        replay.run()
    ids = dict(replay.ids)
    # Extents of the segment that are extents of the original.
    for own, (tensor, dim) in zip(definition.fusion.extents, definition.fusion.bindings, strict=True):
        extent = replay.planner.extents.get(fusion.values[ids[tensor]].type.extents[dim])
        if extent is None and ids[tensor] in fusion.inputs:
            extent = -1 - fusion.bindings.index((ids[tensor], dim))
        if extent is not None:
            ids[own] = extent
    return definition, ids


class SegmentMethods:
    """What a definition does about its segments."""

    # After `segment` found more than one: the segments, the definition that they are segments of (this one, or one with
    # static sizes), and their definitions with ids.
    _segments: list[Segment] | None = None
    _segmented: FusionDefinition | None = None
    _built: dict[int, tuple[FusionDefinition, dict[int, int]]]

    def _partition(self, inputs: Sequence[object], target: str | None) -> tuple[FusionDefinition, list[Segment]]:
        definition, values = self._specialize(self._bind(inputs, draw=False)) if inputs else (self, [])
        fusion = definition.fusion
        key = (target, *(_layout_of(value) if is_tensor(value) else None for value in values))
        partition = fusion.partitions.get(key)
        if partition is None:
            types = definition._scalar_types() if inputs else ()
            partition = _texts.partition(fusion.emit(locate=True), target, values, types)
            fusion.partitions[key] = partition
        return definition, make_segments(fusion, partition)

    def segments(self, inputs: Sequence[object] = (), *, target: str | None = None) -> list[Segment]:
        """The segments for some inputs, by default for unknown sizes: what runs together, by which scheduler.
        `target` is the GPU that kernels are scheduled for. Keeps nothing."""
        return self._partition(inputs, target)[1]

    def segment(self, inputs: Sequence[object], *, target: str | None = None) -> int:
        """Specializes the definition for these inputs and cuts it into segments; returns their number. If there is one,
        nothing is kept: `execute` runs it."""
        definition, found = self._partition(inputs, target)
        self._built = {}
        self._segmented, self._segments = (definition, found) if len(found) > 1 else (None, None)
        return len(found)

    def _get_segment(self, index: int) -> Segment:
        if self._segments is None:
            raise DefinitionError("NotSegmented", "expected a definition that `segment` cut into more than one segment")
        if not 0 <= index < len(self._segments):
            raise UnknownIdError(
                "UnknownId", f"expected a segment from 0 to {len(self._segments) - 1}, but got {index}"
            )
        return self._segments[index]

    def run_order(self) -> list[int]:
        """The segments in the order in which they run: always the first one whose inputs are available."""
        self._get_segment(0)
        return order_segments(self._segments, self._segmented.fusion.inputs)

    def build_segment(self, index: int) -> tuple[FusionDefinition, dict[int, int]]:
        """A segment as a definition, and the ids of this definition by its own ids: of values, of the extents of its
        tensor arguments, and of extents that its tensor arguments lack, which are scalar arguments of it. Its arguments
        are those of `Segment.inputs`, in order. The same definition for the same segment each time."""
        segment = self._get_segment(index)
        if index not in self._built:
            definition, ids = build_definition(self._segmented.fusion, segment, type(self)())
            if self._segmented is not self:
                originals = next(ids for made, _, ids in self.fusion.static.values() if made is self._segmented)
                ids = {own: originals[index] for own, index in ids.items() if index in originals}
            self._built[index] = definition, ids
        return self._built[index]

    def schedule_segment(self, index: int, **options: str | None) -> None:
        """Sets how a segment is scheduled: the options of `schedule`."""
        self.build_segment(index)[0].schedule(**options)

    def execute_segments(self, inputs: Sequence[object], *, device: object = None) -> list:
        """Runs the segments that `segment` found one by one; returns what `execute` returns. An intermediate is freed
        after its last use. Raises DefinitionError where the segments are for other sizes."""
        order = self.run_order()
        definition, values = self._specialize(self._bind(inputs))
        if definition is not self._segmented:
            raise DefinitionError("NotSegmented", "expected inputs of the sizes that `segment` was called with")
        run = _Run(definition.fusion, values, definition._device_for(values, device))
        uses = [index for i in order for index in self._segments[i].inputs]
        for i in order:
            run.step(self._segments[i], self.build_segment(i)[0])
            uses = uses[len(self._segments[i].inputs) :]
            run.free_except({*uses, *definition.fusion.outputs})
        return run.finish(type(self))


class _Run:
    """The values of one execution, by ids of the original definition."""

    def __init__(self, fusion: Fusion, values: list[object], device: str | None):
        self.fusion, self.device = fusion, device
        self.values: dict[int, object] = dict(zip(fusion.inputs, values, strict=True))
        # In each stride order.
        self.made: dict[int, dict[tuple | None, Tensor]] = {}
        # Sizes outlive the tensors that had them.
        self.shapes = {index: tuple(value.shape) for index, value in self.values.items() if is_tensor(value)}

    def _supply(self, index: int) -> object:
        if index < 0:
            tensor, dim = self.fusion.bindings[-1 - index]
            return int(self.shapes[tensor][dim])
        if index in self.made:
            return next(iter(self.made[index].values()))
        if index in self.values:
            return self.values[index]
        extent = self.fusion.values[index].type.extent
        return int(self.shapes[extent.value][extent.dim])

    def step(self, segment: Segment, definition: FusionDefinition) -> None:
        arguments = [self._supply(index) for index in segment.inputs]
        results = definition._run(arguments, self.device, convert=False)
        for (index, order), result in zip(stored(self.fusion, segment), results, strict=True):
            self.made.setdefault(index, {})[order] = result
            self.shapes[index] = result.shape

    def free_except(self, kept: set[int]) -> None:
        for index in [index for index in self.made if index not in kept]:
            del self.made[index]

    def finish(self, kind: type[FusionDefinition]) -> list:
        """Stores aliases and returns the other outputs."""
        arguments = [self.values[value.index] for value in self.fusion.input_values if isinstance(value, TensorView)]
        like = arguments[0] if arguments else None
        for output in self.fusion.output_list:
            if output.alias_input is not None:
                self._store(kind(), output.value, output.alias_input)
        converted: dict[tuple, object] = {}
        results = []
        for output in self.fusion.output_list:
            key = index, order = output.value.index, output.stride_order
            if output.alias_input is None:
                if key not in converted:
                    made = self.made[index].pop(order) if index in self.made else None
                    converted[key] = self.values[index] if made is None else convert_result(made, like)
                results.append(converted[key])
        return results

    def _store(self, definition: FusionDefinition, value: TensorView, alias_input: int) -> None:
        """Copies an output to the argument that it is stored in, after all segments have read it."""
        with definition as fd:
            target = fd.define_tensor([-1] * value.ndim, dtype=value.dtype)
            source = fd.define_tensor([-1] * value.ndim, dtype=value.dtype)
            fd.add_output(fd.ops.set(source), alias_input=target)
        definition._run([self.values[alias_input], self._supply(value.index)], self.device, convert=False)


def _layout_of(value: object) -> tuple:
    strides = value.stride() if callable(getattr(value, "stride", None)) else getattr(value, "strides", None)
    return tuple(value.shape), strides
