"""OpenQASM files, versions 2 and 3, as Qiskit's loaders read them, and the lines of their statements."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from qchess.errors import QchessError

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

ENDINGS = (".qasm", ".qasm2", ".qasm3")
_VERSION = re.compile(r"^\s*OPENQASM\s+(\d+)", re.MULTILINE)
_PLACE = re.compile(r"^<input>:(\d+),\d+: ")
_COLUMN = re.compile(r"\b\d+,\d+: |\bline \d+:\d+ ")
_GATE = re.compile(r"^\s*gate\s+(\w+)", re.MULTILINE)
#: a comment, or the name of an included file: version 2 has no other text in quotes
_QUOTED = re.compile(r"//[^\n]*|\"([^\"]*)\"|'([^']*)'")
#: what is skipped, or begins and ends a statement
_MARKS = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|[{};]', re.DOTALL)
NEEDED = "an OpenQASM 3 file is read by the package qiskit-qasm3-import: pip install 'qchess[qasm]'"
#: what Qiskit's loaders raise for unreadable files, beside their own errors
FAILURES = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class LeftOutError(QchessError):
    """The circuit cannot become a case; the message is the whole sentence."""


@dataclass(frozen=True)
class Loaded:
    """A file's circuit, and the lines of its instructions."""

    circuit: QuantumCircuit
    path: Path
    text: str
    load: Callable[[str], QuantumCircuit]

    def where(self, place: int | None) -> str:
        """Return the file and the line of an instruction: the last of the fewest statements that contain it."""
        if place is None:
            return str(self.path)
        held = partial(self._holds, place)
        return f"{self.path}, line {_first(list(statements(self.text)), held)}"

    def _holds(self, place: int, part: str) -> bool:
        return len(self.load(part).data) > place


def loaded(path: Path) -> Loaded:
    """Return the circuit of a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except ValueError:
        raise LeftOutError(f"{path}: expected OpenQASM, but the file is not text") from None
    if (version := _version(text)) != 3:  # of version 3 the loader includes only its own gates
        _check_includes(path, text)
    load = partial(_version3 if version == 3 else _version2, folder=path.parent)
    return Loaded(_checked(path, text, load), path, text, load)


def _version(text: str) -> int:
    if told := _VERSION.search(text):
        return int(told[1])
    return 2 if re.search(r"^\s*qreg\b", text, re.MULTILINE) else 3


def _checked(path: Path, text: str, load: Callable[[str], QuantumCircuit]) -> QuantumCircuit:
    """Return the circuit, or raise with the line of the fault."""
    from qiskit.exceptions import MissingOptionalLibraryError, QiskitError

    try:
        return load(text)
    except MissingOptionalLibraryError:
        raise LeftOutError(f"{path}: {NEEDED}") from None
    except (QiskitError, *FAILURES) as error:
        told = getattr(error, "message", "") or f"Qiskit's loader says: {error}"
        if found := _PLACE.match(told):
            raise LeftOutError(f"{path}, line {found[1]}: {told[found.end() :]}") from None
        line = _first(list(statements(text)), partial(_fails, load))
        raise LeftOutError(f"{path}, line {line}: {_COLUMN.sub('', told)}") from None


def _fails(load: Callable[[str], QuantumCircuit], part: str) -> bool:
    from qiskit.exceptions import QiskitError

    try:
        load(part)
    except (QiskitError, *FAILURES):
        return True
    return False


def _version2(text: str, folder: Path) -> QuantumCircuit:
    """Load the file; gates that Qiskit writes without a definition are its own, unless the file defines them."""
    from qiskit import qasm2

    try:
        return qasm2.loads(text, include_path=(folder,))
    except qasm2.QASM2ParseError:
        own = set(_GATE.findall(text))
        more = [each for each in qasm2.LEGACY_CUSTOM_INSTRUCTIONS if each.name not in own]
        return qasm2.loads(text, include_path=(folder,), custom_instructions=more)


def _check_includes(path: Path, text: str, before: tuple[str, ...] = ()) -> None:
    """Refuse a file that would open files of other folders; an included file may include more."""
    for found in _QUOTED.finditer(text):
        name = found[1] or found[2] or ""
        if Path(name).name != name:
            raise LeftOutError(f"{path}: expected to include a file of the same folder, got {name[:60]!r}")
        if name and name not in before and (beside := path.with_name(name)).is_file():
            _check_includes(beside, beside.read_text(encoding="utf-8", errors="replace"), (*before, name))


def _version3(text: str, folder: Path) -> QuantumCircuit:
    from qiskit import qasm3

    said = io.StringIO()  # the parser prints what it finds
    try:
        with redirect_stderr(said):
            return qasm3.loads(text)
    except Exception as error:
        if type(error).__name__ == "QASM3ParsingError":  # of a package that need not be there
            raise ValueError(said.getvalue().partition("\n")[0]) from None
        raise


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line in which each statement begins, and the text up to its end."""
    depth, begin = 0, 0
    for mark in _MARKS.finditer(text):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0 and mark[0] in (";", "}"):
            yield _line(text, begin), text[: mark.end()]
            begin = mark.end()
    if text[begin:].strip():
        yield _line(text, begin), text


def _line(text: str, begin: int) -> int:
    """Return the line of the first word from there on."""
    at = begin
    while found := re.compile(r"\s+|//[^\n]*|/\*.*?\*/", re.DOTALL).match(text, at):
        at = found.end()
    return text.count("\n", 0, at) + 1


def _first(parts: list[tuple[int, str]], holds: Callable[[str], bool]) -> int:
    """Return the line of the first statement for which this holds; it then holds for all later ones."""
    low, high = 0, len(parts) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(parts[middle][1]) else (middle + 1, high)
    return parts[low][0] if parts else 1
