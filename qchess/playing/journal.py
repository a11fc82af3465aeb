"""A file in which work is recorded as it is done: a first line that describes the work, then one line per piece.

Each line is on the disk before `add` returns. A killed process loses at most an incomplete line, which is dropped when
the file is opened again. Finished work puts its lines in order, so the file does not depend on how or where it was
done. Other files are refused, and unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from qchess.circuits.locks import taken
from qchess.errors import InvalidMoveError
from qchess.reading import file_text

#: the most characters of a journal
LONGEST = 1024**3


class Journal:
    """An open journal, held by one process at a time.

    `check` gets the first line of an existing file, and raises if it is of other work. Without `check` the line must
    equal `head`.
    """

    def __init__(self, path: Path, head: str, check: Callable[[str], object] | None = None) -> None:
        try:
            self.path, self.file = path, path.open("a+b")
        except (OSError, ValueError) as error:
            raise InvalidMoveError(f"expected a file that can be written, {str(path)!r} cannot: {error}") from error
        try:
            if not taken(self.file) or not self._in_place():
                raise InvalidMoveError(f"{path} is being written by another process")
            #: the first line of the file, and the lines after it
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
        #: True: the file is new and has only its first line
        self.fresh = not kept
        if self.fresh:
            self._write(head)
        return found, lines

    def _in_place(self) -> bool:
        """Tell whether the file still has this name: another process may have replaced it."""
        return os.path.samestat(os.fstat(self.file.fileno()), self.path.stat())

    def _require(self, found: str, head: str) -> None:
        if found != head:
            raise InvalidMoveError(f"{self.path} holds other work: {found}")

    def add(self, line: str) -> None:
        """Write a line: it is on the disk when this returns."""
        self.fresh = False
        self._write(line)

    def _write(self, line: str) -> None:
        with self._whole_or_not_at_all():
            self.file.write(line.encode("utf-8") + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())

    @contextmanager
    def _whole_or_not_at_all(self) -> Iterator[None]:
        """Take back what did not fit on the disk, and say in one sentence that nothing else is lost."""
        size = os.fstat(self.file.fileno()).st_size
        try:
            yield
        except OSError as error:
            with suppress(OSError):
                self.file.close()
            with suppress(OSError):
                os.truncate(self.path, size)
            kept = "what is finished is kept, and the same command goes on from there"
            raise InvalidMoveError(f"{self.path} cannot be written ({error.strerror}); {kept}") from error

    def finish(self, lines: Iterable[str]) -> None:
        """Write exactly these lines after `head`, atomically; the journal stays open."""
        text = "".join(line + "\n" for line in (self.head, *lines)).encode("utf-8")
        self.file.seek(0)
        if self.file.read() == text:
            return
        draft = self.path.with_name(f"{self.path.name}.part")
        with self._whole_or_not_at_all():
            file = draft.open("w+b")
            try:
                taken(file)  # before it has the name that others open
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
                draft.replace(self.path)
            except BaseException:
                with suppress(OSError):
                    file.close()
                draft.unlink(missing_ok=True)
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
    """Return the first line of a journal and the lines after it, without a broken last line; changes nothing."""
    whole = file_text(path, "results", LONGEST)
    head, *lines = whole.split("\n")[:-1] or [""]
    return head, lines


def _lines(path: Path, kept: bytes) -> list[str]:
    try:
        return kept.decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError as error:
        raise InvalidMoveError(f"{path} is not text in UTF-8; it was not changed") from error
