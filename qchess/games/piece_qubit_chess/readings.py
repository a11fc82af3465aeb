"""Read moves that are not written in full: ``e4``, ``Nf3``, ``exd5``, ``E2 E4``.

The strict grammar is tried first. Other texts are compared with the legal moves: a single fit is taken, several are an
error that names them. A letter is the piece's kind, whatever its type turns out to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from qchess.boards.spelling import Wish, castling, fulfilled, named, the_one, wishes
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.piece_qubit_chess.notation import Move, Written, is_strict, parse
from qchess.games.piece_qubit_chess.pieces import NAMES
from qchess.games.piece_qubit_chess.position import Position

Legal = Callable[[], Sequence[Move]]


def read(position: Position, text: str, legal: Legal) -> Written:
    """Return the move that a text means; `legal` lists the moves if needed."""
    if is_strict(text):
        return parse(text)
    if castling(text):
        raise IllegalMoveError(f"{text.strip()!r} is not legal: there is no castling in this game")
    wished = wishes(text)
    if any(len(wish.sources) + len(wish.targets) > 2 for wish in wished):
        raise InvalidMoveError(f"a piece goes to one square in this game; what it is may be open, got {text.strip()!r}")
    return _meant(position, text, wished, legal) if wished else parse(text)


def _meant(position: Position, text: str, wished: Sequence[Wish], legal: Legal) -> Written:
    """Return the one legal move that fulfils a wish."""
    moves = legal()
    by_move = fulfilled(wished, lambda wish: _fitting(position, wish, moves))
    if (move := the_one(text, by_move, lambda move: _named(position, move))) is not None:
        return parse(_in_full(move, by_move[move]))
    for wish in wished:
        if wish.is_whole and not wish.piece:  # written in full: the rules say why it is not legal
            return parse(_in_full(Move(wish.sources[0], wish.targets[0]), wish))
    raise IllegalMoveError(_none_fits(position, text, wished[0], moves))


def _in_full(move: Move, wish: Wish) -> str:
    return str(move) + ("" if wish.outcome is None else f".m{wish.outcome}")


def _fitting(position: Position, wish: Wish, moves: Sequence[Move]) -> Iterator[Move]:
    plain_pawn = not wish.piece and not wish.is_whole
    kind = wish.piece or ("P" if plain_pawn else "")
    for move in moves:
        if not wish.allows((move.start,), (move.end,)) or kind not in ("", position.board[move.start].kind):
            continue
        if wish.captures and move.end not in position.board:
            continue
        if plain_pawn and wish.sources[0][:1] == move.end[:1]:
            continue  # a pawn's file is written where it captures: e4 goes ahead, not ee4
        yield move


def _named(position: Position, move: Move) -> str:
    """Return the move with the word for its piece."""
    return f"{move} (Q-{NAMES[position.board[move.start].kind].lower()})"


def _none_fits(position: Position, text: str, wish: Wish, moves: Sequence[Move]) -> str:
    """Return why no legal move fits, with those of other pieces to the same square."""
    does = "takes on" if wish.captures else "goes to"
    piece = NAMES.get(wish.piece or "P", "piece").lower()
    others = [move for move in moves if move.end == wish.targets[0]]
    hint = f"; to {wish.targets[0]} goes {named(others, lambda move: _named(position, move))}" if others else ""
    return f"{text.strip()!r} is not legal: no Q-{piece} of {position.player} {does} {wish.targets[0]}{hint}"
