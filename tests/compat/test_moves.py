"""Moves in the long form: they round-trip, and what is no move raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qchess.compat import KNIGHT, QUEEN, Move, MoveType, MoveVariant, bit_to_square
from qchess.errors import InvalidMoveError

SQUARE = st.integers(0, 63).map(bit_to_square)
NAMED = {"move_type": st.sampled_from(MoveType), "move_variant": st.sampled_from(MoveVariant)}
OUTCOME = {"measurement": st.sampled_from([None, 0, 1])}
MOVES = st.one_of(
    st.builds(Move, SQUARE, SQUARE, **NAMED, **OUTCOME, promotion_piece=st.sampled_from([None, QUEEN, -KNIGHT])),
    st.builds(Move, SQUARE, SQUARE, target2=SQUARE, **NAMED, **OUTCOME),
    st.builds(Move, SQUARE, SQUARE, source2=SQUARE, **NAMED, **OUTCOME),
)


@given(MOVES)
def test_the_long_form_reads_back(move):
    assert Move.from_string(move.to_string(include_type=True)) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("a1b1:JUMP:BASIC", Move("a1", "b1", move_type=MoveType.JUMP, move_variant=MoveVariant.BASIC)),
        ("a3c3^b1:MERGE_JUMP:BASIC",
         Move("a3", "b1", source2="c3", move_type=MoveType.MERGE_JUMP, move_variant=MoveVariant.BASIC)),
        ("a1a5.m1:SLIDE:CAPTURE",
         Move("a1", "a5", measurement=1, move_type=MoveType.SLIDE, move_variant=MoveVariant.CAPTURE)),
        ("e2f1q:PAWN_CAPTURE:CAPTURE",
         Move("e2", "f1", promotion_piece=-QUEEN, move_type=MoveType.PAWN_CAPTURE, move_variant=MoveVariant.CAPTURE)),
    ],
)  # fmt: skip
def test_examples_of_the_long_form(text, move):
    assert Move.from_string(text) == move
    assert move.to_string(include_type=True) == text


def test_short_texts():
    assert str(Move("a1", "b4", target2="c4")) == "a1^b4c4"
    assert str(Move("a1", "b4", source2="b1", measurement=0)) == "a1b1^b4.m0"
    assert str(Move("c7", "c8", measurement=0, promotion_piece=QUEEN)) == "c7c8Q.m0"


@pytest.mark.parametrize(
    "text",
    ["", "a1b1", "a1b1:JUMP", "a1b1:JUMP:BASIC:", "a1b1:jump:BASIC", "a1b1:JUMP:", "a1i1:JUMP:BASIC", "a1:JUMP:BASIC",
     "a1b1c1:SPLIT_JUMP:BASIC", "a1b1^c1d1:SPLIT_JUMP:BASIC", "a1^b1c1d1:SPLIT_JUMP:BASIC", "a1b1.m2:JUMP:BASIC",
     "a1b1.x1:JUMP:BASIC", "b1^a3c3q:SPLIT_JUMP:BASIC", "a1-b1:JUMP:BASIC", "a1b1k:JUMP:BASIC"],
)  # fmt: skip
def test_what_is_no_move_raises(text):
    with pytest.raises(InvalidMoveError):
        Move.from_string(text)


def test_moves_differ_in_every_field():
    moves = [
        Move("a1", "b4"), Move("a1", "b5"), Move("a2", "b4"), Move("a1", "b4", source2="c1"),
        Move("a1", "b4", target2="c1"), Move("a1", "b4", move_type=MoveType.JUMP), Move("a1", "b4", measurement=0),
        Move("a1", "b4", move_variant=MoveVariant.BASIC), Move("a1", "b4", promotion_piece=QUEEN),
    ]  # fmt: skip
    assert all((a == b) == (i == j) for i, a in enumerate(moves) for j, b in enumerate(moves))
    text: object = "a1b4"
    assert Move("a1", "b4") != text
