"""What is said of a game: all that a file of it must still mean."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import qchess
from qchess.circuits import Registers
from qchess.circuits.precision import SAME
from qchess.playing.game import Played
from qchess.showing.view import View


def said(game: qchess.Game) -> dict[str, Any]:
    """The moves so far with their answers, the legal ones, the result, the board, and the state under it."""
    return {
        "history": [move_then(played) for played in game.history],
        "player": game.player,
        "moves": " ".join(game.moves()),
        "result": result_then(game),
        "board": board_then(game),
        "state": state(game.position.registers),
    }


def move_then(played: Played) -> str:
    """A move with its answers as commit 59ca943 printed it, for files: the odds without the noise of an engine."""
    told = []
    for answer in played.answers:
        what = f"{answer.name}={answer.value}" if answer.value in (0, 1) else answer.name
        p = f"p={round(answer.probability, 12):.4g}, {answer.source}"
        told.append(f"{what} ({'certain' if answer.source == 'certain' else p})")
    return f"{played.text}  {', '.join(told)}" if told else played.text


def result_then(game: qchess.Game) -> str:
    """The result as that commit printed it."""
    if game.result is None:
        return ""
    return f"{game.result.winner} wins ({game.result.reason})" if game.result.winner else f"draw ({game.result.reason})"


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


LETTERS = "αβγδεζηθικλμνξπρστυφχψω"
FRACTIONS = {
    Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾",
    Fraction(1, 8): "⅛", Fraction(3, 8): "⅜", Fraction(5, 8): "⅝", Fraction(7, 8): "⅞",
}  # fmt: skip


def odds(probability: float) -> str:
    """A probability as the boards of that time had it."""
    if probability > 1 - SAME:
        return ""
    near = Fraction(probability).limit_denominator(64)
    if near and near.denominator & (near.denominator - 1) == 0 and abs(near - Fraction(probability)) < SAME:
        return FRACTIONS.get(near, str(near))
    if probability < 0.0005:
        return "<.001"
    return ">.999" if probability > 0.9995 else f"{probability:.3f}".lstrip("0")


def _letter(number: int) -> str:
    return LETTERS[number] if number < len(LETTERS) else str(number + 1)


def board_then(game: qchess.Game) -> list[str]:
    """The board as commit 59ca943 drew it: fractions, and Greek letters for groups."""
    view = game.rules.view(game.position)
    groups = [group for group in view.groups if not _is_lone_pair(view, group)]
    lettered = replace(view, groups=tuple(groups)).lettered
    cells = {}
    for name, men in view.men.items():
        told = ",".join(f"{man.symbol}{odds(man.probability)}{man.mark.text() if man.mark else ''}" for man in men)
        number = next((k for k, group in enumerate(groups) if name in group), None)
        cells[name] = told + (_letter(number) if lettered and number is not None else "")
    width = max(map(len, cells.values()))
    gap, margin = " " if width == 1 else "  ", len(str(view.height))
    lines = [
        f"{row[0][1:]:>{margin}}  " + gap.join(cells.get(name, ".").ljust(width) for name in row).rstrip()
        for row in view.names()
    ]
    notes = [result_then(game) if note == str(game.result) else note for note in view.notes]
    files = gap.join(name[0].ljust(width) for name in view.names()[-1])
    return [*lines, f"{'':{margin}}  {files.rstrip()}", *notes]


def _is_lone_pair(view: View, group: tuple[str, ...]) -> bool:
    """Whether a group is a pair with marks of its own, which was drawn without a letter then."""
    return len(group) == 2 and any(man.mark for man in view.men[group[0]]) and not any(
        man.mark.degrees % 90 for man in view.men[group[0]] if man.mark
    )  # fmt: skip


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.replace(",", "").split()]
