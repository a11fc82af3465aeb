"""Compiled circuits are their programs: every amplitude, at every level and in every basis."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qchess.circuits.compiling.compiler import LEVELS, Compiled, compile_program
from qchess.circuits.compiling.lowering import BASES
from qchess.circuits.compiling.proof import basis_columns, deviation, follow
from qchess.circuits.errors import ProgramError
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, cz, h, iswap, ry, rz, sqrt_x, swap, x, z
from qchess.circuits.patterns import (
    capture,
    hadamard_pair,
    join,
    merge,
    merge_slide,
    slide,
    split,
    split_slide,
)
from qchess.circuits.predicates import ALWAYS, NEVER, Predicate, where
from qchess.circuits.program import Branch, Program, Question, ask, discard, read, when
from qchess.games.quantum_chess.patterns import castle, en_passant_capture, pawn_capture

TWO_QUBIT_GATE = {"cx": "CX", "cz": "CZ", "sqrt_iswap": "ISWAP"}


def check(compiled: Compiled) -> None:
    """The compiled circuit does to every allowed input what its source does, in the gates of its basis."""
    assert deviation(compiled) < 1e-10
    assert set(compiled.counts()) <= {"H", "X", "Z", "RY", "RZ", TWO_QUBIT_GATE[compiled.basis]}


def every_way(program: Program, known: Mapping[Qubit, int] | None = None) -> list[Compiled]:
    """The program at each level in each basis, each one checked."""
    made = [compile_program(program, level=level, basis=b, known=known) for level in LEVELS for b in BASES]
    for compiled in made:
        check(compiled)
    return made


def counts(program: Program, basis: str = "cx", **known: int) -> list[int]:
    """The two-qubit gates at the three levels."""
    return [compile_program(program, level=v, basis=basis, known=known).two_qubit_count() for v in LEVELS]


# -- the table of primitives --------------------------------------------------------------------------

FULL_SPLIT = {"s": 1, "a": 0, "b": 0}
PRIMITIVES: dict[str, tuple[Program, dict[str, int], list[int], list[int]]] = {
    # name: program, known, CX (or CZ) at the levels exact and aware, roots of iSWAP at the same
    "jump": (slide("s", "a"), {}, [2, 1], [2, 2]),
    "jump into empty": (slide("s", "a"), {"a": 0}, [2, 0], [2, 0]),
    "jump into a full square": (slide("s", "a"), {"a": 1}, [2, 0], [2, 0]),
    "half a jump": (Program(iswap("s", "a", 0.5)), {}, [2, 2], [1, 1]),
    "a quarter": (Program(iswap("s", "a", 0.25)), {}, [2, 2], [2, 2]),
    "split": (split("s", "a", "b"), {}, [4, 3], [3, 3]),
    "split, one target empty": (split("s", "a", "b"), {"b": 0}, [4, 2], [3, 1]),
    "split of a full source": (split("s", "a", "b"), FULL_SPLIT, [4, 1], [3, 1]),
    "merge into empty": (merge("a", "b", "t"), {"t": 0}, [4, 2], [3, 1]),
    "slide": (slide("s", "t", ("p",)), {}, [6, 6], [10, 10]),
    "half a slide": (Program(iswap("s", "t", 0.5).when(p=0)), {}, [6, 6], [10, 10]),
    "slide into empty": (slide("s", "t", ("p",)), {"t": 0}, [6, 4], [10, 8]),
    "slide back into empty": (slide("s", "t", ("p",)).inverse(), {"t": 0}, [6, 4], [10, 8]),
    "slide of an empty square": (slide("s", "t", ("p",)), {"s": 0}, [6, 4], [10, 8]),
    "slide into a full square": (slide("s", "t", ("p",)), {"t": 1}, [6, 4], [10, 8]),
    "half a slide into empty": (Program(iswap("s", "t", 0.5).when(p=0)), {"t": 0}, [6, 5], [10, 10]),
    "half a slide into a full square": (Program(iswap("s", "t", 0.5).when(p=0)), {"t": 1}, [6, 5], [10, 10]),
    "slide of a full square": (slide("s", "t", ("p",)), {"s": 1, "t": 0}, [6, 2], [10, 4]),
    "slide into a full square from empty": (slide("s", "t", ("p",)), {"s": 0, "t": 1}, [6, 2], [10, 4]),
    "slide back of a full square": (slide("s", "t", ("p",)).inverse(), {"s": 1, "t": 0}, [6, 2], [10, 4]),
    "a quarter slide of a full square": (Program(iswap("s", "t", 0.25).when(p=0)), {"s": 1, "t": 0}, [6, 3], [10, 6]),
    "slide past two": (slide("s", "t", ("p", "q")), {}, [12, 12], [22, 22]),
    "slide past two into empty": (slide("s", "t", ("p", "q")), {"t": 0}, [12, 10], [22, 20]),
    "slide past three": (slide("s", "t", ("p", "q", "r")), {}, [18, 18], [34, 34]),
    "slide along a known path": (slide("s", "t", ("p", "q")), {"p": 0, "q": 0}, [12, 1], [22, 2]),
    "blocked slide": (slide("s", "t", ("p", "q")), {"q": 1}, [12, 0], [22, 0]),
    "join": (join("c", "a", "b"), {}, [8, 8], [16, 16]),
    "join with an empty square": (join("c", "a", "b"), {"b": 0}, [8, 4], [16, 8]),
    "join with a full square": (join("c", "a", "b"), {"b": 1}, [8, 4], [16, 8]),
    "join of full and empty": (join("c", "a", "b"), {"a": 1, "b": 0}, [8, 2], [16, 4]),
    "swap": (Program(swap("a", "b")), {}, [3, 0], [6, 0]),
    "two whole turns": (Program(iswap("a", "b", 2)), {}, [0, 0], [0, 0]),
    "cz": (Program(cz("a", "b")), {}, [1, 1], [2, 2]),
    "cnot": (Program(cnot("a", "b")), {}, [1, 1], [2, 2]),
    "toffoli": (Program(x("a").when(b=1, c=0)), {}, [6, 6], [12, 12]),
    "controlled hadamard": (Program(h("a").when(b=1)), {}, [1, 1], [2, 2]),
}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_each_primitive_has_its_amplitudes_and_its_count(name: str) -> None:
    program, known, by_cx, by_roots = PRIMITIVES[name]
    made = {(c.level, c.basis): c.two_qubit_count() for c in every_way(program, known)}
    assert [made[level, "cx"] for level in ("exact", "aware")] == by_cx
    assert [made[level, "cz"] for level in ("exact", "aware")] == by_cx
    assert [made[level, "sqrt_iswap"] for level in ("exact", "aware")] == by_roots
    assert all(made["naive", basis] >= made["exact", basis] for basis in BASES)


@pytest.mark.parametrize("t", [1, 0.5, 0.25, -0.5, -1, 3, 2.5, *np.random.default_rng(3).uniform(-4, 4, 3)])
@pytest.mark.parametrize("known", [{}, {"t": 0}, {"t": 1}, {"s": 1, "t": 0}, {"s": 0, "t": 1}, {"s": 1, "t": 1}])
def test_shares_of_any_power_are_exact_whatever_is_known(t: float, known: dict[str, int]) -> None:
    every_way(Program(iswap("s", "t", t)), known)
    every_way(Program(iswap("s", "t", t).when(c=1, d=0)), known)


@pytest.mark.parametrize("controls", [{}, {"c": 0}, {"c": 1, "d": 0}, {"c": 1, "d": 1, "e": 0}])
def test_every_gate_of_the_vocabulary_takes_any_controls(controls: dict[str, int]) -> None:
    plain = [x("a"), x("a", -1), sqrt_x("a"), x("a", 0.3), z("a"), z("a", 0.25), h("a"), ry("a", 0.7), rz("a", -1.1)]
    for operation in [*plain, iswap("a", "b", 0.3), iswap("a", "b", 2), iswap("a", "b", 4), swap("a", "b")]:
        every_way(Program(operation.when(controls)))


# -- the fragment of six squares -----------------------------------------------------------------------
# Piece A on 0 splits to 1 and 2; piece B on 3 slides past 2 to 4; what is on 4 splits to 4 and 5.

FRAGMENT = split("0", "1", "2") + slide("3", "4", ("2",)) + Program(iswap("4", "5", 0.5))
FRAGMENT_START = {q: int(q in "03") for q in "012345"}


def test_the_fragment_takes_five_cz_where_the_state_is_known_and_twelve_where_it_is_not() -> None:
    assert counts(FRAGMENT, "cz", **FRAGMENT_START)[1:] == [12, 5]
    assert counts(FRAGMENT, "cx", **FRAGMENT_START)[1:] == [12, 5]
    assert counts(FRAGMENT, "cz", **FRAGMENT_START)[0] <= 37  # what a vendor's library needs


def test_all_levels_give_the_fragment_identical_amplitudes() -> None:
    every_way(FRAGMENT, FRAGMENT_START)


def test_a_move_by_renaming_is_found_through_the_layout() -> None:
    compiled = compile_program(FRAGMENT, level="aware", basis="cz", known=FRAGMENT_START)
    assert compiled.layout["2"] == "0"
    assert compiled.layout["0"] == "2"
    read_by_name = dataclasses.replace(compiled, layout={q: q for q in compiled.layout})
    assert deviation(read_by_name) > 0.5  # decoding without the layout is wrong


# -- sharing flags ---------------------------------------------------------------------------------------


def test_a_split_slide_computes_the_flags_of_its_paths_once() -> None:
    program = split_slide("s", "a", "b", ("c", "d"), ("e", "f"))
    # three flags, computed and uncomputed: 18; three controlled iSWAPs: 18; between the first two, which
    # share their squares, a pair of CNOTs cancels: 2
    assert counts(program)[1] == 34
    apart = sum(compile_program(Program(step), level="exact").two_qubit_count() for step in program)
    assert apart == 12 + 24 + 12
    check(compile_program(program, level="exact"))
    # from a full source: 18 for the flags, 2 for the first move, then 6 (5 while the taking back goes to
    # a square known empty, which a is no longer), then 4 into the empty b
    assert counts(program, s=1, a=0, b=0)[2] <= 18 + 2 + 6 + 4
    check(compile_program(program, level="aware", known={"s": 1, "a": 0, "b": 0}))


def test_a_flag_is_computed_anew_once_a_control_has_changed() -> None:
    first, second = iswap("s", "t", 0.3).when(c=0, d=0), iswap("a", "b", 0.3).when(c=0, d=0)
    turned, still = Program(first, h("c"), second), Program(first, z("c", 0.5), second)
    # the flag falls and rises again; of that, two CNOTs from the unchanged d meet and cancel
    assert counts(turned)[1] == 12 + 12 - 2
    assert counts(still)[1] == 6 + 6 + 6  # a phase on a control changes no flag
    for program in (turned, still):
        check(compile_program(program, level="exact"))


def test_a_flag_does_not_wait_for_ever() -> None:
    conditions = [{"c": i & 1, "d": i >> 1 & 1, "e": i >> 2} for i in range(8)]
    program = Program(*(iswap("s", "t", 0.3).when(where) for where in conditions * 3))
    assert len(compile_program(program, level="exact").ancillas) <= 6
    check(compile_program(program, level="exact"))


def test_ancillas_are_named_apart_from_the_program() -> None:
    compiled = compile_program(Program(iswap("flag0", "flag2").when(c=0, d=0, flag1=1)), level="exact")
    assert not set(compiled.ancillas) & set(compiled.layout)
    assert len(set(compiled.wires)) == len(compiled.wires)
    check(compiled)


# -- interference ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("level", LEVELS)
def test_split_slide_past_and_merge_back_interfere_through_the_compiled_circuit(level: str, basis: str) -> None:
    # A splits from s to a and b; B slides from u to v past a; B slides back; A merges to s: all as before.
    game = split("s", "a", "b") + slide("u", "v", ("a",)) + slide("u", "v", ("a",)).inverse() + merge("a", "b", "s")
    known = {"s": 1, "a": 0, "b": 0, "u": 1, "v": 0}
    compiled = compile_program(game, level=level, basis=basis, known=known)
    check(compiled)
    after = follow(compiled.program, basis_columns(len(compiled.wires), [0]), compiled.wires)[()][:, 0]
    home = sum(1 << compiled.wires.index(compiled.layout[q]) for q, v in known.items() if v)
    assert after[home] == pytest.approx(1, abs=1e-10)  # split and merge of one pair is exactly +|s>


def test_a_path_that_was_left_entangled_stays_so() -> None:
    game = split("s", "a", "b") + slide("u", "v", ("a", "p")) + merge("a", "b", "s")
    every_way(game, {"s": 1, "a": 0, "b": 0, "u": 1, "v": 0})


# -- questions ------------------------------------------------------------------------------------------

CUBES = where(a=1, b=0) | where(b=1, c=1, d=0) | where(d=1)
PREDICATES: list[Predicate] = [
    *(where(a=1), where(a=0), where(a=1, b=0), where(a=1, b=0, c=1, d=0)),
    *(CUBES, ~CUBES, ALWAYS, NEVER, where(a=0) | where(a=1), where(a=1, b=1) | where(a=1, c=1)),
]


@pytest.mark.parametrize("predicate", PREDICATES, ids=str)
def test_a_question_reads_one_wire_and_leaves_the_ancillas_clean(predicate: Predicate) -> None:
    program = Program(h("a"), h("b"), iswap("b", "c", 0.5), ask("there", predicate), h("d"), iswap("a", "d"))
    for compiled in [*every_way(program), *every_way(program, {"d": 0}), *every_way(program, {"a": 1, "c": 0})]:
        (how,) = compiled.answers["there"]
        assert len(how.qubits) == 1
        assert not any(isinstance(step, Question) for step in compiled.program)


def test_a_question_about_one_qubit_needs_no_ancilla() -> None:
    compiled = compile_program(Program(ask("there", where(a=0))), level="exact")
    assert compiled.program == Program(x("a"), read("there", "a"), x("a"))
    assert compiled.ancillas == ()


def test_a_read_out_keeps_its_bits_in_order_when_squares_changed_wires() -> None:
    program = Program(h("a"), iswap("a", "b"), x("c"), read("all", "b", "c", "a"), iswap("b", "c", 0.5))
    every_way(program, {"b": 0})
    compiled = compile_program(program, level="aware", known={"b": 0})
    assert compiled.answers == {"all": (read("all", "a", "c", "b"),)}


def test_a_case_knows_its_answer() -> None:
    program = Program(h("a"), ask("there", where(a=1)), when("there", {1: Program(iswap("a", "b", 0.5).when(c=0))}))
    every_way(program, {"b": 0})
    assert counts(program, b=0) == [16, 6, 3]  # a is certainly full where the answer is 1


def test_a_case_that_cannot_come_is_left_out() -> None:
    program = Program(ask("there", where(a=1)), when("there", {0: Program(x("b")), 1: Program(swap("b", "c"))}))
    compiled = compile_program(program, level="aware", known={"a": 0})
    check(compiled)
    assert [value for step in compiled.program if isinstance(step, Branch) for value, _ in step.cases] == [0]


MOVES = {
    "capture": capture("s", "t", "gone", ("p", "q")),
    "pawn capture": pawn_capture("s", "t"),
    "en passant": en_passant_capture("s", "t", "v", ("gone", "passed")),
    "castling": castle(("s", "t"), ("u", "v"), ("p",), ("v",)),
    "merge slide": merge_slide("s", "u", "t", ("p",), ("q", "u")),
    "hadamard of a pair": hadamard_pair("s", "t") + Program(discard("s")),
    "asked twice": Program(
        ask("first", where(s=1, p=0)),
        when("first", {0: Program(ask("second", where(t=1)), when("second", {1: Program(x("s"))}))}),
        *(iswap("s", "t"), iswap("s", "t", 0.5).when(p=0)),
    ),
}


@pytest.mark.parametrize("name", MOVES)
def test_every_move_pattern_compiles_with_its_questions_and_cases(name: str) -> None:
    captured = {q: 0 for q in MOVES[name].qubits if q in ("gone", "passed")}
    for known in ({}, {"s": 1, "t": 0}, captured):
        every_way(MOVES[name], known)


def test_an_answer_from_elsewhere_may_have_any_value() -> None:
    program = Program(x("a"), when("earlier", {1: Program(x("a"))}), iswap("a", "b"))
    compiled = compile_program(program, level="aware", known={"a": 0, "b": 0})
    for value, qubit in ((1, None), (0, "b"), (7, "b")):
        wires = compiled.wires
        states = follow(compiled.program, basis_columns(len(wires), [0]), wires, (("earlier", value),))
        (state,) = states.values()
        place = 1 << wires.index(compiled.layout[qubit]) if qubit else 0
        assert abs(state[place, 0]) == pytest.approx(1)


# -- any program ----------------------------------------------------------------------------------------

QUBITS = "abcd"


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    """Any operation of the vocabulary on four qubits."""
    name = draw(st.sampled_from(["ISWAP", "ISWAP", "SWAP", "X", "Z", "H", "RY", "RZ"]))
    size = 2 if name in ("ISWAP", "SWAP") else 1
    qubits = draw(st.permutations(QUBITS))
    power = draw(st.sampled_from([1.0, 0.5, -0.5, -1.0, 0.3, 2.0])) if name not in ("SWAP", "H") else 1.0
    values = draw(st.lists(st.sampled_from([0, 1]), max_size=4 - size))
    plain = Operation(Gate(name, power), tuple(qubits[:size]))
    return plain.when(dict(zip(qubits[size:], values, strict=False)))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Operations, with a question and a branch among them at times."""
    steps = [*draw(st.lists(operations(), min_size=1, max_size=5))]
    if not draw(st.booleans()):
        return Program(*steps)
    cube = draw(st.dictionaries(st.sampled_from(QUBITS), st.sampled_from([0, 1]), min_size=1, max_size=3))
    case, after = draw(st.lists(operations(), max_size=3)), draw(st.lists(operations(), max_size=3))
    return Program(*steps, ask("q", where(cube)), when("q", {1: Program(*case)}), *after)


