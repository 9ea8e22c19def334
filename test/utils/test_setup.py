"""utils/setup.sh, on a machine played by stub programs: what it says, and what it installs, without installing."""

import pathlib
import shutil
import subprocess

import pytest

UTILS = pathlib.Path(__file__).resolve().parents[2] / "utils"


class Machine:
    """A folder with a copy of setup.sh and stubs of dpkg-query, apt-get, id and python3 that log their arguments."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        self.log = root / "log"
        (root / "utils").mkdir()
        (root / "bin").mkdir()
        for name in ("setup.sh", "versions.env"):
            shutil.copy(UTILS / name, root / "utils" / name)
        self.stub("id", "echo 0")
        self.stub("dpkg-query", "echo installed")
        self.stub("apt-get", f'echo "apt-get $*" >>{self.log}')
        # "python3 -m venv .venv" makes an interpreter that logs as well.
        self.stub("python3", f'mkdir -p "$3/bin"; cp {root}/bin/logged "$3/bin/python"; echo "python3 $*" >>{self.log}')
        self.stub("logged", f'[ "$1" = -c ] || echo "python $*" >>{self.log}')

    def stub(self, name: str, body: str) -> None:
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def setup(self) -> subprocess.CompletedProcess:
        command = ["bash", self.root / "utils" / "setup.sh"]
        environment = {"PATH": f"{self.root}/bin:/usr/bin:/bin"}
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    def logged(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_says_nothing_when_nothing_is_missing(machine):
    assert machine.setup().returncode == 0
    machine.log.unlink()
    second = machine.setup()
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert machine.logged() == []


def test_root_gets_the_missing_packages(machine):
    machine.stub("dpkg-query", 'case "$*" in *ninja-build*) exit 1;; *) echo installed;; esac')
    assert machine.setup().returncode == 0
    assert machine.logged()[:2] == ["apt-get update", "apt-get install -y --no-install-recommends ninja-build"]


def test_others_are_told_what_is_missing(machine):
    machine.stub("dpkg-query", 'case "$*" in *ninja-build*|*ccache*) exit 1;; *) echo installed;; esac')
    machine.stub("id", "echo 1000")
    result = machine.setup()
    assert result.returncode == 1
    assert result.stderr.strip() == (
        "setup: missing packages; as root run: apt-get install --no-install-recommends ninja-build ccache"
    )
    assert machine.logged() == []


def test_a_failed_install_is_an_error(machine):
    machine.stub("dpkg-query", "exit 1")
    machine.stub("apt-get", '[ "$1" = update ] || { echo "E: no such package" >&2; exit 100; }')
    result = machine.setup()
    assert result.returncode == 1
    assert result.stderr.splitlines() == ["E: no such package", "setup: apt-get install failed"]


def test_a_changed_pin_makes_the_environment_anew(machine):
    machine.setup()
    machine.log.unlink()
    versions = machine.root / "utils" / "versions.env"
    versions.write_text(versions.read_text().replace("RUFF_VERSION=", "RUFF_VERSION=9"))
    assert machine.setup().returncode == 0
    assert machine.logged()[0] == "python3 -m venv .venv"
    assert any("ruff==9" in line for line in machine.logged())
