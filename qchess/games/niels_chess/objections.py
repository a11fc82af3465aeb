"""Say why a move is not legal: the rules one by one, in words, trying every outcome for the king's safety.

This is the simple version; `listing` makes whole lists faster.
"""

from __future__ import annotations

from collections.abc import Callable

from qchess.games.niels_chess.book import PROMOTIONS, Book
from qchess.games.niels_chess.coins import collapse, interferes, possible
from qchess.games.niels_chess.effects import board_endings, in_passing, made_pair, outcomes
from qchess.games.niels_chess.listing import any_legal_move
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
from qchess.games.niels_chess.units import State, Unit, facing, place, unit_at

#: reasons about the own king; exposing it loses where suicide is allowed
EXPOSES = "it could leave or put your own king in check"
#: what moves may have besides their squares, and what each class has
FIELDS = ("facing", "promotion", "option")
SAYS = {MOVE: ("promotion", "option"), SPLIT: ("facing", "promotion"), JOIN: FIELDS, Z: ("option",)}


def objection(book: Book, state: State, move: Move) -> str:
    """Return why a move is not legal here, in words; empty for a legal one."""
    return _form(book, state, move) or MANNERS[move.kind](book, state, move) or _exposes(book, state, move)


def _form(book: Book, state: State, move: Move) -> str:
    """Check what concerns every class: whose turn it is, and whether the squares exist."""
    if state.suicide >= 0:
        return "the game is over"
    if (state.offer is not None) != (move.kind in (AGREE, DECLINE)):
        return (
            "an offered Hadamard move is waiting for an answer"
            if state.offer is not None
            else "there is no offer to answer"
        )
    if strange := [name for name in move.squares if name not in book.numbers]:
        return f"the board has no square {strange[0]}"
    if fault := _says_too_much(move):
        return fault
    if move.kind in (AGREE, DECLINE):
        return ""
    unit = state.men[book.numbers[move.start]]
    if unit is None:
        return f"{move.start} is empty"
    if unit.colour != state.turn:
        return f"the piece on {move.start} is the opponent's"
    if state.pending >= 0 and book.numbers[move.start] != state.pending:
        return f"the piece that was measured on {book.names[state.pending]} has to move"
    return ""


def _says_too_much(move: Move) -> str:
    """Check that a move has nothing beyond its class, such as a promotion in castling."""
    for field in FIELDS:
        if (said := getattr(move, field)) and field not in SAYS.get(move.kind, ()):
            return f"a move of the class {move.kind!r} has no {field}, got {said!r}"
    return ""


def _exposes(book: Book, state: State, move: Move) -> str:
    """Tell whether some outcome leaves the own king capturable."""
    if move.kind == REMOTE:
        stuck = any(any_legal_move(book, end.state) is None for end in outcomes(book, state, move))
        return "the resulting piece could not move" if stuck else ""
    if move.kind in (AGREE, DECLINE):
        return ""
    if move.kind == HADAMARD:
        pair, _ = _unit(book, state, move)
        boards = [collapse(book.variant, state.men, pair, interferes(pair))]  # an offer is judged as what it offers
    else:
        boards = [end.men for end in board_endings(book, state, move)]
    return EXPOSES if any(book.in_check(men, state.turn) for men in boards) else ""


# -- moves and captures ---------------------------------------------------------------------------------------


def _unit(book: Book, state: State, move: Move) -> tuple[Unit, int]:
    start = book.numbers[move.start]
    return unit_at(state.men, start), start


def _promotion(book: Book, unit: Unit, move: Move, *squares: int) -> str:
    """Check that a pawn on the last rank is promoted, and nothing else is."""
    if not book.promotes(unit, *squares):
        return "only a pawn that reaches the last rank is promoted" if move.promotion else ""
    return "" if move.promotion and move.promotion in PROMOTIONS else "a pawn on the last rank becomes Q, R, B or N"


