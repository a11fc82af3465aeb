"""The decisions A1 to A28 of piece-qubit chess, its switches, and every way a game can end."""

from __future__ import annotations

from typing import Any

import pytest

import qchess
from qchess.circuits import Program, cz, x
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.piece_qubit_chess import CODE, PieceQubitChess, Profile
from qchess.playing.game import Game


def set_up(
    board: str, side: str = "w", lone: str = "-", systems: str = "-", unmoved: str = "-", **options: Any
) -> Game:
    """A game from a drawn board: rank 8 first, a dot for an empty square, ``P(R)`` for a pawn {Pawn, Rook}."""
    ranks = [line.split() for line in board.strip().splitlines()]
    fen = "/".join("".join("1" if man == "." else man for man in rank) for rank in ranks)
    position = f"{fen} {side} {unmoved} {lone} {systems} 0 text"
    return qchess.new("piece-qubit-chess", seed=1, position=position, **options)


def types(game: Game, square: str) -> str:
    return str(game.position.types(game.position.board[square]))


def to(game: Game, square: str) -> set[str]:
    return {move.end for move in game.rules.moves(game.position) if move.start == square}


def pqfen(game: Game) -> str:
    assert isinstance(game.rules, PieceQubitChess)
    return game.rules.pqfen(game.position)


def lone(game: Game) -> str:
    return pqfen(game).split()[3]


# -- the start and moving ---------------------------------------------------------------------------


def test_A1_the_authors_layout_puts_the_black_king_on_d8() -> None:
    game = qchess.new("piece-qubit-chess", setup="king_d8")
    assert pqfen(game) == ("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w = - - 0 text+setup=king_d8")
    assert game.position.board["d7"].second == "K"
    assert game.position.board["e7"].second == "Q"
    assert len(game.moves()) == 20


STEPS = """
. . . . . . . k
. . . . . . . .
. . . . . . . .
. . . . . . . .
. p . p . . . .
. . . . . . . .
. . P . . . . .
R . . . . . . K"""


def test_A2_any_piece_in_pawn_state_that_never_moved_may_step_twice() -> None:
    assert to(set_up(STEPS, lone="a1:-Z", unmoved="+a1,c2"), "a1") == {"a2", "a3"}
    assert to(set_up(STEPS, lone="a1:-Z"), "a1") == {"a2"}


def test_A3_there_is_no_en_passant_and_no_castling() -> None:
    game = set_up(STEPS, unmoved="+c2")
    game.play("c2-c4")
    assert to(game, "b4") == {"b3"}
    assert to(game, "d4") == {"d3"}
    castle = STEPS.replace("R . . . . . . K", "R . . . K . . .")
    assert "c1" not in to(set_up(castle, lone="a1:+Z", unmoved="+a1,e1"), "e1")


def test_A21_another_kind_in_pawn_state_stays_on_the_far_rank_without_a_move() -> None:
    board = """
    . N . . . . . k
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . K"""
    assert to(set_up(board, lone="b8:-Z"), "b8") == set()


def test_A21_a_pawn_in_its_second_state_does_not_promote() -> None:
    board = """
    . .    . . . . . k
    . P(R) . . . . . .
    . .    . . . . . .
    . .    . . . . . .
    . .    . . . . . .
    . .    . . . . . .
    . .    . . . . . .
    . .    . . . . . K"""
    game = set_up(board, lone="b7:-Z")
    game.play("b7-b8")
    assert (game.position.board["b8"].kind, types(game, "b8")) == ("P", "R")


def test_A27_a_quiet_move_that_only_one_type_could_make_does_not_measure() -> None:
    game = qchess.new("piece-qubit-chess")
    assert not game.play("b1-a3").measured
    assert types(game, "a3") == "NP"


# -- the area of influence --------------------------------------------------------------------------

AREA = """
. . . . . . . k
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . n . . . .
. . . . . . . .
n . N . . . . .
. . . R . . . K"""


BEHIND = """
. . . . . . . k
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . R . . . .
. . . . . . . .
. . . n . . . K"""


@pytest.mark.parametrize(("origin", "measured"), [("new_square", ["d3", "d1"]), ("old_board", ["d3"])])
def test_A6_the_start_square_counts_as_empty_or_the_mover_blocks_the_ray_back(origin: str, measured: list[str]) -> None:
    game = set_up(BEHIND, area_origin=origin)
    played = game.play("d3-d5")
    assert [found[:2] for found in played.text.partition(".m")[2].split(",")] == measured


