"""Each diagnostic of lib/ is in a test: four words of its longest text in a row, or all if it has fewer.

Those that are in none are in untested_diagnostics.txt: they are of hosts and builds of LLVM that the tests do not have.
After a test for one of them: `test_diagnostics.py > untested_diagnostics.txt`.
"""

import pathlib
import re

TESTS = pathlib.Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
KNOWN = pathlib.Path(__file__).with_name("untested_diagnostics.txt")
CALL = re.compile(r"\b(emitOpError|emitError|makeError)\s*\(")
# Literals that the source joins, in a test that is C++ as well.
JOINT = re.compile(r'"\s*\n\s*(//\s*)?"')
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
WORDS = 4
LEAST_LENGTH = 10


def read_tests():
    suffixes = {".mlir", ".test", ".py", ".cpp", ".c", ".txt"}
    files = [*TESTS.rglob("*"), *(ROOT / "unittests").rglob("*"), ROOT / "utils" / "abuse.py"]
    texts = [
        file.read_text() for file in files if file.suffix in suffixes and file not in (KNOWN, pathlib.Path(__file__))
    ]
    return "\n".join(JOINT.sub("", text).replace('\\"', '"') for text in texts)


def find_diagnostics():
    """The longest text of each call, with its file."""
    for file in sorted((ROOT / "lib").rglob("*.cpp")):
        source = file.read_text()
        for call in CALL.finditer(source):
            statement = JOINT.sub("", source[call.start() : source.find(";", call.end())])
            texts = [text.replace('\\"', '"').strip() for text in LITERAL.findall(statement)]
            longest = max(texts, key=len, default="")
            if len(longest) >= LEAST_LENGTH:
                yield f"{file.relative_to(ROOT)}: {longest}"


def is_in(tests, text):
    words = text.split()
    runs = [" ".join(words[i : i + WORDS]) for i in range(max(1, len(words) - WORDS + 1))]
    return any(run in tests for run in runs)


def find_untested():
    tests = read_tests()
    return sorted({each for each in find_diagnostics() if not is_in(tests, each.split(": ", 1)[1])})


def test_texts_are_found():
    assert len(set(find_diagnostics())) > 700
    assert is_in("but got 3: expected a size of at least 0", "expected a size of at most 7")
    assert not is_in("but got 3: expected a size of", "expected a size below")


def test_diagnostics_are_tested():
    known = KNOWN.read_text().splitlines()
    found = find_untested()
    assert [each for each in found if each not in known] == [], "diagnostics without a test"
    assert [each for each in known if each not in found] == [], "tested by now: take it out of the list"


if __name__ == "__main__":
    print("\n".join(find_untested()))
