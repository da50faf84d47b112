"""The context of a handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..shapes import Job
from ..signals import AsyncSignal
from .children import Children
from .deferred import AsyncDeferred, report_on_all
from .reporter import AsyncReporter
from .steps import AsyncSavedSteps, AsyncSteps


@dataclass(frozen=True)
class AsyncContext:
    """The context of a handler: facts about its attempt, and functions to report on it."""

    queue: str
    #: From 1.
    attempt: int
    max_attempts: int
    #: Epoch ms at which the attempt ends, None when unlimited.
    deadline: int | None
    #: Ends at the deadline, on a cancellation, and when the lock is lost.
    signal: AsyncSignal
    _reporters: Sequence[AsyncReporter]
    _children: Callable[[], Awaitable[Children]]
    _deferred: Callable[[float | None], Awaitable[None]]
    #: None in a batch.
    _steps: AsyncSteps | None

    @property
    def steps(self) -> AsyncSteps:
        """What the job did in earlier calls, and waits. Raises ValueError in a batch."""
        if self._steps is None:
            raise ValueError("Steps of a batch are those of its jobs")
        return self._steps

    def cost(self, cost: int) -> None:
        """Sets what the start of the attempt counts in limiters, once it ends: 0 to 1,000,000."""
        for one in self._reporters:
            one.cost = cost

    async def progress(self, value: Any) -> None:
        """Sends at most four values a second, and always the last one."""
        await report_on_all(self._reporters, lambda one: one.progress(value))

    async def log(self, text: str) -> None:
        """Adds a line to the log of the job."""
        await report_on_all(self._reporters, lambda one: one.log(text))

    async def children(self) -> Children:
        """The outcomes of the jobs that this one waited for."""
        return await self._children()

    async def defer(self, *, deadline: float | None = None) -> AsyncDeferred:
        """Lets the job, or the whole batch, be completed later; what the handler then returns is ignored."""
        deferred = AsyncDeferred(self._reporters)
        await self._deferred(deadline)
        return deferred


@dataclass(frozen=True)
class AsyncBatchJob:
    """One job of a batch, with its own reports."""

    job: Job
    #: Jobs of a batch save steps, but cannot wait.
    steps: AsyncSavedSteps
    _reporter: AsyncReporter

    def cost(self, cost: int) -> None:
        """Sets what the start of the attempt counts in limiters, once it ends: 0 to 1,000,000."""
        self._reporter.cost = cost

    async def progress(self, value: Any) -> None:
        """Sends at most four values a second, and always the last one."""
        await self._reporter.progress(value)

    async def log(self, text: str) -> None:
        """Adds a line to the log of the job."""
        await self._reporter.log(text)
