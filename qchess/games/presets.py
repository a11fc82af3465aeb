"""Presets: named small boards for a first game of ten minutes, as options of a game's rules.

>>> options("quantum-chess", "pocket")
{'fen': 'rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1'}
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from qchess.circuits.errors import unknown_name
from qchess.errors import QchessError


class UnknownPresetError(QchessError):
    """No preset of this game has this name."""


def options(game: str, name: str) -> dict[str, Any]:
    """Return the options of a preset."""
    known = _all().get(game, {})
    if name not in known:
        raise UnknownPresetError(unknown_name(f"preset of {game}", name, tuple(known)))
    return dict(known[name]["options"])


def summaries(game: str) -> dict[str, str]:
    """Return a summary of each preset of a game, by name."""
    return {name: preset["summary"] for name, preset in _all().get(game, {}).items()}


@cache
def _all() -> dict[str, Any]:
    text = files(__package__).joinpath("presets.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
