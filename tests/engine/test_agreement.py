"""A version of OCaml that was not tried gets the warm engine if that grades known programs right."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.codec.typed import to_plain
from ocaml_reward.engine import CheckReport, CheckRequest, Engine, PreparedTests
from ocaml_reward.engine.build.choice import TRIED
from ocaml_reward.engine.build.helpers import engine_folder
from ocaml_reward.engine.build.sources import KNOWN_PROGRAMS
from ocaml_reward.engine.engines.agreement import KnownProblem, KnownProgram, facts, facts_of_tests
from ocaml_reward.formats import CompletionLine, load_problems, read_completions

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "test_corpus"
# Of what the corpus has of every stage, outcome, number of errors, kind of part and way to judge a
# check, the programs of which all versions tried say the same, on a busy machine too; and some
# cheats.
CASES = {
    "age-six-type-errors", "cheat-answer-any-tag", "cheat-any-light",
    "cheat-catch-all-exception", "cheat-deep-result", "cheat-exit-in-a-module",
    "cheat-generic-quotation", "cheat-open-module", "cheat-open-parenthesis",
    "cheat-overflow-at-load", "cheat-shebang", "cheat-stdio-echo", "cheat-stdio-exit-zero",
    "cheat-stdio-stub-of-a-missing-name", "cheat-toplevel-directives",
    "cheat-uncounted-by-leaving", "cheat-uncounted-by-raising", "compose-occurs-check",
    "digits-unterminated-comment", "factorise-loops-below-two", "factorise-memory",
    "fold-prints-for-ever", "inventory-five-type-errors",
    "inventory-syntax-error-in-last-function", "life-six-type-errors", "light-sys-command",
    "light-type-in-comment-only", "lines-end-of-file-escapes",
    "lookup-obj-magic", "lookup-outermost-wins", "lru-get-raises", "lru-size-missing",
    "machine-loops-at-end", "machine-nine-type-errors",
    "mean-int-operators-on-floats", "monoid-four-type-errors", "sexp-too-few-arguments",
    "sexp-wrapped-in-module", "stats-correct-loop", "stats-exit-code-one", "stats-reads-lines",
    "stats-sys-command", "text-chat-two-blocks", "text-nul-character",
    "text-toplevel-transcript", "text-truncated-fence-chat", "transfer-external",
    "transfer-immutable-balance", "transfer-other-exception", "transfer-seven-type-errors",
    "tree-seven-type-errors",
}  # fmt: skip
# What the corpus lacks: tests and code with modules for parameters.
MORE = (
    (
        Problem(
            id="packed-modules",
            tests="module type N = sig val n : int end\n"
            "let of_module (module M : N) k = k M.n\n"
            "let three = (module struct let n = 3 end : N)\n"
            "let () = assert (of_module three double = 6)\n"
            "let () = assert ((fun (module M : N) -> double M.n) three = 6)",
            reference="let double n = 2 * n",
        ),
        {
            "packed-modules-in-code": "module type M = sig val two : int end\n"
            "let by (module M : M) = function 0 -> 0 | n -> n * M.two\n"
            "let never (module M : M) n = n - n\n"
            "let double n = by (module struct let two = 2 end) n",
            "packed-modules-unread": "module type M = sig val two : int end\n"
            "let two (module M : M) = M.two\n"
            "let double n = two (module struct let two = 2 end) * n",
            "packed-modules-type-error": "module type M = sig val two : int end\n"
            "let by (module M : M) = function 0 -> 0 | n -> n ^ M.two\n"
            "let double n = n + n",
        },
    ),
)


class Recording:
    """An engine that keeps its last request and report."""

    def __init__(self, engine: Engine) -> None:
        self.name, self.sandbox = engine.name, engine.sandbox
        self.toolchain, self.close = engine.toolchain, engine.close
        self.prepare, self._check = engine.prepare, engine.check
        self.last: tuple[CheckRequest, CheckReport]

    def check(self, request: CheckRequest) -> CheckReport:
        report = self._check(request)
        self.last = request, report
        return report


def completions() -> Iterator[tuple[str, str, str]]:
    """Yield the corpus's completions and cheats: name, problem and text."""
    for line in read_completions(CORPUS / "completions.jsonl"):
        assert isinstance(line, CompletionLine)
        yield str(line.extra["case"]), line.problem_id, line.completion.text
    for path in sorted((CORPUS / "cheats").glob("*.toml")):
        row = tomllib.loads(path.read_text(encoding="utf-8"))
        yield f"cheat-{path.stem}", row.get("problem", "plateaus"), row.get("cheat", "")


