"""The board as text, compared as one would see it."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

import qchess
from qchess.showing.boardtext import draw, odds
from qchess.showing.view import Man, View
from tests.toygame import Toy

SPLIT_KNIGHT = View(
    width=4,
    height=3,
    men={
        "a1": (Man("R"),),
        "c1": (Man("k"),),
        "a3": (Man("N", 0.5),),
        "c3": (Man("N", 0.375),),
        "d3": (Man("N", 0.125),),
        "b2": (Man("p"),),
    },
    notes=("white to move",),
)


def board(text: str) -> str:
    return dedent(text).strip("\n")


def test_certain_men_stand_alone_and_open_ones_show_their_odds() -> None:
    assert draw(SPLIT_KNIGHT) == board("""
        3  N½  .   N⅜  N⅛
        2  .   p   .   .
        1  R   .   k   .
           a   b   c   d
        white to move
    """)


def test_without_unicode_the_odds_are_written_as_fractions() -> None:
    text = draw(SPLIT_KNIGHT, unicode=False)
    assert text.isascii()
    assert text == board("""
        3  N1/2  .     N3/8  N1/8
        2  .     p     .     .
        1  R     .     k     .
           a     b     c     d
        white to move
    """)


def test_a_square_shows_both_kinds_that_its_piece_may_be() -> None:
    view = View(3, 2, {"b2": (Man("B", 0.5), Man("P", 0.5)), "a1": (Man("K"),), "c1": (Man("q", 1 / 3),)})
    assert draw(view) == board("""
        2  .      B½,P½  .
        1  K      .      q.333
           a      b      c
    """)


def test_a_classical_board_is_as_narrow_as_can_be() -> None:
    assert draw(View(3, 1, {"b1": (Man("N"),)})) == "1  . N .\n   a b c"


def test_ranks_from_ten_on_keep_the_columns_aligned() -> None:
    lines = draw(View(2, 10, {"a10": (Man("r"),)})).splitlines()
    assert lines[0] == "10  r ."
    assert lines[-2:] == [" 1  . .", "    a b"]


@pytest.mark.parametrize(
    ("probability", "shown"),
    [(1.0, ""), (1 - 1e-12, ""), (0.75, "¾"), (1 / 16, "1/16"), (0.3, ".300"), (1e-5, "<.001"), (1 - 1e-5, ">.999")],
)
def test_odds_are_short_and_never_round_to_certain_or_impossible(probability: float, shown: str) -> None:
    assert odds(probability) == shown


def test_colours_change_nothing_but_colour() -> None:
    coloured = draw(SPLIT_KNIGHT, colour=True)
    assert "\x1b[" in coloured
    plain = "\n".join(line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", coloured).splitlines())
    assert plain == draw(SPLIT_KNIGHT)


def test_groups_are_coloured_alike_and_apart_from_each_other() -> None:
    men = {name: (Man("N", 0.5),) for name in ("a1", "b1", "c1", "d1")}
    view = View(4, 1, men, groups=(("a1", "c1"), ("b1", "d1")))
    a, b, c, d = re.findall(r"\x1b\[([\d;]+)mN", draw(view, colour=True))
    assert (a, b) == (c, d)
    assert a != b


def test_no_line_ends_in_blanks() -> None:
    for colour in (False, True):
        assert all(line == line.rstrip() for line in draw(SPLIT_KNIGHT, colour=colour).splitlines())


def test_printing_a_game_shows_its_board() -> None:
    game = qchess.Game(Toy(), seed=1)
    game.play("b1^a1c1")
    assert str(game) == "1  N½  .   N½\n   a   b   c\nblack to move"
