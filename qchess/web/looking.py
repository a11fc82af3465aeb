"""Questions that change nothing: odds, previews, dangers, positions, circuits, registers, an agent's opinion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qchess.errors import IllegalMoveError, InvalidMoveError

if TYPE_CHECKING:
    from qchess.web.tables import Table
    from qchess.web.wire import Message

#: the agent that judges a position
ANALYST = "mcts@0.5s"


def _at(table: Table, message: Message) -> int:
    """Return the position that a question is about; the last one as -1, with what it waits for."""
    ply: int = message["ply"]
    if ply > table.ply:
        raise InvalidMoveError(f"there is no position {ply} yet; the last one is {table.ply}")
    return -1 if ply == table.ply else ply


async def odds(table: Table, player: str | None, message: Message) -> dict[str, Any]:
    """Return the moves from a square, or one move, with their questions and the odds of each answer."""
    asked = {"text": message["text"]} if message["text"] is not None else {"square": message["square"] or ""}
    seconds = table.hall.settings.odds_seconds
    found = await table.ask("odds", ply=_at(table, message), within=seconds, **asked)
    return {"kind": "odds", "ply": message["ply"], **asked, "moves": found}


async def preview(table: Table, player: str | None, message: Message) -> dict[str, Any]:
    """Return every way a move can end."""
    found = await table.ask("preview", ply=_at(table, message), text=message["text"])
    return {"kind": "preview", "ply": message["ply"], **found, "text": message["text"]}


async def again(table: Table, player: str | None, message: Message) -> dict[str, Any]:
    """Return how a past question could have been answered, and a hundred answers where a round of them is named.

    They are drawn from the table's name: the same for everybody, and unrelated to the secret seed of its answers.
    """
    ply, number = message["ply"], message["round"]
    _at(table, message)
    if not ply:
        raise InvalidMoveError("no move was played before position 0")
    text = table.history[ply - 1]["text"]
    seed = None if number is None else f"{table.name} {ply} {text} {number}"
    found = await table.ask("again", ply=ply - 1, text=text, seed=seed)
    return {"kind": "again", "ply": ply, "round": number, **found}


async def danger(table: Table, player: str | None, message: Message) -> dict[str, Any]:
    """Return how likely each king of the player to move could be captured next turn."""
    return {"kind": "danger", "ply": message["ply"], "kings": await table.ask("danger", ply=_at(table, message))}


async def look(table: Table, player: str | None, message: Message) -> dict[str, Any]:
    """Return an earlier position."""
    ply = _at(table, message)
    told = table.history[message["ply"] - 1] if message["ply"] else {"text": "", "sentence": ""}
    last = table.game.history[message["ply"] - 1].move if message["ply"] else None
    view = table.board.view if ply == -1 else await table.ask("view", ply=ply, last=last)
    return {"kind": "position", "ply": message["ply"], "view": view, "text": told["text"], "sentence": told["sentence"]}


async def circuit(table: Table, player: str | None, message: Message) -> dict[str, Any]:
    """Return the circuit of a move, of a register, or of the whole game."""
    asked = {name: found for name in ("text", "square", "level", "form") if (found := message[name]) is not None}
    return {"kind": "circuit", **await _studied(table, message, "circuit", of=message["of"], **asked)}


async def register(table: Table, player: str | None, message: Message) -> dict[str, Any]:
    """Return the register of a square."""
    return {"kind": "register", **await _studied(table, message, "register", square=message["square"])}


async def _studied(table: Table, message: Message, question: str, **asked: Any) -> Any:
    """Return a worker's answer about a whole game, which it replays."""
    _at(table, message)
    rows = [row.entry for row in table.rows]
    told = {"rows": rows, "secret": table.secret, "shown": message["ply"]}
    return await table.ask(question, ply=0, elsewhere=True, **told, **asked)


async def analyse(table: Table, player: str | None, message: Message) -> dict[str, Any]:
    """Return an agent's opinion of a position; hidden while people play, since players can also watch."""
    if not table.result and any(seat.is_human for seat in table.seats.values()):
        raise IllegalMoveError("analysis by agents is not available while people are playing")
    seconds = table.hall.settings.agent_seconds
    asked: dict[str, Any] = {"agent": ANALYST, "seed": f"analysis {table.name} {message['ply']}"}
    found = await table.ask("analyse", ply=_at(table, message), elsewhere=True, seconds=seconds, **asked)
    return {"kind": "analysis", "ply": message["ply"], **found}
