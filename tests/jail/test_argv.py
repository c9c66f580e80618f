"""The command lines: pure functions of a policy and a command."""

from __future__ import annotations

import resource
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocaml_reward.sandbox import JailPolicy, Limits, Mount, bubblewrap, nsjail, plain

SETTINGS = settings(max_examples=60, deadline=None)

Build = Callable[[JailPolicy, list[str]], list[str]]
BUILDERS: dict[str, Build] = {
    "nsjail": lambda policy, command: nsjail.argv(policy, command, binary=Path("/usr/bin/nsjail")),
    "bubblewrap": lambda policy, command: bubblewrap.argv(
        policy, command, binary=Path("/usr/bin/bwrap")
    ),
    "rlimits": lambda policy, command: plain.argv(policy, command, locked=True),
}

# Limits whose enforcement is the command line's; the rest are the host's own.
OURS = (
    "cpu_s",
    "memory_bytes",
    "stack_bytes",
    "file_bytes",
    "open_files",
    "processes",
)
# Those that may be None.
LIFTED = ("cpu_s", "memory_bytes", "processes")
FLAGS = {
    "nsjail": {
        "cpu_s": "--rlimit_cpu",
        "memory_bytes": "--rlimit_as",
        "stack_bytes": "--rlimit_stack",
        "file_bytes": "--rlimit_fsize",
        "open_files": "--rlimit_nofile",
        "processes": "--rlimit_nproc",
    }
}
RESOURCES = {
    "cpu_s": resource.RLIMIT_CPU,
    "memory_bytes": resource.RLIMIT_AS,
    "stack_bytes": resource.RLIMIT_STACK,
    "file_bytes": resource.RLIMIT_FSIZE,
    "open_files": resource.RLIMIT_NOFILE,
    "processes": resource.RLIMIT_NPROC,
}

words = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
names = st.from_regex(r"[a-z0-9_-]{1,8}", fullmatch=True)
counts = st.integers(1, 1000)
limits = st.builds(
    Limits,
    wall_s=st.floats(0.1, 100.0),
    cpu_s=counts,
    memory_bytes=st.integers(1 << 20, 1 << 40),
    stack_bytes=st.integers(1 << 20, 1 << 30),
    file_bytes=st.integers(0, 1 << 40),
    open_files=counts,
    processes=counts,
    output_bytes=counts,
)
mounts = st.builds(
    Mount,
    source=names.map(lambda name: Path("/host") / name),
    target=names.map(lambda name: f"/inside/{name}"),
    writable=st.booleans(),
)
policies = st.builds(
    JailPolicy,
    rootfs=names.map(lambda name: Path("/cache") / name),
    seccomp=st.sampled_from(["compile", "run", "session", "unfiltered"]),
    limits=limits,
    mounts=st.lists(mounts, max_size=3).map(tuple),
    environment=st.lists(st.tuples(names, words), max_size=3).map(tuple),
    cwd=names.map(lambda name: f"/{name}"),
    tmp_bytes=st.integers(0, 1 << 30),
)
commands = st.lists(words, min_size=1, max_size=4).map(lambda rest: ["/program", *rest])


def limit_words(backend: str, argv: list[str], name: str) -> list[str]:
    """Return the values that a command line gives one limit."""
    options = argv[: argv.index("--")]
    if backend == "nsjail":
        flag = FLAGS["nsjail"][name]
        return [options[i + 1] for i, word in enumerate(options) if word == flag]
    start = f"{int(RESOURCES[name])}="
    return [
        options[i + 1].removeprefix(start)
        for i, word in enumerate(options)
        if word == "-r" and options[i + 1].startswith(start)
    ]


