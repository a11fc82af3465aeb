"""Find ``qchess.circuits`` and ``qchess.backends``: inside this package, or else beside it.

Installed, they are subfolders; in a checkout they are at its top. Those of another qchess installation are never used.
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
    """Return the two packages' files; empty unless both exist, as with an unrelated folder of such a name."""
    for folder in (HERE, HERE.parent):
        found = {f"{__package__}.{top}": folder / top / "__init__.py" for top in TOPS}
        if all(home.is_file() for home in found.values()):
            return found
    return {}


class CheckoutFinder:
    """Finds exactly two packages; their submodules load as usual."""

    homes = homes()

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        home = cls.homes.get(name)
        return importlib.util.spec_from_file_location(name, home) if home else None


sys.meta_path.insert(0, CheckoutFinder)  # first: the finder of a copy installed in place knows these names, too
