"""Export a program to OpenQASM 2 or 3, in common gates: h, x, s, sdg, rz and cx.

The program is compiled first, and is equal up to a global phase. Each qubit is a register of its own, with the
qubit's name if the language allows it. Comments give the qubit and final wire of every register, and every
answer. Registers are in the order of first use or in the given order; ancillas come last.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from qchess.circuits.compiling.bare import without_ancillas
from qchess.circuits.compiling.compiler import Compiled, compile_program
from qchess.circuits.errors import BackendError, ProgramError
from qchess.circuits.forms.asking import widths
from qchess.circuits.operations import Gate, Operation, Qubit
from qchess.circuits.program import Branch, Program, ReadOut, Step

_HEADS = {2: 'OPENQASM 2.0;\ninclude "qelib1.inc";', 3: 'OPENQASM 3.0;\ninclude "stdgates.inc";'}
_IDENTIFIER = re.compile(r"[a-z][A-Za-z0-9_]*")
#: keywords of either version and names of their gate libraries, which cannot name a register
_RESERVED = """
    opaque barrier gate measure reset if qreg creg include let def defcal defcalgrammar cal extern box const mutable
    readonly input output pragma return for while in end break continue else switch case default nop qubit bit bool int
    uint float angle complex array duration stretch void delay durationof sizeof ctrl negctrl inv pow gphase
    pi tau euler im true false sin cos tan arcsin arccos arctan exp ln log sqrt mod ceiling floor popcount rotl rotr
    real imag dt ns us ms x y z h s sdg t tdg sx sxdg p u u0 u1 u2 u3 id rx ry rz r cx cy cz cp ch cu cu1 cu3 crx cry
    crz csx ccx ccz cswap swap iswap phase cphase rxx ryy rzz rccx rc3x c3x c3sqrtx c4x
