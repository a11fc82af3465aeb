"""The error that no count of pieces shows, as told and by density matrices: a table of docs/devices_measured.md.

    python -m benchmarks.undetected torino nairobi sherbrooke willow_pink
    python -m benchmarks.undetected --angles willow_pink

Three small questions on each machine, by its vendor's own noise of gates and with the calibration's own chances to read
a bit wrongly, which are not the same for 0 and for 1. IBM's machines need qiskit-ibm-runtime, Google's cirq-google.
Left out are crosstalk, leakage, whatever else no calibration has, and constant angle errors; those of Google's
machines are simulated too with `--angles`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qchess.backends.devices.readout import flipped
from qchess.circuits import Program, iswap, read, slide, split
from qchess.circuits.compiling.compiler import compile_program

IBM, GOOGLE = ("torino", "nairobi", "sherbrooke"), ("willow_pink",)
Odds = Mapping[int, float]


@dataclass(frozen=True)
class Row:
    """One question on one machine, its readings as they are and twirled."""

    machine: str
    question: str
    told: float
    true: float
    told_twirled: float
    true_twirled: float

    def __str__(self) -> str:
        figures = (self.told, self.true, self.told_twirled, self.true_twirled)
        return f"| {self.machine} | {self.question} | " + " | ".join(f"{each:.5f}"[1:] for each in figures) + " |"


def two_pieces() -> Program:
    """The fragment on six squares: two pieces, one slides past the other's half, and then splits."""
    moves = split("q0", "q1", "q2") + slide("q3", "q4", ("q2",)) + Program(iswap("q4", "q5", 0.5))
    return moves + Program(read("r", *(f"q{k}" for k in range(6))))


def aware(program: Program, full_squares: tuple[str, ...], basis: str = "cz") -> Program:
    """The program compiled with what is known of the squares before it."""
    known = {q: int(q in full_squares) for q in program.qubits}
    return compile_program(program, level="aware", basis=basis, known=known).program


def questions(basis: str) -> dict[str, Program]:
    """A slide past a half piece, the fragment on six squares, and one piece on three squares."""
    past = split("q0", "q1", "q2") + slide("q3", "q4", ("q2",)) + Program(read("r", "q1", "q2", "q3", "q4"))
    spread = split("q0", "q1", "q2") + split("q2", "q3", "q4") + Program(read("r", "q1", "q3", "q4"))
    return {
        "a slide past a half": aware(past, ("q0", "q3"), basis),
        "the fragment": aware(two_pieces(), ("q0", "q3"), basis),
        "one piece on three squares": aware(spread, ("q0",), basis),
    }


def flipping(zero: float, one: float) -> Any:
    """The channel that turns 0 into 1, and 1 into 0, with these chances, and destroys every phase."""
    from qiskit.quantum_info import Kraus

    chances = {(0, 0): 1 - zero, (1, 0): zero, (0, 1): one, (1, 1): 1 - one}
    matrices = [np.zeros((2, 2)) for _ in chances]
    for matrix, (at, chance) in zip(matrices, chances.items(), strict=True):
        matrix[at] = math.sqrt(chance)
    return Kraus(matrices).to_instruction()


def moved(exact: Odds, noisy: Odds) -> float:
    """How far the shots with a possible number of ones are from the exact odds, in total variation."""
    possible = {key.bit_count() for key, p in exact.items() if p > 1e-9}
    kept = {key: p for key, p in noisy.items() if key.bit_count() in possible}
    return sum(abs(p / sum(kept.values()) - exact.get(key, 0)) for key, p in kept.items()) / 2


def turned_back(plain: Odds, turned: Odds) -> Odds:
    """The odds of both halves of twirled shots together."""
    most = max(turned)
    return {key: (p + turned[most ^ key]) / 2 for key, p in plain.items()}


def rows(machine: str, angles: bool = False) -> Iterator[Row]:
    """The questions on a machine, by its name; with the constant angle errors, where they are published."""
    compiler, odds, basis = _google(machine, angles) if machine in GOOGLE else _ibm(machine)
    for question, program in questions(basis).items():
        placed, turned = compiler.compile(program), compiler.compile(flipped(program))
        exact, noisy = odds(placed)
        both = turned_back(noisy, odds(turned)[1])
        yield Row(machine, question, placed.undetected, moved(exact, noisy), placed.twirled, moved(exact, both))


