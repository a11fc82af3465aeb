"""The command line, through `main` and as a user starts it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import qchess
from qchess import backends, games
from qchess.__main__ import main
from qchess.commands.common import wants_colour
from qchess.playing import keeping
from tests.toygame import Toy

ROOT = Path(__file__).parents[2]
Output = pytest.CaptureFixture[str]
GAMES = games.names()


def printed(capsys: Output, *arguments: str) -> str:
    """What a command prints, which must succeed."""
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def refused(capsys: Output, *arguments: str) -> str:
    """The one line with which a command refuses its input."""
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Lets these lines be the standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


# -- help and lists ---------------------------------------------------------------------------------


def test_alone_it_says_what_it_can_with_three_examples(capsys: Output) -> None:
    text = printed(capsys)
    assert text.split("examples:")[1].count("  qchess ") == 3


def test_it_knows_its_version(capsys: Output) -> None:
    assert printed(capsys, "--version") == f"qchess {qchess.__version__}\n"


def test_every_game_and_every_backend_is_listed(capsys: Output) -> None:
    for command, names in (("games", games.names()), ("backends", backends.names())):
        rows = json.loads(printed(capsys, command, "--json"))
        assert tuple(row["name"] for row in rows) == names
        lines = printed(capsys, command).splitlines()
        assert [line.split()[0] for line in lines if not line.startswith(" ")] == list(names)


def test_backends_tells_how_the_kernels_are_served(capsys: Output) -> None:
    told = json.loads(printed(capsys, "backends", "--verbose", "--json"))
    libraries = {line.split(":")[0]: line for line in told["kernels"]}
    assert "qchess.backends.sparse.kernels" in libraries
    assert all(line.split(": ")[1].split(",")[0] in ("object", "bitcode", "numba", "clear") for line in told["kernels"])
    assert libraries["qchess.backends.sparse.kernels"] in " ".join(printed(capsys, "backends", "-v").split("\n  "))


# -- moves ------------------------------------------------------------------------------------------


def test_moves_lists_the_legal_moves_after_others(capsys: Output) -> None:
    assert printed(capsys, "moves", "toy").split() == ["b1-a1", "b1-c1", "b1^a1c1"]
    data = json.loads(printed(capsys, "moves", "toy", "b1^a1c1", "?a1.m0", "--json"))
    assert data == {
        "game": "toy",
        "history": ["b1^a1c1", "?a1.m0"],
        "player": "white",
        "moves": ["c1-a1", "c1-b1", "c1^a1b1"],
        "result": None,
    }


def test_a_finished_game_has_no_moves(capsys: Output) -> None:
    assert "the game is over. Black wins: found" in printed(capsys, "moves", "toy", "b1^a1c1", "?a1.m1")


def test_a_history_without_chance_must_say_its_answers(capsys: Output) -> None:
    assert "write the answer with the move, or give --seed" in refused(capsys, "moves", "toy", "b1^a1c1", "?a1")
    once, again = (printed(capsys, "moves", "toy", "b1^a1c1", "?a1", "--seed", "4", "--json") for _ in range(2))
    assert once == again


def test_options_reach_the_rules(capsys: Output) -> None:
    assert "Draw: hidden too long" in printed(capsys, "moves", "toy", "b1-a1", "--option", "limit=1")


# -- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("moves", "tooy"), "did you mean 'toy'?"),
        (("moves", "toy", "b1-b9"), "move 1, 'b1-b9'"),
        (("moves", "toy", "?a1.m1"), "expected a legal move"),
        (("moves", "toy", "--option", "limit"), "expected KEY=VALUE"),
        (("moves", "toy", "--option", "limit=soon"), "limit is a whole number"),
        (("moves", "toy", "--option", "size=9"), "toy takes limit; got 'size'"),
        (("moves", "toy", "--backend", "sparce"), "did you mean 'sparse'?"),
        (("moves", "toy", "--seed", "x"), "expected a whole number, got 'x'"),
        (("play", "toy", "--white", "wizard"), "no agent is called 'wizard'"),
        (("play", "toy", "--record", "no/such/folder/file"), "there is no folder 'no/such/folder'"),
        (("replay", "no-such-file"), "qchess: expected a file with a game record; there is no file 'no-such-file'"),
        (("circuit", "toy"), "the circuit of which move?"),
        (("circuit", "--to", "png"), "got 'png'"),
        (("circuit", "--to", "svg", "--stats"), "--stats goes with --to text or json"),
        (("dance",), "got 'dance'"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: tuple[str, ...], said: str, capsys: Output) -> None:
    assert said in refused(capsys, *arguments)


@pytest.mark.parametrize("text", ["", "no json", "[]", "{}", '{"format": "qchess-record-1"}', "\x00"])
def test_a_file_that_is_no_record_is_refused(text: str, tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "file").write_text(text, encoding="utf-8")
    assert refused(capsys, "replay", str(tmp_path / "file")).startswith("qchess: ")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "file").write_bytes(b"\xff\xfe\x00")
    assert "is no text in UTF-8" in refused(capsys, "replay", str(tmp_path / "file"))


# -- play and replay --------------------------------------------------------------------------------


def test_a_game_is_recorded_and_replays_on_every_engine(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "game.json")
    typed(monkeypatch, "b1^a1c1", "quit")
    assert "Record written to" in printed(capsys, "play", "toy", "--seed", "5", "--black", "random", "--record", file)
    told = [json.loads(printed(capsys, "replay", file, "--backend", name, "--json")) for name in ("sparse", "cirq")]
    assert [turn["move"] for turn in told[0]["turns"]] == [turn["move"] for turn in told[1]["turns"]]
    assert [data.pop("backend") for data in told] == ["sparse", "cirq"]
    assert told[0]["turns"][0] == {"player": "white", "move": "b1^a1c1", "answers": []}
    text = printed(capsys, "replay", file)
    assert text.startswith("Hide and Seek on sparse\n  1. white: b1^a1c1\n  2. black: ")


def test_without_a_file_a_game_is_kept_by_itself(capsys: Output) -> None:
    text = printed(capsys, "play", "toy", "--seed", "2", "--white", "greedy", "--black", "greedy")
    assert text.splitlines()[-1] == "The game is kept; qchess games --saved lists it."
    assert '"entries"' not in text
    (kept,) = keeping.kept()
    assert " wins: found\n" in printed(capsys, "replay", str(kept))
    listed = printed(capsys, "games", "--saved").splitlines()
    assert listed[0].startswith(f"{kept.name}  toy, ")
    assert " wins: found (white greedy, black greedy)" in listed[0]


def test_seats_are_called_as_in_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    shown = {
        printed(capsys, "play", "quantum-tic-tac-toe", "--seed", "2", first, "random", second, "greedy", "--plies", "4")
        for first, second in (("--x", "--o"), ("--white", "--black"))
    }
    assert len(shown) == 1
    assert "x (random) plays" in shown.pop()


def test_the_same_seed_is_the_same_game(capsys: Output) -> None:
    arguments = ("play", "toy", "--seed", "9", "--white", "random", "--black", "random")
    assert printed(capsys, *arguments) == printed(capsys, *arguments)
    assert printed(capsys, *arguments, "--plies", "1").count("(random) plays") == 1


class Interrupted(io.StringIO):
    """An input whose reader presses Ctrl-C after the lines."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        line = super().readline()
        if not line:
            raise KeyboardInterrupt
        return line


