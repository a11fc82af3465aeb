"""Read moves that are not written in full: ``e4``, ``Nf3``, ``0-0``, ``E2 E4``, ``b1->a3c3``.

The strict grammar is tried first, so that nothing it reads changes its meaning. Other texts are compared with the legal
moves: a single fit is taken, several are an error that names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from qchess.boards.spelling import Wish, castling, fulfilled, named, the_one, wishes
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_chess import notation
from qchess.games.quantum_chess.move import CAPTURE, Move, MoveType, kind
from qchess.games.quantum_chess.notation import Written
from qchess.games.quantum_chess.objections import PIECES
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Book

Legal = Callable[[], Sequence[Move]]


def read(book: Book, position: Position, text: str, legal: Legal) -> Written:
    """Return the move that a text means; `legal` lists the moves if needed."""
    if notation.is_strict(text):
        return notation.parse(position, text)
    if side := castling(text):
        return notation.parse(position, side)
    wished = wishes(text)
    if not wished:
        return notation.parse(position, text)  # which says what is wrong with it
    return _meant(book, position, text, wished, legal)


def _meant(book: Book, position: Position, text: str, wished: Sequence[Wish], legal: Legal) -> Written:
    """Return the one legal move that fulfils a wish."""
    moves = legal()
    by_move = fulfilled(wished, lambda wish: _fitting(book, position, wish, moves))
    if (move := the_one(text, by_move, lambda move: _named(position, move))) is not None:
        return Written(_in_order(position, move, by_move[move]), _outcome(by_move[move], text))
    for wish in wished:
        if wish.is_whole and not wish.piece:  # written in full: the rules say why it is not legal
            return notation.parse(position, f"{wish}" + (f".m{wish.outcome}" if wish.outcome else ""))
    raise IllegalMoveError(_none_fits(position, text, wished[0], moves))


def _fitting(book: Book, position: Position, wish: Wish, moves: Iterable[Move]) -> Iterator[Move]:
    names, board = position.geometry.names, position.board
    plain_pawn = not wish.piece and not wish.is_whole
    omitted = book.profile.promotion_omitted
    for move in moves:
        if len(move.targets) != len(wish.targets) or len(move.sources) != len(wish.sources):
            continue
        sources, targets = (tuple(names[k] for k in squares) for squares in (move.sources, move.targets))
        if not wish.allows(sources, targets) or move.promotion != (wish.promotion or (move.promotion and omitted)):
            continue
        if (wish.piece or ("P" if plain_pawn else "")) in ("", board[move.sources[0]].upper()):
            if wish.captures and not _captures(position, move):
                continue
            if plain_pawn and wish.sources[0][:1] == targets[0][:1]:
                continue  # a pawn's file is written where it captures: e4 goes ahead, not ee4
            yield move


def _captures(position: Position, move: Move) -> bool:
    is_what = kind(position, move)
    return is_what.variant is CAPTURE or is_what.type is MoveType.PAWN_EP


def _in_order(position: Position, move: Move, wish: Wish) -> Move:
    """Return the move with the squares of a pair in their written order."""
    numbers = position.geometry.numbers
    targets = tuple(numbers[name] for name in wish.targets)
    sources = tuple(numbers[name] for name in wish.sources) if move.is_merge else move.sources
    return move._replace(sources=sources, targets=targets)


def _outcome(wish: Wish, text: str) -> int | None:
    if wish.outcome not in (None, "0", "1"):
        raise InvalidMoveError(f"an outcome is .m0 or .m1, got {text!r}")
    return None if wish.outcome is None else int(wish.outcome)


def _named(position: Position, move: Move) -> str:
    """Return the move with the word for its piece."""
    promoted = move.promotion.upper() if position.white_to_move else move.promotion
    text = notation.write(position, move, promoted=promoted)
    return f"{text} ({PIECES[position.board[move.sources[0]].upper()]})"


def _none_fits(position: Position, text: str, wish: Wish, moves: Sequence[Move]) -> str:
    """Return why no legal move fits, with those of other pieces to the same square."""
    piece = PIECES.get(wish.piece or "P", "piece")
    does = "takes on" if wish.captures else "goes to"
    goal = " and ".join(wish.targets)
    others = [m for m in moves if len(m.squares) == 2 and position.geometry.names[m.targets[0]] == wish.targets[0]]
    shown = named(others, lambda move: _named(position, move))
    hint = f"; to {wish.targets[0]} goes {shown}" if others and len(wish.targets) == 1 else ""
    return f"{text.strip()!r} is not legal: no {piece} of {position.player} {does} {goal}{hint}"
