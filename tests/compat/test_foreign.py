"""Users who keep their own moves and enums, and take only the board from here."""

import enum
from typing import Any

import numpy as np
import pytest

from qchess import compat
from qchess.compat import AsciiBoard, CirqBoard, squares_to_bitboard
from qchess.errors import InvalidMoveError
from tests.compat import foreign

PLAYED = [
    "a1b1:JUMP:BASIC", "b1^a3c3:SPLIT_JUMP:BASIC", "a1^a4d1:SPLIT_SLIDE:BASIC", "b1c1^d2:MERGE_JUMP:BASIC",
    "d4d1^a1:MERGE_SLIDE:BASIC", "d4d7:SLIDE:BASIC", "d4h8.m1:SLIDE:CAPTURE", "b1c3.m0:JUMP:CAPTURE",
    "b1c3.m1:JUMP:EXCLUDED", "a2a3:PAWN_STEP:BASIC", "a2a4:PAWN_TWO_STEP:EXCLUDED", "e5d6.m1:PAWN_CAPTURE:BASIC",
    "e5d6:PAWN_EP:BASIC", "e5d6.m1:PAWN_EP:CAPTURE", "e1g1:KS_CASTLE:BASIC", "e1c1.m1:QS_CASTLE:EXCLUDED",
]  # fmt: skip


def theirs(text: str) -> foreign.Move:
    """One of our long forms as a move of theirs."""
    move = compat.Move.from_string(text)
    told: dict[str, Any] = {
        name: getattr(move, name) for name in ("source2", "target2", "promotion_piece", "measurement")
    }
    _, kind, variant = text.split(":")
    told |= {"move_type": foreign.MoveType[kind], "move_variant": foreign.MoveVariant[variant]}
    return foreign.Move(move.source, move.target, **told)


def board(*squares: str, **options) -> CirqBoard:
    return CirqBoard(squares_to_bitboard(squares), **{"seed": 7} | options)


def uncertain() -> CirqBoard:
    """A board on which most of the moves above meet what may or may not be there."""
    made = board("a1", "b1", "c1", "a2", "d4", "e5", "e1", "h1", "d5", "g8")
    made.perform_moves("b1^b2c3:SPLIT_JUMP:BASIC", "d5^d6f6:SPLIT_JUMP:BASIC", "e5^e6g4:SPLIT_JUMP:BASIC")
    made.perform_moves("g4e5:JUMP:BASIC", "c3b1:JUMP:BASIC", "g8^d1h8:SPLIT_JUMP:BASIC")
    return made


@pytest.mark.parametrize("text", PLAYED)
def test_a_foreign_move_does_what_ours_does(text):
    for make in (uncertain, lambda: board("a1", "b1", "e1", "h1", "d4")):
        results: list[Any] = []
        for move in (compat.Move.from_string(text), theirs(text)):
            made = make()
            try:
                results.append((made.do_move(move), made.exact_joint()))
            except ValueError as error:
                results.append(type(error))
        assert results[0] == results[1]


def test_an_excluded_jump_onto_a_full_square_fails():
    made = board("d4", "f5")
    move = theirs("d4f5:JUMP:EXCLUDED")
    assert not made.do_move(move)
    assert made.state == squares_to_bitboard(["d4", "f5"])
    assert made.move_history == [move]


class Odd(enum.Enum):
    WORD = "BASIC"
    FAR = 99


@pytest.mark.parametrize("variant", [foreign.MoveVariant.TELEPORT, 4, -1, True, 1.0, "BASIC", Odd.WORD, Odd.FAR])
def test_a_variant_that_nobody_knows_is_refused_and_nothing_moves(variant):
    made = board("a1")
    move = foreign.Move("a1", "b1", move_type=foreign.MoveType.JUMP, move_variant=variant)
    with pytest.raises(InvalidMoveError, match="expected a MoveVariant"):
        made.do_move(move)
    assert made.move_history == []
    assert made.state == 1


@pytest.mark.parametrize("kind", [None, foreign.MoveType.NULL_TYPE, foreign.MoveType.UNSPECIFIED_STANDARD, 14, "JUMP"])
def test_a_type_that_cannot_be_played_is_refused(kind):
    made = board("a1")
    with pytest.raises(ValueError, match="expected a"):
        made.do_move(foreign.Move("a1", "b1", move_type=kind, move_variant=foreign.MoveVariant.BASIC))
    assert made.move_history == []


def test_what_is_no_move_at_all_is_refused():
    with pytest.raises(InvalidMoveError, match="expected a move with the fields"):
        board("a1").do_move("a1b1")


def test_the_callers_move_stays_as_it_is():
    move = theirs("a1a3:SLIDE:BASIC")
    assert board("a1").do_move(move)
    assert (move.move_type, move.move_variant) == (foreign.MoveType.SLIDE, foreign.MoveVariant.BASIC)


def test_our_own_moves_take_foreign_members_too():
    kind: Any = {"move_type": foreign.MoveType.JUMP, "move_variant": foreign.MoveVariant.CAPTURE}
    move = compat.Move("a1", "b1", **kind)
    assert (move.move_type, move.move_variant) == (compat.MoveType.JUMP, compat.MoveVariant.CAPTURE)


# -- keys of caches ------------------------------------------------------------------------------------------


def test_a_split_cached_under_a_foreign_key_is_found_under_it_and_used_once():
    made = board("a1", "b1")
    key = foreign.CacheKey(foreign.MoveType.SPLIT_JUMP, 1001)
    made.cache_results(key)
    ready = dict(made.cache[key])
    assert made.cache[compat.CacheKey(compat.MoveType.SPLIT_JUMP, 1001)] == ready
    made.do_move(theirs("b1^c1d1:SPLIT_JUMP:BASIC"))
    made.clear_debug_log()
    odds = made.get_probability_distribution(1001)
    assert made.debug_log == ""
    assert odds[:4] == (1.0, 0.0, ready["target"], ready["target2"])
    assert key not in made.cache


