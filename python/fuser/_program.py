"""Programs and their results."""

import ctypes
import functools
import pathlib

from fuser import _dlpack
from fuser._errors import ArgumentError, BufferError, DeviceError, DTypeError
from fuser._library import Argument, Options, check, library


class _Device:
    """An open device; programs share it."""

    def __init__(self, kind: str, ordinal: int):
        self.kind, self.ordinal = kind, ordinal
        self.handle = ctypes.c_void_p()
        check(library().fuser_device_create(kind.encode(), ordinal, ctypes.byref(self.handle)))


@functools.cache
def _open_device(kind: str, ordinal: int) -> _Device:
    return _Device(kind, ordinal)


def _parse_device(device: str | None) -> _Device:
    if device is None:
        device = "cuda" if library().fuser_count_gpus() else "host"
    kind, _, ordinal = {"cpu": "host"}.get(device, device).partition(":")
    if ordinal and not ordinal.isdecimal():
        raise DeviceError("DeviceUnavailable", f"expected a device such as 'cuda:0' or 'host', but got {device!r}")
    return _open_device(kind, int(ordinal or 0))


class Tensor:
    """A result that other libraries take through DLPack, once: `numpy.from_dlpack(t)`, `torch.from_dlpack(t)`."""

    def __init__(self, managed: int, borrowed: list[_dlpack.Borrowed]):
        self._managed = managed
        view = ctypes.cast(managed, ctypes.POINTER(_dlpack.DLManagedTensor)).contents.dl_tensor
        # A result may be memory of an argument.
        if any(_dlpack.contains(argument.view, (view.data or 0) + view.byte_offset) for argument in borrowed):
            _dlpack.keep_alive(managed, borrowed)
        self.shape = tuple(view.shape[dim] for dim in range(view.ndim))
        self._device = (view.device.device_type, view.device.device_id)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None) -> object:
        if self._managed is None:
            raise BufferError("BufferGivenAway", "expected a tensor that is still here, but it was given away before")
        managed, self._managed = self._managed, None
        return _dlpack.make_capsule(managed)

    def __del__(self):
        if getattr(self, "_managed", None) is not None:
            _dlpack.delete(self._managed)


