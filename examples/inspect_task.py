# inspect eval examples/inspect_task.py -T problems=problems.jsonl --model ...
"""The task for Inspect, which loads tasks from files."""

from trainer_plugin.adapters.inspect_ai import ocaml

__all__ = ["ocaml"]
