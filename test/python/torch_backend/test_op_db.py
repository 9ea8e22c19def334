"""Ops of PyTorch's op database that the backend claims: a fixed shard in f32 and one in uint8. `sweep.py` runs all, in
all types."""

import argparse
import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")
pytest.importorskip("fuser.torch", exc_type=ImportError)

from torch_backend import sweep  # noqa: E402

_OPS = {sweep.name_of(op): op for op in sweep.candidates()}
_NAMES = [name for name in sweep.claimed_ops()["float32"] if name in _OPS]


def test_enough_ops_are_claimed():
    names = sweep.claimed_ops()["float32"]
    assert len(set(names)) == len(names) >= 250
    # Versions of PyTorch differ by a few ops.
    assert len(_NAMES) >= 240


@pytest.mark.parametrize("name", _NAMES[::5])
def test_samples_equal_eager_mode(name):
    outcome = sweep.run_op(_OPS[name], torch.float32, "cpu", backward=False, most=2)
    # PyTorch computed nothing. The first samples may need no kernel, as a conversion to the same type.
    assert outcome["state"] in ("claimed", "nothing"), outcome


@pytest.mark.parametrize("name", [name for name in sweep.claimed_ops()["uint8"] if name in _OPS][::5])
def test_samples_of_uint8_equal_eager_mode(name):
    outcome = sweep.run_op(_OPS[name], torch.uint8, "cpu", backward=False, most=2)
    assert outcome["state"] in ("claimed", "nothing"), outcome


@pytest.mark.parametrize("name", ["softmax", "nn.functional.layer_norm", "cumsum", "var_mean", "nn.functional.gelu"])
def test_gradients_of_samples_equal_eager_mode(name):
    outcome = sweep.run_op(_OPS[name], torch.float32, "cpu", backward=True, most=3)
    assert outcome["state"] == "claimed", outcome


def test_an_op_of_pytorch_is_not_claimed():
    outcome = sweep.run_op(_OPS["sort"], torch.float32, "cpu", backward=False, most=1)
    assert outcome["state"] == "eager"
    assert "aten.sort.default" in outcome["details"]


class _Ended(Exception):
    """Stands for the end of a process."""


def test_a_sweep_goes_on_where_it_ended(tmp_path, monkeypatch):
    state = tmp_path / "state.json"
    options = argparse.Namespace(state=str(state), device="cpu", backward=False, most=None, seconds=0)
    work = [(_OPS[name], torch.float32) for name in ("abs", "neg", "exp")]
    ran = []

    def run_op(op, *_arguments):
        ran.append(op.name)
        if op.name == "neg":
            raise _Ended
        return {"samples": 1, "kernel": 1, "nothing": 0, "state": "claimed", "details": ""}

    monkeypatch.setattr(sweep, "run_op", run_op)
    for _ in range(2):
        with pytest.raises(_Ended):
            sweep.run_ops(work, sweep.read_state(str(state)), options)
        assert json.loads(state.read_text())["neg float32"]["state"] == "running"
    assert sweep.run_ops(work, sweep.read_state(str(state)), options) == 0
    # What ends twice is left out; nothing runs again.
    assert ran == ["abs", "neg", "neg", "exp"]
    states = {key: outcome["state"] for key, outcome in json.loads(state.read_text()).items()}
    assert states == {"abs float32": "claimed", "neg float32": "crash", "exp float32": "claimed"}


def test_shards_are_gathered(tmp_path, monkeypatch, capsys):
    state = tmp_path / "state.json"
    arguments = ["--ops=abs,neg", "--dtypes=float32,bfloat16", "--most=1", "--jobs=2", f"--state={state}"]
    monkeypatch.setattr(sweep.sys, "argv", [sweep.__file__, *arguments])
    assert sweep.main() == 0
    assert "left: 0" in capsys.readouterr().out
    outcomes = json.loads(state.read_text())
    assert sorted(outcomes) == ["abs bfloat16", "abs float32", "neg bfloat16", "neg float32"]
    assert {outcome["state"] for outcome in outcomes.values()} == {"claimed"}
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]
