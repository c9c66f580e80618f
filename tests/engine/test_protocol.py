"""What a run reports: only lines with the nonce of that run are events."""

from __future__ import annotations

import pytest

from ocaml_reward.engine.messages.protocol import Event, nonce, read_events


def test_lines_with_the_nonce_are_events() -> None:
    """A whole line that carries it has a name, arguments and a detail."""
    secret = nonce()
    data = f"{secret} end 3 0|why\n{secret} done|\n".encode()

    assert [Event("end", "3 0", "why"), Event("done", "", "")] == list(read_events(data, secret))


@pytest.mark.parametrize(
    "line",
    [
        "end 1 0|",
        " end 1 0|",
        "0123 end 1 0|",
        "{other} end 1 0|",
        "{shorter} end 1 0|",
        "NONCE end 1 0|",
    ],
)
def test_whoever_does_not_know_it_reports_nothing(line: str) -> None:
    """A line with another nonce, part of it or none is not an event, wherever it came from."""
    secret = nonce()
    forged = line.format(other=nonce(), shorter=secret[:-1])

    assert [] == list(read_events(f"{forged}\n".encode(), secret))
    assert nonce() != nonce()
