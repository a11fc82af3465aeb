"""Moves as the Quantum Chess SDK sends them: a choice of squares, never of an outcome.

{"type": "standard", "from": 12, "to": 28, "promotion": "q"}
{"type": "split", "from": 1, "targetA": 16, "targetB": 18}
{"type": "merge", "sourceA": 16, "sourceB": 18, "to": 1}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qchess.games.quantum_chess import Move, Position, QuantumChess
from qchess.games.quantum_chess.move import PROMOTIONS
from qchess.servers import wire

#: type -> the names of sources and of targets
FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "standard": (("from",), ("to",)),
    "split": (("from",), ("targetA", "targetB")),
    "merge": (("sourceA", "sourceB"), ("to",)),
}
#: fields that later versions of the SDK may add, and their neutral values
RIDERS: dict[str, tuple[Any, ...]] = {"phaseQuarters": (None, 0), "splitFraction": (None, 0.5)}


def write(move: Move) -> dict[str, Any]:
    """Return the choice of a move."""
    kind = "split" if move.is_split else "merge" if move.is_merge else "standard"
    names = sum(FIELDS[kind], ())
    made: dict[str, Any] = {"type": kind, **dict(zip(names, move.squares, strict=True))}
    return made | {"promotion": move.promotion} if move.promotion else made


def read(rules: QuantumChess, position: Position, data: Any) -> Move:
    """Return the legal move of a choice; other fields are dropped and logged."""
    data = wire.an_object(data, "a choice")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise wire.RequestError(f"expected a choice of type {', '.join(FIELDS)}, got {wire.shown(kind)}")
    _refuse_riders(data)
    sources, targets = FIELDS[kind]
    known = wire.only(data, ("type", *sources, *targets, "promotion", *RIDERS), "a choice")
    move = Move(
        tuple(wire.square(known, name) for name in sources),
        tuple(wire.square(known, name) for name in targets),
        _promotion(known),
    )
    rules.check(position, move)
    return move


def _promotion(data: Mapping[str, Any]) -> str:
    """Return the letter of the piece; the rules decide whether a promotion is due."""
    letter = data.get("promotion")
    if letter is None:
        return ""
    if not isinstance(letter, str) or letter.lower() not in PROMOTIONS:
        raise wire.RequestError(f"expected a promotion of {', '.join(PROMOTIONS)}, got {wire.shown(letter)}")
    return letter.lower()


def _refuse_riders(data: Mapping[str, Any]) -> None:
    for name, plain in RIDERS.items():
        value = data.get(name)
        if isinstance(value, bool) or value not in plain:
            raise wire.RequestError(f"phases and shares are not part of these rules, got {name} = {wire.shown(value)}")
