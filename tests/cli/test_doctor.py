"""`ocaml-reward doctor`: is scoring safe here?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest
from click.testing import CliRunner, Result

from cli.doctor import TOOLCHAIN, Examination, Row, doctor
from ocaml_reward import MachineError
from ocaml_reward.auditing import attacking, load_attacks
from ocaml_reward.engine import Engine
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.engines.select import engine as open_engine
from ocaml_reward.sandbox import choose


def run(*arguments: str, **environment: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(doctor, arguments, env=environment)


@cache
def examined(sandbox: str) -> Result:
    """Run the command once where all that this sandbox promises is tried."""
    return run("--sandbox", sandbox, "--verbose", "--json")


@pytest.mark.parametrize("sandbox", ["nsjail", "bubblewrap"])
def test_a_working_machine_is_safe(sandbox: str) -> None:
    """With a compiler and a jail that keeps every promise the exit code is 0."""
    result = examined(sandbox)
    found = json.loads(result.stdout)

    assert 0 == result.exit_code
    assert (True, sandbox) == (found["safe"], found["sandbox"])
    assert found["verdict"] == f"Scoring is safe here: {found['toolchain']} in {sandbox}."
    assert [] == [row for row in found["findings"] if not row["passed"]]
    assert {"toolchain", sandbox} == {row["part"] for row in found["findings"]}
    assert "1 of 1 checks" in found["findings"][-1]["evidence"]


def test_a_jail_is_one_line_and_all_are_there_in_two_seconds() -> None:
    """Without --verbose each part has one line, and what was not tried is not called safe. Seconds
    are those of the processor, as other programs may be at work here.
    """
    choose("bubblewrap")
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-m", "cli", "doctor"], capture_output=True, text=True, check=False
    )
    after = os.times()
    lines = done.stdout.splitlines()

    assert 0 == done.returncode
    assert ["toolchain   ok", "nsjail      ok", "bubblewrap  ok"] == [
        line[: len("toolchain   ok")] for line in lines[:-1]
    ]
    assert "passed its preflight; passed, 1 of 1 checks, in " in lines[1]
    label = locate().label
    assert lines[-1] == (
        f"Scoring works here: {label} in nsjail. --verbose tries all that the sandboxes promise."
    )
    spent = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    assert spent < 2


def test_what_was_not_tried_is_not_called_safe() -> None:
    """In the JSON of the quick examination `safe` is null: not true, and nothing failed."""
    result = run("--sandbox", "nsjail", "--json")
    found = json.loads(result.stdout)

    assert (0, None) == (result.exit_code, found["safe"])
    assert ["compiler", "helpers", "engine", "cache", "starts", "scores a completion"] == [
        row["name"] for row in found["findings"]
    ]


def test_the_line_of_a_jail_says_what_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where scoring fails in the first jail, the second one is tried, and named."""

    def cannot(name: str, sandbox: str) -> Engine:
        if sandbox == "nsjail":
            raise MachineError("its server died")
        return open_engine(name, sandbox)

    monkeypatch.setattr("cli.doctor.open_engine", cannot)
    result = run()
    lines = result.stdout.splitlines()

    assert 3 == result.exit_code
    assert "nsjail      FAILED  its server died" == lines[1]
    assert lines[2].startswith("bubblewrap  ok  passed its preflight; passed, 1 of 1 checks, in ")
    assert "nsjail broke a promise: score with --sandbox bubblewrap instead." == lines[3]


def test_attacks_are_of_the_verbose_examination() -> None:
    """--attacks alone is refused, rather than run without the promises that it builds on."""
    result = run("--attacks")

    assert 2 == result.exit_code
    assert "--attacks needs --verbose" in result.stderr


@pytest.mark.parametrize("sandbox", ["rlimits", "none"])
def test_a_weak_sandbox_is_not_safe(sandbox: str) -> None:
    """A backend without namespaces is never safe, and the advice says so."""
    result = run("--sandbox", sandbox)

    assert 3 == result.exit_code
    assert "no namespaces" in " ".join(result.stdout.split())
    assert "Scoring is not safe here: 1 check failed." in result.stdout


