"""Selects the handler of a job, and how to run it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from .asynchronous.context import AsyncBatchJob, AsyncContext
from .batches import BatchOutcome
from .blocking.context import BatchJob, Context
from .shapes import Job

#: A function gets a `Context`, a coroutine function an `AsyncContext`.
Handler = Union[
    Callable[[Job, Context], object],
    Callable[[Job, AsyncContext], Awaitable[object]],
]
BatchHandler = Union[
    Callable[[Sequence[BatchJob], Context], Sequence[BatchOutcome]],
    Callable[[Sequence[AsyncBatchJob], AsyncContext], Awaitable[Sequence[BatchOutcome]]],
]


#: A handler for all jobs, handlers by job name, or `{"handlers": …, "otherwise": …}`.
PullHandlers = Union[Handler, Mapping[str, Any]]


@dataclass(frozen=True)
class Handlers:
    """The handlers of a worker by job name."""

    named: Mapping[str, Handler]
    otherwise: Handler | None
    batch: BatchHandler | None = None

    def of(self, name: str) -> Callable[..., Any]:
        """The handler of a job. Raises LookupError when none handles its name."""
        handler = self.named.get(name, self.otherwise)
        if handler is None:
            raise LookupError(f"No handler for {name}")
        return handler

    def of_batch(self) -> Callable[..., Any]:
        """The handler of batches. Raises LookupError without one."""
        if self.batch is None:
            raise LookupError("No handler for batches")
        return self.batch


def pull_handlers(handlers: PullHandlers) -> Handlers:
    """The handlers of a pull worker."""
    if not isinstance(handlers, Mapping):
        return Handlers({}, handlers)
    if isinstance(handlers.get("handlers"), Mapping):
        return Handlers(handlers["handlers"], handlers.get("otherwise"))
    return Handlers(handlers, None)


def is_coroutine(handler: Callable[..., Any]) -> bool:
    """Whether the result of a handler must be awaited."""
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(
        getattr(handler, "__call__", None)
    )
