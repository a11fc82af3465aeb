"""Positions as JSON values, in which the pieces keep their names.

``{side, ply, profile, pieces: [{id, colour, kind, second, square, moved}], systems: [{members, amps |
generators}], result}``; a piece alone in a state not of the start is a system of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from qchess.errors import InvalidMoveError
from qchess.games.piece_qubit_chess.generators import generators, state_of
from qchess.games.piece_qubit_chess.movement import ORDER
from qchess.games.piece_qubit_chess.pieces import BLACK, NAMES, WHITE, Piece
from qchess.games.piece_qubit_chess.position import Position
from qchess.games.piece_qubit_chess.profile import Profile
from qchess.games.piece_qubit_chess.setup import START_STATE, Setup
from qchess.games.piece_qubit_chess.states import Amplitudes, amplitudes_of, from_pairs, named
from qchess.games.piece_qubit_chess.systems import System

_COLOURS = {"w": WHITE, "b": BLACK}


def read(data: Mapping[str, Any]) -> tuple[Setup, Profile]:
    """Reads a position and its profile; the result is not read, since the position decides it."""
    try:
        board = {entry["square"]: _read_piece(entry) for entry in data["pieces"]}
        if len(board) != len(data["pieces"]) or len({p.id for p in board.values()}) != len(board):
            raise InvalidMoveError("expected each piece once, on a square and with a name of its own")
        states = tuple(_read_system(entry) for entry in data.get("systems", ()))
        ply = data.get("ply", 0)
        if type(ply) is not int or ply < 0:
            raise InvalidMoveError(f"expected a number of plies, got {ply!r}")
        setup = Setup(board, _COLOURS[data["side"]], ply, states)
    except (KeyError, TypeError) as error:
        raise InvalidMoveError(f"the position lacks or misuses a field: {error}") from error
    return setup, Profile.parse(data.get("profile", "text"))


def _read_piece(entry: Mapping[str, Any]) -> Piece:
    piece = Piece(entry["id"], _COLOURS[entry["colour"]], entry["kind"], entry["second"] or "", entry["moved"])
    seconds = {"P": list("NBRQK"), "K": [""]}.get(piece.kind, ["P"])
    sound = isinstance(piece.id, str) and piece.kind in NAMES and piece.second in seconds
    if not sound or entry["square"] not in ORDER or not isinstance(piece.moved, bool):
        raise InvalidMoveError(f"expected a piece with a kind, a second type and a square, got {dict(entry)!r}")
    return piece


def _read_system(entry: Mapping[str, Any]) -> tuple[System, Amplitudes]:
    members = tuple(entry["members"])
    if entry.get("generators"):
        return members, state_of(entry["generators"], len(members))
    return members, from_pairs(entry["amps"], members)


def write(position: Position, profile: Profile) -> dict[str, Any]:
    """The position as JSON values."""
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
