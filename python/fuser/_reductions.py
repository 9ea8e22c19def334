"""Reductions and scans."""

from __future__ import annotations

from collections.abc import Sequence

from fuser._dtypes import DataType, check_dtype
from fuser._emit import Emitter
from fuser._errors import ArgumentError, DTypeError
from fuser._records import check_dim, check_dims, check_tensor, register, tensor_like
from fuser._values import TensorType, TensorView, Value

Dims = int | Sequence[int] | None


def _one_of(dims: Dims, dim: Dims) -> Dims:
    """`dim` is nvFuser's name of `dims` where it is one number."""
    if dims is not None and dim is not None:
        raise ArgumentError("ArgumentKind", f"dim: expected dim or dims, but got {dim!r} and {dims!r}")
    return dim if dims is None else dims


def _without(type: TensorType, dims: tuple[int, ...], dtype: DataType) -> TensorType:
    return TensorType(dtype, tuple(size for dim, size in enumerate(type.extents) if dim not in dims))


def _infer_reduction(result: str):
    def infer(arguments: dict) -> tuple[TensorType, ...]:
        source = arguments["arg"].type
        dtype = DataType.Bool if result == "bool" else arguments.get("dtype", source.dtype)
        reduced = _without(source, arguments["dims"], dtype)
        if result == "var_mean":
            return reduced._replace(dtype=dtype.part), reduced
        if result == "max_sum_exp":
            return reduced, reduced
        if result == "indexed":
            return reduced, reduced._replace(dtype=arguments["index"].dtype)
        return (reduced,)

    return infer


def _emit_reduction(mnemonic: str):
    def emit(emitter: Emitter, arguments: dict, results: tuple[Value, ...]) -> None:
        operands = [value for value in arguments.values() if isinstance(value, TensorView)]
        names = ", ".join([emitter.name(operand) for operand in operands])
        correction = f" correction {arguments['correction']}" if "correction" in arguments else ""
        types = ", ".join(str(operand.type) for operand in operands)
        emitter.define(
            results,
            f"fuser.{mnemonic} {names} dims {list(arguments['dims'])}{correction} : {types} -> "
            + ", ".join(str(value.type) for value in results),
        )

    return emit


def _emit_scan(mnemonic: str):
    def emit(emitter: Emitter, arguments: dict, results: tuple[Value, ...]) -> None:
        source = arguments["arg"]
        emitter.define(
            results,
            f"fuser.{mnemonic} {emitter.name(source)} dim {arguments['dim']} : {source.type} -> {results[0].type}",
        )

    return emit


for _name in ("sum", "prod", "max", "min", "mean"):
    register(_name, _infer_reduction("same"), _emit_reduction(_name))
for _name in ("any", "all"):
    register(_name, _infer_reduction("bool"), _emit_reduction(_name))
for _name in ("max_with_index", "min_with_index"):
    register(_name, _infer_reduction("indexed"), _emit_reduction(_name))
for _name in ("var_mean", "max_sum_exp"):
    register(_name, _infer_reduction(_name), _emit_reduction(_name))
for _name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"):
    register(
        _name,
        lambda arguments: (tensor_like(arguments["arg"].type, arguments.get("dtype")),),
        _emit_scan(_name),
    )


