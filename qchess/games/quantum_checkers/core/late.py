"""Plies played by the core; the registers and pieces are worked out by the rules, when somebody looks at them.

The core decides what cannot differ: the list of moves, the result, and the answers, unless a number thrown is too close
to their odds. Everything else comes from the rules, which play the same moves with the same answers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from qchess import backends
from qchess.boards.moves import named
from qchess.circuits.engine import Answer, Draw
from qchess.circuits.errors import BackendError
from qchess.circuits.registers import Pause
from qchess.circuits.sources import Throw
from qchess.games.quantum_checkers.core import kernels
from qchess.games.quantum_checkers.core import layout as at
from qchess.games.quantum_checkers.core.answers import answers_of, place_in_words
from qchess.games.quantum_checkers.core.core import CheckersCore, Workspace, move_of, result_of, row_of
from qchess.games.quantum_checkers.core.packing import SIDES, Packed
from qchess.games.quantum_checkers.move import Move, is_jump
from qchess.games.quantum_checkers.notation import write_found
from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.turn import TARGET
from qchess.rules import Result

#: a number this close to an answer's odds, and an answer this unlikely, is judged by the registers
TOO_CLOSE, TOO_RARE = 1e-9, 1e-6
#: the most plies that wait, so that no game holds on to positions without end
WAITING = 256
#: positions of more entries are played by the rules, as on engines with less room than what two of them may make
ENTRIES, ROOM = 2**10, 2**20
_MAKING = threading.RLock()


class Known(NamedTuple):
    """What the core knows of a position: its packed form, its moves and its result."""

    packed: Packed
    moves: list[Move]
    result: Result | None


class Plies:
    """Plays the plies of some rules."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.core = rules, CheckersCore(rules.book)
        self._desks = threading.local()

    def play(
        self, position: Position, move: Move, throw: Callable[..., Throw] | None
    ) -> tuple[Position, tuple[Answer, ...]] | None:
        """Play a legal move; None if the rules must. `throw` gives the number that answers a question."""
        if isinstance(position, Late) and position.depth >= WAITING:
            position.look()
        depth = position.depth if isinstance(position, Late) else 0
        known = self.known(position)
        if known is None or len(known.packed.amplitudes) > ENTRIES:
            return None
        desk = self._desk(known.packed)
        desk.space.load(known.packed)
        made, asked = object.__new__(Late), _Asked(throw)
        if is_jump(move, self.rules.book.board.size):
            if (ways := self._ways(desk, known.packed, move)) is None:
                return None
            if ways and not self._answer(known.packed, move, ways, made, asked):
                return self._by_rules(position, move, asked) if asked.thrown else None
        if not desk.play(move, asked.way):
            return None
        made_known = self._known(desk, desk.space.saved())
        player, quiet, chain, ply = made_known.packed.board[:4].tolist()
        vars(made).update(
            board=position.board,
            player=SIDES[player],
            ply=ply,
            quiet=quiet,
            chain=None if chain < 0 else chain,
            known=made_known,
            told=asked.told,
            came=_Came(self.rules, position, move, asked),
            depth=depth + 1,
        )
        return made, asked.answers

    def _by_rules(self, position: Position, move: Move, asked: _Asked) -> tuple[Position, tuple[Answer, ...]]:
        """Play a move by the rules, after some numbers were thrown for it."""
        after, answers = self.rules.step_by_rules(position, move, asked)
        turn = self.rules.turn(position, move)
        vars(after)["told"] = write_found(position, turn, {answer.name: answer.value for answer in answers})
        return after, answers

    def known(self, position: Position) -> Known | None:
        """Return what the core knows of a position; None if it cannot hold it."""
        if position.known is None:
            registers = position.registers
            if type(registers.engine) is not _our_engine() or registers.engine.branch_limit < ROOM:
                return None
            packed = self.core.pack(position)
            desk = self._desk(packed)
            desk.space.load(packed)
            vars(position)["known"] = self._known(desk, packed)
        return position.known

    def _known(self, desk: Desk, packed: Packed) -> Known:
        files, count = self.rules.book.board.size, desk.list_moves()
        moves = [named(move_of(*row), files) for row in desk.space.moves[:count].tolist()]
        return Known(packed, moves, result_of(self.rules.book, packed, desk.status()))

    def _desk(self, packed: Packed) -> Desk:
        desk: Desk | None = getattr(self._desks, "desk", None)
        if desk is None or desk.space.board.size != packed.board.size:
            desk = self._desks.desk = Desk(self.core.numbers, packed.board.size)
        return desk

    def _ways(self, desk: Desk, packed: Packed, move: Move) -> list[_Way] | None:
        """Return the ways in which a capture can be answered, none if it asks nothing; None if the rules must say."""
        count = desk.list_ways(move.sources[0], move.targets[0])
        if count == 0:
            return []
        found, odds = desk.space.found[:count].tolist(), desk.space.odds[:count].tolist()
        if min(odds, default=1.0) < TOO_RARE or any(way[1] >= 0 or way[3] >= 0 for way in found):
            return None
        named_answers = answers_of(self.core.numbers, packed, move, found)
        return [_Way(tuple(told.items()), p, row) for told, p, row in zip(named_answers, odds, found, strict=True)]

    def _answer(self, packed: Packed, move: Move, ways: list[_Way], made: Late, asked: _Asked) -> bool:
        """Answer the questions of a capture, one after the other; False if the rules must."""
        while any(len(way.answers) > len(asked.answers) for way in ways):
            number = len(asked.answers)
            shares: dict[int, float] = {}
            for way in sorted(ways):
                shares[way.answers[number][1]] = shares.get(way.answers[number][1], 0.0) + way.odds
            name, whole = ways[0].answers[number][0], sum(shares.values())
            value, *others = shares
            drawn = Draw(value, "certain")
            if others:
                if not asked.throws:
                    return False
                thrown = asked.next_throw(name)
                chosen = thrown.given
                if chosen is None:
                    chosen = _chosen({value: p / whole for value, p in shares.items()}, thrown.number)
                if chosen is None:
                    return False
                drawn = Draw(chosen, thrown.source, thrown.details)
                asked.drawn = (*asked.drawn, drawn)
            asked.answers = (*asked.answers, Answer.late(name, drawn, made.look))
            ways = [way for way in ways if way.answers[number] == (name, drawn.value)]
        asked.way = ways[0].row
        over = (move.sources[0] + move.targets[0]) // 2
        for k, answer in enumerate(asked.answers):
            wanted = over if answer.name == TARGET else move.sources[0]
            asked.told += place_in_words(self.rules.book.board, self.core.numbers, packed, wanted, asked.way[2 * k])
        return True


