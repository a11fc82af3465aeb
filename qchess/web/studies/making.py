"""Questions about games that must first be made, from options sent by somebody: answered in a worker.

Bytes are parsed and written here, not in the server's own loop.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from qchess import reading
from qchess.backends import ready
from qchess.circuits.kernels import OutOfTimeError, deadline
from qchess.errors import InvalidMoveError
from qchess.games import rules
from qchess.playing.game import Game
from qchess.web import seeds, work
from qchess.web.studies import asking
from qchess.web.studies.sharing import read, study_values

#: the longest body: a whole study, or a record
MOST_BYTES = 4 * 1024 * 1024
#: the most inputs of a learner, and the longest name
MOST_SAID, LONGEST = 400, 200


class Maker(NamedTuple):
    """Makes games: holds a backend, and the seed of answers."""

    backend: str
    seed: str

    def game(self, name: str, options: Mapping[str, Any]) -> Game[Any, Any]:
        """Return a game at its start."""
        backend = ready.backend(self.backend)
        return Game(rules(name, **options), backend, source=seeds.source(backend, self.seed))

    def asked(self, data: Mapping[str, Any]) -> Game[Any, Any]:
        """Return the game that a page names, with its options."""
        name = reading.text(data.get("game", "quantum-chess"), "'game'", LONGEST)
        return self.game(name, asking.options_of(data.get("options")))


def sent(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body."""
    return reading.json_object(body, "what is asked", MOST_BYTES + 1)


# -- studies ----------------------------------------------------------------------------------------------------


def answered(make: Maker, data: Mapping[str, Any], agents: Sequence[str]) -> dict[str, Any]:
    """Return the answer to ``{game, options, line, ask}``."""
    ask = reading.mapping(data.get("ask"), "'ask'")
    if ask.get("kind") == "analyse" and agents:
        reading.one_of(ask.get("agent"), "an agent of this server", tuple(agents))
    return asking.study(make.asked(data), data.get("line", []), ask)


def studied(make: Maker, body: bytes, agents: Sequence[str]) -> bytes:
    """Return the answer to a page's question, as JSON."""
    return work.text_of(answered(make, sent(body), agents))


def brought(make: Maker, body: bytes) -> bytes:
    """Return a submitted game as the line of a study."""
    data = sent(body)
    text = reading.text(data.get("text"), "'text'", MOST_BYTES)
    number = reading.integer(data.get("number", 1), "'number'", 1, 10_000)
    return work.text_of(asking.open_text(text, number, make.backend))


def taught(make: Maker, body: bytes) -> bytes:
    """Return a lesson after the learner's input so far."""
    data = sent(body)
    name = reading.text(data.get("lesson"), "'lesson'", LONGEST)
    seed = reading.integer(data.get("seed"), "'seed'", 0, 2**53)
    said = reading.texts(data.get("said", []), "'said'", MOST_SAID, LONGEST)
    return work.text_of(asking.lesson(make.asked({"game": data.get("game")}), name, seed, said))


class Sent(NamedTuple):
    """A study to be stored: its name and key if it exists already, and its length as JSON."""

    name: Any
    key: Any
    study: dict[str, Any]
    size: int


def checked(make: Maker, body: bytes) -> Sent:
    """Return a submitted study, reduced to the fields of a study."""
    data = sent(body)
    study = study_values(data.get("study"))
    return Sent(data.get("name"), data.get("key"), study, len(json.dumps(study)))


def kept(make: Maker, head: str, entry: str | None) -> tuple[str | None, str | None]:
    """Return the hash of a stored study's key, and its last state as JSON."""
    return read(head, entry)


# -- tables -----------------------------------------------------------------------------------------------------


class Begun(NamedTuple):
    """The first position of a table, and its board."""

    start: Any
    board: work.Board


def begun(make: Maker, game: str, options: Mapping[str, Any], seconds: float) -> Begun:
    """Return the start of a table, set up within this many seconds."""
    try:
        with deadline(seconds):
            made = make.game(game, options)
            return Begun(made.position, work.board(made))
    except OutOfTimeError as error:
        raise InvalidMoveError("this position takes too long to set up here") from error


def loaded(make: Maker, game: str, options: Mapping[str, Any], rows: work.Rows, secret: str) -> work.ReplayResult:
    """Return the game of a stored table, and the results of its rows."""
    return work.replay(make.game(game, options), rows, secret)
