"""Words that no file of the project may hold."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: absolute places on somebody's machine
PLACES = re.compile(r"/(?<![\w.~}/-]/)(?:home|root|Users|[w]ork)/\w")
#: written in two halves, so that this file does not hold them
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|NotImpl" + r"ementedError)\b")


def project_files() -> list[Path]:
    """Everything git tracks; what else lies in somebody's checkout is theirs."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def lines_with(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    """Every matching line as ``file:number: line``; files that are not text hold none."""
    found = []
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.name != Path(__file__).name and pattern.search(text):
            numbered = enumerate(text.splitlines(), 1)
            name = path.relative_to(ROOT)
            found += [f"{name}:{number}: {line.strip()[:100]}" for number, line in numbered if pattern.search(line)]
    return found


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    assert lines_with(PLACES, project_files()) == []


def test_no_code_is_left_unfinished() -> None:
    code = [path for path in project_files() if path.suffix in (".py", ".ipynb", ".js", ".toml")]
    assert code
    assert lines_with(UNFINISHED, code) == []


@pytest.mark.parametrize("line", ["open('/home/" + "eve/x')", "see /Users/" + "eve/notes"])
def test_the_check_itself_knows_such_a_place(line: str) -> None:
    assert PLACES.search(line)


@pytest.mark.parametrize("line", ["https://example.org/home/page", "docs/home/x", "a/root/b"])
def test_an_address_or_a_relative_path_is_no_such_place(line: str) -> None:
    assert not PLACES.search(line)
