"""The conformance suite: what a jail promises, tried for real, with the evidence.

Namespaces, mounts and limits are tried without the seccomp filter too, so that each
layer is seen to hold on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import MachineError
from . import exhaustion, isolation
from .choose import JAILED
from .jail_probe import CheckOutcome, JailProbe
from .policy import Jail


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One promise: whether it held, what was seen, and what to do if it did not."""

    name: str
    passed: bool
    evidence: str
    advice: str = ""


def selfcheck(jail: Jail) -> tuple[Finding, ...]:
    """Try every promise in `jail`; takes about two seconds, most of it time limits.

    A run that cannot be set up is a failed finding.  Raises ValueError for a backend
    without namespaces: on the bare host some of the questions are attacks.
    """
    if jail.name not in JAILED:
        raise ValueError(f"{jail.name} promises nothing that could be checked")
    return tuple(_find(jail, name, check) for name, check in _CHECKS.items())


def _find(jail: Jail, name: str, check: Callable[[JailProbe], CheckOutcome]) -> Finding:
    """Make one check of a jail; return what it found."""
    try:
        passed, evidence = check(JailProbe(jail))
    except MachineError as error:
        passed, evidence = False, str(error)
    except OSError as error:
        passed, evidence = False, f"this check could not be made: {error}"
    except (LookupError, ValueError):
        passed, evidence = False, "the probe did not answer"
    advice = "" if passed else f"do not score with {jail.name} here; report this finding"
    return Finding(name=name, passed=passed, evidence=evidence, advice=advice)


_CHECKS: dict[str, Callable[[JailProbe], CheckOutcome]] = {
    "user": isolation.check_user,
    "capabilities": isolation.check_capabilities,
    "no new privileges, seccomp on": isolation.check_privileges,
    "forbidden calls end the process": isolation.check_seccomp_filter,
    "root is read-only": isolation.check_root,
    "no network": isolation.check_network,
    "no fork": isolation.check_fork,
    "no shell": isolation.check_shell,
    "no /proc, no /dev": isolation.check_proc,
    "host files are out of reach": isolation.check_canary,
    "only the policy's environment is visible": isolation.check_environment,
    "no inherited descriptor": isolation.check_descriptors,
    "kill reaches nobody": isolation.check_kill,
    "CPU limit": exhaustion.check_cpu,
    "wall limit, nothing left": exhaustion.check_wall,
    "a session ends, nothing left": exhaustion.check_session,
    "memory limit": exhaustion.check_memory,
    "output limit": exhaustion.check_output,
    "file and disk limits": exhaustion.check_files,
    "endings are told apart": exhaustion.check_endings,
}
