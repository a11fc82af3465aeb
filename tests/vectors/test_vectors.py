"""Every rule vector holds. A JSON file is checked by the module whose name its own name contains.

The files under ``data`` are checked by default, those of another folder with ``--vectors=DIR``. Files of
games that have no module here are skipped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
DATA = HERE / "data"


def adapter(stem: str) -> ModuleType | None:
    """The module that checks the vectors of a file, such as quantum_chess for quantum_chess_2; or None."""
    known = [home.stem for home in HERE.glob("*.py") if not home.stem.startswith("test_")]
    game = max((name for name in known if name in stem.replace("-", "_")), key=len, default=None)
    return None if game is None else loaded(game)


def loaded(game: str) -> ModuleType:
    """The module of that name in this folder, loaded once."""
    name = f"qchess_vectors_{game}"
    if name not in sys.modules:
        spec = spec_from_file_location(name, HERE / f"{game}.py")
        assert spec, game
        assert spec.loader, game
        sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def parameters(folder: Path) -> list[object]:
    """One test a case, and one skipped test a file that no module checks."""
    found: list[object] = []
    for file in sorted(folder.glob("*.json")):
        module = adapter(file.stem)
        if module is None:
            reason = f"no module checks the vectors of {file.stem}"
            found.append(pytest.param(None, id=file.stem, marks=pytest.mark.skip(reason=reason)))
            continue
        for name, case in module.cases(json.loads(file.read_text(encoding="utf-8"))):
            found.append(pytest.param(case, id=f"{file.stem}-{name}"))
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = Path(metafunc.config.getoption("vectors") or DATA)
    if not folder.is_dir():
        raise pytest.UsageError(f"--vectors names a folder of JSON files, got {str(folder)!r}")
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", parameters(folder))


def test_vector(case: Callable[[], None]) -> None:
    case()
