"""Gathers whose indices are constants, as what they are: slices, parts that are joined, and repeated elements.

PyTorch's decompositions of `roll`, of paddings and of upsampling compute an index of each dimension and gather. Here an
index is a vector of numbers, or of sizes that are known at run time only. It falls into runs: places with a constant
step. Where no run is reversed, the result is made of slices. Where each element is repeated, it is a broadcast, and its
gradient a sum. What has reversed runs is one gather of all dimensions, instead of one for each.
"""

from __future__ import annotations

import contextlib
import math
from typing import NamedTuple

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.utils._python_dispatch import _disable_current_modes

from fuser.torch._builder import ELEMENT_TYPES, Unsupported
from fuser.torch._constants import MOST_ELEMENTS, Constants
from fuser.torch._lowering import aten
from fuser.torch._partition import hint_of
from fuser.torch._places import Places, lie_within
from fuser.torch._runs import Run, factor_of, runs_of
from fuser.torch._sizes import SizeWriter
from fuser.torch._tracing import make
from fuser.torch._views import dense_order

# More runs of a dimension, or more parts of a result, stay a gather.
_MOST_RUNS, _MOST_PARTS = 8, 16
# More shifts of a tensor take longer than storing what is selected. Each window selects among all of them: of more
# selections, as in a periodic stencil of 27 places, the kernel takes longer, too, and seconds to compile.
_MOST_SHIFTS, _MOST_SELECTIONS = 27, 256
# The most places in a row that are shifted each by a distance of its own.
_WIDEST_BORDER = 4
# The most places of the last dimension that are parts of their own in any order: elements of a vector or a pixel. A
# gather of them reads one element at a time.
_MOST_PLACES = 4
# The most numbers of a list that is computed instead of read, and the bits of each.
_MOST_LISTED, _LISTED_BITS = 64, 8
_GATHERS = (aten.index.Tensor, aten._unsafe_index.Tensor)
_SCATTERS = (aten.index_put.default, aten._unsafe_index_put.default)
_ENDS = (*_GATHERS, aten.index_select.default, aten.flip.default, aten.slice_scatter.default)
_EMPTY = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided")
_ZEROS = ("zeros", "new_zeros", "zeros_like", "full", "new_full", "full_like")


class Selection(NamedTuple):
    """Elements of a tensor: of each dimension the places, in order, or None for all. Without a source none has a value,
    nor has one at a negative place. Places are numbers, or runs where their number is known at run time only."""

    source: torch.fx.Node | None
    places: tuple[torch.Tensor | list[Run] | None, ...]


def _value(node: torch.fx.Node) -> torch.Tensor:
    return node.meta["val"]


def _within(vector: torch.Tensor | list[Run], size: object) -> torch.Tensor | list[Run] | None:
    """Places in a dimension of `size`; None for vectors that are no such places."""
    if isinstance(vector, list):
        return vector if lie_within(vector, size) else None
    if not isinstance(size, int) or vector.dtype not in (torch.int64, torch.int32) or vector.numel() == 0:
        return None
    vector = vector.to(torch.int64)
    vector = torch.where(vector < 0, vector + size, vector)
    return vector if int(vector.min()) >= 0 and int(vector.max()) < size else None


