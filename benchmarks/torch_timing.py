"""What scripts that time functions of PyTorch share."""

import contextlib
import fcntl
import json
import os
import statistics
import subprocess
import sys
import tempfile
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


def median_and_spread(times: list[float]) -> tuple[float, float]:
    """The median and the interquartile range."""
    times, quarter = sorted(times), len(times) // 4
    return statistics.median(times), times[-1 - quarter] - times[quarter]


@contextlib.contextmanager
def turn(path: str):
    """The only process that uses the device for long; `path` is a file that all of them lock, or empty."""
    if not path:
        yield
        return
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def save(rows: dict, path: str, device: str) -> None:
    """Writes rows to `path`, unless it is empty."""
    if path:
        with open(path, "w") as file:
            json.dump({"device": device, "torch": torch.__version__, "rows": rows}, file, indent=1)


def time_in_processes(script: str, flags: list[str], names: list[str], options) -> dict:
    """The rows of `names` by `options.jobs` processes of a script, which has the options --only, --backends, --device,
    --lock and --json, and gets the values of `flags`. A name that ends its process has a failure."""
    with tempfile.TemporaryDirectory() as folder:

        def start(job):
            command = [
                sys.executable,
                script,
                f"--only={'|'.join(names[job :: options.jobs])}",
                f"--backends={','.join(options.backends)}",
                f"--device={options.device}",
                f"--lock={folder}/lock",
                f"--json={folder}/{job}.json",
                *(f"--{flag}={getattr(options, flag)}" for flag in flags),
            ]
            # Processes that share inductor's cache read files that others have not written to the end.
            environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": f"{folder}/inductor-{job}"}
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)

        running = [start(job) for job in range(min(options.jobs, len(names)))]
        rows = {}
        for job, process in enumerate(running):
            status, mine = process.wait(), {}
            with contextlib.suppress(FileNotFoundError), open(f"{folder}/{job}.json") as file:
                mine = json.load(file)["rows"]
            rows |= mine
            left = next((name for name in names[job :: options.jobs] if name not in mine), None)
            if left and (status not in (0, 1) or not mine):
                rows[left] = {backend: {"failure": f"exit status {status}"} for backend in options.backends}
    return {name: rows[name] for name in names if name in rows}
