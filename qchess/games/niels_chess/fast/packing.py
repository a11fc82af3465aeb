"""The arrays of a book and a state, and the moves that a kernel's rows stand for."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import is_not
from typing import NamedTuple, overload

import numpy as np

from qchess.boards.geometry import ALL_AROUND, Geometry
from qchess.games.niels_chess.book import PROMOTIONS, Book, pieces_of
from qchess.games.niels_chess.fast import layout as at
from qchess.games.niels_chess.fast.kernels import list_moves, look
from qchess.games.niels_chess.fast.values import worths
from qchess.games.niels_chess.move import HADAMARD, INVERT, MOVE, TUNNEL, Move, Z, joins, splits, steps
from qchess.games.niels_chess.pieces import ChessPieces, Pieces
from qchess.games.niels_chess.units import DIAGONALS, Men, State, Unit
from qchess.games.niels_chess.variant import Variant
from qchess.games.niels_chess.xiangqi import XiangqiPieces

#: how many moves there is room for at first
ROOM = 512
RIGHTS = "KQkq"
#: the classes of moves that only name two squares
KINDS = {at.IN_PASSING: MOVE, at.INVERT: INVERT, at.HADAMARD: HADAMARD, at.TUNNEL: TUNNEL}
#: by square: where a unit may leap, and over what
Leaps = Iterable[Iterable[tuple[int, int]]]


class Rows(Sequence[Move]):
    """The legal moves of a state, each made when it is looked at."""

    def __init__(self, book: Book, state: State, rows: at.Ints, checked: bool) -> None:
        self.book, self.state, self.checked = book, state, checked
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Move]:
        return map(self._move, self._rows.tolist())

    @overload
    def __getitem__(self, place: int) -> Move: ...
    @overload
    def __getitem__(self, place: slice) -> list[Move]: ...
    def __getitem__(self, place: int | slice) -> Move | list[Move]:
        rows = self._rows[place].tolist()
        return [*map(self._move, rows)] if isinstance(place, slice) else self._move(rows)

    def __eq__(self, other: object) -> bool:
        return [*self] == [*other] if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _move(self, row: list[int]) -> Move:
        class_, start, first, second, joined, marks, letter, choice = row
        names = self.book.names
        if class_ == at.STEP:
            move = steps(names)[start][first]
            return move._replace(promotion=PROMOTIONS[letter - 1]) if letter else move
        if class_ == at.SPLIT:
            letters = ("",) if letter == 1 else PROMOTIONS
            squares = names[start], names[first], names[second]
            return splits(*squares, marks == 1, self.book.facings, letters)[choice]
        if class_ == at.JOIN:
            squares = names[start], names[first], names[second]
            chosen = PROMOTIONS[letter - 1] if letter else ""
            return joins(*squares, marks & 1 == 1, names[joined], marks >> 1, self.book.turns, chosen)[choice]
        named = names[start], names[first]
        if class_ == at.Z_MOVE:
            return Move(Z, named, "", "", self.book.first_mark if letter else "")
        return Move(KINDS[class_], named, "", "", "ep" if class_ == at.IN_PASSING else "")

    @property
    def moves(self) -> Rows:
        """Return the moves themselves."""
        return self

    @property
    def origins(self) -> list[int]:
        """Return the player's squares."""
        turn = self.state.turn
        return [k for k, unit in enumerate(self.state.men) if unit is not None and unit.colour == turn]

    def first(self) -> Move | None:
        """Return the first legal move, or None."""
        return self[0] if len(self) else None

    def moves_of(self, square: int) -> Rows:
        """Return the legal moves from a square."""
        return Rows(self.book, self.state, self._rows[self._rows[:, at.START] == square], self.checked)


class Look(NamedTuple):
    """What a search wants to know of a state: check, a legal move, and what the units of each colour are worth."""

    checked: bool
    movable: bool
    material: tuple[float, float]


def rows_of(book: Book, state: State) -> Rows | None:
    """Return the legal moves of a state, if they are compiled."""
    return workspace(book, threading.get_ident()).listed(state) if serves(book, state) else None


def look_at(book: Book, state: State) -> Look | None:
    """Return what a search wants to know, if it is compiled."""
    return workspace(book, threading.get_ident()).look(state) if serves(book, state) else None


def serves(book: Book, state: State) -> bool:
    """Tell whether the kernels know all moves of a state, and are compiled."""
    more = book.variant.deterministic or book.variant.remote_collapse
    waits = state.pending >= 0 or state.offer is not None or state.suicide >= 0
    return not more and not waits and list_moves.compiled


class Workspace:
    """The arrays of one book, for one thread; the board of the last state stays, and what changed is written anew."""

    def __init__(self, book: Book) -> None:
        self.book, size = book, book.board.size
        self.men: Men = (None,) * size
        self.units = np.zeros(size, np.int64)
        self.state = np.full(at.STATE, -1, np.int32)
        self.sums = np.zeros(2)
        self._room(ROOM)

    def _room(self, moves: int) -> None:
        size = len(self.units)
        self.rows = np.zeros((moves, at.COLUMNS), np.int32)
        tried, reached = np.zeros((2, size), np.int64), np.zeros((2, 2, size), np.int32)
        flags = np.zeros((at.STRUCK + 1, size), np.int8)
        variant, board = self.book.variant, self.book.board
        arrays = numbered(variant, board), self.units, self.state, tried, reached, flags, self.rows
        self._list = list_moves.bind(*arrays)
        self._look = look.bind(*arrays, valued(variant.xiangqi, board), self.sums)

    def listed(self, state: State) -> Rows:
        """Return the legal moves of a state."""
        self._write(state)
        count = self._list()
        if count > len(self.rows):
            self._room(2 * count)
            count = self._list()
        return Rows(self.book, state, self.rows[:count].copy(), bool(self.state[at.CHECKED]))

    def look(self, state: State) -> Look:
        """Return what a search wants to know of a state."""
        self._write(state)
        movable = self._look()
        return Look(bool(self.state[at.CHECKED]), movable == 1, (float(self.sums[0]), float(self.sums[1])))

    def _write(self, state: State) -> None:
        units, men = self.units, state.men
        for square, changed in enumerate(map(is_not, men, self.men)):
            if changed:
                units[square] = _coded(men[square])
        self.men = men
        self.state[: at.CHECKED] = state.turn, *(state.ep or (-1, -1)), *_rights(state.castling), state.declined


