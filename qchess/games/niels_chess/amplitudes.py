"""The registers described by a state's marks: the coin form, written as amplitudes.

They are not played from; a law compares them with the registers made by programs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from qchess.circuits import Engine, Qubit, Registers
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.coins import odds
from qchess.games.niels_chess.units import State, Unit, tandem


def described(book: Book, state: State, engine: Engine) -> Registers:
    """Return the registers in which each coin is one register, and every other square is certain."""
    groups = [tandem(state.men, pair) for pair in state.pairs]
    coins = {group[0].at: group for group in groups}
    full = [book.names[unit.at] for unit in state.units if not unit.is_pair]
    return Registers.prepared(engine, [coin(book, group) for group in coins.values()], full)


def coin(book: Book, group: list[Unit]) -> tuple[tuple[Qubit, ...], Mapping[int, complex]]:
    """Return the two branches of a pair or group over its squares, first marks' before second marks'."""
    qubits = tuple(book.names[square] for pair in group for square in pair.squares)
    share = odds(book.variant, group[0])
    sign = -1 if book.variant.hadamard and group[0].z else 1
    branches = {1: math.sqrt(share), 0: sign * math.sqrt(1 - share)}
    return qubits, {_branch(group, landed): complex(amplitude) for landed, amplitude in branches.items()}


def _branch(group: list[Unit], landed: int) -> int:
    """Return the basis state in which every pair of a group is where its coin put it."""
    bits = 0
    for k, pair in enumerate(group):
        there = pair.major if landed else pair.minor
        bits |= 1 << 2 * k + (there == pair.second)
    return bits
