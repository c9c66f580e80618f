"""Grading as a service: an engine behind HTTP, for `RemoteEngine` and for trainers' own clients.

It needs the extra `serve`; the command `ocaml-reward serve` runs it.
"""

from .settings import Settings

__all__ = ["Settings"]
