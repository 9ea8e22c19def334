"""libfuser_capi.so and its declarations (include/fuser-c/Fuser.h)."""

import ctypes
import functools
import os
import pathlib

from fuser._errors import FuserError, make_error

API_VERSION = 2


class Argument(ctypes.Structure):
    _fields_ = (
        ("tensor", ctypes.c_void_p),
        ("integer", ctypes.c_int64),
        ("real", ctypes.c_double),
        ("imaginary", ctypes.c_double),
    )


class Options(ctypes.Structure):
    _fields_ = (("target", ctypes.c_char_p), ("cache_directory", ctypes.c_char_p), ("approximate_math", ctypes.c_int))


def find_library() -> pathlib.Path:
    """$FUSER_LIBRARY; else next to the installed package; else in the build tree of a checkout."""
    if path := os.environ.get("FUSER_LIBRARY"):
        return pathlib.Path(path)
    package = pathlib.Path(__file__).resolve().parent
    places = [package, *(parent / "lib" for parent in package.parents), package.parents[1] / "build" / "lib"]
    for folder in places:
        path = folder / "libfuser_capi.so"
        if path.exists():
            return path
    raise FuserError(
        "LibraryNotFound",
        f"expected libfuser_capi.so in one of {', '.join(map(str, places))}, or its path in FUSER_LIBRARY",
    )


@functools.cache
def library() -> ctypes.CDLL:
    path = find_library()
    try:
        lib = ctypes.CDLL(str(path))
    except OSError as error:
        raise FuserError("LibraryNotFound", f"cannot load {path}: {error}") from error
    if lib.fuser_api_version() != API_VERSION:
        raise FuserError(
            "VersionMismatch",
            f"{path}: expected version {API_VERSION} of the interface, but got {lib.fuser_api_version()}",
        )
    handle, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    arguments = ctypes.POINTER(Argument)
    for name, result, parameters in (
        ("fuser_error_kind", text, [handle]),
        ("fuser_error_message", text, [handle]),
        ("fuser_error_destroy", None, [handle]),
        ("fuser_count_gpus", ctypes.c_int, []),
        ("fuser_device_create", handle, [text, ctypes.c_int, ctypes.POINTER(handle)]),
        ("fuser_device_destroy", None, [handle]),
        ("fuser_program_create", handle, [handle, text, size, ctypes.POINTER(Options), ctypes.POINTER(handle)]),
        ("fuser_program_destroy", None, [handle]),
        ("fuser_program_num_arguments", size, [handle]),
        ("fuser_program_num_results", size, [handle]),
        ("fuser_program_is_tensor", ctypes.c_int, [handle, size]),
        ("fuser_program_alias_of", ctypes.c_int64, [handle, size]),
        ("fuser_program_call", handle, [handle, arguments, size, handle, ctypes.POINTER(handle), size]),
        ("fuser_program_would_compile", handle, [handle, arguments, size, ctypes.POINTER(ctypes.c_int)]),
        ("fuser_program_num_fallbacks", size, [handle]),
        ("fuser_program_fallback", text, [handle, size]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, parameters
    return lib


def check(error: int | None) -> None:
    """Raises what a function of the library returned."""
    if not error:
        return
    lib = library()
    kind, message = lib.fuser_error_kind(error).decode(), lib.fuser_error_message(error).decode()
    lib.fuser_error_destroy(error)
    raise make_error(kind, message)
