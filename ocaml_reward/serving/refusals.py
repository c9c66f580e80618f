"""What a request is refused with: a status, a kind and one line."""

from __future__ import annotations


class Refusal(Exception):
    """A request that is not answered as asked; `retry_after_s` where asking again may help."""

    def __init__(
        self, status: int, kind: str, message: str, *, retry_after_s: int | None = None
    ) -> None:
        """Remember what to say."""
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.retry_after_s = retry_after_s
