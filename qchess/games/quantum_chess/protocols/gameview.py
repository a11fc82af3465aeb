"""A game as the Quantum Chess SDK shows it to a player: start and history, the board, and the legal moves.

Amplitudes are not in a view; they follow from replaying start, set-up and history.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from qchess import backends
from qchess.games.quantum_chess import Move, MoveType, Position, QuantumChess
from qchess.games.quantum_chess.move import KINGS
from qchess.games.quantum_chess.protocols import choice
from qchess.playing.game import Game, Played
from qchess.playing.replaying import replayed
from qchess.servers import wire
from qchess.servers.wire import RequestError

#: the most moves to replay for one view
MOST_MOVES, MOST_SETUP, MOST_BRANCHES = 1000, 100, 100_000
LONGEST_FEN, LONGEST_MOVE = 120, 20
#: other programs have no types for a pawn's steps
_PEERS = {MoveType.PAWN_STEP: MoveType.JUMP, MoveType.PAWN_TWO_STEP: MoveType.SLIDE}


# -- writing ----------------------------------------------------------------------------------------------


def write(game: Game[Any, Any]) -> dict[str, Any]:
    """Return the view of a game of Quantum Chess, for the player to move."""
    rules: QuantumChess = game.rules  # type: ignore[assignment]
    position: Position = game.position
    book = rules.book
    history = [played.text for played in game.history]
    start = {"startingFen": str(rules.fen), "setupMoves": list(rules.setup), "history": history}
    return {
        "gameData": {"position": start, "board": _board(position)},
        "sideToMove": position.player,
        "legalMoves": legal(rules, position),
        "moveHistory": [_entry(played) for played in game.history],
        "quantumEnabled": book.quantum,
        "rules": {
            "quantumEnabled": book.quantum,
            "allowSplitMerge": book.quantum,
            "allowMeasurementAnnotations": True,
            "allowCastling": book.castling,
            "allowEnPassant": book.en_passant,
            "allowPromotion": book.promotion,
            "objective": "puzzle" if book.sandbox else "checkmate",
        },
    }


def legal(rules: QuantumChess, position: Position) -> dict[str, Any]:
    """Return the legal moves; the choices of a promotion share one entry."""
    standard: dict[tuple[int, ...], dict[str, Any]] = {}
    splits, merges = [], []
    moves = [move for move in rules.moves(position) if move != KINGS]
    for move in moves:
        row = _listed(rules, position, move)
        if move.is_split:
            splits.append(row)
        elif move.is_merge:
            merges.append(row)
        else:
            row = standard.setdefault(move.squares, row)
            if move.promotion:
                row.setdefault("promotionChoices", []).append(move.promotion)
    return {"standard": list(standard.values()), "splits": splits, "merges": merges, "count": len(moves)}


def _listed(rules: QuantumChess, position: Position, move: Move) -> dict[str, Any]:
    kind = rules.kind(position, move)
    row = choice.write(move._replace(promotion=""))
    row["type"] = int(_PEERS.get(kind.type, kind.type))
    if len(move.squares) == 2:
        row |= {"variant": int(kind.variant), "willMeasure": kind.measures}
    symbol = position.board[move.sources[0]]
    return row | {"piece": symbol, "notation": rules.write(position, move._replace(promotion=""))}


def _board(position: Position) -> dict[str, Any]:
    return {
        "pieces": list(position.board),
        "probabilities": _probabilities(position),
        "ply": position.ply,
        "fiftyCount": position.clock,
        "fiftyPieceCount": position.mass,
        "castleFlags": position.rights,
        "enPassantSquare": -1 if position.en_passant is None else position.en_passant,
    }


def _probabilities(position: Position) -> list[float]:
    """Return the odds of all squares; certain ones as 0 and 1, which take two characters in JSON."""
    odds = [position.odds.get(name, 0) for name in position.geometry.names]
    return [int(p) if p in (0, 1) else p for p in odds]


def _entry(played: Played) -> dict[str, Any]:
    row: dict[str, Any] = {
        "moveString": played.text,
        "notation": played.text,
        "ply": played.before.ply,
        "wasBlocked": any(answer.value == 0 for answer in played.answers),
        "wasMeasurement": played.measured,
    }
    if played.measured:
        row["measurementPassed"] = not row["wasBlocked"]
    return row | {"probabilitiesAfter": _probabilities(played.position)}


# -- reading ----------------------------------------------------------------------------------------------


def read(
    data: Any, *, profile: str = "standard", backend: backends.Backend | None = None, seconds: float = 20
) -> Game[Any, Any]:
    """Return the game of a view, rebuilt from its start, set-up and history; nothing else is used."""
    view = wire.without_forged(wire.an_object(data, "'view'"), "a view")
    game_data = wire.an_object(view.get("gameData"), "'gameData'")
    start = wire.without_forged(wire.an_object(game_data.get("position"), "'position'"), "a position")
    history = wire.texts(start, "history", MOST_MOVES, LONGEST_MOVE)
    rules = QuantumChess(
        profile,
        fen=wire.text(start, "startingFen", LONGEST_FEN),
        setup=wire.texts(start, "setupMoves", MOST_SETUP, LONGEST_MOVE),
        max_branches=MOST_BRANCHES,
        **_switches(view),
    )
    if (rules.fen.geometry.width, rules.fen.geometry.height) != (8, 8):
        raise RequestError(f"expected a board of 8 by 8, got {rules.fen.geometry!r}")
    return replayed(rules, history, backend, between=_deadline(seconds))


def _switches(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules that the host has switched off."""
    said = wire.an_object(view.get("rules", {}), "'rules'")
    quantum = [wire.flag(view, "quantumEnabled"), wire.flag(said, "quantumEnabled"), wire.flag(said, "allowSplitMerge")]
    return {
        "quantum": all(quantum),
        "castling": wire.flag(said, "allowCastling"),
        "en_passant": wire.flag(said, "allowEnPassant"),
        "promotion": wire.flag(said, "allowPromotion"),
        "sandbox": said.get("objective") == "puzzle",
    }


def listed(rules: QuantumChess, position: Position, view: Mapping[str, Any]) -> list[Move]:
    """Return the legal moves that the host lists too, or all if it lists none of them."""
    rows = view.get("legalMoves")
    named = {_squares(row) for row in _rows(rows)}
    moves = [move for move in rules.moves(position) if move != KINGS]
    return [move for move in moves if _key(move) in named] or moves


def _rows(legal_moves: Any) -> list[Any]:
    if not isinstance(legal_moves, dict):
        return []
    lists = [legal_moves.get(name) for name in ("standard", "splits", "merges")]
    return [row for rows in lists if isinstance(rows, list) for row in rows if isinstance(row, dict)]


def _squares(row: Mapping[str, Any]) -> tuple[tuple[Any, ...], ...]:
    """Return sources and targets of a listed move, in any order."""
    ends = [
        [row.get(name) for name in names] for names in (("from", "sourceA", "sourceB"), ("to", "targetA", "targetB"))
    ]
    numbers = [sorted(square for square in side if type(square) is int) for side in ends]
    return tuple(map(tuple, numbers))


def _key(move: Move) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(move.sources)), tuple(sorted(move.targets))


def _deadline(seconds: float) -> Callable[[], None]:
    end = time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() > end:
            raise RequestError(f"the game takes more than {seconds:g} s to replay", 422)

    return check


__all__ = ["legal", "listed", "read", "write"]
