"""Where extracted code stands in the completion: exact, whatever the completion is."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocaml_reward.reading.extraction import Extraction, extract
from ocaml_reward.reading.source_map import Copied, SourceMap, together
from tests.scoring_strategies import CHUNKS, END, FENCES, SETTINGS

# What each step of extraction is for, and characters of all lengths in UTF-8.
LINES = (
    *CHUNKS, *FENCES, f"{END}\n", "END\n", 'let é = "漢😀" in é\r\n', "  ```ocaml\n",
    "  let f x =\n", "    x\n", "\t  y\n", "  ```\n", "```ocaml let f x = x```\n",
    "let f x = 2\n", "let g = f 3\n", "This is the code:\n", "# let f x = x;;\n", "val f : int\n",
    "  x + 1\n", "\u2028", "\x85", "\r", "\r\n", "\ud800", "\ufeff",
    "```diff\n", "+let f x = 1\n", "> ```ocaml\n", "> let f x = 3\n",
    "\u200b", "x\u200b\r\n",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(LINES) | st.text(max_size=9), max_size=16).map("".join)
PROMPTS = st.sampled_from(
    [
        "",
        "Write f.",
        "let f (x : int) : int =\n",
        "```ocaml\nlet rec f x =\n",
        "let g = 1\nlet f x =",
        "let f x = begin match x with",
    ]
)


WRAPPED = "  ```ocaml\nEND\nlet f x = x + 1\n~~~\n"


def by_character(found: Extraction, text: str) -> str:
    """Put the code together from the places of its characters; "#" for what was put in."""
    code = found.code
    origins = found.origins()
    places = [origins.places(at, at + 1) for at in range(len(code))]
    return "".join(text[slice(*each[0])] if each else "#" for each in places)


@given(
    text=TEXTS,
    prompt=PROMPTS,
    uses=st.sampled_from([(), ("f",), ("f", "g"), ("q",)]),
    marker=st.sampled_from([None, END, "END"]),
)
@SETTINGS
@example(text="let f x =\r  x", prompt="", uses=(), marker=None)
@example(text="g", prompt="let g = 1\nlet f x =", uses=(), marker=None)
@example(
    text="```ocaml\nlet f x = 1\nlet g = 2\n```\né\n```ocaml\nlet f x = g\n```\n",
    prompt="",
    uses=("f",),
    marker=None,
)
@example(text=WRAPPED, prompt="", uses=("f",), marker=None)
@example(text=WRAPPED, prompt="```ocaml\nlet rec f x =\n", uses=(), marker=None)
@example(text="  ```ocaml\n~~~\n", prompt="```ocaml\nlet rec f x =\n", uses=(), marker=None)
def test_each_character_of_the_code_has_its_place(
    text: str, prompt: str, uses: tuple[str, ...], marker: str | None
) -> None:
    """Each stands in the completion where it is said to, but for a signature that was put
    before the code and the line ends between blocks; the places are in order.
    """
    found = extract(text, uses=uses, prompt=prompt, end_marker=marker)
    code = found.code
    origins = found.origins()
    groups = groupby(enumerate(code), key=lambda each: not origins.places(each[0], each[0] + 1))
    missing = ["".join(char for _, char in group) for put_in, group in groups if put_in]
    places = origins.places(0, len(code))

    given = "".join(code[start:stop] for start, stop in found.given)
    opened = [each for each in missing if each.strip("\n") and each not in given]
    assert len(opened) <= 1
    assert all(code.startswith(given + each) for each in opened)
    assert sorted(places) == list(places)
    shown = by_character(found, text)
    assert len(shown) == len(code)
    assert [] == [
        at
        for at, (a, b) in enumerate(zip(shown, code, strict=True))
        # Where no line ends otherwise, a carriage return does.
        if a not in (b, "#") and (a, b) != ("\r", "\n")
    ]
    inserted = sum(map(len, missing))
    assert inserted + sum(stop - start for start, stop in places) == len(code)


INDENTED = """\
1. é first:
   ```ocaml
   let f x =
     x
  let g = 1
   ```
"""


def test_what_was_taken_off_a_line_is_in_no_place() -> None:
    found = extract(INDENTED, uses=("f",))
    places = found.origins().places(0, len(found.code))

    assert "let f x =\n  x\nlet g = 1" == found.code
    assert ["let f x =\n", "  x\n", "let g = 1"] == [INDENTED[start:stop] for start, stop in places]


BLOCKS = """\
<think>let f = 0</think>\r
```ocaml
let help x = "é" ^ x
let f x = x
```
Better:
```ocaml
let f x = help x
```
"""


def test_several_blocks_have_places_of_their_own() -> None:
    """A draft that is replaced has none, nor has the line end that was put between."""
    found = extract(BLOCKS, uses=("f",))
    places = found.origins().places(0, len(found.code))

    assert 'let help x = "é" ^ x\n\nlet f x = help x' == found.code
    assert ['let help x = "é" ^ x\n', "let f x = help x"] == [
        BLOCKS[start:stop] for start, stop in places
    ]


@pytest.mark.parametrize(
    ("start", "stop", "places"),
    [(0, 2, ((5, 7),)), (1, 4, ((6, 8),)), (2, 3, ((7, 8),)), (3, 4, ()), (3, 3, ()),
     (0, 9, ((5, 8), (20, 22)))],
)  # fmt: skip
def test_places_of_a_part(start: int, stop: int, places: tuple[tuple[int, int], ...]) -> None:
    """Only what lies between two places counts, and what touches is one place."""
    copied = Copied(ranges=[(5, 7), (7, 8), (20, 22)], starts=[0, 2, 4])

    assert places == SourceMap([copied]).places(start, stop)


def test_steps_follow_each_other() -> None:
    """What is cut out of what was cut out of a text stands in that text."""
    last = Copied(ranges=[(1, 4), (4, 5)], starts=[0, 4])
    through = SourceMap([last, together([(10, 12), (20, 25)])])

    assert ((11, 12), (20, 23)) == through.places(0, 5)
    assert ((20, 23),) == through.places(1, 5)
