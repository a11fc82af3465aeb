"""Name measurement results as the rules do: answers by question, one bit for each place read."""

from __future__ import annotations

from collections.abc import Sequence

from qchess.games.quantum_checkers.core import layout as at
from qchess.games.quantum_checkers.core.layout import Ints
from qchess.games.quantum_checkers.core.packing import Packed
from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.turn import CAPTURER, TARGET


def answers_of(book: Ints, packed: Packed, move: Move, ways: Sequence[Sequence[int]]) -> list[dict[str, int]]:
    """Return the answers of each way in which a measuring capture can end."""
    start, end = move.sources[0], move.targets[0]
    squares = int(book[at.SIZE]) ** 2
    taker, victim = (int(packed.board[at.CELLS + s] >> 1) - 1 for s in (start, (start + end) // 2))
    is_split = bool(packed.board[at.CELLS + squares + taker] >= 2)
    first = _places(book, packed, taker if is_split else victim)
    second = _second(book, packed, taker, victim, ways) if is_split else []
    name = CAPTURER if is_split else TARGET
    found = []
    for own, other, own2, other2 in ways:
        answers = {name: _bits(first, own, other)}
        if own2 >= 0:
            answers[TARGET] = _bits(second, own2, other2)
        found.append(answers)
    return found


def _bits(places: list[int], *found: int) -> int:
    return sum(1 << places.index(place) for place in found if place >= 0)


def _second(book: Ints, packed: Packed, taker: int, victim: int, ways: Sequence[Sequence[int]]) -> list[int]:
    """Return the places read in the second question: of a partner, those that the first left open."""
    row = _component(book, packed, taker)
    if victim in row[at.FIRST : at.TAKEN]:
        return sorted({way[2] for way in ways if way[2] >= 0})
    return _places(book, packed, victim) if any(way[2] >= 0 for way in ways) else []


def _component(book: Ints, packed: Packed, piece: int) -> list[int]:
    """Return the row of a piece's component."""
    word = int(packed.board[at.CELLS + int(book[at.SIZE]) ** 2 + piece])
    row: list[int] = packed.components[(word >> 1) - 1].tolist()
    return row


def _places(book: Ints, packed: Packed, piece: int) -> list[int]:
    """Return the places of a piece; then its partner's, if both collapse together."""
    row = _component(book, packed, piece)
    slot = row[at.FIRST : at.TAKEN].index(piece)
    partner = row[at.FIRST + 1 - slot] if book[at.JOINT] else -1
    return _own(book, packed, piece, row, slot) + (_own(book, packed, partner, row, 1 - slot) if partner >= 0 else [])


def _own(book: Ints, packed: Packed, piece: int, row: list[int], slot: int) -> list[int]:
    """Return the squares of a piece, then the captures that may have taken it."""
    cells = packed.board[at.CELLS : at.CELLS + int(book[at.SIZE]) ** 2]
    squares: list[int] = ((cells >> 1) - 1 == piece).nonzero()[0].tolist()
    return squares + row[at.LISTS[slot] : at.LISTS[slot] + row[at.TAKEN + slot]]
