"""What a worker may be asked about a game, by name; at a table what is quick is asked on the server's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qchess.web import work
from qchess.web.studies import asking, making

#: each takes a game that may be played on, and plain values; what comes back pickles
QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question
    for question in (
        *(work.board, work.view, work.replay, work.begin, work.prepare, work.collect),
        *(work.odds, work.preview, work.circuit, work.register, work.choose, work.analyse),
        *(making.answered, making.studied, making.brought, making.taught, making.checked, making.kept),
        *(making.begun, making.loaded, asking.exported, asking.viewed),
    )
}
