"""From a completion's text to its OCaml code, and what can be read of that without a parser."""

__all__: list[str] = []
