"""The decisions of the rule book (CQ-1 to 28), notation, set-ups, options, what is shown, and games as text."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits.sources import FixedAnswers
from qchess.errors import IllegalMoveError, ImpossibleOutcomeError, InvalidMoveError
from qchess.games.quantum_checkers import Kind, Position, QuantumCheckers, pdn
from qchess.games.quantum_checkers.book import AUGUST_2025, MARCH_2025, Options, board
from qchess.showing.svgpieces import DISCS
from qchess.testing import check_game
from tests.long import one_in

#: how many random games the slow test of all laws plays on each board; a few, if nobody says
GAMES = int(os.environ.get("QCHESS_GAMES", "0"))

NAMES = board(8).names


def play(rules: QuantumCheckers, *moves: str) -> Position:
    """The position after some moves; their texts carry the answers."""
    position = rules.start(backends.engine("sparse"))
    for text in moves:
        move, answers = rules.read(position, text)
        position, _ = rules.step(position, move, FixedAnswers(list((answers or {}).values())))
    return position


def moves(rules: QuantumCheckers, position: Position) -> list[str]:
    """The legal moves as text."""
    return [rules.write(position, move) for move in rules.moves(position)]


def kind(rules: QuantumCheckers, position: Position, text: str) -> Kind:
    """What a move does."""
    return rules.turn(position, rules.read(position, text)[0]).kind


# -- moves ----------------------------------------------------------------------------------------------


def test_cq1_men_step_forward_and_kings_in_four_ways_one_step_at_a_time() -> None:
    rules = QuantumCheckers(0, position="W:Wc3,Kf4:Bh8")
    assert moves(rules, play(rules)) == ["c3-b4", "c3-d4", "f4-e3", "f4-g3", "f4-e5", "f4-g5"]


def test_cq2_whatever_the_odds_a_capture_must_be_made() -> None:
    rules = QuantumCheckers(3, position="B:Wc3,a1:Bf6,h8")
    position = play(rules, "f6^e5g5", "a1-b2", "e5-d4")
    assert moves(rules, position) == ["c3-e5"]
    with pytest.raises(IllegalMoveError, match="a capture is possible, such as c3-e5, so one must be made"):
        rules.read(position, "b2-a3")


def test_cq3_only_the_piece_that_jumped_goes_on() -> None:
    set_up = "W:Wa1,g1:Bb2,f2,d4,h8"
    rules = QuantumCheckers(0, position=set_up)
    assert moves(rules, play(rules, "a1-c3")) == ["c3-e5"]
    assert moves(rules, play(rules, "a1-c3", "c3-e5"))[0].startswith(("f2", "h8"))


def test_cq3_the_profiles_let_any_piece_go_on() -> None:
    set_up = "W:Wa1,f4:Bb2,d4,g5,h8"
    offered = QuantumCheckers(0, position=set_up, continue_with="any_piece_offered")
    assert moves(offered, play(offered, "a1-c3")) == ["c3-e5", "f4-h6"]
    alone = "W:Wa1,f4:Bb2,g5,h8"
    stops = QuantumCheckers(0, position=alone, continue_with="any_piece_offered")
    assert play(stops, "a1-c3").player == "black"
    goes_on = QuantumCheckers(0, position=alone, continue_with="any_piece_continues")
    assert moves(goes_on, play(goes_on, "a1-c3")) == ["f4-h6"]


def test_cq3_with_any_piece_continues_the_turn_stays_after_a_failed_attempt() -> None:
    for who, player in (("any_piece_continues", "white"), ("any_piece_offered", "black"), ("same_piece", "black")):
        rules = QuantumCheckers(1, position="B:Wd4,a1:Bf6,b2,h8", continue_with=who)
        position = play(rules, "f6^e5g5", "d4-f6.m0g5")
        assert position.player == player, who
        if player == "white":
            assert moves(rules, position) == ["a1-c3"]


def test_cq4_a_jump_that_crowns_ends_the_turn_and_a_king_goes_on() -> None:
    for men, player in (("b6", "black"), ("Kb6", "white")):
        rules = QuantumCheckers(0, position=f"W:W{men}:Bc7,e7")
        assert play(rules, "b6-d8").player == player


def test_cq5_cq7_a_side_without_a_move_loses_even_when_the_draw_is_due() -> None:
    blocked = QuantumCheckers(0, position="W:Wa7:BKb8:H40")
    assert str(blocked.result(play(blocked))) == "Black wins: white has no legal move"
    first = QuantumCheckers(0, position="W:Wa7:BKb8:H40", draw_first=True)
    assert str(first.result(play(first))) == "Draw: 40 half-moves without a capture"
    empty = QuantumCheckers(0, position="W:W:BKb8")
    assert str(empty.result(play(empty))) == "Black wins: white has no piece left"


def test_cq5_the_draw_comes_at_its_plies_and_can_be_left_out() -> None:
    set_up = "W:WKa1:BKh8:H39"
    drawn, endless = QuantumCheckers(0, position=set_up), QuantumCheckers(0, position=set_up, draw_plies=None)
    assert drawn.result(play(drawn)) is None
    assert str(drawn.result(play(drawn, "a1-b2"))) == "Draw: 40 half-moves without a capture"
    assert endless.result(play(endless, "a1-b2")) is None


def test_cq6_a_failed_capture_counts_on_and_a_completed_one_starts_again() -> None:
    rules = QuantumCheckers(1, position="B:Wc3:Bf6,h8:H5")
    assert moves(rules, play(rules, "f6^e5g5", "c3-d4")) == ["e5-c3"]
    assert play(rules, "f6^e5g5", "c3-d4", "e5-c3.m0g5").quiet == 8
    assert play(rules, "f6^e5g5", "c3-d4", "e5-c3.m1").quiet == 0


def test_cq8_a_target_with_any_part_on_it_is_closed() -> None:
    rules = QuantumCheckers(3, position="W:Wc1,a3:Bh8")
    position = play(rules, "c1^b2d2", "h8-g7")
    assert "a3-b4" in moves(rules, position)
    with pytest.raises(IllegalMoveError, match="b2 is not empty"):
        rules.read(position, "a3-b2")


def test_cq10_a_man_has_one_split_a_king_up_to_six_and_none_beside_a_capture() -> None:
    rules = QuantumCheckers(1, position="W:Wc3,Kf4:Bh8")
    splits = [text for text in moves(rules, play(rules)) if "^" in text]
    assert splits == ["c3^b4d4", "f4^e3g3", "f4^e3e5", "f4^e3g5", "f4^g3e5", "f4^g3g5", "f4^e5g5"]


def test_cq11_a_part_splits_again_and_halves() -> None:
    rules = QuantumCheckers(1, position="W:Wc1:Bh8")
    position = play(rules, "c1^b2d2", "h8-g7", "b2^a3c3")
    assert [round(position.probability(NAMES.index(s)), 9) for s in ("a3", "c3", "d2")] == [0.25, 0.25, 0.5]


def test_cq14_a_split_taker_is_measured_at_every_quantum_level() -> None:
    for level in (1, 2, 3):
        rules = QuantumCheckers(level, position="W:Wc3,h2:Bf6,h8")
        position = play(rules, "c3^b4d4", "f6-e5")
        assert kind(rules, position, "d4-f6") is Kind.MEASURE
        assert rules.turn(position, rules.read(position, "d4-f6")[0]).program.answers == ("capturer",)


def test_cq13_cq17_an_unsplit_taker_measures_at_level_1_and_entangles_above() -> None:
    kinds = []
    for level in (1, 2, 3):
        rules = QuantumCheckers(level, position="B:Wd4,a1:Bf6,h8")
        kinds.append(kind(rules, play(rules, "f6^e5g5"), "d4-f6"))
    assert kinds == [Kind.MEASURE, Kind.ENTANGLE, Kind.ENTANGLE]


def test_cq18_an_entangled_piece_is_measured_not_entangled_again() -> None:
    rules = QuantumCheckers(2, position="B:Wd4:Bf6,g7,h8")
    position = play(rules, "f6^e5g5", "d4-f6")
    taker, victim = (position.owner[NAMES.index(square)] for square in ("d4", "g5"))
    assert (position.pieces[taker].partner, position.pieces[victim].partner) == (victim, taker)
    assert kind(rules, position, "g7-e5") is Kind.MEASURE


def test_cq22_an_entangling_capture_that_crowns_ends_the_turn_and_crowns_the_landing_part_alone() -> None:
    rules = QuantumCheckers(2, position="B:Wb6:BKd8,h2")
    position = play(rules, "d8^c7e7", "b6-d8")
    assert position.player == "black"
    assert {NAMES[s] for s in position.kings} == {"d8", "e7"}


def test_cq21_the_crown_belongs_to_the_square_that_was_reached() -> None:
    rules = QuantumCheckers(3, position="W:Wc7:BKh2")
    position = play(rules, "c7^b8d8")
    assert sorted(NAMES[s] for s in position.kings) == ["b8", "d8", "h2"]
    half = QuantumCheckers(3, position="W:Wc5:BKh2")
    position = play(half, "c5^b6d6", "h2-g1", "b6-a7", "g1-h2", "a7-b8")
    assert sorted(NAMES[s] for s in position.kings) == ["b8", "h2"]


def test_cq23_a_king_and_a_man_of_one_piece_do_not_merge() -> None:
    rules = QuantumCheckers(3, position="W:Wc5:BKh2")
    position = play(rules, "c5^b6d6", "h2-g1", "b6-a7", "g1-h2", "a7-b8", "h2-g1")
    assert not any(move.is_merge for move in rules.moves(position))
    with pytest.raises(IllegalMoveError, match="of d6 and b8 one is a king"):
        rules.read(position, "b8d6^c7")


def test_cq24_the_order_in_which_a_pair_is_written_has_no_meaning() -> None:
    rules = QuantumCheckers(3, position="W:WKe3:Bh8")
    assert rules.read(play(rules), "e3^f4d4") == rules.read(play(rules), "e3^d4f4")
    position = play(rules, "e3^d4f4", "h8-g7")
    assert rules.read(position, "f4d4^e5") == rules.read(position, "d4f4^e5")
    assert rules.write(position, rules.read(position, "f4d4^e5")[0]) == "d4f4^e5"


def test_cq28_lower_levels_lack_the_moves_of_the_higher_ones() -> None:
    with pytest.raises(IllegalMoveError, match="at level 0 nothing splits"):
        QuantumCheckers(0).read(play(QuantumCheckers(0)), "c3^b4d4")
    rules = QuantumCheckers(2, position="W:WKe3:Bh8")
    with pytest.raises(IllegalMoveError, match="at level 2 nothing merges"):
        rules.read(play(rules, "e3^d4f4", "h8-g7"), "d4f4^e5")


# -- answers ----------------------------------------------------------------------------------------------


def test_an_impossible_answer_is_refused_and_changes_nothing() -> None:
    rules = QuantumCheckers(1, position="B:Wd4:Bf6,h8")
    position = play(rules, "f6^e5g5")
    with pytest.raises(InvalidMoveError, match="fits nothing that can be found here"):
        rules.read(position, "d4-f6.m0h8")
    with pytest.raises(ImpossibleOutcomeError):
        rules.step(position, rules.read(position, "d4-f6")[0], FixedAnswers([7]))
    assert rules.read(position, "d4-f6.m0")[1] == rules.read(position, "d4-f6.m0g5")[1]


@pytest.mark.parametrize(
    "text", ["", "c3", "c3-", "c3d4e5", "c3-d4.m2", "c3^b4", "z9-a1", "c3-d4/e5", "c3xd4xe5", "x-x"]
)
def test_what_is_no_move_is_refused(text: str) -> None:
    rules = QuantumCheckers()
    with pytest.raises((InvalidMoveError, IllegalMoveError)):
        rules.read(play(rules), text)


def test_a_step_has_no_answer_and_is_no_capture() -> None:
    rules = QuantumCheckers()
    with pytest.raises(InvalidMoveError, match="the move asks nothing"):
        rules.read(play(rules), "c3-d4.m1")
    with pytest.raises(IllegalMoveError, match="written as a capture but is not one"):
        rules.read(play(rules), "c3xd4")


# -- set-ups and options ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "men"), [(5, 3), (6, 3), (7, 4), (8, 4), (10, 5), (12, 6), (14, 7)])
def test_boards_with_one_row_have_the_men_of_the_rule_book(size: int, men: int) -> None:
    start = play(QuantumCheckers(3, size, 1))
    assert len(list(start.squares("white"))) == len(list(start.squares("black"))) == men


@pytest.mark.parametrize("size", range(4, 15))
def test_every_size_and_number_of_rows_can_be_played(size: int) -> None:
    for rows in range(1, (size - 1) // 2 + 1):
        rules = QuantumCheckers(3, size, rows)
        position = rules.start(backends.engine("sparse"))
        rng, source = random.Random(size), backends.Seeded(rows)
        for _ in range(12):
            if rules.result(position):
                break
            position, _ = rules.step(position, rng.choice(rules.moves(position)), source)
        assert position.ply


@pytest.mark.parametrize("options", [
    {"level": 4}, {"level": True}, {"level": "3"}, {"size": 3}, {"size": 27}, {"size": 8.0}, {"rows": 0}, {"rows": 4},
    {"profile": "none"}, {"profile": "default+draw_plies=0"}, {"continue_with": "nobody"}, {"keep_ghosts": 1},
    {"no_such": 1}, {"position": "x"}, {"position": "W:Wa1:Wc3"}, {"position": "W:Wa2:Bh8"}, {"position": "W:Wa1,a1:B"},
    {"position": "W:Wb8:Bh8"}, {"position": "W:Wa1:Bh8:X"}, {"position": 5},
])  # fmt: skip
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidMoveError):
        QuantumCheckers(**options)


@pytest.mark.parametrize("options", [
    {}, {"level": 0, "size": 5}, {"profile": "cheqqers_2025_03"}, {"profile": "cheqqers_2025_08+draw_plies=None"},
    {"position": "B:Wd4:Bf6,Kg7:H3"}, {"draw_plies": 7, "joint_collapse": True},
])  # fmt: skip
def test_options_rebuild_the_rules(options: dict[str, Any]) -> None:
    rules = QuantumCheckers(**options)
    again = QuantumCheckers(**json.loads(json.dumps(rules.options())))
    assert again.options() == rules.options()
    assert play(again) == play(rules)


def test_profiles_are_what_the_rule_book_says() -> None:
    assert str(MARCH_2025) == "cheqqers_2025_03"
    assert str(AUGUST_2025) == "cheqqers_2025_08"
    assert Options.parse("cheqqers_2025_03+continue_with=any_piece_offered") == AUGUST_2025


def test_a_position_without_superposition_is_written_and_read() -> None:
    text = "B:Wa1,Kd4:Bf6,Kg7:H12"
    rules = QuantumCheckers(3, position=text)
    assert rules.position_text(play(rules)) == text
    with pytest.raises(InvalidMoveError, match="superposition"):
        rules.position_text(play(QuantumCheckers(3), "c3^b4d4"))


# -- what is shown ------------------------------------------------------------------------------------------


def test_the_view_shows_odds_kings_phases_groups_and_links() -> None:
    rules = QuantumCheckers(3, position="B:WKd4:Bf6,h4,a7,c7")
    view = rules.view(play(rules, "f6^e5g5", "d4-f6"))
    assert view.men["f6"][0].symbol == "K"
    assert view.men["f6"][0].probability == pytest.approx(0.5)
    assert ("d4", "f6") in view.groups
    assert {link[:2] for link in view.links} == {("d4", "g5"), ("f6", "g5")}
    alone = rules.view(play(rules, "f6^e5g5"))
    assert alone.men["g5"][0].phase == pytest.approx(0)
    walked = QuantumCheckers(3, position="W:WKe3:BKh8")
    phases = walked.view(play(walked, "e3^d4f4", "h8-g7", "f4-g5")).men
    assert phases["g5"][0].phase == pytest.approx(0.25)  # one step is a factor i


def test_pictures_draw_discs_and_crowns() -> None:
    rules = QuantumCheckers(3, position="W:Wc3,Ke3:Bh8")
    picture = rules.svg(play(rules))
    for letter in "MK":
        assert f'd="{DISCS[letter].lines}"' in picture


def test_what_a_move_does_is_told_in_a_line() -> None:
    rules = QuantumCheckers(3, position="B:Wd4:Bf6,g7,h8")
    position = play(rules, "f6^e5g5")
    say = lambda at, text: rules.describe(at, rules.read(at, text)[0])  # noqa: E731
    assert say(position, "d4-f6") == "entangles: captures e5 with 50%, without a measurement"
    after = play(rules, "f6^e5g5", "d4-f6")
    assert say(after, "g7-e5") == "measures: captures 50%, fails 50% (the target is not on f6: it is on d4)"
    merge = QuantumCheckers(3, position="W:WKe3:Bh8")
    before = play(merge, "e3^d4f4", "h8-g7")
    assert merge.describe(before, merge.read(before, "d4f4^e5")[0]) == (
        "merges: e5 100%, f4 0%; what does not merge stays on f4"
    )


@pytest.mark.parametrize(("moves", "told"), [
    (("f6^e5g5",), ""),
    (("f6^e5g5", "d4-f6"), "no measurement: if e5 was captured, the capturer is on f6, otherwise it is still on d4"),
    (("f6^e5g5", "d4-f6", "g7-e5.m1"), "the target is on f6; f6 is captured; the earlier capture of g5 is confirmed"),
    (("f6^e5g5", "d4-f6", "g7-e5.m0d4"), "the target is not on f6: it is on d4; the capture fails"),
])  # fmt: skip
def test_what_a_move_came_to_is_told(moves: tuple[str, ...], told: str) -> None:
    game = qchess.new("quantum-checkers", level=2, position="B:Wd4:Bf6,g7,h8")
    for text in moves:
        before, played = game.position, game.play(text)
    answers = {answer.name: answer.value for answer in played.answers}
    assert game.rules.story(before, played.move, answers, game.position) == told


def test_a_confirmed_capture_and_a_chain_are_told() -> None:
    game = qchess.new("quantum-checkers", level=2, position="B:Wc3:BKe5,h8")
    said = []
    for text in ("e5^d4f6", "c3-e5", "e5-g7.m1"):
        before, played = game.position, game.play(text)
        answers = {answer.name: answer.value for answer in played.answers}
        said.append(game.rules.story(before, played.move, answers, game.position))
    assert said[1].endswith("; e5 must go on")
    assert said[2] == "the capturer is on e5; the capture fails"


# -- games as text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_a_game_is_written_as_pdn_and_read_again(seed: int) -> None:
    rng = random.Random(seed)
    game = qchess.new("quantum-checkers", seed=seed, size=6, profile="default" if seed % 2 else "cheqqers_2025_03")
    while game.result is None:
        game.play(rng.choice(game.moves()))
    text = pdn.dumps(game, Event='the "first"')
    again = pdn.loads(text)
    assert again.position == game.position
    assert again.result == game.result
    assert [entry.move for entry in again.record().entries] == [entry.move for entry in game.record().entries]
    assert max(map(len, text.splitlines())) <= 200


def test_pdn_numbers_turns_not_jumps() -> None:
    game = qchess.new("quantum-checkers", level=0, position="W:Wa1:Bb2,d4,h8")
    for text in ("a1-c3", "c3-e5", "h8-g7"):
        game.play(text)
    assert pdn.dumps(game).splitlines()[-1] == "1. a1-c3 c3-e5 h8-g7 *"


@pytest.mark.parametrize("text", [
    '[GameType "20"]\n\n1. c3-d4 *', "1. c3-d9 *", "1. c3-d4 {open", '[Options "level"]\n\n*', "1. c3-d4 c3-d4 *",
])  # fmt: skip
def test_pdn_that_tells_no_game_is_refused(text: str) -> None:
    with pytest.raises(InvalidMoveError):
        pdn.loads(text)


# -- laws ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", range(4))
def test_random_games_hold_every_law_on_three_engines(level: int) -> None:
    engines = ("sparse", "cirq") if level == 3 else ("sparse",)
    report = check_game(
        QuantumCheckers(level, 5), games=2, plies=40, seed=level, engines=engines, frequency=50, sample=5
    )
    assert report.compared >= report.plies


#: a piece of White's that b6 may have taken is left on one square, and h8, a certain piece, jumps over that
TAKEN_TWICE = """
    c1^b2d2 f8^e7g7 b2d2^c3 e7g7^f6 c3^b4d4 f6^e5g5 d4-f6.m1.m1 b8^a7c7 f6^e7g7 d8-f6 g1-f2 a7c7^b6 f2^e3g3 b6-a5
    e3g3^f4 d8-c7 e1^d2f2 c7^b6d6 d2f2^e3 d6f6^e5 f4-d6.m0f6 f6^e5g5 f4-d6 h8-f6
