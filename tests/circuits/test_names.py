"""Names of qubits as they come in: a lone text is no tuple, a square is named once, and what is no name is refused."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits import Program, ProgramError, Registers, ask, discard, full, iswap, patterns, split, when, x
from qchess.errors import InvalidMoveError

ENGINE = backends.engine()


def any_of(value: Any) -> Any:
    """What a type checker would not let pass."""
    return value


#: patterns of squares; `asked` joins a predicate and a program, `clear` is of paths alone
PATTERNS: Mapping[str, Callable[..., Program]] = {
    name: getattr(patterns, name)
    for name in dir(patterns)
    if inspect.isfunction(inspect.unwrap(getattr(patterns, name)))
    and inspect.unwrap(getattr(patterns, name)).__module__ == patterns.__name__
    and not name.startswith("_")
    and name not in ("asked", "clear")
}
FIGURES = {"share": 0.3, "t": 0.5}


def arguments(pattern: Callable[..., Program]) -> tuple[list[str], list[str], dict[str, Any]]:
    """The parameters of a pattern that are squares and those that are paths, and something for each."""
    places = inspect.signature(pattern).parameters
    paths = [name for name in places if name.startswith("path")]
    figures = {name: FIGURES[name] for name in places if places[name].annotation == "float"}
    squares = [name for name in places if name not in paths and name not in figures]
    return squares, paths, {**{name: f"{name}1" for name in squares}, **figures}


def test_the_law_is_about_every_pattern() -> None:
    assert PATTERNS.keys() == {
        "capture", "excluded", "hadamard_pair", "join", "jump", "merge", "merge_slide", "partial_merge",
        "partial_split", "phase_pair", "slide", "split", "split_slide", "take",
    }  # fmt: skip


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_takes_each_square_once_and_only_names(name: str) -> None:
    pattern = PATTERNS[name]
    squares, _, given = arguments(pattern)
    assert set(pattern(**given).qubits) == {given[square] for square in squares}
    for one, other in combinations(squares, 2):
        with pytest.raises(ProgramError, match=r"twice|as control and as target|names each qubit once"):
            pattern(**{**given, one: given[other]})
    for square in squares:
        for wrong in (3, ""):
            with pytest.raises(ProgramError, match="named by a non-empty string"):
                pattern(**{**given, square: wrong})


@pytest.mark.parametrize("name", [name for name, pattern in PATTERNS.items() if arguments(pattern)[1]])
def test_a_path_is_several_names_and_never_a_text(name: str) -> None:
    pattern = PATTERNS[name]
    _, paths, given = arguments(pattern)
    for path in paths:
        usual = pattern(**{**given, path: ("p1", "p2")})
        assert usual == pattern(**{**given, path: ["p1", "p2"]}) == pattern(**{**given, path: iter(("p1", "p2"))})
        with pytest.raises(
            ProgramError, match=r"path is a tuple or list of names, such as \('p1',\); got the text 'p1'"
        ):
            pattern(**{**given, path: "p1"})
        for wrong, words in ((("p1", "p1"), "once"), ((3,), "non-empty string"), (7, "tuple or list of names")):
            with pytest.raises(ProgramError, match=words):
                pattern(**{**given, path: wrong})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: patterns.clear("a2"), "such as \\('a2',\\); got the text 'a2'"),
        (lambda: iswap("a1", "a3", empty="a2"), "empty is a tuple or list of names"),
        (lambda: Registers(ENGINE, full="b1"), r"full is a tuple or list of names, such as \('b1',\); got the text"),
        (lambda: Registers(ENGINE, full=["b1", "b1"]), "full names each qubit once"),
        (lambda: Registers(ENGINE, full=any_of([1])), "got 1 in full"),
        (lambda: Registers.prepared(ENGINE, [("b1", {1: 1})]), "a group of qubits is a tuple or list"),
        (lambda: patterns.capture("a1", "b1", "x", ("x",)), "names each qubit once"),
        (lambda: Registers(any_of("sparse"), ["b1"]), r"such as qchess\.backends\.engine\('sparse'\); got 'sparse'"),
        (lambda: Registers(ENGINE, ["b1"]).distribution("b1", "b1"), "a read-out names each qubit once"),
        (lambda: Registers(ENGINE, ["a"]).amplitudes(("a", "a")), "an order names each qubit once"),
        (lambda: discard("a", "a"), "a discard names each qubit once"),
        (lambda: ask("m", any_of("b1")), r"such as full\('a3'\)"),
        (lambda: when("m", any_of({1: x("a")})), r"a Program for each number; got 1: x\('a'\)"),
        (lambda: when("m", any_of({"1": Program()})), "a Program for each number; got '1'"),
        (lambda: split("a", "b", "c").renamed({"b": "c"}), "two qubits of a program cannot become one"),
        (lambda: split("a", "b", "c").compile(known={"zz": 1}), r"the program's qubits \(a, b, c\), got 'zz'"),
    ],
)  # fmt: skip
def test_what_is_no_list_of_names_or_no_part_of_a_program_is_one_sentence(
    call: Callable[[], object], words: str
) -> None:
    with pytest.raises(ProgramError, match=words):
        call()


@pytest.mark.parametrize("text", ["e2-e4.m1", "E2 e4.m1", "b1^a3c3.m1"])
def test_a_move_that_asks_nothing_has_no_outcome(text: str) -> None:
    game = qchess.new("quantum-chess", seed=1)
    with pytest.raises(InvalidMoveError, match=r"asks nothing, so it has no outcome; got '.*\.m1'"):
        game.play(text)
    assert not game.history
    assert game.play("e2-e4").text == "e2-e4"


def test_a_move_that_asks_keeps_its_recorded_outcome() -> None:
    game = qchess.new("quantum-chess", seed=1, fen="4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1")
    game.play("b1^a3c3")
    game.play("e8-e7")
    assert game.play("c3-d5.m1").answers[0].value == 1
    assert full("d5") != full("c3")
