"""Set-ups: positions without an engine, as in PQ-FEN and JSON, and the two usual starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from qchess.circuits import Engine, Program, Qubit, Registers
from qchess.circuits.precision import SAME
from qchess.errors import InvalidMoveError
from qchess.games.piece_qubit_chess.movement import Board
from qchess.games.piece_qubit_chess.pieces import BLACK, WHITE, Piece, second_type
from qchess.games.piece_qubit_chess.position import LIMIT, Position, System
from qchess.games.piece_qubit_chess.profile import Profile
from qchess.games.piece_qubit_chess.states import LONE, Amplitudes, preparation

#: setup -> colour -> the officers from file a to file h
BACK_RANKS = {
    "standard": {WHITE: "RNBQKBNR", BLACK: "RNBQKBNR"},
    "king_d8": {WHITE: "RNBQKBNR", BLACK: "RNBKQBNR"},
}
BACK_RANK, PAWN_RANK = {WHITE: "1", BLACK: "8"}, {WHITE: "2", BLACK: "7"}
FILES = "abcdefgh"
#: the name of each kind's state at the start; a king has none
START_STATE = {"P": "+Z", "N": "+X", "B": "+X", "R": "+X", "Q": "+X"}


@dataclass(frozen=True, slots=True)
class Setup:
    """The pieces and their squares, and the states that differ from the start."""

    board: Board
    player: str = WHITE
    ply: int = 0
    #: members with their joint amplitudes; a lone piece is a group of one
    states: tuple[tuple[System, Amplitudes], ...] = ()

    def __post_init__(self) -> None:
        with_qubit = {piece.id for piece in self.board.values() if piece.kind != "K"}
        seen: set[Qubit] = set()
        for members, amplitudes in self.states:
            if seen.intersection(members) or not with_qubit.issuperset(members) or len(set(members)) < len(members):
                raise InvalidMoveError(f"each state is of other pieces, none a king or absent; got {list(members)}")
            if not 1 <= len(members) < LIMIT:
                raise InvalidMoveError(f"a system has 2 to {LIMIT - 1} pieces, got {list(members)}")
            if len(members) > 1 and (certain := next(_determined(members, amplitudes), None)):
                raise InvalidMoveError(f"a system has no determined member, but {certain} of {list(members)} is one")
            seen.update(members)

    def position(self, engine: Engine) -> Position:
        """Return the position on an engine, its state made by a program from 0...0."""
        given = {member for members, _ in self.states for member in members}
        alone = (p for p in self.board.values() if p.kind != "K" and p.id not in given)
        usual = (preparation((piece.id,), LONE[START_STATE[piece.kind]]) for piece in alone)
        special = (preparation(*state) for state in self.states)
        registers = Registers(engine).run(Program(*usual, *special)).registers
        systems = tuple(members for members, _ in self.states if len(members) > 1)
        return Position(registers, self.board, self.player, self.ply, systems)


def _determined(members: System, amplitudes: Amplitudes) -> Iterator[Qubit]:
    """Yield the members that have one value only."""
    for k, member in enumerate(members):
        bit = 1 << len(members) - 1 - k
        full = sum(abs(a) ** 2 for key, a in enumerate(amplitudes) if key & bit)
        if not SAME < full < 1 - SAME:
            yield member


def usual(profile: Profile) -> Setup:
    """Return the start of a game."""
    board = {}
    for colour in (WHITE, BLACK):
        for file in FILES:
            for square, kind in _column(profile, colour, file):
                board[square] = Piece(name(colour, kind, file), colour, kind, usual_second(profile, colour, kind, file))
    return Setup(board)


def _column(profile: Profile, colour: str, file: str) -> Sequence[tuple[str, str]]:
    """Return a colour's set-up squares on a file, with their kinds."""
    return (file + BACK_RANK[colour], behind(profile, colour, file)), (file + PAWN_RANK[colour], "P")


def behind(profile: Profile, colour: str, file: str) -> str:
    """Return the officer on a file at the start."""
    return BACK_RANKS[profile.setup][colour][FILES.index(file)]


def usual_second(profile: Profile, colour: str, kind: str, file: str) -> str:
    """Return the default second type of a piece on this file."""
    return second_type(kind, behind(profile, colour, file))


def on_set_up_square(profile: Profile, square: str, piece: Piece) -> bool:
    """Tell whether the piece stands where one of its kind and colour does at the start."""
    return (square, piece.kind) in _column(profile, piece.colour, square[0])


def name(colour: str, kind: str, file: str, taken: Iterable[Qubit] = ()) -> Qubit:
    """Return a piece's name: colour, kind and start file, with a number if the name is taken."""
    plain = colour[0] + kind + file
    used = set(taken)
    return next(n for n in (plain, *(f"{plain}{k}" for k in range(2, 65))) if n not in used)
