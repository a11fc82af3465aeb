"""Laws of Niel's Chess and Niel's Xiangqi over random games: the coin form, the circuits, and one against the other."""

from __future__ import annotations

import os
import random
from itertools import permutations
from typing import Any

import pytest

import qchess
from qchess.circuits import Program, Registers, z
from qchess.games.niels_chess import NielsChess, NielsXiangqi, Position, laws, listing, nfen
from qchess.games.niels_chess.book import FACINGS
from qchess.games.niels_chess.core import ending_at
from qchess.games.niels_chess.effects import board_endings, outcomes
from qchess.games.niels_chess.fast.kernels import list_moves
from qchess.games.niels_chess.fast.packing import workspace
from qchess.games.niels_chess.fast.values import CHESS, STEP, XIANGQI
from qchess.games.niels_chess.listing import Listing, legal_moves
from qchess.games.niels_chess.move import JOIN, MOVE, SPLIT, Move
from qchess.games.niels_chess.objections import objection
from qchess.games.niels_chess.programs import program
from qchess.proving.laws import LawError
from qchess.testing import check_game
from tests.games.niels import FAMILIES, MANY, made
from tests.long import one_in

#: how many games of each family the slow test plays
GAMES = int(os.environ.get("QCHESS_GAMES", "1"))
#: a bishop that may not leave its king
PINNED = "k3r3/8/8/8/8/8/4B3/4K3 w - - 0 1"
#: families whose moves a kernel lists
LISTED = (
    "base", "no-box", "other-readings", "4x5-micro", "hadamard", "consent", "tunnelling", "xiangqi",
    "xiangqi-tunnelling", "xiangqi-hadamard",
)  # fmt: skip


def walk(rules: NielsChess, seed: int, plies: int) -> int:
    """One random game in which every class of moves is as likely, and every law is asked of every position."""
    rng, core = random.Random(seed), rules.core()
    position = rules.start(qchess.backends.engine())
    for ply in range(plies):
        if rules.result(position) is not None:
            return ply
        for law in rules.laws():
            law(position)
        worth_is_what_stands(rules, position)
        position = step(rules, core, position, rng)
    return plies


def worth_is_what_stands(rules: NielsChess, position: Position) -> None:
    """Unless check counts: each unit's kind, and of a pawn the steps of its better half."""
    book, state, lead = rules.book, position.state, [0.0, 0.0]
    for unit in state.units:
        rank = book.board.rank(unit.major)
        steps = (book.board.height - 1 - rank if unit.colour else rank) if unit.kind == "P" else 0
        lead[unit.colour] += (XIANGQI if rules.xiangqi else CHESS)[unit.kind] + STEP * steps
    if state.suicide < 0 and not book.in_check(state.men, state.turn):
        assert rules.evaluate(position) == {rules.players[k]: lead[k] - lead[1 - k] for k in (0, 1)}


def step(rules: NielsChess, core: Any, position: Position, rng: random.Random) -> Position:
    """Plays a random move after holding the core to the circuits in all its outcomes."""
    classes: dict[str, list[Any]] = {}
    packed, moves = core.pack(position), rules.moves(position)
    for move in moves:
        asks = "attempt" if move.kind not in (SPLIT, JOIN) and len(core.outcomes(packed, move)) > 1 else move.kind
        classes.setdefault(asks, []).append(move)
    move = rng.choice(classes[rng.choice(sorted(classes))])
    ways, found = core.outcomes(packed, move), list(rules.outcomes(position, move))
    assert [way.answers for way in ways] == [way.answers for way in found], (move, rules.nfen(position))
    for way, other in zip(ways, found, strict=True):
        assert abs(way.probability - other.probability) < 1e-12, (move, rules.nfen(position))
        assert core.differs(way.state, other.position) is None
        rules.marks_describe_registers(other.position)
    assert (core.moves(packed), core.result(packed)) == (moves, rules.result(position))
    ended = [(way.probability, core.result(way.state), core.evaluate(way.state)) for way in ways]
    assert [*core.ends(packed, [move])] == [[(p, result, {} if result else worth) for p, result, worth in ended]]
    return rng.choices(found, [way.probability for way in found])[0].position


@pytest.mark.parametrize("family", FAMILIES)
def test_the_laws_hold_and_coins_equal_circuits(family: str) -> None:
    assert walk(made(family), seed=1, plies=9) > 0


