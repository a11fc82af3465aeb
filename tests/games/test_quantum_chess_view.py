"""What the board shows: odds, phases, entangled squares, the last move; and what the greedy agent counts."""

from __future__ import annotations

from typing import Any

import pytest

import qchess
import qchess.showing.view

KNIGHT = "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1"


def play(fen: str, moves: str, **options: Any) -> qchess.Game:
    game = qchess.new("quantum-chess", fen=fen, seed=0, **options)
    for move in moves.split():
        game.play(move)
    return game


def man(game: qchess.Game, square: str) -> Any:
    (found,) = game.rules.view(game.position).men[square]
    return found


def test_a_certain_man_has_no_phase_and_both_halves_of_a_split_have_the_same() -> None:
    game = play(KNIGHT, "b1^a3c3")
    assert man(game, "e1") == qchess.showing.view.Man("K", 1.0, None)
    assert [man(game, square).probability for square in ("a3", "c3")] == pytest.approx([0.5, 0.5])
    assert man(game, "a3").phase == man(game, "c3").phase == 0


def test_a_jump_turns_the_phase_by_a_quarter_and_out_and_back_by_a_half() -> None:
    """Each move multiplies what it moves by i."""
    once = play(KNIGHT, "b1^a3c3 e8-e7 c3-d5")
    twice = play(KNIGHT, "b1^a3c3 e8-e7 c3-d5 e7-e8 d5-c3")
    assert (man(once, "d5").phase - man(once, "a3").phase) % 1 == pytest.approx(0.25)
    assert (man(twice, "c3").phase - man(twice, "a3").phase) % 1 == pytest.approx(0.5)


def test_links_join_the_squares_whose_occupations_are_correlated() -> None:
    """
    4  . . . . . P50 . .
    3  . . . . . N50 . N50     the pawn went where the knight is not on f3
    2  . . . . . P50 . .
    """
    game = play("4k3/8/8/8/8/8/5P2/4K1N1 w - - 0 1", "g1^f3h3 e8-e7 f2-f4")
    links = game.rules.view(game.position).links
    assert {frozenset(pair[:2]) for pair in links} == {
        frozenset(pair.split()) for pair in ("f2 f3", "f2 f4", "f2 h3", "f3 f4", "f3 h3", "f4 h3")
    }
    assert all(strength == pytest.approx(1) for *_, strength in links)


def test_independent_registers_have_no_links_between_them() -> None:
    game = play("1n2k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1^a3c3 b8^a6c6")
    assert {frozenset(link[:2]) for link in game.rules.view(game.position).links} == {
        frozenset(("a3", "c3")),
        frozenset(("a6", "c6")),
    }


def test_half_of_a_captured_piece_is_linked_to_nothing_on_the_board() -> None:
    game = play("4k3/8/8/8/1n6/2N5/8/4K3 b - - 0 1", "b4^a2d5 c3-d5")
    view = game.rules.view(game.position, game.history[-1].move)
    assert view.links == ()
    assert (view.arrows, view.marked) == ((qchess.showing.view.Arrow("c3", "d5"),), ("c3", "d5"))


def test_a_split_and_a_merge_are_drawn_with_two_arrows() -> None:
    game = play(KNIGHT, "b1^a3c3 e8-e7 a3c3^b5")
    shown = [game.rules.view(game.position, played.move).arrows for played in game.history]
    assert [[(a.start, a.end, a.kind) for a in arrows] for arrows in shown] == [
        [("b1", "a3", "split"), ("b1", "c3", "split")],
        [("e8", "e7", "move")],
        [("a3", "b5", "merge"), ("c3", "b5", "merge")],
    ]


def test_the_notes_tell_the_side_the_rights_and_the_clocks() -> None:
    game = play("r3k3/8/8/8/8/8/4P3/4K2R w Kq - 3 1", "e2-e4")
    notes = game.rules.view(game.position).notes
    assert notes == ("black to move (move 1)", "castling Kq", "en passant on e3", "half-move clock 4")


def test_material_is_counted_by_its_odds_and_both_sides_sum_to_zero() -> None:
    """Half of a knight is worth one and a half pawns."""
    game = play("4k3/8/8/8/1n6/2N5/8/4K3 b - - 0 1", "b4^a2d5 c3-d5")
    standing = game.rules.evaluate(game.position)
    assert standing == {"white": pytest.approx(1.5), "black": pytest.approx(-1.5)}


def test_looking_at_the_odds_asks_nothing() -> None:
    game = play("4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1", "b1^a3c3 e8-e7")
    before = game.position
    assert game.chances("c3-d5")[("hit", 1),] == pytest.approx(0.5)
    assert game.rules.describe(before, game.rules.read(before, "c3-d5")[0]) == "Is the knight on c3? Yes 50%, no 50%"
    assert game.position is before
