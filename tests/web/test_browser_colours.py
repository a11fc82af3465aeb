"""Colours that carry a meaning are told apart by colour-blind eyes: the smallest difference, computed.

Sight is simulated as Machado, Oliveira and Fernandes (2009, doi 10.1109/TVCG.2009.113) publish it, at full severity,
on linear RGB; differences are CIE76 in L*a*b* with the white of sRGB. About 2 is just seen; the hues of eight phases
come as near as that.
"""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

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
@pytest.mark.parametrize(
    ("name", "least"), [("PHASE_COLOURS", 33), ("GROUP_COLOURS", 16), ("ARROW_COLOURS", 35), ("MARK_COLOURS", 12)]
)
def test_colours_that_mean_different_things_look_different_to_these_eyes(name: str, least: float, sight: str) -> None:
    found = colours(name)
    assert len(found) >= 3
    assert smallest(found, sight) >= least


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as WCAG has it."""

    def luminance(colour: str) -> float:
        full = "#" + "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour
        channels = np.array([int(full[k : k + 2], 16) / 255 for k in (1, 3, 5)])
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return float(XYZ[1] @ linear)

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("dark", "light"), [("#26313b", "#f1ecdf"), ("#26313b", "#b4c0c8"), ("#eef2f5", "#20272e")])
def test_numbers_on_the_board_stand_out_from_squares_and_from_their_halo(dark: str, light: str) -> None:
    assert contrast(dark, light) >= 4.5


#: text and what it stands on, and the least contrast
TEXTS = (
    ("ink", "page", 14.6), ("ink", "panel", 12), ("ink", "soft", 11), ("ink", "accentsoft", 10),
    ("quiet", "page", 5.5), ("quiet", "panel", 6), ("quiet", "soft", 5), ("accentink", "accent", 7.1),
    ("accent", "page", 6), ("accent", "panel", 6.5), ("yes", "panel", 5.6), ("yes", "page", 5.6), ("no", "panel", 5.6),
    ("no", "page", 5.6), ("warn", "page", 5.6), ("danger", "panel", 4.5),
)  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_tokens_of_the_pages_have_the_contrast_that_text_needs(scheme: str) -> None:
    text = (STATIC / "look.css").read_text(encoding="utf-8")
    light, *dark = (dict(re.findall(r"--(\w+):(#\w+)", found)) for found in re.findall(r":root[^{]*\{(--[^}]+)", text))
    assert len(dark) == 2
    assert dark[0] == dark[1], "dark by the system is dark by the button"
    tokens = light if scheme == "light" else dark[0]
    for one, other, least in TEXTS:
        assert contrast(tokens[one], tokens[other]) >= least, (one, other)
