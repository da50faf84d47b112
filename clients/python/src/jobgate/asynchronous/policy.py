"""The policy of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .transport import AsyncRoutes


class AsyncPolicy(AsyncRoutes):
    """The defaults of jobs that are added to a queue, and the limits for adding."""

    async def get(self, *, timeout: float | None = None) -> dict[str, Any]:
        """The policy."""
        return dict(await self._ask("GET", "", timeout=timeout))

    async def put(self, body: Mapping[str, Any], *, timeout: float | None = None) -> dict[str, Any]:
        """Sets the policy."""
        return dict(await self._ask("PUT", "", body=body, timeout=timeout))

    async def remove(self, *, timeout: float | None = None) -> str:
        """Removes the policy."""
        return str(await self._ask("DELETE", "", timeout=timeout))
