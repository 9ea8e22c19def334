"""Compares what a NaN-keeping maximum costs with one that loses NaN, in machine code.

usage: max_cost.py PTXAS

For each architecture and type, assembles a chain of 64 maxima of loaded values with max.NaN and with max, and compares
the sizes of the code: where one machine instruction does either, they are equal; one more for each maximum would show
as 1024 bytes. Prints a line for each type and architecture, and exits with 1 where an architecture has a dearer NaN.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

CHIPS = ["sm_80", "sm_90", "sm_100a", "sm_120"]
TYPES = {"f32": ("f32", "b32"), "bf16x2": ("b32", "b32"), "f16x2": ("b32", "b32")}
STEPS = 64


def get_ptx(chip: str, kind: str, operator: str) -> str:
    register, memory = TYPES[kind]
    lines = [
        ".version 8.7",
        f".target {chip}",
        ".address_size 64",
        ".visible .entry k(.param .u64 p) {",
        f"  .reg .{register} %r<{STEPS + 1}>;",
        "  .reg .b64 %p;",
        "  ld.param.u64 %p, [p];",
        "  cvta.to.global.u64 %p, %p;",
    ]
    lines += [f"  ld.volatile.global.{memory} %r{i}, [%p + {4 * i}];" for i in range(STEPS + 1)]
    lines += [f"  {operator}.{kind} %r0, %r0, %r{i};" for i in range(1, STEPS + 1)]
    return "\n".join([*lines, f"  st.global.{memory} [%p], %r0;", "  ret;", "}"])


def get_code_size(cubin: bytes) -> int:
    """The size of section .text.k of an ELF file."""
    (offset,) = struct.unpack_from("<Q", cubin, 40)
    entry, count, names = struct.unpack_from("<HHH", cubin, 58)
    sections = [struct.unpack_from("<IIQQQQ", cubin, offset + i * entry) for i in range(count)]
    strings = sections[names][4]
    for name, _, _, _, _, size in sections:
        start = strings + name
        if cubin[start : cubin.index(b"\0", start)] == b".text.k":
            return size
    sys.exit("no code")


def assemble(ptxas: str, chip: str, text: str, scratch: pathlib.Path) -> int:
    source, cubin = scratch / "k.ptx", scratch / "k.cubin"
    source.write_text(text)
    subprocess.run([ptxas, f"-arch={chip}", source, "-o", cubin], check=True)
    return get_code_size(cubin.read_bytes())


def main() -> int:
    dearer = 0
    with tempfile.TemporaryDirectory() as folder:
        for chip in CHIPS:
            for kind in TYPES:
                with_nan, without = (
                    assemble(sys.argv[1], chip, get_ptx(chip, kind, operator), pathlib.Path(folder))
                    for operator in ("max.NaN", "max")
                )
                print(f"{chip} {kind}: {with_nan} bytes, {without} without NaN")
                dearer += with_nan > without
    return 1 if dearer else 0


if __name__ == "__main__":
    sys.exit(main())
