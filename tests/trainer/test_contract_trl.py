"""What TRL gives to the reward and takes from it, under real trainers."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from trl import RLOOConfig, RLOOTrainer

from ocaml_reward import InputError, ProblemError
from tests.trainer.lines import step_lines
from tests.trainer.training import trained, trainer
from trainer_plugin import OCamlReward
from trainer_plugin.callbacks import BEST_METRIC
from trainer_plugin.health.watch import VALIDATION_METRIC
from trainer_plugin.learning import parse_line
from trainer_plugin.reading import batches, breakdowns, completions

# The libraries have deprecations of their own to announce.
pytestmark = pytest.mark.filterwarnings("default")

# But for `ocaml/type_errors_mean`, which is of code that parses: chance may write none.
METRICS = {
    "ocaml/pass_at_1",
    "ocaml/compile_rate",
    "ocaml/runaway_rate",
    "ocaml/fault_rate",
    "ocaml/score_seconds",
    "ocaml/final_reward",
    "ocaml/credits/tests",
}


def rows_of(output: Path) -> list[tuple[Any, Any, int]]:
    """Return step, split and size of each batch."""
    return [(row["step"], row["split"], row["completions"]) for row in batches(output)]


@pytest.mark.parametrize("conversational", [False, True], ids=["standard", "chat"])
def test_grpo(tiny_model: Path, tmp_path: Path, conversational: bool) -> None:
    """Texts and chats are scored, logged under the reward's name, and written down."""
    kept = trained(tiny_model, tmp_path, OCamlReward(), conversational=conversational)
    first = kept.logs[0]

    assert METRICS | {"rewards/syntax_aware_reward/mean"} <= first.keys()
    assert 0.0 == first["ocaml/fault_rate"]
    assert [(1, "train", 4), (2, "train", 4)] == rows_of(tmp_path)
    assert 8 == len(list(breakdowns(tmp_path)))
    lines = step_lines(tmp_path)
    steps = [parse_line(line) for line in lines]
    assert [each["reward"] for each in kept.logs[:2]] == [
        pytest.approx(step.reward, abs=1e-3) for step in steps if step
    ]


def test_no_end_token_is_seen(tiny_model: Path, tmp_path: Path) -> None:
    """TRL and the reward agree about which completions hit the limit."""
    kept = trained(tiny_model, tmp_path, OCamlReward())
    cut_off = [row["truncated"] for row in completions(tmp_path)]

    assert {True, False} >= set(cut_off)
    assert sum(each["completions/clipped_ratio"] for each in kept.logs[:2]) / 2 == (
        pytest.approx(sum(cut_off) / len(cut_off))
    )


def test_evaluation(tiny_model: Path, tmp_path: Path) -> None:
    """Evaluations are told from training without being told, and choose the best model."""
    made, kept = trainer(
        tiny_model,
        tmp_path,
        OCamlReward(),
        evaluates=True,
        save_strategy="steps",
        save_steps=1,
        metric_for_best_model=BEST_METRIC,
        greater_is_better=True,
        load_best_model_at_end=True,
    )
    made.train()

    assert [
        (1, "train", 4),
        (1, "eval", 4),
        (2, "train", 4),
        (2, "eval", 4),
    ] == rows_of(tmp_path)
    trained_on = [row for row in batches(tmp_path) if row["split"] == "train"]
    assert [each["epoch"] for each in kept.logs if "reward" in each] == pytest.approx(
        [row["epoch"] for row in trained_on]
    )
    evaluations = [each for each in kept.logs if VALIDATION_METRIC in each]
    assert 2 == len(evaluations)
    assert str(tmp_path / "checkpoint-1") == made.state.best_model_checkpoint


class Falling(OCamlReward):
    """A reward under which evaluations go up once and then down."""

    def __init__(self) -> None:
        super().__init__()
        self.evaluations = [0.5, 0.6, 0.4, 0.3, 0.2]

    def __call__(self, *args: Any, log_metric: Any = None, **columns: Any) -> list[float | None]:
        rewards = super().__call__(*args, **columns)
        if not log_metric.__self__.model.training:
            share = self.evaluations.pop(0)
            log_metric("ocaml/final_reward", share)
            log_metric("ocaml/final_reward_variance", 0.0)
            log_metric("ocaml/pass_at_1", share)
        return rewards


