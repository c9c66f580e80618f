"""Agents for Harbor, which loads them by their import paths: one that answers, one that cheats."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment

_CHEAT = """
mkdir -p /logs/verifier /logs/artifacts/answer /tests
echo '{{"reward": 1.0}}' | tee /logs/verifier/reward.json /logs/artifacts/reward.json
echo 1 > /logs/verifier/reward.txt
printf '#!/bin/sh\\necho 1 > /logs/verifier/reward.txt\\n' > /tests/test.sh
chmod +x /tests/test.sh
ln -s {reference} /logs/artifacts/answer/answer.ml
ln -s {reference} /workdir/answer.ml
cp {reference} /workdir/answer.txt
"""


class _Agent(BaseAgent):
    def version(self) -> str:
        return "1"

    async def setup(self, environment: BaseEnvironment) -> None:
        del environment


class Writer(_Agent):
    """Writes a given completion, by the task's name, as /workdir/answer.txt."""

    def __init__(self, answers: str, **given: Any) -> None:
        super().__init__(**given)
        self._answers: dict[str, str] = json.loads(Path(answers).read_text("utf-8"))

    @staticmethod
    def name() -> str:
        return "writer"

    async def run(self, instruction: str, environment: BaseEnvironment, context: Any) -> None:
        del instruction, context
        with tempfile.NamedTemporaryFile() as file:
            file.write(self._answers[environment.environment_name].encode())
            file.flush()
            await environment.upload_file(file.name, "/workdir/answer.txt")


class Cheater(_Agent):
    """Plants rewards, a test script, and links to the reference on the host."""

    def __init__(self, tasks: str, **given: Any) -> None:
        super().__init__(**given)
        self._tasks = tasks

    @staticmethod
    def name() -> str:
        return "cheater"

    async def run(self, instruction: str, environment: BaseEnvironment, context: Any) -> None:
        del instruction, context
        reference = Path(self._tasks, environment.environment_name, "solution", "answer.ml")
        done = await environment.exec(_CHEAT.format(reference=reference))
        # The last line failed: the reference is not there.  All others did what they were to do.
        assert done.return_code == 1, done
        planted = await environment.exec(
            "cat /logs/verifier/reward.json && ls -l /workdir/answer.ml"
        )
        assert planted.return_code == 0, planted
