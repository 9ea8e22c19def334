"""Prints digests of what passes make of valid programs with one edit each, as Dialect/Inputs/edits.py makes them.

usage: edited_outputs.py [--show] FILE...; `--show`: the outputs and errors instead, to compare those of two versions
Each file is run as its first RUN line of fuser-opt says. A line has the place of an op at the top of a file, the number
of its edits, and a digest of all their outputs. After a justified change: the command of the test "> edits.txt".
"""

import hashlib
import itertools
import pathlib
import re
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Dialect" / "Inputs"))
import edits

# Edits of one op at most, spread over it: large programs take the time of many small ones.
MOST = 16


def find_options(text):
    """Of the first RUN line that starts fuser-opt; nothing if it needs other files or prints elsewhere."""
    match = re.search(r"^// RUN: (?:not )?fuser-opt (?:%s )?([^|\n]*)", text, re.MULTILINE)
    if not match or match.group(0).endswith("\\"):
        return []
    words = shlex.split(match.group(1))
    if any("%" in word.removeprefix("%s") or "print-ir" in word for word in words):
        return []
    unwanted = ("%s", "split-input-file", "verify-diagnostics", "o", "/dev/null", "2>&1", "2>/dev/null")
    return [word for word in words if word.lstrip("-") not in unwanted]


def main():
    show = sys.argv[1] == "--show"
    for path in map(pathlib.Path, sys.argv[1 + show :]):
        text = path.read_text()
        options = find_options(text)
        if not options:
            continue
        names, programs = [], []
        for start, program in edits.split(text):
            changed = list(edits.edit_program(program))
            step = -(-len(changed) // MOST)
            for (place, what), new in changed[::step] if step else ():
                names.append((f"{path.name}:{start}", f"line {place}, {what}"))
                programs.append(new)
        if not programs:
            continue
        done = edits.run(programs, *options)
        outputs = done.stdout.split("// -----\n")
        errors = edits.find_errors(programs, done.stderr)
        found = list(zip(names, outputs, errors, strict=True))
        for name, group in itertools.groupby(found, key=lambda each: each[0][0]):
            results = [f"==== {what}: {error}\n{output}" for (_, what), output, error in group]
            # Locations depend on the programs before.
            results = [re.sub(r"edited\.mlir:\d+", "edited.mlir", result) for result in results]
            if show:
                print(name, *results, sep="\n")
            else:
                print(name, len(results), hashlib.sha256("".join(results).encode()).hexdigest()[:12])


if __name__ == "__main__":
    main()
