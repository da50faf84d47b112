# Written by write_blocking.py from the file of this name in `asynchronous`.
"""The connections for reports of workers."""

from __future__ import annotations

import httpx

#: Timeout of a report, in seconds.
_TIMEOUT = 10.0


class Network:
    """Creates its client on the first request, since most jobs report nothing."""

    def __init__(self, *, is_kept: bool = True) -> None:
        """With `is_kept` False, no connection stays open between two requests, so that it need not be closed."""
        self._limits = httpx.Limits() if is_kept else httpx.Limits(max_keepalive_connections=0)
        self._client: httpx.Client | None = None

    def send(
        self, method: str, url: str, headers: dict[str, str], content: bytes | None
    ) -> httpx.Response:
        """Sends one request."""
        if self._client is None:
            self._client = httpx.Client(limits=self._limits, timeout=_TIMEOUT)
        return self._client.request(method, url, headers=headers, content=content)

    def close(self) -> None:
        """Closes the connections."""
        client, self._client = self._client, None
        if client is not None:
            client.close()


class Unsent(Network):
    """Sends nothing. The token of a test is good for nothing."""

    def send(
        self, method: str, url: str, headers: dict[str, str], content: bytes | None
    ) -> httpx.Response:
        """An answer as for a report that was taken."""
        return httpx.Response(201, json={})
