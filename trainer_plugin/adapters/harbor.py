r"""The reward in Harbor, for tasks of `problems export --harbor`. Tested with harbor 0.26.0.

    harbor run -p tasks -a AGENT -m MODEL \
      -e trainer_plugin.adapters.harbor:JailEnvironment \
      --verifier trainer_plugin.adapters.harbor:OCamlVerifier

The verifier grades on this machine with one engine, in place of a container for each task, and the
environment runs an agent in our jail, in place of a container. Each can be used without the other.

What cannot be graded raises: its trial has an exception, and no reward.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.environments.tar_transfer import extract_dir_from_bytes, pack_dir_to_bytes
from harbor.models.verifier.result import VerifierResult
from harbor.verifier.base import BaseVerifier

from ocaml_reward import InputError
from ocaml_reward.abandoning import Abandonable
from ocaml_reward.formats import BadLine
from ocaml_reward.formats.completions import completion_in
from ocaml_reward.formats.folders.harbor import ANSWERS, PROBLEM, SCHEME, rewards_of
from ocaml_reward.formats.problems import load_problems
from ocaml_reward.formats.writing import problem_fields
from ocaml_reward.model import Problem
from ocaml_reward.record import breakdown_to_dict
from ocaml_reward.sandbox import stop
from ocaml_reward.scheme import load

from .agent_jail import AgentJail
from .grading import SETTINGS, RewardUnavailable, grading

Value = TypeVar("Value")

_COLLECTED: Final = "/logs/artifacts/answer"
_WORKED_IN: Final = "/workdir"
# The words are ours, so that a shell that did not start says none of them.
_LOOK: Final = """
if [ ! -d {folder} ]; then echo answer-folder-missing; exit; fi
for name in {names}; do
  if [ -f {folder}/$name ] && [ ! -L {folder}/$name ]; then echo answer-is $name; exit; fi
done
echo answer-missing
"""


class OCamlVerifier(BaseVerifier):
    """Grades the answer with the grader of this process."""

    def __init__(self, **given: Any) -> None:
        """Take what Harbor gives a verifier, and settings of `grading`.

        Args:
            **given: `--verifier-kwarg`: settings of `grading`; without `scheme` the task's own.

        Raises:
            ValueError: A setting cannot be used.
        """
        self._settings = {name: given.pop(name) for name in SETTINGS if name in given}
        super().__init__(**given)

    async def verify(self) -> VerifierResult:
        """Grade the answer.

        Returns:
            The reward as `reward`, and the credits `tests`, `type` and `compile`.

        Raises:
            InputError: The task is not one of `problems export --harbor`.
            SchemeError: Its scheme cannot be read.
            ProblemError: The problem cannot be graded.
            RewardUnavailable: It could not be graded; 0 would be wrong.
        """
        folder = self.task.paths.task_dir
        problem = await asyncio.to_thread(problem_of, folder)
        # Equal schemes, each in a file of its own, are one grader's.
        scheme = await asyncio.to_thread(load, folder / SCHEME)
        graded = grading(**{"scheme": scheme, **self._settings})
        text = await self._answer()
        found = await graded.breakdown_async(problem_fields(problem), text)
        return VerifierResult(rewards=rewards_of(breakdown_to_dict(found)))

    async def _answer(self) -> str:
        """Return the text of the answer, "" where there is none.

        Raises RewardUnavailable where the machine has lost it.
        """
        # A container of the verifier's has what was collected of the agent's.
        is_agents = self.environment.environment_dir == self.task.paths.environment_dir
        folder = _WORKED_IN if is_agents else _COLLECTED
        command = _LOOK.format(folder=folder, names=" ".join(ANSWERS))
        done = await self.environment.exec(command, cwd="/")
        match (done.stdout or "").split()[-2:]:
            case ["answer-is", name] if name in ANSWERS:
                return await self._text(f"{folder}/{name}")
            case [*_, "answer-missing"]:
                return ""
            case [*_, "answer-folder-missing"] if is_agents:
                return ""
        said = " ".join((done.stderr or done.stdout or "no folder of answers").split())
        raise RewardUnavailable(f"{self.task.name}: the answer was lost: {said}")

    async def _text(self, path: str) -> str:
        """Return the text of a file of the environment."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, ANSWERS[0])
            await self.environment.download_file(path, copy)
            return await asyncio.to_thread(_text_of, copy)


def _text_of(copy: Path) -> str:
    """Return the text of a downloaded answer, "" for what is no file.

    It may have become a link since it was looked at, which would lead to a file of this machine.
    """
    if copy.is_symlink() or not copy.is_file():
        return ""
    found = completion_in(copy)
    if isinstance(found, BadLine):
        raise RewardUnavailable(str(found))
    return found.completion.text


