"""What utils/golden.py compares: two dumps, and counts with those that are kept."""

import collections
import itertools
import pathlib
import re
from collections.abc import Iterator

from golden_cases import read_cases

FIELD = re.compile(r'([\w.]+)=(?:"([^"]*)"|(\S+))')
FACT = re.compile(r"#fuser\.fact<[^>]*>")

# Counts that depend on how a thread holds its values.
REGISTERS = ("load.register.", "store.register.", "op.")

Counts = dict[str, str]  # "load.global.16" -> "4", "grid" -> "s0, 1, 1"
Kernels = dict[str, Counts]  # by name


def parse_counts(line: str) -> tuple[str, Counts]:
    """ "NAME FIELD="VALUE" GROUP.KIND=COUNT ..."."""
    name, _, rest = line.partition(" ")
    return name, {key: quoted or value for key, quoted, value in FIELD.findall(rest)}


class Dump:
    """What `dump` wrote."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.cases = {case.name: case for case in read_cases(folder)}
        self.kernels: dict[str, Kernels] = collections.defaultdict(dict)
        for line in (folder / "counts.txt").read_text().splitlines():
            case, _, rest = line.partition(" ")
            name, counts = parse_counts(rest)
            self.kernels[case][name] = counts
        self.outputs: dict[str, str] | None = None
        if (folder / "outputs.txt").exists():
            lines = (folder / "outputs.txt").read_text().splitlines()
            self.outputs = dict(line.split(" ", 1) if " " in line else (line, "") for line in lines)

    def program(self, case: str) -> str:
        return (self.folder / "programs" / self.cases[case].program).read_text()

    def kernel_ir(self, case: str) -> str | None:
        file = self.folder / "kernels" / f"{case}.mlir"
        return file.read_text() if file.exists() else None

    def diagnostic(self, case: str) -> str:
        return (self.folder / "kernels" / f"{case}.err").read_text()


def pairs_of(a: Kernels, b: Kernels) -> Iterator[tuple[str, Counts | None, Counts | None]]:
    """Kernels of one name; where names differ, in order."""
    only_a = [name for name in a if name not in b]
    only_b = [name for name in b if name not in a]
    for name in a:
        if name in b:
            yield name, a[name], b[name]
    for x, y in itertools.zip_longest(only_a, only_b):
        yield x if y is None or x == y else (y if x is None else f"{x} / {y}"), a.get(x), b.get(y)


def differing(a: Counts, b: Counts) -> Iterator[tuple[str, str, str]]:
    """Keys whose values differ; a count that is missing is 0."""
    for key in [*a, *(key for key in b if key not in a)]:
        none = "0" if "." in key else "none"
        if a.get(key, none) != b.get(key, none):
            yield key, a.get(key, none), b.get(key, none)


def differences(a: Dump, b: Dump, case: str, level: str) -> Iterator[str]:
    """What keeps a case from being equal at a level."""
    ir_a, ir_b = a.kernel_ir(case), b.kernel_ir(case)
    if ir_a is None or ir_b is None:
        if ir_a != ir_b:
            yield "compiles only in " + ("B" if ir_a is None else "A")
        elif level == "G0" and a.diagnostic(case) != b.diagnostic(case):
            yield f"diagnostic: {a.diagnostic(case).rstrip()}\n    -> {b.diagnostic(case).rstrip()}"
        return
    if level == "G0":
        if ir_a != ir_b:
            changed = next(
                (number, x, y)
                for number, (x, y) in enumerate(itertools.zip_longest(ir_a.splitlines(), ir_b.splitlines()), 1)
                if x != y
            )
            yield "line {}: {}\n    -> {}".format(*changed)
        return
    if a.outputs is not None and b.outputs is not None and a.outputs.get(case) != b.outputs.get(case):
        yield f"outputs: {a.outputs.get(case)} -> {b.outputs.get(case)}"
    if FACT.findall(ir_a) != FACT.findall(ir_b):
        yield "facts"
    for name, x, y in pairs_of(a.kernels[case], b.kernels[case]):
        if x is None or y is None:
            yield f"kernel {name}: only in {'B' if x is None else 'A'}"
            continue
        for key, before, after in differing(x, y):
            isCount = "." in key
            if level == "G1" and key.startswith(REGISTERS):
                continue
            if level == "G2" and isCount and int(after) < int(before):
                continue
            yield f"kernel {name}: {key} {before} -> {after}"


def report_totals(a: Dump, b: Dump, cases: list[str]) -> None:
    """Sums of counts over all kernels, where they differ."""
    totals = []
    for each in (a, b):
        total: collections.Counter[str] = collections.Counter()
        for case in cases:
            for counts in each.kernels[case].values():
                total.update({key: int(value) for key, value in counts.items() if "." in key})
        totals.append(total)
    for key in sorted(totals[0].keys() | totals[1].keys()):
        if totals[0][key] != totals[1][key]:
            print(f"  sum of {key}: {totals[0][key]} -> {totals[1][key]}")


# ----------------------------------------------------------------------------------------------------------------------
# Counts that are kept
# ----------------------------------------------------------------------------------------------------------------------

HEAD = """# Counts of the kernels of every .mlir file that compiles (utils/golden.py): FILE KERNEL OPTIONS COUNTS.
# Options are "*" where all cases of the file have the same counts. To rewrite: utils/golden.py update
"""

Kept = dict[tuple[str, str], dict[str, str]]  # (file, kernel) -> counts by options


def keep(lines: dict[str, dict[str, str]]) -> Kept:
    kept: Kept = collections.defaultdict(dict)
    for case, kernels in lines.items():
        file, _, options = case.rpartition("/")
        for kernel, counts in kernels.items():
            kept[file, kernel][options] = counts
    return kept


def print_kept(kept: Kept) -> str:
    text = HEAD
    for (file, kernel), by_options in sorted(kept.items()):
        groups: dict[str, list[str]] = collections.defaultdict(list)
        for options, counts in sorted(by_options.items()):
            groups[counts].append(options)
        for counts, options in groups.items():
            text += f"{file} {kernel} {'*' if len(groups) == 1 else ' '.join(options)} {counts}\n"
    return text


def parse_kept(text: str) -> Kept:
    kept: Kept = collections.defaultdict(dict)
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        file, kernel, rest = line.split(" ", 2)
        options, block, counts = rest.partition(' block="')
        for each in options.split(" "):
            kept[file, kernel][each] = block.lstrip() + counts
    return kept


def compare_kept(kept: Kept, made: Kept) -> list[str]:
    lines = []
    for key in sorted(kept.keys() | made.keys()):
        where = f"{key[0]}.mlir: kernel {key[1]}"
        if key not in kept or key not in made:
            lines.append(f"{where}: " + ("is new" if key in made else "is not made any more"))
            continue
        expected = kept[key]
        if "*" in expected:
            expected = dict.fromkeys(made[key], expected["*"])
        for options in sorted(expected.keys() | made[key].keys()):
            if options not in expected or options not in made[key]:
                lines.append(f"{where} ({options}): " + ("is new" if options in made[key] else "is not made any more"))
                continue
            counts = [parse_counts("- " + each[options])[1] for each in (expected, made[key])]
            lines += [f"{where} ({options}): {name} {x} -> {y}" for name, x, y in differing(*counts)]
    return lines
