"""Shots: bitboards drawn from the exact distribution of a board, register by register.

Registers are independent, so a shot is one draw from each; the whole product is never built.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.register import Register
from qchess.circuits.registers import Registers
from qchess.games.quantum_chess.unitary.bits import BOARD

Boards = NDArray[np.uint64]


class Spectrum(NamedTuple):
    """One register's bitboards, with the exact probability of each."""

    boards: Boards
    odds: NDArray[np.float64]


def full_squares(registers: Registers) -> int:
    """Return the bitboard of the squares that are certainly occupied."""
    return sum(1 << bit for name in registers.full if (bit := BOARD.numbers.get(name)) is not None)


def uncertain_squares(registers: Registers) -> frozenset[str]:
    """Return the squares in superposition."""
    return frozenset(qubit for qubit in registers.uncertain if qubit in BOARD.numbers)


def spectra(registers: Registers) -> list[Spectrum]:
    """Return the spectrum of each register with squares on the board."""
    held = registers.held(sorted(uncertain_squares(registers)))
    return [_spectrum(register, squares) for register, squares in held]


def _spectrum(register: Register, squares: tuple[str, ...]) -> Spectrum:
    found = register.distribution(squares)
    keys = np.fromiter(found, np.uint64, len(found))
    boards = np.zeros(len(found), np.uint64)
    for k, square in enumerate(squares):
        boards |= (keys >> np.uint64(k) & np.uint64(1)) << np.uint64(BOARD.numbers[square])
    odds = np.fromiter(found.values(), np.float64, len(found))
    return Spectrum(boards, odds / odds.sum())


def draw(full: int, of: list[Spectrum], count: int, rng: np.random.Generator) -> Boards:
    """Return `count` bitboards, each an independent draw from the exact joint distribution."""
    boards = np.full(count, full, np.uint64)
    for spectrum in of:
        boards |= rng.choice(spectrum.boards, count, p=spectrum.odds)
    return boards


def occupation(boards: Boards) -> tuple[float, ...]:
    """Return how often each of the 64 squares is occupied on these bitboards."""
    bits = np.unpackbits(boards.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    return tuple(bits.mean(axis=0, dtype=np.float64).tolist())


def frequencies(boards: Boards) -> dict[int, float]:
    """Return how often each bitboard was drawn."""
    values, counts = np.unique(boards, return_counts=True)
    return dict(zip(values.tolist(), (counts / len(boards)).tolist(), strict=True))


def joint(full: int, of: list[Spectrum]) -> dict[int, float]:
    """Return the exact probability of every bitboard; as many as the product of the registers has."""
    result = {full: 1.0}
    for boards, odds in of:
        more = list(zip(boards.tolist(), odds.tolist(), strict=True))
        result = {board | other: p * q for board, p in result.items() for other, q in more}
    return dict(sorted(result.items()))
