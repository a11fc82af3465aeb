"""The move patterns against the amplitude tables of the rule book of Quantum Chess, section 3."""

import itertools
import math
import random

import numpy as np
import pytest

from qchess import backends
from qchess.backends import FixedAnswers
from qchess.circuits import (
    Program,
    ProgramError,
    Registers,
    capture,
    excluded,
    hadamard_pair,
    iswap,
    join,
    jump,
    merge,
    merge_slide,
    partial_merge,
    partial_split,
    phase_pair,
    slide,
    split,
    split_slide,
)
from qchess.circuits.unitary import unitary
from qchess.games.quantum_chess.patterns import castle, en_passant, en_passant_capture, pawn_capture

ENGINE = backends.engine("sparse")
R = math.sqrt(0.5)

#: bits in the order named -> image, as {bits: amplitude}; the rule book's section 3
TABLES = {
    "jump": (jump("s", "t"), ("s", "t"), {"10": {"01": 1j}, "01": {"10": 1j}, "11": {"11": 1}, "00": {"00": 1}}),
    "split": (
        split("s", "t1", "t2"),
        ("s", "t1", "t2"),
        {
            "100": {"010": 1j * R, "001": 1j * R},
            "010": {"010": R, "001": -R},
            "001": {"100": 1j},
            "110": {"011": 1j},
            "101": {"101": R, "110": -R},
            "011": {"101": 1j * R, "110": 1j * R},
            "000": {"000": 1},
            "111": {"111": 1},
        },
    ),
    "merge": (
        merge("a", "b", "t"),
        ("a", "b", "t"),
        {
            "001": {"010": -1j},
            "100": {"100": R, "001": -1j * R},
            "010": {"100": -R, "001": -1j * R},
            "110": {"101": -1j},
            "101": {"011": -R, "110": -1j * R},
            "011": {"011": R, "110": -1j * R},
            "000": {"000": 1},
            "111": {"111": 1},
        },
    ),
}


def columns(program: Program, names: tuple[str, ...]) -> dict[str, dict[str, complex]]:
    """What the program makes of each basis state."""
    matrix = unitary(program, names)
    texts = ["".join(str(k >> j & 1) for j in range(len(names))) for k in range(len(matrix))]
    return {
        text: {texts[row]: matrix[row, k] for row in range(len(matrix)) if abs(matrix[row, k]) > 1e-12}
        for k, text in enumerate(texts)
    }


@pytest.mark.parametrize("name", TABLES)
def test_the_rule_books_table(name: str) -> None:
    program, names, table = TABLES[name]
    for bits, image in columns(program, names).items():
        assert image == pytest.approx(table[bits], abs=1e-12), bits


def test_split_slide_moves_by_which_paths_are_clear() -> None:
    names = ("s", "t1", "t2", "p", "q")
    found = unitary(split_slide("s", "t1", "t2", ("p",), ("q",)), names)
    cases = {
        (0, 0): split("s", "t1", "t2"),
        (0, 1): jump("s", "t1"),
        (1, 0): jump("s", "t2"),
        (1, 1): Program(),
    }
    for (p, q), plain in cases.items():
        wanted = unitary(plain + Program(), ("s", "t1", "t2")) if plain.steps else np.eye(8)
        block = slice(8 * (p + 2 * q), 8 * (p + 2 * q) + 8)
        assert np.allclose(found[block, block], wanted, atol=1e-12), (p, q)


