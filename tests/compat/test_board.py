"""The board that stands in for Unitary's: what is exact, what is sampled, and what raises."""

import numpy as np
import pytest

from qchess import backends
from qchess.circuits import Registers, merge, merge_slide, split
from qchess.compat import (
    CLASSICAL_BITBOARD,
    CacheKey,
    CirqBoard,
    ErrorMitigation,
    Move,
    MoveType,
    MoveVariant,
    UnusedWarning,
    bit_to_qubit,
    square_to_bit,
    squares_to_bitboard,
)
from qchess.errors import ImpossibleOutcomeError


def board(*squares: str, **options) -> CirqBoard:
    return CirqBoard(squares_to_bitboard(squares), **{"seed": 7} | options)


def joint(*parts: tuple[float, str]) -> dict[int, float]:
    return {squares_to_bitboard(squares.split()): p for p, squares in parts}


def same(found: dict[int, float], expected: dict[int, float]) -> bool:
    return found.keys() == expected.keys() and all(abs(found[key] - p) < 1e-12 for key, p in expected.items())


# -- merges: the order of sources is Unitary's ------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JUMP", "SLIDE"])
def test_a_merge_is_ours_with_the_sources_exchanged(kind):
    ours = Registers(backends.engine("sparse"), ["b1", "d4"]).run(split("b1", "a3", "c3")).registers
    ours = ours.run(split("d4", "c3", "e3")).registers
    theirs = board("b1", "d4")
    theirs.perform_moves("b1^a3c3:SPLIT_JUMP:BASIC", "d4^c3e3:SPLIT_JUMP:BASIC")
    assert theirs.registers.same_as(ours)
    theirs.perform_moves(f"a3c3^a1:MERGE_{kind}:BASIC")
    if kind == "JUMP":
        expected, other = merge("c3", "a3", "a1"), merge("a3", "c3", "a1")
    else:
        paths = {"a3": ("a2",), "c3": ("b2",)}
        expected = merge_slide("c3", "a3", "a1", paths["c3"], paths["a3"])
        other = merge_slide("a3", "c3", "a1", paths["a3"], paths["c3"])
    assert theirs.registers.same_as(ours.run(expected).registers)
    assert not theirs.registers.same_as(ours.run(other).registers)


def test_what_does_not_merge_stays_on_the_second_source():
    # With c3 both paths are clear, but the slide to a5 has turned one half by i: it merges in part only.
    start = ["a1^a4f1:SPLIT_SLIDE:BASIC", "d3^c3d1:SPLIT_SLIDE:BASIC", "a4a5:SLIDE:BASIC"]
    blocked = [(0.25, "d1 f1"), (0.25, "d1 a1")]
    for sources, left in (("a5f1", "f1"), ("f1a5", "a5")):
        b = board("a1", "d3")
        b.perform_moves(*start, f"{sources}^a1:MERGE_SLIDE:BASIC")
        assert same(b.exact_joint(), joint((0.25, "c3 a1"), (0.25, f"c3 {left}"), *blocked))


# -- outcomes ------------------------------------------------------------------------------------------------


def test_forcing_an_impossible_outcome_raises_and_changes_nothing():
    b = board("a1", "b1")
    b.perform_moves("b1^c2d2:SPLIT_JUMP:BASIC")
    before = b.registers
    for text in ("a1a2.m0:JUMP:CAPTURE", "a1c2.m0:JUMP:BASIC", "a1^a2a3.m0:SPLIT_JUMP:BASIC"):
        with pytest.raises(ImpossibleOutcomeError):
            b.perform_moves(text)
    assert b.registers is before
    assert len(b.move_history) == 1


def test_a_passed_outcome_on_a_move_that_measures_nothing_is_dropped():
    assert board("a1").perform_moves("a1a2.m1:JUMP:BASIC")


