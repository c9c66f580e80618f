"""`python -m trainer_plugin.generation`: generates the completions of a job.

It reads the job from standard input and writes one JSON list per batch to standard output.
`ocaml-reward evaluate` starts it.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from typing import TextIO

from ocaml_reward import InputError, MachineError

from ..__main__ import BAD_INPUT, BAD_MACHINE, INTERRUPTED
from .job import Job, parse_job

NEEDED = ("torch", "transformers")


def main() -> int:
    """Run a job; return the exit code, after one line for an error."""
    # Output of libraries goes to standard error, so that it is not mixed with completions.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        try:
            _work(parse_job(json.load(sys.stdin)), answers)
        except (InputError, MachineError) as error:
            sys.stderr.write(f"ocaml-reward: {' '.join(str(error).split())}\n")
            return BAD_INPUT if isinstance(error, InputError) else BAD_MACHINE
        except (KeyboardInterrupt, BrokenPipeError):
            # The process that stops this one prints the message.
            return INTERRUPTED
    return 0


def _work(job: Job, answers: TextIO) -> None:
    """Generate a job's completions and write a line for each batch."""
    if job.url:
        from .endpoint import from_server  # noqa: PLC0415

        made = from_server(job)
    else:
        if missing := [name for name in NEEDED if not find_spec(name)]:
            raise MachineError(
                f"a model is loaded with {', '.join(missing)}:"
                " pip install 'ocaml-reward[train]'; --url asks a server that has one"
            )
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from .local import from_model  # noqa: PLC0415 (loads torch)

        made = from_model(job)
    missing_completions = job.missing()
    for batch in made:
        rows = []
        for one, (conversation, sample) in zip(batch, missing_completions, strict=False):
            rows.append(one.to_dict(conversation.problem.id, sample))
        answers.write(f"{json.dumps(rows)}\n")
        answers.flush()


if __name__ == "__main__":
    sys.exit(main())
