"""How games end, what the clock counts, what the switches switch, and where the profiles differ."""

from __future__ import annotations

from typing import Any

import pytest

import qchess
from qchess import IllegalMoveError, ImpossibleOutcomeError, InvalidMoveError, Result, StateTooLargeError, backends
from qchess.games.quantum_chess import QuantumChess

ENGINE = backends.get().engine


def play(fen: str, moves: str, **options: Any) -> qchess.Game:
    game = qchess.new("quantum-chess", fen=fen, seed=0, **options)
    for move in moves.split():
        game.play(move)
    return game


# -- kings ------------------------------------------------------------------------------------------------------


def test_whoever_takes_the_king_in_every_branch_wins() -> None:
    game = play("4k3/8/3N4/8/8/8/8/4K3 w - - 0 1", "d6-e8")
    assert game.result == Result("white", "king_captured")
    assert game.moves() == []
    with pytest.raises(IllegalMoveError, match="over"):
        game.play("e1-e2")


def test_half_a_king_keeps_the_game_alive() -> None:
    """
    8  . . . k50 . . . .
    7  . . . . k50 . . .     the knight takes on e7: the king may be on d8
    """
    game = play("4k3/8/8/3N4/8/8/8/4K3 b - - 0 1", "e8^d8e7 d5-e7")
    assert game.result is None
    assert game.position.odds["d8"] == pytest.approx(1 / 2)


def test_the_own_measurement_can_cost_the_own_king() -> None:
    """Half the king was taken; its owner asks whether it stands on e7, and it does not stand anywhere."""
    game = play("4k3/3r4/8/5N2/8/8/8/4K3 b - - 0 1", "e8^d8e7 f5-e7 d7-d8.m1")
    assert game.result == Result("white", "king_captured")
    spared = play("4k3/3r4/8/5N2/8/8/8/4K3 b - - 0 1", "e8^d8e7 f5-e7 d7-d8.m0")
    assert spared.position.registers.known("d8") == 1
    assert spared.result is None


def test_both_kings_gone_is_a_draw() -> None:
    """
    7  . . . k50 . . . .
    5  . . P50 . . . . .     each pawn has taken half of a king, or still stands on the fourth rank:
    4  R . . P50 p50 . . n    if the rook's path is clear, both took all that there was
    3  . . . . . p50 . .
    1  . . . . K50 . . .
    """
    game = play("8/8/3k4/8/R2Pp2n/8/4K3/8 w - - 0 1", "e2^f3e1 d6^c5d7 d4-c5 e4-f3")
    assert game.result is None
    assert game.chances("a4-h4")[("hit", 1),] == pytest.approx(1 / 4)
    game.play("a4-h4.m1")
    assert game.result == Result(None, "annihilation")
    assert "K" not in game.position.board


# -- clocks and stalemate --------------------------------------------------------------------------------------------


def test_a_hundred_half_moves_without_a_whole_capture_are_a_draw() -> None:
    fen = "4k3/8/8/8/8/8/P7/4K3 w - - 98 60"
    assert play(fen, "a2-a3").result is None, "a pawn move does not reset it"
    assert play(fen, "a2-a3 e8-e7").result == Result(None, "fifty_moves")
    assert play(fen, "a2-a3 e8-e7", halfmove_clock="fide").position.clock == 1


def test_half_captures_add_up() -> None:
    game = play("4k3/8/8/8/1n6/2N5/8/4K3 b - - 30 40", "b4^a2d5 c3-d5")
    assert (game.position.clock, game.position.mass) == (32, 4)
    for move in ("e8-e7", "d5-b4", "e7-e8", "b4-a2"):
        game.play(move)
    assert (game.position.clock, game.position.mass) == (0, pytest.approx(3))


def test_after_a_hundred_half_moves_the_kings_may_be_asked_for_instead() -> None:
    fen = "4k3/8/8/8/5N2/8/8/4K3 b - - 96 60"
    game = play(fen, "e8^d8e7 f4-d5 d8-c8 d5-e7", fifty_end="measure")
    assert game.result is None
    assert game.moves() == ["kings"]
    assert game.chances("kings") == {
        (("white", 1), ("black", 0)): pytest.approx(0.5),
        (("white", 1), ("black", 1)): pytest.approx(0.5),
    }
    with pytest.raises(IllegalMoveError, match="only the kings"):
        game.play("c8-b8")
    game.play("kings", outcome=[1, 0])
    assert game.result == Result("white", "king_captured")
    game.undo()
    game.play("kings", outcome=[1, 1])
    assert game.result == Result(None, "fifty_moves")
    assert qchess.replay(game.record().to_json()).result == game.result


def test_the_clock_comes_before_the_ply_limit_and_before_repetition_even_where_the_kings_are_asked_for() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3 w - - 96 1"
    shuffle = "e1-e2 e8-e7 e2-e1 e7-e8"
    for options in ({"max_ply": 4}, {"repetition": 2}):
        game = play(fen, shuffle, fifty_end="measure", **options)
        assert (game.result, game.moves()) == (None, ["kings"])
        game.play("kings")
        assert game.result == Result(None, "fifty_moves")


def test_the_ply_limit_is_a_draw() -> None:
    game = play("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1-e2 e8-e7", max_ply=2)
    assert game.result == Result(None, "max_ply")


def test_a_side_that_cannot_move_draws() -> None:
    assert play("k/1/p/P/K w - - 0 1", "").result == Result(None, "stalemate")
    assert play("k/1/p/1/P/K w - - 0 1", "").result is None


