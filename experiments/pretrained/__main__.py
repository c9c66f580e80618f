"""`make learn-pretrained`: a pretrained model that was warmed up on references, then every reward from
the same base on the same problems, measured on new problems of their families and of others.

    python -m experiments.pretrained --plan                       how long it takes here
    python -m experiments.pretrained --at-once 8 --seconds 420    as registered.md has it, on a GPU
    python -m experiments.pretrained --warm                       makes the base's adapter anew

Everything is kept in --out as it comes, so that the same command goes on where it was cut off.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from experiments.learn import stay_offline
from experiments.learn.rejection import REJECTION, SELECTED

from .model import ADAPTER, MEASURED, based, made
from .problems import Files, files

ROOT: Final = Path(__file__).parents[2]
PROMPT: Final = Path(__file__).parent / "prompt.txt"
GROUP: Final = 8
"""Completions of a problem, in training and when measured."""
ROWS: Final = 16
"""References of a supervised step; of completions a group is trained on at a time, so that eight
trainings fit one GPU.
"""
LOOK_S: Final = 15.0
"""Seconds between two reports while trainings run."""
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
PASSES: Final = (
    "reward.scheme=seed",
    f"reward.overrides={PASS_OR_FAIL}",
    "reward.preflight=false",
)
SEQUENCE: Final = ("reward.credit=sequence", "grpo.scale_rewards=group")
ARMS: Final[dict[str, tuple[str, ...]]] = {
    "pass or fail": (*PASSES, *SEQUENCE),
    # The trainer's own defaults.
    "located": (),
    REJECTION: (*PASSES, *SEQUENCE, SELECTED),
    "random reward": (*PASSES, *SEQUENCE),
    "graduated": ("reward.scheme=seed", *SEQUENCE),
    "located at random": (),
}
REGISTERED: Final = tuple(ARMS)[:4]
"""Those of registered.md, which are run unless others are asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One training: an arm with a seed, in a folder of its own."""

    arm: str
    seed: int
    folder: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Speed:
    """What this machine takes: seconds to sample a token of one completion among many, and to
    train on one.
    """

    sampling: float
    training: float


def main() -> None:
    """Do what is missing, and write the report while the trainings run."""
    options = arguments()
    stay_offline()
    model = made(options.out)
    if options.plan:
        say(plan(options, speed(model, options)))
        return
    if options.warm:
        warmed_up(model, options)
        return
    try:
        base = based(model, options.out / "base")
    except FileNotFoundError as error:
        sys.exit(str(error))
    runs = [
        Run(arm=arm, seed=seed, folder=options.out / f"seed{seed}" / slug(arm))
        for seed in range(options.seeds)
        for arm in options.arms
    ]
    failed = trained(base, runs, options)
    say((options.out / "report.md").read_text(encoding="utf-8"))
    if failed:
        names = ", ".join(f"{each.arm}, seed {each.seed}" for each in failed)
        sys.exit(f"not to the end: {names}; see log.txt in their folders")


def warmed_up(model: Path, options: argparse.Namespace) -> None:
    """Have the model learn from references until it passes a little."""
    found = files(options.out, 0, measured=options.measured, others=options.others)
    adapter = options.out / "adapter"
    settings = [
        f"model.id={model}",
        f"dataset.source={found.references}",
        f"dataset.validation={found.measured}",
        f"grpo.output_dir={adapter}",
        f"sft.max_steps={options.warm_steps}",
        "sft.per_device_train_batch_size=4",
        "sft.learning_rate=1e-3",
        "sft.warmup_steps=10",
        f"reward.jobs={os.cpu_count() or 1}",
        *common(options),
        "lora.enabled=true",
        "lora.r=8",
        "lora.alpha=16",
        "lora.dropout=0",
    ]
    module = [sys.executable, "-m", "experiments.pretrained.warming"]
    subprocess.run([*module, str(options.warm_every), *settings], cwd=ROOT, check=True)
    say(f"runs take the adapter, its configuration and {MEASURED} from {ADAPTER}: copy {adapter}")


def trained(base: Path, runs: list[Run], options: argparse.Namespace) -> list[Run]:
    """Do the runs that are not done, so many at once; return those that failed."""
    from .result import write_report  # noqa: PLC0415 (a plan needs no trainer)

    left = [each for each in runs if not (each.folder / "final").is_dir()]
    going: dict[Run, subprocess.Popen[bytes]] = {}
    failed: list[Run] = []
    looked = time.monotonic()
    ends = looked + (options.seconds or float("inf"))
    while left or going:
        if time.monotonic() > ends:
            # Each saves what it has, and says with which step it ended.
            for process in going.values():
                process.terminate()
            left, ends = [], float("inf")
        while left and len(going) < options.at_once:
            run = left.pop(0)
            going[run] = started(base, run, options)
            say(f"{run.arm}, seed {run.seed}: begun")
        time.sleep(0.5)
        for run in [each for each in going if going[each].poll() is not None]:
            code = going.pop(run).returncode
            failed += [run] if code else []
            say(f"{run.arm}, seed {run.seed}: " + (f"exit {code}" if code else "done"))
            looked = 0.0
        if time.monotonic() - looked > LOOK_S:
            looked = time.monotonic()
            write_report(options.out, runs)
    write_report(options.out, runs)
    return failed


def started(base: Path, run: Run, options: argparse.Namespace) -> subprocess.Popen[bytes]:
    """Begin a training, or go on with it; what it prints goes to `log.txt` in its folder."""
    # Beside what is shared out a process takes half a gigabyte of the GPU's memory.
    share = f"--share={0.92 / options.at_once:.3f}"
    found = files(options.out, run.seed, measured=options.measured, others=options.others)
    settings = settings_of(base, run, found, options)
    run.folder.mkdir(parents=True, exist_ok=True)
    threads = max(1, (os.cpu_count() or 1) // options.at_once)
    with (run.folder / "log.txt").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "experiments.pretrained.arm", share, run.arm, *settings],
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": str(threads)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def settings_of(base: Path, run: Run, found: Files, options: argparse.Namespace) -> list[str]:
    """Give the settings of a run."""
    return [
        f"model.id={base}",
        f"dataset.source={found.training}",
        f"dataset.validation={found.measured}",
        f"grpo.output_dir={run.folder}",
        f"grpo.seed={run.seed}",
        f"grpo.max_steps={options.steps}",
        f"grpo.per_device_train_batch_size={GROUP}",
        f"grpo.gradient_accumulation_steps={options.problems}",
        f"grpo.generation_batch_size={options.problems * GROUP}",
        f"grpo.num_generations={GROUP}",
        f"grpo.num_generations_eval={GROUP}",
        f"grpo.eval_steps={options.every}",
        f"grpo.save_steps={options.save_every}",
        "grpo.save_total_limit=1",
        f"grpo.learning_rate={options.rate:g}",
        "grpo.lr_scheduler_type=constant_with_warmup",
        "grpo.warmup_steps=5",
        "grpo.temperature=1.0",
        "grpo.top_p=1.0",
        "grpo.beta=0.0",
        f"reward.jobs={options.jobs}",
        # Of each run as much as of any other, whatever it comes to.
        "reward.patience=none",
        "grpo.extra.eval_on_start=true",
        *ARMS[run.arm],
        *common(options),
    ]


def common(options: argparse.Namespace) -> tuple[str, ...]:
    """Give what all trainings have in common."""
    return (
        f"model.cpu={'false' if options.gpu else 'true'}",
        # All weights of 32 bits are trained, as they are sampled from.
        "model.dtype=float32",
        "lora.enabled=false",
        "prompt.style=text",
        "prompt.few_shot=0",
        f"prompt.template={PROMPT}",
        "dataset.check_references=false",
        "grpo.max_prompt_length=256",
        f"grpo.max_completion_length={options.longest}",
        "grpo.gradient_checkpointing=false",
    )


def speed(model: Path, options: argparse.Namespace) -> Speed:
    """Time a few tokens, sampled and trained on, or read what was timed before."""
    path = options.out / f"speed-{'gpu' if options.gpu else 'cpu'}.json"
    if path.is_file():
        return Speed(**json.loads(path.read_text(encoding="utf-8")))
    import torch  # noqa: PLC0415 (what only lists options needs no torch)
    from transformers import AutoModelForCausalLM  # noqa: PLC0415

    from .decoding import Decoders  # noqa: PLC0415

    device = "cuda" if options.gpu else "cpu"
    loaded = AutoModelForCausalLM.from_pretrained(model).to(device)
    ids = torch.randint(10, 1000, (ROWS, 32), device=device)
    decoders = Decoders(loaded, width=32, longest=16, ends=(), pad=0)

    def timed(work: Any) -> float:
        work()
        began = time.perf_counter()
        work()
        if options.gpu:
            torch.cuda.synchronize()
        return time.perf_counter() - began

    def learn() -> None:
        loaded(input_ids=ids, labels=ids).loss.backward()

    sampling = timed(lambda: decoders.sample(ids.tolist(), temperature=1.0))
    found = Speed(
        # A hundred completions at a time take as long as a few on a GPU.
        sampling=sampling / (16 * (64 if options.gpu else ROWS)),
        training=timed(learn) / (ROWS * 32),
    )
    path.write_text(json.dumps(asdict(found)) + "\n", encoding="utf-8")
    return found


ASKED: Final = 150
"""Tokens of a prompt, of a family that is trained on, on average."""


def plan(options: argparse.Namespace, found: Speed) -> str:
    """Say how long all of it takes on this machine, from what a few tokens take."""
    rows = options.problems * GROUP
    # Probabilities are computed once more, without a gradient, when a batch is scored.
    step = rows * options.longest * found.sampling
    step += rows * (ASKED + options.longest) * found.training * 4 / 3
    measuring = (options.measured + options.others) * GROUP * options.longest * found.sampling
    run = options.steps * step + (options.steps // options.every + 1) * measuring
    runs = options.seeds * len(options.arms)
    return (
        f"a step takes some {step:.1f} s, a run {run / 60:.0f} min; {runs} runs one after the other"
        f" some {runs * run / 3600:.1f} h. All of it goes on where it is cut off."
    )


def slug(name: str) -> str:
    """Give a name as a folder has it."""
    return name.replace(" ", "-")


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def numbers() -> Iterator[tuple[str, int, str]]:
    """Yield the options that take a number, with what they are if nobody says."""
    yield "--seeds", 2, "how many seeds: problems, order and sampling"
    yield "--steps", 120, "of each training at most"
    yield "--seconds", 0, "after which all trainings are stopped and compared as far as they came"
    yield "--problems", 4, "of each step, with 8 completions each"
    yield "--longest", 112, "tokens that a completion may have"
    yield "--every", 20, "steps between measurements"
    yield "--save-every", 1000, "steps between checkpoints, each of 1.6 GB"
    yield "--measured", 24, "problems of the trained families that are measured on, 8 tries each"
    yield "--others", 8, "problems of other families, as many tries"
    yield "--warm-steps", 400, "supervised steps at most, of 4 references each"
    yield "--warm-every", 10, "of them between measurements"
    yield "--at-once", 1, "trainings that run at the same time"
    yield "--jobs", 2, "completions that a training grades at the same time"


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.pretrained", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--plan", action="store_true", help="only say how long it takes")
    parser.add_argument("--warm", action="store_true", help="only make the base's adapter anew")
    for flag, default, meaning in numbers():
        parser.add_argument(flag, type=int, default=default, help=f"{meaning}; {default}")
    parser.add_argument("--rate", type=float, default=3e-5, help="learning rate; 3e-5")
    parser.add_argument(
        "--arms", nargs="+", choices=tuple(ARMS), default=REGISTERED, metavar="ARM",
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
