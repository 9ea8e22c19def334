"""The regions that a test has compiled."""

from fuser.torch import _region


def texts() -> list[str]:
    """Their programs, in the order of their first calls."""
    return [key[1] for key in _region._programs]
