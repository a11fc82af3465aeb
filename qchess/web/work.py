"""Questions about a game, each a function of a game and plain values; called here or in a worker process.

A game is made from the state of the table's game without its past, so changes here do not affect that game.
Results are plain values, or can be pickled.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from qchess.circuits.registers import Pause
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.playing.game import Game
from qchess.playing.record import Entry, Waiting, entry_of, entry_values, waiting_of, waiting_values
from qchess.playing.replaying import NOTHING_DRAWN, replay_moves, waiting_again
from qchess.playing.sentences import sentence, threats
from qchess.playing.state import GameState
from qchess.rules import Result, Turn
from qchess.showing import viewjson
from qchess.showing.view import Sketch
from qchess.web import words
from qchess.web.jsontext import JsonText, json_text
from qchess.web.studies import circuits, registers

AnyGame = Game[Any, Any]
Rows = Sequence[Mapping[str, Any]]
#: longer lists of moves are not sent; pages ask for the moves of a square
MOST_MOVES = 1500
#: the most moves whose odds are sent at once, the seconds for it, and the most outcomes of a preview
MOST_ODDS, ODDS_SECONDS, MOST_OUTCOMES = 400, 0.5, 8
#: the kinds of rows after which a turn no longer waits
ENDS_WAITING = ("move", "undo", "end")
#: how many moves of an agent's opinion are sent
MOST_CANDIDATES = 6


class Board(NamedTuple):
    """A position as pages show it; the part sent to many is encoded already."""

    player: str
    view: JsonText
    #: the legal moves; null if there are too many
    moves: JsonText
    result: dict[str, Any] | None
    #: the branches of its largest register, and of all registers together, which a move may join
    branches: int
    together: int


class TurnResult(NamedTuple):
    """The result of a turn: played to its end, or waiting for an answer."""

    state: GameState[Any]
    #: the row to be stored: a move, or what the game waits for now
    row: dict[str, Any]
    #: for a move: its history, and the board after it
    told: dict[str, Any] | None
    board: Board | None


class ReplayResult(NamedTuple):
    """A game restored from its rows."""

    state: GameState[Any]
    #: the history of each row that is a move, including those taken back
    told: list[dict[str, Any] | None]
    board: Board


# -- positions ----------------------------------------------------------------------------------------------


def board(game: AnyGame, last: Any = None) -> Board:
    """Return the position for showing, with the last move if one is given."""
    branches = [register.branches for register in game.position.registers.each]
    return Board(
        game.player,
        json_text(view(game, last)),
        json_text(moves(game)),
        result_values(game.result),
        max(branches, default=1),
        math.prod(branches),
    )


def view(game: AnyGame, last: Any = None) -> dict[str, Any]:
    """Return only the view of the position."""
    return viewjson.view(game.view(last=last))


def moves(game: AnyGame) -> list[dict[str, Any]] | None:
    """Return the legal moves; None if there are too many."""
    rules, position = game.rules, game.position
    legal = () if game.result else rules.moves(position)
    if len(legal) > MOST_MOVES:
        return None
    texts = rules.texts(position, legal)
    return [viewjson.move(text, rules.sketch(position, move)) for text, move in zip(texts, legal, strict=True)]


def text_of(values: Mapping[str, Any]) -> bytes:
    """Return JSON values encoded for sending."""
    return json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def result_values(result: Result | None) -> dict[str, Any] | None:
    """Return a result as JSON values."""
    return None if result is None else {"winner": result.winner, "reason": result.reason, "sentence": f"{result}."}


# -- playing ------------------------------------------------------------------------------------------------


def begin(game: AnyGame, text: str, secret: str = "") -> TurnResult:
    """Begin a turn, and end it unless its answers are slow. Answers in the text are refused."""
    game.begin(_without_answers(game, text))
    return _turn_result(game, secret)


def _without_answers(game: AnyGame, text: str) -> Turn[Any]:
    """Return the turn that a text names; players may not give answers."""
    turn = game.rules.read_turn(game.position, text)
    if turn.told is not None:
        raise InvalidMoveError(f"expected a move without its answers, got {text!r}")
    return turn


def check(game: AnyGame, text: str) -> None:
    """Refuse an illegal move, whatever its answers would be; asks nobody."""
    game.rules.begin(game.position, _without_answers(game, text))


def prepare(game: AnyGame, text: str, secret: str = "") -> TurnResult:
    """Begin a turn with slow answers, up to its first question, which is not asked yet.

    The question is stored first: then any process that continues finds the job that was paid.
    """
    turn = _without_answers(game, text)
    at = game.rules.begin(game.position, turn)
    if not isinstance(at, Pause):
        game.begin(turn)
        return _turn_result(game, secret)
    game.stop_at(turn, game.rules.write(game.position, turn), at)
    return _turn_result(game, secret)


def collect(game: AnyGame, secret: str = "") -> TurnResult | None:
    """Go on with a turn that waits; None if its answer is not there yet."""
    before = game.pending
    game.collect()
    return None if game.pending is before and before is not None else _turn_result(game, secret)


def _turn_result(game: AnyGame, secret: str) -> TurnResult:
    if (waits := game.pending) is not None:
        row = {"kind": "waiting", **waiting_values(waits.entry), "asked": dict(game.asked)}
        return TurnResult(game.state, row, None, None)
    played = game.history[-1]
    row = {"kind": "move", **entry_values(Entry(played.player, played.text, played.answers))}
    return TurnResult(game.state, row, told(game, secret), board(game, played.move))


def told(game: AnyGame, secret: str = "") -> dict[str, Any]:
    """Return the last move of a game as in its history."""
    return words.entry(game, secret=secret)


def replay(game: AnyGame, rows: Sequence[Mapping[str, Any]], secret: str = "") -> ReplayResult:
    """Restore a game from its rows; nothing is drawn."""
    every: list[dict[str, Any] | None] = []
    waits: Waiting | None = None
    asked = dict(game.asked)
    for row in rows:
        if row["kind"] in ENDS_WAITING:
            waits = None
        every.append(None)
        if row["kind"] == "move":
            replay_moves(game, [entry_of(row)], source=NOTHING_DRAWN)
            every[-1] = {"ply": len(game.history), **told(game, secret)}
        elif row["kind"] == "undo":
            for _ in range(row["plies"]):
                game.undo()
        elif row["kind"] == "waiting":
            waits = waiting_of(row)
            asked.update(row.get("asked", {}))
        elif row["kind"] == "end":
            game.end(Result(row["winner"], row["reason"]))
    state = game.state._replace(asked=asked)
    game.state = waiting_again(game, state, waits) if waits and not game.result else state
    last = game.history[-1].move if game.history else None
    return ReplayResult(game.state, every, board(game, last))


# -- looking ------------------------------------------------------------------------------------------------


def odds(
    game: AnyGame, square: str | None = None, text: str | None = None, within: float | None = None
) -> list[dict[str, Any]]:
    """Return the moves from a square, or one move, each with its question and the odds of each answer."""
    chosen = _from(game, square or "") if text is None else [_read(game, text)]
    until = time.monotonic() + (ODDS_SECONDS if within is None else within)
    return [_weighed(game, move, sketch, time.monotonic() < until) for move, sketch in chosen][:MOST_ODDS]


def _read(game: AnyGame, text: str) -> tuple[Any, Any]:
    turn = game.rules.read_turn(game.position, text)
    return turn, game.rules.sketch(game.position, turn)


def _from(game: AnyGame, square: str) -> list[tuple[Any, Any]]:
    sketched = ((move, game.rules.sketch(game.position, move)) for move in game.legal_moves)
    return [(move, sketch) for move, sketch in sketched if square in (_begins(sketch) or ("",))]


def _begins(sketch: Sketch) -> tuple[str, ...]:
    """Return the squares at which a move may be begun; without an arrow, all of its squares."""
    return sketch.sources + sketch.targets if sketch.kind == "other" else sketch.sources


def _weighed(game: AnyGame, what: Any, sketch: Any, in_time: bool) -> dict[str, Any]:
    rules, position = game.rules, game.position
    if not in_time:
        return {**viewjson.move(rules.write(position, what), sketch, None), "says": "", "chances": None}
    turn = rules.turn(position, what)
    asks = bool(turn.program.answers)
    found = rules.chances(position, turn) if asks else {}
    chances = [{"answers": dict(answers), "probability": round(p, 12)} for answers, p in found.items()]
    values = viewjson.move(rules.write(position, turn), sketch, asks)
    return {**values, "says": rules.describe(position, turn), "chances": chances}


def preview(game: AnyGame, text: str) -> dict[str, Any]:
    """Return every way a move can end, the likeliest first, each with its board; the game is unchanged."""
    rules, position = game.rules, game.position
    turn = rules.read_turn(position, text)
    ways = sorted(rules.outcomes(position, turn), key=lambda way: -way.probability)
    numbered = game.numbered()
    shown = [
        {
            "probability": round(way.probability, 12),
            "answers": dict(way.answers),
            "sentence": sentence(rules, position, turn, way.run.answers, way.position),
            "view": viewjson.view(numbered.then(rules.groups(way.position)).on(rules.view(way.position, turn))),
        }
        for way in ways[:MOST_OUTCOMES]
    ]
    return {
        "text": rules.write(position, turn),
        "said": words.move(rules, position, turn),
        "outcomes": shown,
        "more": max(0, len(ways) - MOST_OUTCOMES),
    }


def danger(game: AnyGame) -> dict[str, float]:
    """Return the squares of kings that could be captured next turn, each with the best chance of one move."""
    found: dict[str, float] = {}
    for threat in threats(game.rules, game.position):
        found.setdefault(threat.square, round(threat.probability, 12))
    return found


def views(game: AnyGame, rows: Sequence[Mapping[str, Any]], secret: str = "") -> list[dict[str, Any]]:
    """Return a whole game for showing: the view after every move."""
    retold(game, rows, secret)
    return [viewjson.view(game.view(ply)) for ply in range(len(game.positions))]


def circuit(game: AnyGame, rows: Rows, shown: int, secret: str = "", **asked: Any) -> dict[str, Any]:
    """Return a circuit of a whole game; see `qchess.web.studies.circuits`."""
    retold(game, rows, secret)
    return circuits.circuit(game, ply=shown, **asked)


def register(game: AnyGame, rows: Rows, shown: int, secret: str = "", **asked: Any) -> dict[str, Any]:
    """Return a register of a whole game; see `qchess.web.studies.registers`."""
    retold(game, rows, secret)
    return registers.register(game, ply=shown, **asked)


def retold(game: AnyGame, rows: Rows, secret: str) -> None:
    """Replay the moves of a game from its start."""
    replay(game, [row for row in rows if row["kind"] in ("move", "undo")], secret)


# -- choosing -----------------------------------------------------------------------------------------------


def choose(game: AnyGame, agent: str, seed: str) -> str:
    """Return the move of a computer player, as text."""
    from qchess.playing import agents
    from qchess.playing.agents import Task

    choice = agents.get(agent).choose(Task(game.rules, game.position, random.Random(seed)))
    return game.rules.write(game.position, choice.move)


def analyse(game: AnyGame, agent: str, seed: str) -> dict[str, Any]:
    """Return an agent's opinion of a position: the moves it considered, and the line it expects."""
    from qchess.playing import agents
    from qchess.playing.agents import Task

    if game.result:
        raise IllegalMoveError(f"the game is over. {game.result}.")
    choice = agents.get(agent).choose(Task(game.rules, game.position, random.Random(seed)))
    found = [_considered(game, candidate) for candidate in choice.candidates[:MOST_CANDIDATES]]
    return {"agent": agent, "candidates": found, "note": choice.note}


def _considered(game: AnyGame, candidate: Any) -> dict[str, Any]:
    """Return a move that an agent considered, with its squares."""
    drawn = viewjson.move(candidate.text, game.rules.sketch(game.position, candidate.move))
    drawn.pop("measures")
    return {**drawn, "value": candidate.value, "visits": candidate.visits}
