"""Element types of definitions, and how they promote."""

import enum

from fuser._errors import DTypeError


class DataType(enum.Enum):
    """An element type, by nvFuser's names; Int8 and Int16 are extensions. The value is the type in MLIR."""

    Double = "f64"
    Float = "f32"
    Half = "f16"
    BFloat16 = "bf16"
    Float8_e4m3fn = "f8E4M3FN"
    Float8_e5m2 = "f8E5M2"
    Int = "i64"
    Int32 = "i32"
    Int16 = "i16"
    Int8 = "i8"
    Bool = "i1"
    ComplexFloat = "complex<f32>"
    ComplexDouble = "complex<f64>"
    Null = None

    # nvFuser's type of sizes.
    Index = "i64"

    def __repr__(self) -> str:
        return f"DataType.{self.name}"

    @property
    def is_complex(self) -> bool:
        return self in (DataType.ComplexFloat, DataType.ComplexDouble)

    @property
    def is_float(self) -> bool:
        return self.value is not None and self.value[0] in "fb"

    @property
    def is_integer(self) -> bool:
        """True for integers other than Bool."""
        return self.value is not None and self.value[0] == "i" and self is not DataType.Bool

    @property
    def category(self) -> int:
        """0 bool, 1 integer, 2 float, 3 complex: the order in which PyTorch promotes."""
        return 0 if self is DataType.Bool else 1 if self.is_integer else 2 if self.is_float else 3

    @property
    def part(self) -> "DataType":
        """The type of the parts of complex numbers; any other type itself."""
        return {DataType.ComplexFloat: DataType.Float, DataType.ComplexDouble: DataType.Double}.get(self, self)


_NAMES = {
    "float64": DataType.Double,
    "float32": DataType.Float,
    "float16": DataType.Half,
    "bfloat16": DataType.BFloat16,
    "float8_e4m3fn": DataType.Float8_e4m3fn,
    "float8_e5m2": DataType.Float8_e5m2,
    "int64": DataType.Int,
    "int32": DataType.Int32,
    "int16": DataType.Int16,
    "int8": DataType.Int8,
    "bool": DataType.Bool,
    "complex64": DataType.ComplexFloat,
    "complex128": DataType.ComplexDouble,
}
DTYPE_NAMES = {dtype: name for name, dtype in _NAMES.items()}


def dtype_of(array: object, argument: str) -> DataType:
    """The type of an array's elements, by the name that its library gives it."""
    return dtype_named(str(getattr(array, "dtype", None)), argument)


def dtype_named(name: str, argument: str) -> DataType:
    """The type that PyTorch or NumPy calls so: "torch.float32", "float32"."""
    name = name.rpartition(".")[2]
    if name not in _NAMES:
        raise DTypeError("DTypeMismatch", f"{argument}: expected elements of {', '.join(_NAMES)}, but got {name}")
    return _NAMES[name]


def check_dtype(dtype: object, argument: str, null: bool = False) -> DataType:
    """`dtype`, if it is a DataType (other than Null, where `null` is false)."""
    if not isinstance(dtype, DataType) or (dtype is DataType.Null and not null):
        raise DTypeError("DTypeMismatch", f"{argument}: expected a DataType, but got {dtype!r}")
    return dtype


def join(a: DataType, b: DataType) -> DataType:
    """The least type that holds both, as PyTorch promotes two tensors."""
    if a is b:
        return a
    if a.category != b.category:
        low, high = sorted((a, b), key=lambda dtype: dtype.category)
        # A complex number of the float's width.
        return DataType.ComplexDouble if high.is_complex and low is DataType.Double else high
    if a.is_complex:
        return DataType.ComplexDouble
    if a.is_integer:
        return max(a, b, key=lambda dtype: int(dtype.value[1:]))
    widths = {DataType.Double: 64, DataType.Float: 32}
    # Two different types of at most 16 bits: neither holds the other.
    return max(a, b, key=lambda dtype: widths.get(dtype, 0)) if a in widths or b in widths else DataType.Float


def widen(dtype: DataType, scalar: DataType) -> DataType:
    """The type of a tensor of `dtype` and a scalar, which counts by its category only, as in PyTorch."""
    if scalar.category <= dtype.category:
        return dtype
    if scalar.is_complex:
        return DataType.ComplexDouble if dtype is DataType.Double else DataType.ComplexFloat
    return DataType.Float if scalar.is_float else DataType.Int
