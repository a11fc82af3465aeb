"""Programs as text, one step per line; `parse` is the exact inverse of `write`.

    iswap^0.5 b1 a3                   # a gate, its parameter, its qubits
    iswap b1 c3 if c2=0 d2=1          # only where the controls have these values
    ry(0.5) q
    ask hit: b1=1 c1=0 or d4=1        # a question; its predicate may be `always` or `never`
    read m: a3 c3                     # bit k of the answer is the k-th qubit
    discard x1
    when hit                          # what follows each answer, by indentation
      1:
        swap t x1

A name with blanks or ``= : # "``, or equal to a keyword, is written in double quotes, with JSON's escapes. Everything
after ``#`` is a comment.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from qchess.circuits.errors import ProgramError
from qchess.circuits.operations import PARAMETRIC, SIZES, Gate, Operation, Qubit
from qchess.circuits.predicates import Cube, Predicate
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step

RESERVED = ("if", "or", "always", "never")
STEPS = "a gate (iswap, swap, x, z, h, ry, rz), ask, read, discard or when"
_BARE = re.compile(r'[^\s=:#"]+')
_TOKEN = re.compile(r'\s*(?:(?P<end>#.*|$)|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>[=:])|(?P<word>[^\s=:#"]+))')
_VALUE = re.compile(r"-?[0-9]{1,20}")
_GATE = re.compile(r"(?P<name>[a-z]+)(?:\^(?P<power>\S+)|\((?P<angle>[^()]+)\))?")


# -- writing ------------------------------------------------------------------------------------------


def write(program: Program) -> str:
    """Return the program as text, which `parse` reads back as an equal program.

    >>> print(write(parse("iswap b1   c3 if c2=0  # a slide")))
    iswap b1 c3 if c2=0
    """
    return "\n".join(_lines(program))


def _lines(program: Program) -> Iterator[str]:
    for step in program:
        if isinstance(step, Branch):
            yield f"when {_quoted(step.name)}"
            for value, case in step.cases:
                yield f"  {value}:"
                yield from (f"    {line}" for line in _lines(case))
        else:
            yield _line(step)


def _line(step: Operation | Question | ReadOut | Discard) -> str:
    if isinstance(step, Operation):
        controls = ["if", _cube(step.controls)] if step.controls else []
        return " ".join([_gate(step.gate), *map(_quoted, step.targets), *controls])
    if isinstance(step, Question):
        return f"ask {_quoted(step.name)}: {_predicate(step.predicate)}"
    names = " ".join(map(_quoted, step.qubits))
    return f"read {_quoted(step.name)}: {names}" if isinstance(step, ReadOut) else f"discard {names}".rstrip()


def _gate(gate: Gate) -> str:
    name = gate.name.lower()
    if gate.by_angle:
        return f"{name}({gate.parameter!r})"
    return name if gate.parameter == 1.0 else f"{name}^{gate.parameter!r}"


def _predicate(predicate: Predicate) -> str:
    return " or ".join(_cube(cube) or "always" for cube in predicate.cubes) or "never"


def _cube(cube: Cube) -> str:
    return " ".join(f"{_quoted(qubit)}={int(value)}" for qubit, value in cube)


def _quoted(name: str) -> str:
    plain = _BARE.fullmatch(name) and name.isprintable() and name not in RESERVED
    return name if plain else json.dumps(name)


# -- reading ------------------------------------------------------------------------------------------


class Token(NamedTuple):
    """A token of a line: its text, and whether it is a name, a word that may be one, or a mark."""

    text: str
    kind: str


@dataclass
class Line:
    """One line of the text, read from left to right; its errors say the position."""

    number: int
    text: str
    indent: int
    tokens: deque[Token]
    children: list[Line] = field(default_factory=list)

    def fail(self, expected: str) -> NoReturn:
        """Raise an error with what was expected here and what came."""
        came = repr(self.tokens[0].text) if self.tokens else "the end of the line"
        raise ProgramError(f"line {self.number}, {self.text.strip()!r}: expected {expected}, got {came}")

    def sees(self, *words: str) -> bool:
        """Tell whether the next token is one of these words or marks, unquoted."""
        return bool(self.tokens) and self.tokens[0].kind != "quoted" and self.tokens[0].text in words

    def mark(self, mark: str, after: str) -> None:
        """Read one ``=`` or ``:``."""
        if not self.sees(mark):
            self.fail(f"{mark!r} after {after}")
        self.tokens.popleft()

    def name(self, what: str) -> str:
        """Read one name."""
        if not self.tokens or self.tokens[0].kind == "mark" or self.sees(*RESERVED):
            self.fail(what)
        return self.tokens.popleft().text

    def names(self) -> tuple[Qubit, ...]:
        """Read all names up to the end of the line or to ``if``."""
        found = []
        while self.tokens and not self.sees("if"):
            found.append(self.name("the name of a qubit"))
        return tuple(found)

    def cube(self) -> Cube:
        """Read ``qubit=value`` pairs up to the end of the line or to ``or``."""
        pairs: dict[Qubit, int] = {}
        while self.tokens and not self.sees("or"):
            if self.tokens[0].text in pairs:
                self.fail("each qubit once in a condition")
            qubit = self.name("a condition such as b1=1")
            self.mark("=", f"the qubit {qubit!r}")
            if not self.sees("0", "1"):
                self.fail(f"0 or 1 as the value of {qubit!r}")
            pairs[qubit] = int(self.tokens.popleft().text)
        return tuple(pairs.items()) or self.fail("a condition such as b1=1")

    def end(self) -> None:
        """Check that nothing is left on the line."""
        if self.tokens:
            self.fail("the end of the line")


def parse(text: str) -> Program:
    """Parse the text of a program; a `ProgramError` names the line and what was expected.

    >>> parse("h a\\nask hit: a=1 b=0")
    Program(h('a'), ask('hit', where({'a': 1, 'b': 0})))
    """
    lines = [line for number, row in enumerate(text.split("\n"), 1) if (line := _read_line(number, row)).tokens]
    return _block(_nested(lines))


def _read_line(number: int, text: str) -> Line:
    text = text.rstrip("\r")
    line = Line(number, text, len(text.expandtabs(8)) - len(text.expandtabs(8).lstrip()), deque())
    place = 0
    while True:
        match = _TOKEN.match(text, place)
        if not match:
            raise ProgramError(f'line {number}, {text.strip()!r}: expected a closing ", got the end of the line')
        kind, place = str(match.lastgroup), match.end()
        if kind == "end":
            return line
        line.tokens.append(Token(_unquoted(line, match[kind]) if kind == "quoted" else match[kind], kind))


def _unquoted(line: Line, text: str) -> str:
    try:
        return str(json.loads(text))
    except json.JSONDecodeError as error:
        message = f"line {line.number}, {line.text.strip()!r}: expected a quoted name with JSON's escapes, got {text}"
        raise ProgramError(message) from error


def _nested(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of the outermost block, each with its deeper lines as children."""
    roots: list[Line] = []
    open_lines: list[Line] = []
    for line in lines:
        while open_lines and open_lines[-1].indent >= line.indent:
            open_lines.pop()
        siblings = open_lines[-1].children if open_lines else roots
        if siblings and siblings[0].indent != line.indent:
            line.fail(f"an indent of {siblings[0].indent} blanks, as on line {siblings[0].number}")
        siblings.append(line)
        open_lines.append(line)
    if roots and roots[0].indent:
        roots[0].fail("a first line that is not indented")
    return roots


