"""DLPack capsules: structs of the protocol, read and made through ctypes."""

import builtins
import ctypes
import sys

from fuser._errors import BufferError, DTypeError

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
READ_ONLY = 1


class DLDevice(ctypes.Structure):
    _fields_ = (("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32))


class DLDataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", DLDevice),
        ("ndim", ctypes.c_int32),
        ("dtype", DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class DLManagedTensor(ctypes.Structure):
    _fields_ = (("dl_tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", DLTensor),
    )


_api = ctypes.pythonapi
_api.PyCapsule_IsValid.argtypes, _api.PyCapsule_IsValid.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_int
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_api.PyCapsule_New.restype = ctypes.py_object

_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
# The destructor of a capsule gets the capsule itself, which is being destroyed: no reference may be taken.
_raw_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_raw_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))


class Borrowed:
    """A tensor of another library for the time of one call. `view` is its DLTensor; `read_only` tells whether its owner
    forbids writing. Errors name it as `place`, such as "argument 0"."""

    def __init__(self, array: object, stream: int | None, place: str):
        # The capsule, not consumed, owns the export and ends it when it goes.
        try:
            self.capsule = _export(array, stream)
        except (BufferError, DTypeError):
            raise
        except (builtins.BufferError, RuntimeError, ValueError, TypeError, AttributeError) as error:
            raise BufferError(
                "NotExportable",
                f"{place}: expected an array that DLPack can share, but its library says: {error}",
            ) from error
        if _api.PyCapsule_IsValid(self.capsule, b"dltensor_versioned"):
            pointer = _api.PyCapsule_GetPointer(self.capsule, b"dltensor_versioned")
            managed = ctypes.cast(pointer, ctypes.POINTER(DLManagedTensorVersioned)).contents
            self.read_only = bool(managed.flags & READ_ONLY)
        elif _api.PyCapsule_IsValid(self.capsule, b"dltensor"):
            pointer = _api.PyCapsule_GetPointer(self.capsule, b"dltensor")
            managed = ctypes.cast(pointer, ctypes.POINTER(DLManagedTensor)).contents
            self.read_only = False
        else:
            raise BufferError("BufferGivenAway", f"{place}: expected a tensor, but got one that was given away before")
        self.view = managed.dl_tensor
        self.address = ctypes.addressof(self.view)

    @classmethod
    def of(cls, owner: object, managed: int) -> "Borrowed":
        """A tensor that `owner` keeps."""
        borrowed = object.__new__(cls)
        borrowed.capsule, borrowed.read_only = owner, False
        borrowed.view = view_of(managed)
        borrowed.address = ctypes.addressof(borrowed.view)
        return borrowed


def _export(array: object, stream: int | None) -> object:
    if type(array).__name__ == "PyCapsule":
        return array
    arguments = {} if stream is None else {"stream": stream}
    try:
        return array.__dlpack__(max_version=(1, 1), **arguments)
    except TypeError:  # an older library
        return array.__dlpack__(**arguments)


def view_of(managed: int) -> DLTensor:
    return ctypes.cast(managed, ctypes.POINTER(DLManagedTensor)).contents.dl_tensor


@_DELETER
def _destroy_capsule(capsule: int) -> None:
    if _raw_is_valid(capsule, b"dltensor"):
        delete(_raw_pointer(capsule, b"dltensor"))


def delete(managed: int) -> None:
    """Ends an export by its own deleter."""
    deleter = ctypes.cast(managed, ctypes.POINTER(DLManagedTensor)).contents.deleter
    if deleter:
        _DELETER(deleter)(managed)


def make_capsule(managed: int) -> object:
    """A capsule that owns `managed` until it is consumed."""
    return _api.PyCapsule_New(managed, b"dltensor", ctypes.cast(_destroy_capsule, ctypes.c_void_p))


# What must outlive tensors that were handed out, by the address of the tensor: its own deleter, and anything.
_kept: dict[int, tuple] = {}


@_DELETER
def _release(managed: int) -> None:
    deleter, _keep = _kept.pop(managed)
    _DELETER(deleter)(managed)


def keep_alive(managed: int, keep: object) -> None:
    """Holds `keep` until `managed` is deleted."""
    tensor = ctypes.cast(managed, ctypes.POINTER(DLManagedTensor)).contents
    _kept[managed] = (tensor.deleter, keep)
    tensor.deleter = ctypes.cast(_release, ctypes.c_void_p).value


TYPE_NAMES = {
    (0, 8): "int8",
    (0, 16): "int16",
    (0, 32): "int32",
    (0, 64): "int64",
    (1, 8): "uint8",
    (1, 16): "uint16",
    (1, 32): "uint32",
    (1, 64): "uint64",
    (2, 16): "float16",
    (2, 32): "float32",
    (2, 64): "float64",
    (4, 16): "bfloat16",
    (5, 64): "complex64",
    (5, 128): "complex128",
    (6, 8): "bool",
    (10, 8): "float8_e4m3fn",
    (12, 8): "float8_e5m2",
}


def type_name(dtype: DLDataType) -> str:
    """The element type by the name that NumPy and PyTorch give it."""
    return TYPE_NAMES.get((dtype.code, dtype.bits), f"DLPack type {dtype.code} of {dtype.bits} bits")


def contains(view: DLTensor, address: int) -> bool:
    """Whether `address` lies in the memory of a tensor."""
    if not view.data:
        return False
    first = view.data + view.byte_offset
    last, dense = first, view.dtype.bits // 8
    for dim in reversed(range(view.ndim)):
        step = view.strides[dim] * (view.dtype.bits // 8) if view.strides else dense
        last += max(view.shape[dim] - 1, 0) * max(step, 0)
        dense *= view.shape[dim]
    return first <= address <= last


def are_same(a: DLTensor, b: DLTensor) -> bool:
    """Whether two tensors of one element type are the same elements in the same memory."""

    def layout(view: DLTensor) -> tuple:
        shape, strides, dense = view.shape[: view.ndim], [], 1
        for dim in reversed(range(view.ndim)):
            strides.insert(0, 0 if shape[dim] < 2 else view.strides[dim] if view.strides else dense)
            dense *= shape[dim]
        return (view.data or 0) + view.byte_offset, shape, strides

    return layout(a) == layout(b)


def loaded(module: str) -> object | None:
    """A module that the program imported itself; nothing is imported for it."""
    return sys.modules.get(module)
