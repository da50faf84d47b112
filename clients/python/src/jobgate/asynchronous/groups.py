"""The groups of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import segment, without_nothing
from .transport import AsyncRoutes


class AsyncGroups(AsyncRoutes):
    """The groups of a queue."""

    async def list(self, *, timeout: float | None = None, **query: object) -> dict[str, Any]:
        """Those with jobs or settings: `start`, `length`, `sort`, `state`, `id`."""
        return dict(await self._ask("GET", "", query=query, timeout=timeout))

    async def put(
        self, id: str, settings: Mapping[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Replaces the settings of a group."""
        return dict(await self._ask("PUT", f"/{segment(id)}", body=settings, timeout=timeout))

    async def get(self, id: str, *, timeout: float | None = None) -> dict[str, Any]:
        """A group."""
        return dict(await self._ask("GET", f"/{segment(id)}", timeout=timeout))

    async def remove(self, id: str, *, timeout: float | None = None) -> str:
        """Removes the settings of a group; its jobs stay."""
        return str(await self._ask("DELETE", f"/{segment(id)}", timeout=timeout))

    async def pause(
        self, id: str, *, reason: str | None = None, timeout: float | None = None
    ) -> str:
        """Starts no job of a group."""
        body = without_nothing({"reason": reason})
        return str(await self._ask("POST", f"/{segment(id)}/pause", body=body, timeout=timeout))

    async def resume(self, id: str, *, timeout: float | None = None) -> str:
        """Starts jobs of a group again."""
        return str(await self._ask("POST", f"/{segment(id)}/resume", timeout=timeout))

    async def hold(
        self, id: str, ms: int, *, reason: str | None = None, timeout: float | None = None
    ) -> dict[str, int]:
        """Starts no job of a group for this many milliseconds."""
        path = f"/{segment(id)}/hold"
        body = without_nothing({"for": ms, "reason": reason})
        return dict(await self._ask("POST", path, body=body, timeout=timeout))

    async def end_hold(self, id: str, *, timeout: float | None = None) -> str:
        """Ends a hold."""
        return str(await self._ask("DELETE", f"/{segment(id)}/hold", timeout=timeout))
