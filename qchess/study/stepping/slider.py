"""Steps one by one, with a slider and the arrow keys, as one HTML file without server or kernel."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from qchess.showing.picture import size_of
from qchess.study.paper import DARK, LIGHT
from qchess.study.stepping.strip import window

if TYPE_CHECKING:
    from qchess.study.stepping.steps import Steps

#: pixels around the pictures
AROUND = 130
_STYLE = f"""
:root{{color-scheme:light dark;--ink:{LIGHT[0]};--paper:{LIGHT[1]};--line:#d4dae0}}
@media(prefers-color-scheme:dark){{:root{{--ink:{DARK[0]};--paper:{DARK[1]};--line:#33404b}}}}
body{{margin:0 auto;max-width:60rem;padding:.6rem;background:var(--paper);color:var(--ink);
font:14px/1.5 ui-sans-serif,Helvetica,Arial,sans-serif}}
h1{{font-size:1.1rem;margin:.2rem 0 .6rem}}figure{{margin:0 0 1rem;border-bottom:1px solid var(--line)}}
svg{{max-width:100%;height:auto}}.live figure{{display:none;border:0}}.live figure.shown{{display:block}}
nav{{display:none;gap:.5rem;align-items:center;position:sticky;top:0;background:var(--paper);padding:.3rem 0}}
.live nav{{display:flex}}nav input{{flex:1;accent-color:#1d8f83}}
nav button{{font:inherit;min-width:2.4rem;min-height:2rem}}
nav output{{min-width:5.5rem;text-align:right;font-variant-numeric:tabular-nums}}
pre{{overflow-x:auto;font:12px ui-monospace,Menlo,Consolas,monospace}}
"""
_SCRIPT = """
const figures = [...document.querySelectorAll("figure")], slider = document.querySelector("nav input");
const told = document.querySelector("nav output"), last = figures.length - 1;
const go = (to) => {
  const at = Math.max(0, Math.min(last, to));
  figures.forEach((figure, k) => figure.classList.toggle("shown", k === at));
  slider.value = at;
  slider.setAttribute("aria-valuetext", figures[at].querySelector("svg").getAttribute("aria-label"));
  told.value = figures[at].dataset.step + " of " + figures[last].dataset.step;
};
slider.max = last;
slider.addEventListener("input", () => go(+slider.value));
document.querySelector("#back").addEventListener("click", () => go(+slider.value - 1));
document.querySelector("#next").addEventListener("click", () => go(+slider.value + 1));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const to = { ArrowLeft: +slider.value - 1, ArrowRight: +slider.value + 1, Home: 0, End: last }[event.key];
  if (to !== undefined) { event.preventDefault(); go(to); }
});
document.body.classList.add("live");
go(0);
"""


@dataclass(frozen=True, slots=True, repr=False)
class Slider:
    """A page with the steps one by one. An untrusted notebook shows its text."""

    html: str
    #: the table of the steps
    text: str
    #: the height of the page in pixels
    high: int

    def save(self, path: str | Path) -> Path:
        """Write the page to a file that ends with ``.html``."""
        path = Path(path)
        if path.suffix != ".html":
            raise ValueError(f"a slider is saved as .html, got {path.name!r}")
        path.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        frame = f'style="width:100%;height:{self.high}px;border:0" title="Gate by gate, with a slider"'
        return (
            f'<iframe srcdoc="{escape(self.html)}" {frame}></iframe>'
            f"<details><summary>The steps as text</summary><pre>{escape(self.text)}</pre></details>"
        )

    def __repr__(self) -> str:
        return self.text


def slider(steps: Steps, first: int, most: int | None) -> Slider:
    """Return the page of some steps."""
    chosen, left_out = window(steps, first, most)
    drawn = [(step, step.picture().svg) for step in chosen]
    figures = (f'<figure data-step="{step.number}">{svg}</figure>' for step, svg in drawn)
    title, text = escape(f"Gate by gate: {steps.title}"), steps.text()
    page = "\n".join((
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>",
        f"<p>{escape(left_out)}.</p>" if left_out else "",
        '<nav><button id="back" aria-label="one step back">←</button>'
        '<input type="range" min="0" value="0" aria-label="step"><button id="next" aria-label="one step on">→</button>'
        "<output></output></nav>", *figures,
        f"<details><summary>As text</summary><pre>{escape(text)}</pre></details>",
        f"<script>{_SCRIPT}</script></body></html>", "",
    ))  # fmt: skip
    return Slider(page, text, AROUND + round(max(size_of(svg)[1] for _, svg in drawn)))
