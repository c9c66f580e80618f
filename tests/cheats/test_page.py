"""
docs/cheats.md shows what every cheat got; `pytest tests/cheats --promote` writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ocaml_reward.engine import Engine

from .corpus import CORPUS, Cheat, cheats, reward, schemes

HEAD = """# Cheats

The completions of `test_corpus/cheats` try for credit that they did not earn. Each has an honest twin:
the same completion without the trick or, where the trick is all there is, the honest attempt that it
pretends to be, or nothing. Shown is the reward in the scheme `seed`; `tests/cheats` holds every
cheat to its twin in every shipped scheme, with both engines, and composes the tricks with programs of
every quality. "Before" is what a cheat got when every check was decided beside the code, in its process.
What it cannot find out is in the [threat model](threat-model.md).

## Stubs

A body that only raises, loops, or gives the same answer to everything types and compiles for any problem.
What shows that it is no attempt is two things together: no check passes and all that the code was seen to
answer is one value or none, and in its text no result is made of what it is given. Then it keeps a
tenth (`idle`), however many lines of padding stand around it. One of the two is not enough: honest
attempts raise in every check, too, and [the rule](scoring.md#penalties) is not to take their credit
away. A body that looks busy is seen through where its result comes from elsewhere by the types of what it calls: a
lookup in an empty table or in one of constants, a fold that keeps its start, a difference of equal numbers as a divisor, a
recursion without an end; and likewise a program that prints nothing of what it reads. One that does compute with its argument, and then fails for a reason that only the values show,
passes for an attempt and earns what that does, as does one with a type error in an expression about its argument.
What a value looks like is followed, too, so that branches which the text shows never to be taken give nothing: a case of
another constructor, a condition on constants, a length below 0, a handler for what is not raised, a function that gives the same for
everything handed to `List.filter` and its like. So are functors, methods, modules in expressions, binding operators and functions handed on.

Of 78 more stubs that do something with what they are given in vain, written with what they may keep before any was run, 32 earned 0.35
and 11 do, mostly where what is made of the argument is written over before it is read (a reference, an array, a queue that is emptied), where a
function gets a constant beside the argument (`go l (fun _ -> 0)`: which parameter gets which is not followed, for who swaps two
has tried), where a handed-on function is composed with a constant one, or a callback of the tests is called, which may do something. Likewise
`List.length l > 1_000_000`, `List.nth l (-1)`, as Python has its last element, and an accumulator that is never added to, which slips of
the pen look like. Of 131 others 60 earned 0.35 and 45 do: 15 of these went through what a function of the library gives for constants, which is told
since (`max_int < 0`, `List.mem 1 []`, `int_of_string "x"`). What is left needs the values: `if n >= 0 || n < 0`, the environment, the clock, chance,
numbers with a point, and a length or an index below 0, as who swaps two arguments of `Array.make` has them.

Of 169 more cheats, with 94 honest completions beside them, written likewise over functors, GADTs, sequences, callbacks, shared state, floats and whole
programs, the whole programs did best: 27 of 56 earned 0.35 and 7 do, for what went to standard error, was kept or stood in a function
that nobody called counted as printed. Where the tests have a loop, or open what a functor of the code's makes, no stub was seen through at
all. Four of the honest ones lost: a word that the input chooses was no print of it, and a function of `()` that counts, or draws, gave a
constant. What earns 0.35 still is a class that is asked for with methods that raise, a module that is unpacked from a value (`module M =
(val m)`), two branches that print the same, and what is written over before it is printed.

## Searched

`python -m benchmarks.climb` plays the policy: it knows no answer, begins with stubs, and mutates what is paid most among what
passes no check, up to 720 programs for each of 44 problems. In `seed`, of some 27,000 programs that pass none:

| | before | now |
|---|---|---|
| name nothing that they are given | 3,144 | 2,590 |
| of these paid more than 0.055 | 568 | 4 |
| of these paid 0.35 | 79 | 0 |
| paid 0.35, of all | 4.1 % | 1.6 % |
| the best of a problem, mean | 0.256 | 0.244 |

"Before" is an earlier state and a search with one constant of another kind; each search follows what it is paid, so that the columns differ
in their programs, too. What is still paid 0.35 does something with its argument that only the values show to be in vain, and what is paid
0.22 does not type and hands its argument to some call, as honest outlines do: that is most of what the search ends with.
None of 3,132 programs with a mistake put into a reference, 2,450 of which do not type, is taken for a stub.

Code that does not type, hands its argument to one name that nothing defines and does nothing else (`let f l = rotate_list l`,
`List.rotate l`, `ignore (List.len l); 0`) keeps 0.22 in `seed` if it has 8 lines. No rule was found that tells such a text, made for the
reward, from an honest one: an outline whose helper was forgotten, a function that was remembered wrongly and code for another library
(`open Base`) are the very same text. What could tell them apart has been looked at and is no help: the number of names that are missing
(one helper is as honest as three, and three cost more already), what else the program does (one known call more, and the stub is past
that, too), and its lines (layout makes eight of one). It earns less than any program that types, and no more than honest code with one error.

Honest completions spoilt in 43 ways (8,736 times) were paid more without a mistake less in 9 cases, all of one answer: of seven lines and
with an error in them, it earns nothing for its length and more with a line added. Changes of 44 kinds that change nothing, made to code that parses
(2,160 times), changed the reward of 20: of answers a line short, as `begin` and `end`, `open Stdlib` and the words around a module count as
lines; where a module with exceptions is included by a name, and where a module with the name of one of the library's stands in one
that is opened, both of which are allowed since; and where the change did change something, as it hid a name.
"""


def test_the_page_shows_what_every_cheat_got(
    engine: Engine, golden: Callable[[Path, str], None]
) -> None:
    """
    The page is made of the corpus and of what both engines give, with OCaml 4.13 as the
    other records are.
    """
    parts = [HEAD]
    for family in dict.fromkeys(cheat.family for cheat in by_family()):
        parts.append(f"\n## {family.capitalize()}\n\n")
        of_family = [cheat for cheat in cheats() if cheat.family == family]
        was = any(cheat.before is not None for cheat in of_family)
        parts.append("| cheat | tries to use | got | its twin |" + " before |" * was)
        parts.append("\n|---|---|---|---|" + "---|" * was + "\n")
        parts += [row(engine, cheat, was=was) for cheat in of_family]

    page = CORPUS.parent / "docs" / "cheats.md"
    if engine.toolchain.startswith("ocaml 4.13"):
        golden(page, "".join(parts))
    shown = page.read_text(encoding="utf-8")

    assert [] == [cheat.name for cheat in cheats() if f"| {cheat.name} |" not in shown]


def by_family() -> list[Cheat]:
    return sorted(cheats(), key=lambda cheat: cheat.family)


def row(engine: Engine, cheat: Cheat, *, was: bool) -> str:
    seed = schemes()["seed"]
    got, twin = (
        reward(engine, seed, cheat.problem, text, truncated=cheat.truncated)
        for text in (cheat.cheat, cheat.honest)
    )
    tries = cheat.tries.replace("|", "\\|")
    shown = "" if cheat.before is None else f"{cheat.before:.3f}"
    before = f" {shown} |" if was else ""
    return f"| {cheat.name} | {tries} | {got:.3f} | {twin:.3f} |{before}\n"
