"""What strangers' files and careless doors once allowed: each attack fails with our error, or has no effect."""

from __future__ import annotations

import io
import json
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.backends.catalogue import CATALOGUE, reaches_out
from qchess.circuits.engine import Sample
from qchess.circuits.sources import Seeded
from qchess.commands.web import _own_store
from qchess.errors import BackendError, InvalidMoveError
from qchess.games.quantum_chess import pgn
from qchess.playing import jobs, keeping
from qchess.playing.keeping import Keeper, is_own
from qchess.playing.replaying import asked_for
from qchess.web.store.sqlite import SqliteStore
from qchess.web.studies.asking import open_text

FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
LINE = ("b1^a3c3", "e8-e7")
Output = pytest.CaptureFixture[str]
#: how often each name's device was made, and asked
STARTED: list[str] = []


class Counting:
    """A device that counts what it is asked."""

    name = "counted"

    def __init__(self, seed: int | str | None) -> None:
        self.dice = Seeded(seed)

    def draw(self, pause: Any) -> Sample:
        """Count and answer."""
        STARTED.append("asked")
        return self.dice.draw(pause)


def counted() -> backends.Backend:
    """The device, which counts that it was made."""
    STARTED.append("made")
    return backends.Backend("counted", backends.engine(), Counting)


@pytest.fixture(autouse=True)
def quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of one's own, and a device that has counted nothing yet."""
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr(
        "qchess.backends.catalogue.BACKENDS.registered",
        {"counted": backends.Row("counted", "a device", f"{__name__}:counted")},
    )
    STARTED.clear()


def values(**changes: Any) -> dict[str, Any]:
    """A record of two moves, changed by a stranger."""
    game = qchess.new("quantum-chess", fen=FEN, seed=5)
    for move in LINE:
        game.play(move)
    return {**json.loads(game.record().to_json()), **changes}


def planted(folder: Path) -> Path:
    """The file that must not come into being."""
    return folder / "planted.pool"


def attacks(folder: Path) -> dict[str, dict[str, Any]]:
    """What strangers write into a record."""
    place = planted(folder)
    return {
        "pool": {"outcomes": f"qrng:{place}@sparse-shots"},
        "pool of a device": {"outcomes": f"qrng:{place}@counted"},
        "bits of a device": {"outcomes": "qrng:counted"},
        "device": {"backend": "counted"},
        "queue": {"backend": "queued:sparse-shots"},
        "budget": {"backend": "sparse-shots,budget_shots=1000"},
        "both": {"backend": "counted", "outcomes": f"qrng:{place}@counted"},
    }


ATTACKS = tuple(attacks(Path()))


def opened_nothing(folder: Path) -> bool:
    """Whether no file came into being and no device was made or asked."""
    jobs_made = list((folder / "state").rglob("order.json")) + list((folder / "state").rglob("*budget*"))
    return not planted(folder).exists() and not list(folder.glob("*.pool*")) and not STARTED and not jobs_made


def stranger(folder: Path, attack: str) -> Path:
    """A stranger's file."""
    file = folder / "stranger.json"
    file.write_text(json.dumps(values(**attacks(folder)[attack])))
    return file


# -- a record is data ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_strangers_game_is_shown_and_draws_nothing_until_it_is_allowed(attack: str, tmp_path: Path) -> None:
    file = stranger(tmp_path, attack)
    opened: tuple[Callable[[], qchess.Game[Any, Any]], ...] = (
        lambda: qchess.load(file),
        lambda: qchess.replay(file.read_text()),
        lambda: qchess.replay(qchess.Record.from_json(file.read_text())),
        lambda: qchess.replay(qchess.load(file).record()),
    )
    for opener in opened:
        game = opener()
        assert len(game.history) == len(LINE)
        before = game.record()
        with pytest.raises(BackendError, match=r"asks for .*trust=True"):
            game.play("c3-d5")
        assert game.record() == before
        assert game.pending is None
    assert opened_nothing(tmp_path)
    assert qchess.load(file, backend="sparse").play("c3-d5").answers
    assert opened_nothing(tmp_path)


