"""Finds ``qchess.circuits`` and ``qchess.backends``: inside this very package, or else beside it.

Installed, they are subfolders; in a checkout they stand at its top. Another qchess on this machine, however
it is installed, never lends its own.
"""

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
TOPS = ("circuits", "backends")


def homes() -> dict[str, Path]:
    """The two packages' files; none where only one of them is there, as with a stray folder of such a name."""
    for folder in (HERE, HERE.parent):
        found = {f"{__package__}.{top}": folder / top / "__init__.py" for top in TOPS}
        if all(home.is_file() for home in found.values()):
            return found
    return {}


class CheckoutFinder:
    """Knows the homes of exactly two packages; their submodules load by the ordinary machinery."""

    homes = homes()

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        home = cls.homes.get(name)
        return importlib.util.spec_from_file_location(name, home) if home else None


sys.meta_path.insert(0, CheckoutFinder)  # first: the finder of a copy installed in place knows these names, too
