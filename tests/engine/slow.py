"""Code that takes many steps, and tests that call it."""

from __future__ import annotations

SLOW = """let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let work n = if fib 30 > 0 then n else 0
"""
WORK = 2_692_538
"""The steps of `work`."""


def checks(count: int) -> str:
    """Return tests with so many checks of `f`, which returns its argument."""
    return f"let () = {'; '.join(f'assert (f {n} = {n})' for n in range(count))}"
