"""One claimed job."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable
from typing import Any

from ..errors import Fail, JobgateError, NotNow, Retry, reason_of
from ..shapes import Job, JobAddress
from ..signals import AsyncSignal
from ..suspension import without_waits
from .children import Children, all_children
from .context import AsyncContext
from .network import AsyncNetwork
from .reporter import AsyncReporter
from .steps import AsyncSteps, StepValues

#: The report that ends an attempt: its name and body.
Outcome = tuple[str, object]


class AsyncPullAttempt:
    """Runs the handler of a claimed job."""

    def __init__(
        self,
        job: Job,
        children: Children | None,
        steps: StepValues | None,
        address: JobAddress,
        *,
        api_token: str,
        network: AsyncNetwork,
        deferred: Callable[[float | None], Awaitable[None]],
    ) -> None:
        """`deferred` is called when the handler defers."""
        self.signal: AsyncSignal = AsyncSignal()
        self._job = job
        self._carried = children
        self._address = address
        self._api_token = api_token
        self._reporter = AsyncReporter(address, network, self._lost)
        self._steps: AsyncSteps = AsyncSteps(self._reporter, steps)
        self._context = AsyncContext(
            queue=address["queue"],
            attempt=job.get("attemptsMade", 0) + 1,
            max_attempts=max(1, job.get("opts", {}).get("attempts") or 1),
            deadline=None,
            signal=self.signal,
            _reporters=[self._reporter],
            _children=self._children,
            _deferred=deferred,
            _steps=self._steps,
        )

    async def run(self, handler: Callable[..., Any]) -> Outcome:
        """How the attempt ended, once all previous reports have been sent."""
        try:
            value = await handler(self._job, self._context)
            # A value that is not JSON fails the attempt, not the report.
            json.dumps(value, allow_nan=False)
            return "complete", value
        except BaseException as error:
            raised = without_waits(error)
            if raised is None:
                return "suspend", self._steps.suspend()
            if isinstance(raised, Exception):
                return outcome_of(raised)
            raise
        finally:
            await self._reporter.flush()

    def _lost(self, error: JobgateError) -> None:
        self.signal.end(error)

    async def _children(self) -> Children:
        if self._carried is None:
            return []
        return await all_children(
            self._carried,
            self._address["url"],
            self._api_token,
            self._address["queue"],
            self._job["id"],
        )


def outcome_of(error: Exception) -> Outcome:
    """The report for an error."""
    if isinstance(error, NotNow):
        return "release", {"delay": math.ceil(error.after)}
    body: dict[str, object] = {"reason": reason_of(error)}
    if isinstance(error, Fail):
        body["retry"] = False
    elif isinstance(error, Retry) and error.after is not None:
        body["delay"] = math.ceil(error.after / 1000) * 1000
    return "fail", body
