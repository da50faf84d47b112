"""Workers that claim their jobs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from ..answers import error_of, jitter, parsed, segment
from ..blocking.network import Network
from ..blocking.pull_attempt import PullAttempt
from ..errors import JobgateError
from ..handling import PullHandlers, is_coroutine, pull_handlers
from ..shapes import JobAddress
from ..signal_handlers import SignalHandlers
from ..threads import in_thread
from .network import AsyncNetwork
from .pull_attempt import AsyncPullAttempt, Outcome, outcome_of
from .reporter import AsyncReporter
from .transport import AsyncTransport

#: Seconds before a refused claim is repeated.
_REFUSED_PAUSE = 10.0

#: How long (ms) a deferred job without a deadline of its own is held.
_DEFERRED_FOR = 3_600_000

#: The most jobs that one claim may ask for.
_MOST_CLAIMED = 100

#: Seconds before a claim that is still running is cancelled again.
_CANCELLED_AGAIN = 0.1

#: How long (seconds) the worker waits for the last reports when it closes.
_LAST_REPORTS = 5.0


class _Running:
    """A job that is being handled."""

    def __init__(self, reporter: AsyncReporter) -> None:
        self.reporter = reporter
        self.extending = asyncio.Lock()
        self.end: Callable[[Exception], None] = lambda _reason: None
        self.is_over = False
        self.is_deferred = False
        self.is_lost = False
        self.is_reporting = False


class AsyncPullWorker:
    """Claims jobs of a queue, holds them while handlers run, and reports how they ended."""

    def __init__(
        self,
        url: str,
        token: str,
        queue: str,
        handlers: PullHandlers,
        *,
        concurrency: int = 1,
        lock: int = 30000,
        wait: int = 30000,
        signals: bool = True,
        close_timeout: float = 25000,
    ) -> None:
        self._queue = queue
        self._handlers = pull_handlers(handlers)
        self._concurrency = concurrency
        self._lock = lock
        self._wait = wait
        self._close_timeout = close_timeout
        self._transport = AsyncTransport(url, token, 30000, 1)
        self._network = AsyncNetwork()
        self._blocking_network = Network()
        self._running: dict[_Running, asyncio.Task[None]] = {}
        self._freed = asyncio.Event()
        self._closing = asyncio.Event()
        self._closed = asyncio.Event()
        self._draining: asyncio.Task[None] | None = None
        self._was_refused = False
        self._is_answered = False
        self._loop = asyncio.get_running_loop()
        self._claiming = self._loop.create_task(self._claim_until_closed())
        self._signals = SignalHandlers(self._begin_closing_anywhere) if signals else None

    async def close(self, *, timeout: float | None = None) -> None:
        """Takes no further jobs, and gives running ones `timeout` ms to finish."""
        self.begin_closing(timeout)
        await self._closed.wait()

    async def closed(self) -> None:
        """Returns when the worker is closed."""
        await self._closed.wait()

    def begin_closing(self, timeout: float | None = None) -> None:
        """Starts to close the worker, without waiting."""
        if self._draining is None:
            self._closing.set()
            ms = self._close_timeout if timeout is None else timeout
            self._draining = self._loop.create_task(self._drain(ms / 1000))

    def _begin_closing_anywhere(self) -> None:
        self._loop.call_soon_threadsafe(self.begin_closing)

    async def _drain(self, seconds: float) -> None:
        await asyncio.wait({self._claiming, *self._running.values()}, timeout=seconds)
        await self._claiming
        left = [running for running in self._running if not running.is_over]
        await asyncio.gather(*(self._release(running) for running in left))
        reports = [task for running, task in self._running.items() if running.is_reporting]
        if reports:
            await asyncio.wait(reports, timeout=_LAST_REPORTS)
        if self._signals is not None:
            self._signals.remove()
        await self._transport.aclose()
        await self._network.aclose()
        self._closed.set()

    async def _release(self, running: _Running) -> None:
        running.is_over = True
        running.end(RuntimeError("The worker is closing"))
        try:
            await asyncio.wait_for(running.reporter.outcome("release", {}), _LAST_REPORTS)
        except (JobgateError, asyncio.TimeoutError):
            pass

    async def _claim_until_closed(self) -> None:
        failures = 0
        while not self._closing.is_set():
            free = self._concurrency - len(self._running)
            if free <= 0:
                self._freed.clear()
                await self._unless_closing(self._freed.wait())
                continue
            try:
                claimed = await self._claim(min(free, _MOST_CLAIMED))
                failures = 0
                self._was_refused = False
                for one in claimed:
                    self._start(one)
            except (JobgateError, httpx.RequestError, ValueError) as error:
                failures += 1
                pause = self._pause_after(error, failures)
                await self._unless_closing(asyncio.sleep(pause))

    async def _claim(self, count: int) -> list[dict[str, Any]]:
        """The claimed jobs, or none when the worker is closing: then they have been released."""
        self._is_answered = False
        request = self._loop.create_task(self._request_claim(count))
        closing = self._loop.create_task(self._closing.wait())
        await asyncio.wait({request, closing}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        if self._closing.is_set():
            # An answer that has begun may contain jobs. A connection that is being opened may swallow a cancellation.
            while not request.done():
                if not self._is_answered:
                    request.cancel()
                await asyncio.wait({request}, timeout=_CANCELLED_AGAIN)
            [claimed] = await asyncio.gather(request, return_exceptions=True)
            if isinstance(claimed, list):
                reporters = [self._reporter_of(one, lambda _error: None) for one in claimed]
                releases = [reporter.outcome("release", {}) for reporter in reporters]
                await asyncio.gather(*releases, return_exceptions=True)
            return []
        return request.result()

    async def _request_claim(self, count: int) -> list[dict[str, Any]]:
        response = await self._transport.send_claim(
            f"/queues/{segment(self._queue)}/jobs/claim",
            {"count": count, "wait": self._wait, "lock": self._lock},
            self._wait,
        )
        self._is_answered = True
        try:
            text = (await response.aread()).decode("utf-8", "replace")
        finally:
            await response.aclose()
        if not response.is_success:
            raise error_of(response.status_code, text)
        claimed = parsed(text)
        if not isinstance(claimed, list):
            raise ValueError("The answer to a claim is no list")
        return claimed

    def _pause_after(self, error: Exception, failures: int) -> float:
        status = error.status if isinstance(error, JobgateError) else 0
        if status in (0, 429) or status >= 500:
            return jitter(failures)
        if not self._was_refused:
            message = f"jobgate refuses claims of {self._queue}: {status} {error}"
            print(message, file=sys.stderr, flush=True)
        self._was_refused = True
        return _REFUSED_PAUSE

    async def _unless_closing(self, waiting: Any) -> None:
        tasks = {
            self._loop.create_task(_wait_for(waiting)),
            self._loop.create_task(_wait_for(self._closing.wait())),
        }
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()

    def _reporter_of(
        self, claimed: Mapping[str, Any], lost: Callable[[JobgateError], None]
    ) -> AsyncReporter:
        return AsyncReporter(self._address_of(claimed), self._network, lost)

    def _address_of(self, claimed: Mapping[str, Any]) -> JobAddress:
        return {
            "url": self._transport.url,
            "queue": self._queue,
            "id": claimed["job"]["id"],
            "token": claimed["token"],
        }

    def _start(self, claimed: Mapping[str, Any]) -> None:
        def lost(error: JobgateError) -> None:
            running.is_lost = True
            running.end(error)

        running = _Running(self._reporter_of(claimed, lost))
        self._running[running] = self._loop.create_task(self._hold(claimed, running))

    async def _hold(self, claimed: Mapping[str, Any], running: _Running) -> None:
        extension = self._loop.create_task(self._extend(running))
        try:
            verb, body = await self._work(claimed, running)
            # After a lost lock, the job belongs to another worker.
            if running.is_lost:
                return
            # A handler that deferred may still wait for steps.
            if running.is_over and not (running.is_deferred and verb == "suspend"):
                return
            running.is_over = running.is_reporting = True
            await running.reporter.outcome(verb, body)
        except JobgateError as error:
            message = f"jobgate refused a report on {claimed['job']['id']}: {error}"
            print(message, file=sys.stderr, flush=True)
        finally:
            extension.cancel()
            del self._running[running]
            self._freed.set()

    async def _work(self, claimed: Mapping[str, Any], running: _Running) -> Outcome:
        job = claimed["job"]
        children = claimed.get("children")
        steps = claimed.get("steps")
        address = self._address_of(claimed)
        try:
            handler = self._handlers.of(job["name"])
        except LookupError as error:
            return outcome_of(error)

        async def deferred(deadline: float | None) -> None:
            await self._defer(running, deadline)

        if is_coroutine(handler):
            attempt = AsyncPullAttempt(
                job,
                children,
                steps,
                address,
                api_token=self._transport.token,
                network=self._network,
                deferred=deferred,
            )
            running.end = attempt.signal.end
            outcome = await attempt.run(handler)
            running.is_lost = running.is_lost or attempt.signal.is_set()
            return outcome

        def deferred_in_thread(deadline: float | None) -> None:
            asyncio.run_coroutine_threadsafe(deferred(deadline), self._loop).result()

        blocking = PullAttempt(
            job,
            children,
            steps,
            address,
            api_token=self._transport.token,
            network=self._blocking_network,
            deferred=deferred_in_thread,
        )
        running.end = blocking.signal.end
        outcome = await in_thread(lambda: blocking.run(handler))
        running.is_lost = running.is_lost or blocking.signal.is_set()
        return outcome

    async def _extend(self, running: _Running) -> None:
        while True:
            await asyncio.sleep(self._lock / 3000)
            async with running.extending:
                if running.is_over or running.is_lost:
                    return
                try:
                    await running.reporter.extend(self._lock)
                except JobgateError:
                    pass

    async def _defer(self, running: _Running, deadline: float | None) -> None:
        # An extension in progress, or another one, would shorten the deferral.
        running.is_over = running.is_deferred = True
        async with running.extending:
            try:
                await running.reporter.extend(_DEFERRED_FOR if deadline is None else deadline)
            except JobgateError:
                pass


async def _wait_for(waiting: Any) -> None:
    await waiting
