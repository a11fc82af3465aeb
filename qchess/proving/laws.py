"""The laws that hold in every position of every game; `qchess.proving.checking` plays games to try them.

Each check raises `LawError` with one sentence that names the move and both values.
"""

from __future__ import annotations

import math
import pickle
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from qchess.circuits.precision import SAME
from qchess.circuits.registers import Registers
from qchess.circuits.sources import FixedAnswers, Seeded
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.outcome import Outcome
from qchess.rules import Rules

#: texts that are not a move in any game
NONSENSE = ("", " ", "?!", "move", "0000", "z9-z10", "a0a0", "\x00", "^^^", "é1-é2", "a1" * 50, "-", "🐴", "None", "{}")
#: how many moves of other positions are kept to be refused, how many a position tries, and how many it runs
POOL, REFUSED, RUN = 300, 12, 5
#: pictures are slower than play: they are drawn every this many positions
SHOWN_EVERY = 10
#: the highest false alarm rate of a frequency test
FALSE_ALARM = 1e-6


class LawError(Exception):
    """A law does not hold; the message says which, and for what."""


def require(holds: bool, law: str) -> None:
    """Raise `LawError` unless the law holds."""
    if not holds:
        raise LawError(law)


def snapshot(position: Any) -> tuple[Any, ...]:
    """Return everything in a position, as comparable values."""
    return position.key(), amplitudes(position.registers)


def amplitudes(registers: Registers) -> tuple[Any, ...]:
    """Return all amplitudes of registers, exactly."""
    states = ((register.qubits, register.amplitudes()) for register in registers.each)
    return registers.full, tuple((qubits, tuple(sorted(a.items()))) for qubits, a in states)


