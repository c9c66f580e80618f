"""The engine that asks servers, with servers whose engine does as it is told."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ocaml_reward import Grader, JailFault, MachineError, ProblemError, RemoteFault
from ocaml_reward.engine import CheckRequest
from ocaml_reward.engine.engines.select import engine as engine_named
from ocaml_reward.engine.remote.engine import RemoteEngine
from ocaml_reward.engine.remote.messages import PROTOCOL, shapes
from ocaml_reward.errors import SandboxUnavailable
from ocaml_reward.model import Budget
from ocaml_reward.serving import Settings
from ocaml_reward.serving.running import listening
from ocaml_reward.testing import FakeEngine, completion, problem, report
from ocaml_reward.version import __version__
from tests.serving.faked import CANARY, engine
from tests.serving.running import ROOT, ask, served

# Nothing listens at the port of "discard".
NOBODY = "http://127.0.0.1:9"


def has_ipv6() -> bool:
    """Tell whether this machine has an address of that kind: in a container it may not."""
    try:
        listening("::1", 0).close()
    except OSError:
        return False
    return True


LOOPBACK = ["127.0.0.1", "::1"] if has_ipv6() else ["127.0.0.1"]
# Of "localhost", 127.0.0.1 and ::1, with its key, for a hundred years.
CERTIFICATE = Path(__file__).with_name("localhost.pem")


def test_a_forgotten_problem_is_prepared_again() -> None:
    """A server that remembers one problem grades two in turns, and prepares each anew."""
    fake = engine()
    problems = [problem("one"), problem("two")]
    with served(fake, Settings(remembered=1)) as url:
        remote = RemoteEngine(url)
        prepared = [remote.prepare(each) for each in problems]
        reports = [
            remote.check(CheckRequest(code="let add = (+)", tests=tests)) for tests in prepared * 3
        ]
        remote.close()

    assert 6 == len(reports)
    assert len(fake.budgets) > 6


def test_what_a_completion_may_spend_arrives() -> None:
    """Budgets, libraries and the problem's rules reach the server's engine as they are."""
    fake = engine()
    budget = Budget(check_cpu_s=0.25, memory_mb=99)
    with served(fake) as url:
        remote = RemoteEngine(url)
        tests = remote.prepare(problem(), budget)
        remote.check(
            CheckRequest(
                code="c",
                tests=tests,
                libraries=("str",),
                forbidden=("ref", ":="),
                required=("Fifo",),
                budget=budget,
            )
        )
        remote.close()
    (asked,) = (each for each in fake.requests if each.code == "c")

    assert budget in fake.budgets
    assert (budget, ("str",)) == (asked.budget, asked.libraries)
    assert (("ref", ":="), ("Fifo",)) == (asked.forbidden, asked.required)


@pytest.mark.parametrize("secret", [False, True])
@pytest.mark.parametrize("host", LOOPBACK)
def test_any_address_and_https(
    host: str,
    secret: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Servers are found at addresses of both kinds, and over TLS if their certificate is known."""
    with served(engine(), host=host, certificate=CERTIFICATE if secret else None) as url:
        if secret:
            with pytest.raises(MachineError, match="certificate verify failed"):
                RemoteEngine(url)
            monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        remote = RemoteEngine(url)
        assert remote.prepare(problem()).checks
        remote.close()


def test_errors_come_back_as_what_they_were() -> None:
    """A bad problem raises ProblemError, and a failing machine the failure it had there."""
    with served(engine(broken=JailFault("no jail"))) as url:
        remote = RemoteEngine(url)
        with pytest.raises(ProblemError, match="no check"):
            remote.prepare(problem(tests="let x = 1"))
        tests = remote.prepare(problem())
        with pytest.raises(JailFault, match="no jail"):
            remote.check(CheckRequest(code="broken", tests=tests))
        remote.close()


def test_a_closed_engine_answers_nothing() -> None:
    """After `close` a question fails at once."""
    with served(engine()) as url:
        remote = RemoteEngine(url)
        remote.close()
        with pytest.raises(RemoteFault, match="closed"):
            remote.prepare(problem())


