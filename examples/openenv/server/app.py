"""Our adapter with the problems and the scheme of this package; the environment may name others.

python -m server.app --port 8000
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import uvicorn

from trainer_plugin.adapters import openenv

DATA = Path(__file__).parents[1] / "data"

os.environ.setdefault("OCAML_REWARD_PROBLEMS", str(DATA / "problems.jsonl"))
os.environ.setdefault("OCAML_REWARD_SCHEME", str(DATA / "scheme.toml"))
app = openenv.app()


def main() -> None:
    """Serve on the given address."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="0.0.0.0")  # noqa: S104 (a container publishes it)
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args()
    uvicorn.run(app, host=given.host, port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
