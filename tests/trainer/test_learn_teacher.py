"""Bases that read feedback, and the variants whose teacher is shown it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast

from experiments.learn import teacher
from experiments.learn.base import make_base
from experiments.learn.families import ALL_STARTS, FAMILIES
from experiments.learn.run import train_one
from experiments.learn.tasks import END
from experiments.learn.teacher import (
    SIZE,
    asked,
    make_reading_base,
    read,
    reader_tasks,
    reading_lessons,
)
from experiments.learn.variants import CONTROL, of_another_program
from ocaml_reward import Completion, Grader, Verdict
from trainer_plugin.sdpo.trainer import FeedbackSDPOTrainer

# That an experimental trainer may change.
pytestmark = pytest.mark.filterwarnings("default")

START = ALL_STARTS["rare-reading"]
FAMILY = FAMILIES[START.family]
TRAINING, HELD_OUT = FAMILY.draw(3, START.of_form, 16)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two steps of lessons in reading, behind one without."""
    return make_base(
        tmp_path_factory.mktemp("learn") / "base",
        TRAINING,
        mistakes=0.5,
        taught=0.0,
        seed=0,
        steps=3,
        size=SIZE,
        cut_after=FAMILY.pieces,
        reading=reading_lessons(TRAINING, seed=0, count=40),
    )


def test_a_base_goes_on_from_a_reader_that_never_saw_what_is_held_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader is made once, with its tokenizer; each base then differs from it."""
    for name, value in {"STEPS": 2, "GOING_ON": 1}.items():
        monkeypatch.setattr(teacher, name, value)
    monkeypatch.setattr(teacher.reading_lessons, "__kwdefaults__", {"mended": False, "count": 20})
    held_out = {
        each.problem.id
        for seed in range(START.first, START.first + 8)
        for each in FAMILY.draw(seed, START.of_form, 64)[1]
    }
    bases = [
        make_reading_base(tmp_path / str(seed), tmp_path / "reader", TRAINING, START, seed=seed)
        for seed in (31, 32)
    ]
    folders = (tmp_path / "reader", *bases)
    weights = {(each / "model.safetensors").read_bytes() for each in folders}
    tokenizers = {(each / "tokenizer.json").read_bytes() for each in folders}

    assert 3 == len(weights)
    assert 1 == len(tokenizers)
    assert set() == held_out & {each.problem.id for each in reader_tasks(START)}


def test_a_lesson_keeps_what_was_right_and_writes_the_rest_anew() -> None:
    """Mended it is the reference; where all that is new is wrong, what was right stays."""
    by_prompt = {task.prompt: task for task in TRAINING}
    kept = 0
    for mended in (True, False):
        draw = reading_lessons(TRAINING, seed=2, mended=mended, count=40)
        rng = Random(3)
        for _ in range(40):
            text, question = draw(rng, 1.0)
            task = by_prompt[question.splitlines(keepends=True)[-1]]
            told = question.removesuffix(task.prompt)
            right = (task.problem.reference or "").split("\n")
            answer = text.removeprefix(question).split("\n")[: len(right)]
            assert "unsuccessful earlier attempt" in told
            assert not mended or right == answer
            kept += right != answer and any(map(str.__eq__, right, answer))

    assert kept > 5


def test_the_teacher_is_asked_as_in_its_lessons(base: Path, tmp_path: Path) -> None:
    """One step of a training: feedback, then the prompt; the control's is that of another problem."""
    built = FeedbackSDPOTrainer._build_with_feedback
    for variant in ("SDPO", CONTROL):
        kept: list[Any] = []

        def keeping(trainer: Any, *args: Any, _kept: list[Any] = kept, **told: Any) -> Any:
            made = built(trainer, *args, **told)
            _kept.append((trainer.processing_class, made, trainer._reward.last))
            return made

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(FeedbackSDPOTrainer, "_build_with_feedback", keeping)
            result = train_one(
                base,
                tmp_path / variant,
                TRAINING[:4],
                HELD_OUT[:2],
                variant=variant,
                seed=0,
                steps=1,
                problems=2,
                longest=FAMILY.longest,
            )
        ((tokenizer, made, batch),) = kept
        prompts = tokenizer.batch_decode(made["teacher_input_ids"], skip_special_tokens=True)
        by_prompt = {each.prompt: each for each in TRAINING}
        asked_of = [
            next(one for prompt, one in by_prompt.items() if prompt in text) for text in prompts
        ]
        told = [breakdown.feedback("located") for breakdown in batch.breakdowns]
        own = [
            text.startswith(asked(task.prompt, one))
            for text, task, one in zip(prompts, asked_of, told, strict=True)
        ]
        same = [
            one.problem_id == task.problem.id
            for one, task in zip(batch.breakdowns, asked_of, strict=True)
        ]
        assert all(own)
        assert (variant == "SDPO") is all(same)
        assert (variant == CONTROL) is not any(same)
        assert 2 == len(result["points"])
        assert 1 == len(result["zero_std"])


def test_feedback_of_another_program_is_of_another_problem() -> None:
    """What passed stays where it is; a failure gets the next one's of another problem, if any."""
    texts = ("let f =", "let f = x", f"{TRAINING[0].problem.reference}\n{END}", "let f = 1")
    problems = [TRAINING[at].problem for at in (0, 0, 0, 1)]
    with Grader("seed") as grader:
        graded = [
            grader.grade(problem, Completion(text=text))
            for problem, text in zip(problems, texts, strict=True)
        ]
    lone = [replace(each, problem_id="p") for each in graded]

    found = of_another_program(graded)

    assert [graded[3], graded[3], graded[2], graded[0]] == found
    assert Verdict.PASSED is found[2].verdict
    assert lone == of_another_program(lone)


def test_what_a_base_makes_of_feedback_is_told_for_both(base: Path) -> None:
    """Areas under a curve, and nats that differ with what is told."""
    tokenizer = PreTrainedTokenizerFast.from_pretrained(base)
    model = AutoModelForCausalLM.from_pretrained(base).eval()

    found = read(model, tokenizer, HELD_OUT, count=20)
    own, other = found["its own"], found["of another program"]

    assert all(0.0 < each.blame < 1.0 for each in (own, other))
    assert own.reference != other.reference
