"""The MLIR text of a definition."""

from __future__ import annotations

import re
import struct

from fuser._dtypes import DataType
from fuser._values import Scalar, TensorType, TensorView, Value

# How a scalar argument is passed, where the dialect has no scalar arguments of its type, and the op that narrows it.
CARRIERS = {
    DataType.Int32: ("i64", "trunci"),
    DataType.Int16: ("i64", "trunci"),
    DataType.Int8: ("i64", "trunci"),
    DataType.Half: ("f32", "truncf"),
    DataType.BFloat16: ("f32", "truncf"),
    DataType.Float8_e4m3fn: ("f32", "truncf"),
    DataType.Float8_e5m2: ("f32", "truncf"),
}


def format_float(value: float, dtype: DataType) -> str:
    if value - value == 0:
        return f"{value:.17e}"
    # MLIR spells infinity and NaN by their bits.
    bits = {
        DataType.Double: ("<d", "<Q"),
        DataType.Float: ("<f", "<I"),
        DataType.Half: ("<e", "<H"),
    }
    if dtype in bits:
        pack, unpack = bits[dtype]
        number = struct.unpack(unpack, struct.pack(pack, value))[0]
        return f"0x{number:0{2 * struct.calcsize(unpack)}X}"
    if dtype is DataType.BFloat16:
        return f"0x{struct.unpack('<I', struct.pack('<f', value))[0] >> 16:04X}"
    nan, infinity = {DataType.Float8_e4m3fn: (0x7F, 0x7F), DataType.Float8_e5m2: (0x7E, 0x7C)}[dtype]
    return f"0x{(nan if value != value else infinity) | (0x80 if value < 0 else 0):02X}"


def format_constant(value: complex, dtype: DataType) -> str:
    """`arith.constant ...` of a scalar."""
    if dtype.is_complex:
        part = dtype.part
        parts = ", ".join(f"{format_float(x, part)} : {part.value}" for x in (value.real, value.imag))
        return f"complex.constant [{parts}] : {dtype.value}"
    if dtype is DataType.Bool:
        return f"arith.constant {'true' if value else 'false'}"
    text = str(int(value)) if dtype.is_integer else format_float(float(value), dtype)
    return f"arith.constant {text} : {dtype.value}"


def add_region(text: str, region: str) -> str:
    """The text of an op of fuser with its region; other ops have none."""
    op = re.match(r"(?:%.* = )?fuser\.[^:{]*?(?= (?:\{|: ))", text)
    if op is None:
        return text
    head, tail = text[: op.end()], text[op.end() + 1 :]
    attribute = f'fuser.region = "{region}"'
    return f"{head} {{{attribute}, {tail[1:]}" if tail.startswith("{") else f"{head} {{{attribute}}} {tail}"


class Emitter:
    """Collects the lines of a body. Each op of a tensor is located at its value's name."""

    def __init__(self, locate: bool = False):
        self.lines: list[str] = []
        self.arguments: list[str] = []
        # Sizes that exist as values of type index, by the scalar's id; constants of type index.
        self.indices: dict[int, int | str] = {}
        self.constants: dict[int, str] = {}
        # Scalars whose value is emitted where it is first used.
        self.pending: dict[int, str] = {}
        self.locate = locate
        # Of the ops that follow: the path of the region of the front end.
        self.region = ""

    def line(self, text: str, where: str = "") -> None:
        if self.region:
            text = add_region(text, self.region)
        self.lines.append(f'  {text} loc("{where}")' if where and self.locate else f"  {text}")

    def define(self, results: tuple[Value, ...], text: str) -> None:
        """An op with these results."""
        names = ", ".join(f"%{value!r}" for value in results)
        self.line(f"{names} = {text}", f"{results[0]!r}")

    def temporary(self, text: str) -> str:
        name = f"%{len(self.lines)}"
        self.line(f"{name} = {text}")
        return name

    def name(self, value: Value) -> str:
        if value.index in self.pending:
            self.line(f"%{value!r} = {self.pending.pop(value.index)}")
        return f"%{value!r}"

    def type(self, value: Value) -> str:
        return str(value.type) if isinstance(value.type, TensorType) else value.type.dtype.value

    # Sizes

    def constant_index(self, number: int) -> str:
        if number not in self.constants:
            self.constants[number] = self.temporary(f"arith.constant {number} : index")
        return self.constants[number]

    def index(self, size: int | Scalar) -> int | str:
        """A number, or the name of a value of type index."""
        if isinstance(size, int):
            return size
        if size.index not in self.indices:
            self.indices[size.index] = self.temporary(
                f"arith.index_cast {self.name(size)} : {self.type(size)} to index"
            )
        return self.indices[size.index]

    def size_of(self, tensor: TensorView, dim: int) -> int | str:
        size = tensor.type.extents[dim]
        if isinstance(size, int):
            return size
        return self.temporary(f"tensor.dim {self.name(tensor)}, {self.constant_index(dim)} : {tensor.type}")

    def compute(self, op: str, a: int | str, b: int | str) -> str:
        """`op` (addi, subi, floordivsi, ceildivsi) of two sizes, of which one is dynamic."""
        names = (self.constant_index(x) if isinstance(x, int) else x for x in (a, b))
        return self.temporary(f"arith.{op} {', '.join(names)} : index")

    def sizes_of(self, type: TensorType, shape: tuple[int | Scalar, ...]) -> str:
        """` sizes(...)`: the sizes of the dynamic dimensions of a result."""
        names = []
        for size, wanted in zip(type.extents, shape, strict=True):
            if not isinstance(size, int):
                name = self.index(wanted)
                names.append(self.constant_index(name) if isinstance(name, int) else name)
        return f" sizes({', '.join(names)})" if names else ""