@pytest.mark.parametrize("family", ["base", "hadamard-plus", "remote-collapse", "xiangqi"])
def test_the_checker_of_games_passes(family: str) -> None:
    check_game(made(family), games=1, plies=4, frequency=100, sample=10, seed=3)


def test_a_playout_ends_a_move_as_the_part_of_0_to_1_says_in_which_its_number_lies() -> None:
    rules = NielsChess("7k/8/3b4/8/8/b7/8/3Q3K w - - 0 1 d6oa3p")  # a queen takes a bishop in superposition
    state = rules.start(qchess.backends.engine()).state
    ends, low = board_endings(rules.book, state, Move(MOVE, ("d1", "d6"))), 0.0
    assert [float(end.chance) for end in ends] == pytest.approx([2 / 3, 1 / 3])
    for end in ends:
        high = low + float(end.chance)
        assert ending_at(ends, low + 1e-9) is ending_at(ends, high - 1e-9) is end
        low = high
    assert low == pytest.approx(1)


@pytest.mark.parametrize("family", LISTED)
def test_the_kernel_lists_what_is_listed_in_python(family: str) -> None:
    """Move for move and in order, over a game in which every class of moves and every result is as likely."""
    rules, rng = made(family), random.Random(2)
    book, state = rules.book, rules.start(qchess.backends.engine()).state
    for _ in range(40):
        while state.offer is not None:
            state = rng.choice(outcomes(book, state, rng.choice(legal_moves(book, state)))).state
        rows, clear = workspace(book, 0).listed(state), Listing(book, state)
        assert (list(rows), rows.checked) == (clear.moves, clear.checked), nfen.write(book, state)
        assert [list(rows.moves_of(k)) for k in rows.origins] == [clear.moves_of(k) for k in clear.origins]
        if not (moves := clear.moves):
            break
        assert (rows[-1], rows[:2], rows.first()) == (moves[-1], moves[:2], clear.first())
        kind = rng.choice(moves).kind
        move = rng.choice([move for move in moves if move.kind == kind])
        state = rng.choice(outcomes(book, state, move)).state


@pytest.mark.parametrize("mount", ["off", "block", "transparent"])
@pytest.mark.parametrize(
    "nfen",
    [
        "4k4/9/9/4N4/9/2c1c4/9/9/9/4K4 w - - 0 1 c5oe5p",
        "4k4/9/9/9/4c4/4c4/9/4N4/9/4K4 w - - 0 1 e5oe6o",
        "4k4/9/9/9/4c4/4c4/9/4K4/4K4/9 w - - 0 1 e5oe6p@+,e2oe3p@+",  # the king is half, and in the cannon's group
    ],
)
def test_the_kernel_knows_what_a_cannon_shoots_over(nfen: str, mount: str) -> None:
    """Its own other half is a mount, a wall, or nothing."""
    rules = NielsXiangqi(nfen, cannon_no_pair_mount=mount, drop_river=True)
    state = rules.start(qchess.backends.engine()).state
    assert list(workspace(rules.book, 0).listed(state)) == Listing(rules.book, state).moves


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_the_laws_hold_in_many_games(family: str) -> None:
    """One game of 40 plies: each class of moves comes, most of them dozens of times in all families together.

    Of the families with consent it has 60: only then is an offer agreed to.

    With ``QCHESS_GAMES=1000`` the full numbers: 1,000 of the first seven families, 200 of others, of 60 plies.
    """
    rules = made(family)
    for seed in range(numbers(family)):
        walk(rules, seed, plies=40 if GAMES == 1 and family != "consent" else 60)


def numbers(family: str) -> int:
    """How many games of a family are played."""
    return min(GAMES, 1000 if family in MANY else 200)


@pytest.mark.slow
@pytest.mark.parametrize("family", one_in(2, FAMILIES))
def test_the_checker_passes_over_many_games_and_engines(family: str) -> None:
    """The same numbers of games, each drawn from the whole list of moves, under every law that games have in common.

    The first two of them, or the only one, are replayed on every engine.
    """
    first, engines = min(GAMES, 2), ("sparse", "cirq", "aer")
    check_game(made(family), games=first, plies=12, frequency=100, sample=10 if GAMES > 1 else 5, engines=engines)
    others = numbers(family) - first
    check_game(made(family), games=others, plies=60, seed=first, frequency=50, sample=5, playouts_every=20)


