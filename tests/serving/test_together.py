"""Questions that travel together: each thread has its own answer, and nobody waits for more."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from ocaml_reward import Grader, JailFault
from ocaml_reward.engine.remote.engine import RemoteEngine
from ocaml_reward.engine.remote.together import Together
from ocaml_reward.testing import completion, problem
from tests.serving.faked import engine
from tests.serving.running import ask, served, until


class Post:
    """Doubles numbers, once it may; 13 it leaves to be asked by itself, 66 it breaks at."""

    def __init__(self) -> None:
        self.sent: list[list[int]] = []
        self.may = threading.Event()

    def send(self, numbers: Sequence[int]) -> list[int | None]:
        """Answer a request."""
        self.sent.append(list(numbers))
        self.may.wait(30)
        if 66 in numbers:
            raise ValueError(66)
        return [None if number == 13 else 2 * number for number in numbers]


def asked(post: Post, numbers: Sequence[int]) -> list[int | None]:
    """Ask from a thread each, of which all but the first find one request on its way."""
    together = Together(post.send, most=lambda: 1, size=4)
    with ThreadPoolExecutor(len(numbers)) as pool:
        first = pool.submit(together.ask, numbers[0])
        until(lambda: post.sent)
        futures = [first, *(pool.submit(together.ask, each) for each in numbers[1:])]
        until(lambda: len(together._waiting) == len(numbers) - 1)
        post.may.set()
        return [each.result() for each in futures if not each.exception()]


def test_what_waits_goes_together() -> None:
    """One goes at once, then up to four in a request; each answer is its asker's."""
    post = Post()
    found = asked(post, range(7))

    assert [2 * number for number in range(7)] == found
    assert [1, 4, 2] == [len(each) for each in post.sent]


def test_one_may_be_left_to_be_asked_by_itself() -> None:
    """The others of its request have their answers."""
    assert [2, None, 6] == asked(Post(), [1, 13, 3])


def test_a_request_that_breaks_stops_nobody() -> None:
    """It is an error of who sent it; who was with it asks alone, and the next request goes."""
    post = Post()
    found = asked(post, [1, 66, 3, 4, 5, 6])

    assert [2, None, None, None, 12] == found
    assert [1, 4, 1] == [len(each) for each in post.sent]


@pytest.mark.parametrize("jobs", [1, 8])
def test_glances_travel_together(jobs: int) -> None:
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
