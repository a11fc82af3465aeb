"""A report says what a record tells: circuits, shots, exact and observed odds; it runs nothing again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.errors import QchessError
from qchess.playing.record import Record
from qchess.showing.report import measurements, plots, text

FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"


@pytest.fixture(scope="module")
def record() -> Record:
    backend = backends.get("sparse-shots", shots=400)
    game = qchess.new("quantum-chess", backend=backend, seed=7, fen=FEN)
    for move in ("b1^a3c3", "e8-e7", "c3-d5"):
        game.play(move)
    return Record.from_json(game.record().to_json())


def test_a_measurement_has_its_circuit_shots_and_both_odds(record: Record) -> None:
    [one] = measurements(record)
    assert (one.ply, one.player, one.question, one.device) == (3, "white", "hit", "sparse-shots")
    assert (one.asked, one.returned, one.kept) == (400, 400, 400)
    assert one.two_qubit_gates == 1  # half a knight is a Bell pair
    assert one.odds == pytest.approx({"0": 0.5, "1": 0.5})
    assert sum(one.observed.values()) == 400
    share = one.share("1")
    assert share is not None
    assert share[0] == one.observed["1"] / 400
    assert share[1] == pytest.approx((share[0] * (1 - share[0]) / 400) ** 0.5)
    assert one.fidelity is not None
    assert one.fidelity > 0.99
    assert json.loads(json.dumps(one.values())) == one.values()


def test_the_text_shows_them(record: Record) -> None:
    told = text(record)
    assert "quantum-chess on sparse-shots,shots=400: 3 turns, 1 open questions" in told
    assert "hit = 1: exact 0.5000, observed 0." in told
    assert "2 qubits, 1 two-qubit gates" in told
    assert "400 asked, 400 returned, 400 kept; dropped: none" in told


def test_a_game_of_seeded_dice_has_odds_and_no_shots() -> None:
    game = qchess.new("quantum-chess", seed=7, fen=FEN)
    for move in ("b1^a3c3", "e8-e7", "c3-d5"):
        game.play(move)
    [one] = measurements(game.record())
    assert (one.device, one.fidelity, one.share("1")) == ("", None, None)
    assert "from seed 7" in text(game.record())
    with pytest.raises(QchessError, match="nothing to draw"):
        plots(game.record(), Path("nowhere"))
    assert "Nothing was measured" in text(qchess.new("quantum-chess").record())


@pytest.mark.parametrize(
    "details",
    [{"observed": 7, "odds": "x", "machine": [3, {"physical": 5}], "kept": "many", "seconds": "long"},
     {"observed": {"1": None}, "odds": {"1": [2]}, "machine": {"a": 1}, "jobs": 4, "backend": 9}],
)  # fmt: skip
def test_a_record_of_odd_details_is_read_as_far_as_it_goes(record: Record, details: dict[str, object]) -> None:
    told = json.loads(record.to_json())
    told["entries"][2]["answers"][0]["details"] = details
    odd = Record.from_json(json.dumps(told))
    [one] = measurements(odd)
    assert one.value in (0, 1)
    assert text(odd)


def test_the_command_prints_text_or_json_and_draws(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_text(record.to_json())
    assert main(["report", str(file)]) == 0
    assert "observed" in capsys.readouterr().out
    assert main(["report", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measurements"][0]["kept"] == 400
    assert main(["report", str(tmp_path / "none.json")]) != 0


def test_the_pictures_are_drawn(record: Record, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'qchess[viz]'")
    made = plots(record, tmp_path / "plots")
    assert [path.name for path in made] == ["odds.svg", "fidelity.svg", "chip.svg"]
    assert all("<svg" in path.read_text() for path in made)


# -- options in a backend's name ------------------------------------------------------------------------


def test_a_backend_with_settings_has_a_name_that_brings_it_back(record: Record) -> None:
    assert record.backend == "sparse-shots,shots=400"
    source = backends.get(record.backend).source()
    assert source.shots == 400  # type: ignore[attr-defined]
    assert qchess.replay(record).backend.name == record.backend
    with pytest.raises(qchess.BackendError, match="no option of backend 'sparse-shots' is called 'colour'"):
        backends.get("sparse-shots,colour=blue")
    with pytest.raises(qchess.BackendError, match="',KEY=VALUE', got 'blue'"):
        backends.get("sparse-shots,blue")


def test_the_command_line_plays_on_a_device_with_a_strategy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    file = tmp_path / "game.json"
    line = "play quantum-chess --backend sparse-shots --strategy replay --shots 64 --seed 1 --white random --plies 2"
    assert main([*line.split(), "--record", str(file)]) == 0
    capsys.readouterr()
    assert json.loads(file.read_text())["backend"] == "sparse-shots,shots=64,strategy=replay"