@lru_cache(maxsize=32)
def workspace(book: Book, thread: int) -> Workspace:
    """Return the arrays of a book for a thread; the same each time, while no more than so many are in use."""
    return Workspace(book)


@lru_cache(maxsize=64)
def _rights(castling: str) -> list[int]:
    """Return the numbers of castling rights, and -1 for each that is missing."""
    return [*map(RIGHTS.index, castling), *[-1] * (len(RIGHTS) - len(castling))]


def _coded(unit: Unit | None) -> int:
    """Return a unit as an integer."""
    if unit is None:
        return 0
    colour, kind, square, second, x, z, diag, slow = unit
    code = 1 | colour << at.COLOUR | at.KINDS.index(kind) << at.KIND | square << at.AT | slow << at.SLOW
    if second < 0:
        return code
    group = DIAGONALS.index(diag) + 1 if diag else 0
    return code | 1 << at.PAIR | second << at.SECOND | x << at.X | z << at.Z | group << at.DIAG


@lru_cache(maxsize=16)
def valued(xiangqi: bool, board: Geometry) -> at.Floats:
    """Return the worth of units by colour, kind and square."""
    values = np.zeros((2, len(at.KINDS), board.size))
    for colour, by_kind in enumerate(worths(board, xiangqi)):
        for kind, by_square in by_kind.items():
            values[colour, at.KINDS.index(kind)] = by_square
    return values


@lru_cache(maxsize=16)
def numbered(variant: Variant, board: Geometry) -> at.Ints:
    """Return a book as one array: the numbers of its variant, then its squares, lines and leaps."""
    book = Book(variant, board, pieces := pieces_of(variant, board))
    size, longest = board.size, max(board.width, board.height)
    rays = np.full((size, at.WAYS, longest), -1, np.int32)
    for way, step in enumerate(ALL_AROUND):
        for square, line in enumerate(board.rays(step)):
            rays[square, way, : len(line)] = line
    hops = np.full((at.LEAPS, size, at.MOST, 2), -1, np.int32)
    for row, leaps in _leaps(pieces).items():
        for square, found in enumerate(leaps):
            for k, (to, over) in enumerate(found):
                hops[row, square, k] = to, over
    zones = [
        (k in book.last[0]) + 2 * (k in book.last[1]) + (k in pieces.palace) * (1 << at.PALACE) for k in range(size)
    ]
    numbers = {
        at.SIZE: size, at.WIDTH: board.width, at.XIANGQI: variant.xiangqi, at.FACINGS: len(book.facings),
        at.TURNS: len(book.turns), at.SPLITS_TWICE: not variant.slow, at.NO_BOX: variant.no_box,
        at.SIMPLIFIED: variant.simplified, at.DOUBLE: at.DOUBLE_STEPS.index(variant.double_step),
        at.HADAMARDS: variant.hadamard + variant.hadamard_plus,
        at.TUNNELS: variant.tunnelling * (1 + (variant.tunnel_barrier == "any")),
        at.BOUNDED: variant.xiangqi and not variant.drop_river,
        at.MOUNT: at.MOUNTS.index(str(variant.cannon_no_pair_mount)),
        at.RAYS: at.ZONES + size, at.HOPS: at.ZONES + size + rays.size, at.LONGEST: longest,
    }  # fmt: skip
    first = [int(numbers[k]) for k in range(at.ZONES)]
    return np.concatenate([np.array(first + zones, np.int32), rays.ravel(), hops.ravel()])


def _leaps(pieces: Pieces) -> dict[int, Leaps]:
    """Return where leapers and pawns go, and over what."""
    over: dict[int, Leaps] = {}
    found: dict[int, Iterable[Iterable[int | None]]] = {}
    if isinstance(pieces, XiangqiPieces):
        over = {at.KNIGHT: pieces.horse, at.BISHOP: pieces.elephant, at.HORSES: pieces.horse_from}
        found = {at.KING: pieces.king, at.ADVISER: pieces.adviser}
        for colour in (0, 1):
            found |= {at.STRIKES + colour: pieces.pawn[colour], at.PAWNS + colour: pieces.pawn_from[1 - colour]}
    elif isinstance(pieces, ChessPieces):
        found = {at.KING: pieces.leaps["K"], at.KNIGHT: pieces.leaps["N"], at.HORSES: pieces.leaps["N"]}
        for colour, strikes in enumerate(pieces.strikes):
            ahead = zip(pieces.ahead[colour], pieces.twice[colour], strict=True)
            found |= {at.STRIKES + colour: strikes, at.PAWNS + colour: strikes, at.AHEAD + colour: ahead}
    return over | {
        row: [[(-1 if to is None else to, -1) for to in reached] for reached in rows] for row, rows in found.items()
    }
