"""Quantum tic-tac-toe after Allan Goff, in one file: an example of your own game.

A move puts one mark on two squares, half on each. A mark is one qubit: 0 on its first square, 1 on its
second. No square holds two marks: where the new mark is on a square, those that share it are elsewhere, and push others
on. So marks that share squares are entangled. While they close no ring, each such *part* of the board has one square
more than marks, and its state is a superposition of which square is free. A mark that closes a ring settles its part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

from qchess.boards.spelling import LONGEST, tidy
from qchess.circuits import Engine, Operation, Program, Registers, Run, h, read, ry, x
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.foreign import understands
from qchess.rules import Result, Rules, Turn, What, odds_of
from qchess.showing.view import Man, View

#: the squares of a mark, in order; a single one is the last free square, or the chosen place of a ring's mark
PLAYERS = ("x", "o")
SQUARES = tuple(file + rank for rank in "123" for file in "abc")
ROWS = ("a1b1c1", "a2b2c2", "a3b3c3", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1")
TEXT = re.compile(r"([a-c][1-3])[-^]?([a-c][1-3])?(?:[.=]([a-c][1-3]))?")
SMALL_DIGITS = str.maketrans("123456789", "₁₂₃₄₅₆₇₈₉")
WON = 100.0


@understands("Move")
class Move(tuple[str, ...]):
    """The squares of a move; a plain tuple of them works too.

    >>> Move(('a1', 'b2'))
    Move('a1b2')
    """

    __slots__ = ()

    def __str__(self) -> str:
        return "".join(self)

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


class Mark(NamedTuple):
    """A mark: its number in the game, and the squares where it may be."""

    number: int
    squares: Move

    @property
    def player(self) -> str:
        """Return its player; x has the odd numbers."""
        return PLAYERS[(self.number - 1) % 2]

    @property
    def name(self) -> str:
        """Return its name, which is also that of its qubit."""
        return f"{self.player}{self.number}"

    def value(self, square: str) -> int:
        """Return the value of the qubit when the mark is on this square."""
        return self.squares.index(square)


@dataclass(frozen=True)
class Position:
    """A position: the marks so far, and the qubits of their places."""

    registers: Registers
    marks: tuple[Mark, ...] = ()
    ply: int = 0

    @property
    def player(self) -> str:
        """Return whose turn it is: the player who settles a ring also puts the next mark."""
        return PLAYERS[len(self.marks) % 2]

    def place(self, mark: Mark) -> str | None:
        """Return the square that the mark is on; None while that is uncertain."""
        value = self.registers.known(mark.name)
        return None if value is None else mark.squares[value]

    def odds(self, mark: Mark) -> dict[str, float]:
        """Return the probability of the mark on each of its squares."""
        if place := self.place(mark):
            return {place: 1.0}
        second = self.registers.probability(mark.name)
        return dict(zip(mark.squares, (1 - second, second), strict=True))

    @cached_property
    def settled(self) -> dict[str, Mark]:
        """Return the permanently taken squares, with their marks."""
        return {place: mark for mark in self.marks if (place := self.place(mark))}

    @cached_property
    def open(self) -> tuple[Mark, ...]:
        """Return the marks whose place is uncertain."""
        settled = self.settled.values()
        return tuple([mark for mark in self.marks if mark not in settled])

    @cached_property
    def ring(self) -> Mark | None:
        """Return the mark that closed a ring which the other player has still to settle."""
        *others, last = self.open or (None,)
        return last if last and closes(others, last) else None

    def key(self) -> tuple[Any, ...]:
        """Return the classical part, as a hashable value."""
        return self.marks, self.ply


# -- circuits; the marks are those whose place is open, and form no ring -------------------------------


def parts_of(marks: Sequence[Mark]) -> dict[str, dict[str, float]]:
    """Return for each square its part: all squares connected by marks, each with the probability that it is free.

    A new mark is half on its first square, which fills that square's part, and half on the other.
    """
    parts: dict[str, dict[str, float]] = {}
    for mark in marks:
        both = [parts.get(square, {square: 1.0}) for square in mark.squares]
        joined = {square: odds / 2 for part in both for square, odds in part.items()}
        parts |= dict.fromkeys(joined, joined)
    return parts


def closes(marks: Sequence[Mark], mark: Mark) -> bool:
    """Tell whether a mark closes a ring: one part has both its squares."""
    first, second = mark.squares
    return second in parts_of(marks).get(first, ())


@cache
def _pairs(free: tuple[str, ...]) -> tuple[Move, ...]:
    """Return the moves among free squares: two of them, or the last one."""
    return tuple(map(Move, combinations(free, min(2, len(free))))) if free else ()


def outwards(marks: Sequence[Mark], square: str) -> list[tuple[Mark, str, str]]:
    """Return the marks of a square's part, going outwards: each with its near and its far square."""
    reached, found = [square], dict[Mark, tuple[str, str]]()
    for near in reached:
        for mark in marks:
            if near in mark.squares and mark not in found:
                far = mark.squares[1 - mark.value(near)]
                found[mark] = near, far
                reached.append(far)
    return [(mark, near, far) for mark, (near, far) in found.items()]


