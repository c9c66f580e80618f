"""`make learn`: base models, then every variant from each of them, then the report.

    python -m experiments.learn --seeds 3 --steps 80

Runs that are on disk are not repeated, so that a table can be completed later.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from . import stay_offline

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Train what is missing and write the report."""
    options = arguments()
    stay_offline()
    import torch  # noqa: PLC0415 (after the variables that it and its friends read)

    from .base import SIZES, make_base  # noqa: PLC0415
    from .families import ALL_STARTS, FAMILIES  # noqa: PLC0415
    from .report import write_report  # noqa: PLC0415
    from .run import train_one  # noqa: PLC0415
    from .teacher import make_reading_base  # noqa: PLC0415

    torch.set_num_threads(options.threads)
    results = []
    if unknown := {*(options.starts or ())} - ALL_STARTS.keys():
        sys.exit(f"no start {min(unknown)}: there are {', '.join(ALL_STARTS)}")
    for name in options.starts or ("common", "rare", "easy", "medium"):
        start = ALL_STARTS[name]
        if start.reads and options.size != "small":
            sys.exit(f"{name}: a base that reads has a size of its own: leave out --size")
        family = FAMILIES[start.family]
        # What a run is called by: small is what nobody has to say.
        called = name if options.size == "small" else f"{name}-{options.size}"
        first = start.first if options.first is None else options.first
        for seed in range(first, first + options.seeds):
            training, held_out = family.draw(seed, start.of_form, options.held_out)
            folder = options.out / called / f"seed{seed}"
            base = (
                make_reading_base(
                    folder / "base",
                    options.out / f"{name.partition('-')[0]}-reader",
                    training,
                    start,
                    seed=seed,
                )
                if start.reads
                else make_base(
                    folder / "base",
                    training,
                    mistakes=start.mistakes,
                    taught=start.taught,
                    seed=seed,
                    steps=options.base_steps,
                    size=SIZES[options.size],
                    cut_after=family.pieces,
                )
            )
            for variant in options.variants or start.variants:
                began = time.perf_counter()
                result = train_one(
                    base,
                    folder / variant.replace(" ", "-"),
                    training,
                    held_out,
                    variant=variant,
                    seed=seed,
                    steps=options.steps,
                    problems=start.problems,
                    longest=family.longest,
                    changes=[f"grpo.learning_rate={start.rate:g}", *options.set],
                )
                results.append({"start": called, **result})
                say(results[-1], seconds=time.perf_counter() - began)
                write_report(results, options.report, steps=options.steps)


def say(result: dict[str, Any], *, seconds: float) -> None:
    """Print what a run came to."""
    first, last = result["points"][0], result["points"][-1]
    sys.stdout.write(
        f"{result['start']}  seed {result['seed']}  {result['variant']:<13}"
        f" reward {first['reward']:.3f} -> {last['reward']:.3f}"
        f"  pass@1 {first['pass_at_1']:.3f} -> {last['pass_at_1']:.3f}"
        f"  {seconds:.0f} s\n"
    )
    sys.stdout.flush()


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m experiments.learn")
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds")
    parser.add_argument("--first", type=int, help="the first seed; the start's own")
    parser.add_argument("--steps", type=int, default=80, help="of each training")
    parser.add_argument("--base-steps", type=int, default=800, help="of each base")
    parser.add_argument(
        "--held-out",
        type=int,
        default=64,
        help="how many problems are measured on, by 8 samples each",
    )
    parser.add_argument("--threads", type=int, default=1, help="of the model's sums")
    for flag, meaning in {
        "--starts": "how common success is in the base: common, rare, none or unknowing; lists"
        " or lists-rare, of one function with branches; module or module-rare; rare-reading or"
        " none-reading, which read feedback, and rare-mended or none-mended, which mend by it; easy or medium,"
        " of generated problems;"
        " common, rare, easy and medium unless given",
        "--variants": "the rewards to train on; those of the start unless given",
    }.items():
        parser.add_argument(flag, nargs="*", metavar="NAME", help=meaning)
    parser.add_argument("--size", choices=("small", "large"), default="small", help="of the models")
    parser.add_argument(
        "--set",
        nargs="*",
        default=(),
        metavar="KEY=VALUE",
        help="settings of the trainer, such as grpo.learning_rate=1e-3; give such runs"
        " an --out of their own",
    )
    build = ROOT / "build" / "learn"
    parser.add_argument("--out", type=Path, default=build, help="where runs are kept")
    parser.add_argument("--report", type=Path, default=build, help="where tables go")
    return parser.parse_args()


if __name__ == "__main__":
    main()
