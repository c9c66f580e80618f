"""`evaluate`: completions asked of a server that speaks OpenAI's protocol, scored, with
intervals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cli.evaluate.figures import evaluation_figures, pass_by_turn
from cli.evaluate.folder import EvaluationFolder
from ocaml_reward import Grader, InputError, Verdict
from ocaml_reward.comparing import figure_of
from ocaml_reward.model import IMPOSSIBLE
from ocaml_reward.scheme import load
from ocaml_reward.testing import FakeEngine, completion, problem, report
from tests.speaking_openai import Served, serving
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.table import save

from .conftest import CODE, TESTS, Invoke

Write = Callable[[str, Iterable[object]], Path]
WRONG = "let add x y = x - y"
PROBLEMS = [
    {"id": name, "prompt": f"{name}: write add", "tests": TESTS} for name in ("add", "sum", "plus")
]


def answer(body: dict[str, Any]) -> tuple[str, str]:
    """Write wrong code for the problem `sum`, and for every second seed."""
    text = str(body.get("messages") or body["prompt"])
    wrong = "sum: write" in text or body["seed"] % 2
    return (WRONG, "length") if wrong else (CODE, "stop")


@pytest.fixture
def served() -> Iterator[Served]:
    """Run a server beside the test."""
    with serving(answer) as made:
        yield made


@pytest.fixture
def evaluate(write: Write, invoke: Invoke, served: Served, tmp_path: Path) -> Callable[..., Result]:
    """Evaluate the server's model into the folder `out`."""
    path = write("problems.jsonl", PROBLEMS)

    def call(*words: str) -> Result:
        return invoke(
            "evaluate", path, "--url", served.url, "-o", tmp_path / "out", "-n", "4",
            *words, engine=FakeEngine({WRONG: report("failed", "failed")}),
        )  # fmt: skip

    return call


def test_a_folder_without_a_completion_is_no_evaluation(tmp_path: Path) -> None:
    """After a model that could not be loaded the same folder does, with completions it does not."""
    for name in ("misspelt", "right"):
        with EvaluationFolder(tmp_path) as folder:
            folder.begin({"model": name}, resume=False, overwrite=False)
    with EvaluationFolder(tmp_path) as folder:
        folder.begin({"model": "right"}, resume=True, overwrite=False)
        folder.add([{"problem_id": "p", "sample": 0}])

    assert {"model": "right"} == json.loads((tmp_path / "evaluation.json").read_text("utf-8"))
    with (
        EvaluationFolder(tmp_path) as folder,
        pytest.raises(InputError, match="holds an evaluation"),
    ):
        folder.begin({"model": "right"}, resume=False, overwrite=False)


