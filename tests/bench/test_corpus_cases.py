"""The corpus of the benchmark: its cases say what they are, and stay what they are on every machine."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from qchess.bench.case import SIZES, TRACKS, Case, Features, corpus_hash
from qchess.bench.corpus import families, folder
from qchess.bench.corpus.checking import WAYS, amplitudes, check, error
from qchess.bench.corpus.circuit import Circuit
from qchess.bench.corpus.listing import corpus, dances, dense_states, listed, small_states, stabilizers
from qchess.bench.corpus.tracks import Sizes
from qchess.circuits import Program, iswap, x
from qchess.errors import ImpossibleOutcomeError, InvalidMoveError

ROOT = Path(__file__).parents[2]
#: how many circuits the slow tests send through each reader of OpenQASM, at least; there are 200
CIRCUITS = int(os.environ.get("QCHESS_CIRCUITS", "20"))
#: and the most operations of a circuit for readers and engines that take a while for each: two in three have no more
OPERATIONS = 150 if CIRCUITS <= 60 else sys.maxsize
#: of the small corpus, as Python 3.11, 3.12 and 3.13 make it; another one means that circuits have changed, and that
#: results of before and after cannot be compared
SMALL = "d6ffc86ea2fde9a442526af60bc98e4572e0da1ec587eba058f63c6c41de7c46"
STANDARD = "0dc56b85ecb37e04ddb6b8bf7796da903376948119fe05b531e2fe21adb28e5e"


@cache
def small() -> tuple[Case, ...]:
    return tuple(corpus("small"))


@cache
def standard() -> tuple[Case, ...]:
    return tuple(corpus("standard"))


def short(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if case.features.operations <= OPERATIONS]


def case(name: str) -> Case:
    return next(case for case in small() if case.name == name)


# -- the same everywhere --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_small_corpus_is_the_one_that_results_speak_of() -> None:
    assert corpus_hash(small()) == SMALL


@pytest.mark.long
def test_the_standard_corpus_is_the_one_that_results_speak_of() -> None:
    assert corpus_hash(standard()) == STANDARD


HASHES = """
from qchess.bench.corpus.cases import cases
from qchess.bench.corpus.listing import {which} as which
print(*(f"{{case.name}} {{case.hash}}" for made, sizes in which() for case in cases(made, sizes, "small")), sep="\\n")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("which", "seed"), [("small_states", "1"), ("listed", "4711")])
def test_hashes_do_not_depend_on_how_python_hashes_text(which: str, seed: str) -> None:
    command = [sys.executable, "-c", HASHES.format(which=which)]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    told = dict(line.split() for line in done.stdout.splitlines())
    assert len(told) >= 7
    assert told == {found.name: found.hash for found in small() if found.name in told}


@pytest.mark.slow
def test_the_hash_speaks_of_everything_that_is_run() -> None:
    plain = case("linked-slides-2-native")
    others = [
        replace(plain, program=Program(*plain.program.steps[1:])),
        replace(plain, program=Program(plain.program, x(plain.wires[0]))),
        replace(plain, wires=plain.wires[::-1]),
        replace(plain, full=frozenset()),
        replace(plain, kept={plain.wires[0]: 1}),
        replace(plain, track="lowered"),
    ]
    assert len({plain.hash, *(other.hash for other in others)}) == 7
    assert replace(plain, reference={}, size="large").hash == plain.hash


def test_the_last_bit_of_a_parameter_is_seen() -> None:
    def one(parameter: float) -> Case:
        program = Program(iswap("a", "b", parameter))
        features = Features(2, 2, 1, 1, 1, 0, 2, 2, 2, 2, False)
        return Case("c", "f", None, "native", "small", ("a", "b"), frozenset("a"), program, {}, features, {}, 2)

    assert one(0.1).hash != one(0.1 + 2**-56).hash


# -- what is in it ----------------------------------------------------------------------------------------


@cache
def circuits() -> tuple[tuple[Circuit, Sizes], ...]:
    return tuple((made if isinstance(made, Circuit) else made(), sizes) for made, sizes in listed())


