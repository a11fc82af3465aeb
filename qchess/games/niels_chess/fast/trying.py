"""Which changes of the board leave the own king safe: each is tried on a copy."""

from __future__ import annotations

from typing import Any

from qchess.circuits.kernels import helper
from qchess.games.niels_chess.fast.layout import (
    AT,
    KING,
    NO_BOX,
    Board,
    Ints,
    Units,
    at,
    colour,
    diag,
    half,
    is_pair,
    kind,
    moved,
    piece,
    second,
)
from qchess.games.niels_chess.fast.reaching import exposed


@helper
def king_of(men: Units, side: Any) -> Any:
    """Return the king of a colour, in superposition or not; 0 if there is none."""
    for square in range(men.size):
        unit = men[square]
        if unit != 0 and kind(unit) == KING and colour(unit) == side:
            return unit
    return men[0] & 0


@helper
def place(men: Units, unit: Any) -> None:
    """Put a unit on its squares."""
    men[at(unit)] = unit
    if is_pair(unit):
        men[second(unit)] = unit


@helper
def lift(men: Units, unit: Any) -> None:
    """Take a unit off its squares."""
    men[at(unit)] = 0
    if is_pair(unit):
        men[second(unit)] = 0


@helper
def copy(men: Units, to: Units) -> None:
    """Copy a board."""
    for square in range(men.size):
        to[square] = men[square]


@helper
def safe(book: Ints, men: Units, side: Any) -> bool:
    """Tell whether the king of a colour is safe on a board."""
    own = king_of(men, side)
    return own == 0 or not exposed(book, men, own)


@helper
def safe_without(board: Board, square: int, own: Any) -> bool:
    """Tell whether a king is safe while a square is empty."""
    after = board.tried[0]
    copy(board.men, after)
    after[square] = 0
    return not exposed(board.book, after, own)


@helper
def safe_with(board: Board, unit: Any, new: Any) -> bool:
    """Tell whether the own king is safe once a unit has become another."""
    after = board.tried[0]
    copy(board.men, after)
    lift(after, unit)
    place(after, new)
    return safe(board.book, after, colour(unit))


@helper
def safe_in_passing(board: Board, start: Any, end: Any, victim: Any) -> bool:
    """Tell whether the own king is safe once a pawn, certain like its victim, has taken it in passing."""
    unit, after = board.men[start], board.tried[0]
    copy(board.men, after)
    after[victim] = after[start] = 0
    after[end] = moved(unit, start, end)
    return safe(board.book, after, colour(unit))


# -- attempts: as `attempts.boards`, with the board after each result of the rolls -------------------------------


@helper
def safe_attempt(board: Board, start: Any, end: Any, victim: Any, back: int) -> bool:
    """Tell whether no result of an attempt's rolls exposes the own king."""
    attacker, target = board.men[start], board.men[victim]
    side, after, last = colour(attacker), board.tried[0], board.tried[1]
    first, other = (attacker, target) if board.book[NO_BOX] else (target, attacker)
    if not is_pair(first):
        first, other = other, first
    both = is_pair(other) and (diag(first) == 0 or diag(first) != diag(other))
    for coin in range(2):
        land(board.men, after, first, coin)
        stops = board.book[NO_BOX] == 1 and first == attacker and half(first, coin) != start
        if both and not stops:
            for other_coin in range(2):
                land(after, last, other, other_coin)
                settle(last, start, end, victim, back)
                if not safe(board.book, last, side):
                    return False
            continue
        settle(after, start, end, victim, back)
        if not safe(board.book, after, side):
            return False
    return True


@helper
def land(men: Units, after: Units, pair: Any, coin: int) -> None:
    """Write the board after the coin of a pair has landed: all pairs that share it become pieces."""
    copy(men, after)
    for square in range(men.size):
        unit = men[square]
        if unit == 0 or not is_pair(unit) or at(unit) != square:
            continue
        if unit == pair or (diag(pair) != 0 and diag(unit) == diag(pair)):
            lift(after, unit)
            place(after, piece(unit, kind(unit), half(unit, coin)))


@helper
def settle(men: Units, start: Any, end: Any, victim: Any, back: int) -> None:
    """Capture, if both stand where they touched; what collapsed to the square passed over is put back."""
    attacker, target, passed = men[start], men[victim], men[end]
    if attacker == 0:
        return
    if target != 0:
        lift(men, target)
    elif back >= 0 and passed != 0:
        lift(men, passed)
        place(men, passed + ((back - end) << AT))
    lift(men, attacker)
    men[end] = piece(attacker, kind(attacker), end)
