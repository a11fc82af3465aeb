"""The card at the end of a game: its words in all games, the luckiest moment of the record, what it offers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.web.words import entry
from tests.web.hands import until
from tests.web.test_browser_access import findings, seated, table

Open = Callable[..., Any]
GAMES = Path(qchess.__file__).parent / "games"
CARD, SENTENCE = (f"document.querySelector('{part}').getBoundingClientRect()" for part in ("#ending", ".say"))
ENDING = "(state) => import('/static/ending.js').then(({ ending }) => ending(state))"
#: a king that a knight can take
KING = "4k3/8/3N4/8/8/8/8/K7 w - - 0 1"


def taken_by_a_half() -> list[dict[str, Any]]:
    """The history of a game in which half a knight took the king, as a table tells it."""
    for seed in range(64):
        game = qchess.new("quantum-chess", fen=KING, seed=seed)
        for move in ("d6^b5f5", "e8-d8", "b5-d6", "d8-e8", "d6-e8"):
            game.play(move)
        if game.result is not None:
            return [{**json.loads(json.dumps(entry(game, ply))), "ply": ply + 1} for ply in range(5)]
    raise AssertionError("one of 64 halves is there")


def state(winner: str | None, reason: str, you: str | None, history: list[dict[str, Any]]) -> dict[str, Any]:
    """What the page knows at the end, as far as the card reads it."""
    return {
        "result": {"winner": winner, "reason": reason},
        "you": you,
        "players": ["white", "black"],
        "history": history,
    }


@pytest.mark.slow
def test_the_card_reads_the_record_and_has_words_for_the_ends_of_all_games(context: Open, server: str) -> None:
    page = context().new_page()
    page.goto(f"{server}/health")
    history = taken_by_a_half()
    assert history[-1]["provenance"][0]["probability"] == pytest.approx(0.5)
    won = page.evaluate(ENDING, state("white", "king_captured", "white", history))
    assert (won["head"], won["title"]) == ("White wins", "You took the king")
    assert won["story"] == "In 3 moves, with a knight that was only half there."
    luck = won["luck"]
    assert (luck["ply"], luck["words"], luck["whose"]) == (5, "3. d6–e8", "Your luckiest moment")
    assert luck["chance"] == pytest.approx(0.5)
    lost = page.evaluate(ENDING, state("white", "king_captured", "black", history))
    assert (lost["title"], lost["luck"]) == ("Your king was taken", None)
    seen = page.evaluate(ENDING, state("white", "king_captured", None, history))
    assert (seen["title"], seen["luck"]["whose"]) == ("White took the king", "The luckiest moment of White")
    history[-1]["provenance"][0]["probability"] = 0.6
    assert page.evaluate(ENDING, state("white", "king_captured", "white", history))["luck"] is None
    sources = "\n".join(path.read_text(encoding="utf-8") for path in GAMES.rglob("*.py"))
    reasons = set(re.findall(r'Result\((?:None|"?\w+"?[^",]*), "([a-z][^"{]+)"', sources)) | {"resignation", "time"}
    reasons |= {"checkmate", "suicide", "stalemate", "perpetual check", "agreement", "king in check", "last king lost"}
    assert {"annihilation", "fifty_moves", "no row", "no legal move"} <= reasons
    for reason in reasons | {"black has no piece left", "black has no legal move"}:
        for you in ("white", "black", None):
            ends = [page.evaluate(ENDING, state(winner, reason, you, history)) for winner in ("white", None)]
            assert any(re.fullmatch(r"[A-Z][A-Za-z0-9 ,/]+", each["title"]) for each in ends), reason
    told = page.evaluate(ENDING, state("white", "black has no piece left", "black", history))
    assert told["title"] == "You have no piece left"


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1200, 800), (390, 664)])
def test_players_and_spectators_see_the_end_and_go_on_from_there(
    context: Open, server: str, size: tuple[int, int]
) -> None:
    opened = table(server, options={"fen": KING})
    how = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": size[0] < 500}
    white = seated(context, server, opened["play"]["white"], **how)
    black = seated(context, server, opened["play"]["black"])
    watcher = seated(context, server, opened["watch"])
    until(white, "document.querySelector('#board').playable")
    white.evaluate("document.querySelector('#invite').hidden = true; document.body.classList.remove('sheet')")
    white.evaluate("document.querySelector('#board').choose('d6-e8')")
    titles = {white: "You took the king", black: "Your king was taken", watcher: "White took the king"}
    for page, title in titles.items():
        page.wait_for_selector("#ending .acts2 .button:has-text('A puzzle')")
        assert page.locator("#endtitle").inner_text() == title
    assert findings(white) == findings(watcher) == []
    assert white.evaluate("document.activeElement.textContent") == "Rematch"
    assert not white.get_by_role("button", name="Play again").is_visible()
    assert watcher.locator("#ending .again").inner_text() == ""
    if size[0] < 500:
        lower = white.evaluate("document.querySelector('#board').getBoundingClientRect().bottom")
        top, end = white.evaluate(f"['top', 'bottom'].map((edge) => {CARD}[edge])")
        assert top >= lower - 1
        assert end == size[1]
        assert not white.evaluate(f"{SENTENCE}.top < {CARD}.top && {SENTENCE}.bottom > {CARD}.top"), "half behind it"
    assert white.locator("#ending a:has-text('Analyse')").get_attribute("href") == f"/study#table={opened['game']}"
    white.keyboard.press("Enter")
    until(white, "document.querySelector('#ending .again').textContent.startsWith('Asked')")
    until(black, "document.querySelector('#ending .again').textContent === 'Accept the rematch'")
    black.locator("#ending .again button").click()
    white.locator("#ending .again a").click()
    white.wait_for_url(lambda url: opened["game"] not in url)
    black.keyboard.press("Escape")
    assert black.locator("#ending").count() == 0
