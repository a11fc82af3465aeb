"""Computes what ``pyproject.toml`` cannot: the package lists of a tree whose top folders are subpackages.

Installed in place, the checkout's root goes on the path, where the real package wins over a folder of
its name; `qchess._checkout` finds the other two packages there.
"""

import sys

from setuptools import find_packages, setup

TOPS = ("circuits", "backends")
#: told that everything lies where its name says, an editable build writes one line of a ``.pth`` and no finder
IN_PLACE = "editable_wheel" in sys.argv

packages = find_packages(include=["qchess", "qchess.*"])
package_dir = {"": "."}
if not IN_PLACE:
    package_dir = {f"qchess.{top}": top for top in TOPS}
    for top in TOPS:
        packages += [f"qchess.{top}", *(f"qchess.{top}.{sub}" for sub in find_packages(top))]

setup(packages=packages, package_dir=package_dir)
