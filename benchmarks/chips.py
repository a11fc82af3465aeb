"""What devices make of game circuits: tables of docs/devices_measured.md, each with one command.

    python -m benchmarks.chips fragment torino marrakesh sherbrooke nairobi
    python -m benchmarks.chips preparation 200
    python -m benchmarks.chips placement nairobi guadalupe
    python -m benchmarks.chips replay aer-noisy

Everything is seeded; the fakes need qiskit-ibm-runtime. A fake is not a chip.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.bounds import at_least
from qchess import backends
from qchess.backends.devices.preparation import preparation
from qchess.circuits import Program, Registers, ask, full, iswap, merge, read, slide, split, split_slide
from qchess.circuits.compiling.compiler import LEVELS, compile_program
from qchess.circuits.precision import CERTAIN
from qchess.errors import QchessError

SHOTS, SEEDS = 8192, 5
SQUARES = [f"s{k}" for k in range(8)]


def six_squares() -> tuple[Program, dict[str, int]]:
    """The fragment on exactly six qubits: half of what is on 4 goes on to 5, without leaving a square empty."""
    moves = split("q0", "q1", "q2") + slide("q3", "q4", ("q2",)) + Program(iswap("q4", "q5", 0.5))
    return moves, {"q0": 1, "q3": 1}


def fidelity(odds: Mapping[int, float], counts: Mapping[int, int]) -> float:
    """The Hellinger fidelity of counts with exact odds."""
    total = sum(counts.values())
    return sum(math.sqrt(p * counts.get(key, 0) / total) for key, p in odds.items()) ** 2 if total else 0.0


def right_count(odds: Mapping[int, float], counts: Mapping[int, int]) -> dict[int, int]:
    """The shots whose number of pieces is possible."""
    possible = {key.bit_count() for key, p in odds.items() if p > CERTAIN}
    return {key: n for key, n in counts.items() if key.bit_count() in possible}


def fragments(names: list[str]) -> Iterator[dict[str, Any]]:
    """For each fake and level: gates; fidelity raw, with two pieces, and of possible outcomes; kept, and undetected."""
    from qchess.backends.ibm.devices import fake_sampler

    moves, start = six_squares()
    qubits = moves.qubits
    exact = Registers(backends.engine(), full=[q for q, v in start.items() if v]).run(moves).registers
    odds = exact.distribution(*qubits)
    known = {q: start.get(q, 0) for q in qubits}
    for name in names:
        sampler = fake_sampler(name)
        for level in LEVELS:
            whole = moves + Program(read("r", *qubits))
            compiled = compile_program(whole, level=level, basis=sampler.capabilities.native_2q, known=known)
            raw, kept, valid, share = [], [], [], []
            placed = sampler.compiler.compile(compiled.program) if sampler.compiler else None
            for seed in range(SEEDS):
                [shots] = sampler.run([compiled.program], SHOTS, seed)
                counts = {key[0]: n for key, n in shots.counts.items()}
                good = right_count(odds, counts)
                raw.append(fidelity(odds, counts))
                kept.append(fidelity(odds, good))
                valid.append(fidelity(odds, {key: n for key, n in counts.items() if key in odds}))
                share.append(sum(good.values()) / shots.total)
            yield {
                "fake": name, "level": level, "two_qubit_gates": placed.two_qubit_gates if placed else None,
                "raw": told(raw), "post-selected": told(kept), "valid": told(valid), "keep": told(share),
                "undetected": round(placed.undetected, 4) if placed and placed.undetected < math.inf else None,
            }  # fmt: skip


def told(values: list[float]) -> str:
    """Mean and spread."""
    return f"{statistics.mean(values):.4f} ± {statistics.stdev(values):.4f}"


# -- preparation -------------------------------------------------------------------------------------------


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
        "median of shorter/generic, all": statistics.median(row[2] / row[3] for row in rows if row[3]),
        "median of shorter/generic, 5 qubits and more": statistics.median(row[2] / row[3] for row in large),
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


# -- placement ------------------------------------------------------------------------------------------------


def placements(names: list[str], count: int = 20, shots: int = 4000) -> Iterator[dict[str, Any]]:
    """Expected and simulated fidelity, placed by calibration and by the vendor's highest level."""
    from qiskit_aer import AerSimulator

    from qchess.backends.devices.targets import TargetCompiler
    from qchess.backends.ibm.vendor import fake

    for name in names:
        backend = fake(name)
        noisy = AerSimulator.from_backend(backend, max_parallel_threads=1)
        compiler, rng = TargetCompiler(backend.target), random.Random(2)
        expected, simulated, sifted = list[list[float]](), list[list[float]](), list[list[float]]()
        while len(expected) < count:
            board, qubits, amplitudes = random_game_state(rng)
            if not 3 <= len(qubits) <= 6:
                continue
            odds = board.distribution(*qubits)
            circuit = compile_program(
                preparation(qubits, amplitudes) + Program(read("r", *qubits)), level="aware", basis="cz",
                known=dict.fromkeys(qubits, 0),
            ).program  # fmt: skip
            both = (compiler.compile(circuit), compiler.default(circuit))
            expected.append([placed.fidelity for placed in both])
            counts = [_simulated(noisy, placed.circuit, shots) for placed in both]
            simulated.append([fidelity(odds, found) for found in counts])
            sifted.append([fidelity(odds, right_count(odds, found)) for found in counts])
        better = sum(mine > theirs for mine, theirs in simulated)
        yield {
            "fake": name, "circuits": count,
            "expected, placed / default": [round(statistics.mean(column), 4) for column in zip(*expected, strict=True)],
            "expected worse": sum(mine < theirs - 1e-12 for mine, theirs in expected),
            "simulated, placed / default": [round(statistics.mean(c), 4) for c in zip(*simulated, strict=True)],
            "simulated better": better,
            "post-selected, placed / default": [round(statistics.mean(c), 4) for c in zip(*sifted, strict=True)],
        }  # fmt: skip


