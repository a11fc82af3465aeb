"""Pack positions of the rules for the core, and compare a packed one with the rules' own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qchess.circuits import Qubit, Registers
from qchess.circuits.precision import SAME
from qchess.games.quantum_checkers.book import ANY_CONTINUES, ANY_OFFERED, BLACK, SAME_PIECE, WHITE, Book
from qchess.games.quantum_checkers.core import layout as at
from qchess.games.quantum_checkers.core.layout import Amplitudes, Ints
from qchess.games.quantum_checkers.position import Position

SIDES = (WHITE, BLACK)
Table = dict[tuple[int, ...], complex]


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A position as arrays, see `layout`; never modified."""

    board: Ints
    components: Ints
    places: Ints
    amplitudes: Amplitudes


def coded(book: Book) -> Ints:
    """Return the book as the kernels read it."""
    options = book.options
    who = (SAME_PIECE, ANY_OFFERED, ANY_CONTINUES).index(options.continue_with)
    draw = options.draw_plies or 0
    flags = [int(flag) for flag in (options.joint_collapse, options.keep_ghosts, options.draw_first)]
    return np.array([book.board.size, book.level, who, draw, *flags], np.int32)


def pack(book: Book, position: Position) -> Packed:
    """Return the position in packed form."""
    squares = book.board.size**2
    count = max(position.pieces, default=-1) + 1
    board = np.zeros(at.CELLS + squares + count, np.int32)
    chain = -1 if position.chain is None else position.chain
    board[: at.PIECES + 1] = SIDES.index(position.player), position.quiet, chain, position.ply, count
    for square, number in position.owner.items():
        board[at.CELLS + square] = 2 * (number + 1) + (square in position.kings)
    board[at.CELLS + squares :] = -1
    rows: list[list[int]] = []
    entries: list[tuple[tuple[int, ...], complex]] = []
    for number, piece in position.pieces.items():
        if not piece.split:
            board[at.CELLS + squares + number] = SIDES.index(piece.colour)
        elif piece.partner is None or number < piece.partner:
            members = position.component(number)
            table = joint_table(position, members)
            rows.append(_row(position, members, len(entries), len(table)))
            entries += table.items()
            for member in members:
                colour = SIDES.index(position.pieces[member].colour)
                board[at.CELLS + squares + member] = colour + 2 * len(rows)
    board[at.COMPONENTS], board[at.ENTRIES] = len(rows), len(entries)
    places = [(*places, -1)[:2] for places, _ in entries]
    return Packed(
        board,
        np.array(rows, np.int32).reshape(-1, at.WIDTH),
        np.array(places, np.int32).reshape(-1, 2),
        np.array([amplitude for _, amplitude in entries], np.complex128),
    )


def _row(position: Position, members: tuple[int, ...], start: int, length: int) -> list[int]:
    """Return a component's row."""
    taken = [[place_of(position, qubit) for qubit in position.pieces[m].taken] for m in members] + [[]]
    row = [0] * at.WIDTH
    row[: at.TAKEN] = start, length, *(*members, -1)[:2]
    for slot in (0, 1):
        row[at.TAKEN + slot] = len(taken[slot])
        row[at.LISTS[slot] : at.LISTS[slot] + len(taken[slot])] = taken[slot]
    return row


def place_of(position: Position, qubit: Qubit) -> int:
    """Return the core's number of a place."""
    square = position.board.geometry.numbers.get(qubit)
    return position.board.size**2 + int(qubit.removeprefix("taken")) if square is None else square


def joint_table(position: Position, members: tuple[int, ...]) -> Table:
    """Return the joint places of the pieces of a component, with their amplitudes."""
    qubits = [position.places(member) for member in members]
    everything = [qubit for places in qubits for qubit in places]
    found: Table = {}
    for key, amplitude in amplitudes(position.registers, everything).items():
        full = {qubit for k, qubit in enumerate(everything) if key >> k & 1}
        found[tuple(place_of(position, next(q for q in places if q in full)) for places in qubits)] = amplitude
    return found


def amplitudes(registers: Registers, qubits: list[Qubit]) -> dict[int, complex]:
    """Return the amplitudes of some qubits whose registers hold no others; bit k of a key is ``qubits[k]``."""
    result = {sum(1 << k for k, q in enumerate(qubits) if registers.known(q) == 1): 1 + 0j}
    for register, mine in registers.held(qubits):
        bits = [1 << qubits.index(q) for q in mine]
        own = {
            sum(bit for j, bit in enumerate(bits) if key >> j & 1): a for key, a in register.amplitudes(mine).items()
        }
        result = {key | more: a * b for key, a in result.items() for more, b in own.items()}
    return result


# -- comparing ---------------------------------------------------------------------------------------


def differs(book: Book, packed: Packed, position: Position, tolerance: float = SAME) -> str | None:
    """Return how a packed position differs from the rules' one, in words; None if they are the same."""
    wanted = pack(book, position)
    mine, theirs = packed.board, wanted.board
    for name, k in (("player", at.PLAYER), ("quiet plies", at.QUIET), ("chain", at.CHAIN), ("ply", at.PLY)):
        if mine[k] != theirs[k]:
            return f"{name}: {mine[k]}, not {theirs[k]}"
    squares = book.board.size**2
    for square in range(squares):
        if mine[at.CELLS + square] != theirs[at.CELLS + square]:
            name = book.board.names[square]
            return f"{name} holds {mine[at.CELLS + square]}, not {theirs[at.CELLS + square]}"
    tables, others = unpacked(packed), unpacked(wanted)
    if tables.keys() != others.keys():
        return f"the components are {sorted(tables)}, not {sorted(others)}"
    for members, (taken, table) in tables.items():
        taken_too, table_too = others[members]
        if taken != taken_too:
            return f"the captures open for {members} are {taken}, not {taken_too}"
        if not same_table(table, table_too, tolerance):
            return f"the amplitudes of {members} are {table}, not {table_too}"
    return None


def unpacked(packed: Packed) -> dict[tuple[int, ...], tuple[list[list[int]], Table]]:
    """Return each component by its pieces, ascending: the captures open for each, and its table."""
    found = {}
    for row in packed.components.tolist():
        start, length, first, second = row[:4]
        order = sorted((piece, slot) for slot, piece in enumerate((first, second)) if piece >= 0)
        taken = [row[at.LISTS[slot] : at.LISTS[slot] + row[at.TAKEN + slot]] for _, slot in order]
        table = {
            tuple(int(packed.places[k, slot]) for _, slot in order): complex(packed.amplitudes[k])
            for k in range(start, start + length)
        }
        found[tuple(piece for piece, _ in order)] = (taken, table)
    return found


def same_table(a: Table, b: Table, tolerance: float) -> bool:
    """Tell whether both tables are one state, up to a phase."""
    top = max(a, key=lambda key: abs(a[key]))
    if abs(b.get(top, 0)) < tolerance:
        return False
    turn = a[top] / abs(a[top]) * abs(b[top]) / b[top]
    return all(abs(a.get(key, 0) - turn * b.get(key, 0)) <= tolerance for key in a.keys() | b.keys())
