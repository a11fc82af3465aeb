"""Lets a checkout run without an install: finds ``qchess.circuits`` and ``qchess.backends`` at its top.

Installed, the two are ordinary subpackages and this finder stays off.
"""

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
HOMES = {f"qchess.{top}": ROOT / top / "__init__.py" for top in ("circuits", "backends")}


class CheckoutFinder:
    """Knows the homes of exactly two packages; their submodules load by the ordinary machinery."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        home = HOMES.get(name)
        return importlib.util.spec_from_file_location(name, home) if home else None


if all(home.is_file() for home in HOMES.values()):
    sys.meta_path.append(CheckoutFinder)  # last: an installed copy must win
