"""A move that a device answered comes with a line of its shots, as the terminal has it, and with what was read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import qchess
from qchess.backends.catalogue import Backend
from qchess.circuits.engine import Answer
from qchess.playing.record import Record
from qchess.showing import shots
from qchess.web import words, work
from qchess.web.jsontext import encoded
from qchess.web.serving import Serving
from qchess.web.studies import telling
from tests.web.foreign import KNIGHT, LINE, SAID, foreign
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, opened

READ = {"read": ["q0", "q1"], "strings": {"01": 52, "10": 46}, "other_shots": 2}
CHIP = {"backend": "chip", "kept": 98, "returned": 100, "two_qubit_gates": 1, "figures": [READ]}


def played(backend: Backend | str) -> qchess.Game[Any, Any]:
    """A game whose last move asked."""
    game = qchess.new("quantum-chess", backend=backend, seed=7, **KNIGHT)
    for text in LINE:
        game.play(text)
    return game


def test_only_a_move_that_a_device_answered_has_shots() -> None:
    first, second, last = telling.history(played("sparse-shots"))
    [one] = last["shots"]
    [answer] = last["provenance"]
    assert one["line"] == "100 of 100 shots kept, 1 two-qubit gate"
    assert one["answer"] == f"{answer['name']} = {answer['value']}"
    [circuit] = one["circuits"]
    assert (circuit["names"], circuit["others"]) == (["a3", "c3"], 0)
    assert dict(circuit["strings"]).keys() == {"01", "10"}
    assert sum(times for _, times in circuit["strings"]) == 100
    assert "shots" not in first | second


def test_what_was_read_goes_along_with_the_shots_and_not_with_the_provenance() -> None:
    game = played("sparse-shots")
    told = work.told(game)
    [answer], [kept] = told["provenance"], game.history[-1].answers
    assert set(kept.details) - set(answer["details"]) == {"figures"}
    assert told["shots"][0]["circuits"]
    device = replace(kept, details={**kept.details, "figures": [READ] * 100})  # too long to go along
    assert words.provenance([device]) == told["provenance"], "other details were left out for its sake"


def test_where_dice_answer_there_are_no_shots() -> None:
    assert not [entry for entry in telling.history(played("sparse")) if "shots" in entry]


def test_a_table_a_notebook_and_the_terminal_say_the_same() -> None:
    game = played("sparse-shots")
    at_table, in_notebook = work.told(game), telling.entry(game, 3)
    assert at_table["shots"] == in_notebook["shots"]
    assert [one["line"] for one in at_table["shots"]] == shots.lines(game.history[-1].answers)


def test_of_several_answers_each_line_says_which_and_dice_have_none() -> None:
    answers = [
        Answer("one", 1, 0.5, "chip", CHIP),
        Answer("two", 0, 0.5, "dice"),
        Answer("three", 0, 0.5, "chip", CHIP),
    ]
    found = shots.values(answers, {"q0": "a3", "q1": "c3"})
    assert [one["line"].partition(":")[0] for one in found] == ["one", "three"]
    assert [one["answer"] for one in found] == ["one = 1", "three = 0"]
    assert found[0]["circuits"] == [{"names": ["a3", "c3"], "strings": [["01", 52], ["10", 46]], "others": 2}]
    assert "note" not in found[0]


@pytest.mark.parametrize("figures", [[], [{}], "lost"])
def test_an_answer_from_before_strings_were_kept_has_its_line_and_says_so(figures: Any) -> None:
    [one] = shots.values([Answer("hit", 1, 0.5, "chip", {**CHIP, "figures": figures})], {})
    assert one["line"] == "98 of 100 shots kept, 1 two-qubit gate"
    assert (one["circuits"], one["note"]) == ([], "This record has no read-outs.")


def test_a_circuit_that_is_known_is_shown_beside_one_that_is_not() -> None:
    [one] = shots.values([Answer("hit", 1, 0.5, "chip", {**CHIP, "figures": [READ, {}]})], {})
    assert (len(one["circuits"]), one["note"]) == (1, "This record has no read-outs.")


def test_the_commonest_strings_are_sent_and_the_others_counted() -> None:
    strings = {f"{k:06b}": 100 - k for k in range(64)}
    read = {"read": list("abcdef"), "strings": strings, "other_shots": 5}
    [one] = shots.values([Answer("hit", 1, 0.5, "chip", {**CHIP, "figures": [read]})], {})
    [circuit] = one["circuits"]
    assert len(circuit["strings"]) == shots.SHOWN
    assert sum(times for _, times in circuit["strings"]) + circuit["others"] == sum(strings.values()) + 5


def test_names_of_a_device_are_bounded() -> None:
    game = played(foreign(job="j" * 5000))
    [one] = work.told(game)["shots"]
    assert len(one["line"]) == words.LINE
    assert one["line"].endswith("jjj …")
    wide = {"read": ["q" * 100] * 60, "strings": {"0" * 60: 100}}
    hit = replace(game.history[-1].answers[0], details={**CHIP, "figures": [wide]})
    wide_one = replace(game.history[-1], answers=(hit,))
    game.state = game.state._replace(moves=(*game.history[:-1], wide_one))
    told = work.told(game)
    assert told["shots"][0]["circuits"] == []
    assert "too many read-outs" in told["shots"][0]["note"]
    assert len(json.dumps(told["shots"])) < 1000


def test_a_secret_that_a_device_repeats_is_not_told() -> None:
    game = played(foreign(job="job of 5ec2e7"))
    assert "job of 5ec2e7" in json.dumps(work.told(game)["shots"])
    assert "5ec2e7" not in json.dumps(work.told(game, "5ec2e7"))
    cut = played(foreign(job=350 * "j" + "5ec2e7" * 20))
    assert "5ec" not in json.dumps(work.told(cut, "5ec2e7")), "a part of it would be told where the line is cut"


def test_names_of_a_device_go_along_as_they_are() -> None:
    [one] = work.told(played(foreign()))["shots"]
    assert one["line"] == SAID


def test_half_a_character_in_the_name_of_a_job_can_be_sent() -> None:
    game = played(foreign(job="ab\ud800"))
    assert b'"jobs":["ab?"]' in encoded(work.told(game)).encode()
    older = game.record().to_json().replace('"ab?"', '"ab\\ud800"')
    assert "\\ud800" in older
    again = qchess.replay(Record.from_json(older), backend="sparse")
    assert b'"jobs":["ab?"]' in encoded({"history": telling.history(again)}).encode()


@pytest.mark.slow
def test_players_onlookers_and_who_comes_back_are_told_the_shots_of_a_move(tmp_path: Any) -> None:
    store = str(tmp_path / "games.sqlite")
    with Serving(PATIENT, store=store) as server:
        table = opened(server.url, options=KNIGHT, backend="sparse-shots")
        heard = apart(_played(server.url, table))
    with Serving(PATIENT, store=store) as server:  # what was kept tells it as well
        assert apart(_seen(server.url, table)) == heard


async def _played(url: str, table: dict[str, Any]) -> list[Any]:
    """Plays the line; what everybody was told of the shots of each move."""
    async with (
        Player(url, table["game"], table["seats"]["white"]) as white,
        Player(url, table["game"], table["seats"]["black"]) as black,
        Player(url, table["game"]) as watcher,
    ):
        for ply, text in enumerate(LINE, 1):
            assert (await (black if ply == 2 else white).move(text))["kind"] == "moved"
            for player in (white, black, watcher):
                await player.until_ply(ply)
        told: list[list[Any]] = [[entry.get("shots") for entry in one.history] for one in (white, black, watcher)]
        assert told[0] == told[1] == told[2]
        assert white.answer is not None
        await white.send({"kind": "move", "id": white.answer["id"], "ply": 2, "text": LINE[-1]})
        again = await white.until("moved")
        assert (again["repeated"], again["shots"]) == (True, told[0][-1])
    assert told[0][:2] == [None, None]
    assert [one["line"] for one in told[0][2]] == ["100 of 100 shots kept, 1 two-qubit gate"]
    return told[0]


async def _seen(url: str, table: dict[str, Any]) -> list[Any]:
    """What who comes later is told of the shots of each move."""
    async with Player(url, table["game"]) as watcher:
        return [entry.get("shots") for entry in watcher.history]
