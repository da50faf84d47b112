"""The schedulers of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import segment, without_nothing
from ..shapes import Job
from .transport import AsyncRoutes


class AsyncSchedulers(AsyncRoutes):
    """The schedulers of a queue."""

    async def list(
        self, *, timeout: float | None = None, **query: object
    ) -> list[dict[str, Any]]:
        """A page of schedulers: `start`, `length`."""
        answer: list[dict[str, Any]] = await self._ask("GET", "", query=query, timeout=timeout)
        return answer

    async def put(
        self, id: str, body: Mapping[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Creates or replaces a scheduler."""
        return dict(await self._ask("PUT", f"/{segment(id)}", body=body, timeout=timeout))

    async def get(self, id: str, *, timeout: float | None = None) -> dict[str, Any]:
        """A scheduler, with its next slots."""
        return dict(await self._ask("GET", f"/{segment(id)}", timeout=timeout))

    async def remove(self, id: str, *, timeout: float | None = None) -> str:
        """Removes a scheduler."""
        return str(await self._ask("DELETE", f"/{segment(id)}", timeout=timeout))

    async def run(self, id: str, *, timeout: float | None = None) -> Job:
        """Adds its job now."""
        job: Job = await self._ask("POST", f"/{segment(id)}/run", timeout=timeout)
        return job

    async def pause(
        self, id: str, *, reason: str | None = None, timeout: float | None = None
    ) -> str:
        """Pauses a scheduler: it makes no jobs."""
        body = without_nothing({"reason": reason})
        return str(await self._ask("POST", f"/{segment(id)}/pause", body=body, timeout=timeout))

    async def resume(self, id: str, *, timeout: float | None = None) -> str:
        """Resumes a scheduler."""
        return str(await self._ask("POST", f"/{segment(id)}/resume", timeout=timeout))
