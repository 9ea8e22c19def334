"""fuser.compile(dependent_launches=...): the launches that begin before the ones before them have ended."""

import ctypes

import fuser
import numpy as np
import pytest
from fuser._artifacts import Artifact
from fuser._library import library

TOTAL = """
fuser.fusion @total(%x: tensor<?x?xf32>) -> tensor<f32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.segment_set %0 : tensor<?xf32>
  %2 = fuser.sum %1 dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %2 : tensor<f32>
}
"""
ROWS_AND_TOTAL = """
fuser.fusion @total(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<f32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.segment_set %0 : tensor<?xf32>
  %2 = fuser.sum %1 dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<f32>
}
"""
MARKED = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %second = transform.fuser.get_kernel @total_1 in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.launch_dependent %second : !transform.any_op
    transform.yield
  }
}
"""
X = np.arange(3000, dtype=np.float32).reshape(100, 30) % 7


def count_dependent(program, tmp_path, x=X) -> int:
    """Dependent launches of the host program that a call runs."""
    path = tmp_path / "total.artifact"
    program.save_artifact(path, x)
    artifact, text = Artifact.read(path), ctypes.c_void_p()
    library().fuser_artifact_print(artifact.handle, ctypes.byref(text))
    try:
        lines = library().fuser_text_data(text).decode().splitlines()
    finally:
        library().fuser_text_destroy(text)
    assert sum(" launch " in f" {line}" for line in lines) == 2
    return sum(" dependent" in line for line in lines)


@pytest.mark.parametrize(
    ("text", "options", "count"),
    [
        (TOTAL, {}, 1),
        (TOTAL, {"dependent_launches": "all"}, 1),
        (TOTAL, {"dependent_launches": "marked"}, 0),
        (TOTAL + MARKED, {"dependent_launches": "marked"}, 1),
        (TOTAL, {"target": "sm_80"}, 0),
    ],
)
def test_choose_launches_and_change_no_result(text, options, count, tmp_path):
    program = fuser.compile(text, device="host", **options)
    assert program(X) == X.sum()
    assert count_dependent(program, tmp_path) == count


def test_have_entries_of_their_own_in_a_cache(tmp_path):
    def compile(dependent_launches):
        return fuser.compile(
            TOTAL, device="host", cache_directory=tmp_path / "cache", dependent_launches=dependent_launches
        )

    compile("all")(X)
    assert not compile(None).would_compile(X)
    assert compile("marked").would_compile(X)
    compile("marked")(X)
    assert count_dependent(compile("marked"), tmp_path) == 0
    assert count_dependent(compile("all"), tmp_path) == 1


def test_are_an_option_of_copies_and_texts():
    program = fuser.compile(TOTAL, device="host", dependent_launches="marked")
    assert "dependent_launches='marked'" in repr(program)
    assert "dependent_launches" not in repr(fuser.compile(TOTAL, device="host"))


@pytest.mark.parametrize("value", ["some", "", "All", 1, True, b"all"])
def test_wrong_values_are_refused(value):
    with pytest.raises(fuser.ArgumentError, match="dependent_launches: expected 'all' or 'marked', but got") as error:
        fuser.compile(TOTAL, device="host", dependent_launches=value)
    assert error.value.kind == "ArgumentKind"


def test_are_replayed_by_graphs(tmp_path):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available() or torch.cuda.get_device_capability() < (9, 0):
        pytest.skip("no GPU that has dependent launches")
    program = fuser.compile(ROWS_AND_TOTAL, dependent_launches="all")
    # Sums of small integers with a mean of 0 are exact, so that an element that is read too early shows.
    x = torch.randint(-8, 9, (20000, 4096), device="cuda").float()
    assert count_dependent(program, tmp_path, x) == 1
    program(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        rows, total = program(x)
    for _ in range(5):
        x.copy_(torch.randint(-8, 9, x.shape, device="cuda"))
        rows.fill_(float("nan"))
        total.fill_(float("nan"))
        graph.replay()
        assert torch.equal(rows, x.sum(1))
        assert total.item() == x.double().sum().item()
