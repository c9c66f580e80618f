"""A taskset for verifiers, and so for prime-rl. Tested with verifiers 0.4.0.

    vf-eval ocaml-reward-env --env.taskset.task.problems problems.jsonl -m MODEL

With `--env.taskset.task.turns 2` a model gets feedback on its first program, and tries again.

It is a separate package because verifiers imports a taskset by its name. Traces have a problem's id
and never its tests.

A completion that cannot be graded is a SandboxError: its trace has no reward, `--resume` repeats
it, and prime-rl does not train on it.
"""

from .harness import Chat
from .taskset import OCamlTaskset

__all__ = ["Chat", "OCamlTaskset"]
