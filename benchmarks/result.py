"""The result of one run of benchmarks/run.py: the times of rows of the table, with where they are from."""

import dataclasses
import json
import math
import pathlib

from table import Problem, read_json

VERSION = 1


@dataclasses.dataclass
class Result:
    """The times of one run: what the file that run.py writes holds."""

    device: str  # as fuser-run prints it
    commit: str
    date: str
    options: list[str]  # of fuser-run, for all rows
    # The rate of a copy that shares are of, in GB/s: that of the peers of the device, else the median of those that
    # fuser-run measured (`is_rate_measured`).
    copy_gbs: float | None
    is_rate_measured: bool
    # By key, in the order of the table. Times: `us` (the median), `spread` (the interquartile range, in percent of it)
    # and `share` (of the rate of a copy, in percent). `bytes` are the table's. Of the compilation: `kernels`,
    # `compile_ms`, `fallbacks`; `predicted_us` of fuser-explain. A row without a time has an `error`.
    rows: dict[str, dict]

    def to_json(self) -> str:
        """One line per row, for differences between files."""
        head = {"version": VERSION} | {name: value for name, value in vars(self).items() if name != "rows"}
        lines = [f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items()]
        rows = ",\n".join(f"  {json.dumps(key)}: {json.dumps(row)}" for key, row in self.rows.items())
        return "".join(["{\n", *lines, ' "rows": {\n', rows, "\n }\n}\n"])


def read_result(path: pathlib.Path, argument: str) -> Result:
    """`argument` is the option that names the file; empty: none does."""
    where = f"{argument}: {path}" if argument else str(path)
    found = read_json(path, where)
    if not isinstance(found, dict) or found.pop("version", None) != VERSION:
        raise Problem(f"{where}: expected a result of benchmarks/run.py with 'version' {VERSION}")
    fields = {field.name for field in dataclasses.fields(Result)}
    if found.keys() != fields or not isinstance(found["rows"], dict):
        raise Problem(f"{where}: expected the keys {', '.join(sorted(fields))}, but got {', '.join(sorted(found))}")
    for key, row in found["rows"].items():
        if not isinstance(row, dict) or not all(
            is_number(row.get(name, 0)) for name in ("us", "spread", "bytes", "predicted_us")
        ):
            raise Problem(f"{where}: rows: {key}: expected numbers as 'us', 'spread' and 'bytes', but got {row!r}")
    return Result(**found)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def share_of_copy(row: dict, us: float, copy_gbs: float | None) -> float | None:
    """The time of a copy of as many bytes, in percent of `us`; None where nothing has to be moved."""
    if not copy_gbs or not row.get("bytes") or us <= 0:
        return None
    return 100 * row["bytes"] / (us * 1e3) / copy_gbs


def write_text(path: pathlib.Path, text: str, argument: str) -> None:
    """Writes a file as a whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text)
        part.replace(path)
    except OSError as error:
        raise Problem(f"{argument}: {path}: {error.strerror}") from None


def check_device(old: Result, new: Result, argument: str) -> None:
    """Times of different devices are not compared."""
    if old.device != new.device:
        raise Problem(f"{argument}: expected a result of {new.device or 'no device'}, but got one of {old.device}")
