"""Turns: a legal move's program, with what settling and writing need.

| move | program | amplitudes |
|---|---|---|
| step f-t | iSWAP(f,t) | a_t = i a_f |
| split f^t1t2 | iSWAP^1/2(f,t1), iSWAP(f,t2) | a_t1 = a_t2 = i a_f / sqrt 2 |
| merge f1f2^t | iSWAP^-1(f1,t), iSWAP^-1/2(f2,t) | a_t = -i (a_f1 + a_f2) / sqrt 2, a_f2 = (a_f2 - a_f1) / sqrt 2 |
| capture, both certain | SWAP(o,c), iSWAP(f,t) | the victim goes to c, which is forgotten |
| entangling capture | SWAP(o,c), iSWAP(f,t) where c = 1 | (f, o) becomes i (t, c); all else stays |
| measuring capture | full read-outs; then as a capture, where both were found | |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from qchess import rules
from qchess.circuits import Program, Qubit, discard, iswap, jump, merge, read, split, swap, take, when
from qchess.circuits.precision import CERTAIN
from qchess.games.quantum_checkers.book import Book
from qchess.games.quantum_checkers.move import Move, is_jump
from qchess.games.quantum_checkers.position import Position

#: the names of the two questions that a capture may ask
CAPTURER, TARGET = "capturer", "target"


class Kind(Enum):
    """The kind of a move."""

    STEP = "step"
    SPLIT = "split"
    MERGE = "merge"
    CAPTURE = "capture"
    ENTANGLE = "entangle"
    MEASURE = "measure"


@dataclass(frozen=True, slots=True)
class Look:
    """A read-out of a piece's place; with `joint_collapse` its partner is read too."""

    name: str
    piece: int
    #: the square on which the piece is expected
    square: int
    #: the piece's places, then the partner's
    qubits: tuple[Qubit, ...]
    partner: int | None = None

    def found(self, answer: int, wanted: Qubit) -> bool:
        """Tell whether the answer says that the piece is there."""
        return bool(answer >> self.qubits.index(wanted) & 1)


@dataclass(frozen=True, slots=True)
class Turn(rules.Turn[Move]):
    """A legal move with its program."""

    kind: Kind = Kind.STEP
    #: the square jumped over
    over: int | None = None
    looks: tuple[Look, ...] = ()
    #: the qubit that takes the captured piece
    taken: Qubit = ""


def turn(book: Book, position: Position, move: Move) -> Turn:
    """Return the turn of a legal move."""
    names = book.board.names
    sources = [names[square] for square in move.sources]
    targets = [names[square] for square in move.targets]
    if move.is_split:
        return Turn(move, split(*sources, *targets), Kind.SPLIT)
    if move.is_merge:
        return Turn(move, merge(sources[1], sources[0], *targets), Kind.MERGE)
    if not is_jump(move, book.board.size):
        return Turn(move, jump(*sources, *targets), Kind.STEP)
    return _jump(book, position, move)


def _jump(book: Book, position: Position, move: Move) -> Turn:
    """Return a capture: certain, entangling (CQ-17) or with a measurement (CQ-13 to 15, 18)."""
    names, over = book.board.names, book.board.over(move.sources[0], move.targets[0])
    f, o, t = names[move.sources[0]], names[over], names[move.targets[0]]
    taker, victim = (position.pieces[position.owner[square]] for square in (move.sources[0], over))
    taken = f"taken{position.ply + 1}"
    capture = take(o, taken) + jump(f, t)
    if not taker.split and not victim.split:
        return Turn(move, capture, Kind.CAPTURE, over, taken=taken)
    if book.entangles and not taker.split and victim.partner is None:
        program = Program(swap(o, taken), iswap(f, t).when({taken: 1}))
        return Turn(move, program, Kind.ENTANGLE, over, taken=taken)
    return _measuring(book, position, move, over, capture, taken)