def test_what_is_trusted_is_opened(tmp_path: Path) -> None:
    file = stranger(tmp_path, "device")
    qchess.load(file, trust=True).play("c3-d5")
    assert STARTED[0] == "made"
    assert "asked" in STARTED
    STARTED.clear()
    qchess.load(file, backend="counted").play("c3-d5")
    assert "asked" in STARTED


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize(
    "words",
    ["resume {} --white random --plies 4", "play --resume {} --white random --plies 4",
     "resume {} --shots 50 --plies 4 --white random"],
)  # fmt: skip
def test_commands_that_play_on_refuse_without_the_users_word(
    words: str, attack: str, tmp_path: Path, capsys: Output
) -> None:
    if attack == "budget" and "--shots" in words:
        words = words.replace("--shots 50 ", "")
    file = stranger(tmp_path, attack)
    before = file.read_bytes()
    assert main(words.format(file).split()) == 2
    said = capsys.readouterr().err
    assert "asks for" in said
    assert "--trust" in said
    assert len(said.splitlines()) == 1
    assert opened_nothing(tmp_path)
    assert file.read_bytes() == before
    assert main([*words.format(file).replace("--shots 50 ", "").split(), "--backend", "sparse"]) == 0
    assert opened_nothing(tmp_path)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("words", ["replay {}", "verify {}", "report {}", "analyse {}", "trace --record {}"])
def test_commands_that_read_open_nothing(words: str, attack: str, tmp_path: Path, capsys: Output) -> None:
    file = stranger(tmp_path, attack)
    assert main(words.format(file).split()) == 0, capsys.readouterr()
    assert main(["export", str(file), "--html", str(tmp_path / "page.html")]) == 0
    assert main(["jobs", str(file)]) == 0
    assert opened_nothing(tmp_path)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_upload_opens_nothing(attack: str, tmp_path: Path) -> None:
    assert len(open_text(stranger(tmp_path, attack).read_text())["line"]) == len(LINE)
    assert opened_nothing(tmp_path)


def test_a_text_of_moves_opens_nothing(tmp_path: Path, capsys: Output) -> None:
    record = qchess.Record.from_json(json.dumps(values(backend="counted")))
    file = tmp_path / "game.pgn"
    file.write_text(pgn.dumps(record))
    assert pgn.loads(file.read_text())[0].backend == "counted"
    with pytest.raises(BackendError, match="trust=True"):
        qchess.replay(pgn.loads(file.read_text())[0]).play("c3-d5")
    assert main(["resume", str(file), "--plies", "4"]) == 2
    assert "--trust" in capsys.readouterr().err
    assert opened_nothing(tmp_path)


def test_the_referee_opens_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = qchess.new("niels-chess")
    file.write_text(json.dumps({**json.loads(game.record().to_json()), "backend": "counted"}))
    assert main(["referee", "niels-chess", "--record", str(file)]) == 0
    assert opened_nothing(tmp_path)


