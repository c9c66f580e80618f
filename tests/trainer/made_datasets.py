"""Small data sets in files, and a run's problems loaded from them."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

from pyarrow import Table, parquet

from ocaml_reward import Grader
from ocaml_reward.testing import FakeEngine
from trainer_plugin.config.reading import load_config
from trainer_plugin.data.datasets import load_run_problems
from trainer_plugin.data.prompts import Prompt, prompting
from trainer_plugin.data.selection_report import Problems

Row = dict[str, Any]


def words(prompt: Prompt) -> int:
    """Count words, in place of a tokenizer's tokens."""
    text = prompt if isinstance(prompt, str) else json.dumps(prompt)
    return len(text.split())


def row(name: str, **fields: Any) -> Row:
    """Make a sound problem."""
    return {
        "id": name,
        "prompt": f"(* {name} is the identity *)\nlet {name} (x : int) : int =",
        "tests": f"assert ({name} 3 = 3);;",
        "solution": f"let {name} (x : int) : int = x",
        "difficulty": "easy",
    } | fields


def saved(folder: Path, rows: list[Row], name: str = "problems.jsonl") -> Path:
    """Write rows in the format that the name asks for."""
    path = folder / name
    if name.endswith(".parquet"):
        parquet.write_table(Table.from_pylist(rows), path)
    elif name.endswith((".csv", ".tsv")):
        with path.open("w", newline="", encoding="utf-8") as stream:
            separator = "\t" if name.endswith(".tsv") else ","
            writer = csv.DictWriter(stream, list(rows[0]), delimiter=separator)
            writer.writeheader()
            writer.writerows(rows)
    elif name.endswith(".json"):
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif name.endswith(".gz"):
        plain = saved(folder, rows, name.removesuffix(".gz"))
        path.write_bytes(gzip.compress(plain.read_bytes()))
    else:
        text = "".join(json.dumps(each) + "\n" for each in rows)
        path.write_text(text, encoding="utf-8")
    return path


def load(source: Path | str, *overrides: str, grader: Grader | None = None) -> Problems:
    """Load a run's problems; without a grader every reference passes."""
    config = load_config(
        overrides=[
            f"dataset.source={source}",
            "dataset.validation_size=0",
            "prompt.few_shot=0",
            *overrides,
        ],
        environment={},
    ).config
    return load_run_problems(
        config,
        prompting(config.prompt, end="(* END *)", chat=False),
        count=words,
        grader=lambda: grader or Grader(engine=FakeEngine(), jobs=1),
    )
