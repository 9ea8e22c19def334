"""Small changes of the lines of lib/: which there are, how a seed draws them, and a source that holds many at once.

utils/mutate.py tests them.
"""

import dataclasses
import functools
import pathlib
import random
import re
import sys
from collections.abc import Iterator, Sequence

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What looks like code but is none, or changes no behavior: directives, declarations, assertions.
NO_CODE = re.compile(
    r"^\s*(#|using\b|namespace\b|template\b|typedef\b|static_assert\b|assert\(|friend\b|(public|private|protected):|struct\b"
    r"|class\b|enum\b|extern\b|llvm_unreachable\b)"
)
# Texts of diagnostics: tests compare some of them word for word, which says little about the code.
DIAGNOSTIC = re.compile(r"emitOpError|emitError|emitRemark|emitWarning|attachNote|makeError|<<")
# Comments and literals; a quote behind a digit separates digits.
NO_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])*'", re.DOTALL)
STATEMENT = re.compile(r"^\s+[A-Za-z_(*+-][^;{}]*;$")
# What the line before a statement ends with; else the line goes on with one.
BEFORE_STATEMENT = re.compile(r"(^|[;{}:)]|\belse)\s*$")
DECLARATION = re.compile(
    r"^\s+(const\b|auto\b|static\b|constexpr\b|return\b|break\b|continue\b|using\b|goto\b|delete\b|case\b|default\b"
    r"|[A-Za-z_][\w:<>,* ]*[ *&>]+[A-Za-z_]\w*( *[=({;].*)?$)"
)
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/"}
RETURNS = {"true": "false", "false": "true", "success()": "failure()", "failure()": "success()", "std::nullopt": None}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One change of one line: columns `begin` to `end` become `text`."""

    path: str  # from the root
    line: int  # from 1
    begin: int
    end: int
    text: str
    kind: str

    def apply(self, lines: list[str]) -> list[str]:
        old = lines[self.line - 1]
        changed = list(lines)
        changed[self.line - 1] = old[: self.begin] + self.text + old[self.end :]
        return changed

    @property
    def room(self) -> str:
        return str(pathlib.PurePath(self.path).parent.relative_to("lib"))


def mask(lines: list[str]) -> list[str]:
    """The lines with comments and the contents of literals as spaces."""

    def blank(match: re.Match) -> str:
        text = match.group()
        quote = text[0] if text[0] in "\"'" else ""
        inner = re.sub(r"[^\n]", " ", text[1:-1] if quote else text)
        return quote + inner + quote

    return NO_TEXT.sub(blank, "\n".join(lines)).split("\n")


def find_condition(line: str) -> tuple[int, int] | None:
    """Where the condition of an `if` or `while` is that ends on its line and declares nothing."""
    match = re.search(r"\b(if|while) \(", line)
    if not match:
        return None
    depth, begin = 1, match.end()
    for position in range(begin, len(line)):
        depth += {"(": 1, ")": -1}.get(line[position], 0)
        if depth == 0:
            condition = line[begin:position]
            declares = re.match(r"(const )?[\w:<>]+ [*&]?\w+ = |auto\b|.*; ", condition)
            return None if declares else (begin, position)
    return None


def find_mutants(path: str, lines: list[str]) -> Iterator[Mutant]:
    """All mutants of a file, in order."""
    in_diagnostic, before = False, ""
    for number, line in enumerate(mask(lines), start=1):
        begins, before = bool(BEFORE_STATEMENT.search(before)), line
        # A diagnostic goes on until its statement ends.
        skip = in_diagnostic or bool(DIAGNOSTIC.search(line))
        in_diagnostic = skip and not line.rstrip().endswith((";", "{", "}"))
        if skip or not line.startswith("  ") or NO_CODE.match(line):
            continue
        for mutant in find_in_line(path, number, line, lines[number - 1]):
            if begins or mutant.kind != "statement":
                yield mutant


def find_in_line(path: str, number: int, line: str, original: str) -> Iterator[Mutant]:
    """The mutants of a line, of which `line` has no comments and literals."""

    def make(begin: int, end: int, text: str, kind: str) -> Mutant:
        return Mutant(path, number, begin, end, text, kind)

    if condition := find_condition(line):
        begin, end = condition
        yield make(begin, end, f"!({original[begin:end]})", "condition")
    for match in re.finditer(r" (<=?|>=?|==|!=) ", line):
        yield make(match.start(1), match.end(1), COMPARISONS[match.group(1)], "comparison")
    for match in re.finditer(r" (&&|\|\|) ", line):
        yield make(match.start(1), match.end(1), "||" if match.group(1) == "&&" else "&&", "logic")
    for match in re.finditer(r"(?<=[\w)\]]) ([-+*/%]) (?=[\w(])", line):
        yield make(match.start(1), match.end(1), ARITHMETIC[match.group(1)], "arithmetic")
    for match in re.finditer(r"(?<![\w.<])(\d{1,4})(?![\w.>])", line):
        yield make(match.start(1), match.end(1), str(int(match.group(1)) + 1), "constant")
    if match := re.search(r"\breturn (true|false|success\(\)|failure\(\));", line):
        yield make(match.start(1), match.end(1), RETURNS[match.group(1)], "result")
    if match := re.search(r"\bcontinue;", line):
        yield make(match.start(), match.end(), "break;", "loop")
    if match := re.search(r"^\s+(return;)", line):
        yield make(match.start(1), match.end(1), ";", "statement")
    if STATEMENT.match(line) and not DECLARATION.match(line) and line.count("(") == line.count(")"):
        begin = len(line) - len(line.lstrip())
        yield make(begin, len(line), ";", "statement")


def read_lines(path: str) -> list[str]:
    return (ROOT / path).read_text().split("\n")


@functools.cache
def find_all() -> dict[str, tuple[Mutant, ...]]:
    """The mutants of each room."""
    by_room: dict[str, list[Mutant]] = {}
    for file in sorted((ROOT / "lib").rglob("*.cpp")):
        path = str(file.relative_to(ROOT))
        for mutant in find_mutants(path, read_lines(path)):
            by_room.setdefault(mutant.room, []).append(mutant)
    return {room: tuple(mutants) for room, mutants in by_room.items()}


def draw(seed: int, rooms: Sequence[str]) -> Iterator[Mutant]:
    """Mutants in random order, a room at a time, so that small rooms get as many as large ones. A line has one."""
    source = random.Random(seed)
    by_room = {room: list(mutants) for room, mutants in find_all().items()}
    unknown = [room for room in rooms if room not in by_room]
    if unknown:
        sys.exit(f"mutate: expected rooms of lib/ ({', '.join(sorted(by_room))}), but got {', '.join(unknown)}")
    for mutants in by_room.values():
        source.shuffle(mutants)
    seen = set()
    names = sorted(rooms or by_room)
    while any(by_room[name] for name in names):
        source.shuffle(names)
        for name in names:
            while by_room[name]:
                mutant = by_room[name].pop()
                if (mutant.path, mutant.line) not in seen:
                    seen.add((mutant.path, mutant.line))
                    yield mutant
                    break


def find_slot(code: str, begin: int, end: int) -> tuple[int, int]:
    """The expression around a place of masked code of which every operator binds closer than `?:` does."""
    depth, first = 0, begin
    while first > 0:
        last = code[first - 1]
        if last in ")]":
            depth += 1
        elif depth and last in "([":
            depth -= 1
        elif not depth and (
            last in "([{},;?"
            or (last == ":" and code[first - 2] != ":" and code[first] != ":")
            or (last == "=" and code[first] != "=" and code[first - 2] not in "=<>!")
            or re.search(r"\breturn$", code[max(0, first - 7) : first])
        ):
            break
        first -= 1
    depth, last = 0, end
    while last < len(code):
        following = code[last]
        if following in "([{":
            depth += 1
        elif depth and following in ")]}":
            depth -= 1
        elif not depth and (following in ")]},;?" or (following == ":" and code[last + 1] != ":" != code[last - 1])):
            break
        last += 1
    return first + len(code[first:begin]) - len(code[first:begin].lstrip()), last


def make_switch(mutant: Mutant, number: int, code: str, masked: str, begin: int) -> tuple[int, int, str]:
    """A part of the code, and its replacement that is the mutant where isMutant(number) is true."""
    end = begin + mutant.end - mutant.begin
    old = code[begin:end]
    if mutant.kind == "condition":
        return begin, end, f"isMutant({number}) ? {mutant.text} : static_cast<bool>({old})"
    if mutant.kind == "loop":
        return begin, end, f"{{ if (isMutant({number})) break; continue; }}"
    if mutant.kind == "statement":
        return begin, end, f"{{ if (!isMutant({number})) {old.strip()} }}"
    first, last = find_slot(masked, begin, end)
    changed = code[first:begin] + mutant.text + code[end:last]
    return first, last, f"(isMutant({number}) ? ({changed}) : ({code[first:last]}))"


def combine(lines: list[str], mutants: dict[int, Mutant]) -> tuple[str, set[int]]:
    """A source with the mutants of one file, by their numbers, and those it holds: one of those that overlap."""
    code, masked = "\n".join(lines), "\n".join(mask(lines))
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    switches = sorted(
        (*make_switch(mutant, number, code, masked, starts[mutant.line - 1] + mutant.begin), number)
        for number, mutant in mutants.items()
    )
    parts, done, held = [], 0, set()
    for first, last, text, number in switches:
        if first >= done:
            parts += [code[done:first], text]
            done = last
            held.add(number)
    header = ROOT / "utils" / "mutant.h"
    return f'#include "{header}"\n' + "".join(parts) + code[done:], held
