"""What else stands in a program changes the count by just what it is wrong about itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from ocaml_reward.engine import CheckReport, CheckRequest, Engine
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.model import Problem, StdioCase
from ocaml_reward.reading.extraction import extract
from tests.engine.counted_programs import MARKED
from tests.engine.test_counting_marked import LATER
from tests.generated.samples import samples

GOOD = "let zz_more = List.map succ [1]\n"
MISTAKE = 'let zz_more = 1 + "x"\n'
ORDERS = 2
# Where a later compiler gives up on a module as a whole, what is found behind it depends on
# what it stands in.
LATER_HERE = {name for name, (since, _) in LATER.items() if locate().number >= since}

# How a program is changed, and how many mistakes that adds.
CHANGES: dict[str, tuple[int, Callable[[str], str]]] = {
    "a good item before": (0, lambda code: GOOD + code),
    "a good item after": (0, lambda code: f"{code}\n{GOOD}"),
    "a mistake before": (1, lambda code: MISTAKE + code),
    "a mistake after": (1, lambda code: f"{code}\n{MISTAKE}"),
    "a missing name before": (1, lambda code: "let zz_more = zz_missing\n" + code),
    "a type left open before": (0, lambda code: "let zz_more = ref []\n" + code),
    "inside a module": (0, lambda code: f"module Zz = struct\n{code}\nend\n"),
    "inside a functor": (
        0,
        lambda code: f"module Zz (X : sig end) = struct\n{code}\nend\n",
    ),
    "a mistake after, inside a module": (
        1,
        lambda code: f"module Zz = struct\n{code}\n{MISTAKE}end\n",
    ),
}


@pytest.fixture(scope="module")
def warm(engines: Callable[[str], Engine]) -> Engine:
    return engines("warm")


@pytest.fixture(scope="module")
def checked(warm: Engine) -> Callable[[str], CheckReport]:
    tests = warm.prepare(Problem(id="p", tests=(StdioCase(stdin="", stdout=""),)))
    return lambda code: warm.check(CheckRequest(code=code, tests=tests))


@pytest.fixture(scope="module")
def reports(checked: Callable[[str], CheckReport]) -> dict[str, CheckReport]:
    """Return ill-typed programs of all kinds, each with its report."""
    codes = [
        each.code for each in MARKED.values() if not each.tests and each.name not in LATER_HERE
    ]
    mistaken = samples(150, 5, ("mistaken",))
    codes += [extract(each.completion.text).code for each in mistaken]
    found = {code: checked(code) for code in codes}
    return {code: report for code, report in found.items() if report.type_errors}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_adds_its_own_mistakes(
    change: str,
    reports: dict[str, CheckReport],
    checked: Callable[[str], CheckReport],
) -> None:
    """No more and no fewer, whatever the program: mistakes are counted independently."""
    more, changed = CHANGES[change]
    different = [
        code
        for code, report in reports.items()
        if checked(changed(code)).type_errors != (report.type_errors or 0) + more
    ]

    assert len(reports) > 150
    assert different == []


@pytest.mark.parametrize("seed", range(ORDERS))
def test_order_changes_no_report(
    seed: int,
    reports: dict[str, CheckReport],
    checked: Callable[[str], CheckReport],
) -> None:
    """What one long-lived checker says of a program does not depend on what it saw before."""
    order = Random(seed).sample(list(reports), len(reports))

    assert [code for code in order if checked(code) != reports[code]] == []
