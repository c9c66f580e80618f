"""The model card of a run: its settings and measured results.

It replaces TRL's template, whose example asks the model about time machines.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..config.checks import is_file_name
from ..config.reading import Loaded
from ..config.table import values
from ..config.value import Config
from ..data.selection_report import Problems
from ..health.watch import BEST_METRIC, VALIDATION_METRIC

NAME: Final = "README.md"
SHOWN: Final = (
    "grpo.num_generations",
    "grpo.temperature",
    "grpo.learning_rate",
    "grpo.beta",
    "grpo.loss_type",
    "grpo.seed",
    "lora.enabled",
    "lora.r",
    "reward.selection",
    "prompt.few_shot",
)
"""The settings shown in the card; `config.json` has all."""


def write_cards(trainer: Any, loaded: Loaded, problems: Problems, *, scheme: str) -> None:
    """Make a trainer write our card instead of its template, with each checkpoint.

    Args:
        trainer: A trainer of TRL.
        loaded: The run's configuration.
        problems: The problems for training and validation.
        scheme: The reward scheme, with its digest.
    """

    def write(*_: Any, **__: Any) -> None:
        if trainer.is_world_process_zero():
            text = card(loaded.config, problems, trainer.state.log_history, scheme=scheme)
            (Path(trainer.args.output_dir) / NAME).write_text(text, encoding="utf-8")

    trainer.create_model_card = write


def card(
    config: Config,
    problems: Problems,
    history: Sequence[Mapping[str, Any]],
    *,
    scheme: str,
) -> str:
    """Return the card.

    Args:
        config: The run's configuration.
        problems: The problems for training and validation.
        history: What the trainer has logged so far.
        scheme: The reward scheme, with its digest.

    Returns:
        Markdown, with the metadata that the hub reads.
    """
    done = (
        f"{_base(config)} after {_updates(history)} updates of {config.reward.algorithm.upper()}."
        f" Completions were rewarded by `ocaml-reward` with the scheme {scheme}: structure, types, compiling"
        " and hidden tests, run in a jail."
    )
    sizes = (
        f"Problems of {_source(config)}: {len(problems.training)} to learn from,"
        f" {len(problems.validation)} held out."
    )
    unknown = (
        "Nothing else was measured: neither other tasks nor whether what it writes is safe to run."
    )
    settings = values(config)
    lines = [
        *("---", *_head(config), "---", ""),
        *("# OCaml, trained with a graduated reward", "", done, "", sizes, ""),
        *(
            "## Measured on the problems held out",
            "",
            *_measured(history),
            "",
            unknown,
            "",
        ),
        *("## Settings", "", "| setting | value |", "|---|---|"),
        *(f"| `{key}` | {json.dumps(settings[key])} |" for key in SHOWN),
    ]
    return "\n".join(lines) + "\n"


def _head(config: Config) -> Iterator[str]:
    """Yield the lines of the card's metadata."""
    if not Path(config.model.id).exists() and config.model.id != "random":
        yield f"base_model: {json.dumps(config.model.id)}"
    yield f"library_name: {'peft' if config.lora.enabled else 'transformers'}"
    if "/" in config.dataset.source and not is_file_name(config.dataset.source):
        yield f"datasets: [{json.dumps(config.dataset.source)}]"
    yield "tags: [ocaml, grpo, trl, ocaml-reward]"


def _base(config: Config) -> str:
    """Return the name of the model that was trained, for the card."""
    # A local path would only describe this machine.
    if Path(config.model.id).exists():
        return f"A model of a local folder ({Path(config.model.id).name})"
    return "A random model" if config.model.id == "random" else f"`{config.model.id}`"


def _source(config: Config) -> str:
    """Return the name of the data set, for the card."""
    source = config.dataset.source
    return f"`{Path(source).name if is_file_name(source) else source}`"


def _updates(history: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of updates of a run."""
    return max((each.get("step", 0) for each in history), default=0)


def _measured(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the table of what the evaluations measured."""
    found = [each for each in history if _known(each.get(BEST_METRIC))]
    if not found:
        yield "Nothing was."
        return
    best = max(found, key=lambda each: each[BEST_METRIC])
    yield "| after update | pass@1 | reward | |"
    yield "|---|---|---|---|"
    rows: list[tuple[Mapping[str, Any], str]] = [(found[0], "first")]
    rows += [(best, "best")] if best not in (found[0], found[-1]) else []
    rows += [(found[-1], "last")] if found[-1] is not found[0] else []
    for each, what in rows:
        reward = each.get(VALIDATION_METRIC)
        shown = f"{reward:.3f}" if _known(reward) else "-"
        yield f"| {each['step']} | {each[BEST_METRIC]:.3f} | {shown} | {what} |"


def _known(value: Any) -> bool:
    """Tell whether a value is a finite number."""
    return isinstance(value, int | float) and math.isfinite(value)
