"""A corpus as a folder: an index, and a file for each case.

index.json            the size, the hash of all, and for each case its file, hash and features
cases/NAME.json       the case with its program, features and exact amplitudes
FORM/NAME.ENDING      the case in the requested formats
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from qchess import reading
from qchess.bench.case import FORMAT, Case, corpus_hash
from qchess.bench.corpus.exports import ENDINGS, exported
from qchess.errors import BackendError, InvalidMoveError

INDEX, CASES = "index.json", "cases"
#: the most cases of an index, and letters of a file's name
MOST, LONGEST = 100_000, 1000
#: the fields of a case in the index
TOLD = ("name", "hash", "family", "game", "track", "size", "features")


def write(folder: Path, cases: Iterable[Case], forms: Sequence[str] = ()) -> Iterator[Case]:
    """Write the cases with their exports as they come, and yield each; the index is written last."""
    for name in (CASES, *forms):
        (folder / name).mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    written: list[Case] = []
    for case in cases:
        data = case.data()
        (folder / CASES / f"{case.name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        left_out = dict(_exports(folder, case, forms))
        told = {key: data[key] for key in TOLD}
        rows.append({"file": f"{CASES}/{case.name}.json", **told, "left out": left_out})
        written.append(case)
        yield case
    index = {"format": FORMAT, "hash": corpus_hash(written), "cases": rows}
    (folder / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


def _exports(folder: Path, case: Case, forms: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Write the case in these formats; yields those that cannot express it, with the reason."""
    for form in forms:
        try:
            content = exported(case, form)
        except BackendError as error:
            yield form, str(error)
        else:
            (folder / form / f"{case.name}.{ENDINGS[form]}").write_bytes(content)


def read(folder: Path) -> Iterator[Case]:
    """Yield the cases of a folder, in the order of its index."""
    for row in index(folder)["cases"]:
        yield read_case(folder / row["file"])


def index(folder: Path) -> dict[str, Any]:
    """Return the content of the index."""
    place = folder / INDEX
    if not place.is_file():
        raise InvalidMoveError(
            f"expected a corpus, as `qchess bench corpus` writes it, got {str(folder)!r} without {INDEX}"
        )
    with reading.place(place):
        found = reading.json_object(reading.file_text(place, "the index of a corpus"), "the index of a corpus")
        reading.one_of(found.get("format"), "the format of a corpus", (FORMAT,))
        for row in reading.items(found.get("cases"), "'cases'", MOST):
            name = reading.text(reading.mapping(row, "a case").get("file"), "the 'file' of a case", LONGEST)
            if ".." in Path(name).parts or Path(name).is_absolute():
                raise InvalidMoveError(f"expected the files of a corpus in its folder, got {reading.shown(name)}")
    return found


def read_case(file: Path) -> Case:
    """Return the case of a file, checked by its hash."""
    with reading.place(file):
        return Case.of(reading.json_object(reading.file_text(file, "a case"), "a case"))