# -- captures that measure --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _States:
    """The possible joint states of a piece and its partner, each as a read-out of their places."""

    qubits: tuple[Qubit, ...]
    keys: tuple[int, ...]

    @classmethod
    def of(cls, position: Position, number: int) -> _States:
        """Return those of a piece's component."""
        qubits = tuple(q for piece in position.component(number) for q in position.places(piece))
        odds = position.registers.distribution(*qubits)
        return cls(qubits, tuple(key for key, p in odds.items() if p > CERTAIN))

    def by_answer(self, asked: tuple[Qubit, ...]) -> dict[int, _States]:
        """Return the states left by each answer to a read-out of some of the qubits."""
        bits = [self.qubits.index(qubit) for qubit in asked]
        found: dict[int, list[int]] = {}
        for key in self.keys:
            found.setdefault(sum((key >> bit & 1) << k for k, bit in enumerate(bits)), []).append(key)
        return {answer: _States(self.qubits, tuple(keys)) for answer, keys in sorted(found.items())}

    def surely(self, qubit: Qubit) -> bool | None:
        """Return whether the qubit is 1, if that is certain, else None."""
        bit = self.qubits.index(qubit)
        values = {key >> bit & 1 for key in self.keys}
        return None if len(values) > 1 else bool(values.pop())


def _measuring(book: Book, position: Position, move: Move, over: int, capture: Program, taken: Qubit) -> Turn:
    """Measure first the capturer, if split; then, only if it is found, the target."""
    start = move.sources[0]
    taker, victim = position.owner[start], position.owner[over]
    looks: list[Look] = []
    if position.pieces[taker].split:
        look = _look(book, position, CAPTURER, taker, start)
        looks.append(look)
        states = _States.of(position, taker)
        found = _when_found(book, position, look, states, over, capture, looks)
        program = _asking(look, position, states, found)
    else:
        look = _look(book, position, TARGET, victim, over)
        looks.append(look)
        states = _States.of(position, victim)
        program = _asking(look, position, states, dict.fromkeys(_hits(position, look, states), capture))
    return Turn(move, program, Kind.MEASURE, over, tuple(looks), taken)


def _look(book: Book, position: Position, name: str, number: int, square: int) -> Look:
    """Return the read-out of a piece, and of its partner if both collapse together."""
    partner = position.pieces[number].partner if book.options.joint_collapse else None
    along = () if partner is None else position.places(partner)
    return Look(name, number, square, position.places(number) + along, partner)


def _hits(position: Position, look: Look, states: _States) -> list[int]:
    """Return the answers that find the piece on its expected square."""
    wanted = position.board.names[look.square]
    return [answer for answer in states.by_answer(look.qubits) if look.found(answer, wanted)]


def _asking(look: Look, position: Position, states: _States, follows: Mapping[int, Program]) -> Program:
    """Return the read-out, and the steps after each answer; confirmed captures are forgotten.

    So are those of a piece that is off the board, whichever of them took it: nothing is entangled with it any more.
    """
    members = [position.pieces[number] for number in position.component(look.piece)]
    captured = [qubit for piece in members for qubit in piece.taken]
    gone = {qubit for piece in members if not piece.squares for qubit in piece.taken}
    cases: dict[int, Program] = {}
    for answer, left in states.by_answer(look.qubits).items():
        confirmed = [qubit for qubit in captured if qubit in left.qubits and (qubit in gone or left.surely(qubit))]
        program = (Program(discard(*confirmed)) if confirmed else Program()) + follows.get(answer, Program())
        if len(program):
            cases[answer] = program
    asked = Program(read(look.name, *look.qubits))
    return asked + when(look.name, cases) if cases else asked


def _when_found(
    book: Book, position: Position, capturer: Look, states: _States, over: int, capture: Program, looks: list[Look]
) -> dict[int, Program]:
    """Return the steps once the capturer is found: the capture, nothing, or the question for the target (CQ-15)."""
    hits = _hits(position, capturer, states)
    number = position.owner[over]
    target = position.pieces[number]
    if not target.split:
        return dict.fromkeys(hits, capture)
    if target.partner != capturer.piece:
        look = _look(book, position, TARGET, number, over)
        own = _States.of(position, number)
        looks.append(look)
        return dict.fromkeys(hits, _asking(look, position, own, dict.fromkeys(_hits(position, look, own), capture)))
    left = states.by_answer(capturer.qubits)
    return {hit: _partner_given(position, number, left[hit], over, capture, looks) for hit in hits}


def _partner_given(
    position: Position, number: int, left: _States, over: int, capture: Program, looks: list[Look]
) -> Program:
    """Return the steps if the target is the capturer's partner, whose state follows from the finding."""
    wanted = position.board.names[over]
    known = left.surely(wanted)
    if known is not None:
        return capture if known else Program()
    open_places = tuple(qubit for qubit in position.places(number) if left.surely(qubit) is None)
    look = Look(TARGET, number, over, open_places)
    looks.append(look)
    return _asking(look, position, left, dict.fromkeys(_hits(position, look, left), capture))