class _Way(NamedTuple):
    """A way in which a capture can be answered: the answers by name, its probability, and its row."""

    answers: tuple[tuple[str, int], ...]
    odds: float
    row: list[int]


def _chosen(odds: dict[int, float], number: float) -> int | None:
    """Return the answer that a number selects, the least first; None if it is too close to another."""
    for value in sorted(odds)[:-1]:
        number -= odds[value]
        if abs(number) < TOO_CLOSE:
            return None
        if number < 0:
            return value
    return max(odds)


class _Asked:
    """The questions of a capture: how they were answered. As a source it answers the same turn again."""

    def __init__(self, throw: Callable[..., Throw] | None) -> None:
        self.throws, self._throw = throw is not None, throw or _nothing
        self.thrown: list[Throw] = []
        #: the answers drawn, and with them those that were certain
        self.drawn: tuple[Draw, ...] = ()
        self.answers: tuple[Answer, ...] = ()
        #: where the pieces are found, as the core has it, and in words
        self.way: Sequence[int] = (-1,) * 4
        self.told = ""

    def next_throw(self, name: str) -> Throw:
        """Throw the next number."""
        self.thrown.append(self._throw(name, self.answers))
        return self.thrown[-1]

    def draw(self, pause: Pause) -> Draw:
        """Return one answer: with a number that was thrown already, or a new one."""
        thrown = self.thrown.pop(0) if self.thrown else self._throw(pause.step.name, pause.answers)
        return thrown.draw(pause)


def _nothing(name: str, so_far: Sequence[Answer]) -> Throw:
    """Stand for what throws numbers where nothing does."""
    raise BackendError(f"no number is thrown for the answer to {name!r}")


class Desk:
    """The arrays of one thread, with the kernels bound to them."""

    def __init__(self, book: at.Ints, board: int) -> None:
        self.space = space = Workspace(board)
        self.move = np.zeros(4, np.int32)
        self.list_moves = kernels.moves_of.bind(book, space.board, space.moves)
        self.status = kernels.status_of.bind(book, space.board)
        self._play = kernels.play_move.bind(book, *space.state, self.move, space.told, space.dice)
        self._ways = kernels.ways_of.bind(book, *space.state, 0, 0, space.found, space.odds)

    def list_ways(self, start: int, end: int) -> int:
        """Write the ways in which a capture can be answered, and say how many there are."""
        self._ways.set(5, start)
        self._ways.set(6, end)
        count: int = self._ways()
        return count

    def play(self, move: Move, way: Sequence[int]) -> bool:
        """Play a move on the position that was loaded; tell whether there was room."""
        self.move[:] = row_of(move)
        self.space.told[:] = way
        return bool(self._play())


class _Came(NamedTuple):
    """How a position came about."""

    rules: Any
    before: Position
    move: Move
    asked: _Asked


class Late(Position):
    """A position after a ply of the core; the first look makes it a plain one."""

    #: gone once it is made
    came: _Came
    #: how many positions wait, this one included
    depth: int

    def look(self) -> None:
        """Make this position, and those before it that nobody has looked at."""
        with _MAKING:
            line: list[Late] = []
            position: Position = self
            while type(position) is Late:
                line.append(position)
                position = position.came.before
            for late in reversed(line):
                late._become_plain()

    def _become_plain(self) -> None:
        rules, before, move, asked = self.came
        turn = rules.turn(before, move)
        run = rules.begin(before, turn)
        for draw in asked.drawn:
            assert isinstance(run, Pause), f"{move} asks {len(asked.drawn)} open questions, says the core"
            run = run.resume(draw)
        assert not isinstance(run, Pause), f"{move} asks {len(asked.drawn)} open questions, says the core"
        for late, known in zip(asked.answers, run.answers, strict=True):
            assert late.value == known.value, f"{move} is answered {late.value}, says the core"
            late.told(known.probability)
        made = rules.settle(before, turn, run)
        parts = vars(self)
        parts.update(registers=made.registers, pieces=made.pieces, owner=made.owner, kings=made.kings)
        del parts["came"], parts["depth"]
        object.__setattr__(self, "__class__", Position)

    def __reduce_ex__(self, protocol: Any) -> Any:
        self.look()
        return self.__reduce_ex__(protocol)


class _Part:
    """A part of a late position that is not there yet; it is found in the instance once it is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, position: Late | None, of: type | None = None) -> Any:
        if position is None:
            return self
        position.look()
        return vars(position)[self.name]


for _name in ("registers", "pieces", "owner", "kings"):
    setattr(Late, _name, _Part(_name))


@lru_cache(maxsize=1)
def _our_engine() -> type:
    return type(backends.engine("sparse"))


def plies(rules: Any) -> Plies | None:
    """Return what plays the plies of some rules; None if nothing is compiled."""
    return Plies(rules) if kernels.play_move.compiled else None
