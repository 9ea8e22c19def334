"""Ops of PyTorch's op database that the backend claims: a fixed shard in f32. `sweep.py` runs all, in all types."""

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


@pytest.mark.parametrize("name", ["softmax", "nn.functional.layer_norm", "cumsum", "var_mean", "nn.functional.gelu"])
def test_gradients_of_samples_equal_eager_mode(name):
    outcome = sweep.run_op(_OPS[name], torch.float32, "cpu", backward=True, most=3)
    assert outcome["state"] == "claimed", outcome


def test_an_op_of_pytorch_is_not_claimed():
    outcome = sweep.run_op(_OPS["sort"], torch.float32, "cpu", backward=False, most=1)
    assert outcome["state"] == "eager"
    assert "aten.sort.default" in outcome["details"]
