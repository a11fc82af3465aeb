"""The worked examples of the rule book, section 11, each with its boards.

Joint odds are written as ``{"a3 e3": 1/2, ...}``: the squares that are occupied, certain ones left out.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import qchess

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ROOK_AND_KNIGHT = "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1"


def play(fen: str, moves: str, **options: Any) -> qchess.Game:
    """A game after these moves; an open question without an outcome is an error."""
    game = qchess.new("quantum-chess", fen=fen, source=Silent(), **options)
    for move in moves.split():
        game.play(move)
    return game


class Silent:
    """A source that may only be asked what is certain."""

    def draw(self, ask: Any) -> Any:
        from qchess.circuits.engine import Sample

        assert len(ask.odds) == 1, f"the question {ask.step} is open: {ask.odds}"
        return Sample(next(iter(ask.odds)), "certain")


def joint(game: qchess.Game) -> dict[str, float]:
    """The joint odds of the squares that are not certain."""
    position = game.position
    open_squares = [name for name in position.geometry.names if position.registers.known(name) is None]
    if not open_squares:
        return {}
    odds = position.registers.distribution(*open_squares)
    return {" ".join(n for k, n in enumerate(open_squares) if key >> k & 1): p for key, p in odds.items()}


def certain(game: qchess.Game, squares: str) -> bool:
    """Whether every one of these squares is certainly occupied."""
    return all(game.position.registers.known(name) == 1 for name in squares.split())


def board(game: qchess.Game) -> str:
    """The ranks of the drawn board that hold something, top first."""
    ranks = [line.rstrip() for line in str(game).splitlines()[: game.position.geometry.height]]
    return "\n".join(line for line in ranks if set(line[1:]) - set(" ."))


def near(odds: dict[Any, float]) -> Any:
    return pytest.approx(odds, abs=1e-12)


def test_example_1_a_split_halves_the_knight_and_a_merge_makes_it_whole_again() -> None:
    game = play(START, "b1^a3c3")
    assert (
        board(game)
        == """\
8  r    n    b    q    k    b    n    r
7  p    p    p    p    p    p    p    p
3  N50  .    N50  .    .    .    .    .
2  P    P    P    P    P    P    P    P
1  R    .    B    Q    K    B    N    R"""
    )
    assert joint(game) == near({"a3": 1 / 2, "c3": 1 / 2})
    amplitudes = game.position.registers.amplitudes(game.position.geometry.names)
    assert all(abs(abs(a) - math.sqrt(1 / 2)) < 1e-12 for a in amplitudes.values())
    for merge, knight in (("a3c3^b1", "b1"), ("c3a3^b1", "b1"), ("a3c3^b5", "b5")):
        again = play(START, f"b1^a3c3 a7-a6 {merge}")
        assert joint(again) == {}
        assert certain(again, knight)


def test_example_2_a_knight_split_three_times_is_never_in_two_places() -> None:
    game = play(START, "b1^a3c3 a7-a6 c3^b5d5 a6-a5 d5^e3f4")
    assert joint(game) == near({"a3": 1 / 2, "b5": 1 / 4, "e3": 1 / 8, "f4": 1 / 8})
    assert (
        board(game)
        == """\
8  r    n    b    q    k    b    n    r
7  .    p    p    p    p    p    p    p
5  p    N25  .    .    .    .    .    .
4  .    .    .    .    .    N13  .    .
3  N50  .    .    .    N13  .    .    .
2  P    P    P    P    P    P    P    P
1  R    .    B    Q    K    B    N    R"""
    )


def test_example_3_a_pawn_that_half_passed_a_knight_learns_with_it_where_it_is() -> None:
    game = play(START, "g1^f3h3 e7-e5 f2-f4")
    assert joint(game) == near({"f2 f3": 1 / 2, "h3 f4": 1 / 2})
    assert game.position.geometry.names[game.position.en_passant] == "f3"
    game.play("a7-a6")
    assert game.chances("f3-e5") == near({(("hit", 0),): 1 / 2, (("hit", 1),): 1 / 2})
    game.play("f3-e5.m1")
    assert certain(game, "e5 f2")
    assert game.position.board[game.position.geometry.square("e5")] == "N"
    game.undo()
    game.play("f3-e5.m0")
    assert certain(game, "h3 f4 e5")
    assert game.position.board[game.position.geometry.square("e5")] == "p"


def test_example_4_a_capture_asks_jointly_for_the_rook_and_its_path() -> None:
    game = play("3qk3/8/8/8/8/8/8/RN2K3 w - - 0 1", "b1^c3d2 e8-e7 a1^c1d1 e7-e8")
    assert (
        board(game)
        == """\
