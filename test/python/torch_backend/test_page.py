"""The code of docs/torch.md runs."""

import pathlib
import re

import pytest

pytest.importorskip("torch")

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/torch.md"


def test_code_of_the_page_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(block, str(PAGE), "exec"), {"__name__": "page"})
    assert "kernel_calls=2" in capsys.readouterr().out