@pytest.mark.parametrize(
    "move",
    [
        Move("a1", "a2"),
        Move("a1", "a2", move_type=MoveType.NULL_TYPE),
        Move("a1", "a2", move_type=MoveType.UNSPECIFIED_STANDARD),
        Move("a1", "b3", move_type=MoveType.SLIDE),
        Move("a1", "b3", target2="a3", move_type=MoveType.SPLIT_SLIDE),
        Move("a1", "a3", move_type=MoveType.SPLIT_JUMP),
        Move("a1", "a3", move_type=MoveType.MERGE_JUMP),
        Move("a1", "a1", move_type=MoveType.JUMP),
        Move("a1", "i9", move_type=MoveType.JUMP),
        Move("a1", "a5", move_type=MoveType.PAWN_EP),
        Move("e1", "c1", move_type=MoveType.KS_CASTLE),
        Move("e1", "g1", move_type=MoveType.KS_CASTLE, move_variant=MoveVariant.CAPTURE),
        Move("a1", "a2", move_type=MoveType.JUMP, measurement=2),
    ],
    ids=repr,
)
def test_what_cannot_be_played_raises_and_leaves_no_trace(move):
    b = board("a1", "e1", "h1")
    with pytest.raises(ValueError, match=r"expected|fit|capture"):
        b.do_move(move)
    assert b.move_history == []
    assert b.exact_joint() == joint((1.0, "a1 e1 h1"))
    assert not b.undo_last_move()


def test_the_callers_move_is_never_changed():
    move = Move("a1", "a3", move_type=MoveType.SLIDE, move_variant=MoveVariant.BASIC)
    b = board("a1")
    assert b.do_move(move)
    assert move == Move("a1", "a3", move_type=MoveType.SLIDE, move_variant=MoveVariant.BASIC)
    assert b.move_history == [move]


def test_a_blocked_slide_and_a_jump_onto_a_full_square_measure_nothing_and_move_nothing():
    b = board("a1", "b1")
    assert b.perform_moves("a1d1:SLIDE:BASIC", "a1b1:JUMP:BASIC")
    assert b.exact_joint() == joint((1.0, "a1 b1"))


def test_pawn_moves_are_jumps_and_slides_in_effect():
    for pawn, other in (("a1a3:PAWN_TWO_STEP", "a1a3:SLIDE"), ("a1a2:PAWN_STEP", "a1a2:JUMP")):
        boards = [board("a1", "b1") for _ in range(2)]
        for b, move in zip(boards, (pawn, other), strict=True):
            b.perform_moves("b1^a2c3:SPLIT_JUMP:BASIC", f"{move}:BASIC")
        assert boards[0].registers.same_as(boards[1].registers)


@pytest.mark.parametrize("type_", ["SPLIT_JUMP", "SPLIT_SLIDE"])
def test_variants_of_splits_are_ignored(type_):
    boards = [board("a1") for _ in range(2)]
    for b, variant in zip(boards, ("BASIC", "CAPTURE"), strict=True):
        assert b.perform_moves(f"a1^a3c1:{type_}:{variant}")
    assert boards[0].registers.same_as(boards[1].registers)


def test_excluded_castling_asks_both_squares_at_once():
    # Half a knight on f1 or g1 and never on neither: castling must fail, and learns nothing of where.
    b = board("e1", "h1", "b5")
    b.perform_moves("b5^f1g1:SPLIT_JUMP:BASIC")
    assert not b.perform_moves("e1g1:KS_CASTLE:EXCLUDED")
    assert same(b.exact_joint(), joint((0.5, "e1 f1 h1"), (0.5, "e1 g1 h1")))


def test_excluded_castling_leaves_king_and_rook_certain():
    b = board("e1", "h1", "f3")
    assert b.perform_moves("f3^f2f1:SPLIT_JUMP:BASIC", "e1g1.m1:KS_CASTLE:EXCLUDED")
    assert b.exact_joint() == joint((1.0, "f1 f2 g1"))


def test_a_captured_half_piece_stays_entangled_with_its_other_half():
    b = board("a1", "b1")
    b.perform_moves("b1^c1d1:SPLIT_JUMP:BASIC", "a1c1:JUMP:CAPTURE")
    assert b.ancilla_count == 1
    assert same(b.exact_joint(), joint((0.5, "c1"), (0.5, "c1 d1")))
    # Were the captured half forgotten, d1 would be a superposition that interferes.
    assert set(b.registers.register_of("d1")) == {"d1", "x1"}


