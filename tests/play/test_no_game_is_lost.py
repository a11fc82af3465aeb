"""A game whose process is killed again and again, in every way a process can end: nothing shown is lost."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import qchess
from qchess.__main__ import main
from tests.kills import kills
from tests.patience import PATIENCE, wait_until
from tests.play.processes import usual_signals

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX"),
]
ROOT = Path(__file__).parents[2]
KILLS = kills(8)
PLIES = 2 * KILLS
WAYS = ("SIGKILL", "SIGTERM", "SIGHUP", "closed terminal", "full disk")


class Table:
    """A process that plays at a terminal of its own."""

    def __init__(self, state: Path, *arguments: str, full_disk: bool = False) -> None:
        import pty

        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "qchess", *arguments, "--colour", "never"], cwd=ROOT,
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            preexec_fn=_with_no_room if full_disk else usual_signals,
            env={**os.environ, "QCHESS_STATE": str(state), "TERM": "dumb"},
        )  # fmt: skip
        os.close(theirs)
        self.text = ""

    def wait_for(self, words: str, since: int = 0) -> None:
        """Reads on until the words are shown."""
        import select

        closed = False

        def shown() -> bool:
            nonlocal closed
            if select.select([self.ours], [], [], 1)[0]:
                try:
                    self.text += os.read(self.ours, 65536).decode("utf-8", "replace")
                except OSError:  # the other side is closed
                    closed = True
            return closed or words in self.text[since:]

        if words not in self.text[since:]:
            wait_until(shown, f"{words!r} is shown")

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    def end(self, how: str) -> None:
        if how == "closed terminal":
            os.close(self.ours)
            self.ours = -1
        else:
            self.process.send_signal(getattr(signal, how if how != "full disk" else "SIGKILL"))
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            pytest.fail(
                f"{how} did not end the process; it showed {self.text[-300:]!r} and is {_state(self.process.pid)}"
            )
        finally:
            self.process.kill()
            self.process.wait()
            if self.ours >= 0:
                os.close(self.ours)

    def shown(self) -> int:
        """How many moves were played here; those of before are numbered."""
        return len(re.findall(r"^(?! *\d+\.).* plays ", self.text, re.MULTILINE))


def _state(pid: int) -> str:
    """What the system says of a process that should have ended."""
    told = {}
    for name in ("status", "wchan", "stack"):
        try:
            told[name] = Path(f"/proc/{pid}/{name}").read_text()
        except OSError as error:
            told[name] = str(error)
    return str(told)


def _with_no_room() -> None:
    """No file may grow: every write of the game fails, as on a full disk."""
    import resource

    usual_signals()
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def the_game(state: Path) -> tuple[Path, qchess.Game]:
    """The one game that is kept."""
    (path,) = (state / "games").glob("*.json")
    return path, qchess.load(path)


def test_no_shown_ply_is_lost_however_the_process_is_killed(tmp_path: Path) -> None:
    rng = random.Random(20)
    table = Table(tmp_path, "play", "quantum-chess", "--seed", "3", "--black", "human")
    table.wait_for("white> ")
    table.type("b1^a3c3")
    table.wait_for("black> ")
    ends, shown_before = 0, 0
    while ends < KILLS or len(the_game(tmp_path)[1].history) < PLIES:
        how = WAYS[ends % len(WAYS)]
        for _ in range(rng.randint(1, 3)):
            game = the_game(tmp_path)[1]
            if game.result:
                break
            _play_one(table, game, rng)
        table.type(next(iter(_calm(the_game(tmp_path)[1])), "board"))
        time.sleep(rng.random() * 0.03)  # anywhere in the middle of the turn
        shown = shown_before + table.shown()
        table.end("SIGKILL" if how == "full disk" else how)
        ends += 1
        _, game = the_game(tmp_path)
        assert len(game.history) >= shown, f"{how}: {shown} plies were shown, {len(game.history)} are kept"
        if how == "full disk":
            _goes_on_without_room(tmp_path, game)
        if game.result:
            break
        shown_before = len(game.history)
        table = Table(tmp_path, "resume")
        table.wait_for(f"{game.player}> ")
    else:
        table.end("SIGKILL")
    _, game = the_game(tmp_path)
    assert ends >= KILLS
    assert len(game.history) >= PLIES


def _calm(game: qchess.Game) -> list[str]:
    """The moves that take no king, so that the game lasts."""
    moves = game.moves()
    kings = {name for name, men in game.rules.view(game.position).men.items() if men[0].symbol in "Kk"}
    return [move for move in moves if not any(move.removesuffix("ep").endswith(king) for king in kings)] or moves


def _play_one(table: Table, game: qchess.Game, rng: random.Random) -> None:
    """A quiet or a split move; what takes something now and then."""
    since = len(table.text)
    table.type(rng.choice(_calm(game)))
    table.wait_for("> ", since + 1)


def _goes_on_without_room(state: Path, game: qchess.Game) -> None:
    """On a full disk the game goes on and says so; the file keeps what it held."""
    path, _ = the_game(state)
    before = path.read_bytes()
    table = Table(state, "resume", full_disk=True)
    table.wait_for(f"{game.player}> ")
    if game.moves():
        table.type(game.moves()[-1])
        table.wait_for("could not be written")
        assert table.shown() == 1
    table.end("SIGKILL")
    assert path.read_bytes() == before


def test_fifty_nonsensical_calls_leave_every_file_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = qchess.new("piece-qubit-chess", seed=1)
    other.play("b1-c3")
    contents = {
        "notes.txt": b"not a game", "empty": b"", "bytes": b"\xff\xfe\x00", "list.json": b"[]", "null.json": b"null",
        "half.json": other.record().to_json().encode()[:200], "other.json": other.record().to_json().encode(),
        "deep.json": b"[" * 5000, "pgn.pgn": b'[Event "?"]\n\n1. e4 e5 2. nonsense *', "link": b"",
    }  # fmt: skip
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    calls = 0
    for name in contents:
        file = str(tmp_path / name)
        for arguments in (
            ("play", "quantum-chess", "--record", file),
            ("play", "quantum-chess", "--record", file, "--resume", file + ".no"),
            ("resume", file, "--backend", "no-such-backend"),
            ("resume", file, "--white", "no-such-agent"),
            ("play", "no-such-game", "--record", file),
        ):
            assert main(arguments) == 2, (name, arguments)
            calls += 1
    capsys.readouterr()
    assert calls == 50
    assert {name: (tmp_path / name).read_bytes() for name in contents} == contents
    assert {path.name for path in tmp_path.iterdir() if not path.name.startswith(".")} >= set(contents)
