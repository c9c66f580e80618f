"""Reads the texts of completions, which records lack, along with the records of a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from ocaml_reward import Breakdown, InputError
from ocaml_reward.formats import BadLine, CompletionLine, read_completions
from trainer_plugin.reading import completions

from .sources import Kind, Source

Place = tuple[int, bool]
"""The position of a text in its file, which never decreases."""
COMPLETIONS: Final = "completions.jsonl"


class RawText(NamedTuple):
    """The text of a completion, with the prompt that it answers, "" if unknown."""

    text: str
    prompt: str = ""


class _Logged(NamedTuple):
    """A text with its place, and what a record of it must have."""

    place: Place
    keys: tuple[object, ...]
    raw: RawText


class RawTexts:
    """The texts of a source, each of which is matched with the next record that it fits.

    A record whose text is not there has none; a text is never another completion's.
    """

    def __init__(self, source: Source) -> None:
        """Open the file of texts, if there is one."""
        self._of_run = source.kind is Kind.RUN
        self._texts = _of_run(source) if self._of_run else _beside(source)
        self._next = next(self._texts, None)

    def of(self, fields: Mapping[str, Any], breakdown: Breakdown) -> RawText | None:
        """Return the text of a record; records have to come in their order.

        Args:
            fields: The record's keys beside those of the breakdown.
            breakdown: The breakdown.
        """
        place = _step(fields) if self._of_run else _line(fields)
        while self._next is not None and self._next.place <= place:
            logged, self._next = self._next, next(self._texts, None)
            if logged.place == place and self._fits(logged, fields, breakdown):
                return logged.raw
        return None

    def _fits(self, logged: _Logged, fields: Mapping[str, Any], breakdown: Breakdown) -> bool:
        if self._of_run:
            keys = (fields.get("rank"), fields.get("trained_on"), breakdown.verdict.value)
            return logged.keys == (breakdown.problem_id, *keys)
        # The file may be one of other completions.
        given = (breakdown.problem_id, fields.get("input"))
        return logged.keys == given and holds_code(logged.raw.text, breakdown)


def holds_code(text: str, breakdown: Breakdown) -> bool:
    """Return whether a completion has a breakdown's lines of code in order, but for given ones."""
    at = 0
    for line in breakdown.own_code.splitlines():
        at = text.find(line.strip(), at)
        if at < 0:
            return False
        at += len(line.strip())
    return True


def _of_run(source: Source) -> Iterator[_Logged]:
    """Yield the texts that a training logged."""
    for row in completions(source.path):
        text = row.get("completion")
        if isinstance(text, str):
            keys = tuple(row.get(key) for key in ("problem_id", "rank", "reward", "verdict"))
            yield _Logged(_step(row), keys, RawText(text, str(row.get("prompt") or "")))


def _beside(source: Source) -> Iterator[_Logged]:
    """Yield the texts of `completions.jsonl` in the folder of a scored file."""
    if source.kind is not Kind.SCORED or len(source.files) != 1:
        return
    path = source.files[0].with_name(COMPLETIONS)
    if not path.is_file() or path.samefile(source.files[0]):
        return
    for line in _good_lines(read_completions(path)):
        keys = (line.problem_id, dict(line.extra))
        yield _Logged((line.line, False), keys, RawText(line.completion.text, line.prompt))


def _good_lines(lines: Iterable[CompletionLine | BadLine]) -> Iterator[CompletionLine]:
    try:
        yield from (line for line in lines if not isinstance(line, BadLine))
    except InputError:
        # What cannot be read on has been reported when it was scored.
        return


def _step(fields: Mapping[str, Any]) -> Place:
    step = fields.get("step")
    return step if isinstance(step, int) else -1, fields.get("split") == "eval"


def _line(fields: Mapping[str, Any]) -> Place:
    line = fields.get("line")
    return line if isinstance(line, int) else -1, False