def test_the_same_position_three_times_is_a_draw_only_if_asked_for() -> None:
    fen, shuffle = "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "a1-a2 e8-e7 a2-a1 e7-e8 "
    assert play(fen, shuffle * 2).result is None
    assert play(fen, shuffle * 2, repetition=3).result == Result(None, "repetition")
    split = "b1^a3d2 e8-e7 " + "a3-b5 e7-e8 b5-a3 e8-e7 "
    assert play(fen, split + "a3-b5 e7-e8 b5-a3", repetition=2).result == Result(None, "repetition")
    assert play(fen, split, repetition=2).result is None, "out and back turns the phase of a3: another state"


# -- forced outcomes and limits ------------------------------------------------------------------------------------


def test_an_impossible_outcome_cannot_be_forced_and_changes_nothing() -> None:
    game = play("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "")
    before = game.position
    with pytest.raises(ImpossibleOutcomeError):
        game.play("c3-d5.m0")
    assert game.position is before


def test_a_move_beyond_the_branch_limit_is_refused_and_changes_nothing() -> None:
    game = play("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1^a3c3 e8-e7", max_branches=2)
    before = game.position
    with pytest.raises(StateTooLargeError, match="too large"):
        game.play("c3^b5d5")
    assert game.position is before


# -- switches -------------------------------------------------------------------------------------------------------


def test_castling_can_be_switched_off() -> None:
    with pytest.raises(IllegalMoveError, match="does not reach g1"):
        play("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1-g1", castling=False)


def test_en_passant_can_be_switched_off() -> None:
    fen = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"
    assert play(fen, "d7-d5 e5-d6").position.registers.known("d5") == 0
    with pytest.raises(IllegalMoveError, match="does not reach d6"):
        play(fen, "d7-d5 e5-d6", en_passant=False)


def test_promotion_can_be_switched_off() -> None:
    fen = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1"
    game = play(fen, "e7-e8", promotion=False)
    assert game.history[0].text == "e7-e8"
    assert game.position.board[60] == "P"
    with pytest.raises(IllegalMoveError, match="switched off"):
        play(fen, "e7-e8q", promotion=False)


@pytest.mark.parametrize(
    "options",
    [{"profile": "fide"}, {"halfmove_clock": "blitz"}, {"fifty_end": "win"}, {"repetition": 1}, {"check": True}],
)
def test_an_unknown_option_is_refused_with_the_choices(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidMoveError, match="expected"):
        qchess.new("quantum-chess", **options)


def test_options_rebuild_the_rules() -> None:
    rules = QuantumChess(
        "sdk-0.2.2", fen="4k3/8/8/8/8/8/8/1N2K3 b - - 0 1", setup=("b1^a3c3",), quantum=False, repetition=3
    )
    again = QuantumChess(**rules.options())
    assert (again.options(), again.book) == (rules.options(), rules.book)
    assert QuantumChess().options() == {}


def test_a_sandbox_needs_no_kings_and_has_no_results() -> None:
    game = qchess.new("quantum-chess", fen="8/8/8/8/8/8/8/1N6 w - - 0 1", sandbox=True, seed=0)
    game.play("b1^a3c3")
    assert game.result is None


# -- where the profiles differ -------------------------------------------------------------------------------------


def test_an_omitted_promotion_is_a_queen_or_in_the_sdk_profile_no_promotion() -> None:
    fen = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1"
    assert play(fen, "e7-e8").position.board[60] == "Q"
    stays = play(fen, "e7-e8", profile="sdk-0.2.2")
    assert (stays.position.board[60], stays.history[0].text) == ("P", "e7-e8")
    stays.play("h8-h7")
    assert not [move for move in stays.moves() if move.startswith("e8")]


def test_a_king_is_split_onto_a_castling_square_in_the_sdk_profile_only() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    game = play(fen, "e1^f1g1", profile="sdk-0.2.2")
    assert game.position.registers.known("h1") == 1, "the rook stays"
    with pytest.raises(IllegalMoveError, match="does not reach g1"):
        play(fen, "e1^f1g1")


def test_a_two_step_that_moved_nowhere_opens_en_passant_in_the_sdk_profile_only() -> None:
    """
    4  . . . . R50 . . .     e4 is found empty: so the rook is on e3,
    3  . . . . R50 . . .     and the pawn, allowed to go, goes nowhere
    2  . . . . P . . .
    """
    for profile, square in (("standard", None), ("sdk-0.2.2", 20)):
        game = play("7k/8/8/4R3/8/8/4P3/K7 w - - 0 1", "e5^e3e4 h8-h7 e2-e4.m1", profile=profile)
        assert game.position.registers.full >= {"e2", "e3"}
        assert game.position.en_passant == square


@pytest.mark.parametrize("rank", ["4P3", "3nP3", "3NP3"])
def test_en_passant_with_no_pawn_behind_is_offered_in_the_sdk_profile_only(rank: str) -> None:
    fen = f"4k3/8/8/{rank}/8/8/8/4K3 w - d6 0 1"
    assert "e5-d6ep" not in play(fen, "").moves()
    assert "e5-d6ep" in play(fen, "", profile="sdk-0.2.2").moves()


def test_a_split_slide_leaves_two_bits_behind_in_the_sdk_profile_only() -> None:
    fen, moves = "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "b1^a3d2 e8-e7 a1^a5c1"
    assert play(fen, moves).position.registers.environment == frozenset()
    assert play(fen, moves, profile="sdk-0.2.2").position.registers.environment == {"x2"}, "b1 is certainly empty"
