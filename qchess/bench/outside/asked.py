"""The cases that a command names: the corpus, or circuits from outside, each an ordinary case."""

from __future__ import annotations

import inspect
import re
import runpy
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from qchess.bench.case import Case
from qchess.bench.corpus.cases import cases
from qchess.bench.corpus.circuit import Circuit
from qchess.bench.corpus.growing import GROWING, growing, widths
from qchess.bench.corpus.listing import FAMILIES, corpus
from qchess.bench.corpus.reference import BRANCHES
from qchess.bench.outside.checked import checked
from qchess.bench.outside.files import ENDINGS, LeftOutError, loaded
from qchess.bench.questions.cases import STATE, asked
from qchess.bench.running.results import AND
from qchess.circuits.errors import StateTooLargeError
from qchess.errors import InvalidMoveError

MQT = "mqt-bench:"
#: a function that makes the case of one circuit
Maker = Callable[[], Iterator[Case]]
#: the origin of a circuit, the name of its case, and the function that makes it
Row = tuple[str, str, Maker]


@dataclass(frozen=True)
class Asked:
    """The circuits named by a command: folders, files, MQT's circuits, families in files; by default the corpus."""

    size: str
    only: str = ""
    circuits: Sequence[str] = ()
    families: Sequence[str] = ()
    #: the numbers of wires of each family, as `widths` reads them; empty if families give them
    wires: str = ""
    #: each family run at several numbers of wires, with its cases in order; filled while these are made
    series: dict[str, list[str]] = field(default_factory=dict)
    #: the questions about each final state
    ask: Sequence[str] = (STATE,)

    @property
    def label(self) -> str:
        """Return its name in a result file; for a path the last part."""
        names = [place if place.startswith(MQT) else Path(place).resolve().name for place in self.circuits]
        outside = [*(f"circuits of {name}" for name in names), *(f"family {Path(name).name}" for name in self.families)]
        told = (AND.join(outside) or self.size) + (f", only {self.only}" if self.only else "")
        told += f", {self.wires} wires" if self.wires else ""
        return told + (f", asked for {' and '.join(self.ask)}" if tuple(self.ask) != (STATE,) else "")

    def cases(self, told: Callable[[str], None]) -> Iterator[Case]:
        """Yield the cases with their questions; a circuit that cannot become one is reported, and the others follow."""
        if self.wires and not self.families:
            raise InvalidMoveError("--wires gives the numbers of wires of a family; name the family with --family")
        if not self.circuits and not self.families:
            for case in corpus(self.size, self.only):
                yield from asked(case, self.ask)
            return
        taken: dict[str, str] = {}
        for place in self.circuits:
            for source, name, maker in _rows(place):
                if self.only in name:
                    try:
                        _claim(name, source, taken)
                        for case in maker():
                            yield from asked(case, self.ask)
                    except LeftOutError as error:
                        told(str(error))
        for place in self.families:
            if self.wires:
                made = self._grown(place, told)
            else:
                made = (each for case in family(place, self.size, self.only) for each in asked(case, self.ask))
            for case in made:
                _claim(case.name, place, taken)
                yield case

    def _grown(self, text: str, told: Callable[[str], None]) -> Iterator[Case]:
        """Yield the cases of one family at each of the numbers of wires."""
        ends = Path(text).name if ".py" in text else text
        none = []
        for wires, circuits in _at(text, widths(self.wires)):
            none += [] if circuits else [str(wires)]
            for circuit, tracks in circuits:
                if len(circuit.wires) != wires:
                    raise InvalidMoveError(f"{text}: expected {wires} wires, its circuit has {len(circuit.wires)}")
                try:
                    for case in cases(circuit, tracks, self.size, self.only):
                        name = ends if case.track == "native" else f"{ends}, {case.track}"
                        for each in asked(case, self.ask):
                            more = f", {each.question}" if each.question else ""
                            self.series.setdefault(name + more, []).append(each.name)
                            yield each
                except StateTooLargeError:
                    told(f"{text} on {wires} wires: more than {BRANCHES:,} branches, too many for an exact reference")
        if none:
            told(f"{text} has no circuit on {', '.join(none)} wires")


def _claim(name: str, source: str, taken: dict[str, str]) -> None:
    if name in taken:
        raise LeftOutError(f"{source}: its case would be called {name!r}, like that of {taken[name]}; rename one")
    taken[name] = source


def _free(family: str, source: str) -> str:
    if family in FAMILIES:
        raise LeftOutError(f"{source}: {family!r} is a family of the corpus; rename this one")
    return family


# -- files ----------------------------------------------------------------------------------------------------


def _rows(place: str) -> Iterator[Row]:
    """Yield the circuits of a folder with its subfolders, of a file, or one of MQT's."""
    if place.startswith(MQT):
        yield _mqt(place)
        return
    path = Path(place)
    if path.is_file():
        yield _row(path, path.resolve().parent.name)
        return
    if not path.is_dir():
        raise InvalidMoveError(f"expected a folder with OpenQASM files, a file or {MQT}NAME:WIRES, got {place!r}")
    files = sorted(file for file in path.rglob("*") if file.suffix in ENDINGS and file.is_file())
    if not files:
        raise InvalidMoveError(f"expected files that end in {', '.join(ENDINGS)}, {place!r} has none")
    for file in files:
        inner = file.parent.relative_to(path).parts
        yield _row(file, "-".join(inner) or path.resolve().name)


