"""Acts of players besides moving: resign, offer a draw, take back, play again, add words to the dice.

Each act is stored as a row or refused; a refused one changes nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from qchess.errors import IllegalMoveError
from qchess.rules import Result
from qchess.web import work
from qchess.web.clocks import now
from qchess.web.happening import as_before_if_it_fails, end, happen
from qchess.web.turns import go_on

if TYPE_CHECKING:
    from qchess.web.tables import Table

#: the limit of acts at a table, as a multiple of a game's moves: it stops endless taking back
MOST = 10


async def act(table: Table, player: str, name: str, what: str) -> None:
    """Do what a player asks for; a resend does nothing again."""
    arrived, client = now(), f"{player}:{name}"
    async with table.lock:
        if client in table.answered:
            return
        with as_before_if_it_fails(table, arrived):
            await ACTS[what](table, player, client)


async def take_name(table: Table, player: str, name: str) -> None:
    """Give a seat the name of the person who sits there now."""
    async with table.lock:
        if table.seats[player].named(name) is not table.seats[player]:
            await happen(table, {"kind": "name", "player": player, "name": name})


async def add_nonce(table: Table, player: str, name: str, words: str) -> None:
    """Mix words of a player into the seed of the dice, before the first answer; a resend does nothing again."""
    client = f"{player}:{name}"
    async with table.lock:
        if client in table.answered:
            return
        _refuse_if_over(table)
        if table.seal is None:
            raise IllegalMoveError("the dice of this table have no seal, so they take no words")
        if not words.strip():
            raise IllegalMoveError("expected some words to mix into the dice, got none")
        if table.game.is_answered or table.pending:
            raise IllegalMoveError("words come before the first answer, and this game has answers already")
        _refuse_if_too_many(table)
        await happen(table, {"kind": "nonce", "player": player, "words": words}, client)
        table.tell_state()


def _refuse_if_over(table: Table) -> None:
    if table.result:
        raise IllegalMoveError(f"the game is over: {table.result['reason']}")


def _refuse_if_too_many(table: Table) -> None:
    if len(table.rows) >= MOST * table.hall.settings.plies:
        raise IllegalMoveError("too many offers and requests at this table; play on, or end the game")


def _others(table: Table, player: str) -> list[str]:
    return [other for other, seat in table.seats.items() if other != player and seat.is_human]


async def _resign(table: Table, player: str, client: str) -> None:
    _refuse_if_over(table)
    await end(table, table.game.rules.forfeited(table.game.position, player, "resignation"), client)


async def _offered(table: Table, client: str, offers: Mapping[str, Any]) -> None:
    """Store the current offers, and announce them."""
    _refuse_if_too_many(table)
    await happen(table, {"kind": "offer", "offers": dict(offers)}, client)
    table.tell_offers()


# -- draws ------------------------------------------------------------------------------------------------------


async def _offer_draw(table: Table, player: str, client: str) -> None:
    _refuse_if_over(table)
    if not _others(table, player):
        raise IllegalMoveError("a computer player does not accept draws")
    if table.offers.draw == player:
        raise IllegalMoveError("you have already offered a draw")
    if table.offers.draw is not None:
        await _accept_draw(table, player, client)
    else:
        await _offered(table, client, {"draw": player})


async def _accept_draw(table: Table, player: str, client: str) -> None:
    _refuse_if_over(table)
    if table.offers.draw in (None, player):
        raise IllegalMoveError("no draw is offered")
    await end(table, Result(None, "agreement"), client)


async def _decline_draw(table: Table, player: str, client: str) -> None:
    if table.offers.draw in (None, player):
        raise IllegalMoveError("no draw is offered")
    await _offered(table, client, {"draw": None})


# -- taking back ------------------------------------------------------------------------------------------------


async def _ask_takeback(table: Table, player: str, client: str) -> None:
    """Ask a human opponent; computer players agree. Answers stand: the same move would get the same answer."""
    _refuse_if_over(table)
    plies = _plies_back(table, player)
    if table.offers.takeback == player:
        raise IllegalMoveError("you have already asked to take back a move")
    if table.offers.takeback is not None:
        raise IllegalMoveError("your opponent has asked to take back a move; accept or decline first")
    if _others(table, player):
        await _offered(table, client, {"takeback": player})
    else:
        await _take_back(table, player, plies, client)


async def _accept_takeback(table: Table, player: str, client: str) -> None:
    asks = table.offers.takeback
    if asks is None or asks == player:
        raise IllegalMoveError("nobody has asked to take back a move")
    await _take_back(table, asks, _plies_back(table, asks), client)


async def _decline_takeback(table: Table, player: str, client: str) -> None:
    if table.offers.takeback in (None, player):
        raise IllegalMoveError("nobody has asked to take back a move")
    await _offered(table, client, {"takeback": None})


def _plies_back(table: Table, player: str) -> int:
    """Return how many moves are taken back so that a player moves again."""
    if not table.head.get("takebacks", True):
        raise IllegalMoveError("moves cannot be taken back at this table")
    if table.pending:
        raise IllegalMoveError(f"{table.pending['text']} waits for its answer; no move can be taken back")
    if len(table.rows) >= MOST * table.hall.settings.plies:
        raise IllegalMoveError("too many offers and requests at this table; moves can no longer be taken back")
    for plies, told in enumerate(reversed(table.history), 1):
        if told["by"] == player:
            return plies
    raise IllegalMoveError("you have no move to take back")


async def _take_back(table: Table, player: str, plies: int, client: str) -> None:
    """Take moves back. Their rows stay: what was announced is never lost."""
    before = table.game.at(table.game.cut(table.ply - plies))
    last = table.game.history[-plies - 1].move if table.ply > plies else None
    board = work.board(before, last)

    def change() -> None:
        for _ in range(plies):
            table.game.undo()
        table.board = board

    clocks = table.clocks.stop(now()).kept(now())
    await happen(table, {"kind": "undo", "plies": plies, "by": player, "clocks": clocks}, client, None, change)
    go_on(table)
    table.tell_state()


# -- playing again ----------------------------------------------------------------------------------------------


async def _rematch(table: Table, player: str, client: str) -> None:
    """Offer to play again, with seats changed; when everybody has, the new table is opened."""
    if not table.result:
        raise IllegalMoveError("the game is not over yet")
    agreed = sorted({*table.offers.rematch, player})
    if table.offers.next is not None or agreed == table.offers.rematch:
        table.tell_offers()
    elif set(_others(table, player)) - set(agreed):
        await _offered(table, client, {"rematch": agreed})
    else:
        again = await table.hall.again(table)
        await happen(table, {"kind": "next", "game": again, "rematch": agreed}, client)
        table.tell_offers()


ACTS: dict[str, Callable[[Table, str, str], Awaitable[None]]] = {
    "resign": _resign,
    "offer-draw": _offer_draw,
    "accept-draw": _accept_draw,
    "decline-draw": _decline_draw,
    "ask-takeback": _ask_takeback,
    "accept-takeback": _accept_takeback,
    "decline-takeback": _decline_takeback,
    "rematch": _rematch,
}
