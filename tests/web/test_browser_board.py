"""The board element alone: it shows what a view says, and any device chooses among the legal moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import qchess
from qchess.showing import viewjson
from qchess.showing.svgpieces import MEN
from tests.web.conftest import odds_of, told, view_of

Open = Callable[..., Any]
GAMES = ("quantum-chess", "piece-qubit-chess", "quantum-checkers", "niels-chess", "niels-xiangqi")


def split_knight() -> Any:
    """White's knight is on a3 and c3, and White is to move."""
    game = qchess.new("quantum-chess", seed=1)
    game.play("b1^a3c3")
    game.play("h7-h6")
    return game


def before_capture() -> Any:
    """The knight on f3, if it is there, may take on e5."""
    game = qchess.new("quantum-chess", seed=7)
    for move in ("g1^f3h3", "e7-e5"):
        game.play(move)
    return game


def cell(page: Any, square: str) -> Any:
    """The cell of a square."""
    return page.locator(f"qc-board [data-square='{square}']")


def named(page: Any, square: str) -> str:
    """What a screen reader says of a square."""
    return str(cell(page, square).get_attribute("aria-label"))


def plays(page: Any) -> list[str]:
    """The moves that were chosen."""
    return [move["text"] for move in told(page, "qc-move")]


def focused(page: Any) -> str:
    """The square that has the keyboard's focus."""
    return str(page.evaluate("document.querySelector('qc-board').shadowRoot.activeElement.dataset.square"))


def mode(page: Any) -> str:
    """The mode that is on."""
    return str(page.locator("qc-board [role=radio][aria-checked=true]").get_attribute("data-mode"))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_drawn_with_a_cell_for_each_square_and_a_drawing_for_each_man(alone: Open, name: str) -> None:
    game = qchess.new(name, seed=1)
    view = game.rules.view(game.position)
    page = alone(game)
    assert page.locator("qc-board [role=gridcell]").count() == view.width * view.height
    assert page.locator("qc-board [data-man]").count() == sum(map(len, view.men.values()))
    assert named(page, "a1") != "a1, empty"


def test_a_square_is_named_with_its_man_its_odds_its_other_parts_and_its_links(alone: Open) -> None:
    page = alone(split_knight())
    assert named(page, "c3") == "c3, white knight, 50 percent, or a3, can move"
    assert named(page, "e4") == "e4, empty"
    game = before_capture()
    game.play("f2-f4")
    page = alone(game)
    assert named(page, "h3") == "h3, white knight, 50 percent, or f3; with pawn f4; not with pawn f2"
    cell(page, "h3").press("p")
    assert named(page, "h3").startswith("h3, white knight, 50 percent, phase a quarter turn, or f3")


def test_two_clicks_are_a_move(alone: Open) -> None:
    page = alone(split_knight())
    cell(page, "e2").click()
    assert "can go here" in named(page, "e4")
    cell(page, "e4").click()
    assert plays(page) == ["e2-e4"]


def test_a_drag_is_a_move(alone: Open) -> None:
    page = alone(split_knight())
    cell(page, "e2").drag_to(cell(page, "e4"))
    assert plays(page) == ["e2-e4"]


def test_a_drag_to_nowhere_leaves_the_piece_picked(alone: Open) -> None:
    page = alone(split_knight())
    cell(page, "e2").drag_to(cell(page, "e6"))
    assert plays(page) == []
    assert cell(page, "e2").get_attribute("aria-selected") == "true"


def test_a_split_by_mouse_and_the_order_of_its_squares_is_the_players(alone: Open) -> None:
    page = alone(split_knight())
    page.get_by_role("radio", name="Split").click()
    for square in ("g1", "h3", "f3"):
        cell(page, square).click()
    assert plays(page) == ["g1^h3f3"]
    assert mode(page) == "move"


def test_shift_and_click_on_a_target_begins_a_split(alone: Open) -> None:
    page = alone(split_knight())
    cell(page, "g1").click()
    cell(page, "f3").click(modifiers=["Shift"])
    assert mode(page) == "split"
    cell(page, "h3").click()
    assert plays(page) == ["g1^f3h3"]


def test_a_merge_by_mouse_and_the_other_part_is_marked(alone: Open) -> None:
    page = alone(split_knight())
    cell(page, "a3").click()
    assert "part of the same piece" in named(page, "c3")
    page.get_by_role("radio", name="Merge").click()
    assert "can merge with it" in named(page, "c3")
    cell(page, "c3").click()
    cell(page, "b5").click()
    assert plays(page) == ["a3c3^b5"]


def test_a_second_click_and_escape_take_a_pick_back(alone: Open) -> None:
    page = alone(split_knight())
    cell(page, "g1").click()
    cell(page, "e1").click()
    said = page.locator("qc-board [role=status]")
    assert said.inner_text() == "No move from g1 to e1. Nothing is picked now."
    cell(page, "g1").click()
    cell(page, "g1").click()
    assert said.inner_text() == "Nothing is picked now."
    assert cell(page, "g1").get_attribute("aria-selected") == "false"
    page.keyboard.press("2")
    for square in ("g1", "f3"):
        cell(page, square).click()
    page.keyboard.press("Escape")
    assert cell(page, "f3").get_attribute("aria-selected") == "false"
    assert cell(page, "g1").get_attribute("aria-selected") == "true"
    cell(page, "h3").click()
    cell(page, "f3").click()
    assert plays(page) == ["g1^h3f3"]


