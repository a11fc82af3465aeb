"""Links that others can open: where the server is reached, and the codes that phones scan, read by the standard."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest

from qchess.web import addresses
from qchess.web.serving import Serving
from qchess.web.settings import Settings
from tests.web.hands import until
from tests.web.test_browser_access import findings, table

Open = Callable[..., Any]
Grid = list[list[int]]
#: by version and level: the codewords for checking in a block, and the number of blocks (ISO/IEC 18004, table 9)
BLOCKS = {
    "L": [(7, 1), (10, 1), (15, 1), (20, 1), (26, 1), (18, 2), (20, 2), (24, 2), (30, 2), (18, 4)],
    "M": [(10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5)],
}
CENTRES = ["", "6 18", "6 22", "6 26", "6 30", "6 34", "6 22 38", "6 24 42", "6 26 46", "6 28 50"]
MASKS: list[Callable[[int, int], int]] = [
    lambda i, j: (i + j) % 2, lambda i, j: i % 2, lambda i, j: j % 3, lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2, lambda i, j: i * j % 2 + i * j % 3, lambda i, j: (i * j % 2 + i * j % 3) % 2,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
]  # fmt: skip


# -- a reader of codes ----------------------------------------------------------------------------------------------


def read(grid: Grid) -> tuple[str, str, int]:
    """The text of a code, its level and its version; every check of the standard must hold."""
    size = len(grid)
    version = (size - 17) // 4
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        corner = ["".join(map(str, row[left : left + 7])) for row in grid[top : top + 7]]
        assert corner == ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    level, mask = _format(grid)
    if version > 6:
        _check_version(grid, version)
    taken = _taken(size, version)
    bits, column, up = [], size - 1, True
    while column > 0:
        if column == 6:
            column -= 1
        for row in range(size - 1, -1, -1) if up else range(size):
            for j in (column, column - 1):
                if (row, j) not in taken:
                    bits.append(grid[row][j] ^ (MASKS[mask](row, j) == 0))
        column, up = column - 2, not up
    words = [int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits) - 7, 8)]
    return _text(_data(words, *BLOCKS[level][version - 1]), version), level, version


def _format(grid: Grid) -> tuple[str, int]:
    size = len(grid)
    ways = [(8, j) for j in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    others = [(i, 8) for i in range(size - 1, size - 8, -1)] + [(8, j) for j in range(size - 8, size)]
    one, two = ("".join(str(grid[i][j]) for i, j in way) for way in (ways, others))
    assert one == two
    assert grid[size - 8][8] == 1
    told = int(one, 2) ^ 0b101010000010010
    rest = told
    for bit in range(14, 9, -1):
        rest ^= (0b10100110111 << bit - 10) if rest >> bit & 1 else 0
    assert rest == 0
    return {1: "L", 0: "M"}[told >> 13], told >> 10 & 7


def _check_version(grid: Grid, version: int) -> None:
    size = len(grid)
    told = sum(grid[k // 3][size - 11 + k % 3] << k for k in range(18))
    assert told == sum(grid[size - 11 + k % 3][k // 3] << k for k in range(18))
    assert told >> 12 == version
    for bit in range(17, 11, -1):
        told ^= (0b1111100100101 << bit - 12) if told >> bit & 1 else 0
    assert told == 0


def _taken(size: int, version: int) -> set[tuple[int, int]]:
    """Where no codeword lies."""
    far = range(size - 8, size)
    found = {(i, j) for i in range(9) for j in (*range(9), *far)} | {(i, j) for i in far for j in range(9)}
    found |= {(6, k) for k in range(size)} | {(k, 6) for k in range(size)}
    centres = [int(each) for each in CENTRES[version - 1].split()]
    for i, j in {(i, j) for i in centres for j in centres} - {(6, 6), (6, centres[-1] if centres else 0)}:
        if (i, j) != (centres[-1], 6):
            found |= {(i + u, j + v) for u in range(-2, 3) for v in range(-2, 3)}
    if version > 6:
        found |= {(i, j) for i in range(6) for j in range(size - 11, size - 8)}
        found |= {(i, j) for j in range(6) for i in range(size - 11, size - 8)}
    return found


def _product(a: int, b: int) -> int:
    """In the field of 256 elements, by shifts and x^8 = x^4 + x^3 + x^2 + 1."""
    found = 0
    while b:
        found ^= a if b & 1 else 0
        a = (a << 1) ^ (0x11D if a & 128 else 0)
        b >>= 1
    return found


def _data(words: list[int], checks: int, count: int) -> bytes:
    """The data codewords; each block is a codeword of its Reed-Solomon code."""
    short, longer = divmod(len(words) - checks * count, count)
    lengths = [short + (k >= count - longer) for k in range(count)]
    stream = iter(words)
    blocks: list[list[int]] = [[] for _ in lengths]
    for at in range(max(lengths)):
        for block, length in zip(blocks, lengths, strict=True):
            if at < length:
                block.append(next(stream))
    kept = [bytes(block) for block in blocks]
    for _ in range(checks):
        for block in blocks:
            block.append(next(stream))
    root = 1
    for _ in range(checks):
        for block in blocks:
            value = 0
            for word in block:
                value = _product(value, root) ^ word
            assert value == 0, "a block fails its check"
        root = _product(root, 2)
    return b"".join(kept)


def _text(data: bytes, version: int) -> str:
    bits = "".join(f"{byte:08b}" for byte in data)
    width = 8 if version < 10 else 16
    assert bits[:4] == "0100"
    length, start = int(bits[4 : 4 + width], 2), 4 + width
    found = bytes(int(bits[start + 8 * k : start + 8 * k + 8], 2) for k in range(length))
    rest = bits[start + 8 * length :]
    assert not rest[:4].strip("0")
    pads = data[len(data) - (len(rest) - min(4, len(rest))) // 8 :]
    assert pads == bytes((0xEC, 0x11)[k % 2] for k in range(len(pads)))
    return found.decode()


# -- the tests ------------------------------------------------------------------------------------------------------

#: how many bytes the ten versions hold (ISO/IEC 18004, table 7)
ROOM = {"L": [17, 32, 53, 78, 106, 134, 154, 192, 230, 271], "M": [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]}


@pytest.mark.slow
def test_codes_of_all_versions_and_levels_are_read_by_the_standard(context: Open, server: str) -> None:
    rng = random.Random(42)
    page = context().new_page()
    page.goto(f"{server}/static/icon.svg")
    page.goto(f"{server}/health")
    page.evaluate("async () => { window.qr = await import('/static/qr.js'); }")
    for level, room in ROOM.items():
        for version, most in enumerate(room, 1):
            text = "".join(chr(rng.randrange(33, 127)) for _ in range(most))
            assert read(page.evaluate("([text, level]) => qr.squaresOf(text, level)", [text, level])) == (
                text, level, version,
            )  # fmt: skip
    for text in ("", "é", "http://192.168.1.5:8080/play/abcdefghijkl#seat=0123456789abcdefABCDEF"):
        assert read(page.evaluate("(text) => qr.squaresOf(text)", text))[0] == text
    longer = "x" * (ROOM["M"][-1] + 1)
    assert "expected a text that fits" in page.evaluate(
        "(text) => { try { qr.squaresOf(text); } catch (error) { return error.message; } }", longer
    )


def address_of(server: Serving) -> dict[str, Any]:
    """What a server tells of its address."""
    with urlopen(f"http://127.0.0.1:{server.port}/api/address") as answer:
        return dict(json.load(answer))


def test_a_server_tells_how_others_reach_it_or_why_they_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    with Serving() as server:
        alone = address_of(server)
    assert alone["address"] is None
    assert alone["why"] == (
        "Only this computer can open this link. Start with `qchess web --host 0.0.0.0` to play with others in your "
        "network."
    )
    monkeypatch.setattr(addresses, "_of_interface", lambda: "192.0.2.7")
    with Serving(bind="0.0.0.0") as server:
        assert server.url == f"http://192.0.2.7:{server.port}"
        assert address_of(server) == {"address": server.url, "why": None}  # and this machine reaches it by its own name
    with Serving(Settings(origins=("https://play.example.org",))) as server:
        assert address_of(server) == {"address": "https://play.example.org", "why": None}


@pytest.mark.slow
def test_a_friend_is_invited_says_a_name_and_finds_the_game_again(context: Open, server: str) -> None:
    opened = table(server)
    secret = opened["seats"]["black"]
    white = context().new_page()
    white.route("**/api/address", lambda route: route.fulfill(json={"address": "http://192.0.2.7:80", "why": None}))
    white.goto(f"{server}{opened['play']['white']}&for-black={secret}")
    white.wait_for_selector("#invite svg.qr")
    link = white.locator("#invite input").first.input_value()
    assert link == f"http://192.0.2.7:80/play/{opened['game']}#seat={secret}"
    squares = white.evaluate("(text) => import('/static/qr.js').then((qr) => qr.squaresOf(text))", link)
    assert read(squares)[0] == link
    path = white.evaluate("document.querySelector('svg.qr path').getAttribute('d')")
    assert path.count("M") == sum(map(sum, squares))
    assert findings(white) == []
    black = context(viewport={"width": 390, "height": 664}, has_touch=True).new_page()
    black.goto(f"{server}{opened['play']['black']}")
    black.get_by_label("Your name, for the others").fill("Ada")
    assert findings(black) == []
    black.get_by_role("button", name="Say it").click()
    until(white, "document.querySelector('#above').textContent.includes('Ada')")
    until(white, "!document.querySelector('#invite .qr')")  # nobody is away any more
    white.get_by_role("button", name="Skip").click()
    until(black, "document.querySelector('#invite').hidden")
    for page in (white, black):
        page.goto(server)
        page.wait_for_selector(".run")
        assert f"/play/{opened['game']}#seat=" in page.locator(".run").first.get_attribute("href")


@pytest.mark.slow
def test_a_link_that_nobody_else_can_open_says_why(context: Open, server: str) -> None:
    opened = table(server)
    page = context(viewport={"width": 390, "height": 664}).new_page()
    page.goto(f"{server}{opened['play']['white']}&for-black={opened['seats']['black']}")
    page.wait_for_selector("#invite .problem")
    board, sheet = (page.locator(part).bounding_box() for part in ("#board", ".inside"))
    assert sheet["y"] >= board["y"] + board["height"] - 1
    assert page.locator("#invite .problem").inner_text().startswith("Only this computer can open this link. Start")
    assert page.locator("#invite .qr").count() == 0
    assert findings(page) == []
