"""The check of piece-qubit chess against rule vectors: it holds on those of this tree, and notices wrong ones."""

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
def data() -> Any:
    return json.loads((VECTORS / "data" / f"{NAME}.json").read_text(encoding="utf-8"))


def test_every_vector_holds_in_every_profile_it_names(adapter: ModuleType, data: Any) -> None:
    cases = adapter.cases(data)
    assert len(cases) > 2 * len(data["vectors"])
    for _, check in cases:
        check()


def vector(data: Any, id: str) -> Any:
    return next(v for v in data["vectors"] if v["id"] == id)


def test_a_wrong_vector_is_noticed(adapter: ModuleType, data: Any) -> None:
    found = next(v for v in data["vectors"] if len(v["expect"]["branches"]) > 1)
    found["expect"]["branches"][0]["prob"] /= 2
    with pytest.raises(AssertionError):
        adapter.check(found, "text")
    found = next(v for v in data["vectors"] if v["expect"]["legal_at_start"])
    next(iter(found["expect"]["legal_at_start"].values())).append("a1")
    with pytest.raises(AssertionError):
        adapter.check(found, "text")


@pytest.mark.parametrize(
    ("id", "part", "wrong"),
    [
        ("V43", "winner", "w"),
        ("V43", "systems", []),
        ("V43", "removed", ["bPa"]),
        ("V19", "prob", 0.50001),
    ],
)
def test_each_part_of_a_wrong_branch_is_noticed(
    adapter: ModuleType, data: Any, id: str, part: str, wrong: object
) -> None:
    found = vector(data, id)
    adapter.check(found, "text")
    found["expect"]["branches"][0][part] = wrong
    with pytest.raises(AssertionError):
        adapter.check(found, "text")


def test_odds_that_are_wrong_by_more_than_the_tolerance_are_noticed(adapter: ModuleType, data: Any) -> None:
    found = vector(data, "V24")
    odds = found["expect"]["branches"][0]["pieces"]["bN"]["probs"]
    odds["Knight"] += 5e-7
    adapter.check(found, "text")
    odds["Knight"] += 1e-5
    with pytest.raises(AssertionError):
        adapter.check(found, "text")


def test_a_vector_may_name_its_profile_and_switches(adapter: ModuleType, data: Any) -> None:
    found = {**vector(data, "V53"), "switches": {"determined_self_action": False}}
    assert adapter.profiles(found)[0] == "text+determined_self_action=False"
    assert adapter.profiles({**found, "profile": "code", "switches": {}})[0] == "code"
    adapter.check(found, adapter.profiles(found)[0])


def test_a_side_left_without_a_move_shows_as_a_draw_and_a_decided_branch_is_played_no_further(
    adapter: ModuleType, data: Any
) -> None:
    found = vector(data, "V34")
    found["moves"].append(["h8", "h7"])
    adapter.check(found, "text")
    found = vector(data, "V07")
    found["start"]["pieces"] = [p for p in found["start"]["pieces"] if p["id"] in ("wK", "bP")]
    found["start"]["pieces"][1]["square"] = "d1"  # a Pawn on its far rank has no move
    found["moves"] = [["h1", "h2"]]
    branch = found["expect"]["branches"][0]
    king, pawn = branch["pieces"]["wK"], branch["pieces"]["bP"]
    branch["winner"] = "draw"
    branch["pieces"] = {"wK": {**king, "square": "h2"}, "bP": {**pawn, "square": "d1"}}
    found["expect"]["mean_probs"] = {}
    adapter.check(found, "text")
