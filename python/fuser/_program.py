"""Programs and their results."""

import ctypes
import functools
import os
from collections.abc import Callable, Sequence

from fuser import _dlpack
from fuser._artifacts import Artifact, default_cache_directory, default_strict
from fuser._errors import ArgumentError, BufferError, DeviceError, DTypeError
from fuser._library import (
    Argument,
    Options,
    ProgressCallback,
    check,
    check_process,
    encode,
    library,
    native_calls,
    run_interruptibly,
    take_text,
)
from fuser._numbers import convert_number

_NOT_COMPILED = 93  # ErrorCode::NotCompiled


class _Device:
    """An open device; programs share it."""

    def __init__(self, kind: str, ordinal: int):
        self.kind, self.ordinal = kind, ordinal
        self.handle = ctypes.c_void_p()
        check(library().fuser_device_create(kind.encode(), ordinal, ctypes.byref(self.handle)))


@functools.cache
def _open_device(kind: str, ordinal: int) -> _Device:
    return _Device(kind, ordinal)


# A device of the parent may be unusable in a child.
os.register_at_fork(after_in_child=_open_device.cache_clear)


def open_device(device: str | None) -> _Device:
    if device is None:
        device = "cuda" if library().fuser_count_gpus() else "host"
    kind, _, ordinal = {"cpu": "host"}.get(device, device).partition(":")
    if ordinal and not ordinal.isdecimal():
        raise DeviceError("DeviceUnavailable", f"expected a device such as 'cuda:0' or 'host', but got {device!r}")
    return _open_device(kind, int(ordinal or 0))


_NUMPY_TYPES = frozenset(
    [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
)


class Tensor:
    """A result that other libraries take through DLPack, once: `numpy.from_dlpack(t)`, `torch.from_dlpack(t)`."""

    def __init__(self, managed: int, borrowed: list[_dlpack.Borrowed]):
        self._managed = managed
        view = _dlpack.view_of(managed)
        # A result may be memory of an argument.
        if not library().fuser_result_owns_memory(managed) and any(
            _dlpack.contains(argument.view, (view.data or 0) + view.byte_offset) for argument in borrowed
        ):
            _dlpack.keep_alive(managed, borrowed)
        self.shape = tuple(view.shape[dim] for dim in range(view.ndim))
        self.dtype = _dlpack.type_name(view.dtype)
        self._device = (view.device.device_type, view.device.device_id)

    def __repr__(self) -> str:
        return f"<fuser.Tensor {self.dtype} {list(self.shape)}>"

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None) -> object:
        if self._managed is None:
            raise BufferError("BufferGivenAway", "expected a tensor that is still here, but it was given away before")
        managed, self._managed = self._managed, None
        return _dlpack.make_capsule(managed)

    def borrow(self, place: str) -> _dlpack.Borrowed:
        """The tensor as the argument or output `place`, without giving it away."""
        if self._managed is None:
            raise BufferError("BufferGivenAway", f"{place}: expected a tensor, but got one that was given away before")
        return _dlpack.Borrowed.of(self, self._managed)

    def __del__(self):
        if getattr(self, "_managed", None) is not None:
            _dlpack.delete(self._managed)


def is_tensor(value: object) -> bool:
    return (hasattr(value, "__dlpack__") and getattr(value, "shape", None) is not None) or (
        type(value).__name__ == "PyCapsule"
    )


