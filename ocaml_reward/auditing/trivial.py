"""Generates trivial programs of the types that a problem requires, without a parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..reading.lexing import Source
from .examples import Example

# Constants of many types; those of other types earn no more than ill-typed code.
# (ocaml/ocaml.org data/exercises/061A_count_leaves.md)
_CONSTANTS = (
    *("0", "true", '""', "[]", "None", "0.0", "1", "false", "()", "'a'", "[||]"),
    *("(0, 0)", "Seq.empty", "Ok 0", 'Error ""'),
)
_VALUE = re.compile(r"\bval\s+([a-z_][\w']*)\s*:((?:(?!\bval\b|\bend\b|\btype\b).)*)", re.DOTALL)
_DEFINED = r"(?:let\s+rec|let|and)\s+([a-z_][\w']*)"
_AT_TOP = re.compile(rf"^{_DEFINED}", re.MULTILINE)
_ANYWHERE = re.compile(rf"\b{_DEFINED}")
_PATTERN = r"(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|[\w'.]+)"
# (exercism/ocaml exercises/practice/change, react)
_PARAMETER = re.compile(rf"\s*(?:[~?][\w']+:\s*{_PATTERN}|[~?]?{_PATTERN})")
# The type that a definition has behind its parameters, and whether its body is a `function`.
_BODY = re.compile(r"\s*(?::([^=]*))?(?:=\s*(function\b)?)?")
_LITERAL = re.compile(r"\"[^\"\\]*(?:\\.[^\"\\]*)*(?:\"|\\?\Z)|'(?:[^'\\]|\\[^']+|\\')'", re.DOTALL)
# These end the arguments of a call. (ocaml/ocaml.org data/exercises/003_nth_element.md)
_BETWEEN = re.compile(
    r"[-=<>@^|&+*/$%:]|(?:and|assert|class|do|done|else|end|exception|in|include|let|mod|module"
    r"|of|open|or|then|to|type|when|with)(?![\w'])"
)
_LONGEST_CALL = 10_000
# Words behind which an expression begins.
_KEYWORDS = (
    "assert|begin|do|else|fun|function|if|in|lazy|let|match|not|of|or|then|to|try|when|while|with"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """A program with its kind; `line` is the line of a reference that it changes."""

    kind: str
    what: str
    code: str
    line: int = 0


def arities(
    signature: str, reference: str, names: Sequence[str], tests: str = ""
) -> dict[str, int]:
    """Return the number of arguments of each function, by its signature, its definition, or its
    first call in the tests.

    For a module among the names, these are the functions that the tests take from it.
    (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv easy_102)
    """
    bare = Source(tests).without_literals
    modules = "|".join(re.escape(name) for name in names if name[:1].isupper())
    of_modules = re.findall(rf"(?<![\w'.])(?:{modules})\.([a-z_][\w']*)", bare) if modules else ()
    names = list(dict.fromkeys([*names, *of_modules]))
    found = {name: _arrows(written) for name, written in _VALUE.findall(signature) if name in names}
    code = Source(reference).without_literals
    _add_defined(found, _AT_TOP, code, names)
    for name in names:
        if name not in found and (count := next(_calls_of(name, modules, tests, bare), 0)):
            found[name] = count
    if modules:
        _add_defined(found, _ANYWHERE, code, names)
    return found


def handed_on(names: Sequence[str], tests: str) -> bool:
    """Tell whether tests hand one of the functions to another, or put it into a value."""
    bare = Source(tests).without_literals
    of_names = "|".join(map(re.escape, names))
    # Behind a word or a closing bracket it is an argument; before one of the signs it has none.
    return bool(names) and bool(
        re.search(
            rf"(?:(?!(?:{_KEYWORDS})\b)\b[A-Za-z_][\w'.]*|[)\]}}])[ \t]+(?:{of_names})(?![\w'])"
            rf"|(?<![\w'.])(?:{of_names})\s*[,;)\]}}]",
            bare,
        )
    )


def _add_defined(
    found: dict[str, int], definition: re.Pattern[str], code: str, names: Sequence[str]
) -> None:
    """Add the number of arguments by its definition, for each name without a number."""
    for head in definition.finditer(code):
        if head[1] in names and head[1] not in found:
            found[head[1]] = _arguments(code, head.end())


def _arguments(code: str, place: int) -> int:
    """Return the number of arguments of a function whose name ends at a place of its definition."""
    count = 0
    while parameter := _PARAMETER.match(code, place):
        count += 1
        place = parameter.end()
    body = _BODY.match(code, place)
    arrows = _arrows(body[1] or "") if body else 0
    return count + (arrows or bool(body and body[2]))


def _calls_of(name: str, modules: str, tests: str, bare: str) -> Iterator[int]:
    """Yield the number of arguments in each call that has some.

    `bare` are the tests without literals; the name may stand behind one of the `modules`, "A|B".
    """
    within = rf"(?:(?:{modules})\.)?" if modules else ""
    for call in re.finditer(
        rf"(?<![\w'.~?])(?<![^:]:){within}{re.escape(name)}(?=[\s(\[{{])", bare
    ):
        depth, end = 0, min(len(bare), call.end() + _LONGEST_CALL)
        for place in range(call.end(), end):
            depth += (bare[place] in "([{") - (bare[place] in ")]}")
            if depth < 0 or (depth == 0 and bare[place] in ";,"):
                end = place
                break
        arguments = split_arguments(tests[call.end() : end])
        ends = (n for n, each in enumerate(arguments) if _BETWEEN.match(each))
        if count := next(ends, len(arguments)):
            yield count


def _arrows(written: str) -> int:
    """Return the number of arrows in a type that are in no brackets."""
    depth = count = 0
    for sign in re.findall(r"->|[()\[\]]", written):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        count += sign == "->" and depth == 0
    return count


def trivial_programs(
    takes: Mapping[str, int], prelude: str, examples: Sequence[Example]
) -> Iterator[Program]:
    """Yield trivial programs that define every name in `takes`.

    They return a constant, return an argument, raise an exception, or look up the prompt's
    examples. `prelude` are the types that the problem requires. (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv easy_075,
    easy_102; nuprl/MultiPL-E HumanEval_104_unique_digits)
    """

    def program(kind: str, what: str, bodies: Mapping[str, str]) -> Program:
        lets = "".join(
            f"let {name} {_parameters(count)}= {bodies[name]}\n" for name, count in takes.items()
        )
        return Program(kind=kind, what=what, code=prelude + lets)

    for constant in _CONSTANTS:
        yield program("constant", f"always {constant}", dict.fromkeys(takes, constant))
    for place in range(max(takes.values(), default=0)):
        bodies = {name: f"x{min(place, n - 1)}" if n else "()" for name, n in takes.items()}
        yield program("identity", f"argument {place + 1} given back", bodies)
    for raised in ("Not_found", 'Invalid_argument ""', 'Failure ""', "Exit"):
        bodies = dict.fromkeys(takes, f"raise ({raised})")
        yield program("raises", f"always raises {raised}", bodies)
    bodies = {name: _table(name, count, examples) for name, count in takes.items()}
    if examples:
        yield program("echo", "the prompt's examples as a table", bodies)


def _parameters(count: int) -> str:
    """Return the parameters of a function that takes so many."""
    return "".join(f"x{place} " for place in range(count))


def _table(name: str, count: int, examples: Sequence[Example]) -> str:
    """Return the body of a function that looks its arguments up in the prompt's examples."""
    own = [each for each in examples if each.call.startswith((f"{name} ", f"{name}("))]
    body = "raise Not_found"
    for each in reversed(own):
        # The calls are compared as text; their arguments need no analysis.
        arguments = split_arguments(each.call[len(name) :])
        if len(arguments) != count:
            continue
        same = " && ".join(f"x{n} = ({a})" for n, a in enumerate(arguments))
        body = f"if {same or 'true'} then ({each.value}) else {body}"
    return body


def split_arguments(text: str) -> list[str]:
    """Return the arguments of a call, as text."""
    # A blank inside a literal does not separate arguments.
    bare = _LITERAL.sub(lambda found: "x" * len(found[0]), text)
    parts: list[str] = []
    start, depth = 0, 0
    for place, sign in enumerate(f"{bare} "):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in " \n" and depth == 0:
            parts.append(text[start:place].strip())
            start = place
    return [part for part in parts if part]
