"""What speaks beside the compiler: dune, ocamlfind, the linker, a crash."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ocaml_reward.diagnostics import parse
from ocaml_reward.model import (
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Span,
)

ERROR = DiagnosticKind.ERROR
WARNING = DiagnosticKind.WARNING
PLACE = 'File "x.ml", line 1, characters 0-1:\n'


def one(text: str) -> Diagnostic:
    """Read text that holds one diagnostic."""
    (found,) = parse(text)
    return found


def test_dune() -> None:
    """Dune's action lines and directories are not diagnostics."""
    text = (
        "Entering directory '/home/me/project'\n"
        "      ocamlc bin/.main.eobjs/byte/main.{cmi,cmo,cmt} (exit 2)\n"
        "(cd _build/default && /usr/bin/ocamlc -w @1..3 -o main.cmo -c main.ml)\n"
        'File "bin/main.ml", line 3, characters 4-9:\n'
        "3 |     lenth x\n"
        "        ^^^^^\n"
        "Error: Unbound value lenth\n"
        "Hint: Did you mean length?\n"
        'File "dune", line 2, characters 12-18:\n'
        "2 |  (libraries zarith))\n"
        "                ^^^^^^\n"
        'Error: Library "zarith" not found.\n'
        "-> required by executable main in dune:1\n"
        "Error: No rule found for y\n"
        "Leaving directory '/home/me/project'\n"
        "make: *** [Makefile:2: all] Error 1\n"
    )
    first, second = parse(text)

    assert ("Unbound value lenth", "Did you mean length?") == (
        first.message,
        first.hint,
    )
    assert DiagnosticSource.TYPER is first.source
    assert Span(line=3, end_line=3, column=4, end_column=9) == first.span
    assert DiagnosticSource.ENVIRONMENT is second.source
    assert second.message.startswith('Library "zarith" not found.\n-> required by')


def test_dune_errors_without_a_place() -> None:
    text = "Error: No rule found for a\nError: Don't know how to build b\n"

    assert [DiagnosticSource.ENVIRONMENT] * 2 == [each.source for each in parse(text)]


def test_ocamlfind() -> None:
    """The warnings and errors of findlib count one a line, before the compiler's own."""
    text = (
        "findlib: [WARNING] Interface topdirs.cmi occurs in several directories: a, b\n"
        "ocamlfind: [WARNING] Package `threads': Linking problems may arise\n"
        f"{PLACE}Error: Unbound module Foo\n"
        "ocamlfind: Package `nope' not found\n"
    )
    found = parse(text)

    assert [WARNING, WARNING, ERROR, ERROR] == [each.kind for each in found]
    assert ["environment", "environment", "typer", "environment"] == [
        each.source.value for each in found
    ]


def test_real_ocamlfind() -> None:
    """What the installed ocamlfind says of a missing package is an environment error."""
    command = ["ocamlfind", "ocamlc", "-package", "no-such-package", "x.ml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert DiagnosticSource.ENVIRONMENT is one(done.stderr).source


def test_real_linker(tmp_path: Path) -> None:
    """The system linker's lines are one error beside ocamlopt's, both the linker's."""
    program = 'external f : int -> int = "no_such"\nlet () = print_int (f 1)\n'
    (tmp_path / "x.ml").write_text(program)
    command = ["ocamlopt", "x.ml", "-o", "x"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    own, ocaml = parse(done.stderr)

    assert "undefined reference to `no_such'" in own.message
    assert "Error during linking (exit code 1)" == ocaml.message
    assert DiagnosticSource.LINKER is own.source is ocaml.source


def test_linker_warning() -> None:
    """A linker that only warns gives a warning."""
    text = (
        "/usr/bin/ld: warning: x.o: missing .note.GNU-stack section\n"
        "/usr/bin/ld: NOTE: This behaviour is deprecated\n"
    )
    found = one(text)

    assert (WARNING, DiagnosticSource.LINKER) == (found.kind, found.source)


def test_c_compiler() -> None:
    """What gcc says of C stubs, with its own excerpt, is one error."""
    text = (
        "stubs.c: In function 'area':\n"
        "stubs.c:3:10: error: 'radius' undeclared (first use in this function)\n"
        "    3 |   return radius;\n"
        "      |          ^~~~~~\n"
    )
    found = one(text)

    assert (ERROR, DiagnosticSource.LINKER) == (found.kind, found.source)
    assert "'radius' undeclared" in found.message


def test_uncaught_exception() -> None:
    """A compiler that dies is one error of unknown source, after what it said before."""
    text = f"{PLACE}Warning 26: unused variable a.\nFatal error: exception Not_found\n"
    _, fatal = parse(text)

    assert (ERROR, DiagnosticSource.UNKNOWN) == (fatal.kind, fatal.source)
    assert "Fatal error: exception Not_found" == fatal.message
