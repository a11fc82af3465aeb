"""A table over the wire: two players and somebody who looks on, sockets that are lost, and the record of it all."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.games import names
from qchess.playing.dice import seal
from qchess.playing.record import Record
from qchess.proving.witness import Finding, verify
from qchess.showing import viewjson
from qchess.web.serving import Serving
from tests.patience import PATIENCE
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, asked, opened, record, rounded

PLIES = 60
#: after how many plies who loses the connection: a player, the other one, and who looks on
CUTS = {13: "white", 29: "watcher", 44: "black"}


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with Serving(PATIENT) as started:
        yield started


@pytest.mark.parametrize("game", ["quantum-chess", "quantum-checkers"])
def test_two_play_and_a_third_watches_over_lost_sockets_and_all_see_what_a_replay_gives(
    server: Serving, game: str
) -> None:
    table = opened(server.url, game)
    seen = apart(_played(server.url, table, random.Random(f"sixty {game}")))
    told = record(server.url, table["game"])
    again = qchess.replay(told)
    shown = viewjson.view(again.view())
    for who, position in seen.items():
        assert rounded(position["view"]) == rounded(shown), who
        assert [entry["text"] for entry in position["history"]] == [played.text for played in again.history], who
    assert seen["white"] == seen["black"] == seen["watcher"]
    entries = json.loads(again.record().to_json())["entries"]
    assert rounded(entries) == rounded(json.loads(told)["entries"])
    assert len(again.history) == PLIES or again.result


async def _played(url: str, table: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Plays by chance, loses sockets on the way, and says what everybody sees at the end."""
    players = {who: Player(url, table["game"], secret) for who, secret in table["seats"].items()}
    everybody = {**players, "watcher": Player(url, table["game"])}
    for player in everybody.values():
        await player.connect()
    for ply in range(PLIES):
        mover = everybody["white"].state["player"]
        if not (moves := players[mover].state["moves"]):
            break
        cut = CUTS.get(ply)
        move = rng.choice(moves)["text"]
        if cut == mover:  # the answer to this move is lost with the socket
            sent = players[mover].new_move(move)
            await players[mover].send(sent)
            await asyncio.sleep(0.02)
            players[mover].cut()
            await players[mover].connect()
            while players[mover].answer is None:
                await players[mover].hear()
        else:
            assert (await players[mover].move(move))["kind"] == "moved"
        if cut and cut != mover:
            everybody[cut].cut()
            await everybody[cut].connect()
        for player in everybody.values():
            await player.until_ply(ply + 1)
    found = {who: player.position for who, player in everybody.items()}
    for player in everybody.values():
        await player.leave()
    return found


def test_every_game_of_the_catalogue_is_served(server: Serving) -> None:
    status, body = asked(f"{server.url}/api/games")
    catalogue = json.loads(body)
    assert status == 200
    assert [game["name"] for game in catalogue["games"]] == list(names())
    for game in catalogue["games"]:
        table = opened(server.url, game["name"])
        assert list(table["seats"]) == game["players"]
        apart(_a_few_moves(server.url, table))


def test_how_a_table_stands_is_told_without_a_socket(server: Serving) -> None:
    table = opened(server.url, "quantum-chess", clock={"kind": "fischer", "seconds": 300, "extra": 3})
    status, body = asked(f"{server.url}/api/tables/{table['game']}")
    told = json.loads(body)
    assert (status, told["player"], told["result"], told["ply"]) == (200, "white", None, 0)
    assert told["clocks"]["remaining"] == {"white": 300, "black": 300}
    assert told["seats"]["black"] == {"who": "human", "name": ""}
    assert asked(f"{server.url}/api/tables/nothing")[0] == 404


async def _a_few_moves(url: str, table: dict[str, Any]) -> None:
    rng = random.Random(table["title"])
    players = {who: Player(url, table["game"], secret) for who, secret in table["seats"].items()}
    first = next(iter(players.values()))
    for player in players.values():
        await player.connect()
    for ply in range(4):
        mover = players[first.state["player"]]
        assert (await mover.move(rng.choice(mover.state["moves"])["text"]))["kind"] == "moved"
        for player in players.values():
            await player.until_ply(ply + 1)
    assert all(player.state["moves"] == [] or who == first.state["player"] for who, player in players.items())
    for player in players.values():
        await player.leave()


def test_a_move_that_comes_again_gets_the_recorded_answer_and_is_not_played_twice(server: Serving) -> None:
    apart(_resent(server.url, opened(server.url)))


async def _resent(url: str, table: dict[str, Any]) -> None:
    async with Player(url, table["game"], table["seats"]["white"]) as white:
        sent = white.new_move("b1^a3c3")
        await white.send(sent)
        first = await white.until("moved")
        await white.send(sent)
        second = await white.until("moved")
        assert second["repeated"]
        assert [second[key] for key in ("ply", "id", "text")] == [first[key] for key in ("ply", "id", "text")]
        assert white.state["ply"] == 1
        await white.send({**sent, "id": "another"})
        refusal = await white.until("refused")
        assert refusal["stale"]
        assert refusal["id"] == "another"
        assert (await white.until("state"))["ply"] == 1


