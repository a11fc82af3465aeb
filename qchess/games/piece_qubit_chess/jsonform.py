"""Positions as JSON values, in which the pieces keep their names.

``{side, ply, profile, pieces: [{id, colour, kind, second, square, moved}], systems: [{members, amps |
generators}], result}``; a lone piece in another state than at the start is a system of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError
from qchess.games.piece_qubit_chess.generators import generators, state_of
from qchess.games.piece_qubit_chess.movement import ORDER
from qchess.games.piece_qubit_chess.pieces import BLACK, NAMES, WHITE, Piece
from qchess.games.piece_qubit_chess.position import LIMIT, Position, System
from qchess.games.piece_qubit_chess.profile import Profile
from qchess.games.piece_qubit_chess.setup import START_STATE, Setup
from qchess.games.piece_qubit_chess.states import Amplitudes, amplitudes_of, from_pairs, named

_COLOURS = {"w": WHITE, "b": BLACK}
#: the possible second types; a king has none
_SECONDS = {"P": tuple("NBRQK"), "K": ("",)}
#: the most pieces, the longest name, and the latest ply
MOST_PIECES, LONGEST_NAME, LAST_PLY = 64, 32, 1_000_000


def read(data: Mapping[str, Any]) -> tuple[Setup, Profile]:
    """Parse a position and its profile; the result is ignored, since the position decides it."""
    data = reading.mapping(data, "the position")
    placed = [_read_piece(entry) for entry in reading.items(data.get("pieces"), "'pieces'", MOST_PIECES)]
    board = dict(placed)
    if len(board) != len(placed) or len({piece.id for piece in board.values()}) != len(board):
        raise InvalidMoveError("expected each piece once, on a square and with a unique name")
    systems = reading.items(data.get("systems", []), "'systems'", MOST_PIECES)
    setup = Setup(
        board,
        _COLOURS[reading.one_of(data.get("side"), "'side'", tuple(_COLOURS))],
        reading.integer(data.get("ply", 0), "'ply'", 0, LAST_PLY),
        tuple(_read_system(entry) for entry in systems),
    )
    return setup, Profile.parse(data.get("profile", "text"))


def _read_piece(entry: Any) -> tuple[str, Piece]:
    """Parse a piece, and its square."""
    entry = reading.mapping(entry, "a piece")
    kind = reading.one_of(entry.get("kind"), "a piece's 'kind'", tuple(NAMES))
    piece = Piece(
        reading.text(entry.get("id"), "a piece's 'id'", LONGEST_NAME),
        _COLOURS[reading.one_of(entry.get("colour"), "a piece's 'colour'", tuple(_COLOURS))],
        kind,
        reading.one_of(entry.get("second") or "", f"the 'second' type of a {kind}", _SECONDS.get(kind, ("P",))),
        reading.flag(entry.get("moved"), "a piece's 'moved'"),
    )
    if not piece.id:
        raise InvalidMoveError("expected a piece's 'id' to be a name, got an empty text")
    return reading.one_of(entry.get("square"), "a piece's 'square'", tuple(ORDER)), piece


def _read_system(entry: Any) -> tuple[System, Amplitudes]:
    """Parse a system and its state, which is made only after checking its size."""
    entry = reading.mapping(entry, "a system")
    members = tuple(reading.texts(entry.get("members"), "'members'", LIMIT - 1, LONGEST_NAME))
    if entry.get("generators"):
        words = reading.texts(entry["generators"], "'generators'", LIMIT - 1, LIMIT)
        return members, state_of(words, len(members))
    return members, from_pairs(reading.items(entry.get("amps"), "'amps'", 2 ** len(members)), members)


def write(position: Position, profile: Profile) -> dict[str, Any]:
    """Return the position as JSON values."""
    board = sorted(position.board.items(), key=lambda item: ORDER[item[0]])
    alone = [p for _, p in board if p.kind != "K" and len(position.system(p)) == 1]
    lone = [(p.id,) for p in alone if named(amplitudes_of(position.registers, (p.id,))) != START_STATE[p.kind]]
    return {
        "side": position.player[0],
        "ply": position.ply,
        "profile": str(profile),
        "pieces": [{**piece._asdict(), "colour": piece.colour[0], "square": square} for square, piece in board],
        "systems": [_write_system(position, system) for system in (*position.systems, *lone)],
        "result": asdict(position.ended) if position.ended else None,
    }


def _write_system(position: Position, system: System) -> dict[str, Any]:
    amplitudes = amplitudes_of(position.registers, system)
    if words := generators(amplitudes, len(system)):
        return {"members": list(system), "generators": list(words)}
    return {"members": list(system), "amps": [[a.real, a.imag] for a in amplitudes]}
