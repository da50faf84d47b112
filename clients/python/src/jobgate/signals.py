"""The signals by which a handler learns that its attempt has ended."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable


class _Ending:
    def __init__(self, seconds: float | None, wake: Callable[[], None]) -> None:
        """With `seconds`, it ends by itself after that time. `wake` ends the waits for it."""
        self._wake = wake
        self._end = None if seconds is None else time.monotonic() + seconds
        self._reason: Exception | None = None

    @property
    def reason(self) -> Exception | None:
        """Why it ended, None before that."""
        if self._reason is None and self._end is not None and time.monotonic() >= self._end:
            self._reason = TimeoutError("The deadline has passed")
        return self._reason

    def is_set(self) -> bool:
        """Whether the attempt has ended: by its deadline, a cancellation or a lost lock."""
        return self.reason is not None

    def end(self, reason: Exception) -> None:
        """Ends it; only the first reason counts."""
        if self.reason is None:
            self._reason = reason
        self._wake()

    def lift(self) -> None:
        """Removes the deadline, since the job continues beyond the call."""
        if not self.is_set():
            self._end = None

    def _seconds_left(self, end: float | None) -> float | None:
        """Seconds until the earlier of its own deadline and another one. The deadline may be lifted in the meantime."""
        ends = [one for one in (self._end, end) if one is not None]
        return min(ends) - time.monotonic() if ends else None


class Signal(_Ending):
    """Ends with its attempt. Can be used from any thread."""

    def __init__(self, seconds: float | None = None) -> None:
        self._event = threading.Event()
        super().__init__(seconds, self._event.set)

    def wait(self, timeout: float | None = None) -> bool:
        """Waits for the end, up to `timeout` ms, and returns whether it has ended."""
        end = None if timeout is None else time.monotonic() + timeout / 1000
        while not self.is_set():
            left = self._seconds_left(end)
            if left is not None and left <= 0:
                break
            self._event.wait(left)
        return self.is_set()


class AsyncSignal(_Ending):
    """Ends with its attempt."""

    def __init__(self, seconds: float | None = None) -> None:
        self._event = asyncio.Event()
        super().__init__(seconds, self._event.set)

    async def wait(self, timeout: float | None = None) -> bool:
        """Waits for the end, up to `timeout` ms, and returns whether it has ended."""
        end = None if timeout is None else time.monotonic() + timeout / 1000
        while not self.is_set():
            left = self._seconds_left(end)
            if left is not None and left <= 0:
                break
            try:
                await asyncio.wait_for(self._event.wait(), left)
            except asyncio.TimeoutError:
                pass
        return self.is_set()
