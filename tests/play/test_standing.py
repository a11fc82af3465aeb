"""An answer once given stands: back and again, the same answer; asking anew is a fork."""

from __future__ import annotations

import random

import pytest

import qchess
from qchess.circuits import Pause, Sample
from tests.toygame import Toy

START = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
OPENING = ("b1^a3c3", "e8-e7")


class Restless:
    """A source that says something else each time."""

    def __init__(self) -> None:
        self.asked = 0

    def draw(self, pause: Pause) -> Sample:
        self.asked += 1
        return Sample(self.asked % 2, f"call {self.asked}")


def opened(**how: object) -> qchess.Game:
    game = qchess.new("quantum-chess", fen=START, **how)  # type: ignore[arg-type]
    for move in OPENING:
        game.play(move)
    return game


@pytest.mark.parametrize("source", [None, Restless()], ids=["seeded", "restless"])
def test_a_move_taken_back_and_played_again_meets_the_same_answer(source: Restless | None) -> None:
    game = opened(seed=3, source=source)
    first = game.play("c3-d5")
    for _ in range(5):
        game.undo()
        assert game.play("c3-d5") == first


def test_what_was_tried_in_between_changes_no_answer() -> None:
    plain, curious = opened(seed=3), opened(seed=3)
    for move in ("c3-b5", "a3-b5", "a3c3^b5"):
        curious.play(move)
        curious.undo()
    assert curious.play("c3-d5") == plain.play("c3-d5")


def test_another_line_is_another_question() -> None:
    """The same capture in the same position, reached by other moves of the kings, is answered anew."""
    answers = []
    for there in ("e1-d1", "e1-d2", "e1-e2", "e1-f2", "e1-f1"):
        for here in ("e7-d7", "e7-d8", "e7-e8", "e7-f8", "e7-f7"):
            game = opened(seed=3)
            for move in (there, here):
                game.play(move)
            answers.append(game.play("c3-d5").answers[0].value)
    assert 4 < sum(answers) < 21  # 12.5 +- 3.4 standard deviations of 2.5


def test_redo_and_replaying_agree() -> None:
    game = opened(seed=3)
    first = game.play("c3-d5")
    game.undo()
    assert game.redo() == first


def test_the_answers_of_moves_taken_back_are_in_the_record() -> None:
    source = Restless()
    game = opened(source=source)
    first = game.play("c3-d5")
    game.undo()
    again = qchess.replay(game.record().to_json())
    again.source = Restless()
    assert again.play("c3-d5") == first
    assert source.asked == 1


def test_a_fork_with_new_dice_asks_anew() -> None:
    game = opened(seed=3)
    first = game.play("c3-d5").answers[0].value
    game.undo()
    said = {game.fork(seed).play("c3-d5").answers[0].value for seed in range(12)}
    assert said == {0, 1}
    assert game.play("c3-d5").answers[0].value == first


def test_a_told_answer_stands_like_any_other() -> None:
    game = opened(seed=3)
    told = game.play("c3-d5", outcome={"hit": 1})
    game.undo()
    assert game.play("c3-d5") == told


def test_an_answer_to_a_question_that_the_move_does_not_ask_is_refused() -> None:
    game = opened(seed=3)
    with pytest.raises(qchess.InvalidMoveError, match="told to 'nonsense', and the move asks 'hit'"):
        game.play("c3-d5", outcome={"nonsense": 1})
    assert len(game.history) == 2


def test_random_walks_back_and_forth_never_change_an_answer() -> None:
    """However one wanders in the tree of moves, each line has the answers it had."""
    rng, game, seen = random.Random(5), qchess.Game(Toy(limit=40), seed=9), dict[tuple[str, ...], str]()
    for _ in range(300):
        if game.history and (game.result or rng.random() < 0.4):
            game.undo()
            continue
        played = game.play(rng.choice(game.moves()))
        line = tuple(turn.text for turn in game.history[:-1])
        asked = (*line, game.rules.write(game.positions[-2], played.move))
        assert seen.setdefault(asked, played.text) == played.text
    assert sum(".m" in text for text in seen.values()) > 5


def test_a_game_without_a_seed_keeps_its_answers_too() -> None:
    game = opened()
    first = game.play("c3-d5")
    game.undo()
    assert game.play("c3-d5") == first
