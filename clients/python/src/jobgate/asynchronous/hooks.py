"""Where jobgate says that something is wrong, that it is over, and that jobs ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import segment
from .transport import AsyncRoutes


class AsyncHooks(AsyncRoutes):
    """The hooks of a service."""

    async def list(self, *, timeout: float | None = None) -> dict[str, Any]:
        """All hooks, with their `total`."""
        return dict(await self._ask("GET", "", timeout=timeout))

    async def put(
        self, id: str, hook: Mapping[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Replaces any other hook of the id. The answer has a `secret` only when it is new."""
        return dict(await self._ask("PUT", f"/{segment(id)}", body=hook, timeout=timeout))

    async def get(self, id: str, *, timeout: float | None = None) -> dict[str, Any]:
        """The hook."""
        return dict(await self._ask("GET", f"/{segment(id)}", timeout=timeout))

    async def remove(self, id: str, *, timeout: float | None = None) -> str:
        """Removes the hook with its messages."""
        return str(await self._ask("DELETE", f"/{segment(id)}", timeout=timeout))

    async def rotate_secret(self, id: str, *, timeout: float | None = None) -> dict[str, str]:
        """Creates a new secret; both secrets sign for 24 hours."""
        return dict(await self._ask("POST", f"/{segment(id)}/rotate-secret", timeout=timeout))

    async def test(self, id: str, *, timeout: float | None = None) -> dict[str, Any]:
        """Sends one message at once."""
        return dict(await self._ask("POST", f"/{segment(id)}/test", timeout=timeout))

    async def deliveries(
        self, id: str, *, timeout: float | None = None, **query: object
    ) -> dict[str, Any]:
        """The latest messages, the newest first: `length` of them."""
        path = f"/{segment(id)}/deliveries"
        return dict(await self._ask("GET", path, query=query, timeout=timeout))

    async def resend(self, id: str, delivery: str, *, timeout: float | None = None) -> str:
        """Sends a message again, with its id."""
        path = f"/{segment(id)}/deliveries/{segment(delivery)}/resend"
        return str(await self._ask("POST", path, timeout=timeout))
