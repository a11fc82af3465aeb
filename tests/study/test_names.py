"""Every name that comes into `qchess.study` is looked up: what is no square and no qubit is refused, never 0.0."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import qchess
from qchess import study
from qchess.circuits import Program, ask, full
from qchess.errors import QchessError
from qchess.study.subject import StudyError

#: every public function that takes names of squares, given one that may be wrong
NAMING: dict[str, Callable[[Any, str], Any]] = {
    "amplitudes": lambda game, q: study.amplitudes(game, q),
    "asked": lambda game, q: study.asked(game, full(q)),
    "bloch": lambda game, q: study.bloch(game, q),
    "bloch_vectors": lambda game, q: study.bloch_vectors(game, q),
    "board": lambda game, q: study.board(game, {q: 0.5}),
    "branches": lambda game, q: study.branches(game, q),
    "city": lambda game, q: study.city(game, q),
    "concurrence": lambda game, q: study.concurrence(game, "a3", q),
    "entropy": lambda game, q: study.entropy(game, q),
    "fidelity": lambda game, q: study.fidelity(game, game, q),
    "hinton": lambda game, q: study.hinton(game, q),
    "information": lambda game, q: study.information(game, Program(ask("m", full(q)))),
    "information_matrix": lambda game, q: study.information_matrix(game, "a3", q),
    "mutual_information": lambda game, q: study.mutual_information(game, "a3", ("b5", q)),
    "purity": lambda game, q: study.purity(game, "a3", q),
    "readout_entropy": lambda game, q: study.readout_entropy(game, q),
    "reduced": lambda game, q: study.reduced(game, q),
    "schmidt": lambda game, q: study.schmidt(game, q),
    "spectrum": lambda game, q: study.spectrum(game, q),
}
#: those that take a state, a move or figures alone, and no name of a square
NAMELESS = {"bars", "beside", "check", "counts", "curves", "entangled_board", "entanglement",
            "entanglement_text", "entropies",
            "links_over_time", "measurements", "over_time", "overlap", "steps", "sweep", "timeline"}  # fmt: skip
#: those that need a square, called without one
LONELY: dict[str, Callable[[Any], Any]] = {
    "entropy": lambda game: study.entropy(game),
    "purity": lambda game: study.purity(game),
    "reduced": lambda game: study.reduced(game),
    "spectrum": lambda game: study.spectrum(game),
    "mutual_information": lambda game: study.mutual_information(game, "a3", ()),
}


@pytest.fixture(scope="module")
def game() -> Any:
    made = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-a5"):
        made.play(move)
    return made


def test_the_law_knows_every_public_function() -> None:
    functions = {name for name in study.__all__ if callable(getattr(study, name)) and name[0].islower()}
    assert functions == NAMING.keys() | NAMELESS


@pytest.mark.parametrize("name", NAMING)
def test_a_name_that_nobody_has_is_refused_in_the_words_of_the_game(game: Any, name: str) -> None:
    for wrong in ("A3", "z9", "a3 "):
        with pytest.raises(QchessError) as told:
            game.probability(wrong)
        with pytest.raises(QchessError) as ours:
            NAMING[name](game, wrong)
        assert str(ours.value) == str(told.value)
    assert "got 'A3'; did you mean 'a3'?" in _objection(lambda: game.probability("A3"))


def any_of(value: Any) -> Any:
    """What a type checker would not let pass."""
    return value


def _objection(call: Callable[[], Any]) -> str:
    with pytest.raises(QchessError) as told:
        call()
    return str(told.value)


@pytest.mark.parametrize("name", LONELY)
def test_a_group_of_no_squares_says_what_is_missing(game: Any, name: str) -> None:
    with pytest.raises(StudyError, match=r"expected at least one square, such as .*'a3'"):
        LONELY[name](game)


def test_squares_come_one_by_one_or_as_a_group(game: Any) -> None:
    assert study.entropy(game, ["a3", "b5"]) == study.entropy(game, "a3", "b5") == study.entropy(game, ("a3", "b5"))
    assert "named by a text" in _objection(lambda: study.entropy(game, any_of(3)))
    assert "two single squares" in _objection(lambda: study.concurrence(game, "a3", any_of(("b5", "d5"))))
    assert "one square for a Bloch vector" in _objection(lambda: study.bloch(game, any_of(("b5", "d5"))))


def test_registers_and_positions_know_no_board_but_know_who_is_in_play(game: Any) -> None:
    for where in (game.position, game.position.registers):
        assert study.entropy(where, "c3") == study.entropy(where, "z9") == 0.0, "empty, as all that is never named"
        assert "did you mean 'a3'?" in _objection(partial(study.entropy, where, "A3"))


def test_what_needs_a_board_or_a_history_takes_a_game_alone(game: Any) -> None:
    calls: tuple[Callable[[Any], Any], ...] = (study.board, study.entangled_board, study.timeline, study.over_time)
    for call in calls:
        for where in (game.position, game.position.registers, "a3"):
            assert "expected a game, which knows its board" in _objection(partial(call, where))


def test_a_square_stands_for_the_qubit_that_speaks_of_it_where_qubits_have_other_names() -> None:
    pieces = qchess.new("piece-qubit-chess", seed=1)
    assert study.bloch(pieces, "a1") == study.bloch(pieces, "wRa")
    assert study.bloch(pieces, "a1").x == pytest.approx(1)
    assert "no qubit of this game speaks of 'a5' alone" in _objection(lambda: study.entropy(pieces, "a5"))
    assert "is called 'wRa'" in _objection(lambda: study.asked(pieces, full("a1")))
    marks = qchess.new("quantum-tic-tac-toe", seed=1)
    marks.play("a1b2")
    assert study.entropy(marks, "x1") == 0.0
    assert "no qubit of this game speaks of 'a1' alone" in _objection(lambda: study.entropy(marks, "a1"))


def test_a_question_may_ask_about_what_its_own_gates_made(game: Any) -> None:
    copied = Program.parse("x copy if a3=1\nask m: copy=1")
    assert study.information(game, copied) == pytest.approx(1)