def test_undo_restores_the_state_with_its_outcomes():
    b = board("a1", "b1")
    states = [b.registers]
    for text in ("b1^c1d1:SPLIT_JUMP:BASIC", "c1a1:JUMP:CAPTURE", "a1^a2a3:SPLIT_JUMP:BASIC"):
        b.perform_moves(text)
        states.append(b.registers)
    for state in reversed(states[:-1]):
        assert b.undo_last_move()
        assert b.registers is state


def test_fresh_starts_keep_the_history_and_can_be_undone():
    b = board("b1", "a5", reset_starting_states=True)
    b.perform_moves("b1^a1c1:SPLIT_JUMP:BASIC", "a1a5.m1:JUMP:CAPTURE")
    assert (b.is_classical(), b.ancilla_count, len(b.move_history)) == (True, 0, 2)
    assert b.undo_last_move()
    assert same(b.exact_joint(), joint((0.5, "a1 a5"), (0.5, "a5 c1")))


# -- what is sampled ------------------------------------------------------------------------------------------


def test_frequencies_are_sampled_and_kept_until_more_shots_are_asked_for():
    b = board("a1")
    b.perform_moves("a1^b1c1:SPLIT_JUMP:BASIC")
    one, many = b.get_probability_distribution(1), b.get_probability_distribution(1001)
    assert one != many
    assert b.get_probability_distribution(1001) is many
    assert b.get_board_probability_distribution(1) != b.get_board_probability_distribution(101)
    assert b.get_board_probability_distribution(101) == b.get_board_probability_distribution(101)
    assert many != b.exact_probabilities()


def test_samples_follow_the_exact_joint_distribution():
    b = board("e1", "g1", "a2")
    b.perform_moves("e1^d3f3:SPLIT_JUMP:BASIC", "g1^h3f3:SPLIT_JUMP:BASIC", "a2^b2c2:SPLIT_JUMP:BASIC")
    exact = b.exact_joint()
    assert len(exact) == 8
    shots = b.sample(4000)
    assert set(shots) == exact.keys()
    chi_squared = sum((shots.count(key) - 4000 * p) ** 2 / (4000 * p) for key, p in exact.items())
    assert chi_squared < 40.5  # seven degrees of freedom: p = 1e-6
    by_square = [sum(p for key, p in exact.items() if key >> bit & 1) for bit in range(64)]
    assert by_square == pytest.approx(b.exact_probabilities(), abs=1e-12)


def test_rare_branches_are_never_lost():
    b = board("a1")
    parts = ["a1"]
    for file in "bcdefgh":
        for rank in (1, 3, 5, 7):
            source = parts[-1]
            parts.append(f"{file}{rank}")
            assert b.perform_moves(f"{source}^{file}{rank + 1}{file}{rank}:SPLIT_JUMP:BASIC")
    assert b.exact_probabilities()[square_to_bit("h7")] == pytest.approx(2**-28, rel=1e-9)
    assert not b.get_empty_squares_bitboard(10) >> square_to_bit("h7") & 1
    assert not b.is_classical(10)


def test_full_empty_and_uncertain_squares_are_all_squares():
    b = board("a1", "h8")
    b.perform_moves("a1^a3c1:SPLIT_SLIDE:BASIC")
    full, empty = b.get_full_squares_bitboard(), b.get_empty_squares_bitboard()
    assert full == squares_to_bitboard(["h8"]) == b.state
    assert full | empty | squares_to_bitboard(b.entangled_squares) == CLASSICAL_BITBOARD


