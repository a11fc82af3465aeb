"""The record of a game: start, moves, answers with their odds and sources."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from qchess import reading
from qchess.circuits.engine import Answer, Sample, Ticket
from qchess.circuits.errors import whole
from qchess.circuits.precision import WRITTEN
from qchess.errors import InvalidMoveError
from qchess.rules import Result
from qchess.version import __version__

FORMATS = ("qchess-record-1", "qchess-record-2")
#: the deepest nesting of a source's details
DEEPEST = 40
#: limits of what is read: turns, answers of one turn, characters of names and of moves, answers, seeds
MOST_ENTRIES, MOST_ANSWERS, LONGEST_NAME, LONGEST_MOVE = 100_000, 1000, 1000, 10_000
LARGEST, LARGEST_SEED = 10**60, 10**60


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn: the move as text with its answers, and what is known of each answer."""

    player: str
    move: str
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A turn that waits for an answer: the move, its answers so far, the question, and the ticket."""

    move: str
    answers: tuple[Answer, ...]
    question: str
    ticket: Ticket | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game, replayable on any engine."""

    game: str
    options: Mapping[str, Any]
    entries: tuple[Entry, ...] = ()
    result: Result | None = None
    backend: str = "sparse"
    tags: Mapping[str, str] = field(default_factory=dict)
    #: the seed of the answers; a game that is played on continues with it
    seed: int | str | None = None
    #: where the answers came from, if not from the backend: a name such as ``qrng:bits.pool``
    outcomes: str | None = None
    #: the players, with their settings
    players: Mapping[str, Any] = field(default_factory=dict)
    pending: Waiting | None = None
    #: answers that stand although their moves were taken back, by their point
    standing: Mapping[str, Sample] = field(default_factory=dict)
    #: submitted questions without an answer, by their point; each name is in the key of its job
    asked: Mapping[str, str] = field(default_factory=dict)
    #: the hash of a seed that was drawn: shown while the game goes on, it proves at the end that the seed was the same
    seal: str | None = field(default=None, compare=False)
    #: what each player added to the seed, after the seal was shown
    nonces: Mapping[str, str] = field(default_factory=dict, compare=False)
    #: the sources of the answers, each with the number of the first turn that it answered
    sources: tuple[tuple[int, str], ...] = field(default=(), compare=False)
    #: whether its game is of this process; what was read is not, and opens nothing outside without its reader's word
    own: bool = field(default=False, compare=False)
    #: the first turn whose answers follow from this seed; earlier ones come from a game it was forked from
    dice_from: int = field(default=1, compare=False)
    #: the first turn whose answers of dice follow from their place in the game: they do since the second format
    placed_from: int = field(default=1, compare=False)

    def moves(self) -> tuple[str, ...]:
        """Return the moves as text, answers included."""
        return tuple(entry.move for entry in self.entries)

    def without_seed(self) -> Record:
        """Return what may be shown while the game goes on: the same, but for the seed of the answers to come."""
        return replace(self, seed=None)

    def to_json(self) -> str:
        """Return the record as JSON text."""
        return json.dumps(self._values(), indent=1)

    def _values(self) -> dict[str, Any]:
        waits = self.pending
        return {
            "format": FORMATS[-1],
            "game": self.game,
            "options": plain(self.options),
            "seed": self.seed,
            **({"seal": self.seal} if self.seal else {}),
            **({"nonces": dict(self.nonces)} if self.nonces else {}),
            "backend": self.backend,
            **({"outcomes": self.outcomes} if self.outcomes else {}),
            **({"sources": [list(noted) for noted in self.sources]} if self.sources else {}),
            **({"dice_from": self.dice_from} if self.dice_from > 1 else {}),
            **({"placed_from": self.placed_from} if self.placed_from > 1 else {}),
            "versions": _versions(),
            "players": plain(self.players),
            "entries": [entry_values(entry) for entry in self.entries],
            "pending": waits and waiting_values(waits),
            "standing": {
                point: [draw.value, draw.source, plain(draw.details)] for point, draw in self.standing.items()
            },
            **({"asked": dict(self.asked)} if self.asked else {}),
            "result": self.result and {"winner": self.result.winner, "reason": self.result.reason},
            "tags": plain(self.tags),
        }

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Parse the result of `to_json`, or a record of the first format."""
        data = reading.json_object(text, "a game record")
        reading.one_of(data.get("format"), "the format of a record", FORMATS)
        standing = reading.mapping(data.get("standing", {}), "'standing'")
        asked = reading.mapping(data.get("asked", {}), "'asked'")
        entries = tuple(entry_of(entry) for entry in reading.items(data.get("entries"), "'entries'", MOST_ENTRIES))
        placed_from = data.get("placed_from", 1 if data["format"] != FORMATS[0] else len(entries) + 1)
        return cls(
            game=reading.text(data.get("game"), "'game'", LONGEST_NAME),
            options=reading.mapping(data.get("options"), "'options'"),
            entries=entries,
            result=_result(data.get("result")),
            backend=reading.text(data.get("backend"), "'backend'", LONGEST_NAME),
            tags={name: str(value) for name, value in reading.mapping(data.get("tags", {}), "'tags'").items()},
            seed=_seed(data.get("seed")),
            dice_from=reading.integer(data.get("dice_from", 1), "'dice_from'", 1, MOST_ENTRIES + 1),
            placed_from=reading.integer(placed_from, "'placed_from'", 1, MOST_ENTRIES + 1),
            nonces=_nonces(data.get("nonces", {})),
            seal=None if data.get("seal") is None else reading.text(data["seal"], "'seal'", LONGEST_NAME),
            outcomes=_outcomes(data.get("outcomes")),
            sources=tuple(_noted(each) for each in reading.items(data.get("sources", []), "'sources'", MOST_ENTRIES)),
            players=reading.mapping(data.get("players", {}), "'players'"),
            pending=waiting_of(data.get("pending")),
            standing={point: _draw(told) for point, told in standing.items()},
            asked={point: reading.text(name, "a name in 'asked'", LONGEST_NAME) for point, name in asked.items()},
        )


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON and UTF-8 can hold it; other kinds become their text."""
    if depth > DEEPEST:
        return repr(value)
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, Mapping):
        return {whole(str(key)): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner, depth + 1) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (int, float, bool)) else repr(value)


