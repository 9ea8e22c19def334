"""FusionDefinition: programs of tensors, defined by calls, with nvFuser's names."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence

from fuser._cache import CACHE, Node
from fuser._dtypes import DataType, check_dtype, dtype_of
from fuser._errors import (
    ArgumentError,
    DefinitionError,
    DTypeError,
    RankError,
    ShapeError,
    UnknownFunctionError,
    UnknownIdError,
)
from fuser._execution import ExecutionMethods
from fuser._factories import FactoryOps
from fuser._fusion import Fusion, Output
from fuser._indexing import IndexingOps
from fuser._numbers import convert_number
from fuser._pointwise import PointwiseOps
from fuser._records import OPERATIONS, OWN, Record, check_length, make_key, register
from fuser._reductions import ReductionOps
from fuser._segments import SegmentMethods
from fuser._shapes import ShapeOps, check_stride_order
from fuser._values import (
    Operand,
    Scalar,
    ScalarType,
    Shape,
    Size,
    SizeLike,
    TensorType,
    TensorView,
    Type,
    Value,
    Vector,
    VectorType,
    make_value,
)

# Functions of nvFuser's that fuser does not have, and why or what to call.
_LACKING = {
    "argsort": "which needs a sort",
    "topk": "which needs a sort",
    "welford": "whose results var_mean gives",
    "sdpfa_bwd": "whose gradient PyTorch computes",
    "grouped_mm": "which needs a matrix product of groups",
    "scaled_mm": "which needs a scaled matrix product",
    "scaled_grouped_mm": "which needs a scaled matrix product",
    "cutlass_scaled_mm": "which needs a scaled matrix product",
    "cutlass_nvfp4_scaled_mm": "which needs a scaled matrix product",
    "cutlass_nvfp4_grouped_mm": "which needs a scaled matrix product",
    "nv_block_quantize": "which needs elements of 4 bits",
    "preprocess_grouped_matmul_input_sf": "which prepares scaled matrix products",
}


class Ops(PointwiseOps, ReductionOps, ShapeOps, FactoryOps, IndexingOps):
    """The functions of a definition: each records an op on values of the definition."""

    def __init__(self, definition: FusionDefinition) -> None:
        self._fd = definition

    def __getattr__(self, name: str):
        """Raises UnknownFunctionError, which is an AttributeError, for a function that fuser does not have."""
        if name.startswith("_"):
            raise AttributeError(name)
        import difflib  # Not with the package, because few programs need it.

        near = difflib.get_close_matches(name, [known for known in dir(type(self)) if not known.startswith("_")])
        hint = f", {_LACKING[name]}" if name in _LACKING else f" ({', '.join(near)}?)" if near else ""
        raise UnknownFunctionError(
            "UnknownFunction", f"fd.ops: expected a function that fuser has, but got {name!r}{hint}"
        )


def _nothing(_emitter: object, _arguments: dict, _results: tuple) -> None:
    """Inputs are emitted with the signature, outputs with its end."""


def _emit_constant(emitter, arguments: dict, results: tuple) -> None:
    from fuser._emit import format_constant

    (scalar,) = results
    if arguments["value"] is not None:
        emitter.pending[scalar.index] = format_constant(arguments["value"], scalar.dtype)
        if isinstance(scalar.type.extent, int):
            emitter.indices[scalar.index] = scalar.type.extent


def _infer_tensor(arguments: dict) -> tuple[TensorType]:
    shape = arguments["shape"]
    return (
        TensorType(arguments["dtype"], tuple(Size(OWN, dim) if size == -1 else size for dim, size in enumerate(shape))),
    )


def _infer_scalar(arguments: dict) -> tuple[ScalarType]:
    value, dtype = arguments["value"], arguments["dtype"]
    is_size = value is not None and dtype.is_integer
    return (ScalarType(dtype, value if is_size else None),)


def _infer_vector(arguments: dict) -> tuple[VectorType]:
    return (VectorType(tuple(Size(v.index) if isinstance(v, Scalar) else v for v in arguments["values"])),)


register("define_tensor", _infer_tensor, _nothing)
register("define_scalar", _infer_scalar, _emit_constant)
register("define_vector", _infer_vector, _nothing)
register("add_output", lambda _arguments: (), _nothing)


class FusionDefinition(ExecutionMethods, SegmentMethods):
    """A program of tensors.

        with FusionDefinition() as fd:
            x = fd.define_tensor([-1, -1], contiguity=True, dtype=DataType.Float)
            y = fd.ops.relu(x)
            fd.add_output(y)
        (result,) = fd.execute([array])

    It can be changed between the start and the end of the `with` block only, and executed after it. Equal definitions
    share what is compiled for them.
    """

    ops: Ops
    """The functions: each records an op."""

    def __init__(self) -> None:
        self.ops = Ops(self)
        self._records: list[Record] = []
        self._values: list[Value] = []
        self._inputs: list[Value] = []
        self._outputs: list[Output] = []
        self._node: Node | None = None
        self._fusion: Fusion | None = None
        self._state = "before its start"
        self._schedule = {"scheduler": None, "schedule": None, "script": None, "mark_boundaries": None}
        self._region = ""

    def __enter__(self) -> FusionDefinition:
        if self._state != "before its start":
            raise DefinitionError("DefinitionState", f"expected a new definition, but got one {self._state}")
        self._node, self._state = CACHE.root, "open"
        return self

    def __exit__(self, kind, error, traceback) -> None:
        if kind is not None:
            self._state = "that failed"
            return
        if not self._outputs:
            self._state = "that failed"
            raise DefinitionError("NoOutput", "expected add_output before the end of the definition, but got no output")
        self._node = CACHE.advance(self._node, ("end",), tuple)
        self._fusion = CACHE.finish(
            self._node, lambda: Fusion(self._records, self._values, self._inputs, self._outputs)
        )
        self._state = "after its end"

    @contextlib.contextmanager
    def region(self, name: str):
        """The calls in a `with` block belong to this region, "attention"; regions nest: "encoder.attention". A region
        changes no result. `mark_boundaries("@encoder.attention")` keeps segments from crossing its border."""
        if not isinstance(name, str) or not re.fullmatch(r"[\w.\-/]+", name):
            raise ArgumentError(
                "ArgumentKind", f"region: expected a name of letters, digits, '_', '-', '/' and '.', but got {name!r}"
            )
        outer, self._region = self._region, f"{self._region}.{name}" if self._region else name
        try:
            yield
        finally:
            self._region = outer

    # Recording

    def _record(self, op: str, **arguments):
        """Appends a record; returns its result, or a tuple of several ones."""
        if self._state != "open":
            raise DefinitionError(
                "DefinitionState",
                f"{op}: expected a call inside of the `with` block, but the definition is {self._state}",
            )
        first = len(self._values)
        operation = OPERATIONS[op]
        self._node = CACHE.advance(
            self._node,
            make_key(op, arguments, self._region),
            lambda: tuple(_own(type, first + i) for i, type in enumerate(operation.infer(arguments))),
        )
        results = tuple(make_value(self, first + i, type) for i, type in enumerate(self._node.types))
        self._values += results
        self._records.append(Record(op, arguments, results, self._region))
        if op in ("define_tensor", "rng_state") or (op == "define_scalar" and arguments["value"] is None):
            self._inputs += results
        return results[0] if len(results) == 1 else results

    def _check_value(self, value: Value, op: str, parameter: str) -> None:
        if value.definition is not self:
            raise DefinitionError(
                "ForeignValue",
                f"{op}: {parameter}: expected a value of this definition, but got {value!r} of another one",
            )

    def _operand(self, value: Operand, op: str, parameter: str) -> TensorView | Scalar:
        """A tensor or scalar; numbers become constants."""
        if isinstance(value, (TensorView, Scalar)):
            self._check_value(value, op, parameter)
            return value
        if isinstance(value, (Vector, str, bytes, list, tuple, dict)) or value is None:
            raise DTypeError(
                "ArgumentKind", f"{op}: {parameter}: expected a tensor, scalar or number, but got {value!r}"
            )
        return self.define_scalar(value)

    def _scalar(self, value: Operand, op: str, parameter: str) -> Scalar:
        scalar = self._operand(value, op, parameter)
        if not isinstance(scalar, Scalar):
            raise DTypeError("ArgumentKind", f"{op}: {parameter}: expected a scalar or number, but got {value!r}")
        return scalar

    def _constant_of(self, scalar: Scalar) -> object:
        """The value of a constant; None for other scalars."""
        record = next(record for record in self._records if scalar in record.results)
        return record.arguments["value"] if record.op == "define_scalar" else None

    def _shape(self, shape: Shape, op: str, parameter: str, least: int | None = 0) -> tuple[SizeLike, ...]:
        """Sizes as numbers of at least `least`, and scalars of integers."""
        if isinstance(shape, Vector):
            self._check_value(shape, op, parameter)
            shape = [shape[i] for i in range(len(shape))]
        if not isinstance(shape, Sequence) or isinstance(shape, str):
            shape = list(shape) if hasattr(shape, "__iter__") else [shape]
        sizes: list[SizeLike] = []
        for i, size in enumerate(shape):
            where = f"{op}: {parameter}[{i}]"
            if isinstance(size, Scalar):
                self._check_value(size, op, f"{parameter}[{i}]")
                if not size.dtype.is_integer:
                    raise DTypeError(
                        "DTypeMismatch", f"{where}: expected an integer, but got {size!r} of {size.dtype!r}"
                    )
                sizes.append(size.type.extent if isinstance(size.type.extent, int) else size)
                continue
            number = convert_number(size, "i64", where)
            if least is not None and number < least:
                raise ShapeError("SizeMismatch", f"{where}: expected at least {least}, but got {number}")
            sizes.append(number)
        return tuple(sizes)

    # Inputs

    def define_tensor(
        self,
        shape: Sequence[int] | None = None,
        contiguity: bool | None | Sequence[bool | None] = None,
        dtype: DataType = DataType.Float,
        is_cpu: bool = False,
        stride_order: Sequence[int] = (),
        *,
        sizes: Sequence[int] | None = None,
        strides: Sequence[int] | None = None,
        static_sizes: bool = False,
    ) -> TensorView:
        """A tensor argument.

        shape         -1 for a size that is known at run time, 1 for a dimension that is broadcast, else the size
        contiguity    for each dimension, from slowest to fastest, whether its stride is the product of the faster
        sizes;
                      None for a dimension of size 1. One flag counts for all; by default every call decides.
        is_cpu        a tensor without dimensions in host memory, for a program that runs on a GPU
        stride_order  the place of each dimension, from fastest (0) to slowest; row-major by default
        sizes, strides  instead of shape and contiguity: those of a tensor, dynamic but with `static_sizes`

        Raises ShapeError for sizes below -1, RankError for lists of another length.
        """
        dtype = check_dtype(dtype, "define_tensor: dtype")
        if sizes is not None or strides is not None:
            if shape is not None or sizes is None or strides is None:
                raise ArgumentError("ArgumentKind", "define_tensor: expected sizes and strides, or shape")
            shape, contiguity, stride_order = _describe(sizes, strides, static_sizes)
        if shape is None:
            raise ArgumentError("ArgumentKind", "define_tensor: shape: expected a list of sizes, but got None")
        extents = self._shape(shape, "define_tensor", "shape", least=-1)
        if not all(isinstance(size, int) for size in extents):
            raise ArgumentError("ArgumentKind", "define_tensor: shape: expected numbers, but got scalars")
        if is_cpu and extents:
            raise RankError("RankMismatch", f"define_tensor: is_cpu: expected no dimensions, but got {len(extents)}")
        order = check_stride_order(stride_order, len(extents), "define_tensor") if stride_order else ()
        flags = self._contiguity(contiguity, extents, order)
        return self._record(
            "define_tensor", shape=extents, contiguity=flags, dtype=dtype, is_cpu=bool(is_cpu), stride_order=order
        )

    def _contiguity(
        self, contiguity, extents: tuple[int, ...], order: tuple[int, ...]
    ) -> tuple[bool | None, ...] | None:
        if contiguity is None:
            return None if not order else self._contiguity(True, extents, order)
        if isinstance(contiguity, bool):
            slowest_first = [extents[dim] for dim in sorted(range(len(order)), key=lambda dim: -order[dim])]
            return tuple(None if size == 1 else contiguity for size in slowest_first or extents)
        check_length(contiguity, len(extents), "define_tensor", "contiguity")
        return tuple(None if flag is None else bool(flag) for flag in contiguity)

    def define_scalar(self, value=None, dtype: DataType | None = None) -> Scalar:
        """A constant, or without a value (`define_scalar(DataType.Int)`, `define_scalar(dtype=...)`) an argument, of
        Double by default. Raises ScalarError for a value that the type cannot hold."""
        if isinstance(value, DataType):
            if dtype is not None:
                raise ArgumentError("ArgumentKind", f"define_scalar: value: expected a number, but got {value!r}")
            value, dtype = None, value
        if dtype is not None:
            dtype = check_dtype(dtype, "define_scalar: dtype", null=True)
        if dtype is None or dtype is DataType.Null:
            dtype = DataType.Double if value is None else _dtype_of_number(value)
        number = None if value is None else convert_number(value, dtype.value, "define_scalar: value")
        return self._record("define_scalar", value=number, dtype=dtype)

    def define_vector(self, values: int | Sequence[SizeLike] | None = None, *, size: int | None = None) -> Vector:
        """A list of sizes: numbers and scalars of the definition; or, of a number, that many scalar arguments of
        Int."""
        if size is not None or isinstance(values, int):
            count = size if size is not None else values
            values = [self.define_scalar(DataType.Int) for _ in range(count)]
        items = self._shape(values, "define_vector", "values", least=-1)
        return self._record("define_vector", values=items)

    def from_pytorch(self, tensor, static_sizes: bool = False) -> TensorView:
        """A tensor argument like a tensor of PyTorch or an array of NumPy: its type, rank, layout and, with
        `static_sizes`, sizes. Dimensions of size 1 stay broadcast."""
        dtype = dtype_of(tensor, "from_pytorch: tensor")
        sizes = [int(size) for size in tensor.shape]
        strides = tensor.stride() if callable(getattr(tensor, "stride", None)) else None
        if strides is None:
            strides = [stride // tensor.itemsize for stride in tensor.strides]
        is_cuda = bool(getattr(tensor, "is_cuda", False))
        is_cpu = not sizes and not is_cuda and hasattr(tensor, "is_cuda")
        return self.define_tensor(
            sizes=sizes,
            strides=[int(stride) for stride in strides],
            dtype=dtype,
            static_sizes=static_sizes,
            is_cpu=is_cpu,
        )

    # Outputs

    def add_output(
        self,
        output: TensorView,
        alias_input: TensorView | None = None,
        stride_order: Sequence[int] | None = None,
    ) -> None:
        """Returns a tensor from the program. With `alias_input` it is stored in that argument's memory instead of being
        returned; with `stride_order` (places from fastest, 0, to slowest) in that order."""
        if isinstance(output, Vector) or not isinstance(output, TensorView):
            raise DTypeError("ArgumentKind", f"add_output: output: expected a tensor, but got {output!r}")
        self._check_value(output, "add_output", "output")
        if alias_input is not None:
            self._check_alias(output, alias_input)
        order = None
        if stride_order is not None and len(stride_order):
            order = check_stride_order(stride_order, output.ndim, "add_output")
        self._record("add_output", output=output, alias_input=alias_input, stride_order=order)
        self._outputs.append(Output(output, None if alias_input is None else alias_input.index, order))

    def _check_alias(self, output: TensorView, alias: TensorView) -> None:
        if not isinstance(alias, TensorView) or alias not in self._inputs:
            raise DefinitionError(
                "AliasOfNoInput", f"add_output: alias_input: expected a tensor argument, but got {alias!r}"
            )
        if alias.dtype is not output.dtype:
            raise DTypeError(
                "DTypeMismatch", f"add_output: alias_input: expected {output.dtype!r}, but got {alias.dtype!r}"
            )
        if alias.ndim != output.ndim:
            raise RankError(
                "RankMismatch", f"add_output: alias_input: expected rank {output.ndim}, but got rank {alias.ndim}"
            )
        for dim, (a, b) in enumerate(zip(alias.sizes, output.sizes, strict=True)):
            if a != b and -1 not in (a, b):
                raise ShapeError(
                    "SizeMismatch", f"add_output: alias_input: expected size {b} in dimension {dim}, but got {a}"
                )

    # What it is

    @property
    def fusion(self) -> Fusion:
        """What was built of the definition."""
        if self._fusion is None:
            raise DefinitionError("DefinitionState", f"expected a definition after its end, but it is {self._state}")
        return self._fusion

    def inputs(self) -> list[int]:
        """The ids of the arguments, in the order of `execute`."""
        return list(self.fusion.inputs)

    def outputs(self) -> list[int]:
        """The ids of the outputs."""
        return list(self.fusion.outputs)

    def extents(self) -> list[int]:
        """The ids of the sizes of tensor arguments: -1 - i for the i-th one, counted over tensor arguments in order and
        the dimensions of each in order. Ids of values are never negative, so that these do not collide."""
        return list(self.fusion.extents)

    def extent_binding(self, extent: int) -> tuple[int, int]:
        """The tensor argument and dimension whose size an extent is. Raises UnknownIdError for another id."""
        index = -1 - extent
        if not 0 <= index < len(self.fusion.bindings):
            raise UnknownIdError(
                "UnknownId", f"expected an extent from {-len(self.fusion.bindings)} to -1, but got {extent}"
            )
        return self.fusion.bindings[index]

    def value_ids(self) -> dict[str, int]:
        """The id of each value by its name in `mlir()`. Scalars that are extents have the extents' ids."""
        return dict(self.fusion.value_ids)

    def value(self, index: int) -> Value:
        """The value of an id. Raises UnknownIdError."""
        if not 0 <= index < len(self._values):
            raise UnknownIdError("UnknownId", f"expected an id from 0 to {len(self._values) - 1}, but got {index}")
        return self._values[index]

    def mlir(self) -> str:
        """The program in MLIR, which `fuser.compile` takes."""
        return self.fusion.text

    def __repr__(self) -> str:
        """Python that defines the same program."""
        lines = ["with FusionDefinition() as fd:"]
        for record in self._records:
            target = (
                "fd" if record.op in ("define_tensor", "define_scalar", "define_vector", "add_output") else "fd.ops"
            )
            arguments = ", ".join(f"{name}={_spell(value)}" for name, value in record.arguments.items())
            results = ", ".join(map(repr, record.results))
            lines.append(f"    {results + ' = ' if results else ''}{target}.{record.op}({arguments})")
        return "\n".join(lines if len(lines) > 1 else [*lines, "    pass"]) + "\n"


