"""Programs as pictures in text: compared as one would see them."""

import random

import pytest

from qchess.circuits import operations as gates
from qchess.circuits import patterns
from qchess.circuits.forms.diagram import draw
from qchess.circuits.operations import PARAMETRIC, SIZES, Gate, Operation, cnot, cz, h, iswap, ry, swap, x, z
from qchess.circuits.predicates import ALWAYS, full, where
from qchess.circuits.program import Program, ask, discard, read, when
from qchess.games.quantum_chess import patterns as chess


def looks_like(program, picture):
    expected = picture.strip("\n")
    assert draw(program) == expected, f"\n{draw(program)}"
    return True


def test_a_split_is_two_boxes_each_on_its_pair():
    assert looks_like(
        patterns.split("b1", "a3", "c3"),
        """
b1: ─iSWAP^0.5─iSWAP─
         │       │
a3: ─iSWAP^0.5───┼───
                 │
c3: ───────────iSWAP─
""",
    )


def test_a_slide_shows_its_path_as_empty_controls():
    assert looks_like(
        patterns.slide("a1", "a4", ("a2", "a3")),
        """
a1: ─iSWAP─
       │
a4: ─iSWAP─
       │
a2: ───○───
       │
a3: ───○───
""",
    )


def test_a_capture_asks_and_then_acts_indented_below():
    assert looks_like(
        patterns.capture("s", "t", "x1", ("p",)),
        """
p: ─┤?hit 0├─
    │      │
s: ─┤     1├─
if hit = 1:
    t:  ─×───iSWAP─
         │     │
    x1: ─×─⊣   │
               │
    s:  ─────iSWAP─
""",
    )


def test_every_gate_has_a_short_name():
    assert looks_like(
        Program(h("a"), x("a"), gates.sqrt_x("a"), z("a", 0.5), z("a", -0.25), ry("a", 0.5), gates.rz("a", -2)),
        "a: ─H─X─X^0.5─S─T†─RY(0.5)─RZ(-2)─",
    )


def test_controls_flips_and_exchanges_are_symbols():
    assert looks_like(
        Program(cnot("a", "b"), cz("a", "b"), swap("a", "c").when(b=0)),
        """
b: ─⊕─Z─○─
    │ │ │
a: ─●─●─×─
        │
c: ─────×─
""",
    )


def test_operations_share_a_column_only_where_their_lines_do_not_meet():
    assert looks_like(
        Program(h("a"), h("b"), h("c"), cnot("a", "c"), x("b"), cnot("a", "b"), z("c")),
        """
a: ─H─●───●─
      │   │
b: ─H─┼─X─⊕─
      │
c: ─H─⊕─Z───
""",
    )


def test_alternatives_of_a_question_stand_side_by_side():
    assert looks_like(
        Program(ask("hit", where(b1=1, c1=0) | where(d4=1)), read("m", "d4", "b1")),
        """
b1: ─┤?hit 1·├─┤M m 1├─
     │       │ │     │
c1: ─┤     0·├─┼─────┼─
     │       │ │     │
d4: ─┤     ·1├─┤    0├─
""",
    )


def test_branches_nest_and_the_wires_go_on_below_them():
    inner = Program(ask("deep", full("b")), when("deep", {0: Program(x("b"))}))
    assert looks_like(
        Program(h("a"), read("m", "a"), when("m", {0: Program(), 1: inner}), z("a"), ask("sure", ALWAYS)),
        """
a: ─H─┤M m 0├─
if m = 0: nothing
if m = 1:
    b: ─┤?deep 1├─
    if deep = 0:
        b: ─X─
a: ─Z─
?sure always
""",
    )


def test_a_discarded_wire_ends():
    assert looks_like(
        Program(iswap("a", "b", 0.25), discard("b"), h("a"), ry("a", 1)),
        """
a: ─iSWAP^0.25─H─RY(1)─
        │
b: ─iSWAP^0.25─⊣
""",
    )


def test_names_that_would_break_the_line_are_escaped():
    assert looks_like(Program(x("a\nb"), x("long name")), '"a\\nb":    ─X─\n\nlong name: ─X─')


def test_the_empty_program_says_so():
    assert str(Program()) == "(nothing)"


@pytest.mark.parametrize("seed", range(30))
def test_pictures_are_tidy(seed):
    """Every line without trailing blanks, every wire of a program without discards of one length."""
    rng = random.Random(seed)
    qubits = list("abcde")[: rng.randint(2, 5)]
    steps = []
    for _ in range(12):
        name = rng.choice(list(SIZES))
        mixed = rng.sample(qubits, len(qubits))
        gate = Gate(name, rng.choice([1.0, 0.5, 0.123])) if name in PARAMETRIC else Gate(name)
        controls = tuple((q, rng.randint(0, 1)) for q in mixed[gate.size : gate.size + 1])
        steps.append(Operation(gate, tuple(mixed[: gate.size]), controls))
    program = Program(*steps)
    lines = draw(program).split("\n")
    wires = lines[::2]
    assert all(line == line.rstrip() for line in lines)
    assert [wire.split(":")[0] for wire in wires] == list(program.qubits)
    assert len({len(wire) for wire in wires}) == 1
    controls_drawn = sum(wire.count("●") + wire.count("○") for wire in wires)
    assert controls_drawn == sum(len(step.controls) for step in steps)


def test_a_program_shows_itself_the_same_way_everywhere():
    program = chess.pawn_capture("e4", "d5")
    assert str(program) == program.draw() == draw(program)
