"""The tree works in every way it can be had: as a checkout, installed in place, as a wheel, as an sdist.

``circuits/`` and ``backends/`` stand at the top and are imported as ``qchess.circuits`` and
``qchess.backends``. Everything here is tried on a copy; nothing is written into the checkout.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import textwrap
import venv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from qchess.circuits.kernels import places

ROOT = Path(__file__).parents[2]
TOPS = ("circuits", "backends")
BUILT = "circuits/kernels/built"
SMALL_TEST = "tests/house/test_words.py::test_an_address_or_a_relative_path_is_no_such_place"
LIBRARIES = list(dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib")))

#: says where the code comes from, after checking that each thing exists once
PROBE = textwrap.dedent("""
    import importlib, operator, qchess, qchess.circuits, qchess.backends
    from qchess.circuits import operations, program
    assert program.Operation is operations.Operation
    assert importlib.import_module("qchess.circuits.operations") is qchess.circuits.operations
    for package in (qchess, qchess.circuits, qchess.backends):
        for name in getattr(package, "__all__", ()):
            thing = getattr(package, name)
            thing = getattr(thing, "__func__", thing)  # of a method its function
            home = getattr(thing, "__module__", None) or package.__name__
            assert not home.startswith(("circuits", "backends")), (name, home)
            if home.startswith("qchess") and hasattr(thing, "__qualname__"):
                assert operator.attrgetter(thing.__qualname__)(importlib.import_module(home)) is thing, name
    print(qchess.__file__, qchess.circuits.__file__, qchess.backends.__file__, sep="\\n")
""")


def run(*command: str | Path, cwd: Path, code: int | None = 0, env: dict[str, str] | None = None) -> str:
    """What a command prints; fails with all of it unless the command ends with `code`."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert code is None or done.returncode == code, (
        f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    )
    return done.stdout + done.stderr


def homes(python: Path, cwd: Path) -> list[Path]:
    """The three packages' files as this interpreter finds them from this folder."""
    return [Path(line) for line in run(python, "-c", PROBE, cwd=cwd).splitlines()]


def copy_tree(to: Path) -> Path:
    """A copy of what git tracks or would track."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    for name in run("git", "ls-files", "-co", "--exclude-standard", "-z", cwd=ROOT).split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    (to / "notebooks").mkdir(exist_ok=True)
    return to


def environment(folder: Path) -> Path:
    """The interpreter of a new environment that also sees the libraries of this one, but not its qchess."""
    venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(folder)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    (site / "libraries.pth").write_text("\n".join(LIBRARIES) + "\n", encoding="utf-8")
    return python


def pip(python: Path, *arguments: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Runs this environment's pip on another one, without an index."""
    env = {"PIP_NO_INDEX": "1", **(env or {})}
    return run(sys.executable, "-m", "pip", "--python", python, *arguments, cwd=cwd, env=env)


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy of the checkout."""
    return copy_tree(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter to build with; setuptools comes from this environment, nothing from an index."""
    return environment(tmp_path_factory.mktemp("workshop"))


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled kernels; those that this checkout was built with need no compiling."""
    folder = tmp_path_factory.mktemp("kernels")
    built = {"QCHESS_KERNEL_CACHE": str(ROOT / BUILT)} if (ROOT / BUILT).is_dir() else {}
    run(sys.executable, "-m", "qchess.circuits.kernels.building", folder, "--reuse", cwd=ROOT, env=built)
    return folder


@pytest.fixture(scope="session")
def sdist(tree: Path, workshop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive."""
    out = tmp_path_factory.mktemp("sdist")
    build = f"from setuptools.build_meta import build_sdist; build_sdist({str(out)!r})"
    run(workshop, "-c", build, cwd=tree)
    return next(out.glob("*.tar.gz"))


