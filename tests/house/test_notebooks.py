"""Every notebook runs from top to bottom, with the package installed, and is stored as its readers need it."""

import ast
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE, wait_until

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def kernels() -> Iterator[Any]:
    """The kind of manager whose kernels need not load what those before them loaded."""
    manager = pytest.importorskip("jupyter_client.manager", reason="needs the extra `notebooks`")
    if not hasattr(os, "fork"):
        yield manager.AsyncKernelManager
        return
    program = [sys.executable, str(Path(__file__).with_name("warm_kernels.py"))]
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket has to be short
        door = f"{folder}/door"
        process = subprocess.Popen([*program, "loads", door], stdin=subprocess.PIPE)
        wait_until(lambda: Path(door).exists() or process.poll() is not None, "packages are loaded")

        class Warm(manager.AsyncKernelManager):  # type: ignore[misc, name-defined]
            def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
                _, _, *kernel = super().format_kernel_cmd(extra_arguments)  # without `python -m`
                return [program[0], "-S", *program[1:], "asks", door, *kernel]

        yield Warm
        process.communicate(timeout=PATIENCE)  # closes its input, which ends it


@pytest.mark.notebook
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, kernels: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat", reason="needs the extra `notebooks`")
    nbclient = pytest.importorskip("nbclient", reason="needs the extra `notebooks`")
    monkeypatch.setenv("QCHESS_FAST", "1")  # fewer repetitions, the same story
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}},
        startup_timeout=PATIENCE, timeout=5 * PATIENCE, kernel_manager_class=kernels,
    )  # fmt: skip
    client.execute()


def cells_of(path: Path, kind: str = "code") -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def outputs_of(path: Path) -> list[dict[str, Any]]:
    return [output for cell in cells_of(path) for output in cell["outputs"]]


