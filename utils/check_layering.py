"""Checks that every room includes only what utils/rooms.toml lets it include.

Six rules, over include/fuser/, lib/ and tools/:
  include    a room includes its own headers, those of the rooms in its row, and the header groups of its row
  tool       a tool includes InitAll*.h and the few rooms that are made for tools
  link       a CMakeLists.txt links only the rooms that its room may include
  op-class   Analysis, Scheduling and Lowering ask interfaces and never name the class of an op that computes
  kernel-ir  only the last pass of Lowering names the dialects of kernel IR
  table      docs/architecture.md shows the same table
Prints one line per violation, "FILE:LINE: [RULE] ...", then a summary; exits with 1 when there is any.
"""

import argparse
import dataclasses
import fnmatch
import pathlib
import re
import sys
import tomllib
from collections.abc import Iterator

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
OP_DEFINITION = re.compile(r"^\s*(?:def|defm)\s+Fuser_(\w+Op)\b", re.MULTILINE)
ROOM_LINKS = re.compile(r"fuser_add_room\(\s*(\w+)(.*?)\)", re.DOTALL)
SOURCE_SUFFIXES = {".h", ".cpp", ".c", ".inc", ".def"}


@dataclasses.dataclass(frozen=True)
class Violation:
    path: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: [{self.rule}] {self.text}"


@dataclasses.dataclass(frozen=True)
class Room:
    name: str
    number: int | str
    rooms: frozenset[str]
    headers: tuple[str, ...]

    def allows_header(self, header: str) -> bool:
        """The last prefix that matches decides; "!" in front of it forbids."""
        allowed = False
        for prefix in self.headers:
            if header.startswith(prefix.removeprefix("!")):
                allowed = not prefix.startswith("!")
        return allowed


class House:
    """The table of rooms, with numbers resolved to names."""

    def __init__(self, table: dict):
        rows = table["room"]
        names = {row["name"] for row in rows}
        self.rooms: dict[str, Room] = {}
        for row in rows:
            allowed: set[str] = set()
            if row["rooms"] == "all":
                allowed = set(names)
            else:
                for entry in row["rooms"]:
                    matching = {r["name"] for r in rows if entry in (r["number"], r["name"])}
                    if not matching:
                        raise ValueError(f"room {row['name']}: expected a room's name or number, but got {entry!r}")
                    allowed |= matching
            headers = tuple(prefix for group in row["headers"] for prefix in table["groups"][group])
            self.rooms[row["name"]] = Room(row["name"], row["number"], frozenset(allowed - {row["name"]}), headers)
        self.tool_rooms = frozenset(table["tools"]["rooms"])
        self.op_class_rooms = frozenset(table["op-classes"]["rooms"])
        self.allowed_op_classes = frozenset(table["op-classes"]["allowed"])
        self.kernel_ir = table.get("kernel-ir")

    def room_of(self, path: pathlib.PurePath) -> Room | None:
        """The room of a path below include/fuser/ or lib/: the longest prefix that names one."""
        parts = path.parts
        for length in range(len(parts), 0, -1):
            room = self.rooms.get("/".join(parts[:length]))
            if room:
                return room
        return None


def without_comments(text: str, *, keep_strings: bool = False) -> str:
    """Blanks out comments (and strings) of C++ or CMake-free text, keeping the line structure."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

    def blank(match: re.Match) -> str:
        if keep_strings and match.group().startswith('"'):
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())

    return pattern.sub(blank, text)


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def source_files(root: pathlib.Path) -> Iterator[tuple[pathlib.Path, pathlib.PurePath]]:
    """Yields (file, path below include/fuser/ or lib/)."""
    for base in (root / "include" / "fuser", root / "lib"):
        for path in sorted(base.rglob("*")):
            if path.suffix in SOURCE_SUFFIXES:
                yield path, path.relative_to(base)


def check_includes(house: House, root: pathlib.Path) -> Iterator[Violation]:
    for path, inner in source_files(root):
        shown = str(path.relative_to(root))
        if len(inner.parts) == 1:
            continue  # include/fuser/InitAll*.h see every room
        room = house.room_of(inner)
        if room is None:
            yield Violation(shown, 1, "include", f"expected a folder of a room in utils/rooms.toml, but got {inner}")
            continue
        text = without_comments(path.read_text(), keep_strings=True)
        for match in INCLUDE.finditer(text):
            problem = include_problem(house, room, match.group(2), match.group(1) == '"')
            if problem:
                yield Violation(shown, line_of(text, match.start(2)), "include", problem)


def include_problem(house: House, room: Room, header: str, quoted: bool) -> str | None:
    """Why `room` may not include `header`, or None."""
    if header.startswith("fuser/"):
        inner = pathlib.PurePath(header).relative_to("fuser")
        if len(inner.parts) == 1:
            return f"room {room.name} may not include {header}, which sees every room"
        other = house.room_of(inner)
        if other is None:
            return f"expected a header of a room, but got {header}"
        if other.name != room.name and other.name not in room.rooms:
            return f"room {room.name} ({room.number}) may not include room {other.name} ({other.number}): {header}"
        return None
    if quoted and "/" not in header:
        return None  # a private header beside the file
    if ".." in pathlib.PurePath(header).parts:
        return f"expected a path from include/, but got {header}"
    if "/" not in header and "." not in header:
        return None  # the C++ standard library
    if room.allows_header(header):
        return None
    return f"room {room.name} ({room.number}) may not include {header}"


def check_tools(house: House, root: pathlib.Path) -> Iterator[Violation]:
    for path in sorted((root / "tools").rglob("*.cpp")):
        text = without_comments(path.read_text(), keep_strings=True)
        for match in INCLUDE.finditer(text):
            header = pathlib.PurePath(match.group(2))
            if header.parts[0] != "fuser" or len(header.parts) == 2:
                continue
            room = house.room_of(header.relative_to("fuser"))
            if room is None or room.name not in house.tool_rooms:
                problem = f"a tool may include InitAll*.h, {' and '.join(sorted(house.tool_rooms))}, but got {header}"
                yield Violation(str(path.relative_to(root)), line_of(text, match.start(2)), "tool", problem)


def check_links(house: House, root: pathlib.Path) -> Iterator[Violation]:
    """CMake's LINK lists: the same rows as the includes."""
    declared = []  # (file, line, room, target, linked targets)
    room_of_target: dict[str, Room] = {}
    for path in sorted((root / "lib").rglob("CMakeLists.txt")):
        room = house.room_of(path.parent.relative_to(root / "lib"))
        text = re.sub(r"#[^\n]*", "", path.read_text())
        for match in ROOM_LINKS.finditer(text):
            if room is None:
                continue
            words = match.group(2).split()
            links: list[str] = []
            keyword = ""
            for word in words:
                if word in ("SOURCES", "LINK", "MLIR", "DEPENDS"):
                    keyword = word
                elif keyword == "LINK":
                    links.append(word)
            room_of_target[match.group(1)] = room
            declared.append((path, line_of(text, match.start()), room, links))
    for path, line, room, links in declared:
        for target in links:
            other = room_of_target.get(target)
            if other and other.name != room.name and other.name not in room.rooms:
                text = f"room {room.name} ({room.number}) may not link room {other.name} ({other.number})"
                yield Violation(str(path.relative_to(root)), line, "link", text)


