"""What can be asked of a game: its positions, moves, probabilities, and record.

`qchess.playing.game` adds what changes it: moves, undo and redo, endings.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from qchess import backends
from qchess.circuits.engine import Source, complete
from qchess.circuits.program import Program
from qchess.circuits.running import Pause
from qchess.circuits.sources import FixedAnswers, Refused
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.foreign import listed, understands
from qchess.outcome import Outcome
from qchess.playing.dice import WithDice
from qchess.playing.legalmoves import LegalMoves, MoveTexts
from qchess.playing.record import Entry, Record
from qchess.playing.state import GameState, P, Pending, Played
from qchess.rules import Result, Rules, Turn
from qchess.showing.picture import Bundle, bundle, occupied
from qchess.showing.view import KINDS, Numbered, View

if TYPE_CHECKING:
    import networkx as nx

    from qchess.playing.preview import Preview

M = TypeVar("M")


class Fen(str):
    """A position as text that may also be called: ``game.fen()`` as in other libraries."""

    __slots__ = ()

    def __call__(self) -> str:
        """Return the text itself."""
        return str(self)


#: names needed only in programs
PLUMBING = (
    "about", "ask_again", "asked", "at", "begin", "collect", "cut", "dice_from", "end", "follow", "forfeit",
    "is_answered", "keep_dice", "mix", "nonces", "note_dice", "on_change", "pending", "placed_from", "players", "point",
    "previews", "source", "sources", "state", "stop_at", "take_nonces", "turn_at", "wait",
)  # fmt: skip


@understands("Game")
class BaseGame(WithDice, Generic[P, M]):
    """What can be asked of a game, without changing it: the base of `qchess.Game`."""

    def __init__(
        self,
        rules: Rules[P, M],
        backend: backends.Backend | None,
        source: Source | None,
        seed: int | str | None,
        start: P | None = None,
    ) -> None:
        super().__init__(backend or backends.get(), source, seed)
        self.rules = rules
        self.state: GameState[P] = GameState(rules.start(self.backend.engine) if start is None else start)
        #: the turn that was ended last
        self._ended_turn: Turn[M] | None = None
        #: called after every change, for example to save the game
        self.on_change: list[Callable[[], None]] = []
        self.players: dict[str, Any] = {}
        self._numbered: list[tuple[P, Numbered]] = []
        self._judged: tuple[P | None, Result | None] = (None, None)
        #: the moves listed last: a text from there is read already
        self._listed: MoveTexts[M] | None = None

    def at(self, state: GameState[P]) -> Self:
        """Return a game like this one in another state of its rules; nobody listens to it."""
        made = copy.copy(self)
        made.state, made._numbered, made.on_change, made.sources = state, [], [], []
        return made

    @property
    def position(self) -> P:
        """Return the present position."""
        return self.state.position

    @property
    def positions(self) -> tuple[P, ...]:
        """Return every position so far: the start, and the one after each move."""
        return self.state.positions

    @property
    def player(self) -> str:
        """Return whose turn it is."""
        return str(self.position.player)

    turn = player

    @property
    def history(self) -> tuple[Played, ...]:
        """Return the moves played so far."""
        return self.state.plies

    @property
    def result(self) -> Result | None:
        """Return how the game ended, or None while it goes on; computed once per position."""
        if (state := self.state).ended:
            return state.ended
        position, judged = state.position, self._judged
        if judged[0] is not position:
            self._judged = judged = position, self.rules.result(position)
        return judged[1]

    @property
    def pending(self) -> Pending | None:
        """Return what the game waits for, in the middle of a turn."""
        return self.state.pending

    @property
    def asked(self) -> Mapping[str, str]:
        """Return by their point the submitted questions without an answer, each with a name drawn for it alone."""
        return self.state.asked

    @property
    def is_answered(self) -> bool:
        """Tell whether an answer was drawn, also if its move was taken back, or is waited for."""
        return bool(self.state.answers or self.pending)

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return self.result is not None

    @property
    def fen(self) -> Fen:
        """Return the position as one line in the notation of its game; a FEN marks uncertain pieces."""
        return Fen(self.rules.notated(self.position))

    @property
    def legal_moves(self) -> LegalMoves[M]:
        """Return the legal moves as values to play, compare and choose from; look up a text with ``in``."""
        return LegalMoves(self.rules, self.position, () if self.result else self.rules.moves(self.position))

    def moves(self, square: str | None = None, *, kind: str | None = None) -> list[str]:
        """Return the legal moves as texts, or those of one square or one kind: ``move, split, merge, other``."""
        rules, position = self.rules, self.state.position
        moves: Sequence[M] = () if self.result else rules.moves(position)
        if square is not None or kind is not None:
            if kind not in (None, *KINDS):
                raise InvalidMoveError(f"expected a kind of moves, one of {', '.join(KINDS)}; got {kind!r}")
            if square is not None and square not in rules.view(position).squares:
                raise self._unknown(square)
            sketched = ((move, rules.sketch(position, move)) for move in moves)
            moves = [
                move for move, drawn in sketched
                if (square is None or square in drawn.sources) and kind in (None, drawn.kind)
            ]  # fmt: skip
        self._listed = MoveTexts(rules, position, moves)
        return self._listed

    def chances(self, move: str | M | Turn[M]) -> dict[tuple[tuple[str, int], ...], float]:
        """Return the exact distribution over the answers of a move; the game is unchanged."""
        found = self.rules.chances(self.position, self.turn_of(move))
        return {answers: round(p, 12) for answers, p in found.items()}

    def outcomes(self, move: str | M | Turn[M]) -> list[Outcome[P]]:
        """Return all ways a move can end, each with `answers`, `probability` and `position`; the game is unchanged."""
        return list(self.rules.outcomes(self.position, self.turn_of(move)))

    def probability(self, square: str) -> float:
        """Return the probability that a square is occupied, or that a qubit of the game is 1, up to rounding errors."""
        view = self.rules.view(self.position)
        if square in view.squares:
            return round(sum(man.probability for man in view.men.get(square, ())), 12)
        if square in self.position.registers.home:
            return round(self.position.registers.probability(square), 12)
        raise self._unknown(square)

    def qubit(self, square: str) -> str:
        """Return the qubit of a square, or the one of that name; raises if it is neither."""
        home, speaking = self.position.registers.home, self.rules.squares(self.position)
        if square in home or square in speaking:
            return square
        if on := [qubit for qubit, place in speaking.items() if place == square]:
            return on[0]
        squares = self.rules.view(self.position).squares
        if square not in squares:
            raise self._unknown(square)
        if speaking or home.keys().isdisjoint(squares):
            named = ", ".join(map(repr, [*speaking, *home][:4])) or "not there yet"
            raise InvalidMoveError(f"no qubit of this game speaks of {square!r} alone; its qubits are {named} ...")
        return square

    def _unknown(self, square: object) -> InvalidMoveError:
        """Return what is wrong with a name that is neither a square nor a qubit."""
        squares = self.rules.view(self.position).squares
        told = f"expected a square from a1 to {squares[-1]}, or a qubit in play; got {square!r}"
        near = square.strip().lower() if isinstance(square, str) else ""
        return InvalidMoveError(f"{told}; did you mean {near!r}?" if near in squares else told)

    def __getitem__(self, square: str) -> dict[str, float]:
        """Return what may stand on a square, each with its probability."""
        view = self.rules.view(self.position)
        if square not in view.squares:
            raise InvalidMoveError(f"expected a square from a1 to {view.squares[-1]}, got {square!r}")
        return {man.symbol: round(man.probability, 12) for man in view.men.get(square, ())}

    def circuit(self, move: str | M | Turn[M] | None = None, *, whole: bool = False) -> Program:
        """Return the program of a move; without one, the circuit that made the present superposition.

        With `whole`, return the game so far as one circuit, turn after turn, with its answers; each answer is named by
        its turn, as ``m7``.
        """
        if whole and move is not None:
            raise InvalidMoveError(f"the circuit is of the whole game or of a move, got {move!r} and whole=True")
        if whole:
            from qchess.playing.whole import whole_game

            return whole_game(self)
        if move is None:
            return self.position.registers.circuit()
        return self.turn_of(move).program

    def preview(self, move: str | M | Turn[M]) -> Preview:
        """Return what a device would be sent for a move's first open question: circuits, places and figures.

        Nothing is sent or run, and the game is unchanged. On an exact engine it is the plain circuit.
        """
        return self.previews(move)[0]

    def previews(self, move: str | M | Turn[M], *, answers: Source | None = None) -> tuple[Preview, ...]:
        """Return the previews of a move's open questions, as far as answers are given, stand, or come from `answers`.

        A question whose answer stands is not sent again.
        """
        from qchess.playing.preview import Preview, SentCircuit, preview_of

        if self.result:
            raise IllegalMoveError(f"the game is over ({self.result}); no move can be previewed")
        turn = self.turn_of(move)
        text = self.rules.write(self.position, turn)
        squares, told = self.rules.squares(self.position), FixedAnswers(turn.told or {}, "record")
        found, at = [], self.rules.begin(self.position, turn)
        while isinstance(at, Pause):
            where = self.point(text, at)
            if (stands := self.state.answers.get(where)) is None:
                found.append(preview_of(self._source.at(where), at, text, turn.program, squares))
            if at.step.name in told.named:
                at = at.resume(told.draw(at))
            elif stands is not None:
                at = at.resume(stands)
            elif answers is not None:
                at = at.resume(complete(answers).at(where).draw(at))
            else:
                break
        return tuple(found) or (Preview(text, None, (SentCircuit(turn.program),)),)

    def point(self, text: str, pause: Pause) -> str:
        """Return the point of the game at which a move asks a question."""
        return self.state.point(text, pause)

    @property
    def entanglement(self) -> nx.Graph[str]:
        """Return the entanglement graph of the present position."""
        return self.position.registers.entanglement

    def turn_at(self, ply: int = -1) -> Turn[M]:
        """Return the turn of a played move, by its place in the history; the last one unchanged."""
        played, last = self.state.plies[ply], self._ended_turn
        if last is not None and last.position is played.before and last.move == played.move:
            return last
        return self.rules.turn(played.before, played.move)

    def turn_of(self, move: str | M | Turn[M]) -> Turn[M]:
        """Return the turn of a legal move; a turn of this position is returned as it is."""
        if isinstance(move, str):
            known = self._looked_at(move)
            return self.rules.read_turn(self.position, move) if known is None else self.rules.turn(self.position, known)
        if not isinstance(move, Turn):
            self.rules.check(self.position, move)
        return self.rules.turn(self.position, move)

    def _looked_at(self, text: object) -> M | None:
        """Return the move of a text that was looked at in the last list of moves, or None."""
        listed = self._listed
        if listed is None or listed.position is not self.state.position or not isinstance(text, str):
            return None
        return listed.move(text)

    # -- its record ------------------------------------------------------------------------------------------

    def record(self, **tags: str) -> Record:
        """Return the game's record: what was played, what it waits for, and the other answers that stand."""
        return Record(
            self.rules.name,
            self.rules.options(),
            tuple(Entry(p.player, p.text, p.answers) for p in self.state.plies),
            self.result,
            self.backend.name,
            tags,
            seed=self.seed,
            outcomes=self._source.text,
            players=dict(self.players),
            pending=self.pending.entry if self.pending else None,
            standing=self.state.standing(),
            asked=dict(self.asked),
            seal=self.seal,
            nonces=dict(self.nonces),
            sources=tuple(self.sources),
            own=type(self._source) is not Refused,
            dice_from=self.dice_from,
            placed_from=self.placed_from,
        )

    # -- as people see it ------------------------------------------------------------------------------------

    def __dir__(self) -> list[str]:
        return listed(self, PLUMBING)

    def view(self, ply: int = -1, last: Any = None) -> View:
        """Return the board after `ply` moves, with the last move and the registers' lasting numbers."""
        positions, plies = self.state.positions, self.state.plies
        at = ply % len(positions)
        last = plies[at - 1].move if last is None and at else last
        return self.numbered(at).on(self.rules.view(positions[at], last))

    def numbered(self, ply: int = -1) -> Numbered:
        """Return the numbered registers of a position of the game, ignoring moves taken back."""
        known, positions = self._numbered, self.state.positions
        at = ply % len(positions)
        while known and (len(known) > len(positions) or known[-1][0] is not positions[len(known) - 1]):
            known.pop()
        while len(known) <= at:
            position = positions[len(known)]
            first = None if known else self.state.numbered
            before = known[-1][1] if known else Numbered()
            known.append((position, first or before.then(self.rules.groups(position))))
        return known[at][1]

    def __str__(self) -> str:
        from qchess.showing.boardtext import draw

        return draw(self.view())

    def svg(self, *, links: bool = False, phases: bool = False) -> str:
        """Return the board as an SVG picture; with the links between squares and the phases on request."""
        from qchess.showing.svg import board

        return board(self.view(), links=links, phases=phases)

    @property
    def about(self) -> str:
        """Return the board in a sentence: the game, who is to move, and the probability of each uncertain square."""
        turn = f", {self.player} to move" if self.result is None else f". {self.result}"
        told = f"{self.rules.title} after {self.state.ply} moves{turn}"
        return f"{told}; {occupied(self.rules.view(self.position))}."

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_mimebundle_(self, **_: Any) -> Bundle:
        return bundle(self.svg(), self.about)

    def __repr__(self) -> str:
        return f"<Game {self.rules.name} on {self.backend.name}: {self.state.ply} moves, {self.result or 'going on'}>"
