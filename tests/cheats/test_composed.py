"""Tricks in any company: put around honest, half-right and wrong programs, several at a
time, they earn no more than the program alone.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocaml_reward.engine import Engine

from .corpus import Cheat, cheats, problems, reward, schemes

END = "(* END *)\n"
# What runs into a limit of time or memory takes seconds, and is tried on its own.
SLOW = {"loop-at-load", "memory-until-the-end", "stdio-prints-everything"}
FENCES = ("", "```ocaml\n")
HANDS_OUT = "ocaml_reward_hand_out"


class Trick(NamedTuple):
    """What is put before and behind a program."""

    name: str
    before: str
    after: str


class Base(NamedTuple):
    """A program for a problem."""

    problem: str
    code: str


def tricks() -> list[Trick]:
    """Return the corpus' tricks that change nothing inside the honest code.

    What shadows a name goes behind: before the program it would change what that does.
    What brings another answer along is left out, and what hands out values of its own: those
    may be better ones.
    """
    found = []
    for cheat in cheats():
        if cheat.trick is None or cheat.name in SLOW:
            continue
        before, after = cheat.trick
        if any(each in before + after for each in (f"let {cheat.problem}", HANDS_OUT)):
            continue
        if cheat.family == "shadowed names":
            before, after = "", f"\n{before}{after}"
        found.append(Trick(cheat.name, before, after))
    return found


def bases() -> list[Base]:
    """Return right programs, which are the references, and the twins, which are not.

    Those of stubs are left out: that one answers nothing is not seen where it does not run.
    """
    twins = {
        Base(c.problem, code_of(c)) for c in cheats() if c.family != "constants, echoes and stubs"
    }
    names = {cheat.problem for cheat in cheats()}
    right = {Base(name, problems()[name].reference or "") for name in names}
    return sorted(base for base in twins | right if base.code.count("\n") >= 8)


def code_of(cheat: Cheat) -> str:
    fenced = "```" in cheat.honest
    return "" if fenced else cheat.honest.removesuffix(END)


TRICKS = tricks()
BASES = bases()


@given(
    base=st.sampled_from(BASES),
    chosen=st.lists(st.sampled_from(TRICKS), min_size=1, max_size=3, unique=True),
    scheme=st.sampled_from(sorted(schemes())),
    fence=st.sampled_from(FENCES),
)
@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_tricks_together_earn_nothing(
    engine: Engine, base: Base, chosen: list[Trick], scheme: str, fence: str
) -> None:
    """A program that fits its tests earns at most the same with tricks around it."""
    before = "".join(trick.before for trick in chosen)
    after = "".join(trick.after for trick in chosen)
    close = "```\n" if fence else ""
    plain = f"{fence}{base.code}{END}{close}"
    tricked = f"{fence}{before}{base.code}{after}\n{END}{close}"
    rules = schemes()[scheme]

    assert reward(engine, rules, base.problem, tricked) <= reward(
        engine, rules, base.problem, plain
    )


def test_there_is_much_to_compose() -> None:
    """The tricks and the programs are many, and the programs of every quality."""
    right = {problem.reference for problem in problems().values()}

    assert len(TRICKS) >= 60
    assert len(BASES) >= 12
    assert 0 < sum(base.code in right for base in BASES) < len(BASES)