def read_arguments(
    values: Sequence[object],
    types: Sequence[str | None],
    device: str | None,
    stream: int | None,
    written: frozenset[int] = frozenset(),
) -> tuple[ctypes.Array, list[_dlpack.Borrowed]]:
    """Arguments as the library takes them, and what keeps them alive.

    `types` has the MLIR type of each scalar argument, None for a tensor. `device` is where tensors must be (None:
    anywhere), `written` the positions of those that are written.
    """
    if len(values) != len(types):
        raise ArgumentError("ArgumentCount", f"expected {len(types)} arguments, but got {len(values)}")
    arguments, kept = (Argument * len(values))(), []
    for position, (value, scalar_type) in enumerate(zip(values, types, strict=True)):
        if scalar_type is None:
            kept.append(_borrow(value, f"argument {position}", device, stream, position in written))
            arguments[position].tensor = kept[-1].address
            continue
        if is_tensor(value) and tuple(value.shape) != ():
            raise ArgumentError(
                "ArgumentKind", f"argument {position}: expected a scalar, but got {type(value).__name__}"
            )
        number = convert_number(value, scalar_type, f"argument {position}")
        if isinstance(number, int):
            arguments[position].integer, arguments[position].real = number, float(number)
        else:
            parts = complex(number)
            arguments[position].real, arguments[position].imaginary = parts.real, parts.imag
    return arguments, kept


def _borrow(value: object, place: str, device: str | None, stream: int | None, written: bool) -> _dlpack.Borrowed:
    if not is_tensor(value):
        raise ArgumentError("ArgumentKind", f"{place}: expected a tensor, but got {type(value).__name__}")
    # Before the export, which libraries refuse for another device in words of their own.
    found = device_of(value)
    if device is not None and found not in (None, device):
        raise DeviceError("DeviceMismatch", f"{place}: expected data on {device}, but got {found}")
    if getattr(value, "is_neg", bool)():
        raise BufferError(
            "NotExportable", f"{place}: expected elements as they are in memory, but got a negated view (resolve_neg)"
        )
    borrowed = value.borrow(place) if isinstance(value, Tensor) else _dlpack.Borrowed(value, stream, place)
    if written and borrowed.read_only:
        raise BufferError("ReadOnly", f"{place}: expected memory that a result may be stored in, but it is read-only")
    return borrowed


def device_of(value: object) -> str | None:
    """Where a tensor is, "host" or "cuda:0"; None where it does not say."""
    if not hasattr(value, "__dlpack_device__"):
        return None
    kind, ordinal = value.__dlpack_device__()
    names = {_dlpack.CPU: "host", _dlpack.CUDA_HOST: "host", _dlpack.CUDA: "cuda", _dlpack.CUDA_MANAGED: "cuda"}
    name = names.get(int(kind), f"DLPack device type {int(kind)}")
    return f"{name}:{int(ordinal)}" if name == "cuda" else name


class _Handle:
    """A program of the library, destroyed with the last Python object that uses it."""

    def __init__(self, function, *arguments, kept: object = None):
        """`function(*arguments, address)` makes the program, which needs `kept` as long as it lives."""
        self.kept = kept
        self.value, self.destroy = ctypes.c_void_p(), library().fuser_program_destroy
        check_process()
        check(function(*arguments, ctypes.byref(self.value)))

    def __del__(self):
        if getattr(self, "value", None):
            self.destroy(self.value)


# How fuser._calls names kinds of arguments.
_FAST_KINDS = {None: "t", "i1": "b", "i64": "i", "f32": "f", "f64": "d"}


def _leave(*_arguments) -> object:
    """A fast call where there is none."""
    return NotImplemented


class _CallSignature:
    """For `inspect.signature(program)`: the arguments, by name where the text names them, and `out`. That of a class is
    the one of its constructor."""

    def __get__(self, program: "Program | None", owner: type):
        import inspect  # Not with the package: whoever asks for a signature has it already.

        if program is None:
            constructor = inspect.signature(owner.__init__)
            return constructor.replace(parameters=list(constructor.parameters.values())[1:])
        names, kind = program.argument_names, inspect.Parameter.POSITIONAL_OR_KEYWORD
        if not names or "out" in names or not all(name.isidentifier() for name in names):
            names = [f"argument{i}" for i in range(len(program._types))]
            kind = inspect.Parameter.POSITIONAL_ONLY
        parameters = [inspect.Parameter(name, kind) for name in names]
        parameters.append(inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None))
        return inspect.Signature(parameters)