def _ibm(name: str) -> Any:
    from qiskit.quantum_info import DensityMatrix, Operator, SuperOp
    from qiskit_aer.noise import thermal_relaxation_error
    from qiskit_aer.noise.device import basic_device_gate_errors

    from qchess.backends.devices.targets import part_of
    from qchess.backends.ibm import vendor
    from qchess.backends.ibm.devices import fake_sampler

    backend, sampler = vendor.fake(name), fake_sampler(name)
    target, figures = backend.target, backend.properties()

    def relaxing(qubit: int, seconds: float) -> SuperOp:
        times = target.qubit_properties[qubit]
        return SuperOp(thermal_relaxation_error(times.t1, min(times.t2, 2 * times.t1), seconds))

    def odds(placed: Any) -> tuple[Odds, Odds]:
        circuit = placed.circuit
        steps = [(one.operation, [circuit.find_bit(q).index for q in one.qubits]) for one in circuit.data]
        read = [on[0] for operation, on in steps if operation.name == "measure"]
        wires = sorted({q for operation, on in steps if operation.name != "barrier" for q in on})
        found = basic_device_gate_errors(target=part_of(target, wires))
        noise = {(gate, tuple(wires[k] for k in on)): error for gate, on, error in found}
        exact = noisy = DensityMatrix.from_int(0, 2 ** len(wires))
        ready: dict[int, float] = {}
        for operation, on in steps:
            if operation.name in ("measure", "barrier", "delay"):
                continue
            begin = max(ready.get(q, 0.0) for q in on)
            for q in on:  # a qubit that waits for the other relaxes
                if 0 < ready.get(q, 0.0) < begin:
                    noisy = noisy.evolve(relaxing(q, begin - ready[q]), [wires.index(q)])
                ready[q] = begin + (target[operation.name][tuple(on)].duration or 0.0)
            here = [wires.index(q) for q in on]
            exact, noisy = (state.evolve(Operator(operation), here) for state in (exact, noisy))
            if (fault := noise.get((operation.name, tuple(on)))) is not None:
                noisy = noisy.evolve(SuperOp(fault), here)
        for qubit in read:
            lies = [figures.qubit_property(qubit, f"prob_meas{k}_prep{1 - k}")[0] for k in (1, 0)]
            noisy = noisy.evolve(SuperOp(flipping(*lies)), [wires.index(qubit)])
        at = [wires.index(q) for q in read]
        return tuple(dict(enumerate(state.probabilities(at))) for state in (exact, noisy))  # type: ignore[return-value]

    return sampler.compiler, odds, sampler.capabilities.native_2q


def _google(name: str, angles: bool) -> Any:
    import cirq
    import cirq_google

    from qchess.backends.google import vendor
    from qchess.backends.google.compiling import DeviceCompiler

    device, figures = vendor.virtual(name)
    simulated = figures if angles else replace(figures, fsim_errors={})
    noise = cirq_google.NoiseModelFromGoogleNoiseProperties(simulated)

    def odds(placed: Any) -> list[Odds]:
        told: list[Odds] = []
        for circuit in (placed.circuit, placed.circuit.with_noise(noise)):
            silent = circuit.map_operations(lambda op: [] if cirq.is_measurement(op) else op)
            found = cirq.DensityMatrixSimulator(dtype=np.complex128).simulate(silent, qubit_order=placed.spots)
            full = np.real(np.diag(found.final_density_matrix)).reshape((2,) * len(placed.spots))
            at = [placed.spots.index(spot) for spot in placed.reads["r"]]
            shown = full.transpose([*reversed(at), *(k for k in range(full.ndim) if k not in at)])
            told.append(dict(enumerate(shown.reshape(2 ** len(at), -1).sum(axis=1))))
        return told

    return DeviceCompiler(device, simulated), odds, "cz"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.undetected", description=__doc__.splitlines()[0])
    parser.add_argument("machines", nargs="+", choices=[*IBM, *GOOGLE])
    parser.add_argument("--angles", action="store_true", help="of Google's: also simulate constant angle errors")
    args = parser.parse_args(arguments)
    print("| machine | question | told | true | twirled: told | true |\n|---|---|---|---|---|---|")
    for machine in args.machines:
        for row in rows(machine, args.angles):
            print(row, flush=True)


if __name__ == "__main__":
    main()
