"""Checks that everything that TableGen documents has something to say, and that pages link to what is there.

Over every .td file below include/fuser/:
  ops         summary, description, and an example (a ```mlir block in the description)
  attributes  summary and description; of an enum, the summary
  types       summary and description
  interfaces  description
  passes      summary and description
A file of test/ that a description names exists. Each line of the example of a transform op (FuserTransform_Op) is in a
test of its room.
Over README.md, CONTRIBUTING.md and docs/: the file of every relative link.
Over docs/behaviors.md: a test carries each number of its tables, and each number in a test is there.
Prints one line per gap, "FILE:LINE: NAME: no summary", then a summary; exits with 1 when there is any.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

# TableGen class -> what a record of it needs.
NEEDS = {
    "Op": ("summary", "description", "example"),
    "AttrDef": ("summary", "description"),
    "TypeDef": ("summary", "description"),
    "Interface": ("description",),
    "PassBase": ("summary", "description"),
}

# TableGen class -> where the lines of its records' examples are tested, from the root of the repository.
TESTED = {"FuserTransform_Op": "test/Dialect/TransformOps"}

EXAMPLE = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
TEST_FILE = re.compile(r"\btest/[\w/.-]+\.(?:mlir|test)\b")

# A row of docs/behaviors.md, and a number in a test.
BEHAVIOR = re.compile(r"^\| (S\d+\.\d+) \|", re.MULTILINE)
CARRIED = re.compile(r"\b(S[0-4]\.\d+)\b")

# The target of [text](target).
LINK = re.compile(r"\]\(([^)\s]+)\)")


def records_of(path: pathlib.Path, include: list[pathlib.Path], tblgen: str) -> dict:
    """The records of one .td file as llvm-tblgen writes them, those of included files among them."""
    command = [tblgen, "--dump-json", *(f"-I{folder}" for folder in include), str(path)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"llvm-tblgen failed for {path}:\n{result.stderr}")
    return json.loads(result.stdout)


def has(record: dict, need: str) -> bool:
    if need == "example":
        return "```mlir" in (record.get("description") or "")
    return bool((record.get(need) or "").strip())


def tested_lines(folder: pathlib.Path) -> set[str]:
    """The lines of the tests in a folder, without indentation."""
    texts = [path.read_text() for path in sorted(folder.rglob("*.mlir")) if "RUN:" in path.read_text()]
    return {line.strip() for text in texts for line in text.splitlines()}


def untested(record: dict, root: pathlib.Path) -> list[str]:
    """What the description of a record shows or names and no test has."""
    description = record.get("description") or ""
    gaps = [f"no file {name}" for name in TEST_FILE.findall(description) if not (root / name).exists()]
    for kind, folder in TESTED.items():
        if kind in record["!superclasses"]:
            lines = tested_lines(root / folder)
            for example in EXAMPLE.findall(description):
                shown = [line.strip() for line in example.splitlines()]
                gaps += [f"no test in {folder} has the line '{line}'" for line in shown if line and line not in lines]
    return gaps


def gaps_of(path: pathlib.Path, records: dict, root: pathlib.Path) -> tuple[int, list[str]]:
    """Returns the number of documented records defined in `path`, and one line per missing text."""
    documented = 0
    gaps = []
    for kind, needs in NEEDS.items():
        for name in records["!instanceof"].get(kind, []):
            record = records[name]
            file, line = re.fullmatch(r"(.*):(\d+)", record["!locs"][-1]).groups()
            if pathlib.PurePath(file).name != path.name or record.get("!anonymous"):
                continue
            documented += 1
            needed = ("summary",) if "EnumAttr" in record["!superclasses"] else needs
            gaps += [f"{path}:{line}: {name}: no {need}" for need in needed if not has(record, need)]
            gaps += [f"{path}:{line}: {name}: {gap}" for gap in untested(record, root)]
    return documented, gaps


def check(include: pathlib.Path, llvm: pathlib.Path, root: pathlib.Path) -> tuple[int, list[str]]:
    """Checks every .td file below include/fuser/ with the TableGen of the installation `llvm`; tests are in `root`."""
    documented = 0
    gaps = []
    for path in sorted((include / "fuser").rglob("*.td")):
        records = records_of(path, [include, llvm / "include"], str(llvm / "bin" / "llvm-tblgen"))
        count, lines = gaps_of(path, records, root)
        documented += count
        gaps += lines
    return documented, gaps


def broken_links(root: pathlib.Path) -> list[str]:
    """One line per link to a file that does not exist, in the pages that people read."""
    lines = []
    for page in [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]:
        text = page.read_text() if page.exists() else ""
        for match in LINK.finditer(text):
            target = match.group(1).split("#")[0]
            if target and "://" not in target and not (page.parent / target).exists():
                line = text.count("\n", 0, match.start()) + 1
                lines.append(f"{page.relative_to(root)}:{line}: {target}: no such file")
    return lines


def unmatched_behaviors(root: pathlib.Path) -> list[str]:
    """One line per number of docs/behaviors.md that no test carries, and per number in a test that is not there."""
    page = root / "docs" / "behaviors.md"
    numbers = set(BEHAVIOR.findall(page.read_text())) if page.exists() else set()
    tests = [
        path
        for folder in ("test", "unittests", "python")
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in {".mlir", ".test", ".cpp", ".h", ".py"}
    ]
    carried: dict[str, pathlib.Path] = {}
    for path in tests:
        for number in CARRIED.findall(path.read_text(errors="replace")):
            carried.setdefault(number, path.relative_to(root))
    lines = [f"docs/behaviors.md: {number}: no test carries it" for number in sorted(numbers - carried.keys())]
    return lines + [
        f"{carried[number]}: {number}: not in docs/behaviors.md" for number in sorted(carried.keys() - numbers)
    ]


def pinned_llvm(root: pathlib.Path) -> pathlib.Path:
    version = re.search(r"^LLVM_VERSION=(\d+)$", (root / "utils" / "versions.env").read_text(), re.MULTILINE)
    return pathlib.Path(f"/usr/lib/llvm-{version.group(1)}")


def main(arguments: list[str]) -> int:
    root = pathlib.Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", type=pathlib.Path, default=root / "include", help="folder that holds fuser/")
    parser.add_argument("--llvm", type=pathlib.Path, default=pinned_llvm(root), help="root of the LLVM installation")
    options = parser.parse_args(arguments)
    documented, gaps = check(options.include, options.llvm, root)
    gaps += broken_links(root) + unmatched_behaviors(root)
    for gap in gaps:
        print(gap)
    print(f"docs: {documented} ops, attributes, types, interfaces and passes, {len(gaps)} gaps")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
