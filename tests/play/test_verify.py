"""`qchess verify`: what can be worked out of a record is worked out, and whatever was changed in it is found."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.__main__ import main
from qchess.circuits.engine import Sample
from qchess.circuits.sources import drawn_seed
from qchess.playing.dice import seal
from qchess.playing.record import Record
from qchess.proving.witness import Checked, Finding, Verified, verify

OLD = Path(__file__).parents[1] / "old" / "data"

GAMES = (
    "quantum-chess", "quantum-checkers", "piece-qubit-chess", "niels-chess", "niels-xiangqi", "quantum-tic-tac-toe",
)  # fmt: skip
CAPTURE = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"


@pytest.fixture(autouse=True)
def the_same_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test draws the same seeds in each run, so that luck decides nothing."""
    numbers = itertools.count(1)
    for place in ("qchess.playing.dice.drawn_seed", f"{__name__}.drawn_seed"):
        monkeypatch.setattr(place, lambda: f"drawn-{next(numbers):032x}")


def played(name: str, plies: int = 60, **how: Any) -> Record:
    """The record of a random game."""
    game, rng = qchess.new(name, **how), random.Random(3)
    while len(game.history) < plies and not game.is_over:
        moves = game.moves()
        game.play(moves[int(rng.random() * len(moves))])
    return Record.from_json(game.record().to_json())


def asked(nonces: Mapping[str, str] | None = None, **how: Any) -> Record:
    """A game with one question, of even odds, and a move behind it."""
    game = qchess.new("quantum-chess", fen=CAPTURE, **how)
    for player, words in (nonces or {}).items():
        game.add_nonce(player, words)
    for move in ("b1^a3c3", "e8-e7", "c3-d5", "e7-e6"):
        game.play(move)
    return Record.from_json(game.record().to_json())


def findings(found: Verified) -> set[Finding]:
    return {each.finding for each in found.answers}


@pytest.mark.parametrize("seed", [None, 7, "a text"])
@pytest.mark.parametrize("name", GAMES)
def test_every_answer_of_dice_is_proved(name: str, seed: Any) -> None:
    record = played(name, seed=seed)
    found = verify(record)
    assert found.holds
    for each in found.answers:
        assert each.finding is (Finding.CERTAIN if each.answer.source == "certain" else Finding.PROVED)
    assert len(found.answers) == sum(len(entry.answers) for entry in record.entries)
    assert record.seal == (None if seed else seal(str(record.seed)))


@pytest.mark.parametrize("backend", ["sparse", "sparse-shots", "queued:sparse-shots", "aer"])
def test_what_can_be_known_of_each_kind_of_source(backend: str) -> None:
    found = verify(asked(backend=backend))
    dice = backend in ("sparse", "aer")
    assert found.holds
    assert findings(found) == {Finding.PROVED if dice else Finding.TOLD}
    assert [fair.questions for fair in found.fairness().values()] == ([] if dice else [1])


def test_answers_that_were_given_are_told_and_old_dice_without_a_seed_too() -> None:
    game = qchess.new("quantum-chess", fen=CAPTURE)
    for move in ("b1^a3c3", "e8-e7", "c3-d5.m1"):
        game.play(move)
    assert findings(verify(game.record())) == {Finding.TOLD}
    assert findings(verify(asked().without_seed())) == {Finding.TOLD}


def changed(record: Record, **answer: Any) -> Record:
    """The record with its question answered otherwise, also in the text of the move."""
    first, second, third, last = record.entries
    told = replace(third.answers[0], **answer)
    return replace(record, entries=(first, second, replace(third, move=f"c3-d5.m{told.value}", answers=(told,)), last))


