"""Workers that claim their jobs."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from ..asynchronous.pulling import AsyncPullWorker
from ..handling import PullHandlers
from ..signal_handlers import SignalHandlers
from ..threads import Threads


class PullWorker:
    """Claims jobs of a queue, holds them while handlers run, and reports how they ended, in its own threads."""

    def __init__(
        self, url: str, token: str, queue: str, handlers: PullHandlers, *, signals: bool, **options: Any
    ) -> None:
        self._started = threading.Event()
        self._closed = threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._worker: AsyncPullWorker

        async def work() -> None:
            self._loop = asyncio.get_running_loop()
            self._loop.set_default_executor(Threads())
            self._worker = AsyncPullWorker(url, token, queue, handlers, signals=False, **options)
            self._started.set()
            await self._worker.closed()

        def run() -> None:
            try:
                asyncio.run(work())
            finally:
                self._closed.set()

        threading.Thread(target=run, name="jobgate worker").start()
        self._started.wait()
        self._signals = SignalHandlers(self._begin_closing) if signals else None

    def close(self, *, timeout: float | None = None) -> None:
        """Takes no further jobs, and gives running ones `timeout` ms to finish."""
        self._begin_closing(timeout)
        self.join()

    def join(self, timeout: float | None = None) -> bool:
        """Waits until the worker is closed, up to `timeout` ms, and returns whether it is."""
        is_closed = self._closed.wait(None if timeout is None else timeout / 1000)
        if is_closed and self._signals is not None:
            self._signals.remove()
        return is_closed

    def closed(self) -> bool:
        """Whether the worker is closed."""
        return self._closed.is_set()

    def _begin_closing(self, timeout: float | None = None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._worker.begin_closing, timeout)
        except RuntimeError:
            # The loop has ended: the worker is closed.
            pass
