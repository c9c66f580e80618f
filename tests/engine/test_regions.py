"""Regions of programs and of completions in several blocks, and where they are in the text."""

from __future__ import annotations

from ocaml_reward import Completion, Grader, Ground, Problem
from ocaml_reward.engine import Engine

from .located import F_AND_G, Locate, rows


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


def test_what_is_forbidden(locate: Locate) -> None:
    """The line of a forbidden feature is wrong; where it does not type either, its definition
    is, too.
    """
    tests = "let a = f 1\nlet b = f 2\nlet () = assert (f 1 = a && h (f 2) = b)"
    found = locate("let f x =\n  Obj.magic x\nlet h x = x\n", tests)
    # The error's text is the compiler's own: 5.4 points at the module alone.
    is_later = rows(found)[1][0] == "Obj"
    error, rest = ("Obj", ".magic x") if is_later else ("Obj.magic", "x")

    assert ("Obj (line 2)",) == found.forbidden
    assert [
        ("let f x =", Ground.HOLDS_ERROR, ("f",)),
        (error, Ground.ERROR, ("f",)),
        (rest, Ground.FORBIDDEN, ("f",)),
        ("let h x = x", Ground.UNTESTED, ("h",)),
    ] == rows(found)
