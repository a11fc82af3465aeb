"""Boards and moves as JSON: whole, plain, and the same as what the board itself says."""

from __future__ import annotations

import json
import random
import re

import pytest

import qchess
from qchess.games import names
from qchess.rules import Rules
from qchess.showing import viewjson
from qchess.showing.view import Arrow, Man, Sketch, View

PLIES = 12


@pytest.mark.parametrize("game", names())
def test_every_move_is_told_as_it_would_be_drawn(game: str) -> None:
    played, rng = qchess.new(game, seed=3), random.Random(game)
    for _ in range(PLIES):
        moves = list(played.legal_moves)
        if not moves:
            break
        for move in rng.sample(moves, min(12, len(moves))):
            told = played.rules.sketch(played.position, move)
            view = played.rules.view(played.position, move)
            assert told.kind in ("move", "split", "merge", "other")
            assert {*told.sources, *told.targets} <= set(view.squares)
            arrows = {(arrow.start, arrow.end) for arrow in view.arrows}
            if told.kind != "other":
                ways = {(start, end) for start in told.sources for end in told.targets}
                assert arrows <= ways
                assert all(start == end for start, end in ways - arrows)  # a half may stay where it is
            drawn = Rules.sketch(played.rules, played.position, move)
            assert drawn.kind == told.kind or not arrows
        played.play(rng.choice(moves))


@pytest.mark.parametrize("game", names())
def test_a_view_goes_through_json_with_everybody_on_it(game: str) -> None:
    played, rng = qchess.new(game, seed=5), random.Random(game)
    for _ in range(PLIES):
        if not played.legal_moves:
            break
        played.play(rng.choice(list(played.legal_moves)))
    view = played.rules.view(played.position, played.history[-1].move)
    told = json.loads(json.dumps(viewjson.view(view)))
    assert (told["width"], told["height"], told["players"]) == (view.width, view.height, list(view.players))
    assert {square: [man["symbol"] for man in men] for square, men in told["men"].items()} == {
        square: [man.symbol for man in men] for square, men in view.men.items()
    }
    assert all(man["player"] in (0, 1) for men in told["men"].values() for man in men)
    assert told["drawings"] in viewjson.DRAWINGS


def test_the_sign_of_a_link_says_whether_squares_are_full_together_or_one_of_them() -> None:
    """A split knight is on a3 or on c3; one that a pawn's way was blocked by goes together with it."""
    game = qchess.new("quantum-chess", seed=1)
    game.play("b1^a3c3")
    (link,) = viewjson.view(game.rules.view(game.position))["links"]
    assert link == ["a3", "c3", 1.0, "either-or"]
    game = qchess.new("quantum-chess", fen="4k3/8/8/8/8/8/8/RN2K3 w - - 0 1")
    game.play("b1^a3c3")
    game.play("e8-e7")
    game.play("a1-a5")  # it went past a3 if the knight was on c3
    links = {tuple(link[:2]): link[3] for link in viewjson.view(game.rules.view(game.position))["links"]}
    assert links["a3", "c3"] == "either-or"
    assert links["c3", "a5"] == "together"
    assert links["a1", "a3"] == "together"
    assert links["a1", "a5"] == "either-or"


def test_a_sketch_of_a_view_without_arrows_names_what_it_marks() -> None:
    view = View(3, 3, {"a1": (Man("N"),)}, marked=("a1", "b3"))
    assert Sketch.of(view) == Sketch(("a1",), ("b3",), "other")
    merge = View(3, 3, arrows=(Arrow("a1", "b3", "merge"), Arrow("c1", "b3", "merge")))
    assert Sketch.of(merge) == Sketch(("a1", "c1"), ("b3",), "merge")


@pytest.mark.parametrize("name", viewjson.DRAWINGS)
def test_drawings_are_path_data_in_a_box_of_a_hundred(name: str) -> None:
    drawn = viewjson.drawings(name)
    for shape in (*drawn["men"].values(), drawn["other"]):
        stands = name == "chess" and shape is not drawn["other"]
        assert set(shape) == {"body", "lines", "top", *(["plinth"] if stands else [])}
        assert all(re.fullmatch(r"[MHVLCQAZlz0-9 .-]*", shape[part]) for part in ("body", "lines"))
        assert all(0 <= float(value) <= 100 for value in re.findall(r"\d+(?:\.\d+)?", shape["body"]))
        assert re.fullmatch("M.*Z", shape["body"])
        assert 0 < shape["top"] < 20
        assert (" 80H" in shape["body"]) == stands
