"""The worked examples W1 to W10 of the rule book, amplitudes and phases included, and the counts of moves."""

from __future__ import annotations

import math
from typing import Any

import pytest

from qchess import backends
from qchess.circuits.sources import FixedAnswers
from qchess.games.quantum_checkers import Position, QuantumCheckers

R = math.sqrt(0.5)
#: what is captured, in the tables below
X = "x"


def play(rules: QuantumCheckers, *moves: str, position: Position | None = None) -> Position:
    """The position after some moves; their texts carry the answers."""
    position = position or rules.start(backends.engine("sparse"))
    for text in moves:
        move, answers = rules.read(position, text)
        position, _ = rules.step(position, move, FixedAnswers(list((answers or {}).values())))
    return position


def odds(position: Position) -> dict[str, float]:
    """The occupied squares with their probabilities."""
    names = position.board.names
    return {names[square]: round(position.probability(square), 9) for square in sorted(position.owner)}


def table(position: Position, *squares: str) -> dict[tuple[str, ...], complex]:
    """The amplitudes of the component of the pieces that have parts on these squares, a place for each piece."""
    numbers = [position.owner[position.board.geometry.square(square)] for square in squares]
    places = [position.places(number) for number in numbers]
    order = [qubit for one in places for qubit in one]
    register = position.registers.register(squares[0])
    assert register is not None, squares
    found = {}
    for key, amplitude in register.amplitudes(order).items():
        full = {qubit for k, qubit in enumerate(order) if key >> k & 1}
        joint = (next(q for q in one if q in full) for one in places)
        found[tuple(X if q.startswith("taken") else q for q in joint)] = amplitude
    return found


def close(found: dict[Any, complex], expected: dict[Any, complex]) -> bool:
    """Whether two tables are one state, up to a global phase."""
    if found.keys() != expected.keys():
        return False
    key = max(expected, key=lambda k: abs(expected[k]))
    turn = found[key] / expected[key]
    return abs(abs(turn) - 1) < 1e-6 and all(abs(found[k] - turn * expected[k]) < 1e-6 for k in expected)


def chances(rules: QuantumCheckers, position: Position, text: str) -> dict[str, float]:
    """How a move can end, as records write it."""
    move, _ = rules.read(position, text)
    turn = rules.turn(position, move)
    ways = rules.outcomes(position, move)
    return {rules.tell(position, turn, way.answers).partition(".")[2]: round(way.probability, 9) for way in ways}


def result(rules: QuantumCheckers, position: Position) -> str | None:
    """Who has won."""
    ended = rules.result(position)
    return ended.winner if ended else None


def test_w1_a_merge_makes_a_split_piece_whole() -> None:
    rules = QuantumCheckers(3, position="W:WKe3:Bh8")
    split = play(rules, "e3^d4f4")
    assert close(table(split, "d4"), {("d4",): 1j * R, ("f4",): 1j * R})
    assert odds(play(rules, "h8-g7", "d4f4^e5", position=split)) == {"e5": 1.0, "g7": 1.0}


def test_w2_two_steps_more_make_the_merge_destructive() -> None:
    rules = QuantumCheckers(3, position="W:WKe3:BKh8,a7")
    moves = ("e3^d4f4", "a7-b6", "f4-g5", "b6-a5", "g5-f4", "a5-b4", "d4f4^e5")
    after = play(rules, *moves)
    assert odds(after) == {"b4": 1.0, "f4": 1.0, "h8": 1.0}


def test_w3_unequal_parts_merge_in_part_and_the_rest_stays_on_the_higher_square() -> None:
    rules = QuantumCheckers(3, position="W:We1:Ba7,b8,h8")
    after = play(rules, "e1^d2f2", "h8-g7", "f2^e3g3", "g7-h6", "d2-c3", "b8-c7", "c3e3^d4")
    expected = {("d4",): 0.853553j, ("e3",): 0.146447, ("g3",): -0.5}
    assert close(table(after, "d4"), expected)
    assert odds(after)["d4"] == pytest.approx(3 / 8 + math.sqrt(2) / 4)
    assert odds(after)["e3"] == pytest.approx(3 / 8 - math.sqrt(2) / 4)


def test_w4_a_part_that_was_merged_meets_one_that_was_not_with_the_opposite_sign() -> None:
    rules = QuantumCheckers(3, position="W:We1:Ba7,Kh8")
    moves = ("e1^d2f2", "h8-g7", "f2^e3g3", "g7-h8", "e3g3^f4", "h8-g7", "d2-e3", "g7-h8", "e3-d4", "h8-g7", "d4f4^e5")
    after = play(rules, *moves)
    assert odds(after) == {"f4": 1.0, "a7": 1.0, "g7": 1.0}


W5 = "B:Wd4:Bf6,g7,h8"


