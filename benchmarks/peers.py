"""Whole circuits through our engine and beside qblaze: ``python -m benchmarks.peers [--json] [--cpu] [--seconds S]``.

Families as games have them: pieces that split, slide and merge on many squares; questions as flags; slides in a row;
split slides that interfere; dances of k pieces on n squares; and families where sparse engines have it hard: H on
everything, and the systems of piece-qubit chess. `registers` is `Registers.run`, history and factoring included;
`at once` is one call of the engine from the basis state, coding included. qblaze (extra `bench`, a sparse simulator in
Rust) gets the same circuit lowered beforehand; its time holds one Python call a gate, and a flush. A time counts only
if the amplitudes agree to 1e-9 after one global phase.
"""

from __future__ import annotations

import argparse
import cmath
import json
import math
import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from benchmarks.machine import machine
from qchess import backends
from qchess.circuits import Program, Registers, cz, h, iswap, merge, slide, split, x
from qchess.circuits.operations import Operation

LIMIT = 2**22
Circuit = tuple[list[str], tuple[Operation, ...]]


def squares(n: int) -> list[str]:
    """So many names."""
    return [f"s{k}" for k in range(n)]


def game(n: int, pieces: int, plies: int, seed: int) -> Circuit:
    """Splits, slides past a square and merges of what was split before."""
    rng, names = random.Random(seed), squares(n)
    full = rng.sample(names, pieces)
    held, steps = list(full), []
    for _ in range(plies):
        source = rng.choice(held)
        a, b = rng.sample([q for q in names if q != source], 2)
        kind = rng.random()
        if kind < 0.55:
            steps.append(split(source, a, b))
            held += [a, b]
        elif kind < 0.85:
            steps.append(Program(*slide(source, a, (b,))))
            held.append(a)
        else:
            steps.append(merge(source, a, b))
            held.append(b)
    return full, Program(*steps).operations


def asked(n: int, seed: int) -> Circuit:
    """A game, with questions as flag qubits under a cube."""
    full, steps = game(n, 4, 14, seed)
    rng, names = random.Random(seed), squares(n)
    flags = (x(f"f{k}").when({q: rng.randint(0, 1) for q in rng.sample(names, 2)}) for k in range(4))
    return full, (*steps, *flags)


def linked_slides(pieces: int) -> Circuit:
    """Pieces that split, each sliding past a half of the one before."""
    full, steps = [], []
    for k in range(pieces):
        full.append(f"s{5 * k}")
        steps += split(f"s{5 * k}", f"s{5 * k + 1}", f"s{5 * k + 2}").operations
        if k:
            steps += slide(f"s{5 * k + 1}", f"s{5 * k + 3}", (f"s{5 * k - 4}",))
    return full, tuple(steps)


def interference(n: int, seed: int) -> Circuit:
    """One or two pieces that split and meet again and again."""
    rng, names = random.Random(seed), squares(n)
    steps = [iswap(*rng.sample(names, 2), 0.5) for _ in range(40)]
    return names[:2], tuple(steps)


def dance(n: int, pieces: int, steps: int, seed: int) -> Circuit:
    """Pieces that move in halves and wholes, past empty squares and not."""
    rng, names, made = random.Random(seed), squares(n), []
    for _ in range(steps):
        a, b, c, d = rng.sample(names, 4)
        kind = rng.random()
        if kind < 0.4:
            made.append(iswap(a, b, 0.5))
        elif kind < 0.7:
            made.append(iswap(a, b, 0.5, empty=[c]))
        elif kind < 0.85:
            made.append(iswap(a, b, 1.0, empty=[c, d]))
        else:
            made.append(iswap(a, b, 1.0))
    return names[:pieces], tuple(made)


def hadamards(n: int, on: int) -> Circuit:
    """H on some qubits of n, then a ring of CZ."""
    names = squares(n)
    return [], (*map(h, names[:on]), *(cz(names[k], names[(k + 1) % n]) for k in range(n)))


def systems(n: int, seed: int) -> Circuit:
    """H on all, then CZ and H as the systems of piece-qubit chess have them."""
    rng, names = random.Random(seed), squares(n)
    again = names[::4]  # no two of these are tied to each other
    pairs = [(names[k], names[k + 1]) for k in range(n - 1)]
    pairs += [(a, b) for a, b in (rng.sample(names, 2) for _ in range(n)) if not {a, b} <= {*again}]
    return [], (*map(h, names), *(cz(a, b) for a, b in pairs), *map(h, again))


FAMILIES: dict[str, Circuit] = {
    "game 8": game(8, 2, 8, 1),
    "game 24": game(24, 4, 16, 3),
    "game 48": game(48, 7, 30, 6),
    "asked 30": asked(30, 4),
    "linked slides 40": linked_slides(8),
    "interference 18": interference(18, 2),
    "dance 16, few": dance(16, 4, 60, 2),
    "dance 16, full": dance(16, 8, 90, 3),
    "dance 20": dance(20, 9, 90, 1),
    "dance 24": dance(24, 7, 90, 1),
    "piece-qubit 14": systems(14, 1),
    "piece-qubit 20": systems(20, 1),
    "H on 16 of 20": hadamards(20, 16),
    "H on 18 of 20": hadamards(20, 18),
    "H on 20 of 20": hadamards(20, 20),
}


