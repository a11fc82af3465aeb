"""Whole games over the real server, each game of the catalogue with each kind of hand, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest

from qchess.playing.record import Record
from qchess.playing.retelling import replay
from tests.web.hands import Hand, Keys, Mouse, Touch, whole_game

HANDS: tuple[type[Hand], ...] = (Mouse, Touch, Keys)
GAMES = (
    "quantum-chess", "piece-qubit-chess", "quantum-checkers", "niels-chess", "niels-xiangqi", "quantum-tic-tac-toe",
)  # fmt: skip
Open = Callable[..., Any]


def start(page: Any, server: str, game: str, board: str = "Full", opponent: str = "greedy") -> None:
    """Starts a game from the lobby, as people do."""
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    page.locator(f"input[name=game][value='{game}']").check()
    page.get_by_role("radio", name=board).check()
    page.get_by_label("Against").select_option(opponent)
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/play/**")
    page.wait_for_selector("#board [role=gridcell]")


def record_of(server: str, page: Any) -> Record:
    """The record of the table that a page shows."""
    name = page.url.partition("/play/")[2].partition("#")[0]
    with urlopen(f"{server}/api/tables/{name}/record.json") as answer:
        return Record.from_json(answer.read().decode())


@pytest.mark.slow
@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.name)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_an_agent(context: Open, server: str, game: str, hand: type[Hand]) -> None:
    page = context(**hand.context).new_page()
    start(page, server, game)
    played = whole_game(page, hand(page), seed=GAMES.index(game) + 10 * HANDS.index(hand))
    record = record_of(server, page)
    assert played > 0
    assert record.result is not None
    assert len(record.entries) == page.locator("#moves button").count()
    again = replay(record)
    assert str(again.result) == str(record.result)
    assert record.result.reason in page.locator("#sentence").inner_text()


def test_a_small_game_from_the_lobby_to_its_end(context: Open, server: str) -> None:
    page = context().new_page()
    start(page, server, "quantum-chess", board="Duel")
    whole_game(page, Mouse(page), seed=1)
    record = record_of(server, page)
    assert record.result is not None
    assert json.loads(record.to_json())["game"] == "quantum-chess"