@pytest.mark.parametrize("paths", [((), ()), (("p",), ()), ((), ("q",)), (("p",), ("q",)), (("p", "q"), ("q", "r"))])
def test_a_merge_slide_is_the_exact_inverse_of_the_split_slide(paths: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    both = split_slide("t", "a", "b", *paths) + merge_slide("a", "b", "t", *paths)
    assert np.allclose(unitary(both), np.eye(2 ** len(both.qubits)), atol=1e-12)


def test_an_iswap_past_empty_squares_is_one_with_controls() -> None:
    there = iswap("a", "b", 0.5, empty=("d", "c"))
    assert there == iswap("a", "b", 0.5).when(c=0, d=0)
    assert there.with_only((("d", 0),)) == iswap("a", "b", 0.5).when(d=0)
    assert there.with_only((("d", 0),)).qubits == ("a", "b", "d")
    with pytest.raises(ProgramError, match="as control and as target"):
        iswap("a", "b", empty=("b",))


def test_the_squares_of_a_split_do_not_block_it() -> None:
    assert split_slide("a1", "a4", "a7", (), ("a4",)) == split("a1", "a4", "a7")


@pytest.mark.parametrize("share", [0, 0.1, 0.25, 0.5, 0.9, 1])
def test_a_partial_split_has_the_odds_asked_for_and_merges_back(share: float) -> None:
    board = Registers(ENGINE, ["s"]).run(partial_split("s", "t1", "t2", share)).registers
    assert board.probability("t1") == pytest.approx(share, abs=1e-12)
    assert board.probability("t2") == pytest.approx(1 - share, abs=1e-12)
    assert board.run(partial_merge("t1", "t2", "s", share)).registers.full == {"s"}
    slid = partial_split("s", "t1", "t2", share, ("p",), ("q",)) + partial_merge("t1", "t2", "s", share, ("p",), ("q",))
    assert np.allclose(unitary(slid), np.eye(32), atol=1e-12)


def test_a_share_outside_0_to_1_is_refused() -> None:
    with pytest.raises(ProgramError, match=r"between 0 and 1, got 1\.5"):
        partial_split("s", "t1", "t2", 1.5)


@pytest.mark.parametrize("length", range(6))
def test_a_slide_of_any_length_moves_only_where_its_path_is_clear(length: int) -> None:
    path = tuple(f"p{k}" for k in range(length))
    for blockers in itertools.chain([()], [(p,) for p in path]):
        board = Registers(ENGINE, ["s", *blockers]).run(slide("s", "t", path)).registers
        assert board.full == ({"s", *blockers} if blockers else {"t"})


def test_four_jumps_are_nothing_and_two_are_a_sign() -> None:
    twice = unitary(jump("s", "t") + jump("s", "t"))
    assert np.allclose(np.diag(twice), [1, -1, -1, 1])
    assert np.allclose(twice @ twice, np.eye(4))


def test_hadamard_on_a_pair_turns_one_piece_and_leaves_none_and_two_alone() -> None:
    assert columns(hadamard_pair("a", "b"), ("a", "b")) == {
        "00": {"00": pytest.approx(1)},
        "11": {"11": pytest.approx(1)},
        "10": {"10": pytest.approx(R), "01": pytest.approx(R)},
        "01": {"10": pytest.approx(R), "01": pytest.approx(-R)},
    }


def test_phase_on_a_pair_turns_only_the_piece_on_b() -> None:
    assert np.allclose(np.diag(unitary(phase_pair("a", "b", 0.5), ("a", "b"))), [1, 1, 1j, 1])


def test_join_exchanges_where_the_flag_stands() -> None:
    assert columns(join("f", "a", "b"), ("f", "a", "b"))["110"] == {"101": 1}
    assert columns(join("f", "a", "b"), ("f", "a", "b"))["010"] == {"010": 1}


def after(full: str, program: Program, answer: int | None, names: tuple[str, ...]) -> dict[str, complex]:
    """The amplitudes after the program ran from one basis state, by bits."""
    start = Registers(ENGINE, [q for q, bit in zip(names, full, strict=True) if bit == "1"])
    source = None if answer is None else FixedAnswers([answer])
    run = start.run(Program(*(step for step in program.steps)), source).registers
    return {"".join(str(key >> k & 1) for k in range(len(names))): a for key, a in run.amplitudes(names).items()}


def test_a_capture_takes_what_stands_there_and_moves_with_a_factor_i() -> None:
    assert after("11", capture("s", "t", "x"), 1, ("s", "t")) == {"01": 1j}
    assert after("10", capture("s", "t", "x"), 1, ("s", "t")) == {"01": 1j}
    assert after("01", capture("s", "t", "x"), 0, ("s", "t")) == {"01": 1}


def test_a_capturing_slide_asks_for_source_and_path_jointly() -> None:
    board = Registers(ENGINE, ["n", "s", "t"]).run(split("n", "p", "q")).registers
    odds = {a.answers["hit"]: a.probability for a in explored(board, capture("s", "t", "x", ("p",)))}
    assert odds == {1: pytest.approx(0.5), 0: pytest.approx(0.5)}


def explored(board: Registers, program: Program):
    from qchess.circuits.chances import explore

    return list(explore(board, program))


def test_an_excluded_move_asks_only_whether_the_target_is_empty() -> None:
    board = Registers(ENGINE, ["n", "s"]).run(split("n", "t", "q")).registers
    yes, no = sorted(explored(board, excluded("s", "t")), key=lambda chance: -chance.answers["hit"])
    assert yes.run.registers.full == {"q", "t"}
    assert no.run.registers.full == {"s", "t"}


def test_a_pawns_capture_changes_its_bit_without_phase() -> None:
    assert after("11", pawn_capture("s", "t"), 1, ("s", "t")) == {"01": 1}
    assert after("10", pawn_capture("s", "t"), 1, ("s", "t")) == {"10": 1}


@pytest.mark.parametrize("bits", ["".join(b) for b in itertools.product("01", repeat=3)])
def test_en_passant_moves_only_101_and_without_phase(bits: str) -> None:
    wanted = "010" if bits == "101" else bits
    assert after(bits, en_passant("s", "t", "v", "x"), None, ("s", "t", "v")) == {wanted: 1}


@pytest.mark.parametrize(
    ("bits", "wanted", "phase"), [("110", "010", -1), ("111", "011", -1), ("101", "010", -1), ("100", "100", 1)]
)
def test_en_passant_with_an_enemy_on_the_square_takes_whichever_stands(bits: str, wanted: str, phase: int) -> None:
    assert after(bits, en_passant_capture("s", "t", "v", ("x", "y")), 1, ("s", "t", "v")) == {wanted: phase}


def test_en_passant_capture_is_reversible_on_every_superposition() -> None:
    program = en_passant_capture("s", "t", "v", ("x", "y"))
    passed = program.steps[1].follow(1)  # type: ignore[union-attr]
    matrix = unitary(passed, ("s", "t", "v", "x", "y"))
    assert np.allclose(matrix @ matrix.conj().T, np.eye(32))
    images = {}
    for bits in ("110", "111", "101", "100"):
        column = matrix[:, sum(1 << k for k, bit in enumerate(bits) if bit == "1")]
        images[bits] = int(np.argmax(abs(column)))
    assert len(set(images.values())) == 4


def test_castling_turns_the_branch_that_castles_by_minus_one() -> None:
    assert after("1010", castle(("e", "g"), ("h", "f")), None, ("e", "g", "h", "f")) == {"0101": -1}
    blocked = castle(("e", "c"), ("a", "d"), ("b",))
    assert after("10101", blocked, None, ("e", "c", "a", "d", "b")) == {"10101": 1}
    assert castle(("e", "g"), ("h", "f"), (), ("f", "g")).answers == ("hit",)


def test_a_random_walk_of_patterns_keeps_norm_and_number() -> None:
    rng = random.Random(3)
    squares = [f"q{k}" for k in range(9)]
    board = Registers(ENGINE, squares[:3])
    for _ in range(150):
        a, b, c, p, q = rng.sample(squares, 5)
        move = rng.choice(
            [jump(a, b), slide(a, b, (p, q)), split(a, b, c), merge(a, b, c), split_slide(a, b, c, (p,), (q,))]
        )
        board = board.run(move).registers
        odds = board.distribution(*squares)
        assert sum(odds.values()) == pytest.approx(1, abs=1e-9)
        assert {key.bit_count() for key in odds} == {3}
