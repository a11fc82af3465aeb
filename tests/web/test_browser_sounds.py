"""Sounds by the tones that a page asks for, and the glow behind a king that can be taken next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import qchess
from tests.patience import wait_until
from tests.web.hands import BOARD, PLAYABLE, PLIES, type_move, type_moves, until
from tests.web.test_browser_access import seated, table

Open = Callable[..., Any]
GAMES = (
    "quantum-chess",
    "piece-qubit-chess",
    "quantum-checkers",
    "niels-chess",
    "niels-xiangqi",
    "quantum-tic-tac-toe",
)
#: a knight that may be on two squares and take a pawn; a rook looks at White's king
POSITION = "k7/4r3/8/8/3p4/8/8/KN6 w - - 0 1"
#: keeps the frequency of every tone that is made
HEARS = """window.tones = []; const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...all) {
window.tones.push(this.frequency.value); return start.apply(this, all); };"""
#: plays every split of the board's machine by holding its first square; the squares, and the texts that come of it
HELD = """() => { const { machine } = document.querySelector('qc-board'), found = [];
for (const way of machine.ways.split) { machine.reset(); const [from, half, other] = way.squares;
 machine.press(from); if (machine.holding(half) !== 'split') { found.push([way.text, []]); continue; }
 machine.press(half, true); if (machine.half !== half) found.push([way.text, []]);
 else if (other !== half) found.push([way.text, (machine.press(other).ways ?? []).map((each) => each.text)]); }
machine.reset(); return found; }"""
#: the tones of each sound, as the page plays them
EACH = """async () => { const { sound, SOUNDS } = await import('/static/sounds.js'), found = {};
for (const kind of Object.keys(SOUNDS)) { window.tones = []; sound(kind); found[kind] = window.tones; }
return found; }"""
SPEC = {
    "move": [220], "capture": [180, 120], "split": [440, 392, 523], "merge": [392, 523, 440], "question": [330],
    "yes": [523, 659], "no": [392, 330], "won": [392, 523, 659], "lost": [659, 523, 392],
    "drawn": [392, 392], "clock": [880],
}  # fmt: skip
#: which sound a move has: two answers, a plain move, a capture, a merge, a split, three ends
OF = """async () => { const { soundOf } = await import('/static/sounds.js'), man = { probability: 1 };
const one = { men: { a1: [man] } }, two = { men: { a1: [man], b2: [man] } };
const answered = (value, source = 'own') => ({ text: 'a1-b2', provenance: [{ source, value }] });
const of = (moved, before = one) => soundOf(moved, before, one, 'white');
return [of(answered(1)), of(answered(0)), of(answered(1, 'certain')), of({ text: 'a1-b2' }, two),
 of({ text: 'a1c3^b2' }), of({ text: 'a1^b2c3' }),
 ...['white', 'black', null].map((winner) => of({ text: 'a1-b2', result: { winner } }, two))]; }"""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_split_by_holding_is_the_move_that_is_typed(alone: Open, name: str) -> None:
    game = qchess.new(name, seed=1)
    listed = {game.rules.write(game.position, move) for move in game.legal_moves}
    held = alone(game).evaluate(HELD)
    assert all(text in found for text, found in held), [each for each in held if each[0] not in each[1]][:3]
    assert bool(held) is any(game.rules.sketch(game.position, move).kind == "split" for move in game.legal_moves)
    assert {text for text, _ in held} & listed or not held


@pytest.mark.slow
def test_moves_have_their_sounds_after_a_click_and_a_king_in_danger_glows(context: Open, server: str) -> None:
    opened = table(server, options={"fen": POSITION}, seats={"white": "human", "black": "human"})
    made = context(fresh=True)
    made.add_init_script(HEARS)
    white = made.new_page()
    white.goto(server + opened["play"]["white"])
    white.wait_for_selector("#board [role=gridcell]")
    black = seated(context, server, opened["play"]["black"])
    tones = lambda: white.evaluate("window.tones.map(Math.round)")  # noqa: E731
    assert tones() == []
    type_move(white, "b1^a3c3")
    wait_until(lambda: tones() == [440, 392, 523], "the sound of a split")
    wait_until(lambda: black.evaluate(f"{PLAYABLE} && {PLIES} === 1"), "black's turn")
    type_move(black, "e7-e1")
    wait_until(lambda: tones()[3:] == [220], "the sound of a move")
    wait_until(lambda: white.evaluate(f"{BOARD}.danger.a1") == 1, "the king's danger")
    assert white.evaluate(f"{BOARD}.shadowRoot.querySelector('.alarm').textContent") == "!"
    white.keyboard.press("Escape")
    white.evaluate(f"{BOARD}.focus()")
    white.keyboard.press("m")
    assert white.locator("#sounds").get_attribute("aria-pressed") == "false"
    type_move(white, "a1-a2")
    wait_until(lambda: white.evaluate(f"{PLIES} === 3"), "the move")
    assert tones()[4:] == []
    white.keyboard.press("m")
    assert white.locator("#sounds").get_attribute("aria-pressed") == "true"
    wait_until(lambda: tones()[4:] == [220], "the sound of a switch")
    assert white.evaluate(EACH) == SPEC
    assert white.evaluate(OF) == ["yes", "no", "move", "capture", "merge", "split", "won", "lost", "drawn"]


@pytest.mark.slow
def test_questions_and_the_last_seconds_are_heard_and_the_warning_can_be_switched_off(
    context: Open, server: str
) -> None:
    clock = {"kind": "fischer", "seconds": 600, "extra": 0}
    opened = table(server, options={"fen": POSITION.replace("8/3p4", "3p4/8")}, clock=clock)
    made = context(fresh=True, answers="normal", reduced_motion="reduce")
    made.add_init_script(HEARS)
    white = made.new_page()
    white.clock.install(time=0)
    white.goto(server + opened["play"]["white"])
    white.wait_for_selector("#board [role=gridcell]")
    black = seated(context, server, opened["play"]["black"])
    tones = lambda: white.evaluate("window.tones.splice(0).map(Math.round)")  # noqa: E731
    white.keyboard.press("?")
    white.get_by_label("Warn where my king can be taken next").set_checked(False)
    white.keyboard.press("Escape")
    until(white, "document.activeElement.id !== 'danger'")  # the menu is away
    type_moves([(white, "b1^a3c3"), (black, "e7-e1")])
    wait_until(lambda: white.evaluate(f"{PLAYABLE} && {PLIES} === 2"), "white's turn")
    assert white.evaluate(f"{BOARD}.danger") == {}
    assert white.evaluate("localStorage['qchess-danger']") == "no"
    tones()
    heard: list[int] = []

    def ticks() -> int:
        heard.extend(tones())
        return len(heard)

    while not white.locator("#below .clock.short").count():  # less than 20 s are left
        white.clock.fast_forward(5000)
    for _ in range(3):
        white.clock.run_for(1000)
    wait_until(lambda: ticks() > 3, "the ticks of three seconds")
    assert set(heard) == {880}
    type_move(white, "c3-d5")
    wait_until(lambda: 330 in tones(), "the sound of a question")
