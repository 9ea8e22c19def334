"""A tensor type over NumPy that publishes DLPack's table of C functions, as torch.Tensor does."""

import ctypes

import numpy as np
from fuser import _dlpack


class Managed(ctypes.Structure):
    """DLManagedTensorVersioned, with its deleter as a function."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", _dlpack.DLTensor),
    )


_FROM_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(_dlpack.DLTensor))
_TO_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(Managed), ctypes.POINTER(ctypes.c_void_p))
_STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class Table(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("managed_from_object", ctypes.c_void_p),
        ("managed_to_object", _TO_OBJECT),
        ("tensor_from_object", _FROM_OBJECT),
        ("current_stream", _STREAM),
    )


_CODES = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}


class ExchangeTensor:
    """`array`: its elements. `owned`: what `array` lies in, if that is a result of another library."""

    requires_grad = False
    negated = False
    alive = 0

    def __init__(self, array: np.ndarray, owned=None):
        self.array, self.owned = array, owned
        self.shape = array.shape
        ExchangeTensor.alive += 1

    def __del__(self):
        ExchangeTensor.alive -= 1
        if self.owned is not None:
            self.owned.contents.deleter(ctypes.addressof(self.owned.contents))

    def values(self) -> np.ndarray:
        return self.array.copy()

    def is_neg(self) -> bool:
        return self.negated

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def fill(self, view: _dlpack.DLTensor) -> None:
        array = self.array
        # As in torch, they live as long as the tensor.
        self.sizes = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.strides = (ctypes.c_int64 * array.ndim)(*(stride // array.itemsize for stride in array.strides))
        view.data, view.byte_offset = array.ctypes.data, 0
        view.device.device_type, view.device.device_id = _dlpack.CPU, 0
        view.ndim = array.ndim
        view.dtype.code, view.dtype.bits, view.dtype.lanes = _CODES[array.dtype.kind], array.itemsize * 8, 1
        view.shape = ctypes.cast(self.sizes, ctypes.POINTER(ctypes.c_int64))
        view.strides = ctypes.cast(self.strides, ctypes.POINTER(ctypes.c_int64))


@_FROM_OBJECT
def _from_object(tensor, view):
    if not isinstance(tensor, ExchangeTensor):
        return -1
    tensor.fill(view.contents)
    return 0


@_TO_OBJECT
def _to_object(managed, result):
    view = managed.contents.dl_tensor
    names = {**_dlpack.TYPE_NAMES, (6, 8): "bool"}
    dtype = np.dtype(names[view.dtype.code, view.dtype.bits])
    shape = [view.shape[dim] for dim in range(view.ndim)]
    strides = [view.strides[dim] * dtype.itemsize for dim in range(view.ndim)]
    last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    size = last + dtype.itemsize if all(shape) else 0
    memory = (ctypes.c_char * size).from_address((view.data or 0) + view.byte_offset) if size else b""
    array = np.ndarray(shape, dtype, memory, strides=strides if size else None)
    tensor = ExchangeTensor(array, managed)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(tensor))
    result[0] = id(tensor)
    return 0


@_STREAM
def _current_stream(_device_type, _device_id, stream):
    stream[0] = None
    return 0


_TABLE = Table(1, 2, None, None, None, _to_object, _from_object, _current_stream)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes, _new_capsule.restype = [ctypes.c_void_p] * 3, ctypes.py_object
# A capsule does not copy its name.
_NAME = ctypes.create_string_buffer(b"dlpack_exchange_api")
ExchangeTensor.__dlpack_c_exchange_api__ = _new_capsule(ctypes.addressof(_TABLE), ctypes.addressof(_NAME), None)
