"""Running a definition."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from fuser import _repro, _texts
from fuser._emit import CARRIERS
from fuser._errors import ArgumentError, RankError, ShapeError, ValidationError
from fuser._numbers import convert_number
from fuser._program import Program, device_of, is_tensor
from fuser._random import next_state
from fuser._static import define_static, key_of
from fuser._values import Scalar, TensorView


class ExecutionMethods:
    """What a definition does after its end."""

    # How kernels are scheduled, as options of Program; `script` is appended to the text.
    _schedule: dict[str, str | None]
    _own_text: str | None = None
    # The fast call of the program that ran last, where arguments need no preparation here.
    _warm: Callable[..., object] | None = None
    _warm_program: Program | None = None
    _needs_preparation: bool | None = None

    def execute(
        self,
        inputs: Sequence[object],
        *,
        device: object = None,
        auto_schedule: bool = True,
        _enable_options: Sequence[str] = (),
        _disable_options: Sequence[str] = (),
    ) -> list:
        """Runs the program on tensors and numbers, in the order in which the arguments were defined.

        Returns the outputs that are no aliases, in the library of the first tensor. `device` is where the program runs:
        by default where its first tensor is. Kernels are compiled at the first call, and for new layouts of arguments.
        With `auto_schedule=False` a schedule must have been set. Options of nvFuser's compiler must be empty. Raises
        ArgumentError for another number or kind of arguments, DTypeError, RankError, ShapeError, ScalarError,
        DeviceError and BufferError for ones that do not fit.
        """
        if _enable_options or _disable_options:
            name, given = (
                ("_enable_options", _enable_options) if _enable_options else ("_disable_options", _disable_options)
            )
            raise ArgumentError("ArgumentKind", f"{name}: expected no options of nvFuser's compiler, but got {given!r}")
        if self._warm is not None and device is None and auto_schedule and isinstance(inputs, (list, tuple)):
            results = self._warm(*inputs)
            if results is not NotImplemented:
                return list(results) if isinstance(results, tuple) else [results]
        fusion = self.fusion
        if not auto_schedule and not any(self._schedule.values()) and self._own_text is None:
            raise ArgumentError("ArgumentKind", "auto_schedule: expected True, or a schedule that was set before")
        values = self._bind(inputs)
        results = self._run(values, device)
        return [
            result for result, output in zip(results, fusion.output_list, strict=True) if output.alias_input is None
        ]

    def _bind(self, inputs: Sequence[object], draw: bool = True) -> list[object]:
        """A value for each argument of the program: `inputs`, and seeds of random functions, which are new where
        numbers are drawn."""
        fusion = self.fusion
        hidden = {
            value.index: state
            for record in fusion.records
            if record.op == "rng_state"
            for value, state in zip(record.results, next_state() if draw else (0, 0), strict=True)
        }
        expected = len(fusion.inputs) - len(hidden)
        if not isinstance(inputs, Sequence):
            raise ArgumentError("ArgumentKind", f"inputs: expected a list, but got {type(inputs).__name__}")
        if len(inputs) != expected:
            raise ArgumentError("ArgumentCount", f"inputs: expected {expected} arguments, but got {len(inputs)}")
        given = iter(inputs)
        values = [hidden[value.index] if value.index in hidden else next(given) for value in fusion.input_values]
        positions = itertools.count()
        for value, argument in zip(values, fusion.input_values, strict=True):
            if argument.index in hidden:
                continue
            where = f"argument {next(positions)}"
            # The program takes a wider type where the dialect has no scalar arguments of this one.
            if isinstance(argument, Scalar) and argument.dtype in CARRIERS:
                convert_number(value, argument.dtype.value, where)
            if isinstance(argument, TensorView):
                self._check_tensor(value, argument.ndim, where)
        return values

    @staticmethod
    def _check_tensor(value: object, rank: int, where: str) -> None:
        if not is_tensor(value):
            raise ArgumentError("ArgumentKind", f"{where}: expected a tensor, but got {type(value).__name__}")
        if not hasattr(value, "shape"):
            raise ArgumentError("ArgumentKind", f"{where}: expected a tensor with a shape, but got a capsule")
        if len(value.shape) != rank:
            raise RankError("RankMismatch", f"{where}: expected rank {rank}, but got rank {len(value.shape)}")

    def _device_for(self, values: Sequence[object], device: object) -> str | None:
        if device is not None:
            return str(device)
        arguments = zip(values, self.fusion.input_values, strict=True)
        places = [
            device_of(value)
            for value, argument in arguments
            if isinstance(argument, TensorView) and is_tensor(value) and argument.ndim > 0
        ]
        return places[0] if places else next(iter(filter(None, map(device_of, values))), None)

    def _specialize(self, values: list[object]) -> tuple[ExecutionMethods, list[object]]:
        """The definition that runs for these arguments, and its arguments: this one, or one with static sizes."""
        fusion = self.fusion
        if self._own_text is not None or not (fusion.needs_static_sizes() or not fusion.fits_bounds(values)):
            return self, values
        return self._with_static_sizes(values)

    def _with_static_sizes(self, values: list[object]) -> tuple[ExecutionMethods, list[object]]:
        fusion = self.fusion
        key = key_of(fusion, values)
        if key not in fusion.static:
            fusion.static[key] = define_static(fusion, values, type(self)())
        definition, kept, _ids = fusion.static[key]
        definition._schedule = self._schedule
        return definition, [values[position] for position in kept]

    def _run(self, values: list[object], device: object, convert: bool = True) -> list:
        definition, arguments = self._specialize(values)
        if definition is not self:
            return definition._run(arguments, device, convert)
        try:
            program = self._program(values, device)
            results = program.run(values, convert)
            if self._prepares_arguments():
                self._warm = None
            elif self._warm is None or self._warm_program is not program:
                self._warm = program.fast_call_with([output.alias_input is None for output in self.fusion.output_list])
                self._warm_program = program
            return results
        except ShapeError as error:
            # Kernels are scheduled for sizes that tensors show; a size that is a scalar may not fit what they assume.
            if error.kind != "GuardFailed" or not self.fusion.size_arguments() or self._own_text is not None:
                raise
        definition, arguments = self._with_static_sizes(values)
        return definition._run(arguments, device, convert)

    def _prepares_arguments(self) -> bool:
        """Whether a call passes on other arguments than it is given, or checks more of them than the program does."""
        if self._needs_preparation is None:
            fusion = self.fusion
            self._needs_preparation = (
                any(record.op == "rng_state" for record in fusion.records)
                or any(isinstance(value, Scalar) and value.dtype in CARRIERS for value in fusion.input_values)
                or bool(fusion.bounds or fusion.reshapes or fusion.size_arguments())
                or fusion.needs_static_sizes()
            )
        return self._needs_preparation

    def _program(self, values: list[object], device: object) -> Program:
        """The compiled program for these arguments. Tensors without dimensions are moved to where it runs."""
        fusion, place = self.fusion, self._device_for(values, device)
        key = (place, self._own_text, *self._schedule.items())
        program = fusion.programs.get(key)
        if program is None:
            text = self._own_text or fusion.text
            options = {name: value for name, value in self._schedule.items() if name != "script"}
            if self._schedule["script"]:
                text = f"{text}\n{self._schedule['script']}"
            program = fusion.programs[key] = Program(text, place, **options)
        if program.device != "host":
            for i, value in enumerate(values):
                if is_tensor(value) and tuple(value.shape) == () and device_of(value) == "host":
                    values[i] = value.to(program.device) if hasattr(value, "to") else value
        return program

    def would_compile(self, inputs: Sequence[object], *, device: object = None) -> bool:
        """Whether `execute` with these arguments would compile kernels first."""
        definition, arguments = self._specialize(self._bind(inputs, draw=False))
        return definition._program(arguments, device).would_compile(*arguments)

    def is_compiled(self, inputs: Sequence[object], *, device: object = None) -> bool:
        """Whether `execute` with these arguments finds its kernels compiled."""
        return not self.would_compile(inputs, device=device)

    def repro_script_for(self, inputs: Sequence[object]) -> str:
        """A Python script that defines this program and runs it on random arguments of the sizes, strides and types of
        these, which are tensors of PyTorch or NumPy, and on these numbers. For reports of defects."""
        return _repro.make_script(repr(self), self._check_inputs(inputs))

    def _check_inputs(self, inputs: Sequence[object]) -> Sequence[object]:
        self._bind(inputs, draw=False)
        return inputs

    def reason_to_compile(self, inputs: Sequence[object], *, device: object = None) -> str:
        """Why `execute` with these arguments would compile: the condition that the kernels so far rely on and these
        arguments do not satisfy. Empty where it would not compile."""
        definition, arguments = self._specialize(self._bind(inputs, draw=False))
        return definition._program(arguments, device).reason_to_compile(*arguments)

    def _scalar_types(self) -> list[str | None]:
        """The MLIR types of scalar arguments; None for tensors."""
        return [
            CARRIERS.get(value.dtype, (value.dtype.value,))[0] if isinstance(value, Scalar) else None
            for value in self.fusion.input_values
        ]

    def validate(
        self, inputs: Sequence[object], reference_outputs: Sequence[object] | None = None, *, device: object = None
    ) -> list:
        """Runs the program as `execute` does and compares each output, aliases included, with `reference_outputs`, by
        default those of the slow reference in double precision. Returns what `execute` returns. Raises ValidationError
        where an output differs by more than the tolerance of the least precise type that the program computes in."""
        fusion, values = self.fusion, self._bind(inputs)
        if reference_outputs is None:
            # Before an output is stored in an argument.
            definition, arguments = self._specialize(values)
            types = definition._scalar_types()
            expected = _texts.evaluate(definition.fusion.text, arguments, types, len(fusion.outputs))
        else:
            expected = list(reference_outputs)
        results = self._run(values, device)
        pairs = list(zip(results, fusion.output_list, strict=True))
        if reference_outputs is not None and len(expected) != len(results):
            pairs = [(result, output) for result, output in pairs if output.alias_input is None]
        if len(expected) != len(pairs):
            raise ArgumentError(
                "ArgumentCount", f"reference_outputs: expected {len(pairs)} tensors, but got {len(expected)}"
            )
        for (result, output), reference in zip(pairs, expected, strict=True):
            if difference := _texts.compare(result, reference, fusion.least_precise):
                raise ValidationError("ResultMismatch", f"output {output.value!r}: {difference}")
        return [
            result for result, output in zip(results, fusion.output_list, strict=True) if output.alias_input is None
        ]

    def explain(self, inputs: Sequence[object] = (), *, format: str = "text", target: str | None = None) -> str:
        """The compiler's decisions about the program and their reasons, as text, json, svg or html. With arguments
        their sizes and layouts count; `target` is the GPU that kernels are scheduled for."""
        return _texts.explain(*self._text_for(inputs, format, target))

    def lowered(self, phase: str, inputs: Sequence[object] = (), *, target: str | None = None) -> str:
        """The program in MLIR after the phases up to "preseg", "segmentation", "choose", "apply", a stage of lowering
        ("loops", "launched", "accessed", "guarded") or "lowering". With arguments it is specialized for their sizes and
        layouts."""
        return _texts.transform(*self._text_for(inputs, phase, target))

    def _text_for(self, inputs: Sequence[object], *options: str | None) -> tuple:
        """The text of the definition that runs for these inputs, options, and its arguments with their types."""
        if not inputs:
            return self.fusion.text, *options, (), ()
        definition, arguments = self._specialize(self._bind(inputs, draw=False))
        return definition.fusion.text, *options, arguments, definition._scalar_types()

    def schedule(
        self,
        *,
        scheduler: str | None = None,
        parameters: str | None = None,
        script: str | None = None,
        text: str | None = None,
    ) -> None:
        """Sets how the kernels of later executions are scheduled; without arguments as the compiler chooses.

        scheduler   the only scheduler that may take them, by name: "pointwise", "reduction", "inner_persistent" ...
        parameters  the parameters of a scheduler: "#fuser_sched.pointwise<...>"
        script      a module with a transform script, which names kernels `@fusion_0`, ...
        text        the whole program after a phase, as `lowered` returns it, with domains edited by hand
        """
        given = [name for name, value in locals().items() if name != "self" and value is not None]
        if len(given) > 1:
            raise ArgumentError("ArgumentKind", f"schedule: expected one of {', '.join(given)}, but got all of them")
        self._schedule = {**self._schedule, "scheduler": scheduler, "schedule": parameters, "script": script}
        self._own_text, self._warm = text, None

    def mark_boundaries(self, *marks: str) -> None:
        """Sets where segments of later executions end, in addition to `ops.segment_set`; without arguments nowhere.

        "fuser.reshape"                 values that reshapes read ("fuser.reshape:after": results, ":around": both)
        "@encoder.attention"            values that cross the border of a region (`FusionDefinition.region`)
        """
        for mark in marks:
            if not isinstance(mark, str) or not mark or "," in mark:
                raise ArgumentError(
                    "ArgumentKind", f"mark_boundaries: expected an operation or a region, but got {mark!r}"
                )
        self._schedule = {**self._schedule, "mark_boundaries": ",".join(marks) or None}
        self._warm = None
