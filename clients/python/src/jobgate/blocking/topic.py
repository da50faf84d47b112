# Written by write_blocking.py from the file of this name in `asynchronous`.
"""A topic, whose messages become jobs of all subscriptions that they match."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from ..answers import segment
from ..shapes import JobOptions, NewJob
from .transport import Routes


class Topic(Routes):
    """A topic. Creating it sends no request."""

    def publish(
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
        return dict(self._publish(message, dry_run, idempotency_key, timeout))

    def publish_all(
        self,
        messages: Sequence[NewJob | Mapping[str, Any]],
        *,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> list[dict[str, Any]]:
        """Publishes all messages with one request; repeating the request does not publish them again."""
        return list(self._publish(list(messages), dry_run, idempotency_key, timeout))

    def get(self, *, timeout: float | None = None) -> dict[str, Any]:
        """The topic with its subscriptions."""
        return dict(self._ask("GET", "", timeout=timeout))

    def subscribe(
        self, id: str, subscription: Mapping[str, Any], *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Replaces any other subscription of the id."""
        path = f"/subscriptions/{segment(id)}"
        return dict(self._ask("PUT", path, body=subscription, timeout=timeout))

    def unsubscribe(self, id: str, *, timeout: float | None = None) -> str:
        """Removes the subscription."""
        return str(self._ask("DELETE", f"/subscriptions/{segment(id)}", timeout=timeout))

    def remove(self, *, timeout: float | None = None) -> str:
        """Removes the topic with all its subscriptions."""
        return str(self._ask("DELETE", "", timeout=timeout))

    def _publish(
        self,
        body: object,
        dry_run: bool | None,
        idempotency_key: str | None,
        timeout: float | None,
    ) -> Any:
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return self._ask(
            "POST",
            "",
            query={"dryRun": dry_run},
            body=body,
            headers={"idempotency-key": key},
            timeout=timeout,
            is_repeatable=True,
        )
