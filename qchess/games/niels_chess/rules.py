"""The rules of Niel's Chess and Niel's Xiangqi, as a `Rules` class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from qchess.circuits import Engine, Program, Run
from qchess.circuits.engine import Answer
from qchess.circuits.sources import Throw
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.niels_chess import ending, laws, notation, readings, scene
from qchess.games.niels_chess import nfen as nfen_form
from qchess.games.niels_chess.attempts import Ending
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.core import CoinCore
from qchess.games.niels_chess.effects import Outcome, board_endings, finished, outcomes
from qchess.games.niels_chess.fast import late
from qchess.games.niels_chess.keys import remembered
from qchess.games.niels_chess.listing import any_legal_move, legal_moves
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.objections import EXPOSES, objection
from qchess.games.niels_chess.position import Position
from qchess.games.niels_chess.programs import program
from qchess.games.niels_chess.rolls import ROLLS, Roll, coins_of, rolls_of
from qchess.games.niels_chess.units import ONE, State
from qchess.games.niels_chess.variant import Variant
from qchess.games.niels_chess.worth import worth
from qchess.rules import Result, Rules, Threat, Turn, What
from qchess.showing.view import Sketch, View


@dataclass(frozen=True, slots=True)
class NielTurn(Turn[Move]):
    """A turn with every way it can end, by the results of its rolls, and who rolls."""

    ends: Mapping[tuple[int, ...], Ending]
    rolls: Sequence[Roll] = ()
    #: True: the move exposes the own king, and loses
    suicide: bool = False


class NielsChess(Rules[Position, Move]):
    """The published rules of Niel's Chess (arXiv 2306.13669), with all their variants.

    Each switch of `Variant` is an option; `nfen` is your own start position, `board` a named one.

    >>> import qchess
    >>> game = qchess.new('niels-chess', seed=1)
    >>> game.play('b1^a3c3').text
    'b1^a3oc3o'
    >>> game.position.registers.registers
    (('c3', 'a3'),)
    """

    name: ClassVar[str] = "niels-chess"
    title: ClassVar[str] = "Niel's Chess"
    has_check: ClassVar[bool] = True
    move_type: ClassVar[type] = Move
    checks_at_once: ClassVar[bool] = False
    xiangqi: ClassVar[bool] = False

    def __init__(self, nfen: str | None = None, **switches: Any) -> None:
        known = [row.name for row in fields(Variant) if row.name != "xiangqi"]
        if strangers := [switch for switch in switches if switch not in known]:
            raise InvalidMoveError(f"expected options among nfen, {', '.join(known)}; got {strangers[0]}")
        self.variant = Variant(xiangqi=self.xiangqi, **switches)
        self._nfen = nfen
        start = nfen or nfen_form.start_text(self.variant)
        self.book = nfen_form.book_of(self.variant, start)
        self._start = read_start(self.book, start)

    def options(self) -> dict[str, Any]:
        """Return the options that rebuild these rules."""
        told = self.variant.told()
        told.pop("xiangqi", None)
        return told if self._nfen is None else {"nfen": self._nfen, **told}

    def start(self, engine: Engine) -> Position:
        """Return the position before the first move."""
        return self.position(self._start, engine)

    def position(self, state: State, engine: Engine) -> Position:
        """Return a position with the registers described by its marks."""
        from qchess.games.niels_chess.amplitudes import described

        return Position(described(self.book, state, engine), state, self.players)

    # -- moves ------------------------------------------------------------------------------------------

    def moves(self, position: Position) -> Sequence[Move]:
        """Return every legal move in every marking, by the squares of the units."""
        return legal_moves(self.book, position.state)

    def any_move(self, position: Position) -> Move | None:
        """Return some legal move, or None if there is none."""
        return any_legal_move(self.book, position.state)

    def check(self, position: Position, move: Move) -> None:
        """Raise `IllegalMoveError`, saying why, unless the move is legal here."""
        if wrong := self._objection(position, move):
            raise IllegalMoveError(f"{move} is not legal: {wrong}")

    def _objection(self, position: Position, move: Move) -> str:
        """Return why a move is not legal here; empty for a legal one."""
        wrong = objection(self.book, position.state, move)
        return "" if wrong == EXPOSES and self.variant.suicide_loses else wrong

    def read(self, position: Position, text: str) -> tuple[Move, Mapping[str, int] | None]:
        """Return the legal move that a text names, and the results of its rolls if given."""
        written = self._written(position, text)
        has_results = written.bits is not None or written.faces is not None
        return written.move, self._named(position, written, text).told if has_results else None

    def read_turn(self, position: Position, text: str) -> NielTurn:
        """Return the turn that a text names, with the results of its rolls if given."""
        return self._named(position, self._written(position, text), text)

    def _written(self, position: Position, text: str) -> notation.Written:
        """The legal move that a text names, and the results as they are written."""
        written = readings.read(self.book, position.state, text, lambda move: not self._objection(position, move))
        self.check(position, written.move)
        return written

    def _named(self, position: Position, written: notation.Written, text: str) -> NielTurn:
        turn = self.turn(position, written.move)
        if written.bits is not None:
            return turn.telling(notation.told_bits(turn.ends, written.bits, text))
        if written.faces is None:
            return turn
        return turn.telling(dict(zip(ROLLS, coins_of(turn.ends, turn.rolls, written.faces), strict=False)))

    def write(self, position: Position, move: Move) -> str:
        """Return a move as text, before it is played."""
        return str(move)

    def texts(self, position: Position, moves: Sequence[Move]) -> list[str]:
        """Return the texts of moves of one position."""
        return [*map(str, moves)]

    def tell(self, position: Position, turn: NielTurn, answers: Mapping[str, int]) -> str:
        """Return the move after play: its text, and the results of its rolls as bits."""
        bits = "".join([str(answers[name]) for name in ROLLS if name in answers])
        return f"{turn.move}.m{bits}" if bits else str(turn.move)

    def tell_at_once(
        self, position: Position, move: Move, text: str, answers: Sequence[Answer], after: Position
    ) -> str:
        """Return a move that was played at once, as `tell` writes it."""
        bits = "".join([str(answer.value) for answer in answers])
        return f"{text}.m{bits}" if bits else text

    # -- playing ------------------------------------------------------------------------------------------

    def turn(self, position: Position, move: Move) -> NielTurn:
        """Return the turn of a legal move: its program, its rolls, and the effect of each of their results."""
        book, state = self.book, position.state
        if self.variant.suicide_loses and objection(book, state, move) == EXPOSES:
            return NielTurn(move, Program(), {(): Ending(ONE, (), list(state.men))}, suicide=True)
        found = board_endings(book, state, move)
        rolls = rolls_of(book, state, move) if len(found) > 1 else ()
        return NielTurn(move, program(book, state, move, found), {end.rolls: end for end in found}, rolls)

    def settle(self, position: Position, turn: NielTurn, run: Run) -> Position:
        """Return the next position: the state that the results of the rolls lead to."""
        end, before = turn.ends[tuple([answer.value for answer in run.answers])], position.state
        if turn.suicide:
            state = before._replace(suicide=before.turn, turn=1 - before.turn, ply=before.ply + 1)
        else:
            state = finished(self.book, before, turn.move, end)
        rolled = scene.rolled(self.book, self.players, turn.rolls, run.answers)
        return Position(run.registers, state, self.players, rolled)

    def at_once(
        self, position: Position, move: Move, throw: Callable[..., Throw] | None
    ) -> tuple[Position, tuple[Answer, ...]] | None:
        """Play a legal move by its marks; registers are made when somebody looks at them. None if they are needed."""
        return late.play(self, position, move, throw) if type(self).__module__ == __name__ else None

    def result(self, position: Position) -> Result | None:
        """How the game ended, or None while it goes on."""
        found = ending.ended(self.book, position.state)
        if found is None:
            return None
        winner, reason = found
        return Result(None if winner is None else self.players[winner], reason)

    # -- looking ------------------------------------------------------------------------------------------

    def sketch(self, position: Position, move: Move) -> Sketch:
        """Return from where to where a move goes."""
        return scene.sketch(move)

    def man(self, position: Position, square: str) -> str:
        """Return the name of the piece that is or may be on a square."""
        unit = position.state.men[self.book.numbers[square]] if square in self.book.numbers else None
        return "" if unit is None else scene.kind_name(self.book, unit.kind)

    def takes(self, position: Position, turn: NielTurn) -> bool:
        """Tell whether a piece of the other player is or may be where a move goes."""
        state, numbers = position.state, self.book.numbers
        there = (state.men[numbers[square]] for square in scene.sketch(turn.move).targets)
        return any(unit is not None and unit.colour != state.turn for unit in there)

    def groups(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The squares of each group, and of each pair without one."""
        return scene.groups(self.book, position.state)

    def view(self, position: Position, last: Move | None = None) -> View:
        """Return the board with its marks, and the odds of each half."""
        return scene.view(self.book, position, last)

    def describe(self, position: Position, move: What) -> str:
        """Who rolls which die, what its faces mean, and how likely the attempt succeeds."""
        return scene.describe(self.book, self.players, position.state, move)

    def story(self, before: Position, move: Move, answers: Mapping[str, int], after: Position) -> str:
        """What the dice decided, in words."""
        return scene.story(self.book, before.state, move, after)

    def threats(self, position: Position) -> Iterator[Threat]:
        """What gives check, and how likely it would capture the king."""
        return ending.threats(self.book, position.state)

    def evaluate(self, position: Position) -> dict[str, float]:
        """Return material, halves counted as pieces; an attacked king and the end of the game weigh more."""
        return worth(self.book, position.state, self.players)

    def notated(self, position: Position) -> str:
        """Return the position as NFEN."""
        return self.nfen(position)

    def nfen(self, position: Position) -> str:
        """Return the position as text."""
        return nfen_form.write(self.book, position.state)

    def outcome_states(self, position: Position, move: Move) -> list[Outcome]:
        """Return every way a legal move can go in the coin form, with exact fractions."""
        return outcomes(self.book, position.state, move)

    # -- proving ------------------------------------------------------------------------------------------

    def core(self) -> CoinCore:
        """Return the coin form: the same game without registers, for search."""
        return CoinCore(self)

    def laws(self) -> Sequence[Callable[[Position], None]]:
        """Return the laws of the coin form, and the law that its marks describe the registers."""
        return (lambda position: laws.hold(self.book, position.state), self.marks_describe_registers)

    def marks_describe_registers(self, position: Position) -> None:
        """Check that the registers are those described by the marks on the board, phases included."""
        from qchess.proving.laws import require

        told = self.position(position.state, position.registers.engine).registers
        require(told.same_as(position.registers), f"the marks of {self.nfen(position)} describe other registers")


class NielsXiangqi(NielsChess):
    """The same rules over Xiangqi: nine by ten points, River, Palaces, and kings that face each other.

    >>> NielsXiangqi(drop_river=True).options()
    {'drop_river': True}
    """

    name: ClassVar[str] = "niels-xiangqi"
    title: ClassVar[str] = "Niel's Xiangqi"
    players: ClassVar[tuple[str, ...]] = ("red", "black")
    xiangqi: ClassVar[bool] = True


def read_start(book: Book, text: str) -> State:
    """Return a start position, with the history that the repetition rules need."""
    state = nfen_form.read(book, text)
    return state if book.variant.repetition == "off" else remembered(book, state, state, True)
