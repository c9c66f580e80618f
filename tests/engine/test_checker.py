"""Checkers in C++ that follow testlib's command line: compiled and run in jails, told apart however
they end.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward import Breakdown, Completion, Grader, Problem, ProblemError, StdioCase
from ocaml_reward.engine import Engine
from ocaml_reward.engine.judge.checker import HEADER_VARIABLE
from ocaml_reward.formats.importing import import_problems
from ocaml_reward.formats.labels import problem_by_label
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.formats.writing import problem_fields

CHECKER = """
#include <fstream>
#include <iostream>
int main(int argc, char **argv) {
  std::ifstream in(argv[1]), out(argv[2]), answer(argv[3]);
  long n, a, b, more;
  if (argc != 4 || !(in >> n) || !(answer >> a >> b) || a + b != n) return 3;
  if (!(out >> a >> b)) { std::cerr << "wrong output format two numbers"; return 2; }
  if (out >> more) { std::cerr << "wrong answer more than two"; return 1; }
  if (a + b == n + 1) { std::cerr << "points 0.5 one too many"; return 7; }
  if (a + b != n) { std::cerr << "wrong answer " << a << " and " << b; return 1; }
  std::cerr << "ok"; return 0;
}
"""
CASES = tuple(StdioCase(stdin=f"{n}\n", stdout=f"0 {n}\n") for n in (2, 5, 8))
PROBLEM = Problem(id="split", tests=CASES, checker=CHECKER, prompt="Split a number.")
EXPECTED = 'let () = Printf.printf "0 %d\\n" (read_int ())'
RIGHT = 'let () = let n = read_int () in Printf.printf "%d %d" (n / 2) (n - n / 2)'


@pytest.fixture(scope="module", params=["warm", "stock"])
def grader(request: pytest.FixtureRequest, engines: Callable[[str], Engine]) -> Grader:
    """Grade in each engine."""
    return Grader("concise", engine=engines(request.param), jobs=2)


def graded(grader: Grader, code: str, checker: str = CHECKER) -> Breakdown:
    """Grade a program under a checker."""
    return grader.grade(replace(PROBLEM, checker=checker), Completion(text=code))


@pytest.mark.parametrize(
    ("code", "outcomes", "said"),
    [
        (RIGHT, ["passed"] * 3, ""),
        ('let () = print_string (read_line () ^ " 0")', ["passed"] * 3, ""),
        (
            'let () = print_string "x"',
            ["failed"] * 3,
            "wrong output format two numbers",
        ),
        ('let () = print_string "1 1 1"', ["failed"] * 3, "wrong answer more than two"),
        (
            'let () = Printf.printf "1 %d" (read_int ())',
            ["failed"] * 3,
            "0.5 of it: one too many",
        ),
        (
            'let () = if read_int () > 2 then exit 1; print_string "1 1"',
            ["passed", "exited", "exited"],
            "",
        ),
        ("let () = print_string (String.make 900_000 '1')", ["failed"] * 3, "wrong"),
    ],
)
def test_its_status_is_the_verdict(
    grader: Grader, code: str, outcomes: list[str], said: str
) -> None:
    """Right, wrong, malformed and points, each with the checker's words."""
    found = graded(grader, code)

    assert found.fault is None
    assert outcomes == [each.outcome.value for each in found.tests.results]
    assert said in found.tests.results[0].detail


@pytest.mark.usefixtures("brief_judging")
@pytest.mark.parametrize(
    "body",
    [
        "return 3;",
        "return 42;",
        'std::cerr << "points 7"; return 7;',
        "std::abort();",
        "for (;;) ;",
        "int *none = nullptr; *none = 1; return 0;",
        'std::ofstream("/task/answer") << 1; return 99;',
        "for (;;) new char[1 << 26]();",
    ],
)
def test_one_that_dies_is_the_problems_fault(grader: Grader, body: str) -> None:
    """Where a good output makes it die: the completion has no reward, not 0."""
    head = "#include <cstdlib>\n#include <fstream>\n#include <iostream>\n"
    found = graded(grader, EXPECTED, f"{head}int main() {{ {body} }}")

    assert (None, "JudgeFault") == (found.reward, found.fault and found.fault.kind)


def test_it_reaches_nothing_of_the_host(grader: Grader, tmp_path: Path) -> None:
    """Neither what compiles it nor it sees a file of ours, writes one, or finds the network."""
    canary = tmp_path / "canary"
    canary.write_text("secret")
    with pytest.raises(ProblemError, match="No such file"):
        grader.prepare(replace(PROBLEM, checker=f'#include "{canary}"\nint main() {{}}'))
    with pytest.raises(ProblemError, match="does not compile"):
        grader.prepare(
            replace(
                PROBLEM,
                checker=f'asm(".incbin \\"{canary}\\"");\nint main() {{ return 0; }}',
            )
        )
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        found = graded(
            grader,
            RIGHT,
            "#include <arpa/inet.h>\n#include <fstream>\n#include <unistd.h>\n"
            "int main() {\n"
            f'  std::ofstream("{canary}") << "gone";\n'
            f'  if (std::ifstream("{canary}").good() || fork() > 0) return 0;\n'
            "  int s = socket(AF_INET, SOCK_STREAM, 0);\n"
            f"  sockaddr_in a = {{AF_INET, htons({port})}};\n"
            '  inet_pton(AF_INET, "127.0.0.1", &a.sin_addr);\n'
            "  return connect(s, (sockaddr *)&a, sizeof a) == 0 ? 0 : 3;\n}",
        )

    assert "secret" == canary.read_text()
    assert found.fault is not None
    assert "JudgeFault" == found.fault.kind


def test_testlib_is_found_where_it_is(
    grader: Grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has testlib.h says where; who has not is told so in one line."""
    code = '#include "testlib.h"\nint main() { return VERDICT; }'
    monkeypatch.setenv(HEADER_VARIABLE, str(tmp_path / "none.h"))
    with pytest.raises(ProblemError, match=f"{HEADER_VARIABLE} says where it is"):
        grader.prepare(replace(PROBLEM, checker=code))
    header = tmp_path / "testlib.h"
    header.write_text("#define VERDICT 0\n")
    monkeypatch.setenv(HEADER_VARIABLE, str(header))

    assert 1.0 == graded(grader, 'let () = print_string "any"', code).reward


def test_it_is_kept_by_the_formats(tmp_path: Path) -> None:
    """A problem is written and read with it, and import keeps those of contests."""
    assert PROBLEM == problem_by_label(problem_fields(PROBLEM), {}, where="")
    row = {
        "name": "1_A. Split",
        "description": "Split n.",
        "private_tests": {"input": ["2\n"], "output": ["1 1\n"]},
        "checker": CHECKER,
    }
    for checker, kept in ((CHECKER, CHECKER), ("def check(): pass", "")):
        path = tmp_path / "rows.jsonl"
        path.write_text(json.dumps(row | {"checker": checker}) + "\n", "utf-8")
        (found,) = import_problems(path)

        assert not isinstance(found.found, BadLine)
        assert kept == found.found.problem.checker
        assert ("several may be right" in " ".join(found.said)) != bool(kept)
