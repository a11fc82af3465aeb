"""Every command of the page on devices runs: as it stands, up to the vendor's door, or on a stand-in for an account.

A test says which commands it runs. One that is new on the page, or stands there no longer, fails.
"""

from __future__ import annotations

import doctest
import io
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

import qchess
from qchess.__main__ import main
from qchess.backends.devices import jobqueue
from qchess.circuits import FixedAnswers, Program, Registers, ask, full, read, split
from qchess.playing import keeping
from tests.house.stand_ins import IbmAccount, google_engine
from tests.patience import wait_until

pytestmark = pytest.mark.usefixtures("nearby")
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "devices.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXTRAS = {"qiskit_ibm_runtime": "ibm", "cirq_google": "google", "matplotlib": "viz", "braket.devices": "braket"}

INSTALL = 'pip install -e ".[ibm,viz]"'
PLAY = "qchess play quantum-chess --black human --backend ibm-fake:nairobi --record first.json"
CIRCUIT = "qchess circuit quantum-chess b1^a3c3 d7-d5 c3-d5 --backend ibm-fake:nairobi"
COST = "qchess circuit quantum-chess b1^a3c3 d7-d5 c3-d5 --backend queued:ibm-fake:nairobi,shots=400"
SAVE = """python -c "from qiskit_ibm_runtime import QiskitRuntimeService as Q; Q.save_account(token='...')\""""
PLAY_IBM = "qchess play quantum-chess --black human --backend ibm:least-busy --record real.json"
RESUME_IBM = "qchess resume real.json --trust"
PLAY_GOOGLE = "qchess play quantum-chess --black human --backend google:PROCESSOR --record google.json"
JOBS, WAIT, CANCEL, RESUME = (
    "qchess jobs", "qchess jobs --wait", "qchess jobs --cancel JOB-OR-GAME", "qchess resume FILE --trust"
)  # fmt: skip
REPORT = "qchess report first.json --plots pictures"
LONG = "qchess play quantum-chess --white random --black random --seed 1 --plies 60 --record game.json"
MEASURE = (
    "qchess measure game.json --seed 1 --picture measured.svg --backend sparse-shots --backend ibm-fake:nairobi "
    "--backend ibm-fake:nairobi,strategy=replay --backend ibm-fake:nairobi,least_fidelity=.9 "
    "--backend google-qvm:willow_pink"
)
INTERRUPTED = 130
#: what the page says to type
TYPED = ("b1^a3c3", "d7-d5", "c3-d5")
Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
Test = TypeVar("Test", bound=Callable[..., None])

TESTED: set[str] = set()
#: quick, and as the page says it
ON = pytest.mark.parametrize("device", ["sparse-shots", pytest.param("ibm-fake:nairobi", marks=pytest.mark.slow)])


def runs(*commands: str) -> Callable[[Test], Test]:
    """Says of a test which commands of the page it runs."""
    TESTED.update(commands)
    return lambda test: test


def commands() -> set[str]:
    """The commands of the page, without what is said beside them."""
    found: set[str] = set()
    for language, text in BLOCK.findall(PAGE):
        lines = text.replace("\\\n", "").splitlines()
        if language == "sh":
            found |= {line.partition(" # ")[0] for line in lines}
        elif language == "console":
            found |= {line.removeprefix("$ ") for line in lines if line.startswith("$ ")}
    return {" ".join(command.split()) for command in found}


def needs(*packages: str) -> None:
    """Leaves a test out where a vendor's package is not there."""
    for package in packages:
        pytest.importorskip(package, reason=f"needs the extra `{EXTRAS[package]}`")


def printed(capsys: Output, command: str, code: int = 0) -> str:
    """What a command of ours prints; it ends with this code, and complains of nothing."""
    program, *arguments = shlex.split(command)
    assert program == "qchess"
    ended = main(arguments)
    out, err = capsys.readouterr()
    assert (ended, err) == (code, "")
    return out


