"""Recorded terminal sessions: what a person typed and saw, from the command to the last line.

A session is a text file beside this one. Its first line is the command, after a ``$``; what follows a
prompt was typed; all the rest was written by the program. The test types the same again and compares
every character, so that a change of wording or of rules shows as a difference of pages one can read.

To record a session, write a file of its command and its prompts with what is typed, then

    QCHESS_REWRITE=1 python -m pytest tests/sessions

which also renews every session after an intended change; read the difference before you keep it.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

import qchess
from qchess.__main__ import main

FOLDER = Path(__file__).parent
SESSIONS = sorted(file.name for file in FOLDER.glob("*.txt"))
PROMPT = re.compile(r"^(?:[a-z][a-z -]*|Enter [^>]*)> (?P<typed>.*)$", re.MULTILINE)
REWRITE = "QCHESS_REWRITE"
#: what each session leaves behind, relative to where it was played
RECORD = "game.json"
Patch = pytest.MonkeyPatch


class Keyboard(io.StringIO):
    """Lines that show on the screen as they are typed."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        line = super().readline()
        sys.stdout.write(line)
        return line


def played(text: str, monkeypatch: Patch) -> str:
    """The session that has this command and these typed lines, as it goes today."""
    command = text.splitlines()[0]
    sign, program, *arguments = shlex.split(command)
    assert (sign, program) == ("$", "qchess"), f"a session begins with '$ qchess ...', not with {command!r}"
    screen = io.StringIO()
    typed = "".join(f"{found['typed']}\n" for found in PROMPT.finditer(text))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Keyboard(typed))
        patch.setattr(sys, "stdout", screen)
        code = main(arguments)
    assert code == 0, screen.getvalue()
    return f"{command}\n{screen.getvalue()}"


def session(name: str) -> str:
    """A recorded session."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def replies(text: str) -> list[tuple[str, str]]:
    """What was typed, and what was written until the next prompt."""
    found = list(PROMPT.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [(match["typed"], text[match.end() + 1 : end]) for match, end in zip(found, ends, strict=True)]


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_goes_today_as_it_was_recorded(name: str, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    recorded = (FOLDER / name).read_text(encoding="utf-8")
    today = played(recorded, monkeypatch)
    if os.environ.get(REWRITE):
        (FOLDER / name).write_text(today, encoding="utf-8")
        pytest.skip(f"{name} is rewritten")
    assert today == recorded
    assert "\x1b" not in today
    if RECORD in recorded.splitlines()[0]:
        record = qchess.Record.from_json((tmp_path / RECORD).read_text(encoding="utf-8"))
        assert qchess.replay(record).record(**record.tags) == record


# -- what the sessions are there to show ------------------------------------------------------------


def test_quantum_chess_is_played_from_the_start_to_a_kings_capture() -> None:
    text = session("quantum_chess_king_captured")
    assert "8  r n b q k b n r" in text.split("> ")[0]
    assert re.search(r"^Game over. (White|Black) wins: the (white|black) king was captured\.$", text, re.MULTILINE)
    assert set(re.findall(r"\? (Yes|No), 50% likely", text)) == {"Yes", "No"}
    typed = [line for line, _ in replies(text)]
    assert {"help", "undo", "redo", "quit"} <= set(typed)
    assert any(line.startswith("odds ") for line in typed)
    assert any("^" in line for line in typed)


@pytest.mark.parametrize("name", ["quantum_chess_nonsense", "piece_qubit_chess_nonsense"])
def test_every_nonsense_is_answered_with_one_line_that_helps(name: str) -> None:
    said = [(typed, answer) for typed, answer in replies(session(name)) if answer.count("\n") == 1 and typed != "quit"]
    assert len(said) >= 10
    for typed, answer in said:
        known = r"such as|help|expected|not legal|lists|there is no|needs|goes from|cannot leave"
        assert re.search(known, answer), typed
        assert len(answer) <= 300, typed
    assert len({answer for _, answer in said}) == len(said), "ten kinds of nonsense, not one kind ten times"


def test_piece_qubit_chess_has_a_promotion_and_a_collapse_at_eight() -> None:
    answers = dict(replies(session("piece_qubit_chess_promotion_and_collapse")))
    assert "A system of 8 would form and collapses." in answers["odds c7-e5"]
    assert "all of it was measured. 8 pieces changed." in " ".join(answers["c7-e5"].split())
    assert answers["odds g7-g8"] == "g8 Pawn -> Queen 50%/Pawn 50%.\n"
    assert "Q50|P50" in answers["g7-g8"].split("\n8 ")[1].split("\n")[0]


def test_quantum_tic_tac_toe_is_played_both_ways_to_a_row() -> None:
    measured, chosen = session("quantum_tic_tac_toe_against_greedy"), session("quantum_tic_tac_toe_chosen")
    for text in (measured, chosen):
        assert re.search(r"^Game over. [XO] wins: three in a row\.$", text, re.MULTILINE)
        assert "The ring is settled: " in text
    assert "This was 50% likely." in measured
    assert "o says whether x3 is on a1 or b2" in chosen
    assert "likely" not in chosen, "a choice asks nothing"
