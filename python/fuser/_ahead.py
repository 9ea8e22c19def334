"""Compilations in threads, for calls whose arguments do not exist yet."""

import collections
import ctypes
import os
import threading
from collections.abc import Sequence

from fuser import _dlpack
from fuser._library import Argument, library
from fuser._program import Program

# What memory that a framework allocates is aligned to, at least; views of it begin at any element.
_ALIGNMENT = 512
_DTYPES = {name: dtype for dtype, name in _dlpack.TYPE_NAMES.items()}


class ExpectedTensor:
    """A tensor of a later call as the argument of a compilation, which reads no elements.

    `offset` is that of the first element from the beginning of its memory; `layout` is equal for equal tensors. Raises
    KeyError for an element type that programs have no name for.
    """

    def __init__(self, dtype: str, shape: Sequence[int], strides: Sequence[int], offset: int, device: tuple[int, int]):
        self.layout = (dtype, *shape, *strides, offset)
        code, bits = _DTYPES[dtype]
        sizes = ctypes.c_int64 * len(shape)
        self._shape, self._strides = sizes(*shape), sizes(*strides)
        self.view = _dlpack.DLTensor(
            _ALIGNMENT + offset * bits // 8,
            _dlpack.DLDevice(*device),
            len(shape),
            _dlpack.DLDataType(code, bits, 1),
            self._shape,
            self._strides,
            0,
        )


def _compile(program: Program, values: Sequence[ExpectedTensor | int | float], flag: ctypes.c_int) -> None:
    """Compiles what a call with these arguments runs. A failure is none: the call reports it."""
    arguments = (Argument * len(values))()
    for argument, value in zip(arguments, values, strict=True):
        if isinstance(value, ExpectedTensor):
            argument.tensor = ctypes.addressof(value.view)
        else:
            argument.integer, argument.real = int(value), float(value)
    error = library().fuser_program_compile(program._handle, arguments, len(arguments), ctypes.byref(flag))
    if error:
        library().fuser_error_destroy(error)


class Compilation:
    """One compilation: waiting for a thread, running, or over."""

    def __init__(self, queue: "Queue", program: Program, values: Sequence[ExpectedTensor | int | float]):
        self._queue, self._program, self._values = queue, program, values
        self.over = threading.Event()

    def run(self, flag: ctypes.c_int) -> None:
        try:
            _compile(self._program, self._values, flag)
        finally:
            self.over.set()

    def finish(self) -> None:
        """Waits until it is over; one that has not begun never does, and its call compiles."""
        if self._queue.remove(self):
            self.over.set()
        self.over.wait()


class Queue:
    """Compilations in the order in which they were added, by at most `most` threads, which end with the last one."""

    def __init__(self, most: int):
        self._most = most
        self.reset()

    def reset(self) -> None:
        """Forgets threads, which the child of a fork does not have."""
        self._threads = 0
        self._waiting: collections.deque[Compilation] = collections.deque()
        self._running: list[Compilation] = []
        self._flag = ctypes.c_int()
        # Reentrant: a signal handler may fork.
        self._lock = threading.RLock()

    def add(self, program: Program, values: Sequence[ExpectedTensor | int | float]) -> Compilation:
        compilation = Compilation(self, program, values)
        with self._lock:
            self._waiting.append(compilation)
            is_thread_needed = self._threads < self._most
            self._threads += is_thread_needed
        if is_thread_needed:
            try:
                threading.Thread(target=self._work, name="fuser", daemon=False).start()
            except RuntimeError:
                # The process has too many threads, or ends: calls compile.
                with self._lock:
                    self._threads -= 1
        return compilation

    def remove(self, compilation: Compilation) -> bool:
        """Whether it was waiting."""
        with self._lock:
            if compilation not in self._waiting:
                return False
            self._waiting.remove(compilation)
            return True

    def stop(self) -> None:
        """Drops what waits and ends what runs."""
        with self._lock:
            for compilation in self._waiting:
                compilation.over.set()
            self._waiting.clear()
            running = list(self._running)
            self._flag.value = 1
        for compilation in running:
            compilation.over.wait()
        self._flag.value = 0

    def _take(self) -> Compilation | None:
        with self._lock:
            # The process ends: Python waits for this thread.
            if not self._waiting or not threading.main_thread().is_alive():
                self._threads -= 1
                return None
            self._running.append(self._waiting.popleft())
            return self._running[-1]

    def _work(self) -> None:
        while compilation := self._take():
            compilation.run(self._flag)
            with self._lock:
                self._running.remove(compilation)


def _count_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Several processes of a machine may compile at the same time, and kernels of one program have threads as well.
_MOST_THREADS = 16
QUEUE = Queue(min(_count_processors(), _MOST_THREADS))
# A child lacks the threads of its parent, and with them what they were about to finish.
os.register_at_fork(before=lambda: QUEUE.stop(), after_in_child=lambda: QUEUE.reset())
