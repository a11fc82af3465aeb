"""Colours that carry a meaning are told apart by colour-blind eyes: the smallest difference, computed.

Sight is simulated as Machado, Oliveira and Fernandes (2009, doi 10.1109/TVCG.2009.113) publish it, at full severity,
on linear RGB; differences are CIE76 in L*a*b* with the white of sRGB. About 2 is just seen; the hues of eight phases
come as near as that.
"""

from __future__ import annotations

import random
import re
from itertools import combinations

import numpy as np
import pytest

import qchess
from qchess.showing import viewjson
from tests.web.conftest import STATIC

#: from the paper's table for severity 1.0
SIGHTS = {
    "usual": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
#: sRGB to XYZ, D65
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def colours(name: str) -> list[str]:
    """The colours under a name in the board's module, in order."""
    text = (STATIC / "colours.js").read_text(encoding="utf-8")
    found = re.search(rf"export const {name} = [\[{{](.*?)[\]}}];", text)
    assert found, f"colours.js tells {name}"
    return re.findall(r"#[0-9A-Fa-f]{6}", found[1])


def lab(colour: str, sight: str) -> np.ndarray:
    """A colour as these eyes see it, in L*a*b*."""
    channels = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    seen = np.clip(SIGHTS[sight] @ linear, 0, 1)
    share = XYZ @ seen / XYZ.sum(axis=1)
    f = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def smallest(found: list[str], sight: str) -> float:
    """The smallest difference between two of these colours."""
    return min(float(np.linalg.norm(lab(a, sight) - lab(b, sight))) for a, b in combinations(found, 2))


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("name", "least"), [("REGISTER_COLOURS", 13.5), ("MARK_COLOURS", 12)])
def test_colours_that_mean_different_things_look_different_to_these_eyes(name: str, least: float, sight: str) -> None:
    found = colours(name)
    assert len(found) >= 3
    assert smallest(found, sight) >= least


