"""A player whose king could be captured next turn is warned: which move, and how likely it captures."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import qchess
from qchess.games.niels_chess.move import MOVE, Move
from qchess.games.niels_chess.objections import objection
from qchess.playing.sentences import threats, warning
from qchess.web.work import danger

CLOSE = 1e-9


def positions(name: str, seeds: int, step: int = 1, plies: int = 45, **options: Any) -> Iterator[tuple[Any, Any]]:
    """The rules and the positions of some random games."""
    for seed in range(seeds):
        game, rng = qchess.new(name, seed=seed, **options), random.Random(seed)
        while not game.result and len(game.history) < plies:
            if len(game.history) % step == 0:
                yield game.rules, game.position
            game.play(rng.choice(game.legal_moves))


def test_every_way_to_lose_the_king_is_found_and_no_other() -> None:
    """The slow way: each move of the other side, each of its outcomes."""
    warned = open_kings = 0
    for rules, position in positions("quantum-chess", 6, 4, preset="pocket"):
        passed = replace(position, ply=position.ply + 1, en_passant=None, clock=0)
        expected: dict[str, float] = {}
        for move in rules.moves(passed):
            ends = ((way.probability, rules.result(way.position)) for way in rules.outcomes(passed, move))
            lost = sum(p for p, end in ends if end and (end.winner, end.reason) == (passed.player, "king_captured"))
            if lost > CLOSE:
                expected[rules.write(passed, move)] = lost
        found = threats(rules, position)
        assert {threat.move: threat.probability for threat in found} == pytest.approx(expected, abs=CLOSE)
        warned += bool(found)
        open_kings += position.of["k" if position.ply % 2 else "K"].bit_count() > 1
    assert warned > 5
    assert open_kings > 5, "no king was in two places"


@pytest.mark.parametrize("name", ["niels-chess", "niels-xiangqi"])
def test_the_dice_games_warn_of_check(name: str) -> None:
    warned = 0
    for rules, position in positions(name, 6, 1, 60):
        state, book = position.state, rules.book
        if state.pending >= 0 or state.offer is not None:
            continue
        other = state._replace(turn=1 - state.turn)
        king = next(unit for unit in state.units if unit.kind == "K" and unit.colour == state.turn)
        men = [unit for unit in state.units if unit.colour != state.turn]
        expected = {
            f"{book.names[a]}{book.names[b]}"
            for unit in men
            for a in unit.squares
            for b in king.squares
            if "could succeed" in objection(book, other, Move(MOVE, (book.names[a], book.names[b])))
        }
        assert {threat.move for threat in threats(rules, position)} == expected
        assert ("is in check from" in warning(rules, position)) is bool(expected)
        warned += bool(expected)
    assert warned


def test_piece_qubit_chess_warns_of_what_takes_a_determined_king() -> None:
    warned = 0
    for rules, position in positions("piece-qubit-chess", 8, 1):
        kings = {position.board[square].id for square in position.kings(position.player)}
        passed = replace(position, player="black" if position.player == "white" else "white")
        expected = set()
        for move in rules.moves(passed):
            victim = passed.board.get(move.end)
            if victim is not None and victim.id in kings:
                expected.add(rules.write(passed, move))
                for way in rules.outcomes(passed, move):
                    assert victim not in way.position.board.values(), "it is gone whatever is measured"
        assert {threat.move for threat in threats(rules, position)} == expected
        warned += bool(expected)
    assert warned


def test_the_sentence_names_king_move_and_probability() -> None:
    game = qchess.new("quantum-chess", fen="3rk3/8/8/8/8/8/8/3K4 w - - 0 1", seed=1)
    assert warning(game.rules, game.position) == "Your king on d1 can be captured next turn: d8-d1."
    game.play("d1^c1e1")
    game.play("d8^d2a8")
    assert warning(game.rules, game.position) == ""  # nothing takes both halves of the king
    assert warning(qchess.new("quantum-checkers").rules, qchess.new("quantum-checkers").position) == ""


@pytest.mark.parametrize(
    ("name", "options", "has_king"),
    [
        ("quantum-chess", {"preset": "pocket"}, True),
        ("piece-qubit-chess", {}, True),
        ("niels-chess", {}, True),
        ("niels-xiangqi", {}, True),
        ("quantum-checkers", {}, False),
        ("quantum-tic-tac-toe", {}, False),
    ],
)
def test_a_board_warns_of_the_likeliest_threat_to_each_king_and_changes_nothing(
    name: str, options: dict[str, Any], has_king: bool
) -> None:
    warned = 0
    for seed in range(6):
        game, rng = qchess.new(name, seed=seed, **options), random.Random(seed)
        while not game.result and len(game.history) < 45:
            if len(game.history) % 3 == 2:
                before, record = game.position, game.record().to_json()
                best: dict[str, float] = {}
                for threat in game.rules.threats(before):
                    best[threat.square] = max(best.get(threat.square, 0.0), threat.probability)
                assert danger(game) == pytest.approx(best, abs=CLOSE)
                assert game.position is before
                assert game.record().to_json() == record
                warned += bool(best)
            game.play(rng.choice(game.legal_moves))
    assert bool(warned) is has_king