def _spell(argument: object) -> str:
    """An argument as Python."""
    if isinstance(argument, (tuple, list)):
        return f"[{', '.join(map(_spell, argument))}]"
    if isinstance(argument, complex):
        return f"complex({_spell(argument.real)}, {_spell(argument.imag)})"
    if isinstance(argument, float) and argument - argument != 0:
        return f'float("{argument}")'
    return repr(argument)


def _own(type: Type, index: int) -> Type:
    """A type whose own sizes are those of the value `index`."""
    if not isinstance(type, TensorType):
        return type
    own = (Size(index, size.dim) if isinstance(size, Size) and size.value == OWN else size for size in type.extents)
    return type._replace(extents=tuple(own))


def _dtype_of_number(value: object) -> DataType:
    if isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool"):
        return DataType.Bool
    if isinstance(value, complex) or "complex" in str(getattr(value, "dtype", "")):
        return DataType.ComplexDouble
    return DataType.Int if hasattr(value.__class__, "__index__") else DataType.Double


def _describe(sizes: Sequence[int], strides: Sequence[int], static: bool) -> tuple[list, list, list]:
    """Shape, contiguity and stride order of a tensor with these sizes and strides."""
    check_length(strides, len(sizes), "define_tensor", "strides")
    rank = len(sizes)
    # The place of a dimension of size 1 does not matter; a stable order keeps it where it is.
    slowest_first = sorted(range(rank), key=lambda dim: -strides[dim])
    stride_order = [0] * rank
    for place, dim in enumerate(slowest_first):
        stride_order[dim] = rank - 1 - place
    contiguity: list[bool | None] = [None] * rank
    dense = 1
    for place in reversed(range(rank)):
        dim = slowest_first[place]
        if sizes[dim] != 1:
            contiguity[place] = strides[dim] == dense
            dense = strides[dim] * sizes[dim]
    shape = [size if static or size == 1 else -1 for size in sizes]
    return shape, contiguity, stride_order


__all__ = ["FusionDefinition"]