def test_w5_an_entangling_capture_measures_nothing() -> None:
    after = play(QuantumCheckers(2, position=W5), "f6^e5g5", "d4-f6")
    assert close(table(after, "d4", "g5"), {("d4", "g5"): 1j * R, ("f6", X): -R})
    assert odds(after) == {"d4": 0.5, "g5": 0.5, "f6": 0.5, "g7": 1.0, "h8": 1.0}
    assert after.quiet == 2


def test_w5_the_entangled_taker_is_found_and_the_game_is_won() -> None:
    rules = QuantumCheckers(2, position=W5)
    before = play(rules, "f6^e5g5", "d4-f6")
    assert [rules.write(before, move) for move in rules.moves(before)] == ["g7-e5"]
    assert chances(rules, before, "g7-e5") == {"m1": 0.5, "m0d4": 0.5}
    won = play(rules, "g7-e5.m1", position=before)
    assert odds(won) == {"e5": 1.0, "h8": 1.0}
    assert (won.quiet, result(rules, won)) == (0, "black")
    passed = play(rules, "g7-e5.m0d4", position=before)
    assert odds(passed) == {"d4": 1.0, "g5": 1.0, "g7": 1.0, "h8": 1.0}
    assert (passed.quiet, passed.player) == (3, "white")


def test_w5_at_level_1_the_target_is_measured() -> None:
    rules = QuantumCheckers(1, position=W5)
    before = play(rules, "f6^e5g5")
    assert chances(rules, before, "d4-f6") == {"m1": 0.5, "m0g5": 0.5}
    assert odds(play(rules, "d4-f6.m1", position=before)) == {"f6": 1.0, "g7": 1.0, "h8": 1.0}


W6 = ("e7^d6f6", "c3-d4", "f6^e5g5", "d4-f6", "b6-c5")


def test_w6_the_partner_keeps_its_conditional_state() -> None:
    rules = QuantumCheckers(2, position="B:Wc3:Be7,b6,h8")
    before = play(rules, *W6)
    assert {k: odds(before)[k] for k in ("d4", "f6")} == {"d4": 0.75, "f6": 0.25}
    assert chances(rules, before, "d4-b6") == {"m1": 0.75, "m0f6": 0.25}
    found = play(rules, "d4-b6.m1", position=before)
    assert close(table(found, "d6"), {("d6",): 0.816497j, ("g5",): -0.577350})
    missed = play(rules, "d4-b6.m0f6", position=before)
    assert odds(missed) == {"c5": 1.0, "f6": 1.0, "h8": 1.0}
    assert missed.quiet == 0


def test_w6_with_joint_collapse_both_are_drawn_at_once() -> None:
    rules = QuantumCheckers(2, position="B:Wc3:Be7,b6,h8", joint_collapse=True)
    before = play(rules, *W6)
    assert chances(rules, before, "d4-b6") == {"m1/d6": 0.5, "m1/g5": 0.25, "m0f6": 0.25}
    assert odds(play(rules, "d4-b6.m1/g5", position=before)) == {"g5": 1.0, "b6": 1.0, "h8": 1.0}


def test_w7_chain_after_an_entangling_capture() -> None:
    rules = QuantumCheckers(2, position="B:Wc3:BKe5,h8")
    before = play(rules, "e5^d4f6", "c3-e5")
    assert close(table(before, "c3", "f6"), {("e5", X): -R, ("c3", "f6"): 1j * R})
    assert [rules.write(before, move) for move in rules.moves(before)] == ["e5-g7"]
    assert chances(rules, before, "e5-g7") == {"m1": 0.5, "m0c3": 0.5}
    confirmed = play(rules, "e5-g7.m1", position=before)
    assert (odds(confirmed), confirmed.quiet, confirmed.player) == ({"e5": 1.0, "h8": 1.0}, 0, "black")
    passed = play(rules, "e5-g7.m0c3", position=before)
    assert (odds(passed), passed.quiet) == ({"c3": 1.0, "f6": 1.0, "h8": 1.0}, 3)


W8 = ("f6^e5g5", "d4-f6", "a7-b6", "d4f6^e5")


def test_w8_branches_marked_by_a_partner_do_not_interfere() -> None:
    rules = QuantumCheckers(3, position="B:WKd4:Bf6,h4,a7,c7")
    after = play(rules, *W8)
    expected = {("e5", "g5"): 0.5, ("f6", "g5"): -0.5j, ("e5", X): 0.5j, ("f6", X): -0.5}
    assert close(table(after, "e5", "g5"), expected)
    assert {k: odds(after)[k] for k in ("e5", "f6", "g5")} == {"e5": 0.5, "f6": 0.5, "g5": 0.5}


