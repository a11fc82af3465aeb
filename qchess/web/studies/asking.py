"""The questions of a study: a line of moves is replayed from the start, and a question is asked there.

A line is a list of moves with their answers, as a page holds it. The server stores nothing of a study: these functions
get all they need, and may be called in a worker process.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from qchess import games, reading
from qchess.circuits.sources import DRAWN
from qchess.errors import InvalidMoveError
from qchess.games import presets
from qchess.playing.game import Game
from qchess.playing.record import Record, plain
from qchess.playing.replaying import replay_moves
from qchess.web import work
from qchess.web.studies import exports, telling
from qchess.web.studies.opening import record as opened

AnyGame = Game[Any, Any]
#: the limits of a line: moves, characters of a move, answers of a move, characters of an option
MOST_MOVES, LONGEST, MOST_ANSWERS, LONGEST_OPTION = 1000, 200, 1000, 10_000
#: the options with which games set up a position: the position as text, or moves
POSITIONS, SETUPS = ("fen", "nfen", "pqfen", "position"), ("setup",)
FORMS = ("json", "html", "svg", "animated", "txt")
#: the largest answer of a read-out
LARGEST = 10**60


def line_of(values: Any) -> list[tuple[str, dict[str, int] | None]]:
    """Parse a line from a page: moves, each with its answers if it asked."""
    return [_move(value) for value in reading.items(values, "'line'", MOST_MOVES)]


def _move(value: Any) -> tuple[str, dict[str, int] | None]:
    data = reading.mapping(value, "a move of the line")
    text = reading.text(data.get("text"), "the 'text' of a move", LONGEST)
    return text, answers_of(data.get("answers"))


def answers_of(value: Any) -> dict[str, int] | None:
    """Parse answers by name; None if there are none."""
    if value is None:
        return None
    data = reading.mapping(value, "'answers'")
    if len(data) > MOST_ANSWERS:
        raise InvalidMoveError(f"expected at most {MOST_ANSWERS} answers, got {len(data)}")
    return {name: reading.integer(told, f"the answer {reading.shown(name)}", 0, LARGEST) for name, told in data.items()}


def study(game: AnyGame, line: Any, ask: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a question after a line of a game, which starts at its beginning.

    ``state``, ``play`` (with `text`, and `answers` where the teacher sets them), ``record`` (with `form`), ``analyse``
    (with `agent`), or a question that `telling.answer` knows.
    """
    replay_moves(game, line_of(line))
    kind = ask.get("kind")
    if kind == "state":
        return telling.state(game)
    if kind == "play":
        return _played(game, ask)
    if kind == "record":
        return _record(game, reading.text(ask.get("form"), "'form'", 20))
    if kind == "analyse":
        return _analysed(game, reading.text(ask.get("agent"), "'agent'", LONGEST))
    return telling.answer(game, ask)


def _played(game: AnyGame, ask: Mapping[str, Any]) -> dict[str, Any]:
    """Play one more move: returns it as in the tree, and the state after it."""
    told = answers_of(ask.get("answers"))
    game.play(reading.text(ask.get("text"), "'text'", LONGEST), outcome=told)
    state = telling.state(game)
    entry = {**state["history"][-1], **move_values(game, len(game.history))}
    asked = any(answer["source"] != "certain" for answer in entry.get("provenance", ()))
    return {"kind": "played", "entry": {**entry, "set": told is not None and asked}, "state": state}


def move_values(game: AnyGame, ply: int) -> dict[str, Any]:
    """Return a played move as in a line."""
    played = game.history[ply - 1]
    return {"text": played.text, "answers": {answer.name: answer.value for answer in played.answers} or None}


def _analysed(game: AnyGame, agent: str) -> dict[str, Any]:
    found = work.analyse(game, agent, f"study {len(game.history)}")
    return {"kind": "analysis", "ply": len(game.history), **found}


def _record(game: AnyGame, form: str) -> dict[str, Any]:
    """Return the line as a file: a record, a standalone page, a picture, or a notation of the game."""
    text = exports.animated(game) if form == "animated" else _written(game, form)
    if text is None:
        row = next(row for row in games.rows() if row.name == game.rules.name)
        known = (*FORMS, *dict(row.notations))
        raise InvalidMoveError(f"a line of this game is written as {', '.join(known)}; got {reading.shown(form)}")
    return {"kind": "record", "form": form, "text": text}