class Program:
    """A compiled program: call it with its arguments in order. Kernels for new sizes are compiled when these come.

    Arguments are tensors of the program's rank and element type, on its device, and numbers that fit their types.
    Raises ArgumentError, DTypeError, RankError, ScalarError, ShapeError, DeviceError or BufferError for others.
    """

    def __new__(cls, *_arguments, **_options) -> "Program":
        return object.__new__(_add_native_call(cls))

    def __init__(
        self,
        text: str,
        device: str | None = None,
        target: str | None = None,
        cache_directory: str | None = None,
        approximate_math: bool = False,
        scheduler: str | None = None,
        schedule: str | None = None,
        strict: bool | None = None,
        mark_boundaries: str | None = None,
        threads: int | None = None,
        progress: Callable[[str, int, int, float], None] | None = None,
        progress_delay: float = 2,
        dependent_launches: str | None = None,
        schedules: str | None = None,
    ):
        self._text, self._device, self._paths = text, open_device(device), ()
        self._options = {
            "target": target,
            "cache_directory": cache_directory,
            "approximate_math": approximate_math,
            "scheduler": scheduler,
            "schedule": schedule,
            "strict": strict,
            "mark_boundaries": mark_boundaries,
            "threads": threads,
            "dependent_launches": dependent_launches,
            "schedules": schedules,
        }
        callback = _make_progress_callback(progress)
        options = Options(
            encode(target),
            _encode_folder(cache_directory),
            approximate_math,
            encode(scheduler),
            encode(schedule),
            True,
            default_strict() if strict is None else strict,
            encode(mark_boundaries),
            _check_threads(threads),
            callback,
            None,
            max(1, round(progress_delay * 1000)),
            _encode_choice("dependent_launches", dependent_launches, ("all", "marked")),
            encode(schedules),
        )
        encoded = text.encode()
        self._take(
            _Handle(
                library().fuser_program_create,
                self._device.handle,
                encoded,
                len(encoded),
                ctypes.byref(options),
                kept=callback,
            )
        )

    def _take(self, owner: _Handle) -> None:
        """Makes this the program of a handle, which copies share."""
        self._lib, self._owner, self._handle = library(), owner, owner.value
        count = self._lib.fuser_program_num_arguments(self._handle)
        names = [self._lib.fuser_program_scalar_type(self._handle, i) for i in range(count)]
        self._types = [name and name.decode() for name in names]
        self._num_results = self._lib.fuser_program_num_results(self._handle)
        self._aliases = [self._lib.fuser_program_alias_of(self._handle, i) for i in range(self._num_results)]
        self._written = frozenset(self._aliases) - {-1}
        self._fast, self._fast_into = self._make_fast_calls() or (_leave, _leave)
        if self._fast is not _leave:
            self._set_call(self._fast)

    def fast_call_with(self, is_returned: Sequence[bool]):
        """As `_fast`, for results of which only some are returned, as a tuple."""
        if all(is_returned):
            return self._fast
        calls = self._make_fast_calls(returned="".join("r" if wanted else "-" for wanted in is_returned))
        return _leave if calls is None else calls[0]

    def fast_call_of(self, tensor_type: type):
        """The C function that runs this program on tensors of `tensor_type` and subclasses which mean the same by their
        data, whether they record gradients or not, for callers that take care of gradients; None where there is none.
        It returns NotImplemented for what it leaves to `run`."""
        calls = self._make_fast_calls(tensor_type)
        return None if calls is None else calls[0]

    @classmethod
    def _load(cls, paths: Sequence[str | os.PathLike], device: str | None) -> "Program":
        """The program of artifact files."""
        artifacts = [Artifact.read(path) for path in paths]
        program = cls.__new__(cls)
        program._text, program._options = "", {}
        program._device = open_device(device or artifacts[0].device_kind)
        program._paths = tuple(os.fspath(path) for path in paths)
        folder = _encode_folder(None)
        program._take(_Handle(library().fuser_program_load, program._device.handle, artifacts[0].handle, folder))
        program.argument_names = artifacts[0].argument_names()
        for artifact in artifacts[1:]:
            check(library().fuser_program_add_artifact(program._handle, artifact.handle))
        return program

    def _make_fast_calls(self, *tensor_type: type, returned: str | None = None) -> tuple | None:
        """The functions of fuser._calls that run this program. They return NotImplemented for what they leave to
        Python: tensors without DLPack's C functions, kernels to compile, whatever else is unusual."""
        module = native_calls()
        kinds = [_FAST_KINDS.get(name) for name in self._types]
        if module is None or None in kinds:
            return None
        returned = "r" * self._num_results if returned is None else returned
        place = self.dlpack_device
        return module.make_call(self._owner, self._handle.value, "".join(kinds), returned, *place, check, *tensor_type)

    def __repr__(self) -> str:
        arguments = ", ".join(name or "tensor" for name in self._types)
        given = {name: value for name, value in self._options.items() if value}
        if "schedules" in given:
            given["schedules"] = "..."
        options = "".join(f", {name}={value!r}" for name, value in given.items())
        results = f"{self._num_results} result{'' if self._num_results == 1 else 's'}"
        return f"<fuser.Program ({arguments}) -> {results}, device={self.device!r}{options}>"

    def __reduce__(self):
        if self._paths:
            return _load_program, (self._paths, self.device)
        return _make_program, (self._text, self.device, self._options)

    def __copy__(self) -> "Program":
        copied = Program.__new__(Program)
        copied.__dict__.update(self.__dict__)
        if copied._fast is not _leave:
            copied._set_call(copied._fast)
        return copied

    def __deepcopy__(self, _memo: dict) -> "Program":
        return self.__copy__()

    @property
    def dlpack_device(self) -> tuple[int, int]:
        """The kind and the number of the device, as DLPack has them."""
        return (_dlpack.CPU, 0) if self._device.kind == "host" else (_dlpack.CUDA, self._device.ordinal)

    @property
    def device(self) -> str:
        return f"{self._device.kind}:{self._device.ordinal}" if self._device.kind == "cuda" else "host"

    @property
    def fallbacks(self) -> list[str]:
        """Which kernels were split or rescheduled so far because their schedule cannot be lowered, and why.

        Empty, as a rule: each is slower than it should be, and a defect of fuser.
        """
        count = self._lib.fuser_program_num_fallbacks(self._handle)
        return [self._lib.fuser_program_fallback(self._handle, i).decode() for i in range(count)]

    def _stream(self) -> int | None:
        """The stream that PyTorch works in, on a GPU."""
        torch = _dlpack.loaded("torch")
        if self._device.kind != "cuda" or torch is None:
            return None
        return torch.cuda.current_stream(self._device.ordinal).cuda_stream

    def _read_arguments(self, values: Sequence[object]) -> tuple:
        # 1 is DLPack's name of CUDA's default stream.
        stream = None if self._device.kind == "host" else self._stream() or 1
        return read_arguments(values, self._types, self.device, stream, self._written)

    def _call(self, function, arguments: ctypes.Array, results: ctypes.Array) -> None:
        """Calls the program; compiles first where no call before has compiled kernels that fit."""
        call = functools.partial(
            function, self._handle, arguments, len(arguments), self._stream(), results, len(results)
        )
        error = call()
        if error and self._lib.fuser_error_code(error) == _NOT_COMPILED:
            self._lib.fuser_error_destroy(error)
            run_interruptibly(self._lib.fuser_program_compile, self._handle, arguments, len(arguments))
            error = call()
        check(error)

    def save_artifact(self, path: str | os.PathLike, *values) -> None:
        """Writes what a call with these arguments runs to a file, which `load_artifact`, `fuser-run` and
        libfuser_runtime.so run without a compiler. Compiles unless that was done. Raises ArtifactError where the file
        cannot be written."""
        arguments, _kept = self._read_arguments(values)
        artifact = Artifact()
        run_interruptibly(
            lambda flag: self._lib.fuser_program_artifact(
                self._handle, arguments, len(arguments), flag, ctypes.byref(artifact.handle)
            )
        )
        artifact.write(path)

    def would_compile(self, *values) -> bool:
        """Whether a call with these arguments would compile kernels first. False for programs that compile nothing."""
        arguments, _kept = self._read_arguments(values)
        answer = ctypes.c_int()
        check(self._lib.fuser_program_would_compile(self._handle, arguments, len(values), ctypes.byref(answer)))
        return bool(answer.value)

    def reason_to_compile(self, *values) -> str:
        """Why a call with these arguments would compile: the condition that the kernels so far rely on and these
        arguments do not satisfy. Empty where the call would not compile."""
        arguments, _kept = self._read_arguments(values)
        return take_text(self._lib.fuser_program_reason_to_compile, self._handle, arguments, len(values)) or ""

    def __call__(self, *values, out=None, **named):
        """Runs the program. Arguments may be named as in its text. One result is returned as it is, several as a
        tuple; one that is stored in an argument is that argument. `out`: a tensor, or one for each result, that results
        are stored in and that is returned; sizes and strides are those that a call without it gives."""
        values = self._bind(values, named) if named else values
        if out is None:
            result = self._fast(*values)
            if result is not NotImplemented:
                return result
            converted = self._run(values)
            return converted[0] if len(converted) == 1 else tuple(converted)
        outputs = out if isinstance(out, (list, tuple)) else (out,)
        # The C function leaves what is no tensor.
        if len(outputs) == self._num_results and self._fast_into(*values, *outputs) is None:
            return out
        self._run_into(values, [out] if is_tensor(out) else out)
        return out

    # What objects with C functions for calls do where these leave a call.
    _general_call = __call__

    def _set_call(self, function: Callable) -> None:
        """Lets a C function take the calls that it can. Here it does so by `__call__`."""

    @functools.cached_property
    def argument_names(self) -> list[str]:
        """The names of the arguments in the text; empty where it has others, such as bytecode."""
        import re

        head = re.search(r"(?:fuser\.(?:fusion|host)|func\.func)\s[^(]*\(", self._text)
        if head is None:
            return []
        depth, end = 1, head.end()
        while depth and end < len(self._text):
            depth += {"(": 1, ")": -1}.get(self._text[end], 0)
            end += 1
        names = re.findall(r"%([\w$.-]+)\s*:", self._text[head.end() : end])
        return names if len(names) == len(self._types) else []

    def _bind(self, values: tuple, named: dict) -> list:
        names = self.argument_names
        for name in named:
            if name not in names[len(values) :]:
                expected = ", ".join(names[len(values) :]) or "no more arguments"
                raise ArgumentError("ArgumentKind", f"argument {name}: expected {expected}, but got {name!r}")
        if missing := [name for name in names[len(values) :] if name not in named]:
            raise ArgumentError("ArgumentCount", f"expected the arguments {', '.join(missing)} in addition")
        return [*values, *(named[name] for name in names[len(values) :])]

    def run(self, values: Sequence[object], convert: bool = True) -> list:
        """Runs the program on a sequence of arguments; returns all results. With `convert` they are tensors of the
        library of the first tensor, if it is NumPy or PyTorch."""
        if convert:
            result = self._fast(*values)
            if result is not NotImplemented:
                return [result] if self._num_results == 1 else list(result)
        return self._run(values, convert)

    def _run(self, values: Sequence[object], convert: bool = True) -> list:
        """The general path of `run`."""
        arguments, kept = self._read_arguments(values)
        results = (ctypes.c_void_p * self._num_results)()
        self._call(self._lib.fuser_program_call, arguments, results)
        if not convert:
            return [Tensor(result, kept) for result in results]
        first = next((value for value, scalar in zip(values, self._types, strict=True) if scalar is None), None)
        stored = [self._take_stored(*result, values, kept) for result in zip(results, self._aliases, strict=True)]
        return [
            convert_result(Tensor(result, kept), first) if argument is None else argument
            for result, argument in zip(results, stored, strict=True)
        ]

    def _take_stored(
        self, result: int, alias: int, values: Sequence[object], kept: list[_dlpack.Borrowed]
    ) -> object | None:
        """The argument that a result is, because it is stored there; None where it is no argument."""
        if alias < 0 or type(values[alias]).__name__ == "PyCapsule":
            return None
        argument = kept[self._types[:alias].count(None)]
        if not _dlpack.are_same(_dlpack.view_of(result), argument.view):
            return None
        _dlpack.delete(result)
        return values[alias]

    def run_into(self, values: Sequence[object], outputs: Sequence[object]) -> None:
        """Runs the program on a sequence of arguments and stores the results in `outputs`, one tensor each, on the
        program's device."""
        is_complete = isinstance(outputs, (list, tuple)) and len(outputs) == self._num_results
        if not is_complete or self._fast_into(*values, *outputs) is not None:
            self._run_into(values, outputs)

    def _run_into(self, values: Sequence[object], outputs: Sequence[object]) -> None:
        """The general path of `run_into`."""
        if not isinstance(outputs, (list, tuple)) or len(outputs) != self._num_results:
            got = len(outputs) if isinstance(outputs, (list, tuple)) else type(outputs).__name__
            raise ArgumentError("ArgumentCount", f"expected {self._num_results} outputs, but got {got}")
        arguments, kept = self._read_arguments(values)
        stream = None if self._device.kind == "host" else self._stream() or 1
        places = [_borrow(out, f"output {i}", self.device, stream, True) for i, out in enumerate(outputs)]
        addresses = (ctypes.c_void_p * self._num_results)(*(place.address for place in places))
        self._call(self._lib.fuser_program_call_into, arguments, addresses)
        del kept, places  # They live until the call has been enqueued.

    __signature__ = _CallSignature()


