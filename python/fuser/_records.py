"""Records: the calls that a definition consists of.

A record is a function of `fd.ops` (or `define_...`) with its arguments after promotion, so that calling the function
with these arguments again makes the same record. Definitions are printed, compared, emitted as MLIR and split into
segments by their records.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable

from fuser._dtypes import DataType
from fuser._errors import DTypeError, RankError
from fuser._values import Extent, Scalar, Size, TensorType, TensorView, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

# The size of a result's own dimension, until the result has an id.
OWN = -1


class Record:
    """A call of the function `op`."""

    __slots__ = ("arguments", "op", "region", "results")

    def __init__(self, op: str, arguments: dict[str, object], results: tuple[Value, ...], region: str = ""):
        self.op, self.arguments, self.results, self.region = op, arguments, results, region

    @property
    def key(self) -> tuple:
        return make_key(self.op, self.arguments, self.region)

    def operands(self) -> list[Value]:
        """All values among the arguments, in order."""
        found: list[Value] = []

        def visit(argument: object) -> None:
            if isinstance(argument, Value):
                found.append(argument)
            elif isinstance(argument, (tuple, list)):
                for item in argument:
                    visit(item)

        for argument in self.arguments.values():
            visit(argument)
        return found


def make_key(op: str, arguments: dict[str, object], region: str = "") -> tuple:
    """What two equal records have in common: values are their ids, numbers keep their type and bits."""

    def freeze(argument: object) -> object:
        if isinstance(argument, Value):
            return ("%", argument.index)
        if isinstance(argument, (tuple, list)):
            return tuple(map(freeze, argument))
        # 1, 1.0 and True are equal, and so are 0.0 and -0.0; NaN equals nothing.
        return (type(argument).__name__, repr(argument)) if isinstance(argument, (int, float, complex)) else argument

    key = (op, *((name, freeze(argument)) for name, argument in arguments.items()))
    return (*key, ("region", region)) if region else key


class Operation(namedtuple("Operation", ("infer", "emit"))):
    """How records of one function are typed, infer(arguments) -> types, and emitted, emit(emitter, arguments,
    results)."""

    __slots__ = ()


# By the name of the function.
OPERATIONS: dict[str, Operation] = {}


def register(name: str, infer: Callable, emit: Callable) -> None:
    OPERATIONS[name] = Operation(infer, emit)


def own_extents(count: int, known: dict[int, Extent] | None = None) -> tuple[Extent, ...]:
    """Sizes that only the result knows, but for the known ones."""
    known = known or {}
    return tuple(known.get(dim, Size(OWN, dim)) for dim in range(count))


def extent_of(size: int | Scalar) -> Extent:
    """The size that an argument stands for."""
    if isinstance(size, int):
        return size
    return size.type.extent if size.type.extent is not None else Size(size.index)


def check_tensor(value: object, op: str, parameter: str) -> TensorView:
    if not isinstance(value, TensorView):
        raise DTypeError("ArgumentKind", f"{op}: {parameter}: expected a tensor, but got {value!r}")
    return value


def check_dim(dim: object, rank: int, op: str, parameter: str = "dim") -> int:
    """A dimension, counted from the start."""
    try:
        number = dim.__index__()
    except AttributeError:
        raise DTypeError("ArgumentKind", f"{op}: {parameter}: expected an integer, but got {dim!r}") from None
    if not -rank <= number < rank:
        raise RankError("RankMismatch", f"{op}: {parameter}: expected a dimension of {rank}, but got {number}")
    return number % rank


def check_dims(dims: object, rank: int, op: str, parameter: str = "dims") -> tuple[int, ...]:
    """Dimensions in ascending order, each once."""
    items = dims if isinstance(dims, (list, tuple)) else (dims,)
    found = sorted(check_dim(dim, rank, op, parameter) for dim in items)
    if len(set(found)) != len(found):
        raise RankError("RankMismatch", f"{op}: {parameter}: expected each dimension once, but got {dims!r}")
    return tuple(found)


def check_length(items: object, length: int, op: str, parameter: str) -> None:
    if len(items) != length:
        raise RankError("RankMismatch", f"{op}: {parameter}: expected {length} items, but got {len(items)}")


def tensor_like(type: TensorType, dtype=None, extents: tuple[Extent, ...] | None = None) -> TensorType:
    return TensorType(dtype or type.dtype, type.extents if extents is None else extents)


def check_converts(value: Scalar, dtype: DataType, argument: str) -> None:
    """Raises DTypeError where elements of `dtype` cannot be made of a scalar."""
    if value.dtype.category > dtype.category:
        raise DTypeError("DTypeMismatch", f"{argument}: expected a scalar for {dtype!r}, but got {value.dtype!r}")