@pytest.fixture(scope="session")
def wheel(sdist: Path, workshop: Path, kernels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built from the source archive."""
    out = tmp_path_factory.mktemp("wheel")
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", out)
    pip(workshop, "wheel", *options, sdist, cwd=out, env={"QCHESS_KERNEL_CACHE": str(kernels)})
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with the wheel installed."""
    folder = tmp_path_factory.mktemp("installed")
    python = environment(folder)
    pip(python, "install", "--quiet", "--no-deps", "--ignore-installed", wheel, cwd=folder)
    return python


# -- a checkout, nothing installed --------------------------------------------------------------


@pytest.fixture
def bare(tmp_path: Path) -> Callable[..., str]:
    """Runs Python with the libraries of this environment, but without whatever is installed in place."""

    def python(*arguments: str, cwd: Path, code: int | None = 0) -> str:
        # -S leaves the hooks of an installed copy out; the cache goes where nobody looks
        options = ("-p", "no:cacheprovider") if "pytest" in arguments else ()
        path = {"PYTHONPATH": os.pathsep.join(LIBRARIES)}
        return run(sys.executable, "-S", *arguments, *options, cwd=cwd, code=code, env=path)

    return python


def test_a_checkout_runs_from_its_root_without_an_install(bare: Callable[..., str]) -> None:
    assert "qchess" in bare("-m", "qchess", "--help", cwd=ROOT)


def test_a_checkout_serves_its_own_packages_under_their_real_names(bare: Callable[..., str]) -> None:
    found = [Path(line) for line in bare("-c", PROBE, cwd=ROOT).splitlines()]
    assert found == [ROOT / top / "__init__.py" for top in ("qchess", *TOPS)]


@pytest.mark.slow
def test_pytest_runs_from_the_root_without_an_install(bare: Callable[..., str]) -> None:
    assert "3 passed" in bare("-m", "pytest", "-q", SMALL_TEST, cwd=ROOT)


@pytest.mark.slow
def test_pytest_runs_from_elsewhere_given_the_path(bare: Callable[..., str], tmp_path: Path) -> None:
    assert "3 passed" in bare("-m", "pytest", "-q", str(ROOT / SMALL_TEST), cwd=tmp_path)


def test_only_the_two_names_are_found_by_the_checkout_finder(bare: Callable[..., str], tmp_path: Path) -> None:
    for name in ("qchess.qchess", "qchess.tests", "qchess.circuits.circuits"):
        assert "ModuleNotFoundError" in bare("-c", f"import {name}", cwd=ROOT, code=1)


#: what an install in place once was: a finder that lends one checkout's packages to whoever asks
STRANGER = textwrap.dedent("""
    import importlib.util, pathlib, sys
    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            home = pathlib.Path({other!r}, *name.split(".")[1:], "__init__.py")
            return importlib.util.spec_from_file_location(name, home) if home.is_file() else None
    sys.meta_path.insert(0, Finder)
    import qchess
    import qchess.circuits
""")


def test_a_checkout_never_runs_the_packages_of_another_one(bare: Callable[..., str], tmp_path: Path) -> None:
    for top in TOPS:
        (tmp_path / top).mkdir()
        (tmp_path / top / "__init__.py").write_text("raise SystemExit('the other one')\n", encoding="utf-8")
    assert "the other one" not in bare("-c", STRANGER.format(other=str(tmp_path)) + PROBE, cwd=ROOT)


# -- installed in place ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def in_place(workshop: Path, kernels: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkout in a folder named qchess, installed in place into the workshop."""
    folder = tmp_path_factory.mktemp("in_place")
    tree = copy_tree(folder / "beside" / "qchess")
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--ignore-installed")
    pip(workshop, "install", *options, "-e", tree, cwd=tree, env={"QCHESS_KERNEL_CACHE": str(kernels)})
    yield tree
    pip(workshop, "uninstall", "--quiet", "--yes", "qchess", cwd=folder)


@pytest.mark.slow
def test_an_install_in_place_serves_the_checkout_from_everywhere_and_sees_new_files(
    in_place: Path, workshop: Path, kernels: Path, tmp_path: Path
) -> None:
    assert {file.name for file in (in_place / BUILT).iterdir()} == {file.name for file in kernels.iterdir()} != set()
    for top in TOPS:
        (in_place / top / "newcomer.py").write_text("HERE = True\n", encoding="utf-8")
    for cwd in (in_place, in_place / "notebooks", tmp_path, in_place.parent):
        assert homes(workshop, cwd) == [in_place / top / "__init__.py" for top in ("qchess", *TOPS)]
        run(workshop, "-c", "import qchess.circuits.newcomer, qchess.backends.newcomer", cwd=cwd)
    for cwd in (in_place, tmp_path):
        assert "qchess" in run(workshop, "-m", "qchess", "--help", cwd=cwd)
        assert "qchess" in run(workshop.with_name("qchess"), "--help", cwd=cwd)


@pytest.mark.slow
def test_from_the_folder_beside_a_clone_that_is_installed_in_place_one_can_play(in_place: Path, workshop: Path) -> None:
    play = "import qchess; print(qchess.new(seed=7).play('b1^a3c3').text)"
    assert run(workshop, "-c", play, cwd=in_place.parent).strip() == "b1^a3c3"


@pytest.mark.slow
def test_beside_an_install_in_place_another_checkout_tests_its_own_code(
    in_place: Path, workshop: Path, tmp_path: Path
) -> None:
    second = copy_tree(tmp_path / "second")
    assert homes(workshop, second) == [second / top / "__init__.py" for top in ("qchess", *TOPS)]
    doctests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/house/test_doctests.py", "-k", "predicates")
    assert "passed" in run(workshop, *doctests, cwd=second)
    with (second / "circuits" / "predicates.py").open("a", encoding="utf-8") as file:
        file.write("\nraise RuntimeError('planted in the second checkout')\n")
    assert "planted in the second checkout" in run(workshop, *doctests, cwd=second, code=None)
    assert "passed" in run(workshop, *doctests, cwd=in_place)


# -- wheel and source archive ------------------------------------------------------------------


@pytest.mark.slow
def test_an_installed_wheel_stands_on_its_own(installed: Path, tree: Path, tmp_path: Path) -> None:
    for cwd in (tmp_path, tree / "notebooks"):
        assert all("site-packages" in home.parts for home in homes(installed, cwd))
        assert "qchess" in run(installed, "-m", "qchess", "--help", cwd=cwd)
        assert "qchess" in run(installed.with_name("qchess"), "--help", cwd=cwd)
    for name in ("qchess.qchess", "circuits", "backends"):
        assert "ModuleNotFoundError" in run(installed, "-c", f"import {name}", cwd=tmp_path, code=1)


@pytest.mark.slow
def test_beside_an_installed_wheel_the_root_of_a_checkout_still_runs(installed: Path, tree: Path) -> None:
    assert len(homes(installed, tree)) == 3
    assert "qchess" in run(installed, "-m", "qchess", "--help", cwd=tree)


@pytest.mark.slow
def test_the_wheel_holds_every_module_and_no_other(wheel: Path, tree: Path) -> None:
    kinds = (".py", ".js", ".css")
    sources = {f.relative_to(tree).as_posix() for f in (tree / "qchess").rglob("*.*") if f.suffix in kinds}
    for top in TOPS:
        sources |= {f"qchess/{f.relative_to(tree).as_posix()}" for f in (tree / top).rglob("*.py")}
    names = zipfile.ZipFile(wheel).namelist()
    assert {name for name in names if name.endswith(kinds)} == sources
    assert "qchess/py.typed" in names
    kernels = {name.partition("-")[2].partition(".")[2] for name in names if f"qchess/{BUILT}/" in name}
    assert kernels == {"bc", f"{places.here()}.o"}, "a wheel has the portable form, and the objects of this platform"


@pytest.mark.slow
def test_the_source_archive_holds_tests_tools_and_pages(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"LICENSE", "README.md", ".ci/run", "docs/house.md", "tools/link_farm.py", "tests/conftest.py"}
    assert wanted <= names


# -- type checking ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_mypy_sees_an_error_planted_in_each_package_and_in_the_tests(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="needs the extra `dev`")
    # the modules are many, and checked as they are by the step for types: here one in each place stands for all
    tree = tmp_path / "tree"
    planted = {
        "circuits/planted.py": "number: int = 'one'\n",
        "backends/planted.py": "from qchess.circuits.planted import number\n\nletter: str = number\n",
        "qchess/reader.py": "from qchess.backends.planted import letter\n\nsize: int = letter\n",
        "tests/test_planted.py": "from qchess.reader import size\n\nanswer: str = size\n",
    }
    for name, text in {**planted, **dict.fromkeys([f"{top}/__init__.py" for top in ("qchess", *TOPS)], "")}.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
    for name in ("pyproject.toml", "tools/link_farm.py"):
        (tree / name).parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    run(sys.executable, "tools/link_farm.py", cwd=tree)
    for cwd in (tree, tmp_path):
        said = run(sys.executable, "-m", "mypy", "--config-file", tree / "pyproject.toml", cwd=cwd, code=1)
        found = re.findall(r"(\w+/\w+\.py):(\d): error", said.replace(os.sep, "/"))
        assert found == [(name, str(text.count("\n"))) for name, text in planted.items()], said
