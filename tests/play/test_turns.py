"""A turn is worked out once: counted, in each game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import qchess
from qchess.games.piece_qubit_chess import turn as pieces
from qchess.games.quantum_chess import kinds, rules, turn

#: a game of each, with a move of every sort: quiet, measuring, castling, promoting
GAMES = [
    ("quantum-chess", {}, ("b1^a3c3", "d7-d5", "c3-d5")),
    ("quantum-chess", {"fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"}, ("e1-g1", "e8-c8")),
    ("quantum-chess", {"fen": "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"}, ("a7-a8R",)),
    ("piece-qubit-chess", {}, ("b1-c3", "g8-h6", "c3-d5")),
]


@pytest.fixture
def classified(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each function that classifies a move was called."""
    counted: Counter[str] = Counter()

    def count(module: Any, name: str) -> None:
        true = getattr(module, name)

        def counting(*arguments: Any) -> Any:
            counted[name] += 1
            return true(*arguments)

        monkeypatch.setattr(module, name, counting)

    count(turn, "kind")
    count(rules, "kind")
    count(kinds, "castling_of")
    count(pieces, "influence")
    return counted


@pytest.mark.parametrize(("name", "options", "moves"), GAMES)
def test_a_played_move_classifies_itself_once(
    name: str, options: dict[str, Any], moves: tuple[str, ...], classified: Counter[str]
) -> None:
    game = qchess.new(name, seed=1, **options)
    for text in moves:
        move, _ = game.rules.read(game.position, text)
        game.rules.turn(game.position, move)
        classified.clear()
        position, _ = game.rules.step(game.position, move, game.source)
        assert max(classified.values(), default=0) <= 1, (text, classified)
        assert position.ply == game.position.ply + 1
        game.play(move)


def test_a_move_of_quantum_chess_is_classified_at_all(classified: Counter[str]) -> None:
    game = qchess.new("quantum-chess", seed=1)
    game.rules.step(game.position, game.rules.read(game.position, "b1^a3c3")[0])
    assert classified["kind"] == 1


@pytest.mark.parametrize("name", ["quantum-chess", "piece-qubit-chess"])
def test_outcomes_work_the_turn_out_once_for_all_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = qchess.new(name, seed=1)
    for _ in range(6):
        game.play(game.legal_moves[0])
    kind = type(game.rules)
    true, counted = kind.turn, Counter[str]()

    def counting(self: Any, position: Any, move: Any) -> Any:
        counted["turn"] += 1
        return true(self, position, move)

    monkeypatch.setattr(kind, "turn", counting)
    for move in game.legal_moves[:20]:
        counted.clear()
        assert sum(way.probability for way in game.rules.outcomes(game.position, move)) == pytest.approx(1, abs=1e-12)
        assert counted["turn"] == 1


def test_no_game_steps_in_a_way_of_its_own() -> None:
    for name in qchess.games.names():
        own = vars(type(qchess.games.rules(name)))
        assert not {"step", "outcomes", "begin", "compile", "chances"} & own.keys()
