# Written by write_blocking.py from the file of this name in `asynchronous`.
"""One call to a worker."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from ..batches import results_of
from ..errors import JobgateError
from ..signals import Signal
from ..suspension import without_waits
from ..webhook_call import CallItem, WebhookCall, address_of
from ..worker_answer import WorkerAnswer, refusal, success, suspension, with_cost
from .children import Children, all_children
from .context import BatchJob, Context
from .network import Network, Unsent
from .reporter import Reporter
from .steps import SavedSteps, Steps


class WebhookAttempt:
    """Runs the handler of a call."""

    def __init__(
        self,
        call: WebhookCall,
        headers: Mapping[str, str],
        *,
        seconds: float | None,
        url: str | None,
        network: Network,
        deferred: Callable[[float | None], None],
    ) -> None:
        """`seconds` limits the call; `deferred` is called when the handler defers."""
        self.signal: Signal = Signal(seconds)
        self._call = call
        self._held = len(call.items)
        if headers.get("jobgate-test") == "true":
            network = Unsent()
        self._reporters = [
            Reporter(address_of(headers, url, call.queue, item), network, self._lost_once())
            for item in call.items
        ]
        first = call.items[0]
        # A call of several jobs, of a body without an envelope or of no steps carries none.
        is_whole = call.has_envelope or call.steps == 0
        steps = Steps(self._reporters[0], first.steps, is_whole=is_whole)
        self._steps: Steps | None = None if call.is_batch else steps
        self._deferred = deferred
        self._is_deferred = False
        self._context = Context(
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

    def run(self, handler: Callable[..., Any]) -> WorkerAnswer:
        """The answer to the call, once all previous reports have been sent."""
        try:
            answer = self._answer(handler)
        except Exception as error:
            answer = refusal(error)
        return answer if self._call.is_batch else with_cost(answer, self._reporters[0].cost)

    def _answer(self, handler: Callable[..., Any]) -> WorkerAnswer:
        call = self._call
        try:
            if not call.is_batch:
                return success(handler(call.items[0].job, self._context))
            jobs = [
                BatchJob(item.job, SavedSteps(reporter, item.steps), reporter)
                for item, reporter in zip(call.items, self._reporters)
            ]
            outcomes = handler(jobs, self._context)
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
                self._reporters[0].outcome("suspend", answer)
            return suspension(answer)
        finally:
            for reporter in self._reporters:
                reporter.flush()

    def _defer(self, deadline: float | None) -> None:
        self._is_deferred = True
        self._deferred(deadline)

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

    def _children(self) -> Children:
        children: Children = []
        for item, reporter in zip(self._call.items, self._reporters):
            children += self._children_of(item, reporter)
        return children

    def _children_of(self, item: CallItem, reporter: Reporter) -> Children:
        if self._call.has_envelope and item.children is None:
            return []
        url = reporter.address["url"] if reporter.has_address else None
        token = os.environ.get("JOBGATE_TOKEN")
        return all_children(item.children, url, token, self._call.queue, item.job["id"])
