"""Computes what ``pyproject.toml`` cannot: the package lists of a tree whose top folders are subpackages."""

from setuptools import find_packages, setup

TOPS = ("circuits", "backends")

packages = find_packages(include=["qchess", "qchess.*"])
for top in TOPS:
    packages += [f"qchess.{top}", *(f"qchess.{top}.{sub}" for sub in find_packages(top))]

setup(packages=packages, package_dir={f"qchess.{top}": top for top in TOPS})
