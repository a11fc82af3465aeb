"""The checker that every game has to pass; authors of games call it as the tests do.

    report = check_game(MyRules())

It plays seeded random games and checks each position against the laws of `qchess.proving.laws`: probabilities that sum
to 1 and agree with draws, texts that read back, undo and replay that restore exactly, refusals that change nothing, and
the same amplitudes on every engine. `check_engine` does the same for a backend's engine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from qchess import backends
from qchess.backends.proving.checker import CheckError, check_engine
from qchess.circuits.precision import SAME
from qchess.errors import IllegalMoveError, QchessError, StateTooLargeError
from qchess.playing.game import Game
from qchess.playing.record import Record
from qchess.playing.replaying import NOTHING_DRAWN
from qchess.playing.spread import spread
from qchess.proving import laws
from qchess.proving.core_law import CoreLaw
from qchess.proving.laws import LawError
from qchess.rules import Rules

__all__ = ["CheckError", "GameCheckError", "Report", "check_engine", "check_game"]

#: engines are compared while no register has more qubits than this
SMALL = 12
#: after every this many plies the last move is taken back and played again
UNDO_EVERY = 5
#: so many games are one job: a move of one is refused in the positions of the next
TOGETHER = 10


class GameCheckError(AssertionError):
    """A game broke a law; the message has the seed and the record that lead there."""

    def __init__(self, game: str, seed: int, backend: str, record: Record, law: str) -> None:
        moves = " ".join(record.moves()) or "no move"
        super().__init__(f"{game}, seed {seed}, on {backend}, after {moves}: {law}")
        self.game, self.seed, self.backend, self.record, self.law = game, seed, backend, record, law

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.seed, self.backend, self.record, self.law)


@dataclass(slots=True)
class Report:
    """What a passed check covered."""

    game: str
    games: int = 0
    plies: int = 0
    finished: int = 0
    moves: int = 0
    answers: int = 0
    draws: int = 0
    compared: int = 0
    #: positions in which the game's core was compared with the rules
    core: int = 0

    def add(self, other: Report) -> None:
        """Add what other games covered."""
        for name in ("games", "plies", "finished", "moves", "answers", "draws", "compared", "core"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def check_game(
    rules: Rules[Any, Any],
    *,
    games: int = 3,
    plies: int = 40,
    seed: int = 0,
    engines: Sequence[str] = ("sparse",),
    frequency: int = 300,
    sample: int = 40,
    playouts_every: int = 1,
    workers: int = 1,
    cluster: str | None = None,
) -> Report:
    """Play random games on the first engine and check every law; raises `GameCheckError`.

    The other engines replay each game while registers are small. `frequency` draws test the odds of open
    questions; of longer lists of moves, only a `sample` is checked for texts and refusals. A game's core
    plays from every position to the end, or in long runs from one position in `playouts_every`.
    Many games may be shared among `workers` (processes) or by a Dask `cluster`; the report is the same.
    """
    report, seeds = Report(rules.name), range(seed, seed + games)
    check = partial(_checked, rules, engines, plies, (sample, frequency), playouts_every)
    jobs = (seeds[first : first + TOGETHER] for first in range(0, games, TOGETHER))
    for _, covered in spread(check, jobs, workers=workers, cluster=cluster):
        report.add(covered)
    return report


def _checked(
    rules: Rules[Any, Any],
    engines: Sequence[str],
    plies: int,
    sizes: tuple[int, int],
    playouts_every: int,
    seeds: range,
) -> Report:
    """Play a game with each seed, and report what was covered."""
    report, met, core = Report(rules.name, games=len(seeds)), laws.Laws(rules, *sizes), rules.core()
    law = CoreLaw(rules, core, playouts_every) if core else None
    for seed in seeds:
        _Play(rules, engines, seed, met, report, law).run(plies)
    report.moves, report.answers, report.draws = met.moves, met.answers, met.draws
    report.core = law.positions if law else 0
    return report


class _Play:
    """One random game, checked against the laws."""

    def __init__(
        self,
        rules: Rules[Any, Any],
        engines: Sequence[str],
        seed: int,
        met: laws.Laws,
        report: Report,
        core: CoreLaw | None,
    ) -> None:
        self.rules, self.engines, self.seed = rules, engines, seed
        self.rng = random.Random(seed)
        self.laws, self.report, self.core = met, report, core
        self.game = Game(rules, backends.get(engines[0]), seed=seed)
        self.positions: list[Any] = [self.game.position]
        self.snapshots = [laws.snapshot(self.game.position)]

    def run(self, plies: int) -> None:
        """Play on, checking every position; then the whole game."""
        try:
            while len(self.positions) <= plies and self.game.result is None:
                self._check_position()
                self._turn()
            self.laws.check_shown(self.game.position)
            if self.core:
                self.core(self.game.position, self.rng)
            self._check_end()
            self._check_undo(len(self.positions) - 1)
            self._check_old_positions()
            for engine in self.engines:
                self._check_replay(engine)
        except LawError as broken:
            raise self._error(str(broken)) from broken
        except QchessError as error:
            raise self._error(f"a legal game was stopped: {error}") from error

    def _error(self, law: str) -> GameCheckError:
        return GameCheckError(self.rules.name, self.seed, self.game.backend.name, self.game.record(), law)

    def _check_position(self) -> None:
        self.laws.check_position(self.game.position, self.rng)
        for law in self.rules.laws():
            law(self.game.position)
        if self.core:
            self.core(self.game.position, self.rng)

    def _turn(self) -> None:
        move = self.rng.choice(list(self.rules.moves(self.game.position)))
        self.game.play(move)
        self.positions.append(self.game.position)
        self.snapshots.append(laws.snapshot(self.game.position))
        self.report.plies += 1
        if len(self.positions) % UNDO_EVERY == 0:
            self._check_undo(1)
            self._check_standing(move)

    def _check_undo(self, depth: int) -> None:
        """Check that undoing and redoing some moves gives the same positions."""
        for back in range(1, depth + 1):
            self.game.undo()
            self._expect(self.game.position is self.positions[-1 - back], f"undo of {back} moves gave another position")
        for back in reversed(range(depth)):
            self.game.redo()
            self._expect(
                self.game.position is self.positions[len(self.positions) - 1 - back], "redo gave another position"
            )

    def _check_standing(self, move: Any) -> None:
        """Check that a move taken back and played again gets the same answers."""
        before = self.game.undo()
        again = self.game.play(move)
        self._expect(again == before, f"{before} was taken back, and played again it came out as {again}")
        self.positions[-1] = self.game.position
        self._expect(laws.snapshot(self.game.position) == self.snapshots[-1], f"{again} led to another position again")

    def _check_old_positions(self) -> None:
        for ply, (position, before) in enumerate(zip(self.positions, self.snapshots, strict=True)):
            self._expect(laws.snapshot(position) == before, f"the position of ply {ply} was changed by later play")

    def _check_end(self) -> None:
        """Check that a finished game names its winner and takes no more moves."""
        result = self.game.result
        if result is None:
            return
        self.report.finished += 1
        self._expect(result.winner is None or result.winner in self.rules.players, f"{result.winner!r} is no player")
        position = self.game.position
        for move in list(self.rules.moves(position))[:1] or [played.move for played in self.game.history[-1:]]:
            try:
                self.game.play(move)
            except IllegalMoveError:
                continue
            self._expect(False, f"the game is over, yet {move} was played")
        self._expect(self.game.position is position, "a refused move changed the position")

    def _check_replay(self, engine: str) -> None:
        """Check that the record, through JSON, gives the same game again, with the rules its options rebuild."""
        record = self.game.record()
        again = Record.from_json(record.to_json())
        self._expect(again.to_json() == record.to_json(), "the record does not read back from JSON")
        rules = type(self.rules)(**again.options)
        same_engine = engine == self.engines[0]
        game: Game[Any, Any] = Game(rules, backends.get(engine), source=NOTHING_DRAWN)
        self._compare(game.position, 0, engine)
        for ply, entry in enumerate(again.entries, 1):
            if not same_engine and _largest(self.positions[ply - 1]) > SMALL:
                return
            try:
                played = game.play(entry.move, outcome=entry.answers)
            except StateTooLargeError:
                if same_engine:
                    raise
                return  # a dense engine may say no to what the sparse one holds
            pairs = zip(played.answers, entry.answers, strict=True)
            far = [old.name for new, old in pairs if abs(new.probability - old.probability) > SAME]
            self._expect(not far, f"on {engine}, the odds of {far} at ply {ply} differ from the record's")
            self._compare(game.position, ply, engine)
        self._expect(game.result == self.game.result, f"replayed on {engine}, the game ended as {game.result}")

    def _compare(self, position: Any, ply: int, engine: str) -> None:
        mine = self.positions[ply]
        self._expect(position.key() == mine.key(), f"replayed on {engine}, the key of ply {ply} differs")
        same = mine.registers.same_as(position.registers, SAME)
        self._expect(same, f"replayed on {engine}, the registers of ply {ply} differ: {position.registers!r}")
        self.report.compared += 1

    def _expect(self, holds: bool, law: str) -> None:
        if not holds:
            raise LawError(law)


def _largest(position: Any) -> int:
    return max(map(len, position.registers.registers), default=0)
