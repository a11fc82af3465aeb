"""Kernels for notebooks that begin with the vendors' packages loaded: one process imports them and forks for each.

A fork has the arguments, the folder and the environment of whoever asks for it, and nothing of qchess: what a notebook
imports of that is imported in it.

    python tests/house/warm_kernels.py loads SOCKET
    python tests/house/warm_kernels.py asks SOCKET ARGUMENTS      # lasts as long as its kernel does
"""

from __future__ import annotations

import json
import os
import socket
import sys

#: what the notebooks load of others, and what a kernel does
PACKAGES = ("ipykernel.kernelapp", "networkx", "numba", "scipy.sparse", "resvg_py", "qiskit", "qiskit_aer", "cirq")


def loads(place: str) -> None:
    """Import the packages, then fork a kernel for each that knocks, until standard input is closed."""
    import gc
    from contextlib import suppress
    from importlib import import_module
    from select import select

    del sys.path[0]  # this folder
    for name in PACKAGES:
        with suppress(ImportError):  # the notebook that needs it says so
            import_module(name)
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(place)
        door.listen()
        while sys.stdin not in select([door, sys.stdin], [], [])[0]:
            visitor, _ = door.accept()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if os.fork() == 0:
                door.close()
                become(visitor)
            visitor.close()


def become(visitor: socket.socket) -> None:
    """Be the kernel that was asked for, until it ends or standard input is closed."""
    from runpy import run_module
    from threading import Thread

    tests = os.dup(0)
    Thread(target=lambda: os.read(tests, 1) or os._exit(1), daemon=True).start()
    arguments, folder, environment = json.loads(visitor.makefile().readline())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv[:] = arguments
    run_module(arguments[0], run_name="__main__", alter_sys=True)
    sys.exit()  # which closes the visitor's socket: it waits for that


def asks(place: str, *arguments: str) -> None:
    """Ask for a kernel, and wait for its end."""
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(place)
        door.sendall(json.dumps([arguments, os.getcwd(), dict(os.environ)]).encode() + b"\n")  # noqa: PTH109
        door.recv(1)


if __name__ == "__main__":
    {"loads": loads, "asks": asks}[sys.argv[1]](*sys.argv[2:])
