"""The board as text, compared as one would see it."""

from __future__ import annotations

import re
from dataclasses import replace
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qchess
from qchess.showing.boardtext import cell, draw
from qchess.showing.registers import sign
from qchess.showing.view import Man, View, tidy
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


def test_a_cell_names_everybody_who_may_be_there() -> None:
    assert cell((Man("B", 0.5), Man("p", 0.25), Man("Q", 0.25))) == "B50|p25|Q25"
    assert (cell((Man("K"),)), cell(())) == ("K", ".")


def test_certain_men_stand_alone_and_open_ones_show_their_odds() -> None:
    assert draw(SPLIT_KNIGHT) == board("""
        3  N50  .    N38  N13
        2  .    p    .    .
        1  R    .    k    .
           a    b    c    d
        white to move
    """)


def test_without_unicode_small_digits_stand_apart_from_the_odds() -> None:
    view = View(2, 1, {"a1": (Man("X₁", 0.75), Man("O₂", 0.25)), "b1": (Man("O₂", 0.75),)})
    assert draw(view) == "1  X₁75|O₂25  O₂75\n   a          b"
    assert draw(view, unicode=False) == "1  X1:75|O2:25  O2:75\n   a            b"


def test_a_square_shows_both_kinds_that_its_piece_may_be() -> None:
    view = View(3, 2, {"b2": (Man("B", 0.5), Man("P", 0.5)), "a1": (Man("K"),), "c1": (Man("q", 1 / 3),)})
    assert draw(view) == board("""
        2  .        B50|P50  .
        1  K        .        q33
           a        b        c
    """)


def test_a_classical_board_is_as_narrow_as_can_be() -> None:
    assert draw(View(3, 1, {"b1": (Man("N"),)})) == "1  . N .\n   a b c"


def test_ranks_from_ten_on_keep_the_columns_aligned() -> None:
    lines = draw(View(2, 10, {"a10": (Man("r"),)})).splitlines()
    assert lines[0] == "10  r ."
    assert lines[-2:] == [" 1  . .", "    a b"]


@pytest.mark.parametrize(
    ("probability", "shown"),
    [(1.0, ""), (1 - 1e-12, ""), (0.75, "75"), (1 / 16, "6"), (0.125, "13"), (1e-5, "<1"), (0.995, ">99")],
)
def test_odds_are_short_and_never_round_to_certain_or_impossible(probability: float, shown: str) -> None:
    assert cell((Man("N", probability),)) == f"N{shown}"


