"""Why a move is not legal: the first rule it breaks, in words."""

from __future__ import annotations

from qchess.games.quantum_chess.legal import last_rank, merge_targets, split_targets, standard_targets
from qchess.games.quantum_chess.move import PROMOTIONS, Move
from qchess.games.quantum_chess.position import EMPTY, Position
from qchess.games.quantum_chess.profile import Book

PIECES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}


def objection(book: Book, position: Position, move: Move) -> str | None:
    """Return what is wrong with a move here, or None if it is legal."""
    shape = len(move.sources), len(move.targets)
    if shape not in ((1, 1), (1, 2), (2, 1)) or not all(0 <= k < position.geometry.size for k in move.squares):
        return "expected one or two squares of this board on each side"
    wrong = _wrong_men(position, move)
    if wrong:
        return wrong
    if shape == (1, 1):
        return _standard(book, position, move)
    if not book.quantum:
        return "splits and merges are switched off"
    if move.promotion:
        return "only a pawn that reaches the last rank is promoted"
    return _split(book, position, move) if shape == (1, 2) else _merge(book, position, move)


def _wrong_men(position: Position, move: Move) -> str | None:
    mine = position.men.own
    for square in move.sources:
        if not mine >> square & 1:
            return f"{position.geometry.names[square]} holds no piece of {position.player}"
    return None


def _standard(book: Book, position: Position, move: Move) -> str | None:
    (s,), (t,) = move.sources, move.targets
    if not standard_targets(book, position, s) >> t & 1:
        return _no_way(position, s, t)
    if not move.promotion:
        return None
    if position.board[s] not in "Pp" or not last_rank(position) >> t & 1:
        return "only a pawn that reaches the last rank is promoted"
    if not book.promotion:
        return "promotion is switched off"
    return None if move.promotion in PROMOTIONS else f"a pawn becomes q, r, b or n, not {move.promotion!r}"


def _split(book: Book, position: Position, move: Move) -> str | None:
    (s,), (t1, t2) = move.sources, move.targets
    if t1 == t2:
        return "a split needs two different targets"
    return _unfit(position, move, "split", split_targets(book, position, s))


def _merge(book: Book, position: Position, move: Move) -> str | None:
    a, b = move.sources
    if a == b:
        return "a merge needs two different sources"
    if position.board[a] != position.board[b]:
        return f"{_piece(position, a)} and {_piece(position, b)} are not the same piece"
    return _unfit(position, move, "merged", merge_targets(book, position, a, b))


def _unfit(position: Position, move: Move, word: str, targets: int) -> str | None:
    symbol = position.board[move.sources[0]]
    if symbol in "Pp":
        return f"a pawn is never {word}"
    for t in move.targets:
        if targets >> t & 1:
            continue
        if position.board[t] not in (EMPTY, symbol):
            return f"{_piece(position, t)} stands there, but a split or merge needs an empty square or the same piece"
        return _no_way(position, move.sources[0], t, *move.sources[1:])
    return None


def _no_way(position: Position, s: int, t: int, *others: int) -> str:
    names = position.geometry.names
    from_where = " and ".join(names[k] for k in (s, *others))
    piece = PIECES[position.board[s].upper()]
    if s == t:
        return f"{names[t]} is where the {piece} already stands"
    full = position.men.full
    stops = [names[k] for k in position.geometry.between(s, t) if full >> k & 1]
    if full >> t & 1 and not others and position.board[t].isupper() == position.board[s].isupper():
        return f"{_piece(position, t)} certainly stands there"
    hint = f" ({', '.join(stops)} certainly occupied)" if stops else ""
    return f"the {piece} from {from_where} does not reach {names[t]}{hint}"


def _piece(position: Position, square: int) -> str:
    symbol = position.board[square]
    colour = "white" if symbol.isupper() else "black"
    return f"the {colour} {PIECES[symbol.upper()]} of {position.geometry.names[square]}"
