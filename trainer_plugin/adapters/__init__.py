"""Adapters of the reward for other trainers, one module each.

They are imported on demand, because most need packages of their trainer. docs/trainers.md shows how
to configure each.
"""

__all__: list[str] = []
