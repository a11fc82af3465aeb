"""The three kinds of error: not a move, not legal here, not possible there. All are ``ValueError``."""

from qchess.circuits.errors import (
    BackendError,
    ImpossibleOutcomeError,
    MissingExtraError,
    ProgramError,
    QchessError,
    StateTooLargeError,
    UnknownBackendError,
)
from qchess.circuits.errors import missing as missing


class InvalidMoveError(QchessError):
    """The text is no move in any position; or it is no record, FEN or option that can be read."""


class IllegalMoveError(QchessError):
    """A move, but not a legal one in this position.

    `where` is the position as text; `plain` is the message without it, for those who see the board.
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{message}; in {where}" if where else message)
        self.plain = message


class AmbiguousMoveError(IllegalMoveError):
    """The text fits more than one legal move."""


class UnknownGameError(QchessError):
    """No game has this name."""


class NoSuchGameError(QchessError, FileNotFoundError):
    """No game is kept in a file of this name."""


#: what people of other libraries look for in a game and in `qchess.study` -> the sentence that names ours
GAME_HINTS = {
    **dict.fromkeys(("push", "push_san", "make_move", "move", "do_move"), "play('e2-e4') plays a move"),
    **dict.fromkeys(("pop", "unmake", "take_back"), "undo() takes the last move back"),
    "legal": "moves() lists the legal moves as text, legal_moves as values",
    "copy": "fork() is a second game that goes on from here",
    "board": "print(game) shows the board, svg() draws it, qchess.study.board(game) has figures on it",
    **dict.fromkeys(
        ("draw", "show", "plot"), "print(game) shows the board, svg() draws it, circuit(move).draw() a move's circuit"
    ),
    **dict.fromkeys(
        ("is_checkmate", "is_game_over", "outcome", "winner"), "result is how the game ended, None while it goes on"
    ),
    "registers": "position.registers is the quantum state",
    **dict.fromkeys(
        ("state", "get_state", "statevector", "get_statevector"),
        "position.registers.statevector() is the dense vector of what is open",
    ),
    "amplitudes": "position.registers.amplitudes(order) has them, qchess.study.amplitudes(game, 'a3') draws them",
    **dict.fromkeys(("sample", "counts", "get_counts"), "position.registers.sample(1000, rng) counts read-outs"),
    "qubits": "position.registers.uncertain has what is open, qubit('a3') the qubit of a square",
    **dict.fromkeys(
        ("measure", "measure_all"),
        "position.registers.sample(1, rng) reads out without a change; moves measure what they ask",
    ),
    **dict.fromkeys(
        ("program", "circuits", "get_circuit"),
        "circuit('b1^a3c3') is a move's program, circuit(whole=True) the whole game's",
    ),
    "compile": "circuit('b1^a3c3').compile() compiles a move's program",
    **dict.fromkeys(
        ("to_qiskit", "to_cirq", "qasm"), "circuit('b1^a3c3') is a program, which has to_qiskit(), to_cirq() and qasm()"
    ),
    "unitary": "circuit('b1^a3c3').unitary() is the matrix of a move that asks nothing",
    "depth": "circuit(whole=True).depth() is the depth of the whole game",
    "entropy": "qchess.study.entropy(game, 'a3')",
    "probabilities": "probability('a3') is how likely a square is full, chances(move) how a move's answers come",
    "moves_played": "history has the moves played",
}
STUDY_HINTS = {
    **dict.fromkeys(("von_neumann_entropy", "entanglement_entropy"), "entropy(game, 'a3', 'b5')"),
    "shannon_entropy": "readout_entropy(game)",
    **dict.fromkeys(("partial_trace", "density_matrix", "DensityMatrix"), "reduced(game, 'a3', 'b5')"),
    **dict.fromkeys(("schmidt_decomposition", "eigenvalues"), "spectrum(game, 'a3', 'b5')"),
    **dict.fromkeys(
        ("statevector", "Statevector"), "game.position.registers.statevector() is the dense vector of what is open"
    ),
    "state_fidelity": "fidelity(one, other)",
    "inner": "overlap(one, other)",
    **dict.fromkeys(("plot_bloch_vector", "plot_bloch_multivector"), "bloch_vectors(game, 'a3')"),
    **dict.fromkeys(("plot_histogram", "histogram"), "counts({'yes': 3, 'no': 5})"),
    "plot_state_city": "city(game, 'a3', 'b5')",
    "plot_state_hinton": "hinton(game, 'a3', 'b5')",
    "plot_state_qsphere": "amplitudes(game, 'a3') has bars in the colour of their phase",
    "probabilities": "game.position.registers.distribution('a3', 'c3')",
    "negativity": "concurrence(game, 'a3', 'b5') is of two squares, mutual_information of any two groups",
    "expectation": "bloch(game, 'a3') has the expectations of X, Y and Z",
    "expectation_value": "bloch(game, 'a3') has the expectations of X, Y and Z",
    "pauli": "bloch(game, 'a3') has the expectations of X, Y and Z",
}


__all__ = [
    "AmbiguousMoveError",
    "BackendError",
    "IllegalMoveError",
    "ImpossibleOutcomeError",
    "InvalidMoveError",
    "MissingExtraError",
    "NoSuchGameError",
    "ProgramError",
    "QchessError",
    "StateTooLargeError",
    "UnknownBackendError",
    "UnknownGameError",
]
