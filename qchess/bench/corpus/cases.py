"""Turn circuits into cases: every requested track, with features and the exact answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from qchess.bench.case import MAPPED, SIZES, TRACKS, Case, Features
from qchess.bench.corpus import features as counted
from qchess.bench.corpus import reference
from qchess.bench.corpus.circuit import Circuit
from qchess.bench.corpus.reference import Passage
from qchess.bench.corpus.tracks import Sizes, Tracked, lowered, native, on_graph


def cases(
    listed: Circuit | Callable[[], Circuit], sizes: Sizes, largest: str = "large", only: str = ""
) -> Iterator[Case]:
    """Yield the cases of a circuit in corpora up to `largest`, with the text `only` in their names.

    If there is none, the circuit is not made.
    """
    wanted = [track for track in TRACKS if track in sizes and SIZES.index(sizes[track]) <= SIZES.index(largest)]
    if not wanted:
        return
    circuit = listed if isinstance(listed, Circuit) else listed()
    wanted = [track for track in wanted if only in f"{circuit.name}-{track}"]
    if not wanted:
        return
    low = lowered(circuit)
    register = reference.largest_register(circuit)
    for track in wanted:
        made = {"native": lambda: native(circuit), "lowered": lambda: low}.get(track, partial(on_graph, low, track))()
        yield case(made, made if track in MAPPED else low, track, sizes[track], register)


def case(made: Tracked, low: Tracked, track: str, size: str, register: int) -> Case:
    """Return the case of a circuit on a track; `low` is its form in one- and two-qubit gates."""
    circuit, wires = made.circuit, made.wires
    passed = reference.passage(circuit, wires)
    name = f"{circuit.name}-{track}"
    return Case(
        name=name,
        family=circuit.family,
        game=circuit.game,
        track=track,
        size=size,
        wires=wires,
        full=circuit.full,
        program=circuit.program,
        kept=circuit.kept,
        features=_features(made, low, passed, register, track),
        reference=reference.sample(passed.amplitudes, name),
        branches=len(passed.amplitudes),
        answers=circuit.answers,
        odds=reference.odds(circuit),
        layout=made.layout,
    )


def _features(made: Tracked, low: Tracked, passed: Passage, register: int, track: str) -> Features:
    circuit, program, wires = made.circuit, made.circuit.program, len(made.wires)
    again = max(0, circuit.lives - len(circuit.wires)) if track not in MAPPED else 0
    return Features(
        qubits=wires,
        lives=wires + again,
        operations=len(list(counted.everything(program))),
        depth=counted.depth(program),
        two_qubit=counted.two_qubit(program),
        wider=counted.wider(program),
        cx=counted.two_qubit(low.circuit.program),
        peak=passed.peak,
        final=passed.final,
        register=register,
        clifford=counted.is_clifford(program),
        kept_probability=passed.kept_probability,
        supermarq=counted.supermarq(low.circuit.program, len(low.wires)),
    )