@pytest.mark.slow
def test_names_are_unique_and_larger_corpora_hold_the_smaller_ones() -> None:
    names = [f"{circuit.name}-{track}" for circuit, sizes in circuits() for track in sizes]
    assert len(set(names)) == len(names)
    assert {found.size for found in small()} == {"small"}


@pytest.mark.slow
def test_all_games_and_all_tracks_are_in_the_standard_corpus_already() -> None:
    from qchess.games import names

    taken = [(circuit, sizes) for circuit, sizes in circuits() if sizes["native"] != "large"]
    assert {circuit.game for circuit, _ in taken if circuit.game} == set(names())
    assert {track for _, sizes in taken for track, size in sizes.items() if size != "large"} == set(TRACKS)
    asked = {circuit.game for circuit, _ in taken if circuit.program.answers}
    assert asked == set(names()), "of every game there is one with real feed-forward"


def test_keys_are_written_with_the_first_wire_first() -> None:
    """A piece on the first of three squares: |100>."""
    start = replace(next(iter(corpus("small", "cat-1"))), wires=("s0", "s1", "s2"))
    assert start.ket(0b100) == "100"


@pytest.mark.slow
def test_no_case_of_the_small_corpus_looks_the_same_from_behind() -> None:
    """So that a simulator which turns the order of the qubits round is found out by every case."""
    for found in small():
        behind = {int(found.ket(key)[::-1], 2): a for key, a in found.reference.items()}
        assert error(found, behind) > 1e-3, found.name


@pytest.mark.parametrize("only", ["s-1-asked-n", "move-niels", "dom-3-2", "cat-1"])
def test_a_text_in_names_chooses_the_cases_that_have_it(only: str) -> None:
    """Those of games too, which are played only where the text may be in their names."""
    assert list(corpus("small", only)) == [found for found in small() if only in found.name] != []


# -- folders ------------------------------------------------------------------------------------------------


def test_a_folder_gives_back_what_was_written(tmp_path: Path) -> None:
    some = [found for found in small() if "checkers" in found.name]
    assert list(folder.write(tmp_path, some, ("text", "qasm2", "qasm3", "cirq", "qiskit"))) == some
    assert list(folder.read(tmp_path)) == some
    assert folder.index(tmp_path)["hash"] == corpus_hash(some)
    written = {file.name for file in (tmp_path / "qasm3").iterdir()}
    assert written == {f"{found.name}.3.qasm" for found in some}


def test_an_export_that_cannot_say_what_a_case_does_is_named_in_the_index(tmp_path: Path) -> None:
    """Two captures that both may fail: the second is asked inside the branch on the first."""
    nested = case("game-quantum-checkers-small-2-7-native")
    list(folder.write(tmp_path, [nested], ("qasm2", "qasm3")))
    (row,) = folder.index(tmp_path)["cases"]
    assert list(row["left out"]) == ["qasm2"]
    assert "no branch inside a branch" in row["left out"]["qasm2"]
    assert (tmp_path / "qasm3" / f"{nested.name}.3.qasm").is_file()


def test_a_case_that_somebody_changed_is_refused(tmp_path: Path) -> None:
    whole = case("linked-slides-2-native")
    list(folder.write(tmp_path, [whole]))
    file = tmp_path / "cases" / f"{whole.name}.json"
    data = json.loads(file.read_text())
    data["program"][0] = data["program"][0].replace("iswap^0.5", "iswap^0.25")
    file.write_text(json.dumps(data))
    with pytest.raises(InvalidMoveError, match="has changed"):
        folder.read_case(file)


def test_a_folder_without_a_corpus_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(InvalidMoveError, match=r"as `qchess bench corpus` writes it"):
        list(folder.read(tmp_path))
    with pytest.raises(InvalidMoveError, match="one of small, standard, large, got 'tiny'"):
        list(corpus("tiny"))
    assert SIZES == ("small", "standard", "large")


# -- amplitudes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_the_amplitudes_of_the_small_corpus(way: str) -> None:
    few = [found for found in small() if len(found.wires) <= 10 and found.features.operations <= 100]
    done = list(check(few, [way], 10))
    assert sum(row.error is not None for row in done) >= 10
    assert all(row.error < 1e-9 for row in done if row.error is not None)
    assert {row.reason for row in done if row.error is None} <= {
        "OpenQASM 2 has no nested branches",
        "Cirq's reader of OpenQASM 3 has no blocks",
    }


