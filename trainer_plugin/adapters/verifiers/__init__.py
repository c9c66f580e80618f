"""A taskset for verifiers, and so for prime-rl.  Run with verifiers 0.4.0.

    vf-eval ocaml-reward-env --env.taskset.task.problems problems.jsonl -m MODEL

With `--env.taskset.task.turns 2` a model is told about its first program, and tries again.

It is a package of its own because verifiers looks for one by the taskset's name.  Traces
hold a problem's id and never its tests.

A completion that our side cannot grade is a SandboxError: its trace has no reward,
`--resume` does it again, and prime-rl does not train on it.
"""

from .harness import Chat
from .taskset import OCamlTaskset

__all__ = ["Chat", "OCamlTaskset"]
