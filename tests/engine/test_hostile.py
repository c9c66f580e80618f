"""Hostile programs: no fault, the same in both engines, the same whatever came before.

`python -m benchmarks.hostile` does this for tens of thousands of programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from ocaml_reward import Completion, Problem, Verdict
from ocaml_reward.engine import Engine
from tests.generated.comparing import (
    CANDIDATE,
    REFERENCE,
    difference,
    engine_named,
    graded,
)
from tests.generated.hostile import hostile, hostiles
from tests.generated.samples import Sample

PROGRAMS = 400
SEED = 21
FEW = 60


@pytest.fixture(scope="module")
def warm() -> Iterator[Engine]:
    engine = engine_named(CANDIDATE)
    yield engine
    engine.close()


def records(engine: Engine, chosen: list[Sample], jobs: int = 1) -> dict[str, str]:
    return {each.name: text for each, text, _ in graded(engine, chosen, jobs=jobs)}


def test_no_hostile_program_is_a_fault(warm: Engine) -> None:
    """Whatever the compiler does, the completion has a verdict."""
    found = list(graded(warm, hostiles(PROGRAMS, SEED), jobs=1))
    faults = [each.name for each, _, b in found if b is None or b.fault]
    verdicts = {b.verdict for _, _, b in found if b}

    assert [] == faults
    # Programs that all end alike would show little.
    assert {Verdict.TYPE_ERROR, Verdict.INTERFACE_ERROR, Verdict.PASSED} < verdicts


def test_engines_agree_on_hostile_programs(warm: Engine) -> None:
    """Their records are equal, whole."""
    chosen = list(hostiles(FEW, SEED + 1))
    stock = engine_named(REFERENCE)
    theirs, ours = records(stock, chosen), records(warm, chosen)
    stock.close()
    found = (difference(each, theirs[each.name], ours[each.name]) for each in chosen)

    assert "" == "\n".join(filter(None, found))


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_order_changes_a_hostile_programs_record(warm: Engine, jobs: int) -> None:
    """Names are numbered alike, whatever was graded before."""
    chosen = list(hostiles(FEW * 2, SEED + 2))
    orders = [Random(seed).sample(chosen, len(chosen)) for seed in range(3)]
    found = [records(warm, order, jobs) for order in orders]

    assert [found[0]] * 3 == found


def named(name: str, code: str) -> Sample:
    problem = Problem(id="p", tests="let () = assert (f 1 = 2)")
    return Sample(name=name, problem=problem, completion=Completion(text=code))


def test_numbered_names_begin_anew_with_each_program(warm: Engine) -> None:
    """Types left open and stamps, which the compiler counts up, read and wrap as ever."""
    opened = "".join(f"let r{n} = (ref [], ref None)\n" for n in range(12))
    before = named("before", opened + "let f = r0 + r1 + r2 + r3 + r4 + r5 + r6\n")
    stamped = named("stamps", "open struct type t = H let h = H end\nlet f = h\n")
    wrapped = named("weak", f"let f = {', '.join(['ref []'] * 12)}\n")
    shadowed = named(
        "shadowed",
        "type t = A\nlet x = A\nmodule M = struct type t = B let b = B let y = [x; b] end\n",
    )
    chosen = [wrapped, stamped, shadowed]
    fresh = engine_named(CANDIDATE)
    first = records(fresh, chosen)
    fresh.close()
    records(warm, [before, stamped, before, shadowed])

    assert first == records(warm, chosen[::-1])
    # From OCaml 5.2 on only what is hidden has a number.
    assert {"t/1", "t/2"} >= set(re.findall(r"t/\d+", " ".join(first.values())))
    assert "t/2" in first["shadowed"]
    assert "'_weak1" in first["weak"]


def test_names_that_another_program_shadowed_are_not_told_apart(warm: Engine) -> None:
    """A type called `int` by an earlier program does not make this one's `int/2`."""
    earlier = named("earlier", "type int = string\nlet f (x : int) = x + 1\nlet g : r = 1\n")
    row = named("row", "type row = [< `A of int & string | `B ]\nlet f x = x + 1\n")
    before = records(warm, [row])
    records(warm, [earlier])

    assert before == records(warm, [row])


def test_a_type_that_another_programs_error_named_is_not_told_of(warm: Engine) -> None:
    """No place of an earlier program's `list/2` follows this one's message."""
    problem = Problem(id="p", tests="let () = assert (f [ 1 ] = Some [ 1 ])")
    plain = Sample(name="plain", problem=problem, completion=Completion(text="let f x = 1 :: x\n"))
    missing = named("missing", "module M : sig val f : int -> int end = struct end\nlet f = M.f\n")
    before = records(warm, [missing])
    records(warm, [plain])

    assert before == records(warm, [missing])


def test_hostile_programs_depend_on_their_seed_alone() -> None:
    """Equal seeds give equal programs, and other seeds other ones."""
    made = [hostile(seed) for seed in range(20)]

    assert made == [hostile(seed) for seed in range(20)]
    assert len({each.completion.text for each in made}) > 15
