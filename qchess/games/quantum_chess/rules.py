"""The rules of Quantum Chess after Cantwell, as a `Rules` class."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from qchess import reading
from qchess.boards.moves import USUAL, named
from qchess.circuits.engine import Answer, Engine
from qchess.circuits.program import Question
from qchess.circuits.registers import Registers, Run
from qchess.circuits.sources import FixedAnswers, Throw
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_chess import endings, fen, notation, readings
from qchess.games.quantum_chess.fen import START, parse
from qchess.games.quantum_chess.legal import last_rank
from qchess.games.quantum_chess.lists import Lists
from qchess.games.quantum_chess.move import KINGS, Kind, Move, kind
from qchess.games.quantum_chess.objections import PIECES, objection
from qchess.games.quantum_chess.patterns import HIT
from qchess.games.quantum_chess.position import EMPTY, Position, placed
from qchess.games.quantum_chess.profile import Book, profile
from qchess.games.quantum_chess.scene import groups, sketch, view
from qchess.games.quantum_chess.settle import after
from qchess.games.quantum_chess.story import story
from qchess.games.quantum_chess.turn import Turn, promoted, turn
from qchess.rules import Result, Rules, Threat, What
from qchess.showing.view import Sketch, View

if TYPE_CHECKING:
    from qchess.games.quantum_chess.core.compiled_core import CompiledCore
    from qchess.games.quantum_chess.late.plies import Plies

#: the most set-up moves, and the longest text of one
MOST_SETUP, LONGEST_MOVE = 1000, 40
#: piece values for the greedy agent
VALUES = {"P": 1.0, "N": 3.0, "B": 3.25, "R": 5.0, "Q": 9.0, "K": 200.0}
#: the same for white, by symbol
WORTH = {**VALUES, **{symbol.lower(): -value for symbol, value in VALUES.items()}}


class QuantumChess(Rules[Position, Move]):
    """Quantum Chess, in a profile: ``standard`` or ``sdk-0.2.2``.

    >>> import qchess
    >>> game = qchess.new('quantum-chess', fen='4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1')
    >>> for move in ('b1^a3c3', 'e8-e7', 'c3-d5.m0'):
    ...     played = game.play(move)
    >>> game.position.registers.known('a3')
    1
    """

    name: ClassVar[str] = "quantum-chess"
    title: ClassVar[str] = "Quantum Chess"
    move_type: ClassVar[type] = Move

    def __init__(
        self,
        /,
        profile: str = "standard",
        *,
        fen: str = START,
        setup: Sequence[str] | str = (),
        strict: bool = False,
        **choices: Any,
    ) -> None:
        self.book = _book(profile, choices)
        self.lists = Lists(self.book)
        self.fen = parse(fen, strict=strict)
        told = setup.split() if isinstance(setup, str) else setup
        self.setup: tuple[str, ...] = tuple(reading.texts(told, "setup", MOST_SETUP, LONGEST_MOVE))
        if not self.book.sandbox and (self.fen.board.count("K"), self.fen.board.count("k")) != (1, 1):
            raise InvalidMoveError(f"expected one king a side (or sandbox=True), got {fen!r}")

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without what plays plies, which the receiver makes again."""
        return {name: value for name, value in vars(self).items() if name != "_plies"}

    def options(self) -> dict[str, Any]:
        """Return the options that rebuild these rules; defaults are left out."""
        plain = Book()
        found: dict[str, Any] = {
            row.name: getattr(self.book, row.name)
            for row in fields(Book)
            if getattr(self.book, row.name) != getattr(plain, row.name)
        }
        if "profile" in found:
            found["profile"] = self.book.profile.name
        if str(self.fen) != START:
            found["fen"] = str(self.fen)
        if self.setup:
            found["setup"] = list(self.setup)
        return found

    # -- playing ------------------------------------------------------------------------------------------

    def start(self, engine: Engine) -> Position:
        """Return the position of the FEN, after the set-up moves."""
        board, symbols = self.fen.geometry, self.fen.board
        occupied = [name for name, symbol in zip(board.names, symbols, strict=True) if symbol != EMPTY]
        position = placed(
            Registers(engine, occupied),
            board,
            symbols,
            ply=self.fen.ply,
            rights=self.fen.rights if self.book.castling else 0,
            en_passant=self.fen.en_passant if self.book.en_passant else None,
            clock=self.fen.clock,
        )
        for number, text in enumerate(self.setup):
            position = self._set_up(position, number, text)
        if not self.setup:
            return position
        return placed(position.registers, board, position.board, ply=self.fen.ply, rights=position.rights)

    def moves(self, position: Position) -> Sequence[Move]:
        """Return every legal move once: standard moves, splits, merges; pairs of squares ascending."""
        if endings.waits_for_kings(self.book, position):
            return [KINGS]
        moves, files = self.lists.moves(position), position.geometry.width
        return moves if files == USUAL else [named(move, files) for move in moves]

    def check(self, position: Position, move: Move) -> None:
        """Raise `IllegalMoveError`, saying why, unless the move is legal here."""
        if not isinstance(move, Move):
            raise InvalidMoveError(f"expected a move, or its text such as 'b1^a3c3'; got {move!r}")
        self._check(position, move, _plain_text(position, move))

    def _check(self, position: Position, move: Move, text: str) -> None:
        if endings.waits_for_kings(self.book, position):
            wrong = None if move == KINGS else "after 100 half-moves only the kings are asked for ('kings')"
        else:
            wrong = None if self.lists.has(position, move) else objection(self.book, position, move)
        if wrong:
            raise self._illegal(position, text, wrong)

    def read(self, position: Position, text: str) -> tuple[Move, dict[str, int] | None]:
        """Return the legal move that a text names, and its recorded outcome if it has one."""
        written = readings.read(self.book, position, text, lambda: self.moves(position))
        move = written.move
        self._check(position, move, text.strip())
        if move == KINGS:
            return move, None
        if claim := written.false_claim(position):
            raise self._illegal(position, text, claim)
        move = named(self._completed(position, move), position.geometry.width)
        if written.outcome is None:
            return move, None
        if kind(position, move).measures:
            return move, {HIT: written.outcome}
        if written.outcome == 0:
            raise self._illegal(position, text, "it measures nothing, so it cannot fail")
        return move, None

    def write(self, position: Position, move: Move) -> str:
        """Return the move as text."""
        return notation.write(position, move, promoted=promoted(self.book, position, move) if move.sources else "")

    def texts(self, position: Position, moves: Sequence[Move]) -> list[str]:
        """Return the texts of legal moves of one position."""
        last, write = last_rank(position), notation.write
        return [
            (self.write if move.targets and last >> move.targets[0] & 1 else write)(position, move) for move in moves
        ]

    def tell(self, position: Position, turn: Turn, answers: Mapping[str, int]) -> str:
        """Return the move as in a record after play; the last question's answers are recorded separately."""
        return notation.write(position, turn.move, answers.get(HIT), turn.promoted)

    def turn(self, position: Position, move: Move) -> Turn:
        """Return the turn of a legal move."""
        return turn(self.book, position, named(move, position.geometry.width))

    def settle(self, position: Position, turn: Turn, run: Run) -> Position:
        """Return the next position, after the turn's program was run."""
        return after(self.book, position, turn, run)

    def at_once(
        self, position: Position, move: Move, throw: Callable[..., Throw] | None
    ) -> tuple[Position, tuple[Answer, ...]] | None:
        """Play a legal move by the core, which makes the position in full when somebody looks; None if it cannot."""
        return None if self._plies is None else self._plies.play(self, position, move, throw)

    @cached_property
    def _plies(self) -> Plies | None:
        from qchess.games.quantum_chess.late.plies import plies

        return plies(self.book) if type(self) is QuantumChess else None

    def any_move(self, position: Position) -> Move | None:
        """Return some legal move, without the whole list if possible."""
        return KINGS if endings.waits_for_kings(self.book, position) else self.lists.some_move(position)

    @property
    def most_branches(self) -> int | None:
        """Return the most branches that one register may have after a move."""
        return self.book.max_branches

    def result(self, position: Position) -> Result | None:
        """How the game ended, or None while it goes on."""
        known = position.snapshot
        if known is not None and known.owner is self._plies:
            return known.result
        return endings.result(self.book, position, self.lists.some_move)

    # -- looking ------------------------------------------------------------------------------------------

    def kind(self, position: Position, move: What) -> Kind:
        """Return the type and the variant of a legal move, from the board."""
        return kind(position, self._move_of(position, move))

    def pass_probability(self, position: Position, move: What) -> float:
        """Return the exact probability that the move succeeds; 1 if it measures nothing."""
        first = self.compile(position, move).steps[0]
        return position.registers.probability(first.predicate) if isinstance(first, Question) else 1.0

    def sketch(self, position: Position, move: Move) -> Sketch:
        """Return from where to where a move goes."""
        return sketch(position.geometry, move)

    def man(self, position: Position, square: str) -> str:
        """Return the name of the piece that is or may be on a square."""
        at = position.geometry.numbers.get(square)
        return "" if at is None else PIECES.get(position.board[at].upper(), "")

    def takes(self, position: Position, turn: Turn) -> bool:
        """Tell whether a move takes a piece, or may take one."""
        return turn.kind is not None and turn.kind.takes

    def groups(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """Return the squares of each register that has several."""
        return groups(position)

    def view(self, position: Position, last: Move | None = None) -> View:
        """Return what the board shows, with the last move if one is given."""
        return view(position, last)

    def story(self, before: Position, turn: What, answers: Mapping[str, int], after: Position) -> str:
        """What a move came to, in words."""
        return story(before, turn, answers, after)

    def threats(self, position: Position) -> Iterator[Threat]:
        """How the king of the player to move could be captured next turn."""
        return iter(()) if self.book.sandbox else endings.threats(self, position)

    def evaluate(self, position: Position) -> Mapping[str, float]:
        """Return expected material, minus the other side's; a king outweighs everything."""
        board, numbers, full = position.board, position.geometry.numbers, position.men.full
        white = math.fsum([WORTH[symbol] * (where & full).bit_count() for symbol, where in position.of.items()])
        for share in position.shares:
            white += sum([WORTH[board[numbers[name]]] * p for name, p in share.odds.items()])
        return {"white": white, "black": -white}

    def laws(self) -> Sequence[Callable[[Position], None]]:
        """Return laws: moves are listed as the rules say, and pieces are counted correctly."""
        from qchess.games.quantum_chess import laws

        return (lambda position: laws.lists_what_is_legal(self.lists, position), laws.counts_pieces)

    def core(self) -> CompiledCore | None:
        """Return the compiled core, if it supports this book and there is machine code."""
        from qchess.games.quantum_chess.core import compiled_core

        return compiled_core.core(self.book, VALUES)

    # -- positions as text -------------------------------------------------------------------------------------

    @classmethod
    def from_position(cls, text: str, **options: Any) -> tuple[QuantumChess, tuple[str, ...]]:
        """Return the rules and the moves of a position string ``position fen F [setup ...] [moves ...]``."""
        start, setup, moves = fen.parse_position(text)
        return cls(fen=start, setup=setup, **options), moves

    def notated(self, position: Position) -> str:
        """Return the FEN of the position; a question mark follows each uncertain piece."""
        return fen.write(position, shadow=True)

    def position_text(self, moves: Sequence[str] = ()) -> str:
        """Return the position string of a game with these moves, outcomes included."""
        return fen.write_position(str(self.fen), self.setup, moves)

    # -- details ----------------------------------------------------------------------------------------------

    def _set_up(self, position: Position, number: int, text: str) -> Position:
        """Play a set-up move for the owner of the piece; open questions need a given outcome."""
        white = [notation.parse(replace(position, ply=side), text).move for side in (0, 1)]
        square = white[0].sources[0] if white[0].sources else 0
        side = position.board[square].islower()
        turned = replace(position, ply=2 * number + side)
        move, answers = self.read(turned, text)
        try:
            source = None if answers is None else FixedAnswers(answers, "setup")
            return self.step(turned, move, source)[0]
        except ValueError as error:
            raise InvalidMoveError(f"the set-up move {text!r} cannot be played: {error}") from error

    def _completed(self, position: Position, move: Move) -> Move:
        """Return the move with the default for a missing promotion."""
        letter = promoted(self.book, position, move).lower()
        return move._replace(promotion=letter) if letter != move.promotion else move

    def _illegal(self, position: Position, text: str, why: str) -> IllegalMoveError:
        return IllegalMoveError(f"{text!r} is not legal: {why}", where=fen.write(position, shadow=True))


def _book(profile_name: str, choices: Mapping[str, Any]) -> Book:
    known = {row.name for row in fields(Book)} - {"profile"}
    unknown = sorted(set(choices) - known)
    if unknown:
        expected = ", ".join(["profile", "fen", "setup", "strict", *sorted(known)])
        raise InvalidMoveError(f"expected options among {expected}; got {', '.join(unknown)}")
    return Book(profile(profile_name), **choices)


def _plain_text(position: Position, move: Move) -> str:
    """Return a move as text, legal or not."""
    if move == KINGS:
        return "kings"
    names = position.geometry.names
    sources, targets = ("".join(names[k] if 0 <= k < len(names) else f"({k})" for k in squares) for squares in move[:2])
    return f"{sources}{'^' if len(move.squares) > 2 else '-'}{targets}{move.promotion}"