@pytest.mark.parametrize(("pawn_area", "met"), [("diagonals", {"b5", "d5"}), ("forward", {"c5"})])
def test_A8_a_pawn_type_looks_along_its_diagonals_or_straight_on(pawn_area: str, met: set[str]) -> None:
    board = """
    . . . .    . . . k
    . . . .    . . . .
    . . . .    . . . .
    . n n n    . . . .
    . . . .    . . . .
    . . P(N) . . . . .
    . . . .    . . . .
    . . . .    . . . K"""
    game = set_up(board, lone="c3:+X", pawn_area=pawn_area)
    game.play("c3-c4")
    squares = game.position.squares
    assert {squares[piece] for piece in game.position.systems[0]} - {"c4"} == met


def test_A7_A9_friend_and_foe_are_met_as_either_type_whatever_the_qubit() -> None:
    board = """
    . .    . .    . . . k
    . .    . .    . . . .
    . .    . .    . . . .
    . .    . .    . . . .
    . .    . P(R) n . . .
    . .    . .    . . . .
    . .    . .    . . . .
    . N    . .    . . . K"""
    game = set_up(board)
    game.play("b1-c3")  # its Pawn type meets the friend on d4, its Knight type the enemy on e4
    assert types(game, "d4") == "R"
    assert game.position.systems == (("wNb", "bNe"),)


# -- acting -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("acts", "after"), [(True, "P"), (False, "N")])
def test_A5_a_determined_mover_acts_on_itself_alone(acts: bool, after: str) -> None:
    game = set_up(AREA, lone="c2:+Z", determined_self_action=acts)
    game.play("c2-b4")
    assert types(game, "b4") == after
    assert types(game, "a2") == "NP"


def test_A16_a_determined_rook_does_nothing() -> None:
    game = set_up(AREA, lone="d1:+Z")
    assert not game.play("d1-d3").measured
    assert set_up(AREA).play("d1-d3").measured


def test_A12_a_partner_far_away_is_acted_on_with_the_piece_that_joins() -> None:
    game = set_up(AREA, systems="a2,d4:+XX,+ZZ")
    assert game.circuit("c2-b4") == Program(cz("wNc", "bNa"), x("wNc"), x("bNa"), x("bNd"))
    game.play("c2-b4")
    assert game.position.systems == (("wNc", "bNa", "bNd"),)


def test_A28_links_to_both_of_a_pair_may_cancel_and_the_system_is_kept() -> None:
    board = """
    . . . . . . . k
    . . . . . . . .
    . . . . . . . .
    . . . n . . . .
    . . . . . . . .
    . . . . . . . .
    n . N . . . . .
    . . . . . . . K"""
    game = set_up(board, systems="a2,d5:+XX,+ZZ")
    game.play("c2-b4")
    assert game.position.systems == (("wNc", "bNa", "bNd"),)
    assert game.position.registers.register_of("wNc") == ("wNc",)
    assert set(game.position.registers.register_of("bNa")) == {"bNa", "bNd"}


def test_A17_amplitudes_of_size_one_are_determined_whatever_their_phase() -> None:
    assert types(set_up(AREA, lone="c2:(0,-0.8+0.6i)"), "c2") == "P"


def test_A19_a_pawns_phase_shows_only_after_a_later_hadamard() -> None:
    board = """
    . .    . . . . . k
    . .    . . . . . .
    . .    . . . . . .
    . .    . . . . . .
    . .    . . . . . .
    . .    . . . . . .
    . P(R) . . . . . .
    K .    . Q . . . ."""
    game = set_up(board, lone="b2:+X")
    game.play("b2-b3")
    assert lone(game) == "b3:-X"
    game.play("h8-g8")
    game.play("d1-d3")
    assert types(game, "b3") == "R"


QUEEN = """
. . . . . . . k
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. N . . . n . .
. . . . . . . .
. . . Q . . . K"""


def test_A11_a_friend_that_the_queen_would_determine_is_acted_on_but_not_entangled() -> None:
    game = set_up(QUEEN)
    game.play("d1-d3")
    assert (types(game, "b3"), types(game, "f3"), types(game, "d3")) == ("N", "NP", "Q")
    game = set_up(QUEEN, avoid_determined="link")
    game.play("d1-d3")
    assert game.position.systems == (("wQd", "wNb"),)


def test_A13_without_the_filter_a_queen_acts_on_enemies_too() -> None:
    game = set_up(QUEEN, queen_filter="none")
    game.play("d1-d3")
    assert (types(game, "b3"), types(game, "f3")) == ("N", "N")


def test_A13_enemies_in_the_queens_system_are_not_acted_on() -> None:
    game = set_up(QUEEN, systems="d1,f3:+XX,+ZZ")
    program = game.circuit("d1-d3")
    assert "bNf" not in program.qubits
    game.play("d1-d3")
    assert game.position.systems == (("wQd", "bNf"),)


# -- the ends of the game ---------------------------------------------------------------------------


