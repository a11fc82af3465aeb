"""A report as one HTML file that needs no server or other file, and can be read without its script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from qchess.bench.report.rows import TIMES
from qchess.bench.report.scores import SIZES, SMALL
from qchess.bench.report.section import Section
from qchess.bench.report.tables import Table
from qchess.bench.report.webpage.choices import COLOURS, Choices
from qchess.bench.report.webpage.listing import Listing

HERE = Path(__file__).parent
#: the first of several sentences
LEAD = re.compile(r"\A<p>(.+?\D\.) ")
#: cells with more letters have several lines
LONG = 70
STRONG = re.compile(r"\*\*(.*)\*\*")


def as_html(
    sections: Iterable[Section],
    drawn: Mapping[str, tuple[str, str]],
    choices: Choices,
    listing: Listing | None,
) -> str:
    """Return sections as one HTML file, with pictures and their texts; a list of all runs adds filters and links."""
    shown = [section for section in sections if section.full]
    parts = [_section(section, number, drawn, choices) for number, section in enumerate(shown)]
    first, rest = "".join(parts[:1]), "".join(parts[1:])
    links = " ".join(f"<a href=#at{number}>{escape(section.title)}</a>" for number, section in enumerate(shown))
    runs = ""
    if listing:
        links += " <a href=#every>Every run</a>"
        runs = (
            f"<section><h2 id=every tabindex=-1>Every run</h2><p>{marked(listing.text())}</p><p id=shown role=status>"
            f"</p><details id=all><summary>{len(listing.rows)} runs</summary>{listing.html()}</details></section>"
        )
    style = f"{(HERE / 'page.css').read_text(encoding='utf-8')}{choices.style()}"
    script = (HERE / "page.js").read_text(encoding="utf-8")
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>Simulators compared</title>"
        f'<meta name=viewport content="width=device-width"><style>{style}</style></head>\n'
        f"<body data-small={SMALL}><header><h1>Simulators on game circuits</h1></header>{_bar(choices, listing)}\n"
        f"<main>{first}<details><summary>Contents</summary><nav aria-label=Contents>{links}</nav></details>\n"
        f"{rest}{runs}</main>\n"
        f"<script>{script}</script></body></html>\n"
    )


def _bar(choices: Choices, listing: Listing | None) -> str:
    """Return the choices and filters; hidden from readers without scripts."""
    if listing is None:
        return ""
    first = next(iter(listing.times))
    filters = {
        "family": {"": "all", **_same(row.family for row in listing.rows)},
        "track": {"": "all", **_same(row.track for row in listing.rows)},
        "wires": {"": "all", "0": SIZES[False], "1": SIZES[True]},
        "times": {by: TIMES[by] for by in listing.times},
        "outcome": {"": "all", **_same(row.outcome for row in listing.rows)},
        "simulator": {"": "all", "chosen": "those chosen", **_same(choices.names, ordered=False)},
    }
    selects = "".join(
        f"<label>{name} <select name={name}>"
        + "".join(f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in told.items())
        + "</select></label>"
        for name, told in filters.items()
    )
    return (
        f"<form id=bar hidden data-times={first} data-colours={COLOURS} "
        f'data-chosen="{escape(",".join(choices.chosen))}" '
        f"aria-label='Choose and filter'><fieldset id=choose><legend>Simulators "
        f"in colour</legend>{choices.boxes()}</fieldset><details id=filters><summary>Filter<span id=filtered></span>"
        f"</summary><div>{selects}<button type=button id=reset>Show all</button></div></details>"
        "<output id=said class=unseen></output></form>"
    )


def _same(values: Iterable[str], *, ordered: bool = True) -> dict[str, str]:
    return {value: value for value in (sorted(set(values)) if ordered else values)}


def _section(section: Section, number: int, drawn: Mapping[str, tuple[str, str]], choices: Choices) -> str:
    title = escape(section.title)
    body = "".join(f"<p>{marked(part)}</p>" for part in section.text.split("\n\n") if part)
    if not number:  # the page begins with one sentence
        body = LEAD.sub(r"<p><strong>\1</strong> ", body)
    if section.picture:
        svg, said = drawn[section.picture]
        head, _, rest = svg.partition(">")
        head = head.replace("<svg", f'<svg role=img aria-label="{escape(said.replace("`", ""))}"', 1)
        body += f'<div class=wide tabindex=0 role=region aria-label="{title}, picture">'
        body += f"{head}><title>{title}</title>{rest}</div>"
    body += section.drawing
    body += as_table(section.table, section.title, choices) if section.table else ""
    if section.folded:
        body = f"<details><summary>Open</summary>{body}</details>"
    return f"<section><h2 id=at{number} tabindex=-1>{title}</h2>{body}</section>\n"


def as_table(table: Table, title: str, choices: Choices) -> str:
    """Return a scrolling table with its simulators marked; the script makes it sortable."""
    # bold is what wins in the table of all cases, and ours in others; here ours is one of those to choose from
    bold = table.head[0] == "case"
    words = [_is_words(column) for column in zip(table.head, *table.rows, strict=True)]
    head = "".join(
        f"<th scope=col{' class=words' * word}>{choices.marked(cell)}" if cell else "<td>"
        for word, cell in zip(words, table.head, strict=True)
    )
    body = "".join(
        f"<tr>{''.join(_cell(cell, choices, words=word, bold=bold) for word, cell in zip(words, row, strict=True))}\n"
        for row in table.rows
    )
    sorts = " class=sort" if all(table.head) and len(table.rows) > 1 else ""
    return (
        f'<div class=wide tabindex=0 role=region aria-label="{escape(title)}"><table{sorts}><thead><tr>{head}</thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )


def _is_words(column: Sequence[str]) -> bool:
    """Tell whether the cells of a column, apart from its head, begin with letters."""
    cells = [cell for cell in column[1:] if cell]
    return sum(cell.strip("*")[0].isalpha() for cell in cells) * 2 > len(cells)


def _cell(cell: str, choices: Choices, *, words: bool, bold: bool) -> str:
    strong = STRONG.fullmatch(cell)
    text = choices.marked(strong[1] if strong else cell)
    text = f"<b>{text}</b>" if strong and bold else text
    style = ["words"] * words + ["long"] * (len(cell) > LONG)
    return f'<td class="{" ".join(style)}">{text}' if style else f"<td>{text}"


def marked(text: str) -> str:
    """Return the text with `...` as code and *...* as bold."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*([^*]+)\*", r"<i>\1</i>", re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text))
