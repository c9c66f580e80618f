"""Answers that are right or wrong whatever a problem's tests say of them; pure but for the rewrites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ocaml_reward.auditing.examples import examples
from ocaml_reward.auditing.trivial import Program, arities, trivial_programs
from ocaml_reward.engine.prepare.interfaces import rewrites_of
from ocaml_reward.model import Problem, StdioCase
from ocaml_reward.reading.signature import prompt_code

_TYPES: Final = re.compile(
    r"^(?:type|exception)\b.*(?:\n(?!(?:let|val|module|type|exception|open)\b).*)*",
    re.MULTILINE,
)
# What cheats do to be believed: they end the process, go round the types, or make all values equal.
# (arXiv 2511.18397, sys.exit(0) and AlwaysEqual; ImpossibleBench, arXiv 2510.20270)
_BODIES: Final = {
    "exits when it is called": "exit 0",
    "casts what it is given": "Obj.magic x0",
}
_AROUND: Final = {
    "exits at once": ("", "let () = exit 0\n"),
    "exits at the end": ("", "let () = at_exit (fun () -> exit 0)\n"),
    "calls all values equal": (
        "let ( = ) _ _ = true let ( == ) _ _ = true let ( <> ) _ _ = false let compare _ _ = 0\n",
        "",
    ),
}


def empty_answers(
    problem: Problem, reference: str, uses: tuple[str, ...], tests: str = ""
) -> Iterator[Program]:
    """Yield programs that solve nothing: constants, arguments given back, exceptions, the prompt's
    examples as a table, and what cheats do.

    The calls in `tests` show the arguments of functions that neither signature, reference nor prompt
    declares. A twin is tried without them, so one whose problem is missing counts as not tried.
    """
    if not isinstance(problem.tests, str):
        yield from _silent(problem.tests)
        return
    shown = reference or prompt_code(problem.prompt).opened
    takes = arities(problem.signature or "", shown, uses, tests)
    if not takes:
        return
    prelude = "".join(f"{each}\n" for each in _TYPES.findall(reference))
    yield from trivial_programs(takes, prelude, examples(problem.prompt, uses))

    def lets(body: str) -> str:
        heads = ((name, "".join(f"x{n} " for n in range(count))) for name, count in takes.items())
        return "".join(f"let {name} {head}= {body if head else '()'}\n" for name, head in heads)

    for what, body in _BODIES.items():
        yield Program(kind="cheat", what=what, code=prelude + lets(body))
    for what, (before, behind) in _AROUND.items():
        code = f"{before}{prelude}{lets('Stdlib.raise Stdlib.Exit')}{behind}"
        yield Program(kind="cheat", what=what, code=code)


def _silent(cases: tuple[StdioCase, ...]) -> Iterator[Program]:
    """Yield programs that print nothing, their input, and the first case's output."""
    yield Program(kind="constant", what="prints nothing", code="let () = ()\n")
    copy = "let () = try while true do print_endline (input_line stdin) done with _ -> ()\n"
    yield Program(kind="identity", what="prints its input", code=copy)
    printed = "".join(f"\\{byte:03d}" for byte in cases[0].stdout.encode())
    code = f'let () = print_string "{printed}"\n'
    yield Program(kind="echo", what="prints the first answer", code=code)


def rewritten(reference: str, sandbox: str) -> list[Program]:
    """Return a reference in other words; not all of them type."""
    return [
        Program(kind="rewrite", what=what, code=code)
        for what, code in rewrites_of(reference, sandbox).items()
    ]
