"""Effective keys: positions that play alike have equal keys, even with different marks."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from qchess.games.niels_chess.units import State, Unit

if TYPE_CHECKING:
    from qchess.games.niels_chess.book import Book


def effective(book: Book, state: State) -> Hashable:
    """Return everything that affects how play can go on, and nothing else.

    It leaves out counters and arbitrary names. The colours of an equal pair matter only once it is entangled; of an
    unequal pair only the better half counts; the diagonals may be exchanged.
    """
    pieces = tuple([unit for unit in state.men if unit is not None and unit.second < 0])
    pairs = state.pairs
    lone = frozenset([_lone(book, pair) for pair in pairs if not pair.diag])
    groups = frozenset(
        [
            frozenset([_grouped(book, pair) for pair in pairs if pair.diag == diag])
            for diag in {pair.diag for pair in pairs if pair.diag}
        ]
    )
    extra = (state.pending, state.offer, state.declined)
    return state.turn, state.castling, state.ep, pieces, lone, groups, extra


def _lone(book: Book, pair: Unit) -> Hashable:
    who = (pair.colour, pair.kind)
    if book.variant.hadamard:
        return who, pair.at, pair.second, pair.z
    squares = frozenset(pair.squares)
    return (who, squares, pair.major) if pair.z else (who, squares)


def _grouped(book: Book, pair: Unit) -> Hashable:
    who = (pair.colour, pair.kind)
    if book.variant.hadamard:
        return who, pair.at, pair.second, pair.x, pair.z
    return who, frozenset(pair.squares), pair.major, pair.z


def remembered(book: Book, before: State, after: State, forget: bool) -> State:
    """Return the state with its key added to the history since the last irreversible move."""
    past = () if forget else before.history
    entry = (effective(book, after), book.in_check(after.men, after.turn))
    return after._replace(history=(*past, entry))


def occurrences(state: State) -> int:
    """Return how often the present position has occurred."""
    if not state.history:
        return 1
    now = state.history[-1][0]
    return sum(key == now for key, _ in state.history)
