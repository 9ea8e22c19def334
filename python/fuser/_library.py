"""libfuser_capi.so and its declarations (include/fuser-c/Fuser.h)."""

import ctypes
import functools
import os

from fuser._errors import FuserError, make_error

API_VERSION = 4


class Argument(ctypes.Structure):
    _fields_ = (
        ("tensor", ctypes.c_void_p),
        ("integer", ctypes.c_int64),
        ("real", ctypes.c_double),
        ("imaginary", ctypes.c_double),
    )


class Options(ctypes.Structure):
    _fields_ = (
        ("target", ctypes.c_char_p),
        ("cache_directory", ctypes.c_char_p),
        ("approximate_math", ctypes.c_int),
        ("scheduler", ctypes.c_char_p),
        ("schedule", ctypes.c_char_p),
    )


def find_library() -> str:
    """$FUSER_LIBRARY; else next to the installed package; else in the build tree of a checkout."""
    if path := os.environ.get("FUSER_LIBRARY"):
        return path
    package = os.path.dirname(os.path.realpath(__file__))
    parents = [package]
    while (parent := os.path.dirname(parents[-1])) != parents[-1]:
        parents.append(parent)
    checkout = os.path.dirname(os.path.dirname(package))
    places = [package, *(os.path.join(parent, "lib") for parent in parents[1:]), os.path.join(checkout, "build", "lib")]
    for folder in places:
        path = os.path.join(folder, "libfuser_capi.so")
        if os.path.exists(path):
            return path
    raise FuserError(
        "LibraryNotFound",
        f"expected libfuser_capi.so in one of {', '.join(places)}, or its path in FUSER_LIBRARY",
    )


@functools.cache
def library() -> ctypes.CDLL:
    path = find_library()
    try:
        lib = ctypes.CDLL(path)
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
        ("fuser_program_scalar_type", text, [handle, size]),
        ("fuser_program_alias_of", ctypes.c_int64, [handle, size]),
        ("fuser_program_call", handle, [handle, arguments, size, handle, ctypes.POINTER(handle), size]),
        ("fuser_program_call_into", handle, [handle, arguments, size, handle, ctypes.POINTER(handle), size]),
        ("fuser_program_would_compile", handle, [handle, arguments, size, ctypes.POINTER(ctypes.c_int)]),
        ("fuser_program_num_fallbacks", size, [handle]),
        ("fuser_program_fallback", text, [handle, size]),
        ("fuser_text_data", text, [handle]),
        ("fuser_text_destroy", None, [handle]),
        ("fuser_transform", handle, [text, size, text, text, arguments, size, ctypes.POINTER(handle)]),
        ("fuser_partition", handle, [text, size, text, arguments, size, ctypes.POINTER(handle)]),
        ("fuser_explain", handle, [text, size, text, text, arguments, size, ctypes.POINTER(handle)]),
        ("fuser_evaluate", handle, [text, size, arguments, size, ctypes.POINTER(handle), size]),
        ("fuser_compare", handle, [handle, handle, text, ctypes.POINTER(handle)]),
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


def take_text(function, *arguments) -> str | None:
    """What a function writes as a text, its last argument; None for no text."""
    lib, text = library(), ctypes.c_void_p()
    check(function(*arguments, ctypes.byref(text)))
    if not text:
        return None
    try:
        return lib.fuser_text_data(text).decode()
    finally:
        lib.fuser_text_destroy(text)


def encode(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
