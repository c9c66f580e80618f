"""Settings about problems and prompts."""

from __future__ import annotations

from dataclasses import dataclass

from .declaring import setting


@dataclass(frozen=True, kw_only=True, slots=True)
class DatasetConfig:
    """Settings about the problems and their selection."""

    source: str = setting(
        "kiranpg/ocaml-training-problems",
        "hub id, or a JSONL, JSON, CSV, TSV or parquet file; generated are the shipped few",
        env="TRAINING_DATASET",
    )
    name: str | None = setting(None, "configuration of a hub data set")
    split: str = setting("train", "split of a hub data set")
    validation: str | None = setting(
        None, "file or hub split of validation problems; without it some are held out"
    )
    validation_size: int = setting(
        64, "problems held out for validation, at most a fifth of them", low=0
    )
    difficulty: tuple[str, ...] = setting(
        (), "keep these difficulties only; empty keeps all"
    )
    difficulty_column: str = setting("difficulty", "column that names the difficulty")
    max_solution: int | None = setting(
        None, "longest reference solution, in tokens", low=1
    )
    check_references: bool = setting(
        default=True, meaning="leave out problems whose tests their own reference fails"
    )
    limit: int | None = setting(None, "use only the first problems", low=1)
    seed: int = setting(0, "seed of the split", low=0)
    order: str = setting(
        "shuffled",
        "order of training: by chance, the file's, or by difficulty",
        choices=("shuffled", "given", "easy_first"),
    )
    settled_share: float = setting(
        1.0,
        "how often problems are drawn that all completions solve, or none, against others",
        low=0,
        high=1,
    )
    settled_after: int = setting(
        2, "draws in a row with one outcome that settle a problem", low=1
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptConfig:
    """Settings about prompts."""

    style: str = setting(
        "auto",
        "chat messages or plain text; auto is chat where the tokenizer has a template",
        choices=("auto", "chat", "text"),
    )
    template: str | None = setting(
        None, "file with the template; without it the one that ships"
    )
    system: str | None = setting(None, "system message; without it the shipped one")
    few_shot: int = setting(1, "worked examples put before the problem", low=0)
    examples: str | None = setting(
        None, "file of problems with references to take examples from"
    )
