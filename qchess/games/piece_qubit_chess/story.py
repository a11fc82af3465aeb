"""What a move came to, in words: what was measured, what changed elsewhere on the board, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qchess.circuits.precision import SAME
from qchess.games.piece_qubit_chess.movement import SQUARES
from qchess.games.piece_qubit_chess.notation import Move
from qchess.games.piece_qubit_chess.pieces import NAMES, Piece
from qchess.games.piece_qubit_chess.position import LIMIT, Position
from qchess.wording import percent

#: more changes than this are counted, not listed
LISTED = 6
#: what a kind's action does to those it reaches
ACTIONS = {
    "N": "a knight's action exchanges types",
    "B": "a bishop's action is half an exchange",
    "Q": "a queen's action makes certain pieces of her colour open, and open ones certain",
    "P": "a pawn's action turns a phase, which probabilities do not show",
}


def story(before: Position, move: Move, answers: Mapping[str, int], after: Position) -> str:
    """The move in words; nothing where only the move happened."""
    mover, target = before.board[move.start], before.board.get(move.end)
    changes = list(_changes(before, after))
    told = [_why(before, mover, target, answers, after, changes)]
    if not target or answers:
        told.append(", ".join(changes) if len(changes) <= LISTED else f"{len(changes)} pieces changed")
    told.append(_victim(before, target, move))
    told.append(_joined(before, after))
    told += _kings(before, after)
    return "; ".join(part for part in told if part)


def _why(
    before: Position,
    mover: Piece,
    target: Piece | None,
    answers: Mapping[str, int],
    after: Position,
    changes: list[str],
) -> str:
    """The reason of whatever changed."""
    crowned = after.board[next(s for s, p in after.board.items() if p.id == mover.id)].kind != mover.kind
    promoted = "the pawn is a new queen" if crowned else ""
    if not answers:
        acts = ACTIONS.get(mover.kind, "") if changes and not target and not crowned else ""
        return promoted or acts
    if target is not None:
        reason = "a capture measures both, with their systems"
    elif promoted:
        reason = "her partners were measured"
    elif mover.kind == "R" and before.is_mixed(mover):
        reason = "a mixed rook measures what it meets"
    else:
        reason = f"a system would have reached {LIMIT}: all of it was measured"
    return f"{promoted}; {reason}" if promoted else reason


def _changes(before: Position, after: Position) -> Iterator[str]:
    """The pieces whose odds changed, by the squares on which they stand now."""
    was = {piece.id: (piece, square) for square, piece in before.board.items()}
    for square in SQUARES:
        piece = after.board.get(square)
        if piece is None:
            continue
        old, _ = was[piece.id]
        if old.kind != piece.kind:
            continue  # crowned, which is told by itself
        then, now = before.odds(old), after.odds(piece)
        if {k: round(p, 9) for k, p in then.items()} != {k: round(p, 9) for k, p in now.items()}:
            yield f"{square} is {'certainly ' if len(now) == 1 else ''}{_kinds(now)} now (it was {_kinds(then)})"


def _kinds(odds: Mapping[str, float]) -> str:
    if len(odds) == 1:
        return f"a {NAMES[next(iter(odds))]}"
    halves = all(abs(p - 0.5) < SAME for p in odds.values())
    if halves:
        return "half " + ", half ".join(NAMES[kind] for kind in odds)
    return " or ".join(f"{NAMES[kind]} ({percent(p, 1)})" for kind, p in odds.items())


def _victim(before: Position, target: Piece | None, move: Move) -> str:
    if target is None:
        return ""
    kinds = before.odds(target)
    if len(kinds) == 1:
        return f"it took a {NAMES[next(iter(kinds))]} on {move.end}"
    return f"it took what stood on {move.end}"


def _joined(before: Position, after: Position) -> str:
    """The system that the move made or enlarged."""
    squares = after.squares
    older = {frozenset(system) for system in before.systems}
    for system in after.systems:
        if frozenset(system) not in older and any(set(system) > old for old in (*older, frozenset())):
            where = " ".join(sorted((squares[m] for m in system), key=SQUARES.index))
            return f"{where} are one system now: measuring one decides the others"
    return ""


def _kings(before: Position, after: Position) -> Iterator[str]:
    """A king more or less is worth a word."""
    for colour in ("white", "black"):
        was, now = len(before.kings(colour)), len(after.kings(colour))
        if was != now:
            yield f"{colour} has {now} King{'' if now == 1 else 's'} now"
