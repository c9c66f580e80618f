"""What client and server say to each other, as values and as JSON; the same code on both sides.

Prepared tests stay on the server that prepared them: they hold parse trees that a program
trusts blindly when it reads them.  A client names them by the digest of what they were
prepared from, and a server that does not know the digest is given the problem again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from ... import errors
from ...codec.typed import read_plain, shape_of, to_json, to_plain
from ...errors import EngineFault, MachineError
from ...model import CheckReport
from ...version import __version__
from .. import CheckRequest, PreparedTests
from ..prepare.prepared_by_request import Order

PROTOCOL: Final = 3
"""The version of what is said here; it changes when a message changes its meaning."""

IDENTITY_HEADER: Final = "Ocaml-Reward-Identity"
"""The header by which every answer says what made it, so that no two compilers' reports mix."""

REQUEST_HEADER: Final = "Ocaml-Reward-Request"
"""The header by which a client numbers its requests; an answer repeats it."""

# What a server keeps to itself of prepared tests, and a client of a request.
_KEPT_BY_SERVER: Final = frozenset(("payload", "outside", "written"))
_KEPT_BY_CLIENT: Final = frozenset(("tests",))

# What of a server has to be as here, and what as of the other servers.
_BUILD: Final = ("protocol", "version", "shapes")
_MACHINE: Final = ("engine", "sandbox", "toolchain")

_FAULTS: Final[Mapping[str, type[MachineError]]] = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, MachineError)
}


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """What a server is: equal in all but `jobs` wherever records may stand in one file."""

    protocol: int
    version: str
    shapes: str
    engine: str
    sandbox: str
    toolchain: str
    jobs: int

    @property
    def identity(self) -> str:
        """Return a digest of all that decides what a report says."""
        parts = [getattr(self, name) for name in (*_BUILD, *_MACHINE)]
        return hashlib.sha256(to_json(parts)).hexdigest()[:16]

    def __str__(self) -> str:
        """Return what identifies a server in a message."""
        return (
            f"ocaml-reward {self.version}, {self.engine} engine, {self.sandbox}, {self.toolchain}"
        )


def difference(about: Any) -> str | None:
    """Say how a server's build differs from this one, by what it says of itself, whatever else
    that may hold; None where it does not.
    """
    ours = {"protocol": PROTOCOL, "version": __version__, "shapes": shapes()}
    if not isinstance(about, dict) or not isinstance(about.get("version"), str):
        # No server of ours: reading it says so.
        return None
    if all(about.get(name) == ours[name] for name in _BUILD):
        return None
    theirs = f"ocaml-reward {about['version'][:40]}"
    here = f"ocaml-reward {__version__}"
    if about["version"] == __version__:
        theirs += f" of another commit (messages {str(about.get('shapes'))[:8]})"
        here += f" (messages {ours['shapes']})"
    return f"is {theirs}, this is {here}: install the same on both"


@cache
def shapes() -> str:
    """Return a digest of what travels, field by field: two commits of one version may differ."""
    kinds = [
        shape_of(Order),
        shape_of(CheckRequest, leave=_KEPT_BY_CLIENT),
        shape_of(PreparedTests, leave=_KEPT_BY_SERVER),
        shape_of(CheckReport),
    ]
    return hashlib.sha256(to_json(kinds)).hexdigest()[:8]


def prepared_to_plain(tests: PreparedTests) -> Any:
    """Write what a client may know of prepared tests."""
    return to_plain(tests, leave=_KEPT_BY_SERVER)


def read_prepared(order: bytes, data: Any) -> PreparedTests:
    """Read prepared tests; their `payload` is the order itself.  Raises FormatError."""
    given = {"payload": order, "outside": None, "written": None}
    return read_plain(PreparedTests, data, given=given)


def check_item(key: str, request: CheckRequest) -> dict[str, Any]:
    """Write a request with the name of its tests in their place."""
    plain: dict[str, Any] = to_plain(request, leave=_KEPT_BY_CLIENT)
    return {"key": key, **plain}


def read_check_item(item: Mapping[str, Any], tests: PreparedTests) -> CheckRequest:
    """Read a request for these tests; raises FormatError."""
    fields = {name: each for name, each in item.items() if name != "key"}
    return read_plain(CheckRequest, fields, given={"tests": tests})


def fault_to_plain(error: MachineError) -> dict[str, str]:
    """Write a failure of the machine."""
    return {"kind": type(error).__name__, "message": str(error)}


def is_fault(data: Any) -> bool:
    """Tell whether an error in an answer is a failure of the machine."""
    return isinstance(data, dict) and str(data.get("kind")) in _FAULTS


def fault_of(data: Any) -> MachineError:
    """Return the failure that a server reports, as the exception it was there."""
    fields = data if isinstance(data, dict) else {}
    kind = _FAULTS.get(str(fields.get("kind")), EngineFault)
    return kind(str(fields.get("message")))
