"""Runs that pause: values that are kept, copied and resumed; and refusals that no answer decides."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qchess import backends
from qchess.backends.proving.random_programs import random_run
from qchess.circuits import (
    AnswerSource,
    BackendError,
    Draw,
    FixedAnswers,
    Forced,
    ImpossibleOutcomeError,
    Pause,
    Program,
    ProgramError,
    Registers,
    Run,
    Sample,
    Seeded,
    StateTooLargeError,
    ask,
    capture,
    full,
    h,
    read,
    split,
    when,
    x,
)
from qchess.circuits.chances import chances, explore
from qchess.circuits.engine import complete
from qchess.circuits.program import Question
from qchess.circuits.sources import Throw

ENGINES = ("sparse", "cirq", "aer")


def board(engine: str = "sparse", **options: Any) -> Registers:
    """A knight on a3 and on c3, another on d5 for certain."""
    return Registers(backends.engine(engine, **options), ["b1", "d5"]).run(split("b1", "a3", "c3")).registers


TWICE = Program(ask("first", full("a3")), when("first", {0: Program(h("q"))}), ask("second", full("q")))


def test_a_run_without_an_open_question_does_not_pause() -> None:
    at = board().start(Program(x("e4"), ask("there", full("d5"))))
    assert isinstance(at, Run)
    assert [(answer.name, answer.value, answer.source) for answer in at.answers] == [("there", 1, "certain")]


def test_a_pause_holds_the_question_its_odds_and_the_registers_it_is_asked_of() -> None:
    at = board().start(TWICE)
    assert isinstance(at, Pause)
    assert at.step.name == "first"
    assert at.odds == {1: pytest.approx(0.5), 0: pytest.approx(0.5)}
    assert at.registers.probability("a3") == pytest.approx(0.5)
    assert at.answers == ()


def test_a_pause_is_resumed_twice_with_different_answers() -> None:
    at = board().start(TWICE)
    assert isinstance(at, Pause)
    yes, no = at.resume(1), at.resume(0)
    assert isinstance(yes, Run)  # then q is certainly empty
    assert [answer.value for answer in yes.answers] == [1, 0]
    assert isinstance(no, Pause)
    assert (no.step.name, [answer.value for answer in no.answers]) == ("second", [0])
    assert at.registers.probability("a3") == pytest.approx(0.5)


def test_an_answer_of_probability_0_is_refused_and_the_pause_can_still_be_resumed() -> None:
    at = board().start(Program(read("where", "a3", "c3")))
    assert isinstance(at, Pause)
    with pytest.raises(ImpossibleOutcomeError, match=r"the possible answers are \[1, 2\]"):
        at.resume(3)
    assert isinstance(at.resume(2), Run)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_pause_pickles_and_goes_on_as_it_would_have(engine: str) -> None:
    at = board(engine).start(TWICE)
    assert isinstance(at, Pause)
    copy = pickle.loads(pickle.dumps(at))
    for answer in (0, 1):
        here, there = at.resume(answer), copy.resume(answer)
        assert type(here) is type(there)
        assert here.registers.same_as(there.registers)
        assert here.answers == there.answers


def test_a_thrown_number_selects_the_answer_in_whose_part_of_0_to_1_it_lies() -> None:
    """The parts are as wide as the odds: yes before no, and read-outs in ascending order."""
    seen = set()
    for seed in range(40):
        qubits, state, program = random_run(np.random.default_rng(seed), 5, 10)
        at = Registers.prepared(backends.engine(), [(qubits, state)]).start(program)
        if not isinstance(at, Pause):
            continue
        asks, low = isinstance(at.step, Question), 0.0
        for value in sorted(at.odds, reverse=asks):
            high = low + at.odds[value]
            for number in (low + 1e-9, high - 1e-9):
                assert Throw(number, "given").draw(at).value == value, (seed, dict(at.odds), number)
            low = high
        seen.add((asks, len(at.odds)))
    assert {(True, 2), (False, 2), (False, 3)} <= seen


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_every_way_is_explored_once_and_equals_a_forced_run(seed: int) -> None:
    qubits, start, program = random_run(np.random.default_rng(seed), 5, 10)
    registers = Registers.prepared(backends.engine(), [(qubits, start)])
    found = list(explore(registers, program))
    assert sum(chance.probability for chance in found) == pytest.approx(1, abs=1e-12)
    assert len({tuple(chance.answers.items()) for chance in found}) == len(found)
    for chance in found[:8]:
        forced = registers.run(program, FixedAnswers(chance.answers))
        assert forced.registers.same_as(chance.run.registers)
        assert [answer.probability for answer in forced.answers] == [a.probability for a in chance.run.answers]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_chances_are_those_of_exploring(seed: int) -> None:
    qubits, start, program = random_run(np.random.default_rng(seed), 5, 10)
    registers = Registers.prepared(backends.engine(), [(qubits, start)])
    explored = {tuple(chance.answers.items()): chance.probability for chance in explore(registers, program)}
    told = chances(registers, program)
    assert list(told) == sorted(explored)
    assert all(told[answers] == pytest.approx(p, abs=1e-12) for answers, p in explored.items())


def test_chances_run_nothing_behind_the_last_question() -> None:
    """Odds can be told of a move that would be refused: what is too large lies behind the question."""
    small = board(branch_limit=4)
    late = Program(ask("there", full("a3")), h("q0"), h("q1"), *(x("t").when({"a3": 1, f"q{k}": 1}) for k in (0, 1)))
    wide = late + Program(*(h(f"q{k}") for k in (2, 3)), x("u").when({"t": 1, "q2": 1, "q3": 1}))
    with pytest.raises(StateTooLargeError):
        small.run(wide, FixedAnswers([1]))
    assert chances(small, wide) == {(("there", 0),): pytest.approx(0.5), (("there", 1),): pytest.approx(0.5)}
    assert wide.until_answered() == Program(wide.steps[0])
    assert Program(h("q")).until_answered() == Program()
    assert (TWICE + h("e4")).until_answered() == TWICE
    assert chances(small, Program(h("q"))) == {(): 1.0}


def test_seeded_dice_at_a_point_say_the_same_whatever_was_asked_before() -> None:
    at = board().start(TWICE)
    assert isinstance(at, Pause)
    dice = Seeded(3)
    said = [dice.at(f"move {k}").draw(at).value for k in range(200)]
    for _ in range(5):
        dice.draw(at)
    assert [dice.at(f"move {k}").draw(at).value for k in range(200)] == said
    assert 60 < sum(said) < 140  # 100 +- 5.6 standard deviations
    assert [Seeded(4).at(f"move {k}").draw(at).value for k in range(200)] != said


# -- told answers -------------------------------------------------------------------------------------------


def test_told_answers_are_matched_by_name() -> None:
    run = board().run(TWICE, FixedAnswers({"second": 1, "first": 0}))
    assert [(answer.name, answer.value) for answer in run.answers] == [("first", 0), ("second", 1)]


class Loose:
    """A source made elsewhere: it draws, and has a name for records."""

    text = "loose:1"

    def draw(self, pause: Pause) -> Sample:
        return Sample(1, "loose")


class Checking(Loose):
    """It offers more."""

    def at(self, line: str) -> Loose:
        return Loose()

    def confirm(self, answers: Any) -> None:
        raise BackendError(f"{len(answers)} answers came")

    def submit(self, pause: Pause) -> dict[str, Any]:
        return {}


def test_older_names_of_sources_stay() -> None:
    assert backends.Forced is Forced is FixedAnswers
    assert Draw is Sample


def test_a_source_made_elsewhere_keeps_what_it_offers_and_gets_the_rest() -> None:
    loose, program = complete(Loose()), Program(ask("there", full("a3")))
    assert (loose.text, loose.sampler, loose.slow, loose.at("a move")) == ("loose:1", None, False, loose)
    assert complete(loose) is loose
    assert complete(dice := Seeded(1)) is dice
    assert board().run(program, Loose()).answers[0].source == "loose"
    more = complete(Checking())
    assert more.slow
    assert isinstance(more.at("a move"), Loose)
    with pytest.raises(BackendError, match="1 answers came"):
        board().run(program, Checking())
    with pytest.raises(BackendError, match=r"AnswerSource needs a method draw\(pause\)"):
        board().run(program, AnswerSource())
    with pytest.raises(ProgramError, match=r"questions are answered by a source, such as .* got 7"):
        board().run(program, 7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "complaint"),
    [
        ({"first": 1, "third": 1}, "given to 'third', which was not asked"),
        ({"first": 1, "second": 1}, "answer 1 to 'second' has probability 0; the certain answer is 0"),
        ([1, 0, 0], "3 answers were given, and 2 were asked"),
        ([0], "'second' is open .* no answer was given"),
    ],
)
def test_what_is_told_wrong_is_refused(told: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        board().run(TWICE, FixedAnswers(told))


# -- no answer decides a refusal ------------------------------------------------------------------------------


class Counts:
    """A source that notes whether it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def draw(self, pause: Pause) -> Sample:
        self.asked += 1
        return Sample(max(pause.odds, key=lambda value: pause.odds[value]), "counted")


