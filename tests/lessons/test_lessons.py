"""Every lesson is played, in every way that it can go: what it says is what the rules do."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from qchess import errors
from qchess.lessons import progress
from qchess.lessons.lesson import Lesson, Step, UnknownLessonError, course, courses
from qchess.lessons.walk import Walk
from qchess.playing.game import Game
from qchess.showing.boardtext import cell

LESSONS = [lesson for course in courses().values() for lesson in course.lessons]
#: the phenomena that a newcomer meets, and the lesson of each
PHENOMENA = {
    "quantum-chess": {
        "split", "interference", "merge", "slide", "bell", "capture", "victim", "pawns", "castling", "en-passant",
    },
    "piece-qubit-chess": {
        "types", "action", "half-a-not", "entangle", "rook", "queen", "promotion", "kings",
    },
    "quantum-checkers": {"split", "merge", "interference", "capture", "entangle"},
    "quantum-tic-tac-toe": {"split", "entangle", "ring", "choose"},
    "niels-chess": {
        "two-places", "attempt", "inversion", "group", "zero-chance", "interference",
    },
}  # fmt: skip


def looks(game: Game, square: str) -> str:
    return cell(game.rules.view(game.position).men.get(square, ()))


def outcomes(game: Game, move: str) -> Iterator[dict[str, int]]:
    """The answers of a move, every possible combination of them."""
    for answers, p in game.chances(move).items():
        if p > 1e-9:
            yield dict(answers)


def walks(walk: Walk) -> Iterator[tuple[Walk, Step, str]]:
    """Every way through a lesson: its walk before each step, the step, and each move as played."""
    for move in walk.step.moves:
        for answers in outcomes(walk.game, move):
            yield from _onwards(walk, move, answers)


def _onwards(walk: Walk, move: str, answers: dict[str, int]) -> Iterator[tuple[Walk, Step, str]]:
    at, step, before = walk.at, walk.step, len(walk.game.history)
    played = walk.game.play(move, outcome=answers or None)
    yield walk, step, played.text
    for reply in step.reply:
        walk.game.play(reply)
    walk.at += 1
    if walk.awaits != "nothing":
        yield from walks(walk)
    walk.at = at
    while len(walk.game.history) > before:
        walk.game.undo()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"{lesson.game}-{lesson.name}")
def test_whatever_is_answered_a_lesson_says_what_is_true_on_the_board(lesson: Lesson) -> None:
    said = set()
    for walk, step, played in walks(Walk(lesson, seed=0)):
        fitting = [case for case in step.cases if played.endswith(case.when)]
        assert len(fitting) == 1, f"{played} has {len(fitting)} cases"
        assert step.case(played) is fitting[0]
        assert fitting[0].board, "what is said is shown by squares"
        assert {square: looks(walk.game, square) for square in fitting[0].board} == fitting[0].board
        said.add(fitting[0].says)
    assert said == {case.says for step in lesson.steps for case in step.cases}, "no case is told that never happens"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"{lesson.game}-{lesson.name}")
def test_the_prediction_called_right_is_right(lesson: Lesson) -> None:
    asked = [step for step in lesson.steps if step.question]
    assert asked, "a lesson asks for a prediction"
    for step in asked:
        _prove(lesson, step)


def _prove(lesson: Lesson, step: Step) -> None:
    question = step.question
    assert question is not None
    assert 2 <= len(question.choices) <= 4
    assert 0 <= question.right < len(question.choices)
    kinds = {"board", "when", "chance", "is", "stories", "count", "outcomes", "certain"}
    assert question.proof.keys() <= kinds
    proven = 0
    walk = Walk(lesson, seed=0)
    chances = _chances_before(lesson, step)
    for found, at, played in walks(walk):
        if at is step and played.endswith(question.proof.get("when", "")):
            proven += 1
            _prove_on(found.game, question.proof, question.choices[question.right])
    assert proven, "the proof is met on some way through the lesson"
    if "chance" in question.proof:
        assert sum(p for answers, p in chances.items() if dict(answers) == question.proof["chance"]) == pytest.approx(
            question.proof["is"]
        )
        _number_fits(question.choices[question.right], question.proof["is"])
    if "outcomes" in question.proof:
        assert len(chances) == question.proof["outcomes"]


def _chances_before(lesson: Lesson, step: Step) -> Any:
    """The chances of the step's move, where the lesson's questions before it have one answer."""
    walk = Walk(lesson, seed=0)
    for earlier in lesson.steps[: lesson.steps.index(step)]:
        walk.game.play(earlier.moves[0])
        for reply in earlier.reply:
            walk.game.play(reply)
    return walk.game.chances(step.moves[0])


def _prove_on(game: Game, proof: Any, right: str) -> None:
    for square, shown in proof.get("board", {}).items():
        assert looks(game, square) == shown
        (man, *more) = game.rules.view(game.position).men.get(square, (None,))
        if man is not None and not more:
            _number_fits(right, man.probability)
    for square in proof.get("certain", ()):
        assert len(game.rules.view(game.position).men[square]) == 1
    if "stories" in proof:
        assert len(game.position.registers.distribution(*proof["stories"])) == proof["count"]


def _number_fits(choice: str, probability: float) -> None:
    """A choice that begins with a number names the exact one."""
    word = choice.split()[0].rstrip(":,")
    if word.replace("/", "").isdecimal():
        assert float(Fraction(word)) == pytest.approx(probability)


def test_each_phenomenon_has_its_lesson() -> None:
    for game, names in PHENOMENA.items():
        assert {lesson.name for lesson in course(game).lessons} == names
        assert course(game).rules
        assert course(game).legend


# -- walking ------------------------------------------------------------------------------------------


def test_a_wrong_prediction_is_put_right_and_a_right_one_confirmed() -> None:
    for choice, said in (
        ("1", "Your prediction was right."),
        ("2", "Not quite. The right answer is (1) half a knight"),
    ):
        walk = Walk(course("quantum-chess").lesson("split"), seed=1)
        walk.answer(choice)
        assert walk.answer("b1^a3c3")[0].startswith(said)


def test_another_move_than_the_task_is_told_so_and_changes_nothing() -> None:
    walk = Walk(course("quantum-chess").lesson("split"), seed=1)
    walk.answer("1")
    assert walk.answer("b1-c3") == ("That move is legal, but the task here is: b1^a3c3",)
    with pytest.raises(errors.InvalidMoveError):
        walk.answer("hello")
    assert (walk.awaits, walk.game.history) == ("move", ())


@pytest.mark.parametrize("text", ["", "0", "4", "one", "b1^a3c3", "-1", "²"])
def test_what_is_no_number_of_a_choice_is_no_prediction(text: str) -> None:
    walk = Walk(course("quantum-chess").lesson("split"), seed=1)
    with pytest.raises(errors.InvalidMoveError, match="1 to 3"):
        walk.answer(text)
    assert walk.awaits == "prediction"


def test_a_lesson_ends_and_says_so() -> None:
    walk = Walk(course("quantum-chess").lesson("merge"), seed=1)
    for text in ("1", "c3 a3 -> b5"):
        walk.answer(text)
    assert walk.awaits == "nothing"
    assert walk.asks() == ()
    assert walk.answer("b5-d6") == ("The lesson is over.",)


def test_an_answer_written_with_a_lessons_move_is_not_obeyed() -> None:
    found = set()
    for seed in range(12):
        walk = Walk(course("quantum-chess").lesson("capture"), seed=seed)
        walk.answer("2")
        walk.answer("c3-d5.m1")
        found.add(walk.game.history[-1].text)
    assert found == {"c3-d5.m0", "c3-d5.m1"}


def test_lessons_are_found_by_name_and_by_number_and_others_are_named() -> None:
    assert course("quantum-chess").lesson("1").name == "split"
    with pytest.raises(UnknownLessonError, match="split"):
        course("quantum-chess").lesson("splitt")
    with pytest.raises(UnknownLessonError, match="has no lessons"):
        course("toy")


# -- progress -----------------------------------------------------------------------------------------


def test_progress_is_kept_once_each_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "state"
    assert progress.done("quantum-chess", folder) == ()
    for name in ("split", "merge", "split"):
        assert progress.finish("quantum-chess", name, folder)
    assert progress.finish("piece-qubit-chess", "types", folder)
    assert progress.done("quantum-chess", folder) == ("split", "merge")
    assert progress.done("piece-qubit-chess", folder) == ("types",)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"quantum-chess": 3}', '{"quantum-chess": [1]}', "\x00"])
def test_a_spoilt_file_of_progress_stops_nobody(text: str, tmp_path: Path) -> None:
    (tmp_path / progress.FILE).write_text(text)
    assert progress.done("quantum-chess", tmp_path) == ()
    assert progress.finish("quantum-chess", "split", tmp_path)
    assert progress.done("quantum-chess", tmp_path) == ("split",)


def test_where_nothing_can_be_kept_learning_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not progress.finish("quantum-chess", "split", tmp_path / "file")
