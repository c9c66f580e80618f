"""OCaml problems for OpenEnv, graded by ocaml-reward."""

from .client import OCamlEnv
from .models import Program, Reply

__all__ = ["OCamlEnv", "Program", "Reply"]
