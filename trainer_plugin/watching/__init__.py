"""Follows a run from outside its process: its logs, its findings and its progress."""

from __future__ import annotations
