"""Artifact files, and where compiled programs are kept."""

from __future__ import annotations

import ctypes
import os

from fuser._errors import ArgumentError
from fuser._library import ValueInfo, check, library


def default_cache_directory() -> str | None:
    """$FUSER_CACHE_DIRECTORY; None where it is not set or empty."""
    return os.environ.get("FUSER_CACHE_DIRECTORY") or None


def default_strict() -> bool:
    """Whether $FUSER_STRICT asks for programs that compile nothing."""
    return os.environ.get("FUSER_STRICT", "0") not in ("", "0")


def _encode_path(path: str | os.PathLike) -> bytes:
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError("ArgumentKind", f"expected the path of an artifact file, but got {type(path).__name__}")
    return os.fsencode(path)


class Artifact:
    """An artifact of the library; destroyed with this object. Without a handle until a function has set it."""

    def __init__(self):
        self.handle = ctypes.c_void_p()

    @classmethod
    def read(cls, path: str | os.PathLike) -> Artifact:
        artifact, encoded = cls(), _encode_path(path)
        check(library().fuser_artifact_read(encoded, ctypes.byref(artifact.handle)))
        return artifact

    def __del__(self):
        if getattr(self, "handle", None):
            library().fuser_artifact_destroy(self.handle)

    def write(self, path: str | os.PathLike) -> None:
        check(library().fuser_artifact_write(self.handle, _encode_path(path)))

    @property
    def device_kind(self) -> str:
        return library().fuser_artifact_device_kind(self.handle).decode()

    def argument_names(self) -> list[str]:
        names, info = [], ValueInfo()
        for index in range(library().fuser_artifact_num_arguments(self.handle)):
            check(library().fuser_artifact_argument(self.handle, index, ctypes.byref(info)))
            names.append(info.name.decode())
        return names
