"""Python in place of OCaml."""

from __future__ import annotations

import json
from pathlib import Path

from ocaml_reward import Grader, Problem, Verdict
from ocaml_reward.reading.python import is_python

CORPUS = Path(__file__).parents[2] / "test_corpus" / "completions.jsonl"
PYTHON = "```python\ndef half(x):\n    return x // 2\n```"


def test_python_is_no_code_and_the_reason_is_said() -> None:
    """One verdict and one message in place of many errors; feedback for the model says it, too."""
    problem = Problem(id="half", tests="let () = assert (half 8 = 4)")
    with Grader("concise", jobs=1) as grader:
        found = grader.grade(problem, PYTHON)

    assert (Verdict.NO_CODE, 0.0, "") == (found.verdict, found.reward, found.code)
    assert ["The code is Python, not OCaml."] == [each.message for each in found.diagnostics]
    assert "The code is Python, not OCaml." in found.feedback("compiler")


def test_no_answer_of_the_corpus_is_taken_for_python() -> None:
    """But for the one that is."""
    rows = map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())
    taken = [row["case"] for row in rows if is_python(str(row["completion"]))]

    assert ["lines-python"] == taken
