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


@pytest.mark.parametrize(("dark", "light"), [("#26313b", "#f1ecdf"), ("#26313b", "#b4c0c8"), ("#eef2f5", "#20272e")])
def test_numbers_on_the_board_stand_out_from_squares_and_from_their_halo(dark: str, light: str) -> None:
    def luminance(colour: str) -> float:
        channels = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return float(XYZ[1] @ linear)

    high, low = sorted((luminance(dark), luminance(light)), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 4.5
