"""Programs as text: what is written reads back equal, and what is malformed says where and why."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qchess.circuits import patterns
from qchess.circuits.errors import ProgramError
from qchess.circuits.forms.programtext import parse, write
from qchess.circuits.operations import PARAMETRIC, SIZES, Gate, Operation, iswap, ry, swap, x
from qchess.circuits.predicates import ALWAYS, NEVER, Predicate, where
from qchess.circuits.program import Branch, Discard, Program, ask, discard, read, when

EXAMPLE = """\
iswap^0.5 b1 a3
iswap b1 c3 if c2=0 d2=1
ry(0.5) q
ask hit: b1=1 c1=0 or d4=1
read m: a3 c3
discard x1
when hit
  0:
  1:
    swap t x1
    when m
      3:
        x^-0.25 t"""

PROGRAM = Program(
    iswap("b1", "a3", 0.5),
    iswap("b1", "c3").when(c2=0, d2=1),
    ry("q", 0.5),
    ask("hit", Predicate(((("b1", 1), ("c1", 0)), (("d4", 1),)))),
    read("m", "a3", "c3"),
    discard("x1"),
    when("hit", {0: Program(), 1: Program(swap("t", "x1"), when("m", {3: Program(x("t", -0.25))}))}),
)

# -- every program ------------------------------------------------------------------------------------

reserved_names = st.sampled_from(["if", "or", "always", "never", "ask", "when"])
odd_names = st.sampled_from(["a b", "x=1", "#", '"', "\\", "\n", "é車", "0", "q:", "\u2028"])
names = st.one_of(st.sampled_from("abcdef"), reserved_names, odd_names, st.text(min_size=1, max_size=4))
numbers = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def operations(draw):
    name = draw(st.sampled_from(list(SIZES)))
    gate = Gate(name, draw(numbers)) if name in PARAMETRIC else Gate(name)
    qubits = draw(st.lists(names, min_size=gate.size, max_size=gate.size + 3, unique=True))
    controls = tuple((q, draw(st.integers(0, 1))) for q in qubits[gate.size :])
    return Operation(gate, tuple(qubits[: gate.size]), controls)


cubes = st.dictionaries(names, st.integers(0, 1), max_size=3).map(lambda pairs: tuple(pairs.items()))
predicates = st.lists(cubes, max_size=3).map(lambda found: Predicate(tuple(found)))
discards = st.lists(names, unique=True, max_size=3).map(lambda found: Discard(tuple(found)))
simple_steps = st.one_of(operations(), discards)


@st.composite
def programs(draw, depth=2):
    steps = list(draw(st.lists(simple_steps, max_size=3)))
    for name in draw(st.lists(st.one_of(names, st.just("")), unique=True, max_size=2)):
        qubits = draw(st.lists(names, unique=True, min_size=1, max_size=3))
        steps.append(draw(st.sampled_from([read(name, *qubits), ask(name, draw(predicates))])))
        if depth:
            cases = draw(st.dictionaries(st.integers(0, 5), programs(depth=depth - 1), max_size=2))
            steps.append(Branch(name, tuple(cases.items())))
    return Program(*draw(st.permutations(steps)))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs())
def test_every_program_reads_back_equal(program):
    assert parse(write(program)) == program


@settings(max_examples=100, deadline=None, derandomize=True)
@given(numbers)
def test_parameters_come_back_to_the_last_digit(number):
    assert parse(write(Program(x("a", number), ry("a", number)))) == Program(x("a", number), ry("a", number))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(alphabet='abif or^()01=:#"\\\n -.,', max_size=40))
def test_any_text_is_a_program_or_one_clear_error(text):
    program, complaint = None, ""
    try:
        program = parse(text)
    except ProgramError as error:
        complaint = str(error)
    if program is None:
        assert re.match(r"line \d+, .*(expected|needs|acts on|uses|has qubit)", complaint, re.DOTALL), complaint
    else:
        assert parse(write(program)) == program


# -- the language ----------------------------------------------------------------------------------------


def test_the_example_reads_and_writes():
    assert parse(EXAMPLE) == PROGRAM
    assert write(PROGRAM) == EXAMPLE
    assert Program.parse(PROGRAM.text()) == PROGRAM


def test_repr_pastes_back():
    import qchess.circuits.operations as operations_module
    import qchess.circuits.predicates as predicates_module
    import qchess.circuits.program as program_module

    words = {**vars(operations_module), **vars(predicates_module), **vars(program_module)}
    assert eval(repr(PROGRAM), words) == PROGRAM


def test_comments_blank_lines_and_any_even_indent_are_read():
    text = "# a capture\n\nask hit: s=1   # is it there?\r\nwhen hit\n\t1:  # yes\n\t\t\tx t\n\n"
    assert parse(text) == Program(ask("hit", where(s=1)), when("hit", {1: Program(x("t"))}))


def test_certain_questions_have_words():
    assert parse("ask a: always\nask b: never") == Program(ask("a", ALWAYS), ask("b", NEVER))


def test_quoted_names_may_hold_anything():
    assert parse('swap "t if" "or"\nx "a#\\u0000"') == Program(swap("t if", "or"), x("a#\0"))


def test_a_move_of_the_game_reads_well():
    assert write(patterns.capture("s", "t", "e", ("p",))) == (
        "ask hit: p=0 s=1\nwhen hit\n  1:\n    swap t e\n    discard e\n    iswap s t"
    )


# -- malformed text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x a\nfly b", "line 2, 'fly b': expected a gate (iswap, swap, x, z, h, ry, rz), ask, read"),
        ("ISWAP a b", "line 1, 'ISWAP a b': expected a gate"),
        ('"x" a', "expected a gate"),
        ("iswap a", "line 1, 'iswap a': ISWAP acts on 2 qubits, got ['a']"),
        ("iswap a a", "line 1, 'iswap a a': ISWAP uses qubit 'a' twice"),
        ("iswap^half a b", "expected an exponent, as in iswap^0.5, got 'iswap^half'"),
        ("x^nan a", "line 1, 'x^nan a': gate X needs a finite parameter, got nan"),
        ("swap^2 a b", "expected swap without a parameter"),
        ("iswap(1) a b", "expected iswap with an exponent"),
        ("ry a", "expected an angle, as in ry(0.5), got 'ry'"),
        ("x a if", "expected a condition such as b1=1, got the end of the line"),
        ("x a if b", "expected '=' after the qubit 'b', got the end of the line"),
        ("x a if b=2", "expected 0 or 1 as the value of 'b', got '2'"),
        ("x a if b=1 b=0", "expected each qubit once in a condition, got 'b'"),
        ("x a if a=1", "line 1, 'x a if a=1': X has qubit 'a' as control and as target"),
        ("x a if b=1 or c=1", "expected the end of the line, got 'or'"),
        ("x a = b", "expected the name of a qubit, got '='"),
        ('x "a', "line 1, 'x \"a': expected a closing \""),
        ('x "\\q"', "expected a quoted name with JSON's escapes"),
        ("ask : a=1", "expected the name of the answer, got ':'"),
        ("ask hit a=1", "expected ':' after the answer 'hit', got 'a'"),
        ("ask hit:", "expected a condition such as b1=1, got the end of the line"),
        ("ask hit: a=1 or", "expected a condition such as b1=1, got the end of the line"),
        ("ask hit: never a=1", "expected the end of the line, got 'a'"),
        ("ask m: a=1\nread m: b", "line 2, 'read m: b': expected a new name for the answer, since line 1 has 'm'"),
        ("read m: a a", "line 1, 'read m: a a': read-out 'm' needs distinct qubits"),
        ("read m:", "line 1, 'read m:': read-out 'm' needs distinct qubits"),
        ("read m: a if b=1", "expected the end of the line, got 'if'"),
        ("when hit\n  yes:\n    x a", "line 2, 'yes:': expected a value of 'hit' and a colon, as in 1:, got 'yes'"),
        ("when hit\n  1\n    x a", "line 2, '1': expected ':' after the value 1"),
        ("when hit\n  1: x a", "line 2, '1: x a': expected the end of the line, got 'x'"),
        ("when hit\n  1:\n  1:", "line 3, '1:': expected each value of 'hit' once"),
        ("  x a", "line 1, 'x a': expected a first line that is not indented"),
        ("x a\n  x b", "line 2, 'x b': expected no deeper indent after line 1; only `when` opens a block"),
        ("when m\n    1:\n  0:", "line 3, '0:': expected an indent of 4 blanks, as on line 2"),
    ],
)
def test_malformed_text_names_the_line_and_what_was_expected(text, message):
    with pytest.raises(ProgramError, match=re.escape(message)):
        parse(text)
