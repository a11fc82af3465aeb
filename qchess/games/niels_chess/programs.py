"""Programs: every move as a circuit on squares, in the shared vocabulary.

A square that is certainly full is a conventional piece; a pair lives on its two squares, always on exactly one of
them. After every move the amplitudes are real up to a global phase: sqrt p on the major square, sqrt (1-p) on
the minor one, in the Hadamard games with the sign of the phase on the second mark's square. For that, each
iSWAP that moves one branch only is followed by S† on where it arrived.

    split s -> M, m         iSWAP^t(s,m); iSWAP(s,M)              sin^2(pi t/2) = 1-p
    split with stay on M    iSWAP^t(M,m); S†(m)
    phase pair              the equal split, then Z on the second mark's square
    half move               SWAP(a,b)
    entanglement            SWAP(d,a) where the joined pair is on c
    inversion               SWAP(r,b)
    Hadamard move           S†(b); iSWAP^.5(r,b); S†(b)           of a group: its other pairs folded first
    tunnelling              iSWAP^t(from,to), sin^2(pi t/2) = 1/6; is it there?
    roll                    is the pair on its major square?      1 is the coin's 1
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from qchess.circuits import Operation, Program, Qubit, ask, iswap, swap, when, where, x, z
from qchess.games.niels_chess.attempts import Attempt, Ending, rollers, stops
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.coins import collapse, interferes, odds
from qchess.games.niels_chess.effects import asks_consent, attempt_of, board_endings, made_pair, own_pair
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
from qchess.games.niels_chess.rolls import ROLLS
from qchess.games.niels_chess.units import HALF, SIXTH, Men, State, Unit, tandem, unit_at


def program(book: Book, state: State, move: Move, found: Sequence[Ending] = ()) -> Program:
    """Return the program of a legal move: its operations, and a question for each roll.

    Whoever knows the endings of the move already gives them.
    """
    if move.kind == MOVE:
        return _move(book, state, move, found or board_endings(book, state, move))
    return PROGRAMS[move.kind](book, state, move)


@lru_cache(maxsize=16)
def exponent(share: Fraction) -> float:
    """Return the t of the iSWAP^t that moves this share of a piece.

    >>> [round(exponent(Fraction(1, n)), 6) for n in (2, 3, 6)]
    [0.5, 0.391827, 0.26772]
    """
    if share == HALF:  # exactly, so that compilers see the square root of an iSWAP
        return 0.5
    return 2 / math.pi * math.asin(math.sqrt(share))


# -- the parts -----------------------------------------------------------------------------------------------


def split(start: Qubit, major: Qubit, minor: Qubit, share: Fraction) -> list[Operation]:
    """Move a piece on `start` to `major` with this share and to `minor` with the rest; it may stay on either."""
    if start == major:
        return [iswap(major, minor, exponent(1 - share)), z(minor, -0.5)]
    if start == minor:
        return [iswap(minor, major, exponent(share)), z(major, -0.5)]
    return [iswap(start, minor, exponent(1 - share)), iswap(start, major)]


def hadamard(first: Qubit, second: Qubit) -> list[Operation]:
    """Apply H to a pair: an equal one goes to the first square with certainty, one with the phase to the second."""
    return [z(second, -0.5), iswap(first, second, 0.5), z(second, -0.5)]


def interference(book: Book, men: Men, pair: Unit) -> list[Operation]:
    """Return a Hadamard move of a pair, with its group folded onto it and unfolded again."""
    names = book.names
    first, second = names[pair.at], names[pair.second]
    others = [member for member in tandem(men, pair) if member != pair]
    fold = [swap(names[other.at], names[other.second]).when({second: 1}) for other in others]
    return [*fold, *hadamard(first, second), *fold]


def rolled(book: Book, pair: Unit, name: str) -> Program:
    """Return the roll of a pair: is it on its major square?"""
    return Program(ask(name, where({book.names[pair.major]: 1})))


# -- the classes of moves -------------------------------------------------------------------------------------


def _move(book: Book, state: State, move: Move, found: Sequence[Ending]) -> Program:
    attempt = attempt_of(book, state, move)
    if attempt is not None:
        return _attempt(book, state, attempt, found)
    names, (start, end) = book.names, (book.numbers[name] for name in move.squares)
    after = found[0]
    gone = [
        k
        for k in sorted({end, *(state.ep or ())[1:]})
        for unit in (state.men[k],)
        if unit is not None and unit.colour != state.turn and (k == end or after.men[k] is None)
    ]
    steps = [x(names[k]) for k in gone] + [swap(names[start], names[end])]
    unit = state.men[start]
    if unit is not None and unit.kind == "K":
        steps += _rook_of_castling(book, state, after)
    return Program(*steps)


def _rook_of_castling(book: Book, state: State, after: Ending) -> list[Operation]:
    """Move the rook, if a king's move is castling."""
    (left, came) = (
        [k for k, unit in enumerate(here) if unit is not None and unit.kind == "R" and there[k] is None]
        for here, there in ((state.men, after.men), (after.men, state.men))
    )
    return [swap(book.names[a], book.names[b]) for a, b in zip(left, came, strict=True)]