@functools.cache
def _add_native_call(cls: type[Program]) -> type[Program]:
    """A subclass whose objects C functions call; `cls` itself where there are none or it defines its own calls."""
    module = native_calls()
    if module is None or cls.__call__ is not Program.__call__ or issubclass(cls, module.Callable):
        return cls
    names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}
    return type(cls.__name__, (module.Callable, cls), names)


def _make_program(text: str, device: str, options: dict) -> Program:
    return Program(text, device, **options)


def _load_program(paths: Sequence[str], device: str) -> Program:
    return Program._load(paths, device)


def _encode_choice(name: str, value: str | None, choices: Sequence[str]) -> bytes | None:
    if value is not None and (not isinstance(value, str) or value not in choices):
        expected = " or ".join(map(repr, choices))
        raise ArgumentError("ArgumentKind", f"{name}: expected {expected}, but got {value!r}")
    return encode(value)


def _check_threads(threads: int | None) -> int:
    if threads is None:
        return 0
    if not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads < 2**31:
        raise ArgumentError("ArgumentKind", f"threads: expected a positive number of threads, but got {threads!r}")
    return threads


def _make_progress_callback(progress: Callable[[str, int, int, float], None] | None) -> ctypes._CFuncPtr:
    """As the library takes it. What it raises is printed, since there is nobody to raise it to."""
    if progress is None:
        return ProgressCallback()
    if not callable(progress):
        raise ArgumentError("ArgumentKind", f"progress: expected a function, but got {type(progress).__name__}")

    def report(_data: int | None, state) -> None:
        passed = state.contents
        progress(passed.step.decode(), passed.done, passed.total, passed.seconds)

    return ProgressCallback(report)


