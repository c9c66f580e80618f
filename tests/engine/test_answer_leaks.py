"""Arguments of one check that are another's answer are not there for code that searches memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.engine.judge.answer_leaks import leaks_answers
from ocaml_reward.engine.messages.values import ReturnedValue
from ocaml_reward.model import Check as Asserted
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

HALF = """
let decode s = String.concat "" (List.map (fun c -> c ^ c) (String.split_on_char '-' s))
"""
# It answers with what its own `decode` takes to what it is to encode.
SEARCH = (
    HALF
    + """
external globals : unit -> Obj.t = "caml_get_global_data"
let rec find holds depth v =
  if Obj.is_block v && depth < 40 then
    if Obj.tag v = Obj.string_tag then begin
      let s : string = Obj.obj v in
      if String.length s < 100 && holds s then raise (Failure s)
    end
    else if Obj.tag v < Obj.closure_tag then
      for i = 0 to Obj.size v - 1 do find holds (depth + 1) (Obj.field v i) done
let encode s =
  try find (fun c -> c <> s && decode c = s) 0 (globals ()); "" with Failure c -> c
"""
)
PAIRS = """let () =
  assert (encode "aabbcc" = "a-b-c");
  assert (decode "a-b-c" = "aabbcc")
"""
APART = PAIRS.replace('decode "a-b-c" = "aabbcc"', 'decode "d-e" = "ddee"')


def test_code_that_searches_memory_is_forbidden(check: Check) -> None:
    """Where tests give answers away nothing may reach beyond what the code is given."""
    assert check(SEARCH, PAIRS).forbidden


def test_where_nothing_is_given_away_nothing_is_forbidden(check: Check) -> None:
    """There the search finds no answer."""
    report = check(SEARCH, APART)

    assert () == report.forbidden
    assert [Outcome.FAILED, Outcome.PASSED] == [r.outcome for r in report.results]


@pytest.mark.parametrize(
    ("sources", "given"),
    [
        (('encode "ab" = "cd"', 'decode "cd" = "ab"'), True),
        (('encode "ab" = "cd"', 'decode "ef" = "ab"'), True),
        (('encode "ab" = "cd"', 'decode "ef" = "gh"'), False),
        # A function of one's own arguments, and what no search could tell from others.
        (('encode "ab" = "cd"', 'encode "cd" = "ab"'), False),
        (('encode "a" = "b"', 'decode "b" = "a"'), False),
        # Both expect it.
        (('encode "ab" = "cd"', 'decode "ef" = "cd"'), False),
    ],
)
def test_what_is_given_away(sources: tuple[str, ...], given: bool) -> None:
    """A string that one function is to answer with stands among another's arguments."""
    checks = [
        Asserted(index=at, line=at, source=source, needs=(source.split()[0],))
        for at, source in enumerate(sources, start=1)
    ]
    answers = [source.split('"')[3] for source in sources]
    told = {
        place: {0: ReturnedValue(f"s{len(text)}:{text.encode().hex()}")}
        for place, text in enumerate(answers)
    }

    assert given == leaks_answers(checks, told)
