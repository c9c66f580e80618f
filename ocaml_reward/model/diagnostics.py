"""Diagnostics of the compiler, in its own terms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated

from ..codec.typed import FLAT, Count

# File name of the code in diagnostics.
CODE_FILE = "solution.ml"


class DiagnosticKind(StrEnum):
    """The compiler's `Location.report_kind`, one to one."""

    ERROR = "error"
    WARNING = "warning"
    WARNING_AS_ERROR = "warning_as_error"
    ALERT = "alert"
    ALERT_AS_ERROR = "alert_as_error"


class DiagnosticSource(StrEnum):
    """The part of the compiler that reported it (Merlin's `error_source`, plus the linker)."""

    LEXER = "lexer"
    PARSER = "parser"
    TYPER = "typer"
    LINKER = "linker"
    ENVIRONMENT = "environment"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A range of source text as ocamlc prints it.

    Lines count from 1, columns from 0 in bytes; the end column is exclusive. Columns are None if
    the compiler gives only lines.
    """

    line: Count
    column: Count | None = None
    end_line: Count
    end_column: Count | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SubLocation:
    """A second place of a diagnostic, such as the other declaration of a mismatch."""

    file: str
    span: Annotated[Span | None, FLAT]
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnostic:
    """One report of the compiler.

    `number` and `name` belong to warnings (8, "partial-match"); `name` alone to alerts.
    """

    kind: DiagnosticKind
    source: DiagnosticSource
    file: str | None = None
    span: Annotated[Span | None, FLAT] = None
    message: str
    number: int | None = None
    name: str | None = None
    hint: str | None = None
    sub: tuple[SubLocation, ...] = ()

    @property
    def is_of_code(self) -> bool:
        """Return whether the diagnostic is about the code, not about the tests that use it."""
        return self.file is None or PurePosixPath(self.file).name == CODE_FILE
