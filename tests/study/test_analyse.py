"""`qchess analyse`: a game's timeline as text, JSON and HTML, from records and from PGN."""

from __future__ import annotations

import json
import math
import random
import re
import time
from pathlib import Path

import pytest

import qchess
from qchess import study
from qchess.__main__ import main
from qchess.games.quantum_chess import pgn


@pytest.fixture(scope="module")
def game():
    """A hundred random moves of Quantum Chess."""
    game, rng = qchess.new("quantum-chess", seed=3), random.Random(5)
    while len(game.history) < 100:
        game.play(rng.choice(game.legal_moves))
    return game


@pytest.fixture
def record(game, tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(game.record().to_json(), encoding="utf-8")
    return path


def test_a_timeline_agrees_with_the_positions_it_is_of(game) -> None:
    told = study.timeline(game)
    assert len(told.moments) == 101
    for moment, position in zip(told.moments, game.positions, strict=True):
        registers = position.registers
        assert moment.open == len(registers.uncertain)
        assert moment.branches == registers.branches()
        assert moment.entropies == pytest.approx({q: study.entropy(registers, q) for q in registers.uncertain})
        assert moment.full == len(registers.full)
    asked = [answer for played in game.history for answer in played.answers if answer.source != "certain"]
    assert told.summary()["questions"] == len(asked) > 0
    assert told.summary()["bits told"] == pytest.approx(sum(-math.log2(answer.probability) for answer in asked))


def test_gates_are_those_of_the_moves_programs(game) -> None:
    told = study.timeline(game, "exact")
    for moment, before, played in zip(told.moments[1:], game.positions, game.history, strict=False):
        program = game.rules.compile(before, played.move)
        assert moment.two_qubit_gates == program.compile("exact", prepare=False).two_qubit_count()
    total = {level: study.timeline(game, level).summary()["two-qubit gates"] for level in ("naive", "aware")}
    assert total["naive"] > told.summary()["two-qubit gates"] > total["aware"]
    with pytest.raises(ValueError, match="expected a level from naive, exact, aware, got 'best'"):
        study.timeline(game, "best")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_a_game_of_a_hundred_plies_is_analysed_in_every_form(record, form, tmp_path, capsys) -> None:
    if form == "html":
        pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    assert main(["analyse", str(record), "--to", form, "--out", str(tmp_path / "out")]) == 0
    written = (tmp_path / "out").read_text(encoding="utf-8")
    assert capsys.readouterr().out == f"written: {tmp_path / 'out'}\n"
    if form == "json":
        assert len(json.loads(written)["moments"]) == 101
    elif form == "html":
        assert written.count("<svg") in (3, 5)
        assert "http" not in written.replace("http://www.w3.org/", "")
        assert written.count("<tr") == 102
    else:
        assert len(re.findall(r"(?m)^ *\d+  (?:start|white|black) ", written)) == 101


@pytest.mark.timing  # the seconds are what is asked for
@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_a_game_of_a_hundred_plies_is_analysed_within_five_seconds(record, form, tmp_path) -> None:
    if form == "html":
        pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    began = time.process_time()
    assert main(["analyse", str(record), "--to", form, "--out", str(tmp_path / "out")]) == 0
    assert time.process_time() - began < 5  # of our own, whatever else the machine does


@pytest.mark.slow
def test_a_pgn_file_tells_the_same_as_the_record(game, record, tmp_path, capsys) -> None:
    told = tmp_path / "game.pgn"
    told.write_text(pgn.dumps(game.record()) * 2, encoding="utf-8")
    assert main(["analyse", str(record)]) == 0
    expected = capsys.readouterr().out
    assert main(["analyse", str(told), "--game", "2"]) == 0
    assert capsys.readouterr().out == expected
    assert main(["analyse", str(told)]) == 2
    assert "holds 2 games; name one with --game" in capsys.readouterr().err
    assert main(["analyse", str(record), "--game", "1"]) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [("piece-qubit-chess", {}), ("quantum-checkers", {"level": 3}), ("niels-chess", {}), ("niels-xiangqi", {})],
)
def test_every_game_can_be_analysed(name, options, tmp_path, capsys) -> None:
    game, rng = qchess.new(name, seed=2, **options), random.Random(2)
    for _ in range(12):
        game.play(rng.choice(game.legal_moves))
    path = tmp_path / "game.json"
    path.write_text(game.record().to_json(), encoding="utf-8")
    assert main(["analyse", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["game"] == name
    assert [moment["move"] for moment in told["moments"][1:]] == [played.text for played in game.history]
    pytest.importorskip("matplotlib", reason="needs the extra `viz`")
    assert main(["analyse", str(path), "--to", "html"]) == 0
    assert "</html>" in capsys.readouterr().out