def test_ctrl_c_keeps_the_record(tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.json"
    monkeypatch.setattr(sys, "stdin", Interrupted("b1-a1\n"))
    assert main(["play", "toy", "--black", "human", "--record", str(file)]) == 130
    assert "Interrupted." in capsys.readouterr().out
    assert qchess.Record.from_json(file.read_text(encoding="utf-8")).moves() == ("b1-a1",)


class Peeking(io.StringIO):
    """An input whose reader looks at a file before each line."""

    def __init__(self, file: Path, *lines: str) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self.file, self.seen = file, list[str]()

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        self.seen.append(self.file.read_text(encoding="utf-8"))
        return super().readline()


def test_the_record_is_in_its_file_after_every_move(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = qchess.Game(Toy())
    begun.save(tmp_path / "game.json")
    file = tmp_path / "link.json"
    file.symlink_to(tmp_path / "game.json")
    peeking = Peeking(file, "b1^a1c1", "hello", "a1-b1", "undo", "quit")
    monkeypatch.setattr(sys, "stdin", peeking)
    printed(capsys, "play", "toy", "--black", "human", "--record", str(file))
    moves = [qchess.Record.from_json(text).moves() for text in peeking.seen]
    assert moves == [(), ("b1^a1c1",), ("b1^a1c1",), ("b1^a1c1", "a1-b1"), ("b1^a1c1",)]
    assert file.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.json", "link.json"]


def test_a_replayed_game_keeps_where_its_answers_came_from(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.json"
    typed(monkeypatch, "b1^a1c1", "?a1", "quit")
    printed(capsys, "play", "toy", "--seed", "2", "--black", "human", "--record", str(file))
    assert "2. black: ?a1. Is a1 full? Yes, 50% likely." in printed(capsys, "replay", str(file))
    (answer,) = qchess.load(file).history[-1].answers
    assert (answer.name, answer.value, answer.source) == ("there", 1, "seed 2")


def test_colours_follow_the_terminal_and_no_color() -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert wants_colour("auto", Screen(), {})
    assert not wants_colour("auto", Screen(), {"NO_COLOR": "1"})
    assert not wants_colour("auto", Screen(), {"TERM": "dumb"})
    assert not wants_colour("auto", io.StringIO(), {})
    assert wants_colour("always", io.StringIO(), {"NO_COLOR": "1"})


# -- circuits ---------------------------------------------------------------------------------------


def test_without_a_game_a_split_and_a_question_are_shown(capsys: Output) -> None:
    text = printed(capsys, "circuit")
    assert "there = 0 with probability 0.5, there = 1 with probability 0.5" in text
    assert "b1: ─X─iSWAP^0.5─iSWAP─" in text


def test_the_circuit_of_the_last_move_is_shown(capsys: Output) -> None:
    assert printed(capsys, "circuit", "toy", "b1^a1c1", "--to", "lines") == "iswap^0.5 b1 a1\niswap b1 c1\n"
    assert printed(capsys, "circuit", "toy", "b1^a1c1", "?c1.m1", "--to", "lines") == "ask there: c1=1\n"
    pytest.importorskip("qiskit")
    drawn = printed(capsys, "circuit", "toy", "b1^a1c1", "--to", "qiskit").splitlines()
    assert [line[:3] for line in drawn if ":" in line] == ["b1:", "a1:", "c1:"]


def test_the_circuit_of_a_superposition_starts_from_nothing(capsys: Output) -> None:
    lines = printed(capsys, "circuit", "toy", "b1^a1c1", "--state", "--to", "lines").splitlines()
    assert lines[0].startswith("x b1")


def test_every_form_is_written_in_its_language(capsys: Output) -> None:
    forms = {form: printed(capsys, "circuit", "--to", form) for form in ("svg", "qasm2", "qasm3", "cirq", "qiskit")}
    assert ElementTree.fromstring(forms["svg"]).tag.endswith("svg")
    assert forms["qasm2"].startswith("OPENQASM 2.0;")
    assert forms["qasm3"].startswith("OPENQASM 3.0;")
    assert "b1: " in forms["cirq"]
    assert "b1" in forms["qiskit"]


def test_levels_are_counted_and_awareness_saves_gates(capsys: Output) -> None:
    data = json.loads(printed(capsys, "circuit", "--stats", "--json"))
    counts = [data["stats"][level]["two-qubit gates"] for level in ("naive", "exact", "aware")]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2]
    assert "two-qubit gates" in printed(capsys, "circuit", "--stats")
    assert "iswap" not in printed(capsys, "circuit", "--level", "exact", "--to", "lines")


# -- as a user starts it ----------------------------------------------------------------------------


def started(*arguments: str, typed: str = "", code: str = "") -> subprocess.CompletedProcess[str]:
    command = ["-c", code] if code else ["-m", "qchess", *arguments]
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def test_a_bad_command_ends_with_code_2_and_one_line() -> None:
    done = started("moves", "chesss")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("game", [GAMES[0], *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES[1:])])
def test_every_game_opens_at_once_without_heavy_libraries(game: str) -> None:
    code = (
        "import sys; from qchess.__main__ import main; "
        f"code = main(['play', {game!r}, '--seed', '1', '--black', 'random']); "
        "print(code, sorted({'cirq', 'qiskit', 'qiskit_aer', 'numba', 'networkx'} & set(sys.modules)))"
    )
    first = qchess.new(game).moves()[0]
    done = started(code=code, typed=f"moves\nodds {first}\n{first}\nquit\n")
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "0 []"


def test_bytes_that_are_no_text_are_one_more_kind_of_nonsense() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "qchess", "play", games.names()[0], "--black", "human"],
        cwd=ROOT, input=b"\xff\xfe\nquit\n", capture_output=True, check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    code = (
        "import subprocess, sys; from subprocess import PIPE; "
        "p = subprocess.Popen([sys.executable, '-m', 'qchess', 'circuit', '--to', 'svg'], stdout=PIPE, stderr=PIPE); "
        "p.stdout.close(); print(p.stderr.read(), p.wait())"
    )
    assert started(code=code).stdout.split() == ["b''", "0"]