def test_a_missing_compiler_does_not_work() -> None:
    """Without OCaml the verdict says so and what to install."""
    locate.cache_clear()
    result = run("--sandbox", "none", "--json", PATH="/nowhere")
    locate.cache_clear()
    found = json.loads(result.stdout)
    compiler = found["findings"][0]

    assert 3 == result.exit_code
    assert found["verdict"].startswith("Scoring does not work here: ")
    assert ("toolchain", "compiler", False) == (
        compiler["part"],
        compiler["name"],
        compiler["passed"],
    )
    assert "apt-get install" in compiler["evidence"]


def test_an_empty_path_is_no_traceback() -> None:
    """Without any program on PATH the jail is still examined; only the toolchain fails."""
    choose("nsjail")
    done = subprocess.run(
        [sys.executable, "-m", "cli", "doctor", "--sandbox", "nsjail", "--json"],
        env={**os.environ, "PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)
    failed = [row for row in found["findings"] if not row["passed"]]

    assert (3, "") == (done.returncode, done.stderr)
    assert [("toolchain", "compiler")] == [(r["part"], r["name"]) for r in failed]
    assert failed[0]["evidence"].startswith("missing gcc, ocamlc, ")


def test_the_evidence_is_in_words() -> None:
    """What was seen is said so that nobody has to know the names of error numbers."""
    found = json.loads(examined("nsjail").stdout)
    seen = {row["name"]: row["evidence"] for row in found["findings"]}

    wanted = "given LC_ALL alone it sees LC_ALL"
    assert wanted == seen["only the policy's environment is visible"]
    assert "forking: Resource temporarily unavailable (EAGAIN)" == seen["no fork"]


def test_attacks_are_run_where_scoring_takes_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With --attacks there is a row for each kind, and one for each way that an attack is
    not held.
    """
    few = load_attacks()[:4]
    wild = replace(few[0], name="wild", code="let answer n = n + 1")
    monkeypatch.setattr(attacking, "load_attacks", lambda: (*few, wild))
    result = run("--sandbox", "bubblewrap", "--verbose", "--attacks", "--json")
    rows = json.loads(result.stdout)["findings"]
    kinds = [row for row in rows if row["name"].startswith("attacks on the ")]
    failed = [row["name"] for row in rows if not row["passed"]]

    assert 3 == result.exit_code
    assert {each.against for each in few} == {
        row["name"].removeprefix("attacks on the ") for row in kinds
    }
    assert [
        "attack wild, judged beside",
        "attack wild, judged outside",
        f"attacks on the {wild.against}",
    ] == sorted(failed)
    assert {"bubblewrap"} == {row["part"] for row in kinds}


def test_an_unknown_sandbox_is_a_bad_option() -> None:
    """A misspelt name is refused with the names there are."""
    result = run("--sandbox", "docker")

    assert 2 == result.exit_code
    assert "'bubblewrap'" in result.stderr


GOOD = Examination(
    rows=(
        Row(part=TOOLCHAIN, name="compiler", passed=True, evidence=""),
        Row(part="nsjail", name="user", passed=True, evidence=""),
        Row(part="bubblewrap", name="user", passed=True, evidence=""),
    ),
    sandbox="nsjail",
    toolchain="ocaml 4.13.1",
)


def failing(part: str) -> Examination:
    """Let one part of a good examination fail."""
    rows = (replace(row, passed=row.part != part) for row in GOOD.rows)
    return replace(GOOD, rows=tuple(rows))


class TestVerdict:
    """Scoring is safe if the toolchain works and the sandbox it takes keeps every promise."""

    def test_all_is_well(self) -> None:
        """Nothing failed: safe, and no other sandbox is named."""
        assert (True, None) == (GOOD.safe, GOOD.alternative)

    def test_not_all_was_tried(self) -> None:
        """Nothing failed, but what is promised was not tried: it works, and no more is said."""
        quick = replace(GOOD, verbose=False)

        assert (True, None, None) == (quick.works, quick.safe, quick.alternative)

    def test_the_other_sandbox_does_not_matter(self) -> None:
        """What scoring does not take may fail."""
        assert failing("bubblewrap").safe

    def test_the_one_taken_does(self) -> None:
        """A broken promise of the sandbox that is taken is not made good by another one."""
        found = failing("nsjail")

        assert (False, "bubblewrap") == (found.safe, found.alternative)

    def test_the_toolchain_does(self) -> None:
        found = failing(TOOLCHAIN)

        assert (False, None) == (found.safe, found.alternative)

    def test_no_sandbox_is_not_safe(self) -> None:
        assert not replace(GOOD, sandbox=None).safe
