"""Functions that make tensors of nothing, and scalars of sizes."""

from __future__ import annotations

from fuser._dtypes import DataType, check_dtype
from fuser._emit import Emitter
from fuser._errors import RankError
from fuser._records import check_converts, check_dim, check_tensor, extent_of, register
from fuser._values import Scalar, ScalarType, Shape, SizeLike, TensorType, TensorView, Vector


def _infer_full(arguments: dict) -> tuple[TensorType]:
    return (TensorType(arguments["dtype"], tuple(map(extent_of, arguments["shape"]))),)


def _emit_full(emitter: Emitter, arguments: dict, results: tuple) -> None:
    value, type = arguments["fill_value"], results[0].type
    name, sizes = emitter.name(value), emitter.sizes_of(type, arguments["shape"])
    emitter.define(results, f"fuser.full {name}{sizes} : {emitter.type(value)} -> {type}")


def _infer_iota(arguments: dict) -> tuple[TensorType]:
    return (TensorType(arguments["dtype"], (extent_of(arguments["length"]),)),)


def _emit_iota(emitter: Emitter, arguments: dict, results: tuple) -> None:
    start, step, type = arguments["start"], arguments["step"], results[0].type
    length = emitter.sizes_of(type, (arguments["length"],)).replace("sizes", "length")
    names = f"{emitter.name(start)}, {emitter.name(step)}"
    emitter.define(results, f"fuser.iota {names}{length} : {emitter.type(start)}, {emitter.type(step)} -> {type}")


# Sizes as scalars


def _infer_size(arguments: dict) -> tuple[ScalarType]:
    tensor, dim = arguments["arg"], arguments["dim"]
    return (ScalarType(DataType.Int, tensor.type.extents[dim]),)


def _emit_size(emitter: Emitter, arguments: dict, results: tuple) -> None:
    (scalar,), size = results, arguments["arg"].type.extents[arguments["dim"]]
    if isinstance(size, int):
        emitter.pending[scalar.index] = f"arith.constant {size} : i64"
        emitter.indices[scalar.index] = size
        return
    name = emitter.size_of(arguments["arg"], arguments["dim"])
    emitter.indices[scalar.index] = name
    emitter.pending[scalar.index] = f"arith.index_cast {name} : index to i64"


register("full", _infer_full, _emit_full)
register("iota", _infer_iota, _emit_iota)
register("size", _infer_size, _emit_size)


class FactoryOps:
    """Functions that make tensors of nothing, and scalars of sizes."""

    def full(self, shape: Shape, fill_value, dtype: DataType) -> TensorView:
        """A tensor of one value, converted to `dtype`."""
        dtype = check_dtype(dtype, "full: dtype")
        value = self._fd._scalar(fill_value, "full", "fill_value")
        check_converts(value, dtype, "full: fill_value")
        return self._fd._record("full", shape=self._fd._shape(shape, "full", "shape"), fill_value=value, dtype=dtype)

    def iota(self, length: SizeLike, start=None, step=None, dtype: DataType = DataType.Int) -> TensorView:
        """start + i * step for each index i below `length`; from 0 in steps of 1 by default."""
        dtype = check_dtype(dtype, "iota: dtype")
        (size,) = self._fd._shape((length,), "iota", "length")
        values = {"start": 0 if start is None else start, "step": 1 if step is None else step}
        scalars = {name: self._fd._scalar(value, "iota", name) for name, value in values.items()}
        for name, scalar in scalars.items():
            check_converts(scalar, dtype, f"iota: {name}")
        return self._fd._record("iota", length=size, **scalars, dtype=dtype)

    def triu(self, arg: TensorView, diagonal: int = 0) -> TensorView:
        """The elements of the last two dimensions whose column is at least row + diagonal; the others are 0."""
        arg = check_tensor(arg, "triu", "arg")
        if arg.ndim < 2:
            raise RankError("RankMismatch", f"triu: arg: expected rank 2 or more, but got rank {arg.ndim}")
        rank = arg.ndim
        rows = self.broadcast(self.iota(self.size(arg, -2)), [dim != rank - 2 for dim in range(rank)])
        columns = self.broadcast(self.iota(self.size(arg, -1)), [dim != rank - 1 for dim in range(rank)])
        return self.where(self.ge(columns, self.add(rows, diagonal)), arg, False if arg.dtype is DataType.Bool else 0)

    # Sizes

    def size(self, arg: TensorView, dim: int) -> Scalar:
        """The size of a dimension."""
        arg = check_tensor(arg, "size", "arg")
        return self._fd._record("size", arg=arg, dim=check_dim(dim, arg.ndim, "size"))

    def shape(self, arg: TensorView) -> Vector:
        """All sizes."""
        arg = check_tensor(arg, "shape", "arg")
        return self._fd.define_vector([self.size(arg, dim) for dim in range(arg.ndim)])

    def at(self, vector: Vector, index: int) -> Scalar:
        """An item of a vector."""
        item = vector[check_dim(index, len(vector), "at", "index")]
        return self._fd.define_scalar(item) if isinstance(item, int) else item
