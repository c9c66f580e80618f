"""Harbor's own `harbor run`, without Docker: our verifier, our jail, its oracle and its nop agent."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from harbor.models.task.config import EnvironmentConfig
from harbor.models.trial.paths import TrialPaths
from trl.experimental.harbor import HarborSpec

from ocaml_reward import Problem
from ocaml_reward.formats import load_problems, write_problems, write_rows
from ocaml_reward.formats.folders.harbor import rewards_of
from tests.adapters.corpus import PROBLEM, PROBLEMS, ROOT, reference
from tests.serving.running import spawned
from trainer_plugin.adapters.harbor import JailEnvironment
from trainer_plugin.adapters.harbor_trl import rewards_or_none

TASKS: Final = 200
_ADAPTER: Final = "trainer_plugin.adapters.harbor"
_AGENTS: Final = "tests.adapters.harbor_agents"
# How many completions of each reward that the corpus records.
_OF_EACH: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """How a trial ended."""

    rewards: dict[str, float] | None
    exception: str | None


def cli(*words: str) -> str:
    """Run a command of ours."""
    line = [sys.executable, "-m", "cli", *words]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ran(tasks: Path, jobs: Path, *options: str) -> dict[str, Ended]:
    """Run all tasks of a folder, and return how each ended, by its name."""
    line = [str(Path(sys.executable).with_name("harbor")), "run", "--yes", "--quiet"]
    line += ["-p", str(tasks), "-o", str(jobs), "--job-name", "job", "-n", "4"]
    line += ["-e", f"{_ADAPTER}:JailEnvironment", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HARBOR_TELEMETRY": "off"}
    subprocess.run(line, env=environment, cwd=jobs.parent, capture_output=True, check=False)
    found = {}
    for file in jobs.glob("job/*/result.json"):
        result: dict[str, Any] = json.loads(file.read_text())
        failed = result["exception_info"]
        verified = result["verifier_result"]
        found[result["task_name"]] = Ended(
            rewards=verified["rewards"] if verified else None,
            exception=failed["exception_type"] if failed else None,
        )
    return found


VERIFIER: Final = ("--verifier", f"{_ADAPTER}:OCamlVerifier")


def exported(folder: Path, problems: list[Problem]) -> Path:
    """Write problems as tasks."""
    rows, tasks = folder / "problems.jsonl", folder / "tasks"
    write_problems(rows, problems)
    cli("problems", "export", str(rows), "--harbor", "-o", str(tasks))
    return tasks


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export the corpus, and problems made by program."""
    folder = tmp_path_factory.mktemp("harbor")
    corpus = list(load_problems(PROBLEMS).problems.values())
    made = folder / "made.jsonl"
    count = str(TASKS - len(corpus))
    cli("problems", "generate", "--count", count, "--seed", "7", "--unchecked", "-o", str(made))
    return exported(folder, [*corpus, *load_problems(made).problems.values()])


@pytest.fixture
def one(tmp_path: Path) -> Path:
    """One task."""
    return exported(tmp_path, [load_problems(PROBLEMS).problems[PROBLEM]])


def test_each_reference_earns_all_and_doing_nothing_nothing(tasks: Path, tmp_path: Path) -> None:
    oracle = ran(tasks, tmp_path / "oracle", "-a", "oracle", *VERIFIER)
    nop = ran(tasks, tmp_path / "nop", "-a", "nop", *VERIFIER)

    assert TASKS == len(oracle) == len(nop)
    assert [] == [name for name, each in oracle.items() if each.exception]
    assert [] == [
        name for name, each in oracle.items() if (each.rewards or {}).get("reward") != 1.0
    ]
    assert {"reward": 1.0, "tests": 0.7, "type": 0.2, "compile": 0.1} in [
        each.rewards for each in oracle.values()
    ]
    zero = {"reward": 0.0, "tests": 0.0, "type": 0.0, "compile": 0.0}
    assert [Ended(rewards=zero, exception=None)] * TASKS == list(nop.values())


def answers() -> Iterator[tuple[str, str]]:
    """Yield completions of the corpus with their problem, of each reward some."""
    folder = PROBLEMS.parent
    taken: Counter[object] = Counter()
    lines = zip(
        (folder / "completions.jsonl").open(), (folder / "expected.jsonl").open(), strict=True
    )
    for asked, record in lines:
        row, reward = json.loads(asked), json.loads(record)["reward"]
        taken[reward] += 1
        if taken[reward] <= _OF_EACH and isinstance(row.get("completion"), str):
            yield row["problem_id"], row["completion"]


def test_rewards_are_those_of_score_to_the_last_bit(tmp_path: Path) -> None:
    """Of good, bad and middling completions, each as /workdir/answer.txt of a task."""
    corpus = load_problems(PROBLEMS).problems
    texts = {f"answer-{n}": each for n, each in enumerate(answers())}
    problems = [replace(corpus[id_], id=name) for name, (id_, _) in texts.items()]
    tasks = exported(tmp_path, problems)
    written = tmp_path / "answers.json"
    written.write_text(json.dumps({name: text for name, (_, text) in texts.items()}))
    asked, records = tmp_path / "completions.jsonl", tmp_path / "records.jsonl"
    rows = [{"problem_id": name, "completion": text} for name, (_, text) in texts.items()]
    write_rows(asked, rows)
    words = ("--problems", str(tmp_path / "problems.jsonl"), "--scheme", "concise")
    cli("score", str(asked), *words, "-o", str(records))
    scored = {
        record["problem_id"]: Ended(rewards=rewards_of(record), exception=None)
        for record in map(json.loads, records.read_text("utf-8").splitlines())
    }
    agent = ("-a", f"{_AGENTS}:Writer", "--agent-kwarg", f"answers={written}")

    assert len({each.rewards["reward"] for each in scored.values() if each.rewards}) > 20
    assert scored == ran(tasks, tmp_path / "jobs", *agent, *VERIFIER)