def test_no_job_of_a_strangers_file_is_asked_about(tmp_path: Path, capsys: Output) -> None:
    ticket = {"device": "counted", "job": "abc", "jobs": ["abc"]}
    file = tmp_path / "stranger.json"
    waits = {"move": "c3-d5", "answers": [], "question": "hit", "ticket": ticket}
    file.write_text(json.dumps(values(backend="counted", pending=waits)))
    (job,) = jobs.waiting([file])
    assert jobs.stands([job])[0]["state"] == "unknown"
    with pytest.raises(BackendError, match="trust"):
        jobs.cancel(job)
    ((_, came),) = jobs.wait([job])
    assert isinstance(came, BackendError)
    assert main(["jobs", str(file), "--wait"]) == 1
    assert "--trust" in capsys.readouterr().err
    assert opened_nothing(tmp_path)
    jobs.stands(jobs.waiting([file], trust=True))
    assert STARTED == ["made"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_ones_own_kept_game_goes_on_without_a_question_and_a_copy_does_not(tmp_path: Path, capsys: Output) -> None:
    game = qchess.new("quantum-chess", backend="counted", fen=FEN)
    mine = keeping.folder() / "mine.json"
    with Keeper(game, mine):
        for move in LINE:
            game.play(move)
    assert is_own(mine)
    STARTED.clear()
    assert main(["resume", "mine.json", "--white", "random", "--plies", "4"]) == 0
    assert STARTED[0] == "made"
    capsys.readouterr()
    STARTED.clear()
    copy, link = keeping.folder() / "copy.json", keeping.folder() / "link.json"
    copy.write_text(mine.read_text())
    copy.chmod(0o644)
    aside = tmp_path / "aside.json"
    aside.write_text(mine.read_text())
    aside.chmod(0o600)
    link.symlink_to(aside)
    for file in (copy, link, aside):
        assert not is_own(file)
        assert main(["resume", str(file), "--white", "random", "--plies", "6"]) == 2
    assert opened_nothing(tmp_path)


def test_at_a_terminal_the_user_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    class Typed(io.StringIO):
        def isatty(self) -> bool:
            return True

    file = stranger(tmp_path, "device")
    monkeypatch.setattr("sys.stdout", Typed())
    for typed in ("n\n", "\n"):
        monkeypatch.setattr("sys.stdin", Typed(typed))
        assert main(["resume", str(file), "--white", "random", "--plies", "4"]) == 2
        assert "--trust" in capsys.readouterr().err
        assert opened_nothing(tmp_path)
    monkeypatch.setattr("sys.stdin", Typed("y\n"))
    assert main(["resume", str(file), "--white", "random", "--plies", "4"]) == 0
    assert STARTED[0] == "made"


def test_only_simulators_on_this_machine_are_opened_by_name() -> None:
    inside = {row.name for row in CATALOGUE if not reaches_out(row.name)}
    assert inside >= {"sparse"}
    assert inside <= {
        "sparse", "cirq", "aer", "aer:mps", "sparse-shots", "aer-shots", "aer-noisy",
        *(row.name for row in CATALOGUE if not row.installed),
    }  # fmt: skip
    record = qchess.Record.from_json(json.dumps(values()))
    assert asked_for(record) == ""


# -- what else fell ------------------------------------------------------------------------------------------------


def rights(path: Path) -> int:
    """What a file allows."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_stores_and_records_are_closed_to_others(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = SqliteStore(_own_store())
        store.close()
        qchess.new("quantum-chess").save(tmp_path / "game.json")
        assert rights(Path(_own_store())) == rights(tmp_path / "game.json") == 0o600
    finally:
        os.umask(before)


def test_copies_of_an_unseeded_save_draw_the_same(tmp_path: Path) -> None:
    for number in range(6):
        game = qchess.new("quantum-chess", fen=FEN)
        for move in LINE:
            game.play(move)
        game.save(tmp_path / f"{number}.json")
        found = {qchess.load(tmp_path / f"{number}.json").play("c3-d5").text for _ in range(4)}
        assert len(found) == 1


def answer(**changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A record with the answer to a question of even odds, changed by a stranger; and the answer as it was."""
    game = qchess.new("quantum-chess", fen=FEN, seed=5)
    for move in (*LINE, "c3-d5"):
        game.play(move)
    told = json.loads(game.record().to_json())
    before = dict(told["entries"][-1]["answers"][0])
    told["entries"][-1]["answers"][0].update(changes)
    return told, before


def refused(told: Mapping[str, Any], words: str) -> None:
    """A replay refuses the record and names the move."""
    with pytest.raises(InvalidMoveError, match=words):
        qchess.replay(json.dumps(told))


def test_an_answer_that_contradicts_its_moves_text_is_refused() -> None:
    _, before = answer()
    told, _ = answer(value=1 - before["value"])
    refused(told, r"move 3, 'c3-d5")


@pytest.mark.parametrize("said", [0.99, 0.01, 1.0])
def test_a_probability_that_the_rules_do_not_give_is_refused(said: float) -> None:
    told, before = answer(probability=said)
    assert before["probability"] == pytest.approx(0.5)
    refused(told, r"move 3, 'c3-d5.*the rules give 0\.5")


def test_the_words_of_a_source_stay_a_claim_and_open_nothing(tmp_path: Path) -> None:
    told, before = answer(source="counted")
    game = qchess.replay(json.dumps(told))
    assert game.history[-1].answers[0].value == before["value"]
    assert opened_nothing(tmp_path)


def test_another_seed_leaves_a_trace() -> None:
    game = qchess.new("quantum-chess", fen="4k3/8/8/3pp3/8/8/8/1N2K1N1 w - - 0 1", seed=5)
    for move in (*LINE, "c3-d5", "e7-e8", "g1^f3h3", "e8-e7"):
        game.play(move)
    again = qchess.replay(game.record().to_json(), seed=9)
    again.play("f3-e5")
    assert [source for _, source in again.record().sources] == ["seed 5", "seed 9"]
