"""Compiled graphs: a Python function of a few lines that calls regions and ops of PyTorch in turn."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable

import sympy
import torch
from torch.utils._sympy.printers import PythonPrinter

from fuser._errors import FuserError
from fuser.torch import _report, _rng
from fuser.torch._builder import Unsupported
from fuser.torch._lowering import VIEWS
from fuser.torch._partition import (
    COPY,
    EAGER,
    INLINE,
    SIZE,
    Partition,
    graph_device,
    is_by_design,
    is_known_size,
    is_mutation,
    op_name,
)
from fuser.torch._random import OFFSET, SEED
from fuser.torch._region import Region, leave
from fuser.torch._selections import rewrite_selections
from fuser.torch._updates import base_of, copy_into_views, is_place, return_views_of_inputs, write_copies_back
from fuser.torch._views import hoist_reshapes, reshape_strided


class _Writer:
    """Writes the function. Values are variables, which are deleted after their last use."""

    def __init__(self, graph: torch.fx.Graph, module: torch.nn.Module):
        self.graph, self.module = graph, module
        self.lines: list[str] = []
        self.uses: list[set[str]] = []
        self.names: dict[torch.fx.Node, str] = {}
        self.scope: dict[str, object] = {"N": NotImplemented, "E": FuserError, "draw": _rng.draw}
        self.scope |= {"math": math, "torch": torch}
        self.symbols: dict[sympy.Symbol, str] = {}
        self._constants: dict[int, str] = {}
        self._current: set[str] = set()
        self._printer = PythonPrinter()

    def line(self, text: str, ends: bool = True) -> None:
        """A line; `ends` tells whether variables may be deleted after it."""
        self.lines.append(text)
        self.uses.append(self._current if ends else set())
        if ends:
            self._current = set()

    def constant(self, value: object) -> str:
        if id(value) not in self._constants:
            name = f"k{len(self._constants)}"
            self._constants[id(value)], self.scope[name] = name, value
        return self._constants[id(value)]

    def define(self, node: torch.fx.Node) -> str:
        name = self.names[node] = f"v{len(self.names)}"
        return name

    def expression(self, expression: sympy.Expr) -> str:
        """Python of a size, or of a number computed from sizes."""
        if expression.is_number:
            return str(int(expression)) if expression.is_integer else repr(float(expression))
        for symbol in expression.free_symbols:
            if symbol not in self.symbols:
                raise Unsupported(f"a size {symbol} that no input shows")
        names = {symbol: sympy.Symbol(self.symbols[symbol], integer=True) for symbol in expression.free_symbols}
        self._current |= {self.symbols[symbol] for symbol in expression.free_symbols}
        return self._printer.doprint(expression.xreplace(names))

    def read(self, node: torch.fx.Node) -> str:
        if node in self.names:
            # Constants belong to the scope, which outlives a call.
            if self.names[node] not in self.scope:
                self._current.add(self.names[node])
            return self.names[node]
        value = node.meta.get("val")
        if isinstance(value, int):
            return repr(value)
        return f"({self.expression(value.node.expr)})"

    def argument(self, value: object) -> str:
        """Python of an argument of an op."""
        if isinstance(value, torch.fx.Node):
            return self.read(value)
        if type(value) in (list, tuple, torch.fx.immutable_collections.immutable_list):
            items = ", ".join(map(self.argument, value))
            return f"[{items}]" if type(value) is not tuple else f"({items}{',' if len(value) == 1 else ''})"
        if value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value)):
            return repr(value)
        return self.constant(value)

    def finish(self, result: str) -> Callable:
        """The function of a list of arguments, which it empties."""
        last: dict[str, int] = {}
        for position, names in enumerate(self.uses):
            last.update(dict.fromkeys(names, position))
        body = []
        for position, line in enumerate(self.lines):
            body += [f"    {part}" for part in line.split("\n")]
            dead = sorted(name for name, at in last.items() if at == position and name not in self._current)
            if dead and position + 1 < len(self.lines):
                body.append(f"    del {', '.join(dead)}")
        self.source = "def call(args):\n" + "\n".join([*body, f"    return {result}"]) + "\n"
        exec(compile(self.source, "<fuser.torch graph>", "exec"), self.scope)
        return self.scope["call"]


class CompiledGraph:
    """A graph of ATen ops as AOTAutograd makes it. `call(list of arguments)` returns the list of its results."""

    def __init__(self, module: torch.fx.GraphModule, options: dict[str, object], exact_random: bool):
        self.module, self.graph = module, module.graph
        reshape_strided(self.graph)
        rewrite_selections(self.graph)
        hoist_reshapes(self.graph)
        return_views_of_inputs(self.graph)
        copy_into_views(self.graph)
        self.graph.eliminate_dead_code()
        write_copies_back(self.graph)
        device = graph_device(self.graph)
        # Nodes that the compiler refuses although their lowering took them. Each round finds at least one more.
        refused: dict[torch.fx.Node, str] = {}
        while True:
            known = len(refused)
            self.partition = Partition(self.graph, device, exact_random, refused)
            self.regions: list[Region] = []
            self._by_depth: dict[int, list[Region]] = {}
            for depth, nodes in self.partition.regions():
                refused |= self._add_region(depth, nodes, options)
            if len(refused) == known:
                break
        self._note_fallbacks()
        self.call = self._write()
        self._compile_ahead()
        _report.note_graph((region.counts, region.op_names) for region in self.regions)

    def _add_region(
        self, depth: int, nodes: list[torch.fx.Node], options: dict[str, object]
    ) -> dict[torch.fx.Node, str]:
        """Adds a region; returns the nodes that keep it from being compiled, and why."""
        region = Region(self.partition, nodes, options)
        self._find_aliases(region, depth)
        try:
            if region.outputs:
                region.lower()
        except Exception as error:
            # Where no node is refused alone, all become PyTorch's.
            reason = f"its region was refused: {str(error).splitlines()[0]}"
            return region.find_refused() or dict.fromkeys(nodes, reason)
        if region.outputs:
            self.regions.append(region)
            self._by_depth.setdefault(depth, []).append(region)
        return {}

    def _find_aliases(self, region: Region, depth: int) -> None:
        """Copies of results into inputs, which the program stores there if nothing reads the input later."""
        for node in region.nodes:
            for user in node.users:
                if user.target is not COPY or user.args[1] is not node or not is_place(user.args[0]):
                    continue
                target, value = user.args[0], node.meta["val"]
                into, base = target.meta["val"], base_of(target)
                same = (into.dtype, into.shape, into.stride()) == (value.dtype, value.shape, value.stride())
                readers = set(self.partition.readers(base)) - {user}
                is_free = all(
                    # What is returned is the input after the graph.
                    reader in region.members or self.partition.depths[reader] < depth or reader.op == "output"
                    for reader in readers
                )
                written = 1 + sum(reader.target is COPY and base_of(reader.args[0]) is base for reader in readers)
                # The program would read it, and write it elsewhere.
                is_free &= target is base or not any(_reads(other, base, target) for other in region.nodes)
                # The program returns a result once; whoever else reads it reads the input.
                if same and is_free and written == 1 and not user.users and node not in region.aliases:
                    region.aliases[node] = target
        stored = set(region.aliases)
        for node in stored:
            if node not in region.outputs:
                region.outputs.append(node)

    def _note_fallbacks(self) -> None:
        for node, reason in self.partition.reasons.items():
            if node.target not in VIEWS and node.target is not operator.getitem and not self._is_copy_back(node):
                _report.note_fallback(op_name(node), reason, expected=is_by_design(node))

    def _is_copy_back(self, node: torch.fx.Node) -> bool:
        return node.target is COPY and any(node.args[1] in region.aliases for region in self.regions)

    def _compile_ahead(self) -> None:
        """Compiles the regions in other threads, in the order of their calls."""
        scope, known = self.writer.scope, {}
        for number, region in enumerate(self.regions):
            name = f"f{number}"
            if region.compile_ahead(known, functools.partial(scope.__setitem__, name, region.fast)):
                scope[name] = leave

    # Code

    def _write(self) -> Callable:
        writer = _Writer(self.graph, self.module)
        self.writer = writer
        inputs = [node for node in self.graph.nodes if node.op == "placeholder"]
        names = [writer.define(node) for node in inputs]
        if names:
            writer.line(f"{', '.join(names)}, = args")
        writer.line("args.clear()")
        self._write_symbols(writer, inputs)
        for node in self.graph.nodes:
            if node.op == "get_attr":
                writer.names[node] = writer.constant(_attribute(self.module, node.target))
        depths = self.partition.depths
        rest: dict[int, list[torch.fx.Node]] = {}
        for node in self.graph.nodes:
            is_written = node.op == "call_function" and self.partition.kinds[node] in (EAGER, SIZE)
            if is_written and not (self.partition.kinds[node] == SIZE and is_known_size(node)):
                rest.setdefault(depths[node], []).append(node)
        for depth in range(max(depths.values(), default=0) + 1):
            for region in self._by_depth.get(depth, []):
                self._write_region(writer, region)
            # Mutations come last.
            for node in sorted(rest.get(depth, []), key=is_mutation):
                if not self._is_copy_back(node):
                    self._write_op(writer, node)
        output = next(node for node in self.graph.nodes if node.op == "output")
        results = output.args[0] if isinstance(output.args[0], (list, tuple)) else [output.args[0]]
        for node in results:
            if isinstance(node, torch.fx.Node):
                self._write_views(writer, node)
        return writer.finish(f"[{', '.join(map(writer.argument, results))}]")

    def _write_symbols(self, writer: _Writer, inputs: list[torch.fx.Node]) -> None:
        for node in inputs:
            value = node.meta.get("val")
            if isinstance(value, torch.SymInt) and value.node.expr.is_Symbol:
                writer.symbols.setdefault(value.node.expr, writer.names[node])
        for node in inputs:
            value = node.meta.get("val")
            if not isinstance(value, torch.Tensor):
                continue
            for dim, size in enumerate(value.shape):
                if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol:
                    symbol = size.node.expr
                    if symbol not in writer.symbols:
                        writer.symbols[symbol] = f"n{len(writer.symbols)}"
                        writer.line(f"{writer.symbols[symbol]} = {writer.read(node)}.size({dim})", ends=False)

    def _write_views(self, writer: _Writer, node: torch.fx.Node) -> None:
        """Writes the views and factories that an op of PyTorch's reads."""
        if node in writer.names or self.partition.kinds[node] != INLINE:
            return
        for source in node.all_input_nodes:
            self._write_views(writer, source)
        self._write_op(writer, node)

    def _write_op(self, writer: _Writer, node: torch.fx.Node) -> None:
        for source in node.all_input_nodes:
            self._write_views(writer, source)
        if node.target is operator.getitem:
            text = f"{writer.read(node.args[0])}[{node.args[1]!r}]"
        else:
            arguments = [writer.argument(item) for item in node.args]
            arguments += [f"{name}={writer.argument(item)}" for name, item in node.kwargs.items()]
            text = f"{writer.constant(node.target)}({', '.join(arguments)})"
        name = writer.define(node)
        writer._current.add(name)
        writer.line(f"{name} = {text}")
        value = node.meta.get("val")
        if isinstance(value, torch.SymInt) and value.node.expr.is_Symbol:
            writer.symbols.setdefault(value.node.expr, name)

    def _write_region(self, writer: _Writer, region: Region) -> None:
        number = self.regions.index(region)
        for name, value in (("f", region.fast), ("g", region.slow), ("c", region.counts)):
            writer.scope[f"{name}{number}"] = value
        if region.draws:
            device = writer.constant(self.partition.device)
            writer.line(f"seed, offset = draw({device}, {region.draws})", ends=False)
        # The line of a view ends what was read before it, so that all views precede the first argument.
        for key in region.keys:
            node = key[1] if isinstance(key, tuple) else key
            if isinstance(node, torch.fx.Node):
                self._write_views(writer, node)
        arguments = []
        for key in region.keys:
            if isinstance(key, torch.fx.Node):
                arguments.append(writer.read(key))
            elif isinstance(key, tuple):
                arguments.append(f"{writer.read(key[1])}.item()")
            else:
                arguments.append(key if key in (SEED, OFFSET) else writer.expression(key))
        sizes = "".join(f"{writer.expression(symbol)}, " for symbol in region.symbols)
        given = ", ".join(arguments)
        names = [writer.define(node) for node in region.outputs]
        writer._current |= set(names)
        results = ", ".join(names)
        packed = f"({given}{',' if len(arguments) == 1 else ''})"
        writer.line(
            f"c{number}[0] += 1\n"
            f"try:\n    r = f{number}({given})\nexcept E:\n    r = N\n"
            f"if r is N:\n    r = g{number}({packed}, ({sizes}))\n"
            f"{results} = r\nr = None"
        )


def _reads(node: torch.fx.Node, base: torch.fx.Node, view: torch.fx.Node) -> bool:
    """Whether a node reads `base`, directly or by views, but not by `view`."""
    pending = list(node.all_input_nodes)
    while pending:
        source = pending.pop()
        if source is base:
            return True
        if source is not view and source.target in VIEWS:
            pending.append(source.args[0])
    return False


def _attribute(module: torch.nn.Module, target: str) -> object:
    value = module
    for name in target.split("."):
        value = getattr(value, name)
    return value
