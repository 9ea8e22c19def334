"""Random definitions: what they print defines them again, they equal the reference, and so do their segments."""

import numpy as np
import pytest
import random_definitions
from fuser import DataType, FusionDefinition


@pytest.mark.parametrize("seed", range(40))
def test_definition(seed):
    maker = random_definitions.Maker(seed)
    fd = maker.define()
    scope = {"FusionDefinition": FusionDefinition, "DataType": DataType}
    exec(repr(fd), scope)
    assert scope["fd"].fusion is fd.fusion
    expected = fd.validate(maker.inputs)
    if fd.segment(maker.inputs) == 1:
        return
    results = fd.execute_segments(maker.inputs)
    for result, wanted, output in zip(results, expected, fd.fusion.output_list, strict=True):
        assert result.dtype == wanted.dtype
        np.testing.assert_allclose(result, wanted, rtol=1e-4, atol=1e-4)
        if output.stride_order is not None and 1 not in result.shape:
            assert result.strides == wanted.strides
