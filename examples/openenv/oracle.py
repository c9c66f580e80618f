"""Solve every problem of a running server with its reference, through the API as an agent would.

    python oracle.py [URL]

Prints the reward of each as a line of JSON. Exit status: 0 if all are the maximum, else 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from openenv.core.generic_client import GenericEnvClient

PROBLEMS = Path(__file__).parent / "data" / "problems.jsonl"


def main(url: str = "http://127.0.0.1:8000") -> int:
    """Solve them; return the exit status."""
    rewards = []
    with GenericEnvClient(base_url=url).sync() as client:
        for line in PROBLEMS.read_text(encoding="utf-8").splitlines():
            problem = json.loads(line)
            client.reset(problem=problem["id"])
            reward = client.step({"program": problem["reference"]}).reward
            rewards.append(reward)
            sys.stdout.write(json.dumps({"problem": problem["id"], "reward": reward}) + "\n")
    return 0 if {1.0} == set(rewards) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
