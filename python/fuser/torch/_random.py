"""Lowerings of random functions. Their numbers come from the seed and offset of a call (`_rng.py`)."""

from __future__ import annotations

import torch

from fuser.torch._builder import Builder, Tensor, Unsupported
from fuser.torch._lowering import aten, lower, overload_of, shape_of

# The keys of the arguments of a region that draws random numbers.
SEED, OFFSET = "seed", "offset"


def _draw(b: Builder, kind: str, out, dtype: torch.dtype | None = None) -> Tensor:
    dtype = dtype or out.dtype
    if not dtype.is_floating_point:
        raise Unsupported("random integers")
    seed, offset = b.seed_argument(SEED), b.scalar_argument(OFFSET, "i64")
    place = offset.name
    if b.random_ops:
        place = b.line(f"arith.addi {place}, {b.constant(b.random_ops).name} : i64")
    b.random_ops += 1
    shape = shape_of(out)
    seed_type = f"{seed.type} -> " if b.has_seed_tensor else ""
    return b.define(f"fuser.random_{kind} {seed.name}, {place}{b.sizes(shape)} : {seed_type}{{type}}", dtype, shape)


@lower(aten.rand.default, aten.rand_like.default)
def _rand(b: Builder, out, *_arguments, **_options) -> Tensor:
    return _draw(b, "uniform", out)


@lower(aten.randn.default, aten.randn_like.default)
def _randn(b: Builder, out, *_arguments, **_options) -> Tensor:
    return _draw(b, "normal", out)


@lower(aten.uniform.default)
def _uniform(b: Builder, out, x: Tensor, low=0.0, high=1.0, *, generator=None) -> Tensor:
    _check(generator)

    def compute(unit: Tensor) -> Tensor:
        return b.pointwise("add", b.pointwise("mul", unit, float(high) - float(low)), float(low))

    return b.cast(compute(_draw(b, "uniform", out)), out.dtype)


@lower(aten.normal_functional.default)
def _normal(b: Builder, out, x: Tensor, mean=0.0, std=1.0, *, generator=None) -> Tensor:
    _check(generator)
    return b.pointwise("add", b.pointwise("mul", _draw(b, "normal", out), float(std)), float(mean))


@lower(aten.bernoulli.p)
def _bernoulli(b: Builder, out, x: Tensor, p=0.5, *, generator=None) -> Tensor:
    _check(generator)
    chosen = b.pointwise("lt", _draw(b, "uniform", out, torch.float32), float(p), dtype=torch.bool)
    return b.cast(chosen, out.dtype)


def _bernoulli_of(b: Builder, out, probability: Tensor, *, generator=None) -> Tensor:
    _check(generator)
    unit = _draw(b, "uniform", out, torch.float32)
    return b.cast(b.pointwise("lt", unit, b.cast(probability, torch.float32), dtype=torch.bool), out.dtype)


if (_overload := overload_of("bernoulli.default")) is not None:
    lower(_overload)(_bernoulli_of)


def _check(generator: object) -> None:
    if generator is not None:
        raise Unsupported("a generator of its own")
