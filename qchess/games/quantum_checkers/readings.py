"""Read moves that are not written in full: ``d4``, ``C3 D4``, ``c3→d4``, ``c3 b4 d4``.

The strict grammar of `notation` is tried first, then again with capitals, dashes and spaces normalised. Other texts are
compared with the legal moves: a single fit is taken, several are an error that names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from qchess.boards.spelling import LONGEST, Wish, fulfilled, the_one, tidy, wishes
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_checkers.book import Board
from qchess.games.quantum_checkers.move import Move, is_jump
from qchess.games.quantum_checkers.notation import Written, is_strict, parse, parted, write
from qchess.games.quantum_checkers.position import Position


def read(position: Position, text: str, legal: Callable[[], Sequence[Move]]) -> Written:
    """Return the move that a text means; `legal` lists the moves if needed."""
    board = position.board
    if not isinstance(text, str) or is_strict(text) or len(text) > LONGEST:
        return parse(board, text)
    body, found = parted(text.replace(":", "x"))  # in many books of draughts a colon captures
    plain = tidy(body).lower() + found
    if is_strict(plain):
        return parse(board, plain)
    wished = wishes(body, pieces="")
    if not wished:
        return parse(board, text)  # which says how moves are written
    return parse(board, _meant(position, body, wished, legal()) + found)


def _meant(position: Position, text: str, wished: Sequence[Wish], moves: Sequence[Move]) -> str:
    """Return the one legal move that fulfils a wish, in full."""
    board = position.board
    if any(name not in board.names for wish in wished for name in wish.targets):
        raise InvalidMoveError(f"the board has the squares a1 to {board.names[-1]}, got {text.strip()!r}")
    found = fulfilled(wished, lambda wish: _fitting(board, wish, moves))
    if (move := the_one(text, found, lambda move: write(board, move))) is not None:
        return write(board, move)
    wish = wished[0]
    does = f"{'takes and lands on' if wish.captures else 'goes to'} {' and '.join(wish.targets)}"
    raise IllegalMoveError(f"{text.strip()!r} is not legal: no piece of {position.player} {does}")


def _fitting(board: Board, wish: Wish, moves: Sequence[Move]) -> Iterator[Move]:
    for move in moves:
        sources, targets = (tuple(board.names[k] for k in part) for part in move)
        if wish.allows(sources, targets) and (not wish.captures or is_jump(move, board.size)):
            yield move