8  .     .     .     q     k     .     .     .
3  .     .     N●50  .     .     .     .     .
2  .     .     .     N●50  .     .     .     .
1  .     .     R▲50  R▲50  K     .     .     ."""
    )
    assert game.chances("d1-d8") == near({(("hit", 0),): 3 / 4, (("hit", 1),): 1 / 4})
    game.play("d1-d8.m1")
    assert joint(game) == {}
    assert certain(game, "d8 c3")
    game.undo()
    game.play("d1-d8.m0")
    assert joint(game) == near({"d1 d2": 1 / 3, "c1 d2": 1 / 3, "c1 c3": 1 / 3})
    assert (
        board(game)
        == """\
8  .    .    .    q    k    .    .    .
3  .    .    N33  .    .    .    .    .
2  .    .    .    N67  .    .    .    .
1  .    .    R67  R33  K    .    .    ."""
    )


def test_example_5_what_does_not_merge_is_left_on_the_first_source() -> None:
    fen, opening = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1^a4d1 e8-e7 a4-b4 e7-e8"
    assert joint(play(fen, f"{opening} b4d1^d4")) == near({"d4": 1 / 2, "b4": 1 / 2})
    assert joint(play(fen, f"{opening} d1b4^d4")) == near({"d4": 1 / 2, "d1": 1 / 2})
    scattered = play(fen, f"{opening} b4-a4 e8-e7 a4d1^a1")
    assert joint(scattered) == {}, "out and back is i.i = -1"
    assert (
        board(scattered)
        == """\
7  . . . . k . . .
4  R . . . . . . .
1  . . . . K . . ."""
    )
    assert certain(play(fen, f"{opening} b4-a4 e8-e7 d1a4^a1"), "d1")


def test_example_6_a_rook_that_knows_the_path_spoils_the_interference_until_it_goes_back() -> None:
    known = play(ROOK_AND_KNIGHT, "b1^a3d2 e8-e7 a1-a5 e7-e8 a3d2^b1")
    assert joint(known) == near({"b1 a5": 1 / 4, "a3 a5": 1 / 4, "a1 b1": 1 / 4, "a1 a3": 1 / 4})
    assert (
        board(known)
        == """\
8  .    .    .    .    k    .    .    .
5  R50  .    .    .    .    .    .    .
3  N50  .    .    .    .    .    .    .
1  R50  N50  .    .    K    .    .    ."""
    )
    erased = play(ROOK_AND_KNIGHT, "b1^a3d2 e8-e7 a1-a5 e7-e8 a5-a1 e8-e7 a3d2^b1")
    assert joint(erased) == {}
    assert certain(erased, "a1 a3")


def test_example_7_a_split_slide_leaves_no_record_of_the_path() -> None:
    opening = "b1^a3d2 e8-e7 a1^a5c1"
    game = play(ROOK_AND_KNIGHT, opening)
    assert joint(game) == near({"c1 a3": 1 / 2, "c1 d2": 1 / 4, "d2 a5": 1 / 4})
    back = f"{opening} e7-e8 a5c1^a1 e8-e7"
    assert certain(play(ROOK_AND_KNIGHT, back), "a1")
    assert certain(play(ROOK_AND_KNIGHT, f"{back} a3d2^b1"), "a1 b1")
    recorded = play(ROOK_AND_KNIGHT, f"{back} a3d2^b1", profile="sdk-0.2.2")
    assert joint(recorded) == near({"b1": 1 / 2, "a3": 1 / 2})


def test_example_8_the_knight_interferes_although_a_merge_slid_past_it() -> None:
    fen = "4k3/8/8/8/2n5/8/8/R3K3 b - - 0 1"
    moves = "c4^a3e3 a1^a2d1 e8-e7 d1-d4 e7-e8 a2d4^a4 e8-e7 e1-f1 a3e3^c2"
    game = play(fen, moves)
    odds = game.position.odds
    assert odds["c2"] == pytest.approx((2 + math.sqrt(2)) / 4, abs=1e-12)
    assert odds["a3"] == pytest.approx((2 - math.sqrt(2)) / 4, abs=1e-12)
    assert (odds["a2"], odds["a4"]) == (pytest.approx(1 / 2), pytest.approx(1 / 2))
    assert {frozenset(register) for register in game.position.registers.registers} == {
        frozenset({"c2", "a3"}),
        frozenset({"a2", "a4"}),
    }
    recorded = play(fen, moves, profile="sdk-0.2.2").position.odds
    assert (recorded["c2"], recorded["a3"]) == (pytest.approx(1 / 2), pytest.approx(1 / 2))


def test_example_9_a_capture_never_asks_its_target() -> None:
    game = play("4k3/8/8/8/1n6/2N5/8/4K3 b - - 0 1", "b4^a2d5")
    assert game.chances("c3-d5") == {(("hit", 1),): 1.0}
    assert game.play("c3-d5").text == "c3-d5.m1"
    assert (
        board(game)
        == """\
