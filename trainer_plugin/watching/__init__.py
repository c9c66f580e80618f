"""A run looked at from outside, while it goes or afterwards: its logs followed, its health."""

from __future__ import annotations
