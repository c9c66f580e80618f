"""Exercises of learn-ocaml.

```text
half/descr.md, descr.html      the prompt, with prelude and template
half/prelude.ml, prepare.ml    given to the code; the prelude is shown
half/template.ml               what is to be completed
half/solution.ml               the reference
half/test.ml                   tests by Test_lib: those of an OUnit2 suite, with a stand-in for it
```
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Final

from ...errors import ProblemError
from ...reading.definitions import defined_names
from ...reading.lexing import Source
from .kinds import Kind, Taken, text_of, wanted_text
from .witnesses import rewritten

# Values of the library that exercises ask for.
_LIBRARY: Final = (
    "abs abs_float bool_of_string ceil char_of_int compare decr exp failwith float_of_int"
    " float_of_string floor fst ignore incr infinity int_of_char int_of_float int_of_string"
    " invalid_arg lnot log max max_int min min_int mod_float not pred print_char print_endline"
    " print_float print_int print_newline print_string raise ref snd sqrt string_of_bool"
    " string_of_float string_of_int succ truncate"
)
_DESCRIPTIONS: Final = ("descr.md", "descr.en.md", "descr.html", "descr.en.html")
_OWN_FILES: Final = (*_DESCRIPTIONS, "template.ml", "meta.json")
_TEST_LIB: Final = re.compile(r"\bTest_lib\b")
# What looks at the code's text or types, or at what it prints, and more that is not stood in for.
_NO_GRADING: Final = {
    "looks at the code's syntax": re.compile(
        r"\b(?:Parsetree|Asttypes|p(?:exp|pat|str|vb)_\w+|Typed_ast\w*|code_typed_ast|tast)\b"
        r"|\[%(?:expr|pat|stri?)\b"
    ),
    "looks at the code's types": re.compile(
        r"\b(?:Introspection\s*\.\s*(?!get_printer\b)|compatible_type|existing_type|abstract_type"
        r"|test_student_code|Typetexp|Toploop)\b"
    ),
    "looks at what is printed": re.compile(
        r"\b(?:test_stdout|test_stderr|grab_std\w+|release_std\w+|io_test_\w+)\b"
    ),
    "needs what is not stood in for": re.compile(
        r"\b(?:arg_ty|last_ty|test_function(?:_against)?|Mutation_test"
        r"|Resource_analysis|Style_check\w*|Pre_test|lookup(?=\s*\[))\b|\[%(?!(?:fun)?ty\b)\w+"
    ),
}
# What looks at the code's syntax can be left out where functions are tested, too: of 384 exercises in
# public repositories a tenth has both.
_OF_SYNTAX: Final = re.compile(r"\b(?:find_binding|ast_check_\w+)\b")
_OF_VALUES: Final = re.compile(r"\btest_(?:function|variable|value)")
# What can make a report say that something is wrong.
_CAN_FAIL: Final = re.compile(
    r"\b(?:test_\w+|[Ff]ailure|Penalty|failwith|raise|assert|lookup\w*)\b|\[%ty\b"
    r"|\bSuccess\b(?!\s*[1-9])"
)
# What only a toplevel takes.
_DIRECTIVE: Final = re.compile(r"^[ \t]*#[a-z_]+\b[^;\n]*(?:;;)?", re.MULTILINE)
# Reports that tests look into have to be there when they do.
_LOOKED_INTO: Final = re.compile(
    r"\bMessage\s*\((?:[^()]|\([^()]*\))*\)\s*(?:::\s*\w+\s*)?(?:\]\s*)?->"
    r"|\b[rR]eport\.result\b|\bList\.(?:hd|tl|filter|partition)\b"
)


def _is_exercise(folder: Path) -> bool:
    if any((folder / name).is_file() for name in _OWN_FILES):
        return True
    return bool(_TEST_LIB.search(text_of(folder / "test.ml")))


def _exercise(folder: Path) -> Taken:
    """Return the fields of a problem in a learn-ocaml folder, and remarks."""
    said: list[str] = []
    solution = wanted_text(folder / "solution.ml")
    tests = _DIRECTIVE.sub("", wanted_text(folder / "test.ml"))
    if (folder / "depend.txt").exists():
        raise ProblemError("tests that depend on other files: depend.txt")
    code = Source(tests).without_literals
    for why, words in _NO_GRADING.items():
        if found := words.search(code):
            raise ProblemError(f"test.ml {why}: {found[0]}")
    if found := _OF_SYNTAX.search(code):
        if not _OF_VALUES.search(code):
            raise ProblemError(f"test.ml looks at the code's syntax: {found[0]}")
        said.append(f"what looks at the code's syntax is left out: {found[0]}")
    if not _CAN_FAIL.search(code):
        raise ProblemError("test.ml succeeds whatever the code is")
    prelude = text_of(folder / "prelude.ml")
    prepare = text_of(folder / "prepare.ml")
    given = "\n".join(text for text in (prelude, prepare) if text.strip())
    fields: dict[str, object] = {
        "prompt": _prompt(folder, prelude, said),
        "tests": _tests(
            solution,
            rewritten(tests, given),
            given,
            at_once=bool(_LOOKED_INTO.search(code)),
        ),
        "reference": solution,
    }
    if given:
        fields["given"] = given
    return fields, said


LEARN_OCAML: Final = Kind(name="learn-ocaml", mark="test.ml", tells=_is_exercise, take=_exercise)
"""Exercises of learn-ocaml, as far as their tests call functions and look at results."""


def _prompt(folder: Path, prelude: str, said: list[str]) -> str:
    """Return an exercise's description with what is given."""
    described = next((t for name in _DESCRIPTIONS if (t := text_of(folder / name))), "")
    if not described.strip():
        said.append("no description")
    parts = [described]
    for title, text in (
        ("This is given:", prelude),
        ("Start from this:", text_of(folder / "template.ml")),
    ):
        if text.strip():
            parts.append(f"{title}\n\n```ocaml\n{text.strip()}\n```")
    return "\n\n".join(part.strip() for part in parts if part.strip())


def _tests(solution: str, tests: str, given: str, *, at_once: bool) -> str:
    """Return one program: the stand-in for learn-ocaml's library, the solution and the tests."""
    library = resources.files(__package__).joinpath("test_lib.ml").read_text("utf-8")
    own = _stdlib_bindings(solution, given)
    parts = [
        library,
        f"module Solution = struct\n{own}{solution}\nend",
        "let () = Inside.at_once := true" if at_once else "",
        f"module Tests = struct\n{own}{tests}\nend",
        "let () = OUnit2.run_test_tt_main (Inside.suite ())",
    ]
    return "\n;;\n".join(part for part in parts if part)


def _stdlib_bindings(solution: str, given: str) -> str:
    """Return `let abs = Stdlib.abs` for each library name that the code redefines.

    learn-ocaml has the code in a module, so that the tests after it see the library's names.
    """
    names = defined_names(solution).intersection(_LIBRARY.split()) - defined_names(given)
    return "".join(f"let {name} = Stdlib.{name}\n" for name in sorted(names))