def _split(book: Book, state: State, move: Move) -> Program:
    start = unit_at(state.men, book.numbers[move.start])
    pair, names = made_pair(book, start, move), book.names
    steps = split(move.start, names[pair.major], names[pair.minor], odds(book.variant, pair))
    if book.variant.hadamard and pair.z:
        steps.append(z(names[pair.second]))
    return Program(*steps)


def _join(book: Book, state: State, move: Move) -> Program:
    """Move the piece to its arrival where the joined pair is on the matching half."""
    unit, joined = (unit_at(state.men, book.numbers[move.squares[k]]) for k in (0, 3))
    pair = made_pair(book, unit, move)
    arrival = pair.partner(unit.at)
    control = joined.major if arrival == pair.major else joined.minor
    names = book.names
    return Program(swap(names[unit.at], names[arrival]).when({names[control]: 1}))


def _tunnel(book: Book, state: State, move: Move) -> Program:
    start, end = move.squares
    return Program(iswap(start, end, exponent(SIXTH)), ask(ROLLS[0], where({end: 1})))


def _invert(book: Book, state: State, move: Move) -> Program:
    return Program(swap(*move.squares))


def _z(book: Book, state: State, move: Move) -> Program:
    return Program(z(book.names[own_pair(book, state, move).second]))


def _hadamard(book: Book, state: State, move: Move) -> Program:
    pair = own_pair(book, state, move)
    return Program() if asks_consent(book, state, pair) else Program(*interference(book, state.men, pair))


def _remote(book: Book, state: State, move: Move) -> Program:
    return rolled(book, own_pair(book, state, move), ROLLS[0])


def _answer(book: Book, state: State, move: Move) -> Program:
    if move.kind == DECLINE:
        return Program()
    assert state.offer is not None, "an answer has an offer"
    return Program(*interference(book, state.men, own_pair(book, state, state.offer)))


PROGRAMS: dict[str, Callable[[Book, State, Move], Program]] = {
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


# -- attempted captures -----------------------------------------------------------------------------------------


def _attempt(book: Book, state: State, attempt: Attempt, found: Sequence[Ending]) -> Program:
    """Return the rolls in order, and the moves after each of their results."""
    asked = rollers(book.variant, state.men, attempt)
    if book.variant.deterministic:
        steps, men = _induced(book, state.men, asked)
        return Program(*steps) + _settled(book, attempt, found[0], men)
    return _ask(book, state.men, attempt, asked, (), {end.rolls: end for end in found})


def _ask(
    book: Book,
    men: Men,
    attempt: Attempt,
    asked: Sequence[Unit],
    rolls: tuple[int, ...],
    found: dict[tuple[int, ...], Ending],
) -> Program:
    if not asked:
        return _settled(book, attempt, found[rolls], men)
    first, rest = asked[0], asked[1:]
    cases = {}
    for coin in (0, 1):
        after = collapse(book.variant, men, first, coin)
        left = () if stops(book.variant, men, attempt, first, coin) else rest
        cases[coin] = _ask(book, after, attempt, left, (*rolls, coin), found)
    name = ROLLS[len(rolls)]
    cases = {coin: case for coin, case in cases.items() if len(case)}
    return rolled(book, first, name) + when(name, cases) if cases else rolled(book, first, name)


def _induced(book: Book, men: Men, asked: Sequence[Unit]) -> tuple[list[Operation], Men]:
    """Return the Hadamard moves that an attempt causes in the game without dice, and the units after them."""
    steps: list[Operation] = []
    for pair in asked:
        steps += interference(book, men, pair)
        men = collapse(book.variant, men, pair, interferes(pair))
    return steps, men


def _settled(book: Book, attempt: Attempt, end: Ending, men: Men) -> Program:
    """Return what moves when all is certain: the victim goes, the attacker comes."""
    if not end.arrived:
        return Program()
    names = book.names
    steps: list[Operation] = []
    if end.captured:
        steps.append(x(names[attempt.victim]))
    elif attempt.end != attempt.victim and men[attempt.end] is not None:
        steps.append(swap(names[attempt.end], names[attempt.back]))  # it collapsed to the square passed over
    return Program(*steps, swap(names[attempt.start], names[attempt.end]))
