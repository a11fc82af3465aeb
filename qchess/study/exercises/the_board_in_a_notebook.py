"""Notebook 14: a game played on the board and in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qchess.playing.game import Game, new
from qchess.study.asking import information
from qchess.study.entropies import readout_entropy
from qchess.study.exercises.checking import Exercise, Kind, game_of, near, number

#: the moves of the notebook, and the target of Black's knight
MOVES, TARGETS = ("b1^a3c3", "f7-f6", "c3^b5e4"), ("a6", "c6")


def _game() -> Game[Any, Any]:
    game = new("quantum-chess", seed=7)
    for move in MOVES:
        game.play(move)
    return game


def read_out(bits: float) -> str | None:
    """14.1: how much information a read-out of all squares gives."""
    if near(bits, readout_entropy(_game()), within=1e-3):
        return None
    return "A place of probability p gives -log2 p bits, and it comes with probability p. Add up all three places."


def message(told: Mapping[str, Any]) -> str | None:
    """14.2: what the page sends for Black's move."""
    game = _game()
    if told.get("kind") != "move":
        return "Its 'kind' must be 'move'."
    if told.get("ply") != len(game.history):
        return f"Its 'ply' must be the number of moves played before; it is {told.get('ply')!r}."
    if not isinstance(told.get("text"), str):
        return "Its 'text' must be the move."
    game.play(told["text"])
    odds = {square: game.probability(square) for square in TARGETS}
    if all(near(p, 0.5) for p in odds.values()):
        return None
    return f"After it a knight is on {' and '.join(f'{square} with probability {p:g}' for square, p in odds.items())}."


def whole_bit(game: Game[Any, Any]) -> str | None:
    """14.3: a game whose last move asked a question worth a whole bit."""
    if not game.history:
        return "No move was played."
    before, last = game.fork(), game.history[-1]
    before.undo()
    told = information(before, last.text.partition(".m")[0])
    if near(told, 1):
        return None
    return (
        f"The answer to {last.text} told {told:.3g} bits. A question gives most information when "
        "both answers are equally likely."
    )


def _dict(name: str) -> Kind:
    """Accept a message: a dict that is not empty."""
    return Kind(name, lambda answer: answer if isinstance(answer, Mapping) and answer else None)


EXERCISES = (
    Exercise(
        number("a number of bits", 0), read_out,
        "Half a bit, and twice half a bit: that is more than one bit and less than log2 of 3.",
    ),
    Exercise(
        _dict("a message: a dict with 'kind', 'ply' and 'text'"), message,
        "The page has no rules. It sends a text, and the game in Python plays it or refuses it.",
    ),
    Exercise(
        game_of("quantum-chess", "a game of Quantum Chess after your moves"), whole_bit,
        "With 50% for each answer nothing is known before, so the answer gives the most information.",
    ),
)  # fmt: skip
