"""Values of a definition: tensors, scalars, vectors of sizes."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence

from fuser._dtypes import DataType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fuser._definition import FusionDefinition


class Size(namedtuple("Size", ("value", "dim"), defaults=(-1,))):
    """A size that is known at run time only: of a dimension of the value of an id, or a scalar (`dim` -1)."""

    __slots__ = ()


# A static size, or one of these.
Extent = int | Size


class TensorType(namedtuple("TensorType", ("dtype", "extents"))):
    """A DataType, and an Extent for each dimension."""

    __slots__ = ()

    def __str__(self) -> str:
        sizes = "".join("?x" if isinstance(size, Size) else f"{size}x" for size in self.extents)
        return f"tensor<{sizes}{self.dtype.value}>"


class ScalarType(namedtuple("ScalarType", ("dtype", "extent"), defaults=(None,))):
    """A DataType, and the size or the constant integer that the scalar is known to be, or None."""

    __slots__ = ()


class VectorType(namedtuple("VectorType", ("items",))):
    """Numbers, and scalars as Size of their ids."""

    __slots__ = ()


Type = TensorType | ScalarType | VectorType


class Value:
    """What a function of `fd.ops` returns. `index` is its id in the definition (>= 0)."""

    __slots__ = ("definition", "index", "type")

    def __init__(self, definition: FusionDefinition, index: int, type: Type):
        self.definition, self.index, self.type = definition, index, type


class _Number(Value):
    """Operators, as `fd.ops` has them."""

    __slots__ = ()

    @property
    def dtype(self) -> DataType:
        return self.type.dtype

    def __add__(self, other):
        return self.definition.ops.add(self, other)

    def __radd__(self, other):
        return self.definition.ops.add(other, self)

    def __sub__(self, other):
        return self.definition.ops.sub(self, other)

    def __rsub__(self, other):
        return self.definition.ops.sub(other, self)

    def __mul__(self, other):
        return self.definition.ops.mul(self, other)

    def __rmul__(self, other):
        return self.definition.ops.mul(other, self)

    def __truediv__(self, other):
        return self.definition.ops.truediv(self, other)

    def __rtruediv__(self, other):
        return self.definition.ops.truediv(other, self)

    def __neg__(self):
        return self.definition.ops.neg(self)


class TensorView(_Number):
    """A tensor of a definition."""

    __slots__ = ()

    @property
    def ndim(self) -> int:
        return len(self.type.extents)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The static sizes; -1 where a size is known at run time only."""
        return tuple(-1 if isinstance(size, Size) else size for size in self.type.extents)

    def size(self, dim: int) -> Scalar:
        """The size of a dimension, as a scalar of the definition."""
        return self.definition.ops.size(self, dim)

    def shape(self) -> Vector:
        """All sizes."""
        return self.definition.ops.shape(self)

    def __repr__(self) -> str:
        return f"T{self.index}"


class Scalar(_Number):
    """A scalar of a definition."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"S{self.index}"


class Vector(Value):
    """A list of sizes of a definition."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.type.items)

    def __getitem__(self, index: int) -> Scalar | int:
        item = self.type.items[index]
        return self.definition._values[item.value] if isinstance(item, Size) else item

    def __repr__(self) -> str:
        return f"V{self.index}"


Number = bool | int | float | complex
Operand = TensorView | Scalar | Number
SizeLike = int | Scalar
Shape = Vector | Sequence[SizeLike]


def make_value(definition: FusionDefinition, index: int, type: Type) -> Value:
    kinds = {TensorType: TensorView, ScalarType: Scalar, VectorType: Vector}
    return kinds[type.__class__](definition, index, type)