class Laws:
    """Checks the laws of single positions, and remembers what it has seen of the game."""

    def __init__(self, rules: Rules[Any, Any], sample: int, frequency: int) -> None:
        self.rules, self.sample, self.frequency = rules, sample, frequency
        #: moves of earlier positions with their texts there
        self.pool: dict[Any, str] = {}
        self.moves = self.answers = self.draws = 0
        self.positions = 0

    def check_position(self, position: Any, rng: random.Random) -> None:
        """Check a position, its moves and its refusals against every law."""
        before = snapshot(position)
        moves = list(self.rules.moves(position))
        require(bool(moves), "the game is not over, yet there is no legal move")
        require(len(set(moves)) == len(moves), f"moves are listed twice: {_twice(moves)}")
        require(list(self.rules.moves(position)) == moves, "the moves come in another order when listed again")
        chosen = moves if len(moves) <= self.sample else rng.sample(moves, self.sample)
        for move in chosen:
            self._check_text(position, move)
        self._check_refusals(position, moves, chosen, rng)
        for move in chosen[:RUN]:
            self._check_run(position, move, rng)
        if self.positions % SHOWN_EVERY == 0:
            self.check_shown(position)
        self.positions += 1
        _check_norms(position)
        require(snapshot(position) == before, "a query changed the position")
        self._remember(position, chosen)

    # -- texts ----------------------------------------------------------------------------------------

    def _check_text(self, position: Any, move: Any) -> None:
        self.moves += 1
        text = self.rules.write(position, move)
        try:
            self.rules.check(position, move)
            back, answers = self.rules.read(position, text)
        except (IllegalMoveError, InvalidMoveError) as error:
            raise LawError(f"the listed move {text!r} is refused: {error}") from error
        require(back == move, f"{text!r} reads back as {self.rules.write(position, back)!r}")
        require(not answers, f"{text!r} was not played, yet it reads back with the answers {answers}")

    def _check_refusals(self, position: Any, moves: Sequence[Any], chosen: Sequence[Any], rng: random.Random) -> None:
        """Check that invalid and illegal moves are refused by the right error; near misses may be other moves."""
        legal = set(moves)
        others = [move for move in self.pool if move not in legal]
        for move in rng.sample(others, min(REFUSED, len(others))):
            self._check_illegal(position, move, legal)
        misses = [_garbled(self.rules.write(position, move), rng) for move in chosen[:REFUSED]]
        for text in [*NONSENSE, *misses, *rng.sample(list(self.pool.values()), min(REFUSED, len(self.pool)))]:
            try:
                read, _ = self.rules.read(position, text)
            except (IllegalMoveError, InvalidMoveError):
                continue
            require(text not in NONSENSE, f"the invalid text {text!r} was read as {read}")
            require(read in legal, f"{text!r} was read as {read}, which is not listed here")

    def _check_illegal(self, position: Any, move: Any, legal: set[Any]) -> None:
        """Check that a move of another position is refused, unless it abbreviates a legal one."""
        try:
            self.rules.check(position, move)
        except IllegalMoveError:
            return
        full, _ = self.rules.read(position, self.rules.write(position, move))
        told = f"the move {self.pool[move]!r} of another position"
        require(full in legal, f"{told} is not listed here, yet check() lets it pass")

    def _remember(self, position: Any, moves: Sequence[Any]) -> None:
        for move in moves[: max(0, POOL - len(self.pool))]:
            self.pool[move] = self.rules.write(position, move)

    # -- chances --------------------------------------------------------------------------------------

    def _check_run(self, position: Any, move: Any, rng: random.Random) -> None:
        """Check that every way the move can go has its probability, can be forced, and leads to a sound position."""
        text = self.rules.write(position, move)
        found = list(self.rules.outcomes(position, move))
        total = sum(way.probability for way in found)
        require(abs(total - 1) < SAME, f"the chances of {text!r} sum to {total!r}")
        told = self.rules.chances(position, move)
        require(len(told) == len(found), f"{text!r} has {len(found)} ways to go, chances() tells {len(told)}")
        for way in found:
            self._check_outcome(position, move, way, told.get(tuple(way.answers.items()), 0.0))
        if len(found) > 1:
            self.check_frequencies(position, move, told, rng)
        require("\n" not in self.rules.describe(position, move), f"describe() of {text!r} has more than one line")

    def _check_outcome(self, position: Any, move: Any, way: Outcome[Any], told: float) -> None:
        text = self.rules.write(position, move)
        require(abs(told - way.probability) < SAME, f"{text!r}: chances() says {told}, not {way.probability}")
        after, answers = self.rules.step(position, move, FixedAnswers(way.answers))
        forced = math.prod(answer.probability for answer in answers)
        require(
            abs(forced - way.probability) < SAME,
            f"{text!r} forced to {way.answers} has probability {forced}",
        )
        same = after.registers.same_as(way.position.registers, SAME) and after.key() == way.position.key()
        require(same, f"{text!r} forced to {way.answers} gives another position than outcomes() does")
        _check_norms(after)
        hash(after.key())
        played = {answer.name: answer.value for answer in answers}
        written = self.rules.tell(position, self.rules.turn(position, move), played)
        back, recorded = self.rules.read(position, written)
        require(
            back == move and (recorded or {}) == played,
            f"{written!r}, played with {played}, reads back with {recorded}",
        )
        self.answers += 1

    def check_frequencies(self, position: Any, move: Any, told: Mapping[Any, float], rng: random.Random) -> None:
        """Check that seeded draws agree with the exact probabilities."""
        if not self.frequency:
            return
        registers, program = position.registers, self.rules.compile(position, move)
        source = Seeded(random.Random(rng.random()))
        runs = (registers.run(program, source).answers for _ in range(self.frequency))
        seen = Counter(tuple((answer.name, answer.value) for answer in answers) for answers in runs)
        self.draws += self.frequency
        require(set(seen) <= set(told), f"draws gave answers of probability 0: {set(seen) - set(told)}")
        limit = math.log(2 * len(told) / FALSE_ALARM)  # an answer may come too often or too rarely
        text = self.rules.write(position, move)
        require(
            surprise(seen, told) <= limit,
            f"{self.frequency} draws of {text!r} gave {dict(seen)} for the chances {dict(told)}",
        )

    # -- what is shown --------------------------------------------------------------------------------

    def check_shown(self, position: Any) -> None:
        """Check that the view has squares of the board with sound odds, and that both drawings accept it."""
        view = self.rules.view(position)
        names = {f"{chr(ord('a') + x)}{y + 1}" for x in range(view.width) for y in range(view.height)}
        pairs = [name for link in view.links for name in link[:2]]
        shown = {*view.men, *pairs, *view.marked, *(name for group in view.groups for name in group)}
        require(shown <= names, f"the view names squares that the board lacks: {sorted(shown - names)}")
        for name, men in view.men.items():
            odds = [man.probability for man in men]
            sound = all(0 < p <= 1 + SAME for p in odds) and sum(odds) <= 1 + SAME
            require(sound, f"the view shows {name} with the odds {odds}")
        copy = pickle.loads(pickle.dumps(position.registers))
        require(amplitudes(copy) == amplitudes(position.registers), "registers change when pickled")
        text = self.rules.text(position)
        require(all(line == line.rstrip() for line in text.splitlines()), "the board's text has trailing blanks")
        ElementTree.fromstring(self.rules.svg(position))
        worth = self.rules.evaluate(position)
        require(set(worth) == set(self.rules.players), f"evaluate() speaks of {sorted(worth)}")
        require(all(map(math.isfinite, worth.values())), f"evaluate() gives {dict(worth)}")


def surprise(seen: Mapping[Any, int], chances: Mapping[Any, float]) -> float:
    """Return how unlikely the worst count is, as minus a logarithm: by Chernoff, P(count this far off) <= e^-surprise.

    An answer with the share f of n draws and the probability p gives n (f ln f/p + (1-f) ln (1-f)/(1-p)).
    """
    draws = sum(seen.values())
    shares = ((seen.get(answer, 0) / draws, p) for answer, p in chances.items())
    return max(draws * (_excess(f, p) + _excess(1 - f, 1 - p)) for f, p in shares)


def _excess(share: float, chance: float) -> float:
    if share == 0:
        return 0.0
    return share * math.log(share / chance) if chance > 0 else math.inf


def _check_norms(position: Any) -> None:
    registers = position.registers
    for register in registers.each:
        norm = sum(abs(a) ** 2 for a in register.amplitudes().values())
        require(abs(norm - 1) < SAME, f"the register {register.qubits} has norm {norm!r}")


def _garbled(text: str, rng: random.Random) -> str:
    """Return a text with one letter dropped, doubled or changed."""
    place = rng.randrange(len(text))
    return text[:place] + rng.choice(("", text[place] * 2, "9", "z", "^", "-")) + text[place + 1 :]


def _twice(moves: Sequence[Any]) -> list[Any]:
    return [move for move, count in Counter(moves).items() if count > 1][:5]
