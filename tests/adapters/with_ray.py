"""`score --ray` on clusters of Ray's own, one of three nodes, of which one is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

from ocaml_reward import Completion, Problem
from ocaml_reward.ray_grader import RayGrader, Setup, _grade
from ocaml_reward.scheme import load
from tests.adapters.corpus import PROBLEMS, ROOT

COMPLETIONS = ROOT / "test_corpus" / "completions.jsonl"
# What is tested elsewhere is how long these take.
SLOW = {"timed_out", "out_of_memory", "output_limit", "compiler_limit"}
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def completions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the corpus without what is slow, four times over, each with other code."""
    verdicts = [
        json.loads(line)["verdict"]
        for line in (ROOT / "test_corpus" / "expected.jsonl").open(encoding="utf-8")
    ]
    lines = []
    for number in range(4):
        for line, verdict in zip(COMPLETIONS.open(encoding="utf-8"), verdicts, strict=True):
            asked = json.loads(line)
            if verdict not in SLOW and isinstance(asked["completion"], str):
                asked["completion"] += f"\n(* {number} *)"
                lines.append(json.dumps(asked))
    path = tmp_path_factory.mktemp("ray") / "completions.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def command(completions: Path, output: Path, *more: str) -> list[str]:
    """Write the command line."""
    words = [sys.executable, "-m", "cli", "score", str(completions)]
    return [*words, "--problems", str(PROBLEMS), "-o", str(output), *more]


def scored(completions: Path, output: Path, *more: str) -> str:
    """Score to a file, and return what was said."""
    done = subprocess.run(
        command(completions, output, *more),
        cwd=ROOT,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )

    # 1: the corpus has lines that cannot be used.
    assert done.returncode in {0, 1}, done.stderr[-3000:]
    return done.stderr


def records(path: Path) -> list[dict[str, object]]:
    """Read records, their timings aside."""
    lines = path.read_text("utf-8").splitlines()
    return [{**json.loads(each), "timings_ms": None} for each in lines]


@pytest.fixture(scope="module")
def local(completions: Path) -> list[dict[str, object]]:
    """Score them here."""
    output = completions.with_name("local.jsonl")
    scored(completions, output)
    return records(output)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Run three nodes of two processors each."""
    os.environ.update(QUIET)
    made = Cluster()
    try:
        for _ in range(3):
            made.add_node(
                num_cpus=2,
                include_dashboard=False,
                object_store_memory=100 * 1024 * 1024,
            )
        yield made
    finally:
        made.shutdown()


def test_a_node_that_is_killed_costs_nothing_but_time(
    cluster: Cluster,
    completions: Path,
    local: list[dict[str, object]],
    tmp_path: Path,
) -> None:
    """With one of three nodes killed in the middle: all records, in order, the local ones."""
    output = tmp_path / "scored.jsonl"
    process = subprocess.Popen(
        command(completions, output, "--ray", cluster.address),
        cwd=ROOT,
        env={**os.environ, **QUIET},
        stderr=subprocess.PIPE,
        text=True,
    )
    limit = time.monotonic() + 200
    while not output.exists() or output.stat().st_size < 200_000:
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.05)
    written = len(records(output))
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    _, said = process.communicate(timeout=300)

    assert written < len(local)
    assert process.returncode in {0, 1}, said[-3000:]
    assert local == records(output)
    assert "(lost)" in said
    assert "graded on 3 nodes" in said
    # `pytest -s` shows how it went.
    sys.stdout.write(f"killed after {written} of {len(local)}\n{said[-600:]}")


def test_a_run_that_was_broken_off_goes_on(
    completions: Path, local: list[dict[str, object]], tmp_path: Path
) -> None:
    """`--resume` on a cluster of this machine alone completes what a local run began."""
    output = tmp_path / "scored.jsonl"
    lines = completions.with_name("local.jsonl").read_bytes().splitlines(keepends=True)
    output.write_bytes(b"".join(lines[:500]) + lines[500][:40])
    said = scored(completions, output, "--ray", "local", "--resume")

    assert local == records(output)
    assert "graded on 1 node" in said


def test_a_node_without_a_compiler_is_refused_by_name(
    cluster: Cluster, completions: Path, tmp_path: Path
) -> None:
    """Where one node cannot grade, nothing is graded, and the message says which and why."""
    cluster.add_node(
        num_cpus=1,
        object_store_memory=100 * 1024 * 1024,
        env_vars={"PATH": str(tmp_path), "OCAML_REWARD_CACHE": str(tmp_path / "cache")},
    )
    output = tmp_path / "scored.jsonl"
    done = subprocess.run(
        command(completions, output, "--ray", cluster.address),
        cwd=ROOT,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert 2 == done.returncode, done.stderr[-3000:]
    assert "not all nodes can grade together" in done.stderr
    assert "ToolchainError" in done.stderr
    assert not output.exists()


def findlib(*words: str) -> str:
    """Return what ocamlfind says."""
    done = subprocess.run(["ocamlfind", *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_node_of_another_kind_is_refused_by_name(
    cluster: Cluster, completions: Path, tmp_path: Path
) -> None:
    """A node that does not find all of the compiler's library has the stock engine, where the
    others have the warm one: it is said which nodes are which, and nothing is graded.
    """
    meta = Path(findlib("query", "-format", "%m", "compiler-libs"))
    (tmp_path / "compiler-libs").mkdir()
    lacking = meta.read_text().replace('package "bytecomp"', 'package "other"')
    (tmp_path / "compiler-libs" / "META").write_text(lacking)
    paths = ":".join([str(tmp_path), *findlib("printconf", "path").split()])
    conf = tmp_path / "findlib.conf"
    conf.write_text(f'destdir="{tmp_path}"\npath="{paths}"\n')
    cluster.add_node(
        num_cpus=1,
        object_store_memory=100 * 1024 * 1024,
        env_vars={"OCAMLFIND_CONF": str(conf)},
    )
    output = tmp_path / "scored.jsonl"
    done = subprocess.run(
        command(completions, output, "--ray", cluster.address),
        cwd=ROOT,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    (line,) = [each for each in done.stderr.splitlines() if "not all nodes" in each]
    kinds = line.partition("together: ")[2].split("; ")

    assert 2 == done.returncode, done.stderr[-3000:]
    assert [1, 3] == sorted(kind.partition(":")[0].count(",") + 1 for kind in kinds)
    assert {"stock", "warm"} == {kind.split(", ")[-3] for kind in kinds}
    assert not output.exists()


def test_what_ends_every_process_is_a_fault_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The completions beside it have their records, in order."""
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    problem = Problem(id="half", tests="let () = assert (half 8 = 4)")
    texts = [f"let half x = x / 2 (* {number} *)" for number in range(20)]
    texts[9] = "DIE"
    pairs = [(problem, Completion(text=text)) for text in texts]

    def deadly(setup: Setup, expected: Any, chunk: Any) -> Any:
        if any(completion.text == "DIE" for _, completion in chunk):
            os._exit(1)
        return _grade(setup, expected, chunk)

    with RayGrader("local", Setup(scheme=load("seed"))) as grader:
        grader._grading = ray.remote(num_cpus=0.99, max_retries=2)(deadly)
        found = list(grader.grade_many(pairs))
    faults = {n: each.fault.kind for n, each in enumerate(found) if each.fault}

    assert {9: "WorkerLost"} == faults
    assert {"passed"} == {each.verdict.value for each in found if not each.fault}
