"""Whole games over the real server, each game of the catalogue once and with each kind of hand, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import urlopen

import pytest

from qchess.playing.record import Record
from qchess.playing.retelling import replay
from qchess.web import dice
from qchess.web.serving import Serving
from tests.web.hands import Hand, Keys, Mouse, Touch, whole_game
from tests.web.patient import PATIENT

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
    page.get_by_role("button", name="More settings").click()
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


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server whose games are the same in every run."""
    monkeypatch.setattr(dice, "fresh", lambda: "the same in every run")
    with Serving(PATIENT) as serving:
        yield serving.url


@pytest.mark.slow
@pytest.mark.parametrize(("game", "hand"), list(zip(GAMES, 2 * HANDS, strict=True)))
def test_a_whole_game_against_an_agent(context: Open, seeded: str, game: str, hand: type[Hand]) -> None:
    page = context(**hand.context).new_page()
    start(page, seeded, game)
    played = whole_game(page, hand(page), seed=GAMES.index(game))
    record = record_of(seeded, page)
    assert played > 0
    assert record.result is not None
    assert len(record.entries) == page.locator("#moves .ply").count()
    again = replay(record)
    assert str(again.result) == str(record.result)
    assert str(record.result) in page.locator("#sentence").inner_text()


@pytest.mark.slow
def test_a_small_game_from_the_lobby_to_its_end(context: Open, seeded: str) -> None:
    page = context(answers="quick").new_page()  # men move, and answers are shown
    start(page, seeded, "quantum-chess", board="Duel")
    whole_game(page, Mouse(page), seed=1)
    record = record_of(seeded, page)
    assert record.result is not None
    assert json.loads(record.to_json())["game"] == "quantum-chess"
