"""The effects of moves: every class of move, from a state to all possible next states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from qchess.games.niels_chess.attempts import Attempt, Ending, endings
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.coins import collapse, interferes, odds
from qchess.games.niels_chess.keys import remembered
from qchess.games.niels_chess.move import (
    AGREE,
    DECLINE,
    HADAMARD,
    INVERT,
    JOIN,
    MOVE,
    REMOTE,
    SPLIT,
    TUNNEL,
    Move,
    Z,
)
from qchess.games.niels_chess.units import ONE, SIXTH, State, Unit, facing, lift, place, tandem, unit_at


class Outcome(NamedTuple):
    """One way a move can go: its exact probability, the results of its rolls in order, and the state after it."""

    chance: Fraction
    rolls: tuple[int, ...]
    state: State


def outcomes(book: Book, state: State, move: Move) -> list[Outcome]:
    """Return every way a legal move can go, the likeliest result of each roll first."""
    return [
        Outcome(end.chance, end.rolls, finished(book, state, move, end))
        for end in EFFECTS[move.kind](book, state, move)
    ]


def board_endings(book: Book, state: State, move: Move) -> Sequence[Ending]:
    """Return the possible boards after a move, without turn, rights and counters."""
    return EFFECTS[move.kind](book, state, move)


# -- moves and captures -----------------------------------------------------------------------------------


def attempt_of(book: Book, state: State, move: Move) -> Attempt | None:
    """Return the attempted capture of a move, or None."""
    if move.kind != MOVE:
        return None
    start, end = (book.numbers[name] for name in move.squares)
    unit, victim = unit_at(state.men, start), end
    back = -1
    if in_passing(state, unit, start, end, move.option, book.board.width):
        assert state.ep is not None, "taking in passing needs a pawn that passed"
        victim = state.ep[1]
        back = 2 * end - victim  # the square on the other side of the one passed over
    target = state.men[victim]
    if target is None or (not unit.is_pair and not target.is_pair):
        return None
    return Attempt(start, end, victim, back, move.promotion)


def in_passing(state: State, unit: Unit, start: int, end: int, option: str, width: int) -> bool:
    """Tell whether a pawn's move to a square is an en passant capture."""
    if unit.kind != "P" or state.ep is None or end != state.ep[0]:
        return False
    # a pawn's straight step is a multiple of the width; taking in passing changes the file
    return option == "ep" or (state.men[end] is None and abs(end - start) in (width - 1, width + 1))


def _move(book: Book, state: State, move: Move) -> list[Ending]:
    attempt = attempt_of(book, state, move)
    if attempt is not None:
        return endings(book.variant, state.men, attempt)
    start, end = (book.numbers[name] for name in move.squares)
    men = list(state.men)
    unit = unit_at(men, start)
    captured = men[end] is not None
    if in_passing(state, unit, start, end, move.option, book.board.width) and state.ep is not None:
        men[state.ep[1]] = None
        captured = True
    if unit.kind == "K" and not unit.is_pair and abs(end - start) == 2 and not book.variant.xiangqi:
        _castle(book, state, men, start, end)
    lift(men, unit)
    place(men, unit.moved(start, end)._replace(kind=move.promotion or unit.kind, slow=False))
    return [Ending(ONE, (), men, captured)]


def _castle(book: Book, state: State, men: list[Unit | None], start: int, end: int) -> None:
    """Move the rook in castling."""
    for _, king_end, rook, rook_end in book.castlings(state):
        if king_end == end:
            piece = unit_at(men, rook)
            men[rook] = None
            men[rook_end] = piece._replace(at=rook_end)


# -- superposition, entanglement, tunnelling -----------------------------------------------------------


def made_pair(book: Book, unit: Unit, move: Move, diag: str = "") -> Unit:
    """Return the pair that a superposition or entanglement makes of a piece."""
    x, z = facing(move.facing)
    first, second = (book.numbers[name] for name in move.squares[1:3])
    return Unit(unit.colour, move.promotion or unit.kind, first, second, x, z, diag)


def _split(book: Book, state: State, move: Move) -> list[Ending]:
    men = list(state.men)
    unit = unit_at(men, book.numbers[move.start])
    lift(men, unit)
    place(men, made_pair(book, unit, move))
    return [Ending(ONE, (), men)]


def _join(book: Book, state: State, move: Move) -> list[Ending]:
    men = list(state.men)
    unit, joined = (unit_at(men, book.numbers[move.squares[k]]) for k in (0, 3))
    diag = move.option or book.diagonal(men, joined)
    assert diag, "an entanglement needs a diagonal"
    place(men, joined._replace(diag=diag))
    lift(men, unit)
    place(men, made_pair(book, unit, move, diag))
    return [Ending(ONE, (), men)]


def _tunnel(book: Book, state: State, move: Move) -> list[Ending]:
    start, end = (book.numbers[name] for name in move.squares)
    through = list(state.men)
    unit = unit_at(through, start)
    lift(through, unit)
    place(through, unit._replace(at=end))
    stays = Ending(1 - SIXTH, (0,), list(state.men), arrived=False)
    return [Ending(SIXTH, (1,), through), stays]


# -- moves of marks ------------------------------------------------------------------------------------------


def own_pair(book: Book, state: State, move: Move) -> Unit:
    """Return the pair that a move of marks names."""
    return unit_at(state.men, book.numbers[move.start])


