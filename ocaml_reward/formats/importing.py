"""Problems of other projects: from files, folders and the hub, with what is lost of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..errors import FormatError
from .files import container_of, file_rows, is_folder
from .folders import KINDS, Found, folder_rows
from .foreign import native
from .lines import BadLine
from .parquet import plain
from .problems import ProblemLine, identified_row
from .rows import Row


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """A problem, or why there is none; what was changed or lost of it, in words; and which kind of
    folder it was in, "" for a file's.
    """

    found: ProblemLine | BadLine
    said: tuple[str, ...] = ()
    kind: str = ""


def import_problems(
    source: str | Path | IO[bytes],
    *,
    form: str = "auto",
    config: str | None = None,
    split: str = "train",
) -> Iterator[Imported]:
    """Yield the problems of a source that others have written.

    Args:
        source: A file or stream; a folder of a kind that is known, of such folders, or of files;
            or the name of a data set on the hub, where no file has it.
        form: How a file is to be read, one of `files.FORMATS`.
        config: The data set's configuration on the hub.
        split: Its split there.

    Returns:
        What came of each row, in order; one without an id is named by its place.

    Raises:
        FormatError: There is nothing that can be read.
    """
    for number, each in enumerate(_rows(source, form, config, split), 1):
        if isinstance(each.row, BadLine):
            yield Imported(found=each.row, said=each.said, kind=each.kind)
            continue
        changed, lost = native(each.row)
        _, found = identified_row(changed, f"row-{number}")
        remarks = found.remarks if isinstance(found, ProblemLine) else ()
        said = (*each.said, *lost, *remarks)
        yield Imported(found=found, said=said, kind=each.kind)


def _rows(
    source: str | Path | IO[bytes], form: str, config: str | None, split: str
) -> Iterator[Found]:
    """Yield the rows of a file, a folder or a data set of the hub."""
    if isinstance(source, str):
        path = Path(source)
        if not path.exists() and source.count("/") == 1 and form == "auto":
            yield from (Found(row=row) for row in _hub_rows(source, config, split))
            return
        source = path
    if isinstance(source, Path) and is_folder(source):
        yield from _folder_rows(source, form)
        return
    yield from (Found(row=row) for row in file_rows(source, form))


def _folder_rows(folder: Path, form: str) -> Iterator[Found]:
    """Yield the problems in a folder of a known kind, or else the rows of its files."""
    is_known = False
    for each in folder_rows(folder):
        is_known = True
        yield each
    if is_known:
        return
    files = sorted(
        path
        for path in folder.rglob("*")
        if container_of(path.name) and ".results." not in path.name
    )
    if not files:
        kinds = ", ".join(kind.name for kind in KINDS)
        raise FormatError(
            f"{folder}: no folder of a kind that is known ({kinds}), and no file of problems"
        )
    for path in files:
        yield from (Found(row=row) for row in file_rows(path, form))


def _hub_rows(name: str, config: str | None, split: str) -> Iterator[Row]:
    """Yield the rows of a data set of the hub."""
    try:
        import datasets  # noqa: PLC0415 (only the hub needs it)
    except ImportError:
        message = f"{name} is no file; for the hub: pip install datasets"
        raise FormatError(message) from None
    try:
        loaded: Any = datasets.load_dataset(name, config, split=split)
    except Exception as error:
        # Whatever the network or the hub says; its first line will do.
        first = str(error).strip().partition("\n")[0]
        message = f"{name} is no file, and the hub says: {first}"
        raise FormatError(message) from error
    for number, fields in enumerate(loaded, 1):
        given = {k: plain(v) for k, v in fields.items() if v is not None}
        yield Row(file=name, line=number, fields=given, repaired=False)
