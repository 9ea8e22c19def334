"""utils/tidy.sh in a repository made for it, with a stub of clang-tidy: which files it takes, what it says."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"LLVM_VERSION=(\d+)", (ROOT / "utils/versions.env").read_text()).group(1)


class Repository:
    """A git repository with two committed files that build/ compiles; the stub finds fault with lines of "bad"."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        (root / "utils").mkdir()
        (root / "bin").mkdir()
        (root / "build").mkdir()
        for name in ("tidy.sh", "versions.env"):
            shutil.copy(ROOT / "utils" / name, root / "utils" / name)
        stub = root / "bin" / f"clang-tidy-{VERSION}"
        stub.write_text('#!/bin/sh\nfor f; do :; done\n! grep -n bad "$f" | sed "s|^|$f: error: |" | grep .\n')
        stub.chmod(0o755)
        (root / "a.cpp").write_text("int a;\n")
        (root / "b.cpp").write_text("int bad;\n")
        self.git("init", "-q", "-b", "main")
        self.git("add", "a.cpp", "b.cpp")
        self.git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "-m", "files")
        self.compiles("a.cpp", "b.cpp")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.root, check=True)

    def compiles(self, *names: str) -> None:
        commands = [{"directory": str(self.root), "file": str(self.root / name), "command": "c++"} for name in names]
        (self.root / "build/compile_commands.json").write_text(json.dumps(commands))

    def tidy(self, *arguments: str) -> subprocess.CompletedProcess:
        environment = {**os.environ, "PATH": f"{self.root}/bin:/usr/bin:/bin"}
        command = ["bash", str(self.root / "utils/tidy.sh"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment)


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


def test_nothing_changed(repository):
    result = repository.tidy()
    assert result.returncode == 0
    assert result.stdout == "tidy: 0 files\n"


def test_takes_what_changed_or_is_new(repository):
    (repository.root / "a.cpp").write_text("int bad, worse;\n")
    (repository.root / "c.cpp").write_text("int good;\n")
    repository.compiles("a.cpp", "b.cpp", "c.cpp")
    result = repository.tidy()
    assert result.returncode != 0
    assert "a.cpp: error: 1:int bad, worse;" in result.stdout
    assert "b.cpp" not in result.stdout
    assert result.stdout.endswith("tidy: 2 files, 1 findings\n")


def test_all_takes_every_file(repository):
    result = repository.tidy("--all")
    assert result.returncode != 0
    assert result.stdout.endswith("tidy: 2 files, 1 findings\n")


def test_names_what_the_build_does_not_compile(repository):
    repository.compiles("a.cpp")
    result = repository.tidy("a.cpp", "b.cpp")
    assert result.returncode == 0
    assert "tidy: not part of build/, left out: b.cpp" in result.stdout


def test_says_what_is_missing(repository):
    (repository.root / "build/compile_commands.json").unlink()
    result = repository.tidy("--all")
    assert result.returncode != 0
    assert "expected a configured build tree" in result.stderr


def test_hooks_are_local():
    """pre-commit fetches nothing: every hook is a program of this repository or its environment."""
    text = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"- repo: (\S+)", text) == ["local"]
    for entry in re.findall(r"entry: (\S+)", text):
        assert entry.startswith(".venv/bin/") or (ROOT / entry).exists()
