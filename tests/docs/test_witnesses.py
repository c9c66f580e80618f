"""No rule without a real input that asked for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_rule_names_a_witness() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "witnesses")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert "" == done.stdout
    assert 0 == done.returncode
