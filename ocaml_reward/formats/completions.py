"""Completions from JSON Lines or JSON, plain or gzipped, in the shapes that samplers write.

Of several keys the first present counts; docs/formats.md says what each holds.  Fields of a problem
(`tests`, `prompt`, ...) may stand in the same line; whatever is left is carried along as `extra`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final

from ..errors import FormatError, InputError
from ..model import Completion, Problem
from .chat import assistant_text, cut_off, last_user_text
from .files import container_of, file_rows, is_folder
from .lines import MAX_LINE_BYTES, BadLine, as_source, decode, name_of
from .nested import unnested
from .problems import PROBLEM_FIELDS, REWARD_LOGS, TESTS, problem_of
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
    "messages",
    "text",
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
)
# Fields that a row with several completions may also have, with another meaning.
LAST: Final = ("messages", "text")
# lm-eval has a list for each repetition of a request.
NESTED: Final = ("filtered_resps", "resps")
ENDINGS: Final = frozenset({"truncated", "is_truncated", "finish_reason", "stop_reason"})


# Of a folder such files are not all taken: problems may lie beside completions.
_LONE: Final = "*.jsonl*"


@dataclass(frozen=True, kw_only=True, slots=True)
class CompletionLine:
    """One completion and the place it was read from; `problem_id` is "" where only the prompt
    tells which problem it answers, as in what trainers log.

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


def read_completions(
    source: str | Path | IO[bytes], form: str = "auto"
) -> Iterator[CompletionLine | BadLine]:
    """Yield the completions of a file or stream in order; a line without any yields a
    BadLine.  A folder is its `traces.jsonl`, as verifiers writes it, or its `.json` files
    by name, as MultiPL-E writes one a problem, or else its files `ID/N.ml`.

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
        and not path.name.endswith((".results.json", ".results.json.gz"))
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
        id_ = path.parent.relative_to(folder).as_posix()
        name = str(path)
        try:
            line = decode(path.read_bytes()[:MAX_LINE_BYTES], 0)
        except OSError as error:
            yield BadLine(file=name, line=0, message=f"unreadable: {error.strerror}")
            continue
        yield CompletionLine(
            file=name,
            line=0,
            position=0,
            problem_id=id_,
            completion=Completion(text=line.text),
            repaired=line.repaired,
        )


def numbered(path: Path) -> tuple[str, int, str]:
    """Return a sort key that puts `ID/2.ml` before `ID/10.ml`."""
    stem = path.stem
    return str(path.parent), int(stem) if stem.isdecimal() else -1, stem


def completions_of(row: Row) -> Iterator[CompletionLine]:
    """Read every completion of one row; raises FormatError or ProblemError."""
    answers, taken = answers_of(row.fields)
    prompt = last_user_text(row.fields.get("prompt", row.fields.get("messages")))
    id_ = ""
    if not prompt or first_of(row.fields, IDS) is not None:
        name, id_ = id_of(row.fields, IDS)
        taken = taken | {name}
    # A chat has what was asked and what was answered.
    of_answers = taken - {"messages"}
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
        )


def has_tests(fields: dict[str, object]) -> bool:
    """Tell whether a line brings its own tests; empty ones are none."""
    return any(fields.get(name) not in (None, "", [], {}) for name in TESTS)


def answers_of(fields: dict[str, object]) -> tuple[list[Completion], frozenset[str]]:
    """Return the completions of a row and the names of the fields that held them."""
    if fields.get("error") and not first_of(fields, ("choices", *SINGLE)):
        raise FormatError(f"the API answered with an error: {fields['error']}"[:200])
    if isinstance(body := batch_body(fields), dict):
        return answers_in(body), frozenset({"response", "error"})
    if "choices" in fields:
        return choices_of(fields["choices"], "choices"), frozenset({"choices"})
    name = first_of(fields, SINGLE)
    several = first_of(fields, SEVERAL)
    whole = cut_off(fields)
    if several is not None and (name is None or name in LAST):
        answers = choices_of(fields[several], several)
        return [
            replace(each, truncated=whole) if each.truncated is None else each for each in answers
        ], frozenset({several})
    if name is None:
        raise FormatError(f"no completion (one of {', '.join(SINGLE)}, ...)")
    text = assistant_text(fields[name], name)
    return [Completion(text=text, truncated=whole)], frozenset({name})


def batch_body(fields: dict[str, object]) -> object:
    """Return the body of a Batch answer, or None for a row that is not one.

    Raises FormatError for an answer that reports a failure of the API.
    """
    response = fields.get("response")
    if not isinstance(response, dict) or "body" not in response:
        return None
    status = response.get("status_code", 200)
    if status != 200:
        raise FormatError(f"the API answered with status {status}")
    return response["body"]


def answers_in(body: dict[str, Any]) -> list[Completion]:
    """Read the answers in the body of an API's response: completions, chats, or "responses"."""
    output = body.get("output")
    if "choices" in body or not isinstance(output, list):
        return choices_of(body.get("choices"), "choices")
    messages = [each for each in output if "content" in each]
    if not messages:
        raise FormatError("output: no message")
    reason = (body.get("incomplete_details") or {}).get("reason")
    cut = reason == "max_output_tokens" or (False if not reason else None)
    return [Completion(text=assistant_text(messages, "output"), truncated=cut)]


def choices_of(choices: object, name: str) -> list[Completion]:
    """Read a list of answers: texts, chats, or objects with a text and how it ended."""
    if isinstance(choices, str):
        choices = [choices]
    if not isinstance(choices, list):
        raise FormatError(f"{name}: expected a list of answers")
    if not choices:
        raise FormatError(f"{name}: the list is empty")
    if name in NESTED and all(isinstance(each, list) for each in choices):
        choices = [each for some in choices for each in some]
    answers: list[Completion] = []
    for choice in choices:
        content, cut = choice, None
        if isinstance(choice, dict):
            cut = cut_off(choice)
            key = first_of(choice, ("message", "text", "generated_text"))
            content = choice[key] if key else choice
        elif name == "choices":
            raise FormatError("choices: expected a list of answers")
        answers.append(Completion(text=assistant_text(content, name), truncated=cut))
    return answers
