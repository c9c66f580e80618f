"""Addresses of servers and their token, as users write them."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

TOKEN_VARIABLE: Final = "OCAML_REWARD_TOKEN"  # noqa: S105 - the name, not the token
"""The environment variable with the token that servers ask for."""

_PORTS: Final = {"http": 80, "https": 443}


def token_in(text: str | None) -> str | None:
    """Return the token in a file's or a variable's text, None where there is none.

    Raises ValueError for what no header can hold.
    """
    token = (text or "").strip()
    if not (token.isascii() and token.isprintable()):
        raise ValueError(f"{TOKEN_VARIABLE}: a token is printable ASCII")
    return token or None


def is_address(name: str) -> bool:
    """Tell addresses of servers from names of engines."""
    return "://" in name


def read_urls(text: str) -> tuple[str, ...]:
    """Read addresses between commas, each once, with their ports; raise ValueError."""
    return tuple(dict.fromkeys(_read(each.strip()) for each in text.split(",")))


def _read(text: str) -> str:
    """Return a server's address in its full form; raise ValueError if it is none."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"no address of a server: {text!r}: {error}") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError(f"no address of a server: {text!r}; http://host:8700 is one")
    if parts.username or parts.query or parts.fragment:
        # A token in an address would end up in messages and process lists.
        raise ValueError(
            f"an address takes no user, query or fragment; a token goes into {TOKEN_VARIABLE}"
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{host}:{port or _PORTS[parts.scheme]}{path}"
