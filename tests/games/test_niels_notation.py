"""Positions and moves of Niel's Chess as text: what is read, how it is written, and with which words it is refused."""

from __future__ import annotations

from typing import Any

import pytest

import qchess
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.niels_chess import NielsChess, NielsXiangqi
from qchess.games.niels_chess.nfen import read, unit_text, write
from qchess.games.niels_chess.notation import stages

BARE = "7k/8/8/8/8/8/8/K7 w - - 0 1"


def reads(text: str, nfen: str | None = None, **switches: Any) -> str:
    """The move that a text names, in full."""
    rules = NielsChess(nfen, **switches)
    return str(rules.read(rules.start(qchess.backends.engine()), text)[0])


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("b1c3", "b1c3"),
        ("b1-c3", "b1c3"),
        ("b1^a3c3", "b1^a3oc3o"),
        ("b1^c3oa3p", "b1^c3oa3p"),
        ("e2^e2e4", "e2^e4oe2o"),
        ("e2^e4e2", "e2^e4oe2o"),
        ("e2^e3e4", "e2^e4oe3o"),
    ],
)
def test_short_forms_mean_what_the_rule_book_says(text: str, full: str) -> None:
    assert reads(text) == full


def test_any_square_of_the_pair_names_it_and_its_type_is_taken_over() -> None:
    equal, unequal = ("7k/8/2r5/6r1/1N6/8/8/K7 w - - 0 1 c6og5" + facing for facing in "op")
    assert reads("b4^b4d3&g5", equal) == "b4^b4od3o&c6"
    assert reads("b4^b4d3&c6", unequal) == "b4^b4od3p&c6"


def test_a_chosen_diagonal_is_kept_where_it_is_not_the_first_that_is_free() -> None:
    nfen = "7k/8/2r5/6r1/1N6/8/8/K7 w - - 0 1 c6og5o"
    assert reads("b4^b4d3&c6@+", nfen) == "b4^b4od3o&c6"
    game = qchess.new("niels-chess", nfen=nfen)
    assert game.play("b4^b4d3&c6@-").text == "b4^b4od3o&c6@-"
    assert {pair.diag for pair in game.position.state.pairs} == {"-"}
    assert qchess.replay(game.record()).position == game.position


def test_castling_may_be_written_as_people_do() -> None:
    castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert [reads(text, castles) for text in ("O-O", "0-0-0", "e1g1")] == ["e1g1", "e1c1", "e1g1"]
    assert reads("O-O-O", "knbr/p3/4/3P/R2K w Q - 0 1", board="4x5-micro") == "d1b1"


def test_a_mark_of_a_z_move_may_be_named() -> None:
    nfen = "7k/8/1R6/8/8/8/1R6/K7 w - - 0 1 b2ob6o"
    found = [reads(text, nfen, hadamard=True) for text in ("Z:b2b6", "Z:b6b2", "Z:b2b6.b", "Z:b2b6.r")]
    assert found == ["Z:b2b6", "Z:b2b6", "Z:b2b6", "Z:b2b6.r"]
    with pytest.raises(InvalidMoveError, match="no 'g' mark"):
        reads("Z:b2b6.g", nfen, hadamard=True)


def test_a_remote_collapse_and_its_move_are_two_turns() -> None:
    assert stages("M:b1b4.d5,b4b7.d2") == ["M:b1b4.d5", "b4b7.d2"]
    assert stages("b4b7.d2") == ["b4b7.d2"]


@pytest.mark.parametrize("text", ["", "b1^", "b1^a3", "b1^a3oc3", "K:a1b1", "e2e4=K", "b1c3.d7", "b1c3.m2", "b1^a3c3&"])
def test_what_is_no_move_is_told_so(text: str) -> None:
    with pytest.raises(InvalidMoveError):
        reads(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("b1^a3d2", "two squares that are empty and in reach"),
        ("e2^e3oe4o", "the farther|farther ahead must have the red mark"),
        ("e2e5", "e5 is not in reach"),
        ("e7e5", "is the opponent's"),
        ("e4e5", "e4 is empty"),
        ("e1c1", "a piece stands between|not in reach|own piece"),
        ("X:b1c3", "not the two of a pair"),
        ("H:b1c3", "not the two of a pair"),
        ("M:b1c3", "no remote collapse"),
        ("agree", "there is no offer to answer"),
        ("b1^b1c3&e7", "holds no half of an opposing pair"),
        ("j1j2", "the board has no square j1"),
    ],
)
def test_what_is_not_legal_is_told_why(text: str, why: str) -> None:
    with pytest.raises(IllegalMoveError, match=why):
        reads(text)


