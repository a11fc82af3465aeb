"""Plies by a core beside the same plies by the rules: how the tests play and compare them."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import qchess
from qchess import backends
from qchess.circuits.engine import Answer
from qchess.circuits.register import Register
from qchess.circuits.sources import Seeded
from qchess.late import Late
from qchess.rules import Rules

Game = qchess.Game


def parts(position: Any) -> dict[str, Any]:
    """Everything that a position holds, bit for bit, with the order of what has one."""
    found: dict[str, Any] = {row.name: getattr(position, row.name) for row in fields(position)}
    registers = found.pop("registers")
    numbers = {id(register): k for k, register in enumerate(registers.each)}
    found = {name: (held, repr(held)) for name, held in found.items()}
    found["home"] = [(q, numbers[id(at)] if isinstance(at, Register) else at) for q, at in registers.home.items()]
    found["states"] = [(r.qubits, repr(sorted(r.amplitudes().items()))) for r in registers.each]
    found["phase"], found["environment"] = repr(registers.phase), registers.environment
    found["past"] = repr(registers.past and registers.past.__reduce__()[1])
    return found


def by_rules(rules: Any) -> Any:
    """Return rules whose core plays nothing any more."""
    rules.at_once = lambda *_: None
    return rules


def ways(rules: Rules[Any, Any], position: Any, move: Any) -> list[Any]:
    """Every way a move can end; a turn is played by the rules."""
    found = list(rules.outcomes(position, move))
    assert all(way.position.registers is way.run.registers for way in found)
    return [(way.answers, way.probability, way.run.answers, parts(way.position)) for way in found]


class Twins:
    """One game played twice, by a core and by the rules, with the same moves and dice, and compared on the way.

    Some games are looked at often, some hardly ever: then a long line of positions waits for the end.
    """

    def __init__(self, make: Callable[[], Any], seed: int) -> None:
        self.fast, self.slow, self.rng = make(), by_rules(make()), random.Random(seed)
        self.late, self.early = (rules.start(backends.engine("sparse")) for rules in (self.fast, self.slow))
        self.dice, self.same_dice = Seeded(seed), Seeded(seed)
        self.looks = self.rng.choice((0.0, 0.02, 0.4))
        self.kept: list[tuple[Any, Sequence[Answer], Any, Sequence[Answer]]] = []
        self.by_core = 0

    def play(self, move: Any) -> Sequence[Answer]:
        """Play a move both ways; gives its answers."""
        here, turn = len(self.kept), self.slow.turn(self.early, move)
        if self.rng.random() < self.looks / 4:
            assert ways(self.fast, self.late, move) == ways(self.slow, self.early, turn), (here, move)
        answers: Sequence[Answer]
        self.late, answers = self.fast.step(self.late, move, self.dice)
        self.early, same = self.slow.step_by_rules(self.early, turn, self.same_dice)
        self.by_core += isinstance(self.late, Late)
        assert [(a.name, a.value, a.source) for a in answers] == [(a.name, a.value, a.source) for a in same], (
            here,
            move,
        )
        self.kept.append((self.late, answers, self.early, same))
        if self.rng.random() < self.looks:
            assert parts(self.late) == parts(self.early), (here, move)
        return answers

    def finish(self) -> int:
        """Compare every position and answer, in any order; gives how many plies the core played."""
        assert self.dice.rng.getstate() == self.same_dice.rng.getstate()
        self.rng.shuffle(self.kept)
        for late, answers, early, same in self.kept:
            if self.rng.random() < 0.5:  # an answer may be the first to be looked at, or its position
                assert answers == same
            assert parts(late) == parts(early)
            assert answers == same
        return self.by_core


def late_one(name: str, plies: int = 12, seed: int = 3) -> tuple[Any, Any]:
    """The rules of a game, and a position after some plies of its core, at which nobody has looked."""
    rules = qchess.new(name).rules
    position, dice, rng = rules.start(backends.engine("sparse")), Seeded(seed), random.Random(seed)
    for _ in range(plies):
        position, _ = rules.step(position, rng.choice(rules.moves(position)), dice)
    assert isinstance(position, Late)
    return rules, position


def require_same_game(fast: Game, slow: Game, answers: int) -> None:
    """Require that a game by the core is one by the rules, and had so many answers."""
    assert sum(len(played.answers) for played in fast.history) >= answers
    assert any(isinstance(position, Late) for position in fast.positions)
    assert fast.record().to_json() == slow.record().to_json()
    assert fast.history == slow.history
    assert [(p.line, p.asked) for p in fast.history] == [(p.line, p.asked) for p in slow.history]
    assert [*map(str, fast.history)] == [*map(str, slow.history)]
    assert fast.state.answers == slow.state.answers
    assert parts(fast.position) == parts(slow.position)


def require_gone_with_its_game(name: str, plies: int) -> None:
    """Require that positions and answers of a game go as soon as nobody holds it, with no collector."""
    game, rng = qchess.new(name, seed=1), random.Random(1)
    gc.disable()
    try:
        while not game.is_over and len(game.history) < plies:
            game.play(rng.choice(game.moves()))
        assert any(played.answers for played in game.history)
        held = [weakref.ref(position) for position in game.positions[1:]]
        del game
        assert all(position() is None for position in held)
    finally:
        gc.enable()