def known(engine: Engine) -> Iterator[KnownProblem]:
    """Grade the programs as a grader does that locates credit."""
    problems = load_problems(CORPUS / "problems.jsonl").problems
    groups: dict[str, tuple[Problem, dict[str, str]]] = {}
    for name, problem_id, text in completions():
        if name in CASES:
            problem = replace(problems[problem_id], prompt="", public_tests="")
            groups.setdefault(problem_id, (problem, {}))[1][name] = text
    for problem, texts in (*groups.values(), *MORE):
        recording = Recording(engine)
        grader = Grader("seed", engine=recording, jobs=1, regions=True)
        programs = []
        for name, text in texts.items():
            grader.grade(problem, Completion(text=text))
            request, report = recording.last
            programs.append(
                KnownProgram(
                    name=name,
                    code=request.code,
                    facts=facts(report),
                )
            )
        tests: PreparedTests = grader.prepare(problem)
        yield KnownProblem(problem=problem, facts=facts_of_tests(tests), programs=tuple(programs))


def test_the_known_programs_are_of_the_corpus(
    engines: Callable[[str], Engine], golden: Callable[[Path, str], None]
) -> None:
    """They are what extraction makes of the corpus, with what this compiler says of them."""
    found = list(known(engines("auto")))
    lines = (json.dumps(to_plain(each), ensure_ascii=True) for each in found)

    assert len(CASES) + 3 == sum(len(each.programs) for each in found)
    golden(KNOWN_PROGRAMS, "".join(f"{line}\n" for line in lines))


class Copy:
    """A copy of the package that takes no version for tried, with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.root, self.cache = folder / "copy", folder / "cache"
        for name in ("ocaml_reward", "cli"):
            shutil.copytree(ROOT / name, self.root / name)
        tried = ", ".join(map(str, sorted(TRIED)))
        self.edit("engine/build/choice.py", f"frozenset({{{tried}}})", "frozenset()")
        # What is built of the same sources need not be built again.
        built = engine_folder()
        shutil.copytree(built, self.cache / "engine" / built.name)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.root / "ocaml_reward" / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *arguments: str) -> str:
        """Run the command in a process of its own."""
        return subprocess.run(
            [sys.executable, "-m", "cli", *arguments],
            cwd=self.root,
            env={**os.environ, "OCAML_REWARD_CACHE": str(self.cache)},
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip


@pytest.fixture
def copy() -> Iterator[Copy]:
    with TemporaryDirectory(prefix="agreement-test-") as name:
        # What jails mount has to be within reach of their user.
        Path(name).chmod(0o755)
        yield Copy(Path(name))


def test_an_untried_version_that_agrees_gets_the_warm_engine(copy: Copy) -> None:
    """The known programs are graded once; the next process reads the result."""
    built = copy.run("engine", "build")
    (kept,) = (each for each in (copy.cache / "agreement").iterdir() if each.name[0] != ".")
    kept.write_text("kept", encoding="utf-8")
    again = copy.run("engine", "build")

    assert "warm engine: yes, both engines grade the known programs right with" in built
    assert f"warm engine: no, kept ({kept} has this)" in again


# A file, what in it is made wrong, and what is then said.
WRONG = (
    # Both engines read the tree wrong.
    (
        "ast/stubs.ml",
        "List.for_all mentions_none bodies",
        "bodies = []",
        " has parts: ",
    ),
    # One does something else from typing on.
    (
        "server/check_request.ml",
        "if lenient then [] else",
        "if true then [] else",
        "the engines differ in forbidden of ",
    ),
)


@pytest.mark.parametrize(("name", "old", "new", "said"), WRONG)
def test_a_warm_engine_that_is_wrong_is_not_used(
    copy: Copy, name: str, old: str, new: str, said: str
) -> None:
    """The build says which program differed, and in what."""
    copy.edit(f"engine/ocaml/{name}", old, new)
    built = copy.run("engine", "build")

    assert "warm engine: no, " in built
    assert said in built


def test_a_warm_engine_that_does_not_build_leaves_the_stock_engine(copy: Copy) -> None:
    """The set-up and doctor say why, and completions are graded all the same."""
    copy.edit("engine/ocaml/versions/unit_fault_known.ml", "Ok ()", "Ok 0")
    built = copy.run("engine", "build")
    report = json.loads(copy.run("doctor", "--json", "--verbose", "--sandbox", "nsjail"))
    rows = {row["name"]: row for row in report["findings"]}
    why = "the engine does not build with OCaml "

    assert f"warm engine: no, {why}" in built
    assert report["safe"]
    assert rows["engine"]["evidence"].startswith(f"stock, which is slower: {why}")


def test_a_parse_tree_with_other_names_builds_no_engine(copy: Copy) -> None:
    """Both read it: a release that renames a constructor ends the set-up, in one line."""
    copy.edit("engine/ocaml/ast/definition_graph.ml", "Pexp_while _", "Pexp_renamed _")
    with pytest.raises(subprocess.CalledProcessError) as found:
        copy.run("engine", "build")
    (line,) = found.value.stderr.splitlines()[-1:]

    assert line.startswith("ocaml-reward: the engine does not build with OCaml ")
    assert "Pexp_renamed" in line
    assert "Traceback" not in found.value.stderr
