"""Logs of any content: what can be read of them is shown, and nothing of them stops it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.console import Console

from cli.health import as_dict, print_events, show
from trainer_plugin.watching.following import FollowedRun

KEYS = [
    "step",
    "epoch",
    "reward",
    "loss",
    "grad_norm",
    "entropy",
    "frac_reward_zero_std",
    "step_time",
    "eval_runtime",
    "ocaml/credits/type",
    "rewards/x/mean",
    "rule",
    "severity",
    "seen",
    "advice",
    "split",
    "groups",
    "completions",
    "diversity",
    "reward_mean",
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["train", "critical", "\x1b[2J"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["rewards", "similarity"]), inner, max_size=2)
    ),
    max_leaves=4,
)
HUGE = "[Epoch 1e308]  loss=1e308  grad=-1e308  lr=nan  reward=1e308±1e308  entropy=inf  frac_zero_std=-1"
LINES = st.one_of(
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=9).map(json.dumps),
    st.text(max_size=20),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=9).map(str),
    st.just(HUGE),
)


@given(st.lists(LINES, max_size=8), st.lists(LINES, max_size=4))
@example([HUGE, HUGE], ['{"step": null, "rule": []}'])
@example(["{'epoch': 1e400, 'reward': nan, 'grad_norm': -inf}"], [])
@settings(max_examples=60, deadline=None)
def test_any_log_can_be_looked_at(lines: list[str], others: list[str]) -> None:
    """Broken rows, other types and numbers out of all bounds are shown, and give valid JSON."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, written in (
            ("metrics.jsonl", lines),
            ("a.log", lines),
            ("state.json", [f'{{"log_history": [{",".join(lines)}]}}']),
            ("batch_metrics.jsonl", others),
            ("health.jsonl", others),
        ):
            text = "".join(f"{line}\n" for line in written)
            (folder / file).write_bytes(text.encode("utf-8", "surrogatepass"))
        for path in (folder, folder / "a.log", folder / "state.json"):
            run = FollowedRun(path)
            events = run.poll() + run.end()
            screen = Console(file=io.StringIO(), width=80)
            print_events(screen, run, events)
            show(run, screen)

            json.dumps(as_dict(run), allow_nan=False)
