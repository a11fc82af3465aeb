"""What is said of a game: all that a file of it must still mean."""

from __future__ import annotations

from typing import Any

import pytest

import qchess
from qchess.circuits import Registers


def said(game: qchess.Game) -> dict[str, Any]:
    """The moves so far with their answers, the legal ones, the result, the board, and the state under it."""
    return {
        "history": [str(played) for played in game.history],
        "player": game.player,
        "moves": " ".join(game.moves()),
        "result": str(game.result or ""),
        "board": str(game).splitlines(),
        "state": state(game.position.registers),
    }


def state(registers: Registers) -> dict[str, Any]:
    """The full qubits, the phase, and each register: of its branches the key, the real and the imaginary part."""
    each = {}
    for order, register in sorted((sorted(register.qubits), register) for register in registers.each):
        branches = sorted(register.amplitudes(order).items())
        each[" ".join(order)] = ", ".join(f"{key} {_written(amplitude)}" for key, amplitude in branches)
    return {"full": " ".join(sorted(registers.full)), "phase": _written(registers.phase), "each": each}


def _written(number: complex) -> str:
    return f"{round(number.real, 12) + 0.0:.12g} {round(number.imag, 12) + 0.0:.12g}"


def check_said(game: qchess.Game, before: dict[str, Any]) -> None:
    """The same is said of a game as before; amplitudes may differ by 1e-9."""
    now = said(game)
    for what in ("history", "player", "result", "board", "moves"):
        assert now[what] == before[what], what
    mine, theirs = now["state"], before["state"]
    assert mine["full"] == theirs["full"]
    assert list(mine["each"]) == list(theirs["each"]), "the registers hold other qubits"
    for which, text in {"the phase": mine["phase"], **mine["each"]}.items():
        told = {"the phase": theirs["phase"], **theirs["each"]}[which]
        assert _numbers(text) == pytest.approx(_numbers(told), abs=1e-9), which


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.replace(",", "").split()]
