"""Element types of PyTorch as DataType, without importing PyTorch."""

from fuser._dtypes import DataType, dtype_named
from fuser._errors import DTypeError

_PYTHON = {bool: DataType.Bool, int: DataType.Int, float: DataType.Double, complex: DataType.ComplexDouble}


def torch_dtype_to_nvfuser_dtype(dtype: object) -> DataType:
    """The DataType of a torch.dtype, or of bool, int, float or complex. Raises DTypeError for another type."""
    return _PYTHON[dtype] if dtype in _PYTHON else dtype_named(str(dtype), "dtype")


def python_scalar_to_nvfuser_dtype(a: bool | int | float | complex) -> DataType:
    """The DataType of a number of Python. Raises DTypeError for anything else."""
    if type(a) not in _PYTHON:
        raise DTypeError("DTypeMismatch", f"a: expected a bool, int, float or complex, but got {a!r}")
    return _PYTHON[type(a)]