def test_the_sentence_says_what_was_asked_what_came_and_how_likely(server: Serving) -> None:
    fen = "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1"
    table = opened(server.url, options={"fen": fen})
    apart(_told(server.url, table))


async def _told(url: str, table: dict[str, Any]) -> None:
    async with (
        Player(url, table["game"], table["seats"]["white"]) as white,
        Player(url, table["game"], table["seats"]["black"]) as black,
    ):
        await white.move("c3^a4e4")
        await black.until_ply(1)
        await black.move("d5-d6")
        await white.until_ply(2)
        answer = await white.move("a4-b6")
        assert answer["sentence"] == ""  # an empty square is moved to without a question
        await black.until_ply(3)
        await black.move("d6-d7")
        await white.until_ply(4)
        answer = await white.move("b6-d7")
        assert answer["provenance"][0]["probability"] == pytest.approx(0.5)
        assert re.match(r"Is the knight on b6\? (Yes|No), 50% likely\. The knight was ", answer["sentence"])


def test_odds_previews_positions_circuits_and_registers_are_told_and_change_nothing(server: Serving) -> None:
    apart(_looked(server.url, opened(server.url)))


async def _looked(url: str, table: dict[str, Any]) -> None:
    async with Player(url, table["game"], table["seats"]["white"]) as white, Player(url, table["game"]) as watcher:
        await white.move("b1^a3c3")
        await watcher.until_ply(1)
        before = record(url, table["game"])

        async def ask(kind: str, answer: str, **fields: Any) -> dict[str, Any]:
            await watcher.send({"kind": kind, "ply": 1, **fields})
            found = await watcher.until(answer, "refused")
            assert found["kind"] == answer, found
            return found

        picked = (await ask("odds", "odds", square="g8"))["moves"]
        assert {tuple(move["from"]) for move in picked} == {("g8",)}
        assert {"g8-f6", "g8-h6", "g8^f6h6"} <= {move["text"] for move in picked}
        assert all(move["measures"] is False and move["chances"] == [] for move in picked)
        outcomes = (await ask("preview", "preview", text="g8-f6"))["outcomes"]
        assert [outcome["probability"] for outcome in outcomes] == [1.0]
        assert "f6" in outcomes[0]["view"]["men"]
        assert (await ask("danger", "danger"))["kings"] == {}
        start = await ask("look", "position", ply=0)
        assert "b1" in start["view"]["men"]
        assert "a3" not in start["view"]["men"]
        drawn = await ask("circuit", "circuit", of="move", level="exact")
        assert drawn["svg"].startswith("<svg")
        assert drawn["counts"]["exact"]["two-qubit gates"] > 0
        written = await ask("circuit", "circuit", of="move", level="exact", form="qasm3")
        assert "OPENQASM 3" in written["text"]
        held = await ask("register", "register", square="a3")
        assert sorted(held["qubits"]) == ["a3", "c3"]
        assert held["entropy"] == {"a3": 1.0, "c3": 1.0}
        assert sorted(branch["probability"] for branch in held["branches"]) == [0.5, 0.5]
        assert record(url, table["game"]) == before
        for player in (white, watcher):
            await player.send({"kind": "analyse", "ply": 1})
            assert "while people are playing" in (await player.until("refused"))["why"]


def test_a_computer_player_replies_by_itself_and_takes_back_both_moves(server: Serving) -> None:
    apart(_against(server.url, opened(server.url, preset="duel", seats={"black": "greedy"})))


async def _against(url: str, table: dict[str, Any]) -> None:
    assert list(table["seats"]) == ["white"]
    async with Player(url, table["game"], table["seats"]["white"]) as white:
        await white.move(white.state["moves"][0]["text"])
        await white.until_ply(2)
        assert white.history[-1]["by"] == "black"
        assert white.state["player"] == "white"
        await white.act("ask-takeback")
        assert (await white.until("state"))["ply"] == 0


def test_when_a_game_is_over_its_record_proves_its_answers(server: Serving) -> None:
    table = opened(server.url, "quantum-chess", options={"fen": "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"})

    async def played() -> dict[str, Any]:
        players = {who: Player(server.url, table["game"], secret) for who, secret in table["seats"].items()}
        async with players["white"] as white, players["black"] as black:
            for ply, text in enumerate(("b1^a3c3", "e8-e7", "c3-d5", "e7-e6"), 1):
                assert (await players[white.state["player"]].move(text))["kind"] == "moved"
                await white.until_ply(ply)
                await black.until_ply(ply)
            going = Record.from_json(record(server.url, table["game"]))
            assert (going.seed, going.seal) == (None, white.state["seal"])
            assert verify(going).holds
            await white.act("resign")
            while not white.state["result"]:
                await white.hear()
            return white.state

    state = apart(played())
    over = Record.from_json(record(server.url, table["game"]))
    assert over.seal == state["seal"] == seal(str(over.seed))
    found = verify(over)
    assert found.holds
    assert [each.finding for each in found.answers] == [Finding.PROVED]


