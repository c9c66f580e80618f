"""The engine on other machines: the same seam, over HTTP, with the standard library alone.

`engine` holds RemoteEngine, and brings `http.client` along: who only tells an address from
a name (`urls`) does without.
"""

__all__: list[str] = []
