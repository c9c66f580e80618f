"""Validate an OpenEnv package without Docker: the validator's checks, and ours where it has none.

OpenEnv 0.10 names the checks of RFC 008 and implements five of them. Those of the others that the
wire can show are measured here, under the same ids, with the validator's own collector.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from openenv.validation import run_validation
from openenv.validation.manifest import NormalizedManifestV2
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
from openenv.validation.providers import StartupError
from openenv.validation.runner import source_digest
from openenv.validation.runtime.collector import collect_runtime_evidence
from openenv.validation.runtime.contracts import RuntimePlan, load_runtime_plan
from openenv.validation.types import ProviderCapability
from websockets.sync.client import connect

from tests.adapters.corpus import ROOT

PATIENCE_S = 60.0
LEAST_SECRET = 12
"""Shorter lines of tests and references, `| [] -> []` among them, may occur anywhere."""

Findings = dict[str, tuple[str, list[str]]]
"""The status and the evidence of each check, by its id."""


@dataclass
class Running:
    """The server of a package as a process; it fulfils the validator's RunningSubject."""

    base_url: str
    process: subprocess.Popen[bytes]

    def inspect(self) -> dict[str, Any]:
        """Return what is known of it."""
        return {"pid": self.process.pid}

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(PATIENCE_S)


def start(root: Path) -> Running:
    """Start the server of a package; raises StartupError if it does not become healthy."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    # The settings are those of the package, as in a container.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OCAML_")}
    cached = {name: os.environ[name] for name in ("OCAML_REWARD_CACHE",) if name in os.environ}
    command = [sys.executable, "-m", "server.app", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        command,
        cwd=root,
        env={**kept, **cached, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    found = Running(f"http://127.0.0.1:{port}", process)
    with httpx.Client(base_url=found.base_url) as client:
        while process.poll() is None:
            try:
                client.get("/health").raise_for_status()
            except httpx.HTTPError:
                try:
                    process.wait(0.1)
                except subprocess.TimeoutExpired:
                    continue
            else:
                return found
    raise StartupError(f"the server ended with status {process.returncode}")


class Processes:
    """A validation provider that starts a package as a process of this machine."""

    name = "process"
    capabilities = frozenset({ProviderCapability.IMAGE_BUILD})
    supported_network_modes = frozenset({"public"})

    def build(self, root: Path, execution: object) -> str:
        """Remember the package; its digest stands for an image's."""
        del execution
        self._root = root
        return f"sha256:{source_digest(root)}"

    def start(self, spec: object) -> Running:
        """Start what was built."""
        del spec
        return start(self._root)


@contextmanager
def session(url: str) -> Iterator[Callable[..., dict[str, Any]]]:
    """Open a session, and give what sends a message and returns the answer's data."""
    with connect(f"{url.replace('http', 'ws')}/ws", open_timeout=PATIENCE_S) as there:

        def send(kind: str, **data: Any) -> dict[str, Any]:
            message = {"type": kind, "data": data} if data else {"type": kind}
            there.send(json.dumps(message))
            answer = json.loads(there.recv(PATIENCE_S))
            assert "error" != answer["type"], answer
            return dict(answer["data"])

        yield send


class Package:
    """A package and the answers of its servers."""

    def __init__(self, root: Path) -> None:
        """Read the declarations."""
        self.root = root
        manifest = OpenEnvYamlParser().parse(root)
        assert isinstance(manifest, NormalizedManifestV2)
        self.manifest = manifest
        self.plan = load_runtime_plan(root, manifest.execution)
        canaries = (root / str(manifest.capabilities.canaries)).read_text(encoding="utf-8")
        self.canaries = [
            RuntimePlan.model_validate_json(line) for line in canaries.splitlines() if line
        ]
        self.file = root / "data" / "problems.jsonl"
        self.problems = [
            json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()
        ]
        self.seen: list[str] = []
        """Every answer so far."""

    @property
    def most(self) -> float:
        """The maximum of the declared range."""
        return float(self.manifest.reward.range[1])

    def answers(self, url: str, plan: RuntimePlan) -> list[dict[str, Any]]:
        """Play a plan in a session of its own, and return the answers."""
        evidence = collect_runtime_evidence(url, plan, episode_timeout_s=PATIENCE_S)
        assert evidence.failure_reason is None, evidence
        told = [each.response_json for each in evidence.exchanges]
        self.seen += told
        return [json.loads(each)["data"] for each in told]

    def earned(self, url: str, plan: RuntimePlan) -> float:
        """Play a plan, and return the sum of its rewards."""
        return sum(float(each.get("reward") or 0) for each in self.answers(url, plan))

    def idle(self, problem: str) -> RuntimePlan:
        """Return the plan of an agent that does nothing."""
        return plan_of(problem, {"program": ""}, {"program": ""})


