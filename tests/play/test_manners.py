"""Rules take what `game.moves()` gives, or say what they expect; a game tells its position as a line."""

from __future__ import annotations

from typing import Any

import pytest

import qchess
from qchess import games
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.rules import Rules
from tests.play.gamble import Gamble
from tests.toygame import Toy

GAMES = list(games.names())
TAKING = ("check", "write", "turn", "describe", "compile", "chances", "outcomes", "step")


def given(rules: Rules[Any, Any], name: str, position: Any, move: Any) -> Any:
    """What a function of rules says of a move, as something that compares."""
    found = getattr(rules, name)(position, move)
    if name == "outcomes":
        return [(way.answers, way.probability) for way in found]
    return found[0].key() if name == "step" else found


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize("game", GAMES)
def test_a_text_is_as_good_as_the_move_it_names(game: str, name: str) -> None:
    played = qchess.new(game, seed=1)
    move = played.legal_moves[0]
    text = played.moves()[0]
    assert given(played.rules, name, played.position, text) == given(played.rules, name, played.position, move)


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_neither_a_move_nor_a_text_is_told_what_is_expected(game: str, name: str) -> None:
    played = qchess.new(game, seed=1)
    for nothing in (3, None, 0.5, object, [played.moves()[0]]):
        with pytest.raises(InvalidMoveError, match=f"such as .{played.moves()[0]}"):
            given(played.rules, name, played.position, nothing)
    with pytest.raises((InvalidMoveError, IllegalMoveError)):
        given(played.rules, name, played.position, "no move at all")
    assert played.history == ()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_refuses_what_is_no_move_by_an_error_of_ours(game: str) -> None:
    played = qchess.new(game, seed=1)
    for nothing in (3, None, ["a1b1"]):
        with pytest.raises(InvalidMoveError):
            played.play(nothing)


def test_games_whose_moves_are_texts_are_left_alone() -> None:
    rules = Gamble()
    position = rules.start(qchess.backends.engine("sparse"))
    assert rules.write(position, "gamble") == "gamble"
    assert Toy.move_type is None


def test_a_game_tells_its_position_as_one_line() -> None:
    game = qchess.new("quantum-chess", seed=1)
    game.play("b1^a3c3")
    assert game.fen == "rnbqkbnr/pppppppp/8/8/8/N?1N?5/PPPPPPPP/R1BQKBNR b KQkq - 1 1"
    for name in ("piece-qubit-chess", "niels-chess"):
        assert qchess.new(name).fen.count("/") >= 4
    assert qchess.new("quantum-checkers", size=5, rows=1).fen == "W:Wa1,c1,e1:Ba5,c5,e5"
    with pytest.raises(InvalidMoveError, match="has no notation of positions; the record of a game holds them"):
        _ = qchess.new("quantum-tic-tac-toe").fen
