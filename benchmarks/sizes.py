"""How many two-qubit gates game states take, beside Qiskit's generic preparation and what is provably needed.

    python -m benchmarks.sizes 200

The last tables of docs/devices_measured.md. It runs no shots and asks no device: what devices make of a game's
questions is measured by `qchess measure`. The states are random, by a fixed seed.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.bounds import at_least
from qchess import backends
from qchess.backends.devices.preparation import preparation
from qchess.circuits import Program, Registers, merge, slide, split, split_slide
from qchess.circuits.compiling.compiler import compile_program

SQUARES = [f"s{k}" for k in range(8)]


def random_game_state(rng: random.Random) -> tuple[Registers, tuple[str, ...], dict[int, complex]]:
    """A register of at most 8 squares and 16 branches, from random moves of one to three pieces."""
    while True:
        board = Registers(backends.engine(), full=rng.sample(SQUARES, rng.choice((1, 2, 2, 3))))
        for _ in range(rng.randint(2, 7)):
            board = board.run(_random_move(board, rng)).registers
        if not board.registers:
            continue
        qubits = max(board.registers, key=len)
        register = board.register(qubits[0])
        if register is not None and 2 <= register.branches <= 16:
            return board, qubits, dict(register.amplitudes(qubits))


def _random_move(board: Registers, rng: random.Random) -> Program:
    men = [q for q in SQUARES if board.known(q) != 0]
    free = [q for q in SQUARES if board.known(q) == 0]
    kind = rng.choice(("split", "split", "slide", "merge", "split past"))
    if kind == "merge" and len(men) > 1 and free:
        return merge(*rng.sample(men, 2), rng.choice(free))
    if len(free) < 2:
        return Program()
    s, (a, b) = rng.choice(men), rng.sample(free, 2)
    past = rng.choice([q for q in SQUARES if q not in (s, a, b)])
    return {"slide": slide(s, a, (past,)), "split past": split_slide(s, a, b, (past,), ())}.get(kind, split(s, a, b))


def gates(program: Program) -> int:
    """CZ gates at level aware, from all zeros."""
    return compile_program(
        program, level="aware", basis="cz", known=dict.fromkeys(program.qubits, 0)
    ).two_qubit_count()  # fmt: skip


def preparations(count: int) -> dict[str, Any]:
    """CZ counts of random game states: our preparation, the history, the shorter of both, Qiskit's generic one."""
    from qiskit.transpiler import generate_preset_pass_manager

    passes = generate_preset_pass_manager(optimization_level=3, basis_gates=["rz", "sx", "x", "cz"], seed_transpiler=0)
    rng, rows, worst = random.Random(1), [], 0.0
    for _ in range(count):
        board, qubits, amplitudes = random_game_state(rng)
        made = preparation(qubits, amplitudes)
        worst = max(worst, deviation(made, qubits, amplitudes))
        ours, history = gates(made), gates(board.circuit(*qubits))
        bound = at_least(len(qubits), amplitudes)
        rows.append((ours, history, min(ours, history), generic(qubits, amplitudes, passes), bound, len(qubits)))
    names = ("prepared", "history", "the shorter", "generic", "at least")
    columns = {name: sorted(row[k] for row in rows) for k, name in enumerate(names)}
    large = [row for row in rows if row[3] > 11]
    return {
        "states": count,
        "largest deviation of an amplitude": worst,
        **{
            name: {"median": statistics.median(c), "90th percentile": c[int(0.9 * count)]}
            for name, c in columns.items()
        },
        "median of shorter/generic, all": _median(rows),
        "median of shorter/generic, 5 qubits and more": _median(large),
        "states of 5 qubits and more at most a third": f"{sum(3 * row[2] <= row[3] for row in large)} of {len(large)}",
        "at most a third": sum(3 * row[2] <= row[3] for row in rows),
        "a third is impossible": sum(3 * row[4] > row[3] for row in rows),
        "the sent circuit is as short as any": sum(row[2] == row[4] for row in rows),
        "more than the history": sum(row[2] > row[1] for row in rows),
        "by qubits": {n: _of_width([row for row in rows if row[5] == n]) for n in sorted({row[5] for row in rows})},
    }


def _of_width(rows: list[tuple[int, ...]]) -> dict[str, Any]:
    """What the states of one number of qubits take, the least and the most of each."""
    return {
        "states": len(rows),
        **{name: _spread([row[k] for row in rows]) for name, k in (("generic", 3), ("sent", 2), ("at least", 4))},
        "a third is impossible": sum(3 * row[4] > row[3] for row in rows),
        "at most a third": sum(3 * row[2] <= row[3] for row in rows),
    }


def _median(rows: Sequence[tuple[int, ...]]) -> float | None:
    """The median of how much of the generic gates is sent, where there are any."""
    shares = [row[2] / row[3] for row in rows if row[3]]
    return statistics.median(shares) if shares else None


def _spread(values: list[int]) -> str:
    return " to ".join(map(str, dict.fromkeys((min(values), max(values)))))


def deviation(made: Program, qubits: tuple[str, ...], amplitudes: Mapping[int, complex]) -> float:
    """The largest difference of an amplitude from the wanted state, after one common phase."""
    found = Registers(backends.engine()).run(made).registers.amplitudes(qubits)
    top = max(amplitudes, key=lambda key: abs(amplitudes[key]))
    turn = amplitudes[top] / found[top]
    return max(abs(found.get(k, 0) * turn - amplitudes.get(k, 0)) for k in found.keys() | amplitudes.keys())


def generic(qubits: tuple[str, ...], amplitudes: Mapping[int, complex], passes: Any) -> int:
    """CZ gates of Qiskit's state preparation."""
    import numpy as np
    from qiskit import QuantumCircuit
    from qiskit.circuit.library import StatePreparation

    vector = np.zeros(2 ** len(qubits), dtype=complex)
    for key, amplitude in amplitudes.items():
        vector[key] = amplitude
    circuit = QuantumCircuit(len(qubits))
    circuit.append(StatePreparation(vector / np.linalg.norm(vector)), range(len(qubits)))
    return int(passes.run(circuit).count_ops().get("cz", 0))


def main(argv: list[str] | None = None) -> None:
    """Prints the figures of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("states", nargs="?", type=int, default=200, help="number of random states")
    states = parser.parse_args(argv).states
    if states < 1:
        parser.error(f"expected at least one random state, got {states}")
    print(json.dumps(preparations(states), indent=1))


if __name__ == "__main__":
    main()
