"""Tests of the Python package run on the host device, in a tree where libfuser_capi.so is built."""

import pytest
from fuser import FuserError
from fuser._library import find_library


def pytest_collection_modifyitems(items):
    try:
        find_library()
    except FuserError as error:
        for item in items:
            if "test/python" in str(item.path):
                item.add_marker(pytest.mark.skip(reason=str(error)))
