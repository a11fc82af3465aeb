"""What is told of the tables and the study of a web server's store, and how one of each goes on."""

from __future__ import annotations

import json
from typing import Any

from qchess import backends
from qchess.games import rules
from qchess.playing.game import Game
from qchess.playing.replaying import replayed
from qchess.web import seeds, turns, work
from qchess.web.hall import Hall
from qchess.web.settings import Settings
from qchess.web.store import opened
from qchess.web.studies.asking import line_of
from qchess.web.studies.routes import Studies
from qchess.web.studies.sharing import study_values
from qchess.web.tables import Table
from tests.old.saying import said
from tests.web.player import apart


def told_of(where: str, names: dict[str, Any]) -> dict[str, Any]:
    """What a server tells of the games in a store, before and after somebody moved; what is played is kept there."""
    return apart(_told_of(where, names))


async def _told_of(where: str, names: dict[str, Any]) -> dict[str, Any]:
    hall = Hall(Settings(), opened(where))
    ended, going = await hall.find(names["table"]), await hall.find(names["again"])
    assert ended is not None
    assert going is not None
    told = {"table": told_of_table(ended), "again": told_of_table(going), "study": await told_of_study(hall, names)}
    queued = waiting_in(hall, names["queued"])
    told["queued"] = {"said": said(queued), "pending": str(queued.pending)}
    went = work.collect(queued)
    assert went is not None
    told["queued"]["answered"] = went.row["move"]
    await turns.play(going, going.player, "m2", going.ply, "c3-d5")
    await hall.close()
    later = Hall(Settings(), opened(where))
    found = await later.find(names["again"])
    assert found is not None
    told["played"] = told_of_table(found)
    del told["played"]["left"]  # the clock ran while somebody thought
    await later.close()
    return told


async def told_of_study(hall: Hall, names: dict[str, Any]) -> dict[str, Any]:
    """A study that was shared and changed; whoever has its key may change it again."""
    shared = Studies(hall).kept
    study = json.loads(await shared.read(names["study"]) or "")
    assert not await shared.change(names["study"], "another key", study_values(study))
    assert await shared.change(names["study"], names["key"], study_values(study))
    assert json.loads(await shared.read(names["study"]) or "") == study
    return {
        "study": study,
        "said": said(replayed(rules(study["game"], **study["options"]), line_of(study["nodes"][1:]))),
    }


def told_of_table(table: Table) -> dict[str, Any]:
    """A table as its rows tell it."""
    return {
        "said": said(table.game),
        "history": table.history,
        "result": table.result,
        "seats": {player: [seat.who, seat.name] for player, seat in table.seats.items()},
        "left": dict(table.clocks.remaining),
        "running": table.clocks.running,
        "next": table.offers.next,
        "answered": {name: answer.get("text", "") for name, answer in table.answered.items()},
        "rows": [row.entry["kind"] for row in table.rows],
    }


def waiting_in(hall: Hall, name: str) -> Game[Any, Any]:
    """The game of a table that waits for a device, as a worker tells it again."""
    kept = hall.keeping.store.read(name)
    assert kept is not None
    backend, secret = backends.get(kept.head["backend"]), kept.head["seed"]
    made = rules(kept.head["game"], **kept.head["options"])
    game: Game[Any, Any] = Game(made, backend, source=seeds.source(backend, secret))
    work.replay(game, [row.entry for row in kept.rows], secret)
    return game