"""
_WORDS = frozenset(_RESERVED.split())


def qasm(program: Program, version: int = 3, wires: Sequence[Qubit] = (), *, ancillas: bool = True) -> str:
    """Return the compiled program as OpenQASM text.

    `wires` are declared first, in this order, even if unused. Without `ancillas`, operations use no further wires but
    more gates; only a question about several qubits still needs one.

    >>> print(qasm(Program.parse("h b1\\nask hit: b1=1")), end="")
    OPENQASM 3.0;
    include "stdgates.inc";
    // qubit b1 = b1[0]
    // answer hit = hit
    qubit[1] b1;
    bit[1] hit;
    h b1[0];
    hit[0] = measure b1[0];
    """
    if version not in _HEADS:
        raise ProgramError(f"OpenQASM has version 2 and version 3, got {version!r}")
    return _Writer(program, version, wires, ancillas).text()


class _Writer:
    """Writes the file; knows the names of its wires and answers."""

    def __init__(self, program: Program, version: int, first: Sequence[Qubit], ancillas: bool) -> None:
        self.version = version
        self.widths = widths(program)
        self.compiled: Compiled = compile_program(program, level="exact", basis="cx")
        if self.compiled.ancillas and not ancillas:
            self.compiled = compile_program(without_ancillas(program), level="exact", basis="cx")
        self.layout = {**{q: q for q in first}, **self.compiled.layout}
        wires = (*self.layout, *self.compiled.ancillas)
        names = _legal([*wires, *self.widths])
        self.wire = dict(zip(wires, names, strict=False))
        self.answer = dict(zip(self.widths, names[len(wires) :], strict=True))

    def text(self) -> str:
        """Return the whole file: names in comments, declarations, statements."""
        parts = [_HEADS[self.version], *self.comments(), *self.declarations(), *self.statements(self.compiled.program)]
        return "\n".join(parts) + "\n"

    def comments(self) -> Iterator[str]:
        """Yield comments: the qubit of each wire, the wire where each qubit ends, and what each answer reads."""
        for qubit, end in self.layout.items():
            moved = "" if end == qubit else f", at the end {self.wire[end]}[0]"
            yield f"// qubit {_said(qubit)} = {self.wire[qubit]}[0]{moved}"
        for ancilla in self.compiled.ancillas:
            yield f"// ancilla {_said(ancilla)} = {self.wire[ancilla]}[0], 0 before and after"
        for name, bits in self.answer.items():
            yield f"// answer {_said(name)} = {bits}"

    def declarations(self) -> Iterator[str]:
        """Yield one quantum register per wire and one classical register per answer."""
        for wire in self.wire.values():
            yield f"qreg {wire}[1];" if self.version == 2 else f"qubit[1] {wire};"
        for name, size in self.widths.items():
            yield f"creg {self.answer[name]}[{size}];" if self.version == 2 else f"bit[{size}] {self.answer[name]};"

    def statements(self, program: Program) -> Iterator[str]:
        """The steps in order."""
        for step in program:
            if isinstance(step, Operation):
                yield from self.gates(step)
            elif isinstance(step, ReadOut):
                for k, wire in enumerate(step.qubits):
                    yield self.measure(self.wire[wire], f"{self.answer[step.name]}[{k}]")
            elif isinstance(step, Branch):
                yield from self.branch(step)

    def measure(self, wire: str, bit: str) -> str:
        """Return one measurement in the syntax of the version."""
        return f"measure {wire}[0] -> {bit};" if self.version == 2 else f"{bit} = measure {wire}[0];"

    def gates(self, operation: Operation) -> Iterator[str]:
        """Yield the operation in the file's gates."""
        wires = [f"{self.wire[q]}[0]" for q in (*(q for q, _ in operation.controls), *operation.targets)]
        if operation.controls:
            assert operation.gate == Gate("X"), "the compiler was asked for cx and no other controlled gate"
            assert [value for _, value in operation.controls] == [1], "a cx has one control, on 1"
            return iter([f"cx {', '.join(wires)};"])
        return (f"{word} {wires[0]};" for word in _words(operation.gate))

    def branch(self, branch: Branch) -> Iterator[str]:
        """Yield one ``if`` per case; in version 2 one per statement, since it has no blocks."""
        cases = [(value, case) for value, case in branch.cases if 0 <= value < 2 ** self.widths[branch.name] and case]
        if branch.name in {answer for _, case in cases for answer in case.answers}:
            raise BackendError(f"OpenQASM cannot ask {branch.name!r} again inside the branch on it")
        for value, case in cases:
            test = f"if ({self.answer[branch.name]} == {value})"
            if self.version == 3:
                yield f"{test} {{"
                yield from (f"  {line}" for line in self.statements(case))
                yield "}"
            else:
                _check_flat(branch, case)
                yield from (f"{test.replace(' ', '')} {line}" for line in self.statements(case))


def _check_flat(branch: Branch, case: Iterable[Step]) -> None:
    if any(isinstance(step, Branch) for step in case):
        raise BackendError(f"OpenQASM 2 has no branch inside a branch, and {branch.name!r} has one; take version 3")


def _words(gate: Gate) -> list[str]:
    """Return a one-qubit gate in h, x, s, sdg and rz, up to a global phase, in time order."""
    t = gate.parameter
    match gate.name:
        case "H":
            return ["h"]
        case "X":
            return ["x"] if t == 1.0 else ["h", *_words(Gate("Z", t)), "h"]
        case "Z":
            return {0.5: ["s"], -0.5: ["sdg"]}.get(t, [f"rz({_real(math.pi * t)})"])
        case "RY":
            return ["sdg", "h", f"rz({_real(t)})", "h", "s"]
    assert gate.name == "RZ", f"the compiler leaves no {gate}"
    return [f"rz({_real(t)})"]


def _real(value: float) -> str:
    """Return the number as both versions read it: exact, with a decimal point."""
    mantissa, *exponent = repr(float(value)).split("e")
    return "e".join([mantissa if "." in mantissa else mantissa + ".0", *exponent])


def _legal(names: Sequence[Qubit]) -> list[str]:
    """Return a different identifier for each name: the name itself if the language allows it."""
    own = [name if _IDENTIFIER.fullmatch(name) and name not in _WORDS else "" for name in names]
    taken = set(own)
    legal = []
    for k, name in enumerate(own):
        word = name if name and name not in legal else f"q_{k}"
        while word in legal or (not name and word in taken):
            word += "_"
        legal.append(word)
    return legal


def _said(name: str) -> str:
    return name if name.isprintable() else json.dumps(name)
