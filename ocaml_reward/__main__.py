"""`python -m ocaml_reward` is the command `ocaml-reward`, which another package has.

The library imports no shell, so this looks for it when it is run.
"""

from __future__ import annotations

import runpy
import sys
from typing import Final

SHELL: Final = "ocaml_reward_cli"
BAD_MACHINE: Final = 3


def main() -> int:
    """Run the command, which exits by itself; return the exit code where it is not installed."""
    try:
        runpy.run_module(SHELL, run_name="__main__", alter_sys=True)
    except ModuleNotFoundError as error:
        if error.name not in {SHELL, "click"}:
            raise
        sys.stderr.write(
            f"ocaml-reward: the command needs {error.name}: pip install ocaml-reward\n"
        )
    return BAD_MACHINE


if __name__ == "__main__":
    sys.exit(main())