def _block(lines: Sequence[Line]) -> Program:
    steps: list[Step] = []
    asked: dict[str, int] = {}
    for line in lines:
        step = _step(line)
        if isinstance(step, Question | ReadOut) and asked.setdefault(step.name, line.number) != line.number:
            line.fail(f"a new name for the answer, since line {asked[step.name]} has {step.name!r}")
        steps.append(step)
    return Program(*steps)


def _step(line: Line) -> Step:
    word = line.tokens[0]
    if line.children and not (word.kind == "word" and word.text == "when"):
        line.children[0].fail(f"no deeper indent after line {line.number}; only `when` opens a block")
    reader = _READERS.get(word.text, _read_operation) if word.kind == "word" else _read_operation
    try:
        step = reader(line)
    except ProgramError as error:
        if str(error).startswith("line "):
            raise
        raise ProgramError(f"line {line.number}, {line.text.strip()!r}: {error}") from error
    line.end()
    return step


def _read_operation(line: Line) -> Operation:
    gate = _read_gate(line)
    line.tokens.popleft()
    targets = line.names()
    if not line.sees("if"):
        return Operation(gate, targets)
    line.tokens.popleft()
    return Operation(gate, targets, line.cube())


def _read_gate(line: Line) -> Gate:
    match = _GATE.fullmatch(line.tokens[0].text) if line.tokens[0].kind == "word" else None
    name = match["name"].upper() if match else ""
    if not match or name not in SIZES:
        line.fail(STEPS)
    if name in ("RY", "RZ"):
        return Gate(name, _number(line, match["angle"], f"an angle, as in {name.lower()}(0.5)"))
    if match["angle"] or (match["power"] and name not in PARAMETRIC):
        line.fail(f"{name.lower()} with an exponent" if name in PARAMETRIC else f"{name.lower()} without a parameter")
    power = match["power"]
    return Gate(name, _number(line, power, f"an exponent, as in {name.lower()}^0.5")) if power else Gate(name)


def _number(line: Line, text: str | None, expected: str) -> float:
    try:
        return float(text or "")
    except ValueError:
        line.fail(expected)


def _read_question(line: Line) -> Question:
    name = _heading(line)
    if line.sees("never"):
        line.tokens.popleft()
        return Question(name, Predicate(()))
    cubes = [_question_cube(line)]
    while line.sees("or"):
        line.tokens.popleft()
        cubes.append(_question_cube(line))
    return Question(name, Predicate(tuple(cubes)))


def _question_cube(line: Line) -> Cube:
    if not line.sees("always"):
        return line.cube()
    line.tokens.popleft()
    return ()


def _read_read_out(line: Line) -> ReadOut:
    return ReadOut(_heading(line), line.names())


def _heading(line: Line) -> str:
    """Return the answer's name between the first word and the colon."""
    line.tokens.popleft()
    name = line.name("the name of the answer")
    line.mark(":", f"the answer {name!r}")
    return name


def _read_discard(line: Line) -> Discard:
    line.tokens.popleft()
    return Discard(line.names())


def _read_branch(line: Line) -> Branch:
    line.tokens.popleft()
    name = line.name("the name of an answer")
    cases: dict[int, Program] = {}
    for child in line.children:
        if not _VALUE.fullmatch(child.tokens[0].text):
            child.fail(f"a value of {name!r} and a colon, as in 1:")
        value = int(child.tokens[0].text)
        if value in cases:
            child.fail(f"each value of {name!r} once")
        child.tokens.popleft()
        child.mark(":", f"the value {value}")
        child.end()
        cases[value] = _block(child.children)
    return Branch(name, tuple(cases.items()))


_READERS: dict[str, Callable[[Line], Step]] = {
    "ask": _read_question,
    "read": _read_read_out,
    "discard": _read_discard,
    "when": _read_branch,
}
