"""The smallest game, listed in the catalogue: a new game is one room and one row."""

from __future__ import annotations

import pytest

from qchess.games import catalogue

TOY = catalogue.Row("toy", "Hide and Seek", "tests.toygame:Toy")


@pytest.fixture(autouse=True)
def toy_in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test here can name the game ``toy``."""
    monkeypatch.setattr(catalogue.GAMES, "ours", (*catalogue.CATALOGUE, TOY))
