"""The code of docs/python.md runs."""

import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"


def test_code_of_the_page_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) > 2
    scope = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), scope)
    assert "fuser.fusion @fusion" in capsys.readouterr().out


@pytest.mark.parametrize("name", re.findall(r"`(\w+Error)`", PAGE.read_text()))
def test_errors_of_the_page_exist(name):
    import fuser

    assert issubclass(getattr(fuser, name), fuser.FuserError)