GROWS_ON_YES = Program(ask("yes", full("a3")), when("yes", {1: Program(h("p"), h("q"), h("r"), *(
    step for step in (x("s").when({"p": 1}), x("t").when({"q": 1}), x("s").when({"r": 1, "t": 0}))))}))  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_too_large_after_one_answer_is_refused_before_anything_is_asked(engine: str) -> None:
    source, small = Counts(), board(engine)
    engine_of = backends.engine(engine, branch_limit=7)
    small = Registers.made(engine_of, small.home, small.phase, small.environment, small.past)
    with pytest.raises(StateTooLargeError):
        small.run(GROWS_ON_YES, source)
    assert source.asked == 0
    assert small.probability("a3") == pytest.approx(0.5)


def test_a_games_own_limit_is_decided_before_anything_is_asked() -> None:
    source = Counts()
    with pytest.raises(StateTooLargeError, match="the game allows 4"):
        board().run(GROWS_ON_YES, source, most=4)
    assert source.asked == 0
    assert board().run(GROWS_ON_YES, source, most=8).answers[0].value in (0, 1)


@pytest.mark.parametrize("engine", ["sparse", "cirq"])
def test_near_every_limit_a_move_is_refused_for_every_answer_or_for_none(engine: str) -> None:
    """Captures, as in play, at every branch limit: each either passes for both answers or is refused for both."""
    refused = passed = 0
    for limit in range(2, 40):
        registers = Registers(backends.engine(engine), ["b1", "d5", "g1"])
        for move in (split("b1", "a3", "c3"), split("g1", "f3", "h3"), split("d5", "e7", "c7")):
            registers = registers.run(move).registers
        limited = Registers.made(
            backends.engine(engine, branch_limit=limit), registers.home, registers.phase, frozenset(), None
        )
        for program in (capture("c3", "c7", "x1"), capture("f3", "e7", "x1", ("a3",)), GROWS_ON_YES):
            outcomes = set()
            for answer in (0, 1):
                try:
                    limited.run(program, FixedAnswers({program.answers[0]: answer}))
                    outcomes.add("passed")
                except StateTooLargeError:
                    outcomes.add("refused")
            assert len(outcomes) == 1
            refused += outcomes == {"refused"}
            passed += outcomes == {"passed"}
    assert min(refused, passed) > 5
