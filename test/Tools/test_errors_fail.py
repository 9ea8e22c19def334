"""An op or a pass that reports an error fails: `-verify-diagnostics` compares the errors, but not how the tool ends."""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess

import pytest

TESTS = pathlib.Path(__file__).parents[1]
OPT = TESTS.parent / "build" / "bin" / "fuser-opt"
RUN = re.compile(r"^// RUN: fuser-opt (%s\b.*-verify-diagnostics.*)$", re.MULTILINE)
# What serves -verify-diagnostics.
OPTIONS = re.compile(r"\s--?(verify-diagnostics(=\S+)?|split-input-file)(?=\s|$)")

pytestmark = pytest.mark.skipif(not OPT.exists(), reason="no build tree with fuser-opt")


def find_programs():
    """The programs that are refused, with the command lines that refuse them."""
    for file in sorted(TESTS.rglob("*.mlir")):
        text = file.read_text()
        commands = [shlex.split(OPTIONS.sub(" ", command.split("|")[0])) for command in RUN.findall(text)]
        line = 1
        for part in re.split(r"^// -----.*$", text, flags=re.MULTILINE):
            if commands and "expected-error" in part:
                yield f"{file.relative_to(TESTS)}:{line}", part, commands
            line += part.count("\n")


def find_accepted(program):
    """The command lines that end as if nothing was wrong."""
    _, text, commands = program
    accepted = []
    for command in commands:
        arguments = ["-" if word == "%s" else word for word in command]
        result = subprocess.run([OPT, *arguments], input=text, capture_output=True, text=True)
        if result.returncode == 0:
            accepted.append(shlex.join(command))
    return accepted


def test_programs_with_errors_are_refused():
    programs = list(find_programs())
    assert len(programs) > 500
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip((name for name, *_ in programs), pool.map(find_accepted, programs), strict=True))
    # A program may be refused by one of several passes only.
    wrong = [name for (name, _, commands) in programs if len(found[name]) == len(commands)]
    assert wrong == []
