"""A game being played: the thin shell that people hold around pure rules.

Positions are kept, never inverted: undo restores the old position, redo the new one with its outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qchess import backends
from qchess.circuits.engine import Answer, Ask, Draw, Source
from qchess.circuits.program import Program
from qchess.errors import BackendError, IllegalMoveError, InvalidMoveError
from qchess.playing.record import Entry, Record
from qchess.rules import Result, Rules

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class Played:
    """What a move came to: its text with the answers, and each answer with its odds and source."""

    player: str
    move: Any
    text: str
    answers: tuple[Answer, ...]

    @property
    def measured(self) -> bool:
        """Whether the move asked a question."""
        return bool(self.answers)

    def __str__(self) -> str:
        # a read-out of several qubits is spelled out in the text; as a number it would tell nobody anything
        found = ((f"{a.name}={a.value}" if a.value in (0, 1) else a.name, a) for a in self.answers)
        odds = ", ".join(f"{what} ({_odds(a)})" for what, a in found)
        return f"{self.text}  {odds}" if odds else self.text


def _odds(answer: Answer) -> str:
    """The odds and the source, without the noise of an engine: 1/128 lies between two texts of four digits."""
    return "certain" if answer.source == "certain" else f"p={round(answer.probability, 12):.4g}, {answer.source}"


class Game:
    """One game, on one backend.

    >>> import qchess
    >>> game = qchess.new('quantum-chess', seed=1)
    >>> game.play('b1^a3c3').text
    'b1^a3c3'
    >>> round(game.position.registers.probability('a3'), 12)
    0.5
    """

    def __init__(
        self,
        rules: Rules[Any, Any],
        backend: backends.Backend | None = None,
        *,
        seed: int | None = None,
        source: Source | None = None,
    ) -> None:
        self.rules = rules
        self.backend = backend or backends.get()
        self.source = source if source is not None else self.backend.source(seed)
        self._positions: list[Any] = [rules.start(self.backend.engine)]
        self._played: list[Played] = []
        self._undone: list[tuple[Any, Played]] = []
        self._ended: Result | None = None

    # -- what is ----------------------------------------------------------------------------------------

    @property
    def position(self) -> Any:
        """The present position."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Any, ...]:
        """Every position so far: the start, and the one after each move."""
        return tuple(self._positions)

    @property
    def player(self) -> str:
        """Whose turn it is."""
        return str(self.position.player)

    @property
    def history(self) -> tuple[Played, ...]:
        """The moves played so far."""
        return tuple(self._played)

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it goes on."""
        return self._ended or self.rules.result(self.position)

    def moves(self) -> list[str]:
        """Every legal move as text; none once the game is over."""
        if self.result:
            return []
        return [self.rules.write(self.position, move) for move in self.rules.moves(self.position)]

    def chances(self, move: str | Any) -> dict[tuple[tuple[str, int], ...], float]:
        """The exact distribution over the answers of a move; nothing is asked by looking."""
        return self.rules.chances(self.position, self._move(move)[0])

    def circuit(self, move: str | Any | None = None) -> Program:
        """The program of a move; without one, the circuit that made the present superposition."""
        if move is None:
            return self.position.registers.circuit()  # type: ignore[no-any-return]
        return self.rules.compile(self.position, self._move(move)[0])

    @property
    def entanglement(self) -> nx.Graph[str]:
        """The entanglement graph of the present position."""
        return self.position.registers.entanglement

    # -- what happens -----------------------------------------------------------------------------------

    def play(self, move: str | Any, *, outcome: Mapping[str, int] | Sequence[int] | None = None) -> Played:
        """Plays a legal move. `outcome` forces its answers: for replay and study, never for players."""
        self._refuse_if_over("no move can be played")
        chosen, recorded = self._move(move)
        wanted = outcome if outcome is not None else recorded
        source: Source = self.source
        if wanted is not None:
            values = tuple(wanted.values()) if isinstance(wanted, Mapping) else tuple(wanted)
            source = backends.Forced(values, "record" if outcome is None else "forced")
        return self._play(chosen, source)

    def _retell(self, entry: Entry) -> None:
        """Plays a turn of a record again: the odds are found anew, the answers keep their sources."""
        self._refuse_if_over("no move can be played")
        self._play(self._move(entry.move)[0], _Told(entry.answers))

    def _play(self, chosen: Any, source: Source) -> Played:
        position = self.position
        after, answers = self.rules.step(position, chosen, source)
        text = self.rules.write(position, chosen, {answer.name: answer.value for answer in answers})
        played = Played(position.player, chosen, text, answers)
        self._positions.append(after)
        self._played.append(played)
        self._undone.clear()
        return played

    def undo(self) -> Played:
        """Takes the last move back: the old position itself returns, measured or not."""
        if not self._played:
            raise IllegalMoveError("there is no move to take back; this is the start")
        self._ended = None
        played = self._played.pop()
        self._undone.append((self._positions.pop(), played))
        return played

    def redo(self) -> Played:
        """Plays the move last taken back again, with the same outcome."""
        if not self._undone:
            raise IllegalMoveError("there is no move to play again")
        position, played = self._undone.pop()
        self._positions.append(position)
        self._played.append(played)
        return played

    def resign(self) -> Result:
        """The player to move gives up."""
        return self.forfeit("resignation")

    def forfeit(self, reason: str) -> Result:
        """The player to move loses for a reason that no rule knows; what was taken back is gone."""
        self._refuse_if_over("it cannot be given up any more")
        others = [player for player in self.rules.players if player != self.player]
        self._ended = Result(others[0], reason)
        self._undone.clear()
        return self._ended

    def _move(self, move: str | Any) -> tuple[Any, dict[str, int] | None]:
        if isinstance(move, str):
            return self.rules.read(self.position, move)
        self.rules.check(self.position, move)
        return move, None

    def _refuse_if_over(self, so: str) -> None:
        if result := self.result:
            raise IllegalMoveError(f"the game is over: {result}; {so}")

    # -- records and pictures ---------------------------------------------------------------------------

    def record(self, **tags: str) -> Record:
        """The game as its record."""
        entries = tuple(Entry(p.player, p.text, p.answers) for p in self._played)
        return Record(self.rules.name, self.rules.options(), entries, self.result, self.backend.name, tags)

    def __str__(self) -> str:
        return self.rules.text(self.position)

    def _repr_svg_(self) -> str:
        last = self._played[-1].move if self._played else None
        return self.rules.svg(self.position, last)

    def __repr__(self) -> str:
        return (
            f"<Game {self.rules.name} on {self.backend.name}: {len(self._played)} moves, {self.result or 'going on'}>"
        )


class _Told:
    """Gives the answers of a record once more, each with the source and the details it had."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self.answers = iter(tuple(answers))

    def draw(self, ask: Ask) -> Draw:
        """The next recorded answer."""
        for answer in self.answers:
            return Draw(answer.value, answer.source, answer.details)
        raise BackendError(f"no recorded answer is left for the question {ask.step.name!r} (odds {dict(ask.odds)})")


def new(
    game: str = "quantum-chess",
    *,
    backend: str | backends.Backend = "sparse",
    seed: int | None = None,
    source: Source | None = None,
    **options: Any,
) -> Game:
    """A new game: ``new('quantum-chess', backend='cirq', seed=7, fen='...')``."""
    from qchess.games import rules

    chosen = backends.get(backend) if isinstance(backend, str) else backend
    return Game(rules(game, **options), chosen, seed=seed, source=source)


def replay(record: Record | str, *, backend: str | backends.Backend | None = None, seed: int | None = None) -> Game:
    """The game that a record tells, on any backend; it may be played on."""
    if isinstance(record, str):
        record = Record.from_json(record)
    game = new(record.game, backend=backend or record.backend, seed=seed, **record.options)
    for number, entry in enumerate(record.entries, 1):
        try:
            game._retell(entry)
        except ValueError as error:
            raise InvalidMoveError(f"the record breaks off at move {number}, {entry.move!r}: {error}") from error
    if record.result and game.result and record.result != game.result:
        raise InvalidMoveError(f"the record says '{record.result}', but its moves end with '{game.result}'")
    game._ended = game.result or record.result  # people may end a game where no rule does
    return game
