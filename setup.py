"""Computes what ``pyproject.toml`` cannot: the package lists, and the compiled kernels that a build adds.

The package lists are those of a tree whose top folders are subpackages. The kernels are compiled from their
Python source by numba for this platform: beside the source, in a folder that git ignores, in an editable install, into
the wheel otherwise. QCHESS_KERNELS=all adds those of the other platforms, for a wheel that is released. Without numba
the build goes on, and says what that means.

Installed in place, the checkout's root goes on the path, where the real package wins over a folder of
its name; `qchess._checkout` finds the other two packages there.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
TOPS = ("circuits", "backends")
BUILT = Path("circuits", "kernels", "built")
#: the platforms of `qchess.circuits.kernels.places.TRIPLES`
TARGETS = ("linux-x86_64", "linux-aarch64", "macos-arm64", "windows-amd64")


class BuildWithKernels(build_py):
    """Puts compiled kernels beside the modules."""

    def run(self) -> None:
        """Builds the modules, then the kernels."""
        super().run()
        if find_spec("numba") is None:
            self.warn(
                "numba is not here: no kernels are compiled, they will be where they are first used, or run slowly"
            )
        elif self.editable_mode:
            self.compile_kernels(ROOT / BUILT, "--reuse")
        else:
            targets = ("--targets", *TARGETS) if os.environ.get("QCHESS_KERNELS") == "all" else ()
            self.compile_kernels(Path(self.build_lib, "qchess", BUILT).resolve(), "--reuse", *targets)

    def compile_kernels(self, folder: Path, *options: str) -> None:
        """Compiles in a process of its own, from this checkout's source."""
        command = [sys.executable, "-m", "qchess.circuits.kernels.building", str(folder), *options]
        path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
        subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, check=True)


#: told that everything lies where its name says, an editable build writes one line of a ``.pth`` and no finder
IN_PLACE = "editable_wheel" in sys.argv

packages = find_packages(include=["qchess", "qchess.*"])
package_dir = {"": "."}
if not IN_PLACE:
    package_dir = {f"qchess.{top}": top for top in TOPS}
    for top in TOPS:
        packages += [f"qchess.{top}", *(f"qchess.{top}.{sub}" for sub in find_packages(top))]

setup(packages=packages, package_dir=package_dir, cmdclass={"build_py": BuildWithKernels})