# -- positions ---------------------------------------------------------------------------------------------------


def test_a_plain_fen_is_a_position_without_pairs() -> None:
    rules = NielsChess(BARE)
    assert rules.nfen(rules.start(qchess.backends.engine())) == f"{BARE} -"


def test_pairs_are_written_in_order_and_the_first_group_on_plus() -> None:
    rules = NielsChess()
    text = "rn2k1nr/8/8/r3b3/8/R2B4/8/RN2KB2 w - - 0 1 e5ob8o,f1od3o@-,a3oa1o,a8oa5o@-"
    text = text.replace("e5ob8o,", "").replace("/r3b3/", "/r7/")
    assert write(rules.book, read(rules.book, text)).endswith(" a3oa1o,a8oa5o@+,f1od3o@+")


def test_xiangqi_reads_both_letters_of_horses_and_elephants() -> None:
    rules = NielsXiangqi("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1")
    assert rules.nfen(rules.start(qchess.backends.engine())).startswith("rnbakabnr/9/1c5c1/")


def test_a_unit_has_a_long_form() -> None:
    rules = NielsChess("7k/8/8/8/R7/8/8/K2R4 w - - 0 1 a4od1p")
    state = rules.start(qchess.backends.engine()).state
    assert [unit_text(rules.book, unit) for unit in state.units] == ["wKa1", "wR(r:a4o,b:d1p)", "bKh8"]


@pytest.mark.parametrize(
    ("nfen", "why"),
    [
        ("7k/8/8/8/8/8/8/K7 w - - 0", "the fields of FEN"),
        ("7k/8/8/8/8/8/8/K6 w - - 0 1", "ranks of one length"),
        ("7k/8/8/8/8/8/8/KX6 w - - 0 1", "expected a piece"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "each side has one king"),
        ("7k/8/8/8/8/8/8/KR6 w - - 0 1 b1oc1o", "a piece on each"),
        ("7k/8/8/8/8/8/8/KRN5 w - - 0 1 b1oc1o", "the same letter"),
        ("7k/8/8/8/8/8/8/KRRR4 w - - 0 1 b1oc1o,c1od1o", "two separate squares"),
        ("7k/8/8/8/8/8/8/KRR5 w - - 0 1 b1o-c1o", "a pair is written like"),
        ("7k/8/8/8/8/8/8/KRR5 w - - 0 1 b1oc1o@+", "pairs of both players"),
        ("rr5k/8/8/8/8/8/8/KNN5 w - - 0 1 a8ob8o@+,b1oc1p@+", "of one type"),
        ("7k/8/8/8/P7/P7/8/K7 w - - 0 1 a3oa4o", "the farther one with the red mark"),
        ("P6k/8/8/8/8/8/8/K7 w - - 0 1", "first or last rank"),
        ("7k/8/8/8/8/8/8/K7 w K - 0 1", "the right K needs"),
        ("7k/8/8/8/8/8/8/K7 w - e3 0 1", "has just passed over e3"),
        ("R6k/8/8/8/8/8/8/K7 w - - 0 1", "not to move is in check"),
        ("7k/8/8/8/8/8/8/K7 x - - 0 1", "the turn is w or b"),
        ("7k/8/8/8/8/8/8/K7 w - - -1 1", "a whole number from 0"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(nfen: str, why: str) -> None:
    with pytest.raises(InvalidMoveError, match=why):
        NielsChess(nfen)


def test_the_board_is_a_switch_or_a_position() -> None:
    rules = NielsChess(board="kn1/3/3/1NK w - - 0 1")
    assert (rules.book.board.width, rules.book.board.height) == (3, 4)
    with pytest.raises(InvalidMoveError):
        NielsChess(board="9x9")


def test_a_text_brings_its_own_board_whatever_the_variants_is() -> None:
    game = qchess.new("niels-chess", nfen="4k/5/5/5/5/K4 w - - 0 1", seed=1)
    view = game.rules.view(game.position)
    assert (view.width, view.height) == (5, 6)
    assert {game.rules.view(game.position).men[square][0].symbol for square in ("a1", "e6")} == {"K", "k"}
