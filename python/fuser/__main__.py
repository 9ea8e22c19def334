"""`python -m fuser`: what is installed, one line each. Exits with 1 where the library cannot be used.

`python -m fuser --prune-cache=2G`: removes what was not used for longest from $FUSER_CACHE_DIRECTORY.
"""

import argparse
import importlib.metadata
import os
import platform
import sys

from fuser._artifacts import default_cache_directory, default_strict, prune_cache
from fuser._errors import FuserError
from fuser._library import API_VERSION, find_library, library, native_calls, take_text
from fuser._program import open_device


def _describe(device: str) -> str:
    text = take_text(library().fuser_device_describe, open_device(device).handle)
    properties = dict(line.split(" = ", 1) for line in text.splitlines() if " = " in line)
    parts = [properties["name"], properties["chip"]]
    if properties["kind"] == "cuda":
        parts += [
            f"{properties['multiprocessors']} multiprocessors",
            f"{int(properties['memory_bytes']) / 2**30:.0f} GiB",
            properties["assembler"].removeprefix(properties["chip"]).strip(),
        ]
    return ", ".join(parts)


def _lines():
    yield "python", f"{platform.python_version()}, {sys.executable}"
    yield "package", os.path.dirname(os.path.realpath(__file__))
    yield "library", f"{find_library()}, interface {API_VERSION}"
    library()
    yield "calls", "C functions" if native_calls() else "Python (built without Python's headers): a call takes 0.1 ms"
    for name in ("numpy", "torch"):
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield name, "not installed"
    yield "host", _describe("host")
    count = library().fuser_count_gpus()
    for ordinal in range(count):
        yield f"cuda:{ordinal}", _describe(f"cuda:{ordinal}")
    if not count:
        yield "cuda", "no GPU"
    yield "cache", default_cache_directory() or "none: set FUSER_CACHE_DIRECTORY, or fuser.compile(cache_directory=...)"
    if default_strict():
        yield "strict", "nothing is compiled (FUSER_STRICT)"


def _parse_size(text: str) -> int:
    """ "500M" in bytes."""
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    if unit not in ("", "K", "M", "G", "T") or not number.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 2G, but got {text!r}")
    return int(number) << 10 * " KMGT".index(unit or " ")


def main() -> int:
    parser = argparse.ArgumentParser("python -m fuser", description="What is installed.")
    help_text = "reduce $FUSER_CACHE_DIRECTORY to SIZE (500M, 2G) instead"
    parser.add_argument("--prune-cache", metavar="SIZE", type=_parse_size, help=help_text)
    size = parser.parse_args().prune_cache
    try:
        if size is not None:
            print(f"removed {prune_cache(size)} bytes from {default_cache_directory()}")
            return 0
        for name, value in _lines():
            print(f"{name:10s}{value}")
    except FuserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
