"""What people read of a move is in sentences, in all games; its record is as it was."""

from __future__ import annotations

import random
import re

import pytest

import qchess
from qchess.games import catalogue
from qchess.playing import agents
from qchess.playing.agents import Task, explained
from qchess.terminal.hints import hint

#: what only programs read: answers by name, probabilities as numbers, recorded answers, a large number, reasons in code
FOR_PROGRAMS = re.compile(r"\w=|\.m[\d\w]|value|\de\+|_|\d\.\d{3}")
SENTENCES = re.compile(r"(?:[A-Z]|[a-i]\d).*[.?]")


@pytest.mark.parametrize("name", catalogue.names())
def test_moves_hints_and_results_are_told_in_sentences(name: str) -> None:
    game, rng, measured = qchess.new(name, seed=3), random.Random(3), 0
    while not game.result and len(game.history) < 60:
        moves = list(game.legal_moves)
        asking = [move for move in rng.sample(moves, min(12, len(moves))) if game.circuit(move).answers]
        played = game.play(asking[0] if asking else rng.choice(moves))
        assert str(played) == (f"{played.plain}. {played.sentence}" if played.sentence else played.plain)
        assert not FOR_PROGRAMS.search(str(played).removeprefix(played.plain)), str(played)
        assert not played.sentence or SENTENCES.fullmatch(played.sentence)
        assert not played.measured or played.sentence, f"{played.text} measured, and nothing is said of it"
        measured += played.measured
        assert (played.text != played.plain) or not played.measured
    assert measured
    again = qchess.replay(game.record())
    assert [str(played) for played in again.history] == [str(played) for played in game.history]
    game.undo()
    move, reason = hint(game, rng)
    assert move in game.moves()
    assert SENTENCES.fullmatch(reason)
    assert not FOR_PROGRAMS.search(reason)
    choice = agents.get("mcts@40").choose(Task(game.rules, game.position, rng))
    assert not FOR_PROGRAMS.search("\n".join(explained(choice)))
