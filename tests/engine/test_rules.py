"""What a problem forbids and requires, beside the cases in cases/rules.ml."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward import Breakdown, Completion, Grader, Problem, ProblemError
from ocaml_reward.auditing import Validator
from ocaml_reward.engine import CheckRequest, Engine
from ocaml_reward.engine.engines.select import engine as engine_named
from ocaml_reward.engine.messages.rules import read_broken
from ocaml_reward.engine.remote.engine import RemoteEngine
from ocaml_reward.formats import ProblemLine, load_problems
from ocaml_reward.formats.writing import write_problems
from ocaml_reward.model import FeedbackLevel
from ocaml_reward.record import breakdown_to_dict
from tests.serving.running import served

PROBLEM = Problem(
    id="flat",
    tests="let () = assert (flat [ [ 1 ]; [ 2 ] ] = [ 1; 2 ])\nlet () = assert (flat [] = [])",
    forbidden=("List.concat", "Hashtbl", "for"),
    required=("Flat",),
)
ENGINES = ("warm", "stock")
FORBIDDEN = "module Flat = struct end\nlet flat l = List.concat l\n"
LACKING = "let flat l = List.fold_right ( @ ) l []\n"
RIGHT = f"module Flat = struct end\n{LACKING}"


def graded(engine: Engine, problem: Problem, code: str, *, regions: bool = False) -> Breakdown:
    grader = Grader("concise", engine=engine, jobs=1, regions=regions)
    return grader.grade(problem, Completion(text=code))


def facts(found: Breakdown) -> dict[str, object]:
    """Return a record without what differs between engines and runs."""
    return breakdown_to_dict(replace(found, engine="", sandbox="", timings_ms={}))


def test_what_is_forbidden_earns_what_forbidden_code_does(
    engines: Callable[[str], Engine],
) -> None:
    """Record, feedback and regions have it where they have unsafe features."""
    found = graded(engines("warm"), PROBLEM, FORBIDDEN, regions=True)

    assert ("List.concat, which the problem forbids (line 2)",) == found.forbidden
    assert "forbidden" == found.verdict
    assert 0 == found.credits.tests
    assert () == found.tests.results
    assert ["forbidden"] == [each.ground for each in found.regions or () if each.line == 2]
    assert "It uses:\n> List.concat, which the problem forbids (line 2)" in found.feedback(
        FeedbackLevel.COMPILER
    )


def test_what_is_missing_is_an_interface_error(engines: Callable[[str], Engine]) -> None:
    found = graded(engines("warm"), PROBLEM, LACKING)
    said = "The code does not define the module Flat, which the problem requires"

    assert "interface_error" == found.verdict
    assert 0 == found.credits.tests
    assert [said] == [each.message for each in found.diagnostics]
    assert said in found.feedback(FeedbackLevel.COMPILER)


def test_what_a_missing_module_has_to_hold_is_no_further_error(
    engines: Callable[[str], Engine],
) -> None:
    problem = replace(PROBLEM, required=("Flat", "Flat.t", "Flat.push"))

    assert 1 == graded(engines("warm"), problem, LACKING).type_errors


@pytest.mark.parametrize("code", [FORBIDDEN, LACKING, RIGHT, "let flat = 1", "let flat ="])
@pytest.mark.parametrize("regions", [False, True])
def test_both_engines_and_a_server_say_the_same(
    engines: Callable[[str], Engine], code: str, *, regions: bool
) -> None:
    here = [facts(graded(engines(name), PROBLEM, code, regions=regions)) for name in ENGINES]
    with served(engine_named("warm")) as url, closing(RemoteEngine(url)) as remote:
        there = facts(graded(remote, PROBLEM, code, regions=regions))

    assert here[0] == here[1] == there


def test_other_rules_are_not_answered_from_a_cache(engines: Callable[[str], Engine]) -> None:
    """One grader has equal code for problems that differ in their rules alone."""
    grader = Grader("concise", engine=engines("warm"), jobs=1)
    verdicts = [
        grader.grade(replace(PROBLEM, **rules), Completion(text=FORBIDDEN)).verdict
        for rules in ({}, {"forbidden": ()}, {"forbidden": (), "required": ("Other",)}, {})
    ]

    assert ["forbidden", "passed", "interface_error", "forbidden"] == verdicts


def test_a_problem_without_rules_is_as_it_was(engines: Callable[[str], Engine]) -> None:
    """Unsafe features are free where nothing is forbidden, and the record has no new key."""
    plain = replace(PROBLEM, forbidden=(), required=())
    unsafe = "let flat (l : 'a list list) : 'a list = Obj.magic (List.concat l)\n"
    ruled = replace(plain, forbidden=("Hashtbl",))

    assert "passed" == graded(engines("warm"), plain, unsafe).verdict
    assert ("Obj (line 1)",) == graded(engines("warm"), ruled, unsafe).forbidden
    assert {*facts(graded(engines("warm"), plain, LACKING))} == {
        *facts(graded(engines("warm"), PROBLEM, FORBIDDEN))
    }


def test_the_block_with_the_required_module_is_the_answer(
    engines: Callable[[str], Engine],
) -> None:
    text = f"```ocaml\nmodule Flat = struct end\n```\nand\n```ocaml\n{LACKING}```\n"

    assert "passed" == graded(engines("warm"), PROBLEM, text).verdict


@pytest.mark.parametrize("name", ["stock", "warm"])
def test_names_that_nothing_can_have_forbid_nothing(
    engines: Callable[[str], Engine], name: str
) -> None:
    """As only a program can give them."""
    odd = ("", "a b", "\0", "\ud800", "List.", ".", "A..b", "List.concat.x", "é", "-w", "(*", '"')
    tests = engines(name).prepare(PROBLEM)
    report = engines(name).check(CheckRequest(code=RIGHT, tests=tests, forbidden=odd))

    assert ["passed"] * 2 == [each.outcome for each in report.results]


def test_modules_that_double_end_by_the_compilers_limit(
    engines: Callable[[str], Engine],
) -> None:
    """Their values are as many as nobody can look at, and the next code is graded as always."""
    doubled = "".join(
        f"module A{n + 1} = struct module X = A{n} module Y = A{n} end\n" for n in range(28)
    )
    code = f"module A0 = struct let x = 1 end\n{doubled}module Z : sig end = A28\n{RIGHT}"

    assert "compiler_limit" == graded(engines("warm"), PROBLEM, code).verdict
    assert "passed" == graded(engines("warm"), PROBLEM, RIGHT).verdict


def test_too_many_names_are_refused(engines: Callable[[str], Engine]) -> None:
    with pytest.raises(ProblemError, match="what is required: 59,999 char"):
        engines("warm").prepare(replace(PROBLEM, required=("Fifo.a",) * 8571 + ("Ff",)))


@pytest.mark.parametrize("name", ["p.jsonl", "p.parquet"])
def test_a_file_keeps_them(tmp_path: Path, name: str) -> None:
    write_problems(tmp_path / name, [PROBLEM])

    assert PROBLEM == load_problems(tmp_path / name).problems["flat"]


def test_a_table_has_them_in_cells(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text('id,tests,forbidden,required\nflat,t,"List.concat, := for",Flat\n')
    found = load_problems(path).problems["flat"]

    assert (("List.concat", ":=", "for"), ("Flat",)) == (found.forbidden, found.required)


def test_a_name_that_does_not_exist_is_remarked(engines: Callable[[str], Engine]) -> None:
    """A word of the language, an operator and what a library has are none."""
    names = ("List.concta", "Hashtbull", "Str.split", "for", "mod", "<-", "::", "Set.Make", ":=")
    problem = replace(PROBLEM, forbidden=(*names, "Stdlib.@"), libraries=("str",))
    row = ProblemLine(file="", line=1, problem=problem)
    (found,) = Validator(engines("warm")).validate([row])
    said = [each.message for each in found.complaints if each.kind == "forbidden"]

    assert [
        "OCaml has no List.concta, nor have the problem's libraries",
        "OCaml has no Hashtbull, nor have the problem's libraries",
    ] == said
    assert not found.broken


def test_a_reply_with_half_a_pair_is_no_reply() -> None:
    with pytest.raises(ValueError, match="zip"):
        read_broken([b"1"])
