"""Inspect counts tokens with a table that it would fetch; here each byte is a token.

Where Inspect runs in another environment, this is its `sitecustomize`.
"""

from __future__ import annotations

import tiktoken

bytewise = tiktoken.Encoding(
    "bytes",
    pat_str=r".|\n",
    mergeable_ranks={bytes([each]): each for each in range(256)},
    special_tokens={},
)
tiktoken.get_encoding = lambda _: bytewise
