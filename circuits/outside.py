"""What other packages add to our catalogues, by entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points


@cache
def found(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group, by name; nothing of them is loaded."""
    return {point.name: point for point in entry_points(group=group)}
