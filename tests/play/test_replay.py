"""A replayed record: the odds are computed anew, and the answers keep their sources."""

from __future__ import annotations

from dataclasses import replace

import pytest

import qchess
from qchess.circuits.engine import Answer, Sample
from qchess.circuits.running import Pause
from tests.toygame import Toy


class Chip:
    """A source that says more than the answer, as a device does."""

    def draw(self, pause: Pause) -> Sample:
        return Sample(1, "chip 7", {"job": "j-12", "shots": 1000})


def asked_on_a_chip() -> qchess.Record:
    game = qchess.Game(Toy(), source=Chip())
    for move in ("b1^a1c1", "?a1"):
        game.play(move)
    return game.record()


def test_every_answer_keeps_its_source_and_its_details() -> None:
    record = asked_on_a_chip()
    (answer,) = record.entries[1].answers
    assert (answer.source, answer.details) == ("chip 7", {"job": "j-12", "shots": 1000})
    assert qchess.replay(record).record() == record
    assert qchess.replay(record.to_json()).record() == record


def test_what_a_record_claims_about_the_odds_is_not_believed() -> None:
    record = asked_on_a_chip()
    first, second = record.entries
    lying = replace(second, answers=(replace(second.answers[0], probability=0.99),))
    with pytest.raises(qchess.InvalidMoveError, match=r"move 2, .*'there' = \d the probability 0\.99, .* give 0\.5"):
        qchess.replay(replace(record, entries=(first, lying)))  # a fair split


def test_a_record_without_its_answer_breaks_off_there() -> None:
    record = asked_on_a_chip()
    first, second = record.entries
    with pytest.raises(
        qchess.InvalidMoveError,
        match=r"ends at move 2, '\?a1': the question 'there' is open",
    ):
        qchess.replay(replace(record, entries=(first, replace(second, move="?a1", answers=()))))


def test_an_impossible_answer_is_refused() -> None:
    record = asked_on_a_chip()
    first, second = record.entries
    wrong = replace(second, answers=(Answer("there", 7, 0.5, "chip 7"),))
    with pytest.raises(qchess.InvalidMoveError, match="ends at move 2"):
        qchess.replay(replace(record, entries=(first, wrong)))


def test_a_result_that_the_moves_contradict_is_refused_and_one_that_no_rule_knows_is_kept() -> None:
    record = asked_on_a_chip()
    with pytest.raises(qchess.InvalidMoveError, match=r"says 'White wins: found', but its moves end with 'Black"):
        qchess.replay(replace(record, result=qchess.Result("white", "found")))
    agreed = qchess.Result(None, "agreement")
    assert qchess.replay(replace(record, entries=record.entries[:1], result=agreed)).result == agreed


def test_a_replayed_game_may_be_played_on_with_new_dice() -> None:
    record = asked_on_a_chip()
    game = qchess.replay(replace(record, entries=record.entries[:1], result=None), seed=4)
    assert game.play("?a1").answers[0].source == "seed 4"


def test_nobody_resigns_a_game_that_is_over_and_resigning_forgets_what_was_taken_back() -> None:
    over = qchess.replay(asked_on_a_chip())
    with pytest.raises(qchess.IllegalMoveError, match="it cannot be given up any more"):
        over.resign()
    assert over.result == qchess.Result("black", "found")
    game = qchess.Game(Toy(), seed=1)
    game.play("b1-a1")
    game.undo()
    game.resign()
    with pytest.raises(qchess.IllegalMoveError, match="no move to play again"):
        game.redo()
