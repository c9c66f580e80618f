"""Checks the reward on references and on trivial answers before training.

If references earn less than 1, or empty answers as much as they do, the scheme teaches something
else than the problems require.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.auditing.trivial import arities, trivial_programs
from ocaml_reward.comparing.certificate import LEAST_J, beside, certified, j_of
from ocaml_reward.reading.signature import prompt_code

from ..config.checks import is_file_name
from ..config.value import ConfigError

MOST: Final = 32
"""Maximum number of problems graded, spread evenly over the training set."""
CONSTANTS: Final = 6
EDGE: Final = 1e-6


def preflight(problems: Sequence[Problem], grader: Grader) -> str:
    """Return a line with the mean rewards of references, a constant, the prompt itself and an empty
    answer.

    Raises ConfigError if references earn less than 1, with the one that earns least.
    """
    step = -(-len(problems) // MOST)
    shown = problems[:: max(1, step)]
    with_reference = [each for each in shown if each.reference]
    right = _rewards(
        grader,
        [(each, _fenced(each.reference or "", grader)) for each in with_reference],
    )
    parts = [f"references {_mean(right)}"]
    constants = [(one, text) for one in shown for text in _constants(one, grader)]
    best: dict[str, float] = {}
    rewards = _rewards(grader, constants)
    for (problem, _), reward in zip(constants, rewards, strict=True):
        best[problem.id] = max(best.get(problem.id, 0.0), reward)
    parts.append(f"a constant {_mean([*best.values()])}")
    parts.append(f"the prompt {_mean(_rewards(grader, [(p, p.prompt) for p in shown]))}")
    parts.append(f"nothing {_mean(_rewards(grader, [(p, '') for p in shown]))}")
    scheme = grader.scheme.label
    line = f"preflight: of {len(shown)} problems {scheme} pays {', '.join(parts)}"
    if right and min(right) < 1 - EDGE:
        place = right.index(min(right))
        raise ConfigError(
            f"{line}: a reference earns less than 1 (least {with_reference[place].id}:"
            f" {right[place]:.3f}), so that right answers are not the best; choose another"
            " reward.scheme, or reward.preflight=false trains all the same"
        )
    return line


def certificate_lines(source: str, problems: Sequence[Problem]) -> Iterator[str]:
    """Yield how good the problems' tests are, by the certificate beside their file, and a warning
    where that is too little.
    """
    path = Path(source)
    found = certified(path, problems) if is_file_name(source) else []
    j = j_of(found).value
    if j is None:
        return
    yield f"certificate: J {j:.3f} of {len(found)} of {len(problems)} problems, by {beside(path).name}"
    if j < LEAST_J:
        yield (
            f"warning: J is below {LEAST_J:g}: the reward is noisy; ocaml-reward certify says for"
            " which problems, and --fix adds checks"
        )


def _fenced(code: str, grader: Grader) -> str:
    """Format code as a prompt requires it: in a block, with the scheme's end marker."""
    marker = grader.scheme.end_marker
    end = f"\n{marker}" if marker else ""
    return f"```ocaml\n{code.rstrip()}{end}\n```\n"


def _constants(problem: Problem, grader: Grader) -> Iterator[str]:
    """Yield programs that return a constant."""
    uses = grader.prepare(problem).uses
    if not uses:
        yield _fenced('let () = print_string "0"', grader)
        return
    shown = problem.reference or prompt_code(problem.prompt).opened
    takes = arities(problem.signature or "", shown, uses, str(problem.tests))
    for number, program in enumerate(trivial_programs(takes, "", ())):
        if number < CONSTANTS:
            yield _fenced(program.code, grader)


def _rewards(grader: Grader, pairs: Sequence[tuple[Problem, str]]) -> list[float]:
    """Grade texts; those that this machine cannot grade count as 0."""
    completions = ((problem, Completion(text=text)) for problem, text in pairs)
    return [each.reward or 0.0 for each in grader.grade_many(completions)]


def _mean(rewards: Sequence[float]) -> str:
    """Return the mean of rewards as text."""
    return f"{statistics.fmean(rewards):.3f}" if rewards else "-"
