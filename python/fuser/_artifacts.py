"""Artifact files, and where compiled programs are kept."""

from __future__ import annotations

import ctypes
import os

from fuser._library import ValueInfo, check, library


def default_cache_directory() -> str | None:
    """$FUSER_CACHE_DIRECTORY; None where it is not set or empty."""
    return os.environ.get("FUSER_CACHE_DIRECTORY") or None


def default_strict() -> bool:
    """Whether $FUSER_STRICT asks for programs that compile nothing."""
    return os.environ.get("FUSER_STRICT", "0") not in ("", "0")


class Artifact:
    """An artifact of the library; destroyed with this object."""

    def __init__(self, path: str | os.PathLike | None = None):
        self.handle = ctypes.c_void_p()
        if path is not None:
            check(library().fuser_artifact_read(os.fsencode(path), ctypes.byref(self.handle)))

    def __del__(self):
        if getattr(self, "handle", None):
            library().fuser_artifact_destroy(self.handle)

    def write(self, path: str | os.PathLike) -> None:
        check(library().fuser_artifact_write(self.handle, os.fsencode(path)))

    @property
    def device_kind(self) -> str:
        return library().fuser_artifact_device_kind(self.handle).decode()

    def argument_names(self) -> list[str]:
        names, info = [], ValueInfo()
        for index in range(library().fuser_artifact_num_arguments(self.handle)):
            check(library().fuser_artifact_argument(self.handle, index, ctypes.byref(info)))
            names.append(info.name.decode())
        return names
