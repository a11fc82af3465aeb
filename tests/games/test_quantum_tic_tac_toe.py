"""Quantum tic-tac-toe: Goff's rules by hand, every placement by brute force, and random games under every law.

The rules are those of A. Goff, "Quantum tic-tac-toe: A teaching metaphor for superposition in quantum mechanics",
Am. J. Phys. 74, 962 (2006). ``QCHESS_GAMES`` says how many random games the slow tests play, 16 otherwise.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from itertools import product

import pytest

import qchess
from qchess import backends
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_tic_tac_toe import Mark, Position, QuantumTicTacToe
from qchess.playing import agents
from qchess.proving.laws import require
from qchess.testing import check_game

GAMES = int(os.environ.get("QCHESS_GAMES", "16"))


def play(*moves: str, collapse: str = "measured", backend: str = "sparse", seed: int = 1) -> qchess.Game:
    """The game after some moves; a text that tells an answer is played with it."""
    game = qchess.new("quantum-tic-tac-toe", collapse=collapse, backend=backend, seed=seed)
    for text in " ".join(moves).split():
        move, answers = game.rules.read(game.position, text)
        game.play(move, outcome=answers)
    return game


def places(game: qchess.Game) -> dict[str, str]:
    """Where the settled marks are, by square."""
    return {square: mark.name for square, mark in sorted(game.position.settled.items())}


def board(game: qchess.Game) -> list[str]:
    """The rows of the board, from the top."""
    return [line[3:] for line in str(game).splitlines()[:3]]


def placements(marks: Sequence[Mark]) -> set[tuple[str, ...]]:
    """By brute force: every way to put each mark on one of its squares, no two on the same."""
    ways = product(*(mark.squares for mark in marks))
    return {way for way in ways if len(set(way)) == len(way)}


def branches(position: Position) -> set[tuple[str, ...]]:
    """Every placement of the marks that has an amplitude."""
    open_names = [mark.name for mark in position.open]
    state = position.registers.amplitudes([*open_names, *(sorted(position.registers.full))])
    return {
        tuple(position.place(mark) or mark.squares[key >> open_names.index(mark.name) & 1] for mark in position.marks)
        for key in state
    }


# -- one move after the other ---------------------------------------------------------------------------


def test_a_mark_is_half_on_each_of_its_squares() -> None:
    assert board(play("a1c3")) == [".     .     X₁50", ".     .     .", "X₁50  .     ."]


def test_marks_that_share_no_square_are_not_entangled() -> None:
    game = play("a1b1", "a3b3")
    assert sorted(game.position.registers.registers) == [("o2",), ("x1",)]
    assert game.rules.view(game.position).groups == (("a1", "b1"), ("a3", "b3"))


def test_where_the_second_mark_is_the_first_is_not() -> None:
    """o2 is on b1 in one half, so x1 is on a1 there; in the other half x1 is free: 1/2 + 1/4 on a1."""
    assert board(play("a1b1", "b1c1")) == [
        ".          .          .",
        ".          .          .",
        "X₁75       O₂50|X₁25  O₂50",
    ]


def test_a_mark_between_two_parts_pushes_both() -> None:
    """x3 on b1 keeps x1 on a1, x3 on c1 keeps o2 on c2; each is undisturbed in the other half."""
    game = play("a1b1", "c1c2", "b1c1")
    assert branches(game.position) == {("a1", "c1", "b1"), ("a1", "c2", "b1"), ("a1", "c2", "c1"), ("b1", "c2", "c1")}
    state = game.position.registers.distribution("x1", "o2", "x3")
    assert {key: round(p, 12) for key, p in state.items()} == {0: 0.25, 2: 0.25, 6: 0.25, 7: 0.25}


def test_a_ring_of_three_is_measured_and_falls_either_way() -> None:
    """Goff's cyclic entanglement: three marks on three squares, two ways to be, each of one half."""
    for closing, found in (("a1c1.a1", ["x3", "x1", "o2"]), ("a1c1.c1", ["x1", "o2", "x3"])):
        game = play("a1b1", "b1c1", closing)
        assert places(game) == dict(zip(("a1", "b1", "c1"), found, strict=True))
        assert game.position.registers.uncertain == ()
        [answer] = game.history[-1].answers
        assert answer.probability == pytest.approx(0.5, abs=1e-12)


