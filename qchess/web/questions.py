"""What a worker may be asked about a game, by name; quick questions of a table run on the server's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qchess.web import work
from qchess.web.studies import again, asking, making

#: each takes a game that may be played on, and plain values; results can be pickled
QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question
    for question in (
        *(work.board, work.view, work.replay, work.check, work.begin, work.prepare, work.collect),
        *(work.odds, work.preview, work.danger, again.again, work.circuit, work.register, work.choose, work.analyse),
        *(making.answered, making.studied, making.brought, making.taught, making.checked, making.kept),
        *(making.begun, making.loaded, asking.exported, asking.viewed),
    )
}
