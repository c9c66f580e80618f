"""Texts, reports and schemes for the laws of scoring."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from ocaml_reward.model import (
    CheckReport,
    CheckResult,
    Completion,
    Outcome,
    Stage,
)
from ocaml_reward.reading.extraction import extract
from ocaml_reward.scheme import RewardScheme, load, shipped, with_overrides
from ocaml_reward.scoring import Score, score

SETTINGS = settings(max_examples=100, deadline=None)
CHECKS = 6
END = "(* END *)"

# What comes later in the compiler earns at least as much.
ORDER = (
    Stage.SYNTAX_ERROR,
    Stage.TYPE_ERROR,
    Stage.INTERFACE_ERROR,
    Stage.LINK_ERROR,
    Stage.EXECUTABLE,
)
CHUNKS = (
    "let f x = x + 1\n",
    "let rec g = function [] -> 0 | y :: r -> y + g r\n",
    "(* a comment *)\n",
    "type t = A | B of int\n",
    "  match x with _ -> 0\n",
    'let s = "let q = (* no"\n',
    "let c = '\"'\n",
    "Here is what you should do:\n",
    "BEGIN\n",
    "let long = [1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 14; 15; 16; 17]\n",
    "\n",
)
FENCES = ("```ocaml\n", "```\n", "~~~\n", "```python\n", "<think>\n", "</think>\n")

FINER = with_overrides(load("seed"), ["type.input=typed_fraction"])
PASS_OR_FAIL = with_overrides(
    load("concise"),
    [
        "available.type=0",
        "available.compile=0",
        "available.tests=0",
        "available.solved=1",
    ],
)
SCHEMES = st.sampled_from([*map(load, shipped()), FINER, PASS_OR_FAIL]) | st.builds(
    RewardScheme.at_epoch,
    st.just(load("curriculum")),
    st.floats(0, 2),
    blend=st.booleans(),
)
CODES = st.lists(st.sampled_from(CHUNKS), min_size=1, max_size=14).map("".join)
TEXTS = st.lists(
    st.sampled_from([*CHUNKS, *FENCES, f"{END}\n"]) | st.text(max_size=20), max_size=20
).map("".join)
PASSED_OR_NOT = st.lists(st.sampled_from(Outcome), min_size=CHECKS, max_size=CHECKS)


def results(outcomes: list[Outcome]) -> tuple[CheckResult, ...]:
    """Turn outcomes into the results of numbered checks."""
    return tuple(
        CheckResult(index=index, line=index + 1, outcome=outcome)
        for index, outcome in enumerate(outcomes)
    )


@st.composite
def reports(draw: st.DrawFn) -> CheckReport:
    """Make any report that an engine may give on six checks."""
    stage = draw(st.sampled_from(Stage))
    runs = stage is Stage.EXECUTABLE
    forbidden = draw(st.sampled_from([(), (), ("Obj.magic",)]))
    return CheckReport(
        stage=stage,
        type_errors=0 if runs else draw(st.none() | st.integers(0, 30)),
        parsed_share=draw(st.none() | st.floats(0, 1)),
        forbidden=forbidden,
        results=results(draw(PASSED_OR_NOT)) if runs and not forbidden else (),
    )


def scored(
    text: str, report: CheckReport, scheme: RewardScheme, *, truncated: bool | None
) -> Score:
    """Score a text under a scheme."""
    extraction = extract(text, uses=("f",), end_marker=scheme.end_marker)
    completion = Completion(text=text, truncated=truncated)
    return score(report, extraction, completion, CHECKS, scheme)


# What `scored` takes, for a law about all of it.
SCORED = {
    "text": TEXTS,
    "report": reports(),
    "scheme": SCHEMES,
    "truncated": st.none() | st.booleans(),
}
