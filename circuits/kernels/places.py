"""The places of built kernels, and the names of platforms."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

#: beside this file: made by the build of a wheel or an editable install
BUILT = Path(__file__).with_name("built")

#: the platforms whose objects a wheel holds, by LLVM's names
TRIPLES = {
    "linux-x86_64": "x86_64-unknown-linux-gnu",
    "linux-aarch64": "aarch64-unknown-linux-gnu",
    "macos-arm64": "arm64-apple-darwin",
    "windows-amd64": "x86_64-pc-windows-msvc-elf",
}


def here() -> str:
    """The name of this platform, such as ``linux-x86_64``."""
    system = {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    return f"{system}-{platform.machine().lower()}"


def cache() -> Path:
    """The user's folder for kernels that were compiled here."""
    if given := os.environ.get("QCHESS_KERNEL_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "qchess" / "kernels"


def object_name(module: str, key: str, target: str) -> str:
    """The file name of an object."""
    return f"{module}-{key}.{target}.o"


def bitcode_name(module: str, key: str) -> str:
    """The file name of the portable form."""
    return f"{module}-{key}.bc"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.write_bytes(content)
    beside.replace(path)
