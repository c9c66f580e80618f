"""Groups of cases as rows, batches of DMOJ and test groups of Kattis have them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward import Completion, Grader, ProblemError, StdioCase
from ocaml_reward.engine import Engine
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.formats.problems import problem_from_row
from ocaml_reward.formats.writing import problem_fields
from ocaml_reward.model import groups_of
from tests.formats.test_folders import PACKAGE, Files, imported, problem_of, written

ECHO = "let () = try while true do print_endline (read_line ()) done with End_of_file -> ()"
Group = tuple[str, tuple[int, ...], float, tuple[str, ...]]


def groups(files: Files, folder: Path) -> list[Group]:
    """Return the groups of the problem in a folder."""
    found = groups_of(problem_of(imported(folder / "p", files)).tests)
    return [(each.name, each.checks, each.points, each.needs) for each in found]


def test_rows_have_groups() -> None:
    """A name may be a number; what is written is read again."""
    first = {"input": "1", "output": "1", "group": 1, "points": 20, "needs": None}
    second = {"input": "2", "output": "2", "group": "b", "needs": [1]}
    problem = problem_from_row({"id": "p", "tests": [first, second]})

    assert problem.tests == (
        StdioCase(stdin="1", stdout="1", group="1", points=20.0),
        StdioCase(stdin="2", stdout="2", group="b", needs=("1",)),
    )
    assert problem == problem_from_row(problem_fields(problem))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"group": 1.5}, "group 1: expected a name"),
        ({"points": "many"}, "points 1: expected a number"),
        ({"points": True}, "points 1: expected a number"),
        ({"points": 0}, "case 1 earns no points"),
        ({"needs": "a"}, "needs 1: expected a list of groups"),
        ({"needs": ["a"]}, "case 1 needs 'a', which is no earlier group"),
    ],
)
def test_what_is_no_group_is_refused(fields: dict[str, object], said: str) -> None:
    row = {"id": "p", "tests": [{"input": "", "output": "1", **fields}]}
    with pytest.raises(ProblemError, match=said):
        problem_from_row(row)


FILES = {"1.txt": "1\n", "2.txt": "2\n", "3.txt": "3\n"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("[{in: 1.txt, out: 1.txt}, {batched: [{out: 2.txt}]}]", []),
        ("[{out: 1.txt, points: 5}, {points: 20, batched: [{out: 2.txt}, {out: 3.txt}]}]",
         [("", (1,), 5.0, ()), ("1", (2, 3), 20.0, ())]),
        ("[{batched: [{out: 1.txt}]}, {out: 2.txt},"
         " {dependencies: [1], batched: [{out: 3.txt}], points: 2}]",
         [("1", (1,), 1.0, ()), ("", (2,), 1.0, ()), ("", (3,), 2.0, ("1",))]),
        ("[{out: 1.txt, points: 0}, {out: 2.txt, points: 3},"
         " {points: 0, batched: [{out: 3.txt}, {out: 1.txt}]}, {out: 2.txt}]",
         [("case 1", (1,), 0.0, ()), ("", (2,), 3.0, ("case 1",)),
          ("1", (3, 4), 0.0, ("case 1",)), ("", (5,), 1.0, ("case 1", "1"))]),
        ("[{out: 1.txt, points: 3}, {out: 2.txt}, {out: 3.txt, points: 0}]",
         [("", (1,), 3.0, ()), ("", (2,), 1.0, ())]),
    ],
)  # fmt: skip
def test_batches_of_dmoj(settings: str, expected: list[Group], tmp_path: Path) -> None:
    """A batch is paid whole, 1 point by default; without points it ends all that comes later, and
    what nothing comes after is left out.
    """
    assert expected == groups({"init.yml": f"test_cases: {settings}\n", **FILES}, tmp_path)


def test_pretests_of_dmoj_end_the_rest(tmp_path: Path) -> None:
    """Whatever points they have."""
    settings = "pretest_test_cases: [{out: 1.txt, points: 5}]\ntest_cases: [{out: 2.txt}]\n"
    expected = [("case 1", (1,), 0.0, ()), ("", (2,), 1.0, ("case 1",))]

    assert expected == groups({"init.yml": settings, **FILES}, tmp_path)


def test_batches_of_dmoj_by_their_names(tmp_path: Path) -> None:
    """In numerical order, names before numbers; the points follow it."""
    files = {
        f"{name}.{end}": f"{name}\n"
        for name in ("2.10", "2.9", "1", "ab.1")
        for end in ("in", "out")
    }
    forms = "{input_format: %s, output_format: %s, case_points: [0, 5, 7]}"
    form = "'((?P<batch>\\w+)\\.)?(?P<case>\\d+)\\.{}'"
    settings = f"test_cases: {forms % (form.format('in'), form.format('out'))}\n"
    found = problem_of(imported(tmp_path / "p", {"init.yml": settings, **files})).tests

    assert ["ab.1", "1", "2.9", "2.10"] == [
        case.stdin.strip() for case in found if isinstance(case, StdioCase)
    ]
    assert [(1,), (2,), (3, 4)] == [each.checks for each in groups_of(found)]
    assert [0.0, 5.0, 7.0] == [each.points for each in groups_of(found)]


GROUPED: Files = {
    **{name: text for name, text in PACKAGE.items() if "data/secret" not in name},
    "problem.yaml": "type: scoring\n",
    **{
        f"data/secret/{name}.{end}": f"{name}\n"
        for name in ("a/1", "a/2", "b/1", "b/2")
        for end in ("in", "ans")
    },
}
ANY = "on_reject: continue\ngrader_flags: accept_if_any_accepted\n"
MIN = "grader_flags: min\non_reject: break\naccept_score: %d\n"
LEGACY: Files = {
    **GROUPED,
    "data/testdata.yaml": "on_reject: continue\ngrader_flags: ignore_sample\n",
    "data/secret/testdata.yaml": ANY,
    "data/secret/a/testdata.yaml": MIN % 30,
    "data/secret/b/testdata.yaml": MIN % 70,
}
OF_2025: Files = {**GROUPED, "problem.yaml": "type: scoring\nproblem_format_version: 2025-09\n"}
LATER: Files = {
    **OF_2025,
    "data/secret/a/test_group.yaml": "max_score: 40\n",
    "data/secret/b/test_group.yaml": "max_score: 60\nrequire_pass: [sample, a]\n",
}
WHOLE: list[Group] = [("secret", (1, 2, 3, 4), 1.0, ())]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (LEGACY, [("a", (1, 2), 30.0, ()), ("b", (3, 4), 70.0, ())]),
        ({**LEGACY, "data/secret/testdata.yaml": "grader_flags: always_accept\non_reject: break\n"},
         [("a", (1, 2), 30.0, ()), ("b", (3, 4), 70.0, ("a",))]),
        ({**LEGACY, "data/secret/b/testdata.yaml": "accept_score: 5\n"},
         [("a", (1, 2), 30.0, ()), ("", (3,), 5.0, ()), ("", (4,), 5.0, ())]),
        ({**LEGACY, "data/secret/b/testdata.yaml": "accept_score: 5\ngrader_flags: avg\n"},
         [("a", (1, 2), 30.0, ()), ("", (3,), 2.5, ()), ("", (4,), 2.5, ())]),
        ({**LEGACY, "data/secret/testdata.yaml": "grader_flags: first_error\n"}, WHOLE),
        (GROUPED, WHOLE),
        (LATER, [("a", (1, 2), 40.0, ()), ("b", (3, 4), 60.0, ("a",))]),
        ({**LATER, "data/secret/b/test_group.yaml": "max_score: 60\nscore_aggregation: sum\n"},
         [("a", (1, 2), 40.0, ()), ("", (3,), 30.0, ()), ("", (4,), 30.0, ())]),
        ({**LATER, "data/secret/test_group.yaml": "score_aggregation: pass-fail\n"}, WHOLE),
        ({**PACKAGE, "problem.yaml": OF_2025["problem.yaml"]},
         [("", (1,), 50.0, ()), ("", (2,), 50.0, ())]),
    ],
)  # fmt: skip
def test_groups_of_kattis(files: Files, expected: list[Group], tmp_path: Path) -> None:
    """Each earns its points as its own settings and those above it say."""
    assert expected == groups(files, tmp_path)


@pytest.mark.parametrize(
    ("place", "settings", "said"),
    [
        ("secret/b", "grader_flags: max\n", "groups of tests are graded by max"),
        ("secret/b", "on_reject: break\n", "groups of tests are graded by sum"),
        ("secret", f"{ANY[:-1]} min\n", "groups of tests are graded by min"),
        ("secret/b", "grading: custom\n", "groups of tests have grading: custom"),
        ("secret/b", "reject_score: 1\n", "groups of tests have reject_score: 1"),
        ("secret/b", "accept_score: all\n", "group b has no number of points"),
    ],
)
def test_groups_that_are_paid_otherwise_are_left_out(
    place: str, settings: str, said: str, tmp_path: Path
) -> None:
    """With the reason."""
    found = imported(tmp_path / "p", {**LEGACY, f"data/{place}/testdata.yaml": settings})

    assert isinstance(found.found, BadLine)
    assert said == found.found.message


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"data/secret/b/test_group.yaml": "max_score: 6\nrequire_pass: 7\n"}, "group b requires 7"),
        ({"data/secret/b/test_group.yaml": "max_score: 6\nrequire_pass: [{}]\n"},
         "problem 'p': tests: case 3 needs '{}', which is no earlier group"),
        ({"data/secret/b/test_group.yaml": "max_score: unbounded\n"},
         "group b has no number of points"),
        ({"data/secret/b/test_group.yaml": "max_score: .inf\n"},
         "problem 'p': tests: points: expected a number from 0 to 1,000,000"),
        ({"data/secret/c.in": "", "data/secret/c.ans": ""}, "cases beside groups of tests"),
    ],
)  # fmt: skip
def test_groups_that_mean_nothing_are_left_out(files: Files, said: str, tmp_path: Path) -> None:
    """With the reason."""
    found = imported(tmp_path / "p", {**LATER, **files})

    assert isinstance(found.found, BadLine)
    assert said == found.found.message


def test_groups_may_not_be_endless(tmp_path: Path) -> None:
    """A link to what is above is not followed, and no group is hundreds deep."""
    folder = written(tmp_path / "p", LEGACY)
    (folder / "data/secret/b/back").symlink_to("..", target_is_directory=True)
    assert [(1, 2), (3, 4)] == [checks for _, checks, _, _ in groups({}, tmp_path)]
    deep = folder.joinpath("data/secret/a", *["d"] * 400)
    deep.mkdir(parents=True)
    found = imported(folder, {"data/secret/a/testdata.yaml": "accept_score: 5\n"})

    assert isinstance(found.found, BadLine)
    assert "groups of tests are more than 20 deep" == found.found.message


def test_a_failed_case_costs_its_group(tmp_path: Path, engines: Callable[[str], Engine]) -> None:
    """What fails one case of the second group earns the first one's 30 of 100 points."""
    problem = problem_of(imported(tmp_path / "p", LEGACY))
    grader = Grader("concise", engine=engines("warm"), jobs=1)
    fails = ECHO.replace("print_endline (", "print_endline (match ").replace(
        "read_line ())", 'read_line () with "b/2" -> "b" | line -> line)'
    )
    whole, part = (grader.grade(problem, Completion(text=code)) for code in (ECHO, fails))

    assert 1.0 == whole.reward
    assert 3 == part.tests.passed
    assert whole.credits.tests * 0.3 == pytest.approx(part.credits.tests)
