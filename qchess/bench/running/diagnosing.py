"""Find the gate at which a simulator goes wrong, and what it seems to do instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit, Step
from qchess.bench.adapters.sparse import Sparse
from qchess.bench.running.verifying import Expected, verify

#: larger states are not searched
MOST = 2**14
#: how many amplitudes are compared at each place
COMPARED = 2000


def first_wrong_gate(adapter: Adapter, circuit: Circuit, tolerance: float) -> str:
    """Return a sentence on the first gate after which the state is wrong; empty if none is found."""
    ours = Sparse()
    ours.load()
    right, wrong = -1, len(circuit.steps)  # after no gate it may be wrong already; after all it is
    while wrong - right > 1:
        middle = (right + wrong) // 2
        expected = _expected(ours, circuit.prefix(middle))
        if expected is None:
            return ""
        if _agrees(adapter, circuit.prefix(middle), expected, tolerance):
            right = middle
        else:
            wrong = middle
    if wrong == 0:
        return "wrong before any gate: the start is not the requested one"
    step = circuit.steps[wrong - 1]
    return (
        f"first wrong after gate {wrong} of {len(circuit.steps)}, {told(step)}{_instead(adapter, ours, circuit, wrong)}"
    )


def told(step: Step) -> str:
    """Return a gate as text, its wires by number."""
    exponent = "" if step.parameter == 1.0 else f"^{step.parameter:g}"
    wires = ", ".join(map(str, step.targets))
    controls = ", ".join(f"{wire}={value}" for wire, value in step.controls)
    return f"{step.name}{exponent}({wires}{' if ' + controls if controls else ''})"


def _expected(ours: Sparse, circuit: Circuit) -> Expected | None:
    table = ours.table(ours.run(ours.lower(circuit), None))
    if len(table) > MOST:
        return None
    kept = sorted(table, key=lambda key: -abs(table[key]))[:COMPARED]
    return Expected(circuit.wires, {key: table[key] for key in kept}, len(table) <= COMPARED)


def _agrees(adapter: Adapter, circuit: Circuit, expected: Expected, tolerance: float) -> bool:
    lowered = adapter.lower(circuit)
    state = adapter.run(lowered, adapter.desk(lowered))
    return verify(
        expected, lambda keys: adapter.amplitudes(state, keys), adapter.norm(state), tolerance=tolerance
    ).right


def _instead(adapter: Adapter, ours: Sparse, circuit: Circuit, place: int) -> str:
    """Return what the simulator did instead of the gate, if it is a usual mistake."""
    before, step = circuit.steps[: place - 1], circuit.steps[place - 1]
    lowered = adapter.lower(circuit.prefix(place))
    state = adapter.run(lowered, adapter.desk(lowered))

    def read(keys: Any) -> Any:
        return adapter.amplitudes(state, keys)

    for what, slip in _slips(step):
        expected = _expected(ours, Circuit(circuit.wires, circuit.full, (*before, *slip)))
        if expected and verify(expected, read, adapter.norm(state), tolerance=1e-5).right:
            return f": {what}"
    return ""


def _slips(step: Step) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Yield the usual mistakes, each with the gates that were done."""
    yield "the gate was left out", ()
    if step.controls:
        yield "its controls were dropped", (step._replace(controls=()),)
        for k, (wire, value) in enumerate(step.controls):
            others = step.controls[:k] + step.controls[k + 1 :]
            yield f"its control on {wire} was dropped", (step._replace(controls=others),)
            yield (
                f"its control on {wire} was read the other way",
                (step._replace(controls=(*others, (wire, 1 - value))),),
            )
    if step.parameter != 1.0 or step.name == "ISWAP":
        yield "its angle has the wrong sign", (step._replace(parameter=-step.parameter),)
    if step.name == "ISWAP":
        yield "its angle is twice as large", (step._replace(parameter=2 * step.parameter),)
        yield "its angle is half as large", (step._replace(parameter=step.parameter / 2),)