def leave(marks: Sequence[Mark], square: str) -> Iterator[Operation]:
    """Make a square the free one of its part: all marks move away from it, the farthest first.

    "`far` is free" and "`near` is free" differ in one mark, and no other mark is on `near` then. So a rotation of that
    mark, where no other is on `near`, turns both into the second.
    """
    free = dict(parts_of(marks).get(square, {}))
    for mark, near, far in reversed(outwards(marks, square)):
        angle = 2 * math.atan2(math.sqrt(free[far]), math.sqrt(free[near]))
        others = {other.name: 1 - other.value(near) for other in marks if near in other.squares and other != mark}
        yield ry(mark.name, angle if mark.value(far) else -angle).when(others)
        free[near] += free[far]


def put(marks: Sequence[Mark], mark: Mark) -> Program:
    """Put a new mark: half on each of its squares, with no other mark where it is."""
    away = [step.when({mark.name: mark.value(to)}) for to in mark.squares for step in leave(marks, to)]
    return Program(h(mark.name), *away)


def choose(marks: Sequence[Mark], square: str) -> Program:
    """Choose the way of a ring in which its last mark is on this square, without a measurement."""
    last = marks[-1]
    wanted = last.value(square)
    follow = [x(mark.name).when({last.name: 1 - wanted}) for mark, *_ in outwards(marks, square) if mark != last]
    return Program(*follow, h(last.name), *([x(last.name)] if wanted else []))


# -- the rules -----------------------------------------------------------------------------------------


