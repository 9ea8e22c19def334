"""Functions that rearrange elements."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fuser._dtypes import DataType, join
from fuser._emit import Emitter
from fuser._errors import ArgumentError, DTypeError, RankError, ShapeError
from fuser._records import (
    check_converts,
    check_dim,
    check_dims,
    check_length,
    check_tensor,
    extent_of,
    own_extents,
    register,
    tensor_like,
)
from fuser._values import Extent, Shape, Size, SizeLike, TensorType, TensorView


def emit_unary(mnemonic: str, attribute):
    """`fuser.mnemonic %x ATTRIBUTE : type -> type`; `attribute` makes the text from emitter and arguments."""

    def emit(emitter: Emitter, arguments: dict, results: tuple) -> None:
        source = arguments["arg"]
        text = attribute(emitter, arguments, results)
        emitter.define(results, f"fuser.{mnemonic} {emitter.name(source)}{text} : {source.type} -> {results[0].type}")

    return emit


def _emit_same(mnemonic: str):
    """Ops whose type is written once."""

    def emit(emitter: Emitter, arguments: dict, results: tuple) -> None:
        source = arguments["arg"]
        # Segmentation takes no orders: passes turn them into requirements or hints before.
        if "stride_order" in arguments and emitter.locate:
            return emitter.define(results, f"fuser.set {emitter.name(source)} : {source.type}")
        order = f" {to_order(arguments['stride_order'])}" if "stride_order" in arguments else ""
        emitter.define(results, f"fuser.{mnemonic} {emitter.name(source)}{order} : {source.type}")

    return emit


def to_order(stride_order: Sequence[int]) -> list[int]:
    """Dimensions from slowest to fastest. `stride_order` numbers the dimensions from fastest (0) to slowest."""
    return sorted(range(len(stride_order)), key=lambda dim: -stride_order[dim])


def check_stride_order(stride_order: object, rank: int, op: str) -> tuple[int, ...]:
    """`stride_order`, with positions counted from the start."""
    check_length(stride_order, rank, op, "stride_order")
    order = tuple(check_dim(place, rank, op, "stride_order") for place in stride_order)
    if sorted(order) != list(range(rank)):
        raise RankError("RankMismatch", f"{op}: stride_order: expected each place once, but got {list(stride_order)}")
    return order


# Broadcast, expand, squeeze, permute


def _infer_broadcast(arguments: dict) -> tuple[TensorType]:
    sizes = iter(arguments["arg"].type.extents)
    extents = tuple(1 if flag else next(sizes) for flag in arguments["is_broadcast_dim"])
    return (tensor_like(arguments["arg"].type, extents=extents),)


def _broadcast_dims(_emitter, arguments: dict, _results) -> str:
    return f" dims {[dim for dim, flag in enumerate(arguments['is_broadcast_dim']) if flag]}"


def _infer_expand(arguments: dict) -> tuple[TensorType]:
    source = arguments["arg"].type
    extents = []
    for size, wanted in zip(source.extents, arguments["shape"], strict=True):
        extents.append(size if size != 1 or wanted == -1 else extent_of(wanted))
    return (tensor_like(source, extents=tuple(extents)),)


def _emit_expand(emitter: Emitter, arguments: dict, results: tuple) -> None:
    source, type = arguments["arg"], results[0].type
    pairs = zip(source.type.extents, type.extents, arguments["shape"], strict=True)
    names = [emitter.index(wanted) for old, new, wanted in pairs if old == 1 and not isinstance(new, int)]
    names = [emitter.constant_index(name) if isinstance(name, int) else name for name in names]
    sizes = f" sizes({', '.join(names)})" if names else ""
    emitter.define(results, f"fuser.expand {emitter.name(source)}{sizes} : {source.type} -> {type}")


def _infer_squeeze(arguments: dict) -> tuple[TensorType]:
    source = arguments["arg"].type
    return (
        tensor_like(source, extents=tuple(s for dim, s in enumerate(source.extents) if dim not in arguments["dims"])),
    )


def _infer_permute(arguments: dict) -> tuple[TensorType]:
    source = arguments["arg"].type
    return (tensor_like(source, extents=tuple(source.extents[dim] for dim in arguments["dims"])),)


# Reshape


def _infer_reshape(arguments: dict) -> tuple[TensorType]:
    source, shape = arguments["arg"].type, arguments["new_shape"]
    extents: list[Extent] = [Size(-1, dim) if size == -1 else extent_of(size) for dim, size in enumerate(shape)]
    unknown = [dim for dim, size in enumerate(shape) if size == -1]
    if unknown and all(isinstance(size, int) for size in source.extents):
        others = [size for dim, size in enumerate(extents) if dim not in unknown]
        if all(isinstance(size, int) for size in others):
            extents[unknown[0]] = _divide(math.prod(source.extents), math.prod(others), shape)
    elif unknown:
        # A dynamic size that the others leave out.
        missing = [size for size in source.extents if isinstance(size, Size) and size not in extents]
        rest = [size for size in extents if isinstance(size, int)]
        left = [size for size in source.extents if isinstance(size, int)]
        if len(missing) == 1 and math.prod(rest) == math.prod(left):
            extents[unknown[0]] = missing[0]
    return (tensor_like(source, extents=tuple(extents)),)


def _divide(elements: int, others: int, shape: tuple) -> int:
    if others == 0 or elements % others:
        raise ShapeError("SizeMismatch", f"reshape: new_shape: expected {elements} elements, but got {list(shape)}")
    return elements // others


def _no_attribute(_emitter, _arguments, _results) -> str:
    return ""


# Slice and pad


def _infer_slice(arguments: dict) -> tuple[TensorType]:
    source = arguments["arg"].type
    known: dict[int, Extent] = {}
    bounds = zip(
        source.extents, arguments["start_indices"], arguments["end_indices"], arguments["strides"], strict=True
    )
    for dim, (size, start, end, stride) in enumerate(bounds):
        if isinstance(start, int) and isinstance(end, int):
            low, high = (min(start, size), min(end, size)) if isinstance(size, int) else (start, end)
            known[dim] = -(-(high - low) // stride)
        elif start == 0 and stride == 1 and extent_of(end) == size:
            known[dim] = size
    return (tensor_like(source, extents=own_extents(len(source.extents), known)),)


def _emit_slice(emitter: Emitter, arguments: dict, results: tuple) -> None:
    source, type = arguments["arg"], results[0].type
    offsets, sizes = [], []
    bounds = zip(arguments["start_indices"], arguments["end_indices"], arguments["strides"], strict=True)
    for dim, (start, end, stride) in enumerate(bounds):
        size, low = source.type.extents[dim], emitter.index(start)
        offsets.append(min(low, size) if isinstance(low, int) and isinstance(size, int) else low)
        if isinstance(type.extents[dim], int):
            sizes.append(type.extents[dim])
            continue
        high = emitter.size_of(source, dim) if extent_of(end) == size else emitter.index(end)
        length = high if low == 0 else emitter.compute("subi", high, low)
        if stride != 1 and isinstance(low, int):
            # ceil((high - low) / stride), as a quotient of a number that is never negative.
            skipped = -(-low // stride)
            moved = emitter.compute("addi", high, (skipped + 1) * stride - 1 - low)
            length = emitter.compute("subi", emitter.compute("floordivsi", moved, stride), skipped)
        elif stride != 1:
            length = emitter.compute("ceildivsi", length, stride)
        sizes.append(length)
    strides = f" strides {list(arguments['strides'])}" if set(arguments["strides"]) - {1} else ""
    emitter.define(
        results,
        f"fuser.slice {emitter.name(source)} [{', '.join(map(str, offsets))}] [{', '.join(map(str, sizes))}]{strides}"
        f" : {source.type} -> {type}",
    )


def _infer_pad(arguments: dict) -> tuple[TensorType]:
    source, widths = arguments["arg"].type, arguments["pad_widths"]
    rank, known = len(source.extents), {}
    for dim, size in enumerate(source.extents):
        low, high = _pad_of(widths, rank, dim)
        if isinstance(low, int) and isinstance(high, int) and (isinstance(size, int) or low == high == 0):
            known[dim] = size + low + high if isinstance(size, int) else size
            if isinstance(size, int) and known[dim] < 0:
                raise ShapeError(
                    "SizeMismatch", f"pad: pad_widths: expected a size of at least 0, but got {known[dim]}"
                )
    return (tensor_like(source, extents=own_extents(rank, known)),)


def _pad_of(widths: tuple, rank: int, dim: int) -> tuple[SizeLike, SizeLike]:
    """Widths come in pairs, those of the last dimension first."""
    place = 2 * (rank - 1 - dim)
    return (widths[place], widths[place + 1]) if place < len(widths) else (0, 0)


def _emit_pad(emitter: Emitter, arguments: dict, results: tuple) -> None:
    source, value = arguments["arg"], arguments["value"]
    pairs = [_pad_of(arguments["pad_widths"], source.ndim, dim) for dim in range(source.ndim)]
    low, high = (", ".join([str(emitter.index(pair[side])) for pair in pairs]) for side in (0, 1))
    names = f"{emitter.name(source)} low [{low}] high [{high}] value {emitter.name(value)}"
    emitter.define(results, f"fuser.pad {names} : {source.type}, {emitter.type(value)} -> {results[0].type}")


# Cat, insert_slice, repeat


def _infer_cat(arguments: dict) -> tuple[TensorType]:
    tensors, along = arguments["tensors"], arguments["dim"]
    first = tensors[0].type
    known: dict[int, Extent] = {}
    for dim in range(len(first.extents)):
        sizes = [tensor.type.extents[dim] for tensor in tensors]
        static = [size for size in sizes if isinstance(size, int)]
        if dim != along:
            if len(set(static)) > 1:
                raise ShapeError(
                    "SizeMismatch", f"cat: expected equal sizes in dimension {dim}, but got {sorted(set(static))}"
                )
            known[dim] = static[0] if static else sizes[0]
        elif len(static) == len(sizes):
            known[dim] = sum(static)
    return (tensor_like(first, extents=own_extents(len(first.extents), known)),)


def _emit_cat(emitter: Emitter, arguments: dict, results: tuple) -> None:
    tensors = arguments["tensors"]
    names = ", ".join([emitter.name(tensor) for tensor in tensors])
    types = ", ".join(str(tensor.type) for tensor in tensors)
    emitter.define(results, f"fuser.cat {names} dim {arguments['dim']} : ({types}) -> {results[0].type}")


def _emit_insert_slice(emitter: Emitter, arguments: dict, results: tuple) -> None:
    source, destination = arguments["src"], arguments["arg"]
    offsets = ", ".join([str(emitter.index(offset)) for offset in arguments["start_indices"]])
    emitter.define(
        results,
        f"fuser.insert_slice {emitter.name(source)} into {emitter.name(destination)} [{offsets}]"
        f" : {source.type} into {destination.type}",
    )


def _infer_repeat(arguments: dict) -> tuple[TensorType]:
    source = arguments["arg"].type
    known = {
        dim: size if count == 1 else size * count
        for dim, (size, count) in enumerate(zip(source.extents, arguments["repeats"], strict=True))
        if count == 1 or isinstance(size, int)
    }
    return (tensor_like(source, extents=own_extents(len(source.extents), known)),)


register("broadcast", _infer_broadcast, emit_unary("broadcast", _broadcast_dims))
register("expand", _infer_expand, _emit_expand)
register("squeeze", _infer_squeeze, emit_unary("squeeze", lambda _e, a, _r: f" dims {list(a['dims'])}"))
register("permute", _infer_permute, emit_unary("permute", lambda _e, a, _r: f" {list(a['dims'])}"))
register("reshape", _infer_reshape, emit_unary("reshape", _no_attribute))
register("slice", _infer_slice, _emit_slice)
register("pad", _infer_pad, _emit_pad)
register("cat", _infer_cat, _emit_cat)
register("insert_slice", lambda arguments: (arguments["arg"].type,), _emit_insert_slice)
register("repeat", _infer_repeat, emit_unary("repeat", lambda _e, a, _r: f" {list(a['repeats'])}"))
for _name in ("set", "segment_set", "stride_order"):
    register(_name, lambda arguments: (arguments["arg"].type,), _emit_same(_name))


class ShapeOps:
    """Functions that rearrange elements, and that make tensors of nothing. Sizes are numbers, scalars of the
    definition, or a vector of both."""

    # Identities

    def set(self, arg: TensorView) -> TensorView:
        """A copy."""
        return self._fd._record("set", arg=check_tensor(arg, "set", "arg"))

    def segment_set(self, arg: TensorView) -> TensorView:
        """A copy at which the program is cut into segments."""
        return self._fd._record("segment_set", arg=check_tensor(arg, "segment_set", "arg"))

    def stride_order(self, arg: TensorView, stride_order: Sequence[int]) -> TensorView:
        """A copy with an order in memory. `stride_order` numbers the dimensions from fastest (0) to slowest."""
        arg = check_tensor(arg, "stride_order", "arg")
        order = check_stride_order(stride_order, arg.ndim, "stride_order")
        return self._fd._record("stride_order", arg=arg, stride_order=order)

    # Dimensions

    def broadcast(self, arg: TensorView, is_broadcast_dim: Sequence[bool]) -> TensorView:
        """Adds a dimension of size 1 at each place of the result whose flag is set."""
        arg = check_tensor(arg, "broadcast", "arg")
        flags = tuple(map(bool, is_broadcast_dim))
        if len(flags) - sum(flags) != arg.ndim:
            raise RankError(
                "RankMismatch",
                f"broadcast: is_broadcast_dim: expected {arg.ndim} flags that are not set, but got {flags}",
            )
        return self._fd._record("broadcast", arg=arg, is_broadcast_dim=flags) if any(flags) else arg

    def expand(self, arg: TensorView, shape: Shape) -> TensorView:
        """Repeats dimensions of size 1 to the sizes of `shape`; -1 keeps a size."""
        arg = check_tensor(arg, "expand", "arg")
        wanted = self._fd._shape(shape, "expand", "shape", least=-1)
        check_length(wanted, arg.ndim, "expand", "shape")
        changes = False
        for dim, (size, new) in enumerate(zip(arg.type.extents, wanted, strict=True)):
            if isinstance(new, int) and isinstance(size, int) and size != 1 and new not in (-1, size):
                raise ShapeError("SizeMismatch", f"expand: shape: expected {size} in dimension {dim}, but got {new}")
            changes |= size == 1 and new not in (-1, 1)
        return self._fd._record("expand", arg=arg, shape=wanted) if changes else arg

    def broadcast_in_dim(self, arg: TensorView, shape: Shape, broadcast_dims: Sequence[int]) -> TensorView:
        """Puts the dimensions of `arg` at the places `broadcast_dims` (ascending) of `shape`, and repeats those of
        size 1."""
        arg = check_tensor(arg, "broadcast_in_dim", "arg")
        wanted = self._fd._shape(shape, "broadcast_in_dim", "shape", least=-1)
        check_length(broadcast_dims, arg.ndim, "broadcast_in_dim", "broadcast_dims")
        places = [check_dim(dim, len(wanted), "broadcast_in_dim", "broadcast_dims") for dim in broadcast_dims]
        if sorted(set(places)) != places:
            raise RankError(
                "RankMismatch", f"broadcast_in_dim: broadcast_dims: expected ascending dimensions, but got {places}"
            )
        return self.expand(self.broadcast(arg, [dim not in places for dim in range(len(wanted))]), wanted)

    def squeeze(self, arg: TensorView, dims: Sequence[int], squeeze_expanded: bool = False) -> TensorView:
        """Drops dimensions of size 1; with `squeeze_expanded` also repeated ones, of which it keeps the first
        element."""
        arg = check_tensor(arg, "squeeze", "arg")
        dims = check_dims(dims, arg.ndim, "squeeze")
        if squeeze_expanded and any(arg.type.extents[dim] != 1 for dim in dims):
            ends = [1 if dim in dims else arg.size(dim) for dim in range(arg.ndim)]
            arg = self.slice(arg, [0] * arg.ndim, ends, manual_normalization=True)
        for dim in dims:
            if arg.type.extents[dim] != 1:
                raise ShapeError(
                    "SizeMismatch", f"squeeze: dims: expected size 1 in dimension {dim}, but got {arg.sizes[dim]}"
                )
        return self._fd._record("squeeze", arg=arg, dims=dims) if dims else arg

    def permute(self, arg: TensorView, dims: Sequence[int]) -> TensorView:
        """Dimension i of the result is dimension dims[i] of `arg`."""
        arg = check_tensor(arg, "permute", "arg")
        check_length(dims, arg.ndim, "permute", "dims")
        places = tuple(check_dim(dim, arg.ndim, "permute", "dims") for dim in dims)
        check_dims(list(places), arg.ndim, "permute")
        return self._fd._record("permute", arg=arg, dims=places)

    def reshape(self, arg: TensorView, new_shape: Shape) -> TensorView:
        """The same elements, in row-major order, in another shape. One size may be -1: what the others leave."""
        arg = check_tensor(arg, "reshape", "arg")
        wanted = self._fd._shape(new_shape, "reshape", "new_shape", least=-1)
        if wanted.count(-1) > 1:
            raise ShapeError("SizeMismatch", f"reshape: new_shape: expected at most one -1, but got {list(wanted)}")
        sizes = arg.type.extents
        is_static = all(isinstance(size, int) for size in (*sizes, *wanted)) and -1 not in wanted
        if is_static and math.prod(sizes) != math.prod(wanted):
            raise ShapeError(
                "SizeMismatch", f"reshape: new_shape: expected {math.prod(sizes)} elements, but got {list(wanted)}"
            )
        return self._fd._record("reshape", arg=arg, new_shape=wanted)

    # Parts

    def slice(
        self,
        arg: TensorView,
        start_indices: Shape,
        end_indices: Shape,
        strides: Sequence[int] | None = None,
        manual_normalization: bool = False,
    ) -> TensorView:
        """The elements from start to end (exclusive) in each dimension, every `strides`-th one. Bounds beyond the
        tensor are cut off at its end, but with `manual_normalization` the caller warrants that they lie inside."""
        arg = check_tensor(arg, "slice", "arg")
        starts = self._fd._shape(start_indices, "slice", "start_indices")
        ends = self._fd._shape(end_indices, "slice", "end_indices")
        steps = tuple(1 for _ in starts) if strides is None else tuple(int(step) for step in strides)
        for name, items in (("start_indices", starts), ("end_indices", ends), ("strides", steps)):
            check_length(items, arg.ndim, "slice", name)
        if min(steps, default=1) < 1:
            raise ArgumentError("ArgumentKind", f"slice: strides: expected at least 1, but got {list(steps)}")
        for dim, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if isinstance(start, int) and isinstance(end, int) and end < start:
                raise ShapeError(
                    "SizeMismatch", f"slice: end_indices: expected at least {start} in dimension {dim}, but got {end}"
                )
        return self._fd._record(
            "slice",
            arg=arg,
            start_indices=starts,
            end_indices=ends,
            strides=steps,
            manual_normalization=bool(manual_normalization),
        )

    def select(self, arg: TensorView, index: SizeLike, dim: int) -> TensorView:
        """The slice at an index of a dimension, which the result lacks."""
        arg = check_tensor(arg, "select", "arg")
        dim = check_dim(dim, arg.ndim, "select")
        (start,) = self._fd._shape((index,), "select", "index")
        end = start + 1
        starts = [start if i == dim else 0 for i in range(arg.ndim)]
        ends = [end if i == dim else self.size(arg, i) for i in range(arg.ndim)]
        part = self.slice(arg, starts, ends, manual_normalization=True)
        if part.type.extents[dim] != 1:
            part = self.reshape(part, [1 if i == dim else self.size(part, i) for i in range(arg.ndim)])
        return self.squeeze(part, [dim])

    def pad(self, arg: TensorView, pad_widths: Sequence[SizeLike], value=None) -> TensorView:
        """Adds elements before and after those of `arg`. `pad_widths` are pairs, of the last dimension first; a
        negative width crops. The new elements are `value`, 0 by default."""
        arg = check_tensor(arg, "pad", "arg")
        widths = self._fd._shape(pad_widths, "pad", "pad_widths", least=None)
        if len(widths) % 2 or len(widths) > 2 * arg.ndim:
            raise RankError(
                "RankMismatch",
                f"pad: pad_widths: expected pairs for up to {arg.ndim} dimensions, but got {len(widths)}",
            )
        if value is None:
            value = False if arg.dtype is DataType.Bool else 0 if arg.dtype.is_integer else 0.0
        value = self._fd._scalar(value, "pad", "value")
        check_converts(value, arg.dtype, "pad: value")
        return self._fd._record("pad", arg=arg, pad_widths=widths, value=value)

    def cat(self, tensors: Sequence[TensorView], dim: int = 0, manual_padding: bool = False) -> TensorView:
        """The tensors one after the other along a dimension. Element types promote. `manual_padding` has no effect."""
        tensors = [check_tensor(tensor, "cat", f"tensors[{i}]") for i, tensor in enumerate(tensors)]
        if not tensors:
            raise ArgumentError("ArgumentCount", "cat: tensors: expected at least one tensor, but got none")
        for i, tensor in enumerate(tensors):
            if tensor.ndim != tensors[0].ndim:
                raise RankError(
                    "RankMismatch", f"cat: tensors[{i}]: expected rank {tensors[0].ndim}, but got rank {tensor.ndim}"
                )
        dtype = tensors[0].dtype
        for tensor in tensors:
            dtype = join(dtype, tensor.dtype)
        dim = check_dim(dim, tensors[0].ndim, "cat")
        return self._fd._record("cat", tensors=tuple(self.cast(tensor, dtype) for tensor in tensors), dim=dim)

    def insert_slice(self, arg: TensorView, src: TensorView, start_indices: Shape) -> TensorView:
        """`arg` with the elements from `start_indices` on replaced by those of `src`, which must fit."""
        arg, src = check_tensor(arg, "insert_slice", "arg"), check_tensor(src, "insert_slice", "src")
        if src.dtype is not arg.dtype or src.ndim != arg.ndim:
            raise DTypeError(
                "DTypeMismatch",
                f"insert_slice: src: expected {arg.ndim} dimensions of {arg.dtype!r}, but got {src.type}",
            )
        starts = self._fd._shape(start_indices, "insert_slice", "start_indices")
        check_length(starts, arg.ndim, "insert_slice", "start_indices")
        return self._fd._record("insert_slice", arg=arg, src=src, start_indices=starts)

    def repeat(self, arg: TensorView, repeats: Sequence[int]) -> TensorView:
        """The tensor several times in a row, in each dimension."""
        arg = check_tensor(arg, "repeat", "arg")
        check_length(repeats, arg.ndim, "repeat", "repeats")
        counts = tuple(int(count) for count in repeats)
        if min(counts, default=1) < 1:
            raise ArgumentError("ArgumentKind", f"repeat: repeats: expected at least 1, but got {list(counts)}")
        return self._fd._record("repeat", arg=arg, repeats=counts)