def test_rule_5_1_from_play_a_player_who_leaves_his_king_in_check_loses() -> None:
    """The fool's line: Black's queen, determined by her own move, looks from h4 at e1.

    r n b . k b n r
    p p p p . p p p
    . . . . . . . .
    . . . . p . . .
    . . . . . . P q
    P . . . . P . .
    . P P P P . . P
    R N B Q K B N R
    """
    game = qchess.new("piece-qubit-chess", seed=1)
    for move in ("f2-f3", "e7-e5", "g2-g4", "d8-h4"):
        game.play(move)
        assert game.result is None
    assert types(game, "h4") == "Q"
    game.play("a2-a3")
    assert str(game.result) == "Black wins: a white king was left in check"
    assert game.moves() == []
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.play("h4-e1")


def test_A26_only_the_player_whose_turn_ends_can_lose_by_check() -> None:
    game = qchess.new("piece-qubit-chess", seed=1)
    for move in ("f2-f3", "e7-e5", "g2-g4", "d8-h4"):
        game.play(move)
    assert game.result is None  # White is in check, but it was Black's turn


def test_A23_a_king_may_move_into_check_and_loses() -> None:
    board = """
    . . . . . . . k
    . . . . . . . .
    . . . . . . . .
    . . . r . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . K . . ."""
    game = set_up(board)
    game.play("e1-d1")
    assert str(game.result) == "Black wins: a white king was left in check"


FLIP = """
. . . . . . . k
. . . . . . . .
. . . . . . . .
. . . . P . . .
. . . . . . . .
. . . . . . . .
P . . . . . . .
. . b . . . . ."""


def test_rule_5_2_a_colour_whose_last_determined_king_is_flipped_loses() -> None:
    game = set_up(FLIP, "b", lone="e5:-Z")  # White's only King is its e-pawn in King state
    game.play("c1-f4")
    assert types(game, "e5") == "PK"
    assert str(game.result) == "Black wins: white has no king left"


def test_rule_5_2_a_captured_last_king_loses() -> None:
    board = """
    . . . . . . . k
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . r . . . .
    . . . . . . . .
    . . . K . . . ."""
    game = set_up(board, "b", lone="d3:+Z")
    game.play("d3-d1")
    assert str(game.result) == "Black wins: white has no king left"


def test_A25_both_lose_at_once_and_draw() -> None:
    board = """
    . . . . R . . .
    . . . . . . . .
    . . . . k . . .
    . . . . . . . .
    . . . . . . . .
    . . . r . . . .
    . . . . . . . .
    . . . K . . . ."""
    game = set_up(board, "b", lone="d3:+Z")
    game.play("d3-d1")  # takes the last white King, but Black's own stands on the rook's file
    assert str(game.result) == "Draw: both sides lost in the same turn"


def test_A24_a_mixed_king_is_neither_in_check_nor_counted() -> None:
    board = """
    . . . . r . . k
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . P . . .
    . . . . . . . .
    P . . . . . . .
    . . . . . . . K"""
    game = set_up(board, lone="e4:+X,e8:+Z")
    game.play("a2-a3")
    assert game.result is None
    assert game.position.kings("white") == ["h1"]
    game = set_up(board, lone="e4:-Z,e8:+Z")
    game.play("a2-a3")
    assert str(game.result) == "Black wins: a white king was left in check"


def test_A3_a_side_without_a_legal_move_draws() -> None:
    board = """
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . p
    . . . . . . . .
    . . . . . . K P"""
    game = set_up(board)
    game.play("g1-f1")
    assert game.result is None
    blocked = set_up(board.replace("K P", ". P").replace("p", "P"), "b")
    assert str(blocked.result) == "Draw: no legal move is left"


def test_A3_a_limit_of_plies_draws() -> None:
    game = qchess.new("piece-qubit-chess", max_plies=2)
    game.play("a2-a3")
    assert game.result is None
    game.play("a7-a6")
    assert str(game.result) == "Draw: 2 half-moves were played"


# -- profiles ---------------------------------------------------------------------------------------


def test_profiles_are_written_and_read_as_the_shortest_change() -> None:
    for text in ("text", "code", "text+entangler=none", "code+entangler=cz", "text+determined_self_action=False"):
        assert str(Profile.parse(text)) == text
    assert Profile.parse("code") == CODE
    assert Profile.parse("text+max_plies=40").max_plies == 40


@pytest.mark.parametrize("wrong", ["txt", "text+entangler", "text+entangler=cx", "text+speed=3", "text+max_plies=0"])
def test_a_profile_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidMoveError):
        Profile.parse(wrong)


def test_an_unknown_switch_is_refused_by_name() -> None:
    with pytest.raises(InvalidMoveError, match="no switch is called 'entanglers'"):
        qchess.new("piece-qubit-chess", entanglers="none")
