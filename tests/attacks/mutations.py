"""Removes each defence in a copy of the tree and shows that its test fails.

`python -m tests.attacks.mutations` prints the table of tests/attacks/mutations.md; about
twenty minutes, as most of them build the engine anew.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .mutation import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]
PARTS = ("ocaml_reward", "cli", "tests", "test_corpus", "docs", "pyproject.toml")


def main() -> int:
    """Return 0 if every test fails without its defence."""
    say("| without | test | fails |")
    say("|---|---|---|")
    spared = 0
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        # Jailed users have to be able to enter what the tests make there.
        Path(folder).chmod(0o755)
        for mutation in MUTATIONS:
            fails = not _passes(mutation, Path(folder) / "tree")
            spared += not fails
            cases = f" (`{mutation.cases}`)" if mutation.cases else ""
            answer = "yes" if fails else "NO"
            say(f"| {mutation.defence} | `{mutation.test}`{cases} | {answer} |")
    return 1 if spared else 0


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _passes(mutation: Mutation, tree: Path) -> bool:
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, tree / part, ignore=ignore)
        else:
            shutil.copy(source, tree)
    path = tree / mutation.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutation.old) != 1:
        raise LookupError(f"{mutation.file} has no single {mutation.old!r}")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += [mutation.test, *(["-k", mutation.cases] if mutation.cases else [])]
    done = subprocess.run(command, cwd=tree, capture_output=True, check=False)
    # 1: a test failed.  Anything else says nothing about the defence, but 0.
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout.decode(errors="replace")[-2000:])
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
