"""Hands that play in a browser: by mouse, by touch, by keys. They do what people do, and read what the board shows."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from tests.patience import wait_until

BOARD = "document.querySelector('qc-board')"
#: the squares row by row, as one sees them
ROWS = f"""[...{BOARD}.shadowRoot.querySelectorAll('[role=row]')].map(
(row) => [...row.children].map((cell) => cell.dataset.square))"""
#: one's own turn, as this page knows it; it may not have heard of the last move yet
PLAYABLE = f"{BOARD}.playable"
#: how many moves this page has heard of
PLIES = "document.querySelectorAll('#moves .ply').length"
#: one's own turn, or the end
READY = f"({BOARD}.playable && !{BOARD}.scene) || Boolean(document.querySelector('[data-act=rematch]'))"
#: what came of the last press: a picker, a move that was sent, or a move that waits for a second tap
ANSWERED = f"Boolean({BOARD}.shadowRoot.querySelector('.picker')) || !{BOARD}.playable || Boolean({BOARD}._armed)"


#: a press stays short on a busy machine, and a button that asks once more goes on asking: what a page would do after a
#: while, `window.stays` holds, and a test that means it calls it
STAYS = """{ const later = window.setTimeout; window.stays = []; window.setTimeout = (call, wait, ...more) =>
[400, 450, 4000].includes(wait) ? -window.stays.push(call) : later(call, wait, ...more); }"""


def until(page: Any, condition: str) -> None:
    """Waits until a condition holds on the page; the policy of our pages forbids Playwright's own way.

    The page itself looks again and again, also where its clock stands still: to ask it anew costs a hundred looks.
    """
    look = f"for (let times = 0; times < 100; times++) {{ if ({condition}) return true; {PAUSE} }}"
    wait_until(lambda: _comes(page, f"(async () => {{ {look} }})()"), condition, lambda seconds: None)


#: ten milliseconds, by no clock that a test stops
PAUSE = "await scheduler.postTask(() => {}, {delay: 10});"


def _comes(page: Any, look: str) -> bool:
    """Whether a page saw what it looks for; another page may come in its place meanwhile."""
    from playwright.sync_api import Error

    try:
        return bool(page.evaluate(look))
    except Error as error:
        if "Execution context was destroyed" not in error.message:
            raise
        return False


def type_move(page: Any, text: str) -> None:
    """Plays by typed notation, in the field that the key / opens."""
    page.keyboard.press("/")
    page.locator("#text").fill(text)
    page.locator("#text").press("Enter")


def type_moves(moves: Iterable[tuple[Any, str]]) -> None:
    """Plays from a table's first move on, each move on its page, as soon as that page has heard of all before it."""
    for ply, (page, text) in enumerate(moves):
        until(page, f"{PLAYABLE} && {PLIES} === {ply}")
        type_move(page, text)


class Hand:
    """A hand of some kind on a page with a table."""

    name = "mouse"
    context: ClassVar[dict[str, Any]] = {}

    def __init__(self, page: Any) -> None:
        self.page = page
        self.before = 0

    def cell(self, square: str) -> Any:
        """The cell of a square."""
        return self.page.locator(f"#board [data-square='{square}']")

    def press(self, square: str) -> None:
        """Picks a square."""
        self.cell(square).click()

    def mode(self, mode: str) -> None:
        """Chooses the kind of move."""
        self.page.locator(f"#modes [role=radio][data-mode={mode}]").click()

    def pick(self, text: str) -> None:
        """Chooses among moves with the same squares."""
        self.page.locator(f"#board .picker button[data-text='{text}']").click()

    def chip(self, text: str) -> None:
        """Chooses a move that no arrow tells."""
        self.page.locator(f"#others .chip[data-text='{text}']").click()

    def once_more(self, square: str) -> None:
        """Confirms a move that asks."""
        self.press(square)

    def answered(self) -> None:
        """Waits until the last press came to something; the opponent may even have answered."""
        until(self.page, f"{ANSWERED} || document.querySelectorAll('#moves .ply').length > {self.before}")

    def way(self, move: dict[str, Any]) -> Sequence[str]:
        """The squares to press for a move, in order."""
        if move["kind"] == "split":
            return [move["from"][0], *move["to"][:2]]
        if move["kind"] == "merge":
            return [*move["from"][:2], move["to"][0]]
        if move["kind"] == "other":
            return [*move["to"], *move["from"]]
        return [move["from"][0], move["to"][0]]

    def play(self, move: dict[str, Any]) -> None:
        """Plays one legal move."""
        if move["kind"] == "other" and not self.page.evaluate(f"{BOARD}.machine.places"):
            for square in [*move["from"], *move["to"]][:1]:
                self.press(square)
            self.chip(move["text"])
            return
        if move["kind"] in ("split", "merge"):
            self.mode(move["kind"])
        squares = self.way(move)
        for square in squares:
            self.press(square)
        self.answered()
        if self.page.evaluate(f"Boolean({BOARD}._armed)"):
            self.once_more(squares[-1])
            self.answered()
        if self.page.locator("#board .picker").count():
            self.pick(move["text"])

    def choose(self, rng: random.Random) -> dict[str, Any]:
        """A legal move by chance; where the list is too long, first a square is asked about."""
        moves = self.page.evaluate(f"{BOARD}.moves")
        while moves is None:
            square = rng.choice(self.page.evaluate(f"Object.keys({BOARD}.view.men)"))
            self.press(square)
            until(self.page, f"{BOARD}.odds?.square === '{square}'")
            moves = self.page.evaluate(f"{BOARD}.odds.moves") or None
            self.press(square)
        return dict(rng.choice(moves))


