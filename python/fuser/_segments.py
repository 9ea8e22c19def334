"""Segments of a definition, coordinated by the front end."""

from __future__ import annotations


class SegmentMethods:
    pass