@pytest.mark.long
@pytest.mark.parametrize(("name", "most"), [("sparse", 16), ("cirq", 14), ("aer", 12)])
def test_three_engines_give_the_amplitudes_of_the_standard_corpus(name: str, most: int) -> None:
    done = list(check(short(standard()) if name == "aer" else standard(), [name], most))
    assert len(done) > (50 if name == "aer" else 70)
    assert max(row.error or 0 for row in done) < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("way", ["qasm2-qiskit", "qasm3-qiskit", "qasm2-cirq", "qasm3-cirq"])
def test_many_circuits_go_through_openqasm_and_back(way: str) -> None:
    """Cirq reads no blocks of version 3, so there it takes wider circuits to find as many that ask nothing."""
    wide = way == "qasm3-cirq"
    some = corpus("large") if wide or CIRCUITS > 60 else short(standard())
    read = (row.error for row in check(some, [way], 16 if wide else 12) if row.error is not None)
    errors = list(islice(read, CIRCUITS if wide else None))
    assert len(errors) >= CIRCUITS
    assert max(errors) < 1e-9


# -- planted faults: what would be wrong is seen -----------------------------------------------------------


def off_by(found: Case, program: Program) -> float:
    """How far the case's answer is from that of another program; an answer that cannot come is as far as can be."""
    try:
        return error(found, amplitudes(replace(found, program=program), "sparse"))
    except ImpossibleOutcomeError:
        return 1.0


def native_ones() -> list[Case]:
    return [found for found in small() if found.track == "native" and not found.feed_forward]


def test_a_dropped_control_is_seen_in_every_case_that_has_one() -> None:
    """Some controls say what is so anyhow, as that a square which nobody reached is empty; most do not."""
    seen: dict[str, list[bool]] = {}
    for found in native_ones():
        for step in found.program.operations:
            if step.controls:
                broken = Program(*(s.with_only(()) if s is step else s for s in found.program.operations))
                seen.setdefault(found.name, []).append(off_by(found, broken) > 1e-6)
    assert len(seen) >= 8
    assert all(map(any, seen.values()))
    told = [one for of_case in seen.values() for one in of_case]
    assert sum(told) / len(told) > 2 / 3


def test_a_forgotten_operation_is_seen_in_every_case() -> None:
    for found in native_ones():
        steps = found.program.operations
        k = max((k for k, step in enumerate(steps) if len(step.qubits) > 1), default=0)
        assert off_by(found, Program(*steps[:k], *steps[k + 1 :])) > 1e-6, found.name


def test_weight_on_impossible_keys_is_an_error_of_its_size() -> None:
    """As a truncated chain of tensors leaves it: 1.5 % of the weight where nothing may be."""
    found = case("linked-slides-2-native")
    free = next(key for key in range(2**10) if key not in found.reference)
    leaky = {key: a * (1 - 0.015) ** 0.5 for key, a in found.reference.items()} | {free: 0.015**0.5}
    assert error(found, found.reference) < 1e-15
    assert error(found, leaky) == pytest.approx(0.015**0.5)


def test_a_global_phase_is_no_error_and_a_wrong_norm_is() -> None:
    found = case("dense-8-3-native")
    assert error(found, {key: a * 1j for key, a in found.reference.items()}) < 1e-15
    assert error(found, {key: a * 1.01 for key, a in found.reference.items()}) > 1e-2
    assert error(found, {}) > 1e-2


PARTS, LISTED = (small_states, dances, dense_states, stabilizers), "9ec5df38bfc548cb"


def test_the_corpora_list_the_families_that_results_speak_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """All sizes, the large one too, by name and numbers; nothing is built."""
    for name, maker in vars(families).items():
        if inspect.isfunction(maker) and maker.__module__ == families.__name__ and not name.startswith("_"):
            monkeypatch.setattr(families, name, lambda *numbers, _name=name: f"{_name}{numbers}")
    told = [(made, dict(sizes)) for part in PARTS for made, sizes in part()]
    assert all(isinstance(made, str) for made, _ in told)
    assert hashlib.sha256(repr(told).encode()).hexdigest()[:16] == LISTED