def test_each_player_mixes_words_into_the_dice_until_the_first_answer(server: Serving) -> None:
    table = opened(server.url, "quantum-chess", options={"fen": "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"})

    async def refused(player: Player, words: str, why: str) -> None:
        await player.send({"kind": "nonce", "id": f"r {len(words)}", "words": words})
        assert why in (await player.until("refused"))["why"]

    async def played() -> dict[str, Any]:
        players = {who: Player(server.url, table["game"], secret) for who, secret in table["seats"].items()}
        async with players["white"] as white, players["black"] as black, Player(server.url, table["game"]) as watcher:
            assert watcher.state["nonces"] == {}
            await white.send({"kind": "nonce", "id": "1", "words": "a rainy day"})
            for each in (white, black, watcher):
                assert (await each.until("state"))["nonces"] == {"white": "a rainy day"}
            await refused(watcher, "x", "spectators cannot play")
            await refused(white, " ", "expected some words")
            await refused(white, "x" * 201, "'words'")
            for ply, text in enumerate(("b1^a3c3", "e8-e7"), 1):
                await players[white.state["player"]].move(text)
                await white.until_ply(ply)
                await black.until_ply(ply)
            await black.send({"kind": "nonce", "id": "2", "words": "7 geese"})
            assert (await black.until("state"))["nonces"] == {"white": "a rainy day", "black": "7 geese"}
            await white.until("state")
            await white.move("c3-d5")
            await black.until_ply(3)
            await refused(black, "too late", "words come before the first answer, and this game has answers already")
            await white.act("resign")
            while not white.state["result"]:
                await white.hear()
            return white.state

    state = apart(played())
    over = Record.from_json(record(server.url, table["game"]))
    assert over.nonces == state["nonces"] == {"white": "a rainy day", "black": "7 geese"}
    found = verify(over)
    assert found.holds
    assert [each.finding for each in found.answers] == [Finding.PROVED]


def test_records_come_in_every_form_and_without_the_seed(server: Serving) -> None:
    table = opened(server.url)
    for form, begins in (("json", b"{"), ("pgn", b"[Event"), ("svg", b"<svg"), ("txt", b"8")):
        status, body = asked(f"{server.url}/api/tables/{table['game']}/record.{form}")
        assert (status, body[: len(begins)]) == (200, begins)
    assert asked(f"{server.url}/api/tables/{table['game']}/record.pdn")[0] == 404
    assert asked(f"{server.url}/api/tables/nosuchtable/record.json")[0] == 404
    assert json.loads(record(server.url, table["game"]))["seed"] is None
    whole = json.loads(asked(f"{server.url}/api/tables/{table['game']}/views.json")[1])
    assert len(whole["views"]) == 1 + len(whole["history"])


def test_public_tables_are_listed_while_somebody_is_there(server: Serving) -> None:
    quiet, loud = opened(server.url), opened(server.url, public=True, name="come in")

    async def listed() -> list[str]:
        async with (
            Player(server.url, quiet["game"], quiet["seats"]["white"]),
            Player(server.url, loud["game"], loud["seats"]["white"]),
        ):
            body = await asyncio.to_thread(asked, f"{server.url}/api/tables")
            return [table["game"] for table in json.loads(body[1])["tables"]]

    assert apart(listed()) == [loud["game"]]


def test_a_server_ends_although_clients_are_there() -> None:
    with Serving(PATIENT) as server:
        table = opened(server.url)

        async def stay() -> int | None:
            async with Player(server.url, table["game"]) as watcher:
                server.stop()
                assert watcher.socket is not None
                await asyncio.wait_for(watcher.socket.wait_closed(), PATIENCE)
                return watcher.socket.close_code

        assert apart(stay()) == 1012
    assert server._thread is not None
    server._thread.join(PATIENCE)
    assert not server._thread.is_alive()


@pytest.mark.slow
def test_a_game_of_ones_own_is_played_in_a_worker_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"own_web_{tmp_path.name}".replace("-", "_")
    own = f"from qchess.games import quantum_tic_tac_toe as t\n\nclass Mine(t.QuantumTicTacToe):\n    name = {name!r}\n"
    (tmp_path / f"{name}.py").write_text(own, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("qchess.games.catalogue.GAMES.registered", {})
    with Serving(replace(PATIENT, plugins=(f"{name}:Mine",))) as server:
        table = opened(server.url, name, seats={"o": "greedy"})
        apart(_replied(server.url, table))
        assert json.loads(record(server.url, table["game"]))["game"] == name


async def _replied(url: str, table: dict[str, Any]) -> None:
    async with Player(url, table["game"], table["seats"]["x"]) as mine:
        await mine.move("a1b2")
        await mine.until_ply(2)
