"""A board with the surface of Unitary's `CirqBoard`, on this project's exact engine.

It knows only which squares are occupied: no symbols, turns or legality. Frequencies are sampled, as its users
expect; full, empty and certain squares are exact, and so are `exact_probabilities` and `exact_joint`.
"""

from __future__ import annotations

import random
import sys
import time
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from qchess import backends
from qchess.backends import FixedAnswers, Seeded
from qchess.circuits.engine import Source
from qchess.circuits.registers import Registers, Run
from qchess.errors import ImpossibleOutcomeError, InvalidMoveError
from qchess.games.quantum_chess.move import MoveType
from qchess.games.quantum_chess.unitary import programs, shots
from qchess.games.quantum_chess.unitary.bits import (
    BOARD,
    CLASSICAL_BITBOARD,
    DEFAULT_CHESS_INIT_STATE,
    bit_to_qubit,
    bitboard_to_squares,
    nth_bit_of,
    num_ones,
)
from qchess.games.quantum_chess.unitary.byhand import ByHand
from qchess.games.quantum_chess.unitary.caching import (
    NEVER,
    Cache,
    ProbabilityHistory,
    cache_key_from_move,
    known,
)
from qchess.games.quantum_chess.unitary.diary import Diary
from qchess.games.quantum_chess.unitary.moves import ErrorMitigation, Move

if TYPE_CHECKING:
    import cirq

#: the name of sampling and measuring in the diary
SAMPLING = "sample_with_ancilla"
#: the number of shots that a certain board counts as
ALWAYS = 10**9


class UnusedWarning(UserWarning):
    """A board was given an argument that has no effect."""


class Boards(NamedTuple):
    """Frequencies of whole boards, kept until the next move or a request for more shots."""

    repetitions: int = -1
    values: dict[int, float] | None = None


class Saved(NamedTuple):
    """What undo restores: the state itself, so that nothing is measured again."""

    registers: Registers
    ancilla_count: int
    squares: ProbabilityHistory


