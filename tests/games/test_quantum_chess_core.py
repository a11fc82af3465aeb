"""The compiled core of Quantum Chess equals the rules: move by move, in lists, odds, boards, counters and amplitudes.

The slow tests replay 500 games, and as many as ``QCHESS_GAMES`` says: ten thousand take about half an hour.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from typing import Any

import numpy as np
import pytest

from qchess import backends
from qchess.core import CoreLimitError
from qchess.games import rules as rules_of
from qchess.games.quantum_chess import START, Kind, Move, Position, QuantumChess
from qchess.games.quantum_chess.core import kernels
from qchess.games.quantum_chess.core.comparing import difference
from qchess.games.quantum_chess.core.compiled_core import CompiledCore
from qchess.games.quantum_chess.core.layout import CAPTURED_MIX, COUNT, REMEMBERED
from qchess.games.quantum_chess.core.packed import MOVES, Packed, code_of
from qchess.games.quantum_chess.kinds import MoveType, MoveVariant

GAMES = int(os.environ.get("QCHESS_GAMES", "500"))
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

pytestmark = pytest.mark.skipif(not kernels.play_move.compiled, reason="needs llvmlite, and numba or built kernels")


def game_of(start: str = "start", **options: Any) -> tuple[QuantumChess, CompiledCore, Position, Packed]:
    fen, setup = STARTS[start]
    rules = rules_of("quantum-chess", fen=fen, setup=setup, **options)
    assert isinstance(rules, QuantumChess)
    core = rules.core()
    assert core is not None
    position = rules.start(backends.engine("sparse"))
    return rules, core, position, core.pack(position)


def picked(rules: QuantumChess, position: Position, moves: list[Move], met: Counter[Kind], rng: random.Random) -> Move:
    """Any move, or one of any kind, or one of the kind that was met least."""
    how = rng.random()
    if how < 0.4:
        return rng.choice(moves)
    few = rng.sample(moves, min(len(moves), 60)) + [move for move in moves if position.board[move.sources[0]] in "PpKk"]
    rng.shuffle(few)
    if how < 0.7:
        return rng.choice(list({rules.kind(position, move): move for move in few}.values()))
    return min(few, key=lambda move: met[rules.kind(position, move)])


def replayed(start: str, seed: int, plies: int, met: Counter[Kind], most: int = 3000, **options: Any) -> int:
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
    return [(way.answers, way.probability, o.position, way.packed) for way, o in zip(ways, outcomes, strict=True)]


# -- the law ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("start", STARTS)
def test_random_games_of_the_core_equal_those_of_the_rules(profile: str, start: str) -> None:
    met: Counter[Kind] = Counter()
    plies = [replayed(start, seed, 40, met, 500, profile=profile) for seed in range(3)]
    assert sum(plies) == met.total() > 5


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("fen", "moves"), EXAMPLES)
def test_the_worked_examples_come_out_the_same_in_every_way_they_can_end(profile: str, fen: str, moves: str) -> None:
    rules = rules_of("quantum-chess", profile=profile, fen=fen)
    assert isinstance(rules, QuantumChess)
    core = rules.core()
    assert core is not None
    position = rules.start(backends.engine("sparse"))
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
    plies = [replayed(start, 7, 30, met, 500, **options) for start, (_, setup) in STARTS.items() if not setup]
    assert sum(plies) == met.total() > 80


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_many_games_equal_the_rules_and_meet_all_kinds_of_moves(profile: str) -> None:
    met: Counter[Kind] = Counter()
    starts, lengths = list(STARTS) + ["start"] * 4, (60, 60, 60, 60, 150)
    games = [replayed(starts[k % 12], k, lengths[k % 5], met, profile=profile) for k in range(GAMES // 2)]
    told = {f"{kind.type.name} {kind.variant.name}": count for kind, count in sorted(met.items())}
    print(f"\n{profile}: {len(games)} games, {sum(games)} plies; {told}")
    assert {kind.type for kind in met} == set(MoveType) - {MoveType.NULL_TYPE, MoveType.UNSPECIFIED_STANDARD}