def luminance(colour: str) -> float:
    """How light a colour is, from 0 to 1."""
    full = "#" + "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour
    channels = np.array([int(full[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(XYZ[1] @ linear)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21, as WCAG counts it."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def over(colour: str, share: float, ground: str) -> str:
    """A colour that lets its ground shine through."""
    mixed = (round(share * int(colour[k : k + 2], 16) + (1 - share) * int(ground[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def tokens(theme: str) -> dict[str, str]:
    """What the board's style sheet says in a theme: names and colours."""
    text = (STATIC / "boardlook.js").read_text(encoding="utf-8")
    light, dark = (re.search(pattern, text) for pattern in (r":host\{([^}]*)\}", r"DARK = `([^`]*)`"))
    assert light
    assert dark
    found = dict(re.findall(r"--(\w+):(#?[\w.]+)", light[1] + (dark[1] if theme == "dark" else "")))
    return {name: f"#{value[1:] * 2}" if re.fullmatch("#...", value) else value for name, value in found.items()}


def sets() -> dict[tuple[str, str], dict[str, str]]:
    """The other colours of the squares, by their name and the theme: all that the board says in them."""
    text = (STATIC / "boards.css").read_text(encoding="utf-8")
    found = re.findall(r"^\[data-squares=(\w+)\] qc-board(\[theme=dark\])?\{([^}]*)\}", text, re.MULTILINE)
    made = {}
    for name, dark, body in found:
        theme = "dark" if dark else "light"
        own = {
            key: f"#{value * 2}" if len(value) == 3 else f"#{value}"
            for key, value in re.findall(r"--(\w+):#(\w+)", body)
        }
        made[name, theme] = tokens(theme) | own
    return made


def men() -> dict[str, dict[str, str]]:
    """The colours of the sides' pieces: their own, the outline, the empty part."""
    text = (STATIC / "boardlook.js").read_text(encoding="utf-8")
    found = re.findall(r"\.m(\.second)?\{--own:(#\w+);--far:(#\w+);--glass:(#\w+)", text)
    return {
        "black" if second else "white": {"own": own, "far": far, "glass": glass} for second, own, far, glass in found
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("squares", ["slate", "wood", "green"])
def test_what_the_board_says_stands_out_as_the_design_asks(theme: str, squares: str) -> None:
    look = tokens(theme) if squares == "slate" else sets()[squares, theme]
    grounds = [look["light"], look["dark"]]
    assert round(contrast(*grounds), 1) >= (1.8 if theme == "light" else 2.2)
    assert contrast(look["ink"], look["panel"]) >= 13.8
    assert contrast(look["quiet"], look["panel"]) >= 6
    assert round(contrast(look["accent"], look["accentink"]), 1) >= (7.2 if theme == "light" else 8)
    assert contrast(look["labellight"], look["light"]) >= 4.5
    assert contrast(look["labeldark"], look["dark"]) >= 4.5
    assert contrast("#ffffff", look["pick"]) >= 7, (
        "the frame's white line on its indigo; one of both is 3 on any square"
    )
    for ground in grounds:
        assert max(contrast(each, ground) for each in ("#ffffff", look["pick"])) >= 3
        assert contrast(over(look["dot"], float(look["dotting"]), ground), ground) >= 1.75
        assert contrast("#14181d", ground) >= 3.5, "the edge of a plate"
        assert smallest([over(look["last"], float(look["lasting"]), ground), ground], "usual") >= 12


def test_pieces_and_plates_stand_out_on_every_square() -> None:
    white, black = men()["white"], men()["black"]
    assert contrast(white["own"], white["far"]) >= 16
    assert contrast(white["own"], white["glass"]) >= 1.85, "softer is ghostlier; the plate says the number"
    assert contrast(black["own"], black["glass"]) >= 3.9
    assert contrast(black["own"], black["far"]) >= 13
    for look in (tokens("light"), tokens("dark"), *sets().values()):
        for ground in (look["light"], look["dark"]):
            assert max(contrast(white["own"], ground), contrast(white["far"], ground)) >= 3
            assert max(contrast(black["own"], ground), contrast(black["far"], ground)) >= 3
    for colour, ink, least in zip(colours("REGISTER_COLOURS"), colours("REGISTER_INKS"), REGISTERS, strict=True):
        assert round(contrast(colour, ink), 1) >= least
        assert contrast(colour, tokens("light")["pick"]) >= 1.2, "no register is the board's own indigo"
    assert contrast("#c62828", "#ffffff") >= 5.5


#: text and what it stands on, and the least contrast in light and in dark
TEXTS = (
    ("ink", "page", 14.6, 15.7), ("ink", "panel", 16, 13.8), ("ink", "soft", 13, 11.6), ("ink", "accentsoft", 13, 11),
    ("quiet", "page", 5.5, 8), ("quiet", "panel", 6.1, 7.1), ("quiet", "soft", 5, 6), ("quiet", "accentsoft", 5, 5.8),
    ("accentink", "accent", 7.2, 8), ("accent", "page", 6.5, 7.9), ("accent", "panel", 6.5, 7),
    ("accent", "accentsoft", 5.8, 5.6), ("yes", "panel", 5.6, 5.6), ("yes", "page", 5.6, 5.6),
    ("no", "panel", 5.6, 5.6), ("no", "page", 5.6, 5.6), ("warn", "page", 5.6, 5.6), ("danger", "panel", 5.5, 5.1),
)  # fmt: skip
#: the least contrast of what is written on each register's colour
REGISTERS = (7.9, 7.7, 5.8, 6.9, 5.2, 5.3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_tokens_of_the_pages_have_the_contrast_that_text_needs(scheme: str) -> None:
    text = (STATIC / "look.css").read_text(encoding="utf-8")
    light, *dark = (dict(re.findall(r"--(\w+):(#\w+)", found)) for found in re.findall(r":root[^{]*\{(--[^}]+)", text))
    assert len(dark) == 2
    assert dark[0] == dark[1], "dark by the system is dark by the button"
    tokens = light if scheme == "light" else dark[0]
    for one, other, *least in TEXTS:
        assert round(contrast(tokens[one], tokens[other]), 1) >= least[scheme == "dark"], (one, other)


def test_a_register_keeps_its_colour_through_each_answer_of_random_games() -> None:
    """As long as two of its squares stay together, and no other register has joined them."""
    kept = 0
    for seed in range(10):
        game, dice = qchess.new("quantum-chess", preset="knights", seed=seed), random.Random(seed)
        before: dict[frozenset[str], int] = {}
        for ply in range(40):
            if game.is_over:
                break
            moves = game.moves()
            splits = [move for move in moves if "^" in move]
            played = game.play(dice.choice(splits if splits and ply % 2 == 0 else moves))
            shown = viewjson.view(game.view())
            now = dict(zip(map(frozenset, shown["groups"]), shown["registers"], strict=True))
            for squares, number in before.items() if played.answers else ():
                heirs = [group for group in now if group & squares]
                if len(heirs) == 1 and len(heirs[0]) > 1 and sum(bool(other & heirs[0]) for other in before) == 1:
                    assert now[heirs[0]] == number, (seed, played.text)
                    kept += 1
            before = now
    assert kept > 40
