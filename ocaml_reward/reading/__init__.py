"""Extracts OCaml code from a completion's text and analyses it without a parser."""

__all__: list[str] = []
