"""What a developer tries first with a game: it works, or one sentence says what is called otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.errors import NoSuchGameError, QchessError

GAMES = list(qchess.games.names())


@pytest.mark.parametrize("name", GAMES)
def test_texts_can_be_looked_up_among_the_legal_moves(name: str) -> None:
    game = qchess.new(name, seed=1)
    legal, texts = game.legal_moves, game.moves()
    assert legal == list(legal)
    assert legal.count() == len(legal) == len(texts)
    for move, text in list(zip(legal, texts, strict=True))[:: max(1, len(texts) // 20)]:
        assert text in legal
        assert move in legal
        assert game.turn_of(move) in legal
        assert legal.count(move) == 1
    for nonsense in ("", "no move", "z9z8", 3, None, object()):
        assert nonsense not in legal
    assert repr(legal).startswith(f"<{len(legal)} legal moves: {texts[0]}, ")
    game.resign()
    assert (list(game.legal_moves), game.moves(), texts[0] in game.legal_moves) == ([], [], False)


@pytest.mark.parametrize("name", GAMES)
def test_moves_of_a_square_and_of_a_kind_are_all_moves(name: str) -> None:
    game = qchess.new(name, seed=1)
    kinds = [game.moves(kind=kind) for kind in ("move", "split", "merge", "other")]
    assert sorted(text for texts in kinds for text in texts) == sorted(game.moves())
    squares = game.rules.view(game.position).squares
    begun = {text for square in squares for text in game.moves(square)}
    assert begun == set(game.moves())
    with pytest.raises(QchessError, match="did you mean 'b1'"):
        game.moves("B1")
    with pytest.raises(QchessError, match="one of move, split, merge, other; got 'jump'"):
        game.moves(kind="jump")


def test_moves_of_a_knight() -> None:
    game = qchess.new("quantum-chess", seed=1)
    assert game.moves("b1") == ["b1-a3", "b1-c3", "b1^a3c3"]
    assert game.moves("b1", kind="split") == ["b1^a3c3"]
    assert game.moves("e4") == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"game": "quantum-chess", "nonsense": 1}, "profile, fen, setup, strict, castling"),
        ({"game": "piece-qubit-chess", "nonsense": 1}, "known are profile, position, setup"),
        ({"game": "quantum-checkers", "nonsense": 1}, "known are level, size, rows, profile, position"),
        ({"game": "niels-chess", "nonsense": 1}, "expected options among nfen, "),
        ({"game": "quantum-tic-tac-toe", "nonsense": 1}, "quantum-tic-tac-toe takes collapse; got 'nonsense'"),
        ({"preset": "poket"}, "did you mean 'pocket'"),
        ({"backend": "qiskit"}, "'aer' is Qiskit's simulator"),
        ({"backend": "IBM"}, "name one as ibm:<processor>"),
        ({"backend": "chess"}, "a game is named first"),
    ],
)
def test_what_a_new_game_does_not_take_is_named_with_what_it_takes(options: dict[str, Any], said: str) -> None:
    with pytest.raises(QchessError, match=said):
        qchess.new(**options)


def test_a_preset_is_a_small_board_and_takes_more_options() -> None:
    game = qchess.new("quantum-chess", preset="pocket", castling=False)
    assert game.fen.startswith("rnbqk/ppppp/5/PPPPP/RNBQK")
    assert game.rules.options()["castling"] is False


def test_a_file_that_is_not_there_and_what_is_no_record_are_named(tmp_path: Path) -> None:
    for load in (qchess.load, qchess.replay):
        with pytest.raises(NoSuchGameError, match=r"there is no file .*game\.save\(.* writes one"):
            load(tmp_path / "nofile")
    with pytest.raises(FileNotFoundError):
        qchess.load(tmp_path / "nofile")
    with pytest.raises(QchessError, match=r"expected a game record \(JSON\), got 'x\.txt'"):
        qchess.replay("x.txt")
    with pytest.raises(QchessError, match="expected a game record, its JSON or its file; got 3"):
        qchess.replay(3)  # type: ignore[arg-type]
    game = qchess.new(seed=1)
    game.save(tmp_path / "game.json")
    assert qchess.replay(tmp_path / "game.json").record() == qchess.load(tmp_path / "game.json").record()
