"""Our registers, as a game uses them: joined and factored on the way, with their past, and able to ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qchess.bench.adapters.adapter import chosen
from qchess.bench.adapters.sparse import Named, Sparse
from qchess.circuits.operations import Qubit
from qchess.circuits.predicates import where
from qchess.circuits.program import Program


class Factored(Sparse):
    """`Registers.run` on the sparse engine."""

    name = "registers"
    modules = ("qchess.circuits.registers", "qchess.backends.sparse.engine")
    inside = (
        "the registers from their start, and `Registers.run`: they join, factor and keep their past; of programs that "
        "ask, `start` and `resume` at each question, once a path"
    )
    outside = (
        "the engine, its kernels linked; the circuit in our operations. A program that asks is in our own form already"
    )
    options_why = "as `sparse`, which is their engine"

    def run(self, lowered: Named, desk: Any) -> Any:
        """The registers after the program, with the order of the wires."""
        from qchess.circuits.registers import Registers

        registers = Registers(self.engine, lowered.full).run(Program(*lowered.operations)).registers
        return registers, lowered.wires

    def table(self, state: Any) -> dict[int, complex]:
        """All branches: the product of the registers."""
        registers, wires = state
        found: dict[int, complex] = registers.amplitudes(wires[::-1])
        return found

    def amplitudes(self, state: Any, keys: Sequence[int]) -> Sequence[complex]:
        """A product of one amplitude a register; the whole table is never made."""
        registers, wires = state
        groups = [(register.amplitudes(mine), mine) for register, mine in registers.held(wires)]
        known = {q: registers.known(q) for q in wires}
        place = {q: len(wires) - 1 - k for k, q in enumerate(wires)}
        return [self._amplitude(key, registers.phase, groups, known, place) for key in keys]

    def touch(self, state: Any, key: int) -> float:
        """The product of the registers' own probabilities."""
        registers, wires = state
        place = {q: len(wires) - 1 - k for k, q in enumerate(wires)}
        known = [registers.known(q) for q in wires]
        chance = float(all(v is None or v == key >> place[q] & 1 for q, v in zip(wires, known, strict=True)))
        for register, mine in registers.held(wires):
            chance *= self.engine.probability(register.state, where({q: key >> place[q] & 1 for q in mine}))
        return chance

    def _amplitude(
        self,
        key: int,
        phase: complex,
        groups: Sequence[tuple[Mapping[int, complex], Sequence[Qubit]]],
        known: Mapping[Qubit, int | None],
        place: Mapping[Qubit, int],
    ) -> complex:
        if any(value is not None and key >> place[q] & 1 != value for q, value in known.items()):
            return 0j
        for table, mine in groups:
            phase *= table.get(sum((key >> place[q] & 1) << k for k, q in enumerate(mine)), 0)
        return phase

    def sample(self, lowered: Named, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Draws from each register by itself."""
        registers, wires = state
        place = {q: len(wires) - 1 - k for k, q in enumerate(wires)}
        sure = sum(1 << place[q] for q in wires if registers.known(q))
        keys = [sure] * shots
        for number, (register, mine) in enumerate(registers.held(wires)):
            table = register.amplitudes(mine)
            drawn = chosen(list(table), list(table.values()), shots, seed + number)
            spread = {key: sum((key >> k & 1) << place[q] for k, q in enumerate(mine)) for key in set(drawn)}
            keys = [key | spread[more] for key, more in zip(keys, drawn, strict=True)]
        return keys

    def answers(self, lowered: tuple[Program, frozenset[Qubit]], shots: int, seed: int) -> Iterator[Mapping[str, int]]:
        """Walks the pauses of the program once, each shot along its own answers."""
        import random

        from qchess.circuits.registers import Registers
        from qchess.circuits.running import Pause

        program, full = lowered
        rng = random.Random(seed)
        start = Registers(self.engine, full).start(program)
        known: dict[tuple[int, ...], Any] = {(): start}
        for _ in range(shots):
            path: tuple[int, ...] = ()
            at = start
            while isinstance(at, Pause):
                answer = rng.choices(list(at.odds), list(at.odds.values()))[0]
                path = (*path, answer)
                if path not in known:
                    known[path] = at.resume(answer)
                at = known[path]
            yield {answer.name: answer.value for answer in at.answers}