def test_what_hangs_on_a_ring_falls_with_it() -> None:
    """x1 has no choice once a1 belongs to the ring of the three others."""
    for closing in ("a1c1.a1", "a1c1.c1"):
        game = play("a1a3", "a1b1", "b1c1", closing)
        assert places(game)["a3"] == "x1"
        assert len(places(game)) == 4


def test_two_marks_on_the_same_two_squares_are_a_ring() -> None:
    game = play("a1b1", "a1b1.a1")
    assert places(game) == {"a1": "o2", "b1": "x1"}
    assert game.rules.describe(play("a1b1").position, ("a1", "b1")) == "Is o2 on b1? Yes 50%, no 50%"


def test_a_ring_settles_its_own_part_only() -> None:
    game = play("a3b3", "a1b1", "b1a2", "a1a2.a1")
    assert set(places(game)) == {"a1", "b1", "a2"}
    assert game.position.registers.probability("x1") == pytest.approx(0.5)


def test_squares_that_are_settled_take_no_more_marks() -> None:
    game = play("a1b1", "a1b1.a1")
    assert len(game.moves()) == 7 * 6 / 2
    with pytest.raises(IllegalMoveError, match="a1 is taken by o2"):
        game.play("a1c1")


# -- examples of the literature ----------------------------------------------------------------------------------

#: the literature counts the squares from 1 to 9, row by row from the top
SQUARE = dict(enumerate(("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"), 1))
#: December 2005: corners 1 and 3 are o's and x's in both ways, 7 and 9 are exchanged; x chooses
CHALLENGE = "37 19 79 79"


def numbered(moves: str, collapse: str = "chosen") -> qchess.Game:
    """The game after moves by numbers: ``14`` puts a mark on squares 1 and 4, and ``1`` chooses square 1."""
    return play(*("".join(SQUARE[int(digit)] for digit in move) for move in moves.split()), collapse=collapse)


def found_at(game: qchess.Game) -> dict[int, str]:
    """The settled marks, by the numbers of their squares."""
    return {number: mark for number, square in SQUARE.items() if (mark := places(game).get(square))}


@pytest.mark.parametrize(
    ("chosen", "found"),
    [("1", {1: "o4", 2: "x1", 5: "o2", 9: "x3"}), ("5", {1: "x1", 2: "o2", 5: "o4", 9: "x3"})],
)
def test_the_example_of_goffs_own_rules(chosen: str, found: dict[int, str]) -> None:
    """X1 on 1 and 2, O2 on 2 and 5, X3 on 5 and 9, O4 on 5 and 1; X3 is not in the ring, and has no choice left.

    A. Goff, "The Rules of Quantum Tic-Tac-Toe", cel.edu/Quantum/Tic-Tac-Toe.
    """
    game = numbered("12 25 59 51")
    assert game.player == "x"
    assert set(game.moves()) == {SQUARE[1], SQUARE[5]}
    game.play(SQUARE[int(chosen)])
    assert found_at(game) == found


@pytest.mark.parametrize(("chosen", "found"), [("8", {1: "x1", 4: "x3", 8: "o4"}), ("1", {1: "o4", 4: "x1", 8: "x3"})])
def test_the_example_of_the_encyclopedia(chosen: str, found: dict[int, str]) -> None:
    """X1 on 1 and 4, X3 on 4 and 8, O4 on 8 and 1: X1 in 1 forces O4 to 8 and X3 to 4, and X1 in 4 the rest.

    Wikipedia, "Quantum tic-tac-toe", which does not say where O2 is; here it is elsewhere and stays open.
    """
    game = numbered("14 69 48 81")
    assert game.player == "x"
    game.play(SQUARE[int(chosen)])
    assert found_at(game) == found
    assert [mark.name for mark in game.position.open] == ["o2"]


