"""The compiled core equals the rules, position by position; its random games need no interpreter."""

from __future__ import annotations

import os
import pickle
import random
import threading

import numpy as np
import pytest

from qchess import backends
from qchess.core import CoreLimitError
from qchess.games.quantum_checkers import Move, QuantumCheckers
from qchess.games.quantum_checkers.core import CheckersCore, Packed, kernels, packing
from qchess.games.quantum_checkers.core import layout as at
from qchess.proving.core_law import CoreLaw
from qchess.testing import check_game
from tests.games.test_quantum_checkers_rules import TAKEN_TWICE, play

PROFILES = (
    "default",
    "cheqqers_2025_03",
    "cheqqers_2025_08",
    "default+joint_collapse=True",
    "default+keep_ghosts=True",
)
BOARDS = ((5, 1), (6, 1), (8, 1), (8, 3))
#: of each level on each board, for the slow test
GAMES = int(os.environ.get("QCHESS_GAMES", "8"))


def compare(rules: QuantumCheckers, games: int, seed: int, plies: int = 400) -> int:
    """Plays at random and holds all that the core says to the rules; says how many outcomes were compared."""
    core, compared = rules.core(), 0
    for number in range(games):
        rng = random.Random(seed + number)
        position = rules.start(backends.engine("sparse"))
        packed = core.pack(position)
        for _ in range(plies):
            assert core.result(packed) == rules.result(position)
            assert core.evaluate(packed) == pytest.approx(rules.evaluate(position))
            assert core.moves(packed) == rules.moves(position)
            if rules.result(position):
                break
            move = rng.choice(rules.moves(position))
            ways = list(zip(core.outcomes(packed, move), rules.outcomes(position, move), strict=True))
            for mine, true in ways:
                assert mine.answers == true.answers, rules.write(position, move)
                assert mine.probability == pytest.approx(true.probability, abs=1e-9)
                assert core.differs(mine.state, true.position) is None, rules.write(position, move)
            compared += len(ways)
            mine, true = rng.choice(ways)
            packed, position = mine.state, true.position  # it goes on from its own position, not from a fresh one
    return compared


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("level", range(4))
def test_the_core_equals_the_rules_in_random_games(level: int, profile: str) -> None:
    assert compare(QuantumCheckers(level, 6, 2, profile), games=2, seed=level) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("size", "rows"), BOARDS)
@pytest.mark.parametrize("level", range(4))
def test_the_core_equals_the_rules_in_many_games(level: int, size: int, rows: int) -> None:
    for number, profile in enumerate(PROFILES):
        games = GAMES if profile == "default" else GAMES // 10 + 1
        assert compare(QuantumCheckers(level, size, rows, profile), games, seed=1000 * number) > games


@pytest.mark.parametrize("level", [0, 3])
def test_the_law_of_cores_holds(level: int) -> None:
    report = check_game(QuantumCheckers(level, 5), games=2, frequency=20, sample=5)
    assert report.core > 10


def start(rules: QuantumCheckers) -> Packed:
    """The packed start."""
    return rules.core().pack(rules.start(backends.engine("sparse")))


def test_a_batch_counts_every_game_once_and_depends_on_its_seed_alone() -> None:
    rules = QuantumCheckers(3, 5)
    core, packed = rules.core(), start(rules)
    batch = core.playouts(packed, 50, 7, 100)
    assert (batch.games, set(batch.wins)) == (50, {"white", "black"})
    assert batch == core.playouts(packed, 50, 7, 100)
    rows = core.games(packed, 50, 7, 100)
    assert np.array_equal(rows[:20], core.games(packed, 20, 7, 100))
    assert not np.array_equal(rows, core.games(packed, 50, 8, 100))
    assert batch.plies == rows[:, kernels.PLIES].sum()


def test_a_cap_breaks_games_off() -> None:
    rules = QuantumCheckers(3)
    batch = rules.core().playouts(start(rules), 20, 1, 10)
    assert (batch.unfinished, batch.plies) == (20, 200)


def test_a_batch_does_not_change_the_position_it_starts_from() -> None:
    rules = QuantumCheckers(3, 5)
    packed = start(rules)
    before = pickle.dumps(packed)
    rules.core().games(packed, 20, 3, 100)
    assert pickle.dumps(packed) == before


