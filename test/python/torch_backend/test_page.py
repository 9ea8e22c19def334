"""The code of docs/torch.md runs."""

import importlib
import pathlib
import re
import subprocess
import sys
import tomllib

import pytest

torch = pytest.importorskip("torch")

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/torch.md"


def test_code_of_the_page_runs(capsys):
    import fuser.torch

    torch._dynamo.reset()
    fuser.torch.reset()
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(block, str(PAGE), "exec"), {"__name__": "page"})
    assert "kernel_calls=2" in capsys.readouterr().out


def test_entry_point_is_the_backend():
    import fuser.torch

    project = tomllib.loads((PAGE.parents[1] / "pyproject.toml").read_text())["project"]
    module, _, name = project["entry-points"]["torch_dynamo_backends"]["fuser"].partition(":")
    assert getattr(importlib.import_module(module), name) is fuser.torch.backend
    assert "fuser" in torch.compiler.list_backends()


def test_import_of_fuser_imports_no_torch():
    command = "import sys, fuser; sys.exit('torch' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", command], env={"PYTHONPATH": str(PAGE.parents[1] / "python")}).returncode
        == 0
    )
