"""The table of programs (table.toml), and the times of other compilers and libraries for its rows (peers/*.json)."""

import dataclasses
import fnmatch
import json
import math
import pathlib
import re
import shlex
import tomllib
from collections.abc import Iterable, Sequence

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent
TABLE = FOLDER / "table.toml"
PROGRAMS = FOLDER / "programs"
PEERS = FOLDER / "peers"

# Groups that are timed on request only.
OPTIONAL_GROUPS = ("contractions", "variants")
FAMILY_KEYS = {"group": str, "program": str, "rows": list, "checks": list}
ROW_KEYS = {"size": str, "type": str, "shape": str, "bytes": int, "arguments": str}


class Problem(Exception):
    """What is wrong with an argument or a file, as one line that names it."""


@dataclasses.dataclass(frozen=True)
class Command:
    """A program file and the arguments of fuser-run that select a program of it and its inputs."""

    program: pathlib.Path
    arguments: tuple[str, ...]

    def words(self, *more: str) -> list[str]:
        """What follows `fuser-run` on a command line that runs in ROOT."""
        return [str(self.program.relative_to(ROOT)), *self.arguments, *more]

    def option(self, name: str) -> str:
        """The value of `--name=`; empty without it."""
        prefix = f"--{name}="
        return next((word.removeprefix(prefix) for word in self.arguments if word.startswith(prefix)), "")

    def input_sizes(self) -> list[tuple[int, ...]]:
        """The sizes of each tensor argument."""
        texts = self.option("sizes").split(",")
        return [tuple(int(size) for size in text.split("x") if size) for text in texts]


@dataclasses.dataclass(frozen=True)
class Row:
    """One row of the table: what is timed."""

    key: str
    family: str
    group: str
    size: str
    type: str
    shape: str
    bytes: int  # the least that passes through memory; 0: nothing has to
    command: Command

    def host_bytes(self) -> int:
        """Memory that fuser-run takes on the host: doubles while it makes an input, inputs, outputs twice, itself."""
        elements = max(math.prod(sizes) for sizes in self.command.input_sizes())
        return 8 * elements + 2 * self.bytes + (1 << 28)


@dataclasses.dataclass(frozen=True)
class Check:
    """A program at small sizes, to compare with the reference."""

    family: str
    group: str
    command: Command


@dataclasses.dataclass(frozen=True)
class Table:
    rows: tuple[Row, ...]
    checks: tuple[Check, ...]

    def select(self, patterns: Sequence[str]) -> tuple["Table", list[str]]:
        """The part that any of the patterns names, by group, family or key, and the patterns that name nothing.

        Without patterns: all rows except those of optional groups, and all checks.
        """
        if not patterns:
            rows = tuple(row for row in self.rows if row.group not in OPTIONAL_GROUPS)
            return Table(rows, self.checks), []
        rows = tuple(row for row in self.rows if matches(names_of(row), patterns))
        # A pattern that names a row takes the checks of its family.
        families = {row.family for row in rows}
        checks = tuple(check for check in self.checks if check.family in families)
        every = [name for row in self.rows for name in names_of(row)]
        return Table(rows, checks), [pattern for pattern in patterns if not matches(every, [pattern])]


@dataclasses.dataclass(frozen=True)
class Peers:
    """Medians of other compilers and libraries on one device, in microseconds by row and peer."""

    device: str
    copy_gbs: float
    microseconds: dict[str, dict[str, float]]

    def best(self, key: str) -> tuple[str, float] | None:
        """The fastest peer of a row and its time."""
        times = self.microseconds.get(key)
        return min(times.items(), key=lambda item: (item[1], item[0])) if times else None


def names_of(row: Row) -> tuple[str, ...]:
    return (row.group, row.family, row.key)


def matches(names: Iterable[str], patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns)


# ----------------------------------------------------------------------------------------------------------------------
# Reading
# ----------------------------------------------------------------------------------------------------------------------


def check_keys(found: object, expected: dict[str, type], where: str) -> None:
    if not isinstance(found, dict):
        raise Problem(f"{where}: expected keys and values, but got {found!r}")
    for key in found.keys() - expected.keys():
        raise Problem(f"{where}: expected one of the keys {', '.join(expected)}, but got {key}")
    for key, kind in expected.items():
        if key not in found:
            raise Problem(f"{where}: expected the key {key}")
        if not isinstance(found[key], kind):
            raise Problem(f"{where}: {key}: expected a value of type {kind.__name__}, but got {found[key]!r}")


def read_table(path: pathlib.Path = TABLE) -> Table:
    try:
        families = tomllib.loads(path.read_text())
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None
    except ValueError as error:  # of TOML, or of its encoding
        raise Problem(f"{path}: {error}") from None
    rows: dict[str, Row] = {}
    checks: list[Check] = []
    for family, entry in families.items():
        where = f"{path}: {family}"
        check_keys(entry, FAMILY_KEYS, where)
        program = PROGRAMS / entry["program"]
        if not program.is_file():
            raise Problem(f"{where}: program: expected a file of {PROGRAMS}, but got {entry['program']}")
        for row in entry["rows"]:
            check_keys(row, ROW_KEYS, f"{where}: rows")
            key = f"{family}.{row['size']}"
            if key in rows:
                raise Problem(f"{where}: rows: expected each size once, but got {row['size']} twice")
            command = Command(program, tuple(shlex.split(row["arguments"])))
            rest = {name: row[name] for name in ("size", "type", "shape", "bytes")}
            rows[key] = Row(key=key, family=family, group=entry["group"], command=command, **rest)
        for arguments in entry["checks"]:
            if not isinstance(arguments, str):
                raise Problem(f"{where}: checks: expected arguments of fuser-run, but got {arguments!r}")
            checks.append(Check(family, entry["group"], Command(program, tuple(shlex.split(arguments)))))
    return Table(tuple(rows.values()), tuple(checks))


def read_json(path: pathlib.Path, where: str) -> object:
    try:
        return json.loads(path.read_text())
    except OSError as error:
        raise Problem(f"{where}: {error.strerror}") from None
    except ValueError as error:  # of JSON, or of its encoding
        raise Problem(f"{where}: expected JSON: {error}") from None


def read_peers(device: str, folder: pathlib.Path = PEERS) -> Peers | None:
    """What was measured on a device of this name; None where nothing was."""
    for path in sorted(folder.glob("*.json")):
        found = read_json(path, str(path))
        if not isinstance(found, dict) or found.get("version") != 1:
            raise Problem(f"{path}: expected 'version' to be 1")
        if found["device"] == device:
            return Peers(device, found["copy_gbs"], found["microseconds"])
    return None


def short_name(device: str) -> str:
    """A device in a file name: "h200" of "NVIDIA H200"."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower().removeprefix("nvidia ")).strip("-")
