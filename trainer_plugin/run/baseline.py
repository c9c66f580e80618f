"""Measures a model before training: scores completions of some problems and advises on GRPO."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import torch
from transformers import AutoModelForCausalLM, set_seed

from ocaml_reward import Breakdown, Completion, Grader, Problem, Verdict
from ocaml_reward.comparing import Figure, figure_of
from ocaml_reward.metrics import frac_zero_std, mean, pass_at_1, pass_at_all, pass_at_k
from ocaml_reward.model import is_impossible
from ocaml_reward.record import breakdown_to_dict

from ..config.reading import Loaded
from ..config.table import save
from ..config.value import Config
from ..data.selection_report import Problems, write_selection_report
from ..generation.local import generate
from .parts import engine_of, model_options, scheme_of
from .preparing import Prepared, prepare

ENOUGH_PASSES: Final = 0.20
"""With a smaller share of passing completions, most groups fail entirely and teach nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BaselineResult:
    """The breakdowns of each problem's completions, one group per problem."""

    groups: tuple[tuple[Breakdown, ...], ...]

    @property
    def passes(self) -> list[list[bool | None]]:
        """Return whether each completion passed; None if it was not graded."""
        return [
            [
                None if one.verdict is Verdict.UNGRADED else one.verdict is Verdict.PASSED
                for one in group
            ]
            for group in self.groups
        ]

    def pass_at(self, k: int) -> Figure:
        """Return pass@k as a mean over problems, with its interval."""
        if k == 1:
            return figure_of(pass_at_1([group]) for group in self.passes)
        return figure_of(pass_at_k([group], k) for group in self.passes)

    @property
    def rewards(self) -> list[list[float | None]]:
        """Return the rewards of each problem's completions."""
        return [[one.reward for one in group] for group in self.groups]


