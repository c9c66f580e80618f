"""One list of system calls per policy, as a kafel text for nsjail or as BPF for the rest.

Anything not listed kills the process: a new kernel's new calls are refused unseen.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ..errors import SandboxUnavailable
from .syscalls import ARCHITECTURES, Architecture

EPERM, ENOTTY, EROFS, ENOSYS, ENOTSOCK, ENOTSUP = 1, 25, 30, 38, 88, 95


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A condition on one argument's low 32 bits: `argument & mask` is one of `values`."""

    argument: int
    mask: int = 0xFFFFFFFF
    values: tuple[int, ...] = (0,)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """What one system call gets: allowed, allowed under `when`, else the error `error`."""

    name: str
    allowed: bool = True
    when: Match | None = None
    error: int = EPERM


def _allow(names: str) -> tuple[Rule, ...]:
    """Return rules that allow these calls."""
    return tuple(Rule(name=name) for name in names.split())


def _refuse(error: int, names: str) -> tuple[Rule, ...]:
    """Return rules that refuse these calls with an error."""
    return tuple(Rule(name=name, allowed=False, error=error) for name in names.split())


# What every program of ours and the C library's start-up need.  None of these reaches
# another process, the network or a file that the mounts do not already show.
_COMMON = (
    *_allow(
        """
        execve exit exit_group brk mmap munmap mremap mprotect madvise
        read pread64 readv write writev lseek close dup dup2 dup3
        fstat newfstatat stat lstat statx access faccessat faccessat2
        readlink readlinkat getcwd
        rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack
        arch_prctl set_tid_address set_robust_list rseq futex sched_yield
        getrandom getrusage getrlimit setrlimit prlimit64 capget
        clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times
        getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid
        getgroups uname
        """
    ),
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: not the ones that
    # send signals or take locks.
    Rule(name="fcntl", when=Match(argument=1, values=(0, 1, 2, 3, 4, 1030))),
    # Every isatty() is an ioctl; "not a terminal" is the true answer.
    *_refuse(ENOTTY, "ioctl"),
    # abort() signals its own thread; refused, it ends by an illegal instruction.
    *_refuse(EPERM, "kill tkill tgkill sysinfo sched_getaffinity setitimer"),
)

_WRITING = "unlink unlinkat rename renameat renameat2"
_FOLDERS = "mkdir mkdirat rmdir"

_COMPILE = (
    *_COMMON,
    *_allow(f"open openat getdents getdents64 ftruncate pwrite64 umask {_WRITING}"),
    *_refuse(EROFS, _FOLDERS),
    *_refuse(EPERM, "chdir"),
)

# Reading only: O_WRONLY, O_RDWR, O_CREAT and O_TRUNC are what the mask forbids.
_READ_ONLY = 0o1 | 0o2 | 0o100 | 0o1000

_RUN = (
    *_COMMON,
    Rule(name="open", when=Match(argument=1, mask=_READ_ONLY), error=EROFS),
    Rule(name="openat", when=Match(argument=2, mask=_READ_ONLY), error=EROFS),
    *_refuse(EROFS, f"{_WRITING} {_FOLDERS}"),
    *_refuse(EPERM, "getdents getdents64 chdir"),
    # The runtime locks itself further before it touches the code.
    *_allow("seccomp timer_create timer_settime close_range"),
    # PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP,
    # PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_SET_VMA.
    Rule(
        name="prctl",
        when=Match(argument=0, values=(1, 4, 15, 16, 21, 22, 38, 39, 0x53564D41)),
    ),
)

# New namespaces, CLONE_THREAD, CLONE_PARENT, CLONE_PTRACE, CLONE_UNTRACED.
_NO_FORK = 0x7E020000 | 0x10000 | 0x8000 | 0x2000 | 0x800000

# What a program that forks needs on top of "run".
_ZYGOTE = (
    *_allow(
        """
        fork vfork wait4 waitid pipe pipe2 poll ppoll rt_sigtimedwait timer_delete
        membarrier landlock_create_ruleset landlock_restrict_self getdents getdents64
        """
    ),
    Rule(name="clone", when=Match(argument=0, mask=_NO_FORK)),
    # Its flags lie in memory, which no filter sees; the C library then takes clone.
    *_refuse(ENOSYS, "clone3"),
    # A process by its number, or the own group: never -1, which is everybody.
    Rule(name="kill", when=Match(argument=0, mask=0x80000000)),
)
_SESSION = (
    *(rule for rule in _RUN if rule.name not in {new.name for new in _ZYGOTE}),
    *_ZYGOTE,
)

# What g++ needs, which starts programs one after the other, and marks what it made as one.
_GXX = (
    *(rule for rule in _COMPILE if rule.name not in {new.name for new in _ZYGOTE}),
    *_ZYGOTE,
    # But no set-user-id.
    Rule(name="chmod", when=Match(argument=1, mask=0o7000)),
    Rule(name="fchmod", when=Match(argument=1, mask=0o7000)),
    Rule(name="fchmodat", when=Match(argument=2, mask=0o7000)),
)

