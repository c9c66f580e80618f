"""Which part of the compiler spoke, from what it said.

The compiler prints no such field.  Its messages do not change between 4.08 and 5.4
where these patterns look, except for the quotes around code.  What matches nothing but
points at columns of a source file is the type checker's, which has most messages.
"""

from __future__ import annotations

import re

from ..model import DiagnosticKind, DiagnosticSource, Span
from .lines import Voice, read_voice

# Long enough for the opening words of any message; bounds the work on a huge one.
_HEAD = 1000

# (ocaml/ocaml testsuite/tests/asmcomp/0001-test.compilers.reference)
_LEXER_WARNINGS = frozenset({1, 2, 14, 29})
_PARSER_WARNINGS = frozenset({22, 50, 64})
_LINKER_WARNINGS = frozenset({31})
# bad-module-name, no-cmi-file, no-cmx-file
_ENVIRONMENT_WARNINGS = frozenset({24, 49, 58})

_LEXER_ALERT = "ISO-Latin1 characters in identifiers"

# Files that dune and findlib read; the compiler never does. (ocaml/dune issue 4809)
_PROJECT_FILE = re.compile(
    r"(?:.*/)?(?:dune|dune-project|dune-workspace|jbuild|META|[^/]*\.opam)\Z"
)

# A literal that is out of range (`Integer literal exceeds ...`) parses: it is the type
# checker that refuses it, so it is not listed here.
# (LesleyLai/ocamlpt issue 1, ocaml/ocaml parsing/lexer.mll)
_LEXER = re.compile(
    r"Illegal character|Illegal backslash escape|Illegal empty character literal"
    r"|Reserved character sequence|Comment not terminated|String literal not terminated"
    r"|This comment contains an unterminated|Invalid literal |Invalid lexer directive"
    r"|Invalid encoding of identifier|Invalid character U\+"
    r"|\S+ is a keyword, it cannot be used as"
    r"|\S+ cannot be used as a (?:label name|raw identifier|quoted string delimiter)"
)
# (ocaml/ocaml testsuite/tests/parsing/broken_invariants.compilers.reference, parsing/parse.ml)
_PARSER = re.compile(
    r"Syntax error|broken invariant in parsetree|[Ii]nvalid package type"
    # 5.2 moved this one to the type checker, and quotes the variable with `"`.
    r"|In this scoped type, variable '"
)
# (mirage/repr issue 94, dbuenzli/mtime issue 42, ocaml/ocaml bytecomp/bytelink.ml)
_LINKER = re.compile(
    r"No implementations? provided for|Error while linking|Error during linking"
    r"|Error during partial linking|Error while building custom|Error while creating"
    r"|Error while assembling|Assembler error|Error on dynamically loaded library"
    r"|Required (?:module|compilation unit)|Wrong link order"
    r"|Multiple definitions of module |(?:Module|Compilation unit) \S+ is unavailable"
    r"|The external function|Reference to undefined"
    r"|Files? (?:\S+ and \S+ (?:both define|make inconsistent)|\S+ was compiled with)"
    r"|Undefined symbols"
)
# (AbsInt/CompCert issue 327, facebookarchive/pfff issue 77, ocaml/ocaml driver/pparse.ml)
_ENVIRONMENT = re.compile(
    r"Cannot find |I/O error|Corrupted compiled|Could not find the \.cm"
    r"|(?:The file )?\S+ is not an? (?:compiled interface|bytecode|OCaml"
    r"|compilation unit|object file|archive|implementation|shared library)"
    r"|(?:The file )?\S+ seems to be for"
    r"|The files \S+ and \S+ make inconsistent|Wrong file naming|Invalid import of"
    r"|Error while running external pre|External preprocessor|Preprocessor "
    r"|[Dd]on't know |Library |No rule found|No such |Unable to |Cannot open "
    r"|Program \S+ not found|Please specify at most one"
    r"|(?:>> )?Fatal error: (?:exception )?(?:Sys_error|out of memory|Out_of_memory|cannot )"
)
# (ocaml/dune issue 12057)
_TYPER = re.compile(r"The implementation \S+ does not match")


def classify(
    *,
    kind: DiagnosticKind,
    number: int | None,
    message: str,
    file: str | None,
    span: Span | None,
) -> DiagnosticSource:
    """Return the part of the compiler that gave this message."""
    if kind in {DiagnosticKind.ALERT, DiagnosticKind.ALERT_AS_ERROR}:
        is_lexer = message.startswith(_LEXER_ALERT)
        return DiagnosticSource.LEXER if is_lexer else DiagnosticSource.TYPER
    if number is not None:
        return _of_warning(number)
    # The compiler breaks lines wherever a file name makes them too long.
    head = " ".join(message[:_HEAD].split())
    voice = read_voice(head)
    if voice in _OF_VOICE:
        return _OF_VOICE[voice]
    for source, pattern in _OF_MESSAGE:
        if pattern.match(head):
            return source
    if file is not None and _PROJECT_FILE.match(file):
        return DiagnosticSource.ENVIRONMENT
    if head and file is not None and span is not None and span.column is not None:
        return DiagnosticSource.TYPER
    return DiagnosticSource.UNKNOWN


def kind_of_voice(message: str) -> DiagnosticKind:
    """Tell the warnings of findlib, ocamlfind, the linker and the C compiler from errors.

    (ocaml/dune test/blackbox-tests/test-cases/custom-cross-compilation/toolchain.t)
    """
    head = message[:_HEAD]
    if "[WARNING]" in head:
        return DiagnosticKind.WARNING
    lowered = head.lower()
    has_error = any(word in lowered for word in ("error", "undefined", "cannot find"))
    if "warning: " in lowered and not has_error:
        return DiagnosticKind.WARNING
    return DiagnosticKind.ERROR


def _of_warning(number: int) -> DiagnosticSource:
    """Return the part of the compiler that gives the warning with this number."""
    if number in _LEXER_WARNINGS:
        return DiagnosticSource.LEXER
    if number in _PARSER_WARNINGS:
        return DiagnosticSource.PARSER
    if number in _LINKER_WARNINGS:
        return DiagnosticSource.LINKER
    if number in _ENVIRONMENT_WARNINGS:
        return DiagnosticSource.ENVIRONMENT
    return DiagnosticSource.TYPER


_OF_VOICE = {
    Voice.TOOL: DiagnosticSource.ENVIRONMENT,
    Voice.LINKER: DiagnosticSource.LINKER,
}
_OF_MESSAGE = (
    (DiagnosticSource.LEXER, _LEXER),
    (DiagnosticSource.PARSER, _PARSER),
    (DiagnosticSource.LINKER, _LINKER),
    (DiagnosticSource.ENVIRONMENT, _ENVIRONMENT),
    (DiagnosticSource.TYPER, _TYPER),
)
