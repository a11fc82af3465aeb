"""Steps in words: gates and questions in one line, what changed, and the table of all steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from qchess.circuits.forms.marks import in_board_order
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.program import Discard, Question, ReadOut
from qchess.circuits.registers import Registers
from qchess.rules import in_words
from qchess.showing.picture import several
from qchess.wording import percent

if TYPE_CHECKING:
    from qchess.study.stepping.steps import Step

#: what is less is rounding
LEAST = 1e-9
#: of a register so many qubits are named in words, and of a question so many answers
NAMED, WAYS = 8, 4
Done = Operation | Question | ReadOut | Discard

_HEADS = ("step", "gate", "branches", "entropy", "what changed", "registers")


def written(step: Done) -> str:
    """A gate or a question in one line."""
    if isinstance(step, Operation):
        where = ", ".join(f"{qubit} is {'full' if value else 'empty'}" for qubit, value in step.controls)
        return (
            f"{str(step.gate).replace('ISWAP', 'iSWAP')} {' '.join(step.targets)}{f' where {where}' if where else ''}"
        )
    if isinstance(step, Question):
        return f"{step.name}? {in_words(step.predicate)}"
    if isinstance(step, ReadOut):
        return f"read {step.name}: {' '.join(step.qubits)}"
    return f"discard {' '.join(step.qubits)}"


def named(qubits: Iterable[Qubit]) -> str:
    """Some qubits in words, the last of many counted only."""
    order = in_board_order(tuple(qubits))
    return "/".join(order) if len(order) <= NAMED else f"{'/'.join(order[:NAMED])} and {len(order) - NAMED} more"


def asked(step: Step) -> str:
    """The answer of a question: what it was, of what odds, and where it came from."""
    given = step.answer.value if step.answer else None
    ways = sorted(step.chances.items(), key=lambda way: (way[0] != given, -way[1]))
    more = f" and {len(ways) - WAYS} more" if len(ways) > WAYS else ""
    odds = ", ".join(f"{value}: {percent(p)}" for value, p in ways[:WAYS]) + more
    if step.answer is None:
        return f"no answer yet ({odds})"
    how = {"certain": "certain", "likeliest": "the likeliest, not given"}.get(step.answer.source)
    return f"{step.answer.name} = {step.answer.value} ({how + '; ' if how else ''}{odds})"


def _row(step: Step) -> tuple[str, ...]:
    changes = [f"{qubit} {percent(a)} -> {percent(b)}" for qubit, (a, b) in step.changed.items()]
    if step.answer or step.chances:
        changes.insert(0, asked(step))
    world = step.registers
    return (
        str(step.number),
        step.gate + (f"  (if {step.case})" if step.case else ""),
        "x".join(map(str, world.branches())) or "1",
        f"{step.entropy:.4g}",
        several(changes) if changes else "",
        ", ".join(named(register.qubits) for register in world.each) or "nothing open",
    )


def sentences(step: Step) -> Iterator[str]:
    """What a step did, sentence by sentence."""
    if step.case:
        yield f"It follows the answer {step.case}."
    if step.chances:
        yield f"{'Asked' if step.answer else 'To be asked'}: {asked(step)}."
    if isinstance(step.done, Discard):
        yield f"Discarded: {named(step.done.qubits)}."
        return
    if changes := [f"{qubit} {percent(a)} to {percent(b)}" for qubit, (a, b) in step.changed.items()]:
        yield f"Odds: {several(changes)}."
    elif step.number and step.done is not None and not step.chances:
        same = step.registers.same_as(step.before)
        yield "Nothing changes." if same else "No probability changes, but amplitudes do."
    yield from _of_registers(step.before, step.registers)


def _of_registers(before: Registers, after: Registers) -> Iterator[str]:
    for register in after.each:
        old = [qubit for qubit in register.qubits if before.known(qubit) is None]
        if new := [qubit for qubit in in_board_order(register.qubits) if qubit not in old]:
            yield f"Open now: {several(new)}{f', entangled with {named(old)}' if old else ''}."
    if settled := [qubit for qubit in before.uncertain if after.known(qubit) is not None]:
        words = [f"{q} is {'full' if after.known(q) else 'empty'}" for q in in_board_order(settled)]
        yield f"Certain now: {several(words)}."
    for register in after.each:
        if len(made := before.held(register.qubits)) > 1:
            yield f"Joined: {' with '.join(named(old.qubits) for old, _ in made)}."
    for register in before.each:
        if len(left := after.held(register.qubits)) > 1:
            yield f"Separated into {' and '.join(named(new.qubits) for new, _ in left)}."


def table(steps: Sequence[Step]) -> str:
    """A line for each step; a turn of a game has its move over it."""
    lines: list[tuple[str, ...]] = [_HEADS]
    turn = ""
    for step in steps:
        if step.part.title != turn and (turn := step.part.title):
            lines.append((turn,))
        lines.append(_row(step))
    widths = [max(len(line[k]) for line in lines if len(line) > k + 1) for k in range(len(_HEADS) - 1)]
    return "\n".join(
        "  ".join([line[0].rjust(widths[0]), *map(str.ljust, line[1:-1], widths[1:]), line[-1]])
        if len(line) > 1 else line[0]
        for line in lines
    )  # fmt: skip
