"""Drives what reads a completion, its output and what the compiler says of it, with texts made to
take long, and prints what that took in operations, and which loops it went through.

    python -m tests.linear.loops

A program of its own, as what it counts has to be imported by it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tests.linear.counting import Counter, install

DRIVEN: Final = ("ocaml_reward", "cli", "trainer_plugin")
SIZES: Final = (300, 1_200, 4_800, 19_200)
GROWTH: Final = 5.5
FLOOR: Final = 1_000

COUNTER: Final[Counter] = install(DRIVEN) if __name__ == "__main__" else Counter()

from cli.explain.explanation import Explanation, explanation_lines  # noqa: E402
from cli.explain.sources import CheckSources  # noqa: E402
from cli.report.details import completion_details, table_row  # noqa: E402
from cli.report.page import embedded  # noqa: E402
from cli.report.raw import RawText, holds_code  # noqa: E402
from cli.report.scored import ScoredCompletion  # noqa: E402
from ocaml_reward import Breakdown, Completion, FeedbackLevel, Grader, Problem  # noqa: E402
from ocaml_reward.diagnostics import parse, render  # noqa: E402
from ocaml_reward.engine import BUDGET, CheckRequest, PreparedTests  # noqa: E402
from ocaml_reward.engine.judge.formulas import applies_predicate, decide, read_formula  # noqa: E402
from ocaml_reward.engine.judge.outputs import difference, fault_of  # noqa: E402
from ocaml_reward.engine.messages import reports, values  # noqa: E402
from ocaml_reward.engine.messages.literals import literal  # noqa: E402
from ocaml_reward.engine.messages.protocol import netstrings, nonce, pack, read_events  # noqa: E402
from ocaml_reward.engine.messages.reports import readable  # noqa: E402
from ocaml_reward.engine.messages.run_outcome import (  # noqa: E402
    RunOutcome,
    outcome_of_run,
    reading_steps,
)
from ocaml_reward.engine.messages.values import (  # noqa: E402
    Incomparable,
    NotAFloat,
    ReturnedValue,
    equal,
    is_plain,
    parts,
    read_expected_values,
    readable_names,
)
from ocaml_reward.engine.run.check_results import (  # noqa: E402
    Progress,
    expected_text,
    printed_share,
    with_state,
)
from ocaml_reward.model import (  # noqa: E402
    Blame,
    Branches,
    Check,
    CheckReport,
    Comparison,
    Outcome,
    Part,
    StdioCase,
    ThroughHoles,
)
from ocaml_reward.reading.extraction import extract  # noqa: E402
from ocaml_reward.reading.source_map import Edit, byte_ranges  # noqa: E402
from ocaml_reward.record import breakdown_from_dict, breakdown_to_dict, dumps  # noqa: E402
from ocaml_reward.sandbox import JailRun  # noqa: E402
from ocaml_reward.testing import FakeEngine, diagnostic, report  # noqa: E402
from tests.hostile_texts import SHAPES, shape  # noqa: E402
from trainer_plugin.located.credit import (  # noqa: E402
    compare_groups,
    error_candidates,
    known_parts,
    token_credits,
    token_places,
)

MISFIT: Final = "x has type int but an expression was expected of type string"
PLACE: Final = 'File "solution.ml", line 1, characters 0-1:\n'
# What the compiler can be made to print, over and over.
PRINTED: Final = (
    "a", "\0", "\x1b[", "\x1b[0", 'File "', "9", "a-", "a/", " ", "\n", "x.o(.text+0x", PLACE,
    f"{PLACE}Error: x\n", f"{PLACE}  y\n", "Hint: y\n", "_build/", "objs/", "a'a/12 ", "'weak1 ",
    "has type ", " is not included in\n", "In module A:\n", "Modules do not match:\n", "...\n",
    "Ocaml-reward-pristine.Type a.b = ", "Solution*.x ", "(line ", "\r", "Done: 1%\r", "1 | x\n",
    "    ^^^\n", "Warning 8 [x]: y\n", "The module A is an alias for module Stdlib__", "`a", '"b',
)  # fmt: skip
# What may stand before and behind such texts.
AROUND: Final = (
    ("", ""),
    (f"{PLACE}Error: This expression has type ", "\n"),
    (f"{PLACE}Error: Signature mismatch:\n", f"\n{PLACE}Error: x\n"),
)
COMPARISONS: Final = (
    None,
    Comparison(absolute=1e-6, relative=1e-6),
    Comparison(case_sensitive=False),
    Comparison(space_change_sensitive=True),
    Comparison(unordered="lines"),
    Comparison(unordered="tokens"),
)
WORDS: Final = (
    "1", "1.", "e1", " ", "\n", "\r", "a ", "i1 ", "b0 ", "s3:616263 ", "x536f6c7574696f6e2e ", "d0000000000000000 ", "n ", "( ", "f:", "(0:2 ", "D2 ", "(0:2 i1 ",
)  # fmt: skip


# Of values: lists, what holds another of its kind, what nothing is known of.
OF_VALUES: Final = ("V [] 1,0::::;i", "V A 0,1::B;E", "R 1:x 0:y;i", "P 1:A:0", "")
ENDED: Final = JailRun(
    exit_code=2, signal=None, stdout=b"", stderr=b"", result=b"", wall_exceeded=False,
    output_exceeded=False, wall_s=0.1, cpu_s=0.1, max_rss_bytes=0, log="",
)  # fmt: skip


WORDS_OF_EVENTS: Final = (
    "", "begin 0|\n", "value 0 0|", "end 0 1|", "thrown 0 0 2|", "exception 0 0|", "item 0 0 3|",
    "setup_raised 0|", "used 5|",
)  # fmt: skip


class Asking(FakeEngine):
    """An engine whose tests use `f`."""

    def prepare(self, problem: Problem, budget: Any = BUDGET) -> PreparedTests:
        """Ask for `f`."""
        prepared = super().prepare(problem, budget)
        checks = tuple(replace(each, needs=("f",)) for each in prepared.checks)
        return replace(prepared, uses=("f",), checks=checks)


def lines_of(code: str) -> tuple[Part, ...]:
    """Take each line for a part that needs the one before it, and the last one for `f`."""
    parts, place = [], 0
    lines = code.split("\n")
    for number, line in enumerate(lines, 1):
        size = len(line.encode("utf-8", "replace"))
        last = number == len(lines)
        parts.append(
            Part(
                names=("f",) if last else (f"n{number}",),
                lines=(number, number),
                needs=(number - 2,) if number > 1 else (),
                acts=number % 3 == 0,
                keeps=number % 5 == 0,
                span=(place, place + size),
            )
        )
        place += size + 1
    return tuple(parts)


def answer(request: CheckRequest) -> CheckReport:
    """Find what the problem's name says."""
    code = request.code
    lines = code.count("\n") + 1
    mistakes = [diagnostic("no", line=1 + lines * n // 20) for n in range(20)]
    parts = lines_of(code)
    size = parts[-1].span[1]
    kind = request.tests.checks[0].source.split('"')[1]
    if kind == "unparsed":
        return replace(
            report(stage="syntax_error", parsed_share=0.5, diagnostics=mistakes[:1]),
            unparsed=tuple(each.span for each in parts[::2]),
        )
    if kind == "ill-typed":
        found = report(stage="type_error", diagnostics=mistakes)
        holes = ThroughHoles(
            results=report("passed", "failed").results,
            parts=parts,
            errors=tuple(each.span for each in parts[::7]),
        )
        blame = tuple(
            Blame(line=n, column=0, end_line=n, end_column=3, weight=0.1)
            for n in range(1, min(lines, 10) + 1)
        )
        return replace(found, parts=parts, through_holes=holes, blame=blame)
    if kind == "misfit":
        # In the check of the tests, and in the code.
        other = replace(mistakes[0], file="tests.ml", message=MISFIT)
        found = report(stage="interface_error", diagnostics=[other, *mistakes])
        return replace(found, parts=parts, forbidden=("f (line 2)",))
    spans = tuple((at, min(at + 5, size)) for at in range(0, size, 11))
    entered = (tuple(range(0, len(spans), 2)), tuple(range(1, len(spans), 2)))
    return replace(
        report("passed", "failed"),
        parts=parts,
        branches=Branches(spans=spans, entered=entered),
    )


KINDS: Final = ("unparsed", "ill-typed", "wrong", "misfit")


def graded(text: str, kinds: Sequence[str] = KINDS) -> None:
    """Grade a completion that does not parse, type, fit or pass; write and explain its records."""
    with Grader("seed", engine=Asking(answer), jobs=1, regions=True) as grader:
        for kind in kinds:
            problem = Problem(
                id=kind,
                prompt="Write f.\n\nlet f (x : int) : int =",
                tests=f'let () = assert (f 1 = "{kind}")\nlet () = assert (f 2 = 2)',
            )
            found = grader.grade(problem, Completion(text=text))
            record = breakdown_to_dict(found)
            dumps(record)
            breakdown_from_dict(record)
            for level in FeedbackLevel:
                replace(found, given=((0, len(found.code) // 2),)).feedback(level)
            shown(found, text)
            credited(found, text)


def shown(found: Breakdown, text: str) -> None:
    """Explain a breakdown, in a terminal and on a page."""
    case = Explanation(title="t", breakdown=found, scheme=None, sources=CheckSources())
    list(explanation_lines(case, width=80))
    scored = ScoredCompletion(breakdown=found, index=0, raw=RawText(text))
    holds_code(text, found)
    embedded(completion_details(scored))
    table_row(0, scored)


def credited(found: Breakdown, text: str) -> None:
    """Give each token its credit, where a token has three characters."""
    regions = found.regions or ()
    groups = compare_groups([known_parts(regions), ()], [0, 0], scale="group")
    spans = [(at, at + 3) for at in range(0, len(text), 3)]
    places = token_places(spans, regions, candidates=error_candidates(found))
    token_credits(places, regions, groups[0], advantage=1.0, share=0.5)


def extracted(text: str) -> None:
    """Take the code out of a completion in the ways that problems ask for it."""
    for uses, prompt in (((), ""), (("f", "M.g"), ""), (("f",), "let f x =")):
        found = extract(text, uses=uses, prompt=prompt, end_marker="(* END *)")
        two = f"```ocaml\ntype t = A\nlet g (x : t) = x\n```\n```ocaml\n{text}\nlet f (x : t) = g x\n```"
        extract(two, uses=uses, prompt=prompt)
        put_in = found.with_given([Edit(0, 0, "type t = A\n")])
        list(put_in.own.lines)
        byte_ranges(put_in.code, put_in.given)


def printed(text: str) -> None:
    """Hold a program's output against others."""
    for how in COMPARISONS:
        for expected in ("1.5", "yes no\n" * 50, text + "1"):
            difference(text, expected, how)
            difference(expected, text, how)
        fault_of(text, StdioCase(stdin="", stdout="1", alternatives=("2",)), how)
    lines = text.replace(" ", "\\n")
    for wrong in ("", lines[:-1]):
        if wanted := expected_text(lines, [wrong]):
            printed_share(wanted, lines + "1")


def diagnosed(text: str) -> None:
    """Read what the compiler printed."""
    parse(render(parse(text)))
    readable(text.encode("utf-8", "replace"))


def formed(text: str) -> None:
    """Compare values that a process wrote down."""
    is_plain(text)
    for other in (text, text + "i2", text[:-1]):
        for compare in (
            equal,
            partial(values.compared, total=True),
            partial(values.compared, total=False),
        ):
            with suppress(Incomparable, NotAFloat, ValueError):
                compare(readable_names(text), other)
    with suppress(Incomparable, NotAFloat, ValueError):
        parts(text)

    first, second = ReturnedValue(text), ReturnedValue(text + "i2")
    for relation in ("=", "<", "<>"):
        for told in (first, second):
            decide(
                ("compare", relation, ("returned", "0"), ("expected", "0")),
                {0: first},
                {0: told},
            )
    for own in OF_VALUES:
        literal(text, own, 4000)
        told = replace(second, shape=own)
        decide(
            ("compare", "=", ("returned", "0"), ("expected", "0")),
            {0: first},
            {0: told},
        )


def said_by_processes(text: str) -> None:
    """Read what a process says of its checks, and how it ended."""
    secret = nonce()
    data = text.encode("utf-8", "replace")
    checks = tuple(Check(index=n, line=n, source="") for n in range(1, 20))
    hello = f"\n{secret} hello |\n".encode()
    for words in WORDS_OF_EVENTS:
        begin = f"\n{secret} {words}".encode()
        lines = b"".join(begin + data[at : at + 20] for at in range(0, len(data), 20))
        for said in (begin + data, lines):
            events = read_events(hello + said + b"\n", secret)
            progress = Progress(checks)
            progress.add_run(events, RunOutcome(outcome=Outcome.CRASHED))
            progress.give_up("")
            with_state(progress.in_order(), {"c0": ((1, 9),)})
            reading_steps(events)
            read_expected_values(events)
            for stderr in (data, b"Fatal error: exception " + data):
                run = replace(ENDED, stdout=data, stderr=stderr)
                outcome_of_run(run, events, BUDGET)
                outcome_of_run(replace(run, wall_exceeded=True), events, BUDGET)


def helped(text: str) -> None:
    """Read what the helpers say of the code, which has a line for each of its parts."""
    size = len(text)
    found = reports.parts(json.dumps([[["f"], [1, 1], [0], 1, 0, 5]] * (size // 20)))
    reports.unparsed(" ".join(map(str, range(size // 10 * 2))))
    reports.blamed("\n\n".join("0 1\n2 3" for _ in range(size // 10)), text)
    own = parse(PLACE + "Error: x\n" + text)
    merged = reports.merged(own, parse((PLACE + "Error: y\n") * (size // 60)))
    reports.first_error(replace(report(), diagnostics=merged, parts=found))
    netstrings(pack(*text.split("\n"), *(["x"] * (size // 10))))
    applies_predicate(read_formula("(and " + "(not (returned 0)) " * (size // 16) + ")"))


def repeated(piece: str, before: str = "", behind: str = "") -> Callable[[int], str]:
    """Make a text of a piece, of about any size."""
    return lambda size: before + piece * (size // len(piece)) + behind


def texts() -> Iterator[tuple[str, Callable[[str], None], Callable[[int], str]]]:
    """Yield each text by its size, with what it is put to."""
    for number, name in enumerate(SHAPES):
        made = partial(shape, name)
        # Shapes come in fours and twos: each kind is met by all sorts of them.
        kind = KINDS[(number + number // 4) % 4]
        yield f"graded, {name}", partial(graded, kinds=(kind,)), made
        yield f"extracted, {name}", extracted, made
    directives = repeated('```ocaml\n#use "topfind";;\n\n', behind="let f x = x")
    yield "extracted, directives", extracted, directives
    for piece in PRINTED:
        for number, (before, behind) in enumerate(AROUND):
            text = repeated(piece, before, behind)
            yield f"diagnosed, {piece!r} in {number}", diagnosed, text
    for piece in ("a", "\n", "let f x = x\n"):
        yield f"helped, {piece!r}", helped, repeated(piece)
    for piece in WORDS:
        for drive in (formed, said_by_processes, printed):
            yield f"{drive.__name__}, {piece!r}", drive, repeated(piece)


def main() -> None:
    """Print the operations of each text at each size, and the loops that were run."""
    found = {}
    for name, drive, made in texts():
        counts: list[int] = []
        for size in SIZES:
            # Four times the text in about four times the operations is enough.
            if len(counts) > 1 and counts[-1] <= GROWTH * counts[-2] + FLOOR:
                break
            before = COUNTER.total
            drive(made(size))
            counts.append(COUNTER.total - before)
        found[name] = counts
    json.dump({"counts": found, "ran": sorted(COUNTER.ran)}, sys.stdout)


if __name__ == "__main__":
    main()
