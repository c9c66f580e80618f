"""The command `evaluate`: scores a model's completions for problems, with intervals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from ocaml_reward import FeedbackLevel, InputError, Problem
from ocaml_reward.comparing import Figure
from ocaml_reward.formats import load_problems, write_whole
from ocaml_reward.repair import Repair
from ocaml_reward.scheme import load

from ..score.command import score
from ..score.records import read_records
from ..terminal.exit_codes import STOPPED
from ..terminal.options import engine_options, jobs_option, scheme_options
from .figures import difference, earlier_counts, evaluation_figures, pass_by_turn, show
from .folder import EvaluationFolder
from .generation import generate_missing, generation_job, job_settings
from .options import prompt_options, sampling_options
from .training import held_out, options_of_training
from .turns import run_turns

SIZES: Final = (1, 5, 10, 100)
"""The sizes k of pass@k, if there are as many completions."""


@click.command()
@click.argument("problems_name", metavar="PROBLEMS")
@click.option(
    "-o",
    "--output",
    "output_name",
    metavar="FOLDER",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where completions, records and report go.",
)
@click.option(
    "--model",
    metavar="FOLDER|ID",
    default="",
    help="A model for transformers, an adapter too; with --url the server's name of it."
    "  [default: the server's first]",
)
@click.option(
    "--url",
    metavar="URL",
    default="",
    help="A server that speaks OpenAI's protocol, such as http://localhost:8000/v1;"
    " OPENAI_API_KEY is what it is shown.",
)
@click.option(
    "--held-out",
    "run_folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Only the problems that the training in FOLDER kept for validation, put and graded as"
    " there: its scheme, prompts, examples and completion length, unless an option says otherwise.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N problems.")
@click.option(
    "--against",
    "before",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="An earlier evaluation: say how much more passes now, problem by problem.",
)
@sampling_options
@prompt_options
@click.option(
    "--turns",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Tries of each completion: what does not pass is told about, and tried again.",
)
@click.option(
    "--feedback",
    "level",
    type=click.Choice([each.value for each in FeedbackLevel]),
    default=FeedbackLevel.LOCATED.value,
    show_default=True,
    help="How much is told between turns: a sentence; ocamlc's errors; where the mistake is"
    " likeliest, and which tests fail; the problem's public tests.",
)
@scheme_options
@engine_options
@jobs_option
@click.option("--resume", is_flag=True, help="Go on with the evaluation in FOLDER after a stop.")
@click.option("--overwrite", is_flag=True, help="Replace the evaluation in FOLDER.")
@click.pass_context
def evaluate(
    ctx: click.Context,
    /,
    *,
    problems_name: str,
    output_name: Path,
    ks: tuple[int, ...],
    run_folder: Path | None,
    limit: int | None,
    scheme_name: str,
    overrides: tuple[str, ...],
    engine_name: str,
    sandbox: str,
    jobs: int | None,
    resume: bool,
    overwrite: bool,
    before: Path | None,
    turns: int,
    level: str,
    **options: Any,
) -> None:
    """Measure a model: its completions for problems, scored, with intervals.

    PROBLEMS is a file of problems, as for score. The model is loaded here, or asked of a
    server, such as vLLM's:

    \b
        ocaml-reward evaluate problems.jsonl --model runs/first/final -o before
        ocaml-reward evaluate problems.jsonl --url http://localhost:8000/v1 -o before

    FOLDER gets completions.jsonl, which score reads, records.jsonl, which are score's,
    and report.json. pass@k is the unbiased estimate of Chen et al. (2021); the intervals
    are of 95 %, by drawing the problems anew. With --against a model is held against an
    earlier one, or itself before a training. With --turns a model of chats is told what is
    wrong, and the last of its tries counts.
    """
    if resume and overwrite:
        raise click.UsageError("--resume and --overwrite exclude each other")
    if run_folder is not None:
        found = options_of_training(ctx, run_folder)
        scheme_name = found.pop("scheme_name", scheme_name)
        overrides = (*found.pop("overrides", ()), *overrides)
        options |= found
    samples: int = options["samples"]
    rules = Repair(turns=turns, level=FeedbackLevel(level))
    refuse_contradictions(options, turns=turns, ks=ks)
    scheme = load(scheme_name, overrides)
    earlier = None if before is None else earlier_counts(before, scheme.label)
    problems = select_problems(Path(problems_name), run_folder, limit)
    job = generation_job(options, problems, end=scheme.end_marker or "")
    with EvaluationFolder(output_name) as folder:
        settings = job_settings(job)
        if turns > 1:
            settings |= {"turns": turns, "feedback": level}
        folder.begin(settings, resume=resume, overwrite=overwrite)
        if turns == 1:
            generate_missing(ctx, folder, job)
        else:
            run_turns(
                ctx,
                folder,
                job,
                problems,
                rules,
                scheme=scheme,
                resume=resume,
                engine=engine_name,
                sandbox=sandbox,
                jobs=jobs,
            )
        code = grade(
            ctx,
            folder,
            problems_name=problems_name,
            scheme_name=scheme_name,
            overrides=overrides,
            engine_name=engine_name,
            sandbox=sandbox,
            jobs=jobs,
        )
        size = folder.records.stat().st_size
        graded = [each.breakdown for each in read_records(folder.records, size=size)]
        sizes = ks or sorted({*(k for k in SIZES if k <= samples), samples})
        figures = evaluation_figures(graded, ks=sizes)
        record = {"schema": 1, "scheme": scheme.label, "model": folder.model}
        record |= {"url": job["url"], **figures.to_dict()}
        by_turn: list[Figure] = []
        if turns > 1:
            came = [row["turn"] for row in folder.rows()]
            by_turn = pass_by_turn(graded, came, most=turns)
            record["pass_at_1_by_turn"] = [asdict(each) for each in by_turn]
        change = None if earlier is None else difference(earlier, output_name)
        if before is not None and change is not None:
            record["against"] = {"folder": before.name, **change.to_dict()}
        write_whole(folder.report, [json.dumps(record, indent=2), "\n"])
        show(figures, change, by_turn)
    ctx.exit(code)


def refuse_contradictions(options: Mapping[str, Any], *, turns: int, ks: Sequence[int]) -> None:
    """Raise UsageError for options of generation that exclude each other."""
    samples = options["samples"]
    if turns > 1 and options["style"] == "text":
        raise click.UsageError("--turns needs chat messages, not --style text")
    if not (options["model"] or options["url"]):
        raise click.UsageError("--model or --url says what is evaluated")
    if options["temperature"] == 0 and samples > 1:
        raise click.UsageError("--temperature 0 is the same each time: take --samples 1")
    if ks and max(ks) > samples:
        raise click.UsageError(f"--k {max(ks)} needs as many --samples, not {samples}")


def select_problems(path: Path, run_folder: Path | None, limit: int | None) -> list[Problem]:
    """Read the problems to evaluate on; raises InputError if there are none."""
    problems = list(load_problems(path).problems.values())
    if run_folder is not None:
        names = held_out(run_folder)
        problems = [each for each in problems if each.id in names]
    problems = problems[:limit]
    if not problems:
        raise InputError(f"nothing to evaluate on in {path}")
    for each in problems:
        if not each.prompt.strip():
            raise InputError(f"{path}: problem {each.id!r} has no prompt")
    return problems


def grade(ctx: click.Context, folder: EvaluationFolder, *, problems_name: str, **how: Any) -> int:
    """Score the completions as `score` does, and return its exit code."""
    try:
        ctx.invoke(
            score,
            completions=str(folder.completions),
            problems_name=problems_name,
            output_name=str(folder.records),
            resume=True,
            **how,
        )
    except click.exceptions.Exit as left:
        if left.exit_code > STOPPED:
            raise
        return left.exit_code
    return 0