@pytest.mark.parametrize("reply", ["52", "46"])
def test_the_challenge_of_december_2005_by_the_diagonal(reply: str) -> None:
    """With x on 3 and 7, move 5 in the centre and on a side wins, whether o echoes it or not; o gets nothing.

    Novatia Labs, Quantum Tic-Tac-Toe challenge, December 2005 (the answer), paradigmpuzzles.com.
    """
    game = numbered(f"{CHALLENGE} 9 52 {reply}")
    assert found_at(game) == {1: "o2", 3: "x1", 7: "x3", 9: "o4"}
    if reply == "52":  # an echo: x chooses, and has the centre
        game.play(SQUARE[2])
        assert found_at(game)[5] == "x5"
        assert str(game.result) == "X wins: three in a row"
        return
    for chosen in (5, 2):  # x echoes himself: however o chooses, the centre is his
        ended = game.fork()
        ended.play(SQUARE[5] + SQUARE[2])
        ended.play(SQUARE[chosen])
        assert found_at(ended)[5] in ("x5", "x7")
        assert str(ended.result) == "X wins: three in a row"


def test_the_challenge_of_december_2005_by_the_side() -> None:
    """With x on 3 and 9, move 5 is on 4 and 6; if o echoes it, she has the left column, and half a point."""
    game = numbered(f"{CHALLENGE} 7 46 46")
    assert found_at(game) == {1: "o2", 3: "x1", 7: "o4", 9: "x3"}
    assert game.player == "x"
    game.play(SQUARE[4])  # o6 is on 4, and so x5 on 6
    assert found_at(game) == {1: "o2", 3: "x1", 4: "o6", 6: "x5", 7: "o4", 9: "x3"}
    assert str(game.result) == "X wins: both have three in a row, and the older row counts"


# -- who settles a ring ------------------------------------------------------------------------------------


def test_the_other_player_chooses_where_that_is_played() -> None:
    game = play("a1b1", "b1c1", "a1c1", collapse="chosen")
    assert game.player == "o"
    assert game.moves() == ["a1", "c1"]
    with pytest.raises(IllegalMoveError, match="expected a1 or c1; o says whether x3 is on a1 or c1"):
        game.play("a2b2")
    assert game.play("c1").answers == ()
    assert places(game) == {"a1": "x1", "b1": "o2", "c1": "x3"}
    assert game.player == "o"  # who has chosen puts the next mark


@pytest.mark.parametrize("moves", ["a1b1 b1c1 a1c1", "a1b1 a1b1", "a1a3 a1b1 b1c1 a1c1", "a3b3 a1b1 b1a2 a1a2"])
def test_a_choice_comes_to_what_the_measurement_finds(moves: str) -> None:
    *before, closing = moves.split()
    for square in (closing[:2], closing[2:]):
        measured, chosen = play(*before, f"{closing}.{square}"), play(moves, square, collapse="chosen")
        assert places(measured) == places(chosen)
        assert measured.player == chosen.player
        assert measured.position.registers.same_as(chosen.position.registers)


# -- the end ---------------------------------------------------------------------------------------------------


def test_three_in_a_row_win_once_they_are_settled() -> None:
    row = "a1a2 a1a2.a2 b1b2 b1b2.b2 c1a3"
    assert play(row).result is None
    won = play(row, "c1a3.a3")
    assert board(won) == ["O₆  .   .", "O₂  O₄  .", "X₁  X₃  X₅"]
    assert str(won.result) == "X wins: three in a row"
    assert won.moves() == []


