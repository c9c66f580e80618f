"""
One server and many clients: nothing is lost, its memory stays as it is, nothing is left.

Each request holds one program that nobody has sent before, right or wrong, and each answer
has to be the reward of that kind.  A refusal (429, 503) is tried again when it says.  The
server is a process of its own with the real engine; what it takes is read from /proc after a
tenth of the requests and after all.

    python -m benchmarks.clients --requests 10000 --clients 64
"""

from __future__ import annotations

import argparse
import http.client
import json
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tests.serving.running import spawned

PROBLEM = {"id": "half", "tests": "let () = assert (half 8 = 4); assert (half 7 = 3)"}
CODES = {"passed": "let half x = x / 2", "failed_tests": "let half x = x - 5"}


def family(pid: int) -> set[int]:
    """
    Find a process and all that it has started, and these, that still run.
    """
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
    found = {pid} & parents.keys()
    while more := {one for one, above in parents.items() if above in found} - found:
        found |= more
    return found


def taken(pids: set[int]) -> str:
    """
    Add up what processes take.
    """
    memory = files = 0
    for pid in pids:
        with suppress(OSError):
            status = Path(f"/proc/{pid}/status").read_text()
            memory += int(status.partition("VmRSS:")[2].split()[0])
            files += len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return f"{len(pids)} processes, {memory / 1024:.0f} MB, {files} files"


def client(port: int, numbers: range, seen: Counter[str], lock: threading.Lock) -> None:
    """
    Send requests, one after the other on one connection, until there are no more.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    for number in numbers:
        # Each client has both kinds.
        expected = ("passed", "failed_tests")[number % 3 > 0]
        code = f"{CODES[expected]}\n(* {number} *)"
        body = json.dumps({"items": [{"problem": PROBLEM, "completion": code}]})
        while True:
            connection.request("POST", "/v1/score", body)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status not in {429, 503}:
                break
            with lock:
                seen["tried again"] += 1
            time.sleep(float(answer.headers["Retry-After"]))
        (result,) = json.loads(text)["results"]
        with lock:
            seen["as expected" if result["verdict"] == expected else "otherwise"] += 1
    connection.close()


def main() -> None:
    """
    Run a server, send it all, and print what was seen.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=64)
    told = parser.parse_args()
    with spawned() as server:
        seen: Counter[str] = Counter()
        lock = threading.Lock()
        started = time.perf_counter()
        tenth = told.requests // 10
        for first, last in ((0, tenth), (tenth, told.requests)):
            clients = [
                threading.Thread(
                    target=client,
                    args=(
                        server.port,
                        range(first + own, last, told.clients),
                        seen,
                        lock,
                    ),
                )
                for own in range(told.clients)
            ]
            for each in clients:
                each.start()
            for each in clients:
                each.join()
            print(f"after {last}: {dict(seen)}; {taken(family(server.process.pid))}")
        took = time.perf_counter() - started
        print(f"{1e3 * took / told.requests:.1f} ms a request")
        before = family(server.process.pid)
        code = server.end()
        left = [pid for pid in before if Path(f"/proc/{pid}").exists()]
        print(f"exit {code}, {len(left)} of {len(before)} processes left")


if __name__ == "__main__":
    main()
