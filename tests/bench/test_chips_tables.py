"""The tables of what devices make of game circuits: each command runs in its smallest form, and says what is wrong."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import qchess
from benchmarks import sizes
from qchess import backends
from qchess.__main__ import main as command
from qchess.backends.catalogue import settings_in, with_settings

pytestmark = pytest.mark.usefixtures("nearby")
Output = pytest.CaptureFixture[str]
DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "devices_measured.md").read_text(encoding="utf-8")
PLAY = "qchess play GAME --white greedy --seed 1 --record game.json --force"
MEASURE = (
    "qchess measure game.json --seed 1 --backend ibm-fake:nairobi --backend google-qvm:rainbow "
    "--backend google-qvm:willow_pink"
)
#: the settings whose rows take half a minute of a processor: of these as many are asked for as ``QCHESS_TABLES`` says,
#: else none; the page on devices has a row of a fake with a replay, which is always run
DEAR = (
    "level=naive", "level=exact", "guadalupe,shots=400,strategy=replay", "noisy,shots=2000,strategy=replay",
)[int(os.environ.get("QCHESS_TABLES", "0")):]  # fmt: skip
#: every game of the table as the command plays it
GAMES = {"quantum-chess": "", "piece-qubit-chess": " --preset short", "quantum-checkers": "", "niels-chess": "",
         "niels-xiangqi": ""}  # fmt: skip


def printed(capsys: Output, line: str) -> str:
    """What a command of ours prints; elsewhere it may say how far it is."""
    assert command(shlex.split(line)[1:]) == 0
    return capsys.readouterr().out


def shown(game: str) -> list[str]:
    """The row of a game on the page: its turns and questions, and a cell for each device."""
    [cells] = re.findall(rf"^\| {game}(?: \(`short`\))? \| (.*) \|$", PAGE, re.MULTILINE)
    return [*cells.split(" | ")]


def played(game: str, capsys: Output) -> str:
    """Plays a game as the page says, and gives its turns and questions."""
    printed(capsys, PLAY.replace("GAME", game + GAMES[game]))
    told = re.search(r"(\d+) turns, (\d+) open questions", printed(capsys, "qchess report game.json"))
    assert told
    return ", ".join(told.groups())


def cell(told: dict[str, Any]) -> str:
    """What the page shows of one device."""
    kept, expected, distance = (
        f"{told[name]:.3f}".removeprefix("0") for name in ("kept", "kept_expected", "distance")
    )  # fmt: skip
    return f"{kept} ({expected}), {distance}"


def test_the_page_names_the_commands_and_games_that_are_run_here() -> None:
    assert re.search(rf"^{PLAY} +# with --preset short for piece-qubit-chess\n{MEASURE}$", PAGE, re.MULTILINE)
    table = PAGE.partition("## Whole games")[2].partition("\n## ")[0]
    assert re.findall(r"^\| ([a-z]+-[a-z-]+)", table, re.MULTILINE) == list(GAMES)


@pytest.mark.parametrize(
    "game", ["quantum-chess", *(pytest.param(game, marks=pytest.mark.slow) for game in list(GAMES)[1:])]
)
def test_whole_games_have_the_turns_and_questions_of_the_page(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    assert played(game, capsys) == shown(game)[0]


@pytest.mark.slow  # so one row only: all of them take minutes
def test_devices_make_of_a_whole_game_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason="needs the extra `ibm`")
    pytest.importorskip("cirq_google", reason="needs the extra `google`")
    monkeypatch.chdir(tmp_path)
    played("quantum-chess", capsys)
    assert list(map(cell, json.loads(printed(capsys, f"{MEASURE} --json")))) == shown("quantum-chess")[1:]


def consoles() -> list[tuple[str, str, list[str]]]:
    """Of each table that is shown as it is printed: the command that plays, the one that measures, and the lines."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        lines = block.replace("\\\n   ", "").splitlines()
        play, measure = (line.removeprefix("$ ") for line in lines[:2])
        found.append((play, measure, lines[2:]))
    return found


def untimed(lines: list[str]) -> list[list[str]]:
    """The words of a table without its last column, the seconds."""
    return [line.split()[:-1] for line in lines]


def test_the_tables_that_are_printed_are_of_games_that_are_played_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    for (play, measure, lines), questions in zip(consoles(), (6, 4), strict=True):
        printed(capsys, play)
        assert f"{questions} open questions" in printed(capsys, "qchess report game.json")
        devices = re.findall(r"--backend (\S+)", measure)
        names = [with_settings(name.partition(",")[0], settings_in(name)) for name in devices]
        assert [line.split()[:2] for line in lines if line.startswith(tuple(names))] == [
            [name, str(questions)] for name in names
        ]


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1], ids=["levels, strategies and placement", "replay"])
def test_the_tables_that_are_printed_are_what_their_commands_print(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason="needs the extra `ibm`")
    monkeypatch.chdir(tmp_path)
    play, measure, lines = consoles()[number]
    printed(capsys, play)
    for dear in DEAR:
        measure, lines = re.sub(rf"--backend \S*{dear}\S*", "", measure), [line for line in lines if dear not in line]
    assert untimed(printed(capsys, measure).splitlines()) == untimed(lines)


@pytest.mark.slow
def test_both_strategies_make_of_a_question_what_the_page_on_backends_shows() -> None:
    pytest.importorskip("qiskit_aer", reason="Qiskit Aer is not installed")
    page = (DOCS / "backends.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```python\n(>>> def third_question.*?)^```$", page, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {"qchess": qchess, "backends": backends}
    exec(doctest.DocTestParser().get_examples(block)[0].source, names)
    rows = re.findall(r"^\| `(aer-\w+)`, (\w+) \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) == 4
    for device, strategy, cells in rows:
        told = names["third_question"](device, strategy)
        dropped = [told["dropped"][reason] for reason in ("history", "count")]
        assert cells == " | ".join(map(str, (told["two_qubit_gates"], told["kept"], *dropped))), (device, strategy)


def test_the_states_that_are_prepared_are_exact(capsys: Output) -> None:
    sizes.main(["3"])
    told = json.loads(capsys.readouterr().out)
    assert told["states"] == 3
    assert told["largest deviation of an amplitude"] < 1e-12
    assert sum(row["states"] for row in told["by qubits"].values()) == 3


def test_the_page_names_the_command_of_each_table() -> None:
    named = re.findall(r"python -m benchmarks\.(\w+) ([\w -]*?)(?:`|\n|  +#)", PAGE)
    assert {(module, tuple(words.split())) for module, words in named} == {
        ("undetected", ("torino", "nairobi", "sherbrooke", "willow_pink")),
        ("undetected", ("--angles", "willow_pink")),
        ("sizes", ("200",)),
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("preparation",), "invalid int value: 'preparation'"),
        (("0",), "expected at least one random state, got 0"),
    ],
)
def test_a_wrong_word_is_one_sentence(arguments: tuple[str, ...], said: str, capsys: Output) -> None:
    with pytest.raises(SystemExit):
        sizes.main(list(arguments))
    assert said in capsys.readouterr().err.splitlines()[-1]