def refused(capsys: Output, command: str) -> str:
    """The one line with which a command of ours refuses."""
    assert main(shlex.split(command)[1:]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


def typed(monkeypatch: Patch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: Patch) -> Path:
    """Commands run in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_of_the_page_is_run_here() -> None:
    assert sorted(TESTED) == sorted(commands())
    assert {language for language, _ in BLOCK.findall(PAGE)} == {"sh", "console", "python"}  # others would hide some


@runs(INSTALL)
def test_what_is_to_be_installed_is_there() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {extra for found in re.findall(r'"\.\[([\w,]+)\]"', PAGE) for extra in found.split(",")}
    assert {"ibm", "google", "viz"} <= named <= set(known)


# -- without an account ------------------------------------------------------------------------------


def first_game(capsys: Output, monkeypatch: Patch, device: str) -> str:
    """What the terminal shows of the game that the page says to play, on this device."""
    if device.startswith("ibm"):
        needs("qiskit_ibm_runtime")
    typed(monkeypatch, *TYPED, "shots", "quit")
    return printed(capsys, PLAY.replace("ibm-fake:nairobi", device))


@ON
@runs(PLAY)
def test_the_first_game_asks_its_question(device: str, capsys: Output, monkeypatch: Patch) -> None:
    assert all(f"`{word}`" in PAGE for word in (*TYPED, "shots", "quit"))
    told = first_game(capsys, monkeypatch, device)
    assert re.search(r"white plays c3-d5\n", told)
    kept = "100 of 100" if device == "sparse-shots" else r"\d\d\d? of 100"
    place = "" if device == "sparse-shots" else ", qubits 1 and 2"
    assert re.search(rf"{kept} shots kept, 1 two-qubit gate{place}\n", told)
    assert "white played c3-d5" in told  # what `shots` begins with


@ON
@pytest.mark.parametrize(("command", "cost"), [(CIRCUIT, "shots 100"), (COST, "shots 400, jobs 1")])
@runs(CIRCUIT, COST)
def test_what_would_be_sent_is_shown_and_nothing_is(command: str, cost: str, device: str, capsys: Output) -> None:
    if device.startswith("ibm"):
        needs("qiskit_ibm_runtime")
    told = printed(capsys, command.replace("ibm-fake:nairobi", device))
    assert re.match(rf"c3-d5 asks 'hit' on {device}: circuits 1, {cost}, two-qubit gates 1, ", told)
    assert device == "sparse-shots" or "a3 on qubit 1, c3 on qubit 2" in told
    assert not jobqueue.folder().exists()


@ON
@runs(REPORT)
def test_the_report_tells_and_draws_the_question(
    device: str, folder: Path, capsys: Output, monkeypatch: Patch
) -> None:  # fmt: skip
    needs("matplotlib")
    first_game(capsys, monkeypatch, device)
    told = printed(capsys, REPORT)
    assert f"on {device}: 3 turns" in told
    assert "of coin flips" in told
    drawn = [path.name for path in (folder / "pictures").iterdir()]
    assert drawn
    assert all(f"drawn: {Path('pictures') / name}\n" in told for name in drawn)


@pytest.mark.slow
@runs(LONG, MEASURE)
def test_devices_side_by_side_are_what_the_page_shows(folder: Path, capsys: Output) -> None:
    needs("qiskit_ibm_runtime", "cirq_google")
    printed(capsys, LONG)
    assert main(shlex.split(MEASURE)[1:]) == 0  # it tells how far it is
    [block] = [text for language, text in BLOCK.findall(PAGE) if language == "console"]
    shown = [line for line in block.splitlines() if not line.startswith(("$", "    --"))]
    assert untimed(capsys.readouterr().out.splitlines()) == untimed(shown)
    mine, stored = (place / "measured.svg" for place in (folder, ROOT / "docs" / "pictures"))
    pictures = [re.sub(r"\d+\.\d s\b", "", path.read_text(encoding="utf-8")) for path in (mine, stored)]
    assert pictures[0] == pictures[1]


def untimed(lines: list[str]) -> list[str]:
    """A table without its last column, the seconds."""
    return [line.rpartition(" ")[0].rstrip() for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "package", "name"),
    [
        ("LocalSimulator", "braket.devices", "braket "),
        ("StatevectorSampler", "", "StatevectorSampler"),
        ("FakeManilaV2", "qiskit_ibm_runtime", "ibm-fake:manila"),
    ],
)
def test_what_you_have_already_is_a_backend(kind: str, package: str, name: str) -> None:
    if package:
        needs(package)
    [block] = [text for language, text in BLOCK.findall(PAGE) if language == "python" and ">>>" not in text]
    imported, made = [line for line in block.splitlines() if kind in line]
    assert len(block.splitlines()) == 7  # three of each, and a line between them
    names: dict[str, Any] = {"qchess": qchess}
    exec(imported, names)
    assert eval(made, names).backend.name.startswith(name)


@pytest.mark.parametrize(("strategy", "share"), [("reprepare", 1), ("replay", 3 / 4)])
def test_the_laboratory_of_the_page_answers_both_ways(strategy: str, share: float, monkeypatch: Patch) -> None:
    from qiskit import primitives

    rng, kind = np.random.default_rng(1), primitives.StatevectorSampler
    monkeypatch.setattr(primitives, "StatevectorSampler", lambda: kind(seed=rng))
    [block] = [text for language, text in BLOCK.findall(PAGE) if language == "python" and "class Lab" in text]
    names: dict[str, Any] = {"qchess": qchess}
    for example in doctest.DocTestParser().get_examples(block):
        exec(example.source, names)
    source = qchess.backends.of(names["Lab"](), shots=400, strategy=strategy).source(1)
    board = Registers(qchess.backends.engine(), full=["s"]).run(split("s", "a", "b") + split("b", "c", "d")).registers
    board = board.run(Program(ask("first", full("d"))), FixedAnswers([0])).registers  # a with 2/3, c with 1/3
    details = board.run(Program(read("r", "a", "c")), source).answers[0].details
    assert details["kept"] == pytest.approx(400 * share, abs=40)
    assert set(details["observed"]) == {"1", "2"}
    assert details["observed"]["1"] == pytest.approx(400 * share * 2 / 3, abs=40)


# -- with IBM ----------------------------------------------------------------------------------------


@pytest.fixture
def accounts(monkeypatch: Patch, folder: Path) -> Any:
    """IBM's own class for saved accounts, with a file of its own, and nothing in the environment."""
    needs("qiskit_ibm_runtime")
    import qiskit_ibm_runtime

    saved = str(folder / "accounts")
    monkeypatch.setattr("qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE", saved)
    for variable in ("TOKEN", "CHANNEL", "INSTANCE", "URL"):
        monkeypatch.delenv(f"QISKIT_IBM_{variable}", raising=False)
    return qiskit_ibm_runtime.QiskitRuntimeService


@runs(SAVE, PLAY_IBM)
def test_ibm_is_asked_with_the_account_that_was_saved(accounts: Any, capsys: Output, monkeypatch: Patch) -> None:
    import requests

    assert "no IBM account is saved on this machine" in refused(capsys, PLAY_IBM)
    program, flag, code = shlex.split(SAVE)
    assert (program, flag) == ("python", "-c")
    exec(code, {})
    assert [account["token"] for account in accounts.saved_accounts().values()] == ["..."]

    def nobody(*_: Any, **__: Any) -> None:
        raise requests.ConnectionError("no way there")

    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", nobody)
    assert "IBM's service cannot be reached" in refused(capsys, PLAY_IBM)


@pytest.mark.slow
@runs(PLAY_IBM, RESUME_IBM)
def test_a_game_with_ibm_is_left_and_its_answer_collected(folder: Path, capsys: Output, monkeypatch: Patch) -> None:
    needs("qiskit_ibm_runtime")
    account = IbmAccount(monkeypatch)
    typed(monkeypatch, *TYPED)
    told = printed(capsys, PLAY_IBM, INTERRUPTED)
    sent = "Each question goes to ibm:fake_nairobi as a job. This one: circuits 1, shots 100, jobs 1, two-qubit gates 1"
    assert sent in " ".join(told.split())
    [job] = account.known
    assert json.loads((folder / "real.json").read_text(encoding="utf-8"))["pending"]["ticket"]["job"] == job.job_id()
    account.state = "DONE"
    typed(monkeypatch, "quit")
    told = printed(capsys, RESUME_IBM)
    assert "white plays c3-d5" in told
    assert f"job {job.job_id()}" in " ".join(told.split())
    assert account.known == [job]


# -- with Google ---------------------------------------------------------------------------------------


@pytest.mark.slow
@runs(PLAY_GOOGLE)
def test_a_game_with_google_is_played_on_its_own_local_engine(
    folder: Path, capsys: Output, monkeypatch: Patch
) -> None:  # fmt: skip
    needs("cirq_google")
    here = google_engine("rainbow")
    monkeypatch.setattr("cirq_google.get_engine", lambda: here)
    typed(monkeypatch, *TYPED, "quit")
    told = printed(capsys, PLAY_GOOGLE.replace("PROCESSOR", "rainbow"))
    assert "Each question goes to google:rainbow as a job." in " ".join(told.split())
    assert "white plays c3-d5" in told
    assert qchess.load(folder / "google.json").history[-1].answers[0].details["readout_twirling"] is True


@pytest.mark.slow
@runs(PLAY_GOOGLE)
def test_without_a_project_google_is_not_asked(capsys: Output, monkeypatch: Patch) -> None:
    needs("cirq_google")

    def none() -> None:
        raise OSError("GOOGLE_CLOUD_PROJECT is not set")

    monkeypatch.setattr("cirq_google.get_engine", none)
    assert "no Google Cloud project is configured on this machine" in refused(capsys, PLAY_GOOGLE)


# -- jobs --------------------------------------------------------------------------------------------


def kept(device: str) -> str:
    """The job of a kept game that waits, `game.json`."""
    game = qchess.new("quantum-chess", backend=device)
    with keeping.Keeper(game, keeping.folder() / "game.json"):
        for move in TYPED[:-1]:
            game.play(move)
        game.begin(TYPED[-1])
    assert game.pending
    assert game.pending.ticket
    return str(game.pending.ticket["job"])


@pytest.mark.slow
@pytest.mark.parametrize("by", ["job", "game"])
@runs(JOBS, CANCEL)
def test_jobs_are_listed_and_ended(by: str, capsys: Output) -> None:
    job = kept("queued:86400:sparse-shots")
    assert f"job {job}, since " in printed(capsys, JOBS)
    named = CANCEL.replace("JOB-OR-GAME", job if by == "job" else "game.json")
    assert printed(capsys, named).endswith("; qchess resume game.json asks anew\n")
    assert "no job: the question is asked when the game goes on" in printed(capsys, JOBS)


@runs(WAIT, RESUME)
def test_answers_are_waited_for_and_games_go_on(capsys: Output, monkeypatch: Patch) -> None:
    kept("queued:sparse-shots")
    assert printed(capsys, WAIT).startswith("game.json: white plays c3-d5")
    typed(monkeypatch, "history", "quit")
    told = printed(capsys, f"{RESUME.replace('FILE', 'game.json')}")
    assert "3. white: c3-d5. " in told


@pytest.mark.slow
@runs(RESUME)
def test_a_game_collects_its_own_answer(capsys: Output, monkeypatch: Patch) -> None:
    job = kept("queued:sparse-shots")
    wait_until((jobqueue.folder() / job / "result.json").exists, "the job is done")
    typed(monkeypatch, "quit")
    assert "white plays c3-d5" in printed(capsys, RESUME.replace("FILE", "game.json"))
