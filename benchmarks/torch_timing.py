"""What scripts that time functions of PyTorch share."""

import time

import torch


def leaves(results) -> list:
    """The tensors of nested results."""
    if isinstance(results, (tuple, list)):
        return [leaf for result in results for leaf in leaves(result)]
    return [results]


class Timer:
    """Times calls: on a GPU between events, after a buffer larger than the L2 cache has been written, with launches
    queued behind a kernel of so many cycles, which takes longer than the host."""

    def __init__(self, device: str, repeats: int, warm_calls: int, cycles: int):
        self.device, self.repeats, self.warm_calls, self.cycles = device, repeats, warm_calls, cycles
        self.flush = torch.empty(2**28, dtype=torch.int8, device=device) if device == "cuda" else None

    def _once(self, call) -> tuple[float, float]:
        if self.device != "cuda":
            begin = time.perf_counter()
            call()
            took = 1e6 * (time.perf_counter() - begin)
            return took, took
        self.flush.zero_()
        torch.cuda._sleep(self.cycles)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        start = time.perf_counter()
        call()
        host = 1e6 * (time.perf_counter() - start)
        end.record()
        torch.cuda.synchronize()
        return 1e3 * begin.elapsed_time(end), host

    def __call__(self, call) -> tuple[list[float], list[float]]:
        """Microseconds of the device and of the host, of each repeated call."""
        for _ in range(self.warm_calls):
            call()
        device, host = zip(*(self._once(call) for _ in range(self.repeats)), strict=True)
        return list(device), list(host)
