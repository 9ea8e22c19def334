"""Regions: parts of a graph that are programs of fuser, and how they are called."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import sympy
import torch

from fuser._ahead import QUEUE, Compilation, ExpectedTensor
from fuser._errors import FuserError, ShapeError
from fuser._program import Program
from fuser.torch import _report
from fuser.torch._builder import Builder, Tensor, Unsupported, extent_of
from fuser.torch._lowering import VIEWS, run_lowering
from fuser.torch._partition import INLINE, Partition, hint_of, is_tensor, op_name, order_of
from fuser.torch._random import OFFSET, SEED
from fuser.torch._views import RESHAPES, is_expressible

# Compiled programs by device, options and text: equal regions of all graphs share one.
_programs: dict[tuple, Program] = {}

Sizes = dict[sympy.Symbol, sympy.Integer]


def concrete(value: object, sizes: Sizes) -> object:
    """A traced value with numbers for symbols."""
    if isinstance(value, torch.Tensor):
        shape, strides = ([concrete(item, sizes) for item in items] for items in (value.shape, value.stride()))
        return torch.empty_strided(shape, strides, dtype=value.dtype, device="meta")
    if isinstance(value, (list, tuple)):
        return type(value)(concrete(item, sizes) for item in value)
    if isinstance(value, torch.SymInt):
        return int(value.node.expr.xreplace(sizes))
    return value


class Lowered:
    """The program of a region as text, with symbolic sizes or, given `sizes`, with numbers.

    `keys` are what the arguments stand for: nodes, symbols, ("item", node), the state of random numbers. `order` are
    all nodes that were lowered, views and factories included. With `has_seed_tensor`, the seed of random numbers is a
    tensor.
    """

    def __init__(self, region: Region, sizes: Sizes | None = None, has_seed_tensor: bool = False):
        self.region, self.sizes, self.builder = region, sizes, Builder()
        self.builder.has_seed_tensor = has_seed_tensor
        self.values: dict[torch.fx.Node, object] = {}
        self.order: list[torch.fx.Node] = []
        # Views that PyTorch makes.
        self.outer: set[torch.fx.Node] = set()
        # Arguments first, so that sizes are those of tensors where a tensor has them.
        for node in region.nodes:
            self._take_arguments(node)
        for node in region.nodes:
            self._lower(node)
        # Arguments that are written and not read.
        for target in region.aliases.values():
            self._value(target)
        self.keys = [key for key, _, _ in self.builder.arguments]
        results = self._results()
        self.text = self.builder.text(results, self._attributes())

    def _meta(self, node: torch.fx.Node) -> object:
        value = node.meta["val"]
        return value if self.sizes is None else concrete(value, self.sizes)

    def _value(self, node: torch.fx.Node) -> object:
        """The value of an operand."""
        if node in self.values:
            return self.values[node]
        partition, is_size = self.region.partition, isinstance(node.meta.get("val"), torch.SymInt)
        if partition.kinds[node] == INLINE and not self._is_outer_view(node):
            return self._lower(node)
        shape = self._meta(node).shape if is_tensor(node) else None
        self.values[node] = self._meta(node) if is_size else partition.argument(self.builder, node, shape)
        return self.values[node]

    def _take_arguments(self, node: torch.fx.Node) -> None:
        for source in node.all_input_nodes:
            if source in self.region.members or not is_tensor(source):
                continue
            if self.region.partition.kinds[source] == INLINE and not self._is_outer_view(source):
                self._take_arguments(source)
            else:
                self._value(source)

    def _is_outer_view(self, node: torch.fx.Node) -> bool:
        """A reshape of an argument to symbolic sizes, which the dialect may not express: PyTorch makes the view, and
        programs for given sizes take it as well."""
        if node in self.region.aliases.values():
            # Its shape is that of the result which is stored there.
            return node.target in VIEWS
        if self.sizes is not None:
            return node in self.region.lowered.outer
        if node.target not in RESHAPES:
            return False
        if is_expressible(*(tuple(map(extent_of, value.meta["val"].shape)) for value in (node.args[0], node))):
            return False
        base = node
        while base.target in VIEWS:
            base = base.args[0]
        is_outer = base not in self.region.members and self.region.partition.kinds[base] != INLINE
        if is_outer:
            self.outer.add(node)
        return is_outer

    def _lower(self, node: torch.fx.Node) -> object:
        if node.target is operator.getitem:
            self.values[node] = self._value(node.args[0])[node.args[1]]
        else:
            operands = {source: self._value(source) for source in node.all_input_nodes}
            self.values[node] = run_lowering(self.builder, node, operands, self._meta(node))
        self.order.append(node)
        return self.values[node]

    def _results(self) -> list[Tensor]:
        """Results that are arguments, or other results, are copied."""
        taken, results = {tensor.name for tensor in self.builder.tensors}, []
        for node in self.region.outputs:
            value = self.values[node]
            results.append(self.builder.copy(value) if value.name in taken else value)
            taken.add(value.name)
        return results

    def _attributes(self) -> list[str]:
        region, attributes, orders, aliases = self.region, [], [], []
        for position, node in enumerate(region.outputs):
            if node in region.aliases:
                aliases.append(f"#fuser.alias<output {position}, input {self.keys.index(region.aliases[node])}>")
            rank = node.meta["val"].dim()
            order = order_of(self._meta(node), node in region.partition.returned) or list(range(rank))
            is_free = rank < 2 or node in region.aliases
            orders.append("unit" if is_free else f"array<i64: {', '.join(map(str, order))}>")
        if set(orders) - {"unit"}:
            attributes.append(f"output_orders = [{', '.join(orders)}]")
        if aliases:
            attributes.append(f"aliases = [{', '.join(aliases)}]")
        return attributes


def leave(*_arguments: object) -> object:
    """A fast call where there is none."""
    return NotImplemented


class _Bytes:
    """Tensors of uint8 among the values and the results of a program, which has them as `i8`: views of the same bits.
    Of uint8 are those at positions where `inputs` and `outputs` are true."""

    def __init__(self, inputs: Sequence[bool], outputs: Sequence[bool]):
        self.inputs, self.outputs = ([i for i, is_byte in enumerate(items) if is_byte] for items in (inputs, outputs))

    def given(self, values: Sequence[object]) -> list:
        values = list(values)
        for i in self.inputs:
            values[i] = values[i].view(torch.int8)
        return values

    def made(self, results: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        results = list(results)
        for i in self.outputs:
            results[i] = results[i].view(torch.uint8)
        return results

    def around(self, fast: Callable) -> Callable:
        """A fast call on tensors of uint8; the call itself where there are none."""
        if not self.inputs and not self.outputs:
            return fast

        def call(*values: object) -> object:
            results = fast(*self.given(values))
            if results is NotImplemented or not self.outputs:
                return results
            return results.view(torch.uint8) if isinstance(results, torch.Tensor) else tuple(self.made(results))

        return call


def _is_byte(key: object) -> bool:
    return isinstance(key, torch.fx.Node) and is_tensor(key) and key.meta["val"].dtype == torch.uint8


class _Programs:
    """The program of a region, and programs for given sizes, which are used where it cannot run: None where these
    cannot either. `fast` is the C function of the former."""

    def __init__(self, region: Region, lowered: Lowered):
        self.has_seed_tensor = lowered.builder.has_seed_tensor
        self.program = region.make_program(lowered.text)
        self.bytes = _Bytes(*(list(map(_is_byte, items)) for items in (lowered.keys, region.outputs)))
        self.fast = self.bytes.around(self.program.fast_call_of(torch.Tensor) or leave)
        self.by_sizes: dict[tuple[int, ...], Program | None] = {}
        self.is_broken = False


class Region:
    """Nodes that one program computes.

    `outputs` are the nodes that others read; `aliases` are those whose result is stored in an input of the graph. A
    call takes the values of `keys`. `fast` is the C function for it, which returns NotImplemented where `slow` has to.
    """

    def __init__(self, partition: Partition, nodes: list[torch.fx.Node], options: dict[str, object]):
        self.partition, self.nodes, self.members, self.options = partition, nodes, set(nodes), options
        self.op_names = {op_name(node) for node in nodes if node.target is not operator.getitem}
        self.aliases: dict[torch.fx.Node, torch.fx.Node] = {}
        self.outputs = [
            node
            for node in nodes
            if is_tensor(node) and any(reader not in self.members for reader in partition.readers(node))
        ]
        # Calls, and how many of them PyTorch computed.
        self.counts = [0, 0]
        self._captured: _Programs | None = None
        self._ahead: Compilation | None = None
        self._resume: Callable[[], object] | None = None

    def lower(self) -> None:
        """Makes the program; kernels are compiled at the first call. Raises FuserError or Unsupported."""
        self.lowered = Lowered(self)
        self.keys = self.lowered.keys
        self.symbols = sorted(
            {
                symbol
                for node in (*self.lowered.order, *(key for key in self.keys if isinstance(key, torch.fx.Node)))
                for symbol in _symbols_of(node.meta["val"])
            },
            key=str,
        )
        self._programs = _Programs(self, self.lowered)
        self.fast = self._programs.fast

    @property
    def draws(self) -> int:
        """How many tensors of random numbers a call draws."""
        return self.lowered.builder.random_ops

    def make_program(self, text: str) -> Program:
        device = self.partition.device
        place = f"cuda:{device.index or 0}" if device.type == "cuda" else "host"
        key = (place, text, *sorted(self.options.items()))
        if key not in _programs:
            _programs[key] = Program(text, place, **self.options)
        return _programs[key]

    def find_refused(self) -> dict[torch.fx.Node, str]:
        """The nodes that do not even make a program alone, and why."""
        refused = {}
        for node in self.nodes:
            alone = Region(self.partition, [node], self.options)
            try:
                if alone.outputs:
                    alone.lower()
            except Exception as error:
                refused[node] = f"its program was refused: {str(error).splitlines()[0]}"
        return refused

    # Compilations before the first call

    def expected_arguments(self) -> list[ExpectedTensor | int] | None:
        """The arguments of the first call: those that were traced. None where one is not known."""
        program, values = self._programs.program, []
        for key in self.keys:
            if isinstance(key, torch.fx.Node) and is_tensor(key):
                value = key.meta["val"]
                # Bytes are passed as i8.
                name = "int8" if value.dtype == torch.uint8 else str(value.dtype).removeprefix("torch.")
                shape, strides = (list(map(hint_of, items)) for items in (value.shape, value.stride()))
                place = program.dlpack_device
                values.append(ExpectedTensor(name, shape, strides, hint_of(value.storage_offset()), place))
            elif key in (SEED, OFFSET):
                values.append(0)
            else:
                return None
        return values

    def compile_ahead(self, known: dict[tuple, Compilation], resume: Callable[[], object]) -> bool:
        """Compiles for the first call in another thread, unless that is `known`. `slow` waits for it, and then calls
        `resume`: until that, all calls are to be `slow`. False where the first call compiles."""
        try:
            values = self.expected_arguments()
        except Exception:
            # A type that only PyTorch has, or a size that depends on data.
            return False
        if values is None:
            return False
        program = self._programs.program
        key = (program, *(value.layout if isinstance(value, ExpectedTensor) else value for value in values))
        if key not in known:
            known[key] = QUEUE.add(program, values)
        self._ahead, self._resume = known[key], resume
        return True

    # Calls that the C function leaves

    def slow(self, arguments: tuple, sizes: tuple[int, ...]) -> object:
        """The results, or the one result: compiles what is missing, and falls back to numbers for sizes, then to
        PyTorch."""
        if self._ahead is not None:
            self._ahead.finish()
            self._ahead = None
            self._resume()
        results = self._run(arguments, sizes)
        return results[0] if len(results) == 1 else results

    def _run(self, arguments: tuple, sizes: tuple[int, ...]) -> list:
        values = [value.detach() if isinstance(value, torch.Tensor) else value for value in arguments]
        programs = self._programs
        if self.draws and isinstance(values[self.keys.index(SEED)], torch.Tensor):
            programs = self._captured = self._captured or _Programs(self, Lowered(self, has_seed_tensor=True))
            try:
                results = programs.fast(*values)
            except FuserError:
                results = NotImplemented
            if results is not NotImplemented:
                return [results] if len(self.outputs) == 1 else list(results)
        if not programs.is_broken:
            try:
                return _run_program(programs.program, values, programs.bytes)
            except FuserError as error:
                failure = error
                # A guard on sizes holds for others.
                programs.is_broken = not (isinstance(error, ShapeError) and sizes)
                if programs.is_broken and not sizes:
                    self._note(error)
        if sizes:
            program = self._program_of_sizes(programs, sizes)
            if program is not None:
                try:
                    return _run_program(program, values, programs.bytes)
                except FuserError as error:
                    programs.by_sizes[sizes] = None
                    self._note(error)
        elif not programs.is_broken:
            self._note(failure)
        self.counts[1] += 1
        return self._run_eagerly(values, sizes)

    def _program_of_sizes(self, programs: _Programs, sizes: tuple[int, ...]) -> Program | None:
        if sizes not in programs.by_sizes:
            programs.by_sizes[sizes] = None
            numbers = {symbol: sympy.Integer(size) for symbol, size in zip(self.symbols, sizes, strict=True)}
            try:
                lowered = Lowered(self, numbers, programs.has_seed_tensor)
                # Sizes that no tensor has are arguments of the general program, and numbers in this one.
                if lowered.keys != self.keys:
                    raise Unsupported("a program that depends on its sizes")
                programs.by_sizes[sizes] = self.make_program(lowered.text)
            except (FuserError, Unsupported) as error:
                self._note(error)
        return programs.by_sizes[sizes]

    def _note(self, error: Exception) -> None:
        for name in sorted(self.op_names):
            _report.note_fallback(name, f"its region failed: {str(error).splitlines()[0]}")

    def _run_eagerly(self, values: Sequence[object], sizes: tuple[int, ...]) -> list:
        """The same by PyTorch's kernels."""
        numbers = {symbol: sympy.Integer(size) for symbol, size in zip(self.symbols, sizes, strict=True)}
        env: dict[torch.fx.Node, object] = {}
        for key, value in zip(self.keys, values, strict=True):
            if isinstance(key, torch.fx.Node):
                env[key] = value
            elif isinstance(key, tuple):
                env[key[1]] = torch.tensor(value, dtype=key[1].meta["val"].dtype)

        def read(node: torch.fx.Node) -> object:
            return env[node] if node in env else concrete(node.meta["val"], numbers)

        for node in self.lowered.order:
            arguments, named = torch.fx.map_arg((node.args, node.kwargs), read)
            env[node] = node.target(*arguments, **named)
        results = [env[node] for node in self.outputs]
        return [
            env[self.aliases[node]].copy_(result) if node in self.aliases else result
            for node, result in zip(self.outputs, results, strict=True)
        ]


def _run_program(program: Program, values: list, views: _Bytes) -> list:
    return views.made([torch.from_dlpack(result) for result in program.run(views.given(values), convert=False)])


def _symbols_of(value: object) -> set[sympy.Symbol]:
    if isinstance(value, (list, tuple)):
        return {symbol for item in value for symbol in _symbols_of(item)}
    if isinstance(value, torch.Tensor):
        return _symbols_of((*value.shape, *value.stride()))
    return value.node.expr.free_symbols if isinstance(value, torch.SymInt) else set()