class Mouse(Hand):
    """Clicks, and drags every third plain move."""

    turns = 0

    def play(self, move: dict[str, Any]) -> None:
        """Plays one legal move."""
        self.turns += 1
        if move["kind"] == "move" and self.turns % 3 == 0:
            self.cell(move["from"][0]).drag_to(self.cell(move["to"][0]))
            self.answered()
            if self.page.locator("#board .picker").count():
                self.pick(move["text"])
            return
        super().play(move)


class Touch(Hand):
    """Taps on a phone; a move that asks is tapped twice."""

    name = "touch"
    context: ClassVar[dict[str, Any]] = {
        "has_touch": True,
        "is_mobile": True,
        "viewport": {"width": 360, "height": 740},
    }

    def press(self, square: str) -> None:
        """Taps a square."""
        self.cell(square).tap()

    def mode(self, mode: str) -> None:
        """Taps the kind of move."""
        self.page.locator(f"#modes [role=radio][data-mode={mode}]").tap()

    def pick(self, text: str) -> None:
        """Taps one of several moves."""
        self.page.locator(f"#board .picker button[data-text='{text}']").tap()

    def chip(self, text: str) -> None:
        """Taps a move that no arrow tells."""
        self.page.locator(f"#others .chip[data-text='{text}']").tap()


class Keys(Hand):
    """No pointer at all: Tab, arrows, Enter, Escape, and the digits of the modes."""

    name = "keys"

    def press(self, square: str) -> None:
        """Walks to a square and presses Enter."""
        keyboard = self.page.keyboard
        for _ in range(60):
            if here := self.focused("square"):
                break
            keyboard.press("Tab")
        rows = self.page.evaluate(ROWS)
        places = {name: (x, y) for y, row in enumerate(rows) for x, name in enumerate(row)}
        (x, y), (to_x, to_y) = places[here], places[square]
        for key, steps in (
            ("ArrowRight", to_x - x),
            ("ArrowLeft", x - to_x),
            ("ArrowDown", to_y - y),
            ("ArrowUp", y - to_y),
        ):
            for _ in range(steps):
                keyboard.press(key)
        keyboard.press("Enter")

    def focused(self, what: str) -> str:
        """What has the focus, in the board or beside it: its square, or another of its names."""
        return str(
            self.page.evaluate(f"({BOARD}.shadowRoot.activeElement ?? document.activeElement)?.dataset.{what} ?? ''")
        )

    def mode(self, mode: str) -> None:
        """Presses a digit."""
        while not self.focused("square"):
            self.page.keyboard.press("Tab")
        self.page.keyboard.press({"move": "1", "split": "2", "merge": "3"}[mode])

    def pick(self, text: str) -> None:
        """Walks to one of several moves and presses Enter."""
        while self.focused("text") != text:
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Enter")

    def chip(self, text: str) -> None:
        """Walks on to a move that no arrow tells."""
        for _ in range(80):
            if self.focused("text") == text:
                break
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")


def whole_game(page: Any, hand: Hand, seed: int, most: int = 200) -> int:
    """Plays on by chance until the game has ended; how many moves the hand made."""
    rng = random.Random(seed)
    for count in range(most):
        until(page, READY)
        if page.locator("[data-act=rematch]").count():
            return count
        before = hand.before = page.locator("#moves .ply").count()
        hand.play(hand.choose(rng))
        until(page, f"document.querySelectorAll('#moves .ply').length > {before}")
    raise AssertionError(f"no end after {most} moves")
