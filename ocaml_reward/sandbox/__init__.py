"""The jails that confine compilers and completions."""

from .cache import cache_root, locked
from .choose import BACKENDS, JAILED, choose
from .policy import Jail, JailPolicy, JailRun, Limits, Mount, Session
from .process import stop
from .rootfs import build_rootfs
from .workdir import workdir

__all__ = [
    "BACKENDS",
    "JAILED",
    "Jail",
    "JailPolicy",
    "JailRun",
    "Limits",
    "Mount",
    "Session",
    "build_rootfs",
    "cache_root",
    "choose",
    "locked",
    "stop",
    "workdir",
]
