"""Programs that ask, on every adapter that offers it: lowered before the clock, then run for their answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from qchess.bench.adapters import Adapter, catalogue
from qchess.bench.corpus.listing import corpus
from qchess.bench.running.measuring import Settings, measure
from qchess.bench.running.verifying import odds_told
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program
from tests.bench.test_adapters_states import there

NAMES = [row.name for row in catalogue.CATALOGUE if catalogue.get(row.name).offers("answers")]
SHOTS = 200
#: a is full. Half of it moves to b; if nothing is on b, half of what is on a moves to c, and b and c are asked about.
#: a question about two wires is a flag's; `late` is asked on one way only
PROGRAM = Program.parse(
    """\
iswap^0.5 a b
ask hit: b=1
when hit
  0:
    iswap^0.5 a c if b=0
    ask late: b=1 or c=1
"""
)
#: hit and late, which is 0 where it was not asked
ODDS: dict[tuple[int, ...], float] = {(1, 0): 0.5, (0, 0): 0.25, (0, 1): 0.25}


def joint(answers: Iterable[Mapping[str, int]]) -> Counter[tuple[int, ...]]:
    return Counter(tuple([told.get(name) or 0 for name in ("hit", "late")]) for told in answers)


def wrong(counts: Mapping[tuple[int, ...], int]) -> str:
    assert set(counts) <= set(ODDS)
    number = {answers: k for k, answers in enumerate(ODDS)}
    return odds_told(
        {number[k]: p for k, p in ODDS.items()}, {number[k]: n for k, n in counts.items()}, sum(counts.values())
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_lowered_program_is_run_as_often_as_one_likes(name: str) -> None:
    adapter = there(name)
    lowered = adapter.lower_answers(PROGRAM, frozenset("a"))
    first, again, other = (joint(adapter.answers(lowered, SHOTS, seed)) for seed in (1, 1, 2))
    assert sum(first.values()) == SHOTS
    assert first == again
    assert first != other
    assert wrong(first + other) == ""


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("aer")])
def test_aer_transpiles_while_lowering_and_never_for_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = there(name)
    lowered = adapter.lower_answers(PROGRAM, frozenset("a"))
    monkeypatch.setattr(adapter, "passes", None)
    monkeypatch.setattr("qchess.circuits.forms.to_qiskit.to_qiskit", None)
    assert sum(joint(adapter.answers(lowered, SHOTS, 1)).values()) == SHOTS


def test_the_lowering_of_a_program_lies_before_its_clock() -> None:
    """What the measurement tells, in the order in which it tells it."""
    events: list[str] = []

    class Watched(Adapter):
        def lower_answers(self, program: Program, full: frozenset[Qubit]) -> Any:
            events.append("lowered")
            return dict.fromkeys(program.answers, 0)

        def answers(self, lowered: Any, shots: int, seed: int) -> Iterable[Mapping[str, int]]:
            events.append("answered")
            return [lowered] * shots

    pieces: list[Mapping[str, Any]] = []

    def tell(piece: Mapping[str, Any]) -> None:
        pieces.append(piece)
        events.append(piece.get("phase", ""))

    (case,) = corpus("small", "move-quantum-checkers")
    assert case.feed_forward
    measure(Watched(), case, Settings(shots=10), tell)
    assert events == ["lower", "lowered", "answers", "answered", "end"]
    assert "wall" in pieces[1]["lower"]
    assert "wall" in pieces[2]["answers"]
    assert pieces[2]["shots"] == 10


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("aer")])
def test_aer_loads_a_program_whose_last_branch_no_answer_depends_on(name: str) -> None:
    """Aer 0.18 fails on the whole of it: it leaves out e and f, which the marks of the branch name."""
    adapter = there(name)
    program = Program.parse(
        """\
ask hit: a=1
swap e f
swap b a
ask late: a=1
when late
  0:
    swap c d
"""
    )
    lowered = adapter.lower_answers(program, frozenset("ae"))
    assert joint(adapter.answers(lowered, SHOTS, 1)) == {(1, 0): SHOTS}
