"""The page's words agree with the program's."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from qchess.wording import percent

WORDING = Path(__file__).parents[2] / "qchess/web/static/wording.js"
PROBABILITIES = [0.0, 1e-10, 1e-5, 0.0009, 0.009, 0.01, 1 / 3, 0.125, 3 / 16, 0.5, 0.7305, 0.99, 0.994, 0.9996, 1.0]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_page_writes_percent_as_the_program_does() -> None:
    code = WORDING.read_text(encoding="utf-8").replace('import { groupName } from "./colours.js";', "")
    asked = json.dumps(PROBABILITIES)
    code += f"console.log(JSON.stringify({asked}.map((p) => [percent(p), percent(p, 1)])))"
    done = subprocess.run(
        ["node", "--input-type=module"], input=code, capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(done.stdout) == [[percent(p), percent(p, 1)] for p in PROBABILITIES]
