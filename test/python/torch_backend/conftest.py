"""What tests of the backend begin with: `pytestmark = pytest.mark.usefixtures("fresh")`."""

import pytest


@pytest.fixture
def fresh():
    """No compiled functions, no counts and no reports, and a fixed seed."""
    import fuser.torch
    import torch

    torch._dynamo.reset()
    fuser.torch.reset()
    torch.manual_seed(0)


@pytest.fixture
def fresh_programs(fresh):
    """No programs of regions either: `regions.texts` are those of the test."""
    from fuser.torch import _region

    _region._programs.clear()
