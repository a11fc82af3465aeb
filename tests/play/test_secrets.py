"""Whoever knows a game's seed knows its answers to come: it is drawn once, told in no answer, and kept from others."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import qchess
from qchess.circuits import locks
from qchess.commands.web import _own_store
from qchess.playing import keeping
from qchess.playing.keeping import Keeper
from qchess.web.store.sqlite import SqliteStore

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")


def rights(path: Path) -> int:
    """What a file or folder allows, to its owner, its group and all others."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A new folder for everything that is kept, where new files are readable by all."""
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    before = os.umask(0o022)
    yield tmp_path / "state"
    os.umask(before)


def test_kept_games_saved_games_and_stores_are_for_their_owner_alone(state: Path, tmp_path: Path) -> None:
    game = qchess.new("quantum-tic-tac-toe")
    with Keeper(game, keeping.new_file("quantum-tic-tac-toe")) as keeper:
        game.play(game.moves()[0])
        assert (rights(keeper.path), rights(keeper.path.parent)) == (0o600, 0o700)
    game.save(tmp_path / "shared" / "mine.json")
    assert (rights(tmp_path / "shared" / "mine.json"), rights(tmp_path / "shared")) == (0o600, 0o700)
    store = SqliteStore(_own_store())
    store.open("a", {"seed": "secret"})
    for file in state.glob("web.sqlite*"):
        assert rights(file) == 0o600, file
    store.close()
    assert rights(state) == 0o700


def test_what_an_older_version_left_open_is_closed(state: Path) -> None:
    (state / "games").mkdir(parents=True)
    store = state / "web.sqlite"
    store.touch()
    assert (rights(state / "games"), rights(store)) == (0o755, 0o644)
    Keeper(qchess.new("quantum-chess"), keeping.new_file("quantum-chess")).close()
    assert (rights(state / "games"), rights(Path(_own_store()))) == (0o700, 0o600)


def answers(game: qchess.Game) -> list[int]:
    """The answers of some questions, each with even odds."""
    for move in ("b1^a3c3", "g8^f6h6", "c3d5", "f6e4"):
        game.play(move)
    return [answer.value for played in game.history for answer in played.answers]


def test_copies_of_a_save_get_the_same_answers_and_new_games_others(tmp_path: Path) -> None:
    start = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
    found = set()
    for number in range(12):
        game = qchess.new("quantum-chess", fen=start)
        game.save(tmp_path / f"{number}.json")
        copies = [answers(qchess.load(tmp_path / f"{number}.json")) for _ in range(2)]
        assert copies[0] == copies[1] == answers(game)
        assert game.seed not in (None, qchess.new("quantum-chess").seed)
        told = [answer for played in game.history for answer in played.answers]
        assert {answer.source for answer in told} <= {"random", "certain"}
        assert str(game.seed) not in str(told)
        found.add(tuple(copies[0]))
    assert len(found) > 1


def test_nobody_holds_a_lock_that_was_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who opens a lock just before its holder lets go takes another one."""
    first, taken = tmp_path / "game.json", locks.taken
    seen: list[object] = []

    def late(lock: object) -> bool:
        if not seen:
            seen.append(lock)
            keeping._let_go(holder)
        return taken(lock)  # type: ignore[arg-type]

    holder = keeping._locked(first)
    monkeypatch.setattr(keeping, "taken", late)
    lock = keeping._locked(first)
    assert lock is not seen[0]
    assert os.path.samestat(os.fstat(lock.fileno()), Path(lock.name).stat())
    monkeypatch.undo()
    with pytest.raises(keeping.KeepingError, match="being played in another process"):
        keeping._locked(first)
    keeping._let_go(lock)
    assert not Path(lock.name).exists()
