"""Boards of any width and height."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qchess import InvalidMoveError
from qchess.boards import movers, placement
from qchess.boards.geometry import ALL_AROUND, KNIGHT, Geometry, Step, geometry, mask, squares


def test_squares_are_numbered_from_a1_along_the_ranks() -> None:
    board = geometry(8, 8)
    assert [board.square(name) for name in ("a1", "b1", "h1", "a2", "h8")] == [0, 1, 7, 8, 63]
    assert geometry(10, 12).names[-1] == "j12"


def test_there_is_one_board_of_each_size() -> None:
    assert geometry(5, 4) is geometry(5, 4)
    assert pickle.loads(pickle.dumps(geometry(5, 4))) is geometry(5, 4)


@pytest.mark.parametrize("name", ["i1", "a9", "a0", "", "A1", "11"])
def test_a_name_off_the_board_is_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidMoveError, match=f"'{name}'"):
        geometry(8, 8).square(name)


@pytest.mark.parametrize("size", [(0, 5), (27, 1), (3, 100)])
def test_a_board_without_names_for_its_squares_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(InvalidMoveError, match="1 to 26 files"):
        geometry(*size)


@pytest.mark.parametrize(
    ("a", "b", "between"),
    [
        ("a1", "a4", "a2 a3"),
        ("h8", "e5", "g7 f6"),
        ("c3", "a3", "b3"),
        ("a1", "b1", ""),
        ("a1", "b3", ""),
        ("d4", "d4", ""),
    ],
)
def test_between_lie_the_squares_of_a_rank_file_or_diagonal_in_order(a: str, b: str, between: str) -> None:
    board = geometry(8, 8)
    start, end = board.square(a), board.square(b)
    assert " ".join(board.names[k] for k in board.between(start, end)) == between
    assert " ".join(board.path(start, end)) == between
    assert board.path(end, start) == board.path(start, end)[::-1]


def test_a_knight_has_336_moves_on_a_chessboard_and_a_king_420() -> None:
    """4(w-1)(h-2) + 4(w-2)(h-1) and 2 (4 w h - 3 (w + h) + 2), for w = h = 8."""
    board = geometry(8, 8)
    assert sum(m.bit_count() for m in board.step_masks(KNIGHT)) == 336
    assert sum(m.bit_count() for m in board.step_masks(ALL_AROUND)) == 420


def test_rays_reach_the_edge_of_an_oblong_board() -> None:
    board = geometry(3, 5)
    assert [board.names[k] for k in board.rays((0, 1))[0]] == ["a2", "a3", "a4", "a5"]
    assert [board.names[k] for k in board.rays((1, 1))[0]] == ["b2", "c3"]
    assert board.aligned(board.square("a1"), board.square("c3"))
    assert not board.aligned(board.square("a1"), board.square("b3"))


def test_masks_and_squares_are_the_same_thing() -> None:
    assert squares(mask([5, 0, 63])) == (0, 5, 63)
    assert squares(0) == ()
    far = random.Random(1).sample(range(26 * 99), 40)
    assert squares(mask(far)) == tuple(sorted(far))
    assert mask(squares(geometry(8, 8).rank_masks[7])) == 0xFF << 56


def test_a_mirrored_square_keeps_its_file() -> None:
    board = geometry(8, 8)
    assert board.names[board.mirrored(board.square("b1"))] == "b8"
    assert all(board.mirrored(board.mirrored(k)) == k for k in range(64))


@given(st.integers(1, 26), st.integers(1, 30), st.data())
def test_every_placement_reads_back(width: int, height: int, data: st.DataObject) -> None:
    board = geometry(width, height)
    men = data.draw(st.dictionaries(st.integers(0, board.size - 1), st.sampled_from(["K", "k", "P(R)", "n"])))
    man = re.compile(r"[KPkn](?:\(R\))?")
    assert placement.read(placement.write(board, men), man, "K, P, k or n", wide=True) == (board, men)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "ranks of one length, got lengths [0]"),
        ("8/7", "ranks of one length, got lengths [8, 7]"),
        ("3x4", "expected a piece (K or k) or a number, got 'x' in '3x4'"),
        ("08", "expected a piece (K or k) or a number, got '0'"),
        ("99999", "1 to 26 files"),
    ],
)
def test_a_placement_that_draws_no_board_is_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidMoveError, match=re.escape(why)):
        placement.read(text, re.compile("[Kk]"), "K or k")


def test_the_tables_of_movers_agree_with_single_steps() -> None:
    board = geometry(5, 6)
    for piece, steps in movers.SLIDERS.items():
        for square, lines in enumerate(movers.rays(board, steps)):
            walked = [[*walk(board, square, step)] for step in steps]
            assert [list(line) for line in lines] == [line for line in walked if line], piece
    for steps in movers.LEAPERS.values():
        for square, reached in enumerate(movers.leaps(board, steps)):
            assert list(reached) == sorted(to for step in steps if (to := board.step(square, step)) is not None)
    up, down = (movers.pawns(board, forward) for forward in movers.FORWARD)
    mirrored = [board.mirrored(to) if to is not None else None for to in up.two]
    assert [mirrored[board.mirrored(k)] for k in range(board.size)] == list(down.two)
    assert [k for k, to in enumerate(up.two) if to is not None] == list(range(5, 10))


def walk(board: Geometry, square: int, step: Step) -> Iterator[int]:
    at = board.step(square, step)
    while at is not None:
        yield at
        at = board.step(at, step)
