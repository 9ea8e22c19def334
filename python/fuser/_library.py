"""libfuser_capi.so and its declarations (include/fuser-c/Fuser.h, Runtime.h)."""

import ctypes
import functools
import importlib.util
import os
import threading
import types

from fuser._errors import FuserError, make_error

API_VERSION = 10


class Argument(ctypes.Structure):
    _fields_ = (
        ("tensor", ctypes.c_void_p),
        ("integer", ctypes.c_int64),
        ("real", ctypes.c_double),
        ("imaginary", ctypes.c_double),
    )


class Progress(ctypes.Structure):
    _fields_ = (
        ("step", ctypes.c_char_p),
        ("done", ctypes.c_size_t),
        ("total", ctypes.c_size_t),
        ("seconds", ctypes.c_double),
    )


ProgressCallback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Progress))


class Options(ctypes.Structure):
    _fields_ = (
        ("target", ctypes.c_char_p),
        ("cache_directory", ctypes.c_char_p),
        ("approximate_math", ctypes.c_int),
        ("scheduler", ctypes.c_char_p),
        ("schedule", ctypes.c_char_p),
        ("compile_ahead", ctypes.c_int),
        ("never_compile", ctypes.c_int),
        ("mark_boundaries", ctypes.c_char_p),
        ("threads", ctypes.c_uint),
        ("progress", ProgressCallback),
        ("progress_data", ctypes.c_void_p),
        ("progress_delay", ctypes.c_uint),
        ("dependent_launches", ctypes.c_char_p),
        ("schedules", ctypes.c_char_p),
    )


