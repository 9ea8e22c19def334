"""The text of a region: a `fuser.fusion` that is written op by op, with the types that PyTorch's tracing found."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

import sympy
import torch

ELEMENT_TYPES = {
    torch.float64: "f64",
    torch.float32: "f32",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.int16: "i16",
    torch.int8: "i8",
    # The same bits; `Builder.cast` and `_narrow.py` take care of the sign.
    torch.uint8: "i8",
    torch.bool: "i1",
    torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2: "f8E5M2",
}
FLOAT8_TYPES = (torch.float8_e4m3fn, torch.float8_e5m2)
HALF_TYPES = (torch.float16, torch.bfloat16)


def compute_type(dtype: torch.dtype) -> torch.dtype:
    """What elements of a type are computed in."""
    return torch.float32 if dtype in HALF_TYPES else dtype


# The greatest number of float8_e4m3fn.
_GREATEST_E4M3 = 448.0
# Whether numbers beyond it become it, as in later versions of PyTorch, or NaN, as the dialect has it.
SATURATES = not math.isnan(torch.tensor(1e4, device="cpu").to(torch.float8_e4m3fn).item())

# A size: a number, or an expression of symbols.
Extent = int | sympy.Expr


class Unsupported(Exception):
    """An op, or a form of one, that has no lowering. The message is the reason in a report."""


def extent_of(size: object) -> Extent:
    """A size of a traced tensor. Products of sizes that a guard states to be equal, such as those of rows and columns
    that two views merge, are one expression. What a guard states to be a number or one size is that: a view as groups
    of 64 rows computes 64 from the number of rows and the number of groups."""
    if isinstance(size, torch.SymInt):
        expression = size.node.expr
        if not expression.is_number and not expression.is_Symbol:
            expression = expression.xreplace(_stated_sizes(size.node.shape_env))
        if expression.is_Mul:
            expression = _first_of_equals(expression, size.node.shape_env)
        return int(expression) if expression.is_number else expression
    return int(size)


def _stated_sizes(environment: object) -> dict[sympy.Expr, sympy.Expr]:
    """What guards state about expressions of sizes: that they are a number, or one size."""
    stated: dict[sympy.Expr, sympy.Expr] = {}
    for guard in environment.guards:
        if isinstance(guard.expr, sympy.Eq):
            left, right = map(environment.replace, guard.expr.args)
            if not (left.is_number or left.is_Symbol) and (right.is_number or right.is_Symbol):
                stated.setdefault(left, right)
    return stated


def _first_of_equals(product: sympy.Expr, environment: object) -> sympy.Expr:
    for guard in environment.guards:
        if isinstance(guard.expr, sympy.Eq) and guard.expr.rhs == product and guard.expr.lhs.is_Mul:
            # Its symbols may have been replaced since.
            return environment.replace(guard.expr.lhs)
    return product


def element_type(dtype: torch.dtype) -> str:
    if dtype not in ELEMENT_TYPES:
        raise Unsupported(f"elements of {str(dtype).removeprefix('torch.')}")
    return ELEMENT_TYPES[dtype]


class Tensor(NamedTuple):
    """A tensor of the region."""

    name: str
    dtype: torch.dtype
    shape: tuple[Extent, ...]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def type(self) -> str:
        return type_of(self.dtype, self.shape)


class Scalar(NamedTuple):
    """A scalar of the region. `number` is its value where that is a constant."""

    name: str
    type: str
    number: object = None


def type_of(dtype: torch.dtype, shape: Sequence[Extent]) -> str:
    sizes = "".join(f"{size}x" if isinstance(size, int) else "?x" for size in shape)
    return f"tensor<{sizes}{element_type(dtype)}>"


def format_number(value: object, type: str) -> str:
    """The attribute of a constant."""
    if type == "i1":
        return "true" if value else "false"
    if type[0] == "i":
        return f"{int(value)} : {type}"
    value = float(value)
    if value - value == 0:
        return f"{value:.17e} : {type}"
    pack, unpack = {"f64": ("<d", "<Q"), "f32": ("<f", "<I")}[type]
    bits = struct.unpack(unpack, struct.pack(pack, value))[0]
    return f"0x{bits:0{2 * struct.calcsize(unpack)}X} : {type}"


class Builder:
    """Collects arguments and ops. Values are named in the order of definition: equal regions are equal texts."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        # Of each argument what the caller passes (any key), its name and type.
        self.arguments: list[tuple[object, str, str]] = []
        # Dimensions of arguments that have one symbolic size, and where each size is found first.
        self.facts: list[str] = []
        self._places: dict[Extent, str] = {}
        self.tensors: list[Tensor] = []
        # Random ops take their own numbers from one seed and an offset of the call. The seed is a scalar, or a tensor.
        self.random_ops = 0
        self.has_seed_tensor = False
        self._seed: Tensor | Scalar | None = None
        self._indices: dict[Extent, str] = {}
        self._constants: dict[tuple, Scalar] = {}
        self._scalars: dict[object, Scalar] = {}
        self._reshapes: dict[tuple, Tensor] = {}
        self._count = 0

    # Arguments

    def tensor_argument(self, key: object, dtype: torch.dtype, shape: Sequence[object]) -> Tensor:
        number = len(self.arguments)
        tensor = Tensor(f"%a{number}", dtype, tuple(map(extent_of, shape)))
        for dim, size in enumerate(tensor.shape):
            if not isinstance(size, int) and size in self._places:
                self.facts.append(f"#fuser.fact<equal {number}[{dim}], {self._places[size]}>")
            elif not isinstance(size, int):
                self._places[size] = f"{number}[{dim}]"
        self.arguments.append((key, tensor.name, tensor.type))
        self.tensors.append(tensor)
        return tensor

    def scalar_argument(self, key: object, type: str) -> Scalar:
        if key not in self._scalars:
            scalar = Scalar(f"%a{len(self.arguments)}", type)
            self.arguments.append((key, scalar.name, type))
            self._scalars[key] = scalar
        return self._scalars[key]

    def seed_argument(self, key: object) -> Tensor | Scalar:
        if self._seed is None:
            is_tensor = self.has_seed_tensor
            self._seed = self.tensor_argument(key, torch.int64, ()) if is_tensor else self.scalar_argument(key, "i64")
        return self._seed

    # Ops

    def _name(self) -> str:
        self._count += 1
        return f"%{self._count}"

    def line(self, text: str) -> str:
        """An op with one result that is no tensor."""
        name = self._name()
        self.lines.append(f"{name} = {text}")
        return name

    def define(self, text: str, dtype: torch.dtype, shape: Sequence[Extent]) -> Tensor:
        """An op with one tensor as result. `{type}` in the text stands for its type."""
        tensor = Tensor(self._name(), dtype, tuple(shape))
        self.lines.append(f"{tensor.name} = {text.replace('{type}', tensor.type)}")
        return tensor

    def define_two(self, text: str, first: tuple, second: tuple) -> tuple[Tensor, Tensor]:
        a, b = Tensor(self._name(), *first), Tensor(self._name(), *second)
        self.lines.append(f"{a.name}, {b.name} = {text} -> {a.type}, {b.type}")
        return a, b

    def constant(self, value: object, type: str | None = None) -> Scalar:
        """A number as a scalar: of f64, i64 or i1 if `type` is not given."""
        type = type or ("i1" if isinstance(value, bool) else "i64" if isinstance(value, int) else "f64")
        if type == "i64" and not -(2**63) <= int(value) < 2**63:
            raise Unsupported("a number beyond 64 bits")
        text = format_number(value, type)
        if text not in self._constants:
            name = self.line(f"arith.constant {text}")
            self._constants[text] = Scalar(name, type, value)
        return self._constants[text]

    def index(self, size: Extent) -> str:
        """The name of a value of type index."""
        if size not in self._indices:
            self._indices[size] = self._compute_index(size)
        return self._indices[size]

    def _compute_index(self, size: Extent) -> str:
        if isinstance(size, int) or size.is_number:
            return self.line(f"arith.constant {int(size)} : index")
        for tensor in self.tensors:
            if size in tensor.shape:
                dim = self.index(tensor.shape.index(size))
                return self.line(f"tensor.dim {tensor.name}, {dim} : {tensor.type}")
        if size.is_Symbol:
            scalar = self.scalar_argument(size, "i64")
            return self.line(f"arith.index_cast {scalar.name} : i64 to index")
        if size.is_Pow and size.exp.is_Integer and 1 < size.exp <= 8:
            base = self.index(size.base)
            result = base
            for _ in range(int(size.exp) - 1):
                result = self.line(f"arith.muli {result}, {base} : index")
            return result
        names = {"Add": "addi", "Mul": "muli", "FloorDiv": "floordivsi", "CleanDiv": "floordivsi", "Mod": "remsi"}
        op = names.get(type(size).__name__)
        if op is None:
            raise Unsupported(f"a size of {type(size).__name__}")
        first, *others = map(self.index, size.args)
        for other in others:
            first = self.line(f"arith.{op} {first}, {other} : index")
        return first

    def sizes(self, shape: Sequence[Extent]) -> str:
        """` sizes(...)`: the dynamic sizes of a result."""
        names = [self.index(size) for size in shape if not isinstance(size, int)]
        return f" sizes({', '.join(names)})" if names else ""

    def list_of(self, sizes: Sequence[Extent]) -> str:
        """`[...]` of numbers and values of type index."""
        return f"[{', '.join(str(size) if isinstance(size, int) else self.index(size) for size in sizes)}]"

    def scalar(self, value: object) -> Scalar:
        """A number, or a size, as a scalar."""
        if isinstance(value, torch.SymInt):
            value = extent_of(value)
        if isinstance(value, sympy.Expr):
            return Scalar(self.line(f"arith.index_cast {self.index(value)} : index to i64"), "i64")
        return value if isinstance(value, Scalar) else self.constant(value)

    # Elements

    def pointwise(
        self, op: str, *operands: Tensor | Scalar | float, dtype: torch.dtype | None = None, flags: str = ""
    ) -> Tensor:
        """`fuser.op`; tensors are broadcast to a common shape. The result has the first tensor's type, or `dtype`."""
        values = [value if isinstance(value, Tensor) else self.scalar(value) for value in operands]
        tensors = [value for value in values if isinstance(value, Tensor)]
        rank = max(tensor.ndim for tensor in tensors)
        values = [self.align(value, rank) if isinstance(value, Tensor) else value for value in values]
        shape = join_shapes([value.shape for value in values if isinstance(value, Tensor)])
        names, types = ", ".join(v.name for v in values), ", ".join(v.type for v in values)
        braces = f" {{{flags}}}" if flags else ""
        result = dtype or next(value for value in values if isinstance(value, Tensor)).dtype
        return self.define(f"fuser.{op} {names}{braces} : ({types}) -> {{type}}", result, shape)

    def cast(self, value: Tensor, dtype: torch.dtype) -> Tensor:
        if value.dtype == dtype:
            return value
        if value.dtype == torch.uint8 and dtype not in (torch.bool, torch.int8):
            return self.cast(self._widen(value), dtype)
        if dtype == torch.uint8 and value.dtype.is_floating_point:
            # From there the bits wrap; 8 bits would saturate to those of a signed number.
            return self.cast(self.cast(value, torch.int32), dtype)
        if dtype == torch.float8_e4m3fn and SATURATES:
            value = self.cast(value, torch.float32)
            value = self.pointwise("clamp", value, -_GREATEST_E4M3, _GREATEST_E4M3)
        return self._convert(value, dtype)

    def _convert(self, value: Tensor, dtype: torch.dtype) -> Tensor:
        """`fuser.cast`, for which uint8 is int8."""
        if element_type(value.dtype) == element_type(dtype):
            return value._replace(dtype=dtype)
        return self.define(f"fuser.cast {value.name} : {value.type} to {{type}}", dtype, value.shape)

    def _widen(self, value: Tensor) -> Tensor:
        """Elements of uint8 in i32."""
        return self.pointwise("bitwise_and", self._convert(value, torch.int32), 255)

    def bitcast(self, value: Tensor, dtype: torch.dtype) -> Tensor:
        """The same bits as elements of another type of their width."""
        if element_type(value.dtype) == element_type(dtype):
            return value._replace(dtype=dtype)
        return self.define(f"fuser.bitcast {value.name} : {value.type} to {{type}}", dtype, value.shape)

    def full(self, value: Scalar | float, dtype: torch.dtype, shape: Sequence[Extent]) -> Tensor:
        is_given = isinstance(value, (Scalar, torch.SymInt))
        if is_given and (dtype == torch.uint8 or dtype in FLOAT8_TYPES):
            return self.cast(self.full(value, torch.int32 if dtype == torch.uint8 else torch.float32, shape), dtype)
        scalar = self.scalar(value if is_given else self._fit(value, dtype))
        return self.define(f"fuser.full {scalar.name}{self.sizes(shape)} : {scalar.type} -> {{type}}", dtype, shape)

    @staticmethod
    def _fit(value: object, dtype: torch.dtype) -> object:
        """A number of the category of an element type."""
        if dtype == torch.bool:
            return bool(value)
        if (dtype == torch.uint8 and not -256 < int(value) < 256) or (
            dtype in FLOAT8_TYPES and abs(value) > torch.finfo(dtype).max
        ):
            raise Unsupported(f"a number that {str(dtype).removeprefix('torch.')} cannot hold")
        return float(value) if dtype.is_floating_point else int(value)

    def where(self, condition: Tensor, x: Tensor | float, y: Tensor | float, dtype: torch.dtype) -> Tensor:
        if dtype == torch.uint8 or dtype in FLOAT8_TYPES:
            x, y = (self._fit(value, dtype) if isinstance(value, (int, float)) else value for value in (x, y))
        if not isinstance(x, Tensor) and not isinstance(y, Tensor):
            x = self.full(x, dtype, [1] * condition.ndim)
        return self.pointwise("where", condition, x, y, dtype=dtype)

    # Dimensions

    def align(self, value: Tensor, rank: int) -> Tensor:
        """Dimensions of size 1 in front."""
        return self.broadcast(value, range(rank - value.ndim))

    def broadcast(self, value: Tensor, dims: Sequence[int]) -> Tensor:
        """Dimensions of size 1 at these places of the result."""
        dims = sorted(dims)
        if not dims:
            return value
        sizes = iter(value.shape)
        shape = [1 if dim in dims else next(sizes) for dim in range(value.ndim + len(dims))]
        return self.define(f"fuser.broadcast {value.name} dims {dims} : {value.type} -> {{type}}", value.dtype, shape)

    def squeeze(self, value: Tensor, dims: Sequence[int]) -> Tensor:
        dims = sorted(dims)
        if not dims:
            return value
        shape = [size for dim, size in enumerate(value.shape) if dim not in dims]
        return self.define(f"fuser.squeeze {value.name} dims {dims} : {value.type} -> {{type}}", value.dtype, shape)

    def expand(self, value: Tensor, shape: Sequence[Extent]) -> Tensor:
        value = self.align(value, len(shape))
        if value.shape == tuple(shape):
            return value
        changed = [size for old, size in zip(value.shape, shape, strict=True) if old == 1 and size != 1]
        text = f"fuser.expand {value.name}{self.sizes(changed)} : {value.type} -> {{type}}"
        return self.define(text, value.dtype, shape)

    def permute(self, value: Tensor, dims: Sequence[int]) -> Tensor:
        dims = list(dims)
        if dims == sorted(dims):
            return value
        shape = [value.shape[dim] for dim in dims]
        return self.define(f"fuser.permute {value.name} {dims} : {value.type} -> {{type}}", value.dtype, shape)

    def reshape(self, value: Tensor, shape: Sequence[Extent]) -> Tensor:
        shape = tuple(shape)
        if value.shape == shape:
            return value
        # Gathers with several indices share the table of which they are rows.
        if (value.name, shape) in self._reshapes:
            return self._reshapes[value.name, shape]
        old, new = ([size for size in sizes if not isinstance(size, int)] for sizes in (value.shape, shape))
        stated = ""
        # The dialect takes several dynamic sizes for those of the operand, in order, unless groups are stated.
        if len(new) > 1 and old != new:
            groups = find_groups(value.shape, shape)
            if groups is None:
                raise Unsupported("a reshape to several sizes that are known at run time only")
            stated = f" groups {[count for count, _ in groups]} to {[count for _, count in groups]}"
        text = f"fuser.reshape {value.name}{stated} : {value.type} -> {{type}}"
        return self._reshapes.setdefault((value.name, shape), self.define(text, value.dtype, shape))

    def slice(
        self, value: Tensor, starts: Sequence[Extent], sizes: Sequence[Extent], strides: Sequence[int] = ()
    ) -> Tensor:
        if tuple(sizes) == value.shape:
            return value
        text = f" strides {list(strides)}" if set(strides) - {1} else ""
        boxes = f"{self.list_of(starts)} {self.list_of(sizes)}{text}"
        return self.define(f"fuser.slice {value.name} {boxes} : {value.type} -> {{type}}", value.dtype, sizes)

    def cat(self, values: Sequence[Tensor], dim: int, shape: Sequence[Extent]) -> Tensor:
        """Values of one type next to each other along a dimension, as a tensor of `shape`."""
        if len(values) == 1:
            return self.copy(values[0])
        names, types = ", ".join(value.name for value in values), ", ".join(value.type for value in values)
        return self.define(f"fuser.cat {names} dim {dim} : ({types}) -> {{type}}", values[0].dtype, shape)

    def iota(self, length: Extent, dtype: torch.dtype = torch.int64, start: object = 0, step: object = 1) -> Tensor:
        first, more = (
            self.scalar(value if isinstance(value, (Scalar, torch.SymInt)) else self._fit(value, dtype))
            for value in (start, step)
        )
        size = "" if isinstance(length, int) else f" length({self.index(length)})"
        text = f"fuser.iota {first.name}, {more.name}{size} : {first.type}, {more.type} -> {{type}}"
        return self.define(text, dtype, [length])

    def copy(self, value: Tensor) -> Tensor:
        return self.define(f"fuser.set {value.name} : {value.type}", value.dtype, value.shape)

    def in_compute_type(self, function: Callable[..., Tensor], dtype: torch.dtype, *values: object) -> Tensor:
        """A composition of several ops, in f32 for half types, rounded once."""
        compute = compute_type(dtype)
        return self.cast(
            function(*(self.cast(value, compute) if isinstance(value, Tensor) else value for value in values)), dtype
        )

    # The whole

    def text(self, outputs: Sequence[Tensor], attributes: Sequence[str]) -> str:
        arguments = ", ".join(f"{name}: {type}" for _, name, type in self.arguments)
        types = ", ".join(output.type for output in outputs)
        names = ", ".join(output.name for output in outputs)
        attributes = [*attributes, f"facts = [{', '.join(self.facts)}]"] if self.facts else attributes
        braces = f" attributes {{{', '.join(attributes)}}}" if attributes else ""
        body = "".join(f"  {line}\n" for line in self.lines)
        head = f"fuser.fusion @region({arguments}) -> ({types}){braces}"
        return f"{head} {{\n{body}  fuser.return {names} : {types}\n}}\n"


