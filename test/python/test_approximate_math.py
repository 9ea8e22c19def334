"""fuser.compile(approximate_math=True) computes exp as exp2(x * log2(e)), which rounds otherwise than exp does."""

import fuser
import numpy as np

EXP = """
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
"""


def test_changes_results_within_its_bounds():
    x = np.linspace(-80, 80, 10001, dtype=np.float32)
    exact = fuser.compile(EXP, device="host")(x)
    approximate = fuser.compile(EXP, device="host", approximate_math=True)(x)
    want = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(exact, want, rtol=2.0**-23)
    np.testing.assert_allclose(approximate, want, rtol=2.0**-16)
    assert np.any(exact != approximate)
