"""The endpoints that jobgate calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import segment, without_nothing
from .transport import UNSET, AsyncRoutes


_KEPT_SECRET = "The worker keeps its secret; rotate_secret(queue) returns a new one"


class AsyncWorkers(AsyncRoutes):
    """The endpoints that jobgate calls, one per queue."""

    async def list(self, *, timeout: float | None = None, **query: object) -> dict[str, Any]:
        """The endpoints by queue, or their health with `view="health"`."""
        return dict(await self._ask("GET", "", query=query, timeout=timeout))

    async def register(
        self,
        queue: str,
        endpoint: Mapping[str, Any],
        opts: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
    ) -> dict[str, str]:
        """Returns the `secret` if the calls were not signed before. A worker that keeps its secret gets a `note`."""
        body = without_nothing({"queue": queue, "endpoint": endpoint, "opts": opts})
        answer = await self._ask("POST", "", body=body, timeout=timeout)
        if isinstance(answer, dict):
            return answer
        return {"note": _KEPT_SECRET} if endpoint.get("signing") else {}

    async def change(
        self,
        queue: str,
        *,
        endpoint: Any = UNSET,
        opts: Any = UNSET,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Changes what it names, and `None` removes a field; a new `secret` is returned only this once."""
        given = {"endpoint": endpoint, "opts": opts}
        body = {name: value for name, value in given.items() if value is not UNSET}
        return dict(await self._ask("PATCH", f"/{segment(queue)}", body=body, timeout=timeout))

    async def remove(self, queue: str, *, timeout: float | None = None) -> str:
        """Removes the endpoint of the queue."""
        return str(await self._ask("DELETE", f"/{segment(queue)}", timeout=timeout))

    async def health(self, queue: str, *, timeout: float | None = None) -> dict[str, Any]:
        """The health of the endpoint."""
        return dict(await self._ask("GET", f"/{segment(queue)}/health", timeout=timeout))

    async def test(
        self,
        queue: str,
        *,
        name: str | None = None,
        data: Any = UNSET,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Calls the endpoint once, with a job that belongs to no queue."""
        body = without_nothing({"name": name})
        if data is not UNSET:
            body["data"] = data
        path = f"/{segment(queue)}/test"
        return dict(await self._ask("POST", path, body=body, timeout=timeout))

    async def rotate_secret(self, queue: str, *, timeout: float | None = None) -> dict[str, str]:
        """Creates a new secret; both secrets sign for 24 hours."""
        return dict(await self._ask("POST", f"/{segment(queue)}/rotate-secret", timeout=timeout))

    async def enable(self, queue: str, *, timeout: float | None = None) -> str:
        """Enables calls to the endpoint."""
        return str(await self._ask("POST", f"/{segment(queue)}/enable", timeout=timeout))

    async def disable(
        self, queue: str, *, reason: str | None = None, timeout: float | None = None
    ) -> str:
        """Disables calls to the endpoint; its jobs wait."""
        body = without_nothing({"reason": reason})
        return str(await self._ask("POST", f"/{segment(queue)}/disable", body=body, timeout=timeout))