def test_w8_a_piece_may_be_alive_with_less_than_certainty_and_without_a_partner() -> None:
    rules = QuantumCheckers(3, position="B:WKd4:Bf6,h4,a7,c7")
    before = play(rules, *W8, "c7-d6")
    after = play(rules, "e5-c7.m1", position=before)
    assert close(table(after, "g5"), {("g5",): R, (X,): 1j * R})
    assert [rules.write(after, move) for move in rules.moves(after)] == ["c7-a5"]
    assert any(note.endswith("captured with 50%") for note in rules.view(after).notes)
    joint = QuantumCheckers(3, position="B:WKd4:Bf6,h4,a7,c7", joint_collapse=True)
    assert set(chances(joint, play(joint, *W8, "c7-d6"), "e5-c7")) == {"m1/g5", "m1/x", "m0f6/g5", "m0f6/x"}


def test_w9_split_against_split_asks_for_the_target_only_where_the_capturer_is_found() -> None:
    rules = QuantumCheckers(1, position="B:WKc3,g1:BKg7,a7")
    before = play(rules, "g7^f6h6", "g1-h2", "f6-e5", "c3^b4d4")
    assert [rules.write(before, move) for move in rules.moves(before)] == ["e5-c3"]
    assert chances(rules, before, "e5-c3") == {"m1.m1": 0.25, "m1.m0b4": 0.25, "m0h6": 0.5}
    passed = play(rules, "e5-c3.m0h6", position=before)
    assert {k: odds(passed)[k] for k in ("b4", "d4", "h6")} == {"b4": 0.5, "d4": 0.5, "h6": 1.0}
    certain = play(rules, "e5-c3.m1.m0b4", position=before)
    assert odds(certain) == {"h2": 1.0, "b4": 1.0, "e5": 1.0, "a7": 1.0}
    assert odds(play(rules, "e5-c3.m1.m1", position=before)) == {"h2": 1.0, "c3": 1.0, "a7": 1.0}


GHOST = ("c3^b4d4", "h8-g7", "b4d4^c5", "g7-f6", "c5-b6", "f6-e5")


def test_w10_a_square_without_probability_forces_no_capture() -> None:
    rules = QuantumCheckers(3, position="W:Wc3:Bh8,h2")
    after = play(rules, *GHOST)
    assert not any(rules.write(after, move) == "d4-f6" for move in rules.moves(after))


def test_w10_kept_ghosts_must_capture_and_can_only_fail() -> None:
    rules = QuantumCheckers(3, position="W:Wc3:Bh8,h2", keep_ghosts=True)
    after = play(rules, *GHOST)
    assert [rules.write(after, move) for move in rules.moves(after)] == ["d4-f6"]
    assert chances(rules, after, "d4-f6") == {"m0b6": 1.0}
    assert odds(play(rules, "d4-f6.m0b6", position=after)) == {"h2": 1.0, "e5": 1.0, "b6": 1.0}


def test_w10_a_man_that_is_crowned_stops_and_a_king_goes_on() -> None:
    man = play(QuantumCheckers(0, position="W:Wb6:Bc7,e7"), "b6-d8")
    assert (man.player, man.chain) == ("black", None)
    king = QuantumCheckers(0, position="W:WKb6:Bc7,e7")
    after = play(king, "b6-d8")
    assert [king.write(after, move) for move in king.moves(after)] == ["d8-f6"]
    for profile in ("cheqqers_2025_03", "cheqqers_2025_08"):
        stops = QuantumCheckers(0, position="W:WKb6:Bc7,e7", profile=profile)
        assert play(stops, "b6-d8").player == "black"


# -- counts ----------------------------------------------------------------------------------------------


def perft(rules: QuantumCheckers, depth: int) -> list[int]:
    """How many lines of play there are of one ply, of two, and so on; every way that a move can end counts."""
    positions, found = [rules.start(backends.engine("sparse"))], []
    for left in reversed(range(depth)):
        lines = [(position, move) for position in positions for move in rules.moves(position)]
        found.append(len(lines))
        if left:
            positions = [way.position for line in lines for way in rules.outcomes(*line)]
    return found


def test_level_0_counts_as_english_draughts_do() -> None:
    assert perft(QuantumCheckers(0), 4) == [7, 49, 302, 1469]  # rule book, section 4


@pytest.mark.slow
def test_level_0_counts_as_english_draughts_do_two_plies_deeper() -> None:
    assert perft(QuantumCheckers(0), 6) == [7, 49, 302, 1469, 7361, 36768]


@pytest.mark.parametrize(("level", "counts"), [(1, [10, 100, 637]), (2, [10, 100, 637]), (3, [10, 100, 649])])
def test_quantum_levels_count_as_the_rule_book_says(level: int, counts: list[int]) -> None:
    assert perft(QuantumCheckers(level), 3) == counts


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_small_board_has_five_moves_and_25_answers(level: int) -> None:
    assert perft(QuantumCheckers(level, size=5, rows=1), 2) == [5, 25]


def test_a_king_alone_in_the_open_has_4_moves_and_6_splits() -> None:
    rules = QuantumCheckers(3, position="W:WKd4:Bh8")
    assert len(rules.moves(rules.start(backends.engine("sparse")))) == 10