class ValueInfo(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("rank", ctypes.c_int64),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("alignment", ctypes.c_uint32),
        ("alias_of", ctypes.c_int64),
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
    arguments, flag = ctypes.POINTER(Argument), ctypes.POINTER(ctypes.c_int)
    for name, result, parameters in (
        ("fuser_error_code", ctypes.c_int, [handle]),
        ("fuser_error_kind", text, [handle]),
        ("fuser_error_message", text, [handle]),
        ("fuser_error_destroy", None, [handle]),
        ("fuser_count_gpus", ctypes.c_int, []),
        ("fuser_device_create", handle, [text, ctypes.c_int, ctypes.POINTER(handle)]),
        ("fuser_device_describe", handle, [handle, ctypes.POINTER(handle)]),
        ("fuser_device_destroy", None, [handle]),
        ("fuser_program_create", handle, [handle, text, size, ctypes.POINTER(Options), ctypes.POINTER(handle)]),
        ("fuser_program_load", handle, [handle, handle, text, ctypes.POINTER(handle)]),
        ("fuser_program_add_artifact", handle, [handle, handle]),
        ("fuser_program_artifact", handle, [handle, arguments, size, flag, ctypes.POINTER(handle)]),
        ("fuser_program_destroy", None, [handle]),
        ("fuser_artifact_read", handle, [text, ctypes.POINTER(handle)]),
        ("fuser_artifact_write", handle, [handle, text]),
        ("fuser_artifact_destroy", None, [handle]),
        ("fuser_artifact_device_kind", text, [handle]),
        ("fuser_artifact_num_arguments", size, [handle]),
        ("fuser_artifact_argument", handle, [handle, size, ctypes.POINTER(ValueInfo)]),
        ("fuser_program_num_arguments", size, [handle]),
        ("fuser_program_num_results", size, [handle]),
        ("fuser_program_is_tensor", ctypes.c_int, [handle, size]),
        ("fuser_program_scalar_type", text, [handle, size]),
        ("fuser_program_alias_of", ctypes.c_int64, [handle, size]),
        ("fuser_result_owns_memory", ctypes.c_int, [handle]),
        ("fuser_program_call", handle, [handle, arguments, size, handle, ctypes.POINTER(handle), size]),
        ("fuser_program_call_into", handle, [handle, arguments, size, handle, ctypes.POINTER(handle), size]),
        ("fuser_program_compile", handle, [handle, arguments, size, flag]),
        ("fuser_program_reason_to_compile", handle, [handle, arguments, size, ctypes.POINTER(handle)]),
        ("fuser_program_would_compile", handle, [handle, arguments, size, ctypes.POINTER(ctypes.c_int)]),
        ("fuser_program_num_fallbacks", size, [handle]),
        ("fuser_program_fallback", text, [handle, size]),
        ("fuser_text_data", text, [handle]),
        ("fuser_text_destroy", None, [handle]),
        ("fuser_transform", handle, [text, size, text, text, arguments, size, flag, ctypes.POINTER(handle)]),
        ("fuser_partition", handle, [text, size, text, arguments, size, flag, ctypes.POINTER(handle)]),
        ("fuser_explain", handle, [text, size, text, text, arguments, size, flag, ctypes.POINTER(handle)]),
        ("fuser_evaluate", handle, [text, size, arguments, size, ctypes.POINTER(handle), size]),
        ("fuser_compare", handle, [handle, handle, text, ctypes.POINTER(handle)]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, parameters
    return lib


@functools.cache
def native_calls() -> types.ModuleType | None:
    """fuser._calls, which lies next to the library; None where it was not built."""
    path = os.path.join(os.path.dirname(os.path.realpath(find_library())), "fuser_calls.abi3.so")
    if not os.path.exists(path):
        return None
    library()
    spec = importlib.util.spec_from_file_location("fuser._calls", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(error: int | None) -> None:
    """Raises what a function of the library returned."""
    if not error:
        return
    lib = library()
    kind, message = lib.fuser_error_kind(error).decode(), lib.fuser_error_message(error).decode()
    lib.fuser_error_destroy(error)
    raise make_error(kind, message)


class _Work:
    """Threads of this process that are inside a function of the library which may take long."""

    threads = 0
    # A child of fork lacks the threads of its parent, and with them what they were about to finish.
    was_forked = False

    @classmethod
    def after_fork_in_child(cls) -> None:
        cls.was_forked = cls.was_forked or cls.threads > 0
        cls.threads = 0


os.register_at_fork(after_in_child=_Work.after_fork_in_child)


def check_process() -> None:
    """Raises DeviceError in a child that was forked while another thread compiled."""
    if _Work.was_forked:
        raise make_error(
            "ProcessForked",
            "expected a process of its own, but got a child that was forked while another thread compiled",
        )


def run_interruptibly(function, *arguments) -> None:
    """Calls a function of the library with a flag after its `arguments`, which ends the work early.

    In the main thread, where Python runs signal handlers: what a handler raises ends the work, and is raised here.
    """
    check_process()
    flag, outcomes = ctypes.c_int(), []

    def work() -> None:
        try:
            check(function(*arguments, ctypes.byref(flag)))
        except BaseException as error:
            outcomes.append(error)

    _Work.threads += 1
    try:
        if threading.current_thread() is not threading.main_thread():
            work()
        else:
            worker = threading.Thread(target=work, name="fuser", daemon=True)
            worker.start()
            try:
                worker.join()
            except BaseException:
                flag.value = 1
                worker.join()
                raise
    finally:
        _Work.threads -= 1
    for error in outcomes:
        raise error


def take_text(function, *arguments) -> str | None:
    """What a function writes as a text, its last argument; None for no text."""
    text = ctypes.c_void_p()
    check(function(*arguments, ctypes.byref(text)))
    return _read_text(text)


def take_text_interruptibly(function, *arguments) -> str:
    """The same of a function with a flag before the text."""
    text = ctypes.c_void_p()
    run_interruptibly(lambda flag: function(*arguments, flag, ctypes.byref(text)))
    return _read_text(text)


def _read_text(text: ctypes.c_void_p) -> str | None:
    lib = library()
    if not text:
        return None
    try:
        return lib.fuser_text_data(text).decode()
    finally:
        lib.fuser_text_destroy(text)


def encode(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