def test_without_any_server_there_is_no_engine() -> None:
    """Where nobody answers, making the engine says so; one of two is enough."""
    with pytest.raises(MachineError, match="refused"):
        RemoteEngine(NOBODY)
    with served(engine()) as url:
        RemoteEngine(f"{NOBODY},{url}").close()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            {"version": "9.0", "protocol": 7, "colour": "blue"},
            rf"is ocaml-reward 9.0, this is ocaml-reward {__version__}: install the same",
        ),
        (
            {"version": __version__, "protocol": PROTOCOL, "shapes": "0123abcd"},
            rf"another commit \(messages 0123abcd\), .* \(messages {shapes()}\)",
        ),
        ({"hello": 1}, "unknown key"),
    ],
    ids=["version", "commit", "stranger"],
)
def test_a_server_of_another_build_is_refused(said: dict[str, object], told: str) -> None:
    """Whatever else it says, both versions are named; so are two commits of one version."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with pytest.raises(RemoteFault, match=told):
                RemoteEngine(f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
            thread.join()


def test_a_jail_may_be_insisted_on() -> None:
    """--sandbox with an address is a condition on the servers."""
    with served(engine()) as url:
        engine_named(url, "none").close()
        with pytest.raises(SandboxUnavailable, match="not nsjail"):
            engine_named(url, "nsjail")


def test_an_engine_that_is_not_ready_is_not_asked() -> None:
    """A server whose engine passes everything gets no work, so it makes no record."""
    with served(FakeEngine()) as url, pytest.raises(RemoteFault, match="not ready"):
        RemoteEngine(url)


def test_the_servers_say_how_much_to_send() -> None:
    """A grader without a number of jobs takes six times what all servers take, if that is little."""
    with (
        served(engine(), jobs=3) as one,
        served(engine(), jobs=2) as two,
        Grader(engine=RemoteEngine(f"{one},{two}")) as grader,
    ):
        jobs = grader.jobs

    assert 30 == jobs


def test_a_busy_server_is_waited_for() -> None:
    """A queue of one under many requests loses none of them: 429 is a pause."""
    answers = {**CANARY, **{f"let add = {n}": report("failed") for n in range(3)}}
    pairs = [(problem(), completion(f"let add = {n}")) for n in range(6)]
    with (
        served(FakeEngine(answers), Settings(queue=1), jobs=1) as url,
        Grader(engine=RemoteEngine(url), jobs=4) as grader,
    ):
        graded = list(grader.grade_many(pairs))

    assert [None] * 6 == [each.fault for each in graded]
    assert [0] * 3 + [1] * 3 == [each.tests.passed for each in graded]


def test_without_httpx_it_says_what_to_install() -> None:
    """What asks servers is an extra; it is one line and exit code 3."""
    program = (
        "import sys; sys.modules['httpx'] = None; from cli.main import main;"
        "main(['score', '/dev/stdin', '--engine', 'http://127.0.0.1:9'])"
    )
    line = '{"problem_id": "a", "completion": "", "tests": "assert true"}\n'
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        input=line,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 3 == done.returncode
    assert "pip install 'ocaml-reward[remote]'" in done.stderr


@pytest.mark.parametrize("jobs", [1, 8])
def test_quick_attempts_travel_together(jobs: int) -> None:
    """Eight threads before a server that does one thing at a time send fewer requests than they
    have questions, one thread as many; a fault is that of one completion.
    """
    texts = [f"let add = {number}" for number in range(40)]
    texts[20] = "broken"
    pairs = [(problem(), completion(text)) for text in texts]
    with (
        served(engine(broken=JailFault("no jail")), jobs=1) as url,
        Grader(engine=RemoteEngine(url), jobs=jobs) as grader,
    ):
        graded = list(grader.grade_many(pairs))
        metrics = ask(url, "/metrics").text.decode()
    (line,) = [
        each
        for each in metrics.splitlines()
        if each.startswith('ocaml_reward_requests_total{path="/v1/check"')
    ]
    requests = float(line.split()[-1])

    assert [20] == [place for place, each in enumerate(graded) if each.fault]
    # One prepares; what has failed is tried once more.
    assert requests >= 40 if jobs == 1 else requests < 35
