"""The colours of verdicts."""

from __future__ import annotations

from typing import Final

from ocaml_reward import Verdict

STYLES: Final = {
    Verdict.PASSED: "green",
    Verdict.FORBIDDEN: "red",
    Verdict.UNGRADED: "magenta",
}
