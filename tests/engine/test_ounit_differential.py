"""A suite's cases end with the stand-in for OUnit2 as they end with OUnit2 itself.

The real one is Debian's libounit-ocaml-dev; `scripts/setup --dev` installs it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from ocaml_reward import Problem, ProblemError
from ocaml_reward.engine import CheckReport, Engine
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.model import CheckResult, Outcome

from .ounit_suites import BY_HAND, CODE, DIFFERENT, suites

Check = Callable[..., CheckReport]
Endings = list[list[str]]

DRIVER = Path(__file__).with_name("ounit_driver.ml")
GENERATED = 400


def drawn(count: int) -> list[str]:
    """Return generated suites, the same in every run."""
    found: list[str] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(suite=suites)
    def draw(suite: str) -> None:
        found.append(suite)

    draw()
    return list(dict.fromkeys(found))


def endings(folder: Path, runner: str, expressions: Iterable[str]) -> Endings:
    """Run suites with the real OUnit2; return how the cases of each end."""
    chosen = list(expressions)
    listed = "".join(f"let s{n} () = {suite}\n" for n, suite in enumerate(chosen))
    every = "; ".join(f"s{n} ()" for n in range(len(chosen)))
    text = f"{CODE}\nopen OUnit2\n{listed}let all = [{every}]\n"
    (folder / "suites.ml").write_text(text, encoding="utf-8")
    shutil.copy(DRIVER, folder)
    command: list[str | Path] = [
        locate().ocamlfind, "ocamlc", "-w", "-a", "-package", "ounit2", "-linkpkg",
        "suites.ml", DRIVER.name, "-o", "driver",
    ]  # fmt: skip
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert 0 == made.returncode, made.stderr
    done = subprocess.run(
        ["./driver", runner], cwd=folder, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    found: Endings = [[] for _ in chosen]
    for line in done.stdout.splitlines():
        number, _, ending = line.split("\t")
        found[int(number)].append(ending)
    return found


def ending(result: CheckResult) -> str:
    """Return OUnit2's word for how a case ended."""
    if result.outcome is Outcome.PASSED:
        return "Success"
    if result.outcome is Outcome.FAILED:
        words = {"skipped": "Skip", "todo": "Todo"}
        return words.get(result.detail.partition(":")[0], "Failure")
    return "Error"


def graded(check: Check, suite: str) -> list[str]:
    """Return how the cases of a suite end with the stand-in."""
    tests = f"open OUnit2\nlet tests = {suite}\nlet () = run_test_tt_main tests"
    numbered = not re.search(r"test_case|TestCase|fun n ->|\(>::\)", suite)
    try:
        report = check(CODE, tests, reference=None if numbered else CODE)
    except ProblemError:
        return []
    return unhappy(ending(result) for result in report.results)


def unhappy(ends: Iterable[str]) -> list[str]:
    """Return all but the cases that pass: of these some ask the code for nothing, and are no
    checks.
    """
    return [each for each in ends if each != "Success"]


def differences(check: Check, found: dict[str, list[str]]) -> str:
    """Return each suite whose cases end differently, with both."""
    ours = {suite: graded(check, suite) for suite in found}
    return "\n".join(
        f"{suite}\n  OUnit2: {found[suite]}\n  here:   {ours[suite]}"
        for suite in found
        if ours[suite] != unhappy(found[suite])
    )


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return how the suites written by hand end, each case with the runner that is the default."""
    folder = tmp_path_factory.mktemp("by_hand")
    chosen = [*BY_HAND.values(), *(suite for suite, _, _ in DIFFERENT.values())]
    return dict(zip(chosen, endings(folder, "default", chosen), strict=True))


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return how the generated suites end."""
    folder = tmp_path_factory.mktemp("generated")
    chosen = drawn(GENERATED)
    return dict(zip(chosen, endings(folder, "together", chosen), strict=True))


@pytest.mark.parametrize("name", BY_HAND)
def test_suites_written_by_hand_end_alike(
    check: Check, by_hand: dict[str, list[str]], name: str
) -> None:
    """Each case passes, fails, errs, is skipped or left to be done as with OUnit2."""
    suite = BY_HAND[name]

    assert unhappy(by_hand[suite]) == graded(check, suite)


def test_generated_suites_end_alike(
    check: Check, engine: Engine, generated: dict[str, list[str]]
) -> None:
    """So do the cases of generated trees; the slower engine is tried with some of them."""
    every = 1 if engine.name == "warm" else 8
    chosen = dict(list(generated.items())[::every])

    assert "" == differences(check, chosen)


def test_generated_suites_end_in_every_way(generated: dict[str, list[str]]) -> None:
    """The generated cases are worth comparing: none of the endings is missing."""
    met = {word for words in generated.values() for word in words}

    assert {"Success", "Failure", "Error", "Skip", "Todo"} == met


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_differs_is_known(check: Check, by_hand: dict[str, list[str]], name: str) -> None:
    """Where a suite means something else here, that is on purpose and written down."""
    suite, real, here = DIFFERENT[name]

    assert real == by_hand[suite]
    assert unhappy(here) == graded(check, suite)


def interface() -> list[str]:
    """Return the values of OUnit2's interface."""
    query = [str(locate().ocamlfind), "query", "ounit2"]
    folder = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    text = Path(folder.strip(), "oUnit2.mli").read_text(encoding="utf-8")
    names = re.findall(r"^val (\S+?)\s*:|^\s*val (make_\w+)", text, re.MULTILINE)
    return [f"Conf.{made}" if made else name for name, made in names]


REFUSED = {
    "assert_command", "bracket_tmpfile", "bracket_tmpdir", "with_bracket_chdir",
    "in_testdata_dir", "Conf.make_string", "Conf.make_string_opt", "Conf.make_int",
    "Conf.make_float", "Conf.make_bool", "Conf.make_exec",
}  # fmt: skip


def test_every_value_of_the_interface_is_there_or_refused(engine: Engine) -> None:
    """What needs files, programs or a command line is refused by name, all else is there."""
    refused, needed = set(), set()
    for name in interface():
        suite = f'let _ = {name}\nlet tests = "t" >:: fun _ -> assert_equal 1 (f 1)'
        tests = f"open OUnit2\n{suite}\nlet () = run_test_tt_main tests"
        problem = Problem(id="p", tests=tests, reference=CODE)
        try:
            missing = set(engine.prepare(problem).uses) - {"f"}
        except ProblemError as error:
            missing = set()
            if f"unsupported: OUnit2's {name.split('.')[0]}" in str(error):
                refused.add(name)
        needed |= missing

    assert set() == needed
    assert REFUSED == refused