def _move(book: Book, state: State, move: Move) -> str:
    unit, start = _unit(book, state, move)
    end = book.numbers[move.squares[1]]
    if in_passing(state, unit, start, end, move.option, book.board.width):
        return _passing(book, state, unit, start, move)
    if move.option:
        return "nothing can be taken in passing there"
    target = state.men[end]
    if target is None:
        if _castles(book, state, unit, start, end):
            return _promotion(book, unit, move, end)
        if end not in book.pieces.quiet(state.men, unit, start):
            return _castling_fault(book, state, unit, start, end) or f"{move.squares[1]} is not in reach"
    elif target.colour == unit.colour:
        return f"your own piece stands on {move.squares[1]}"
    elif end not in book.pieces.targets(state.men, unit, start):
        return f"{move.squares[1]} is not in reach"
    elif target.kind == "K" and possible(book.variant, unit, start, target, end):
        return "a king is never captured, but this attempt could succeed"
    return _promotion(book, unit, move, end)


def _passing(book: Book, state: State, unit: Unit, start: int, move: Move) -> str:
    assert state.ep is not None, "only called where a pawn has passed"
    if state.ep[0] not in book.pieces.strikes[unit.colour][start]:
        return f"{move.squares[1]} is not in reach"
    if bool(move.option) != (state.men[state.ep[0]] is not None):
        return "'.ep' marks an en passant capture; this move is not one"
    return "a capture in passing does not promote" if move.promotion else ""


def _castles(book: Book, state: State, unit: Unit, start: int, end: int) -> bool:
    if unit.kind != "K" or abs(end - start) != 2 or book.variant.xiangqi:
        return False
    possible_now = any(to == end for at, to, _, _ in book.castlings(state) if at == start)
    return possible_now and book.castles_safely(state.men, unit.colour, start, end)


def _castling_fault(book: Book, state: State, unit: Unit, start: int, end: int) -> str:
    """Return why a king cannot go two squares along its rank."""
    if unit.kind != "K" or book.variant.xiangqi or abs(end - start) != 2:
        return ""
    letter = ("Q", "K")[end > start] if unit.colour == 0 else ("q", "k")[end > start]
    if letter not in state.castling:
        return "castling on this side needs a king and a rook that have never moved or split"
    if not any(to == end for _, to, _, _ in book.castlings(state)):
        return "a piece stands between king and rook"
    return "the king stands on, crosses or reaches an attacked square"


# -- superposition, entanglement, tunnelling --------------------------------------------------------------


def _split(book: Book, state: State, move: Move) -> str:
    unit, start = _unit(book, state, move)
    first, second = (book.numbers[name] for name in move.squares[1:3])
    if unit.is_pair:
        return "a piece in superposition does not split again"
    reached = [start, *book.pieces.quiet(state.men, unit, start)]
    if first == second or first not in reached or second not in reached:
        return "a superposition goes to two squares that are empty and in reach, or to one of them and stays"
    if book.variant.slow and start not in (first, second):
        return "in the slow game a superposition stays on its square with one half"
    if not book.may_split(unit, first, second):
        return "River and Palace do not allow this superposition"
    if _colours(book, unit, first, second):
        return _colours(book, unit, first, second)
    if move.facing not in book.facings:
        return f"the marks may face {', '.join(book.facings)}, not {move.facing!r}"
    return _promotion(book, unit, move, first, second)


def _colours(book: Book, unit: Unit, first: int, second: int) -> str:
    if book.marks_fixed(unit) and first != book.farther(unit, first, second):
        return "the half of a pawn that is farther ahead must have the red mark"
    return ""


def _join(book: Book, state: State, move: Move) -> str:
    unit, start = _unit(book, state, move)
    first, second, at = (book.numbers[name] for name in move.squares[1:])
    if unit.is_pair:
        return "only a conventional piece joins a pair"
    arrival = second if first == start else first
    if start not in (first, second) or arrival not in book.pieces.quiet(state.men, unit, start):
        return "a joining piece stays on its square and arrives on one that is empty and in reach"
    joined = state.men[at]
    if joined is None or not joined.is_pair or joined.colour == unit.colour:
        return f"{move.squares[3]} holds no half of an opposing pair"
    if not book.may_join(unit, arrival):
        return "River and Palace do not allow this entanglement"
    fault = _colours(book, unit, first, second) or _promotion(book, unit, move, first, second)
    return (
        fault
        or _marks_match(book, move, joined)
        or _diagonal(book, state, move, joined)
        or _attack(book, state, move, unit, joined)
    )


