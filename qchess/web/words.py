"""What the pages show of a move: what it came to, who answered, and what devices read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from qchess.circuits.engine import Answer
from qchess.playing.game import Game
from qchess.playing.record import plain
from qchess.playing.sentences import sentence
from qchess.rules import Rules, Turn
from qchess.showing import shots

#: what a source tells of an answer goes along up to so many characters of JSON
DETAILS = 4096
#: the line about the shots of an answer goes along up to so many characters; what was read, as the details
LINE = 400
TOO_LONG = "There are too many read-outs for this page; the record has them."


def entry(game: Game[Any, Any], ply: int = -1, secret: str = "") -> dict[str, Any]:
    """A move of a game as a history tells it: what it came to, who answered, and what devices read for it."""
    turn, played = game.turn_at(ply), game.history[ply]
    before = played.before
    told: dict[str, Any] = {
        "by": played.player,
        "text": played.text,
        "sentence": sentence(game.rules, before, turn, played.answers, played.position),
        **mover(game.rules, before, turn),
    }
    if not played.answers:
        return told
    told["provenance"] = provenance(played.answers, secret)
    if read := hidden(shots.values(played.answers, game.rules.squares(before)), secret):
        told["shots"] = list(map(bounded, read))
    return told


def mover(rules: Rules[Any, Any], before: Any, turn: Turn[Any]) -> dict[str, Any]:
    """What moved, in a word, and whether it may take something, in games that say it."""
    sources = rules.sketch(before, turn).sources
    man = rules.man(before, sources[0]) if sources else ""
    return {**({"man": man} if man else {}), **({"takes": True} if rules.takes(before, turn) else {})}


def move(rules: Rules[Any, Any], before: Any, turn: Turn[Any]) -> str:
    """Return a move as a sentence says it: ``knight c3 takes d5``, or its text in games that do not say what moves."""
    arrow, told = rules.sketch(before, turn), mover(rules, before, turn)
    if "man" not in told:
        return rules.write(before, turn)
    does = "takes" if told.get("takes") else "to"
    return f"{told['man']} {' and '.join(arrow.sources)} {does} {' or '.join(arrow.targets)}"


def provenance(answers: Sequence[Answer], secret: str = "") -> list[dict[str, Any]]:
    """Where each answer came from; a game's secret seed is in none of it."""
    return [_told(answer, secret) for answer in answers]


def _told(answer: Answer, secret: str) -> dict[str, Any]:
    values: dict[str, Any] = {
        "name": answer.name,
        "value": answer.value,
        "probability": round(answer.probability, 12),
        "source": answer.source,
    }
    if details := _details(answer.details):
        values["details"] = details
    shown: dict[str, Any] = hidden(values, secret)
    return shown


def _details(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """The details, or those that are short where they are long; what was read goes along with the shots."""
    details = {key: plain(value) for key, value in told.items() if key != "figures"}
    if len(json.dumps(details)) <= DETAILS:
        return details
    return {key: value for key, value in details.items() if len(json.dumps(value)) <= DETAILS // 16}


def bounded(read: Mapping[str, Any]) -> dict[str, Any]:
    """What a device read for an answer, in bounds: its line is cut, and its counts are left out where they are long.

    >>> long = {"line": "job " + 500 * "x", "answer": "hit = 1", "circuits": [{"names": 2000 * ["a3"]}]}
    >>> len(bounded(long)["line"]), bounded(long)["circuits"], bounded(long)["note"]
    (400, [], 'There are too many read-outs for this page; the record has them.')
    """
    line = read["line"] if len(read["line"]) <= LINE else f"{read['line'][: LINE - 2]} …"
    if len(json.dumps(read["circuits"])) <= DETAILS:
        return {**read, "line": line}
    return {**read, "line": line, "circuits": [], "note": TOO_LONG}


def hidden(value: Any, secret: str) -> Any:
    """A JSON value without the secret, wherever a text in it holds it."""
    if not secret:
        return value
    if isinstance(value, str):
        return value.replace(secret, "...")
    if isinstance(value, Mapping):
        return {key: hidden(inner, secret) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [hidden(inner, secret) for inner in value]
    return value
