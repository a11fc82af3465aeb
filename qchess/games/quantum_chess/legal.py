"""The legal moves. Only the status of single squares matters: empty, full, or neither.

There is no check and no pin. Targets are masks of squares; the list of all moves and the check of a single move
use the same functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from qchess.games.quantum_chess.move import (
    KING_HOME,
    PROMOTIONS,
    Move,
    merges,
    open_castlings,
    promotions,
    splits,
    standard_moves,
    victim_square,
)
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Book
from qchess.games.quantum_chess.reach import PawnWays, reach


def legal_moves(book: Book, position: Position) -> list[Move]:
    """Return every legal move once: standard moves, then splits, then merges, each pair of squares ascending."""
    found = _standard_moves(book, position)
    if book.quantum:
        open_to = _open_to(book, position)
        for square, targets in open_to.items():
            if targets & (targets - 1):
                found += splits(square, targets)
        found += _merges(position, open_to)
    return found


def some_move(book: Book, position: Position) -> Move | None:
    """Return a legal move of the side to move, or None; usually of the first piece that can move."""
    free = position.men.free
    for square, reached in position.reached.items():
        if targets := reached & free:
            return standard_moves(square, targets & -targets)[0]
    return next(iter(legal_moves(book, position)), None)


def _standard_moves(book: Book, position: Position) -> list[Move]:
    men, reached = position.men, position.reached
    free, castling = men.free, _castling_home(position)
    ways, prey, last = _pawn_ways(position), _prey(book, position), last_rank(position)
    found: list[Move] = []
    for square in men.squares:
        if square in reached:
            targets = reached[square] & free
            if square == castling:
                targets |= _castling_targets(position)
        else:
            targets = _pawn_targets(ways[square], men.full, prey)
            if targets & last and book.promotion:
                found += _promotions(book, square, targets, last)
                continue
        if targets:
            found += standard_moves(square, targets)
    return found


def _promotions(book: Book, square: int, targets: int, last: int) -> tuple[Move, ...]:
    choices = PROMOTIONS if book.profile.promotion_omitted else (*PROMOTIONS, "")
    return standard_moves(square, targets & ~last) + promotions(square, targets & last, choices)


def _open_to(book: Book, position: Position) -> dict[int, int]:
    """Return onto which squares each piece may be split or merged, by its own: those empty or of its symbol.

    If the profile lets a king be split onto its castling squares, what may stand there does not matter.
    """
    board, of, men = position.board, position.of, position.men
    vacant = ~(men.own | men.enemy)
    found = {square: targets & (vacant | of[board[square]]) for square, targets in position.reached.items()}
    if book.profile.castle_square_splits and (home := _castling_home(position)) is not None:
        found[home] |= _castling_targets(position)
    return found


def _merges(position: Position, open_to: Mapping[int, int]) -> list[Move]:
    """Return the merges; `open_to` has the squares onto which each piece may be split or merged."""
    found: list[Move] = []
    same: dict[str, list[tuple[int, int]]] = {s: [] for s in ("NBRQK" if position.white_to_move else "nbrqk")}
    for square, targets in open_to.items():
        if targets:
            same[position.board[square]].append((square, targets))
    for pieces in same.values():
        for (first, near), (second, far) in combinations(pieces, 2):
            if near & far:
                found += merges(first, second, near & far)
    return found


# -- targets, as masks --------------------------------------------------------------------------------


def standard_targets(book: Book, position: Position, square: int) -> int:
    """Return where the piece of the side to move on this square may go."""
    men, reached = position.men, position.reached
    if square not in reached:
        return _pawn_targets(_pawn_ways(position)[square], men.full, _prey(book, position))
    targets = reached[square] & men.free
    return targets | _castling_targets(position) if square == _castling_home(position) else targets


def split_targets(book: Book, position: Position, square: int) -> int:
    """Return the squares between which the piece on this square may be split."""
    return _open_to(book, position).get(square, 0)


def merge_targets(book: Book, position: Position, first: int, second: int) -> int:
    """Return the squares onto which the pieces of one symbol on these two squares may be merged."""
    open_to = _open_to(book, position)
    return open_to.get(first, 0) & open_to.get(second, 0)


def last_rank(position: Position) -> int:
    """Return the rank on which pawns of the side to move are promoted."""
    return position.geometry.rank_masks[-1 if position.white_to_move else 0]


def _castling_home(position: Position) -> int | None:
    """Return the king's square if the side to move still has a right to castle, else None."""
    home = KING_HOME["K" if position.white_to_move else "k"]
    return home if position.rights and home in position.reached and position.board[home] in "Kk" else None


def _castling_targets(position: Position) -> int:
    """Return the squares to which that king may castle."""
    castlings = open_castlings(position.rights, position.men.full, position.white_to_move, position.geometry)
    return sum(1 << castling.king[1] for castling in castlings)


def _pawn_ways(position: Position) -> Sequence[PawnWays]:
    return reach(position.geometry).pawns[position.white_to_move]


def _pawn_targets(ways: PawnWays, full: int, prey: int) -> int:
    """Return one step ahead unless certainly blocked, two from the start rank, and possible captures."""
    one, two, attacks = ways
    ahead = one & ~full
    if ahead and two:
        ahead |= two & ~full
    return ahead | attacks & prey


def _prey(book: Book, position: Position) -> int:
    """Return what pawns may take: the enemy, and the en passant square.

    There must be a pawn behind that square, except in some profiles.
    """
    prey, target = position.men.enemy, position.en_passant
    if target is None:
        return prey
    behind = position.board[victim_square(position, target)]
    if book.profile.en_passant_always or behind == ("p" if position.white_to_move else "P"):
        prey |= 1 << target
    return prey
