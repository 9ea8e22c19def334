#!/usr/bin/env python3
"""Prints the greatest error of functions of complex numbers, as a table in markdown.

The error of an element is |computed - exact| in units in the last place of |exact|, for complex64 and complex128,
against NumPy's clongdouble (80 bits on x86-64): over random numbers of all directions, magnitudes spread evenly over
the exponents from 2^-20 to 2^5, and numbers beside 1.

usage: complex_ulp.py [--device host|cuda] [COUNT]     COUNT numbers for each function and type (1000000)
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import fuser
import numpy as np


def log1p(z: np.ndarray) -> np.ndarray:
    """Without the cancellation of log(1 + z)."""
    return np.where(np.abs(z) < 0.5, 2 * np.arctanh(z / (z + 2)), np.log(1 + z))


def expm1(z: np.ndarray) -> np.ndarray:
    """Without the cancellation of exp(z) - 1."""
    return np.where(np.abs(z) < 1, 2 * np.sinh(z / 2) * np.exp(z / 2), np.exp(z) - 1)


def sinc(z: np.ndarray) -> np.ndarray:
    """From the distance to the nearest integer, which pi * z would lose."""
    nearest = np.rint(z.real)
    pi = np.arctan2(np.longdouble(0), np.longdouble(-1))
    return (1 - 2 * np.fmod(np.abs(nearest), 2)) * np.sin(pi * (z - nearest)) / (pi * z)


def log_add_exp(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    small, large = np.where(x.real < y.real, (x, y), (y, x))
    return log1p(np.exp(small - large)) + large


UNARY = {
    "exp": np.exp,
    "expm1": expm1,
    "log": np.log,
    "log1p": log1p,
    "sqrt": np.sqrt,
    "rsqrt": lambda z: 1 / np.sqrt(z),
    "reciprocal": lambda z: 1 / z,
    "square": lambda z: z * z,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "silu": lambda z: z / (1 + np.exp(-z)),
    "sinc": sinc,
    "sign": lambda z: z / np.abs(z),
}
PARTS = {"abs": np.abs, "angle": np.angle}
BINARY = {
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": np.power,
    "logaddexp": log_add_exp,
    "sigmoid_backward": lambda g, y: g * np.conj((1 - y) * y),
    "tanh_backward": lambda g, y: g * np.conj((1 - y) * (1 + y)),
}


def numbers(count: int, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    angle = generator.uniform(-np.pi, np.pi, count)
    magnitude = np.exp2(generator.uniform(-20, 5, count))
    z = magnitude * np.exp(1j * angle)
    z[::4] = 1 + z[::4] * 2.0**-10
    return z


def program(op: str, operands: int, bits: int, result: str, device: str) -> fuser.Program:
    kind = f"tensor<?xcomplex<f{bits}>>"
    names = [f"%x{k}" for k in range(operands)]
    return fuser.compile(
        f"fuser.fusion @f({', '.join(f'{name}: {kind}' for name in names)}) -> tensor<?x{result}> {{\n"
        f"  %0 = fuser.{op} {', '.join(names)} : ({', '.join([kind] * operands)}) -> tensor<?x{result}>\n"
        f"  fuser.return %0 : tensor<?x{result}>\n}}",
        device=device,
    )


def error(got: np.ndarray, exact: np.ndarray, bits: int) -> float:
    """The greatest distance, in units in the last place of |exact|, where that is a normal number."""
    limits = np.finfo(np.float32 if bits == 32 else np.float64)
    magnitude = np.abs(exact)
    normal = (magnitude >= limits.tiny) & (magnitude <= limits.max) & np.isfinite(got)
    unit = np.exp2(np.floor(np.log2(magnitude[normal])) - limits.nmant)
    return float((np.abs(got - exact)[normal] / unit).max())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--device", default="host", choices=["host", "cuda"])
    options = parser.parse_args()
    if options.device == "cuda":
        import torch

        def to_device(z: np.ndarray):
            return torch.from_numpy(z).cuda()

        def to_host(z) -> np.ndarray:
            return z.cpu().numpy()
    else:

        def to_device(z: np.ndarray):
            return z

        def to_host(z) -> np.ndarray:
            return z

    print("| op | complex64 | complex128 |\n|---|---|---|")
    for functions, operands, real in ((UNARY, 1, False), (PARTS, 1, True), (BINARY, 2, False)):
        for op, exact in functions.items():
            cells = []
            for bits in (32, 64):
                dtype = np.complex64 if bits == 32 else np.complex128
                given = [numbers(options.count, seed).astype(dtype) for seed in range(operands)]
                result = f"f{bits}" if real else f"complex<f{bits}>"
                got = to_host(program(op, operands, bits, result, options.device)(*map(to_device, given)))
                wide = np.longdouble if real else np.clongdouble
                with np.errstate(all="ignore"):
                    want = exact(*(z.astype(np.clongdouble) for z in given))
                    cells.append(f"{error(got.astype(wide), want, bits):.2f}")
            print(f"| `{op}` | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