def plan_of(problem: str | None, *actions: dict[str, str], seed: int = 0) -> RuntimePlan:
    """Return the plan of an episode; without a problem the seed chooses one."""
    options = {} if problem is None else {"problem": problem}
    reset = {"episode_id": "plan", "seed": seed, "options": options}
    return RuntimePlan.model_validate(
        {"plan_schema_version": "1", "reset": reset, "actions": list(actions)}
    )


Check = Callable[[Package, str], Iterator[str]]


def pinned(package: Package, _: str) -> Iterator[str]:
    """Check that the problems are those that the manifest pins."""
    found = f"sha256:{hashlib.sha256(package.file.read_bytes()).hexdigest()}"
    pin = package.manifest.task_distribution
    if pin is None or pin.dataset_version != found:
        yield f"the problems are {found}"


def solved(package: Package, url: str) -> Iterator[str]:
    """Check that the declared oracle earns the maximum at every problem."""
    oracle = package.manifest.capabilities.oracle
    assert oracle is not None
    done = subprocess.run(
        [sys.executable, str(package.root / oracle.location), url],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    rewards = {row["problem"]: row["reward"] for row in map(json.loads, done.stdout.splitlines())}
    if rewards.keys() != {problem["id"] for problem in package.problems}:
        yield f"the oracle solves {sorted(rewards)}: {done.stderr}"
    least = package.most - package.manifest.reward.oracle_tolerance
    yield from (f"{name}: {reward}" for name, reward in rewards.items() if reward < least)
    if bool(done.returncode) != any(reward < least for reward in rewards.values()):
        yield f"the oracle ends with status {done.returncode}"


def floored(package: Package, url: str) -> Iterator[str]:
    """Check that an agent that does nothing stays the declared margin below the maximum."""
    for problem in package.problems:
        floor = package.earned(url, package.idle(problem["id"]))
        if package.most - floor < package.manifest.reward.floor_margin:
            yield f"{problem['id']}: nothing earns {floor}"


def sung(package: Package, url: str) -> Iterator[str]:
    """Check that every canary does, too, and that there are some."""
    if not package.canaries:
        yield "no canaries"
    for canary in package.canaries:
        reward = package.earned(url, canary)
        if package.most - reward < package.manifest.reward.floor_margin:
            yield f"{canary.reset.episode_id}: {reward}"


def texts(tests: Any) -> Iterator[str]:
    """Return the texts of a problem's tests: a program, or cases of input and output."""
    if isinstance(tests, str):
        yield tests
    elif isinstance(tests, list | dict):
        for each in tests.values() if isinstance(tests, dict) else tests:
            yield from texts(each)


def silent(package: Package, _: str) -> Iterator[str]:
    """Check that no answer so far has a line of tests or references, but for what it was given.

    The answers of the oracle are not among them.
    """
    given = "\n".join(
        [problem["prompt"] for problem in package.problems]
        + [str(action) for plan in [package.plan, *package.canaries] for action in plan.actions]
    )
    for problem in package.problems:
        hidden = "\n".join([*texts(problem["tests"]), problem["reference"]])
        for line in hidden.splitlines():
            secret = line.strip()
            if len(secret) >= LEAST_SECRET and secret not in given:
                # As it is within a JSON string.
                quoted = json.dumps(secret)[1:-1]
                if any(quoted in each for each in package.seen):
                    yield f"{problem['id']}: {secret}"


def repeated(package: Package, url: str) -> Iterator[str]:
    """Check that the same tries earn the same rewards in a further session."""
    for plan in [package.plan, *package.canaries]:
        first, again = (package.earned(url, plan) for _ in range(2))
        if first != again:
            yield f"{plan.reset.episode_id}: {first}, then {again}"


def same_elsewhere(package: Package, url: str) -> Iterator[str]:
    """Check that every answer is the same in a further session, and by a further server."""
    plans = [package.plan, *package.canaries]
    first = [package.answers(url, plan) for plan in plans]
    other = start(package.root)
    try:
        for place in (url, other.base_url):
            again = [package.answers(place, plan) for plan in plans]
            for plan, left, right in zip(plans, first, again, strict=True):
                if left != right:
                    yield f"{plan.reset.episode_id}: {left}, then {right}"
    finally:
        other.stop()


def seeded(package: Package, url: str) -> Iterator[str]:
    """Check that seeds choose every problem, and the same again."""
    names = [problem["id"] for problem in package.problems]
    for _ in range(2):
        found = []
        for seed in range(len(names)):
            plan = plan_of(None, {"program": ""}, seed=seed)
            found.append(package.answers(url, plan)[0]["observation"]["problem_id"])
        if sorted(found) != sorted(names):
            yield f"seeds choose {found}"


def isolated(package: Package, url: str) -> Iterator[str]:
    """Check that nothing changes an episode: no other meanwhile, and none before it."""

    def played(between: Callable[[], object]) -> Iterator[dict[str, Any]]:
        reset = package.plan.reset
        with session(url) as send:
            for _ in range(2):
                yield send("reset", seed=0, episode_id=reset.episode_id, **reset.options)
                for action in package.plan.actions:
                    between()
                    yield send("step", **action)
                    yield send("state")

    def others() -> None:
        with ExitStack() as stack:
            for problem in package.problems[1:]:
                send = stack.enter_context(session(url))
                send("reset", seed=0, episode_id="other", problem=problem["id"])
                send("step", program="let x = 1 + true")

    alone = list(played(lambda: None))
    half = len(alone) // 2
    if alone[:half] != alone[half:]:
        yield f"the second episode of a session differs: {alone}"
    if alone != list(played(others)):
        yield "an episode differs when others are played at the same time"


def counted(package: Package, url: str) -> Iterator[str]:
    """Check that the server has as many problems as the manifest declares."""
    declared = package.manifest.capabilities.declared_task_count
    with httpx.Client(base_url=url) as client:
        found = {
            split: client.post("/ocaml/num_tasks", json={"split": split}).json()["num_tasks"]
            for split in declared
        }
    if found != declared or not declared:
        yield f"declared {declared}, found {found}"


def contained(package: Package, url: str) -> Iterator[str]:
    """Check that no page of the API has a reference or the oracle."""
    names = [path.relative_to(package.root) for path in package.root.rglob("*") if path.is_file()]
    with httpx.Client(base_url=url) as client:
        described = client.get("/openapi.json").json()["paths"]
        pages = [path for path, kinds in described.items() if "get" in kinds]
        pages += [f"/{name}" for name in names] + [f"/static/%2e%2e/{name}" for name in names]
        texts = {page: client.get(page).text for page in pages}
    for page, text in texts.items():
        for problem in package.problems:
            if json.dumps(problem["reference"])[1:-1] in text:
                yield f"{page} has the reference of {problem['id']}"
        if "PROBLEMS = Path(__file__)" in text:
            yield f"{page} has the oracle"


CHECKS: Mapping[str, Check] = {
    "static.task_distribution_pinning": pinned,
    "runtime.task_declaration_accuracy": counted,
    "runtime.seed_control": seeded,
    "runtime.episode_determinism": same_elsewhere,
    "runtime.episode_isolation": isolated,
    "runtime.oracle_containment": contained,
    "semantic.oracle_max": solved,
    "semantic.floor_gap": floored,
    "semantic.canary_floor": sung,
    "semantic.verifier_determinism": repeated,
    # Last, as it reads the answers that the others got.
    "semantic.no_solution_leakage": silent,
}


def validated(root: Path) -> Findings:
    """Validate a package: run the validator, and then CHECKS if the server has started."""
    report = run_validation(root, provider=Processes())
    found = {each.check_id: (each.status.value, each.evidence) for each in report.results}
    assert not {name for name in CHECKS if found.get(name, ("skip",))[0] != "skip"}
    if "pass" != found["runtime.startup"][0]:
        return found
    package, running = Package(root), start(root)
    try:
        for name, check in CHECKS.items():
            problems = list(check(package, running.base_url))
            found[name] = ("fail" if problems else "pass", problems)
    finally:
        running.stop()
    return found