class _Finder:
    """What nodes select, with a chain of selections as one."""

    def __init__(self) -> None:
        self.constants, self.places = Constants(), Places()
        self.found: dict[torch.fx.Node, Selection] = {}
        # How many results are selected of an input.
        self.counts: dict[torch.fx.Node | None, int] = {}

    def count(self) -> None:
        """Counts the selections that no other one continues."""
        for node, (source, places) in self.found.items():
            is_continued = all(user in self.found and self.found[user].source is source for user in node.users)
            if node.target in _ENDS and not is_continued and any(item is not None for item in places):
                self.counts[source] = self.counts.get(source, 0) + 1

    def add(self, node: torch.fx.Node) -> None:
        if getattr(node.target, "_opname", "") in _EMPTY:
            self.found[node] = Selection(None, ())
        elif node.target is aten.copy.default and not node.kwargs:
            self._add_copy(*node.args[:2], node)
        elif node.target is aten.slice_scatter.default and not node.kwargs:
            self._add_scatter(node)
        elif (own := self.own(node)) is not None:
            self.found[node] = self._joined(own)

    def _of(self, node: torch.fx.Node) -> Selection:
        return self.found.get(node) or Selection(node, (None,) * _value(node).dim())

    def _joined(self, own: Selection) -> Selection:
        inner = self._of(own.source)
        if inner.source is None:
            return inner
        pairs = list(zip(inner.places, own.places, strict=True))
        if any(isinstance(item, list) and None not in pair for pair in pairs for item in pair):
            return own
        return Selection(inner.source, tuple(a if b is None else b if a is None else a[b] for a, b in pairs))

    def is_listed(self, node: torch.fx.Node) -> bool:
        """Whether indices are a list of numbers, which an op on a GPU would have to copy."""
        if node.target is aten.index_select.default:
            return self.constants.is_listed(node.args[2])
        return node.target in (*_GATHERS, *_SCATTERS) and any(map(self.constants.is_listed, node.args[1]))

    def chain(self, node: torch.fx.Node) -> set[torch.fx.Node]:
        """A node and those before it that select of the same source."""
        pending, chain, source = [node], set(), self.found[node].source
        while pending:
            link = pending.pop()
            if link not in chain and link in self.found and self.found[link].source is source:
                chain.add(link)
                pending += link.all_input_nodes
        return chain

    def has_neighbors(self, source: torch.fx.Node | None) -> bool:
        """Whether several results are selected of an input."""
        return source is not None and source.op == "placeholder" and self.counts.get(source, 0) > 1

    def own(self, node: torch.fx.Node) -> Selection | None:
        """What a node selects of its operand. The indices of a scatter say where it writes, not what it reads."""
        vectors = {} if node.target in _SCATTERS else self.vectors(node)
        shape = _value(node.args[0]).shape if vectors else ()
        places = {dim: _within(vector, shape[dim]) for dim, vector in vectors.items()}
        if not places or any(vector is None for vector in places.values()):
            return None
        return Selection(node.args[0], tuple(places.get(dim) for dim in range(len(shape))))

    def _add_copy(self, into: torch.fx.Node, source: object, node: torch.fx.Node) -> None:
        if not isinstance(source, torch.fx.Node):
            return
        out, value = _value(into), _value(source)
        same = out.dtype == value.dtype and out.device == value.device and len(out.shape) == len(value.shape)
        if same and all(statically_known_true(a == b) for a, b in zip(out.shape, value.shape, strict=True)):
            self.found[node] = self._of(source)

    def _add_scatter(self, node: torch.fx.Node) -> None:
        """A tensor with a slice replaced: of the same source, or in memory that has no values yet."""
        base, part, dim, *bounds = (*node.args, *(0, None, None, 1)[len(node.args) - 2 :])
        size = _value(node).shape[dim]
        outer, inner = self._of(base), self._of(part)
        if inner.source is None or not all(isinstance(item, (int, type(None))) for item in (size, *bounds)):
            return
        dim %= len(inner.places)
        places = list(inner.places)
        if outer.source is None:
            places[dim] = torch.full([size], -1)
        elif outer.source is not inner.source or size > MOST_ELEMENTS:
            return
        else:
            others = [pair for other, pair in enumerate(zip(outer.places, places, strict=True)) if other != dim]
            if not all(a is b or (a is not None and b is not None and torch.equal(a, b)) for a, b in others):
                return
            places[dim] = torch.arange(size) if outer.places[dim] is None else outer.places[dim].clone()
        taken, length = inner.places[dim], _value(part).shape[dim]
        places[dim][slice(*bounds)] = torch.arange(length) if taken is None else taken
        self.found[node] = Selection(inner.source, tuple(places))

    def vectors(self, node: torch.fx.Node) -> dict[int, torch.Tensor | list[Run]]:
        """The indices of a gather or scatter by dimension; empty where they are not constants of one dimension each, or
        one vector that sizes decide."""
        if node.target is aten.index_select.default:
            rank, index = _value(node.args[0]).dim(), node.args[2]
            return self._of_indices([*[None] * (node.args[1] % rank), index]) if rank else {}
        if node.target in _GATHERS or node.target in _SCATTERS:
            return self._of_indices(node.args[1])
        if node.target in (aten.flip.default, aten.slice.Tensor):
            return self._of_view(node)
        return {}

    def _of_indices(self, indices: list) -> dict[int, torch.Tensor | list[Run]]:
        given = {dim: self.constants.value(index) for dim, index in enumerate(indices) if index is not None}
        dims, rank = list(given), len(given)
        if rank == 1 and given[dims[0]] is None:
            runs = self.places.value(indices[dims[0]])
            return {} if runs is None else {dims[0]: runs}
        if not dims or any(index is None for index in given.values()):
            return {}
        if dims != list(range(dims[0], dims[0] + rank)) or max(index.dim() for index in given.values()) != rank:
            return {}
        vectors = {}
        for place, (dim, index) in enumerate(given.items()):
            shape = [1] * (rank - index.dim()) + list(index.shape)
            if math.prod(shape) != shape[place]:
                return {}
            vectors[dim] = index.reshape(-1)
        return vectors

    def _of_view(self, node: torch.fx.Node) -> dict[int, torch.Tensor]:
        shape = _value(node.args[0]).shape
        if not shape or not all(isinstance(item, int) for item in node.args[2:]):
            return {}
        is_flip = node.target is aten.flip.default
        dims = [dim % len(shape) for dim in (node.args[1] if is_flip else [(*node.args, 0)[1]])]
        if not all(isinstance(shape[dim], int) and 0 < shape[dim] <= MOST_ELEMENTS for dim in dims):
            return {}
        vectors = {dim: torch.arange(shape[dim]) for dim in dims}
        if is_flip:
            return {dim: vector.flip(0) for dim, vector in vectors.items()}
        return {dim: vector[slice(*node.args[2:])] for dim, vector in vectors.items()}


