"""The rules of piece-qubit chess, as a `Rules` class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from qchess.circuits import Engine, Run
from qchess.core import OutcomeValue
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.piece_qubit_chess import jsonform, pqfen, readings, scene
from qchess.games.piece_qubit_chess.movement import SQUARES, legal, movable
from qchess.games.piece_qubit_chess.notation import Move, read_found, write_found
from qchess.games.piece_qubit_chess.pieces import NAMES, OTHER
from qchess.games.piece_qubit_chess.position import Position
from qchess.games.piece_qubit_chess.profile import Profile
from qchess.games.piece_qubit_chess.settle import ends, settle
from qchess.games.piece_qubit_chess.setup import Setup, usual
from qchess.games.piece_qubit_chess.story import story
from qchess.games.piece_qubit_chess.turn import MEASURED, Turn, turn
from qchess.games.piece_qubit_chess.verdict import threats
from qchess.games.piece_qubit_chess.weighing import leads, material, total
from qchess.rules import Result, Rules, Threat, What
from qchess.showing.view import Sketch, View

WON = 1000.0
#: every move by its squares: all lists share these objects
MOVES = {start: {end: Move(start, end) for end in SQUARES} for start in SQUARES}


class PieceQubitChess(Rules[Position, Move]):
    """Lamarre's Quantum Chess: the type of each piece is a qubit.

    `profile` is ``text`` or ``code``, perhaps with changes; each switch can also be given by its name.
    `position` is another start, as PQ-FEN or in JSON form; it includes its own profile.

    >>> import qchess
    >>> game = qchess.new('piece-qubit-chess', seed=1)
    >>> game.play('b1-c3').text
    'b1-c3'
    >>> game.position.odds(game.position.board['e2'])
    {'K': 1.0}
    """

    name: ClassVar[str] = "piece-qubit-chess"
    title: ClassVar[str] = "Piece-qubit chess"
    move_type: ClassVar[type] = Move

    def __init__(
        self, /, profile: str | None = None, position: str | Mapping[str, Any] | None = None, **switches: Any
    ) -> None:
        setup, own = _read(position) if position is not None else (None, Profile())
        self.profile = (Profile.parse(profile) if profile is not None else own).changed(**switches)
        self._position = position
        self._setup: Setup = setup or usual(self.profile)

    @property
    def is_usual_start(self) -> bool:
        """Tell whether games begin from the usual start."""
        return self._position is None

    def options(self) -> dict[str, Any]:
        """Return the options that rebuild these rules."""
        position = {} if self._position is None else {"position": self._position}
        return {"profile": str(self.profile), **position}

    def start(self, engine: Engine) -> Position:
        """Return the position before the first move."""
        return self._setup.position(engine)

    def moves(self, position: Position) -> list[Move]:
        """Return every legal move: the pieces from a1 to h8, each first as its first type."""
        return list(self._moves(position))

    def _moves(self, position: Position) -> Iterator[Move]:
        if position.ended:
            return
        board, player = position.board, position.player
        for square in SQUARES:
            if square in board and (piece := board[square]).colour == player:
                made = MOVES[square]
                for to in legal(board, square, piece, position.types(piece)):
                    yield made[to]

    def check(self, position: Position, move: Move) -> None:
        """Raise `IllegalMoveError`, saying why, unless the move is legal here."""
        if not isinstance(move, Move):
            raise InvalidMoveError(f"expected a move, or its text such as 'b8-c6'; got {move!r}")
        piece = position.board.get(move.start)
        if position.ended:
            raise IllegalMoveError(f"the game is over: {position.ended}; {move} cannot be played")
        if piece is None or piece.colour != position.player:
            stands = f"a piece of {piece.colour}" if piece else "nothing"
            raise IllegalMoveError(f"{move} needs a piece of {position.player} on {move.start}, there stands {stands}")
        types = position.types(piece)
        to = legal(position.board, move.start, piece, types)
        if move.end not in to:
            kinds = " or ".join(NAMES[type_] for type_ in types)
            if not to:
                raise IllegalMoveError(f"a {kinds} cannot leave {move.start}")
            raise IllegalMoveError(f"a {kinds} goes from {move.start} to {', '.join(to)}, not to {move.end}")

    def read(self, position: Position, text: str) -> tuple[Move, Mapping[str, int] | None]:
        """Return the legal move that a text names, and its measurement if given."""
        move, found = self._written(position, text)
        return move, None if found is None else self._named(position, move, found, text).told

    def read_turn(self, position: Position, text: str) -> Turn:
        """Return the turn that a text names, with its measurement if given."""
        return self._named(position, *self._written(position, text), text)

    def _written(self, position: Position, text: str) -> tuple[Move, dict[str, str] | None]:
        """The legal move that a text names, and what was found as it is written."""
        move, letter, found = readings.read(position, text, lambda: self.moves(position))
        self.check(position, move)
        kind = position.board[move.start].kind
        if letter and letter != kind:
            raise IllegalMoveError(f"{text!r} moves a {letter}, on {move.start} stands a {kind}")
        return move, found

    def _named(self, position: Position, move: Move, found: dict[str, str] | None, text: str) -> Turn:
        turn = self.turn(position, move)
        return turn if found is None else turn.telling({MEASURED: read_found(position, turn.measured, found, text)})

    def write(self, position: Position, move: Move) -> str:
        """Return the move as text."""
        return str(move)

    def texts(self, position: Position, moves: Sequence[Move]) -> list[str]:
        """Return the texts of moves of one position."""
        return [*map(str, moves)]

    def tell(self, position: Position, turn: Turn, answers: Mapping[str, int]) -> str:
        """Return the move as text, with its measurement."""
        found = write_found(position, turn.measured, answers[MEASURED]) if answers else ""
        return f"{turn.move}{found}"

    def turn(self, position: Position, move: Move) -> Turn:
        """Return the turn of a legal move: gates, at most one read-out, called `measured`, and bookkeeping."""
        return turn(self.profile, position, move)

    def settle(self, position: Position, turn: Turn, run: Run) -> Position:
        """Return the next position, with its verdict."""
        return settle(position, turn, run.registers)

    def ends_of(self, position: Position, moves: Sequence[Move]) -> Iterator[list[OutcomeValue]]:
        """Yield for each move every way it can end, without the positions."""
        return ends(self, position, moves)

    def any_move(self, position: Position) -> Move | None:
        """Return the first legal move, if there is one."""
        return next(self._moves(position), None)

    def result(self, position: Position) -> Result | None:
        """A verdict of the last turn, a side without a move, or the limit of plies."""
        return position.ended or self.stopped(position, movable(position.board, position.player, position.types))

    def stopped(self, position: Position, movable: bool) -> Result | None:
        """Return the draw of a side that has no move, or of the limit of plies."""
        if not movable:
            return Result(None, "no legal move")
        limit = self.profile.max_plies
        return Result(None, f"{limit} plies") if limit is not None and position.ply >= limit else None

    def squares(self, position: Position) -> dict[str, str]:
        """Return the square of each piece: qubits have the names of the pieces."""
        return position.squares

    def sketch(self, position: Position, move: Move) -> Sketch:
        """Return from where to where a move goes."""
        return Sketch((move.start,), (move.end,))

    def groups(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The squares of each system."""
        return scene.groups(position)

    def view(self, position: Position, last: Move | None = None) -> View:
        """Return the board with the odds of each type and the systems."""
        return scene.view(position, last)

    def describe(self, position: Position, turn: What) -> str:
        """The area of influence of a move and what it would do."""
        return scene.describe(self.profile, position, turn)

    def story(self, before: Position, move: Move, answers: Mapping[str, int], after: Position) -> str:
        """What a move came to, in words: what was measured, and what changed elsewhere."""
        return story(before, move, answers, after)

    def threats(self, position: Position) -> Iterator[Threat]:
        """How a King of the player to move could be captured next turn."""
        return threats(self, position)

    def evaluate(self, position: Position) -> dict[str, float]:
        """Return expected material; a determined King that could be taken counts against its side."""
        if position.ended:
            winner = position.ended.winner
            return {colour: 0.0 if winner is None else WON if colour == winner else -WON for colour in OTHER}
        return leads(position, {colour: total(values) for colour, values in material(position).items()})

    def notated(self, position: Position) -> str:
        """Return the position as PQ-FEN."""
        return self.pqfen(position)

    def pqfen(self, position: Position) -> str:
        """Return the position as PQ-FEN."""
        return pqfen.write(position, self.profile)

    def json(self, position: Position) -> dict[str, Any]:
        """Return the position as JSON values, in which the pieces keep their names."""
        return jsonform.write(position, self.profile)


def _read(position: str | Mapping[str, Any]) -> tuple[Setup, Profile]:
    return pqfen.read(position) if isinstance(position, str) else jsonform.read(position)
