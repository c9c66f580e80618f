"""Which server gets the next request, told by a clock that the test holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward.engine.remote.fleet import Fleet, Server, Turn
from ocaml_reward.engine.remote.urls import read_urls


def fleet(count: int, *, trusted: bool = True, jobs: int = 1) -> Fleet:
    """Build a fleet whose servers have answered already, or not."""
    urls = read_urls(",".join(f"http://s{number}:80" for number in range(count)))
    servers = tuple(Server(url=url, trusted=trusted, jobs=jobs) for url in urls)
    return Fleet(servers=servers)


def test_the_least_loaded_goes_first() -> None:
    """Requests spread evenly, by what each server can do at a time."""
    servers = fleet(2)
    first, second = servers.servers
    second.jobs = 3
    for _ in range(8):
        servers.turn(0.0)

    assert (2, 6) == (first.requests, second.requests)


def test_one_that_failed_rests_twice_as_long_each_time() -> None:
    """Rests are 0.5 s, then double up to 30 s, and one request finds out after each."""
    servers = fleet(1)
    (server,) = servers.servers
    now, rests = 0.0, []
    servers.turn(now)
    servers.failed(server, now)
    for _ in range(8):
        rests.append(server.rests_until - now)
        resting = servers.turn(now)
        now = server.rests_until
        probing, waiting = servers.turn(now), servers.turn(now)
        servers.failed(server, now, probing=True)

        assert (None, True, None) == (resting.server, probing.probe, waiting.server)

    assert [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0] == rests


def test_requests_lost_together_are_one_failure() -> None:
    """A server that dies with many requests in flight rests as after one."""
    servers = fleet(1)
    (server,) = servers.servers
    for _ in range(10):
        servers.turn(0.0)
    for _ in range(10):
        servers.failed(server, 0.0)

    assert (0.5, 0) == (server.rests_until, server.requests)


def test_good_work_makes_the_next_rest_short() -> None:
    """One that came back and answered rests half a second when it fails again."""
    servers = fleet(1)
    (server,) = servers.servers
    for now in (0.0, 10.0):
        servers.turn(now)
        servers.failed(server, now)
        servers.turn(server.rests_until)
        servers.found(server, jobs=1)
        servers.turn(server.rests_until)
        servers.answered(server)

    assert 10.5 == server.rests_until


def test_a_busy_one_is_left_alone_and_not_distrusted() -> None:
    """Work goes elsewhere while a server is busy, and back without a question after."""
    servers = fleet(2)
    first, second = servers.servers
    servers.turn(0.0)
    servers.busy(first, 0.0, 3.0)
    chosen = [servers.turn(1.0).server for _ in range(3)]
    later = servers.turn(3.0)

    assert [second] * 3 == chosen
    assert Turn(server=first) == later


def test_without_any_left_there_is_nothing_to_wait_for() -> None:
    """Servers of another kind never come back."""
    servers = fleet(1)
    servers.leave_out(servers.servers[0], "another compiler")

    assert Turn() == servers.turn(0.0)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 5)), max_size=60))
def test_what_is_taken_is_given_back(events: list[tuple[int, float]]) -> None:
    """Whatever happens, no server counts requests that nobody has, and one that is asked
    about is not asked about twice.
    """
    servers = fleet(3, trusted=False)
    now, held = 0.0, []
    for kind, passed_s in events:
        now += passed_s
        turn = servers.turn(now)
        if turn.server is not None and turn.probe:
            if kind:
                servers.found(turn.server, jobs=kind)
            else:
                servers.failed(turn.server, now, probing=True)
        elif turn.server is not None:
            held.append(turn.server)
        if held and kind == 1:
            servers.answered(held.pop(0))
        elif held and kind == 2:
            servers.failed(held.pop(), now)
        elif held and kind == 3:
            servers.busy(held.pop(), now, passed_s)

    assert [held.count(each) for each in servers.servers] == [
        each.requests for each in servers.servers
    ]
    assert not any(each.asked for each in servers.servers)
