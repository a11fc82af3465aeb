"""Tables over the real server in real browsers: connections that break, onlookers, devices, takebacks, ends."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import qchess
from qchess.games import presets
from qchess.playing.record import Record
from qchess.showing import viewjson
from tests.web.hands import BOARD, PLAYABLE, PLIES, type_move, type_moves, until
from tests.web.late import TOMORROW, end_workers, let_through
from tests.web.test_browser_access import findings, seated, table

Open = Callable[..., Any]
#: how many plies two browsers play
PLIES_PLAYED = int(os.environ.get("QCHESS_PLIES", "12"))


def record_of(server: str, game: str) -> Record:
    """The record of a table."""
    with urlopen(f"{server}/api/tables/{game}/record.json") as answer:
        return Record.from_json(answer.read().decode())


def men_on(page: Any) -> Any:
    """The men that a page shows."""
    return page.evaluate(f"{BOARD}.view.men")


class Lines:
    """The socket lines of a page, which pass through the test and can be cut."""

    def __init__(self, page: Any) -> None:
        self.open: list[Any] = []
        page.route_web_socket("**/ws", self._pass)

    def _pass(self, route: Any) -> None:
        route.connect_to_server()
        self.open.append(route)

    def cut(self) -> None:
        """Closes the newest line as a broken network does, without the page asking for it."""
        self.open[-1].close(code=4001, reason="cut by a test")


@pytest.mark.slow
def test_two_browsers_play_through_three_cuts_while_a_third_looks_on(context: Open, server: str) -> None:
    opened = table(server, preset="pocket", seats={"white": "human", "black": "human"})
    pages, lines = [], []
    for path in (opened["play"]["white"], opened["play"]["black"], opened["watch"]):
        page = context().new_page()
        lines.append(Lines(page))
        page.goto(server + path)
        page.wait_for_selector("#board [role=gridcell]")
        pages.append(page)
    rng = random.Random(4)
    shadow = qchess.new("quantum-chess", seed=1, **presets.options("quantum-chess", "pocket"))
    # a player's line is cut when it is that player's turn
    cuts = {PLIES_PLAYED * (k + 1) // 4 // 2 * 2 + k % 2: line for k, line in enumerate(lines)}
    for ply in range(PLIES_PLAYED):
        player = pages[ply % 2]
        if ply in cuts:
            cuts[ply].cut()
        until(player, f"{PLAYABLE} && {PLIES} === {ply}")
        quiet = harmless(shadow, rng)
        type_move(player, quiet)
        until(player, f"{PLIES} === {ply + 1}")
        shadow.play(record_of(server, opened["game"]).entries[-1].move)
    record = record_of(server, opened["game"])
    assert len(record.entries) == PLIES_PLAYED
    assert sum(len(line.open) for line in lines) >= 6  # a page may come back by itself once more
    for page in pages:
        until(page, f"{PLIES} === {PLIES_PLAYED}")
    again = qchess.replay(record)
    expected = viewjson.view(again.rules.view(again.position))["men"]
    assert [men_on(page) for page in pages] == [expected] * 3
    texts = [page.locator("#moves .ply").evaluate_all("all => all.map((each) => each.dataset.text)") for page in pages]
    assert texts == [[entry.move for entry in record.entries]] * 3


def harmless(game: Any, rng: random.Random) -> str:
    """A move by chance that takes no king, so that the game goes on; splits are rare, so that registers stay small."""
    rules, position = game.rules, game.position
    kings = {square for square, men in rules.view(position).men.items() if men[0].symbol in "Kk"}
    moves = [move for move in rules.moves(position) if not kings & {*rules.sketch(position, move).targets}]
    plain = [move for move in moves if rules.sketch(position, move).kind != "split"]
    return str(rules.write(position, rng.choice(plain if plain and rng.random() < 0.85 else moves)))


@pytest.mark.slow
def test_a_player_comes_back_after_a_cut_and_the_move_that_was_under_way_is_played_once(
    context: Open, server: str
) -> None:
    opened = table(server)
    page = context().new_page()
    lines = Lines(page)
    page.goto(server + opened["play"]["white"])
    until(page, PLAYABLE)
    lines.cut()
    type_move(page, "b1^a3c3")
    until(page, f"{PLIES} === 1")
    assert [entry.move for entry in record_of(server, opened["game"]).entries] == ["b1^a3c3"]
    assert "half" not in page.locator("#connection").inner_text()


@pytest.mark.slow
def test_an_onlooker_sees_each_move_and_has_nothing_to_press(context: Open, server: str) -> None:
    opened = table(server)
    white = seated(context, server, opened["play"]["white"])
    watcher = seated(context, server, opened["watch"])
    until(white, PLAYABLE)
    type_move(white, "e2-e4")
    until(watcher, f"{PLIES} === 1")
    assert watcher.locator("#acts button").count() == 0
    assert not watcher.locator("#typed").is_visible()
    watcher.locator("#board [data-square=e7]").click()
    assert watcher.locator("#board .cell.target").count() == 0


@pytest.mark.slow
def test_one_looks_back_and_plays_on_from_the_latest_position_only(context: Open, server: str) -> None:
    opened = table(server)
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    type_moves(((white, "e2-e4"), (black, "e7-e5"), (white, "g1^f3h3"), (black, "a7-a6")))
    until(white, f"{PLAYABLE} && {PLIES} === 4")
    white.locator("#moves .ply[data-ply='1']").click()
    until(white, f"Boolean({BOARD}.view.men.e4) && Boolean({BOARD}.view.men.e7)")
    assert "Position after 1 of 4 moves" in white.locator("#sentence").inner_text()
    assert not white.evaluate(PLAYABLE)
    white.keyboard.press(".")
    until(white, f"Boolean({BOARD}.view.men.e5)")
    white.get_by_role("button", name="Latest position").click()
    until(white, PLAYABLE)


@pytest.mark.slow
def test_resigning_asks_twice_and_ends_the_game_for_both(context: Open, server: str) -> None:
    opened = table(server)
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    until(white, PLAYABLE)
    white.get_by_role("button", name="Resign").click()
    assert record_of(server, opened["game"]).result is None
    # the question lapses after four seconds, so both clicks are one act of the page
    white.locator("[data-act=resign]").evaluate(
        "(button) => { while (!button.textContent.includes('Resign?')) button.click(); button.click(); }"
    )
    until(black, "document.querySelector('#sentence').textContent.includes('Black wins')")
    result = record_of(server, opened["game"]).result
    assert result is not None
    assert result.winner == "black"


@pytest.mark.slow
def test_a_game_on_a_device_shows_where_each_answer_came_from(context: Open, server: str) -> None:
    opened = table(server, backend="sparse-shots", options={"fen": "k7/8/8/3p4/8/8/8/KN6 w - - 0 1"})
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    type_moves(((white, "b1^a3c3"), (black, "a8-a7"), (white, "c3-d5")))
    until(white, f"{PLIES} === 3")
    shown = white.locator("#provenance")
    shown.get_by_text("How this was answered").click()
    assert "sparse-shots" in shown.inner_text()
    assert "shots" in shown.inner_text()
    assert "figures" not in shown.inner_text()
    answer = record_of(server, opened["game"]).entries[-1].answers[0]
    assert answer.details is not None
    assert str(answer.details["kept"]) in shown.inner_text()


@pytest.fixture
def jobs(state: Path) -> Iterator[Path]:
    """Where the server's jobs lie."""
    yield state / "jobs"
    end_workers(state / "jobs")


