"""Histograms of read-outs: honest ones pass, cheats are found, and false alarms are as rare as is said."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qchess.__main__ import main
from qchess.bench.adapters import catalogue
from qchess.bench.adapters.adapter import chosen
from qchess.bench.adapters.circuit import Circuit
from qchess.bench.adapters.sparse import Sparse
from qchess.bench.case import Case
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.questions import measuring as asking
from qchess.bench.questions.cases import COUNTS, QUESTIONS, asked
from qchess.bench.questions.judging import Chances, at_most, distance
from qchess.bench.questions.ways import counts_of
from qchess.bench.report.questions import Questions
from qchess.bench.report.rows import rows
from qchess.bench.running.measuring import Settings, circuit_of
from qchess.bench.running.results import read
from qchess.bench.running.runner import station
from qchess.bench.running.schema import checked

SETTINGS = Settings(warm=0.0, least=2, shots=1000)


def counted(circuit: Any) -> Case:
    """The case that asks a circuit for counts."""
    (case,) = cases(circuit, {"native": "small"})
    (made,) = asked(case, [COUNTS])
    return made


@pytest.fixture(scope="module")
def many() -> dict[str, Case]:
    """A few branches, all of them with different chances, all with the same, and more than a case keeps."""
    return {
        "few": counted(families.splits(9)), "different": counted(families.dense(7, 3)),
        "same": counted(families.filled(8, 0)), "more": counted(families.dense(11, 3)),
    }  # fmt: skip


class Cheat(Sparse):
    """Takes a trick by its name."""

    trick = "none"
    kept: Counter[int] | None = None

    def lower_counts(self, circuit: Circuit) -> Circuit:
        return circuit

    def counts(self, circuit: Circuit, shots: int, seed: int) -> Mapping[int, int]:
        state = self.run(self.lower(circuit), None)
        table = self.table(state)
        likely = max(table, key=lambda key: abs(table[key]))
        dice = np.random.default_rng(seed)
        if self.trick == "uniform bits":
            return Counter(dice.integers(0, 2**circuit.wires, shots).tolist())
        if self.trick == "the most likely":
            return {likely: shots}
        if self.trick == "too few":
            return Counter(self.sample(None, state, shots - 1, seed))  # type: ignore[arg-type]
        if self.trick == "one wire is lost":
            return Counter(key & ~1 for key in self.sample(None, state, shots, seed))  # type: ignore[arg-type]
        if self.trick == "the weights, not their squares":
            keys = list(table)
            weights = np.sqrt(np.abs([table[key] for key in keys]))
            return Counter(chosen(keys, weights.tolist(), shots, seed))
        if self.trick == "one seed":
            seed = 7
        if self.trick == "stale" and self.kept:
            return self.kept
        if self.trick == "stale, its flips undone":
            return self._undone(circuit, shots, seed)
        self.kept = Counter(self.sample(None, state, shots, seed))  # type: ignore[arg-type]
        return self.kept

    def _undone(self, circuit: Circuit, shots: int, seed: int) -> Mapping[int, int]:
        """It has the histogram of the first circuit, and knows what the flips at the end of another one do."""
        if not self.kept:
            self.kept = Counter(self.sample(None, self.run(self.lower(circuit), None), shots, seed))  # type: ignore[arg-type]
            self.gates = len(circuit.steps)
        mask = 0
        for step in circuit.steps[self.gates + 1 :]:
            mask ^= (step.name == "X") << (circuit.wires - 1 - step.targets[0])
        return {key ^ mask: count for key, count in self.kept.items()}


@pytest.fixture(scope="module")
def cheat() -> Cheat:
    made = Cheat()
    made.load()
    return made


def measured(adapter: Any, case: Case) -> dict[str, Any]:
    """What a run tells, without a process of its own."""
    found: dict[str, Any] = {}
    asking.measure(adapter, case, SETTINGS, found.update)
    return found


def test_an_honest_one_is_right_and_timed(cheat: Cheat, many: dict[str, Case]) -> None:
    cheat.trick = "none"
    for case in many.values():
        found = measured(cheat, case)
        assert (found["outcome"], found["why"]) == ("ok", ""), found
        assert found["warm"]["runs"] == 2
        assert found["first"]["wall"] > 0
        new: dict[str, Any] = {}
        asking.measure_new(cheat, case, SETTINGS, new.update, 0)
        assert (new["outcome"], new["new"]["wall"] > 0) == ("ok", True)


@pytest.mark.parametrize(
    ("trick", "on", "why"),
    [
        ("uniform bits", "few", "have probability 0"),
        ("uniform bits", "different", "do not fit"),
        ("uniform bits", "more", "do not fit"),
        ("the most likely", "few", "do not fit"),
        ("the most likely", "same", "do not fit"),
        ("the most likely", "more", "do not fit"),
        ("one wire is lost", "more", "do not fit"),
        ("the weights, not their squares", "different", "do not fit"),
        ("too few", "same", "999 read-outs came back instead of 1000"),
        ("stale", "few", "right at first; in run 2, with other wires flipped: "),
        ("stale", "different", "do not fit"),
        ("stale", "same", "the same counts as in the run before, which had another seed"),
        ("stale, its flips undone", "different", "the same counts as in the run before"),
        ("one seed", "same", "the same counts as in the run before"),
    ],
)
def test_a_cheat_is_found(cheat: Cheat, many: dict[str, Case], trick: str, on: str, why: str) -> None:
    cheat.trick, cheat.kept = trick, None
    found = measured(cheat, many[on])
    assert found["outcome"] == "wrong", found
    assert why in found["why"], found["why"]
    assert found["kind"] in (COUNTS, "repeat")


def test_false_alarms_are_as_rare_as_is_said(many: dict[str, Case]) -> None:
    """The bound of each test, over many honest histograms, is below a share no more often than that share."""
    dice = np.random.default_rng(5)
    for chances, shots in (([0.5, 0.5], 50), ([0.97, 0.02, 0.01], 40), ([1 / 64] * 64, 200), ([0.999, 0.001], 1000)):
        drawn = dice.multinomial(shots, chances, size=1500).tolist()
        bounds = np.array([at_most(distance(chances, seen), shots, len(chances)) for seen in drawn])
        for share in (0.3, 0.1, 0.03, 0.01):
            assert (bounds < share).mean() <= share + 4 * math.sqrt(share / len(bounds))
    for case in many.values():  # all tests together
        known = Chances.of(case)
        tests = [(p, seen) for seed in range(40) for _, p, seen in known.tests(
            Counter(chosen(list(case.reference), list(case.reference.values()), 500, seed)))
            if case.branches == len(case.reference)]  # fmt: skip
        assert all(at_most(distance(p, seen), 500, len(p)) > 1e-4 for p, seen in tests)


def test_an_approximate_one_may_have_a_little_elsewhere(many: dict[str, Case]) -> None:
    case = many["few"]
    counts = Counter(chosen(list(case.reference), list(case.reference.values()), 995, 1))
    counts[0] += 5
    assert "have probability 0" in Chances.of(case).told(counts)
    assert Chances.of(case, approximate=True).told(counts) == ""
    assert Chances.of(case, approximate=True).told({key: 1000 * count for key, count in counts.items()}) == ""
    counts[0] += 500
    assert "do not fit" in Chances.of(case, approximate=True).told(counts)


@pytest.mark.slow
def test_every_simulator_that_is_here_counts_right(many: dict[str, Case]) -> None:
    """Each by its own way, with flips behind the circuit."""
    case = many["different"]
    turn = next(asking.variants(circuit_of(case), "1"))
    for name in catalogue.names():
        adapter = catalogue.get(name)
        if adapter.absent() or name == "stim":  # it has no such gates
            continue
        adapter.load()
        made = asking.asking_of(adapter, case, SETTINGS)
        found, _ = made.asked(turn, 3)
        assert made.judged(turn, found) == "", name
        assert made.judged(replace(turn, flips=()), found), name
    assert all(counts_of(catalogue.get(name)) for name in catalogue.names())


def test_a_question_has_a_name_and_a_hash_of_its_own(many: dict[str, Case]) -> None:
    case = many["few"]
    (plain,) = cases(families.splits(9), {"native": "small"})
    assert case.name == f"{plain.name}-counts"
    assert case.hash != plain.hash
    assert Case.of(case.data()) == case
    assert Case.of(plain.data()) == plain
    assert list(asked(plain, QUESTIONS))[:2] == [plain, case]
    (plain,) = cases(families.splits(7), {"native": "small"})
    every = list(asked(plain, QUESTIONS))
    assert len({each.hash for each in every}) == len({each.name for each in every}) == len(QUESTIONS)
    assert [Case.of(each.data()) for each in every] == every
    kept = replace(plain, kept={"s0": 1})
    assert list(asked(kept, QUESTIONS)) == [kept], "nobody is asked of what is left after post-selection"


@pytest.mark.slow
def test_a_file_has_both_and_ranks_them_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real run of two simulators; the schema has every field, and the ranking of states does not see counts."""
    out = tmp_path / "out.jsonl"
    words = ["--only", "splits-9-native", "--ask", "state", "--ask", "counts", "--warm", "0", "--out", str(out)]
    assert main(["bench", "run", "sparse", "cirq", *words]) == 0
    assert checked(out)[1] == []
    found = read(out)
    assert [run["outcome"] for run in found.runs.values()] == ["ok"] * 4
    assert {row.case for row in rows(found)} == {"splits-9-native"}
    assert {row.case for row in rows(found, question=COUNTS)} == {"splits-9-native-counts"}
    capsys.readouterr()
    assert main(["bench", "questions", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "## Read-outs of all wires" in printed
    assert "once in 1e+09 times" in printed
    assert "| sparse | exact, double precision | its state, from whose branches we draw |" in printed
    assert Questions(found).html().count("<h2>") == 1
    with station("stim", SETTINGS) as made:
        if made.ready:
            (cat,) = asked(next(cases(families.cat(30), {"native": "small"})), [COUNTS])
            assert made.run(cat)["outcome"] == "ok", "no amplitude is written out"