def test_only_splits_are_cached_and_only_keys_are_asked_for():
    made = board("a1")
    made.cache_results(foreign.CacheKey(foreign.MoveType.JUMP, 10))
    assert len(made.cache) == 0
    with pytest.raises(InvalidMoveError, match="expected a key"):
        made.cache_results("SPLIT_JUMP")


def test_the_key_of_a_move():
    split = compat.CacheKey(compat.MoveType.SPLIT_JUMP, 10)
    assert compat.cache_key_from_move(theirs("b1^a3c3:SPLIT_JUMP:BASIC"), 10) == split
    assert compat.cache_key_from_move(foreign.Move("a1", "a2"), 10) == compat.CacheKey(compat.MoveType.NULL_TYPE, 10)


# -- numpy's seed --------------------------------------------------------------------------------------------


def game(**options) -> tuple[bool, list[int]]:
    made = board("a1", "b1", seed=None, **options)
    moved = made.perform_moves("b1^c1d1:SPLIT_JUMP:BASIC", "a1^a2a3:SPLIT_JUMP:BASIC", "a2c1:JUMP:CAPTURE")
    return moved, made.sample(20)


def test_numpys_seed_is_heeded_where_the_board_has_none():
    games = []
    for seed in (5, 5, *range(6, 10)):
        np.random.seed(seed)  # noqa: NPY002 (this is what is tested)
        games.append(game())
    assert games[0] == games[1]
    assert len({str(found) for found in games}) > 2


def test_numpys_seed_is_heeded_after_the_board_was_made_too():
    made = board("a1", seed=None)
    made.perform_moves("a1^a2a3:SPLIT_JUMP:BASIC")
    drawn = []
    for seed in (5, 5, 6):
        np.random.seed(seed)  # noqa: NPY002
        drawn.append(made.sample(40))
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_simulator_without_a_seed_of_its_own_follows_numpys():
    cirq = pytest.importorskip("cirq")
    found = []
    for _ in range(2):
        np.random.seed(11)  # noqa: NPY002
        found.append(game(sampler=cirq.Simulator()))
    assert found[0] == found[1]


# -- the smaller publics ----------------------------------------------------------------------------------------


def test_the_history_of_probabilities_has_an_entry_for_the_start_and_each_move():
    made = board("a1", "h8")
    start = made.move_history_probabilities_cache
    assert [len(start), start[0].full_squares] == [1, squares_to_bitboard(["a1", "h8"])]
    made.perform_moves("a1^a2b1:SPLIT_JUMP:BASIC")
    assert made.move_history_probabilities_cache[-1].repetitions < 0
    odds = made.get_probability_distribution(500)
    last = made.move_history_probabilities_cache[-1]
    assert isinstance(last, compat.ProbabilityHistory)
    assert (last.repetitions, last.probabilities) == (500, odds)
    assert last.full_squares == squares_to_bitboard(["h8"])
    assert last.full_squares | last.empty_squares | squares_to_bitboard(["a2", "b1"]) == compat.CLASSICAL_BITBOARD
    made.undo_last_move()
    assert made.move_history_probabilities_cache == start


def test_boards_counted_and_the_number_of_pieces():
    made = board("a1", "c3", "h8")
    made.perform_moves("a1^a2b1:SPLIT_JUMP:BASIC", "c3^c4d3:SPLIT_JUMP:BASIC")
    assert (made.board_accumulations_repetitions, made.board_probabilities) == (-1, {})
    found = made.get_board_probability_distribution(200)
    assert (made.board_accumulations_repetitions, made.board_probabilities) == (200, found)
    assert made.allowed_pieces == {3}
    made.perform_moves("a2c4.m1:JUMP:CAPTURE")
    assert made.allowed_pieces == {2, 3}


def test_samples_come_with_the_answers_that_were_measured():
    made = board("a1", "b1", "c3")
    made.perform_moves("b1^c1d1:SPLIT_JUMP:BASIC", "c3^c2d1:SPLIT_JUMP:BASIC", "a1c1.m0:JUMP:EXCLUDED")
    boards, answers = made.sample_with_ancilla(7)
    assert (len(boards), made.suggest_num_reps(7)) == (7, 7)
    assert answers == [made.post_selection] * 7
    assert set(boards) <= made.exact_joint().keys()


def test_the_board_of_letters_plays_foreign_moves():
    letters = AsciiBoard(board=CirqBoard(0, seed=1))
    letters.load_fen("4k2r/8/8/8/8/8/8/RN2K3")
    assert letters.apply(theirs("e8g8:KS_CASTLE:BASIC"))
    assert letters.apply(theirs("b1^a3c3:SPLIT_JUMP:BASIC"))
    assert letters.apply(foreign.Move("a1", "b1"))
    assert [letters.piece(square) for square in ("g8", "f8", "c3", "b1")] == [
        -compat.KING, -compat.ROOK, compat.KNIGHT, compat.ROOK,
    ]  # fmt: skip


def test_blocked_squares_hold_what_may_stand_between():
    letters = AsciiBoard(board=CirqBoard(0, seed=1))
    letters.reset()
    letters.apply(theirs("b1^a3c3:SPLIT_JUMP:BASIC"))
    assert letters.blocked_squares("c1", "c7") == ["c2", "c3"]
    assert letters.blocked_squares("a1", "a2") == []
    with pytest.raises(ValueError, match="rank, file or diagonal"):
        letters.blocked_squares("a1", "b3")


def test_files_are_called_ranks_there():
    assert [compat.to_rank(x) for x in (0, 7)] == ["a", "h"]
