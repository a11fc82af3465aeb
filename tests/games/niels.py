"""The families of Niel's Chess and Niel's Xiangqi that the tests play."""

from __future__ import annotations

from typing import Any

from qchess.games import rules as rules_of
from qchess.games.niels_chess import BOARDS, NielsChess

#: every family, and every board; the first seven are played longest in the full run
FAMILIES: dict[str, dict[str, Any]] = {
    "base": {},
    "simplified": {"simplified": True},
    "hadamard": {"hadamard": True},
    "hadamard-plus": {"hadamard_plus": True},
    "no-box": {"no_box": True},
    "tunnelling": {"tunnelling": True, "tunnel_barrier": "any"},
    "remote-collapse": {"remote_collapse": True},
    "deterministic": {"deterministic": True},
    "slow": {"slow": True, "qrng": True},
    "consent": {"hadamard_plus": True, "hplus_consent": True, "no_box": True},
    "other-readings": {
        "double_step": "never_after_split", "promo_on_attempt": "at_step_1", "ep_split34": "none",
        "repetition": "threefold", "fifty_move": True,
    },
    **{board: {"board": board} for board in BOARDS if board != "8x8"},
    "xiangqi": {"xiangqi": True},
    "xiangqi-tunnelling": {
        "xiangqi": True, "tunnelling": True, "drop_river": True, "cannon_no_pair_mount": "transparent"
    },
    "xiangqi-hadamard": {
        "xiangqi": True, "hadamard_plus": True, "cannon_no_pair_mount": "block", "repetition": "perpetual_check"
    },
    "xiangqi-remote": {"xiangqi": True, "remote_collapse": True, "simplified": True},
}  # fmt: skip
MANY = list(FAMILIES)[:7]


def made(family: str) -> NielsChess:
    switches = dict(FAMILIES[family])
    name = "niels-xiangqi" if switches.pop("xiangqi", False) else "niels-chess"
    rules = rules_of(name, **switches)
    assert isinstance(rules, NielsChess)
    return rules
