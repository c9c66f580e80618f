# inspect eval recipes/inspect_task.py -T problems=problems.jsonl --model ...
"""The task for Inspect, which loads tasks from files."""

from ocaml_reward_trainers.inspect_ai import ocaml

__all__ = ["ocaml"]
