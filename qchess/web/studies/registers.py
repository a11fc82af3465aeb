"""A register for a page: the amplitudes of its branches, and how strongly its squares are entangled."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING, Any

from qchess.web.studies.circuits import ply_of, standing_on
from qchess.web.studies.entropies import of_register

if TYPE_CHECKING:
    from qchess.circuits.operations import Qubit
    from qchess.circuits.register import Register
    from qchess.playing.game import Game

#: how many of the likeliest branches are listed
MOST = 64


def register(game: Game[Any, Any], square: str, ply: int | None = None) -> dict[str, Any]:
    """Return the register of a square after `ply` turns, as JSON values; without qubits for a certain square."""
    at = ply_of(game, ply)
    position = game.positions[at]
    qubits = standing_on(game, position, square)
    held = next((found for qubit in qubits if (found := position.registers.register(qubit))), None)
    told: dict[str, Any] = {"square": square, "ply": at, "qubits": [], "squares": []}
    if held is None:
        return told
    named = game.rules.squares(position)
    of_qubits = [named.get(qubit, qubit) for qubit in held.qubits]
    shared = of_register(held)
    return {
        **told,
        "qubits": list(held.qubits),
        "squares": of_qubits,
        "odds": {qubit: round(p, 12) for qubit, p in held.odds.items()},
        "size": held.branches,
        "branches": _branches(held),
        "entropy": shared and shared.of_qubits,
        "shared": shared and [[a, b, bits] for (a, b), bits in shared.of_pairs.items()],
        "entropies": shared and shared.picture(named),
    }


def _branches(held: Register) -> list[dict[str, Any]]:
    """Return the likeliest branches: full qubits and amplitude; phases relative to the likeliest one."""
    order: tuple[Qubit, ...] = held.qubits
    found = sorted(held.amplitudes(order).items(), key=lambda item: (-round(abs(item[1]) ** 2, 12), item[0]))
    turn = cmath.exp(-1j * cmath.phase(found[0][1]))
    return [_branch(order, key, amplitude * turn) for key, amplitude in found[:MOST]]


def _branch(order: tuple[Qubit, ...], key: int, amplitude: complex) -> dict[str, Any]:
    return {
        "full": [qubit for k, qubit in enumerate(order) if key >> k & 1],
        "amplitude": [round(amplitude.real, 12), round(amplitude.imag, 12)],
        "probability": round(abs(amplitude) ** 2, 12),
        "phase": round(cmath.phase(amplitude) / (2 * math.pi), 9) % 1,
    }