class _Writer:
    """Writes nodes in front of one, which they stand for."""

    def __init__(self, graph: torch.fx.Graph, node: torch.fx.Node):
        self.graph, self.node = graph, node
        self.made: list[torch.fx.Node] = []

    def call(self, function: torch._ops.OpOverload, *arguments: object, **options: object) -> torch.fx.Node:
        made = make(self.graph, self.node, function, arguments, options)
        self.made.append(made)
        return made

    def finish(self, result: torch.fx.Node) -> None:
        """Puts a result, which belongs to this writer, in place of the node: with its strides."""
        result.meta["val"] = _value(self.node)
        self.node.replace_all_uses_with(result)

    def drop(self) -> None:
        for made in reversed(self.made):
            self.graph.erase_node(made)
        self.made.clear()

    def number(self, value: int | torch.SymInt) -> object:
        return SizeWriter(self.graph, self.made).number(value)

    def reshape(self, x: torch.fx.Node, shape: list) -> torch.fx.Node:
        """A reshape to sizes of which one may be symbolic."""
        return self.call(aten.reshape.default, x, [size if isinstance(size, int) else -1 for size in shape])


def _has_one_symbol(*shapes: object) -> bool:
    return all(sum(not isinstance(size, int) for size in shape) <= 1 for shape in shapes)


def _repeat(writer: _Writer, x: torch.fx.Node, factors: dict[int, int]) -> torch.fx.Node:
    """Each element of some dimensions several times in a row."""
    shape = []
    for dim, size in enumerate(_value(x).shape):
        shape.append(size * factors.get(dim, 1))
    for dim in sorted(factors, reverse=True):
        x = writer.call(aten.unsqueeze.default, x, dim + 1)
    sizes = [-1] * _value(x).dim()
    for count, dim in enumerate(sorted(factors)):
        sizes[dim + count + 1] = factors[dim]
    x = writer.call(aten.expand.default, x, sizes)
    return writer.call(aten.clone.default, writer.reshape(x, shape))