def test_random_games_come_out_as_the_reference_says() -> None:
    # rule book, section 8: mean plies of 4,000 to 6,000 games on 5x5, one row, by level
    for profile, means in (
        ("default", (15.09, 16.84, 18.67, 18.32)),
        ("cheqqers_2025_03", (15.14, 16.38, 18.26, 17.98)),
    ):
        for level, mean in enumerate(means):
            rules = QuantumCheckers(level, 5, 1, profile)
            plies = rules.core().games(start(rules), 300, 5, 1000)[:, kernels.PLIES]
            assert abs(plies.mean() - mean) < 4 * plies.std() / np.sqrt(len(plies)) + 0.5, (profile, level)


def test_the_core_plays_the_chances_that_it_tells() -> None:
    rules = QuantumCheckers(1, position="W:Wc3,a1:Bh8,f6")
    position = rules.start(backends.engine("sparse"))
    for text in ("c3^b4d4", "f6-e5"):
        position, _ = rules.step(position, rules.read(position, text)[0])
    packed = rules.core().pack(position)
    assert rules.core().moves(packed) == [rules.read(position, "d4-f6")[0]]
    captures = rules.core().games(packed, 2000, 1, 1)[:, kernels.CAPTURES]
    assert abs(captures.mean() - 0.5) < 5 * 0.5 / np.sqrt(2000)


def test_threads_have_workspaces_of_their_own() -> None:
    rules = QuantumCheckers(3, 5)
    core, packed = rules.core(), start(rules)
    found: dict[int, object] = {}

    def batch(seed: int) -> None:
        found[seed] = core.playouts(packed, 40, seed, 100)

    threads = [threading.Thread(target=batch, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {seed: core.playouts(packed, 40, seed, 100) for seed in range(4)}


def test_what_is_too_large_for_the_workspace_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at, "MOST_ENTRIES", 3)
    rules = QuantumCheckers(3, position="W:WKd4:Bh8")
    position = rules.start(backends.engine("sparse"))
    core = CheckersCore(rules.book)
    packed = core.pack(position)
    for text in ("d4^c3e5", "h8-g7", "e5^d6f4", "g7-h6"):
        way = core.outcomes(packed, rules.read(position, text)[0])[0]
        position, _ = rules.step(position, rules.read(position, text)[0])
        packed = way.state
    with pytest.raises(CoreLimitError, match="too large for the compiled core"):
        core.outcomes(packed, rules.read(position, "f4^e3g3")[0])
    assert core.differs(packed, position) is None
    assert core.playouts(packed, 5, 1, 50).games == 5


def test_a_planted_difference_is_told() -> None:
    rules = QuantumCheckers(3, 5)
    position = rules.start(backends.engine("sparse"))
    position, _ = rules.step(position, rules.read(position, "c1^b2d2")[0])
    core = rules.core()
    for change, told in (
        (lambda packed: packed.board.__setitem__(at.QUIET, 7), "quiet plies: 7, not 1"),
        (lambda packed: packed.amplitudes.__setitem__(0, 0.3), "the amplitudes of"),
        (lambda packed: packed.board.__setitem__(at.CELLS, 0), "a1 holds 0"),
    ):
        packed = packing.pack(rules.book, position)
        change(packed)
        assert told in (core.differs(packed, position) or "")


def test_a_core_pickles_with_its_law() -> None:
    rules = QuantumCheckers(2, 5)
    again = pickle.loads(pickle.dumps(rules.core()))
    assert again.moves(start(rules)) == rules.core().moves(start(rules))
    assert again.moves(start(rules))[0] == Move((0,), (6,))


def test_a_piece_that_was_taken_twice_is_kept_as_the_rules_keep_it() -> None:
    rules = QuantumCheckers(3, 8, 1)
    law = CoreLaw(rules, rules.core())
    moves = [*TAKEN_TWICE.split(), "f4-h6.m1", "h8-g7", "h6-f8.m0f6"]
    for plies in range(len(moves) - 4, len(moves) + 1):
        law(play(rules, *moves[:plies]), random.Random(plies))
    assert law.positions == 5
    assert law.ways > 12
