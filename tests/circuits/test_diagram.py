"""Programs as pictures in text: compared as one would see them."""

import random
from xml.etree import ElementTree

import pytest

from qchess.circuits import operations as gates
from qchess.circuits import patterns
from qchess.circuits.forms.diagram import draw
from qchess.circuits.forms.svg import svg
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
a2: ───○───
       │
a3: ───○───
       │
a4: ─iSWAP─
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


def test_squares_stand_in_board_order_and_all_other_names_behind_them_as_they_came():
    program = Program(x("t"), x("c3"), x("a10"), x("h1"), x("wPa"), x("a2"), x("x4"), x("b2"))
    assert [line.split(":")[0] for line in draw(program).split("\n")[::2]] == [
        "h1", "a2", "b2", "c3", "a10", "t", "wPa", "x4",
    ]  # fmt: skip


LONG = Program(
    *(iswap("a1", "b1") for _ in range(9)), discard("b1"), *(iswap("a1", "c1") for _ in range(9)), ask("q", full("c1"))
)


@pytest.mark.parametrize("columns", [12, 30, 40, 79])
def test_a_long_circuit_goes_on_below_within_its_columns(columns):
    lines = draw(LONG, columns).split("\n")
    assert max(map(len, lines)) <= max(columns, 16)
    assert sum(line.count("iSWAP") for line in lines) == draw(LONG).count("iSWAP") == 36
    *others, last = (line for line in lines if line.startswith("a1: "))
    assert others
    assert all(line.endswith("┄") for line in others)
    assert last.endswith("─")
    wires = [line for line in lines if line.startswith("b1: ")]
    assert len(wires) < len(others) + 1, "a wire that has ended is not drawn again"
    assert "⊣" in wires[-1]


def test_a_circuit_that_fits_is_one_block():
    assert draw(LONG, 1000) == draw(LONG)
    assert "\n\n" not in draw(LONG)


def test_what_follows_an_answer_is_folded_too():
    program = Program(ask("hit", full("a1")), when("hit", {1: Program(*(iswap("a1", "b1") for _ in range(20)))}))
    assert max(map(len, draw(program, 40).split("\n"))) <= 40


def test_a_long_picture_goes_on_below_and_no_wider_than_a_page():
    wide = ElementTree.fromstring(svg(LONG + Program(*(iswap("a1", "c1") for _ in range(60)))))
    short = ElementTree.fromstring(svg(Program(iswap("a1", "c1"))))
    assert float(wide.get("width", "0")) <= 1000
    assert float(wide.get("height", "0")) > 3 * float(short.get("height", "0"))
    words = [item.text for item in wide.iter() if item.tag.endswith("text")]
    assert words.count("iSWAP") == 2 * (18 + 60)
    assert words.count("a1") > 1
    assert words.count("b1") == 1