def rows(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_server_is_asked_and_its_answers_are_scored(
    evaluate: Callable[..., Result],
    served: Served,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each problem gets its completions, each with a seed of its own; the records are those of
    score, and pass@k stands with its interval.
    """
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    served.refusals.append((503, {}))
    result = evaluate("--max-tokens", "77", "--system", "Write OCaml.")
    told = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    made, scored = (rows(tmp_path / "out" / f"{n}.jsonl") for n in ("completions", "records"))

    assert 0 == result.exit_code, result.output
    assert [(p["id"], n) for p in PROBLEMS for n in range(4)] == [
        (row["problem_id"], row["sample"]) for row in made
    ]
    assert 13 == len(served.asked), "one was refused and asked again"
    assert 12 == len({one["seed"] for one in served.asked})
    assert {"/v1/chat/completions"} == {one["path"] for one in served.asked}
    assert ({"Bearer secret"}, {77}, {"tiny-coder"}) == tuple(
        {one[key] for one in served.asked} for key in ("key", "max_tokens", "model")
    )
    assert "Write OCaml." == served.asked[0]["messages"][0]["content"]
    assert [row["completion"] for row in made] == [row["code"] for row in scored]
    assert ["passed" if row["completion"] == CODE else "failed_tests" for row in made] == [
        row["verdict"] for row in scored
    ]
    right = sum(row["completion"] == CODE for row in made)
    assert 0 < right < 8
    assert right / 12 == pytest.approx(told["pass_at"]["1"]["value"])
    assert told["pass_at"]["1"]["low"] < right / 12 < told["pass_at"]["1"]["high"]
    assert 2 / 3 == pytest.approx(told["pass_at"]["4"]["value"])
    assert (12 - right, "tiny-coder") == (told["cut_off"], told["model"])
    assert f"pass@1       {right / 12:.3f}  (" in result.output


def test_an_answer_that_is_no_json_is_asked_for_again(
    evaluate: Callable[..., Result], served: Served
) -> None:
    """A proxy's page in between costs one request, and not the evaluation."""
    served.refusals.append((200, "<html>try again</html>"))
    result = evaluate()

    assert 0 == result.exit_code, result.output
    assert 13 == len(served.asked)


def test_a_stop_costs_what_was_under_way(
    evaluate: Callable[..., Result], served: Served, tmp_path: Path
) -> None:
    """--resume keeps whole lines, asks for the rest, and ends with the files of an unbroken
    run; other settings are refused, and so is a folder that is in use.
    """
    assert 0 == evaluate("--style", "text").exit_code
    path = tmp_path / "out" / "completions.jsonl"
    unbroken = path.read_bytes()
    before = rows(tmp_path / "out" / "records.jsonl")
    assert 2 == evaluate("--style", "text").exit_code
    path.write_bytes(unbroken[: len(unbroken) // 2])
    (tmp_path / "out" / "records.jsonl").unlink()
    served.asked.clear()
    again = evaluate("--style", "text", "--resume")

    assert (0, unbroken) == (again.exit_code, path.read_bytes())
    assert 0 < len(served.asked) < 12
    assert {"/v1/completions"} == {one["path"] for one in served.asked}
    assert [row["code"] for row in before] == [
        row["code"] for row in rows(tmp_path / "out" / "records.jsonl")
    ]
    served.asked.clear()
    assert 0 == evaluate("--style", "text", "--resume").exit_code
    assert [] == served.asked
    other = evaluate("--style", "text", "--resume", "--temperature", "0.5")
    assert 2 == other.exit_code
    assert "was made with temperature 0.9, this run has 0.5" in " ".join(other.output.split())


def test_what_does_not_pass_is_told_about_and_tried_again(
    evaluate: Callable[..., Result], served: Served, tmp_path: Path
) -> None:
    """The last try of each conversation counts and has what was said before; only what failed
    is asked for again, and a run that was cut off between its turns goes on.
    """

    def say(body: dict[str, Any]) -> tuple[str, str]:
        if "sum: write" in str(body["messages"]):
            return WRONG, "stop"
        return answer(body) if len(body["messages"]) < 5 else (CODE, "stop")

    served.answer = say
    words = ("--turns", "3", "--feedback", "located", "--few-shot", "1")
    result = evaluate(*words)
    out = tmp_path / "out"
    first, second, third = (rows(out / f"turn-{n}" / "completions.jsonl") for n in (1, 2, 3))
    made, scored = (rows(out / f"{name}.jsonl") for name in ("completions", "records"))
    asked = len(served.asked)

    assert 0 == result.exit_code, result.output
    assert 12 == len(first) == len(made) == len(scored)
    failed = [each for each in first if each["completion"] == WRONG]
    assert len(failed) == len(second) > len(third) == 4
    assert [(each["problem_id"], each["sample"]) for each in failed] == [
        (each["problem_id"], each["sample"]) for each in second
    ]
    assert {"sum"} == {each["problem_id"] for each in third}
    told = json.loads((out / "report.json").read_text("utf-8"))
    assert 2 / 3 == pytest.approx(told["pass_at"]["1"]["value"])
    by_turn = [each["value"] for each in told["pass_at_1_by_turn"]]
    assert [(12 - len(failed)) / 12, 2 / 3, 2 / 3] == pytest.approx(by_turn)
    assert "pass@1 after turn 2  0.667" in result.output
    (one, *_) = [each for each in made if each["problem_id"] == "sum"]
    said = one["conversation"]
    assert ["assistant", "user"] * 2 == [each["role"] for each in said]
    assert [WRONG, WRONG] == [said[0]["content"], said[2]["content"]]
    assert "0 of 2 tests pass. The others:\n- 1-2: another" in said[1]["content"]
    assert said == next(
        each["input"]["conversation"] for each in scored if each["problem_id"] == "sum"
    )

    whole = {path: path.read_bytes() for path in out.rglob("completions.jsonl")}
    text = whole[out / "turn-2" / "completions.jsonl"]
    (out / "turn-2" / "completions.jsonl").write_bytes(text[: len(text) // 2])
    (out / "turn-3" / "completions.jsonl").unlink()
    (out / "completions.jsonl").write_bytes(b"")
    assert 0 == evaluate(*words, "--resume").exit_code
    assert whole == {path: path.read_bytes() for path in out.rglob("completions.jsonl")}
    assert asked < len(served.asked) < asked + len(second) + len(third)
    assert 2 == evaluate(*words, "--style", "text", "--overwrite").exit_code


def test_what_a_server_refuses_is_said(
    evaluate: Callable[..., Result], served: Served, capfd: pytest.CaptureFixture[str]
) -> None:
    """A request that no server would take ends the evaluation with the server's own words."""
    served.refusals += [(400, {"error": {"message": "no model\nx"}})] * 12
    result = evaluate("--model", "x")

    assert 2 == result.exit_code
    assert "problem 'add': " in (said := capfd.readouterr().err)
    assert said.endswith("/chat/completions: 400 no model x\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--k", "5"], "--k 5 needs as many --samples, not 4"),
        (["--temperature", "0"], "take --samples 1"),
        (["--held-out", "."], "is no folder of a training"),
        (["--url", "nowhere"], "'nowhere' is no address of one server"),
    ],
)
def test_what_cannot_be_is_refused_first(
    evaluate: Callable[..., Result],
    served: Served,
    capfd: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    """Options that contradict each other, and folders that are none, ask nothing of a model."""
    result = evaluate(*words)

    assert 2 == result.exit_code
    assert message in " ".join((result.output + capfd.readouterr().err).split())
    assert [] == served.asked


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """Write the account of problems that a run writes; one is held out."""
    folder = tmp_path / "run"
    folder.mkdir()
    account = [{"id": p["id"], "part": "training"} for p in PROBLEMS[:2]]
    account.append({"id": "plus", "part": "validation"})
    (folder / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in account))
    return folder


def configure(folder: Path, *words: str) -> None:
    """Write the configuration of a run, as a training with these settings does."""
    save(load_config(overrides=words, environment={}), folder)


def test_the_problems_that_a_training_held_out(
    evaluate: Callable[..., Result], run_folder: Path, tmp_path: Path
) -> None:
    """--held-out reads the account; without a configuration the defaults hold, and that is said."""
    result = evaluate("--held-out", str(run_folder))

    assert 0 == result.exit_code
    assert {"plus"} == {row["problem_id"] for row in rows(tmp_path / "out" / "completions.jsonl")}
    assert f"no {run_folder / 'config.json'}: prompts and scheme are the defaults" in result.stderr


def test_held_out_problems_are_put_and_graded_as_in_the_training(
    evaluate: Callable[..., Result], run_folder: Path, served: Served, tmp_path: Path
) -> None:
    """Scheme, overrides, template, examples and length are the run's, in one line; what an
    option says goes before it.
    """
    template = tmp_path / "own.txt"
    template.write_text("Our template: $problem $end")
    configure(
        run_folder, "reward.scheme=concise", "reward.overrides=min_lines=2",
        f"prompt.template={template}", "prompt.few_shot=2", "grpo.max_completion_length=77",
    )  # fmt: skip
    result = evaluate("--held-out", str(run_folder))
    asked = served.asked[0]
    told = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    words = ("--few-shot", "0", "--set", "type.syntax_error_share=0.01")
    again = evaluate("--held-out", str(run_folder), "--overwrite", *words)
    other = evaluate("--held-out", str(run_folder), "--overwrite", "--scheme", "seed")

    assert (0, 0, 0) == (result.exit_code, again.exit_code, other.exit_code), other.output
    said = (
        f"ocaml-reward: as in {run_folder / 'config.json'}: --scheme concise --set min_lines=2"
        f" --style auto --template {template} --few-shot 2 --max-tokens 77"
    )
    assert said in result.stderr.splitlines()
    assert asked["messages"][-1]["content"].startswith("Our template: plus: write add")
    assert (6, 77) == (len(asked["messages"]), asked["max_tokens"])
    assert load("concise", ["min_lines=2"]).label == told["scheme"]
    assert " --few-shot" not in again.stderr
    both = load("concise", ["min_lines=2", "type.syntax_error_share=0.01"])
    assert f"with {both.label}, " in again.stdout
    assert f"with {load('seed').label}, " in other.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (None, "config.json is not the configuration of a training: "),
        (("prompt.template=gone.txt",), "prompt.template: no file gone.txt; --template names an"),
    ],
)
def test_a_configuration_that_cannot_be_followed(
    evaluate: Callable[..., Result],
    run_folder: Path,
    served: Served,
    words: tuple[str, ...] | None,
    said: str,
) -> None:
    """A damaged one, and one that names a file that is gone, are refused before all else."""
    (run_folder / "config.json").write_text("[]")
    if words:
        configure(run_folder, *words)
    result = evaluate("--held-out", str(run_folder))

    assert 2 == result.exit_code
    assert said in result.stderr
    assert [] == served.asked


def test_a_model_is_held_against_an_earlier_one(
    evaluate: Callable[..., Result],
    served: Served,
    tmp_path: Path,
) -> None:
    """Problem by problem, with an interval of the differences; other schemes do not compare."""
    assert 0 == evaluate().exit_code
    served.answer = lambda _: (CODE, "stop")
    earlier = (tmp_path / "out").rename(tmp_path / "before")
    result = evaluate("--against", str(earlier))
    told = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    old = json.loads((earlier / "report.json").read_text("utf-8"))
    gained = told["against"]["pass_at_1"]

    assert 0 == result.exit_code
    assert ("before", 3) == (told["against"]["folder"], told["against"]["problems"])
    assert 1 - old["pass_at"]["1"]["value"] == pytest.approx(gained["value"])
    assert 0 < gained["low"] < gained["value"] < gained["high"] == 1.0
    assert "pass@1 more than before, of 3 problems" in result.output
    served.asked.clear()
    other = evaluate("--overwrite", "--against", str(earlier), "--scheme", "decisive")
    assert (2, []) == (other.exit_code, served.asked)
    assert "was scored with another scheme" in " ".join(other.output.split())


def test_an_interval_shrinks_with_the_problems() -> None:
    """It holds the mean, is half as wide for four times the problems, and has no ends where
    all problems agree.
    """
    few, many = (figure_of([0.0, 1.0] * count) for count in (25, 100))

    assert few.low is not None
    assert few.high is not None
    assert many.low is not None
    assert many.high is not None
    assert few.low < many.low < 0.5 < many.high < few.high
    # 1.96 standard errors to each side: 0.1386 and 0.0693.
    assert 0.28 == pytest.approx(few.high - few.low, abs=0.03)
    assert 0.14 == pytest.approx(many.high - many.low, abs=0.02)
    assert figure_of([1.0, 1.0]).low is None


def test_what_our_machine_failed_to_score_is_apart() -> None:
    """A fault counts as no failure of the model."""
    with Grader(engine=FakeEngine(), jobs=1) as grader:
        good = grader.grade(problem(), completion("let f x = x"))
    lost = replace(good, reward=None, verdict=Verdict.UNGRADED)
    found = evaluation_figures([replace(good, verdict=Verdict.PASSED), lost], ks=[1])

    assert (1, 1.0) == (found.unscored, found.pass_at[1].value)


def test_impossible_twins_count_for_a_figure_of_their_own() -> None:
    """A validation set has some; a model without a cheat passes none of them."""
    with Grader(engine=FakeEngine(), jobs=1) as grader:
        graded = grader.grade(problem(), completion("let f x = x"))
    good = replace(graded, verdict=Verdict.PASSED)
    twins = [
        replace(graded, problem_id=f"twin{IMPOSSIBLE}", verdict=verdict)
        for verdict in (Verdict.PASSED, Verdict.FAILED_TESTS)
    ]
    alone = evaluation_figures([good], ks=[1])
    found = evaluation_figures([good, *twins], ks=[1])

    assert (None, 0.5) == (alone.impossible_pass_rate, found.impossible_pass_rate)
    assert (alone.problems, alone.pass_at, alone.reward, alone.solved) == (
        found.problems,
        found.pass_at,
        found.reward,
        found.solved,
    )
    assert pass_by_turn([good, *twins], [1, 2, 2], most=2) == pass_by_turn([good], [1], most=2)


def test_only_what_was_scored_counts_as_cut_off(
    write: Write, invoke: Invoke, served: Served, tmp_path: Path
) -> None:
    """Completions of a problem that cannot be graded are in no figure, nor in that one."""
    unusable = {"id": "sum", "prompt": "sum: write add", "tests": "let x = 1"}
    path = write("problems.jsonl", [PROBLEMS[0], unusable])
    result = invoke("evaluate", path, "--url", served.url, "-o", tmp_path / "out", "-n", "2")
    told = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    cut = [row["truncated"] is True for row in rows(tmp_path / "out" / "records.jsonl")]

    assert (1, 2, sum(cut)) == (result.exit_code, len(cut), told["cut_off"])
    assert f"cut off      {sum(cut)} of 2" in result.output
