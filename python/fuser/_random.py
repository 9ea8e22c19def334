"""Seeds of random functions without a seed of their own."""

import itertools
import os
import threading

from fuser import _dlpack
from fuser._errors import DeviceError

_LOCK = threading.Lock()


class _State:
    seed: int | None = None
    offsets = itertools.count()


def manual_seed(seed: int) -> None:
    """Starts the random numbers of definitions anew: equal executions after equal seeds give equal numbers."""
    with _LOCK:
        _State.seed, _State.offsets = int(seed) & (2**63 - 1), itertools.count()


def next_state() -> tuple[int, int]:
    """A seed, and an offset that no other call gets. Raises DeviceError while PyTorch captures a CUDA graph, whose
    replays would draw the numbers of the capture."""
    torch = _dlpack.loaded("torch")
    if torch is not None and torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing():
        raise DeviceError(
            "StreamCaptured",
            "rng_seed: expected a seed for a call that a CUDA graph captures, but got none: replays would repeat its "
            "numbers (torch.compile draws new ones)",
        )
    with _LOCK:
        if _State.seed is None:
            _State.seed = int.from_bytes(os.urandom(7), "little")
        return _State.seed, next(_State.offsets)