# What a shell needs, and the programs that it starts: all of g++'s, folders, links and times of
# files, groups of processes.  A look-up of a user asks a socket first, and does without.
_SHELL_OWN = (
    *_allow(
        f"""
        {_FOLDERS} creat chdir fchdir link linkat symlink symlinkat truncate fallocate
        utime utimes futimesat utimensat flock fsync fdatasync statfs fstatfs
        sendfile copy_file_range fadvise64 select pselect6 alarm rt_sigsuspend
        setpgid getpgid getpgrp setsid getsid getpriority sched_getaffinity sysinfo
        timer_create timer_settime mincore
        """
    ),
    # And F_GETLK, F_SETLK and F_SETLKW, whose files are the jail's own.
    Rule(name="fcntl", when=Match(argument=1, values=(0, 1, 2, 3, 4, 5, 6, 7, 1030))),
    *_refuse(EPERM, "socket connect chown fchown lchown fchownat mknodat prctl"),
    # Bash asks whether a network started it.
    *_refuse(ENOTSOCK, "getpeername"),
    *_refuse(
        ENOTSUP,
        "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr",
    ),
)
_SHELL = (
    *(rule for rule in _GXX if rule.name not in {new.name for new in _SHELL_OWN}),
    *_SHELL_OWN,
)

# "unfiltered" exists for the self-check, which must see that the namespaces and limits
# hold on their own; the engine never names it.
POLICIES: dict[str, tuple[Rule, ...] | None] = {
    "shell": _SHELL,
    "gxx": _GXX,
    "compile": _COMPILE,
    "session": _SESSION,
    "run": _RUN,
    "unfiltered": None,
}


def this_architecture() -> Architecture:
    """Return this machine's table.  Raises SandboxUnavailable for an unknown processor."""
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        raise SandboxUnavailable(
            f"no seccomp policy for the processor {machine}; "
            f"known: {', '.join(sorted(ARCHITECTURES))}"
        )
    return ARCHITECTURES[machine]


def _rules(policy: str, architecture: Architecture) -> Iterator[tuple[int, Rule]]:
    """Yield the number and the rule of each system call that a policy lists."""
    # aarch64 has only the newer of several twins (openat but no open).
    for rule in POLICIES[policy] or ():
        if rule.name in architecture.numbers:
            yield architecture.numbers[rule.name], rule


@cache
def kafel(policy: str) -> str | None:
    """Return the policy as kafel text on one line, None when it filters nothing.

    Numbers are written out, because kafel's own names differ from the kernel's
    (newfstat) and from version to version.
    """
    if POLICIES[policy] is None:
        return None
    allowed: list[str] = []
    refused: dict[int, list[str]] = {}
    for number, rule in _rules(policy, this_architecture()):
        if rule.allowed:
            allowed.append(f"SYSCALL[{number}]{_kafel_condition(rule.when)}")
        if not rule.allowed or rule.when:
            refused.setdefault(rule.error, []).append(f"SYSCALL[{number}]")
    parts = [f"ALLOW {{ {', '.join(allowed)} }}"]
    parts += [f"ERRNO({e}) {{ {', '.join(n)} }}" for e, n in sorted(refused.items())]
    return f"POLICY p {{ {', '.join(parts)} }} USE p DEFAULT KILL_PROCESS"


def _kafel_condition(when: Match | None) -> str:
    """Return the arguments' condition in nsjail's language."""
    if when is None:
        return ""
    names = [f"a{i}" for i in range(when.argument + 1)]
    tests = " || ".join(f"({names[-1]} & {when.mask}) == {v}" for v in when.values)
    return f"({', '.join(names)}) {{ {tests} }}"


_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _AUDIT, _ARGUMENTS = 0, 4, 16


def _instruction(code: int, k: int, yes: int = 0, no: int = 0) -> bytes:
    """Return an instruction of the filter."""
    return struct.pack("=HBBI", code, yes, no, k)


@cache
def bpf(policy: str) -> bytes | None:
    """Return the policy as struct sock_filter records, None when it filters nothing."""
    if POLICIES[policy] is None:
        return None
    architecture = this_architecture()
    code = [
        _instruction(_LOAD, _AUDIT),
        _instruction(_EQUAL, architecture.audit, yes=1),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER),
    ]
    if architecture.foreign_from is not None:
        code.append(_instruction(_AT_LEAST, architecture.foreign_from, no=1))
        code.append(_instruction(_RETURN, _KILL))
    for number, rule in _rules(policy, architecture):
        body = _body(rule)
        code.append(_instruction(_EQUAL, number, no=len(body)))
        code += body
    code.append(_instruction(_RETURN, _KILL))
    return b"".join(code)


def _body(rule: Rule) -> list[bytes]:
    """Assemble what follows once the number has matched; every path returns."""
    allow = _instruction(_RETURN, _ALLOW)
    refuse = _instruction(_RETURN, _ERROR | rule.error)
    if not rule.allowed:
        return [refuse]
    if rule.when is None:
        return [allow]
    # Both processors are little-endian: the low half of an argument comes first.
    tests = [
        _instruction(_EQUAL, value, yes=len(rule.when.values) - i)
        for i, value in enumerate(rule.when.values)
    ]
    return [
        _instruction(_LOAD, _ARGUMENTS + 8 * rule.when.argument),
        _instruction(_AND, rule.when.mask),
        *tests,
        refuse,
        allow,
    ]
