"""A report says what a record tells: circuits, shots, exact and observed odds; it runs nothing again."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.circuits.engine import Answer
from qchess.errors import QchessError
from qchess.games import presets
from qchess.playing import agents
from qchess.playing.agents import Budget, Task
from qchess.playing.record import Record
from qchess.playing.replaying import squares
from qchess.showing.report import STRINGS, measurements, plots, text, waiting
from qchess.showing.shots import lines, tables

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
    assert one.agreement is not None
    assert one.agreement > 0.99
    assert one.fidelity == one.agreement  # its former name
    assert json.loads(json.dumps(one.values())) == one.values()


@pytest.mark.parametrize("told", [{}, {"backend": "chip", "fallback": "it failed"}, {"backend": 3, "returned": 4}])
def test_an_answer_without_shots_has_no_line_of_them(told: dict[str, Any]) -> None:
    assert lines([Answer("hit", 1, 0.5, "dice", told)]) == []


def test_of_several_answers_each_line_says_which() -> None:
    told = {"backend": "chip", "kept": 7, "returned": 9, "machine": "lost", "jobs": ["a", "b"]}
    assert lines([Answer(name, 1, 0.5, "chip", told) for name in ("one", "two")]) == [
        f"{name}: 7 of 9 shots kept, 0 two-qubit gates, jobs a and b" for name in ("one", "two")
    ]


def test_names_that_a_device_gave_stay_in_the_line() -> None:
    told = {"backend": "chip", "kept": 7, "returned": 9, "jobs": ["\x1b[31ma\nb\u202e\ud800ä <b>"]}
    assert lines([Answer("hit", 1, 0.5, "chip", told)]) == ["7 of 9 shots kept, 0 two-qubit gates, job ?[31ma?b??ä <b>"]


def test_the_strings_that_were_read_are_shown_with_their_squares() -> None:
    read = {"read": ["p1.a", "p1.c"], "strings": {f"{k:02b}": 60 - k for k in range(4)}, "other_shots": 7}
    told = {"backend": "chip", "kept": 7, "returned": 9, "figures": [read, {}]}
    assert tables([Answer("hit", 1, 0.5, "chip", told)], {"p1.a": "a3", "p1.c": "c3"}) == [
        "hit = 1: 7 of 9 shots kept, 0 two-qubit gates\n"
        "  a3 c3\n   0  0  60\n   0  1  59\n   1  0  58\n   1  1  57\n  other  7\n"
        "  This record has no read-outs."
    ]


def test_what_was_read_survives_a_record_and_is_no_news_to_an_old_one(record: Record) -> None:
    [told] = measurements(record)[0].figures
    assert (told.read, sum(told.strings.values()), told.other_shots) == (("a3", "c3"), 400, 0)
    data = json.loads(record.to_json())
    for name in ("read", "strings", "other_shots"):
        del data["entries"][2]["answers"][0]["details"]["figures"][0][name]
    [old] = measurements(Record.from_json(json.dumps(data)))[0].figures
    assert (old.read, dict(old.strings), old.distance) == ((), {}, told.distance)


def test_the_text_shows_them(record: Record) -> None:
    told = text(record)
    assert "quantum-chess on sparse-shots,shots=400: 3 turns, 1 open question\n" in told
    assert (
        "whole registers: 1 question, 400 shots, 400 kept (100.0%, of coin flips 50.0%); agreement of the answers"
        in told
    )
    assert re.search(r"hit = 1: exact 0\.5000, observed 0\.\d{3} \(2 sigma: 0\.4\d\d to 0\.5\d\d\)", told)
    assert "circuit (prepared): 2 qubits; 1 two-qubit gate; depth " in told
    assert "400 asked, 400 returned, 400 kept; dropped: none" in told
    assert "kept 100.0%, of coin flips 50.0%" in told
    assert re.search(
        r"all strings read: distance from the exact odds 0\.0\d\d \(an ideal device 0\.00\d to 0\.0\d\d, coin", told
    )
    assert re.search(r"all strings read: Hellinger fidelity (0\.99\d|1\.000) \(an ideal device 0\.99\d to 1", told)
    assert "agreement of the answer with its exact odds, kept shots: 0.99" in told


def strings_in(told: str) -> list[tuple[str, int, str]]:
    """The strings that a report shows: bits, shots, and what is said of them."""
    rows = re.findall(r"^ {9}([01]+) +(\d+) shots, (.*)$", told, re.MULTILINE)
    return [(bits, int(times), rest) for bits, times, rest in rows]


def test_the_text_shows_which_strings_were_read(record: Record) -> None:
    told = text(record)
    assert "       strings read, from left to right a3 c3:\n" in told
    found = strings_in(told)
    assert {bits for bits, _, _ in found} == {"01", "10"}  # half a knight each
    assert sum(times for _, times, _ in found) == 400
    assert [rest for _, _, rest in found] == [f"{times / 400:.1%} (exact 50.0%), kept" for _, times, _ in found]
    assert "more string" not in told


def read_as(record: Record, **changed: Any) -> str:
    """The report of the record, had its one circuit these figures too."""
    [figures] = json.loads(record.to_json())["entries"][2]["answers"][0]["details"]["figures"]
    return text(told_by({"figures": [{**figures, **changed}]}, record))


@pytest.mark.parametrize(
    ("count", "other", "last"),
    [(8, 0, ""), (9, 0, "and 1 more string, 92 shots"), (20, 0, "and 12 more strings, 1038 shots"),
     (64, 5, "and more than 56 more strings, 3617 shots"), (8, 3, "and more strings, 3 shots")],
)  # fmt: skip
def test_the_rarer_strings_are_counted(count: int, other: int, last: str, record: Record) -> None:
    strings = {f"{k:06b}": 100 - k for k in range(count)}
    told = read_as(record, read=list("abcdef"), strings=strings, other_shots=other, dropped_strings={"000001": "count"})
    found = strings_in(told)
    assert {bits: times for bits, times, _ in found} == dict(list(strings.items())[:STRINGS])
    assert [rest.partition(", ")[2] for _, _, rest in found[:3]] == ["kept", "dropped: wrong number of pieces", "kept"]
    rest = [int(shots) for shots in re.findall(r"more strings?, (\d+) shots", told)]
    assert sum(times for _, times, _ in found) + sum(rest) == sum(strings.values()) + other
    assert (f"\n         {last}\n" in told) if last else ("more string" not in told)


def test_a_single_shot_and_why_it_was_dropped_are_in_words(record: Record) -> None:
    why = {"00": "count", "11": "impossible", "01": "of another kind"}
    told = read_as(record, strings={"10": 2, "00": 1, "11": 1, "01": 1}, string_odds=None, dropped_strings=why)
    assert [line.strip() for line in told.splitlines() if re.match(" {9}[01]", line)] == [
        "10  2 shots, 40.0%, kept",
        "00  1 shot, 20.0%, dropped: wrong number of pieces",
        "11  1 shot, 20.0%, dropped: impossible",
        "01  1 shot, 20.0%, dropped: of another kind",
    ]
    dropped = text(told_by({"dropped": {"history": 0, "count": 3, "impossible": 1}}, record))
    assert "kept; dropped: 3 (wrong number of pieces), 1 (impossible)\n" in dropped


def test_an_older_record_shows_what_it_has_of_the_strings(record: Record) -> None:
    no_more = {"string_odds": None, "dropped_strings": None}
    assert [rest for _, _, rest in strings_in(read_as(record, **no_more))] == ["52.0%", "48.0%"]
    without = read_as(record, **no_more, strings=None, read=None, other_shots=None)
    kept = [line for line in text(record).splitlines() if "strings read, from" not in line and "(exact" not in line]
    assert without.splitlines() == kept


def test_the_bits_of_a_piece_are_shown_under_its_square() -> None:
    options = presets.options("piece-qubit-chess", "short")
    game = qchess.new("piece-qubit-chess", backend="sparse-shots", seed=5, **options)
    player, rng = agents.get("random"), random.Random(5)
    while not game.is_over:
        game.play(player.choose(Task(game.rules, game.position, rng, Budget())).move)
    record = Record.from_json(game.record().to_json())
    by_square, by_name = text(record, squares(record)), text(record)
    assert "strings read" in by_square
    for before, played in zip(game.positions, game.history, strict=False):
        for told in (each for answer in played.answers for each in answer.details.get("figures", ())):
            stands = " ".join(game.rules.squares(before)[name] for name in told["read"])
            assert f"from left to right {stands}:\n" in by_square
            assert f"from left to right {' '.join(told['read'])}:\n" in by_name


def test_squares_are_told_as_far_as_a_record_can_be_told_again(record: Record) -> None:
    assert squares(record) == [{}, {}, {}, {}]
    values = json.loads(record.to_json())
    values["entries"][1]["move"] = "e8-e1"
    assert squares(Record.from_json(json.dumps(values))) == [{}, {}]
    values["game"] = "a game of nobody's"
    assert squares(Record.from_json(json.dumps(values))) == []


def test_whatever_a_device_calls_itself_stays_in_its_line(record: Record) -> None:
    foreign = "\x1b[31mq\n<b>\u202e\ud800"
    changed = {"jobs": [foreign], "machine": [{"physical": [foreign]}], "calibrated": foreign, "made": foreign}
    told, plain = text(told_by(changed, record)), text(told_by({**changed, "jobs": ["ab"]}, record))
    assert "job ?[31mq?<b>??, calibrated ?[31mq?<b>??" in told
    assert "on qubits: ?[31mq?<b>??\n" in told
    assert len(told.splitlines()) == len(plain.splitlines())
    assert told.replace("\n", "").isprintable()
    assert "from left to right ?[31mq?<b>?? c3:\n" in read_as(record, read=[foreign, "c3"])


def told_by(details: dict[str, object], record: Record, **changed: str) -> Record:
    """The record, had its one answer these details too."""
    values = json.loads(record.to_json())
    values["entries"][2]["answers"][0]["details"].update(details)
    values["entries"][2]["answers"][0].update(changed)
    return Record.from_json(json.dumps(values))


def test_what_the_last_question_left_of_a_budget_is_shown(record: Record) -> None:
    values = json.loads(record.to_json())
    [first] = values["entries"][2]["answers"]
    last = {
        **first,
        "details": {**first["details"], "budget": {"seconds": 600, "seconds_left": 597.5, "shots": 9000, "left": 8200}},
    }
    first["details"]["budget"] = {"shots": 9000, "left": 8600}
    values["entries"][2]["answers"] = [first, last]
    told = Record.from_json(json.dumps(values))
    shown = (
        "  budget of sparse-shots: 8200 of 9000 shots and 597.5 of 600 seconds of use left after the last question\n"
    )
    assert text(told).count("budget") == text(told).count(shown) == 1
    assert [one.values()["budget"] for one in measurements(told)] == [
        answer["details"]["budget"] for answer in (first, last)
    ]


def test_a_budget_has_the_name_under_which_it_is_kept(record: Record) -> None:
    told = told_by(
        {"budget": {"shots": 500, "left": 100}, "backend": "aer-noisy"}, record, source="device queued:9:aer-noisy"
    )
    assert "  budget of queued:9:aer-noisy: 100 of 500 shots left after the last question\n" in text(told)
    instead = told_by({"budget": {"shots": 500, "left": 100}}, record, source="seed 7, instead of device ibm:x")
    assert "  budget of ibm:x: 100 of 500 shots left after the last question\n" in text(instead)


@pytest.mark.parametrize("budget", [3, [], {"shots": 5}, {"left": 5}, {"shots": "many", "left": "few"}])
def test_a_record_without_a_budget_shows_none(budget: object, record: Record) -> None:
    assert "budget" not in text(told_by({"budget": budget}, record))
    assert "budget" not in text(record)


def test_the_interval_of_a_frequency_holds_the_odds_and_is_never_wider_than_all(record: Record) -> None:
    [one] = measurements(told_by({"observed": {"1": 1}}, record))
    assert one.interval("0") == pytest.approx((0.0, 0.8))
    assert one.interval("1") == pytest.approx((0.2, 1.0))
    assert "observed 0.000 (2 sigma: 0.000 to 0.800)" in text(told_by({"observed": {"1": 1}}, record))
    for times in (0, 1, 7, 50, 100):
        [one] = measurements(told_by({"observed": {"1": times, "0": 100 - times}}, record))
        low, high = one.interval("1") or (1.0, 0.0)
        # the ends are the odds from which the share is two standard deviations away
        for p in (low, high):
            assert p in (0, 1) or abs(times / 100 - p) == pytest.approx(2 * (p * (1 - p) / 100) ** 0.5)


def test_questions_in_part_are_counted_apart_and_never_averaged_with_the_rest(record: Record) -> None:
    values = json.loads(record.to_json())
    [answer] = values["entries"][2]["answers"]
    part = json.loads(json.dumps(answer))
    part["details"].update(made="prepared in part", widths=[1], left_out=[5], observed={"1": 400}, figures=[])
    failed = json.loads(json.dumps(answer))
    failed["details"].update(fallback="it failed", kept=0)
    values["entries"][2]["answers"] = [answer, part, part, failed]
    told = text(Record.from_json(json.dumps(values)))
    assert "3 turns, 4 open questions\n" in told
    assert "  whole registers: 1 question, 400 shots, 400 kept" in told
    in_part = (
        "  in part, the asked qubits alone: 2 questions, 800 shots, 800 kept (100.0%); agreement of the answers 0.5000"
    )
    assert in_part in told
    assert "  not answered by the device: 1 question\n" in told
    assert "circuit (prepared in part): 1 of 6 qubits" in told
    assert [one.in_part for one in measurements(Record.from_json(json.dumps(values)))] == [False, True, True, False]


def test_what_was_sent_is_told_circuit_by_circuit_and_with_its_depth_on_the_chip(record: Record) -> None:
    machine = [
        {"physical": [1, 2], "two_qubit_gates": 1, "depth": 9},
        {"physical": [3], "two_qubit_gates": 3, "depth": 18},
    ]
    [figures] = json.loads(record.to_json())["entries"][2]["answers"][0]["details"]["figures"]
    changed = {"circuits": 2, "widths": [2, 4], "two_qubit_gates": 4, "depth": 11, "machine": machine,
               "figures": [figures, {**figures, "kept_coins": 0.25, "like_coins": True, "kept_expected": 0.9}],
    }  # fmt: skip
    told = text(told_by(changed, record))
    assert "2 circuits (prepared): 2 and 4 qubits; 4 two-qubit gates, 4 on the chip; depth 11, 18 on the chip" in told
    assert "circuit 1, kept 100.0%, of coin flips 50.0%\n" in told
    assert (
        "circuit 2, kept 100.0%, expected of this device 90.0%, of coin flips 25.0%; no better than coin flips\n"
        in told
    )
    assert "400 kept (100.0%, of coin flips 37.5%)" in told
    one = {**figures, "like_coins": True, "likelier": 0.505, "likelier_exact": 0.85, "likelier_coins": 0.5}
    line = "strings likelier than with coin flips: 50.5% of the shots, exact 85.0%, of coin flips 50.0%; no better than"
    assert f"{line} coin flips\n" in text(told_by({"figures": [one]}, record))
    older = text(told_by({"circuits": 2, "widths": None, "qubits": 4, "figures": None}, record))
    assert "2 circuits (prepared): 4 qubits at most; " in older


def test_a_job_that_was_found_again_is_told(record: Record) -> None:
    found = "the job had been sent before"
    told: dict[str, Any] = {"jobs": ["ab12"], "found": found, "picked": "one of"}
    assert f"job ab12, {found}, one of" in text(told_by(told, record))
    tagged = text(told_by({**told, "usage": {"tags": ["qchess", "q1f3"]}}, record))
    assert f"job ab12, tags qchess q1f3, {found}, one of" in tagged


def test_all_that_ran_for_an_answer_is_counted_and_the_error_that_stays_unseen_is_shown(record: Record) -> None:
    machine = [{"undetected_error": 0.0123}, {"undetected_error": 0.004}]
    changed = {"shots_run": 3400, "usage": {"seconds": 2.25}, "machine": machine, "expected_fidelity": 0.9}
    told = text(told_by(changed, record))
    assert "  all that ran, trials of the qubits included: 3400 shots\n" in told
    assert "  use, as counted by the vendor: 2.2 s on devices\n" in told
    both = text(told_by({"usage": {"seconds": 2.25}, "expected_seconds": 2.0256}, record))
    assert "2.2 s on devices\n  use, as expected before of 1 question of these: 2.0 s\n" in both
    assert "as expected before" not in told
    unused = text(told_by({"expected_seconds": 2.0256}, record))
    assert "\n  use, as expected before of 1 question, not counted by the vendor: 2.0 s\n" in unused
    assert "400 kept; dropped: none; 3400 ran, trials of the qubits included\n" in told
    unseen = (
        "fidelity of what was sent: 0.900; error that no count of pieces shows: 0.0123, 0.0040, constant angle errors"
    )
    assert f"{unseen} not included\n" in told
    counted = [{**one, "undetected_angles": True} for one in machine]
    assert f"{unseen} included\n" in text(told_by({**changed, "machine": counted}, record))
    assert f"{unseen} not" in text(told_by({**changed, "machine": [counted[0], machine[1]]}, record))
    assert " ran" not in text(told_by({"shots_run": 400}, record))


def test_a_record_that_waits_says_so_and_for_what(record: Record) -> None:
    values = json.loads(record.to_json())
    last = values["entries"].pop()
    ticket = {"job": "ab12", "device": "ibm:somewhere"}
    waits: dict[str, Any] = {"move": "c3-d5", "answers": [], "question": "hit", "ticket": ticket}
    values["pending"] = waits
    told = text(Record.from_json(json.dumps(values)))
    assert "2 turns, 0 open questions\n  1 question is waiting: hit of c3-d5 on ibm:somewhere, job ab12" in told
    assert "No measurement" not in told
    waits["ticket"] = {"jobs": ["ab12", "ab13"], "device": "google:somewhere"}
    assert "on google:somewhere, job ab12, job ab13" in text(Record.from_json(json.dumps(values)))
    waits["ticket"] = None
    assert "on sparse-shots,shots=400, not handed in yet" in text(Record.from_json(json.dumps(values)))
    waits["answers"] = last["answers"]  # a turn's first question may be answered while its second waits
    both = Record.from_json(json.dumps(values))
    assert [(one.ply, one.move, one.question) for one in measurements(both)] == [(3, "c3-d5", "hit")]
    assert waiting(both) == {"move": "c3-d5", "question": "hit", "device": "sparse-shots,shots=400", "jobs": []}


def test_a_game_of_seeded_dice_has_odds_and_no_shots() -> None:
    game = qchess.new("quantum-chess", seed=7, fen=FEN)
    for move in ("b1^a3c3", "e8-e7", "c3-d5"):
        game.play(move)
    [one] = measurements(game.record())
    assert (one.device, one.fidelity, one.share("1")) == ("", None, None)
    assert "from seed 7" in text(game.record())
    with pytest.raises(QchessError, match="nothing to draw"):
        plots(game.record(), Path("nowhere"))
    assert "No measurement was needed." in text(qchess.new("quantum-chess").record())


@pytest.mark.parametrize(
    "details",
    [{"observed": 7, "odds": "x", "machine": [3, {"physical": 5}], "kept": "many", "seconds": "long"},
     {"figures": [7, {"kept": "x", "distance_noise": [1], "shots": -1}], "widths": 3, "left_out": ["a"], "found": 1},
     {"figures": [{"strings": {"1": 0}, "read": ["a"], "string_odds": {"1": "x"}, "dropped_strings": {"1": 2}}]},
     {"figures": [{"strings": {"1": 3}, "read": 5, "string_odds": [1], "dropped_strings": ["1"]}]},
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
    assert capsys.readouterr().out == text(record) + "\n"
    assert main(["report", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["waiting"], told["measurements"][0]["kept"]) == (None, 400)
    [figures] = told["measurements"][0]["figures"]
    assert figures["kept_coins"] == 0.5
    assert figures["string_odds"] == {"01": 0.5, "10": 0.5}
    assert main(["report", str(tmp_path / "none.json")]) != 0


def test_the_pictures_are_drawn(record: Record, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'qchess[viz]'")
    made = plots(record, tmp_path / "plots")
    assert [path.name for path in made] == ["odds.svg", "fidelity.svg", "chip.svg"]
    drawn = {path.stem: path.read_text() for path in made}
    assert all("<svg" in svg for svg in drawn.values())
    told = {name: re.findall(r"<!-- (.*?) -->", svg) for name, svg in drawn.items()}  # what is written on the pictures
    assert {"agreement of the answer", "kept share", "kept of coin flips"} <= set(told["fidelity"])
    (tmp_path / "game.json").write_text(record.to_json())
    made[0].write_text("mine")
    command = ["report", str(tmp_path / "game.json"), "--plots", str(tmp_path / "plots")]
    assert main(command) == 2
    assert made[0].read_text() == "mine"
    assert main([*command, "--force"]) == 0
    assert made[0].read_text() != "mine"


def test_pictures_count_in_whole_numbers(record: Record, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'qchess[viz]'")
    once = told_by({"machine": [{"physical": [1, 2], "two_qubit_gates": 1}]}, record)
    *_, chip = plots(once, tmp_path)
    marks = re.findall(r"<!-- ([\d.]+) -->", chip.read_text().partition('id="matplotlib.axis_2"')[2])
    assert marks == ["0", "1"]


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
