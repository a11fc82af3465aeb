"""Piece-qubit chess against its rule vectors, those of this tree or ``pytest --vectors=DIR``."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NAME = "piece_qubit_chess"
VECTORS = Path(__file__).parents[1] / "vectors"


@pytest.fixture(scope="module")
def adapter() -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"vectors_of_{NAME}", VECTORS / f"{NAME}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def data(pytestconfig: pytest.Config) -> Any:
    folder = Path(pytestconfig.getoption("vectors") or VECTORS / "data")
    return json.loads((folder / f"{NAME}.json").read_text(encoding="utf-8"))


def test_every_vector_holds_in_every_profile_it_names(adapter: ModuleType, data: Any) -> None:
    cases = adapter.cases(data)
    assert len(cases) > 2 * len(data["vectors"])
    for _, check in cases:
        check()


def test_a_wrong_vector_is_noticed(adapter: ModuleType, data: Any) -> None:
    vector = next(v for v in data["vectors"] if len(v["expect"]["branches"]) > 1)
    vector["expect"]["branches"][0]["prob"] /= 2
    with pytest.raises(AssertionError):
        adapter.check(vector, "text")
    vector = next(v for v in data["vectors"] if v["expect"]["legal_at_start"])
    next(iter(vector["expect"]["legal_at_start"].values())).append("a1")
    with pytest.raises(AssertionError):
        adapter.check(vector, "text")
