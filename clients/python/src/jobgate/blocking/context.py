# Written by write_blocking.py from the file of this name in `asynchronous`.
"""The context of a handler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..shapes import Job
from ..signals import Signal
from .children import Children
from .deferred import Deferred, report_on_all
from .reporter import Reporter
from .steps import SavedSteps, Steps


@dataclass(frozen=True)
class Context:
    """The context of a handler: facts about its attempt, and functions to report on it."""

    queue: str
    #: From 1.
    attempt: int
    max_attempts: int
    #: Epoch ms at which the attempt ends, None when unlimited.
    deadline: int | None
    #: Ends at the deadline, on a cancellation, and when the lock is lost.
    signal: Signal
    _reporters: Sequence[Reporter]
    _children: Callable[[], Children]
    _deferred: Callable[[float | None], None]
    #: None in a batch.
    _steps: Steps | None

    @property
    def steps(self) -> Steps:
        """What the job did in earlier calls, and waits. Raises ValueError in a batch."""
        if self._steps is None:
            raise ValueError("Steps of a batch are those of its jobs")
        return self._steps

    def cost(self, cost: int) -> None:
        """Sets what the start of the attempt counts in limiters, once it ends: 0 to 1,000,000."""
        for one in self._reporters:
            one.cost = cost

    def progress(self, value: Any) -> None:
        """Sends at most four values a second, and always the last one."""
        report_on_all(self._reporters, lambda one: one.progress(value))

    def log(self, text: str) -> None:
        """Adds a line to the log of the job."""
        report_on_all(self._reporters, lambda one: one.log(text))

    def children(self) -> Children:
        """The outcomes of the jobs that this one waited for."""
        return self._children()

    def defer(self, *, deadline: float | None = None) -> Deferred:
        """Lets the job, or the whole batch, be completed later; what the handler then returns is ignored."""
        deferred = Deferred(self._reporters)
        self._deferred(deadline)
        return deferred


@dataclass(frozen=True)
class BatchJob:
    """One job of a batch, with its own reports."""

    job: Job
    #: Jobs of a batch save steps, but cannot wait.
    steps: SavedSteps
    _reporter: Reporter

    def cost(self, cost: int) -> None:
        """Sets what the start of the attempt counts in limiters, once it ends: 0 to 1,000,000."""
        self._reporter.cost = cost

    def progress(self, value: Any) -> None:
        """Sends at most four values a second, and always the last one."""
        self._reporter.progress(value)

    def log(self, text: str) -> None:
        """Adds a line to the log of the job."""
        self._reporter.log(text)