def _versions() -> dict[str, str]:
    return {"qchess": __version__}


def entry_values(entry: Entry) -> dict[str, Any]:
    """Return a turn as JSON values."""
    return {"player": entry.player, "move": entry.move, "answers": [answer_values(a) for a in entry.answers]}


def waiting_values(waits: Waiting) -> dict[str, Any]:
    """Return a waiting turn as JSON values."""
    return {
        "move": waits.move,
        "answers": [answer_values(a) for a in waits.answers],
        "question": waits.question,
        "ticket": plain(waits.ticket),
    }


def answer_values(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON values."""
    values = {"name": answer.name, "value": answer.value, "probability": answer.probability, "source": answer.source}
    return {**values, "details": plain(answer.details)}


# -- reading ----------------------------------------------------------------------------------------------


def entry_of(values: Any) -> Entry:
    """Parse a turn from JSON values."""
    data = reading.mapping(values, "a turn of the record")
    player = reading.text(data.get("player"), "the 'player' of a turn", LONGEST_NAME)
    return Entry(player, _move(data), _answers(data))


def _move(data: Mapping[str, Any]) -> str:
    return reading.text(data.get("move"), "the 'move' of a turn", LONGEST_MOVE)


def _answers(data: Mapping[str, Any]) -> tuple[Answer, ...]:
    return tuple(_answer(told) for told in reading.items(data.get("answers", []), "'answers'", MOST_ANSWERS))


def _answer(values: Any) -> Answer:
    data = reading.mapping(values, "an answer of the record")
    return Answer(
        reading.text(data.get("name"), "the 'name' of an answer", LONGEST_NAME),
        reading.integer(data.get("value"), "the 'value' of an answer", 0, LARGEST),
        reading.number(data.get("probability"), "the 'probability' of an answer", 0, 1 + WRITTEN),
        reading.text(data.get("source"), "the 'source' of an answer", LONGEST_MOVE),
        plain(reading.mapping(data.get("details", {}), "the 'details' of an answer")),
    )


def _draw(values: Any) -> Sample:
    told = reading.items(values, "an answer that stands, [value, source, details],", 3)
    if len(told) != 3:
        raise InvalidMoveError(f"expected an answer that stands as [value, source, details], got {reading.shown(told)}")
    return Sample(
        reading.integer(told[0], "an answer that stands", 0, LARGEST),
        reading.text(told[1], "the source of an answer that stands", LONGEST_MOVE),
        plain(reading.mapping(told[2], "the details of an answer that stands")),
    )


def _noted(values: Any) -> tuple[int, str]:
    told = reading.items(values, "a noted source, [turn, name],", 2)
    if len(told) != 2:
        raise InvalidMoveError(f"expected a noted source as [turn, name], got {reading.shown(told)}")
    turn = reading.integer(told[0], "the turn of a noted source", 1, MOST_ENTRIES)
    return turn, reading.text(told[1], "the name of a noted source", LONGEST_MOVE)


def _nonces(values: Any) -> dict[str, str]:
    told = reading.mapping(values, "'nonces'")
    return {player: reading.text(words, f"the nonce of {player}", LONGEST_NAME) for player, words in told.items()}


def _seed(value: Any) -> int | str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return reading.text(value, "'seed'", LONGEST_MOVE)
    return reading.integer(value, "'seed' (a whole number, a text or null)", -LARGEST_SEED, LARGEST_SEED)


def _outcomes(value: Any) -> str | None:
    return None if value is None else reading.text(value, "'outcomes' (the name of a source, or null)", LONGEST_NAME)


def _result(values: Any) -> Result | None:
    if values is None:
        return None
    data = reading.mapping(values, "the result of the record")
    winner = data.get("winner")
    return Result(
        None if winner is None else reading.text(winner, "the winner's name, or null,", LONGEST_NAME),
        reading.text(data.get("reason"), "the 'reason' of the result", LONGEST_MOVE),
    )


def waiting_of(values: Any) -> Waiting | None:
    """Parse a waiting turn from JSON values."""
    if values is None:
        return None
    data = reading.mapping(values, "the waiting turn of the record")
    ticket = data.get("ticket")
    return Waiting(
        _move(data),
        _answers(data),
        reading.text(data.get("question"), "the 'question' of the waiting turn", LONGEST_NAME),
        None if ticket is None else reading.mapping(ticket, "the ticket of the waiting turn, or null,"),
    )
