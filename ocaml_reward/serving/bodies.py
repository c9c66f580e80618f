"""A request's body, read while it comes: never more of it than is allowed, nor longer."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import ClientDisconnect, Request

from .. import FormatError
from ..codec.typed import read_json
from .refusals import Refusal


async def body_of(request: Request, *, most_bytes: int, most_s: float) -> Any:
    """Return the JSON of a request; raises Refusal for what is too long, too slow or none."""
    claimed = request.headers.get("content-length", "")
    if claimed.isdecimal() and int(claimed[:20]) > most_bytes:
        # Refused unread; what is claimed is only believed where it is bad.
        raise _too_long(most_bytes)
    try:
        async with asyncio.timeout(most_s):
            text = await _streamed(request, most_bytes)
    except TimeoutError:
        raise Refusal(408, "TooSlow", f"no body within {most_s:g} s") from None
    except ClientDisconnect:
        raise Refusal(400, "FormatError", "the body ends too soon") from None
    try:
        return read_json(text)
    except FormatError as error:
        raise Refusal(400, "FormatError", str(error)) from None


async def _streamed(request: Request, most_bytes: int) -> bytes:
    """Return a request's body; refuse one that is too long."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most_bytes:
            raise _too_long(most_bytes)
        parts.append(part)
    return b"".join(parts)


def _too_long(most_bytes: int) -> Refusal:
    return Refusal(413, "TooLong", f"at most {most_bytes} bytes in a request")
