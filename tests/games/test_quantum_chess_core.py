"""The compiled core of Quantum Chess equals the rules: move by move, in lists, odds, boards, counters and amplitudes.

The slow tests replay 150 games, and as many as ``QCHESS_GAMES`` says: ten thousand take about ten minutes of one core.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from collections import Counter
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qchess import backends
from qchess.core import CoreLimitError
from qchess.games.quantum_chess import START, Kind, Move, Position, QuantumChess
from qchess.games.quantum_chess.core import compiled_core, kernels
from qchess.games.quantum_chess.core.compiled_core import CompiledCore
from qchess.games.quantum_chess.core.layout import CAPTURED_MIX, DICE, REMEMBERED
from qchess.games.quantum_chess.core.measuring import DRAW
from qchess.games.quantum_chess.core.packing import Packed, code_of
from qchess.games.quantum_chess.core.workspace import Workspace
from qchess.games.quantum_chess.move import MoveType, MoveVariant
from tests.patience import PATIENCE

GAMES = int(os.environ.get("QCHESS_GAMES", "60"))
PROFILES = ("standard", "sdk-0.2.2")
#: the start, and positions in which castling, promotion and each way to take in passing are near
STARTS: dict[str, tuple[str, str]] = {
    "start": (START, ""),
    "castling": ("r3k2r/pppqppbp/2n2np1/8/8/2N2NP1/PPPQPPBP/R3K2R w KQkq - 0 1", ""),
    "few men": ("r1n1k1nr/8/8/8/8/8/8/RN2K1NR b KQkq - 0 1", ""),
    "pawns": ("4k3/2p1p1p1/2n2n2/1P1P1P1P/p1p1p1p1/2N2N2/1P1P1P1P/4K3 w - - 0 1", ""),
    "promotion": ("1n2k1n1/P1P3P1/8/3R4/4r3/8/p2p2p1/1N2K1N1 b - - 20 40", ""),
    "late": ("4k3/8/8/8/8/8/8/RQ1NKB1R w KQ - 90 245", ""),
    "in passing, an enemy there": ("1n2k3/8/8/8/4p1p1/8/5P2/4K1N1 w - - 0 1", "g1^f3h3"),
    "in passing, an own piece there": ("4k3/8/8/4n3/4p1p1/8/5P2/4K3 w - - 0 1", "e5^f3g6"),
}

#: section 11 of the rule book, the examples in which the profiles allow the same moves; and each way in passing
EXAMPLES = [
    (START, "b1^a3c3 a7-a6 a3c3^b1"),
    (START, "b1^a3c3 a7-a6 c3^b5d5 a6-a5 d5^e3f4"),
    (START, "g1^f3h3 e7-e5 f2-f4 a7-a6 f3-e5 a6-a5"),
    ("3qk3/8/8/8/8/8/8/RN2K3 w - - 0 1", "b1^c3d2 e8-e7 a1^c1d1 e7-e8 d1-d8"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1^a4d1 e8-e7 a4-b4 e7-e8 b4d1^d4"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1^a4d1 e8-e7 a4-b4 e7-e8 b4-a4 e8-e7 a4d1^a1"),
    ("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "b1^a3d2 e8-e7 a1-a5 e7-e8 a5-a1 e8-e7 a3d2^b1"),
    ("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "b1^a3d2 e8-e7 a1^a5c1 e7-e8 a5c1^a1 e8-e7 a3d2^b1"),
    ("4k3/8/8/8/2n5/8/8/R3K3 b - - 0 1", "c4^a3e3 a1^a2d1 e8-e7 d1-d4 e7-e8 a2d4^a4 e8-e7 e1-f1 a3e3^c2"),
    ("4k3/8/8/8/1n6/2N5/8/4K3 b - - 0 1", "b4^a2d5 c3-d5"),
    ("4k3/3p4/8/1n6/8/8/4P3/4K3 b - - 0 1", "b5^d6a3 e1-f1 d7-d5 f1-g1 d5-d4 g1-h1 d6-b5 e2-e4 d4-e3"),
    ("4k3/8/8/8/8/4NN2/8/R3K2R w KQ - 0 1", "e3^f1d5 e8-e7 f3^g1d4 e7-e8 e1-g1"),
    ("4k3/8/8/8/8/2N1N3/8/R3K2R w KQ - 0 1", "c3^b1d5 e8-e7 e1-c1"),
    ("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "b1^a3d2 e8-e7 g1^e2f3 e7-e8 d2^f3b1"),
    ("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "b1^a3d2 e8-e7 g1^e2f3 e7-e8 d2^b1f3"),
    ("4k3/8/8/8/8/8/8/RNB1K3 w - - 0 1", "b1^a3d2 e8-e7 d2-b3 e7-e8 c1^e3b2 e8-e7 b2-d4 e7-e8 d4-a7 e8-e7 a1-a7"),
    ("5n1k/2P5/8/8/8/8/8/4K3 b - - 0 1", "f8^d7e6 e1-f1 e6-d8 c7-d8q"),
    ("1n2k3/8/8/8/4p1p1/8/5P2/4K1N1 w - - 0 1", "g1^f3h3 b8-c6 f2-f4 e4-f3"),
    ("1n2k3/8/8/8/4p1p1/8/5P2/4K1N1 w - - 0 1", "g1^f3h3 b8-c6 f2-f4 g4-f3"),
    ("4k3/8/8/4n3/4p1p1/8/5P2/4K3 b - - 0 1", "e5^f3g6 f2-f4 e4-f3"),
]


def core_of(rules: QuantumChess) -> CompiledCore:
    """The core of some rules; without machine code there is none, and nothing to test."""
    core = rules.core()
    if core is None:
        pytest.skip("needs llvmlite, and numba or built kernels")
    return core


def game_of(start: str = "start", **options: Any) -> tuple[QuantumChess, CompiledCore, Position, Packed]:
    fen, setup = STARTS[start]
    rules = QuantumChess(fen=fen, setup=setup, **options)
    core, position = core_of(rules), rules.start(backends.engine("sparse"))
    return rules, core, position, core.pack(position)


def picked(rules: QuantumChess, position: Position, moves: list[Move], met: Counter[Kind], rng: random.Random) -> Move:
    """Any move, or one of any kind, or one of the kind that was met least."""
    how = rng.random()
    if how < 0.4:
        return rng.choice(moves)
    few = rng.sample(moves, min(len(moves), 20)) + [move for move in moves if position.board[move.sources[0]] in "PpKk"]
    rng.shuffle(few)
    if how < 0.7:
        return rng.choice(list({rules.kind(position, move): move for move in few}.values()))
    return min(few, key=lambda move: met[rules.kind(position, move)])


def replayed(start: str, seed: int, plies: int, met: Counter[Kind], most: int = 600, **options: Any) -> int:
    """Plays one game by the rules and by the core at once, comparing everything; gives the number of plies."""
    rules, core, position, packed = game_of(start, **options)
    rng = random.Random(seed)
    for ply in range(plies):
        result = rules.result(position)
        assert core.result(packed) == result, (seed, ply)
        if result is not None or packed.branches > most:
            return ply
        moves = list(rules.moves(position))
        assert core.moves(packed) == moves, (seed, ply)
        weighed_as_played(core, packed, rng.sample(moves, min(len(moves), 10)))
        move = picked(rules, position, moves, met, rng)
        met[rules.kind(position, move)] += 1
        ends = endings(rules, core, position, packed, move)
        (k,) = rng.choices(range(len(ends)), [probability for _, probability, _, _ in ends])
        _, _, position, packed = ends[k]
        assert core.differs(packed, position) is None, (seed, ply, move, core.differs(packed, position))
        assert core.evaluate(packed) == pytest.approx(rules.evaluate(position), abs=1e-7), (seed, ply, move)
    return plies


def endings(
    rules: QuantumChess, core: CompiledCore, position: Position, packed: Packed, move: Move
) -> list[tuple[dict[str, int], float, Position, Packed]]:
    """Every way a move can end, by the rules and by the core: the answers and their odds are the same."""
    outcomes, ways = list(rules.outcomes(position, move)), core.outcomes(packed, move)
    assert [way.answers for way in ways] == [outcome.answers for outcome in outcomes], move
    odds = [outcome.probability for outcome in outcomes]
    assert [way.probability for way in ways] == pytest.approx(odds, abs=1e-9), move
    return [(way.answers, way.probability, o.position, way.state) for way, o in zip(ways, outcomes, strict=True)]


def weighed_as_played(core: CompiledCore, packed: Packed, moves: list[Move]) -> None:
    """Moves weighed at once are worth what playing each of them says, to the last bit."""
    for move, ends in zip(moves, core.ends(packed, moves), strict=True):
        ways = core.outcomes(packed, move)
        results = [core.result(way.state) for way in ways]
        worths = [{} if result else core.evaluate(way.state) for way, result in zip(ways, results, strict=True)]
        assert [end.probability for end in ends] == [way.probability for way in ways], move
        assert [end.result for end in ends] == results, move
        assert [end.worth for end in ends] == worths, move


# -- the law ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("start", STARTS)
def test_random_games_of_the_core_equal_those_of_the_rules(profile: str, start: str) -> None:
    met: Counter[Kind] = Counter()
    plies = [replayed(start, seed, 40, met, profile=profile) for seed in range(2)]
    assert sum(plies) == met.total() > 5


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("fen", "moves"), EXAMPLES)
def test_the_worked_examples_come_out_the_same_in_every_way_they_can_end(profile: str, fen: str, moves: str) -> None:
    rules = QuantumChess(profile, fen=fen)
    core, position = core_of(rules), rules.start(backends.engine("sparse"))
    reached = [(position, core.pack(position))]
    for text in moves.split():
        ends = []
        for position, packed in reached:
            move, answers = rules.read(position, text)
            assert any(sorted(move.squares) == sorted(listed.squares) for listed in core.moves(packed))
            for found, _, after, packed_after in endings(rules, core, position, packed, move):
                assert core.differs(packed_after, after) is None, (text, core.differs(packed_after, after))
                if answers is None or found == answers:
                    ends.append((after, packed_after))
        reached = ends
    assert reached


@pytest.mark.parametrize(
    "options",
    [
        {"quantum": False},
        {"halfmove_clock": "fide"},
        {"castling": False, "en_passant": False, "promotion": False},
        {"sandbox": True},
        {"max_ply": 25},
    ],
)
def test_the_switches_of_the_law_are_heeded(options: dict[str, Any]) -> None:
    met: Counter[Kind] = Counter()
    plies = [replayed(start, 7, 30, met, **options) for start, (_, setup) in STARTS.items() if not setup]
    assert sum(plies) == met.total() > 80


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_many_games_equal_the_rules_and_meet_all_kinds_of_moves(profile: str) -> None:
    met: Counter[Kind] = Counter()
    starts, lengths = list(STARTS) + ["start"] * 4, (45, 45, 45, 45, 120)
    games = [replayed(starts[k % 12], k, lengths[k % 5], met, profile=profile) for k in range(GAMES // 2)]
    told = {f"{kind.type.name} {kind.variant.name}": count for kind, count in sorted(met.items())}
    sys.stdout.write(f"\n{profile}: {len(games)} games, {sum(games)} plies; {told}\n")
    assert {kind.type for kind in met} == set(MoveType) - {MoveType.NULL_TYPE, MoveType.UNSPECIFIED_STANDARD}


# -- positions there and back -----------------------------------------------------------------------------


def wide(profile: str = "standard", branches: int = 500) -> tuple[QuantumChess, CompiledCore, Packed]:
    """A position that outgrew so many branches in a random game."""
    rules, core, _, packed = game_of(profile=profile)
    core.playout_branches = branches
    return rules, core, core.batch(packed, 50, seed=3, plies=300, hand_back=True).outgrown[0]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_position_that_outgrew_the_core_goes_back_to_the_rules_and_on(profile: str) -> None:
    rules, core, packed = wide(profile)
    position = core.unpack(packed, backends.engine("sparse"))
    assert packed.branches > 500
    assert core.differs(packed, position) is None
    rng = random.Random(1)
    for _ in range(5):
        move = rng.choice(list(rules.moves(position)))
        ends = endings(rules, core, position, packed, move)
        (k,) = rng.choices(range(len(ends)), [probability for _, probability, _, _ in ends])
        _, _, position, packed = ends[k]
        assert core.differs(packed, position) is None


def test_a_planted_fault_in_any_part_of_a_position_is_told() -> None:
    _, core, packed = wide()
    position = core.unpack(packed, backends.engine("sparse"))
    for name in ("game", "sums", "squares", "re", "im"):
        for k in (0, 1, 2):
            parts = {slot: getattr(packed, slot).copy() for slot in Packed.__slots__}
            parts[name][k] += 1
            if name == "sums" and k == 2:  # the odds of the last question are no part of the position
                continue
            assert core.differs(Packed(**parts), position), (name, k)
    parts = {slot: getattr(packed, slot).copy() for slot in Packed.__slots__}
    parts["captured"][0] ^= 1 << 40
    assert core.differs(Packed(**parts), position)


def test_captured_pieces_are_numbered_anew_when_their_bits_run_out() -> None:
    """The same game with all but one bit taken: each capture then names the captured pieces anew."""
    rules, core, packed = wide("sdk-0.2.2", 200)
    position, met = core.unpack(packed, backends.engine("sparse")), 0
    rng = random.Random(2)
    for _ in range(12):
        packed = crowded(packed)
        assert core.differs(packed, position) is None
        move = rng.choice(list(rules.moves(position)))
        ends = endings(rules, core, position, packed, move)
        (k,) = rng.choices(range(len(ends)), [probability for _, probability, _, _ in ends])
        _, _, position, packed = ends[k]
        assert core.differs(packed, position) is None, move
        met += int(packed.game[REMEMBERED]).bit_count() < 20
    assert met


def crowded(packed: Packed) -> Packed:
    """The position with every bit of captured pieces in use: each set of them is scattered over all."""
    captured = packed.captured * CAPTURED_MIX
    assert len(np.unique(captured)) == len(np.unique(packed.captured)) > 1
    game = packed.game.copy()
    game[REMEMBERED] = -1
    return Packed(game, packed.sums, packed.squares, captured, packed.re, packed.im)


def test_boards_of_another_size_and_laws_with_a_memory_are_left_to_the_rules() -> None:
    for options in ({"repetition": 3}, {"fifty_end": "measure"}, {"max_branches": 100}):
        assert QuantumChess(**options).core() is None
    rules = QuantumChess(fen="k3/4/4/3K w - - 0 1")
    core = core_of(rules)
    with pytest.raises(CoreLimitError, match="8 by 8"):
        core.pack(rules.start(backends.engine("sparse")))


# -- playouts -----------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_games_however_they_are_cut() -> None:
    _, core, _, packed = game_of()
    whole = core.batch(packed, 60, seed=5, plies=120)
    again = core.batch(packed, 30, seed=5, plies=120)
    assert again.lengths.tolist() == whole.lengths[:30].tolist()
    assert again.endings.tolist() == whole.endings[:30].tolist()
    assert core.playouts(packed, 60, 5, 120) == whole.playouts
    assert core.playouts(packed, 60, 6, 120) != whole.playouts


def test_every_playout_is_counted_once() -> None:
    _, core, _, packed = game_of()
    batch = core.batch(packed, 300, seed=1, plies=150)
    playouts = batch.playouts
    assert playouts.games == batch.done == 300
    assert playouts.plies == batch.lengths.sum() == sum(batch.kinds.values())
    assert min(*playouts.wins.values(), playouts.draws, playouts.unfinished) > 0
    assert batch.lengths.max() == 150


def test_a_finished_position_is_a_playout_of_no_plies() -> None:
    rules, core, position, packed = game_of(max_ply=0)
    assert core.result(packed) == rules.result(position)
    assert core.playouts(packed, 3, 1, 10).draws == 3
    assert core.playouts(packed, 3, 1, 10).plies == 0


def test_playouts_choose_every_move_alike() -> None:
    """One ply from the start: 20 standard moves and 2 splits."""
    _, core, _, packed = game_of()
    kinds = core.batch(packed, 22000, seed=9, plies=1).kinds
    splits = kinds[Kind(MoveType.SPLIT_JUMP, MoveVariant.BASIC)]
    assert splits == pytest.approx(2000, abs=5 * 43)  # five standard deviations of a binomial


def test_the_dice_answer_by_the_odds() -> None:
    """Example 4 of the rule book: d1-d8 passes with probability 1/4."""
    rules = QuantumChess(fen=EXAMPLES[3][0])
    position = rules.start(backends.engine("sparse"))
    *before, last = EXAMPLES[3][1].split()
    for text in before:
        position, _ = rules.step(position, rules.read(position, text)[0])
    packed, work, code = core_of(rules).pack(position), Workspace(), code_of(rules.read(position, last)[0])
    passed = 0
    for seed in range(4000):
        work.put(packed)
        work.state.game[DICE] = seed
        passed += work.run(kernels.play_move, *work.state, code, DRAW)
    assert passed == pytest.approx(1000, abs=5 * 28)  # five standard deviations of a binomial


def test_a_batch_ends_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is a second later with each look: at three seconds the third slice is not begun any more."""
    _, core, _, packed = game_of()
    looks, slices, run = count(), count(), Workspace.run
    monkeypatch.setattr(compiled_core, "time", SimpleNamespace(monotonic=lambda: next(looks)))
    monkeypatch.setattr(Workspace, "run", lambda *given: next(slices) + 1 and run(*given))
    batch = core.batch(packed, 10**6, seed=1, seconds=3)
    assert next(slices) == 2
    assert 0 < batch.done == batch.playouts.games < 10**6


def test_ctrl_c_stops_a_batch_and_leaves_the_core_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    _, core, _, packed = game_of()
    expected = core.playouts(packed, 20, 4, 100)
    slices, run = count(1), Workspace.run

    def interrupted(*given: Any) -> int:
        done = run(*given)
        if next(slices) == 3:
            signal.raise_signal(signal.SIGINT)  # a signal that comes while a kernel runs is heard when it returns
        return done

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have told us to ignore it
    try:
        monkeypatch.setattr(Workspace, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            core.batch(packed, 10**9, 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert core.playouts(packed, 20, 4, 100) == expected


def test_two_threads_play_the_games_that_one_would() -> None:
    _, core, _, packed = game_of()
    expected = [core.playouts(packed, 80, seed, 150) for seed in (1, 2)]
    found: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda seed=seed: found.update({seed: core.playouts(packed, 80, seed, 150)}))
        for seed in (1, 2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [found[1], found[2]] == expected
