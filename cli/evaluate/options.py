"""Options for generating completions."""

from __future__ import annotations

from typing import Final

import click

from ..terminal.groups import combined

sampling_options: Final = combined(
    click.option(
        "-n",
        "--samples",
        type=click.IntRange(min=1),
        default=10,
        show_default=True,
        help="Completions of each problem.",
    ),
    click.option(
        "--k",
        "ks",
        type=click.IntRange(min=1),
        multiple=True,
        help="Show pass@k; repeatable.  [default: 1, 5, 10 and 100 up to --samples, and that]",
    ),
    click.option(
        "--temperature",
        type=click.FloatRange(min=0),
        default=0.9,
        show_default=True,
        help="Sampling temperature, as in training; 0 takes the likeliest token.",
    ),
    click.option(
        "--top-p",
        type=click.FloatRange(min=0, max=1, min_open=True),
        default=0.95,
        show_default=True,
        help="Nucleus sampling, as in training.",
    ),
    click.option(
        "--max-tokens",
        type=click.IntRange(min=1),
        default=512,
        show_default=True,
        help="Longest completion, as in training.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of sampling."),
)

prompt_options: Final = combined(
    click.option(
        "--style",
        type=click.Choice(("auto", "chat", "text")),
        default="auto",
        show_default=True,
        help="How problems are put: auto is chat messages where the tokenizer has a template,"
        " and to a server.",
    ),
    click.option(
        "--few-shot",
        type=click.IntRange(min=0),
        default=1,
        show_default=True,
        help="Worked examples put before each problem, as in training.",
    ),
    click.option(
        "--examples",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False),
        help="Problems with references to take the examples from.",
    ),
    click.option(
        "--template",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False),
        help="A prompt with $problem and $end in it, in place of the one that ships.",
    ),
    click.option("--system", metavar="TEXT", help="The system message."),
    click.option(
        "--batch",
        type=click.IntRange(min=1),
        default=4,
        show_default=True,
        help="Problems that a model loaded here works on at a time.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(min=1),
        default=16,
        show_default=True,
        help="Requests that a server gets at a time.",
    ),
    click.option(
        "--timeout",
        "timeout_s",
        metavar="SECONDS",
        type=click.FloatRange(min=1),
        default=600.0,
        show_default=True,
        help="How long one request may take.",
    ),
)