def of_its_own(program: Program, known: dict[str, int]) -> dict[str, int]:
    """What is known of the program's qubits; of others nothing may be told."""
    return {qubit: value for qubit, value in known.items() if qubit in program.qubits}


@pytest.mark.slow
@settings(max_examples=25)
@given(programs(), st.dictionaries(st.sampled_from(QUBITS), st.sampled_from([0, 1])))
def test_any_program_keeps_its_amplitudes_at_every_level_and_in_every_basis(
    program: Program, known: dict[str, int]
) -> None:
    every_way(program, of_its_own(program, known))


@pytest.mark.slow
@given(programs(), st.dictionaries(st.sampled_from(QUBITS), st.sampled_from([0, 1])))
def test_knowing_only_constants_is_enough_to_be_right(program: Program, known: dict[str, int]) -> None:
    known = of_its_own(program, known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qchess.circuits.compiling.knowledge.BRANCH_LIMIT", 1)
        check(compile_program(program, level="aware", known=known))
        patch.setattr("qchess.circuits.compiling.knowledge.BRANCH_LIMIT", 16)
        check(compile_program(program, level="aware", known=known))


@pytest.mark.slow
@given(programs(), st.dictionaries(st.sampled_from(QUBITS), st.sampled_from([0, 1])))
def test_known_values_may_also_arrive_on_their_wires(program: Program, known: dict[str, int]) -> None:
    check(compile_program(program, level="aware", basis="cz", known=of_its_own(program, known), prepare=False))


def test_the_proof_sees_a_phase_and_a_dirty_ancilla() -> None:
    compiled = compile_program(Program(iswap("a", "b").when(c=0, d=0)), level="exact")
    turned = dataclasses.replace(compiled, program=compiled.program + rz("a", 0.01))
    dirty = dataclasses.replace(compiled, program=compiled.program + x("flag0"))
    assert deviation(compiled) < 1e-12
    assert deviation(turned) == pytest.approx(0.005, rel=1e-3)  # |1 - e^{i 0.005}|
    assert deviation(dirty) == pytest.approx(1)


def test_what_is_said_to_be_known_is_relied_upon() -> None:
    compiled = compile_program(slide("s", "t", ("p",)), level="aware", known={"t": 0}, prepare=False)
    assert deviation(dataclasses.replace(compiled, known={"t": 1})) > 0.5


# -- figures and errors ---------------------------------------------------------------------------------


def test_counts_and_depths_are_those_of_the_circuit() -> None:
    program = Program(h("a"), cnot("a", "b"), cnot("c", "d"), cz("b", "c"), read("n", "a", "b"))
    compiled = compile_program(program, basis="cx")
    assert compiled.counts() == {"CX": 3, "H": 3}
    assert compiled.two_qubit_count() == 3
    assert compiled.two_qubit_depth() == 2
    # H and CX(c, d); CX(a, b) and the H that makes the CZ a CX; CX(b, c); the read-out and the second H
    assert compiled.depth() == 4
    assert Program(h("a"), h("a")).compile().depth() == 0


def test_a_branch_is_as_deep_as_its_deepest_case_and_counts_all() -> None:
    cases = {0: Program(h("b")), 1: Program(cnot("b", "c"), x("c"), h("c"))}
    compiled = compile_program(Program(h("a"), read("n", "a"), when("n", cases), h("b")))
    assert compiled.counts() == {"CX": 1, "H": 4, "X": 1}
    assert compiled.depth() == 5
    assert compiled.two_qubit_depth() == 1


def test_compiling_a_compiled_circuit_changes_nothing() -> None:
    for compiled in every_way(FRAGMENT, FRAGMENT_START):
        again = compile_program(compiled.program, level="exact", basis=compiled.basis)
        assert again.program == compiled.program


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"level": "best"}, "a compile level is one of naive, exact, aware, got 'best'"),
        ({"basis": "ecr"}, "a basis is one of cx, cz, sqrt_iswap, got 'ecr'"),
        ({"known": {"a": 2}}, "known maps names of qubits to 0 or 1, got 'a': 2"),
        ({"known": {1: 0}}, "known maps names of qubits to 0 or 1, got 1: 0"),
        ({"program": [x("a")]}, "expected a Program to compile, got"),
    ],
)
def test_what_makes_no_sense_is_refused_with_one_sentence(arguments: dict[str, object], message: str) -> None:
    whole: dict[str, object] = {"program": Program(x("a")), **arguments}
    with pytest.raises(ProgramError, match=message):
        compile_program(**whole)  # type: ignore[arg-type]
