"""The catalogues that games, backends, agents and simulators share."""

from __future__ import annotations

import pytest

from qchess.backends import registry
from qchess.backends.registry import Registry, Row
from qchess.circuits.errors import BackendError, UnknownBackendError

OURS = (Row("sparrow", "small", "tests.backends.test_registry:OURS"), Row("owl", "large", "tests.circuits"))


class Point:
    """An entry point as packages have them."""

    dist, module, value = None, "a.package", "a.package:Bird.of_prey"


@pytest.fixture
def birds(monkeypatch: pytest.MonkeyPatch) -> Registry[Row]:
    """A catalogue beside which another package adds one row, and takes one of our names."""
    monkeypatch.setattr(
        registry, "entry_points", lambda group: {"owl": Point, "heron": Point} if group == "birds" else {}
    )
    return Registry("owl", "birds", OURS, Row, BackendError, UnknownBackendError, {"bird": "say which"})


def test_ours_come_first_then_what_is_registered_then_other_packages(birds: Registry[Row]) -> None:
    birds.register(mine := Row("wren", "smaller", dict))
    assert birds.names() == ("sparrow", "owl", "wren", "heron")
    assert birds.find("owl") is OURS[1]
    assert birds.find("wren") is mine
    assert birds.find("heron") == Row("heron", "from a.package", "a.package:Bird.of_prey")


def test_nobody_else_is_asked_for_a_name_of_ours(birds: Registry[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    birds.register(Row("wren", "smaller", dict))
    monkeypatch.delattr(registry, "entry_points")
    assert [birds.find(name).name for name in ("sparrow", "owl", "wren")] == ["sparrow", "owl", "wren"]
    with pytest.raises(NameError):
        birds.find("heron")


def test_a_missing_name_is_told_with_the_nearest_one_or_with_a_hint(birds: Registry[Row]) -> None:
    with pytest.raises(UnknownBackendError, match=r"no owl is called 'herno'; known are .*did you mean 'heron'\?"):
        birds.find("herno")
    with pytest.raises(UnknownBackendError, match="no owl is called 'BIRD': say which"):
        birds.find("BIRD")


def test_a_taken_name_is_refused_and_nothing_changes(birds: Registry[Row]) -> None:
    birds.register(mine := Row("wren", "smaller", dict))
    for name in ("owl", "heron", "wren"):
        with pytest.raises(BackendError, match=f"there is already an owl called '{name}'"):
            birds.register(Row(name, "another", list))
    assert birds.registered == {"wren": mine}
    birds.replaces = True
    birds.register(again := Row("wren", "another", list))
    assert birds.find("wren") is again
    with pytest.raises(BackendError, match="there is already an owl called 'owl'"):
        birds.register(Row("owl", "another", list))


def test_what_makes_a_thing_is_given_or_named_by_its_place() -> None:
    assert Row("wren", "given", dict).loaded() is dict
    assert OURS[0].loaded() is OURS
    assert Row("wren", "inside a class", "fractions:Fraction.from_float").loaded()(0.5) == 1 / 2
    assert OURS[1].loaded().__name__ == "tests.circuits"
