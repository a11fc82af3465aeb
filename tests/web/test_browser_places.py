"""Moves that go from nowhere to anywhere: squares to put something on, picked in any order, by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import qchess
from tests.web.conftest import told

Open = Callable[..., Any]


def press(page: Any, *squares: str) -> None:
    """Clicks squares, one after the other."""
    for square in squares:
        page.locator(f"qc-board [data-square='{square}']").click()


def plays(page: Any) -> list[str]:
    """The moves that were chosen."""
    return [move["text"] for move in told(page, "qc-move")]


def status(page: Any) -> str:
    """What the board says of the picks."""
    return str(page.locator("qc-board [role=status]").first.inner_text())


def test_a_mark_is_put_by_picking_its_two_squares_in_any_order(alone: Open) -> None:
    page = alone(qchess.new("quantum-tic-tac-toe", seed=1))
    press(page, "a1", "c3")
    press(page, "c3", "a1")
    assert plays(page) == ["a1c3", "a1c3"]


def test_the_first_pick_says_with_what_it_goes_and_is_taken_back_by_itself(alone: Open) -> None:
    page = alone(qchess.new("quantum-tic-tac-toe", seed=1))
    press(page, "b2")
    assert status(page) == "b2. Goes with a1, a2, a3, b1, b3, c1, c2, c3."
    press(page, "b2")
    assert status(page) == "Nothing is picked now."
    assert plays(page) == []


def test_a_pick_stays_when_its_odds_come(alone: Open) -> None:
    page = alone(qchess.new("quantum-tic-tac-toe", seed=1))
    press(page, "c1")
    moves = page.evaluate("document.querySelector('qc-board').moves.filter(({ text }) => text.includes('c1'))")
    page.evaluate("(odds) => { document.querySelector('qc-board').odds = odds; }", {"square": "c1", "moves": moves})
    press(page, "b2")
    assert plays(page) == ["c1b2"]


def test_the_place_of_a_ring_is_one_press(alone: Open) -> None:
    game = qchess.new("quantum-tic-tac-toe", collapse="chosen", seed=1)
    for move in ("a1b1", "a1b1"):
        game.play(move)
    assert [game.rules.write(game.position, move) for move in game.legal_moves] == ["a1", "b1"]
    page = alone(game)
    press(page, "c3")
    assert plays(page) == []
    press(page, "b1")
    assert plays(page) == ["b1"]
