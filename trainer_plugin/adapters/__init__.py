"""The reward in other trainers: one module each, which only translates.

None is imported before it is asked for, as each needs a trainer's own packages, or none.
docs/trainers.md has a line of configuration for each.
"""

__all__: list[str] = []