def _marks_match(book: Book, move: Move, joined: Unit) -> str:
    if move.facing not in book.facings:
        return f"the marks may face {', '.join(book.facings)}, not {move.facing!r}"
    if facing(move.facing)[1] != joined.z:
        return "the superposition must be of the same type as the one it joins"
    return ""


def _diagonal(book: Book, state: State, move: Move, joined: Unit) -> str:
    if joined.diag:
        other = bool(move.option) and move.option != joined.diag
        return f"the pair joined lies on the diagonal {joined.diag}" if other else ""
    free = book.free_diagonals(state.men)
    if not free:
        return "both diagonals are in use"
    return f"the diagonal {move.option} is in use" if move.option and move.option not in free else ""


def _attack(book: Book, state: State, move: Move, unit: Unit, joined: Unit) -> str:
    """Check that one of the two halves attacks one half of the pair, on the board after the move."""
    men = list(state.men)
    new = made_pair(book, unit, move)
    place(men, new)
    hit = book.pieces.threatens(men, new, new.at) + book.pieces.threatens(men, new, new.second)
    return "" if set(hit) & set(joined.squares) else "neither half attacks the pair that it joins"


def _tunnel(book: Book, state: State, move: Move) -> str:
    unit, start = _unit(book, state, move)
    end = book.numbers[move.squares[1]]
    if not book.variant.tunnelling:
        return "this game has no tunnelling"
    if unit.is_pair or unit.kind not in book.pieces.tunnellers:
        return f"only a conventional piece of {', '.join(book.pieces.tunnellers)} tunnels"
    through = [barrier for barrier, to in book.pieces.barriers(state.men, unit, start) if to == end]
    if not through:
        return f"{move.squares[1]} is not the empty square right behind the first piece in the way"
    barriers = [state.men[at] for at in through]
    any_colour = book.variant.tunnel_barrier == "any"
    if not any(b and not b.is_pair and (any_colour or b.colour != unit.colour) for b in barriers):
        return f"the barrier must be a conventional {'' if any_colour else 'opposing '}piece"
    return ""


# -- moves of marks -----------------------------------------------------------------------------------------


def _pair(book: Book, state: State, move: Move) -> str:
    unit, _ = _unit(book, state, move)
    named = tuple(book.names[square] for square in unit.squares)
    return "" if unit.is_pair and named == move.squares else f"{' and '.join(move.squares)} are not the two of a pair"


def _invert(book: Book, state: State, move: Move) -> str:
    if fault := _pair(book, state, move):
        return fault
    pair, _ = _unit(book, state, move)
    if book.variant.simplified:
        return "in the Simplified Game the first mark always faces the opponent"
    if not book.differs(pair):
        return "the inversion would change nothing"
    return "" if book.one_away(state.men, pair) else "neither half is one move away from the other"


def _z(book: Book, state: State, move: Move) -> str:
    if fault := _pair(book, state, move):
        return fault
    pair, _ = _unit(book, state, move)
    if not book.variant.hadamard:
        return "this game has no Z move"
    if pair.diag and not book.variant.hadamard_plus:
        return "the pair is entangled"
    if move.option and (pair.diag or book.variant.simplified):
        return "here the Z move flips the second mark"
    return ""


def _hadamard(book: Book, state: State, move: Move) -> str:
    if fault := _pair(book, state, move):
        return fault
    pair, _ = _unit(book, state, move)
    if not book.variant.hadamard:
        return "this game has no Hadamard move"
    if pair.diag and not book.variant.hadamard_plus:
        return "the pair is entangled"
    if pair.diag and state.declined:
        return "the opponent did not agree"
    return "" if book.group_away(state.men, pair) else "not every pair is one move away from its other half"


def _remote(book: Book, state: State, move: Move) -> str:
    if not book.variant.remote_collapse:
        return "this game has no remote collapse"
    if state.pending >= 0:
        return "a piece was collapsed already and has to move"
    return _pair(book, state, move)


def _answer(book: Book, state: State, move: Move) -> str:
    return ""


MANNERS: dict[str, Callable[[Book, State, Move], str]] = {
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
