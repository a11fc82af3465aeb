"""Results in words: what was found, where the piece is now, and what else that settled."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import qchess
from qchess.playing.game import Game

HALF_ROOK = "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1"


def told(game: Game[Any, Any], move: str, outcome: list[int] | None = None) -> str:
    before = game.position
    played = game.play(move, outcome=outcome)
    answers = {answer.name: answer.value for answer in played.answers}
    return str(game.rules.story(before, played.move, answers, game.position))


def chess(*moves: str, fen: str | None = None) -> Game[Any, Any]:
    options: dict[str, Any] = {"fen": fen} if fen else {}
    game = qchess.new("quantum-chess", seed=1, **options)
    for move in moves:
        game.play(move)
    return game


@pytest.mark.parametrize(
    ("game", "move", "outcome", "words"),
    [
        (chess(), "b1^a3c3", None, "the knight is now on a3 (50%) and on c3 (50%)"),
        (chess(), "e2-e4", None, ""),
        (chess("b1^a3c3", "d7-d5"), "c3-d5", [0], "the knight was not on c3, so nothing was taken; it is now on a3"),
        (chess("b1^a3c3", "d7-d5"), "c3-d5", [1], "the knight was on c3 and took the pawn on d5"),
        (chess("b1^a3c3", "a7-a6"), "a3c3^b5", None, "the knight is now on b5"),
        (
            chess("b1^a3d2", "e8-e7", fen=HALF_ROOK), "a1-a5", None,
            "the path was only partly clear: the rook is now on a1 (50%) and on a5 (50%)",
        ),
        (
            chess("b1^a3d2", "e8-e7", "a1-a5", "e7-e8", fen=HALF_ROOK), "e1-d2", [0],
            "d2 was not empty: the knight is there, so the king stays on e1; so the rook is on a5",
        ),
        (
            chess("b1^a3d2", "e8-e7", "a1-a5", "e7-e8", fen=HALF_ROOK), "e1-d2", [1],
            "d2 was empty: the king is now on d2; so the rook is on a1 and the knight is on a3",
        ),
        (
            chess("b4^a2d5", fen="4k3/8/8/8/1n6/2N5/8/4K3 b - - 0 1"), "c3-d5", None,
            "the knight is now on d5 and with a chance of 50% took the knight there",
        ),
        (
            chess("d5^b4f4", fen="4k3/8/8/3n4/8/2N1P3/8/4K3 b - - 0 1"), "e3-f4", None,
            "the pawn took the knight if it was on f4, and otherwise stayed on e3",
        ),
        (
            chess("f3^g1h4", "e8-e7", fen="4k3/8/8/8/8/5N2/8/4K2R w K - 0 1"), "e1-g1", [1],
            "the squares were free: king and rook have castled; so the knight is on h4",
        ),
        (
            chess("c4^a3e3", fen="r3k3/8/8/8/2n5/8/8/R3K3 b - - 0 1"), "a1-a8", [0],
            "the path from a1 to a8 was blocked: nothing was taken, and the rook stays on a1; so the knight is on a3",
        ),
    ],
)  # fmt: skip
def test_quantum_chess_tells_what_was_found_and_what_follows(
    game: Game[Any, Any], move: str, outcome: list[int] | None, words: str
) -> None:
    assert told(game, move, outcome) == words


def test_a_slide_that_fails_names_both_reasons_where_both_are_open() -> None:
    """Whether the rook was not there or its way was blocked is not known: one question was asked."""
    game = chess("b1^c3d2", "e8-e7", "a1^c1d1", "e7-e8", fen="3qk3/8/8/8/8/8/8/RN2K3 w - - 0 1")
    words = told(game, "d1-d8", [0])
    assert words.startswith(
        "the rook was not on d1, or its path was blocked, so nothing was taken; it is now on c1 (67%)"
    )


def pieces(*moves: str, position: str | None = None) -> Game[Any, Any]:
    options: dict[str, Any] = {"position": position} if position else {}
    game = qchess.new("piece-qubit-chess", seed=1, **options)
    for move in moves:
        game.play(move)
    return game


P4 = "7k/8/4n3/8/8/8/8/K4B2 w - - - 0 text"
P5 = "7k/8/4n3/8/8/8/6R1/K4B2 w - - - 0 text"


@pytest.mark.parametrize(
    ("game", "move", "parts"),
    [
        (pieces(), "g1-h3", ["a knight's action exchanges types", "f2 is certainly a Bishop now (it was a Pawn)"]),
        (
            pieces("a2-a3"), "b8-c6",
            ["a7 is certainly a Rook", "e7 is certainly a King", "c6 d8 are one system", "2 Kings"],
        ),
        (pieces(position=P4), "f1-c4", ["c4 e6 are one system now"]),
        (pieces("f1-c4", "h8-h7", position=P4), "c4-e6", ["a capture measures both", "it took what stood on e6"]),
        (pieces("f1-c4", "h8-h7", position=P5), "g2-e2", ["a mixed rook measures what it meets", "c4 is certainly a"]),
        (pieces(position="7k/2P(R)5/8/8/8/8/8/K7 w - - - 0 text"), "c7-c8", ["the pawn is a new queen"]),
        (
            pieces("c2-c3", "b8-c6", "c1-c2", "h7-h6", "c2-e4"), "h6-g6",
            ["a system would have reached 8: all of it was measured", "8 pieces changed"],
        ),
    ],
)  # fmt: skip
def test_piece_qubit_chess_tells_what_changed_elsewhere_and_why(
    game: Game[Any, Any], move: str, parts: list[str]
) -> None:
    words = told(game, move)
    assert [part for part in parts if part not in words] == []


@pytest.mark.parametrize("name", ["quantum-chess", "piece-qubit-chess"])
@pytest.mark.parametrize("seed", range(3))
def test_in_random_games_every_story_can_be_told_and_names_squares_of_the_board(name: str, seed: int) -> None:
    game, rng = qchess.new(name, seed=seed), random.Random(seed)
    while len(game.history) < 40 and not game.result:
        words = told(game, game.rules.write(game.position, rng.choice(game.legal_moves)))
        assert words.isprintable()
        assert set(re.findall(r"\b[a-z]\d+\b", words)) <= set(game.rules.view(game.position).squares)