def _invert(book: Book, state: State, move: Move) -> list[Ending]:
    pair = own_pair(book, state, move)
    men = list(state.men)
    place(men, pair._replace(x=1 - pair.x))
    return [Ending(ONE, (), men)]


def _z(book: Book, state: State, move: Move) -> list[Ending]:
    men = list(state.men)
    for pair in tandem(men, own_pair(book, state, move)):
        flips = int(move.option == book.first_mark)
        place(men, pair._replace(z=1 - pair.z, x=pair.x ^ flips))
    return [Ending(ONE, (), men)]


def _hadamard(book: Book, state: State, move: Move) -> list[Ending]:
    pair = own_pair(book, state, move)
    if asks_consent(book, state, pair):
        return [Ending(ONE, (), list(state.men))]
    return [Ending(ONE, (), collapse(book.variant, state.men, pair, interferes(pair)))]


def asks_consent(book: Book, state: State, pair: Unit) -> bool:
    """Tell whether a Hadamard move is an offer first: it is of a group, and the opponent has not been asked yet."""
    return book.variant.hplus_consent and bool(pair.diag)


def _remote(book: Book, state: State, move: Move) -> list[Ending]:
    pair = own_pair(book, state, move)
    variant = book.variant
    return [Ending(odds(variant, pair, coin), (coin,), collapse(variant, state.men, pair, coin)) for coin in (1, 0)]


def _answer(book: Book, state: State, move: Move) -> list[Ending]:
    """Apply the answer to an offered Hadamard move of a group."""
    if move.kind == DECLINE:
        return [Ending(ONE, (), list(state.men))]
    assert state.offer is not None, "an answer has an offer"
    pair = own_pair(book, state, state.offer)
    return [Ending(ONE, (), collapse(book.variant, state.men, pair, interferes(pair)))]


EFFECTS: dict[str, Callable[[Book, State, Move], list[Ending]]] = {
    MOVE: _move,
    SPLIT: _split,
    JOIN: _join,
    TUNNEL: _tunnel,
    INVERT: _invert,
    Z: _z,
    HADAMARD: _hadamard,
    REMOTE: _remote,
    AGREE: _answer,
    DECLINE: _answer,
}


# -- turn, rights and counters ---------------------------------------------------------------------------


def finished(book: Book, state: State, move: Move, end: Ending) -> State:
    """Return the state after a move with this ending."""
    men = tuple(end.men)
    if move.kind == REMOTE:
        return _half_way(book, state, move, end, men)
    if move.kind == DECLINE:
        return state._replace(turn=1 - state.turn, offer=None, declined=True, ply=state.ply + 1)
    if move.kind == HADAMARD and asks_consent(book, state, own_pair(book, state, move)):
        return state._replace(turn=1 - state.turn, offer=move, ply=state.ply + 1)
    turn = state.turn if move.kind == AGREE else 1 - state.turn  # who agreed moves next
    resets = end.captured or _is_pawn_move(book, state, move)
    after = State(
        men,
        turn,
        kept_rights(book, state, men),
        passed_over(book, state, move, end),
        0 if resets else state.clock + 1,
        state.number + (turn == 0),
        ply=state.ply + 1,
    )
    return remembered(book, state, after, resets) if book.variant.repetition != "off" else after


def _half_way(book: Book, state: State, move: Move, end: Ending, men: tuple[Unit | None, ...]) -> State:
    """Return the state after the roll of a remote collapse: the same player moves the resulting piece."""
    pair = own_pair(book, state, move)
    pending = pair.major if end.rolls[0] else pair.minor
    ep = state.ep
    if ep is not None and ((victim := men[ep[1]]) is None or victim.kind != "P"):
        ep = None
    return state._replace(men=men, pending=pending, ep=ep, castling=kept_rights(book, state, men), ply=state.ply + 1)


def _is_pawn_move(book: Book, state: State, move: Move) -> bool:
    if move.kind not in (MOVE, SPLIT, JOIN):
        return False
    unit = state.men[book.numbers[move.start]]
    return unit is not None and unit.kind == "P"


def kept_rights(book: Book, state: State, men: Sequence[Unit | None]) -> str:
    """Return the castling rights whose king and rook have not moved; whoever has one stands on the home rank."""
    kept, width = state.castling, book.board.width
    for letters, home in (("KQ", slice(width)), ("kq", slice(-width, None))) if kept else ():
        before = state.men[home]
        if men[home] != before:
            own = next((unit for unit in before if unit is not None and unit.kind == "K"), None)
            for letter in letters:
                rook = book.corner(letter)
                if own is None or men[own.at] != own or men[rook] != state.men[rook]:
                    kept = kept.replace(letter, "")
    return kept


def passed_over(book: Book, state: State, move: Move, end: Ending) -> tuple[int, int] | None:
    """Return the square that a two-square advance passed over, and where the pawn now stands."""
    if book.variant.xiangqi or move.kind not in (MOVE, SPLIT, JOIN) or end.captured:
        return None
    start = book.numbers[move.start]
    unit = state.men[start]
    if unit is None or unit.kind != "P":
        return None
    two = 2 * book.board.width
    arrivals = [book.numbers[name] for name in move.squares[1 : 2 if move.kind == MOVE else 3]]
    for square in arrivals:
        arrived = end.men[square]
        if abs(square - start) == two and arrived is not None and arrived.kind == "P":
            passed = (start + square) // 2
            covered = passed in arrivals and book.variant.ep_split34 == "none"
            return None if covered else (passed, square)
    return None
