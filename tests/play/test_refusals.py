"""Whether a move is refused never depends on its answer: near every limit, on engines and on a device."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.backends.devices.sampler import Capabilities
from qchess.backends.devices.source import DeviceSource
from qchess.circuits import Pause, Registers, Sample, Seeded
from qchess.errors import BackendError, StateTooLargeError
from qchess.games import rules as rules_of

#: how many open questions are tried on each engine
MANY = int(os.environ.get("QCHESS_QUESTIONS", "150"))


def questions(rules: Any, seed: int) -> Iterator[tuple[Any, Any]]:
    """Positions of random games, each with its moves that ask an open question."""
    rng, dice = random.Random(seed), Seeded(seed)
    while True:
        position = rules.start(backends.engine())
        while rules.result(position) is None and position.ply < 60:
            moves = list(rules.moves(position))
            for move in rng.sample(moves, min(40, len(moves))):
                at = rules.begin(position, rules.turn(position, move))
                if isinstance(at, Pause):
                    yield position, move
            position, _ = rules.step(position, rng.choice(moves), dice)


def verdicts(rules: Any, position: Any, move: Any, registers: Registers, most: int | None) -> set[str]:
    """What becomes of the move, for each answer that could come."""
    turn, found = rules.turn(position, move), set()
    at = position.registers.start(turn.program)
    for value in at.odds:
        try:
            registers.run(turn.program, _First(value), most)
            found.add("passed")
        except StateTooLargeError:
            found.add("refused")
    return found


class _First:
    """Gives the first question this answer, and later ones the likeliest."""

    def __init__(self, value: int) -> None:
        self.value = value

    def draw(self, pause: Pause) -> Sample:
        likeliest = max(pause.odds, key=lambda value: pause.odds[value])
        return Sample(likeliest if pause.answers else self.value, "first")


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["standard", "sdk-0.2.2"])
@pytest.mark.parametrize("limited", ["sparse", "cirq", "max_branches"])
def test_near_every_limit_a_question_is_refused_for_all_answers_or_for_none(limited: str, profile: str) -> None:
    rules, seen, tried = rules_of("quantum-chess", profile=profile), Counter[str](), 0
    for position, move in questions(rules, 1):
        registers = position.registers
        branches = max((register.branches for register in registers.each), default=1)
        width = max((len(register.qubits) for register in registers.each), default=1)
        if width > 12 or branches > 64:
            continue
        for limit in _near(limited, branches, width):
            if limited == "max_branches":
                found = verdicts(rules, position, move, registers, limit)
            else:
                engine = backends.engine(limited, branch_limit=limit)
                prepared = [(each.qubits, each.amplitudes(each.qubits)) for each in registers.each]
                there = Registers.prepared(backends.engine(limited), prepared, registers.full)
                found = verdicts(
                    rules, position, move, Registers.made(engine, there.home, 1, registers.environment, None), None
                )
            assert len(found) == 1, (rules.write(position, move), limit, found)
            seen.update(found)
        tried += 1
        if tried >= MANY:
            break
    assert min(seen["passed"], seen["refused"]) > MANY // 10, seen


def _near(limited: str, branches: int, width: int) -> set[int]:
    """Limits that such a register just meets or just misses."""
    if limited == "cirq":
        return {2 ** (width + more) for more in (-1, 0, 1, 2)}
    return {max(1, branches // 2), branches, branches + 1, 2 * branches}


#: a knight in three places, two of which attack the pawn on d6
START, OPENING = "4k3/8/3p4/8/8/8/8/1N2K3 w - - 0 1", ("b1^a3c3", "e8-e7", "c3^b5e4", "e7-e8")


class Counted(Seeded):
    """Dice that count how often they are thrown."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.thrown = 0

    def at(self, line: str) -> Counted:
        return self

    def draw(self, pause: Pause) -> Sample:
        self.thrown += 1
        return super().draw(pause)


def test_a_game_with_a_limit_refuses_before_its_dice_are_thrown() -> None:
    """A capture that grows on yes alone could once be tried until no came."""
    passed = refused = 0
    for most in range(1, 9):
        game = qchess.new("quantum-chess", fen=START)
        for move in OPENING:
            game.play(move)
        dice = Counted(most)
        rules = rules_of("quantum-chess", fen=START, max_branches=most)
        limited = qchess.Game(rules, source=dice, start=game.position)
        try:
            limited.play("b5-d6")
            passed += 1
        except StateTooLargeError:
            assert dice.thrown == 0
            assert limited.position is game.position
            refused += 1
    assert passed
    assert refused


def test_a_device_that_is_too_narrow_refuses_before_any_shot() -> None:
    class Narrow:
        name = "narrow"
        capabilities = Capabilities(max_qubits=2)
        runs = 0

        def run(self, circuits: Any, shots: int, seed: int | None) -> Any:
            self.runs += 1
            raise AssertionError("nothing is run that does not fit")

    sampler = Narrow()
    game = qchess.new("quantum-chess", fen=START, source=DeviceSource(sampler, strategy="replay", seed=1))
    for move in OPENING:
        game.play(move)
    for _ in range(5):
        with pytest.raises(BackendError, match="has 2 qubits"):
            game.play("b5-d6")
    assert sampler.runs == 0
    assert len(game.history) == len(OPENING)
