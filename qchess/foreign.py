"""Names that people know from elsewhere: python-chess, chess.js, OpenSpiel, Gym, Qiskit and Cirq.

One table: a foreign name is either another name of ours, or meets one sentence that says what to use here.
A name that has a sentence only is not there: `hasattr` is false for it, and it is not completed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def _each(names: str, ours: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), ours)


#: foreign names of what we have, by class -> our name; with brackets behind it, a method that gives our property
OURS: dict[str, dict[str, str]] = {
    "Game": {
        **_each("push push_san push_uci make_move apply_move apply_action move", "play"),
        **_each("pop unmake unmake_move undo_move take_back", "undo"),
        **_each("copy clone", "fork"),
        **_each("is_game_over game_over is_terminal isGameOver", "is_over()"),
        "outcome": "result()",
        "move_stack": "history",
        **_each("current_player side_to_move", "player()"),
        "legal_actions": "moves",
    },
    "Move": {"uci": "__str__", "san": "__str__"},
    "Program": {"dagger": "inverse", "adjoint": "inverse", "to_matrix": "unitary", "size": "__len__"},
}
#: constructors that other libraries have as methods of a circuit
GATES = ("h", "x", "y", "z", "s", "t", "rx", "ry", "rz", "cx", "cnot", "cz", "swap", "iswap", "read", "ask", "when")
#: foreign names of what is called or done otherwise here, by class -> the sentence that says how
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
        "width": "num_qubits is the number of qubits, len(program.answers) that of answers",
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
        "to_unitary_matrix": "unitary() is the matrix",
        **_each(
            "statevector state final_state_vector",
            "Registers(engine).run(program).registers.statevector(order) is the state",
        ),
        **_each("plot show render", "print(program) and draw() show the circuit"),
        "simulate": "Registers(engine).run(program, source) runs it",
        "run": "Registers(engine).run(program, source) runs it, game.play(move) a move's program",
        "execute": "Registers(engine).run(program, source) runs it",
        "sample": "Registers(engine).run(program).registers.sample(1000, rng) samples the state after it",
    },
    "Operation": {
        "controlled_by": "control('q') controls on 1, when({'q': 0}) on 0",
        "ctrl": "control('q') controls on 1, when({'q': 0}) on 0",
        "c_if": "Program(when('m', {1: Program(x('a'))})) goes on with what follows an answer",
        **_each("dagger adjoint", "inverse() is the operation that undoes this one"),
        "power": "x(q, t), z(q, t) and iswap(a, b, t) take the exponent",
        **_each("matrix to_matrix unitary", "Program(operation).unitary() is the matrix"),
        "name": "gate.name is the gate's",
        **_each("params parameter exponent", "gate.parameter is the exponent or the angle"),
        "num_qubits": "len(operation.qubits) is the number of qubits, targets and controls",
        "draw": "Program(operation).draw() is its picture",
    },
    "Run": {
        **_each(
            "statevector sample amplitudes probability distribution full uncertain data state",
            "a run has registers and answers; registers is the state after it",
        ),
        **_each("counts get_counts measurements result", "answers has what was answered, in order"),
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
        **_each(
            "data state final_state_vector wavefunction",
            "statevector(order) is the dense vector, amplitudes(order) has what is not 0",
        ),
        "to_dict": "amplitudes(order) has every amplitude that is not 0",
        "probabilities": "distribution('a3', 'c3') has the odds of a read-out, probability('a3') of one qubit",
        "probabilities_dict": "distribution('a3', 'c3') has the odds of a read-out",
        "evolve": "run(program) and apply(x('a3')) give the registers afterwards",
        "expectation_value": "probability(full('a3')) of a predicate, qchess.study.bloch(registers, 'a3') of X, Y, Z",
        **_each(
            "measure measure_all",
            "run(Program(read('m', 'a3')), source) measures, project(full('a3')) takes an answer as given",
        ),
        "sample_counts": "sample(1000, rng) counts read-outs",
        "sample_memory": "sample(1000, rng) counts read-outs",
        "num_qubits": "len(uncertain) is the number of qubits in superposition, the others are 0 or 1 for certain",
        "qubits": "uncertain has the qubits in superposition, full those that are certainly 1",
        **_each(
            "density_matrix partial_trace",
            "qchess.study.reduced(registers, 'a3', 'c3') is the density matrix of some qubits",
        ),
        "entropy": "qchess.study.entropy(registers, 'a3')",
        "purity": "qchess.study.purity(registers, 'a3')",
        "inner": "qchess.study.overlap(one, other)",
        "fidelity": "qchess.study.fidelity(one, other)",
        "equiv": "same_as(other) compares two states up to a global phase",
        "bloch": "qchess.study.bloch(registers, 'a3')",
        **_each(
            "draw plot show", "qchess.study.amplitudes(registers, 'a3') draws a register, entanglement is its graph"
        ),
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
        **_each("H X Y Z S T CX CZ CNOT SWAP ISWAP", "gates are in small letters"),
    },
    "Game": {
        **_each("peek last_move lastMove", "history[-1] is the last move played, history has all"),
        "legal": "moves() lists the legal moves as text, legal_moves as values",
        **_each(
            "is_legal generate_legal_moves is_pseudo_legal pseudo_legal_moves",
            "'e2-e4' in game.legal_moves says whether a move is legal",
        ),
        **_each("parse_san parse_uci from_uci read find_move", "turn_of('e2-e4').move is the move that a text names"),
        **_each("san uci lan variation_san", "moves are texts: str(move), or history[-1].text after play"),
        **_each("random_move sample_move", "random.choice(game.legal_moves) is a random move"),
        **_each("step env_step", "play('e2-e4') plays a move, result is how the game ended"),
        "reset": "qchess.new(...) is a new game",
        **_each(
            "pgn to_pgn export_pgn",
            "pgn.dumps(game) is PGN (from qchess.games.quantum_chess import pgn), record().to_json() any game's record",
        ),
        **_each(
            "epd board_fen set_fen load_fen from_fen",
            "fen is the position as text, qchess.new('quantum-chess', fen=...) begins with one",
        ),
        **_each("to_json to_dict dumps json", "record().to_json() is the game as text, save(path) a file of it"),
        **_each("load open from_json", "qchess.load('game.json') opens a game that save() has written"),
        **_each(
            "piece_at get get_piece color_at piece_map pieces",
            "game['e2'] has each piece that may stand on e2, with its probability",
        ),
        **_each(
            "set_piece_at put remove_piece_at", "qchess.new('quantum-chess', fen=...) begins with the men of a FEN"
        ),
        **_each("ply fullmove_number move_count halfmove_clock", "len(game.history) is the number of moves"),
        **_each("ascii unicode render print display", "print(game) shows the board, svg() draws it"),
        "board": "print(game) shows the board, svg() draws it, qchess.study.board(game) has figures on it",
        **_each("draw show plot", "print(game) shows the board, svg() draws it, circuit(move).draw() a move's circuit"),
        **_each(
            "is_checkmate is_stalemate winner returns rewards status",
            "result is how the game ended, with winner and reason; None while it goes on",
        ),
        **_each(
            "is_check is_attacked_by attackers gives_check", "check is no rule of Quantum Chess: a king may be taken"
        ),
        **_each("is_capture is_castling", "game.rules.describe(game.position, move) says what a move asks"),
        **_each("simulate run execute", "play(move) plays a move, outcomes(move) lists all ways it can end"),
        **_each("get_outcomes chance_outcomes", "outcomes(move) lists all ways a move can end"),
        **_each(
            "best_move analyse analyze engine",
            "agents choose moves (from qchess.playing import agents): see docs/agents.md",
        ),
        "registers": "position.registers is the quantum state",
        **_each(
            "get_state statevector get_statevector wavefunction superposition",
            "position.registers.statevector() is the dense vector of what is open",
        ),
        **dict.fromkeys(
            ("entanglement_svg", "draw_entanglement", "plot_entanglement", "entangled_board"),
            "qchess.study.entangled_board(game) draws what is entangled, qchess.study.entanglement_text(game) says it",
        ),
        "amplitudes": "position.registers.amplitudes(order) has them, qchess.study.amplitudes(game, 'a3') draws them",
        **_each("sample counts get_counts shots", "position.registers.sample(1000, rng) counts read-outs"),
        "qubits": "position.registers.uncertain has what is open, qubit('a3') the qubit of a square",
        **_each(
            "measure measure_all",
            "position.registers.sample(1, rng) reads out without a change; moves measure what they ask",
        ),
        **_each(
            "program circuits get_circuit",
            "circuit('b1^a3c3') is a move's program, circuit(whole=True) the whole game's",
        ),
        "compile": "circuit('b1^a3c3').compile() compiles a move's program",
        **_each(
            "to_qiskit to_cirq qasm", "circuit('b1^a3c3') is a program, which has to_qiskit(), to_cirq() and qasm()"
        ),
        "unitary": "circuit('b1^a3c3').unitary() is the matrix of a move that asks nothing",
        "depth": "circuit(whole=True).depth() is the depth of the whole game",
        "entropy": "qchess.study.entropy(game, 'a3')",
        "bloch": "qchess.study.bloch(game, 'a3')",
        "density_matrix": "qchess.study.reduced(game, 'a3', 'c3')",
        **_each(
            "entangled is_entangled", "'c3' in game.position.registers.register_of('a3'); entanglement is the graph"
        ),
        "help": "game.rules.title names the game, qchess learn teaches it, docs/ has a page on each",
        "probabilities": "probability('a3') is how likely a square is full, chances(move) how a move's answers come",
        "moves_played": "history has the moves played",
    },
    "Move": {
        **_each("from_uci parse from_text", "turn_of('e2-e4').move of a game is the move that a text names"),
        **_each("from_square to_square source target", "str(move) names the squares, such as e2-e4"),
        "text": "str(move) is its text",
        **_each("program circuit to_circuit", "game.circuit(move) is the program of a move"),
        **_each("outcomes probability", "game.outcomes(move) lists all ways it can end, with their odds"),
        **_each("split is_quantum", "is_split and is_merge say what it is in chess and checkers"),
    },
    "qchess": {
        **_each(
            "Board Chess QuantumChess QuantumBoard Position",
            "qchess.new('quantum-chess', fen=...) is a game with its board, qchess.games.names() the games there are",
        ),
        **_each("make load_game game play start create new_game", "qchess.new('quantum-chess') is a new game"),
        **_each("open read load_record from_file", "qchess.load('game.json') opens a game that save() has written"),
        **_each(
            "pgn read_game read_pgn load_pgn",
            "pgn.loads(text) reads PGN as records (from qchess.games.quantum_chess import pgn)",
        ),
        **_each("from_fen fen load_fen", "qchess.new('quantum-chess', fen=...) begins with a FEN"),
        **_each("Move parse_move from_uci", "moves are texts, such as game.play('e2-e4'); turn_of(text).move is one"),
        **_each("legal_moves moves", "qchess.new('quantum-chess').legal_moves"),
        **_each(
            "list_games games_list registered_games registered_names", "qchess.games.names() are the games there are"
        ),
        **_each(
            "agents engine ai players", "agents choose moves (from qchess.playing import agents): see docs/agents.md"
        ),
        **_each(
            "get_backend list_backends Aer Simulator simulator devices",
            "qchess.backends.names() lists the backends, qchess.new(backend='cirq') takes one",
        ),
        **_each(
            "Program Registers Circuit QuantumCircuit circuit h x cx cnot split",
            "qchess.circuits has programs, gates and registers: from qchess.circuits import Program, Registers, h, cx",
        ),
        **_each("Statevector statevector", "game.position.registers.statevector() is the dense vector"),
        **_each("plot draw svg show display", "print(game) shows a board, game.svg() draws it, qchess.study has plots"),
        **_each("entropy bloch fidelity concurrence plot_bloch", "qchess.study has the figures of a state"),
        "benchmark": "the command qchess bench compares simulators",
        **_each(
            "run simulate execute",
            "qchess.new('quantum-chess').play(move) plays a move, qchess.circuits.Registers runs programs",
        ),
    },
    "qchess.study": {
        **_each("von_neumann_entropy entanglement_entropy", "entropy(game, 'a3', 'b5')"),
        "shannon_entropy": "readout_entropy(game)",
        **_each("partial_trace trace density_matrix DensityMatrix", "reduced(game, 'a3', 'b5')"),
        **_each("schmidt_decomposition eigenvalues", "spectrum(game, 'a3', 'b5')"),
        **_each("statevector Statevector", "game.position.registers.statevector() is the dense vector of what is open"),
        "state_fidelity": "fidelity(one, other)",
        "inner": "overlap(one, other)",
        **_each("plot_bloch_vector plot_bloch_multivector bloch_sphere", "bloch_vectors(game, 'a3')"),
        **_each("plot_histogram histogram", "counts({'yes': 3, 'no': 5})"),
        "plot_state_city": "city(game, 'a3', 'b5')",
        "plot_state_hinton": "hinton(game, 'a3', 'b5')",
        "plot_state_qsphere": "amplitudes(game, 'a3') has bars in the colour of their phase",
        "probabilities": "game.position.registers.distribution('a3', 'c3')",
        **_each(
            "plot draw show", "board(game), amplitudes(game, 'a3'), city(game, 'a3', 'b5') and curves(lines) are plots"
        ),
        "wigner": "a qubit has no Wigner function here; hinton(game, 'a3', 'b5') draws its density matrix",
        **_each(
            "measure sample", "measurements(game.record()) lists what was measured, asked(game, move) what would be"
        ),
        "negativity": "concurrence(game, 'a3', 'b5') is of two squares, mutual_information of any two groups",
        "expectation": "bloch(game, 'a3') has the expectations of X, Y and Z",
        "expectation_value": "bloch(game, 'a3') has the expectations of X, Y and Z",
        "pauli": "bloch(game, 'a3') has the expectations of X, Y and Z",
    },
}


def missing(owner: str, name: str) -> AttributeError:
    """The error for a name that a thing does not have, with a sentence that names ours where there is one."""
    hint = HINTS.get(owner, {}).get(name)
    return AttributeError(f"{owner} has no {name!r}" + (f": {hint}" if hint else ""), name=name)


def understands(owner: str) -> Callable[[C], C]:
    """Lets a class answer to foreign names; what Python and notebooks look for with underscores is left alone."""
    ours = OURS.get(owner, {})

    def __getattr__(self: Any, name: str) -> Any:  # noqa: N807
        if name not in ours:
            raise missing(owner, name)
        found = ours[name]
        if found.endswith("()"):
            return lambda: getattr(self, found[:-2])
        return getattr(self, found)

    def taught(kind: C) -> C:
        setattr(kind, "__getattr__", __getattr__)  # noqa: B010 - a type checker shall not believe in every name
        return kind

    return taught


def listed(thing: object, hidden: Iterable[str] = ()) -> list[str]:
    """The names that are completed: public ones, without those that only programs need."""
    return sorted(name for name in {*object.__dir__(thing)}.difference(hidden) if not name.startswith("_"))
