"""A file that work is written down in as it is done: a first line that says what the work is, then one line a piece.

Each line is on the disk before `add` returns. A process that is killed loses nothing but a line half written, which
is dropped when the file is opened again. Work that has ended leaves its lines in order, so that the file is the
same however and wherever the work was done. A file of anything else is refused, and left as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from qchess.circuits.locks import taken
from qchess.errors import InvalidMoveError
from qchess.reading import file_text


class Journal:
    """An open journal, held by one process at a time.

    `check` is given the first line of a file that has one, and raises where the file is of other work. Without it the
    line has to be `head`.
    """

    def __init__(self, path: Path, head: str, check: Callable[[str], object] | None = None) -> None:
        self.path, self.file = path, path.open("a+b")
        try:
            if not taken(self.file) or not self._in_place():
                raise InvalidMoveError(f"{path} is being written by another process")
            #: the first line as the file has it, and the lines after it
            self.head, self.lines = self._read(head, check or (lambda found: self._require(found, head)))
        except BaseException:
            self.file.close()
            raise

    def _read(self, head: str, check: Callable[[str], object]) -> tuple[str, list[str]]:
        self.file.seek(0)
        whole = self.file.read()
        kept = whole[: whole.rfind(b"\n") + 1]
        if not kept and not head.encode("utf-8").startswith(whole):
            raise InvalidMoveError(f"{self.path} is not a file of this work; it was not changed")
        found, *lines = _lines(self.path, kept) or [head]
        if kept:
            check(found)
        if len(kept) < len(whole):  # the process before this one was killed while it wrote
            self.file.truncate(len(kept))
        #: whether nothing but its first line is in the file, and that is new
        self.fresh = not kept
        if self.fresh:
            self._write(head)
        return found, lines

    def _in_place(self) -> bool:
        """Whether this is still the file of that name: another process may have put a new one there meanwhile."""
        return os.path.samestat(os.fstat(self.file.fileno()), self.path.stat())

    def _require(self, found: str, head: str) -> None:
        if found != head:
            raise InvalidMoveError(f"{self.path} holds other work: {found}")

    def add(self, line: str) -> None:
        """Writes a line down: it is on the disk when this returns."""
        self.fresh = False
        self._write(line)

    def _write(self, line: str) -> None:
        self.file.write(line.encode("utf-8") + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def finish(self, lines: Iterable[str]) -> None:
        """Leaves exactly these lines after `head`, in one step: the file is never without them, and stays open."""
        text = "".join(line + "\n" for line in (self.head, *lines)).encode("utf-8")
        self.file.seek(0)
        if self.file.read() == text:
            return
        draft = self.path.with_name(f"{self.path.name}.part")
        file = draft.open("w+b")
        try:
            taken(file)  # before it has the name that others open
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            draft.replace(self.path)
        except BaseException:
            file.close()
            raise
        self.file.close()
        self.file = file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.fresh and kind is not None and issubclass(kind, ValueError):
            self.path.unlink(missing_ok=True)  # the work was refused before it began: no file is left of it
        self.file.close()


def read(path: Path) -> tuple[str, list[str]]:
    """The first line of a journal and the lines after it; nothing is changed, a broken last line is left out."""
    whole = file_text(path, "results")
    head, *lines = whole[: whole.rfind("\n") + 1].splitlines() or [""]
    return head, lines


def _lines(path: Path, kept: bytes) -> list[str]:
    try:
        return kept.decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError as error:
        raise InvalidMoveError(f"{path} is not text in UTF-8; it was not changed") from error
