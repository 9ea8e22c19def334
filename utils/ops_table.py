"""Writes docs/ops-table.md: every op that makes tensors, with the element types that it is tested with.

The ops and types are those of the programs that unittests/Driver/EveryOpTest.cpp runs on the host device against the
reference (`fuser-op-programs --list`). What ran on GPUs is kept in benchmarks/results/ops-*.txt, one file per device,
which --record prints from what utils/check_gpu.py writes as OUTCOMES.
"""

import argparse
import pathlib
import subprocess
import sys

PAGE = "docs/ops-table.md"

# Op -> types, both in the order of the programs.
Ops = dict[str, list[str]]

HEAD = """# Ops and their element types

Made by `utils/ops_table.py` from the programs that the tests run: each op alone, at odd sizes, 1, 0 and beyond one
block, for each type. Every type in the table passes on the reference and on the host device (`FuserDriverTests`). GPU
columns say what the last run of `utils/check_gpu.py` there passed: *all*, or the types. `c64` and `c128` are complex
numbers of f32 and of f64. What an op computes is in `build/docs/` (`ninja -C build fuser-docs`); how far functions of
one float are from exact, in [ulp-host.md](../benchmarks/results/ulp-host.md), those of complex numbers in
[ulp-complex-host.md](../benchmarks/results/ulp-complex-host.md).

"""


def programs_of(listing: str) -> list[tuple[str, str, list[str]]]:
    """Returns (op, name, types) of each line of `fuser-op-programs --list`."""
    programs = []
    for line in listing.splitlines():
        op, name, *types = line.split()
        programs.append((op, name, types))
    return programs


def ops_of(programs: list[tuple[str, str, list[str]]]) -> Ops:
    ops: Ops = {}
    for op, _, types in programs:
        known = ops.setdefault(op, [])
        known += [element for element in types if element not in known]
    return ops


def passed(programs: list[tuple[str, str, list[str]]], outcomes: str) -> Ops:
    """The ops and types of which every program has outcomes, all "ok"."""
    ran: set[str] = set()
    failed: set[str] = set()
    for line in outcomes.splitlines():
        status, _, file, *_ = line.split()
        name = pathlib.PurePath(file).stem
        ran.add(name)
        if status != "ok":
            failed.add(name)
    ops: Ops = {}
    for op, types in ops_of(programs).items():
        names = {t: [f"{name}_{t}" for o, name, of in programs if o == op and t in of] for t in types}
        ops[op] = [t for t in types if all(n in ran and n not in failed for n in names[t])]
    return ops


def read_record(path: pathlib.Path) -> tuple[str, Ops]:
    """The title (the first line, behind "# ") and the ops of a record."""
    title, *lines = path.read_text().splitlines()
    ops: Ops = {}
    for line in lines:
        op, _, types = line.partition(":")
        ops[op] = types.split()
    return title.removeprefix("# "), ops


def page_of(ops: Ops, records: list[tuple[str, Ops]]) -> str:
    columns = "".join(f" {title} |" for title, _ in records)
    lines = [f"| op | types |{columns}", "|---|---|" + "---|" * len(records)]
    for op in sorted(ops):
        line = f"| `{op}` | {' '.join(ops[op])} |"
        for _, record in records:
            there = [element for element in ops[op] if element in record.get(op, [])]
            line += f" {'all' if there == ops[op] else ' '.join(there) or '-'} |"
        lines.append(line)
    return HEAD + "\n".join(lines) + f"\n\n{len(ops)} ops, {sum(map(len, ops.values()))} pairs of op and type.\n"


def main(arguments: list[str]) -> int:
    root = pathlib.Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=root / "build/bin/fuser-op-programs")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the page differs")
    parser.add_argument("--record", nargs=2, metavar=("OUTCOMES", "TITLE"), help="print a record of a run instead")
    options = parser.parse_args(arguments)
    listing = subprocess.run([options.programs, "--list"], capture_output=True, text=True, check=True).stdout
    programs = programs_of(listing)
    if options.record:
        outcomes, title = options.record
        print(f"# {title}")
        for op, types in passed(programs, pathlib.Path(outcomes).read_text()).items():
            print(f"{op}: {' '.join(types)}")
        return 0
    records = [read_record(path) for path in sorted((root / "benchmarks/results").glob("ops-*.txt"))]
    page = page_of(ops_of(programs), records)
    if not options.check:
        (root / PAGE).write_text(page)
        return 0
    if (root / PAGE).read_text() == page:
        print(f"{PAGE} is what utils/ops_table.py writes")
        return 0
    print(f"{PAGE}: expected what utils/ops_table.py writes; run it")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
