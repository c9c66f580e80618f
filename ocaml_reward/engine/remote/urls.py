"""Where servers are: addresses as users write them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

TOKEN_VARIABLE: Final = "OCAML_REWARD_TOKEN"  # noqa: S105 - the name, not the token
"""The environment variable that holds what servers are to be shown."""

_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True, slots=True)
class Url:
    """One server: `path` is what a proxy puts before ours, without a slash at its end."""

    scheme: str
    host: str
    port: int
    path: str

    def __str__(self) -> str:
        """Write it as a user would."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.path}"


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


def read_urls(text: str) -> tuple[Url, ...]:
    """Read addresses between commas, each once; raises ValueError."""
    return tuple(dict.fromkeys(_read(each.strip()) for each in text.split(",")))


def _read(text: str) -> Url:
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
            f"an address takes no user, query or fragment; a token goes into"
            f" {TOKEN_VARIABLE}"
        )
    return Url(
        scheme=parts.scheme,
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        path=parts.path.rstrip("/"),
    )