def _simulated(noisy: Any, circuit: Any, shots: int) -> dict[int, int]:
    counts = noisy.run(circuit, shots=shots, seed_simulator=5).result().get_counts()
    return {int(text, 2): n for text, n in counts.items()}


# -- replay ------------------------------------------------------------------------------------------------------


def replays(name: str, shots: int = 2000, times: int = 60) -> Iterator[dict[str, Any]]:
    """Pieces that split one after the other, each asked whether it went as the one before, answered yes k times."""
    for past in range(1, 5):
        board = Registers(backends.engine(), full=[f"s{k}" for k in range(past + 1)])
        board = board.run(split("s0", "a0", "b0")).registers
        for k in range(1, past + 1):
            board = board.run(split(f"s{k}", f"a{k}", f"b{k}")).registers
            board = board.project(full(f"a{k - 1}", f"a{k}") | full(f"b{k - 1}", f"b{k}"), 1)
        question = Program(ask("left", full("a0")))
        source = backends.get(name, strategy="replay", shots=shots, timeout=None).source(seed=past)
        details = board.run(question, source).answers[0].details
        quick = backends.get(name, strategy="replay", shots=256, timeout=None).source(seed=past)
        answers = Counter(board.run(question, quick).answers[0].value for _ in range(times))
        yield {"past": past, "kept": details["kept"] / details["returned"], "ideal": 0.5**past,
               "dropped": details["dropped"], "two_qubit_gates": details["two_qubit_gates"],
               "qubits": details["qubits"], "observed": details["observed"],
               "answers yes": f"{answers[1]} of {times}", "exact": board.probability("a0")}  # fmt: skip


#: what a table is made of if nothing is named
USUAL = {
    "preparation": ["200"], "fragment": ["nairobi"], "placement": ["nairobi"], "replay": ["aer-noisy"],
}  # fmt: skip


def main(argv: list[str] | None = None) -> None:
    """Prints one table as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=tuple(USUAL))
    parser.add_argument("what", nargs="*")
    args = parser.parse_args(argv)
    what = args.what or USUAL[args.table]
    try:
        if args.table == "preparation":
            print(json.dumps(preparations(int(what[0])), indent=1))
            return
        rows = {
            "fragment": lambda: fragments(what), "placement": lambda: placements(what),
            "replay": lambda: replays(what[0]),
        }  # fmt: skip
        for row in rows[args.table]():
            print(json.dumps(row), flush=True)
    except QchessError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