class QuantumTicTacToe(Rules[Position, Move]):
    """Tic-tac-toe whose marks are on two squares each, until a ring of them is closed.

    `collapse` says how a ring is settled: ``measured``, by measuring the mark that closed it; or ``chosen``, by the
    player who did not close it.

    >>> import qchess
    >>> game = qchess.new('quantum-tic-tac-toe', seed=1)
    >>> for move in ('a1b1', 'b1b2'):
    ...     played = game.play(move)
    >>> print(game)
    3  .          .          .
    2  .          O₂50       .
    1  X₁75       O₂50|X₁25  .
       a          b          c
    x to move
    """

    name: ClassVar[str] = "quantum-tic-tac-toe"
    title: ClassVar[str] = "Quantum tic-tac-toe"
    players: ClassVar[tuple[str, ...]] = PLAYERS
    move_type: ClassVar[type] = tuple

    def __init__(self, collapse: str = "measured") -> None:
        if collapse not in ("measured", "chosen"):
            raise InvalidMoveError(f"a collapse is measured or chosen, got {collapse!r}")
        self.collapse = collapse

    def options(self) -> dict[str, Any]:
        """Return the option that rebuilds these rules."""
        return {"collapse": self.collapse}

    def start(self, engine: Engine) -> Position:
        """Return the empty board."""
        return Position(Registers(engine))

    def moves(self, position: Position) -> list[Move]:
        """Return the places of a waiting ring's last mark; else two free squares, or the last one."""
        if ring := position.ring:
            return [Move((square,)) for square in ring.squares]
        taken = position.settled
        return list(_pairs(tuple(square for square in SQUARES if square not in taken)))

    def check(self, position: Position, move: Move) -> None:
        """Raise `IllegalMoveError`, saying why, unless the move is legal here."""
        if move in (legal := self.moves(position)):
            return
        taken = [f"{s} is taken by {position.settled[s].name}" for s in move if s in position.settled]
        expected = f"expected {'' if position.ring else 'one such as '}{' or '.join(map(''.join, legal[:2]))}"
        raise IllegalMoveError(f"{''.join(move)!r} is not legal, {taken[0] if taken else expected}; {_note(position)}")

    def read(self, position: Position, text: str) -> tuple[Move, Mapping[str, int] | None]:
        """Return the legal move that a text names; ``a1b1.b1`` also says where the mark was found."""
        move, place = self._written(position, text)
        return move, self._named(position, move, place, text).told if place else None

    def read_turn(self, position: Position, text: str) -> Turn[Move]:
        """Return the turn that a text names, with where its mark was found if given."""
        return self._named(position, *self._written(position, text), text)

    def _written(self, position: Position, text: str) -> tuple[Move, str | None]:
        """The legal move that a text names, and where its mark was found if the text tells."""
        is_short = isinstance(text, str) and len(text) <= LONGEST
        found = TEXT.fullmatch(tidy(text).lower()) if is_short else None
        if not found:
            raise InvalidMoveError(f"expected two squares, such as a1b2, got {text!r}")
        move = Move(sorted(filter(None, found.groups()[:2]), key=SQUARES.index))
        self.check(position, move)
        return move, found[3]

    def _named(self, position: Position, move: Move, place: str | None, text: str) -> Turn[Move]:
        turn = self.turn(position, move)
        if not place:
            return turn
        asked = turn.program.answers
        if not asked or place not in move:
            raise IllegalMoveError(f"{text!r} tells where a mark was found, but {''.join(move)} finds none there")
        return turn.telling({asked[0]: move.index(place)})

    def write(self, position: Position, move: Move) -> str:
        """Return the squares."""
        return "".join(move)

    def tell(self, position: Position, turn: Turn[Move], answers: Mapping[str, int]) -> str:
        """Return the squares, and where the mark was found if it was measured."""
        return ".".join(["".join(turn.move), *(turn.move[value] for value in answers.values())])

    def turn(self, position: Position, move: Move) -> Turn[Move]:
        """Return the turn of a legal move: a mark is put, and measured if it closes a ring; or a ring is settled."""
        if position.ring:
            return Turn(move, choose(position.open, *move))
        if len(move) == 1:
            return Turn(move, Program())
        mark = Mark(len(position.marks) + 1, move)
        looks = self.collapse == "measured" and closes(position.open, mark)
        return Turn(move, Program(put(position.open, mark), *([read(mark.name, mark.name)] if looks else [])))

    def settle(self, position: Position, turn: Turn[Move], run: Run) -> Position:
        """Return the next position."""
        new = () if position.ring else (Mark(len(position.marks) + 1, turn.move),)
        return Position(run.registers, position.marks + new, position.ply + 1)

    def result(self, position: Position) -> Result | None:
        """Three in a row win; of two rows, that whose last mark is older."""
        done = {} if position.ring else rows(position)
        if not done:
            return None if self.moves(position) else Result(None, "no row")
        return Result(min(done, key=lambda player: done[player]), "row" if len(done) == 1 else "older row, 1 to 1/2")

    def evaluate(self, position: Position) -> dict[str, float]:
        """Return for each player the squared marks on every row, minus the other's."""
        if ended := self.result(position):
            return {player: 0.0 if not ended.winner else WON if player == ended.winner else -WON for player in PLAYERS}
        marks = [(mark.player, square, p) for mark in position.marks for square, p in position.odds(mark).items()]
        have = {who: sum(sum(p for w, s, p in marks if w == who and s in row) ** 2 for row in ROWS) for who in PLAYERS}
        return {"x": have["x"] - have["o"], "o": have["o"] - have["x"]}

    def groups(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The squares of each part."""
        return tuple(sorted({tuple(sorted(part)) for part in parts_of(position.open).values()}))

    def view(self, position: Position, last: Move | None = None) -> View:
        """Return every mark on its squares, which are linked; the squares of a part have one letter."""
        men: dict[str, tuple[Man, ...]] = {}
        for mark in position.marks:
            for square, p in position.odds(mark).items():
                man = Man(mark.name.upper().translate(SMALL_DIGITS), p, player=mark.player)
                men[square] = (*men.get(square, ()), man)
        links = dict.fromkeys(mark.squares for mark in position.open)
        return View(
            width=3,
            height=3,
            men=men,
            links=tuple((first, second, 1.0) for first, second in links),
            marked=last or (),
            groups=self.groups(position),
            notes=(str(self.result(position) or _note(position)),),
            players=PLAYERS,
            drawings="marks",
        )

    def describe(self, position: Position, turn: What) -> str:
        """What a move asks, if it closes a ring."""
        asked = turn.program.answers
        return f"Is {asked[0]} on {turn.move[1]}? {odds_of(0.5)}" if asked else "asks nothing"

    def story(self, before: Position, move: Move, answers: Mapping[str, int], after: Position) -> str:
        """Where the marks of a ring are, or that it waits."""
        if after.ring:
            return f"a ring is closed: {_note(after)}"
        new = [f"{mark.name} is on {at}" for at, mark in after.settled.items() if at not in before.settled]
        return f"the ring is settled: {', '.join(new)}" if answers or before.ring else ""


def _note(position: Position) -> str:
    if ring := position.ring:
        return f"{position.player} says whether {ring.name} is on {' or '.join(ring.squares)}"
    return f"{position.player} to move"


def rows(position: Position) -> dict[str, int]:
    """Return who has three in a row, with the number of the row's last mark; of several rows, the oldest."""
    done: dict[str, int] = {}
    settled = position.settled
    for player in PLAYERS if len(settled) > 2 else ():
        mine = {square: mark.number for square, mark in settled.items() if mark.player == player}
        full = [max(mine[s] for s in mine if s in row) for row in ROWS if sum(s in row for s in mine) == 3]
        done |= {player: min(full)} if full else {}
    return done
