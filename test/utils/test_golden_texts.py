"""utils/golden_texts.py: which commands of tests are run, and that a digest notices each text that changes."""

import pathlib

import golden_texts
import pytest


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("fuser-opt %s --cse | FileCheck %s", "fuser-opt test/a.mlir --cse"),
        ("fuser-opt %s --a | fuser-opt --b | FileCheck %s", "fuser-opt test/a.mlir --a | fuser-opt --b"),
        ("fuser-opt %s --a='b c' > %t.mlir", "fuser-opt test/a.mlir '--a=b c'"),
        ("fuser-opt %s --a | fuser-opt --b -o %t.mlir", "fuser-opt test/a.mlir --a"),
        ("not fuser-translate %S/b.mlir 2>&1 | FileCheck %s", "fuser-translate test/b.mlir"),
        ("fuser-opt %s -verify-diagnostics -split-input-file", "fuser-opt test/a.mlir -split-input-file"),
        ("fuser-opt %s --verify-diagnostics=only-expected", "fuser-opt test/a.mlir"),
        ("fuser-explain %examples/x.mlir", "fuser-explain examples/x.mlir"),
        ("fuser-opt %t.mlir", None),
        ("fuser-opt < %s", None),
        ("fuser-opt %s -o %t.mlir", None),
        ("fuser-run %s", None),  # prints times
        ("cat %s | fuser-opt", None),
        ("true", None),
    ],
)
def test_commands(tmp_path, line, command):
    source = tmp_path / "test" / "a.mlir"
    source.parent.mkdir()
    source.write_text(f"// RUN: {line}\n")
    assert list(golden_texts.commands_of(source, tmp_path)) == ([command] if command else [])


@pytest.fixture
def tools(tmp_path) -> pathlib.Path:
    """A fuser-opt that prints its arguments and its input, and fails for one of them."""
    folder = tmp_path / "bin"
    folder.mkdir()
    tool = folder / "fuser-opt"
    tool.write_text('#!/bin/bash\necho "$@"\n[[ $* != *-split-input-file* ]] || cat\n[[ $* != *--bad* ]] || exit 3\n')
    tool.chmod(0o755)
    return folder


def test_what_commands_print(tmp_path, tools):
    root, out = tmp_path / "root", tmp_path / "out"
    (root / "test").mkdir(parents=True)
    (root / "test" / "a.mlir").write_text("// RUN: fuser-opt %s --good\n// RUN: not fuser-opt %s --bad\n")
    golden_texts.print_commands(out, root, tools, jobs=1)
    printed = [path.read_text() for path in sorted((out / "commands/test/a.mlir").iterdir())]
    assert printed == [
        f"fuser-opt test/a.mlir {option}\ntest/a.mlir {option}\nexit code {code}\n"
        for option, code in [("--good", 0), ("--bad", 3)]
    ]
    assert list(golden_texts.digest_texts(out, ["commands"])) == [("test/a", "commands")]


def test_kernels_of_a_file_are_lowered_once(tmp_path, tools):
    for name, text in {"a.1/x.mlir": "gpu.func @k", "a.2/y.mlir": "gpu.func @k", "b/z.mlir": "nothing"}.items():
        path = tmp_path / "kernels" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    golden_texts.lower_kernels(tmp_path, "host", tools, jobs=1)
    assert [str(path.relative_to(tmp_path)) for path in (tmp_path / "host").rglob("*.mlir")] == ["host/a.mlir"]
    assert (tmp_path / "host/a.mlir").read_text().count("gpu.func @k") == 1


def write_texts(out: pathlib.Path, text: str) -> golden_texts.Digests:
    for name, each in {"choose/test/a.1/x.mlir": text, "choose/test/a.2/y.err": "e", "nvvm/test/a.mlir": "n"}.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(each)
    return golden_texts.digest_texts(out, golden_texts.KINDS)


def test_a_text_that_changes_differs(tmp_path):
    made = write_texts(tmp_path, "1")
    kept = golden_texts.parse_digests(golden_texts.print_digests(made))
    assert kept == made
    assert set(made) == {("test/a", "choose"), ("test/a", "nvvm")}
    assert golden_texts.compare_digests(kept, write_texts(tmp_path, "1")) == []
    assert golden_texts.compare_digests(kept, write_texts(tmp_path, "2")) == ["test/a: text of choose differs"]
    (tmp_path / "nvvm/test/a.mlir").unlink()
    (tmp_path / "choose/test/a.2/y.err").rename(tmp_path / "choose/test/a.2/y.mlir")
    assert golden_texts.compare_digests(kept, write_texts(tmp_path, "1")) == ["test/a: text of choose differs"]
    assert golden_texts.compare_digests(kept, golden_texts.only(made, "choose")) == [
        "test/a: text of nvvm is not made any more"
    ]