@pytest.mark.parametrize(
    ("last", "winner"), [("c1c2 c1c2.c2", "x"), ("a3b3 c1c2 c1c2.c1", "o"), ("a3b3 c1c2 a3b3.b3 c1c2.c2", None)]
)
def test_of_two_rows_the_older_wins_one_point_to_a_half(last: str, winner: str | None) -> None:
    """1, 3, 5 beat 2, 4, 6; but 2, 4, 6 beat 1, 3, 7. The third line ends with one row only."""
    game = play("a1a2 a1a2.a2 b1b2 b1b2.b2", last)
    assert game.result is not None
    assert game.result.reason == ("older row, 1 to 1/2" if winner else "row")
    assert game.result.winner == (winner or "o")


def test_the_last_square_takes_one_mark_and_a_full_board_without_a_row_is_a_draw() -> None:
    game = play("a3b3 a3b3.b3 a2b2 a2b2.b2 b1c2 b1c2.c2 a1c1 a1c1.a1")
    assert game.moves() == ["c3"]
    assert game.rules.describe(game.position, ("c3",)) == "asks nothing"
    game.play("c3")
    assert board(game) == ["X₁  O₂  X₉", "X₃  O₄  O₆", "O₈  X₅  X₇"]
    assert str(game.result) == "Draw: nobody has three in a row"


# -- every placement, by brute force ---------------------------------------------------------------------------


@pytest.mark.parametrize("collapse", ["measured", "chosen"])
def test_the_branches_are_the_placements_that_the_rules_allow(collapse: str) -> None:
    rng, met, largest = random.Random(5), 0, 0
    for seed in range(25):
        game = play(collapse=collapse, seed=seed)
        while game.result is None:
            game.play(rng.choice(game.moves()))
            position = game.position
            allowed = placements([mark for mark in position.marks if mark not in position.settled.values()])
            found = {tuple(place for place, mark in zip(way, position.marks, strict=True) if mark in position.open)
                     for way in branches(position)}  # fmt: skip
            assert found == allowed
            met, largest = met + 1, max(largest, len(allowed))
    assert met > 150
    assert largest >= 12


# -- laws --------------------------------------------------------------------------------------------------------


def one_mark_a_square(position: Position) -> None:
    """In no branch of the state do two marks share a square."""
    for way in branches(position):
        require(len(set(way)) == len(way), f"two marks share a square: {way}")


def parts_are_registers(position: Position) -> None:
    """Marks that share squares are one register, with a branch for each square that may be the free one."""
    groups = QuantumTicTacToe().view(position).groups
    for group in () if position.ring else groups:
        mine = [mark for mark in position.open if set(group).issuperset(mark.squares)]
        register = position.registers.register(mine[0].name)
        assert register is not None, "an open mark has a register"
        require({mark.name for mark in mine} == set(register.qubits), f"{register.qubits} is not the part {group}")
        require(register.branches == len(group) == len(mine) + 1, f"{group} has {register.branches} branches")


class Lawful(QuantumTicTacToe):
    """The game with laws of its own."""

    def laws(self) -> Sequence[Callable[[Position], None]]:
        return one_mark_a_square, parts_are_registers


@pytest.mark.parametrize("collapse", ["measured", "chosen"])
def test_random_games_hold_every_law_on_every_engine(collapse: str) -> None:
    engines = ("sparse", "cirq")
    report = check_game(Lawful(collapse), games=4, engines=engines, frequency=20, sample=8)
    assert report.finished == report.games
    assert report.compared == 2 * (report.plies + report.games)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, GAMES, 100))
@pytest.mark.parametrize("collapse", ["measured", "chosen"])
def test_many_random_games_to_their_end(collapse: str, first: int) -> None:
    games = min(100, GAMES - first)
    report = check_game(Lawful(collapse), games=games, seed=first, frequency=50, sample=10)
    assert report.finished == report.games == games