def _sum_repeated(writer: _Writer, x: torch.fx.Node, factors: dict[int, int]) -> torch.fx.Node:
    """The sums of the elements that `_repeat` makes of one."""
    shape, dims = [], []
    for dim, size in enumerate(_value(x).shape):
        factor = factors.get(dim)
        shape += [size] if factor is None else [size // factor, factor]
        dims += [] if factor is None else [len(shape) - 1]
    return writer.call(aten.sum.dim_IntList, writer.reshape(x, shape), dims)


def _part(writer: _Writer, x: torch.fx.Node, dim: int, run: Run) -> torch.fx.Node:
    if run.step:
        bounds = map(writer.number, (run.start, run.last + 1))
        return writer.call(aten.slice.Tensor, x, dim, *bounds, run.step)
    x = writer.call(aten.slice.Tensor, x, dim, *map(writer.number, (run.start, run.start + 1)))
    sizes = [-1] * _value(x).dim()
    sizes[dim] = run.length
    return writer.call(aten.expand.default, x, sizes)


def _join(writer: _Writer, x: torch.fx.Node, runs: dict[int, list[Run]]) -> torch.fx.Node:
    """The parts of a tensor, joined along the first dimension last: all are parts of the tensor itself."""
    if not runs:
        return x
    (dim, parts), *others = runs.items()
    made = [_join(writer, _part(writer, x, dim, run), dict(others)) for run in parts]
    return writer.call(aten.cat.default, made, dim) if len(made) > 1 else made[0]


def _index(writer: _Writer, runs: list[Run], device: torch.device, dtype: torch.dtype) -> torch.fx.Node:
    """A vector of places, which is computed."""
    length, first = sum(run.length for run in runs), 0
    place, index, count = None, None, writer.number(length)
    for run in runs:
        start = run.start - run.step * first
        options = {"dtype": dtype, "device": device}
        if run.step:
            ends = map(writer.number, (start, start + run.step * length))
            line = writer.call(aten.arange.start_step, *ends, run.step, **options)
        else:
            line = writer.call(aten.full.default, [count], writer.number(start), **options)
        if index is not None:
            place = place or writer.call(aten.arange.start_step, 0, count, **options)
            is_before = writer.call(aten.lt.Scalar, place, writer.number(first))
            line = writer.call(aten.where.self, is_before, index, line)
        index, first = line, first + run.length
    return index


def _listed_index(writer: _Writer, places: torch.Tensor, device: torch.device) -> torch.fx.Node:
    """A vector of small places, of which words of 64 bits have several each."""
    options, per_word = {"dtype": torch.int64, "device": device}, 64 // _LISTED_BITS
    place = writer.call(aten.arange.start_step, 0, places.numel(), **options)
    index = None
    for first in range(0, places.numel(), per_word):
        bits = sum(number << (_LISTED_BITS * k) for k, number in enumerate(places[first : first + per_word].tolist()))
        bits -= (bits >> 63) << 64
        word = writer.call(aten.full.default, [places.numel()], bits, **options)
        if index is not None:
            word = writer.call(aten.where.self, writer.call(aten.lt.Scalar, place, first), index, word)
        index = word
    shift = writer.call(aten.mul.Tensor, writer.call(aten.bitwise_and.Scalar, place, per_word - 1), _LISTED_BITS)
    index = writer.call(aten.bitwise_right_shift.Tensor, index, shift)
    return writer.call(aten.bitwise_and.Scalar, index, 2**_LISTED_BITS - 1)


def _can_be_listed(places: object) -> bool:
    is_short = isinstance(places, torch.Tensor) and places.numel() <= _MOST_LISTED
    return is_short and int(places.max()) < 2**_LISTED_BITS


def _gather_listed(writer: _Writer, selection: Selection) -> torch.fx.Node | None:
    """A gather by a short list of numbers, of one dimension."""
    x, dims = selection.source, [dim for dim, places in enumerate(selection.places) if places is not None]
    places = selection.places[dims[0]]
    if len(dims) > 1 or not _can_be_listed(places):
        return None
    indices: list[object] = [None] * _value(x).dim()
    indices[dims[0]] = _listed_index(writer, places, _value(x).device)
    return writer.call(aten._unsafe_index.Tensor, x, indices)


def _gather(writer: _Writer, x: torch.fx.Node, runs: dict[int, list[Run]]) -> torch.fx.Node:
    """One gather with an index of each of neighboring dimensions."""
    indices: list[object] = [None] * _value(x).dim()
    # Each element computes its place.
    is_short = statically_known_true(math.prod(_value(x).shape[dim] for dim in runs) < 2**31)
    dtype = torch.int32 if is_short else torch.int64
    for count, dim in enumerate(runs, 1):
        index = _index(writer, runs[dim], _value(x).device, dtype)
        for _ in range(len(runs) - count):
            index = writer.call(aten.unsqueeze.default, index, -1)
        indices[dim] = index
    return writer.call(aten._unsafe_index.Tensor, x, indices)


def _is_one(length: int | torch.SymInt) -> bool:
    """Whether a part is known to have one element."""
    return isinstance(length, int) and length == 1


def _is_short(length: int | torch.SymInt) -> bool:
    """Whether each element of a part may be shifted by a distance of its own."""
    return isinstance(length, int) and length <= _WIDEST_BORDER


def _shifts(run: Run, first: int | torch.SymInt) -> list[tuple[int, int, int]]:
    """A run from the place `first` of a result on, as shifts of the whole: first places, lengths and distances."""
    if run.step == 1:
        return [(first, run.length, run.start - first)]
    return [(first + k, 1, run.start + run.step * k - first - k) for k in range(run.length)]


def _shifted(writer: _Writer, x: torch.fx.Node, shifts: dict[int, list[tuple[int, int, int]]]) -> torch.fx.Node:
    """A tensor shifted by each of some distances, of which each place takes one: neighbors are parts of the tensor
    itself, which one kernel loads."""

    def take(chosen: dict[int, int], dims: list[int]) -> torch.fx.Node:
        if not dims:
            return _moved(writer, x, {dim: (by, length(dim)) for dim, by in chosen.items()})
        dim, *rest = dims
        # The last long part is what remains of those before it, and of single places.
        *parts, last = sorted(range(len(shifts[dim])), key=lambda part: not _is_one(shifts[dim][part][1]))
        result = take({**chosen, dim: shifts[dim][last][2]}, rest)
        for part in reversed(parts):
            moved = take({**chosen, dim: shifts[dim][part][2]}, rest)
            result = writer.call(aten.where.self, is_in(dim, part), moved, result)
        return result

    def length(dim: int) -> int:
        return sum(part[1] for part in shifts[dim])

    def is_in(dim: int, part: int) -> torch.fx.Node:
        first, count, _ = shifts[dim][part]
        if part not in conditions.setdefault(dim, {}):
            options = {"dtype": torch.int32, "device": _value(x).device}
            place = writer.call(aten.arange.start_step, 0, writer.number(length(dim)), **options)
            # Long parts are looked for in order.
            if _is_one(count):
                test = writer.call(aten.eq.Scalar, place, writer.number(first))
            else:
                test = writer.call(aten.lt.Scalar, place, writer.number(first + count))
            for _ in range(_value(x).dim() - 1 - dim):
                test = writer.call(aten.unsqueeze.default, test, -1)
            conditions[dim][part] = test
        return conditions[dim][part]

    conditions: dict[int, dict[int, torch.fx.Node]] = {}
    return take({}, list(shifts))


def _moved(writer: _Writer, x: torch.fx.Node, moves: dict[int, tuple[int, int]]) -> torch.fx.Node:
    """Elements at a distance from each place of a result of some length, where there are any."""
    widths = [0, 0] * _value(x).dim()
    for dim, (by, length) in moves.items():
        place = 2 * (_value(x).dim() - 1 - dim)
        widths[place : place + 2] = [-by, by + length - _value(x).shape[dim]]
    if all(statically_known_true(width == 0) for width in widths):
        return x
    return writer.call(aten.constant_pad_nd.default, x, list(map(writer.number, widths)))


def _split(selection: Selection) -> dict[int, list[Run]] | None:
    """The runs of the dimensions of which not all elements are taken in order; None where there are too many."""
    runs = {}
    for dim, places in enumerate(selection.places):
        if places is None:
            continue
        runs[dim] = places if isinstance(places, list) else runs_of(places, _MOST_RUNS)
        if runs[dim] is None:
            return None
        if factor_of(places, _value(selection.source).shape[dim]) == 1:
            del runs[dim]
    return runs


def _is_made_of_slices(runs: dict[int, list[Run]], rank: int) -> bool:
    """Whether joining slices is one kernel: a part that is itself joined is more than one element wide. Rows of several
    dimensions are gathered: what permutes a join of joins is another kernel."""
    several = [parts for parts in runs.values() if len(parts) > 1]
    if len(several) > 1 and rank - 1 not in runs:
        return False
    if any(run.step < 0 for parts in runs.values() for run in parts):
        return False
    if math.prod(map(len, several)) > _MOST_PARTS:
        return False
    return len(several) < 2 or not any(_is_one(run.length) for parts in several for run in parts)


def _is_slice(runs: dict[int, list[Run]]) -> bool:
    return all(len(parts) == 1 and parts[0].step > 0 for parts in runs.values())


def _place_by_place(runs: dict[int, list[Run]], dim: int) -> dict[int, list[Run]]:
    """Runs of which those of a short dimension are single places, unless they are a slice or repeat a place."""
    parts = runs.get(dim)
    if parts is None or _is_slice({dim: parts}) or not all(isinstance(item, int) for run in parts for item in run):
        return runs
    if any(run.step == 0 for run in parts):
        return runs
    places = [run.start + run.step * k for run in parts for k in range(run.length)]
    return {**runs, dim: [Run(place, 1, 1) for place in places]} if len(places) <= _MOST_PLACES else runs


def _as_shifts(runs: dict[int, list[Run]], most: int) -> dict[int, list[tuple[int, int, int]]] | None:
    """The shifts of each dimension; None where there are more than `most` in all."""
    shifts: dict[int, list[tuple[int, int, int]]] = {}
    for dim, parts in runs.items():
        if any(run.step != 1 and not _is_short(run.length) for run in parts):
            return None
        first, shifts[dim] = 0, []
        for run in parts:
            shifts[dim] += _shifts(run, first)
            first += run.length
    return shifts if math.prod(map(len, shifts.values())) <= most else None


def _count_windows(node: torch.fx.Node) -> int:
    """How many slices of slices, each of one dimension, are read of a node, or of what it is converted to."""
    count = 0
    for user in node.users:
        if user.target in (aten.slice.Tensor, aten.select.int):
            count += max(_count_windows(user), 1)
        elif user.target is aten._to_copy.default:
            count += _count_windows(user)
    return count


def _is_read_in_windows(node: torch.fx.Node) -> bool:
    """Whether only slices read a node, or what it is converted to, and overlap."""
    while len(node.users) == 1 and (user := next(iter(node.users))).target is aten._to_copy.default:
        node = user
    is_sliced = all(user.target in (aten.slice.Tensor, aten.select.int) for user in node.users)
    return is_sliced and sum(map(_expected_size, node.users)) > _expected_size(node)


def _expected_size(node: torch.fx.Node) -> int:
    """How many elements a tensor has in the call that was traced; 0 if data decides it."""
    try:
        return math.prod(hint_of(size) for size in _value(node).shape)
    except Unsupported:
        return 0


def _write(
    writer: _Writer, selection: Selection, gathers: bool, is_near: bool, is_listed: bool = False
) -> torch.fx.Node | None:
    """The selection by other ops; None where it has to be a gather of each dimension. Without `gathers` the node itself
    where one gather is best, for later. Of what `is_near` other parts of the source that one kernel reads, the result
    is the source shifted. What `is_listed` on the CPU is computed."""
    x = selection.source
    if x is None or any(isinstance(places, torch.Tensor) and int(places.min()) < 0 for places in selection.places):
        return None
    sizes = _value(x).shape
    factors = {dim: factor_of(places, sizes[dim]) for dim, places in enumerate(selection.places) if places is not None}
    if all(factors.values()):
        factors = {dim: factor for dim, factor in factors.items() if factor > 1}
        if not factors:
            return writer.call(aten.clone.default, x)
        return _repeat(writer, x, factors) if _has_one_symbol(_value(writer.node).shape) else None
    runs = _split(selection)
    if runs is None:
        return _gather_listed(writer, selection) if is_listed and gathers else None
    runs = _place_by_place(runs, len(sizes) - 1)
    most = min(_MOST_SHIFTS, _MOST_SELECTIONS // max(_count_windows(writer.node), 1))
    if is_near and not _is_slice(runs) and (shifts := _as_shifts(runs, most)) is not None:
        return _shifted(writer, x, shifts) if gathers else writer.node
    if _is_made_of_slices(runs, len(sizes)):
        result = _join(writer, x, runs)
        return result if result.target is aten.cat.default else writer.call(aten.clone.default, result)
    between = range(min(runs), max(runs) + 1)
    if len(runs) < 2 and not is_listed:
        return None
    if not gathers:
        return writer.node
    return _gather(writer, x, {dim: runs.get(dim) or [Run(0, 1, sizes[dim])] for dim in between})


def _write_around(
    writer: _Writer, selection: Selection, gathers: bool, is_near: bool, is_listed: bool
) -> torch.fx.Node | None:
    """`_write` of what a source is a wider type of, and in the order of memory if the result is stored in it too."""
    x, node = selection.source, writer.node
    if x is None or len(selection.places) != _value(node).dim():
        return None
    widened = x if x.target is aten._to_copy.default and set(x.kwargs) == {"dtype"} else None
    if widened is not None and _value(x.args[0]).dtype.itemsize < _value(x).dtype.itemsize:
        x = x.args[0]
    order = dense_order(_value(x))
    is_moved = order is not None and order != sorted(order) and dense_order(_value(node)) == order
    places = selection.places
    if is_moved:
        places = tuple(places[dim] for dim in order)
        x_in_order = writer.call(aten.permute.default, x, order)
        result = _write(writer, Selection(x_in_order, places), gathers, is_near, is_listed)
    else:
        result = _write(writer, Selection(x, places), gathers, is_near, is_listed)
    if result is None or result is node:
        return result
    if is_moved:
        result = writer.call(aten.permute.default, result, [order.index(dim) for dim in range(len(order))])
    if x is not selection.source:
        result = writer.call(aten._to_copy.default, result, dtype=_value(widened).dtype)
    return result


def _is_zero(node: torch.fx.Node) -> bool:
    name = getattr(node.target, "_opname", "")
    place = {"full": 1, "full_like": 1, "new_full": 2}.get(name)
    return name in _ZEROS and (place is None or node.args[place] == 0)


def _scatter_listed(writer: _Writer, dim: int, places: torch.Tensor) -> torch.fx.Node | None:
    """The gradient of a gather by a list of numbers: of a slice, of a permutation, or at a computed index."""
    base, _, values, *_ = writer.node.args
    size = _value(base).shape[dim]
    runs = runs_of(places, 1)
    if runs and runs[0].step > 0:
        bounds = (runs[0].start, runs[0].last + 1, runs[0].step)
        return writer.call(aten.slice_scatter.default, base, values, dim, *bounds)
    if places.numel() == size and torch.equal(places.sort().values, torch.arange(size)):
        inverse: list[torch.Tensor | None] = [None] * _value(base).dim()
        inverse[dim] = places.argsort()
        return _write(writer, Selection(values, tuple(inverse)), gathers=True, is_near=False, is_listed=True)
    if not _can_be_listed(places):
        return None
    indices: list[object] = [None] * (dim + 1)
    indices[dim] = _listed_index(writer, places, _value(base).device)
    return writer.call(aten.index_put.default, base, indices, values, True)


def _write_scatter(writer: _Writer, finder: _Finder) -> torch.fx.Node | None:
    """The gradient of a repetition, which decompositions have as a scatter that adds, or of a list of places."""
    base, _, values, *rest = (*writer.node.args, False)
    if not rest[0] or not _is_zero(base) or not isinstance(values, torch.fx.Node):
        return None
    vectors, out = finder.vectors(writer.node), _value(writer.node)
    if not vectors or _value(values).dim() != out.dim() or _value(values).dtype != out.dtype:
        return None
    if len(vectors) == 1 and finder.is_listed(writer.node):
        (dim, vector), *_ = vectors.items()
        places = _within(vector, out.shape[dim])
        return None if places is None else _scatter_listed(writer, dim, places)
    factors = {dim: factor_of(vector, out.shape[dim]) for dim, vector in vectors.items()}
    if not all(factors.values()):
        return None
    factors = {dim: factor for dim, factor in factors.items() if factor > 1}
    expected = [size * factors.get(dim, 1) for dim, size in enumerate(out.shape)]
    if not _has_one_symbol(out.shape) or not all(a == b for a, b in zip(expected, _value(values).shape, strict=True)):
        return None
    return _sum_repeated(writer, values, factors) if factors else writer.call(aten.clone.default, values)


def _erase(graph: torch.fx.Graph, node: torch.fx.Node) -> set[torch.fx.Node]:
    """Erases a node that nothing reads, and what was computed for it only."""
    pending, erased = [node], set()
    while pending:
        dead = pending.pop()
        is_tensor = dead.op == "call_function" and isinstance(dead.meta.get("val"), torch.Tensor)
        if dead in erased or dead.users or not is_tensor:
            continue
        erased.add(dead)
        pending += dead.all_input_nodes
        graph.erase_node(dead)
    return erased


def _replace(graph: torch.fx.Graph, node: torch.fx.Node, finder: _Finder, gathers: bool) -> set[torch.fx.Node]:
    """Replaces a node if it can be; returns the nodes that are gone, or that are to stay for it."""
    is_scatter = node.target in _SCATTERS
    whole = finder.found.get(node)
    # A chain, or else its last selection. Slices and copies alone stay what they are.
    choices = [None] if is_scatter else [] if whole is None or node.target not in _ENDS else [whole]
    if choices and not is_scatter and node.target is not aten.slice_scatter.default:
        choices.append(finder.own(node))
    for selection in choices:
        writer = _Writer(graph, node)
        is_whole = all(user.target is not aten.slice.Tensor for user in node.users)
        is_computed = not is_scatter and _value(node).dtype in ELEMENT_TYPES
        is_near = is_computed and (_is_read_in_windows(node) or (is_whole and finder.has_neighbors(selection.source)))
        with graph.inserting_before(node), contextlib.suppress(Unsupported):
            result = None
            if is_scatter:
                result = _write_scatter(writer, finder)
            else:
                result = _write_around(writer, selection, gathers, is_near, finder.is_listed(node))
        if result is not None and result is not node:
            writer.finish(result)
            return _erase(graph, node)
        writer.drop()
        if result is node:
            return finder.chain(node)
    return set()


def rewrite_selections(graph: torch.fx.Graph, is_joint: bool = False) -> None:
    """Replaces gathers with constant indices, and the scatters that are their gradients. Gathers that remain stay as
    they are in a joint graph, of which the partitioner would store parts of indices."""
    finder = _Finder()
    nodes = [node for node in graph.nodes if node.op == "call_function"]
    done: set[torch.fx.Node] = set()
    # Places are computed, whatever mode the graph is traced in.
    with _disable_current_modes():
        for node in nodes:
            finder.add(node)
        finder.count()
        for node in reversed(nodes):
            if node not in done:
                done |= _replace(graph, node, finder, not is_joint)
