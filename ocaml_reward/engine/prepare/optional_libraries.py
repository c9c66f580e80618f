"""Libraries that code may use where findlib has them, as a judge's that few answers name.

Such a package is requested by its name with the suffix `?`, which `toolchain.packages` understands.
Code that names one that is missing here is right or wrong, and nobody can say which.
"""

from __future__ import annotations

import re
from typing import Final

from ...errors import ToolchainError
from ...reading.lexing import Source
from .. import CheckRequest
from ..build.toolchain import missing

# What code names of a package; of others their name with a capital.
_MODULES: Final = {"zarith": ("Z", "Q", "Zarith")}


def require_named(request: CheckRequest) -> None:
    """Raise ToolchainError for code that names a library which findlib does not have."""
    absent = missing(request.libraries)
    if not absent:
        return
    code = " ".join(Source(request.code).without_literals.split())
    for package in absent:
        for module in _MODULES.get(package, (package.capitalize(),)):
            if _uses(module, code):
                raise ToolchainError(
                    f"the code uses {module}, of the library {package}, which findlib does not"
                    f" have here: opam install {package}"
                )


def _uses(module: str, code: str) -> bool:
    """Tell whether code without literals uses a module, and has none of that name itself."""
    is_own = re.search(rf"\bmodule (?:rec )?{module}\b", code)
    named = re.search(
        rf"(?<![\w.']){module}\.|\b(?:open|open!|include|module \w+ =) {module}\b", code
    )
    return named is not None and is_own is None
