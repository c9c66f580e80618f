"""How long quick completions wait at a server where other clients ask for endless loops.

Two requests of twenty loops and twenty of one are asked at once; then quick completions one after the
other, every third under a problem that is new.  Printed are the longest and the mean time of these,
the memory of the server and all that it started, and how long after the other clients hung up
nothing of theirs waits any more.

    python -m benchmarks.crowded
    python -m benchmarks.crowded --asked 500 -- --children 2
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import signal
import subprocess
import sys
import time
from typing import Any

HOURS = {
    "check_steps": 10**12, "tests_steps": 10**12,
    "check_cpu_s": 100, "tests_cpu_s": 100, "tests_wall_s": 800,
}  # fmt: skip
LOOP = {"id": "loop", "tests": "let () = assert (f 1 = 3)", "budget": HOURS}
ADD = "let () = assert (add 1 2 = 3)\n"


def loops(count: int, start: int) -> dict[str, Any]:
    """Ask for so many loops, each another program."""
    codes = [f"let rec f n = if n = {10 + start + k} then 0 else f n" for k in range(count)]
    return {"items": [{"problem": LOOP, "completion": code} for code in codes]}


def quick(number: int) -> dict[str, Any]:
    """Ask for a program that adds."""
    tests = ADD if number % 3 else f"{ADD}let () = assert (add {number} 2 = {number + 2})\n"
    problem = {"id": "add", "tests": tests}
    code = f"let add x y = x + y + {number} - {number}"
    return {"items": [{"problem": problem, "completion": code}]}


def begun(host: str, body: dict[str, Any]) -> http.client.HTTPConnection:
    """Send a request and do not wait for its answer."""
    connection = http.client.HTTPConnection(host, timeout=300)
    connection.request("POST", "/v1/score", json.dumps(body))
    return connection


def waiting(host: str) -> float:
    """Return how many completions wait."""
    connection = http.client.HTTPConnection(host)
    connection.request("GET", "/metrics")
    page = connection.getresponse().read().decode()
    return float(re.findall(r"^ocaml_reward_waiting (\S+)$", page, re.MULTILINE)[0])


def megabytes(group: int) -> float:
    """Return the memory of the server and of the engines below it."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True
    )
    rows = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    known = {group}
    while more := {pid for pid, parent, _ in rows if parent in known} - known:
        known |= more
    return sum(rss for pid, _, rss in rows if pid in known) / 1024


def main() -> None:
    """Start a server, crowd it and print what quick completions waited."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--asked", type=int, default=60, help="how many quick completions")
    parser.add_argument("options", nargs="*", help="what the server is started with")
    options = parser.parse_args()
    server = subprocess.Popen(
        [sys.executable, "-m", "cli", "serve", "--port", "0", *options.options],
        stderr=subprocess.PIPE,
        text=True,
    )
    if server.stderr is None:
        raise SystemExit("the server says nothing")
    host = server.stderr.readline().split()[-1].removeprefix("http://")
    log = subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)
    begun(host, quick(0)).getresponse().read()
    print(f"memory before: {megabytes(server.pid):.0f} MB")
    others = [begun(host, loops(20 if n < 2 else 1, 100 * n)) for n in range(22)]
    times = []
    for number in range(1, options.asked + 1):
        started = time.monotonic()
        answer = begun(host, quick(number)).getresponse()
        (found,) = json.loads(answer.read())["results"]
        times.append(time.monotonic() - started)
        if found["verdict"] != "passed":
            raise SystemExit(f"not graded: {found}")
        time.sleep(0.2)
    print(f"quick completions: longest {max(times):.2f} s, mean {sum(times) / len(times):.2f} s")
    print(f"memory: {megabytes(server.pid):.0f} MB, {waiting(host):.0f} loops wait")
    for each in others:
        each.close()
    started = time.monotonic()
    while waiting(host):
        time.sleep(0.05)
    print(f"nothing of others waits {time.monotonic() - started:.2f} s after they hung up")
    server.send_signal(signal.SIGTERM)
    server.wait()
    log.wait()


if __name__ == "__main__":
    main()