def _written(game: AnyGame, form: str, record: Record | None = None) -> str | None:
    """Return a game as a record, a page, a picture, a text, or in a notation; None if it has no such form."""
    record = record or game.record()
    if form == "json":
        return record.to_json()
    if form == "html":
        return exports.page(game)
    if form in ("svg", "txt"):
        return game.svg() if form == "svg" else f"{game}\n"
    row = next(row for row in games.rows() if row.name == game.rules.name)
    return row.written(record, form)


def exported(
    game: AnyGame, rows: work.Rows, form: str, players: Mapping[str, str], secret: str = "", *, over: bool = False
) -> str | None:
    """Return a table's game as a file of some form, with its seed once it is over; None if it has no such notation."""
    from qchess.web.words import hidden

    game.players.update(players)
    work.replay(game, rows, secret)
    game.seed = secret if secret.startswith(DRAWN) else None
    game.nonces = {row["player"]: row["words"] for row in rows if row["kind"] == "nonce"}
    record = game.record() if over else game.record().without_seed()
    found = exports.animated(game) if form == "moving.svg" else _written(game, form, record)
    return None if found is None else str(found if over else hidden(found, secret))


def viewed(game: AnyGame, rows: work.Rows, told: Mapping[str, Any], secret: str = "") -> bytes:
    """Return a whole game for showing, as JSON: what is said of it, and the view after every move."""
    return work.text_of({**told, "views": work.views(game, rows, secret)})


# -- setting up ---------------------------------------------------------------------------------------------


def setups() -> list[dict[str, Any]]:
    """Return for each game how a study can begin: presets, and the options that set up a position."""
    return [_setup(row) for row in games.rows()]


def _setup(row: Any) -> dict[str, Any]:
    made = row.rules()
    known = inspect.signature(type(made)).parameters
    return {
        "name": row.name,
        "title": made.title,
        "players": list(made.players),
        "presets": [
            {"name": name, "summary": told, "options": presets.options(row.name, name)}
            for name, told in presets.summaries(row.name).items()
        ],
        "position": next((name for name in POSITIONS if name in known), None),
        "setup": next((name for name in SETUPS if name in known), None),
        "notations": list(dict(row.notations)),
    }


def options_of(values: Any) -> dict[str, Any]:
    """Parse options of a game's rules from a page."""
    data = reading.mapping({} if values is None else values, "'options'")
    if len(str(data)) > LONGEST_OPTION:
        raise InvalidMoveError(f"expected options of at most {LONGEST_OPTION} characters, got {len(str(data))}")
    return data


def open_text(text: str, number: int = 1, backend: str = "sparse") -> dict[str, Any]:
    """Return a record or a game in a notation as the line of a study."""
    from qchess.playing.replaying import replay

    told = replay(opened(text, number), backend=backend)
    moves: Sequence[dict[str, Any]] = [
        {**telling.entry(told, ply), **move_values(told, ply)} for ply in range(1, len(told.history) + 1)
    ]
    return {"game": told.rules.name, "options": plain(told.rules.options()), "title": told.rules.title, "line": moves}


# -- lessons --------------------------------------------------------------------------------------------------


def lesson(game: AnyGame, name: str, seed: int, said: Sequence[str]) -> dict[str, Any]:
    """Return a lesson after the learner's input so far: its results, the next question, and the board.

    The same seed gives the same outcomes, so nothing has to be stored between two answers.
    """
    from qchess.lessons.lesson import course
    from qchess.lessons.walk import Walk

    walk = Walk(course(game.rules.name).lesson(name), seed=seed)
    heard: tuple[str, ...] = ()
    for text in said:
        heard = walk.answer(text)
    question = walk.step.question if walk.awaits == "prediction" else None
    return {
        "title": walk.lesson.title,
        "intro": list(walk.lesson.intro),
        "says": list(heard),
        "awaits": walk.awaits,
        "task": walk.step.task if walk.awaits != "nothing" else "",
        "question": question and {"text": question.text, "choices": list(question.choices)},
        "moves": list(walk.step.moves) if walk.awaits == "move" else [],
        "step": walk.at,
        "steps": len(walk.lesson.steps),
        "state": telling.state(walk.game, "all" if walk.awaits == "move" else None),
    }