LIES: dict[str, Callable[[Record], Record]] = {
    "another answer": lambda record: changed(record, value=1 - record.entries[2].answers[0].value),
    "other odds": lambda record: changed(record, probability=0.99),
    "a famous source": lambda record: changed(record, source="device ibm:torino"),
    "certain": lambda record: changed(record, source="certain"),
    "another name": lambda record: changed(record, name="miss"),
    "another seed": lambda record: replace(record, seed=drawn_seed()),
    "another order": lambda record: replace(record, entries=(*record.entries[:2], *record.entries[:1:-1])),
    "a turn left out": lambda record: replace(record, entries=(*record.entries[:1], *record.entries[2:])),
    "another player": lambda record: replace(record, entries=(replace(record.entries[0], player="black"),)),
    "another board": lambda record: replace(record, options={**record.options, "fen": CAPTURE.replace("3p4", "8")}),
    "an answer in the text": lambda record: replace(
        record,
        entries=(
            *record.entries[:2],
            replace(record.entries[2], move=f"c3-d5.m{1 - record.entries[2].answers[0].value}"),
        ),
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_whatever_is_changed_is_found(lie: str) -> None:
    """Twelve games each: no answer fits another seed or another place by luck in all of them, and most lies in none."""
    found = [verify(LIES[lie](asked())).holds for _ in range(12)]
    assert not all(found)
    if lie not in ("another order", "a turn left out"):
        assert not any(found)


def test_nonces_change_the_dice_and_are_part_of_the_proof(tmp_path: Path) -> None:
    nonces = {"white": "a rainy day", "black": "7 geese"}
    found = [asked(nonces) for _ in range(12)]
    assert all(verify(record).holds and record.nonces == nonces for record in found)
    without = [verify(replace(record, nonces={"white": "a rainy day"})).holds for record in found]
    assert not all(without)
    assert findings(verify(found[0])) == {Finding.PROVED}
    game = qchess.new("quantum-chess", fen=CAPTURE)
    game.add_nonce("white", "first")
    game.save(tmp_path / "game.json")
    again = qchess.load(tmp_path / "game.json")
    for each in (game, again):
        for move in ("b1^a3c3", "e8-e7", "c3-d5"):
            each.play(move)
    assert game.history[-1].answers == again.history[-1].answers
    assert again.record().nonces == {"white": "first"}


def test_a_nonce_comes_from_a_player_before_the_first_answer() -> None:
    game = qchess.new("quantum-chess", fen=CAPTURE)
    for player, words in (("green", "x"), ("white", ""), ("white", "x" * 2000), ("white", 7)):
        with pytest.raises(qchess.QchessError, match="expected white or black and up to 1000 characters, got"):
            game.add_nonce(player, words)  # type: ignore[arg-type]
    for move in ("b1^a3c3", "e8-e7", "c3-d5"):
        game.play(move)
    with pytest.raises(qchess.QchessError, match="before the first answer"):
        game.add_nonce("white", "too late")
    with pytest.raises(qchess.QchessError, match="their seed was chosen"):
        qchess.new("quantum-chess", seed=7).add_nonce("white", "x")
    assert game.nonces == {}


def test_a_device_that_is_not_fair_has_a_small_p_value() -> None:
    class Stubborn:
        name = "device stubborn"

        def draw(self, pause: Any) -> Any:
            return Sample(1, self.name, {})

    answers: list[Checked] = []
    for _ in range(12):
        game = qchess.new("quantum-chess", fen=CAPTURE, source=Stubborn())
        for move in ("b1^a3c3", "e8-e7", "c3-d5"):
            game.play(move)
        answers += verify(game.record()).answers
    fair = Verified(tuple(answers)).fairness()["device stubborn"]
    assert (fair.questions, fair.likelier, round(fair.expected, 9)) == (12, 12, 6)
    assert fair.p_value == pytest.approx(2 / 2**12)


def test_a_change_of_source_is_noted_and_each_answer_proved_by_its_own_seed() -> None:
    record = asked(seed=1)
    again = qchess.replay(record, seed=2)
    for move in ("a3^b5c4", "e6-e7", "b5-a7", "e7-e6", "c4-e5") if len(record.entries) == 4 else ():
        if move in again.legal_moves:
            again.play(move)
    kept = Record.from_json(again.record().to_json())
    assert kept.sources[0] == (3, "seed 1")
    assert verify(kept).holds


def gone_on(game: Any, plies: int, seed: int) -> None:
    """Play random moves."""
    rng = random.Random(seed)
    for _ in range(plies):
        if game.is_over:
            return
        moves = game.moves()
        game.play(moves[int(rng.random() * len(moves))])


@pytest.mark.parametrize("seed", [None, 7], ids=["drawn", "chosen"])
@pytest.mark.parametrize("name", GAMES)
def test_every_honest_fork_is_verified(name: str, seed: Any) -> None:
    """Forks of forks as well, played on from where they began, from before it, and from a file."""
    for number in range(2):
        game = qchess.new(name, seed=seed)
        gone_on(game, 30, number)
        for back in (0, 6):
            game = game.fork()
            start = len(game.history) + 1
            for _ in range(min(back, len(game.history))):
                game.undo()
            gone_on(game, 20, number + back)
            game = qchess.replay(game.record().to_json())
            gone_on(game, 5, number)
            record = Record.from_json(game.record().to_json())
            found = verify(record)
            assert found.holds, found
            assert record.dice_from <= start
            told = [each for each in found.answers if each.finding is Finding.TOLD]
            assert all(each.turn < record.dice_from and each.why == "by the game it was forked from" for each in told)
            assert not told or seed is None or back, "an answer of a chosen seed stays proved in a fork"


def test_a_changed_answer_after_the_fork_is_found() -> None:
    for _ in range(12):
        game = qchess.new("quantum-chess", fen=CAPTURE)
        for move in ("b1^a3c3", "e8-e7"):
            game.play(move)
        fork = game.fork()
        for move in ("c3-d5", "e7-e6"):
            fork.play(move)
        record = Record.from_json(fork.record().to_json())
        assert (record.dice_from, findings(verify(record))) == (3, {Finding.PROVED})
        lie = changed(record, value=1 - record.entries[2].answers[0].value)
        assert [each.finding for each in verify(lie).wrong] == [Finding.WRONG]
        moved = replace(record, dice_from=4)
        assert findings(verify(moved)) == {Finding.TOLD}, "who moves the beginning of the dice proves nothing"
        assert Record.from_json(fork.fork().record().to_json()).dice_from == 5
        assert qchess.replay(record, seed=drawn_seed()).record().dice_from == 5


def test_a_game_of_the_first_format_that_goes_on_is_verified() -> None:
    files = sorted((OLD / "first").glob("*.json"))
    told = set()
    for file in files:
        game = qchess.replay(file)
        length = len(game.history)
        gone_on(game, 10, 1)
        record = Record.from_json(game.record().to_json())
        assert record.placed_from == length + 1
        found = verify(record)
        assert found.holds, file
        told |= {each.why for each in found.answers if each.turn <= length and each.finding is Finding.TOLD}
    assert told == {"by dice of the first format"}


@pytest.mark.parametrize("folder", ["records", "first", "state/games"])
def test_old_records_are_verified_as_far_as_they_tell(folder: str) -> None:
    files = sorted((OLD / folder).glob("*.json"))
    assert files
    for file in files:
        assert verify(Record.from_json(file.read_text(encoding="utf-8"))).holds, file


def test_the_command_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_text(asked(seed=7).to_json(), encoding="utf-8")
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "  3. c3-d5.m0: hit = 0, 50% likely, follows from the seed.",
        "4 turns, 1 answer: 1 proved.",
        "Nothing contradicts the record.",
    ]
    file.write_text(changed(asked(seed=7), probability=0.99).to_json(), encoding="utf-8")
    assert main(["verify", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["answers"][0]["finding"] == "wrong"
    assert main(["verify", str(file)]) == 1
    assert "WRONG: its odds are 0.5, the record says 0.99" in capsys.readouterr().out