8  .    .    .    .    k    .    .    .
5  .    .    .    N    .    .    .    .
2  n50  .    .    .    .    .    .    .
1  .    .    .    .    K    .    .    ."""
    )
    assert game.position.clock == 2
    assert play("4k3/8/8/8/1n6/2N5/8/4K3 b - - 0 1", "b4^a2d5 c3-d5", halfmove_clock="fide").position.clock == 0
    with_pawn = play("4k3/8/8/8/1n2P3/8/8/4K3 b - - 0 1", "b4^a2d5 e4-d5")
    assert joint(with_pawn) == near({"d5": 1 / 2, "a2 e4": 1 / 2})


def test_example_10_a_half_present_pawn_takes_in_passing_without_a_question() -> None:
    moves = "b5^d6a3 e1-f1 d7-d5 f1-g1 d5-d4 g1-h1 d6-b5 e2-e4"
    game = play("4k3/3p4/8/1n6/8/8/4P3/4K3 b - - 0 1", moves)
    assert game.play("d4-e3").text == "d4-e3ep"
    assert joint(game) == near({"a3 e3": 1 / 2, "e4 b5 d7": 1 / 2})
    assert (
        board(game)
        == """\
8  .    .    .    .    k    .    .    .
7  .    .    .    p50  .    .    .    .
5  .    n50  .    .    .    .    .    .
4  .    .    .    .    P50  .    .    .
3  n50  .    .    .    p50  .    .    .
1  .    .    .    .    .    .    .    K"""
    )


def test_example_11_castling_asks_for_both_squares_at_once_and_controls_on_b1() -> None:
    game = play("4k3/8/8/8/8/4NN2/8/R3K2R w KQ - 0 1", "e3^f1d5 e8-e7 f3^g1d4 e7-e8")
    assert game.chances("e1-g1") == near({(("hit", 0),): 3 / 4, (("hit", 1),): 1 / 4})
    game.play("e1-g1.m0")
    assert joint(game) == near({"f1 g1": 1 / 3, "f1 d4": 1 / 3, "g1 d5": 1 / 3})
    assert game.position.rights == 3
    queen_side = play("4k3/8/8/8/8/2N1N3/8/R3K2R w KQ - 0 1", "c3^b1d5 e8-e7 e1-c1")
    assert joint(queen_side) == near({"c1 d1 d5": 1 / 2, "a1 b1 e1": 1 / 2})
    assert (
        board(queen_side)
        == """\
7  .    .    .    .    k    .    .    .
5  .    .    .    N50  .    .    .    .
3  .    .    .    .    N    .    .    .
1  R50  N50  K50  R50  K50  .    .    R"""
    )


@pytest.mark.parametrize(
    ("split", "odds"),
    [
        ("d2^f3b1", "b1 f3:2 e2 a3:2 b1 e2:1 e2 f3:1 a3 f3:1 b1 a3:1"),
        ("d2^b1f3", "d2 a3:2 e2 a3:2 d2 f3:1 b1 d2:1 e2 f3:1 b1 e2:1"),
    ],
)
def test_example_12_the_order_of_targets_tells_where_one_of_them_may_be_taken(split: str, odds: str) -> None:
    game = play("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", f"b1^a3d2 e8-e7 g1^e2f3 e7-e8 {split}")
    words = odds.replace(":", " ").split()
    expected = {f"{a} {b}": int(n) / 8 for a, b, n in zip(words[::3], words[1::3], words[2::3], strict=True)}
    assert joint(game) == near(expected)


def test_example_13_an_excluded_slide_asks_its_target_only() -> None:
    moves = "b1^a3d2 e8-e7 d2-b3 e7-e8 c1^e3b2 e8-e7 b2-d4 e7-e8 d4-a7 e8-e7"
    game = play("4k3/8/8/8/8/8/8/RNB1K3 w - - 0 1", moves)
    assert game.chances("a1-a7") == near({(("hit", 0),): 1 / 2, (("hit", 1),): 1 / 2})
    game.play("a1-a7.m1")
    assert certain(game, "e3")
    assert joint(game) == near({"b3 a7": 1 / 2, "a1 a3": 1 / 2})
    assert (
        board(game)
        == """\
7  R50  .    .    .    k    .    .    .
3  N50  N50  .    .    B    .    .    .
1  R50  .    .    .    K    .    .    ."""
    )
    game.undo()
    game.play("a1-a7.m0")
    assert certain(game, "a7 a1")
    assert joint(game) == near({"a3": 1 / 2, "b3": 1 / 2})


def test_example_14_a_pawn_that_may_take_is_a_queen_where_it_did() -> None:
    game = play("5n1k/2P5/8/8/8/8/8/4K3 b - - 0 1", "f8^d7e6 e1-f1 e6-d8")
    assert game.chances("c7-d8Q") == {(("hit", 1),): 1.0}
    game.play("c7-d8Q")
    assert joint(game) == near({"d8": 1 / 2, "c7 d7": 1 / 2})
    assert (
        board(game)
        == """\
8  .    .    .    Q50  .    .    .    k
7  .    .    P50  n50  .    .    .    .
1  .    .    .    .    .    K    .    ."""
    )