class Program:
    """A compiled program: call it with its arguments in order. Kernels for new sizes are compiled when these come."""

    def __init__(
        self,
        text: str,
        device: str | None = None,
        target: str | None = None,
        cache_directory: str | None = None,
        approximate_math: bool = False,
    ):
        self._device = _parse_device(device)
        self._lib = library()
        self._handle = ctypes.c_void_p()
        options = Options(
            target.encode() if target else None, cache_directory.encode() if cache_directory else None, approximate_math
        )
        encoded = text.encode()
        check(
            self._lib.fuser_program_create(
                self._device.handle, encoded, len(encoded), ctypes.byref(options), ctypes.byref(self._handle)
            )
        )
        count = self._lib.fuser_program_num_arguments(self._handle)
        self._is_tensor = [bool(self._lib.fuser_program_is_tensor(self._handle, i)) for i in range(count)]
        self._num_results = self._lib.fuser_program_num_results(self._handle)
        self._written = {self._lib.fuser_program_alias_of(self._handle, i) for i in range(self._num_results)} - {-1}

    def __del__(self):
        if getattr(self, "_handle", None):
            self._lib.fuser_program_destroy(self._handle)

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

    def _read_arguments(self, values: tuple) -> tuple:
        """The arguments as the library takes them, and what keeps them alive."""
        if len(values) != len(self._is_tensor):
            raise ArgumentError("ArgumentCount", f"expected {len(self._is_tensor)} arguments, but got {len(values)}")
        arguments, kept = (Argument * len(values))(), []
        # 1 is DLPack's name of CUDA's default stream.
        stream = None if self._device.kind == "host" else self._stream() or 1
        for position, (value, is_tensor) in enumerate(zip(values, self._is_tensor, strict=True)):
            shared = hasattr(value, "__dlpack__") and getattr(value, "shape", None) is not None
            if is_tensor != (shared or type(value).__name__ == "PyCapsule"):
                wanted = "tensor" if is_tensor else "scalar"
                raise ArgumentError(
                    "ArgumentKind", f"argument {position}: expected a {wanted}, but got {type(value).__name__}"
                )
            if is_tensor:
                self._check_device(value, position)
                borrowed = _dlpack.Borrowed(value, stream, position)
                if borrowed.read_only and position in self._written:
                    raise BufferError(
                        "ReadOnly",
                        f"argument {position}: expected memory that a result may be stored in, but it is read-only",
                    )
                kept.append(borrowed)
                arguments[position].tensor = borrowed.address
            elif isinstance(value, (bool, int)):
                arguments[position].integer, arguments[position].real = int(value), float(value)
            elif isinstance(value, (float, complex)):
                number = complex(value)
                arguments[position].real, arguments[position].imaginary = number.real, number.imag
                arguments[position].integer = int(number.real) if number.real.is_integer() else 0
            else:
                raise ArgumentError(
                    "ArgumentKind", f"argument {position}: expected a number, but got {type(value).__name__}"
                )
        return arguments, kept

    def _check_device(self, value: object, position: int) -> None:
        """Before the export, which libraries refuse for another device in words of their own."""
        if not hasattr(value, "__dlpack_device__"):
            return
        kind, ordinal = value.__dlpack_device__()
        names = {_dlpack.CPU: "host", _dlpack.CUDA_HOST: "host", _dlpack.CUDA: "cuda", _dlpack.CUDA_MANAGED: "cuda"}
        name = names.get(int(kind), f"DLPack device type {int(kind)}")
        if name != self._device.kind or (name == "cuda" and int(ordinal) != self._device.ordinal):
            have = f"{name}:{int(ordinal)}" if name == "cuda" else name
            raise DeviceError("DeviceMismatch", f"argument {position}: expected data on {self.device}, but got {have}")

    def would_compile(self, *values) -> bool:
        """Whether a call with these arguments would compile kernels first."""
        arguments, _kept = self._read_arguments(values)
        answer = ctypes.c_int()
        check(self._lib.fuser_program_would_compile(self._handle, arguments, len(values), ctypes.byref(answer)))
        return bool(answer.value)

    def __call__(self, *values):
        arguments, kept = self._read_arguments(values)
        results = (ctypes.c_void_p * self._num_results)()
        check(
            self._lib.fuser_program_call(
                self._handle, arguments, len(values), self._stream(), results, self._num_results
            )
        )
        tensors = [Tensor(result, kept) for result in results]
        first = next((value for value, is_tensor in zip(values, self._is_tensor, strict=True) if is_tensor), None)
        converted = [_convert(tensor, first) for tensor in tensors]
        return converted[0] if len(converted) == 1 else tuple(converted)


def _convert(tensor: Tensor, like: object) -> object:
    """The tensor in the library of `like`; as it is where that is unknown."""
    library_name = type(like).__module__.partition(".")[0]
    module = _dlpack.loaded(library_name) if library_name in ("numpy", "torch") else None
    if module is None:
        return tensor
    try:
        return module.from_dlpack(tensor)
    except (RuntimeError, TypeError) as error:
        raise DTypeError("DTypeMismatch", f"{library_name} cannot hold the result: {error}") from error


def compile(text: str | pathlib.Path, **options) -> Program:
    """Reads a program: MLIR text, or a path of a file with it.

    The module holds one `fuser.fusion`, or a function of linalg, tensor, arith, math and TOSA ops.

    device           "cuda", "cuda:1" or "host"; by default the GPU if there is one, else the host
    target           what kernels are scheduled for, "h200" or "sm_90"; by default the GPU
    cache_directory  a folder of machine code that outlives the process
    approximate_math f32 functions by the GPU's approximations (docs/approximate-math.md): changes results
    """
    if isinstance(text, pathlib.Path):
        text = text.read_text()
    return Program(text, **options)