def join_shapes(shapes: Sequence[tuple[Extent, ...]]) -> tuple[Extent, ...]:
    """The common shape of tensors of one rank: of each dimension a number but 1, else a symbolic size, else 1."""
    joined = []
    for sizes in zip(*shapes, strict=True):
        others = [size for size in sizes if size != 1]
        numbers = [size for size in others if isinstance(size, int)]
        joined.append(numbers[0] if numbers else others[0] if others else 1)
    return tuple(joined)


def _are_equal(old: Sequence[Extent], new: Sequence[Extent]) -> bool:
    return sympy.expand(sympy.sympify(product(old)) - product(new)) == 0


def cut_shapes(old: Sequence[Extent], new: Sequence[Extent]) -> list[tuple[int, int]]:
    """The dimensions of a reshape that correspond: how many of each side merge and split, group by group.

    Both sides have as many elements, so that sides that are equal behind a place are equal in front of it as well."""
    groups, i, j = [], 0, 0
    for end in range(1, len(old) + 1):
        for new_end in range(j + 1, len(new) + 1):
            is_cut = (end == len(old)) == (new_end == len(new))
            if is_cut and (_are_equal(old[:end], new[:new_end]) or _are_equal(old[end:], new[new_end:])):
                groups.append((end - i, new_end - j))
                i, j = end, new_end
                break
    return groups


def find_groups(old: Sequence[Extent], new: Sequence[Extent]) -> list[tuple[int, int]] | None:
    """As `cut_shapes`; None where a group has several symbolic sizes in the result, or none for those of the
    operand."""
    groups, i, j = cut_shapes(old, new), 0, 0
    for count, new_count in groups:
        parts = old[i : i + count], new[j : j + new_count]
        symbols = [sum(not isinstance(size, int) for size in part) for part in parts]
        if symbols[1] > 1 or (symbols[0] and not symbols[1]):
            return None
        i, j = i + count, j + new_count
    return groups


def product(sizes: Sequence[Extent]) -> Extent:
    result = math.prod(sizes)
    return int(result) if getattr(result, "is_number", True) else result