def test_falling_evaluations_end_a_run(tiny_model: Path, tmp_path: Path) -> None:
    """The second evaluation below the best is the last step of a short run, and the best
    checkpoint is the one before.
    """
    made, _ = trainer(
        tiny_model,
        tmp_path,
        Falling(),
        evaluates=True,
        max_steps=5,
        save_strategy="steps",
        save_steps=1,
        metric_for_best_model=BEST_METRIC,
        greater_is_better=True,
        load_best_model_at_end=True,
    )
    made.train()
    told = (tmp_path / "health.jsonl").read_text(encoding="utf-8")

    assert 4 == made.state.global_step
    assert str(tmp_path / "checkpoint-2") == made.state.best_model_checkpoint
    assert '"seen":"the best was 0.600, and then came 0.400, 0.300;' in told


def test_rloo(tiny_model: Path, tmp_path: Path) -> None:
    """RLOO calls the reward as GRPO does."""
    kept = trained(tiny_model, tmp_path, OCamlReward(), kind=RLOOTrainer, config=RLOOConfig)

    assert METRICS <= kept.logs[0].keys()
    assert [(1, "train", 4), (2, "train", 4)] == rows_of(tmp_path)


def test_the_table_of_completions(tiny_model: Path, tmp_path: Path) -> None:
    """The trainer's own table gets our columns, also after several batches."""
    made, _ = trainer(
        tiny_model,
        tmp_path,
        OCamlReward(),
        log_completions=True,
        num_completions_to_print=0,
    )
    made.train()
    extra = made._logs["extra"]

    assert {"problem_id", "verdict", "checks_passed"} <= extra.keys()
    assert {len(made._logs["prompt"])} == {len(values) for values in extra.values()}
    assert 2 == len(list((tmp_path / "completions").glob("*.parquet")))


def test_a_reward_in_use_can_be_pickled(tiny_model: Path, tmp_path: Path) -> None:
    """A trainer that scores in other processes sends the reward there."""
    reward = OCamlReward()
    trained(tiny_model, tmp_path / "a", reward, max_steps=1)
    copy = pickle.loads(pickle.dumps(reward))
    kept = trained(tiny_model, tmp_path / "b", copy, max_steps=1)

    assert 0.0 == kept.logs[0]["ocaml/fault_rate"]
    assert [(1, "train", 4)] == rows_of(tmp_path / "b")


def test_resume(tiny_model: Path, tmp_path: Path) -> None:
    """A run that goes on from a checkpoint has each step once in each of its logs."""
    saving: dict[str, Any] = {"save_strategy": "steps", "save_steps": 1}
    trained(tiny_model, tmp_path, OCamlReward(), max_steps=3, **saving)
    before = step_lines(tmp_path)
    made, _ = trainer(tiny_model, tmp_path, OCamlReward(), max_steps=4, **saving)
    made.train(resume_from_checkpoint=str(tmp_path / "checkpoint-2"))
    after = step_lines(tmp_path)

    assert [(step, "train", 4) for step in range(1, 5)] == rows_of(tmp_path)
    assert 16 == len(list(completions(tmp_path)))
    assert 4 == len(after)
    assert before[:2] == after[:2]


def test_two_rewards_do_not_mix_their_logs(tiny_model: Path, tmp_path: Path) -> None:
    """The first batch of a run refuses a second reward with the same files; one without logs
    may stand beside.
    """
    second = OCamlReward("decisive", name="solved_reward")
    made, _ = trainer(tiny_model, tmp_path, OCamlReward(), others=[second])
    with pytest.raises(InputError, match="give one of them logs=False or a log_dir"):
        made.train()
    quiet = OCamlReward("decisive", name="solved_reward", logs=False)
    trained(tiny_model, tmp_path, OCamlReward(), others=[quiet])

    assert [(1, "train", 4), (2, "train", 4)] == rows_of(tmp_path)


def test_a_dataset_without_tests_ends_at_once(tiny_model: Path, tmp_path: Path) -> None:
    """A wrong configuration is an error in words, before the first step."""
    made, _ = trainer(tiny_model, tmp_path, OCamlReward())
    made.train_dataset = made.train_dataset.remove_columns("tests")
    with pytest.raises(ProblemError, match="no column `tests`"):
        made.train()