def computing_ops(house: House, root: pathlib.Path) -> set[str]:
    """C++ class names of the fuser ops that are not part of a fusion's structure, from their TableGen records."""
    names: set[str] = set()
    for path in sorted((root / "include" / "fuser" / "Dialect" / "IR").glob("*.td")):
        names |= set(OP_DEFINITION.findall(without_comments(path.read_text())))
    return names - house.allowed_op_classes


def check_op_classes(house: House, root: pathlib.Path) -> Iterator[Violation]:
    names = computing_ops(house, root)
    if not names:
        return
    # `arith::SelectOp` is another dialect's; `fuser::SelectOp` and a bare `SelectOp` are ours.
    alternatives = "|".join(sorted(names))
    ours = re.compile(rf"(?<![\w:])(?:::)?(?:fuser::)?({alternatives})(?:Adaptor)?\b")
    for path, inner in source_files(root):
        room = house.room_of(inner)
        if room is None or room.name not in house.op_class_rooms:
            continue
        text = without_comments(path.read_text())
        for match in ours.finditer(text):
            yield Violation(
                str(path.relative_to(root)),
                line_of(text, match.start()),
                "op-class",
                f"room {room.name} may not name {match.group(1)}: ask an interface",
            )


def check_kernel_ir(house: House, root: pathlib.Path) -> Iterator[Violation]:
    """Passes that decide write text; ops of kernel IR are built by the pass that decides nothing."""
    row = house.kernel_ir
    if not row:
        return
    names = re.compile(rf"(?<![\w:])(?:mlir::)?({'|'.join(row['dialects'])})::")
    for path in sorted((root / "lib" / row["room"]).glob("*")):
        if path.suffix not in SOURCE_SUFFIXES or any(fnmatch.fnmatch(path.name, pattern) for pattern in row["allowed"]):
            continue
        text = without_comments(path.read_text())
        for match in names.finditer(text):
            problem = f"only {row['allowed'][0]} of room {row['room']} builds kernel IR, but got {match.group(1)}"
            yield Violation(str(path.relative_to(root)), line_of(text, match.start()), "kernel-ir", problem)


def table_rows(house: House) -> list[tuple[str, str]]:
    return [(str(room.number), room.name) for room in house.rooms.values()]


def check_documented_table(house: House, root: pathlib.Path) -> Iterator[Violation]:
    """docs/architecture.md lists the rooms as rows "| number | `Name` | ..."."""
    path = root / "docs" / "architecture.md"
    if not path.exists():
        return
    text = path.read_text()
    documented = re.findall(r"^\| (\w+) \| `([\w/]+)` \|", text, re.MULTILINE)
    for number, name in table_rows(house):
        if (number, name) not in documented:
            yield Violation(
                str(path.relative_to(root)), 1, "table", f"expected a row for room {name} with number {number}"
            )
    known = set(table_rows(house))
    for number, name in documented:
        if (number, name) not in known:
            yield Violation(
                str(path.relative_to(root)), 1, "table", f"room {name} ({number}) is not in utils/rooms.toml"
            )


def check(root: pathlib.Path, table: dict) -> list[Violation]:
    house = House(table)
    return [
        *check_includes(house, root),
        *check_tools(house, root),
        *check_links(house, root),
        *check_op_classes(house, root),
        *check_kernel_ir(house, root),
        *check_documented_table(house, root),
    ]


def main(arguments: list[str]) -> int:
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=here.parent, help="source tree to check")
    parser.add_argument("--table", type=pathlib.Path, default=here / "rooms.toml", help="table of the rooms")
    options = parser.parse_args(arguments)
    violations = check(options.root, tomllib.loads(options.table.read_text()))
    for violation in violations:
        print(violation)
    files = sum(1 for _ in source_files(options.root))
    print(f"layering: {files} files, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
