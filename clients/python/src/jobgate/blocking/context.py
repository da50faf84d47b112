# Written by write_blocking.py from the file of this name in `asynchronous`.
"""What a handler knows of its job beside the job, and does about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..shapes import Job
from ..signals import Signal
from .children import Children
from .deferred import Deferred, report_on_all
from .reporter import Reporter


@dataclass(frozen=True)
class Context:
    """What a handler knows of its job beside the job, and does about it."""

    queue: str
    #: From 1.
    attempt: int
    max_attempts: int
    #: Epoch ms at which the attempt ends, None when nothing bounds it.
    deadline: int | None
    #: Ends at the deadline, on cancel, and when the lock is lost.
    signal: Signal
    _reporters: Sequence[Reporter]
    _children: Callable[[], Children]
    _deferred: Callable[[float | None], None]

    def progress(self, value: Any) -> None:
        """Sends at most four values a second, the last one always."""
        report_on_all(self._reporters, lambda one: one.progress(value))

    def log(self, text: str) -> None:
        """Adds a line to the log of the job."""
        report_on_all(self._reporters, lambda one: one.log(text))

    def children(self) -> Children:
        """The outcomes of the jobs that this one waited for."""
        return self._children()

    def defer(self, *, deadline: float | None = None) -> Deferred:
        """Lets the job, or the whole batch, be completed later; what the handler returns is ignored."""
        deferred = Deferred(self._reporters)
        self._deferred(deadline)
        return deferred


@dataclass(frozen=True)
class BatchJob:
    """One job of a batch, with its own reports."""

    job: Job
    _reporter: Reporter

    def progress(self, value: Any) -> None:
        """Sends at most four values a second, the last one always."""
        self._reporter.progress(value)

    def log(self, text: str) -> None:
        """Adds a line to the log of the job."""
        self._reporter.log(text)
