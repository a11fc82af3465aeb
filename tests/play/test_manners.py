"""Rules take what `game.moves()` gives, or say what they expect; a game tells its position as a line."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import qchess
from qchess import Game, games
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_chess import Move, QuantumChess
from qchess.rules import Rules
from tests.play.gamble import Gamble
from tests.toygame import Toy

GAMES = list(games.names())
TAKING = ("check", "write", "turn", "describe", "compile", "chances", "outcomes", "step", "sketch")


def given(rules: Rules[Any, Any], name: str, position: Any, move: Any) -> Any:
    """What a function of rules says of a move, as something that compares."""
    found = getattr(rules, name)(position, move)
    if name == "outcomes":
        return [(way.answers, way.probability) for way in found]
    return found[0].key() if name == "step" else found


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize("game", GAMES)
def test_a_text_and_a_turn_are_as_good_as_the_move(game: str, name: str) -> None:
    played = qchess.new(game, seed=1)
    rules, position, move, text = played.rules, played.position, played.legal_moves[0], played.moves()[0]
    expected = given(rules, name, position, move)
    assert given(rules, name, position, text) == expected
    assert given(rules, name, position, played.turn_of(text)) == expected


@pytest.mark.parametrize("game", GAMES)
def test_a_game_takes_a_turn_wherever_it_takes_a_move(game: str) -> None:
    played = qchess.new(game, seed=1)
    move, text = played.legal_moves[0], played.moves()[0]
    turn = played.turn_of(move)
    for what in (move, text, turn):
        assert played.turn_of(what) == turn
        assert played.chances(what) == played.chances(move)
        assert played.circuit(what) == turn.program
        assert played.preview(what) == played.preview(move)
        assert played.fork(seed=1).play(what) == played.fork(seed=1).play(move)
    after = played.rules.step(played.position, turn)[0]
    told = {played.rules.story(played.position, what, {}, after) for what in (move, text, turn)}
    assert len(told) == 1
    assert played.rules.view(after, turn) == played.rules.view(after, move)
    with pytest.raises(InvalidMoveError, match="the last move or its turn"):
        played.rules.view(after, text)


@pytest.mark.parametrize("game", GAMES)
def test_a_turn_holds_its_position_and_is_refused_in_another(game: str) -> None:
    played = qchess.new(game, seed=1)
    turn = played.turn_of(played.moves()[0])
    assert turn.position is played.position
    assert played.rules.turn(played.position, turn) is turn
    played.play(turn)
    assert played.turn_at() is turn
    for name in ("describe", "chances", "write"):
        with pytest.raises(InvalidMoveError, match="expected a turn of this position"):
            getattr(played.rules, name)(played.position, turn)
    with pytest.raises(InvalidMoveError, match="expected a turn of this position"):
        played.play(turn)
    played.undo()
    sent = pickle.loads(pickle.dumps(turn))
    assert sent == turn
    assert sent.position is None
    assert played.play(sent).text
    assert played.turn_at().position is played.positions[0]


@pytest.mark.parametrize("game", GAMES)
def test_outcomes_and_positions_pickle(game: str) -> None:
    played = qchess.new(game, seed=1)
    assert len(pickle.dumps(played.position)) < 10_000
    for way in played.rules.outcomes(played.position, played.legal_moves[0]):
        sent = pickle.loads(pickle.dumps(way))
        assert (sent.answers, sent.probability, sent.position.key()) == (
            way.answers,
            way.probability,
            way.position.key(),
        )
        assert sent.position.registers.same_as(way.position.registers)


class Louder(QuantumChess):
    """A game outside, written when `turn` was a plain method: it works out its turn by the one of its parent."""

    worked_out = 0

    def turn(self, position: Any, move: Any) -> Any:
        Louder.worked_out += 1
        return super().turn(position, move)

    def describe(self, position: Any, move: Any) -> str:
        assert isinstance(move, Move)
        return super().describe(position, move).upper()


def test_a_game_outside_may_ask_its_parent_for_the_turn() -> None:
    game = Game(Louder(), seed=1)
    assert game.play("b1^a3c3").text == "b1^a3c3"
    assert Louder.worked_out == 1
    turn = game.turn_of("d7-d5")
    assert {game.rules.describe(game.position, what) for what in (turn, turn.move, "d7-d5")} == {"ASKS NOTHING"}


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
