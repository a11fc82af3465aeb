"""Options behind names: one way to write them, for backends, simulators, agents and the rules of games."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qchess.backends import options
from qchess.backends.catalogue import settings_in
from qchess.backends.options import named, value, with_options
from qchess.bench.adapters import catalogue as simulators
from qchess.circuits.errors import BackendError
from qchess.commands.common import option
from qchess.errors import InvalidMoveError
from qchess.playing.agents import catalogue as agents

#: texts that somebody may write, and those that look like something else
TEXTS = st.text() | st.from_regex(r"[-+\d.eE_\"\[\]{}truefalsnNTF,]{0,8}", fullmatch=True)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
NAMES = st.text().filter(lambda name: "," not in name)
KEYS = st.from_regex(r"[a-z_][a-z_0-9]{0,8}", fullmatch=True)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same, and of one type."""
    return type(one) is type(other) and repr(one) == repr(other)


@given(NAMES, st.dictionaries(KEYS, PLAIN))
@example("aer-noisy", {"shots": 500, "strategy": "replay", "preflight": True, "timeout": None})
@example(
    "", {"a": "5", "b": "5, or 6", "c": '"', "d": "None", "e": "true", "f": "[1,2]", "g": "", "h": " 5", "i": "é,"}
)
def test_a_name_with_options_reads_back_as_it_was_written(name: str, given: dict[str, Any]) -> None:
    read, found = named(with_options(name, given), "backend", BackendError)
    assert (read, found.keys()) == (name, given.keys())
    assert all(same(found[key], given[key]) for key in given)


def of_backends(text: str) -> Any:
    """How a backend's settings were read when there were four ways."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"True": True, "False": False, "None": None}.get(text, text)


def of_rules(text: str) -> Any:
    """How options of rules and agents were read then."""
    try:
        return json.loads(text)
    except ValueError:
        return text


@given(TEXTS | st.integers().map(str) | st.floats().map(str))
@example("1_000")
@example("+5")
@example("True")
@example("NaN")
@example("-Infinity")
def test_what_was_a_value_for_backends_or_for_rules_still_is_that_value(text: str) -> None:
    before = [of_backends(text), of_rules(text)]
    meant = [one for one in before if not isinstance(one, str)]
    finite = [one for one in meant if not (isinstance(one, float) and not math.isfinite(one))]
    if finite:
        assert any(same(value(text), one) for one in finite)
    elif meant or before == [text, text]:
        assert value(text) == text  # a text, or a number without bounds
    else:
        assert value(text) == json.loads(text)  # in double quotes


@pytest.mark.parametrize(
    ("text", "read"),
    [("5", 5), ("0.5", 0.5), (".5", 0.5), ("true", True), ("True", True), ("null", None), ("None", None),
     ("replay", "replay"), ('"5"', "5"), ("NaN", "NaN"), ("1e999", "1e999"), ("8/8 w", "8/8 w"), ("", "")],
)  # fmt: skip
def test_the_four_doors_read_a_value_alike(text: str, read: Any) -> None:
    found = (
        settings_in(f"sparse,x={text}")["x"],
        named(f"aer,x={text}", "simulator", BackendError)[1]["x"],
        agents.agent_spec(f"mcts:x={text}").options["x"],
        option(f"x={text}")[1],
    )
    assert all(same(one, read) for one in found)


def test_lists_are_options_of_rules_unless_they_are_too_deep() -> None:
    assert option("x=[1, [2]]") == ("x", [1, [2]])
    assert isinstance(value("[" * 65 + "]" * 65), str)
    assert isinstance(value("[" * 10**5), str)
    assert value("[" * 64 + "]" * 64)[0]
    assert value("7" * 10**4) == "7" * 10**4


def test_an_option_is_given_once() -> None:
    for door in (settings_in, simulators.get):
        with pytest.raises(BackendError, match="expected each setting once, got x=1 and x=2"):
            door("sparse,x=1,x=2")
    with pytest.raises(InvalidMoveError, match="expected each setting once, got x=1 and x=2"):
        agents.agent_spec("mcts:x=1,x=2")


def test_what_has_no_plain_value_stands_in_no_name() -> None:
    assert with_options("sparse", {"calibration": object(), "noise": [1], "shots": 5}) == "sparse,shots=5"
    assert options.named("sparse", "backend", BackendError) == ("sparse", {})
