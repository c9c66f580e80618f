"""Runs every attack in every combination and prints a table: `python -m tests.attacks`.

Each runs twice: where its checks are judged beside the code, and outside its process.  As
root it also runs them as a user without rights.  About twenty minutes on two cores.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from ocaml_reward.auditing import load_attacks
from ocaml_reward.auditing.attacking import JUDGED

from .matrix import ENGINES, JAILS, NOBODY, run, run_as


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Return 0 if every attack was held everywhere."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    failed = 0
    expected = len(load_attacks()) * len(JUDGED)
    say("| user | jail | engine | attacks | held | failed |")
    say("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        for user in (os.geteuid(), *([] if os.geteuid() else [NOBODY])):
            for jail in JAILS:
                for engine in ENGINES:
                    here = user == os.geteuid()
                    rows = (
                        run(engine, jail, load_attacks())
                        if here
                        else run_as(user, engine, jail, load_attacks(), Path(folder))
                    )
                    wrong = [row for row in rows if row[3]]
                    failed += len(wrong) + (len(rows) != expected)
                    who = "root" if user == 0 else "unprivileged"
                    held = len(rows) - len(wrong)
                    figures = f"{len(rows)} | {held} | {len(wrong)}"
                    say(f"| {who} | {jail} | {engine} | {figures} |")
                    for name, verdict, reward, why in wrong:
                        say(f"{name}: {verdict}, {reward}: {why}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