def _encode_folder(cache_directory: str | os.PathLike | None) -> bytes | None:
    folder = default_cache_directory() if cache_directory is None else os.fspath(cache_directory)
    return os.fsencode(folder) if folder else None


def load_artifact(*paths: str | os.PathLike, device: str | None = None) -> Program:
    """The program of artifact files, which runs without being compiled.

    Several files are specializations of one program (`Program.save_artifact` for arguments that differ); a call runs
    one that its arguments fit. Raises NotCompiledError where none does, ArtifactError for files that are no artifacts,
    damaged, or of another version.

    device           "cuda", "cuda:1" or "host"; by default what the first file was compiled for
    """
    if not paths:
        raise ArgumentError("ArgumentCount", "expected at least one artifact file, but got none")
    return Program._load(paths, device)


def convert_result(tensor: Tensor, like: object) -> object:
    """The tensor in the library of `like`; as it is where that is unknown."""
    library_name = type(like).__module__.partition(".")[0]
    module = _dlpack.loaded(library_name) if library_name in ("numpy", "torch") else None
    if module is None:
        return tensor
    # NumPy reports an element type that it lacks from within a destructor, which Python cannot pass on.
    if library_name == "numpy" and tensor.dtype not in _NUMPY_TYPES:
        raise DTypeError(
            "DTypeMismatch",
            f"expected results of types that numpy has, but got {tensor.dtype}",
        )
    try:
        return module.from_dlpack(tensor)
    except (RuntimeError, TypeError, SystemError) as error:
        raise DTypeError("DTypeMismatch", f"{library_name} cannot hold the result: {error}") from error