def test_what_an_agent_plants_earns_nothing(one: Path, tmp_path: Path) -> None:
    """Rewards, a script in place of ours, and links to the reference on this machine."""
    agent = ("-a", f"{_AGENTS}:Cheater", "--agent-kwarg", f"tasks={one}")
    (ended,) = ran(one, tmp_path / "jobs", *agent, *VERIFIER).values()

    assert ended.exception is None
    assert ended.rewards is not None
    assert 0.0 == ended.rewards["reward"]


def test_a_killed_engine_is_no_reward(one: Path, tmp_path: Path) -> None:
    with spawned() as server:
        settings = ("engine", server.url), ("deadline_s", "4")
        given = [
            word for name, value in settings for word in ("--verifier-kwarg", f"{name}={value}")
        ]
        (alive,) = ran(one, tmp_path / "alive", "-a", "oracle", *VERIFIER, *given).values()
        server.kill()
        (dead,) = ran(one, tmp_path / "dead", "-a", "oracle", *VERIFIER, *given).values()

    assert 1.0 == (alive.rewards or {})["reward"]
    assert Ended(rewards=None, exception="RewardUnavailable") == dead


def test_an_answer_that_was_not_collected_is_no_reward(one: Path, tmp_path: Path) -> None:
    """Without it nobody knows whether there is none, or Harbor has lost it."""
    path = one / PROBLEM / "task.toml"
    path.write_text(path.read_text().partition("[[verifier.collect]]")[0])
    (ended,) = ran(one, tmp_path / "jobs", "-a", "oracle", *VERIFIER).values()

    assert Ended(rewards=None, exception="RewardUnavailable") == ended


def test_harbors_own_verifier_without_our_command_has_no_reward(one: Path, tmp_path: Path) -> None:
    """In a jail without ocaml-reward test.sh writes no file."""
    (ended,) = ran(one, tmp_path / "jobs", "-a", "oracle").values()

    assert Ended(rewards=None, exception="RewardFileNotFoundError") == ended


def test_tasks_of_others_do_not_run_in_the_jail(one: Path, tmp_path: Path) -> None:
    """It has nothing of what their Dockerfile installs."""
    (one / PROBLEM / "tests" / "problem.jsonl").unlink()
    (ended,) = ran(one, tmp_path / "jobs", "-a", "nop", *VERIFIER).values()

    assert Ended(rewards=None, exception="InputError") == ended


def test_a_command_ends_when_nobody_waits_and_no_link_is_followed(
    one: Path, tmp_path: Path
) -> None:
    """As where an agent's time is up, and where its folder is downloaded."""

    async def used() -> str:
        env = JailEnvironment(
            environment_dir=one / PROBLEM / "environment",
            environment_name=PROBLEM,
            session_id="one",
            trial_paths=TrialPaths(trial_dir=tmp_path / "trial"),
            task_env_config=EnvironmentConfig(workdir="/workdir"),
        )
        await env.start(force_build=False)
        await env.exec(f"ln -s {one} link; echo text > file; mkfifo pipe")
        await env.download_dir("/workdir", tmp_path / "copy")
        waiting = asyncio.create_task(env.exec("sleep 600"))
        await asyncio.sleep(1)
        waiting.cancel()
        done = await env.exec("echo $VARIABLE; pwd; exit 3", env={"VARIABLE": "a b"})
        with pytest.raises(RuntimeError, match="timed out after 1 seconds"):
            await env.exec("sleep 600", timeout_sec=1)
        await env.stop(delete=True)
        return f"{done.stdout}{done.return_code}"

    begun = time.monotonic()

    # It waits for all threads, and so for what they run.
    assert "a b\n/workdir\n3" == asyncio.run(used())
    assert time.monotonic() - begun < 120
    assert ["file"] == [each.name for each in (tmp_path / "copy").iterdir()]


def test_trl_plays_the_same_tasks(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer by its tool, none at all, and a dead engine, which is None and no 0."""
    spec = HarborSpec(str(one), agent=f"{_ADAPTER}_trl:JailedEnv")
    (row,) = spec.train_dataset

    def played(command: str) -> list[float | None]:
        env = spec.environment_factory()
        assert "/workdir/answer.ml" in env.reset(task_dir=row["task_dir"])
        assert "4.0" < env.bash("ocamlc -version")
        env.bash(command)
        return rewards_or_none(environments=[env])

    write = f"cat > /workdir/answer.ml <<'END'\n{reference(PROBLEM)}\nEND"

    assert [1.0] == played(write)
    assert [0.0] == played("echo nothing")
    with spawned() as server:
        monkeypatch.setenv("OCAML_REWARD_ENGINE", server.url)
        monkeypatch.setenv("OCAML_REWARD_DEADLINE_S", "4")
        server.kill()

        assert [None] == played(write)