def test_colours_change_nothing_but_colour() -> None:
    coloured = draw(SPLIT_KNIGHT, colour=True)
    assert "\x1b[" in coloured
    plain = "\n".join(line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", coloured).splitlines())
    assert plain == draw(SPLIT_KNIGHT)


def test_groups_are_coloured_alike_and_apart_from_each_other() -> None:
    men = {name: (Man("N", 0.5),) for name in ("a1", "b1", "c1", "d1")}
    view = View(4, 1, men, groups=(("a1", "c1"), ("b1", "d1")))
    a, b, c, d = re.findall(r"\x1b\[([\d;]+)m[●▲]50", draw(view, colour=True))
    assert (a, b) == (c, d)
    assert a != b


def test_sides_keep_their_colours_whatever_group_they_are_in() -> None:
    men = {"a1": (Man("N", 0.5),), "b1": (Man("n", 0.5),), "c1": (Man("N"),), "d1": (Man("n"),)}
    coloured = draw(View(4, 1, men, groups=(("a1", "b1"),)), colour=True)
    first, second = (set(re.findall(rf"\x1b\[([\d;]+)m{letter}", coloured)) for letter in "Nn")
    assert len(first) == len(second) == 1
    assert first != second


GROUPED = View(
    4, 2,
    {"a1": (Man("N", 0.5),), "c1": (Man("N", 0.5),), "b2": (Man("b", 0.5),), "d2": (Man("b", 0.5),), "a2": (Man("k"),)},
    groups=(("a1", "c1"), ("b2", "d2")),
    notes=("white to move",),
)  # fmt: skip


def test_squares_that_belong_together_have_one_shape() -> None:
    assert draw(GROUPED) == board("""
        2  k     b▲50  .     b▲50
        1  N●50  .     N●50  .
           a     b     c     d
        white to move
    """)
    assert draw(GROUPED, unicode=False).splitlines()[1] == "1  N50A  .     N50A  ."


def test_the_only_group_there_is_needs_no_shape_unless_something_open_is_outside() -> None:
    alone = replace(GROUPED, men={k: v for k, v in GROUPED.men.items() if k[1] == "1"}, groups=(("a1", "c1"),))
    assert "●" not in draw(alone)
    outside = replace(alone, men={**alone.men, "d2": (Man("p", 0.5),)})
    assert "N●50" in draw(outside)


def test_many_registers_are_told_apart_without_colours() -> None:
    for unicode in (True, False):
        signs = [sign(number, unicode) for number in range(45)]
        assert len(set(signs)) == len(signs)
        assert all(len(sign) == 1 for sign in signs)
    numbered = replace(GROUPED, registers=(6, 1))
    assert draw(numbered).splitlines()[1] == "1  NⒼ50  .     NⒼ50  ."


def test_with_colours_the_second_players_letters_are_reversed() -> None:
    coloured = draw(GROUPED, colour=True)
    assert set(re.findall(r"\x1b\[7m(.)", coloured)) == {"b", "k"}


def test_what_is_too_wide_first_loses_a_gap_and_then_stands_in_two_lines() -> None:
    qubits = qchess.new("piece-qubit-chess")
    view = qubits.rules.view(qubits.position)
    assert max(map(len, str(qubits).splitlines())) == 73
    assert draw(view, columns=72).startswith("8  r50|p50 n50|p50 ")
    assert draw(view, columns=60).splitlines()[1] == "  50|50 50|50 50|50 50|50       50|50 50|50 50|50"
    assert draw(view, columns=40).splitlines()[1] == "  50 50 50 50    50 50 50"


def test_black_sees_black_below() -> None:
    assert draw(GROUPED, below="black") == board("""
        1  .     N●50  .     N●50
        2  b▲50  .     b▲50  k
           d     c     b     a
        white to move
    """)


def test_on_a_narrow_screen_the_odds_stand_below_the_men() -> None:
    either = (Man("B", 3 / 16), Man("P", 13 / 16))
    view = View(
        8, 1,
        {"a1": either, "c1": (Man("N", 0.5),), "d1": (Man("n", 0.0001),), "h1": (Man("k"),)},
        groups=(("a1", "c1"),),
        notes=("a note that is longer than the screen is wide, and so it goes on",),
    )  # fmt: skip
    narrow = draw(view, columns=40)
    assert narrow == board("""
        1 PB● .   N●  n   .   .   .   k
          81      50  <1
          a   b   c   d   e   f   g   h
        a note that is longer than the screen is
          wide, and so it goes on
    """)
    assert draw(view, columns=200) == draw(view, columns=None)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("KQRBNPkqrbnp"), st.floats(0, 1)), min_size=64, max_size=64), st.booleans())
def test_no_board_of_eight_is_wider_than_forty_columns_if_it_must_not(men: list[tuple[str, float]], two: bool) -> None:
    names = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]
    shown = {n: (Man(s, p), Man("P", 1 - p)) if two else (Man(s, p),) for n, (s, p) in zip(names, men, strict=True)}
    for unicode in (True, False):
        text = draw(View(8, 8, shown, groups=(tuple(names[:9]), tuple(names[9:40]))), unicode=unicode, columns=40)
        assert max(map(len, text.splitlines())) <= 40


def test_odds_are_shown_without_the_noise_of_an_engine_and_never_become_certain_by_it() -> None:
    assert [tidy(p) for p in (0.4999999999999999, 1 + 2e-16, 1 / 3)] == [0.5, 1.0, 0.333333333333]
    assert 0 < tidy(1e-14) < tidy(1 - 1e-14) < 1


def test_no_line_ends_in_blanks() -> None:
    for colour in (False, True):
        assert all(line == line.rstrip() for line in draw(SPLIT_KNIGHT, colour=colour).splitlines())


def test_printing_a_game_shows_its_board() -> None:
    game = qchess.Game(Toy(), seed=1)
    game.play("b1^a1c1")
    assert str(game) == "1  N50  .    N50\n   a    b    c\nblack to move"
