"""A past question: how else it could have been answered, in a study, and a hundred answers to it, in every game."""

from __future__ import annotations

import random
from typing import Any

import pytest

import qchess
from qchess.errors import InvalidMoveError
from qchess.games import names
from qchess.web import words, work
from qchess.web.studies.again import TIMES, again
from qchess.web.studies.asking import move_values, study


def asked(name: str) -> tuple[Any, int]:
    """A game by chance up to its first question that was open, and the ply before it."""
    rng = random.Random(f"asked {name}")
    game = qchess.new(name, seed=7)
    for _ in range(60):
        legal = game.legal_moves
        taking = [move for move in legal if game.rules.turn(game.position, move).program.answers]
        game.play(rng.choice(taking or legal))
        if any(answer.source != "certain" for answer in game.history[-1].answers):
            return game, len(game.history) - 1
    raise AssertionError(f"no question in {name}")


def odds(view: dict[str, Any]) -> dict[str, list[float]]:
    """How likely each man of a board is."""
    return {square: [man["probability"] for man in here] for square, here in view["men"].items()}


@pytest.mark.parametrize("name", names())
def test_each_other_answer_opens_as_an_exact_branch_and_a_hundred_answers_change_nothing(name: str) -> None:
    game, ply = asked(name)
    before, record = game.at(game.cut(ply)), game.record().to_json()
    text = game.history[ply].text
    told = again(before, text, "a hundred")
    came = {answer.name: answer.value for answer in game.history[ply].answers}
    assert came in [way["answers"] for way in told["outcomes"]]
    assert sum(way["times"] for way in told["outcomes"]) + told["others"] == TIMES
    for way in told["outcomes"]:
        spread = (TIMES * way["probability"] * (1 - way["probability"])) ** 0.5
        assert abs(way["times"] - TIMES * way["probability"]) <= 4 * spread + 1, way
    assert again(before, text, "a hundred") == told
    assert "times" not in again(before, text)["outcomes"][0]
    assert game.record().to_json() == record
    assert before.history == ()
    line = [move_values(game, each) for each in range(1, ply + 1)]
    shown = {str(way["answers"]): way["view"] for way in work.preview(before, text)["outcomes"]}
    for way in told["outcomes"][:3]:
        asks = {"kind": "play", "text": told["text"], "answers": way["answers"]}
        played = study(qchess.new(name), line, asks)
        assert played["entry"]["answers"] == way["answers"]
        assert played["entry"]["sentence"] == way["sentence"]
        men, found = (odds(view) for view in (shown[str(way["answers"])], played["state"]["view"]))
        assert found == {square: pytest.approx(here) for square, here in men.items()}


def test_a_move_that_asked_nothing_open_is_not_asked_again() -> None:
    with pytest.raises(InvalidMoveError, match="e2-e4 asked no question that was open"):
        again(qchess.new(), "e2-e4")


def test_a_history_says_what_moved_and_what_it_takes() -> None:
    game = qchess.new(seed=1)
    for move in ("b1^a3c3", "d7-d5", "c3-d5", "g8-f6", "e2-e4", "f6-e4"):
        game.play(move)
    told = [(entry.get("man"), entry.get("takes", False)) for entry in (words.entry(game, k) for k in range(6))]
    assert told == [
        ("knight", False),
        ("pawn", False),
        ("knight", True),
        ("knight", False),
        ("pawn", False),
        ("knight", True),
    ]
    niels = qchess.new("niels-chess", seed=1)
    for move in ("e2-e4", "d7-d5", "e4-d5"):
        niels.play(move)
    assert [words.entry(niels, k).get("takes", False) for k in range(3)] == [False, False, True]
    boxes = qchess.new("quantum-tic-tac-toe")
    boxes.play("a3c1")
    assert not {"man", "takes"} & words.entry(boxes).keys()


def test_a_result_is_told_as_a_sentence() -> None:
    game = qchess.new()
    game.forfeit("resignation")
    assert work.result_values(game.result) == {
        "winner": "black", "reason": "resignation", "sentence": "Black wins: the opponent resigned.",
    }  # fmt: skip