"""


def test_a_piece_that_two_pieces_may_have_taken_is_off_the_board_and_stays_entangled() -> None:
    """Off the board whoever took it (CQ-25), it still tells its taker's parts apart: CQ-6, CQ-17, CQ-18, CQ-27."""
    rules = QuantumCheckers(3, 8, 1)
    *before, second = TAKEN_TWICE.split()
    one, two = play(rules, *before), play(rules, *before, second)
    assert kind(rules, one, second) is Kind.ENTANGLE
    assert two.quiet == one.quiet + 1
    (twice,) = (number for number, piece in two.pieces.items() if not piece.squares)
    assert len(two.pieces[twice].taken) == 2
    taker = two.owner[NAMES.index("f6")]
    assert two.component(taker) == (taker, twice)

    attacked = play(rules, *before, second, "f4-h6.m1", "h8-g7")
    assert kind(rules, attacked, "h6-f8") is Kind.MEASURE
    for answer in (".m1", ".m0f6"):
        settled = play(rules, *before, second, "f4-h6.m1", "h8-g7", f"h6-f8{answer}")
        assert twice not in settled.pieces
        assert settled.quiet == 0
        assert not settled.registers.registers


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["default", "cheqqers_2025_03", "cheqqers_2025_08"])
@pytest.mark.parametrize("level", one_in(2, range(4)))
def test_more_random_games_hold_every_law_on_all_engines(level: int, profile: str) -> None:
    """Games to their end; ``QCHESS_GAMES=1000`` plays so many on each board, in about 25 minutes a level.

    Games on the full board are the longest, and only the default profile plays them.
    """
    boards = (
        (5, 1, ("sparse", "cirq", "aer")), (6, 1, ("sparse", "cirq", "aer")), (8, 1, ("sparse",)), (8, 3, ("sparse",))
    )  # fmt: skip
    for size, rows, engines in boards if GAMES or profile == "default" else boards[:3]:
        rules = QuantumCheckers(level, size, rows, profile)
        games = GAMES if GAMES and profile == "default" else 2 if size == 5 else 1
        report = check_game(rules, games=games, plies=300, seed=level, engines=engines, frequency=20, sample=5)
        assert report.finished > 0.9 * report.games
        assert report.core >= report.plies
