"""
`make learn-pretrained`: a pretrained model, warmed up on references, then every reward from the
same base on the same problems, measured on problems of families that none was trained on.

    python -m experiments.pretrained --plan          how long it takes here
    python -m experiments.pretrained --seeds 3 --steps 80 --problems 8 --longest 200   (a GPU)

Everything is kept in --out as it comes, so that the same command goes on where it was cut off.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from experiments.learn import stay_offline

from .model import made
from .problems import HELD_OUT, TRAINED, written

ROOT: Final = Path(__file__).parents[2]
PROMPT: Final = Path(__file__).parent / "prompt.txt"
GROUP: Final = 8
"""
Completions of a problem, in training and when measured.
"""
SOME, NONE = "some success", "next to no success"
LEAST: Final = {SOME: 0.02, NONE: 0.0}
MOST: Final = {SOME: 0.10, NONE: 0.005}
"""
What pass@1 a base of each kind has on the held-out problems.
"""
PASS_OR_FAIL: Final = ",".join(
    f"available.{part}={share}"
    for part, share in {
        "structural": 0,
        "type": 0,
        "compile": 0,
        "tests": 0,
        "solved": 1,
    }.items()
)
SEQUENCE: Final = ("reward.credit=sequence", "grpo.scale_rewards=group")
ARMS: Final[dict[str, tuple[str, ...]]] = {
    "pass or fail": (
        "reward.scheme=seed",
        f"reward.overrides={PASS_OR_FAIL}",
        "reward.preflight=false",
        *SEQUENCE,
    ),
    "graduated": ("reward.scheme=seed", *SEQUENCE),
    # The trainer's own defaults.
    "located": (),
    "located at random": (),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Speed:
    """
    What this machine takes: seconds to sample a token of one completion among many, and to
    train on one.
    """

    sampling: float
    training: float


def main() -> None:
    """
    Do what is missing, and write the report after each run.
    """
    options = arguments()
    stay_offline()
    model = made(options.out)
    say(plan(options, speed(model, options)))
    if options.plan:
        return
    from .result import report, result_of  # noqa: PLC0415 (a plan needs no trainer)

    bases = warmed_up(model, options)
    results = []
    # Where something passes there is more to see, should the run be cut off.
    for start in (each for each in (SOME, NONE) if each in bases):
        base = bases[start]
        for seed in range(options.seeds):
            for arm in options.arms:
                folder = (
                    options.out / start.replace(" ", "-") / f"seed{seed}" / slug(arm)
                )
                train(base, folder, arm, seed, options)
                results.append(result_of(folder, start=start, arm=arm, seed=seed))
                text = report(results)
                (options.out / "report.md").write_text(text, encoding="utf-8")
                record = json.dumps(results, indent=1)
                (options.out / "results.json").write_text(record, encoding="utf-8")
        samples(base, start, options)
    say((options.out / "report.md").read_text(encoding="utf-8"))


def warmed_up(model: Path, options: argparse.Namespace) -> dict[str, Path]:
    """
    Give the model references to learn from, helping by helping, and choose the bases: the
    last that passes next to nothing, and the first that passes enough.
    """
    measured_on = written(
        options.out / "base.jsonl", HELD_OUT, count=options.held_out, seed=1
    )
    references = written(options.out / "sft.jsonl", TRAINED, count=600, seed=0)
    bases: dict[str, Path] = {}
    for number in range(options.helpings + 1):
        passed = pass_at_1(model, measured_on, options.out / f"base{number}", options)
        say(f"base {number}: pass@1 {passed:.4f} on held-out families")
        for start in (NONE, SOME):
            if LEAST[start] <= passed <= MOST[start]:
                # Of those that pass next to nothing the last, which knows most.
                bases[start] = model
        if passed >= LEAST[SOME] or number == options.helpings:
            break
        folder = options.out / f"warm{number + 1}"
        if not (folder / "sft" / "config.json").is_file():
            command(
                *("train", "--sft", "--overwrite"),
                *sets(
                    f"model.id={model}",
                    f"dataset.source={references}",
                    "dataset.validation_size=0",
                    f"grpo.output_dir={folder}",
                    f"sft.max_steps={options.helping}",
                    "sft.batch_size=8",
                    "sft.grad_accum_steps=1",
                    "sft.learning_rate=3e-4",
                    f"grpo.seed={number}",
                    *common(options),
                ),
            )
        model = folder / "sft"
    if SOME not in bases:
        say(f"no base passes {LEAST[SOME]:.0%}: more --helpings, or smaller ones?")
    return bases


def train(
    base: Path, folder: Path, arm: str, seed: int, options: argparse.Namespace
) -> None:
    """
    Train from a base, or go on, or do nothing where that is done.
    """
    if (folder / "final").is_dir():
        return
    began = time.perf_counter()
    training = written(
        options.out / f"train{seed}.jsonl", TRAINED, count=400, seed=100 + seed
    )
    measured_on = written(
        options.out / f"held-out{seed}.jsonl",
        HELD_OUT,
        count=options.held_out,
        seed=100 + seed,
    )
    flags = ["--at-random"] if arm == "located at random" else []
    settings = [
        f"model.id={base}",
        f"dataset.source={training}",
        f"dataset.validation={measured_on}",
        f"grpo.output_dir={folder}",
        f"grpo.seed={seed}",
        f"grpo.max_steps={options.steps}",
        f"grpo.batch_size={options.problems * GROUP if options.gpu else GROUP}",
        f"grpo.grad_accum_steps={1 if options.gpu else options.problems}",
        f"grpo.generation_batch_size={options.problems * GROUP}",
        f"grpo.num_generations={GROUP}",
        f"grpo.eval_generations={GROUP}",
        f"grpo.eval_steps={options.every}",
        f"grpo.save_steps={options.every}",
        "grpo.save_total_limit=1",
        f"grpo.max_completion={options.longest}",
        f"grpo.learning_rate={options.rate:g}",
        "grpo.scheduler=constant_with_warmup",
        "grpo.warmup_steps=5",
        "grpo.temperature=1.0",
        "grpo.top_p=1.0",
        "grpo.beta=0.0",
        # Of each run as much as of any other, whatever it comes to.
        "reward.patience=none",
        "grpo.extra.eval_on_start=true",
        *ARMS[arm],
        *common(options),
    ]
    if options.gpu and importlib.util.find_spec("vllm"):
        settings.append("vllm.enabled=true")
    run = [sys.executable, "-m", "experiments.pretrained.arm", *flags, *settings]
    subprocess.run(run, cwd=ROOT, check=True)
    say(f"{arm}, seed {seed}: {time.perf_counter() - began:.0f} s")


def common(options: argparse.Namespace) -> tuple[str, ...]:
    """
    Give what all trainings have in common.
    """
    return (
        f"model.cpu={'false' if options.gpu else 'true'}",
        "prompt.style=text",
        "prompt.few_shot=0",
        f"prompt.template={PROMPT}",
        "dataset.check_references=false",
        "grpo.gradient_checkpointing=false",
    )


def pass_at_1(
    model: Path, problems: Path, folder: Path, options: argparse.Namespace
) -> float:
    """
    Measure a model, unless the folder has it.
    """
    path = folder / "report.json"
    if not path.is_file():
        evaluate(model, problems, folder, options, samples=GROUP)
    found = json.loads(path.read_text(encoding="utf-8"))
    return float(found["pass_at"]["1"]["value"])


def samples(base: Path, start: str, options: argparse.Namespace) -> None:
    """
    Keep what is written for the first three held-out problems, before and after.
    """
    held_out = options.out / "held-out0.jsonl"
    for arm in (None, *options.arms):
        run = options.out / start.replace(" ", "-") / "seed0" / slug(arm or "before")
        folder = run / "samples"
        model = run / "final" if arm else base
        if not (folder / "report.json").is_file():
            evaluate(model, held_out, folder, options, "--limit", "3", samples=1)


def evaluate(
    model: Path,
    problems: Path,
    folder: Path,
    options: argparse.Namespace,
    *more: str,
    samples: int,
) -> None:
    """
    Measure a model with the command that users have.
    """
    command(
        *("evaluate", problems, "--model", model, "--output", folder),
        *("--samples", samples, "--k", "1", "--style", "text", "--few-shot", "0"),
        *("--template", PROMPT, "--max-tokens", options.longest, "--batch", "8"),
        *("--temperature", "1", "--top-p", "1", "--resume", *more),
    )


def speed(model: Path, options: argparse.Namespace) -> Speed:
    """
    Time a few tokens, sampled and trained on, or read what was timed before.
    """
    path = options.out / f"speed-{'gpu' if options.gpu else 'cpu'}.json"
    if path.is_file():
        return Speed(**json.loads(path.read_text(encoding="utf-8")))
    import torch  # noqa: PLC0415 (what only lists options needs no torch)
    from transformers import AutoModelForCausalLM  # noqa: PLC0415

    device = "cuda" if options.gpu else "cpu"
    loaded = AutoModelForCausalLM.from_pretrained(model).to(device)
    ids = torch.randint(10, 1000, (16, 32), device=device)

    def timed(work: Any) -> float:
        work()
        began = time.perf_counter()
        work()
        if options.gpu:
            torch.cuda.synchronize()
        return time.perf_counter() - began

    sampling = timed(
        lambda: loaded.generate(
            ids, attention_mask=torch.ones_like(ids), max_new_tokens=16,
            min_new_tokens=16, do_sample=True,
        )
    )  # fmt: skip

    def learn() -> None:
        loaded(input_ids=ids, labels=ids).loss.backward()

    training = timed(learn)
    # A hundred completions at a time take as long as a few on a GPU.
    found = Speed(
        sampling=sampling / (16 * (64 if options.gpu else 16)),
        training=training / (16 * 32),
    )
    path.write_text(json.dumps(asdict(found)) + "\n", encoding="utf-8")
    return found


ASKED: Final = 160
"""
Tokens of a prompt, of a family used here, on average.
"""


def plan(options: argparse.Namespace, found: Speed) -> str:
    """
    Say how long all of it takes on this machine, from what a few tokens take.
    """
    rows = options.problems * GROUP
    # Probabilities are computed once more, without a gradient, when a batch is scored.
    step = rows * options.longest * found.sampling
    step += rows * (ASKED + options.longest) * found.training * 4 / 3
    measuring = options.held_out * GROUP * options.longest * found.sampling
    run = options.steps * step + (options.steps // options.every + 1) * measuring
    helping = options.helping * 8 * (ASKED + 100) * found.training + measuring
    runs = 2 * options.seeds * len(options.arms)
    return (
        f"a step takes some {step:.1f} s, a run {run / 60:.0f} min, a helping of references"
        f" {helping / 60:.0f} min; {runs} runs from two bases some"
        f" {(runs * run + 4 * helping) / 3600:.1f} h. All of it goes on where it is cut off."
    )


def slug(name: str) -> str:
    """
    Give a name as a folder has it.
    """
    return name.replace(" ", "-")


def sets(*settings: str) -> list[str]:
    """
    Give settings as the command takes them.
    """
    return [part for each in settings for part in ("--set", each)]


def command(*words: object) -> None:
    """
    Run `ocaml-reward`.
    """
    program = Path(sys.executable).with_name("ocaml-reward")
    subprocess.run([program, *map(str, words)], cwd=ROOT, check=True)


def say(text: str) -> None:
    """
    Print at once.
    """
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def arguments() -> argparse.Namespace:
    """
    Read the command line.
    """
    parser = argparse.ArgumentParser(
        prog="python -m experiments.pretrained", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument(
        "--plan", action="store_true", help="only say how long it takes"
    )
    for flag, default, meaning in (
        ("--seeds", 2, "how many seeds: problems, order and sampling"),
        ("--steps", 40, "of each training"),
        ("--problems", 4, "of each step, with 8 completions each"),
        ("--longest", 96, "tokens that a completion may have"),
        ("--every", 10, "steps between measurements and checkpoints"),
        ("--held-out", 16, "problems that are measured on, with 8 completions each"),
        ("--helping", 50, "supervised steps, of 8 references each, between bases"),
        ("--helpings", 12, "so many of these at most"),
    ):
        parser.add_argument(
            flag, type=int, default=default, help=f"{meaning}; {default}"
        )
    parser.add_argument("--rate", type=float, default=1e-4, help="learning rate")
    parser.add_argument(
        "--arms", nargs="+", choices=tuple(ARMS), default=tuple(ARMS), metavar="ARM",
        help=f"rewards to train on: {', '.join(ARMS)}",
    )  # fmt: skip
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "build" / "pretrained",
        help="where everything is kept",
    )
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    options.gpu = _has_gpu()
    return options


def _has_gpu() -> bool:
    import torch  # noqa: PLC0415 (after the help)

    return bool(torch.cuda.is_available())


if __name__ == "__main__":
    main()
