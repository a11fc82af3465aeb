"""How often the slow tests kill a process: each kill is the same experiment, and a few of them show a fault."""

from __future__ import annotations

import os


def kills(usual: int) -> int:
    """As many as ``QCHESS_KILLS`` says, otherwise the usual number."""
    return int(os.environ.get("QCHESS_KILLS", usual))