class TestCommandLine:
    """The command line says all that the policy says, once, and nothing else; each policy that is
    drawn is tried with every backend.
    """

    @given(policy=policies, command=commands)
    @SETTINGS
    def test_it_ends_with_the_command(self, policy: JailPolicy, command: list[str]) -> None:
        """After `--` comes the command as it is, whatever its words look like."""
        for build in BUILDERS.values():
            argv = build(policy, command)

            assert ["--", *command] == argv[-len(command) - 1 :]

    @given(policy=policies, command=commands)
    @SETTINGS
    def test_it_is_pure(self, policy: JailPolicy, command: list[str]) -> None:
        """Equal policies give equal command lines."""
        for build in BUILDERS.values():
            assert build(policy, command) == build(replace(policy), [*command])

    @given(policy=policies)
    @SETTINGS
    def test_each_limit_is_there_once(self, policy: JailPolicy) -> None:
        """No limit is left to a default, and none is given twice."""
        for backend, build in BUILDERS.items():
            argv = build(policy, ["/program"])

            assert dict.fromkeys(OURS, 1) == {
                name: len(limit_words(backend, argv, name)) for name in OURS
            }

    @given(policy=policies, name=st.sampled_from(OURS))
    @SETTINGS
    def test_a_wider_limit_changes_only_itself(self, policy: JailPolicy, name: str) -> None:
        for backend, build in BUILDERS.items():
            wider = replace(policy.limits, **{name: 2 * getattr(policy.limits, name) + (2 << 20)})
            before = build(policy, ["/program"])
            after = build(replace(policy, limits=wider), ["/program"])
            changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]

            assert 1 == len(changed)
            assert limit_words(backend, before, name) != limit_words(backend, after, name)

    @given(policy=policies, name=st.sampled_from(LIFTED))
    @SETTINGS
    def test_a_limit_that_is_none_is_none_of_ours(self, policy: JailPolicy, name: str) -> None:
        """Without a limit the caller's own counts, and the others stay."""
        for backend, build in BUILDERS.items():
            none: dict[str, Any] = {name: None}
            lifted = replace(policy, limits=replace(policy.limits, **none))
            before = build(policy, ["/program"])
            after = build(lifted, ["/program"])
            kept = [other for other in OURS if other != name]

            wanted = ["hard"] if backend == "nsjail" else []
            assert wanted == limit_words(backend, after, name)
            assert [limit_words(backend, before, other) for other in kept] == [
                limit_words(backend, after, other) for other in kept
            ]

    @given(policy=policies, size=st.integers(1, (1 << 40) - 1))
    @SETTINGS
    def test_a_limit_is_never_less_than_asked(self, policy: JailPolicy, size: int) -> None:
        """Where a backend counts megabytes, the limit is rounded up, and 0 stays 0."""
        for backend, build in BUILDERS.items():
            unit = 1 << 20 if backend == "nsjail" else 1
            for asked in (size, 0):
                chosen = replace(policy, limits=replace(policy.limits, file_bytes=asked))
                argv = build(chosen, ["/program"])
                (given_value,) = limit_words(backend, argv, "file_bytes")

                assert asked <= int(given_value) * unit < asked + unit


@pytest.mark.parametrize("backend", ["nsjail", "bubblewrap"])
@given(policy=policies)
@SETTINGS
def test_only_writable_mounts_are_writable(backend: str, policy: JailPolicy) -> None:
    """Each mount appears with its own kind of option, and the root is read-only."""
    argv = BUILDERS[backend](policy, ["/program"])
    writable, read_only = {
        "nsjail": ("--bindmount", "--bindmount_ro"),
        "bubblewrap": ("--bind", "--ro-bind"),
    }[backend]
    root = 1 if backend == "bubblewrap" else 0
    options = argv[: argv.index("--")]

    wanted = sum(mount.writable for mount in policy.mounts)
    assert wanted == options.count(writable)
    assert len(policy.mounts) - wanted + root == options.count(read_only)
    assert "--rw" not in options


@given(policy=policies)
@SETTINGS
def test_nsjail_is_told_to_keep_nothing(policy: JailPolicy) -> None:
    """No option that would weaken the jail is ever given."""
    argv = BUILDERS["nsjail"](policy, ["/program"])
    options = argv[: argv.index("--")]

    weakening = (
        "--disable_clone",
        "--keep_",
        "--cap",
        "--disable_no_new_privs",
        "--rw",
    )
    assert [] == [word for word in options if word.startswith(weakening)]
    assert [] == [word for word in options if word == "--disable_rlimits"]


@given(policy=policies)
@SETTINGS
def test_nsjail_s_clock_follows_the_host_s(policy: JailPolicy) -> None:
    """A run in nsjail ends after the host should have ended it, and a session never."""
    lifted = replace(policy, limits=replace(policy.limits, wall_s=None))
    said = []
    for chosen in (policy, lifted):
        argv = BUILDERS["nsjail"](chosen, ["/program"])
        said.append(int(argv[argv.index("--time_limit") + 1]))

    assert policy.limits.wall_s is not None
    assert policy.limits.wall_s + 1 < said[0]
    assert 0 == said[1]


def test_every_limit_is_accounted_for() -> None:
    """A limit added to the policy must be enforced by a flag here or by the host."""
    host = {"wall_s", "output_bytes", "result_bytes", "disk_bytes", "disk_files"}

    assert {field.name for field in fields(Limits)} == host | set(OURS)


@given(policy=policies)
@SETTINGS
def test_plain_paths_are_the_host_s(policy: JailPolicy) -> None:
    """Without mounts, a path at or below a mount's target means the mount's source."""
    for mount in policy.mounts[-1:]:
        alone = replace(policy, mounts=(mount,))

        assert str(mount.source) == plain.to_host(alone, mount.target)
        assert f"{mount.source}/a" == plain.to_host(alone, f"{mount.target}/a")
        assert f"{mount.target}b" == plain.to_host(alone, f"{mount.target}b")
    assert "word" == plain.to_host(policy, "word")
