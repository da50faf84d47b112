"""A topic, whose messages become jobs of all subscriptions that they match."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from ..answers import segment
from ..shapes import JobOptions, NewJob
from .transport import AsyncRoutes


class AsyncTopic(AsyncRoutes):
    """A topic. Creating it sends no request."""

    async def publish(
        self,
        name: str,
        data: Any = None,
        opts: JobOptions | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Publishes a message; repeating the request does not publish it again."""
        message = {"name": name, "data": data, **({} if opts is None else {"opts": opts})}
        return dict(await self._publish(message, dry_run, idempotency_key, timeout))

    async def publish_all(
        self,
        messages: Sequence[NewJob | Mapping[str, Any]],
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> list[dict[str, Any]]:
        """Publishes all messages with one request; repeating the request does not publish them again."""
        return list(await self._publish(list(messages), dry_run, idempotency_key, timeout))

    async def get(self, *, timeout: float | None = None) -> dict[str, Any]:
        """The topic with its subscriptions."""
        return dict(await self._ask("GET", "", timeout=timeout))

    async def subscribe(
        self, id: str, subscription: Mapping[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Replaces any other subscription of the id."""
        path = f"/subscriptions/{segment(id)}"
        return dict(await self._ask("PUT", path, body=subscription, timeout=timeout))

    async def unsubscribe(self, id: str, *, timeout: float | None = None) -> str:
        """Removes the subscription."""
        return str(await self._ask("DELETE", f"/subscriptions/{segment(id)}", timeout=timeout))

    async def remove(self, *, timeout: float | None = None) -> str:
        """Removes the topic with all its subscriptions."""
        return str(await self._ask("DELETE", "", timeout=timeout))

    async def _publish(
        self,
        body: object,
        dry_run: bool | None,
        idempotency_key: str | None,
        timeout: float | None,
    ) -> Any:
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return await self._ask(
            "POST",
            "",
            query={"dryRun": dry_run},
            body=body,
            headers={"idempotency-key": key},
            timeout=timeout,
            is_repeatable=True,
        )