class ReductionOps:
    """Reductions and scans. `dims` are all dimensions by default; `keep_dim` keeps them with size 1."""

    def _reduce(self, name: str, arg, dims: Dims, keep_dim: bool, **more):
        """Reduces; without dimensions to reduce the operand itself, of the result's type."""
        arg = check_tensor(arg, name, "arg")
        dims = tuple(range(arg.ndim)) if dims is None else check_dims(dims, arg.ndim, name)
        results = self._fd._record(name, arg=arg, **more, dims=dims)
        return self._keep(results, dims, keep_dim)

    def _keep(self, results, dims: tuple[int, ...], keep_dim: bool):
        if not keep_dim or not dims:
            return results
        many = results if isinstance(results, tuple) else (results,)
        flags = [dim in dims for dim in range(many[0].ndim + len(dims))]
        kept = tuple(self.broadcast(result, flags) for result in many)
        return kept if isinstance(results, tuple) else kept[0]

    def _additive(self, name: str, arg, dims: Dims, keep_dim: bool, dtype: DataType):
        arg = check_tensor(arg, name, "arg")
        dtype = check_dtype(dtype, f"{name}: dtype", null=True)
        if dtype is DataType.Null:
            dtype = DataType.Int if arg.dtype.category < 2 else arg.dtype
        # The dialect converts to the result's type before it combines, where that is no narrower kind.
        if arg.dtype is not dtype and (dtype.category < arg.dtype.category or dtype is DataType.Bool):
            arg = self.cast(arg, dtype)
        if arg.ndim == 0 or (dims is not None and not isinstance(dims, int) and len(dims) == 0):
            return self.cast(arg, dtype)
        return self._reduce(name, arg, dims, keep_dim, dtype=dtype)

    def sum(
        self,
        arg: TensorView,
        dims: Dims = None,
        keep_dim: bool = False,
        dtype: DataType = DataType.Null,
        *,
        dim: Dims = None,
    ) -> TensorView:
        """The sum over dimensions. Elements become `dtype` first: Int for integers and bools, else their own type."""
        return self._additive("sum", arg, _one_of(dims, dim), keep_dim, dtype)

    def prod(
        self,
        arg: TensorView,
        dims: Dims = None,
        keep_dim: bool = False,
        dtype: DataType = DataType.Null,
        *,
        dim: Dims = None,
    ) -> TensorView:
        """The product over dimensions. Elements become `dtype` first: Int for integers and bools, else their own
        type."""
        return self._additive("prod", arg, _one_of(dims, dim), keep_dim, dtype)

    def _extreme(self, name: str, arg, dims: Dims, keep_dim: bool):
        arg = check_tensor(arg, name, "arg")
        if arg.dtype.is_complex:
            raise DTypeError("DTypeMismatch", f"{name}: arg: expected real numbers, but got {arg.dtype!r}")
        return arg if arg.ndim == 0 else self._reduce(name, arg, dims, keep_dim)

    def max(
        self,
        arg: TensorView,
        dims: Dims = None,
        keep_dim: bool = False,
        dtype: DataType = DataType.Null,
        *,
        dim: Dims = None,
    ) -> TensorView:
        """The greatest element over dimensions; NaN where one is. `dtype` has no effect."""
        return self._extreme("max", arg, _one_of(dims, dim), keep_dim)

    def min(
        self,
        arg: TensorView,
        dims: Dims = None,
        keep_dim: bool = False,
        dtype: DataType = DataType.Null,
        *,
        dim: Dims = None,
    ) -> TensorView:
        """The smallest element over dimensions; NaN where one is. `dtype` has no effect."""
        return self._extreme("min", arg, _one_of(dims, dim), keep_dim)

    def any(self, arg: TensorView, dims: Dims = None, keep_dim: bool = False) -> TensorView:
        """Whether an element over dimensions is not zero. The result is of Bool."""
        return self._reduce("any", arg, dims, keep_dim)

    def all(self, arg: TensorView, dims: Dims = None, keep_dim: bool = False) -> TensorView:
        """Whether no element over dimensions is zero. The result is of Bool."""
        return self._reduce("all", arg, dims, keep_dim)

    def _as_float(self, arg, name: str) -> TensorView:
        arg = check_tensor(arg, name, "arg")
        return self.cast(arg, DataType.Float) if arg.dtype.category < 2 else arg

    def mean(self, arg: TensorView, dims: Dims = None, keep_dim: bool = False) -> TensorView:
        """The mean over dimensions. Integers become Float."""
        return self._reduce("mean", self._as_float(arg, "mean"), dims, keep_dim)

    def var_mean(
        self, arg: TensorView, dims: Dims = None, correction: int = 1, keepdim: bool = False
    ) -> tuple[TensorView, TensorView]:
        """The variance, divided by the number of elements less `correction`, and the mean over dimensions."""
        if correction < 0:
            raise ArgumentError("ArgumentKind", f"var_mean: correction: expected at least 0, but got {correction}")
        return self._reduce("var_mean", self._as_float(arg, "var_mean"), dims, keepdim, correction=int(correction))

    def var(self, arg: TensorView, dims: Dims = None, correction: int = 1, keepdim: bool = False) -> TensorView:
        """The variance, divided by the number of elements less `correction`."""
        return self.var_mean(arg, dims, correction, keepdim)[0]

    def max_sum_exp(self, arg: TensorView, dims: Dims = None, keep_dim: bool = False) -> tuple[TensorView, TensorView]:
        """The maximum m over dimensions, and the sum of exp(arg - m), in one pass. Integers become Float."""
        arg = self._as_float(arg, "max_sum_exp")
        if arg.dtype.category > 2:
            raise DTypeError("DTypeMismatch", f"max_sum_exp: arg: expected floats, but got {arg.dtype!r}")
        return self._reduce("max_sum_exp", arg, dims, keep_dim)

    def _indexed(self, name: str, arg, index, dims: Dims, keep_dim: bool):
        index = check_tensor(index, name, "index")
        if index.dtype not in (DataType.Int, DataType.Int32):
            raise DTypeError("DTypeMismatch", f"{name}: index: expected Int or Int32, but got {index.dtype!r}")
        return self._reduce(name, arg, dims, keep_dim, index=index)

    def max_with_index(self, arg: TensorView, index: TensorView, dims: Dims = None, keep_dim: bool = False):
        """The greatest element over dimensions, and the element of `index` (Int or Int32, of arg's shape) at its place.
        Of equal elements the one with the smallest index."""
        return self._indexed("max_with_index", arg, index, dims, keep_dim)

    def min_with_index(self, arg: TensorView, index: TensorView, dims: Dims = None, keep_dim: bool = False):
        """The smallest element over dimensions, and the element of `index` (Int or Int32, of arg's shape) at its place.
        Of equal elements the one with the smallest index."""
        return self._indexed("min_with_index", arg, index, dims, keep_dim)

    def _scan(self, name: str, arg, dim: int, **more) -> TensorView:
        arg = check_tensor(arg, name, "arg")
        return self._fd._record(name, arg=arg, dim=check_dim(dim, arg.ndim, name), **more)

    def _additive_scan(self, name: str, arg, dim: int, dtype: DataType) -> TensorView:
        arg = check_tensor(arg, name, "arg")
        dtype = check_dtype(dtype, f"{name}: dtype", null=True)
        if dtype is DataType.Null:
            dtype = DataType.Int if arg.dtype.category < 2 else arg.dtype
        if arg.dtype is not dtype and (dtype.category < arg.dtype.category or dtype is DataType.Bool):
            arg = self.cast(arg, dtype)
        return self._scan(name, arg, dim, dtype=dtype)

    def cumsum(self, arg: TensorView, dim: int, dtype: DataType = DataType.Null) -> TensorView:
        """The sums of the elements up to each one along `dim`. Integers and bools are summed as Int."""
        return self._additive_scan("cumsum", arg, dim, dtype)

    def cumprod(self, arg: TensorView, dim: int, dtype: DataType = DataType.Null) -> TensorView:
        """The products of the elements up to each one along `dim`. Integers and bools are multiplied as Int."""
        return self._additive_scan("cumprod", arg, dim, dtype)

    def cummax(self, arg: TensorView, dim: int) -> TensorView:
        """The greatest of the elements up to each one along `dim`, without their positions."""
        return self._scan("cummax", arg, dim)

    def cummin(self, arg: TensorView, dim: int) -> TensorView:
        """The smallest of the elements up to each one along `dim`, without their positions."""
        return self._scan("cummin", arg, dim)

    def logcumsumexp(self, arg: TensorView, dim: int) -> TensorView:
        """The logarithms of the sums of the exponentials of the elements up to each one along `dim`. Integers become
        Float."""
        arg = self._as_float(arg, "logcumsumexp")
        if arg.dtype.category > 2:
            raise DTypeError("DTypeMismatch", f"logcumsumexp: arg: expected floats, but got {arg.dtype!r}")
        return self._scan("logcumsumexp", arg, dim)
