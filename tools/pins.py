"""Tries the newest releases of everything that the check installs, and tells what changed since the pins.

    python tools/pins.py            # installs them in build/newest, compares, runs the default tests
    python tools/pins.py --write    # the same; if the tests pass, writes tests/constraints.txt

`.ci/run` installs the versions of tests/constraints.txt; users get what pyproject.toml allows.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PINS = ROOT / "tests" / "constraints.txt"
FOLDER = ROOT / "build" / "newest"
HEAD = "# What .ci/run installs. Written by `python tools/pins.py --write`.\n"


def newest() -> Path:
    """Install the project and the newest releases that it allows; return that environment's Python."""
    venv.create(FOLDER, clear=True, with_pip=True)
    python = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    unpinned = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    command = [python, "-m", "pip", "install", "--upgrade", "--quiet", "pip", "-e", f"{ROOT}[dev]"]
    subprocess.run(command, env=unpinned, check=True)
    return python


def versions(lines: str) -> dict[str, str]:
    """Read `name==version` lines."""
    return dict(line.split("==") for line in lines.splitlines() if "==" in line)


def changes(old: dict[str, str], new: dict[str, str]) -> list[str]:
    """List each package whose version is another one, with both."""
    names = sorted({*old, *new}, key=str.lower)
    return [f"{name} {old.get(name, '-')} -> {new.get(name, '-')}" for name in names if old.get(name) != new.get(name)]


def main() -> int:
    """Install, compare, test, and write the pins if that was asked for."""
    parser = argparse.ArgumentParser(description="try the newest releases of what the check installs")
    parser.add_argument("--write", action="store_true", help="write tests/constraints.txt if the tests pass")
    write = parser.parse_args().write
    python = newest()
    listing = [python, "-m", "pip", "list", "--format=freeze", "--exclude=qchess"]
    found = subprocess.run(listing, capture_output=True, text=True, check=True).stdout
    print("\n".join(changes(versions(PINS.read_text()), versions(found)) or ["nothing changed"]), flush=True)
    failed = subprocess.run([python, "-m", "pytest"], cwd=ROOT, check=False).returncode
    if write and not failed:
        PINS.write_text(HEAD + found)
    return failed


if __name__ == "__main__":
    sys.exit(main())
