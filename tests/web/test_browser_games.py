"""Whole games over the real server in a real browser, each game of the catalogue with two kinds of hand.

QCHESS_HANDS says with how many; a press that a game cannot take fails with the first hand of its kind. Three are all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import urlopen

import pytest

from qchess.playing.record import Record
from qchess.playing.replaying import replay
from qchess.web import seeds
from qchess.web.serving import Serving
from tests.long import one_in
from tests.web.hands import Hand, Keys, Mouse, Touch, whole_game
from tests.web.patient import PATIENT
from tests.web.test_browser_access import table

HANDS: tuple[type[Hand], ...] = (Mouse, Touch, Keys)
GAMES = (
    "quantum-chess", "piece-qubit-chess", "quantum-checkers", "niels-chess", "niels-xiangqi", "quantum-tic-tac-toe",
)  # fmt: skip
#: which hand plays which game as it is usually played
LARGE = list(zip(GAMES, 2 * HANDS, strict=True))
#: how many hands play a game; all but one play a short one of it
HANDS_EACH = int(os.environ.get("QCHESS_HANDS", "2"))
#: with what chance begins, where most numbers lead to several dozen moves
SEEDS = {"quantum-chess": 12, "niels-chess": 18, "niels-xiangqi": 14}
#: small boards, or few men against two rooks
SHORT: dict[str, dict[str, Any]] = {
    "quantum-chess": {"preset": "duel"},
    "piece-qubit-chess": {"preset": "short"},
    "quantum-checkers": {"preset": "small"},
    "niels-chess": {"options": {"nfen": "rkr1/4/4/2P1/1BNK w - - 0 1"}},
    "niels-xiangqi": {"options": {"nfen": "4k4/9/9/4r4/9/9/3r5/9/3PP4/R3K4 w - - 0 1"}},
    "quantum-tic-tac-toe": {},
}
Open = Callable[..., Any]


def start(page: Any, server: str, game: str) -> None:
    """Starts a game from the lobby, as people do."""
    page.goto(server)
    page.wait_for_selector("form[data-ready]")
    page.locator(f"input[name=game][value='{game}']").check()
    page.get_by_role("button", name="More settings").click()
    page.get_by_role("radio", name="Full").check()
    page.get_by_label("Against").select_option("greedy")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/play/**")
    page.wait_for_selector("#board [role=gridcell]")


def record_of(server: str, page: Any) -> Record:
    """The record of the table that a page shows."""
    name = page.url.partition("/play/")[2].partition("#")[0]
    with urlopen(f"{server}/api/tables/{name}/record.json") as answer:
        return Record.from_json(answer.read().decode())


@pytest.fixture(scope="module")
def seeded() -> Iterator[str]:
    """The address of a server whose games are the same in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seeds, "fresh", lambda: "the same in every run")
        with Serving(PATIENT) as serving:
            yield serving.url


def play_to_the_end(server: str, page: Any, hand: Hand, game: str, seed: int) -> None:
    """Plays a game to its end; the page and the record agree about it."""
    assert whole_game(page, hand, seed) > 0
    record = record_of(server, page)
    assert record.game == game
    assert record.result is not None
    assert len(record.entries) == page.locator("#moves .ply").count()
    assert str(replay(record).result) == str(record.result)
    assert str(record.result) in page.locator("#sentence").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "hand"), one_in(2, LARGE))
def test_a_whole_game_against_an_agent(context: Open, seeded: str, game: str, hand: type[Hand]) -> None:
    page = context(**hand.context).new_page()
    start(page, seeded, game)
    play_to_the_end(seeded, page, hand(page), game, SEEDS.get(game, GAMES.index(game)))


@pytest.mark.slow
@pytest.mark.parametrize("hand", HANDS)
def test_each_hand_plays_whole_short_games_of_others(context: Open, seeded: str, hand: type[Hand]) -> None:
    page = context(
        **hand.context, answers="quick" if hand is Mouse else "none"
    ).new_page()  # once men move, and answers are shown
    for number, (game, how) in enumerate(SHORT.items()):
        if (number - HANDS.index(hand)) % len(HANDS) not in range(1, HANDS_EACH):
            continue
        mine, other = table(seeded, game=game, **how)["play"].items()
        opened = table(seeded, game=game, seats={mine[0]: "human", other[0]: "greedy"}, **how)
        page.goto(seeded + opened["play"][mine[0]])
        page.wait_for_selector("#board [role=gridcell]")
        play_to_the_end(seeded, page, hand(page), game, GAMES.index(game))