def baseline(loaded: Loaded) -> None:
    """Measure the configuration's model and print the report.

    The completions and figures are written to `<output_dir>/baseline/`.
    """
    config = loaded.config
    prepared = prepare(config)
    problems = draw_problems(prepared.problems, config)
    texts = list(generate_completions(config, prepared, problems))
    measured = grade_completions(config, problems, texts)
    folder = Path(config.grpo.output_dir) / "baseline"
    save(loaded, folder)
    write_selection_report(prepared.problems, folder)
    write(measured, texts, folder, config)
    lines = [
        *prepared.problems.report_lines(),
        *prepared.preflight,
        *report(measured, config.baseline.k),
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def draw_problems(problems: Problems, config: Config) -> list[Problem]:
    """Draw problems from all but impossible twins; the seed determines which."""
    every = (*problems.training, *problems.validation)
    usable = [each for each in every if not is_impossible(each.id)]
    wanted = min(config.baseline.problems, len(usable))
    return Random(config.dataset.seed).sample(usable, wanted)  # noqa: S311 - no secret


def generate_completions(
    config: Config, prepared: Prepared, problems: Sequence[Problem]
) -> Iterator[list[Completion]]:
    """Generate the completions of each problem, with the settings of the training."""
    gpu = torch.cuda.is_available() and not config.model.cpu
    model = AutoModelForCausalLM.from_pretrained(prepared.source, **model_options(config))
    model.to("cuda" if gpu else "cpu").eval()
    set_seed(config.grpo.seed)
    samples, batch = config.baseline.samples, config.baseline.batch
    prompts = [prepared.prompts.render(each) for each in problems]
    for start in range(0, len(prompts), batch):
        answers = generate(
            model,
            prepared.tokenizer,
            prompts[start : start + batch],
            samples=samples,
            temperature=config.grpo.temperature,
            top_p=config.grpo.top_p,
            max_tokens=config.grpo.max_completion_length,
        )
        made = [each.completion for each in answers]
        for place in range(0, len(made), samples):
            yield made[place : place + samples]


def grade_completions(
    config: Config, problems: Sequence[Problem], texts: Sequence[Sequence[Completion]]
) -> BaselineResult:
    """Grade every completion under the scheme of the training, in its last phase."""
    pairs = [
        (problem, one) for problem, group in zip(problems, texts, strict=True) for one in group
    ]
    scheme = scheme_of(config)
    with Grader(scheme, engine=engine_of(config), jobs=config.reward.jobs) as grader:
        breakdowns = iter(list(grader.grade_many(pairs)))
    groups = tuple(tuple(next(breakdowns) for _ in group) for group in texts)
    return BaselineResult(groups=groups)


def report(measured: BaselineResult, k: int | None = None) -> list[str]:
    """Return the figures and the advice as lines."""
    passes = measured.passes
    samples = max(len(group) for group in passes)
    lines = [f"baseline: {len(passes)} problems, {samples} completions each"]
    several = sorted({1, samples if k is None else k, samples})
    lines += [f"  pass@{n:<13} {with_interval(measured.pass_at(n))}" for n in several]
    lines.append(f"  problems solved    {percent(pass_at_all(passes))}")
    average = mean(one for group in measured.rewards for one in group)
    lines.append(f"  mean reward        {'-' if average is None else f'{average:.3f}'}")
    lines.append(f"  groups all alike   {percent(frac_zero_std(measured.rewards))}")
    verdicts = Counter(one.verdict for group in measured.groups for one in group)
    total = sum(verdicts.values())
    lines.append("verdicts:")
    lines += [
        f"  {verdict:<18} {percent(count / total)}  ({count})"
        for verdict, count in verdicts.most_common()
    ]
    return lines + advice(measured)


def advice(measured: BaselineResult) -> list[str]:
    """Return advice for a model that passes too rarely to learn from its successes, with its
    significance.
    """
    figure = measured.pass_at(1)
    if figure.value is None:
        return ["advice: nothing was graded; see what ocaml-reward doctor says"]
    low, high = (figure.value if end is None else end for end in (figure.low, figure.high))
    near = (
        f"  {ENOUGH_PASSES:.0%} lies within the interval: more problems would tell"
        " (baseline.problems)"
    )
    unsure = [near] if low < ENOUGH_PASSES <= high else []
    samples = max(len(group) for group in measured.passes)
    solved = percent(measured.pass_at(samples).value).strip()
    groups = f"{solved} of groups of {samples} have a completion that passes"
    if figure.value >= ENOUGH_PASSES:
        share = percent(figure.value).strip()
        enough = f"advice: {share} pass; there is enough to learn from; {groups}"
        return [enough, *unsure]
    few = (
        f"advice: fewer than {ENOUGH_PASSES:.0%} pass, so success will be rare in training:"
        f" {groups}; try"
    )
    return [
        few,
        "  - a stronger model, such as model.id=Qwen/Qwen2.5-Coder-7B-Instruct",
        "  - an easier subset: dataset.difficulty, dataset.max_solution",
        "  - more worked examples: prompt.few_shot",
        "  - a warm start on the references: ocaml-reward train --sft",
        *unsure,
    ]


def with_interval(figure: Figure) -> str:
    """Format a share with its confidence interval."""
    if figure.low is None or figure.high is None:
        return percent(figure.value)
    return f"{percent(figure.value)}  (95 %: {figure.low:.1%} to {figure.high:.1%})"


def percent(share: float | None) -> str:
    """Format a share; a dash for None."""
    return "     -" if share is None else f"{share:6.1%}"


def write(
    measured: BaselineResult,
    texts: Sequence[Sequence[Completion]],
    folder: Path,
    config: Config,
) -> None:
    """Write `completions.jsonl`, a record for each completion, and `report.txt`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "completions.jsonl").open("w", encoding="utf-8") as stream:
        for group, made in zip(measured.groups, texts, strict=True):
            for breakdown, completion in zip(group, made, strict=True):
                row = {"completion": completion.text, **breakdown_to_dict(breakdown)}
                stream.write(json.dumps(row) + "\n")
    text = "\n".join(report(measured, config.baseline.k)) + "\n"
    (folder / "report.txt").write_text(text, encoding="utf-8")
