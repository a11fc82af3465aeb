"""Questions about games that are still to be made, from options that somebody sent: they are asked in a worker.

What comes as bytes is read here, and what goes out as bytes is written here: the server's own loop does neither.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from qchess import backends, reading
from qchess.circuits.kernels import OutOfTimeError, deadline
from qchess.errors import InvalidMoveError
from qchess.games import rules
from qchess.playing.game import Game
from qchess.web import dice, work
from qchess.web.store import DamagedError
from qchess.web.studies import asking
from qchess.web.studies.sharing import read, study_values

#: the longest body: a whole study, or a record that somebody brings
MOST_BYTES = 4 * 1024 * 1024
#: what a learner may have said, and characters of a name
MOST_SAID, LONGEST = 400, 200


class Maker(NamedTuple):
    """What makes a game: its backend, and what its answers are drawn from."""

    backend: str
    seed: str

    def game(self, name: str, options: Mapping[str, Any]) -> Game[Any, Any]:
        """A game that stands at its start."""
        backend = backends.get(self.backend)
        return Game(rules(name, **options), backend, source=dice.source(backend, self.seed))

    def asked(self, data: Mapping[str, Any]) -> Game[Any, Any]:
        """The game that a page names, with its options."""
        name = reading.text(data.get("game", "quantum-chess"), "'game'", LONGEST)
        return self.game(name, asking.options_of(data.get("options")))


def sent(body: bytes) -> dict[str, Any]:
    """The JSON object that a body holds."""
    return reading.json_object(body, "what is asked", MOST_BYTES + 1)


# -- studies ----------------------------------------------------------------------------------------------------


def answered(make: Maker, data: Mapping[str, Any], agents: Sequence[str]) -> dict[str, Any]:
    """The answer to ``{game, options, line, ask}``."""
    ask = reading.mapping(data.get("ask"), "'ask'")
    if ask.get("kind") == "analyse" and agents:
        reading.one_of(ask.get("agent"), "an agent of this server", tuple(agents))
    return asking.study(make.asked(data), data.get("line", []), ask)


def studied(make: Maker, body: bytes, agents: Sequence[str]) -> bytes:
    """The answer to what a page asks, as JSON."""
    return work.text_of(answered(make, sent(body), agents))


def brought(make: Maker, body: bytes) -> bytes:
    """A game that somebody brings, as the line of a study."""
    data = sent(body)
    text = reading.text(data.get("text"), "'text'", MOST_BYTES)
    number = reading.integer(data.get("number", 1), "'number'", 1, 10_000)
    return work.text_of(asking.open_text(text, number, make.backend))


def taught(make: Maker, body: bytes) -> bytes:
    """A lesson after what the learner said so far."""
    data = sent(body)
    name = reading.text(data.get("lesson"), "'lesson'", LONGEST)
    seed = reading.integer(data.get("seed"), "'seed'", 0, 2**53)
    said = reading.texts(data.get("said", []), "'said'", MOST_SAID, LONGEST)
    return work.text_of(asking.lesson(make.asked({"game": data.get("game")}), name, seed, said))


class Sent(NamedTuple):
    """A study that is to be kept: under which name and key, if there is one already, and how long it is as JSON."""

    name: Any
    key: Any
    study: dict[str, Any]
    size: int


def checked(make: Maker, body: bytes) -> Sent:
    """A study that somebody sends, with nothing in it but what a study has."""
    data = sent(body)
    study = study_values(data.get("study"))
    return Sent(data.get("name"), data.get("key"), study, len(json.dumps(study)))


def kept(make: Maker, head: str, entry: str | None) -> tuple[str | None, str | None]:
    """The hash of a kept study's key, and its last state as JSON."""
    return read(head, entry)


# -- tables -----------------------------------------------------------------------------------------------------


class Begun(NamedTuple):
    """The first position of a table, and the board there."""

    start: Any
    board: work.Board


def begun(make: Maker, game: str, options: Mapping[str, Any], seconds: float) -> Begun:
    """The start of a table, if it is set up in so many seconds."""
    try:
        with deadline(seconds):
            made = make.game(game, options)
            return Begun(made.position, work.board(made))
    except OutOfTimeError as error:
        raise InvalidMoveError("this position takes too long to set up here") from error


def loaded(make: Maker, game: str, options: Mapping[str, Any], rows: work.Rows, secret: str) -> tuple[Any, work.Loaded]:
    """The start of a table that is kept, and what its rows tell."""
    try:
        made = make.game(game, options)
        return made.position, work.replay(made, rows, secret)
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise DamagedError(repr(error)) from error
