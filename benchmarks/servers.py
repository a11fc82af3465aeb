"""How a server stands many clients at once: each opens a connection of its own and asks a few times.

python benchmarks/servers.py                 # 1, 32, 64, 200 and 500 clients on both servers
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
JSON = {"Content-Type": "application/json"}
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KINDS = {
    "state": ("/quantumboard/init", {"init_basis_state": 3}, ()),
    "move": ("/move", {"view": {"gameData": {"position": {"startingFen": START}}}}, ("--player", "random")),
}


class Crowd:
    """Clients that all begin at the same moment; each asks `times` times over one connection."""

    def __init__(self, address: str, path: str, body: bytes, clients: int, times: int) -> None:
        self.address, self.path, self.body, self.times = address, path, body, times
        self.seconds: list[float] = []
        self.failures: list[str] = []
        self._together = threading.Barrier(clients)
        threads = [threading.Thread(target=self._ask) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _ask(self) -> None:
        self._together.wait()
        connection = http.client.HTTPConnection(self.address, timeout=60)
        for _ in range(self.times):
            start = time.perf_counter()
            try:
                connection.request("POST", self.path, self.body, JSON)
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(type(error).__name__)
                return
            if answer.status != 200:
                self.failures.append(str(answer.status))
            self.seconds.append(time.perf_counter() - start)
        connection.close()


def main() -> None:
    """Prints one line for each number of clients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 32, 64, 200, 500])
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout whose servers are measured")
    args = parser.parse_args()
    for kind, (path, question, more) in KINDS.items():
        command = [sys.executable, "-m", "qchess", "serve", kind, "--port", "0", "--seed", "1", *more]
        with subprocess.Popen(command, cwd=args.root, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            address = server.stdout.readline().split()[2].rstrip(";").removeprefix("http://")
            Crowd(address, path, json.dumps(question).encode(), 1, 3)  # what is loaded on first use
            for clients in args.clients:
                crowd = Crowd(address, path, json.dumps(question).encode(), clients, args.times)
                times = sorted(crowd.seconds) or [float("nan")]
                p50, p99 = (1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.99))
                print(
                    f"{kind:5}  {clients:3} clients: p50 {p50:7.1f} ms  p99 {p99:7.1f} ms"
                    f"  failures {len(crowd.failures)} {sorted(set(crowd.failures))}"
                )
            server.terminate()


if __name__ == "__main__":
    main()
