# Written by write_blocking.py from the file of this name in `asynchronous`.
"""The client of a service."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Mapping, Sequence
from types import TracebackType
from typing import Any

from ..answers import segment
from ..handling import PullHandlers
from ..shapes import Event
from .events import follow_events
from .hooks import Hooks
from .limits import Limits
from .pulling import PullWorker
from .queue import Queue
from .topic import Topic
from .transport import UNSET, Transport
from .workers import Workers


class Jobgate:
    """The client of a service. By default, its URL and token come from the environment."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 30000,
        tries: int = 3,
    ) -> None:
        self._transport = Transport(url, token, timeout, tries)
        self.workers: Workers = Workers(self._transport, "/workers")
        self.hooks: Hooks = Hooks(self._transport, "/hooks")
        self.limits: Limits = Limits(self._transport, "/limits")

    def __enter__(self) -> Jobgate:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def queue(self, name: str) -> Queue:
        """A queue. Creating it sends no request."""
        return Queue(self._transport, name)

    def topic(self, name: str) -> Topic:
        """A topic. Creating it sends no request."""
        return Topic(self._transport, f"/topics/{segment(name)}")

    def topics(self, *, timeout: float | None = None) -> dict[str, Any]:
        """All topics, with their `total`."""
        return dict(self._read("/topics", {}, timeout))

    def queues(self, *, timeout: float | None = None, **query: object) -> dict[str, Any]:
        """Queues by name, or with figures: `name`, `start`, `length`, `view`, `sort` and others."""
        return dict(self._read("/queues", query, timeout))

    def flow(
        self,
        tree: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Adds a tree of jobs, and returns it; repeating the request does not add it again."""
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        _, answer = self._transport.call(
            "POST",
            "/flows",
            body=tree,
            headers={"idempotency-key": key},
            timeout=timeout,
            is_repeatable=True,
        )
        return dict(answer)

    def events(
        self,
        *,
        queues: str | Sequence[str] | None = None,
        events: Sequence[str] | None = None,
        job: str | None = None,
        digest: int | None = None,
        last_event_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Event, None, None]:
        """The events of all queues, reconnecting as needed."""
        query = {"queues": queues, "events": events, "job": job, "digest": digest}
        return follow_events(self._transport, "/events", query, last_event_id, timeout)

    def pull(
        self,
        queue: str,
        handlers: PullHandlers,
        *,
        concurrency: int = 1,
        lock: int = 30000,
        wait: int = 30000,
        signals: bool = True,
        close_timeout: float = 25000,
    ) -> PullWorker:
        """Starts to claim jobs of a queue immediately."""
        transport = self._transport
        return PullWorker(
            transport.url,
            transport.token,
            queue,
            handlers,
            concurrency=concurrency,
            lock=lock,
            wait=wait,
            signals=signals,
            close_timeout=close_timeout,
        )

    def whoami(self, *, timeout: float | None = None) -> dict[str, Any]:
        """The token and its rights."""
        return dict(self._read("/whoami", {}, timeout))

    def failures(self, *, timeout: float | None = None, **query: object) -> Any:
        """Causes of failures across all queues: `window`, `length`."""
        return self._read("/failures", query, timeout)

    def figures(self, *, timeout: float | None = None, **query: object) -> dict[str, Any]:
        """Figures of all queues together: `from_`, `to`, `step`."""
        return dict(self._read("/figures", query, timeout))

    def system(self, *, timeout: float | None = None) -> dict[str, Any]:
        """The store, the replicas, and warnings."""
        return dict(self._read("/system", {}, timeout))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = UNSET,
        timeout: float | None = None,
    ) -> Any:
        """Calls any other route of the API and returns the answer, such as the page of `request("GET", "/tokens")`."""
        _, answer = self._transport.call(method, path, query=query, body=body, timeout=timeout)
        return answer

    def _read(self, path: str, query: Mapping[str, object], timeout: float | None) -> Any:
        _, answer = self._transport.call("GET", path, query=query, timeout=timeout)
        return answer