def lowered(steps: tuple[Operation, ...], place: dict[str, int]) -> list[tuple[str, tuple[Any, ...]]]:
    """Method and arguments of qblaze's simulator for each gate; phases exact."""
    made: list[tuple[str, tuple[Any, ...]]] = []
    for step in steps:
        controls = [(place[q], bool(value)) for q, value in step.controls]
        first, *second = [place[q] for q in step.targets]
        name, t = step.gate.name, step.gate.parameter
        if name == "H" and not controls:
            made.append(("h", (first,)))
        elif name == "X" and t == 1:
            made.append(("mcx", (controls, first)) if controls else ("x", (first,)))
        elif name == "Z":
            made.append(("mcphase", ([*controls, (first, True)], math.pi * t)))
        elif name == "ISWAP":
            (b,) = second
            under = [*controls, (b, True)]
            made += [("mcx", ([(first, True)], b)), ("h", (first,))]
            made += [("mcphase", ([*under, (first, True)], -math.pi * t)), ("mcphase", (under, math.pi * t / 2))]
            made += [("h", (first,)), ("mcx", ([(first, True)], b))]
        else:
            raise SystemExit(f"no lowering for {step!r}")
    return made


def qblaze_action(circuit: Circuit, names: list[str]) -> Callable[[], Any]:
    """The circuit on qblaze; the result is its simulator."""
    from qblaze import Simulator

    full, steps = circuit
    place = {q: k for k, q in enumerate(names)}
    calls = [("x", (place[q],)) for q in full] + lowered(steps, place)

    def action() -> Any:
        simulator = Simulator(thread_count=1)
        for name, arguments in calls:
            getattr(simulator, name)(*arguments)
        simulator.flush()
        return simulator

    return action


def best_of(action: Callable[[], Any], clock: Callable[[], float], seconds: float) -> float:
    """The least time of many runs, in milliseconds."""
    begun = time.perf_counter()
    taken: list[float] = []
    while len(taken) < 3 or (time.perf_counter() - begun < seconds and len(taken) < 2000):
        start = clock()
        action()
        taken.append(clock() - start)
    return round(min(taken) * 1e3, 4)


def agrees(ours: dict[int, complex], theirs: dict[int, complex]) -> bool:
    """Whether both are one state, after one global phase."""
    top = max(ours, key=lambda key: abs(ours[key]))
    if abs(theirs.get(top, 0)) < 1e-9:
        return False
    phase = cmath.exp(1j * (cmath.phase(ours[top]) - cmath.phase(theirs[top])))
    return all(abs(ours.get(key, 0) - phase * theirs.get(key, 0)) < 1e-9 for key in ours.keys() | theirs.keys())


def row(name: str, circuit: Circuit, clock: Callable[[], float], seconds: float) -> dict[str, Any]:
    """What one circuit costs."""
    full, steps = circuit
    engine = backends.engine("sparse", branch_limit=LIMIT)
    names = list(dict.fromkeys([*full, *(q for step in steps for q in step.qubits)]))
    registers, program = Registers(engine, full), Program(*steps)
    values = {q: int(q in full) for q in names}
    after = registers.run(program).registers
    ours = after.amplitudes(names)
    found: dict[str, Any] = {"circuit": name, "qubits": len(names), "branches": len(ours), "operations": len(steps)}
    found["registers_ms"] = best_of(lambda: registers.run(program), clock, seconds)
    if hasattr(engine, "run"):
        at_once = engine.amplitudes(engine.run(None, steps, values), names)
        if not agrees(ours, at_once):
            raise SystemExit(f"{name}: one call differs from the registers; nothing is timed")
        found["at_once_ms"] = best_of(lambda: engine.run(None, steps, values), clock, seconds)
    if find_spec("qblaze"):
        action = qblaze_action(circuit, names)
        if not agrees(ours, {key: a for key, a in action() if abs(a) > 1e-12}):
            raise SystemExit(f"{name}: qblaze differs; nothing is timed")
        found["qblaze_ms"] = best_of(action, clock, seconds)
        found["qblaze/ours"] = round(found["qblaze_ms"] / min(found["registers_ms"], found.get("at_once_ms", 1e9)), 2)
    return found


def main() -> None:
    """Runs the benchmark and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--cpu", action="store_true", help="processor time in place of the clock, for a busy machine")
    parser.add_argument("--seconds", type=float, default=0.5, help="time for each figure")
    options = parser.parse_args()
    clock = time.process_time if options.cpu else time.perf_counter
    rows = [row(name, circuit, clock, options.seconds) for name, circuit in FAMILIES.items()]
    if options.json:
        print(json.dumps({"machine": machine(), "cpu": options.cpu, "rows": rows}, indent=1))
        return
    for found in rows:
        print("  ".join(f"{key} {value}" for key, value in found.items()))


if __name__ == "__main__":
    main()
