"""The errors that circuits and backends raise; all are ``ValueError``.

A message says what was expected, what came, and where.
"""

import difflib
from collections.abc import Mapping, Sequence


def unknown_name(kind: str, name: str, known: Sequence[str]) -> str:
    """The sentence for a name that a catalogue does not have, with a guess at what was meant."""
    near = difflib.get_close_matches(str(name).lower(), known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"no {kind} is called {name!r}; known are {', '.join(known)}{hint}"


def whole(text: str) -> str:
    """Foreign text that can be sent: half a character, which UTF-8 cannot hold, becomes a question mark.

    >>> whole('job \\ud800'), whole('Jörg')
    ('job ?', 'Jörg')
    """
    return text.encode("utf-8", "replace").decode("utf-8")


#: constructors that other libraries have as methods of a circuit
GATES = ("h", "x", "y", "z", "s", "t", "rx", "ry", "rz", "cx", "cnot", "cz", "swap", "iswap", "read", "ask", "when")
#: what people of other libraries look for, by class -> the sentence that names ours
HINTS: dict[str, dict[str, str]] = {
    "Program": {
        **{name: f"program + {name}(...) is a new one" for name in GATES},
        "append": "programs are values: program + x('a3') is a new one",
        "compose": "programs are values: one + other runs one, then the other",
        "extend": "programs are values: one + other runs one, then the other",
        "insert": "programs are values: program[:3] + x('a3') + program[3:] is a new one",
        "tensor": "one + other on qubits of other names is their product; renamed({'a': 'b'}) renames",
        "copy": "a program never changes and needs no copy",
        "add_register": "qubits are named by the operations that use them: Program(x('a3'))",
        "qregs": "there are no registers of wires: qubits has the names",
        "cregs": "there are no registers of bits: answers has the names of what is asked",
        "clbits": "answers has the names of what is asked",
        "num_clbits": "len(program.answers) is the number of answers",
        "bind_parameters": "angles are numbers: a function that returns a Program takes any",
        "assign_parameters": "angles are numbers: a function that returns a Program takes any",
        "parameters": "angles are numbers: a function that returns a Program takes any",
        "data": "iterate over the program, or see steps",
        "instructions": "iterate over the program, or see steps",
        "moments": "depth() counts the layers; steps has the steps",
        "all_operations": "operations has the operations, iterating all steps",
        "all_qubits": "qubits has the names, in order of first use",
        "num_nonlocal_gates": "compile().two_qubit_count() counts two-qubit gates",
        "size": "len(program) is the number of steps",
        "width": "num_qubits is the number of qubits, len(program.answers) that of answers",
        "dagger": "inverse() is the program that undoes this one",
        "adjoint": "inverse() is the program that undoes this one",
        "power": "a power is a sum: sum([program] * 3, Program()), or inverse() for -1",
        "repeat": "a repetition is a sum: sum([program] * 3, Program())",
        "to_gate": "a program is what others are made of: control('q'), renamed({...}) and + take it as it is",
        "to_instruction": "a program is what others are made of: control('q'), renamed({...}) and + take it as it is",
        "decompose": "compile() writes it in one- and two-qubit gates",
        "transpile": "compile() writes it in one- and two-qubit gates, by basis='cx', 'cz' or 'sqrt_iswap'",
        "measure": "program + read('m', 'a3', 'c3') measures qubits; ask('m', full('a3')) asks a yes/no question",
        "measure_all": "program + read('m', *program.qubits) measures every qubit",
        "remove_final_measurements": "program[:-1] is the program without its last step",
        "barrier": "steps stay in their order; there are no barriers",
        "reset": "there is no reset: read('m', 'a3') + when('m', {1: Program(x('a3'))}) makes a qubit 0",
        "if_test": "program + when('m', {1: other}) goes on with what follows an answer",
        "if_else": "program + when('m', {0: one, 1: other}) goes on with what follows an answer",
        "c_if": "program + when('m', {1: other}) goes on with what follows an answer",
        "qasm2": "qasm(2) is OpenQASM 2",
        "qasm3": "qasm(3) is OpenQASM 3",
        "to_qasm": "qasm(2) and qasm(3) are OpenQASM",
        "from_qiskit": "from qchess.circuits.forms.from_qiskit import from_qiskit",
        "from_qasm_str": "Qiskit reads OpenQASM, and qchess.circuits.forms.from_qiskit reads Qiskit's circuits",
        "to_matrix": "unitary() is the matrix",
        "to_unitary_matrix": "unitary() is the matrix",
        "final_state_vector": "Registers(engine).run(program).registers.statevector(order) is the state",
        "statevector": "Registers(engine).run(program).registers.statevector(order) is the state",
        "simulate": "Registers(engine).run(program, source) runs it",
        "run": "Registers(engine).run(program, source) runs it, game.play(move) a move's program",
        "execute": "Registers(engine).run(program, source) runs it",
        "sample": "Registers(engine).run(program).registers.sample(1000, rng) samples the state after it",
    },
    "Operation": {
        "controlled_by": "control('q') controls on 1, when({'q': 0}) on 0",
        "ctrl": "control('q') controls on 1, when({'q': 0}) on 0",
        "c_if": "Program(when('m', {1: Program(x('a'))})) goes on with what follows an answer",
        **dict.fromkeys(("dagger", "adjoint"), "inverse() is the operation that undoes this one"),
        "power": "x(q, t), z(q, t) and iswap(a, b, t) take the exponent",
        **dict.fromkeys(("matrix", "to_matrix", "unitary"), "Program(operation).unitary() is the matrix"),
        "name": "gate.name is the gate's",
        **dict.fromkeys(("params", "parameter", "exponent"), "gate.parameter is the exponent or the angle"),
        "num_qubits": "len(operation.qubits) is the number of qubits, targets and controls",
        "draw": "Program(operation).draw() is its picture",
    },
    "Run": {
        **dict.fromkeys(
            (
                "statevector",
                "sample",
                "amplitudes",
                "probability",
                "distribution",
                "full",
                "uncertain",
                "data",
                "state",
            ),
            "a run has registers and answers; registers is the state after it",
        ),
        **dict.fromkeys(("counts", "get_counts", "measurements", "result"), "answers has what was answered, in order"),
        "get_statevector": "registers.statevector(order) is the dense vector",
    },
    "Compiled": {
        "count_ops": "counts() has how often each gate occurs",
        "size": "len(compiled.program) is the number of steps",
        "width": "num_qubits is the number of wires",
        "qubits": "wires has the names, layout[q] the wire on which qubit q ends",
        "circuit": "program is the circuit",
        "num_nonlocal_gates": "two_qubit_count() counts two-qubit gates",
        "final_layout": "layout[q] is the wire on which qubit q ends",
        "unitary": "program.unitary() is the matrix of the circuit, source.unitary() that of what was compiled",
        "inverse": "program.inverse() undoes the circuit",
        "qasm": "program.qasm(3) is the circuit as OpenQASM",
        "to_cirq": "program.to_cirq() is the circuit for Cirq",
        "text": "program.text() is the circuit in lines",
        "steps": "program.steps has the steps",
        "run": "Registers(engine).run(compiled.program) runs the circuit",
    },
    "Registers": {
        "data": "statevector(order) is the dense vector, amplitudes(order) has what is not 0",
        "state": "statevector(order) is the dense vector, amplitudes(order) has what is not 0",
        "final_state_vector": "statevector(order) is the dense vector, amplitudes(order) has what is not 0",
        "to_dict": "amplitudes(order) has every amplitude that is not 0",
        "probabilities": "distribution('a3', 'c3') has the odds of a read-out, probability('a3') of one qubit",
        "probabilities_dict": "distribution('a3', 'c3') has the odds of a read-out",
        "expectation_value": "probability(full('a3')) of a predicate, qchess.study.bloch(registers, 'a3') of X, Y, Z",
        "evolve": "run(program) and apply(x('a3')) give the registers afterwards",
        "measure": "run(Program(read('m', 'a3')), source) measures, project(full('a3')) takes an answer as given",
        "sample_counts": "sample(1000, rng) counts read-outs",
        "sample_memory": "sample(1000, rng) counts read-outs",
        "num_qubits": "len(uncertain) is the number of qubits in superposition, the others are 0 or 1 for certain",
        "qubits": "uncertain has the qubits in superposition, full those that are certainly 1",
        "density_matrix": "qchess.study.reduced(registers, 'a3', 'c3') is the density matrix of some qubits",
        "partial_trace": "qchess.study.reduced(registers, 'a3', 'c3') is the density matrix of some qubits",
        "entropy": "qchess.study.entropy(registers, 'a3')",
        "purity": "qchess.study.purity(registers, 'a3')",
        "inner": "qchess.study.overlap(one, other)",
        "fidelity": "qchess.study.fidelity(one, other)",
        "equiv": "same_as(other) compares two states up to a global phase",
        "draw": "qchess.study.amplitudes(registers, 'a3') draws a register, entanglement is its graph",
        "copy": "registers never change and need no copy",
    },
    "qchess.circuits": {
        "QuantumCircuit": "Program(h('a'), cx('a', 'b')) is a circuit; qubits are named by what uses them",
        "Circuit": "Program(h('a'), cx('a', 'b')) is a circuit; qubits are named by what uses them",
        "QuantumRegister": "qubits need no register: a qubit is a name, such as 'a3'",
        "ClassicalRegister": "answers need no register: read('m', 'a3') names one",
        "LineQubit": "a qubit is a name, such as 'a3'",
        "NamedQubit": "a qubit is a name, such as 'a3'",
        "GridQubit": "a qubit is a name, such as 'a3'",
        "Statevector": "Registers(engine).run(program).registers.statevector(order)",
        "Operator": "program.unitary(order)",
        "Simulator": "Registers(engine).run(program, source); qchess.backends.names() lists the engines",
        "measure": "read('m', 'a3', 'c3') measures qubits, ask('m', full('a3')) asks a yes/no question",
        "transpile": "program.compile(level, basis='cx', known={...})",
        "ccx": "x('c').control('a', 'b')",
        "toffoli": "x('c').control('a', 'b')",
        "cswap": "swap('a', 'b').control('c')",
        "ch": "h('a').control('b')",
        "cp": "z('a', t).control('b'), t in half turns",
        "p": "z(q, t) is the phase e^{i pi t}",
        "phase": "z(q, t) is the phase e^{i pi t}",
        "sx": "sqrt_x(q)",
        "sdg": "z(q, -0.5)",
        "tdg": "z(q, -0.25)",
        "u": "rz, ry and rz, one after the other",
        "sqrt_iswap": "iswap(a, b, 0.5)",
        **dict.fromkeys(
            ("H", "X", "Y", "Z", "S", "T", "CX", "CZ", "CNOT", "SWAP", "ISWAP"), "gates are in small letters"
        ),
    },
}


def missing(owner: str, name: str, hints: Mapping[str, str] | None = None) -> AttributeError:
    """The error for a name that a thing does not have, with a sentence that names ours where there is one."""
    hint = (HINTS.get(owner, {}) if hints is None else hints).get(name)
    return AttributeError(f"{owner} has no {name!r}" + (f": {hint}" if hint else ""), name=name)


#: the most characters of a message: one that quotes what came may have been given a whole file
LONGEST_MESSAGE = 2000


class QchessError(ValueError):
    """Whatever this project refuses; the root of its errors."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= LONGEST_MESSAGE else message[:LONGEST_MESSAGE] + " ...")


class ProgramError(QchessError):
    """This is no operation, question or program: the text or the parts do not fit."""


class BackendError(QchessError):
    """The program is sound, but this backend cannot do it."""


class UnknownBackendError(BackendError):
    """No backend has this name."""


class MissingExtraError(BackendError, ImportError):
    """The backend needs a package that is not installed; the message names the extra."""


class ImpossibleOutcomeError(BackendError):
    """An answer was forced whose exact probability is 0."""


class LostJobError(BackendError):
    """A job ended without an answer; to get one, send another."""


class StateTooLargeError(BackendError):
    """The operation would pass the branch limit; nothing was changed."""
