"""What is built of a definition, once for all definitions with the same records."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fuser._dtypes import DataType
from fuser._emit import CARRIERS, Emitter
from fuser._records import OPERATIONS, Record, extent_of
from fuser._shapes import to_order
from fuser._static import needs_static_sizes, size_scalars
from fuser._values import Extent, Scalar, Size, TensorView, Value

# Bits of the mantissa.
_PRECISION = {
    DataType.Float8_e5m2: 2,
    DataType.Float8_e4m3fn: 3,
    DataType.BFloat16: 7,
    DataType.Half: 10,
    DataType.Float: 23,
    DataType.Double: 52,
}


class Output:
    """An output: its value, the id of the input whose memory it is stored in (it is then no result of `execute`), and
    the places of its dimensions from fastest (0) to slowest where the definition asks for them."""

    __slots__ = ("alias_input", "stride_order", "value")

    def __init__(self, value: TensorView, alias_input: int | None = None, stride_order: tuple[int, ...] | None = None):
        self.value, self.alias_input, self.stride_order = value, alias_input, stride_order


def _resolve(extent: Extent, by_id: dict[int, object]) -> int | None:
    """A size with the arguments of a call; None where they do not tell it."""
    if isinstance(extent, int):
        return extent
    if extent.value not in by_id:
        return None
    value = by_id[extent.value]
    return int(value.shape[extent.dim]) if extent.dim >= 0 else int(value)


class Fusion:
    """A leaf of the trie. Ids: values have ids >= 0 in the order of definition; extents have -1, -2, ..."""

    def __init__(self, records: list[Record], values: list[Value], inputs: list[Value], outputs: list[Output]):
        # The first definition's; others have equal ones.
        self.records, self.values = tuple(records), tuple(values)
        self.input_values, self.output_list = tuple(inputs), tuple(outputs)
        self.inputs = tuple(value.index for value in inputs)
        self.outputs = tuple(output.value.index for output in outputs)
        # (tensor input, dimension) of each extent: tensor inputs in order, then their dimensions.
        tensors = [value for value in inputs if isinstance(value, TensorView)]
        self.bindings = tuple((value.index, dim) for value in tensors for dim in range(value.ndim))
        self.extents = tuple(-1 - i for i in range(len(self.bindings)))
        self.value_ids = self._map_values()
        self.text = self.emit()
        # Slices whose bounds depend on a call: (size, start, end).
        self.bounds = tuple(self._collect_bounds())
        # The least precise float type that it computes in; None without floats.
        floats = {value.dtype.part for value in self.values if isinstance(value, TensorView)} & set(_PRECISION)
        self.least_precise = min(floats, key=_PRECISION.get).value if floats else None
        # Old and new sizes of reshapes that depend on a call.
        self.reshapes = [
            (record.arguments["arg"].type.extents, record.results[0].type.extents)
            for record in self.records
            if record.op == "reshape" and any(isinstance(size, Size) for size in record.results[0].type.extents)
        ]
        sizes = size_scalars(self)
        self._size_arguments = [position for position, index in enumerate(self.inputs) if index in sizes]
        self._needs_static_sizes: bool | None = None
        # Compiled programs by device and options, and partitions by the arguments that they were made for.
        self.programs: dict[tuple, object] = {}
        self.partitions: dict[tuple, object] = {}
        # Definitions for the sizes of one call, where the program needs them.
        self.static: dict[tuple, object] = {}

    def _map_values(self) -> dict[str, int]:
        """Ids by the names that values have in the MLIR. A scalar that is an extent has the extent's id."""
        extents = {Size(tensor, dim): -1 - i for i, (tensor, dim) in enumerate(self.bindings)}
        ids: dict[str, int] = {}
        for value in self.values:
            extent = value.type.extent if isinstance(value, Scalar) else None
            ids[f"%{value!r}"] = extents.get(extent, value.index) if isinstance(extent, Size) else value.index
        for (tensor, dim), extent in zip(self.bindings, self.extents, strict=True):
            ids[f"%T{tensor}.size[{dim}]"] = extent
        return ids

    def _collect_bounds(self):
        for record in self.records:
            if record.op != "slice" or record.arguments["manual_normalization"]:
                continue
            source = record.arguments["arg"]
            bounds = zip(record.arguments["start_indices"], record.arguments["end_indices"], strict=True)
            for dim, (start, end) in enumerate(bounds):
                size = source.type.extents[dim]
                low, high = extent_of(start), extent_of(end)
                if high != size and not all(isinstance(bound, int) for bound in (size, low, high)):
                    yield size, low, high

    def fits_bounds(self, values: Sequence[object]) -> bool:
        """Whether all slices stay inside of their tensors and all reshapes keep the number of elements, as far as the
        arguments tell. Where one does not, the definition with static sizes cuts it off or reports it."""
        by_id = dict(zip(self.inputs, values, strict=True))
        for bounds in self.bounds:
            length, start, end = (_resolve(extent, by_id) for extent in bounds)
            if None not in (length, start, end) and not 0 <= start <= end <= length:
                return False
        for old, new in self.reshapes:
            sizes = [[_resolve(extent, by_id) for extent in extents] for extents in (old, new)]
            if not any(None in side for side in sizes) and math.prod(sizes[0]) != math.prod(sizes[1]):
                return False
        return True

    def needs_static_sizes(self) -> bool:
        """Whether the program is defined again for the sizes of each call."""
        if self._needs_static_sizes is None:
            self._needs_static_sizes = needs_static_sizes(self)
        return self._needs_static_sizes

    def size_arguments(self) -> list[int]:
        """Positions of the scalar arguments that sizes are computed from."""
        return self._size_arguments

    def emit(self, name: str = "fusion", locate: bool = False) -> str:
        """The module. With `locate` each op is located at the name of its first result."""
        emitter = Emitter(locate)
        arguments = []
        for value in self.input_values:
            type = emitter.type(value)
            if isinstance(value, Scalar) and value.dtype in CARRIERS:
                carrier, narrow = CARRIERS[value.dtype]
                arguments.append(f"%{value!r}_wide: {carrier}")
                emitter.pending[value.index] = f"arith.{narrow} %{value!r}_wide : {carrier} to {type}"
            else:
                arguments.append(f"%{value!r}: {type}")
        for record in self.records:
            if record.op in OPERATIONS:
                emitter.region = record.region
                OPERATIONS[record.op].emit(emitter, record.arguments, record.results)
        emitter.region = ""
        types = ", ".join(str(output.value.type) for output in self.output_list)
        names = ", ".join([emitter.name(output.value) for output in self.output_list])
        emitter.line(f"fuser.return {names} : {types}")
        head = f"fuser.fusion @{name}({', '.join(arguments)}) -> ({types})"
        attributes = ",\n    ".join(self._attributes())
        return "\n".join([f"{head} attributes {{\n    {attributes}}} {{", *emitter.lines, "}", ""])

    def _attributes(self) -> list[str]:
        attributes = []
        layouts = [self._layout_of(value) for value in self.input_values]
        if any(layouts):
            attributes.append(f"arg_layouts = [{', '.join(layout or 'unit' for layout in layouts)}]")
        orders = [output.stride_order for output in self.output_list]
        if any(order is not None for order in orders):
            items = [
                "unit" if order is None else f"array<i64: {', '.join(map(str, to_order(order)))}>" for order in orders
            ]
            attributes.append(f"output_orders = [{', '.join(items)}]".replace("<i64: >", "<i64>"))
        aliases = [
            f"#fuser.alias<output {i}, input {self.inputs.index(output.alias_input)}>"
            for i, output in enumerate(self.output_list)
            if output.alias_input is not None
        ]
        if aliases:
            attributes.append(f"aliases = [{', '.join(aliases)}]")
        for key, ids in (("input_ids", self.inputs), ("output_ids", self.outputs), ("extent_ids", self.extents)):
            items = f": {', '.join(map(str, ids))}" if ids else ""
            attributes.append(f"{key} = array<i64{items}>")
        return attributes

    def _layout_of(self, value: Value) -> str | None:
        """The layout that a definition promises, where it is not row-major: that is what a call shows."""
        if not isinstance(value, TensorView):
            return None
        record = next(record for record in self.records if value in record.results)
        stride_order, contiguity = record.arguments["stride_order"], record.arguments["contiguity"]
        order = to_order(stride_order)
        if not stride_order or order == sorted(order):
            return None
        # Contiguity is listed from the slowest dimension to the fastest; None for a dimension of size 1.
        strided = [place for place, dense in enumerate(contiguity) if dense is False]
        text = f"order = {order}" + (f", strided = {strided}" if strided else "")
        return f"#fuser.layout<{text}>"
