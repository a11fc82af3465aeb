"""A terminal as two streams: lines go in and out, with colours if the reader wants them. Nothing is global."""

from __future__ import annotations

import sys
from typing import TextIO

from qchess.showing.boardtext import draw
from qchess.showing.view import View
from qchess.wording import COLUMNS, beside, folded

#: a longer answer is cut
LONGEST_ANSWER = 300
BOLD, RED, DIM = "1", "31", "2"


class Screen:
    """Where somebody types and reads."""

    def __init__(
        self,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        *,
        colour: bool = False,
        columns: int = COLUMNS,
    ) -> None:
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.colour = colour
        self.columns = columns
        self.unicode = "utf" in (getattr(self.stdout, "encoding", None) or "utf-8").lower()

    def read(self, prompt: str) -> str | None:
        """The next line, or None at the end of the input; the prompt never shares a line with what comes then."""
        if self.stdin is sys.stdin and self.stdin.isatty():
            try:
                return input(prompt)  # with the line editing of a terminal
            except EOFError:
                self.say("")
                return None
        self.stdout.write(prompt)
        self.stdout.flush()
        line = self.stdin.readline()
        self.stdout.write("\n" if not line else "")
        return line.rstrip("\n") if line else None

    def say(self, text: str, code: str = "") -> None:
        """Writes a text in lines that fit the screen."""
        self.write("\n".join(folded(text, self.columns, "  ")), code)

    def write(self, text: str, code: str = "") -> None:
        """Writes a text as it is and ends its line: a board, or what is to be copied."""
        self.stdout.write(f"\x1b[{code}m{text}\x1b[0m\n" if self.colour and code and text else f"{text}\n")
        self.stdout.flush()

    def paragraphs(self, *texts: str, indent: str = "", code: str = "") -> None:
        """Writes texts, each folded to the screen."""
        for text in texts:
            self.write("\n".join(folded(text, min(self.columns, 100), indent)), code)

    def table(self, rows: str, wide: int) -> None:
        """Writes lines of two columns, the first so wide; on a narrow screen the second stands below the first."""
        for row in rows.splitlines():
            self.write("\n".join(beside(row[:wide], row[wide:], wide, self.columns)))

    def board(self, view: View, below: str | None = None) -> None:
        """Writes a board, with a free line before and after it."""
        self.write(f"\n{draw(view, self.colour, self.unicode, below=below, columns=self.columns)}\n")


def one_line(message: object) -> str:
    """A message as one printable line."""
    text = " ".join(str(message).split())
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    return text if len(text) <= LONGEST_ANSWER else text[: LONGEST_ANSWER - 4] + " ..."
