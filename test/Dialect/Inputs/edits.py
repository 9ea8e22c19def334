"""Prints what fuser-opt says of valid programs with one edit each: another number, another keyword, or a line less.

usage: edits.py [--generic] FILE...; after a justified change of a verifier: the command of the test "> edits-....txt"
Every op at the top of a file is a program, with the aliases before it. `--generic`: in their generic form, which the
parsers of ops do not check.
"""

import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

SEPARATOR = "\n// -----\n"
# Numbers that are no part of a name or of a type such as f32.
NUMBER = re.compile(r"(?<![\w%#.@!])\d+(?![\w.]*\.)(?=x|\W|$)")
KEYWORDS = (
    {"shared": "register", "register": "global", "global": "shared", "workgroup": "global"}
    | {"thread_x": "thread_y", "thread_y": "block_x", "block_x": "thread_x", "unroll": "vectorize", "serial": "unroll"}
    | {"f32": "f16", "f16": "f32", "bf16": "f32", "f64": "i64", "i64": "i32", "i32": "i64", "index": "i64", "i1": "i8"}
    | {"true": "false", "false": "true", "copy": "", "readonly": "", "bulk": "copy", "max": "sum", "add": "max"}
)
WORD = re.compile(r"(?<![\w%@!.])(?:" + "|".join(KEYWORDS) + r")(?!\w)")


def run(programs, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(SEPARATOR.join(programs))
        file.flush()
        command = ["fuser-opt", "--split-input-file", "--mlir-print-op-on-diagnostic=false", *options, file.name]
        done = subprocess.run(command, capture_output=True, text=True)
    done.stdout, done.stderr = (text.replace(file.name, "edited.mlir") for text in (done.stdout, done.stderr))
    if done.returncode not in (0, 1):
        sys.exit(f"fuser-opt ended with {done.returncode}: {done.stderr[-2000:]}")
    return done


def split(text):
    """The top-level ops of a file as programs, each with its line."""
    aliases, op, start = [], [], 0
    for number, line in enumerate(text.splitlines(), start=1):
        code = line.split("//")[0].rstrip()
        if op or (code and not code.startswith(("!", "#"))):
            start = start if op else number
            op.append(code)
            if code.startswith("}") or (len(op) == 1 and not code.endswith(("{", "(", ","))):
                body = "\n".join(op)
                used = [alias for alias in aliases if re.search(re.escape(alias.split()[0]) + r"\b", body)]
                yield start, "\n".join([*used, body])
                op = []
        elif code:
            aliases.append(code)


def edit(line):
    """What is changed, and the line with that change."""
    for match in NUMBER.finditer(line):
        for new in sorted({int(match.group()) + 1, 0} - {int(match.group())}):
            yield f"{match.group()} to {new}", line[: match.start()] + str(new) + line[match.end() :]
    for match in WORD.finditer(line):
        new = KEYWORDS[match.group()]
        yield f"{match.group()} to {new or 'nothing'}", line[: match.start()] + new + line[match.end() :]
    if line.startswith("  ") and not line.endswith(("{", "(", ",")) and "}" not in line.split()[0]:
        yield "dropped", ""


def edit_program(program):
    """The number of the line and what is changed, and the program with that change."""
    lines = program.split("\n")
    for place, line in enumerate(lines):
        for what, changed in edit(line):
            yield (place + 1, what), "\n".join([*lines[:place], changed, *lines[place + 1 :]])


def find_errors(programs, output):
    """The first error of each program, or nothing."""
    ends, line = [], 0
    for program in programs:
        line += program.count("\n") + 2
        ends.append(line)
    said, number = [""] * len(programs), 0
    for match in re.finditer(r"^[^\n:]*:(\d+):\d+: error: (.*)$", output, re.MULTILINE):
        while int(match.group(1)) > ends[number]:
            number += 1
        said[number] = said[number] or match.group(2)
    return said


def main():
    generic = sys.argv[1] == "--generic"
    names, programs = [], []
    for path in map(pathlib.Path, sys.argv[1 + generic :]):
        for start, program in split(path.read_text()):
            names.append(f"{path.name}:{start}")
            programs.append(program)
    if generic:
        printed = run(programs, "--mlir-print-op-generic").stdout.split("// -----\n")
        programs = [program.strip() for program in printed]
    labels, edited = [], []
    for name, program in zip(names, programs, strict=True):
        for (place, what), changed in edit_program(program):
            labels.append((f"{name} line {place}", what))
            edited.append(changed)
    errors = find_errors(edited, run(edited, "-o", "/dev/null").stderr)
    all_errors = [(place, error, what) for (place, what), error in zip(labels, errors, strict=True)]
    for (place, error), group in itertools.groupby(all_errors, key=lambda each: each[:2]):
        print(f"{place}, {'; '.join(what for *_, what in group)}" + (f": {error}" if error else ""))


if __name__ == "__main__":
    main()
