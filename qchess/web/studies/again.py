"""A question of a past move, asked again: every answer it could have had, and a hundred answers; the game is unchanged.

>>> import qchess
>>> game = qchess.new('quantum-chess')
>>> for move in ('b1^a3c3', 'd7-d5'):
...     _ = game.play(move)
>>> told = again(game, 'c3-d5', 'the first hundred')
>>> [(way['answers'], way['probability'], way['times']) for way in told['outcomes']]
[({'hit': 1}, 0.5, 56), ({'hit': 0}, 0.5, 44)]
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from qchess.circuits.engine import Answer, Source
from qchess.circuits.registers import Pause, Run
from qchess.circuits.sources import Seeded
from qchess.errors import InvalidMoveError
from qchess.playing.game import Game
from qchess.playing.sentences import sentence

#: how often a question is asked, and the most ways to end that are told
TIMES, MOST = 100, 8
Answered = tuple[tuple[str, int], ...]


def again(game: Game[Any, Any], text: str, seed: str | None = None) -> dict[str, Any]:
    """Return every way a move could have ended from here, the likeliest first; with a seed, how often each came."""
    rules, position = game.rules, game.position
    turn = rules.read_turn(position, text)
    ways = sorted(rules.outcomes(position, turn), key=lambda way: -way.probability)
    written = rules.write(position, turn)
    if len(ways) < 2:
        raise InvalidMoveError(f"{written} asked no question that was open")
    shown: list[dict[str, Any]] = [
        {
            "answers": dict(way.answers),
            "probability": round(way.probability, 12),
            "sentence": sentence(rules, position, turn, way.run.answers, way.position),
        }
        for way in ways[:MOST]
    ]
    told = {"text": written, "says": rules.describe(position, turn), "outcomes": shown, "more": len(ways) - len(shown)}
    if seed is None:
        return told
    came = drawn(rules.begin(position, turn), Seeded(random.Random(seed)), TIMES)
    for each, way in zip(shown, ways, strict=False):
        each["times"] = came[_of(way.run.answers)]
    return {**told, "times": TIMES, "others": TIMES - sum(each["times"] for each in shown)}


def drawn(at: Run | Pause, source: Source, times: int) -> Counter[Answered]:
    """Return how often each answer came, with those that follow from it, when one state was asked so often."""
    found: Counter[Answered] = Counter()
    if not isinstance(at, Pause):
        found[_of(at.answers)] = times
        return found
    for value, often in sorted(Counter(source.draw(at).value for _ in range(times)).items()):
        found += drawn(at.resume(value), source, often)
    return found


def _of(answers: Sequence[Answer]) -> Answered:
    return tuple((answer.name, answer.value) for answer in answers)
