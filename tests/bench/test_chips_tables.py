"""The tables of what devices make of game circuits: each command runs in its smallest form, and says what is wrong."""

from __future__ import annotations

import json

import pytest

from benchmarks.chips import WHOLE, main

Output = pytest.CaptureFixture[str]


def rows(capsys: Output) -> list[dict[str, object]]:
    """What was printed, row by row."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_game_is_played_on_a_device_by_both_agents(capsys: Output) -> None:
    main(["games", "sparse-shots", "--plies", "2"])
    found = rows(capsys)
    assert [(row["game"], row["players"]) for row in found] == [(g, a) for a in ("greedy", "random") for g in WHOLE]
    assert {(row["device"], row["plies"]) for row in found} == {("sparse-shots", 2)}


def test_the_states_that_are_prepared_are_exact(capsys: Output) -> None:
    main(["preparation", "3"])
    told = json.loads(capsys.readouterr().out)
    assert told["states"] == 3
    assert told["largest deviation of an amplitude"] < 1e-12


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("games", "nairobi"), "no backend is called 'nairobi'"),
        (("game",), "invalid choice: 'game'"),
    ],
)
def test_a_wrong_word_is_one_sentence(arguments: tuple[str, ...], said: str, capsys: Output) -> None:
    with pytest.raises(SystemExit):
        main(list(arguments))
    assert said in capsys.readouterr().err.splitlines()[-1]
