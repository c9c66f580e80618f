"""The compiler's own text, read into values: what went wrong, where, and who says so."""

from .parser import parse
from .render import render

__all__ = ["parse", "render"]