def pictures_of(path: Path) -> list[dict[str, str]]:
    """What is stored of each picture, by mime type."""
    return [{kind: "".join(data) for kind, data in output["data"].items()} for output in outputs_of(path)
            if "image/svg+xml" in output.get("data", {})]  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_its_outputs_and_with_pictures(path: Path) -> None:
    """Stored by ``python tools/run_notebooks.py``: run once from top to bottom, without errors."""
    cells = cells_of(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert not [output for output in outputs_of(path) if output["output_type"] == "error"]
    pictures = [told["image/svg+xml"] for told in pictures_of(path)]
    assert any(re.search(r'class="(qbars|qplot|qb qstudy)"', picture) for picture in pictures), "something is plotted"
    assert len(pictures) > 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_picture_is_stored_as_svg_as_png_and_as_a_sentence(path: Path) -> None:
    """Readers who have not trusted a notebook see no SVG, and some readers see no picture at all."""
    for told in pictures_of(path):
        assert set(told) == {"image/svg+xml", "image/png", "text/plain"}
        assert base64.b64decode(told["image/png"]).startswith(b"\x89PNG")
        sentence_or_steps = r"[A-Z0-9].* .*\.|step  gate .*"
        assert re.fullmatch(sentence_or_steps, told["text/plain"], re.DOTALL), told["text/plain"]
        assert 'aria-label="' in told["image/svg+xml"][: told["image/svg+xml"].index(">")]
    said = "".join("".join(output.get("data", {}).get("text/plain", "")) for output in outputs_of(path))
    assert not re.search(r"<(Picture|Plot|Game|BoardWidget|IPython)", said)


def test_the_board_to_play_on_is_stored_as_a_picture_of_it() -> None:
    (path,) = (path for path in NOTEBOOKS if path.stem == "14_the_board_in_a_notebook")
    sentences = [told["text/plain"] for told in pictures_of(path)]
    assert sum(sentence.startswith("A board to play on. ") for sentence in sentences) == 2


def test_the_notebooks_are_small_enough_to_clone() -> None:
    assert sum(path.stat().st_size for path in NOTEBOOKS) < 4_500_000


#: where a reader may import from: each is named in the documents
PUBLIC = {
    "qchess", "qchess.arena", "qchess.backends", "qchess.bench", "qchess.circuits", "qchess.errors",
    "qchess.games.niels_chess", "qchess.playing.agents", "qchess.showing.view", "qchess.study",
    "qchess.testing",
}  # fmt: skip


def imports_of(path: Path) -> list[tuple[str, str]]:
    """What the code of a notebook takes of ours: from where, and which name."""
    code = "\n".join("".join(cell["source"]) for cell in cells_of(path))
    found = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import | ast.ImportFrom)]
    ours = [(node.module or "", name.name) for node in found if isinstance(node, ast.ImportFrom) for name in node.names]
    ours += [(name.name, "") for node in found if isinstance(node, ast.Import) for name in node.names]
    rooms = [(f"{module}.{name}", "") if f"{module}.{name}" in PUBLIC else (module, name) for module, name in ours]
    return [(module, name) for module, name in rooms if module.split(".")[0] == "qchess"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_takes_what_is_public(path: Path) -> None:
    for module, name in imports_of(path):
        assert module in PUBLIC, f"{module} is no place to import from"
        offered = getattr(import_module(module), "__all__", None)
        assert not name or offered is None or name in offered, f"{module} offers no {name}"


def test_the_documents_name_each_public_place() -> None:
    root = NOTEBOOKS[0].parents[1]
    told = "".join(page.read_text(encoding="utf-8") for page in (root / "docs").glob("*.md"))
    used = {module for path in NOTEBOOKS for module, _ in imports_of(path)}
    assert used == PUBLIC
    assert not [
        module for module in PUBLIC if not re.search(rf"\b{re.escape(module)}\b", told.replace(" import ", "."))
    ]


#: figures that the prose has, and how the outputs have them
FIGURES = (
    ("01", "becomes i(|010⟩ + |001⟩)/√2", r"phase 0.25 of a turn|probability, a3 0.5, c3 0.5"),
    ("01", "`naive` needs 8 two-qubit gates", r"naive 8, exact 4, aware 1"),
    ("01", "here by 16", r"473 of 1000 said yes; expected 500, give or take 16"),
    ("03", "Chance alone stays below 7.8 in 95% of experiments", r"chance alone stays below 7\.8 in 95%"),
    ("03", "0.1464 + 0.3230 = 0.4694", r"a1 .* squared 0\.1464\n.*c1 .* squared 0\.3230\n"),
    ("03", "Their squares, 0.1464 and 0.2356", r"a1 .* squared 0\.1464\n.*d1 .* squared 0\.2356\n"),
    ("04", "1$ bit", r"before the slide: 0\.000 bits\n.*after it: 1\.000 bits"),
    ("04", "scatters the knight over four branches", r"b1 a1 0\.25, a3 a1 0\.25, b1 a5 0\.25, a3 a5 0\.25"),
    ("05", "0.81 bits", r"b5 0\.811, d5 0\.811"),
    ("05", "b6, g7 and h3 are empty", r"hit=1.*leaves d8/f7; .*b2 is empty, b6 is empty, g7 is empty, h3 is empty"),
    ("05", "three to one where only a quarter", "1 75%, 2 25%"),
    ("06", "Three white pieces and four black ones become one system of seven", r"system of 7.*7 pieces, 64 branches"),
    (
        "06",
        "One rule, so 2⁷⁻¹ = 64 combinations",
        r"odd number is of its second type, always\n64 combinations, .* 6 bits",
    ),
    ("06", "most pairs know nothing of each other", r"pairs that know of each other: 3 of 21"),
    ("06", "128 outcomes: 64 for the seven, times 2", r"128 outcomes, all of \[0\.007812\]"),
    ("07", "Two: all better halves, or all others", r"f5: 2 branches>"),
    ("07", "Less: 0.918 bits", r"e5 and f4 know 0\.918\d+ bits of each other, their concurrence is 0\.0+\n"),
    ("07", "they are there together, with 33%", r"the capture succeeds with 33\.3%"),
    ("08", "on a chip, take 38", r"library: .* 38 on the chip"),
    ("08", "can be had with 5", r"aware 5\b"),
    ("08", "89% against 98.5%", r"a library 89\.\d%, .*aware 98\.5%"),
    ("08", "A half. Where q2 is full", r"q4 was full after all: 0\.5"),
    ("09", "odds among the kept shots", r"3 branches, registers: q1/q2/q3/q4/q5"),
    ("10", "a cut through the middle goes through six pairs", r"pairs +64 +64 +65536 +1536 "),
    ("09", "`naive` has 28 two-qubit gates, `aware` 5", r"naive \(7 qubits\) 28, .*aware \(6 qubits\) 5"),
    ("09", "right within two points", r"exact .* 83% kept; .* 81% kept\naware .* 85% kept; .* 87% kept"),
    ("09", "17 of 400 shots", r"400 shots, 383 kept"),
    ("11", "nearly all are zero", r"56 squares in one register, 319 branches"),
    ("11", "Here *n* is 56", r"51 turns, 56 squares in one register"),
    ("11", "Far below both", r"at most 2\^40 = 1\.1e\+12 and 1\.4e\+09 branches\n.*, 319 branches"),
    ("11", "A few dozen", r"largest bond: 50; .*: True"),
    ("12", "one case of four", "e5-c3: the answers that may come: target 1 75%, target 2 25%"),
    ("12", "¼ + ³⁄₁₆ = 7/16", r"capturer 4 +25% +0\.07.*target 1 +75% +0\.37.*target 2 +25% +0\.97"),
    ("12", "its interval reaches below a half", r"70\.0% \[48\.1%, 85\.5%\]"),
    ("13", "0, ¼, ¾, 1", "after 1 moves: a1 75%, b1 25%.*after 2 moves: a1 25%, b1 75%"),
    ("13", "Of four placements three are left", "a1 b1 50%, a1 c1 25%, b1 c1 25%"),
    (
        "14",
        "they know 0.623 bits of each other",
        r"a3 and b5 know 1\.000 .*a3 and e4 know 1\.000 .*b5 and e4 know 0\.623",
    ),
    ("14", "become ⅔ and ⅓", r"hit', 0\),\): 0\.75.*e4-f6\.m0: a3 67%, b5 33%"),
    ("15", "K = 3 of 2³ strings are possible", r"K / 2\^n = 0\.375"),
    ("15", "600 of 1000 shots are left", r"600 of 1000 shots left after the last question"),
    ("16", "Six circuits, all right", r"mine\.py +6 +\. .*sparse +6 +\. .*cirq +6 +\."),
    ("16", "Here none is small, so it is right", r"norm on linked-slides-2: ok.*norm on dense-8-3: wrong, norm"),
)


@pytest.mark.parametrize(("number", "prose", "output"), FIGURES)
def test_a_figure_in_the_prose_is_what_came_out(number: str, prose: str, output: str) -> None:
    (path,) = (path for path in NOTEBOOKS if path.stem.startswith(number))
    words = " ".join(" ".join("".join(cell["source"]) for cell in cells_of(path, "markdown")).split())
    assert prose in words
    said = "\n".join(
        "".join(output.get("text", output.get("data", {}).get("text/plain", ""))) for output in outputs_of(path)
    )
    assert re.search(output, said, re.DOTALL)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_owes_anything_to_the_machine(path: Path) -> None:
    cells = cells_of(path)
    text = json.dumps([cell["outputs"] for cell in cells])
    assert not re.search(r"0x[0-9a-f]{6,}|/home/|/tmp/|/Users/|site-packages", text)
    assert all("execution" not in cell["metadata"] for cell in cells)


def test_the_index_lists_every_notebook_once_in_reading_order() -> None:
    index = (NOTEBOOKS[0].parent / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((\w+\.ipynb)\)", index) == [path.name for path in NOTEBOOKS]
