"""What the first page is told: real positions, levels with their budgets, and who can answer here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qchess
from qchess.games import names
from qchess.playing import agents
from qchess.showing import viewjson
from qchess.web.jsontext import json_text
from qchess.web.settings import LEVELS, Settings
from qchess.web.studies import samples
from qchess.web.tablerequest import TableRequest, answering, levels


def test_the_pictures_of_the_games_are_parts_of_real_positions() -> None:
    told = samples.lobby()
    assert [row["name"] for row in told["games"]] == list(names())
    for row in told["games"]:
        known = samples.SAMPLES[row["name"]]
        game = qchess.new(row["name"], seed=1)
        for move in known.moves:
            game.play(move)
        men = viewjson.view(game.view())["men"]
        x, y = ord(known.corner[0]) - ord("a"), int(known.corner[1:]) - 1
        assert row["sample"]["men"], row["name"]
        for square, here in row["sample"]["men"].items():
            there = men[f"{chr(ord(square[0]) + x)}{int(square[1:]) + y}"]
            for told_man, man in zip(here, there, strict=True):
                assert told_man == {**{key: man[key] for key in told_man}, "probability": round(man["probability"], 9)}
                assert set(man) - set(told_man) <= {"phase"}, (row["name"], square)
    assert any(man["probability"] < 1 for row in told["games"] for (man, *_) in row["sample"]["men"].values())
    assert "b3-d4" in {move["text"] for move in told["try"]["moves"]}
    assert len(json_text(told)) < 5_000


def test_levels_are_agents_that_tables_may_name() -> None:
    for row, (level, agent, _) in zip(levels(Settings()), LEVELS, strict=True):
        assert (row["name"], row["agent"]) == (level, agent)
        assert agents.get(agent)
        wanted = {"game": "quantum-chess", "seats": {"black": agent}}
        assert TableRequest.of(wanted, Settings()).seats == {"black": agent}
    assert [row["name"] for row in levels(Settings(agents=("greedy", "mcts@1s")))] == ["Casual"]
    assert [row["agent"] for row in levels(Settings(agents=("mcts@1s",)))] == ["mcts@1s"]


def test_only_what_works_here_is_offered_to_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("QISKIT_IBM_TOKEN", raising=False)
    monkeypatch.delenv("GOOGLE_CLOUD_PROJECT", raising=False)
    monkeypatch.setattr("qchess.backends.catalogue.find_spec", lambda package: None if package == "cirq" else object())

    def offered(*names: str) -> dict[str, str]:
        return {row["name"]: row["title"] for row in answering(Settings(backends=names))}

    assert offered("sparse", "cirq", "ibm:ibm_fez", "no-such") == {"sparse": "This computer, exactly"}
    assert not [name for name in offered() if name.startswith(("ibm:", "google:"))]
    assert offered()["queued:<device>"] == "A simulated device with a queue …"
    (tmp_path / ".qiskit").mkdir()
    (tmp_path / ".qiskit" / "qiskit-ibm.json").write_text(json.dumps({}))
    assert offered("ibm:ibm_fez") == {"ibm:ibm_fez": "A real quantum computer (IBM): ibm_fez"}
    assert offered()["ibm:<processor>"] == "A real quantum computer (IBM) …"


@pytest.mark.slow
@pytest.mark.parametrize("family", ["ibm-fake:<name>", "google-qvm:<processor>", "queued:<device>"])
def test_the_devices_that_are_suggested_exist(nearby: None, family: str) -> None:
    (row,) = (each for each in answering(Settings(backends=())) if each["name"] == family)
    assert row["devices"]
    for device in row["devices"]:
        assert qchess.backends.get(family.partition("<")[0] + device)
