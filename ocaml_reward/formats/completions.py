"""Completions from JSON Lines or JSON, plain or packed, in the shapes that samplers write.

Of several keys the first present counts; docs/formats.md says what each holds.  Fields of a problem
(`tests`, `prompt`, ...) may stand in the same line; whatever is left is carried along as `extra`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Final

from ..errors import FormatError, InputError
from ..model import Completion, Problem
from .answers import answers_in, answers_of_list, framed, require_whole
from .chat import assistant_text, last_user_text
from .endings import ENDINGS, cut_off
from .files import container_of, file_rows, is_folder
from .lines import MAX_LINE_BYTES, BadLine, as_source, decode, name_of
from .nested import unnested
from .problems import PROBLEM_FIELDS, PROMPTS, REWARD_LOGS, TESTS, problem_of
from .rows import Row, first_of, id_of
from .traces import FILE as TRACES

IDS: Final = (
    "problem_id",
    "task_id",
    "custom_id",
    "id",
    "problem",
    "question_id",
    "example_id",
    "name",
    "key",
)
SINGLE: Final = (
    "completion",
    "raw_completion",
    "generation",
    "response",
    "generated_text",
    "code",
    "solution",
    "output",
    "message",
    "messages",
    "conversations",
    "conversation",
    "text",
    "content",
)
SEVERAL: Final = (
    "completions",
    "generations",
    "samples",
    "responses",
    "outputs",
    "predictions",
    "filtered_resps",
    "resps",
    "candidates",
)
_CHATS: Final = ("messages", "conversations", "conversation")
# Fields that a row with several completions may also have, with another meaning.
LAST: Final = ("message", *_CHATS, "text", "content")
_RECORD: Final = frozenset({"schema", "reward", "verdict"})
# Of a folder such files are not all taken: problems may lie beside completions.
_LONE: Final = "*.jsonl*"


@dataclass(frozen=True, kw_only=True, slots=True)
class CompletionLine:
    """One completion and the place it was read from; `problem_id` is "" where only the prompt
    tells which problem it answers, as in what trainers log, or nothing does, or `order`: its place
    among the problems, from 0, and their number.

    `position` counts the completions of one line from 0.  `problem` is set when the line
    carries tests; `prompt` when it carries a prompt.  `extra` holds the fields that
    nothing here reads.  `repaired` says that bytes were not UTF-8 and were replaced.
    """

    file: str
    line: int
    position: int
    problem_id: str
    completion: Completion
    problem: Problem | None = None
    prompt: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)
    repaired: bool = False
    order: tuple[int, int] | None = None


def read_completions(
    source: str | Path | IO[bytes], form: str = "auto"
) -> Iterator[CompletionLine | BadLine]:
    """Yield the completions of a file or stream in order; a line without any yields a
    BadLine.  A folder is its `traces.jsonl`, as verifiers writes it, or its `.json` files
    by name, as MultiPL-E writes one a problem, or else its files `ID/N.ml`.  A file `NAME.ml` is
    one completion, of a problem that it does not name.

    Args:
        source: The file, stream or folder.
        form: How a file is to be read, one of `files.FORMATS`.

    Returns:
        The completions, and the lines that have none.

    Raises:
        FormatError: The file cannot be opened, or the folder has nothing to read.
    """
    source = as_source(source)
    if isinstance(source, Path) and is_folder(source):
        yield from folder_completions(source, form)
        return
    if isinstance(source, Path) and source.suffix == ".ml" and form == "auto":
        yield completion_in(source)
        return
    for whole in file_rows(source, form):
        for row in [whole] if isinstance(whole, BadLine) else unnested(whole):
            if isinstance(row, BadLine):
                yield row
                continue
            try:
                lines = list(completions_of(row))
            except InputError as error:
                yield BadLine(file=row.file, line=row.line, message=str(error))
            else:
                yield from lines


def folder_completions(folder: Path, form: str = "auto") -> Iterator[CompletionLine | BadLine]:
    """Yield the completions of a folder.  Raises FormatError if it has none."""
    for name in (TRACES, f"{REWARD_LOGS}/completions.jsonl"):
        if (folder / name).is_file():
            yield from read_completions(folder / name, form)
            return
    files = sorted(
        path
        for path in folder.iterdir()
        if container_of(path.name) == "json"
        # MultiPL-E's evaluator puts its verdicts beside the completions.
        and ".results." not in path.name
    )
    for file in files:
        yield from read_completions(file, form)
    if files:
        return
    sources = sorted(folder.rglob("*.ml"), key=numbered)
    sources = [each for each in sources if each.parent != folder]
    if not sources:
        message = "no .json file in this folder, and no ID/N.ml"
        lone = sorted(path.name for path in folder.iterdir() if path.match(_LONE))
        if lone:
            message += f"; name one of its files, such as {lone[0]}"
        raise FormatError(f"{name_of(folder)}: {message}")
    for path in sources:
        yield completion_in(path, path.parent.relative_to(folder).as_posix())


def completion_in(path: Path, problem_id: str = "") -> CompletionLine | BadLine:
    """Read a file that is a completion, whatever it holds."""
    try:
        with path.open("rb") as file:
            line = decode(file.read(MAX_LINE_BYTES), 0)
    except OSError as error:
        return BadLine(file=str(path), line=0, message=f"unreadable: {error.strerror}")
    return CompletionLine(
        file=str(path),
        line=0,
        position=0,
        problem_id=problem_id,
        completion=Completion(text=line.text),
        repaired=line.repaired,
    )


def numbered(path: Path) -> tuple[str, int, str]:
    """Return a sort key that puts `ID/2.ml` before `ID/10.ml`."""
    stem = path.stem
    return str(path.parent), int(stem) if stem.isdecimal() else -1, stem


def completions_of(row: Row) -> Iterator[CompletionLine]:
    """Read every completion of one row; raises FormatError or ProblemError."""
    if row.fields.keys() >= _RECORD:
        raise FormatError("a record of score, no completion: rescore, explain and report read it")
    answers, taken = answers_of(row.fields)
    is_named = first_of(row.fields, IDS) is not None
    prompt = last_user_text(_prompt_in(row.fields, also=() if is_named else ("input",)))
    id_ = ""
    if is_named or not (prompt or row.order):
        name, id_ = id_of(row.fields, IDS)
        taken = taken | {name}
    # A chat has what was asked and what was answered.
    of_answers = taken - {*_CHATS}
    problem = None
    if has_tests(row.fields) or row.fields.get("untested"):
        problem = problem_of(row, id_=id_, taken=of_answers)
    prompt = "" if "prompt" in taken else prompt
    extra = {
        name: value
        for name, value in row.fields.items()
        if name not in taken and name not in PROBLEM_FIELDS and name not in ENDINGS
    }
    for position, completion in enumerate(answers):
        yield CompletionLine(
            file=row.file,
            line=row.line,
            position=position,
            problem_id=id_,
            completion=completion,
            problem=problem,
            prompt=prompt,
            extra=extra,
            repaired=row.repaired,
            order=row.order,
        )


def _prompt_in(fields: dict[str, object], also: tuple[str, ...]) -> object:
    """Return what a row says of what was asked, which a chat has, too, or the fields `also`."""
    name = first_of(fields, ("prompt", *_CHATS, *also))
    return fields[name] if name else None


def has_tests(fields: dict[str, object]) -> bool:
    """Tell whether a line brings its own tests; empty ones are none."""
    return any(fields.get(name) not in (None, "", [], {}) for name in TESTS)


def answers_of(fields: dict[str, object]) -> tuple[list[Completion], frozenset[str]]:
    """Return the completions of a row and the names of the fields that held them."""
    if fields.get("error") and not first_of(fields, ("choices", *SINGLE)):
        raise FormatError(f"the API answered with an error: {fields['error']}"[:200])
    if (frame := framed(fields)) is not None:
        body, names = frame
        return answers_in(body, "response"), names
    require_whole(fields)
    if "choices" in fields:
        return answers_of_list(fields["choices"], "choices"), frozenset({"choices"})
    name = first_of(fields, [each for each in SINGLE if not _is_asked(each, fields)])
    several = first_of(fields, SEVERAL)
    if several is not None and (name is None or name in LAST):
        name, answers = several, answers_of_list(fields[several], several)
    elif name is None:
        raise FormatError(f"no completion (one of {', '.join(SINGLE)}, ...)")
    else:
        answers = _answers(fields, name)
    whole = cut_off(fields)
    return [
        replace(each, truncated=whole) if each.truncated is None else each for each in answers
    ], frozenset({name})


def _is_asked(name: str, fields: dict[str, object]) -> bool:
    """Tell whether `content` is a problem's, as SandboxFusion has it, beside tests.

    (bytedance/SandboxFusion sandbox/datasets/mbpp.py)
    """
    return name == "content" and has_tests(fields) and first_of(fields, PROMPTS) is None


def _answers(fields: dict[str, object], name: str) -> list[Completion]:
    """Read the answer, or the answers, in the one field of a row that holds them."""
    value = fields[name]
    if name == "content":
        # The row is the message, whose parts are no messages of a chat.
        return answers_in({each: fields[each] for each in ("role", name) if each in fields}, name)
    if isinstance(value, dict):
        return answers_in(value, name)
    return [Completion(text=assistant_text(value, name))]
