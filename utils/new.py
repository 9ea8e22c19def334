#!/usr/bin/env python3
"""Writes the boilerplate of a new op or pass into the right places, and says what is left to write.

  utils/new.py op sinpi --like erf
      An op that is built as another one is: its record, its scalar form where it has one, its line in the reference, in
      the round trip and in the list of programs that run every op alone, all copied from the model under the new name.
  utils/new.py pass fold-zeros --room Preseg --summary "Fold what is zero"
      A pass that visits ops and changes none: its record, its function and its pass, their declaration, the line in
      CMakeLists.txt and a test that passes.

Both add a line to CHANGELOG.md. Nothing is written where a place is missing or taken; docs/guides has what comes next.
"""

import argparse
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys

HEADER = """//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
"""


class Refused(Exception):
    """The command does not fit the tree; nothing was written."""


@dataclasses.dataclass
class Tree:
    """The files of a repository, with edits that are written together or not at all."""

    root: pathlib.Path
    edits: dict[pathlib.Path, str] = dataclasses.field(default_factory=dict)
    left: list[str] = dataclasses.field(default_factory=list)

    def read(self, path: pathlib.Path) -> str:
        if path not in self.edits and not (self.root / path).exists():
            raise Refused(f"expected the file {path}")
        return self.edits[path] if path in self.edits else (self.root / path).read_text()

    def create(self, path: pathlib.Path, text: str) -> None:
        if (self.root / path).exists():
            raise Refused(f"expected no file {path}, but there is one")
        self.edits[path] = text

    def insert(self, path: pathlib.Path, position: int, text: str) -> None:
        old = self.read(path)
        self.edits[path] = old[:position] + text + old[position:]

    def find_all(self, folder: str, pattern: str, suffixes: tuple[str, ...]) -> list[tuple[pathlib.Path, re.Match]]:
        """The first match in each file of a folder, in the order of their names."""
        paths = [path for path in sorted((self.root / folder).rglob("*")) if path.suffix in suffixes]
        found = [(path, re.search(pattern, path.read_text(), re.MULTILINE | re.DOTALL)) for path in paths]
        return [(path.relative_to(self.root), match) for path, match in found if match]

    def find(self, folder: str, pattern: str, suffixes: tuple[str, ...]) -> tuple[pathlib.Path, re.Match] | None:
        return next(iter(self.find_all(folder, pattern, suffixes)), None)

    def add_to_changelog(self, line: str) -> None:
        path = pathlib.Path("CHANGELOG.md")
        self.insert(path, len(self.read(path)), f"- {line}\n")

    def write(self) -> None:
        for path, text in self.edits.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        version = re.search(r"^LLVM_VERSION=(\d+)$", (self.root / "utils/versions.env").read_text(), re.MULTILINE)
        formatter = shutil.which(f"clang-format-{version.group(1)}")
        sources = [str(self.root / path) for path in self.edits if path.suffix in (".cpp", ".h")]
        if formatter and sources:
            subprocess.run([formatter, "-i", *sources], check=True)


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in re.split(r"[-_]", name))


# ---------------------------------------------------------------------------------------------------------------------
# Ops
# ---------------------------------------------------------------------------------------------------------------------


def copy_behind(tree: Tree, path: pathlib.Path, match: re.Match, rename, what: str) -> None:
    """Puts a renamed copy of what was matched behind it."""
    tree.insert(path, match.end(), rename(match.group(0)))
    line = tree.read(path).count("\n", 0, match.end()) + 1
    tree.left.append(f"{path}:{line}: {what}")


