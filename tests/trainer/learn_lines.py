"""Solutions of the learning experiment, with another line put into them."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.learn.lines import Line
from experiments.learn.lists import ListTask
from experiments.learn.modules import ModuleTask
from experiments.learn.tasks import END
from ocaml_reward import Breakdown, Completion, Grader

Task = ListTask | ModuleTask


def graded(grader: Grader, task: Task, lines: list[str]) -> Breakdown:
    """Grade some lines as a solution."""
    text = "\n".join([*lines, END])
    return grader.grade(task.problem, Completion(text=text))


def graded_instead(grader: Grader, task: Task, line: Line, text: str) -> Breakdown:
    """Grade a solution with one line in which something else stands."""
    lines = [text if each == line else each.right for each in task.lines()]
    return graded(grader, task, lines)


def each_instead(
    grader: Grader, tasks: list[Task], kind: str
) -> Iterator[tuple[Line, str, Breakdown]]:
    """Grade solutions with one mistake of a kind, "own", "strange" or "slips", each in turn."""
    for task in tasks:
        for line in task.lines():
            for text in getattr(line, kind):
                yield line, text, graded_instead(grader, task, line, text)
