"""Artifact files, and where compiled programs are kept."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import time

from fuser._errors import ArgumentError
from fuser._library import ValueInfo, check, library


def default_cache_directory() -> str | None:
    """$FUSER_CACHE_DIRECTORY; None where it is not set or empty."""
    return os.environ.get("FUSER_CACHE_DIRECTORY") or None


def default_strict() -> bool:
    """Whether $FUSER_STRICT asks for programs that compile nothing."""
    return os.environ.get("FUSER_STRICT", "0") not in ("", "0")


# Blobs of a cache, relative to its folder: kernels, and artifacts by program; a suffix while a file is written.
_BLOB = re.compile(r"(?:programs/[0-9a-f]{2}/[0-9a-f]{30}/)?[0-9a-f]{2}/[0-9a-f]{30}(\.\w{6})?")
# A file that was being written this long ago is left over.
_LEFT_OVER_SECONDS = 3600


def prune_cache(max_bytes: int, directory: str | os.PathLike | None = None) -> int:
    """Removes cached artifacts and kernels until they take at most `max_bytes`, the least recently used first.

    `directory` is a `cache_directory`, by default $FUSER_CACHE_DIRECTORY. Other files in it stay. Programs may use the
    cache at the same time: what they miss is compiled again. Returns the number of bytes removed. The last use is the
    time of access that the file system records, often to the day only. Raises ArgumentError for a negative size, or
    where neither a directory is given nor one is set.
    """
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 0:
        raise ArgumentError("ArgumentKind", f"max_bytes: expected an integer of at least 0, but got {max_bytes!r}")
    folder = default_cache_directory() if directory is None else os.fspath(directory)
    if not folder:
        raise ArgumentError("ArgumentKind", "directory: expected one, because FUSER_CACHE_DIRECTORY is not set")
    blobs, total, removed = [], 0, 0
    for parent, _folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            match = _BLOB.fullmatch(os.path.relpath(path, folder).replace(os.sep, "/"))
            try:
                status = os.stat(path, follow_symlinks=False) if match else None
            except FileNotFoundError:
                continue  # Another process has removed or renamed it.
            if status is None or (match[1] and time.time() - status.st_mtime < _LEFT_OVER_SECONDS):
                continue
            # What is left over is of no use, and goes first.
            last_use = 0.0 if match[1] else max(status.st_atime, status.st_mtime)
            blobs.append((last_use, path, status.st_size))
            total += status.st_size
    for last_use, path, size in sorted(blobs):
        if total - removed <= max_bytes and last_use > 0:
            break
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        removed += size
    return removed


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
