"""The nodes of a Ray cluster, as Ray lists them, and what failed on them.  Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..errors import MachineError, OCamlRewardError

# One process of Python keeps so many processors at work (docs/performance.md).
_PROCESSORS: Final = 4
_LONGEST: Final = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A node that is there: its id, what messages call it, and how many workers of how many
    processors each it takes.
    """

    id: str
    name: str
    workers: int
    processors: int


def nodes_of(listed: Iterable[Mapping[str, Any]]) -> list[Node]:
    """Read Ray's list, without nodes that are gone or offer no processor.

    Two nodes of one machine have one address, so that a name has some of the id, too.
    """
    found = []
    for each in listed:
        processors = int(each["Resources"].get("CPU", 0)) if each["Alive"] else 0
        if processors:
            id_ = str(each["NodeID"])
            found.append(
                Node(
                    id=id_,
                    name=f"{each['NodeManagerAddress']}-{id_[:6]}",
                    workers=max(processors // _PROCESSORS, 1),
                    processors=min(processors, _PROCESSORS),
                )
            )
    return found


def unlike(left_out: Mapping[str, str], kinds: Mapping[str, object]) -> str:
    """Write which nodes cannot grade with the others, and why.

    Args:
        left_out: A reason, by the node's name.
        kinds: What each node is that could say so, by its name.

    Returns:
        One line: nodes that failed with their reasons, then those of each kind.
    """
    told = [f"{name}: {why}" for name, why in left_out.items() if name not in kinds]
    alike: dict[object, list[str]] = {}
    for name, kind in kinds.items():
        alike.setdefault(kind, []).append(name)
    told += [f"{', '.join(sorted(names))}: {kind}" for kind, names in alike.items()]
    return f"not all nodes can grade together: {'; '.join(told)}"


def error_of(task_error: Any) -> OCamlRewardError:
    """Return the error of ours that a task has raised, or one that says what it was."""
    cause = task_error.cause
    if isinstance(cause, OCamlRewardError):
        return cause
    said = " ".join(f"{type(cause).__name__}: {cause}".split())
    return MachineError(f"a worker failed: {said[:_LONGEST]}")


def why_of(error: BaseException) -> str:
    """Return the last line of an error of Ray's, which ends with what was raised."""
    lines = str(error).strip().splitlines()
    return lines[-1][:_LONGEST] if lines else type(error).__name__
