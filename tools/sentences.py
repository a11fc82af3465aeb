"""Prints every sentence that the program prints or shows: file:line, kind, text.

    python -m tools.sentences                      # errors, help, answers, pages, lessons; one line each
    python -m tools.sentences --docstrings         # the first sentences of docstrings, too
    python -m tools.sentences --marks              # only those that break a rule, with the rule
    python -m tools.sentences --kind error qchess/web

Python is read by its syntax tree: neighbouring literals are joined, and {name} stands for what is filled in. Lessons
and presets are read as JSON, web pages as HTML, scripts by their string literals. The exit code is 0.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
TOPS = ("qchess", "circuits", "backends", "benchmarks")
KINDS = ("error", "help", "print", "label", "text", "page", "lesson", "docstring")
#: keyword arguments of the command line's parser, and of plots and figures
HELP = {"help", "description", "epilog", "usage"}
LABELS = {"title", "label", "xlabel", "ylabel", "caption", "name", "heading"}
PRINTS = {"print", "write", "emit", "say", "warn", "writelines", "note"}
SHOWN = {"title", "placeholder", "aria-label", "alt", "value"}
WORDS = re.compile(r"[^\W\d_]{2,}[,;:.]?['’]?\w* +\(?[^\W\d_]")
CODE = re.compile(
    r"^\s*(?:SELECT|INSERT|CREATE|UPDATE|DELETE|PRAGMA|ALTER|DROP|WITH|\(\?)\b|\\[bdsw]|^[\w-]+: [\w-]+;|[{};]\n"
)
#: a style or a piece of a page; what an f-string fills in
MARKUP = re.compile(r"</?[a-z]+[ >]|[a-z]=\"|\{[a-z-]+:")
FILLED = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
#: in a script: a literal, after comments and regular expressions are out of the way
SCRIPT = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?P<text>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)"
    r"|(?<=[(,=:&|!?])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*",
    re.DOTALL,
)
#: what no sentence should hold -> the rule; see --marks
RULES = {
    r"\bsurely\b": "say `certain`, or nothing",
    r"\ban odd (?!number|length|count)|\b(?:every|each|one) odd\b(?! (?:number|square|qubit))": "say `probability`",
    r"\b(?:told|tells?|telling)\b(?! apart)": "say shown, printed, described",
    r"\bkept\b": "say saved, stored, unchanged",
    r"\bdress\b": "say style",
    r"\bwhoever\b": "say who it is",
    r"\bis what\b": "say what it is",
    r"\bof its own\b": "say separate, or its",
    r"\bnone of\b.*\bis none\b|\bthat is none\b": "say what was expected",
    r"\bthe like\b": "say what it is",
    r"\(s\)": "count: 1 page, 2 pages",
    r"(?<![\d\w.\])}-])\.\d": "write 0.5 or 50%",
    r"\b1 (?:pages|games|moves|shots|questions|qubits|squares|branches|answers)\b": "count: 1 page",
    r"^.* who [^.]*, [^.]* who\b": "one idea a sentence",
}  # fmt: skip
LONGEST = 20


class Sentence(NamedTuple):
    """One text as a reader meets it."""

    file: str
    line: int
    kind: str
    text: str

    def marks(self) -> list[str]:
        """Name the rules that this text breaks; what is filled in and what is markup breaks none."""
        if MARKUP.search(self.text):
            return []
        text = FILLED.sub("...", self.text)
        found = [why for rule, why in RULES.items() if re.search(rule, text, re.IGNORECASE)]
        longest = max((len(part.split()) for part in re.split(r"[.:;?!](?:\s|$)|\\n|\n", text)), default=0)
        return [*found, f"{longest} words in a sentence"] if longest > LONGEST else found

    def __str__(self) -> str:
        shown = " ".join(self.text.replace("\n", " \\n ").split())
        return f"{self.file}:{self.line}: {self.kind}: {shown}"


def reads(text: str) -> bool:
    """Whether a literal reads as words, and not as a name, a path or code."""
    return bool(WORDS.search(text)) and not CODE.search(text)


def literal(node: ast.AST) -> str | None:
    """Return the text of a literal or of literals added up; {...} stands for what is filled in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue)
                       else literal(part) or "" for part in node.values)  # fmt: skip
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = literal(node.left), literal(node.right)
        if left is not None or right is not None:
            return "".join(part if part is not None else f"{{{ast.unparse(side)}}}"
                           for part, side in ((left, node.left), (right, node.right)))  # fmt: skip
    return None