@pytest.mark.parametrize(
    ("made_of", "nfen"),
    [
        (NielsChess, "R3r2r/6k1/8/8/8/3B4/3P4/4K3 w - - 0 1 e8oh8p"),  # to block, to flee, or to roll for the rook
        (NielsChess, PINNED),
        (NielsXiangqi, "3k5/9/4c4/9/9/9/4N4/R8/9/4K4 w - - 0 1"),  # the cannon's mount may go, or get company
    ],
)
def test_every_move_that_keeps_the_king_safe_is_listed(made_of: type[NielsChess], nfen: str) -> None:
    rules = made_of(nfen)
    state, book = rules.start(qchess.backends.engine()).state, rules.book
    wishes = []
    for unit in state.units:
        if unit.colour == state.turn:
            start, quiet = book.names[unit.at], book.pieces.quiet(state.men, unit, unit.at)
            halves = permutations([start, *(book.names[to] for to in quiet)], 2)
            wishes += [Move(MOVE, (start, to)) for to in book.names]
            wishes += [Move(SPLIT, (start, a, b), facing) for a, b in halves for facing in FACINGS]
    legal = [wish for wish in wishes if not objection(book, state, wish)]
    assert sorted(map(str, legal)) == sorted(
        str(move) for move in legal_moves(book, state) if move.kind in (MOVE, SPLIT)
    )
    assert 0 < len(legal) < len(wishes)


# -- laws that can fail ------------------------------------------------------------------------------------------


def test_a_lost_phase_is_noticed() -> None:
    """Without the S† a split with stay has the same odds, and another state."""
    rules = NielsChess(hadamard=True)
    position = rules.start(qchess.backends.engine())
    move, _ = rules.read(position, "b1^b1c3")
    steps = program(rules.book, position.state, move).operations
    lost = position.registers.run(Program(*steps[:-1])).registers
    assert lost.probability("c3") == pytest.approx(0.5)
    after = outcomes(rules.book, position.state, move)[0].state
    with pytest.raises(LawError, match="describe other registers"):
        rules.marks_describe_registers(Position(lost, after))


def test_a_group_of_the_wrong_sign_is_noticed() -> None:
    rules = NielsChess("7k/8/2r5/6r1/1N6/8/8/K7 w - - 0 1 c6og5p", hadamard=True)
    position = rules.start(qchess.backends.engine())
    joined = rules.step(position, rules.read(position, "b4^b4od3p&c6")[0])[0]
    rules.marks_describe_registers(joined)
    turned: Registers = joined.registers.apply(z("g5"))
    with pytest.raises(LawError, match="describe other registers"):
        rules.marks_describe_registers(Position(turned, joined.state))


def test_an_unsound_position_is_noticed() -> None:
    rules = NielsChess()
    position = rules.start(qchess.backends.engine())
    flipped = position.state._replace(turn=1, castling="KQkq", ep=None)
    rules.laws()[0](Position(position.registers, flipped))
    without = list(flipped.men)
    without[0] = None  # the right to castle with this rook stays
    with pytest.raises(LawError, match="the right Q needs a rook in the corner"):
        rules.laws()[0](Position(position.registers, flipped._replace(men=tuple(without))))


def in_python(monkeypatch: pytest.MonkeyPatch, rules: NielsChess) -> None:
    """From now on moves are listed by the code in Python."""
    monkeypatch.setattr(listing, "rows_of", lambda *_: None)
    monkeypatch.setattr(laws, "rows_of", lambda *_: None)
    rules.book.listed = None


def test_a_list_that_forgets_a_pin_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = NielsChess(PINNED)
    position = rules.start(qchess.backends.engine())
    rules.laws()[0](position)
    monkeypatch.setattr(Listing, "untouched", lambda *_: True)
    in_python(monkeypatch, rules)
    with pytest.raises(LawError, match=r"is listed in .*, but it could leave or put your own king in check"):
        rules.laws()[0](position)


def test_a_list_that_forgets_a_class_of_moves_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = NielsChess(PINNED)
    position = rules.start(qchess.backends.engine())
    monkeypatch.setattr(Listing, "_splits", lambda *_: iter(()))
    if list_moves.compiled:
        with pytest.raises(LawError, match=r"the kernel lists other moves of .* than the code in Python"):
            rules.laws()[0](position)
    in_python(monkeypatch, rules)
    with pytest.raises(LawError, match=r"is not listed in .*, but nothing speaks against it"):
        rules.laws()[0](position)
