"""Choose the strongest backend that really works here, and say what to do if none does."""

from __future__ import annotations

import platform
import re
import threading
from collections.abc import Callable
from pathlib import Path

from ..errors import SandboxUnavailable
from .bubblewrap import Bubblewrap
from .nsjail import Nsjail
from .plain import Plain
from .policy import Jail
from .preflight import preflight

JAILED: dict[str, Callable[[], Jail]] = {"nsjail": Nsjail, "bubblewrap": Bubblewrap}
"""The backends with namespaces, strongest first."""

BACKENDS = (*JAILED, "rlimits", "none")
"""Every name that `choose` takes besides "auto"."""

_REFUSED = re.compile(
    "not permitted|denied|no permissions|no space|namespace|clone|launch", re.IGNORECASE
)

_lock = threading.Lock()
_verdicts: dict[str, Jail | SandboxUnavailable] = {}


def choose(name: str = "auto") -> Jail:
    """Return a backend that passed its preflight in this process: nsjail, else bubblewrap.

    A name forces that backend; "rlimits" and "none" exist only that way and confine
    little and nothing.  Raises SandboxUnavailable, one line with what to do, rather than
    fall back to something weaker; another MachineError for what no backend is to blame
    for, such as a cache that cannot be written or a missing C compiler.
    """
    if name in ("rlimits", "none"):
        return Plain(name)
    if name not in ("auto", *JAILED):
        raise SandboxUnavailable(
            f"no sandbox is called {name!r}: choose auto, {', '.join(BACKENDS)}"
        )
    failures: list[str] = []
    for candidate in JAILED if name == "auto" else (name,):
        verdict = _verdict(candidate)
        if not isinstance(verdict, SandboxUnavailable):
            return verdict
        failures.append(str(verdict))
    line = f"no working sandbox ({'; '.join(failures)})"
    # What keeps namespaces away is no help to whom only a program is missing.
    if _REFUSED.search(line) and (advice := obstacle()):
        line += f"; {advice}"
    raise SandboxUnavailable(line)


def _verdict(name: str) -> Jail | SandboxUnavailable:
    """Return the jail of a backend or why it cannot be used; it is tried once in this process."""
    with _lock:
        if name not in _verdicts:
            try:
                jail = JAILED[name]()
                preflight(jail)
                _verdicts[name] = jail
            except SandboxUnavailable as error:
                _verdicts[name] = error
        return _verdicts[name]


def _sysctl(name: str) -> str | None:
    try:
        return Path("/proc/sys", *name.split(".")).read_text().strip()
    except OSError:
        return None


def obstacle() -> str | None:
    """Return what on this machine keeps jails from working, with its remedy; None if
    nothing known does.
    """
    if platform.system() != "Linux":
        return "jails need Linux: run it in a Linux container or virtual machine"
    if _sysctl("user.max_user_namespaces") == "0":
        return "user namespaces are off: sysctl -w user.max_user_namespaces=15000"
    if _sysctl("kernel.unprivileged_userns_clone") == "0":
        return "user namespaces are off: sysctl -w kernel.unprivileged_userns_clone=1"
    if _sysctl("kernel.apparmor_restrict_unprivileged_userns") == "1":
        return (
            "AppArmor restricts user namespaces: run as root, or "
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return (
            "this is a container: start it with --security-opt seccomp=unconfined "
            "--security-opt apparmor=unconfined --security-opt systempaths=unconfined"
            " (and, for root inside, --cap-add SYS_ADMIN)"
        )
    return None