def called(node: ast.Call) -> str:
    """Return the last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


class Reader(ast.NodeVisitor):
    """Collects the texts of one Python file; `kind` is what the text is used for."""

    def __init__(self, file: str) -> None:
        self.file, self.kind, self.found = file, "text", list[Sentence]()

    def under(self, kind: str, *nodes: ast.AST | None) -> None:
        """Visit nodes that are used for this."""
        before, self.kind = self.kind, kind
        for node in nodes:
            if node is not None:
                self.visit(node)
        self.kind = before

    def visit(self, node: ast.AST) -> None:
        """Note a text, or look further."""
        text = literal(node)
        if text is not None:
            sure = self.kind in ("help", "error", "print") and re.search(r"[^\W\d_]{2}", text)
            if sure or reads(text):
                self.found.append(Sentence(self.file, getattr(node, "lineno", 0), self.kind, text))
            if isinstance(node, ast.JoinedStr):  # texts inside what is filled in
                for part in ast.walk(node):
                    if isinstance(part, ast.FormattedValue):
                        self.under("text", part.value)
            return
        super().visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Whatever is raised is an error."""
        self.under("error", node.exc)

    def visit_Call(self, node: ast.Call) -> None:
        """What a call is for decides the kind of its texts."""
        name = called(node)
        if name.endswith(("Error", "Warning", "Problem")) or name in ("error", "exit", "SystemExit", "refuse", "fail"):
            return self.under("error", *node.args, *node.keywords)
        inner = (
            "print" if name in PRINTS else "label" if name.startswith(("set_title", "set_xl", "set_yl")) else self.kind
        )
        self.visit(node.func)
        self.under(inner, *node.args)
        for word in node.keywords:
            self.under("help" if word.arg in HELP else "label" if word.arg in LABELS else inner, word.value)
        return None

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Texts of annotations are types."""
        self.under(self.kind, node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """A key is shown nowhere as an error or a help."""
        self.under("text", node.value, node.slice)

    def visit_Compare(self, node: ast.Compare) -> None:
        """What a text is compared with is shown nowhere, unless it is a piece of it."""

    def document(self, node: Any) -> None:
        """Note the first sentence of a docstring, and read the rest."""
        body = node.body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            if isinstance(body[0].value.value, str):
                first = body[0].value.value.strip().split("\n\n")[0]
                self.found.append(Sentence(self.file, body[0].lineno, "docstring", first))
            body = body[1:]
        for part in (*getattr(node, "decorator_list", ()), *body):
            self.visit(part)
        arguments = getattr(node, "args", None)
        for default in (*arguments.defaults, *arguments.kw_defaults) if isinstance(arguments, ast.arguments) else ():
            self.under("text", default)

    visit_Module = visit_ClassDef = visit_FunctionDef = visit_AsyncFunctionDef = document  # noqa: N815


class Page(HTMLParser):
    """Collects what a web page shows."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file, self.inside, self.found = file, "", list[Sentence]()

    def note(self, text: str | None) -> None:
        """Note a text at this place."""
        if text and re.search(r"[^\W\d_]{2}", text):
            self.found.append(Sentence(self.file, self.getpos()[0], "page", text.strip()))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes that are shown."""
        self.inside = tag
        for name, value in attrs:
            if name in SHOWN and (name != "value" or tag == "button"):
                self.note(value)

    def handle_endtag(self, tag: str) -> None:
        """The text after an element is the page's."""
        self.inside = ""

    def handle_data(self, data: str) -> None:
        """Note the text between elements."""
        if self.inside not in ("script", "style"):
            self.note(data)


def of_script(file: str, source: str) -> Iterator[Sentence]:
    """Yield the texts of a script: literals of several words, or of one with a capital."""
    for match in SCRIPT.finditer(source):
        text = (match["text"] or "")[1:-1]
        if reads(text) or re.fullmatch(r"[A-Z][a-z]+[….:]?", text):
            yield Sentence(file, source.count("\n", 0, match.start()) + 1, "page", text)


def of_json(file: str, source: str) -> Iterator[Sentence]:
    """Yield the texts of lessons and presets, in their order."""
    at = 0

    def texts(value: Any) -> Iterator[str]:
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from texts(part)
        if isinstance(value, str) and reads(value):
            yield value

    for text in texts(json.loads(source)):
        spelled = next((s for s in (json.dumps(text, ensure_ascii=False), json.dumps(text)) if s in source), "")
        at = max(source.find(spelled, at), 0)
        yield Sentence(file, source.count("\n", 0, at) + 1, "lesson", text)
        at += len(spelled)


def of_file(path: Path) -> list[Sentence]:
    """Return the sentences of one file, in their order."""
    file, source = (
        path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name,
        path.read_text("utf-8"),
    )
    if path.suffix == ".py":
        reader = Reader(file)
        reader.visit(ast.parse(source))
        return reader.found
    if path.suffix == ".html":
        page = Page(file)
        page.feed(source)
        return page.found
    return list(of_json(file, source) if path.suffix == ".json" else of_script(file, source))


def sentences(tops: tuple[str, ...] = TOPS) -> list[Sentence]:
    """Return every sentence of the program below these folders."""
    listed = subprocess.run(["git", "ls-files", "--", *tops], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [n for n in listed.stdout.split() if n.endswith((".py", ".js", ".html", ".json"))]
    shown = (name for name in names if not name.endswith("records.json") and "/results/" not in name)
    return [sentence for name in shown if (ROOT / name).is_file() for sentence in of_file(ROOT / name)]


def main() -> None:
    """Print the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tops", nargs="*", default=TOPS, metavar="FOLDER", help="only below these")
    parser.add_argument("--docstrings", action="store_true", help="the first sentences of docstrings, too")
    parser.add_argument("--marks", action="store_true", help="only what breaks a rule, with the rule")
    parser.add_argument("--kind", choices=KINDS, help="only this kind")
    args = parser.parse_args()
    for sentence in sentences(tuple(args.tops)):
        wanted = sentence.kind == args.kind if args.kind else args.docstrings or sentence.kind != "docstring"
        marks = sentence.marks() if args.marks else [""]
        if wanted and marks:
            print(sentence, *(f"[{mark}]" for mark in marks if mark))


if __name__ == "__main__":
    main()
