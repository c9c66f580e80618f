"""A session may fork, and is otherwise confined like any other run."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from ocaml_reward.sandbox import JAILED, Jail, JailPolicy, choose

from .serving import ask, opened
from .test_escape import CATALOGUE


@pytest.mark.parametrize("name", [*JAILED, "rlimits"])
def test_the_catalogue(name: str, lasting: JailPolicy) -> None:
    """Every attack ends its process or is refused; what forks may only not hide."""
    with opened(choose(name), lasting) as session:
        said = {
            attack: ask(session, attack)
            for attack in (*CATALOGUE, "int-0x80", "x32")
            if attack != "clone"
        }

    assert "refused 1" == said.pop("clone-user-namespace")
    assert {f"killed {signal.SIGSYS:d}"} == set(said.values())


@pytest.mark.parametrize("name", [*JAILED, "rlimits"])
def test_it_cannot_signal_everybody(name: str, lasting: JailPolicy) -> None:
    """A signal goes to one process or the own group, never to all that there are."""
    with opened(choose(name), lasting) as session:
        assert "refused 1" == ask(session, "kill -1")
        assert "refused 3" == ask(session, "kill 4000000")


def test_files_are_read_only(jail: Jail, lasting: JailPolicy) -> None:
    with opened(jail, lasting) as session:
        assert ask(session, "read /lib/data").startswith("done")
        assert "refused 2" == ask(session, "read /etc/passwd")
        for attack in ("write", "truncate", "unlink"):
            assert "refused 30" == ask(session, f"{attack} /lib/data")
        assert "refused 30" == ask(session, "create /tmp/new")


@pytest.mark.parametrize("name", [*JAILED, "rlimits"])
def test_its_limits_are_those_of_the_policy(name: str, lasting: JailPolicy) -> None:
    """A limit that is None is none of ours; one that is given holds for every child."""
    tight = replace(lasting, limits=replace(lasting.limits, memory_bytes=64 << 20, cpu_s=1))
    with opened(choose(name), lasting) as session:
        assert ask(session, "huge-mapping").startswith("done")
    with opened(choose(name), tight) as session:
        assert "refused 12" == ask(session, "huge-mapping")
        assert ask(session, "spin").startswith("killed")
        assert "here" == ask(session, "echo here")
