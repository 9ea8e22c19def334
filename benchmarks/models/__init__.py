"""Whole models for benchmarks/torch_models.py: MODELS maps a name to a `Model`."""

from models import language, mixtures, others, vision  # noqa: F401 - each adds its models
from models.registry import MODELS, Model, Sizes

__all__ = ["MODELS", "Model", "Sizes"]
