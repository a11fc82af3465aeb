"""Put the modules of a page into one text: for a notebook, and for a standalone page.

Our modules are simple: imports only from their own folder, one line each, at the top; exports where things are
declared. Each becomes a function that is called once and returns its exports, so that names do not clash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}\s+from\s+)?"\./([\w.-]+)\.js";\s*$', re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const)\b)", re.MULTILINE)
#: doc comments wherever they stand, and lines that are a comment
_COMMENT = re.compile(r"/\*\*.*?\*/|^[ \t]*//[^\n]*", re.DOTALL | re.MULTILINE)
_DEFAULT = re.compile(r"^export\s+default\s+", re.MULTILINE)


class InliningError(ValueError):
    """A module is not as simple as ours are."""


def bare(script: str) -> str:
    """Return a script of ours without its comments, as browsers get it; lines keep their numbers.

    >>> bare('/** One. @type {number} */\\nexport const one = 1; // kept\\n  // gone\\n')
    '\\nexport const one = 1; // kept\\n\\n'
    """
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), script)


@cache
def source(name: str) -> str:
    """Return the text of a file of the web board, by its name."""
    return files("qchess.web").joinpath("static", name).read_text(encoding="utf-8")


@cache
def script(name: str) -> str:
    """Return a module with all its imports as one plain script, without imports or exports."""
    return "\n".join(_functions(name))


@cache
def module(name: str) -> str:
    """Return the same as one module, with the module's default export."""
    return f"{script(name)}\nexport default {_variable(name)}.default;\n"


def _functions(name: str) -> Iterator[str]:
    """Yield one function for each module, dependencies first; it returns what others import from it."""
    ordered = _ordered(name, ())
    wanted: dict[str, list[str]] = {each: [] for each in ordered}
    for names, other in (found for each in ordered for found in _IMPORT.findall(source(f"{each}.js"))):
        wanted[other] += [word.strip().partition(" as ")[0] for word in names.split(",") if word.strip()]
    for each in ordered:
        yield f"const {_variable(each)} = (() => {{\n{_body(each, wanted[each])}\n}})();"


def _ordered(name: str, around: tuple[str, ...]) -> list[str]:
    if name in around:
        raise InliningError(f"modules import each other in a circle: {' -> '.join((*around, name))}")
    needed = [part for _, other in _IMPORT.findall(source(f"{name}.js")) for part in _ordered(other, (*around, name))]
    return list(dict.fromkeys([*needed, name]))


def _body(name: str, wanted: Iterable[str]) -> str:
    """Return the body of a module's function: its statements, and its exports."""
    text = bare(source(f"{name}.js"))
    given = list(dict.fromkeys(wanted))
    text = _IMPORT.sub(lambda found: _taken(found[1], found[2]), text)
    text = _EXPORT.sub("", text)
    if _DEFAULT.search(text):
        text = _DEFAULT.sub("const default_ = ", text)
        given.append("default: default_")
    left = re.search(r"^(import|export)\b.*$", text, re.MULTILINE)
    if left:
        raise InliningError(f"{name}.js has a line that cannot be put into one text with others: {left[0]!r}")
    return f"{text}\nreturn {{ {', '.join(given)} }};"


def _taken(names: str | None, other: str) -> str:
    """Return the line that replaces an import."""
    return f"const {{{names.replace(' as ', ': ')}}} = {_variable(other)};" if names else ""


def _variable(name: str) -> str:
    return "qc_" + re.sub(r"\W", "_", name)
