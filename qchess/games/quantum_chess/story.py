"""What a move came to, in words: what was found, who stands where now, and what else it settled."""

from __future__ import annotations

from collections.abc import Mapping

from qchess.circuits.precision import SAME
from qchess.games.quantum_chess.move import CAPTURE, Kind, Move, MoveType, castling_of, is_en_passant
from qchess.games.quantum_chess.objections import PIECES
from qchess.games.quantum_chess.patterns import HIT
from qchess.games.quantum_chess.position import EMPTY, Position
from qchess.games.quantum_chess.turn import Turn
from qchess.wording import percent

#: more squares than this are counted, not listed
LISTED = 6


def story(before: Position, turn: Turn, answers: Mapping[str, int], after: Position) -> str:
    """The move in words; nothing where a chess player sees all there is to see."""
    move = turn.move
    if turn.kind is None:
        return ""
    asked = HIT in answers
    told = _answered(before, move, turn.kind, answers[HIT], after) if asked else _went(before, move, after)
    named = {before.geometry.names[k] for k in move.squares} | set(_parts(before, move))
    return "; ".join(part for part in (told, _settled(before, after, named)) if part)


# -- moves that ask nothing -----------------------------------------------------------------------------


def _went(before: Position, move: Move, after: Position) -> str:
    """Where the parts of the piece are, if there are several or were."""
    names = before.geometry.names
    piece = _piece(before, move.sources[0])
    source = names[move.sources[0]]
    if castling_of(before, move) and _odds(after, source) > 0:
        return f"the castling was partly blocked: the king is {_places(after, 'Kk', (source, names[move.targets[0]]))}"
    where = _where(after, _parts(before, move) | {names[k] for k in move.squares}, before.board[move.sources[0]])
    if move.is_split:
        return f"the {piece} is now {where}"
    if move.is_merge:
        return f"the {piece} is now {where}"
    if not 0 < _odds(after, source) < 1:
        return ""
    return f"the path was only partly clear: the {piece} is now {where}"


def _places(position: Position, symbols: str, squares: tuple[str, ...]) -> str:
    board = dict(zip(position.geometry.names, position.board, strict=True))
    return _list([s for s in squares if board[s] in symbols], position)


# -- moves that ask ---------------------------------------------------------------------------------------


def _answered(before: Position, move: Move, what: Kind, hit: int, after: Position) -> str:
    if what.variant is CAPTURE:
        return _capture(before, move, what, hit, after)
    return _excluded(before, move, hit, after)


def _capture(before: Position, move: Move, what: Kind, hit: int, after: Position) -> str:
    names = before.geometry.names
    (s,), (t,) = move.sources, move.targets
    piece, source, target = _piece(before, s), names[s], names[t]
    if hit:
        found = "" if _odds(before, source) > 1 - SAME else f" was on {source} and"
        return f"the {piece}{found} {_taken(before, move, after)}"
    if _odds(before, source) > 1 - SAME:
        return f"the path from {source} to {target} was blocked: nothing was taken, and the {piece} stays on {source}"
    slides = what.type is MoveType.SLIDE and any(before.board[k] != EMPTY for k in before.geometry.between(s, t))
    reason = f"was not on {source}" + (", or its path was blocked" if slides else "")
    now = _where(after, _parts(before, move), before.board[s])
    return f"the {piece} {reason}, so nothing was taken" + (f"; it is now {now}" if now else "")


def _taken(before: Position, move: Move, after: Position) -> str:
    """What the piece took: a whole one, or the part of one that was there."""
    names = before.geometry.names
    (s,), (t,) = move.sources, move.targets
    target = names[t]
    if is_en_passant(before, s, t):
        return f"took in passing and is now on {target}" + _left_behind(after, names[s])
    victim, share = _piece(before, t), _odds(before, target)
    if _odds(after, names[s]) > SAME:
        return f"took the {victim} if it was on {target}, and otherwise stayed on {names[s]}"
    if share > 1 - SAME:
        return f"took the {victim} on {target}"
    return f"is now on {target} and with a chance of {percent(share)} took the {victim} there"


def _left_behind(after: Position, source: str) -> str:
    left = _odds(after, source)
    return f" in part; {percent(left)} of it is still on {source}" if left > SAME else ""


def _excluded(before: Position, move: Move, hit: int, after: Position) -> str:
    names = before.geometry.names
    piece, source, target = _piece(before, move.sources[0]), names[move.sources[0]], names[move.targets[0]]
    if castling_of(before, move):
        return (
            "the squares were free: king and rook have castled"
            if hit
            else "the squares were not free: king and rook stay"
        )
    if not hit:
        there = f"the {_piece(before, move.targets[0])} is there, so " if _odds(after, target) > 1 - SAME else ""
        return f"{target} was not empty: {there}the {piece} stays on {source}"
    left = _odds(after, source)
    moved = f"the {piece} is now on {target}" if left < SAME else f"the {piece} is now {_list([source, target], after)}"
    return f"{target} was empty: {moved}"


# -- who is where ---------------------------------------------------------------------------------------


def _parts(position: Position, move: Move) -> set[str]:
    """The squares of the mover's register that hold the same piece: where else it may be."""
    names = position.geometry.names
    found: set[str] = set()
    for source in move.sources:
        group = next((share.odds for share in position.shares if names[source] in share.odds), {})
        board = dict(zip(names, position.board, strict=True))
        found |= {square for square in group if board[square] == position.board[source]}
    return found


def _where(position: Position, squares: set[str], symbol: str) -> str:
    """On which of these squares the piece is, each with its odds."""
    board = dict(zip(position.geometry.names, position.board, strict=True))
    numbers = position.geometry.numbers
    return _list([s for s in sorted(squares, key=numbers.__getitem__) if board[s] == symbol], position)


def _list(squares: list[str], position: Position) -> str:
    shown = [square for square in squares if _odds(position, square) > SAME]
    if len(shown) > LISTED:
        return f"on one of {len(shown)} squares"
    odds = {square: _odds(position, square) for square in shown}
    return " and ".join(f"on {square}" + (f" ({percent(p)})" if p < 1 - SAME else "") for square, p in odds.items())


def _settled(before: Position, after: Position, named: set[str]) -> str:
    """Which other squares became certain by it."""
    certain = [k for k, name in enumerate(before.geometry.names) if SAME < _odds(before, name) < 1 - SAME
               and name not in named and not SAME < _odds(after, name) < 1 - SAME]  # fmt: skip
    names = before.geometry.names
    full = [f"the {_piece(after, k)} is on {names[k]}" for k in certain if _odds(after, names[k]) > SAME]
    if len(full) > LISTED:
        return f"{len(certain)} other squares are now certain"
    if full:
        return f"so {' and '.join(full)}"
    empty = [names[k] for k in certain]
    return f"so {', '.join(empty)} {'is' if len(empty) == 1 else 'are'} empty" if empty else ""


def _piece(position: Position, square: int) -> str:
    return PIECES[position.board[square].upper()]


def _odds(position: Position, square: str) -> float:
    return position.odds.get(square, 0.0)