def test_a_split_by_keys_alone(alone: Open) -> None:
    page = alone(split_knight())
    page.keyboard.press("Tab")
    assert focused(page) == "a1"
    for key in (
        *["ArrowRight"] * 6,
        "2",
        "Enter",
        "ArrowUp",
        "ArrowUp",
        "ArrowRight",
        "Enter",
        "ArrowLeft",
        "ArrowLeft",
        "Space",
    ):
        page.keyboard.press(key)
    assert plays(page) == ["g1^h3f3"]


def test_the_board_is_one_stop_of_the_tab_key(alone: Open) -> None:
    page = alone(split_knight())
    assert page.locator("qc-board [role=gridcell][tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('qc-board').shadowRoot.activeElement.dataset.mode") == "move"
    page.keyboard.press("ArrowRight")
    assert mode(page) == "split"


def test_two_taps_are_a_move_and_a_long_tap_on_a_target_begins_a_split(alone: Open) -> None:
    page = alone(split_knight(), has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    cell(page, "e2").tap()
    cell(page, "e4").tap()
    assert plays(page) == ["e2-e4"]
    cell(page, "g1").tap()
    hold(page, "f3")
    assert mode(page) == "split"
    cell(page, "h3").tap()
    assert plays(page) == ["e2-e4", "g1^f3h3"]


def hold(page: Any, square: str, to: str | None = None) -> None:
    """A finger that stays on a square, or goes to another one."""
    touch = page.context.new_cdp_session(page)
    box = cell(page, square).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    if to is None:
        page.evaluate("window.stays.at(-1)()")
    else:
        end = cell(page, to).bounding_box()
        for part in (0.3, 0.7, 1.0):
            point = {
                "x": x + part * (end["x"] + end["width"] / 2 - x),
                "y": y + part * (end["y"] + end["height"] / 2 - y),
            }
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.detach()


def test_a_pause_in_a_drag_puts_a_half_there_and_the_same_square_again_takes_it_whole(alone: Open) -> None:
    page = alone(qchess.new("quantum-chess"))
    bubble = page.locator("qc-board .bubble")

    def pause() -> None:
        cell(page, "b1").hover()
        page.mouse.down()
        cell(page, "c3").hover()
        page.evaluate("window.stays.at(-1)()")
        bubble.wait_for(state="visible")

    pause()
    assert page.locator("qc-board .plates").text_content() == "50%50%"
    assert (
        page.locator("qc-board .say").inner_text()
        == "Half goes to c3. Pick a second square, or c3 again to go there whole."
    )
    assert page.locator("qc-board .drag").is_hidden()  # the half alone stands there
    cell(page, "a3").hover()
    assert page.locator("qc-board .drag").is_visible()
    page.mouse.up()
    assert plays(page) == ["b1^c3a3"]
    assert bubble.is_hidden()
    pause()
    page.mouse.up()  # where the half stands: nothing is played yet
    page.keyboard.press("Escape")
    assert mode(page) == "move"
    assert len(plays(page)) == 1
    cell(page, "c3").press("Shift+Enter")
    assert mode(page) == "split"
    cell(page, "c3").click()
    assert plays(page)[1:] == ["b1-c3"]


def test_a_finger_drags_a_man(alone: Open) -> None:
    page = alone(split_knight(), has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    hold(page, "d2", "d4")
    assert plays(page) == ["d2-d4"]


def test_a_tap_on_a_move_that_asks_shows_its_odds_first_and_a_second_tap_plays_it(alone: Open) -> None:
    game = before_capture()
    page = alone(game, has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    cell(page, "f3").tap()
    page.evaluate(
        "(odds) => { document.querySelector('qc-board').odds = odds; }", {"square": "f3", "moves": odds_of(game, "f3")}
    )
    assert page.locator("qc-board .pill").text_content() == "50%"
    assert named(page, "e5") == "e5, black pawn, takes, asks, works with 50 percent"
    cell(page, "e5").tap()
    assert plays(page) == []
    cell(page, "e5").tap()
    assert plays(page) == ["f3-e5"]


def test_promotions_are_picked_from_drawings(alone: Open) -> None:
    game = qchess.new("quantum-chess", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    page = alone(game)
    cell(page, "a7").click()
    cell(page, "a8").click()
    picker = page.get_by_role("dialog")
    picker.wait_for()
    assert picker.locator("[data-text]").count() == 4
    assert picker.locator("svg .m use").count() == 4
    page.keyboard.press("Escape")
    cell(page, "a8").click()
    picker.get_by_role("button", name="Cancel").click()
    assert plays(page) == []
    cell(page, "a8").click()
    picker.get_by_role("button", name="a7-a8N").click()
    assert plays(page) == ["a7-a8N"]


def test_splits_with_the_same_squares_are_picked_by_their_marks(alone: Open) -> None:
    page = alone(qchess.new("niels-chess", seed=1))
    page.get_by_role("radio", name="Split").click()
    for square in ("b1", "a3", "c3"):
        cell(page, square).click()
    page.get_by_role("dialog").wait_for()
    choices = page.get_by_role("dialog").locator("[data-text]")
    texts = choices.evaluate_all("all => all.map((each) => each.dataset.text)")
    assert sorted(texts) == ["b1^a3oc3o", "b1^a3oc3p", "b1^a3pc3o", "b1^a3pc3p"]
    assert choices.nth(texts.index("b1^a3oc3p")).inner_text().startswith("a3 forward, c3 back")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert plays(page) == [texts[1]]


def test_a_move_that_no_arrow_tells_is_a_button(alone: Open) -> None:
    game = qchess.new("niels-chess", seed=3)
    for move in ("e2^e4oe2p", "h7h6"):
        game.play(move)
    page = alone(game)
    cell(page, "e2").click()
    page.get_by_role("button", name="X:").click()
    assert plays(page)[0].startswith("X:")


def test_a_piece_may_stay_with_one_half_of_a_split(alone: Open) -> None:
    page = alone(qchess.new("niels-chess", seed=1))
    page.get_by_role("radio", name="Split").click()
    for square in ("e2", "e2", "e4"):
        cell(page, square).click()
    page.get_by_role("dialog").wait_for()
    choices = page.get_by_role("dialog").locator("[data-text]")
    texts = choices.evaluate_all("all => all.map((each) => each.dataset.text)")
    assert texts
    assert all({"e2", "e4"} <= {text[3:5], text[6:8]} for text in texts)


def test_the_board_turns_and_keys_follow_what_one_sees(alone: Open) -> None:
    page = alone(split_knight(), set={"below": 1})
    first = page.locator("qc-board [role=gridcell]").first
    assert first.get_attribute("data-square") == "h1"
    page.keyboard.press("Tab")
    assert focused(page) == "h8"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    assert focused(page) == "g7"


def test_a_preview_shows_another_board_and_goes_back(alone: Open) -> None:
    game = split_knight()
    page = alone(game)
    other = qchess.new("quantum-chess", fen="7k/8/8/8/8/8/8/K7 w - - 0 1")
    page.evaluate("(view) => document.querySelector('qc-board').showPreview(view, 'if so')", view_of(other))
    assert page.locator("qc-board [data-man]").count() == 2
    cell(page, "a1").click()
    assert plays(page) == []
    page.evaluate("document.querySelector('qc-board').showPreview(null)")
    assert page.locator("qc-board [data-man]").count() == 33


def test_a_board_that_is_not_played_tells_the_squares_and_the_drawn_arrows_only(alone: Open) -> None:
    page = alone(split_knight(), set={"playable": False})
    cell(page, "e2").click()
    cell(page, "e4").click()
    cell(page, "e2").hover()
    page.mouse.down(button="right")
    cell(page, "e4").hover()
    page.mouse.up(button="right")
    assert plays(page) == []
    assert [each["square"] for each in told(page, "qc-square")] == ["e2", "e4"]
    assert told(page, "qc-draw") == [{"start": "e2", "end": "e4"}]


def test_where_the_list_of_moves_is_too_long_a_square_is_asked_about_first(alone: Open) -> None:
    game = qchess.new("niels-xiangqi", seed=1)
    page = alone(game, set={"moves": None})
    cell(page, "h3").click()
    assert told(page, "qc-pick")[-1] == {"squares": ["h3"]}
    assert "can go here" not in named(page, "h7")
    page.evaluate(
        "(odds) => { document.querySelector('qc-board').odds = odds; }", {"square": "h3", "moves": odds_of(game, "h3")}
    )
    assert "can go here" in named(page, "h7")
    cell(page, "h7").click()
    assert plays(page) == ["h3h7"]


def test_drawings_may_come_without_a_server(alone: Open) -> None:
    page = alone(split_knight())
    for letter, shape in MEN.items():  # the page lets the plinth in
        assert page.locator(f"qc-board #{letter}w").get_attribute("d") == shape.whole
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(
        "(all) => { document.querySelector('qc-board').drawings = all; }",
        {"name": "draughts", **viewjson.drawings("draughts")},
    )
    page.evaluate(
        "(view) => { document.querySelector('qc-board').view = view; }", view_of(qchess.new("quantum-checkers", seed=1))
    )
    assert page.locator("qc-board svg.picture [data-man] use").count() == 24
    assert asked == []


@pytest.mark.slow
def test_plates_have_letters_of_ten_pixels_on_a_phone(alone: Open) -> None:
    page = alone(qchess.new("piece-qubit-chess", seed=1), viewport={"width": 360, "height": 740})
    page.locator("qc-board .plate").first.wait_for()
    side = page.evaluate("document.querySelector('qc-board')._side")
    sizes = page.locator("qc-board .plate").evaluate_all(
        "all => all.map((each) => Number(each.getAttribute('font-size')))"
    )
    assert min(sizes) * side / 100 > 9.98