@pytest.mark.slow
@pytest.mark.parametrize("first", range(7000, 7000 + min(100, GAMES), 50))
def test_random_games_agree_on_sparse_cirq_and_aer(first: int) -> None:
    games = min(50, GAMES)
    report = check_game(QuantumTicTacToe(), games=games, seed=first, engines=("sparse", "cirq", "aer"), frequency=0)
    assert report.compared == 3 * (report.plies + report.games)


@pytest.mark.slow
def test_a_noisy_device_settles_every_ring_of_five_games(nearby: None) -> None:
    pytest.importorskip("qiskit_aer")
    rng, asked = random.Random(2), 0
    for seed in range(5):
        game = play(backend="aer-noisy", seed=seed)
        while game.result is None:
            one_mark_a_square(game.position)
            played = game.play(rng.choice(game.moves()))
            asked += len(played.answers)
            assert all("aer-noisy" in answer.source for answer in played.answers)
        assert not game.position.open or len(game.position.settled) >= 3
    assert asked >= 5, "no game ends without a ring"


# -- texts, views and players -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["a1b1", "b1a1", "A1 B1", "a1^b1", "a1-b1", "a1 to b1", "'a1b1'", "a1 and b1", "a1–b1"]
)
def test_a_move_is_understood_however_it_is_typed(text: str) -> None:
    assert play().play(text).text == "a1b1"


@pytest.mark.parametrize("text", ["", "a1", "a1a1", "a4b1", "a1b1c1", "e4", "a1b1.c1", "a1b1.", "a1b1.m1", "a1b1.a1"])
def test_what_is_no_move_is_refused_and_changes_nothing(text: str) -> None:
    game = play()
    if text == "a1b1.":  # a full stop ends a sentence
        assert game.play(text).text == "a1b1"
        return
    with pytest.raises((InvalidMoveError, IllegalMoveError)):
        game.play(text)
    assert game.history == ()


def test_a_collapse_is_one_of_two() -> None:
    with pytest.raises(InvalidMoveError, match="measured or chosen, got 'tossed'"):
        qchess.new("quantum-tic-tac-toe", collapse="tossed")


def test_the_view_links_the_two_squares_of_a_mark_and_letters_the_parts() -> None:
    game = play("a1b1", "b1b2", "c1c3")
    view = game.rules.view(game.position, ("c1", "c3"))
    assert view.links == (("a1", "b1", 1.0), ("b1", "b2", 1.0), ("c1", "c3", 1.0))
    assert view.groups == (("a1", "b1", "b2"), ("c1", "c3"))
    assert view.marked == ("c1", "c3")
    assert [man.symbol for man in view.men["b1"]] == ["X₁", "O₂"]
    assert [view.side(man) for man in view.men["b1"]] == [0, 1]


def test_the_story_tells_where_a_ring_fell() -> None:
    game = play("a1b1")
    before, played = game.position, game.play("a1b1", outcome={"o2": 1})
    assert game.rules.story(before, played.move, {"o2": 1}, game.position) == (
        "the ring is settled: x1 is on a1, o2 is on b1"
    )


def test_the_greedy_agent_takes_a_row_that_its_choice_makes() -> None:
    game = play("a1a2 a1a2 a2 b1b2 b1b2 b2 c1c2 c1c2", collapse="chosen", seed=3)
    chosen = agents.get("greedy").choose(agents.Task(game.rules, game.position, random.Random(1))).move
    assert game.player == "x"
    assert chosen == ("c2",)  # o6 on c2, x5 on c1: both have a row, and that of x is older
    game.play(chosen)
    assert game.result is not None
    assert game.result.winner == "x"


def test_every_engine_plays_a_game_alike() -> None:
    moves = "a1b1 b1b2 c1c3 b2c2 c1c2 a1c3.c3"
    boards = {str(play(moves, backend=name)) for name in backends.names() if name in ("sparse", "cirq", "aer")}
    assert len(boards) == 1
