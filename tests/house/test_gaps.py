"""Single facts that no test once noticed: each was found by changing the code and seeing every test pass."""

from __future__ import annotations

import random
from typing import Any

import pytest

import qchess
from qchess import backends, reading
from qchess.backends.proving import checker
from qchess.circuits import Program, Registers, ask, cnot, h, precision, read, ry, where, z
from qchess.circuits.forms.qasm import qasm
from qchess.circuits.program import Branch, Discard, Step
from qchess.errors import QchessError
from qchess.games.quantum_chess.protocols import gameview
from qchess.playing import agents
from qchess.rules import Turn
from tests.toygame import Toy

ENGINE = backends.engine("sparse")


def entangled_with_the_environment(*between: Step) -> Registers:
    steps: tuple[Step, ...] = h("a"), cnot("a", "b"), ry("b", 0.5), *between, cnot("b", "e"), Discard(("e",))
    return Registers(ENGINE).run(Program(*steps)).registers


def test_states_that_differ_beside_an_environment_are_different():
    plain, turned = entangled_with_the_environment(), entangled_with_the_environment(z("a"))
    assert plain.environment
    assert plain.same_as(entangled_with_the_environment())
    assert not plain.same_as(turned)
    assert not turned.same_as(plain)


def test_a_certain_qubit_has_no_register_and_an_uncertain_one_is_in_its_own():
    board = Registers(ENGINE, full=["f"]).run(Program(h("a"), cnot("a", "b"))).registers
    assert (board.register_of("f"), board.register_of("never named")) == ((), ())
    assert set(board.register_of("b")) == {"a", "b"}


# -- what a move asks, in words ------------------------------------------------------------------------------


class Asking(Toy):
    """The toy game with a program of our choice for every move."""

    asked = Program()

    def turn(self, position: Any, move: Any) -> Turn[Any]:
        return Turn(move, self.asked)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (Program(h("a")), "asks nothing"),
        (Program(read("m", "q")), "m=0: 0.75; m=1: 0.25"),
        (Program(ask("one", where(q=1)), ask("two", where(q=0))), "one=0 two=1: 0.75; one=1 two=0: 0.25"),
    ],
)
def test_a_move_with_other_than_one_question_tells_every_way_it_can_go(program: Program, words: str):
    rules = Asking()
    rules.asked = program
    position = rules.start(ENGINE)
    turned = position.registers.run(Program(ry("q", 2 * 0.5235987755982988))).registers  # P(1) = sin^2(30 degrees)

    class Turned:
        registers = turned

    told = rules.describe(Turned(), None)  # type: ignore[arg-type]
    assert sorted(told.split("; ")) == sorted(words.split("; "))


# -- merges, away from the start -------------------------------------------------------------------------------


def test_a_view_lists_every_merge_and_no_other():
    game, rng, merges = qchess.new("quantum-chess", seed=3), random.Random(3), 0
    for _ in range(30):
        rows = gameview.write(game)["legalMoves"]["merges"]
        names = game.position.geometry.names
        found = {f"{names[row['sourceA']]}{names[row['sourceB']]}^{names[row['to']]}" for row in rows}
        assert found == {move for move in game.moves() if move.find("^") == 4}
        assert len(rows) == len(found)
        merges += len(rows)
        splits = [move for move in game.moves() if move.find("^") == 2]
        game.play(rng.choice(splits if splits and rng.random() < 0.5 else game.moves()))
    assert merges > 10


# -- files for other programs ------------------------------------------------------------------------------------


def test_cases_that_cannot_be_reached_or_do_nothing_are_not_written():
    x = Program(h("t"))
    cases = ((-1, x), (0, Program()), (1, x), (2, x))
    text = qasm(Program(h("b"), ask("hit", where(b=1)), Branch("hit", cases)))
    assert text.count("if (") == 1
    assert "== 1" in text
    assert "if (" not in qasm(Program(h("b"), ask("hit", where(b=1)), Branch("hit", ((0, Program()), (5, x)))))


# -- agents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "best"),
    [
        ("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", "d1-d5.m1"),  # a queen for nothing
        ("4k3/8/8/2n1b3/3P4/8/8/4K3 w - - 0 1", "d4-e5.m1"),  # a bishop is worth a little more than a knight
        ("4k3/8/8/2r1q3/3P4/8/8/4K3 w - - 0 1", "d4-e5.m1"),
        ("4k3/8/8/2n1r3/3P4/8/8/4K3 w - - 0 1", "d4-e5.m1"),
        ("4k3/8/8/2p1n3/3P4/8/8/4K3 w - - 0 1", "d4-e5.m1"),
        ("4k3/8/8/8/8/8/3q4/3qK3 w - - 0 1", None),
    ],
)
def test_the_greedy_agent_takes_what_is_worth_most(fen: str, best: str | None):
    game = qchess.new("quantum-chess", fen=fen, seed=1)
    chosen = agents.get("greedy").choose(agents.Task(game.rules, game.position, random.Random(1))).move
    text = game.play(chosen).text
    assert best is None or text == best
    assert best is not None or text in ("e1-d1.m1", "e1-d2.m1")


# -- the checker -------------------------------------------------------------------------------------------------------


class Rounding:
    """An engine whose amplitudes are off by a fixed amount."""

    def __init__(self, off: float) -> None:
        self.off = off
        self.engine = backends.engine("sparse")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def amplitudes(self, state: Any, order: Any = None) -> dict[int, complex]:
        found = self.engine.amplitudes(state, order)
        first = next(iter(found))
        return {**found, first: found[first] + self.off}


def test_the_checker_is_as_strict_as_it_says():
    assert precision.SAME == 1e-9
    for off in (2e-9, 1e-6):
        with pytest.raises(checker.CheckError):
            checker.check_engine(Rounding(off), programs=2)
    report = checker.check_engine(Rounding(2e-10), programs=1)
    assert 1e-10 < report.worst < 1e-9


def test_a_number_may_have_64_letters_and_no_more() -> None:
    for longest in ("0." + 62 * "1", 64 * "1"):
        assert reading.json_value(longest, "a number") == pytest.approx(float(longest))
        with pytest.raises(QchessError, match="a number"):
            reading.json_value(longest + "1", "a number")
