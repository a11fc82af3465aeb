"""Every notebook runs from top to bottom, in its own folder, with the package installed."""

import json
import re
from pathlib import Path

import pytest

from tests.patience import PATIENCE

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.notebook
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat", reason="needs the extra `notebooks`")
    nbclient = pytest.importorskip("nbclient", reason="needs the extra `notebooks`")
    monkeypatch.setenv("QCHESS_FAST", "1")  # fewer repetitions, the same story
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}},
        startup_timeout=PATIENCE, timeout=5 * PATIENCE,
    )  # fmt: skip
    client.execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_its_outputs_and_with_pictures(path: Path) -> None:
    """Stored by ``python tools/run_notebooks.py``: run once from top to bottom, without errors."""
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error"]
    pictures = [
        "".join(output["data"]["image/svg+xml"]) for output in outputs if "image/svg+xml" in output.get("data", {})
    ]
    assert any(re.search(r'class="(qbars|qplot|qb qstudy)"', picture) for picture in pictures), "something is plotted"
    assert len(pictures) > 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_owes_anything_to_the_machine(path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    text = json.dumps([cell["outputs"] for cell in cells])
    assert not re.search(r"0x[0-9a-f]{6,}|/home/|/tmp/|/Users/|site-packages", text)
    assert all("execution" not in cell["metadata"] for cell in cells)


def test_the_index_lists_every_notebook_once_in_reading_order() -> None:
    index = (NOTEBOOKS[0].parent / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((\w+\.ipynb)\)", index) == [path.name for path in NOTEBOOKS]
