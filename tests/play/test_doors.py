"""What a file or a message may name, and what it then opens: nothing outside without the user's word."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.arena.plan import Plan
from qchess.arena.playing import play
from qchess.arena.tournament import run
from qchess.bench.outside.files import loaded
from qchess.bench.report.submission import _adapter
from qchess.circuits.sources import Seeded
from qchess.errors import InvalidMoveError, QchessError
from qchess.games.quantum_chess.protocols import gameview
from qchess.games.quantum_chess.protocols.move_server import MoveServer
from qchess.games.quantum_chess.protocols.state_server import StateServer
from qchess.games.quantum_chess.protocols.uqci import Engine
from qchess.playing import agents
from qchess.web.hall import Hall
from qchess.web.settings import Settings
from qchess.web.store import SqliteStore
from qchess.web.studies.sharing import study_values

#: what was made or run that should not have been
STARTED: list[str] = []


def counted() -> backends.Backend:
    """A device that counts that it was made."""
    STARTED.append("device")
    return backends.Backend("counted", backends.engine(), Seeded)


@pytest.fixture(autouse=True)
def quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that has counted nothing yet, and a module that must not come into being as a loaded one."""
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    row = backends.Row("counted", "a device", f"{__name__}:counted")
    monkeypatch.setattr("qchess.backends.catalogue.BACKENDS.registered", {"counted": row})
    (tmp_path / "planted.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\nsimulate = Rules = list\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "planted", raising=False)
    STARTED.clear()


def plan(game: str) -> Plan:
    """A stranger's plan of a tournament."""
    return Plan.from_json(json.dumps({"format": "qchess-arena-1", "game": game, "players": ["random", "greedy"]}))


def resumed(folder: Path, game: str, players: list[str]) -> None:
    """Continue a stranger's result file with a plan of one's own, and show it."""
    file = folder / "results.jsonl"
    theirs = {**json.loads(Plan("quantum-chess", ("random", "greedy")).to_json()), "game": game, "players": players}
    file.write_text(json.dumps(theirs) + "\n")
    assert main(["arena", "show", str(file)]) == 0
    run(Plan("quantum-chess", ("random", "greedy"), plies=2), file)


def included(folder: Path, name: str) -> None:
    """Load a stranger's circuit that includes a file, which may include another."""
    (folder / "circuits").mkdir(exist_ok=True)
    (folder / "secret").write_text("qreg leaked[1];")
    (folder / "circuits" / "beside.inc").write_text('include "../secret";')
    file = folder / "circuits" / "stranger.qasm"
    file.write_text(f'OPENQASM 2.0;\ninclude // "a\n {name};\nqreg q[1];\n')
    loaded(file)


def table_of(backend: str, offered: tuple[str, ...]) -> None:
    """Find a table in a stranger's store."""
    store = SqliteStore(":memory:")
    head: dict[str, object] = {"game": "quantum-chess", "backend": backend, "shown": "sparse", "seed": "1"}
    head |= {"options": {}, "seats": {}, "clock": None}
    store.open("planted", head)
    hall = Hall(Settings(backends=offered), store)
    try:
        asyncio.run(hall.find("planted"))
    finally:
        hall.pool.close()


def told(engine: Engine, line: str) -> None:
    """Send a line; its refusal is a line, too."""
    for answer in engine.answer(line):
        raise QchessError(answer)


DOORS: dict[str, Callable[[Path], object]] = {
    "the game of a plan": lambda _: plan("planted:Rules").rules(),
    "the game of a plan, any call": lambda at: plan("subprocess:Popen").rules(),
    "the game of a plan that is played": lambda at: run(plan("planted:Rules"), at / "out.jsonl"),
    "one game of a plan": lambda _: play(plan("planted:Rules"), next(plan("planted:Rules").fixtures())),
    "a plan that trusts itself": lambda _: Plan.from_json(
        plan("planted:Rules").to_json().replace("{", '{"trusted": true, ', 1)
    ),
    "the game of a result file": lambda at: resumed(at, "planted:Rules", ["random", "greedy"]),
    "the players of a result file": lambda at: resumed(at, "quantum-chess", ["planted:Agent", "greedy"]),
    "an agent by its place": lambda _: agents.get("planted:Agent"),
    "a backend by its place": lambda _: backends.get("planted:simulate"),
    "an included file": lambda at: included(at, '"../secret"'),
    "an included file by its whole path": lambda at: included(at, f"'{at / 'secret'}'"),
    "a file that an included file includes": lambda at: included(at, '"beside.inc"'),
    "a UQCI device": lambda _: told(Engine("random"), "setoption name Backend value counted"),
    "a UQCI queue": lambda _: told(Engine("random"), "setoption name Backend value queued:sparse-shots"),
    "a UQCI budget": lambda _: told(Engine("random"), "setoption name Backend value sparse-shots,budget_shots=9"),
    "a UQCI player by its place": lambda _: told(Engine("random"), "setoption name Player value planted:Agent"),
    "the game of a study": lambda _: study_values({"game": "planted:Rules", "nodes": []}),
}


def opened_nothing(folder: Path) -> bool:
    """Whether no device was made, no code was run, and no job or budget came into being."""
    made = [path for path in folder.rglob("*") if path.name in ("ran", "order.json") or "budget" in path.name]
    return not STARTED and not made and "planted" not in sys.modules


@pytest.mark.parametrize("door", DOORS)
def test_what_a_file_or_a_message_names_is_refused_in_one_sentence_and_not_opened(door: str, tmp_path: Path) -> None:
    with pytest.raises(QchessError) as refusal:
        DOORS[door](tmp_path)
    assert len(str(refusal.value).splitlines()) == 1
    assert opened_nothing(tmp_path)
    assert not (tmp_path / "out.jsonl").exists()


def test_a_stored_table_needs_a_backend_that_the_server_offers(tmp_path: Path) -> None:
    for backend in ("counted", "counted,branch_limit=64", "queued:sparse-shots", "sparse-shots,budget_shots=9"):
        with pytest.raises(QchessError, match="which this server does not offer"):
            table_of(backend, ("sparse",))
    assert opened_nothing(tmp_path)


def test_data_that_names_a_backend_opens_none(tmp_path: Path) -> None:
    StateServer(seed=1).init({"init_basis_state": 2, "backend": "counted", "path": str(tmp_path / "ran")})
    view = {**gameview.write(qchess.new("quantum-chess")), "backend": "counted", "agent": "planted:Agent"}
    assert MoveServer("random", seed=1).answer({"view": view, "backend": "counted"})
    assert study_values({"game": "quantum-chess", "nodes": [], "backend": "counted"}).keys().isdisjoint({"backend"})
    for name in ("counted", "planted.py", f"{tmp_path / 'planted.py'}:simulate"):  # simulators of a result file
        assert "a separate file or package" in _adapter(name, "f" * 64)
    assert "not this version's" in _adapter("sparse,unknown=1", "f" * 64)
    assert opened_nothing(tmp_path)


def test_the_users_word_opens_it(tmp_path: Path) -> None:
    trusted = Plan.from_json(plan("planted:Rules").to_json(), trust=True)
    assert trusted == plan("planted:Rules")
    with pytest.raises((InvalidMoveError, AttributeError)):  # its rules are only a list
        trusted.rules()
    assert (tmp_path / "ran").exists()
    told(Engine("random", backend="counted"), "setoption name Backend value counted")
    assert STARTED == ["device", "device"]
    sys.modules.pop("planted")
