"""The rules of quantum checkers, as a `Rules` class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from qchess.boards.moves import USUAL, named
from qchess.circuits import Engine
from qchess.circuits.engine import Answer
from qchess.circuits.registers import Run
from qchess.circuits.sources import Throw
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_checkers import endings, legal, notation, readings, scene, setup
from qchess.games.quantum_checkers.book import BLACK, LEVELS, OTHER, WHITE, Book, Options, board
from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.objections import objection
from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.settle import settle
from qchess.games.quantum_checkers.story import story
from qchess.games.quantum_checkers.turn import Turn, turn
from qchess.rules import Result, Rules, What
from qchess.showing.view import Sketch, View

if TYPE_CHECKING:
    from qchess.games.quantum_checkers.core import CheckersCore
    from qchess.games.quantum_checkers.late.plies import Plies

#: the value of a part, times its probability
MAN, KING = 1.0, 1.5
WON = 1000.0


class QuantumCheckers(Rules[Position, Move]):
    """Checkers whose pieces split, entangle and merge.

    `level` sets the quantum rules: 0 none, 1 splits, 2 also entangling captures, 3 also merges. `size` is the board's,
    `rows` the number of rows of each side. `profile` is ``default``, ``cheqqers_2025_03`` or ``cheqqers_2025_08``,
    perhaps with changes; each switch can also be given by its name. `position` is another start, such as
    ``W:Wc3,Kd4:Bf6``.

    >>> import qchess
    >>> game = qchess.new('quantum-checkers', size=5, seed=1)
    >>> for move in ('c1^b2d2', 'c5-d4'):
    ...     played = game.play(move)
    >>> print(game.rules.text(game.position))
    5  m    .    .    .    m
    4  .    .    .    m    .
    3  .    .    .    .    .
    2  .    M50  .    M50  .
    1  M    .    .    .    M
       a    b    c    d    e
    white to move, ply 2
    plies without a capture: 2
    """

    name: ClassVar[str] = "quantum-checkers"
    title: ClassVar[str] = "Quantum checkers"
    move_type: ClassVar[type] = Move

    def __init__(
        self,
        level: int = 3,
        size: int = 8,
        rows: int | None = None,
        profile: str = "default",
        position: str | None = None,
        **switches: Any,
    ) -> None:
        if type(level) is not int or level not in LEVELS:
            raise InvalidMoveError(f"a level is one of {', '.join(map(str, LEVELS))}, got {level!r}")
        self.book = Book(level, board(size), Options.parse(profile).changed(**switches))
        self.rows = max(1, (size - 2) // 2) if rows is None else rows
        self._position = position
        usual = setup.usual(self.book.board, self.rows)
        self._setup = usual if position is None else setup.read(self.book.board, position)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without what plays plies, which the receiver makes again."""
        return {name: value for name, value in vars(self).items() if name != "_plies"}

    def options(self) -> dict[str, Any]:
        """Return the options that rebuild these rules."""
        book = self.book
        given = {"level": book.level, "size": book.board.size, "rows": self.rows, "profile": str(book.options)}
        return given if self._position is None else {**given, "position": self._position}

    def start(self, engine: Engine) -> Position:
        """Return the position before the first move."""
        return self._setup.position(self.book.board, engine)

    def moves(self, position: Position) -> list[Move]:
        """Return every legal move: captures, or else steps, splits and merges."""
        if (plies := self._plies) is not None and (known := position.snapshot) is not None and known.owner is plies:
            return plies.moves.of(known)
        moves, files = legal.moves(self.book, position), self.book.board.size
        return moves if files == USUAL else [named(move, files) for move in moves]

    def any_move(self, position: Position) -> Move | None:
        """Return a legal move without listing all."""
        return legal.any_move(position)

    def check(self, position: Position, move: Move) -> None:
        """Raise `IllegalMoveError`, saying why, unless the move is legal here."""
        reason = objection(self.book, position, move)
        if reason:
            raise IllegalMoveError(reason)

    def read(self, position: Position, text: str) -> tuple[Move, Mapping[str, int] | None]:
        """Return the legal move that a text names, and its measurements if given."""
        turn = self.read_turn(position, text)
        return turn.move, turn.told

    def read_turn(self, position: Position, text: str) -> Turn:
        """Return the turn that a text names, with its measurements if given."""
        written = readings.read(position, text, lambda: self.moves(position))
        self.check(position, written.move)
        if not notation.is_claimed_capture(self.book.board, written):
            raise IllegalMoveError(f"{text!r} is written as a capture but is not one")
        turn = self.turn(position, written.move)
        return turn.telling(notation.read_found(position, turn, written.found, text))

    def write(self, position: Position, move: Move) -> str:
        """Return the move as text."""
        return notation.write(self.book.board, move)

    def texts(self, position: Position, moves: Sequence[Move]) -> list[str]:
        """Return the texts of moves of one position."""
        return [notation.write(self.book.board, move) for move in moves]

    def tell(self, position: Position, turn: Turn, answers: Mapping[str, int]) -> str:
        """Return the move as text, with its measurements."""
        return self.write(position, turn.move) + notation.write_found(position, turn, answers)

    def turn(self, position: Position, move: Move) -> Turn:
        """Return the turn of a legal move; a capture may measure the capturer and the target."""
        return turn(self.book, position, named(move, self.book.board.size))

    def settle(self, position: Position, turn: Turn, run: Run) -> Position:
        """Return the next position."""
        return settle(self.book, position, turn, run)

    def at_once(
        self, position: Position, move: Move, throw: Callable[..., Throw] | None
    ) -> tuple[Position, tuple[Answer, ...]] | None:
        """Play a legal move by the core, which makes the position in full when somebody looks; None if it cannot."""
        return None if self._plies is None else self._plies.play(self, position, move, throw)

    @cached_property
    def _plies(self) -> Plies | None:
        from qchess.games.quantum_checkers.late.plies import plies

        return plies(self.book) if type(self) is QuantumCheckers else None

    def tell_at_once(
        self, position: Position, move: Move, text: str, answers: Sequence[Answer], after: Position
    ) -> str:
        """Return the move as text, with its measurements."""
        if (found := vars(after).get("found")) is not None:
            return text + str(found)
        turn = self.turn(position, move)
        return text + notation.write_found(position, turn, {answer.name: answer.value for answer in answers})

    def result(self, position: Position) -> Result | None:
        """Who cannot move has lost; too many plies without a capture are a draw."""
        if (known := position.snapshot) is not None and known.owner is self._plies:
            return known.result
        return endings.result(self.book, position)

    def sketch(self, position: Position, move: Move) -> Sketch:
        """Return from where to where a move goes."""
        return scene.sketch(position, move)

    def groups(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The squares of each split piece."""
        return scene.groups(position)

    def view(self, position: Position, last: Move | None = None) -> View:
        """Return the board with odds, kings, phases and entanglement."""
        return scene.view(position, self.result(position), last)

    def describe(self, position: Position, turn: What) -> str:
        """What a move does, with the odds of what it asks."""
        return scene.describe(position, turn)

    def story(self, before: Position, turn: What, answers: Mapping[str, int], after: Position) -> str:
        """Who was found where, whether a capture was made, and who must go on."""
        return story(before, turn, answers, after)

    def evaluate(self, position: Position) -> dict[str, float]:
        """Return expected material: a man 1, a king 1.5, each part times its probability."""
        ended = self.result(position)
        if ended:
            return {colour: 0.0 if not ended.winner else WON if colour == ended.winner else -WON for colour in OTHER}
        worth = dict.fromkeys(OTHER, 0.0)
        for square, number in position.owner.items():
            value = KING if square in position.kings else MAN
            worth[position.pieces[number].colour] += value * position.probability(square)
        lead = worth[WHITE] - worth[BLACK]
        return {WHITE: lead, BLACK: -lead}

    def core(self) -> CheckersCore:
        """Return the compiled core for these rules."""
        from qchess.games.quantum_checkers.core import CheckersCore

        return CheckersCore(self.book)

    def notated(self, position: Position) -> str:
        """Return the position as text, if nothing is in superposition."""
        return self.position_text(position)

    def position_text(self, position: Position) -> str:
        """Return a position without superposition as text, such as ``W:Wc3,Kd4:Bf6``."""
        return setup.write(self.book.board, setup.snapshot(position))
