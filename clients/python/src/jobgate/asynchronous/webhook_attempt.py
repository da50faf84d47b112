"""One call to a worker."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ..batches import results_of
from ..errors import JobgateError
from ..signals import AsyncSignal
from ..suspension import without_waits
from ..webhook_call import CallItem, WebhookCall, address_of
from ..worker_answer import WorkerAnswer, refusal, success, suspension, with_cost
from .children import Children, all_children
from .context import AsyncBatchJob, AsyncContext
from .network import AsyncNetwork, AsyncUnsent
from .reporter import AsyncReporter
from .steps import AsyncSavedSteps, AsyncSteps


class AsyncWebhookAttempt:
    """Runs the handler of a call."""

    def __init__(
        self,
        call: WebhookCall,
        headers: Mapping[str, str],
        *,
        seconds: float | None,
        url: str | None,
        network: AsyncNetwork,
        deferred: Callable[[float | None], Awaitable[None]],
    ) -> None:
        """`seconds` limits the call; `deferred` is called when the handler defers."""
        self.signal: AsyncSignal = AsyncSignal(seconds)
        self._call = call
        self._held = len(call.items)
        if headers.get("jobgate-test") == "true":
            network = AsyncUnsent()
        self._reporters = [
            AsyncReporter(address_of(headers, url, call.queue, item), network, self._lost_once())
            for item in call.items
        ]
        first = call.items[0]
        # A call of several jobs, of a body without an envelope or of no steps carries none.
        is_whole = call.has_envelope or call.steps == 0
        steps = AsyncSteps(self._reporters[0], first.steps, is_whole=is_whole)
        self._steps: AsyncSteps | None = None if call.is_batch else steps
        self._deferred = deferred
        self._is_deferred = False
        self._context = AsyncContext(
            queue=call.queue,
            attempt=call.attempt,
            max_attempts=call.max_attempts,
            deadline=None if seconds is None else int((time.time() + seconds) * 1000),
            signal=self.signal,
            _reporters=self._reporters,
            _children=self._children,
            _deferred=self._defer,
            _steps=self._steps,
        )

    async def run(self, handler: Callable[..., Any]) -> WorkerAnswer:
        """The answer to the call, once all previous reports have been sent."""
        try:
            answer = await self._answer(handler)
        except Exception as error:
            answer = refusal(error)
        return answer if self._call.is_batch else with_cost(answer, self._reporters[0].cost)

    async def _answer(self, handler: Callable[..., Any]) -> WorkerAnswer:
        call = self._call
        try:
            if not call.is_batch:
                return success(await handler(call.items[0].job, self._context))
            jobs = [
                AsyncBatchJob(item.job, AsyncSavedSteps(reporter, item.steps), reporter)
                for item, reporter in zip(call.items, self._reporters)
            ]
            outcomes = await handler(jobs, self._context)
            ids = [item.job["id"] for item in call.items]
            costs = [reporter.cost for reporter in self._reporters]
            return success({"results": results_of(ids, costs, outcomes)})
        except BaseException as error:
            raised = without_waits(error)
            if raised is not None or self._steps is None:
                raise raised or error from None
            answer = self._steps.suspend()
            # The answer of the call was that of the deferral.
            if self._is_deferred:
                await self._reporters[0].outcome("suspend", answer)
            return suspension(answer)
        finally:
            for reporter in self._reporters:
                await reporter.flush()

    async def _defer(self, deadline: float | None) -> None:
        self._is_deferred = True
        await self._deferred(deadline)

    def _lost_once(self) -> Callable[[JobgateError], None]:
        is_held = True

        def lost(error: JobgateError) -> None:
            nonlocal is_held
            self._held -= is_held
            is_held = False
            # A cancellation ends only one job of a batch.
            if self._held == 0:
                self.signal.end(error)

        return lost

    async def _children(self) -> Children:
        children: Children = []
        for item, reporter in zip(self._call.items, self._reporters):
            children += await self._children_of(item, reporter)
        return children

    async def _children_of(self, item: CallItem, reporter: AsyncReporter) -> Children:
        if self._call.has_envelope and item.children is None:
            return []
        url = reporter.address["url"] if reporter.has_address else None
        token = os.environ.get("JOBGATE_TOKEN")
        return await all_children(item.children, url, token, self._call.queue, item.job["id"])
