"""``qchess serve``: a server from the command line, until it is interrupted."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from qchess.__main__ import main
from tests.patience import PATIENCE
from tests.servers.asking import JSON, Client

ROOT = Path(__file__).parents[2]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal like Ctrl-C for one process")
@pytest.mark.parametrize(
    ("kind", "path", "body"),
    [
        ("move", "/move", b'{"view": {"gameData": {"position": {"startingFen": "%s"}}}}' % START.encode()),
        ("state", "/quantumboard/init", b'{"init_basis_state": 3}'),
    ],
)
def test_a_server_says_where_it_is_asks_for_its_token_and_stops_when_interrupted(kind: str, path: str, body: bytes):
    command = [sys.executable, "-m", "qchess", "serve", kind, "--port", "0", "--seed", "1"]
    environment = {**os.environ, "QCHESS_TOKEN": "sesame"}
    background = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]  # as a shell starts what runs behind it
    with subprocess.Popen(background, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        try:
            url = process.stdout.readline().split()[2].rstrip(";")
            assert url.startswith("http://127.0.0.1:")
            with Client(url) as client:
                assert client.send("POST", path, body)[0] == 401
                assert client.send("POST", path, body, {**JSON, "Authorization": "Bearer sesame"})[0] == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


@pytest.mark.parametrize(
    "arguments",
    [["move", "--player", "nobody"], ["move", "--rules", "house"], ["state", "--backend", "abacus"], ["tea"], []],
)
def test_what_cannot_be_served_is_said_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["serve", *arguments]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


#: a server whose one route takes some time, started as the command starts its own
SLOW = """
import argparse, time
from qchess.commands.serve import _serve

def slowly(data):
    print("begun", flush=True)
    time.sleep(0.3)
    return {"done": True}

args = argparse.Namespace(origin=[], host="127.0.0.1", port=0)
_serve({("POST", "/slow"): slowly}, args, 1000)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a polite kill")
def test_a_polite_kill_lets_the_request_in_flight_be_answered():
    with subprocess.Popen([sys.executable, "-c", SLOW], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            url = process.stdout.readline().split()[2].rstrip(";")
            answers: list[tuple[int, dict[str, object]]] = []
            with Client(url) as client:
                asking = threading.Thread(target=lambda: answers.append(client.post("/slow", {})))
                asking.start()
                assert process.stdout.readline().strip() == "begun"
                process.send_signal(signal.SIGTERM)
                asking.join(PATIENCE)
            assert answers == [(200, {"done": True})]
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


@pytest.mark.parametrize("port", ["99999", "-1", "x", "8000.0", "٣", "9" * 30])
def test_a_port_that_there_is_not_is_refused_in_one_line(port: str, capsys: pytest.CaptureFixture[str]):
    assert main(["serve", "state", "--port", port]) == 2
    [line] = capsys.readouterr().err.strip().splitlines()
    assert "port" in line


def test_a_port_that_is_taken_is_said_in_one_line(capsys: pytest.CaptureFixture[str]):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "state", "--port", str(taken.getsockname()[1])]) == 2
    [line] = capsys.readouterr().err.strip().splitlines()
    assert "in use" in line
