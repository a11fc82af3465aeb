"""How games end: mate, stalemate, dead positions, and the optional rules of repetition and fifty moves."""

from __future__ import annotations

from collections.abc import Iterator

from qchess.games.niels_chess.attempts import Attempt, endings
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.keys import occurrences
from qchess.games.niels_chess.listing import any_legal_move
from qchess.games.niels_chess.units import State, king
from qchess.rules import Threat

#: plies without a pawn move or capture after which the optional rule ends a game
FIFTY_MOVES = 100


def ended(book: Book, state: State, movable: bool | None = None) -> tuple[int | None, str] | None:
    """The winner's colour (None for a draw) and the reason, or None while the game goes on.

    Whoever knows already whether there is a legal move says so.
    """
    if state.suicide >= 0:
        return 1 - state.suicide, "suicide"
    if state.pending >= 0 or state.offer is not None:
        return None
    if movable is None:
        movable = any_legal_move(book, state) is not None
    if not movable:
        return _without_move(book, state)
    return _drawn(book, state)


def _without_move(book: Book, state: State) -> tuple[int | None, str]:
    if book.in_check(state.men, state.turn):
        return 1 - state.turn, "checkmate"
    return (1 - state.turn if book.variant.xiangqi else None), "stalemate"


def _drawn(book: Book, state: State) -> tuple[int | None, str] | None:
    if book.variant.fifty_move and state.clock >= FIFTY_MOVES:
        return None, "fifty moves"
    if book.variant.repetition != "off" and occurrences(state) >= 3:
        return _repeated(book, state)
    bare = all(unit.kind == "K" for unit in state.units)
    return (None, "dead position") if bare and book.variant.auto_dead == "kvk" else None


def _repeated(book: Book, state: State) -> tuple[int | None, str]:
    """A draw; in Xiangqi a loss for the only player who gave check with every move of the cycle."""
    if not book.variant.xiangqi:
        return None, "threefold repetition"
    now = state.history[-1][0]
    first = next(k for k, (key, _) in enumerate(state.history) if key == now)
    checks = [check for _, check in state.history[first + 1 :]]
    # the last entry was made by the player who is not to move, the one before by the other
    last_mover, other = all(checks[::-2]), all(checks[-2::-2])
    if last_mover != other:
        return (state.turn if last_mover else 1 - state.turn), "perpetual check"
    return None, "repetition"


def threats(book: Book, state: State) -> Iterator[Threat]:
    """Yield each attempt against the king, with the probability that it would succeed."""
    own = king(state.men, state.turn)
    if own is None or state.pending >= 0 or state.offer is not None or state.suicide >= 0:
        return
    for square in own.squares:
        for at in book.pieces.attackers(state.men, square, own.colour):
            found = endings(book.variant, state.men, Attempt(at, square, square))
            if success := sum(float(end.chance) for end in found if end.captured):
                yield Threat(book.names[square], f"{book.names[at]}{book.names[square]}", success)