class CirqBoard(ByHand, Diary):
    """A board of 64 squares in superposition, which plays any given move.

    `device`, `transformer` and both kinds of mitigation are kept as attributes but have no effect, as there is no
    noise. An `UnusedWarning` says so, and also for a `sampler` other than Cirq's noiseless simulators. `sampler` only
    gives a seed: one number is drawn from its own numpy generator (``_prng``, in Cirq's seeded simulators), if any.
    `seed` has priority; without either, ``np.random.seed`` decides.

    >>> board = CirqBoard(1 << 1, seed=3)
    >>> board.perform_moves('b1^a3c3:SPLIT_JUMP:BASIC')
    True
    >>> {bitboard_to_squares(bits)[0]: round(p, 12) for bits, p in board.exact_joint().items()}
    {'a3': 0.5, 'c3': 0.5}
    """

    init_basis_state: int
    move_history: list[Any]

    def __init__(
        self,
        init_basis_state: int,
        sampler: Any = None,
        device: Any = None,
        error_mitigation: ErrorMitigation = ErrorMitigation.Nothing,
        noise_mitigation: float = 0.0,
        transformer: Any = None,
        reset_starting_states: bool = False,
        *,
        seed: int | None = None,
    ) -> None:
        _warn_of_unused(
            sampler=not _noiseless(sampler),
            device=device is not None,
            error_mitigation=getattr(error_mitigation, "value", error_mitigation),
            noise_mitigation=noise_mitigation,
            transformer=transformer is not None,
        )
        self.sampler, self.device, self.transformer = sampler, device, transformer
        self.error_mitigation, self.noise_mitigation = error_mitigation, noise_mitigation
        self.reset_starting_states = reset_starting_states
        self.cache = Cache()
        chosen = _seed_of(sampler) if seed is None else seed
        self._own = None if chosen is None else np.random.default_rng(chosen)
        self._engine = backends.engine("sparse")
        self.with_state(init_basis_state)

    def with_state(self, basis_state: int, reset_move_history: bool = True) -> CirqBoard:
        """Put the board in a classical state; the history of moves is cleared by default."""
        if not 0 <= basis_state <= CLASSICAL_BITBOARD:
            raise ValueError(f"a board is a number of 64 bits, got {basis_state!r}")
        odds = tuple(float(nth_bit_of(bit, basis_state)) for bit in range(BOARD.size))
        certain = ProbabilityHistory.of(ALWAYS, odds)
        self._stand(Saved(Registers(self._engine, bitboard_to_squares(basis_state)), 0, certain))
        if reset_move_history:
            self.move_history = []
            self._saved: list[Saved] = []
            self.init_basis_state = basis_state
        self.clear_debug_log()
        self.clear_timing_stats()
        return self

    def _rng(self) -> np.random.Generator:
        """Return the board's own generator; without one, a new one from numpy's global state."""
        if self._own is not None:
            return self._own
        return np.random.default_rng(np.random.randint(2**63, dtype=np.int64))  # noqa: NPY002 (so ``seed`` is heeded)

    def _stand(self, position: Saved) -> None:
        """Make this the board's position; earlier results are forgotten."""
        self.registers, self.ancilla_count, self._squares = position
        self.named: frozenset[str] = frozenset()
        #: True: it is the result of the last move, so frequencies sampled in advance apply
        self._moved = True
        self._boards = Boards()
        self._spectra: list[shots.Spectrum] | None = None

    def _become(self, registers: Registers, used: int = 0) -> None:
        named, same = self.named, registers is self.registers
        self._stand(Saved(registers, self.ancilla_count + used, self._squares if same else NEVER))
        self.named, self._moved = named, same and self._moved

    def _chance(self) -> Source:
        return Seeded(random.Random(int(self._rng().integers(2**63))))

    # -- moves ----------------------------------------------------------------------------------------

    def perform_moves(self, *moves: str) -> bool:
        """Play moves in the long form; returns whether the last one succeeded."""
        succeeded = False
        for text in moves:
            succeeded = self.do_move(Move.from_string(text))
        return succeeded

    def do_move(self, m: Any) -> bool:
        """Play a move of ours or of another module; False if its measurement failed.

        If it raises, nothing has changed.
        """
        run, used = self._run(Move.of(m))
        before = Saved(self.registers, self.ancilla_count, self._squares)
        self._stand(Saved(run.registers, self.ancilla_count + used, NEVER))
        self.move_history.append(m)
        self._saved.append(before)
        if self.reset_starting_states and before.registers.uncertain:
            self.reset_if_classical()
        return all(answer.value for answer in run.answers)

    def _run(self, m: Move) -> tuple[Run, int]:
        """Return the result of a move, and how many new qubits it needs for captured pieces."""
        fresh = f"x{self.ancilla_count + 1}", f"x{self.ancilla_count + 2}"
        program = programs.program(m, fresh)
        if m.measurement not in (None, 0, 1):
            raise InvalidMoveError(f"expected the outcome 0 or 1, got {m.measurement!r} in {m!r}")
        if m.measurement == 0 and not program.answers:
            raise ImpossibleOutcomeError(f"a move that measures nothing cannot fail: {m!r}")
        start = time.perf_counter()
        run = self.registers.run(program, self._source(m) if program.answers else None)
        if run.answers:
            self.record_time(SAMPLING, start)
        return run, len(set(fresh).intersection(program.qubits))

    def _source(self, m: Move) -> Source:
        """Return the source of the move's answer: the outcome it forces, or chance."""
        if m.measurement is not None:
            return FixedAnswers((m.measurement,))
        return self._chance()

    def undo_last_move(self) -> bool:
        """Restore the state before the last move, with all outcomes; False if there is no move."""
        if not self.move_history:
            return False
        self.move_history.pop()
        self._stand(self._saved.pop())
        return True

    # -- what is sampled --------------------------------------------------------------------------------

    def sample(self, num_samples: int) -> list[int]:
        """Return `num_samples` bitboards, drawn from the exact distribution."""
        return [int(board) for board in self._draw(num_samples).tolist()]

    def _draw(self, count: int) -> shots.Boards:
        start = time.perf_counter()
        boards = shots.draw(self.state, self._spectrum(), count, self._rng())
        self.record_time(SAMPLING, start)
        return boards

    def _spectrum(self) -> list[shots.Spectrum]:
        if self._spectra is None:
            self._spectra = shots.spectra(self.registers)
        return self._spectra

    def get_probability_distribution(self, repetitions: int = 1000) -> Sequence[float]:
        """Return how often each square was occupied in the shots, a1 first.

        The same shots are used until the next move, or until more are requested.
        """
        if self._squares.repetitions < repetitions:
            ready = self._sampled_in_advance(repetitions)
            odds = ready or shots.occupation(self._draw(repetitions))
            self._squares = ProbabilityHistory.of(repetitions, odds)
        return self._squares.probabilities

    def get_board_probability_distribution(self, repetitions: int = 1000) -> dict[int, float]:
        """Return how often each bitboard came in the shots; kept as in `get_probability_distribution`."""
        if self._boards.repetitions < repetitions:
            self._boards = Boards(repetitions, shots.frequencies(self._draw(repetitions)))
        return self.board_probabilities

    def cache_results(self, cache_key: Any) -> None:
        """Sample a split of a certain piece in advance, for the next such move; other types are not cached."""
        if cache_key in self.cache or known(cache_key).move_type != MoveType.SPLIT_JUMP:
            return
        helper = CirqBoard(DEFAULT_CHESS_INIT_STATE, seed=int(self._rng().integers(2**63)))
        helper.perform_moves("b1^c3a3:SPLIT_JUMP:BASIC")
        odds = helper.get_probability_distribution(cache_key.repetitions)
        names = {"source": "b1", "target": "c3", "target2": "a3"}
        self.cache[cache_key] = {role: odds[BOARD.square(square)] for role, square in names.items()}

    def _sampled_in_advance(self, repetitions: int) -> tuple[float, ...] | None:
        """Return the frequencies before the last move, changed by the cache entry, which is used up."""
        if (
            not (self._saved and self._moved)
            or (move := Move.of(self.move_history[-1])).move_type != MoveType.SPLIT_JUMP
        ):
            return None
        before = self._saved[-1]
        stood = [before.registers.known(square or "") for square in (move.source, move.target, move.target2)]
        if stood != [1, 0, 0] or (before.registers.uncertain and before.squares.repetitions < repetitions):
            return None
        change = self.cache.pop(cache_key_from_move(move, repetitions), None)
        if change is None:
            return None
        odds = list(before.squares.probabilities or _exact(before.registers))
        for role, frequency in change.items():
            odds[BOARD.square(getattr(move, role))] = frequency
        return tuple(odds)

    def sample_with_ancilla(
        self, num_samples: int, num_reps: int | None = None
    ) -> tuple[list[int], list[dict[str, int]]]:
        """Return bitboards, each with the answers measured so far; no shot is discarded."""
        return self.sample(num_samples), [self.post_selection for _ in range(num_samples)]

    def suggest_num_reps(self, sample_size: int) -> int:
        """Return how many shots are needed for the samples: as many, since none is post-selected away."""
        return sample_size

    @property
    def board_probabilities(self) -> dict[int, float]:
        """Return the last sampled frequencies of bitboards; none after a move."""
        return dict(self._boards.values or {})

    @property
    def board_accumulations_repetitions(self) -> int:
        """Return the number of shots of `board_probabilities`; -1 without any."""
        return self._boards.repetitions

    @property
    def move_history_probabilities_cache(self) -> list[ProbabilityHistory]:
        """Return what was sampled at the start and after each move, one entry more than moves."""
        return [*(saved.squares for saved in self._saved), self._squares]

    # -- what is exact ----------------------------------------------------------------------------------

    def exact_probabilities(self) -> tuple[float, ...]:
        """Return the exact probability that each square is occupied, a1 first."""
        return _exact(self.registers)

    def exact_joint(self) -> dict[int, float]:
        """Return the exact probability of every possible bitboard."""
        return shots.joint(self.state, self._spectrum())

    @property
    def state(self) -> int:
        """Return the bitboard of the squares that are certainly occupied."""
        return shots.full_squares(self.registers)

    def get_full_squares_bitboard(self, repetitions: int = 1000) -> int:
        """Return the squares that are occupied on every board; exact, for any `repetitions`."""
        return self.state

    def get_empty_squares_bitboard(self, repetitions: int = 1000) -> int:
        """Return the squares that are empty on every board; exact, for any `repetitions`."""
        uncertain = sum(1 << BOARD.square(square) for square in shots.uncertain_squares(self.registers))
        return CLASSICAL_BITBOARD & ~self.state & ~uncertain

    def is_classical(self, repetitions: int = 1000) -> bool:
        """Tell whether every square is certain; exact, for any `repetitions`."""
        return not shots.uncertain_squares(self.registers)

    def reset_if_classical(self) -> None:
        """Restart from the present position if it is certain; the history stays."""
        if self.is_classical():
            self.with_state(self.state, False)

    @property
    def entangled_squares(self) -> frozenset[str]:
        """Return the names of the squares in superposition, and of those added to the circuit by hand."""
        return shots.uncertain_squares(self.registers) | self.named

    @property
    def allowed_pieces(self) -> set[int]:
        """Return the possible numbers of pieces on the board."""
        counts = {num_ones(self.state)}
        for spectrum in self._spectrum():
            counts = {count + num_ones(board) for count in counts for board in spectrum.boards.tolist()}
        return counts

    @property
    def post_selection(self) -> dict[str, int]:
        """Return the outcomes, by measurement key, for post-selecting shots of `circuit`."""
        return self.registers.cone(*self.registers.uncertain).answers()

    # -- what needs Cirq --------------------------------------------------------------------------------

    @property
    def circuit(self) -> cirq.Circuit:
        """Return the circuit, from |0...0>, of everything uncertain; empty on a classical board."""
        circuit: cirq.Circuit = self.registers.circuit().to_cirq()
        return circuit

    def path_qubits(self, source: str, target: str) -> list[cirq.NamedQubit]:
        """Return the possibly occupied squares between two squares on a line, as named qubits."""
        between = programs.path(source, target)
        return [bit_to_qubit(BOARD.square(square)) for square in between if self.registers.known(square) != 0]

    def __str__(self) -> str:
        """Return the exact probabilities in per cent, rank 8 on top."""
        odds = self.exact_probabilities()
        rows = []
        for rank in reversed(range(8)):
            cells = (f"{100 * p:.0f}" if p else "." for p in odds[8 * rank : 8 * rank + 8])
            rows.append(f"{rank + 1} " + "".join(f"{cell:>4}" for cell in cells))
        return "\n".join([*rows, "  " + "".join(f"{file:>4}" for file in "abcdefgh")])


def _exact(registers: Registers) -> tuple[float, ...]:
    return tuple(registers.probability(square) for square in BOARD.names)


def _noiseless(made: Any) -> bool:
    """Tell whether a sampler agrees with the exact state: none, or a noiseless simulator of Cirq."""
    if made is None:
        return True
    cirq = sys.modules.get("cirq")  # who has a simulator of it has loaded it
    if cirq is None or not isinstance(made, cirq.SimulatesSamples):
        return False
    return getattr(made, "noise", None) in (None, cirq.NO_NOISE)


def _warn_of_unused(**given: object) -> None:
    """Warn of given arguments that have no effect."""
    if unused := [name for name, value in given.items() if value]:
        told = f"CirqBoard uses the exact state and ignores {', '.join(unused)}"
        hint = "for the answers of a device play qchess.new('quantum-chess', backend=...)"
        warnings.warn(UnusedWarning(f"{told}; {hint}"), stacklevel=3)


def _seed_of(sampler: Any) -> int | None:
    """Return one number of a sampler's own generator, if it has one, never of numpy's global one."""
    generator = getattr(sampler, "_prng", None)
    return None if generator in (None, np.random) else int(generator.randint(2**31))