def problem_of(task: Path) -> Problem:
    """Return the problem of a task's folder; raises InputError if it is not one of ours."""
    path = task / PROBLEM
    if not path.is_file():
        message = "only tasks that `ocaml-reward problems export --harbor` wrote can be graded"
        raise InputError(f"{task}: no {PROBLEM}; {message}")
    found = load_problems(path)
    if found.bad or len(found.problems) != 1:
        raise InputError(str(found.bad[0]) if found.bad else f"{path}: expected one problem")
    (problem,) = found.problems.values()
    return problem


class JailEnvironment(BaseEnvironment):
    """Runs an agent's commands in our jail: a shell, OCaml, no network, no other program.

    All users are one. What a command leaves running ends with it.
    """

    def __init__(self, *args: Any, sandbox: str = "auto", **given: Any) -> None:
        """Take what Harbor gives an environment.

        Args:
            *args: As for BaseEnvironment.
            sandbox: `--environment-kwarg`: the jail, as the engine's.
            **given: As for BaseEnvironment.
        """
        self._sandbox = sandbox
        self._jail: AgentJail | None = None
        self._running: set[Abandonable] = set()
        super().__init__(*args, **given)

    @staticmethod
    def type() -> str:
        """Return what it is called."""
        return "ocaml-jail"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        """Return what it can do: it has no network, whatever a task would allow."""
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        """Leave it to `start`: here one task would end the job of all."""

    async def start(self, force_build: bool) -> None:
        """Make the folders.

        Args:
            force_build: Nothing is built.

        Raises:
            InputError: The task is not ours: its container would have more than this jail.
            MachineError: No jail works.
        """
        del force_build
        await asyncio.to_thread(problem_of, self.environment_dir.parent)
        make = partial(AgentJail, self._sandbox, memory_mb=self._effective_memory_mb)
        self._jail = await asyncio.to_thread(make)
        await self.ensure_dirs(self._mount_targets(writable_only=True))

    async def stop(self, delete: bool) -> None:
        """End what runs, and remove the folders."""
        del delete
        for each in tuple(self._running):
            each.abandon()
        if self._jail is not None:
            await asyncio.to_thread(self._jail.close)
            self._jail = None

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        """Run a command; see BaseEnvironment.

        Raises RuntimeError if it takes longer than it may.
        """
        del user
        done = await self._in_thread(
            partial(
                self._started.run,
                command,
                cwd=cwd or self.task_env_config.workdir or "/",
                environment=self._merge_env(env) or {},
                wall_s=timeout_sec,
            )
        )
        if done.wall_exceeded:
            # As Harbor's other environments say it.
            raise RuntimeError(f"Command timed out after {timeout_sec} seconds")
        code = done.exit_code
        result = ExecResult(
            stdout=done.stdout.decode(errors="replace"),
            stderr=done.stderr.decode(errors="replace"),
            return_code=128 + (done.signal or 0) if code is None else code,
        )
        if (tell := self._output_callback()) is not None:
            await tell(result.stdout or "", "stdout")
            await tell(result.stderr or "", "stderr")
        return result

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Copy a file into the jail."""
        data = await asyncio.to_thread(Path(source_path).read_bytes)
        await self._in_thread(partial(self._started.write, target_path, data))

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Copy a folder into the jail."""
        packed = await asyncio.to_thread(pack_dir_to_bytes, source_dir, include_root=False)
        await self._in_thread(partial(self._started.unpack, target_dir, packed.getvalue()))

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Copy a file out of the jail; raises FileNotFoundError if it cannot be read."""
        data = await self._in_thread(partial(self._started.read, source_path))
        await asyncio.to_thread(Path(target_path).write_bytes, data)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Copy a folder out of the jail, without what links lead out of it to."""
        packed = await self._in_thread(partial(self._started.pack, source_dir))
        await asyncio.to_thread(extract_dir_from_bytes, packed, target_dir)

    @property
    def _started(self) -> AgentJail:
        if self._jail is None:
            raise RuntimeError("the environment is not started")
        return self._jail

    async def _in_thread(self, call: Callable[[], Value]) -> Value:
        """Run a call in a thread; if nobody waits any more, end what it runs."""
        work = Abandonable()

        def run() -> Value:
            with work.ending_by(partial(stop, [threading.get_ident()])):
                return call()

        self._running.add(work)
        try:
            return await asyncio.to_thread(work.run, run)
        finally:
            self._running.discard(work)
            # After its end this ends nothing.
            work.abandon()
