"""Running a definition."""

from __future__ import annotations

from collections.abc import Sequence

from fuser import _texts
from fuser._emit import CARRIERS
from fuser._errors import ArgumentError, ShapeError, ValidationError
from fuser._numbers import convert_number
from fuser._program import Program, device_of, is_tensor
from fuser._random import next_state
from fuser._values import Scalar, TensorView


class ExecutionMethods:
    """What a definition does after its end."""

    # How kernels are scheduled, as options of Program; `script` is appended to the text.
    _schedule: dict[str, str | None]
    _own_text: str | None = None

    def execute(self, inputs: Sequence[object], *, device: object = None, auto_schedule: bool = True) -> list:
        """Runs the program on tensors and numbers, in the order in which the arguments were defined.

        Returns the outputs that are no aliases, in the library of the first tensor. `device` is where the program runs:
        by default where its first tensor is. Kernels are compiled at the first call, and for new layouts of arguments.
        With `auto_schedule=False` a schedule must have been set. Raises ArgumentError for another number or kind of
        arguments, DTypeError, RankError, ShapeError, ScalarError, DeviceError and BufferError for ones that do not fit.
        """
        fusion = self.fusion
        if not auto_schedule and not any(self._schedule.values()) and self._own_text is None:
            raise ArgumentError("ArgumentKind", "auto_schedule: expected True, or a schedule that was set before")
        values = self._bind(inputs)
        results = self._run(values, device)
        return [
            result for result, output in zip(results, fusion.output_list, strict=True) if output.alias_input is None
        ]

    def _bind(self, inputs: Sequence[object]) -> list[object]:
        """A value for each argument of the program: `inputs`, and new seeds of random functions."""
        fusion = self.fusion
        hidden = {
            value.index: state
            for record in fusion.records
            if record.op == "rng_state"
            for value, state in zip(record.results, next_state(), strict=True)
        }
        expected = len(fusion.inputs) - len(hidden)
        if not isinstance(inputs, Sequence):
            raise ArgumentError("ArgumentKind", f"inputs: expected a list, but got {type(inputs).__name__}")
        if len(inputs) != expected:
            raise ArgumentError("ArgumentCount", f"inputs: expected {expected} arguments, but got {len(inputs)}")
        given = iter(inputs)
        values = [hidden[value.index] if value.index in hidden else next(given) for value in fusion.input_values]
        for value, argument in zip(values, fusion.input_values, strict=True):
            # The program takes a wider type where the dialect has no scalar arguments of this one.
            if isinstance(argument, Scalar) and argument.dtype in CARRIERS:
                convert_number(value, argument.dtype.value, f"argument {argument!r}")
            if isinstance(argument, TensorView) and (not is_tensor(value) or len(value.shape) != argument.ndim):
                return values  # The program says what it expects.
        fusion.check_bounds(values)
        return values

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

    def _run(self, values: list[object], device: object, convert: bool = True) -> list:
        try:
            return self._program(values, device).run(values, convert)
        except ShapeError as error:
            # Kernels are scheduled for sizes that tensors show; a size that is a scalar may not fit what they assume.
            positions = self.fusion.size_arguments()
            if error.kind != "GuardFailed" or not positions or self._own_text is not None:
                raise
            known = {self.fusion.inputs[i]: int(values[i]) for i in positions}
            return self._program(values, device, known).run(values, convert)

    def _program(self, values: list[object], device: object, known: dict[int, int] | None = None) -> Program:
        """The compiled program for these arguments, for `known` scalars by id. Tensors without dimensions are moved to
        where it runs."""
        fusion, place = self.fusion, self._device_for(values, device)
        key = (place, self._own_text, *self._schedule.items(), *(known or {}).items())
        program = fusion.programs.get(key)
        if program is None:
            text = self._own_text or (fusion.emit(known=known) if known else fusion.text)
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
        values = self._bind(inputs)
        return self._program(values, device).would_compile(*values)

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
        where an output differs by more than the tolerance of its type."""
        fusion, values = self.fusion, self._bind(inputs)
        if reference_outputs is None:
            # Before an output is stored in an argument.
            expected = _texts.evaluate(fusion.text, values, self._scalar_types(), len(fusion.outputs))
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
            if difference := _texts.compare(result, reference):
                raise ValidationError("ResultMismatch", f"output {output.value!r}: {difference}")
        return [
            result for result, output in zip(results, fusion.output_list, strict=True) if output.alias_input is None
        ]

    def explain(self, inputs: Sequence[object] = (), *, format: str = "text", target: str | None = None) -> str:
        """The compiler's decisions about the program and their reasons, as text, json, svg or html. With arguments
        their sizes and layouts count; `target` is the GPU that kernels are scheduled for."""
        values = self._bind(inputs) if inputs else ()
        types = self._scalar_types() if inputs else ()
        return _texts.explain(self.fusion.text, format, target, values, types)

    def lowered(self, phase: str, inputs: Sequence[object] = (), *, target: str | None = None) -> str:
        """The program in MLIR after the phases up to "preseg", "segmentation", "choose", "apply" or "lowering". With
        arguments it is specialized for their sizes and layouts."""
        values = self._bind(inputs) if inputs else ()
        types = self._scalar_types() if inputs else ()
        return _texts.transform(self.fusion.text, phase, target, values, types)

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
        self._schedule = {"scheduler": scheduler, "schedule": parameters, "script": script}
        self._own_text = text