def test_a_seed_repeats_everything_and_a_sampler_lends_one():
    cirq = pytest.importorskip("cirq")

    def game(**options):
        b = board("a1", "b1", **options)
        moved = b.perform_moves("b1^c1d1:SPLIT_JUMP:BASIC", "a1^a2a3:SPLIT_JUMP:BASIC", "a2c1:JUMP:CAPTURE")
        return moved, b.sample(20)

    assert game(seed=3) == game(seed=3)
    assert game(seed=None, sampler=cirq.Simulator(seed=5)) == game(seed=None, sampler=cirq.Simulator(seed=5))
    assert len({str(game(seed=seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize(
    "given",
    [
        {"device": object()},
        {"error_mitigation": ErrorMitigation.Correct},
        {"noise_mitigation": 0.1},
        {"sampler": object()},
    ],
)
def test_what_has_no_effect_is_said_in_one_sentence(given):
    with pytest.warns(UnusedWarning) as told:
        made = board("a1", **given)
    assert made.is_classical()
    [said] = [str(one.message) for one in told]
    assert said.startswith(f"CirqBoard uses the exact state and ignores {next(iter(given))}; ")
    assert "qchess.new('quantum-chess', backend=...)" in said
    assert told[0].filename == __file__  # the line that may be changed


def test_a_noisy_simulator_is_warned_of_and_one_without_noise_is_not():
    cirq = pytest.importorskip("cirq")
    board("a1", sampler=cirq.Simulator(), device=None, error_mitigation=ErrorMitigation.Nothing)
    noisy = cirq.DensityMatrixSimulator(noise=cirq.depolarize(0.1))
    with pytest.warns(UnusedWarning, match="ignores sampler, device, error_mitigation"):
        board("a1", sampler=noisy, device=object(), error_mitigation=ErrorMitigation.Error)


def test_a_split_sampled_in_advance_answers_once():
    b = board("a1", "b1")
    key = CacheKey(MoveType.SPLIT_JUMP, 1001)
    b.cache_results(key)
    ready = dict(b.cache[key])
    b.perform_moves("b1^c1d1:SPLIT_JUMP:BASIC")
    b.clear_debug_log()
    odds = b.get_probability_distribution(1001)
    assert b.debug_log == ""
    assert (odds[0], odds[1], odds[2], odds[3]) == (1.0, 0.0, ready["target"], ready["target2"])
    assert key not in b.cache


# -- the diary, and what needs Cirq -----------------------------------------------------------------------------


def test_a_certain_measurement_is_timed_too(capsys):
    b = board("a4", "b3")
    assert b.perform_moves("b3a4:PAWN_CAPTURE:BASIC")
    assert float(b.debug_log.split("sample_with_ancilla takes ")[-1].split(" seconds.")[0]) > 0
    b.record_time("walk", 0.12, 0.345)
    assert b.timing_stats["walk"] == [pytest.approx(0.225)]
    assert len(b.timing_stats) == 2
    b.print_timing_stats(clear_stats=True)
    b.print_debug_log()
    assert "walk takes 0.225000000 seconds." in capsys.readouterr().out
    assert (b.debug_log, len(b.timing_stats)) == ("", 0)


def test_the_circuit_makes_the_state_and_post_selection_says_which_shots_count():
    cirq = pytest.importorskip("cirq")
    b = board("a1", "b1", "c3")
    assert b.circuit == cirq.Circuit()
    b.perform_moves("b1^c1d1:SPLIT_JUMP:BASIC", "c3^c2d1:SPLIT_JUMP:BASIC", "a1c1.m0:JUMP:EXCLUDED")
    squares = sorted(b.entangled_squares)
    circuit = b.circuit + cirq.measure(*map(cirq.NamedQubit, squares), key="board")
    result = cirq.Simulator(seed=1).run(circuit, repetitions=300)
    believed = np.all([result.measurements[key][:, 0] == value for key, value in b.post_selection.items()], axis=0)
    assert len(b.post_selection) == 1
    assert 0 < believed.sum() < 300
    found = {
        b.state | squares_to_bitboard([square for square, bit in zip(squares, shot, strict=True) if bit])
        for shot in result.measurements["board"][believed]
    }
    assert found == b.exact_joint().keys()


def test_path_qubits_name_what_may_stand_between():
    b = board("b3", "c4", "d5", "f7")
    assert b.path_qubits("b3", "f7") == [bit_to_qubit(square_to_bit(square)) for square in ("c4", "d5")]
    with pytest.raises(ValueError, match="rank, file or diagonal"):
        b.path_qubits("a1", "b3")


def test_the_text_shows_exact_per_cents():
    b = board("a1", "h8")
    b.perform_moves("a1^b1c1:SPLIT_JUMP:BASIC")
    assert str(b).splitlines()[0].split() == ["8", *"." * 7, "100"]
    assert str(b).splitlines()[7].split() == ["1", ".", "50", "50", *"." * 5]
