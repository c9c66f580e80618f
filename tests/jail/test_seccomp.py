"""The filters: one list of calls, two forms of it, the same decisions."""

from __future__ import annotations

import os
import re
import struct
import subprocess

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ocaml_reward.sandbox.seccomp import POLICIES, Rule, bpf, kafel, this_architecture
from ocaml_reward.sandbox.syscalls import ARCHITECTURES

SETTINGS = settings(max_examples=300, deadline=None)
KILL, ALLOW, ERROR = 0x80000000, 0x7FFF0000, 0x00050000
FILTERED = sorted(name for name, rules in POLICIES.items() if rules is not None)

ARGUMENTS = st.lists(
    st.one_of(st.integers(0, 64), st.integers(0, 2**64 - 1)), min_size=6, max_size=6
)


def decide(code: bytes, *, audit: int, number: int, arguments: list[int]) -> int:
    """Run a filter as the kernel does, for the few instructions that ours use."""
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, audit, 0, *arguments)
    program = [*struct.iter_unpack("=HBBI", code)]
    accumulator, at = 0, 0
    while True:
        opcode, yes, no, k = program[at]
        at += 1
        if opcode == 0x20:
            accumulator = struct.unpack_from("=I", data, k)[0]
        elif opcode == 0x54:
            accumulator &= k
        elif opcode == 0x15:
            at += yes if accumulator == k else no
        elif opcode == 0x35:
            at += yes if accumulator >= k else no
        else:
            assert opcode == 0x06
            return int(k)


def meant(rules: tuple[Rule, ...], name: str | None, arguments: list[int]) -> int:
    """Say what the list of rules itself means for a call."""
    for rule in rules:
        if rule.name == name:
            if not rule.allowed:
                return ERROR | rule.error
            when = rule.when
            if when is None or arguments[when.argument] & when.mask in when.values:
                return ALLOW
            return ERROR | rule.error
    return KILL


@pytest.mark.parametrize("policy", FILTERED)
class TestFilter:
    """Anything not listed kills the process."""

    @given(number=st.integers(0, 600), arguments=ARGUMENTS)
    @SETTINGS
    def test_every_call_is_decided_by_its_rule(
        self, policy: str, number: int, arguments: list[int]
    ) -> None:
        """The BPF form decides each call with any arguments as the list says."""
        architecture = this_architecture()
        names = {n: name for name, n in architecture.numbers.items()}
        rules, code = POLICIES[policy], bpf(policy)
        assert rules is not None
        assert code is not None
        decided = decide(code, audit=architecture.audit, number=number, arguments=arguments)

        assert meant(rules, names.get(number), arguments) == decided

    @given(audit=st.integers(0, 2**32 - 1), number=st.integers(0, 600))
    @SETTINGS
    def test_another_architecture_is_killed(self, policy: str, audit: int, number: int) -> None:
        """A call made through another processor's ABI is never let through."""
        assume(audit != this_architecture().audit)
        code = bpf(policy)
        assert code is not None

        assert KILL == decide(code, audit=audit, number=number, arguments=[0] * 6)

    def test_kafel_lists_the_same_calls(self, policy: str) -> None:
        """The kafel form names the numbers of all rules, and of no other call."""
        numbers = this_architecture().numbers
        rules = POLICIES[policy]
        assert rules is not None
        text = kafel(policy)
        assert text is not None

        wanted = {numbers[rule.name] for rule in rules if rule.name in numbers}
        assert wanted == {int(n) for n in re.findall(r"SYSCALL\[(\d+)\]", text)}

    def test_no_call_is_listed_twice(self, policy: str) -> None:
        """A second rule for a call would be dead, or contradict the first."""
        names = [rule.name for rule in POLICIES[policy] or ()]

        assert sorted(set(names)) == sorted(names)

    def test_dangerous_calls_are_not_listed(self, policy: str) -> None:
        """Nothing that makes processes, sockets, namespaces or devices is let through."""
        listed = {rule.name for rule in POLICIES[policy] or () if rule.allowed}

        # What forks in a session may fork, and so may g++, which marks what it made as a
        # program, and a shell, which also makes links; their rules keep namespaces, and
        # set-user-id, out of that.
        forks = {"clone", "fork", "kill", "vfork"}
        may = {
            "session": forks,
            "gxx": forks | {"chmod"},
            "shell": forks | {"chmod", "symlink"},
        }.get(policy, set())
        assert may == listed & {
            "bpf", "chmod", "chroot", "clone", "clone3", "connect", "execveat", "fork",
            "io_uring_setup", "kill", "mknod", "mount", "openat2", "ptrace", "setns",
            "setuid", "socket", "symlink", "tgkill", "unshare", "vfork",
        }  # fmt: skip


def test_every_rule_names_a_known_call() -> None:
    """A misspelt name would silently forbid the call that was meant."""
    known = set().union(*(a.numbers for a in ARCHITECTURES.values()))
    named = {rule.name for rules in POLICIES.values() for rule in rules or ()}

    assert set() == named - known


def test_the_table_agrees_with_the_kernel_s() -> None:
    """The numbers of this machine's processor are those of its C headers."""
    machine = os.uname().machine
    header = {
        "x86_64": "#include <asm/unistd_64.h>",
        "aarch64": "#include <asm/unistd.h>",
    }[machine]
    names = this_architecture().numbers
    source = header + "\n" + "\n".join(f"{name}=__NR_{name}" for name in names)

    done = subprocess.run(
        ["gcc", "-E", "-P", "-"],
        input=source,
        capture_output=True,
        text=True,
        check=True,
    )
    seen = dict(line.split("=") for line in done.stdout.split() if "=" in line)

    assert {name: str(number) for name, number in names.items()} == seen