def compile(
    text: str | os.PathLike,
    device: str | None = None,
    target: str | None = None,
    cache_directory: str | None = None,
    approximate_math: bool = False,
    scheduler: str | None = None,
    schedule: str | None = None,
    strict: bool | None = None,
    mark_boundaries: str | None = None,
    threads: int | None = None,
    progress: Callable[[str, int, int, float], None] | None = None,
    progress_delay: float = 2,
    dependent_launches: str | None = None,
    schedules: str | os.PathLike | None = None,
) -> Program:
    """Reads a program: MLIR text, or a path of a file with it.

    The module holds one `fuser.fusion`, or a function of linalg, tensor, arith, math and TOSA ops.

    device           "cuda", "cuda:1" or "host"; by default the GPU if there is one, else the host
    target           what kernels are scheduled for, "h200" or "sm_90"; by default the GPU
    cache_directory  a folder of artifacts and machine code that outlives the process: what is found there is neither
                     parsed nor compiled; by default $FUSER_CACHE_DIRECTORY, "" for none
    approximate_math f32 functions by the GPU's approximations (docs/approximate-math.md): changes results
    scheduler        the only scheduler that may schedule the kernels, "pointwise"; by default any
    schedule         the parameters of the kernels, an attribute: "#fuser_sched.pointwise<...>"; by default chosen
    strict           compile nothing: a call that no artifact in the cache fits raises NotCompiledError; by default
                     whether $FUSER_STRICT is set and not 0
    mark_boundaries  where segments end: operations and regions, "fuser.reshape,@encoder.attention"
    threads          threads that compile different kernels at the same time; by default one per processor
    progress         called as progress(step, done, total, seconds) from time to time during a compilation that takes
                     longer than progress_delay, possibly in another thread: the step that runs ("ptx", "load", ...),
                     kernels that it has finished, all of them (0 in steps that do not count them), seconds so far
    progress_delay   seconds
    dependent_launches  launches that may begin before the ones before them have ended (sm_90 and later), "all" that can
                     or those that the text has "marked" (fuser.dependent); by default "all". Changes no result
    schedules        what fuser-tune wrote, as text or as the path of the file: kernels that equal one of its kernels
                     get the parameters of that
    """
    if isinstance(text, os.PathLike):
        with open(text) as file:
            text = file.read()
    if isinstance(schedules, os.PathLike):
        with open(schedules) as file:
            schedules = file.read()
    return Program(
        text,
        device,
        target,
        cache_directory,
        approximate_math,
        scheduler,
        schedule,
        strict,
        mark_boundaries,
        threads,
        progress,
        progress_delay,
        dependent_launches,
        schedules,
    )