@pytest.mark.slow
def test_a_page_may_be_closed_while_a_slow_device_answers_and_tells_the_answer_when_it_is_opened_again(
    context: Open, server: str, jobs: Path
) -> None:
    pytest.importorskip("cirq", reason="shots are drawn by Cirq")
    opened = table(server, backend=TOMORROW, options={"fen": "k7/8/8/3p4/8/8/8/KN6 w - - 0 1"})
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    type_moves(((white, "b1^a3c3"), (black, "a8-a7"), (white, "c3-d5")))
    until(white, "document.querySelector('#sentence').textContent.includes('Waiting for the answer')")
    white.context.close()
    again = seated(context, server, opened["play"]["white"])
    until(again, "document.querySelector('#sentence').textContent.includes('Waiting for the answer')")
    assert not again.evaluate(PLAYABLE)
    let_through(jobs)
    until(again, f"{PLIES} === 3")
    assert "Is the knight on c3?" in again.locator("#sentence").inner_text()
    again.locator("#provenance").wait_for()


@pytest.mark.slow
def test_the_sides_of_a_board_are_called_as_the_players_of_its_game(context: Open, server: str) -> None:
    opened = table(server, game="niels-xiangqi")
    page = seated(context, server, opened["play"]["red"])
    until(page, PLAYABLE)
    assert page.locator("#board [data-square=a1]").get_attribute("aria-label") == "a1, red chariot, can move"
    assert page.locator("#board .m.red").count() == 16


@pytest.mark.slow
def test_the_circuit_of_the_last_move_is_drawn_beside_the_board(context: Open, server: str) -> None:
    opened = table(server)
    page = seated(context, server, opened["play"]["white"], viewport={"width": 1600, "height": 900})
    until(page, PLAYABLE)
    type_move(page, "b1^a3c3")
    until(page, f"{PLIES} === 1")
    page.get_by_role("tab", name="Circuit").click()
    page.locator("#pane-circuit svg [data-qubit]").first.wait_for()
    assert {"a3", "b1", "c3"} <= set(
        page.locator("#pane-circuit svg [data-qubit]").evaluate_all("all => all.map((each) => each.dataset.qubit)")
    )


@pytest.mark.slow
def test_both_players_add_words_to_the_dice_in_the_menu_until_an_answer_came(context: Open, server: str) -> None:
    opened = table(server, options={"fen": "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"}, seats={"white": "human"})
    white = seated(context, server, opened["play"]["white"])
    black = seated(context, server, opened["play"]["black"])
    watcher = seated(context, server, opened["watch"])
    words = "document.querySelector('#about [role=status]')?.textContent"
    for page in (white, black, watcher):
        until(page, f"{BOARD}.view")
        page.locator("#menu").focus()
        page.keyboard.press("Enter")
        until(page, f"{words} === ''")
    assert not watcher.get_by_label("Your words for the dice").is_visible()
    white.get_by_label("Your words for the dice").focus()
    white.keyboard.type("<b>a rainy day")  # letters that are keys of the page elsewhere
    white.keyboard.press("Enter")
    for page in (white, black, watcher):
        until(page, f"{words} === 'Words in the dice: white “<b>a rainy day”.'")
    assert findings(white) == []
    for page in (white, black):
        page.keyboard.press("Escape")
        until(page, "document.querySelector('#about').hidden && document.activeElement.id !== 'nonce'")
    type_moves([(white, "b1^a3c3"), (black, "e8-e7")])
    until(white, f"{PLIES} === 2 && {PLAYABLE}")
    type_move(white, "c3-d5")
    until(black, f"{PLIES} === 3")
    black.locator("#menu").focus()
    black.keyboard.press("Enter")
    until(black, f"{words}?.startsWith('Words in the dice')")
    assert not black.get_by_label("Your words for the dice").is_visible()
    assert record_of(server, opened["game"]).nonces == {"white": "<b>a rainy day"}