def _row(path: Path, family: str) -> Row:
    name = f"{family}-{re.sub('[.][23]$', '', path.stem)}"
    return str(path), f"{name}-native", partial(_of_file, path, name, family)


def _of_file(path: Path, name: str, family: str) -> Iterator[Case]:
    _free(family, str(path))
    found = loaded(path)
    own = path.with_suffix(".reference.json")
    yield from checked(found.circuit, name, family, found.where, own if own.is_file() else None)


# -- MQT Bench ------------------------------------------------------------------------------------------------


def _mqt(text: str) -> Row:
    """Return a circuit of MQT Bench at its target-independent level."""
    benchmark, _, wires = text.removeprefix(MQT).partition(":")
    if not benchmark or not wires.isdecimal():
        raise InvalidMoveError(f"expected {MQT}NAME:WIRES, for example {MQT}ghz:5, got {text!r}")
    name = f"mqt-{benchmark}-{wires}"
    return text, f"{name}-native", partial(_of_mqt, text, benchmark, int(wires), name)


def _of_mqt(text: str, benchmark: str, wires: int, name: str) -> Iterator[Case]:
    try:
        from mqt.bench import get_benchmark_indep
    except ImportError as error:
        raise LeftOutError(f"{text}: this needs the package mqt.bench: pip install mqt.bench ({error})") from None
    try:
        circuit = get_benchmark_indep(benchmark, wires)
    except (AssertionError, LookupError, ValueError) as error:
        raise LeftOutError(f"{text}: MQT Bench says: {error}") from None

    def where(place: int | None) -> str:
        return text if place is None else f"{text}, instruction {place + 1} ({circuit.data[place].operation.name})"

    yield from checked(circuit, name, f"mqt-{benchmark}", where)


# -- families -------------------------------------------------------------------------------------------------


def family(text: str, size: str = "small", only: str = "") -> Iterator[Case]:
    """Yield the cases of a family in a file: ``FILE.py:FUNCTION``, or ``FILE.py`` for its function ``circuits``."""
    with _function(text) as function:
        if not _takes(function):
            raise InvalidMoveError(f"{text} takes a number of wires; give it as --wires FIRST:LAST:STEP")
        for circuit, tracks in _listed(function(), text):
            _free(circuit.family, text)
            yield from cases(circuit, tracks, size, only)


def _at(text: str, wires: Sequence[int]) -> Iterator[tuple[int, Sequence[tuple[Circuit, Any]]]]:
    """Yield each number of wires with a family's circuits, from a file's function or the corpus."""
    if ".py" not in text:
        made = growing(text)
        for n in wires:
            yield n, [] if (circuit := made(n)) is None else [(circuit, {"native": "small"})]
        return
    with _function(text) as function:
        if not _takes(function, wires[0]):
            raise InvalidMoveError(f"{text}: --wires calls it with a number of wires, but it takes none")
        for n in wires:
            given = function(n)
            listed = [] if given is None else list(_listed(given, text))
            for circuit, _ in listed:
                _free(circuit.family, text)
            yield n, listed


@contextmanager
def _function(text: str) -> Iterator[Callable[..., Any]]:
    """Yield a function of a file, which can import its neighbours within the block."""
    path, _, wanted = text.partition(":")
    file, wanted = Path(path), wanted or "circuits"
    if file.suffix != ".py" or not file.is_file():
        more = "; a family of the corpus also needs --wires" if path.partition(",")[0] in GROWING else ""
        raise InvalidMoveError(f"expected a family as FILE.py:FUNCTION, got {text!r}, which is no such file{more}")
    with _beside(file.resolve().parent):
        function = runpy.run_path(str(file)).get(wanted)
        if not callable(function):
            raise InvalidMoveError(f"{path} has no function {wanted!r}; name the family as {path}:FUNCTION")
        yield function


def _takes(function: Callable[..., Any], *arguments: int) -> bool:
    """Tell whether it can be called with these arguments."""
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    return True


def _listed(given: Any, text: str) -> Iterator[tuple[Circuit, Any]]:
    """Yield circuits with their tracks; one without is on the native track of the small corpus."""
    several: Iterable[Any] = given if isinstance(given, Iterable) else (given,)
    for one in several:
        match one:
            case Circuit():
                yield one, {"native": "small"}
            case (Circuit() as circuit, dict() as tracks):
                yield circuit, tracks
            case _:
                raise InvalidMoveError(f"{text}: expected circuits, or pairs of a circuit and its tracks, got {one!r}")


@contextmanager
def _beside(folder: Path) -> Iterator[None]:
    """Let a file import what lies beside it, as a script does."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
