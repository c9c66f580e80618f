"""Regions of programs and of completions in several blocks, and where they are in the text."""

from __future__ import annotations

from ocaml_reward import Completion, Grader, Ground, Problem, StdioCase, Verdict
from ocaml_reward.engine import Engine

from .located import F_AND_G, Locate, rows


def test_a_program_is_judged_as_a_whole(locate: Locate) -> None:
    """What a program does is needed in each case, with what that needs."""
    cases = (StdioCase(stdin="", stdout="2"), StdioCase(stdin="", stdout="2\n"))
    right = locate("let f x = x\nlet () = print_int (f 2)\nlet spare = 1\n", cases)
    wrong = locate("let f x = x + 1\nlet () = print_int (f 2)\n", cases)

    assert [Ground.PASSING, Ground.PASSING, Ground.UNTESTED] == [
        ground for _, ground, _ in rows(right)
    ]
    assert [Ground.FAILING] * 2 == [ground for _, ground, _ in rows(wrong)]


def test_lines_that_a_directive_makes_up_are_not_believed(locate: Locate) -> None:
    """Where the code says which lines the compiler is to speak of, no error is placed, and no
    forbidden line.
    """
    found = locate('let f x = x + 1\nlet g x = x\n# 1 "solution.ml"\nlet z = 1 ^ 2\n')

    tests = "let a = f 1\nlet () = assert (f 1 = a)"
    unsafe = locate('let z = 1\n# 1 "solution.ml"\nlet f x = Obj.magic x\n', tests)

    assert Verdict.TYPE_ERROR is found.verdict
    assert ("Obj (line 1)",) == unsafe.forbidden
    assert {Ground.UNTESTED} == {region.ground for region in unsafe.regions or ()}
    assert [Ground.PASSING] * 2 + [Ground.UNTESTED] == [
        region.ground for region in found.regions or ()
    ]


def test_no_code_has_no_regions(locate: Locate) -> None:
    """Of nothing there is nothing to say; nor of what exhausts the compiler."""
    assert () == locate("(* nothing *)").regions


BLOCKS = """\
First a helper, *é*:

  ```ocaml
  let help x = "é", x + 1
  let f x = 0
  ```

Then the answer.
```ocaml
let f x = snd (help x)
let g x =
  x - 1
```
"""


def test_regions_lie_in_the_completion(locate: Locate) -> None:
    """Each region has its places in the completion's own text, over several blocks, indented
    ones and drafts that are left out.
    """
    found = locate(BLOCKS)
    placed = [
        "".join(BLOCKS[start:stop] for start, stop in region.places)
        for region in found.regions or ()
    ]

    assert [
        ('let help x = "é", x + 1', Ground.PASSING, ("help",)),
        ("let f x = snd (help x)", Ground.PASSING, ("f",)),
        ("let g x =\n  x - 1", Ground.FAILING, ("g",)),
    ] == rows(found)
    assert placed == [text for text, _, _ in rows(found)]


def test_nobody_asked(engine: Engine) -> None:
    """Without being asked a grader says nothing of regions, and pays the same."""
    problem = Problem(id="p", tests=F_AND_G)
    completion = Completion(text="let f x = x + 1\nlet g x = x + 2\n")
    plain = Grader("concise", engine=engine, jobs=1).grade(problem, completion)
    asked = Grader("concise", engine=engine, jobs=1, regions=True)
    found = asked.under(asked.scheme).grade(problem, completion)

    assert plain.regions is None
    assert found.regions is not None
    assert (plain.reward, plain.verdict) == (found.reward, found.verdict)