def new_op(tree: Tree, name: str, model: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise Refused(f"expected a mnemonic of lower-case letters, digits and underscores, but got '{name}'")

    def find_record(mnemonic: str):
        # A record ends before the next one, or before what is at the left margin behind it.
        record = rf'^def Fuser_(\w+)Op : \w+<"{mnemonic}".*?\n(?=def |class |//|#|\n(?:def |class |//|#))'
        return tree.find("include/fuser/Dialect/IR", record, (".td",))

    if find_record(name):
        raise Refused(f"expected a new op, but there is a 'fuser.{name}'")
    found = find_record(model)
    if not found:
        raise Refused(f"expected the mnemonic of an op with a record of its own behind --like, but got '{model}'")
    old_class, new_class = found[1].group(1), camel(name)

    def rename(text: str) -> str:
        # Not an op of another dialect, as ::mlir::math::AtanOp.
        text = re.sub(rf"(?<!:)\b(Fuser_)?{old_class}Op\b", rf"\g<1>{new_class}Op", text)
        text = text.replace(f'"{model}"', f'"{name}"')
        return re.sub(rf"\b{model}(?=\()", name, re.sub(rf"\bfuser\.{model}\b", f"fuser.{name}", text))

    copy_behind(tree, *found, rename, "what the op computes, and at its edges: summary, description, traits")
    # An op that also takes complex numbers has a form and a definition for those in files of their own.
    for method in tree.find_all("lib/Dialect/IR", rf"^[\w:<> ]+ {old_class}Op::\w+\([^;{{]*\{{\n.*?^\}}\n", (".cpp",)):
        copy_behind(tree, *method, lambda text: "\n" + rename(text), "the scalar form")
    definitions = tree.find_all("lib/Reference", rf'^ *\w[^\n]*"fuser\.{model}".*?\);\n', (".cpp",))
    if not definitions:
        raise Refused(f'expected a line with "fuser.{model}" in lib/Reference, but there is none')
    for definition in definitions:
        copy_behind(tree, *definition, rename, "the definition in double precision, not copied from the scalar form")
    trip = tree.find(
        "test/Dialect/IR", rf"^ *// CHECK: fuser\.{model} [^\n]*\n *%\w+ = fuser\.{model} [^\n]*\n", (".mlir",)
    )
    if not trip:
        raise Refused(f"expected a round trip of 'fuser.{model}' in test/Dialect/IR, but there is none")

    def rename_trip(text: str) -> str:
        # A result without a name would have to have the next number.
        return re.sub(r"^( *)%\w+ =", rf"\1%{name} =", rename(text), flags=re.MULTILINE)

    copy_behind(tree, *trip, rename_trip, "the round trip")
    programs = pathlib.Path("unittests/Driver/OpPrograms.cpp")
    entries = list(re.finditer(rf'"{model}"', tree.read(programs)))
    if not entries:
        raise Refused(f'expected "{model}" in {programs}, but it is not there')
    for entry in reversed(entries):
        tree.insert(programs, entry.end(), f', "{name}"')
    tree.left.append(f"{programs}: the list with the element types that it takes")
    tree.left.append("unittests/Reference/: its values at the edges")
    tree.left.append("CHANGELOG.md: what it computes, in the last line")
    tree.add_to_changelog(f"`fuser.{name}`.")


# ---------------------------------------------------------------------------------------------------------------------
# Passes
# ---------------------------------------------------------------------------------------------------------------------

ANCHORS = {
    "fusion": ("FusionOp", "::fuser::FusionOp", "fuser.fusion"),
    "kernel": ("KernelOp", "::fuser::KernelOp", "fuser.kernel"),
}

RECORD = """def {class_} : Pass<"fuser-{name}", "{anchor}"> {{
  let summary = "{summary}";
  let description = [{{
    {summary}.

    Does nothing to ops that carry a schedule.

    Example: `test/{room}/{name}.mlir`.
  }}];
  let statistics = [Statistic<"numChanged", "changed", "Ops changed">];
}}

"""

SOURCE = (
    HEADER
    + """// fuser-{name}.
//
//===----------------------------------------------------------------------===//

{includes}
using namespace mlir;
using namespace fuser;

namespace fuser {{
#define GEN_PASS_DEF_{upper}
#include "fuser/{room}/Passes.h.inc"
}} // namespace fuser

unsigned fuser::{function}({type} {argument}) {{
  unsigned count = 0;
  for (Operation &op : llvm::make_early_inc_range({argument}.getBody().front())) {{
    auto view = dyn_cast<TensorViewOpInterface>(op);
    // A schedule is for the op as it is.
    if (!view || view.hasDomains())
      continue;
  }}
  return count;
}}

namespace {{
struct {camel}Pass : fuser::impl::{class_}Base<{camel}Pass> {{
  void runOnOperation() override {{ numChanged += {function}(getOperation()); }}
}};
}} // namespace
"""
)

TEST = """// RUN: fuser-opt %s --fuser-{name} | FileCheck %s
// {summary}.

// An op that stays as it is.
// CHECK-LABEL: {op} @unchanged
// CHECK-NEXT: fuser.relu %arg0 : tensor<?xf32>
{op} @unchanged(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = fuser.relu %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}}
"""


def declare(tree: Tree, room: str, text: str) -> str:
    """Declares a function in the room's header; returns the header's name."""
    folder = pathlib.Path("include/fuser") / room
    header = "Rewrites.h" if (tree.root / folder / "Rewrites.h").exists() else "Passes.h"
    content = tree.read(folder / header)
    place = content.find("#define GEN_PASS_REGISTRATION")
    if place < 0:
        place = content.rindex("} // namespace fuser")
    tree.insert(folder / header, place, text)
    return header


def new_pass(tree: Tree, name: str, room: str, summary: str, on: str) -> None:
    if not re.fullmatch(r"[a-z]+(-[a-z0-9]+)+", name):
        raise Refused(f"expected a name of a verb and an object, as fold-casts, but got '{name}'")
    summary = summary.rstrip(". ")
    if not summary or '"' in summary:
        raise Refused("expected a summary of one sentence without quotes")
    records, sources = pathlib.Path("include/fuser") / room / "Passes.td", pathlib.Path("lib") / room / "CMakeLists.txt"
    if not (tree.root / records).exists() or not (tree.root / sources).exists():
        raise Refused(f"expected a room with passes, but {room} has no {records}")
    if f'"fuser-{name}"' in tree.read(records):
        raise Refused(f"expected a new pass, but there is a 'fuser-{name}'")
    type_, anchor, op = ANCHORS[on]
    function = camel(name)[0].lower() + camel(name)[1:]
    names = {
        "name": name,
        "room": room,
        "summary": summary,
        "type": type_,
        "anchor": anchor,
        "argument": on,
        "op": op,
        "function": function,
        "camel": camel(name),
        "class_": f"Fuser{camel(name)}",
        "upper": f"FUSER{camel(name).upper()}",
    }
    tree.insert(records, tree.read(records).rindex("#endif"), RECORD.format(**names))
    header = declare(
        tree, room, f"/// fuser-{name}: the number of ops changed.\nunsigned {function}({type_} {on});\n\n"
    )
    includes = sorted({f"fuser/{room}/Passes.h", f"fuser/{room}/{header}"})
    names["includes"] = "".join(f'#include "{include}"\n' for include in includes)
    tree.create(pathlib.Path("lib") / room / f"{camel(name)}.cpp", SOURCE.format(**names))
    tree.create(pathlib.Path("test") / room / f"{name}.mlir", TEST.format(**names))

    listed = re.search(r"SOURCES\s+((?:[\w/]+\.cpp\s+)+)", tree.read(sources))
    if not listed:
        raise Refused(f"expected SOURCES in {sources}")
    behind = [entry for entry in re.finditer(r"[\w/]+\.cpp", listed.group(1)) if entry.group(0) > f"{camel(name)}.cpp"]
    position = listed.start(1) + (behind[0].start() if behind else len(listed.group(1).rstrip()))
    tree.insert(sources, position, f"{camel(name)}.cpp\n    " if behind else f"\n    {camel(name)}.cpp")

    tree.left += [
        f"{records}: what it does, when it does nothing, an example before and after, what it counts",
        f"lib/{room}/{camel(name)}.cpp: the rewrite",
        f"test/{room}/{name}.mlir: positive cases, and those where it does nothing",
        "its place in a pipeline, with the reason",
    ]
    if not re.search(
        r"#define GEN_PASS_REGISTRATION$", tree.read(pathlib.Path(f"include/fuser/{room}/Passes.h")), re.M
    ):
        tree.left.append(f"include/fuser/{room}/Passes.h: its registration")
    tree.add_to_changelog(f"`fuser-{name}`: {summary[0].lower()}{summary[1:]}.")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parents[1]
    parser.add_argument("--root", type=pathlib.Path, default=root, help="the tree to write to")
    kinds = parser.add_subparsers(dest="kind", required=True)
    op = kinds.add_parser("op")
    op.add_argument("name")
    op.add_argument("--like", required=True, metavar="MODEL", help="mnemonic of an op that is built the same way")
    pass_ = kinds.add_parser("pass")
    pass_.add_argument("name", help="verb-object, without fuser-")
    pass_.add_argument("--room", required=True, help="a folder of lib/ with a Passes.td")
    pass_.add_argument("--summary", required=True, help="one sentence that says more than the name")
    pass_.add_argument("--on", choices=sorted(ANCHORS), default="fusion", help="what it runs on")
    options = parser.parse_args(arguments)
    tree = Tree(options.root)
    try:
        if options.kind == "op":
            new_op(tree, options.name, options.like)
        else:
            new_pass(tree, options.name, options.room, options.summary, options.on)
        tree.write()
    except Refused as refusal:
        print(f"new.py: {refusal}", file=sys.stderr)
        return 1
    print("written: " + ", ".join(str(path) for path in tree.edits))
    print("\n".join(["left to write:", *(f"  {place}" for place in tree.left)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
